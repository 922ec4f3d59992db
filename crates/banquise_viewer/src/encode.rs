//! Outlines and poses as bytes for the graphics card: little-endian, four bytes a number.
//!
//! Bodies from one on, and versions of outlines (floes after cuts, in the order of time) from one on: counts of bodies,
//! versions, vertices and triangle indices; then one number a body in each list (kind, radius, thickness, area, when
//! it was born, its generation, the floe that it is a piece of in the end, where its triangle indices start and end, where its vertices start and end); one number a version in each list (its
//! body, radius, area, and the same ends); then `x y` of all vertices, the body of each vertex, and the triangle indices.
//!
//! Frame: time in two numbers (seconds, and what single precision lost), wind, water, count of bodies, count of the versions
//! up to its time, and the lists of [`LISTS`].

use banquise_geometry::{DVec2, Outline, Shape, triangulate};
use banquise_io::recording::{Frame, shape_of};

use crate::stage::{Stage, reach_of};

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
    /// Where the triangle indices of each body start and end.
    triangle_ranges: [Vec<u32>; 2],
    /// Where its vertices start and end.
    vertex_ranges: [Vec<u32>; 2],
}

impl Geometry {
    /// Adds a body; one without an outline has neither vertices nor triangles.
    fn add(&mut self, row: usize, outline: Option<&Outline>) {
        let first = self.owners.len() as u32;
        self.vertex_ranges[0].push(first);
        self.triangle_ranges[0].push(self.triangles.len() as u32);
        if let Some(outline) = outline {
            for vertex in outline.vertices() {
                self.vertices.extend([vertex.x as f32, vertex.y as f32]);
                self.owners.push(row as u32);
            }
            let triangles = triangulate(outline).into_iter().flatten();
            self.triangles
                .extend(triangles.map(|index| first + index as u32));
        }
        self.vertex_ranges[1].push(self.owners.len() as u32);
        self.triangle_ranges[1].push(self.triangles.len() as u32);
    }
}

/// What does not change, of the bodies from a row on, and of the versions of outlines from one on. The page asks for those
/// that are born or cut while it looks.
pub(crate) fn bodies(stage: &Stage, from: usize, from_version: usize) -> Vec<u8> {
    let table = stage.table.get();
    let rows = from.min(table.len())..table.len();
    let versions = table.versions.get(from_version..).unwrap_or_default();
    let count = rows.len();
    let mut geometry = Geometry::default();
    for row in rows.clone() {
        let outline = table.shape(row).and_then(|shape| outline_of(&shape));
        geometry.add(row, outline.as_ref());
    }
    for version in versions {
        let shape = shape_of(&version.outline, version.disc);
        let outline = shape.and_then(|shape| outline_of(&shape));
        geometry.add(version.row, outline.as_ref());
    }
    let counts = [
        count,
        versions.len(),
        geometry.owners.len(),
        geometry.triangles.len(),
    ];
    let mut bytes = Vec::new();
    put_u32(&mut bytes, counts.map(|count| count as u32));
    put_u32(
        &mut bytes,
        rows.clone().map(|row| u32::from(table.is_obstacle[row])),
    );
    let radius = |row: usize| reach_of(&table.outlines[row], table.discs[row]);
    put_f32(&mut bytes, rows.clone().map(radius));
    for list in [&table.thicknesses, &table.areas, &table.born] {
        put_f32(&mut bytes, list[rows.clone()].iter().copied());
    }
    let generation = |row: usize| table.generations[row].max(0) as u32;
    put_u32(&mut bytes, rows.clone().map(generation));
    put_u32(&mut bytes, rows.map(|row| table.ancestor(row) as u32));
    let [starts, ends] = &geometry.triangle_ranges;
    let [ring_starts, ring_ends] = &geometry.vertex_ranges;
    let ranges = [starts, ends, ring_starts, ring_ends].map(|list| list.split_at(count));
    for (of_bodies, _) in ranges {
        put_u32(&mut bytes, of_bodies.iter().copied());
    }
    put_u32(
        &mut bytes,
        versions.iter().map(|version| version.row as u32),
    );
    let reaches = versions.iter().map(|v| reach_of(&v.outline, v.disc));
    put_f32(&mut bytes, reaches);
    put_f32(&mut bytes, versions.iter().map(|version| version.area));
    for (_, of_versions) in ranges {
        put_u32(&mut bytes, of_versions.iter().copied());
    }
    put_f32(&mut bytes, geometry.vertices.into_iter().map(f64::from));
    put_u32(&mut bytes, geometry.owners);
    put_u32(&mut bytes, geometry.triangles);
    bytes
}

/// Straight parts of cracks from one on: their count, then the time at which each opened, then `x y` of both ends of each.
pub(crate) fn cracks(stage: &Stage, from: usize) -> Vec<u8> {
    let table = stage.table.get();
    let all = table.breakages.iter();
    let all = all.flat_map(|own| own.cracks.iter().map(|ends| (own.time, *ends)));
    let new: Vec<(f64, [DVec2; 2])> = all.skip(from).collect();
    let mut bytes = Vec::new();
    put_u32(&mut bytes, [new.len() as u32]);
    put_f32(&mut bytes, new.iter().map(|(time, _)| *time));
    let ends = new.iter().flat_map(|(_, [start, end])| {
        // The end stays beside its start where the cell is periodic.
        let place = stage.place(*start);
        [place, place + (*end - *start)]
    });
    put_f32(&mut bytes, ends.flat_map(|end| end.to_array()));
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
    let table = stage.table.get();
    let versions = table.version_count(frame.time);
    put_u32(&mut bytes, [count as u32, versions as u32]);
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
    let table = table.at(frame.time);
    let pressure = |row: usize| frame.pressure(earlier, row, table.volume(row));
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
