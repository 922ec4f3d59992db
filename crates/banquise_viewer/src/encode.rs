//! Outlines and poses as bytes for the graphics card: little-endian, four bytes a number.
//!
//! Bodies: counts of bodies, vertices, triangle indices of floes, of all, line indices of floes, of all; then one
//! number a body in each list (kind, radius, thickness, area, first triangle index, and the end of the last one), then
//! `x y` of all vertices, the body of each vertex, triangle indices and line indices. Floes come before obstacles in
//! the indices, so that each kind is one call.
//!
//! Frame: time in two numbers (seconds, and what single precision lost), wind, water, count of bodies, and the lists of
//! [`LISTS`].

use banquise_geometry::{Outline, Shape, triangulate};
use banquise_io::recording::Frame;

use crate::source::{Stage, radius_of};

/// Corners of a disc.
const DISC_CORNERS: usize = 48;

/// The lists of a frame, in order: one number a body each.
pub(crate) const LISTS: [&str; 8] = [
    "x",
    "y",
    "heading",
    "velocity_x",
    "velocity_y",
    "angular_velocity",
    "contact_force",
    "pressure",
];

#[derive(Default)]
struct Geometry {
    vertices: Vec<f32>,
    owners: Vec<u32>,
    triangles: Vec<u32>,
    lines: Vec<u32>,
    /// First triangle index of each body, in the order of the rows.
    starts: Vec<u32>,
    ends: Vec<u32>,
}

impl Geometry {
    fn add(&mut self, row: usize, outline: &Outline) {
        let first = self.owners.len() as u32;
        let vertices = outline.vertices();
        for vertex in vertices {
            self.vertices.extend([vertex.x as f32, vertex.y as f32]);
            self.owners.push(row as u32);
        }
        self.starts[row] = self.triangles.len() as u32;
        let triangles = triangulate(outline).into_iter().flatten();
        self.triangles
            .extend(triangles.map(|index| first + index as u32));
        self.ends[row] = self.triangles.len() as u32;
        let count = vertices.len() as u32;
        let edges = (0..count).flat_map(|index| [first + index, first + (index + 1) % count]);
        self.lines.extend(edges);
    }
}

/// What does not change.
pub(crate) fn bodies(stage: &Stage) -> Vec<u8> {
    let table = &stage.table;
    let count = table.len();
    let mut geometry = Geometry {
        starts: vec![0; count],
        ends: vec![0; count],
        ..Geometry::default()
    };
    let mut of_floes = [0, 0];
    for obstacles in [false, true] {
        if obstacles {
            of_floes = [geometry.triangles.len(), geometry.lines.len()];
        }
        for row in (0..count).filter(|&row| table.is_obstacle[row] == obstacles) {
            if let Some(outline) = table.shape(row).and_then(|shape| outline_of(&shape)) {
                geometry.add(row, &outline);
            }
        }
    }
    let counts = [
        count,
        geometry.owners.len(),
        of_floes[0],
        geometry.triangles.len(),
        of_floes[1],
        geometry.lines.len(),
    ];
    let mut bytes = Vec::new();
    put_u32(&mut bytes, counts.map(|count| count as u32));
    put_u32(
        &mut bytes,
        table.is_obstacle.iter().map(|&is| u32::from(is)),
    );
    put_f32(&mut bytes, (0..count).map(|row| radius_of(table, row)));
    put_f32(&mut bytes, table.thicknesses.iter().copied());
    put_f32(&mut bytes, table.areas.iter().copied());
    put_u32(&mut bytes, geometry.starts);
    put_u32(&mut bytes, geometry.ends);
    put_f32(&mut bytes, geometry.vertices.into_iter().map(f64::from));
    put_u32(&mut bytes, geometry.owners);
    put_u32(&mut bytes, geometry.triangles);
    put_u32(&mut bytes, geometry.lines);
    bytes
}

/// What is drawn for a shape: a disc is drawn as a polygon.
pub(crate) fn outline_of(shape: &Shape) -> Option<Outline> {
    match shape {
        Shape::Outline(outline) => Some(outline.clone()),
        Shape::Disc(disc) => {
            let polygon = Outline::regular_polygon(disc.radius(), DISC_CORNERS).ok()?;
            polygon.translated(disc.center()).ok()
        }
    }
}

/// All bodies in one record, given the record before it for what contacts did in between.
pub(crate) fn frame(stage: &Stage, frame: &Frame, earlier: &Frame) -> Vec<u8> {
    let mut bytes = Vec::new();
    let seconds = f64::from(frame.time as f32);
    put_f32(
        &mut bytes,
        [
            seconds,
            frame.time - seconds,
            frame.wind.x,
            frame.wind.y,
            frame.water.x,
            frame.water.y,
        ],
    );
    let count = frame.positions.len();
    put_u32(&mut bytes, [count as u32]);
    let places: Vec<_> = frame.positions.iter().map(|&p| stage.place(p)).collect();
    put_f32(&mut bytes, places.iter().map(|place| place.x));
    put_f32(&mut bytes, places.iter().map(|place| place.y));
    put_f32(&mut bytes, frame.headings.iter().copied());
    put_f32(&mut bytes, frame.velocities.iter().map(|v| v.x));
    put_f32(&mut bytes, frame.velocities.iter().map(|v| v.y));
    put_f32(&mut bytes, frame.angular_velocities.iter().copied());
    put_f32(
        &mut bytes,
        (0..count).map(|row| frame.contact_force(earlier, row)),
    );
    let pressure = |row: usize| frame.pressure(earlier, row, stage.table.volume(row));
    put_f32(&mut bytes, (0..count).map(pressure));
    bytes
}

pub(crate) fn put_f32(bytes: &mut Vec<u8>, values: impl IntoIterator<Item = f64>) {
    for value in values {
        bytes.extend((value as f32).to_le_bytes());
    }
}

pub(crate) fn put_u32(bytes: &mut Vec<u8>, values: impl IntoIterator<Item = u32>) {
    for value in values {
        bytes.extend(value.to_le_bytes());
    }
}
