//! The ice from above.

use banquise::{Bounds, Domain};
use banquise_geometry::{DVec2, Pose, Rotation};

use super::tracks::Tracks;
use crate::figure::{ColorScale, Extent, Layer, Map, MapRow, Patch, Shape, Unit};
use crate::recording::{BodyTable, Recording};
use crate::zarr::ZarrError;

/// Paths of all floes drawn, and the floes where they ended.
pub(super) fn trajectories(recording: &Recording, tracks: &Tracks) -> Result<String, ZarrError> {
    let paths = tracks
        .bodies
        .iter()
        .map(|body| body.positions.iter().map(DVec2::to_array).collect())
        .collect();
    let mut layers = vec![];
    if let Some(last) = tracks.all_times.len().checked_sub(1) {
        let (floes, obstacles) = bodies_at(recording, tracks, last, Wrap::No)?;
        let plain = floes.into_iter().map(|patch| Patch {
            value: None,
            ..patch
        });
        layers = vec![Layer::Obstacles(obstacles), Layer::Floes(plain.collect())];
    }
    layers.push(Layer::Trajectories(paths));
    layers.extend(domain_layer(tracks));
    Ok(Map {
        title: "Trajectories".into(),
        layers,
        width: 900.0,
        ..Map::default()
    }
    .to_svg())
}

/// The ice at the times the scenario asks for.
pub(super) fn configurations(recording: &Recording, tracks: &Tracks) -> Result<String, ZarrError> {
    let mut maps = Vec::new();
    // A run that ended early has the same last record for several times.
    let mut records: Vec<usize> = recording
        .snapshots()
        .into_iter()
        .filter_map(|time| tracks.record_at(time))
        .collect();
    records.dedup();
    for record in records {
        let (floes, obstacles) = bodies_at(recording, tracks, record, Wrap::Yes)?;
        let mut layers = vec![Layer::Obstacles(obstacles), Layer::Floes(floes)];
        layers.extend(domain_layer(tracks));
        maps.push(Map {
            layers,
            color_scale: Some(ColorScale {
                label: "Speed".into(),
                unit: Unit::Fixed("m/s".into()),
                range: None,
            }),
            time: Some(tracks.all_times[record]),
            ..Map::default()
        });
    }
    let columns = maps.len().clamp(1, 4);
    Ok(MapRow {
        title: "Configuration".into(),
        maps,
        columns,
        width: 900.0,
        ..MapRow::default()
    }
    .to_svg())
}

/// Whether positions are brought back into a periodic cell.
#[derive(Clone, Copy, PartialEq)]
enum Wrap {
    Yes,
    No,
}

/// Floes with their speeds, and obstacles, in one record.
fn bodies_at(
    recording: &Recording,
    tracks: &Tracks,
    record: usize,
    wrap: Wrap,
) -> Result<(Vec<Patch>, Vec<Shape>), ZarrError> {
    let x = recording.bodies_at("x", record)?;
    let y = recording.bodies_at("y", record)?;
    let heading = recording.bodies_at("heading", record)?;
    let u = recording.bodies_at("velocity_x", record)?;
    let v = recording.bodies_at("velocity_y", record)?;
    let mut floes = Vec::new();
    let mut obstacles = Vec::new();
    let table = tracks.table.at(tracks.all_times[record]);
    let is_there = |&row: &usize| x[row].is_finite() && y[row].is_finite();
    for row in (0..x.len()).filter(is_there) {
        let unwrapped = DVec2::new(x[row], y[row]);
        let position = match wrap {
            Wrap::Yes => tracks.domain.wrap(unwrapped).0,
            Wrap::No => unwrapped,
        };
        let pose = Pose {
            position,
            rotation: Rotation::from_angle(heading[row]),
        };
        let shape = shape_at(&table, row, pose);
        if tracks.table.is_obstacle[row] {
            obstacles.push(shape);
        } else {
            let value = Some(DVec2::new(u[row], v[row]).length());
            floes.push(Patch { shape, value });
        }
    }
    Ok((floes, obstacles))
}

fn shape_at(table: &BodyTable, row: usize, pose: Pose) -> Shape {
    match table.discs[row] {
        Some((center, radius)) => Shape::Disc {
            center: pose.world_from_body(center).to_array(),
            radius,
        },
        None => {
            let outline = table.outlines[row].iter();
            Shape::Polygon(vec![
                outline
                    .map(|&p| pose.world_from_body(p).to_array())
                    .collect(),
            ])
        }
    }
}

fn domain_layer(tracks: &Tracks) -> Option<Layer> {
    match tracks.domain {
        Domain::Free => None,
        Domain::Bounded(Bounds { rectangle: r, .. }) | Domain::Periodic(r) => {
            Some(Layer::Domain(Extent {
                min: r.min.to_array(),
                max: r.max.to_array(),
            }))
        }
    }
}
