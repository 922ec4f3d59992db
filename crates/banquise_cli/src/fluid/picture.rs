//! Streamlines, and speed or pressure, of a flow as SVG.

use std::fmt::Write as _;
use std::path::Path;

use banquise_flow::{Body, Grid};
use banquise_geometry::{DVec2, Shape};

use crate::arguments::fluid_groups::Shown;
use crate::failure::Failure;
use banquise_io::whole_file::write_whole;

/// Width of a picture in its own units; the height follows.
const WIDTH: f64 = 640.0;
/// Room around the flow, with the legend below it.
const MARGIN: [f64; 2] = [12.0, 34.0];
/// Streamlines across the range of the stream function.
const LEVELS: usize = 24;
/// Patches of colour along a side, at most.
const PATCHES: usize = 96;
/// Corners of a disc that is drawn.
const RIM: u16 = 48;
/// Shades of colour.
const SHADES: usize = 32;

/// Names of the units of a flow.
#[derive(Debug, Clone, Copy)]
pub(super) struct Units {
    pub(super) speed: &'static str,
    pub(super) pressure: &'static str,
    pub(super) time: &'static str,
}

impl Units {
    pub(super) const SI: Self = Self {
        speed: "m/s",
        pressure: "Pa",
        time: "s",
    };
    /// Centimetres, grams and seconds.
    pub(super) const CGS: Self = Self {
        speed: "cm/s",
        pressure: "dyn/cm2",
        time: "s",
    };
    pub(super) const NONE: Self = Self {
        speed: "",
        pressure: "",
        time: "",
    };
}

/// A flow to be drawn.
pub(super) struct Picture<'a> {
    grid: &'a Grid,
    bodies: &'a [Body],
    /// Stream function at all nodes, those at the far ends included \[m²/s\].
    stream: Vec<f64>,
    /// Pressure in the middle of cells, where it is known \[Pa\].
    pressure: Option<Vec<f64>>,
    /// Velocity in the middle of cells, where it is not that of the stream function.
    velocity: Option<Vec<DVec2>>,
    shown: Shown,
    units: Units,
}

/// A stream function at all nodes, those at the far ends included, from that at the nodes of the grid plus `undisturbed` at any point.
pub(super) fn all_nodes(
    grid: &Grid,
    disturbance: &[f64],
    undisturbed: impl Fn(DVec2) -> f64,
) -> Vec<f64> {
    let [nx, ny] = grid.cells;
    let mut stream = Vec::with_capacity((nx + 1) * (ny + 1));
    for j in 0..=ny {
        for i in 0..=nx {
            let at = DVec2::new(i as f64, j as f64) * grid.spacing;
            stream.push(disturbance[j % ny * nx + i % nx] + undisturbed(at));
        }
    }
    stream
}

impl<'a> Picture<'a> {
    /// A picture of the flow with a stream function at all nodes.
    pub(super) fn new(grid: &'a Grid, bodies: &'a [Body], stream: Vec<f64>) -> Self {
        Self {
            grid,
            bodies,
            stream,
            pressure: None,
            velocity: None,
            shown: Shown::Speed,
            units: Units::SI,
        }
    }

    /// With a pressure in the middle of cells, and what colours show.
    pub(super) fn with_pressure(self, pressure: Vec<f64>, shown: Shown) -> Self {
        Self {
            pressure: Some(pressure),
            shown,
            ..self
        }
    }

    /// With velocities in the middle of cells: of a stream function about an axis.
    pub(super) fn with_velocity(self, velocity: Vec<DVec2>) -> Self {
        Self {
            velocity: Some(velocity),
            ..self
        }
    }

    pub(super) fn with_units(self, units: Units) -> Self {
        Self { units, ..self }
    }

    /// What colours show, in the middle of all cells.
    pub(super) fn values(&self) -> Vec<f64> {
        let [nx, ny] = self.grid.cells;
        match (&self.pressure, self.shown) {
            (Some(pressure), Shown::Pressure) => pressure.clone(),
            _ => (0..nx * ny).map(|k| self.speed(k % nx, k / nx)).collect(),
        }
    }

    /// Values of the first and the last colour: outside bodies, in which pressure has no meaning.
    pub(super) fn range(&self) -> [f64; 2] {
        if self.shown == Shown::Speed {
            let values = self.values();
            return [0.0, values.into_iter().fold(f64::MIN_POSITIVE, f64::max)];
        }
        let ends = [f64::INFINITY, f64::NEG_INFINITY];
        let owners = self.owners();
        let free = self.values().into_iter().zip(owners);
        free.filter(|(_, owner)| *owner == 0)
            .fold(ends, |[low, high], (value, _)| {
                [low.min(value), high.max(value)]
            })
    }

    /// What colours show, with a range.
    pub(super) fn legend_of(shown: Shown, units: Units, [low, high]: [f64; 2]) -> String {
        // Pressures of narrow films need the room.
        let (name, unit, digits) = match shown {
            Shown::Speed => ("speed", units.speed, 3),
            Shown::Pressure => ("pressure", units.pressure, 1),
        };
        let [low, high] = [low, high].map(|value| shown_number(value, digits));
        format!("{name}, {low} to {high} {unit}").trim_end().into()
    }

    pub(super) fn into_stream(self) -> Vec<f64> {
        self.stream
    }

    /// Outlines of the bodies, and of those of their images that show, in cells.
    pub(super) fn rings(&self) -> Vec<Vec<DVec2>> {
        let [nx, ny] = self.grid.cells;
        let size = DVec2::new(nx as f64, ny as f64);
        let images = self.images();
        let mut rings = Vec::new();
        for body in self.bodies {
            let ring: Vec<DVec2> = match &body.shape {
                Shape::Outline(outline) => outline.vertices().to_vec(),
                Shape::Disc(disc) => (0..RIM)
                    .map(|k| {
                        let angle = std::f64::consts::TAU * f64::from(k) / f64::from(RIM);
                        disc.center() + disc.radius() * DVec2::from_angle(angle)
                    })
                    .collect(),
            };
            // Bodies in a periodic domain may have left it.
            let wrap = |x: f64, n: f64, is_wall: bool| if is_wall { 0.0 } else { (x / n).floor() };
            let at = body.pose.position / self.grid.spacing;
            let walls = self.grid.edges.walls();
            let left = DVec2::new(wrap(at.x, size.x, walls[0]), wrap(at.y, size.y, walls[1]));
            for image in &images {
                let offset = (*image - left) * size;
                rings.push(
                    ring.iter()
                        .map(|&point| body.pose.world_from_body(point) / self.grid.spacing + offset)
                        .collect(),
                );
            }
        }
        rings
    }

    /// Places of images, in domains.
    fn images(&self) -> Vec<DVec2> {
        let [x, y] = self.grid.edges.walls().map(|is_wall| {
            if is_wall {
                vec![0.0]
            } else {
                vec![-1.0, 0.0, 1.0]
            }
        });
        let pairs = x
            .iter()
            .flat_map(|&x| y.iter().map(move |&y| DVec2::new(x, y)));
        pairs.collect()
    }

    /// Number of the body, from 1, in which the middle of each cell lies; 0 in the fluid.
    fn owners(&self) -> Vec<usize> {
        let [nx, ny] = self.grid.cells;
        let h = self.grid.spacing;
        let at = |k: usize| DVec2::new((k % nx) as f64 + 0.5, (k / nx) as f64 + 0.5) * h;
        let size = DVec2::from(self.grid.size());
        let [x, y] = self.grid.edges.walls().map(|is_wall| f64::from(!is_wall));
        let own = |k: usize| {
            let own = self.bodies.iter().position(|body| {
                // Of periodic images the nearest.
                let away = (at(k) - body.pose.position) / size;
                let place = body
                    .pose
                    .body_from_world(at(k) - away.round() * DVec2::new(x, y) * size);
                match &body.shape {
                    Shape::Disc(disc) => place.distance(disc.center()) < disc.radius(),
                    Shape::Outline(outline) => outline.contains(place),
                }
            });
            own.map_or(0, |body| body + 1)
        };
        (0..nx * ny).map(own).collect()
    }

    /// Writes the picture and the flow, each where a path is given.
    pub(super) fn write(&self, svg: Option<&Path>, vtk: Option<&Path>) -> Result<(), Failure> {
        let write = |path: &Path, text: String| {
            write_whole(path, text).map_err(|error| Failure::file(path, &error))
        };
        if let Some(path) = svg {
            write(path, self.to_svg())?;
        }
        if let Some(path) = vtk {
            write(path, self.to_vtk())?;
        }
        Ok(())
    }

    /// The flow as a legacy VTK file: the stream function at nodes, velocity, pressure and the number of the body (from 1) at the middles of cells.
    pub(super) fn to_vtk(&self) -> String {
        let ([nx, ny], h) = (self.grid.cells, self.grid.spacing);
        let mut text = format!(
            "# vtk DataFile Version 3.0\nflow around rigid bodies\nASCII\nDATASET STRUCTURED_POINTS\nDIMENSIONS {} {} 1\nORIGIN 0 0 0\nSPACING {h} {h} 1\nPOINT_DATA {}\nSCALARS stream double 1\nLOOKUP_TABLE default\n",
            nx + 1,
            ny + 1,
            self.stream.len(),
        );
        for value in &self.stream {
            writeln!(text, "{value:e}").expect("a string takes any text");
        }
        write!(text, "CELL_DATA {}\nVECTORS velocity double\n", nx * ny)
            .expect("a string takes any text");
        let cells = || (0..ny).flat_map(|j| (0..nx).map(move |i| (i, j)));
        for (i, j) in cells() {
            let [u, v] = self.velocity(i, j);
            writeln!(text, "{u:e} {v:e} 0").expect("a string takes any text");
        }
        if let Some(pressure) = &self.pressure {
            text.push_str("SCALARS pressure double 1\nLOOKUP_TABLE default\n");
            for value in pressure {
                writeln!(text, "{value:e}").expect("a string takes any text");
            }
        }
        text.push_str("SCALARS body int 1\nLOOKUP_TABLE default\n");
        for owner in self.owners() {
            writeln!(text, "{owner}").expect("a string takes any text");
        }
        text
    }

    fn node(&self, i: usize, j: usize) -> f64 {
        self.stream[j * (self.grid.cells[0] + 1) + i]
    }

    /// Speed in the middle of a cell \[m/s\].
    fn speed(&self, i: usize, j: usize) -> f64 {
        let [u, v] = self.velocity(i, j);
        u.hypot(v)
    }

    /// Velocity in the middle of a cell \[m/s\].
    fn velocity(&self, i: usize, j: usize) -> [f64; 2] {
        if let Some(velocity) = &self.velocity {
            return velocity[j * self.grid.cells[0] + i].to_array();
        }
        let [a, b] = [self.node(i, j), self.node(i + 1, j)];
        let [c, d] = [self.node(i, j + 1), self.node(i + 1, j + 1)];
        let scale = 2.0 * self.grid.spacing;
        [(c + d - a - b) / scale, (a + c - b - d) / scale]
    }

    pub(super) fn to_svg(&self) -> String {
        let [nx, ny] = self.grid.cells;
        let scale = WIDTH / nx as f64;
        let height = scale * ny as f64;
        let [side, below] = MARGIN;
        let mut text = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"{:.1} {:.1} {:.1} {:.1}\" width=\"{:.0}\" font-family=\"sans-serif\" font-size=\"13\">\n",
            -side,
            -side,
            WIDTH + 2.0 * side,
            height + side + below,
            WIDTH + 2.0 * side,
        );
        let range = self.add_colours(&mut text, scale);
        self.add_streamlines(&mut text, scale);
        self.add_bodies(&mut text, scale);
        write!(
            text,
            "<rect width=\"{WIDTH}\" height=\"{height:.1}\" fill=\"none\" stroke=\"#24506b\"/>\n<text x=\"0\" y=\"{:.1}\" fill=\"#24506b\">streamlines; colour: {}</text>\n</svg>\n",
            height + 20.0,
            Self::legend_of(self.shown, self.units, range),
        )
        .expect("a string takes any text");
        text
    }

    /// Patches of equal shade in a row are one rectangle.
    fn add_colours(&self, text: &mut String, scale: f64) -> [f64; 2] {
        let [nx, ny] = self.grid.cells;
        let step = nx.max(ny).div_ceil(PATCHES);
        let middle = |k: usize, n: usize| (k + step / 2).min(n - 1);
        let (values, range) = (self.values(), self.range());
        for j in (0..ny).step_by(step) {
            let mut first = 0;
            let shade = |i: usize| {
                let value = values[middle(j, ny) * nx + middle(i, nx)];
                let share = (value - range[0]) / (range[1] - range[0]);
                ((share.clamp(0.0, 1.0) * SHADES as f64) as usize).min(SHADES - 1)
            };
            for i in (0..nx).step_by(step) {
                let next = i + step;
                if next < nx && shade(next) == shade(first) {
                    continue;
                }
                let [right, top] = [next.min(nx), (j + step).min(ny)];
                writeln!(
                    text,
                    "<rect x=\"{:.2}\" y=\"{:.2}\" width=\"{:.2}\" height=\"{:.2}\" fill=\"{}\"/>",
                    first as f64 * scale,
                    (ny - top) as f64 * scale,
                    // A little wider than they are, or seams show.
                    (right - first) as f64 * scale + 0.3,
                    (top - j) as f64 * scale + 0.3,
                    colour(shade(first)),
                )
                .expect("a string takes any text");
                first = next;
            }
        }
        range
    }

    /// Lines of equal stream function, a piece for each cell that they cross.
    fn add_streamlines(&self, text: &mut String, scale: f64) {
        let [nx, ny] = self.grid.cells;
        let (low, high) = self
            .stream
            .iter()
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), &value| {
                (low.min(value), high.max(value))
            });
        let mut path = String::new();
        for level in 0..LEVELS {
            let value = low + (high - low) * (level as f64 + 0.5) / LEVELS as f64;
            for j in 0..ny {
                for i in 0..nx {
                    for [p, q] in self.pieces(i, j, value) {
                        write!(
                            path,
                            "M{:.2} {:.2}L{:.2} {:.2}",
                            p.x * scale,
                            (ny as f64 - p.y) * scale,
                            q.x * scale,
                            (ny as f64 - q.y) * scale
                        )
                        .expect("a string takes any text");
                    }
                }
            }
        }
        writeln!(
            text,
            "<path d=\"{path}\" fill=\"none\" stroke=\"#0b2e45\" stroke-width=\"0.8\" stroke-linecap=\"round\" stroke-opacity=\"0.75\"/>"
        )
        .expect("a string takes any text");
    }

    /// Where a level crosses the sides of a cell, joined in pairs.
    fn pieces(&self, i: usize, j: usize, level: f64) -> Vec<[DVec2; 2]> {
        let corners = [[0, 0], [1, 0], [1, 1], [0, 1]].map(|[a, b]| {
            let at = DVec2::new((i + a) as f64, (j + b) as f64);
            (at, self.node(i + a, j + b) - level)
        });
        let mut crossings = Vec::with_capacity(4);
        for k in 0..4 {
            let ((p, a), (q, b)) = (corners[k], corners[(k + 1) % 4]);
            if (a < 0.0) != (b < 0.0) {
                crossings.push(p + (q - p) * (a / (a - b)));
            }
        }
        crossings
            .chunks_exact(2)
            .map(|pair| [pair[0], pair[1]])
            .collect()
    }

    /// Bodies, and those of their images that show.
    fn add_bodies(&self, text: &mut String, scale: f64) {
        let [nx, ny] = self.grid.cells;
        let size = DVec2::new(nx as f64, ny as f64);
        writeln!(
            text,
            "<clipPath id=\"domain\"><rect width=\"{WIDTH}\" height=\"{:.1}\"/></clipPath>\n<g clip-path=\"url(#domain)\" fill=\"#cfd8de\" stroke=\"#24506b\">",
            size.y * scale
        )
        .expect("a string takes any text");
        let is_near = |ring: &[DVec2]| {
            let low = ring.iter().fold(DVec2::INFINITY, |m, p| m.min(*p));
            let high = ring.iter().fold(DVec2::NEG_INFINITY, |m, p| m.max(*p));
            high.cmpgt(DVec2::ZERO).all() && low.cmplt(size).all()
        };
        for ring in self.rings().iter().filter(|ring| is_near(ring)) {
            let points: Vec<String> = ring
                .iter()
                .map(|at| format!("{:.1},{:.1}", at.x * scale, (size.y - at.y) * scale))
                .collect();
            writeln!(text, "<polygon points=\"{}\"/>", points.join(" "))
                .expect("a string takes any text");
        }
        text.push_str("</g>\n");
    }
}

/// A number with so many digits behind the point, or with a power of ten where these would say little.
fn shown_number(value: f64, digits: usize) -> String {
    let fixed = format!("{value:.digits$}");
    let written: f64 = fixed.parse().unwrap_or(0.0);
    if value != 0.0 && (written - value).abs() > 0.02 * value.abs() {
        format!("{value:.1e}")
    } else {
        fixed
    }
}

/// From nearly white to blue.
fn colour(shade: usize) -> String {
    let share = shade as f64 / (SHADES - 1) as f64;
    let between = |from: f64, to: f64| (from + (to - from) * share).round() as u8;
    format!(
        "#{:02x}{:02x}{:02x}",
        between(246.0, 33.0),
        between(250.0, 113.0),
        between(253.0, 181.0)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_numbers_of_a_legend_keep_their_digits() {
        let shown = [0.0, 0.0004, -0.026, 12.5, 3e-9].map(|value| shown_number(value, 1));
        assert_eq!(shown, ["0.0", "4.0e-4", "-2.6e-2", "12.5", "3.0e-9"]);
    }
}
