//! A time series for ParaView: one VTU file a record, and a PVD file that names them with their times.
//!
//! A floe is one cell, a polygon (`VTK_POLYGON`, which may be concave), so that a cell has the numbers of
//! its floe. A record has the floes that are in the world then: their number changes as floes come and go. Numbers are binary, in Base64. The formats: *VTK file formats*, <https://docs.vtk.org>.

use std::fmt::Write as _;
use std::path::Path;

use banquise_geometry::DVec2;

use super::source::{Output, create_folder};
use super::{ExportError, Source, Watch};
use crate::recording::{BodyTable, Frame};

/// The number of a polygon among the cells of VTK.
const VTK_POLYGON: u8 = 7;

/// Writes the series into a new folder.
pub(super) fn write(
    source: &Source,
    folder: &Path,
    watch: &mut Watch<'_>,
) -> Result<(), ExportError> {
    create_folder(folder)?;
    let mut sets = String::new();
    source.each_frame(watch, |record, frame, bodies| {
        let name = format!("floes_{record:06}.vtu");
        let mut file = Output::create(&folder.join(&name))?;
        file.write(vtu(source, bodies, record, frame)?)?;
        file.finish()?;
        let time = frame.time;
        writeln!(sets, "    <DataSet timestep=\"{time}\" file=\"{name}\"/>").expect(IN_MEMORY);
        Ok(())
    })?;
    let mut file = Output::create(&folder.join("floes.pvd"))?;
    file.write(format!(
        "<?xml version=\"1.0\"?>\n\
         <VTKFile type=\"Collection\" version=\"1.0\" byte_order=\"LittleEndian\">\n  \
         <Collection>\n{sets}  </Collection>\n</VTKFile>\n"
    ))?;
    file.finish()
}

const IN_MEMORY: &str = "a string takes any text";

/// The text of one VTU file.
fn vtu(
    source: &Source,
    bodies: &BodyTable,
    record: usize,
    frame: &Frame,
) -> Result<String, ExportError> {
    let rows: Vec<usize> = frame.living().collect();
    let count = rows.len();
    let (mut points, mut offsets) = (Vec::new(), Vec::new());
    for &row in &rows {
        let ring = source.ring_in_plane(bodies, frame, row);
        points.extend(ring.iter().flat_map(|vertex| [vertex.x, vertex.y, 0.0]));
        offsets.push((points.len() / 3) as i64);
    }
    let point_count = points.len() / 3;
    let connectivity: Vec<i64> = (0..point_count as i64).collect();
    let mut text = String::from(
        "<?xml version=\"1.0\"?>\n<VTKFile type=\"UnstructuredGrid\" version=\"1.0\" \
         byte_order=\"LittleEndian\" header_type=\"UInt64\">\n<UnstructuredGrid>\n<FieldData>\n",
    );
    add(&mut text, "TimeValue", 1, &[frame.time]);
    for name in ["wind", "water"] {
        let value = |axis| source.recording.value_at(&format!("{name}_{axis}"), record);
        add(&mut text, name, 3, &[value("x")?, value("y")?, 0.0]);
    }
    writeln!(
        text,
        "</FieldData>\n<Piece NumberOfPoints=\"{point_count}\" NumberOfCells=\"{count}\">\n<Points>"
    )
    .expect(IN_MEMORY);
    add(&mut text, "Points", 3, &points);
    text.push_str("</Points>\n<Cells>\n");
    add(&mut text, "connectivity", 1, &connectivity);
    add(&mut text, "offsets", 1, &offsets);
    add(&mut text, "types", 1, &vec![VTK_POLYGON; count]);
    text.push_str("</Cells>\n<CellData Scalars=\"speed\" Vectors=\"velocity\">\n");
    add_cell_data(&mut text, bodies, frame, &rows);
    text.push_str("</CellData>\n</Piece>\n</UnstructuredGrid>\n</VTKFile>\n");
    Ok(text)
}

/// The numbers of the bodies that are in the world.
fn add_cell_data(text: &mut String, bodies: &BodyTable, frame: &Frame, rows: &[usize]) {
    let vectors = |values: &[DVec2]| -> Vec<f64> {
        let values = rows.iter().map(|&row| values[row]);
        values.flat_map(|v| [v.x, v.y, 0.0]).collect()
    };
    let integers = |values: &[i64]| -> Vec<i64> { rows.iter().map(|&row| values[row]).collect() };
    let speeds: Vec<f64> = frame.velocities.iter().map(|v| v.length()).collect();
    let obstacles = rows.iter().map(|&row| u8::from(bodies.is_obstacle[row]));
    add(text, "velocity", 3, &vectors(&frame.velocities));
    add(text, "position", 3, &vectors(&frame.positions));
    add(text, "body", 1, &integers(&bodies.ids));
    add(text, "is_obstacle", 1, &obstacles.collect::<Vec<u8>>());
    for (name, values) in [
        ("speed", &speeds),
        ("heading", &frame.headings),
        ("angular_velocity", &frame.angular_velocities),
        ("contact_impulse", &frame.impulses),
        ("thickness", &bodies.thicknesses),
        ("mass", &bodies.masses),
        ("area", &bodies.areas),
        ("born_s", &bodies.born),
    ] {
        let values: Vec<f64> = rows.iter().map(|&row| values[row]).collect();
        add(text, name, 1, &values);
    }
    add(text, "parent", 1, &integers(&bodies.parents));
    add(text, "generation", 1, &integers(&bodies.generations));
}

/// A number as VTK knows it.
trait Element: Copy {
    const NAME: &'static str;
    fn add_to(self, bytes: &mut Vec<u8>);
}

impl Element for f64 {
    const NAME: &'static str = "Float64";
    fn add_to(self, bytes: &mut Vec<u8>) {
        bytes.extend(self.to_le_bytes());
    }
}

impl Element for i64 {
    const NAME: &'static str = "Int64";
    fn add_to(self, bytes: &mut Vec<u8>) {
        bytes.extend(self.to_le_bytes());
    }
}

impl Element for u8 {
    const NAME: &'static str = "UInt8";
    fn add_to(self, bytes: &mut Vec<u8>) {
        bytes.push(self);
    }
}

/// Adds an array: its length in bytes and its values, in Base64.
fn add<T: Element>(text: &mut String, name: &str, components: usize, values: &[T]) {
    let mut bytes = vec![0; 8];
    for value in values {
        value.add_to(&mut bytes);
    }
    let length = bytes.len() as u64 - 8;
    let tuples = format!(" NumberOfTuples=\"{}\"", values.len() / components);
    bytes[..8].copy_from_slice(&length.to_le_bytes());
    // One component is not said: some readers make a table of one column of it.
    let components = match components {
        1 => String::new(),
        _ => format!(" NumberOfComponents=\"{components}\""),
    };
    writeln!(
        text,
        "<DataArray type=\"{}\" Name=\"{name}\"{components}{tuples} format=\"binary\">\n{}\n</DataArray>",
        T::NAME,
        base64(&bytes)
    )
    .expect(IN_MEMORY);
}

/// Base64 (RFC 4648, section 4).
fn base64(bytes: &[u8]) -> String {
    const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for group in bytes.chunks(3) {
        let byte = |index: usize| u32::from(group.get(index).copied().unwrap_or(0));
        let bits = byte(0) << 16 | byte(1) << 8 | byte(2);
        for digit in 0..4 {
            if digit > group.len() {
                text.push('=');
            } else {
                let index = (bits >> (18 - 6 * digit)) & 63;
                text.push(char::from(ALPHABET[index as usize]));
            }
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The vectors of RFC 4648, section 10.
    #[test]
    fn base64_is_that_of_the_standard() {
        for (plain, coded) in [
            ("", ""),
            ("f", "Zg=="),
            ("fo", "Zm8="),
            ("foo", "Zm9v"),
            ("foob", "Zm9vYg=="),
            ("fooba", "Zm9vYmE="),
            ("foobar", "Zm9vYmFy"),
        ] {
            assert_eq!(base64(plain.as_bytes()), coded);
        }
    }
}
