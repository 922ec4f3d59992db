//! Files of FloeDyn, so that its users can move both ways: see [`crate::floedyn`] for their layout.
//!
//! True discs are polygons there. A shape is for life there, so that a floe that was cut is one floe after another: those after
//! cuts come after all bodies, in the order of time. A floe that is not in the world has a state of zeros, its flag too. `time` has the times of the records.

use std::path::Path;

use banquise_geometry::DVec2;

use super::source::{Output, ring_of};
use super::{ExportError, Source, Watch};
use crate::hdf5::{Hdf5, Number};
use crate::recording::{BodyTable, Frame};

/// Numbers of a state, since 2023.
const STATE: usize = 11;

/// A floe of the file: a body, while it has one outline.
struct Column {
    row: usize,
    ring: Vec<DVec2>,
    /// From when on, and until when \[s\].
    from: f64,
    until: f64,
}

fn columns(bodies: &BodyTable) -> Vec<Column> {
    let first = (0..bodies.len()).map(|row| Column {
        row,
        ring: ring_of(&bodies.outlines[row], bodies.discs[row]),
        from: f64::NEG_INFINITY,
        until: f64::INFINITY,
    });
    let mut columns: Vec<Column> = first.collect();
    let mut last: Vec<usize> = (0..bodies.len()).collect();
    for version in &bodies.versions {
        columns[last[version.row]].until = version.time;
        last[version.row] = columns.len();
        columns.push(Column {
            row: version.row,
            ring: ring_of(&version.outline, version.disc),
            from: version.time,
            until: f64::INFINITY,
        });
    }
    columns
}

/// Writes one file.
pub(super) fn write(
    source: &Source,
    path: &Path,
    watch: &mut Watch<'_>,
) -> Result<(), ExportError> {
    let columns = columns(&source.bodies);
    let count = columns.len();
    if count > Hdf5::MAX_MEMBERS {
        return Err(ExportError::TooLarge {
            what: format!("a group of {count} outlines"),
            bytes: count as u64,
            format: "this kind of HDF5",
        });
    }
    let mut file = Hdf5::new(count);
    let drags = source.recording.series("ocean_drag_coefficient")?;
    let shapes = columns.iter().enumerate().map(|(number, column)| {
        let (row, ring) = (column.row, &column.ring);
        let values: Vec<f64> = ring.iter().flat_map(DVec2::to_array).collect();
        let mut attributes = vec![(
            "obstacle",
            Number::Int(i32::from(source.bodies.is_obstacle[row])),
        )];
        if drags[row].is_finite() {
            attributes.push(("C_w", Number::Float(drags[row])));
        }
        (
            number.to_string(),
            file.dataset(&[ring.len(), 2], &values, &attributes),
        )
    });
    let shapes = shapes.collect();
    let shapes = file.group(shapes);
    let times: Vec<f64> = source
        .records
        .iter()
        .map(|&record| source.times[record])
        .collect();
    let root = vec![
        ("floe_shapes".into(), shapes),
        ("time".into(), file.dataset(&[times.len()], &times, &[])),
        ("window".into(), file.dataset(&[4], &window(source)?, &[])),
        (
            "floe_states".into(),
            file.last_dataset(&[times.len(), count, STATE]),
        ),
    ];
    let mut output = Output::create(path)?;
    output.write(file.finish(root))?;
    source.each_frame(watch, |_, frame, _| {
        let states = columns.iter();
        let states = states.flat_map(|column| state(source, frame, column));
        let bytes: Vec<u8> = states.flat_map(f64::to_le_bytes).collect();
        output.write(bytes)
    })?;
    output.finish()
}

/// Position, angle, velocities, impulse, position out of the periodic cell, whether it is there, thickness.
fn state(source: &Source, frame: &Frame, column: &Column) -> [f64; STATE] {
    let row = column.row;
    let has_outline = column.from <= frame.time && frame.time < column.until;
    if !has_outline || !frame.is_alive(row) {
        return [0.0; STATE];
    }
    let position = frame.positions[row];
    let inside = source.domain.wrap(position).0;
    let velocity = frame.velocities[row];
    let thickness = source.bodies.thicknesses[row];
    [
        inside.x,
        inside.y,
        frame.headings[row],
        velocity.x,
        velocity.y,
        frame.angular_velocities[row],
        frame.impulses[row],
        position.x,
        position.y,
        1.0,
        // FloeDyn writes no thickness as zero.
        if thickness.is_finite() {
            thickness
        } else {
            0.0
        },
    ]
}

/// West, east, south and north ends of the domain, or of all floes in the first record \[m\].
fn window(source: &Source) -> Result<[f64; 4], ExportError> {
    if let Some(rectangle) = source.domain.rectangle() {
        let (min, max) = (rectangle.min, rectangle.max);
        return Ok([min.x, max.x, min.y, max.y]);
    }
    let frame = source.recording.frame(source.records[0])?;
    let bodies = source.bodies.at(frame.time);
    let vertices = frame
        .living()
        .flat_map(|row| source.ring_in_plane(&bodies, &frame, row));
    let (min, max) = vertices.fold((DVec2::MAX, DVec2::MIN), |(min, max), vertex| {
        (min.min(vertex), max.max(vertex))
    });
    Ok([min.x, max.x, min.y, max.y])
}
