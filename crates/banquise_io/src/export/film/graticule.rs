//! Lines of the map, by which drift is seen: meridians and parallels where the scenario says where on the Earth it is, and
//! a grid in kilometres or metres else.

use banquise_geometry::DVec2;
use tiny_skia::PathBuilder;

use super::canvas::{Canvas, mixed};
use super::legend::{round_down, write};
use crate::export::coloring::rgb;
use crate::figure::palette::{INK, WATER};
use crate::geography::{LocalFrame, LonLat};

/// Distance of two lines, at most \[heights of the picture\].
const APART: f64 = 0.3;
/// Pieces of a meridian or parallel in the picture.
const PIECES: usize = 24;
/// Steps of degrees.
const STEPS: [f64; 15] = [
    30.0, 20.0, 10.0, 5.0, 2.0, 1.0, 0.5, 0.2, 0.1, 0.05, 0.02, 0.01, 5e-3, 2e-3, 1e-3,
];
/// Length of a degree of latitude, about \[m\].
const DEGREE: f64 = 111e3;
/// Height of the letters [heights of the picture].
const LETTER: f64 = 0.016;
/// Room for the clock, the wind and the legend at the corners, where no line is labelled [widths or heights of the picture].
const CORNER: f64 = 0.2;

/// The colour of the lines.
pub(super) fn color() -> [u8; 3] {
    mixed(rgb(WATER.light), rgb(INK.light), 0.13)
}

/// A line of the map, with what is written where it leaves the picture.
struct Line {
    points: Vec<DVec2>,
    label: String,
    /// Whether it runs from south to north.
    is_meridian: bool,
}

/// The lines of one picture.
pub(super) struct Graticule(Vec<Line>);

impl Graticule {
    /// The lines in the part of the sea that is on the canvas.
    pub(super) fn new(canvas: &Canvas, earth: Option<&LocalFrame>) -> Self {
        let (width, height) = (canvas.pixmap.width(), canvas.pixmap.height());
        let half = 0.5 * DVec2::new(f64::from(width), f64::from(height)) / canvas.scale;
        let (min, max) = (canvas.middle - half, canvas.middle + half);
        let apart = APART * 2.0 * half.y;
        Self(match earth {
            Some(earth) => of_degrees(earth, min, max, apart),
            None => of_metres(min, max, apart),
        })
    }

    pub(super) fn draw_lines(&self, canvas: &mut Canvas) {
        let width = 0.0012 * canvas.pixmap.height() as f32;
        for line in &self.0 {
            let mut builder = PathBuilder::new();
            for (index, &point) in line.points.iter().enumerate() {
                let (x, y) = canvas.place(point);
                if index == 0 {
                    builder.move_to(x, y);
                } else {
                    builder.line_to(x, y);
                }
            }
            if let Some(path) = builder.finish() {
                canvas.stroke(&path, color(), width.max(1.0));
            }
        }
    }

    /// Writes what the lines are at the lower and the left edge of the picture.
    pub(super) fn draw_labels(&self, canvas: &mut Canvas) {
        let (width, height) = (canvas.pixmap.width() as f32, canvas.pixmap.height() as f32);
        let letter = LETTER as f32 * height;
        let is_free = |place: f32, side: f32| {
            let corner = CORNER as f32 * side;
            (corner..side - corner).contains(&place)
        };
        for line in &self.0 {
            let points: Vec<_> = line.points.iter().map(|&p| canvas.place(p)).collect();
            let edge = if line.is_meridian { height } else { 0.0 };
            let Some((x, y)) = crossing(&points, line.is_meridian, edge) else {
                continue;
            };
            if line.is_meridian && is_free(x, width) {
                write(
                    canvas,
                    &line.label,
                    x + 0.4 * letter,
                    height - 0.6 * letter,
                    letter,
                );
            } else if !line.is_meridian && is_free(y, height) {
                write(canvas, &line.label, 0.6 * letter, y - 0.4 * letter, letter);
            }
        }
    }
}

/// Multiples of a step between two numbers.
fn multiples(from: f64, to: f64, step: f64) -> impl Iterator<Item = f64> {
    let (first, last) = ((from / step).ceil() as i64, (to / step).floor() as i64);
    (first..=last).map(move |count| count as f64 * step)
}

fn of_metres(min: DVec2, max: DVec2, apart: f64) -> Vec<Line> {
    let step = round_down(apart);
    let label = |value: f64| match step {
        step if step >= 1000.0 => format!("{:.0} km", value / 1000.0),
        step if step >= 1.0 => format!("{value:.0} m"),
        _ => format!("{value:.2} m"),
    };
    let meridians = multiples(min.x, max.x, step).map(|x| Line {
        points: vec![DVec2::new(x, min.y), DVec2::new(x, max.y)],
        label: label(x),
        is_meridian: true,
    });
    let parallels = multiples(min.y, max.y, step).map(|y| Line {
        points: vec![DVec2::new(min.x, y), DVec2::new(max.x, y)],
        label: label(y),
        is_meridian: false,
    });
    meridians.chain(parallels).collect()
}

fn of_degrees(earth: &LocalFrame, min: DVec2, max: DVec2, apart: f64) -> Vec<Line> {
    let [middle, latitude] = earth.to_earth(0.5 * (min + max)).to_degrees();
    // Longitudes are counted from the middle, so that the line where they jump is out of sight.
    let local = |point: DVec2| {
        let [longitude, latitude] = earth.to_earth(point).to_degrees();
        DVec2::new((longitude - middle + 540.0) % 360.0 - 180.0, latitude)
    };
    let (mut low, mut high) = (DVec2::INFINITY, DVec2::NEG_INFINITY);
    for i in 0..=PIECES {
        for j in 0..=PIECES {
            let part = DVec2::new(i as f64, j as f64) / PIECES as f64;
            let place = local(min + part * (max - min));
            (low, high) = (low.min(place), high.max(place));
        }
    }
    let fitting = |size: f64| {
        let step = STEPS.into_iter().find(|step| *step <= size);
        step.unwrap_or(STEPS[STEPS.len() - 1])
    };
    let narrowing = latitude.to_radians().cos().max(0.01);
    let (step_x, step_y) = (
        fitting(apart / (DEGREE * narrowing)),
        fitting(apart / DEGREE),
    );
    let at =
        |longitude: f64, latitude: f64| earth.to_plane(LonLat::from_degrees(longitude, latitude));
    let pieces = |from: f64, to: f64| {
        (0..=PIECES).map(move |k| from + (to - from) * k as f64 / PIECES as f64)
    };
    let meridians = multiples(middle + low.x, middle + high.x, step_x).map(|longitude| Line {
        points: pieces(low.y, high.y)
            .map(|latitude| at(longitude, latitude))
            .collect(),
        label: degrees((longitude + 540.0) % 360.0 - 180.0, step_x, ["E", "W"]),
        is_meridian: true,
    });
    let parallels = multiples(low.y, high.y.min(89.999), step_y).map(|latitude| Line {
        points: pieces(low.x, high.x)
            .map(|turn| at(middle + turn, latitude))
            .collect(),
        label: degrees(latitude, step_y, ["N", "S"]),
        is_meridian: false,
    });
    meridians.chain(parallels).collect()
}

/// An angle as maps write it, with the decimals of its step.
fn degrees(value: f64, step: f64, [positive, negative]: [&str; 2]) -> String {
    let decimals = (-step.log10().floor()).max(0.0) as usize;
    let side = if value < 0.0 { negative } else { positive };
    format!("{:.decimals$}\u{b0} {side}", value.abs())
}

/// Where a line crosses a height of the picture, or a distance from its left edge.
fn crossing(points: &[(f32, f32)], at_height: bool, value: f32) -> Option<(f32, f32)> {
    let along = |point: (f32, f32)| if at_height { point.1 } else { point.0 };
    points.windows(2).find_map(|pair| {
        let (a, b) = (pair[0], pair[1]);
        let (from, to) = (along(a) - value, along(b) - value);
        // The last point of a straight line lies on the edge but for rounding.
        let (from, to) = if from.abs() < 0.01 {
            (0.0, to)
        } else {
            (from, to)
        };
        let (from, to) = if to.abs() < 0.01 {
            (from, 0.0)
        } else {
            (from, to)
        };
        if from * to > 0.0 || from == to {
            return None;
        }
        let part = from / (from - to);
        Some((a.0 + part * (b.0 - a.0), a.1 + part * (b.1 - a.1)))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_multiples_of_a_round_step() {
        let lines = of_metres(DVec2::new(-2100.0, 0.0), DVec2::new(2100.0, 900.0), 1000.0);
        let labels: Vec<&str> = lines.iter().map(|line| line.label.as_str()).collect();
        assert_eq!(labels, ["-2 km", "-1 km", "0 km", "1 km", "2 km", "0 km"]);
    }

    #[test]
    fn meridians_and_parallels_go_through_their_places() {
        let earth = LocalFrame::new(LonLat::from_degrees(-61.9, 81.925));
        let lines = of_degrees(&earth, DVec2::splat(-60e3), DVec2::splat(60e3), 30e3);
        assert!(lines.len() >= 6, "{} lines", lines.len());
        for line in &lines {
            let number: f64 = line.label.split('\u{b0}').next().unwrap().parse().unwrap();
            for &point in &line.points {
                let [longitude, latitude] = earth.to_earth(point).to_degrees();
                let value = if line.is_meridian {
                    -longitude
                } else {
                    latitude
                };
                assert!((value - number).abs() < 1e-6, "{} at {value}", line.label);
            }
        }
        // Parallels have labels of the north, meridians of the west.
        assert!(
            lines.iter().all(|line| line
                .label
                .ends_with(if line.is_meridian { "W" } else { "N" }))
        );
    }
}
