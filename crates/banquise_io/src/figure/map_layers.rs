//! What lies on a map: floes, obstacles, trajectories, the border of the domain.

use super::canvas::{Area, Canvas, path_through};
use super::color_bar::ColorBar;
use super::decimate::{runs, simplify, thin};
use super::map_content::{CrackLine, Extent, Layer, Patch, Shape};
use super::map_panel::{Panel, arrow_head};
use super::palette::{
    AXIS, FAINT, ICE, ICE_EDGE, INK, LAND, LAND_EDGE, PAPER, SERIES, Tone, VALUE_EDGE, WATER,
    crowd_opacity, filled, filled_and_stroked, stroked,
};
use super::text::px;

/// More trajectories than this share one colour.
const CROWD: usize = 12;

/// Which axes of a map carry labels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ShownSides {
    Both,
    Left,
    Bottom,
    Neither,
}

/// Draws water, layers and frame.
pub(super) fn draw_panel(
    canvas: &mut Canvas,
    panel: &Panel,
    layers: &[Layer],
    bar: Option<&ColorBar>,
    sides: ShownSides,
) {
    let Area {
        left,
        top,
        width,
        height,
    } = panel.area;
    let [x, y, w, h] = [left, top, width, height].map(px);
    let place = format!("x=\"{x}\" y=\"{y}\" width=\"{w}\" height=\"{h}\"");
    canvas.add(&format!("<rect {} {place}/>", filled(WATER)));
    canvas.open_window(panel.area, 0.0);
    for layer in layers {
        draw_layer(canvas, panel, layer, bar);
    }
    canvas.close_window();
    canvas.add(&format!("<rect {} {place}/>", stroked(AXIS)));
    let has_left = matches!(sides, ShownSides::Both | ShownSides::Left);
    let has_bottom = matches!(sides, ShownSides::Both | ShownSides::Bottom);
    canvas.left_axis(panel.area, &panel.plans[1], has_left);
    canvas.bottom_axis(panel.area, &panel.plans[0], has_bottom);
}

/// Draws one layer; floes take their colours from `bar` when there is one.
fn draw_layer(canvas: &mut Canvas, panel: &Panel, layer: &Layer, bar: Option<&ColorBar>) {
    match layer {
        Layer::Floes(patches) => draw_floes(canvas, panel, patches, bar),
        Layer::Obstacles(shapes) => {
            let land = filled_and_stroked(LAND, LAND_EDGE);
            canvas.add("<g stroke-width=\"0.8\" fill-rule=\"evenodd\">");
            for shape in shapes {
                draw_shape(canvas, panel, shape, &land);
            }
            canvas.add("</g>");
        }
        Layer::Trajectories(paths) => draw_trajectories(canvas, panel, paths),
        Layer::Domain(Extent { min, max }) => {
            let corners = [*min, [max[0], min[1]], *max, [min[0], max[1]]];
            draw_border(canvas, panel, &corners);
        }
        Layer::Walls(extent, open) => draw_walls(canvas, panel, extent, *open),
        Layer::ObstaclePaths(paths) => {
            canvas.add("<g stroke-width=\"2\" stroke-linejoin=\"round\">");
            for path in paths {
                draw_trajectory(canvas, panel, path, SERIES[1], 1.2);
            }
            canvas.add("</g>");
        }
        Layer::Velocities(color, arrows) => {
            canvas.add("<g stroke-width=\"1.2\">");
            for arrow in arrows {
                draw_velocity(canvas, panel, arrow, SERIES[color % SERIES.len()]);
            }
            canvas.add("</g>");
        }
        Layer::Border(ring) => draw_border(canvas, panel, ring),
        Layer::Cracks(lines) => draw_cracks(canvas, panel, lines, bar),
    }
}

fn draw_floes(canvas: &mut Canvas, panel: &Panel, patches: &[Patch], bar: Option<&ColorBar>) {
    // Thousands of outlines would turn the map grey, and a wide edge hides the colour of a small floe.
    let edge = match bar {
        Some(_) => "0.2",
        None if patches.len() > 400 => "0.4",
        None => "0.8",
    };
    let group = format!("stroke-width=\"{edge}\" stroke-linejoin=\"round\" fill-rule=\"evenodd\"");
    let paint = match bar {
        Some(_) => stroked(VALUE_EDGE),
        None => filled_and_stroked(ICE, ICE_EDGE),
    };
    canvas.add(&format!("<g {paint} {group}>"));
    for patch in patches {
        let fill = bar.map(|bar| bar.fill(patch.value)).unwrap_or_default();
        draw_shape(canvas, panel, &patch.shape, &fill);
    }
    canvas.add("</g>");
}

/// Draws cracks; coloured ones have a dark rim, without which bright colours are not seen on ice.
fn draw_cracks(canvas: &mut Canvas, panel: &Panel, lines: &[CrackLine], bar: Option<&ColorBar>) {
    let placed: Vec<(&CrackLine, [[f64; 2]; 2])> = lines
        .iter()
        .filter_map(|line| match line.ends.map(|end| panel.place(end)) {
            [Some(from), Some(to)] => Some((line, [from, to])),
            _ => None,
        })
        .collect();
    let all: String = placed
        .iter()
        .map(|(_, ends)| path_through(ends, false))
        .collect();
    let width = if lines.len() > 400 { 0.8 } else { 1.6 };
    canvas.add("<g stroke-linecap=\"round\">");
    if !all.is_empty() {
        let rim = px(width + 0.8);
        canvas.add(&format!(
            "<path {} stroke-width=\"{rim}\" d=\"{all}\"/>",
            stroked(INK)
        ));
    }
    for (line, ends) in placed {
        let stroke = bar.and_then(|bar| bar.stroke(line.value?));
        if let Some(stroke) = stroke {
            let (path, width) = (path_through(&ends, false), px(width));
            canvas.add(&format!(
                "<path fill=\"none\" {stroke} stroke-width=\"{width}\" d=\"{path}\"/>"
            ));
        }
    }
    canvas.add("</g>");
}

fn draw_shape(canvas: &mut Canvas, panel: &Panel, shape: &Shape, paint: &str) {
    match shape {
        Shape::Polygon(rings) => {
            let place = |ring: &Vec<[f64; 2]>| -> Vec<[f64; 2]> {
                ring.iter()
                    .filter_map(|vertex| panel.place(*vertex))
                    .collect()
            };
            let path: String = rings
                .iter()
                .map(|ring| path_through(&place(ring), true))
                .collect();
            if !path.is_empty() {
                canvas.add(&format!("<path {paint} d=\"{path}\"/>"));
            }
        }
        Shape::Disc { center, radius } => {
            let length = radius * panel.scale();
            if let Some([x, y]) = panel.place(*center)
                && length.is_finite()
            {
                let [x, y, r] = [x, y, length.max(0.0)].map(px);
                canvas.add(&format!(
                    "<circle {paint} cx=\"{x}\" cy=\"{y}\" r=\"{r}\"/>"
                ));
            }
        }
    }
}

/// How a border is drawn that nothing stops at.
const DASHES: &str = "stroke-width=\"1.2\" stroke-dasharray=\"6 4\" stroke-opacity=\"0.6\"";

fn draw_border(canvas: &mut Canvas, panel: &Panel, corners: &[[f64; 2]]) {
    let places = corners.iter().map(|corner| panel.place(*corner));
    if let Some(ring) = places.collect::<Option<Vec<[f64; 2]>>>() {
        let path = path_through(&ring, true);
        canvas.add(&format!("<path {} {DASHES} d=\"{path}\"/>", stroked(INK)));
    }
}

/// Draws each edge: a wall as a line, an open edge dashed.
fn draw_walls(canvas: &mut Canvas, panel: &Panel, Extent { min, max }: &Extent, open: [bool; 4]) {
    let corners = [*min, [min[0], max[1]], *max, [max[0], min[1]]];
    let [south_west, north_west, north_east, south_east] = corners;
    let edges = [
        [south_west, north_west],
        [south_east, north_east],
        [south_west, south_east],
        [north_west, north_east],
    ];
    for (edge, is_open) in edges.into_iter().zip(open) {
        let style = if is_open {
            DASHES
        } else {
            "stroke-width=\"2\" stroke-linecap=\"square\""
        };
        if let [Some(from), Some(to)] = edge.map(|corner| panel.place(corner)) {
            canvas.line(from, to, INK, style);
        }
    }
}

/// Draws an arrow; one of a few pixels would be all head.
fn draw_velocity(canvas: &mut Canvas, panel: &Panel, arrow: &[[f64; 2]; 2], tone: Tone) {
    let [Some(tail), Some(tip)] = arrow.map(|end| panel.place(end)) else {
        return;
    };
    let [dx, dy] = [tip[0] - tail[0], tip[1] - tail[1]];
    let length = (dx * dx + dy * dy).sqrt();
    if length < 3.0 {
        return;
    }
    let head = arrow_head(tip, [dx / length, dy / length], (0.4 * length).min(7.0));
    canvas.line(tail, tip, tone, "");
    let head = path_through(&head, true);
    canvas.add(&format!("<path {} d=\"{head}\"/>", filled(tone)));
}

fn draw_trajectories(canvas: &mut Canvas, panel: &Panel, paths: &[Vec<[f64; 2]>]) {
    let is_crowd = paths.len() > CROWD;
    let (width, opacity) = if is_crowd {
        ("0.8", crowd_opacity(paths.len()))
    } else {
        ("1.5", 1.0)
    };
    canvas.add(&format!(
        "<g stroke-width=\"{width}\" opacity=\"{opacity}\" stroke-linejoin=\"round\" \
         stroke-linecap=\"round\">"
    ));
    for (index, path) in paths.iter().enumerate() {
        let tone = if is_crowd {
            FAINT
        } else {
            SERIES[index % SERIES.len()]
        };
        draw_trajectory(canvas, panel, path, tone, if is_crowd { 0.6 } else { 1.0 });
    }
    canvas.add("</g>");
}

fn draw_trajectory(canvas: &mut Canvas, panel: &Panel, path: &[[f64; 2]], tone: Tone, size: f64) {
    let placed: Vec<_> = path.iter().map(|point| panel.place(*point)).collect();
    let shorter = |run: &Vec<[f64; 2]>| simplify(&thin(run, 0.3), 0.15);
    let line: String = runs(&placed)
        .iter()
        .map(|run| path_through(&shorter(run), false))
        .collect();
    let mut seen = placed.iter().flatten();
    let Some(start) = seen.next().copied() else {
        return;
    };
    let end = seen.next_back().copied().unwrap_or(start);
    canvas.add(&format!("<path {} d=\"{line}\"/>", stroked(tone)));
    let [x, y, r] = [start[0], start[1], 2.8 * size].map(px);
    let ring = filled_and_stroked(PAPER, tone);
    canvas.add(&format!("<circle {ring} cx=\"{x}\" cy=\"{y}\" r=\"{r}\"/>"));
    let end_mark = if let Some(direction) = last_direction(&placed, end) {
        let head = path_through(&arrow_head(end, direction, 9.0 * size), true);
        format!("<path {} d=\"{head}\"/>", filled(tone))
    } else {
        let [x, y, r] = [end[0], end[1], 2.0 * size].map(px);
        format!("<circle {} cx=\"{x}\" cy=\"{y}\" r=\"{r}\"/>", filled(tone))
    };
    canvas.add(&end_mark);
}

/// Direction of the last few pixels before `end`; `None` for a path that stays in place.
fn last_direction(placed: &[Option<[f64; 2]>], end: [f64; 2]) -> Option<[f64; 2]> {
    let offsets = placed
        .iter()
        .rev()
        .flatten()
        .map(|p| [end[0] - p[0], end[1] - p[1]]);
    let lengths = offsets.map(|[dx, dy]| ([dx, dy], (dx * dx + dy * dy).sqrt()));
    let mut far_enough = lengths.filter(|(_, length)| *length > 5.0);
    far_enough
        .next()
        .map(|([dx, dy], length)| [dx / length, dy / length])
}
