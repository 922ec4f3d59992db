//! The ice from above.

use banquise::{Bounds, Domain, Rectangle};
use banquise_geometry::{DVec2, Pose, Rotation};

use super::tracks::Tracks;
use crate::figure::{ColorScale, Extent, Layer, Map, MapRow, Patch, Shape, Unit};
use crate::recording::{BodyTable, Recording};
use crate::spread::spread;
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
    if !tracks.obstacle_paths.is_empty() {
        let paths = tracks.obstacle_paths.iter();
        let paths = paths.map(|path| path.iter().map(DVec2::to_array).collect());
        layers.push(Layer::ObstaclePaths(paths.collect()));
    }
    layers.extend(domain_layer(tracks));
    Ok(Map {
        title: "Trajectories".into(),
        extent: shown_extent(tracks),
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
    let extent = shown_extent(tracks);
    for record in records {
        let (floes, obstacles) = bodies_at(recording, tracks, record, Wrap::Yes)?;
        let mut layers = vec![Layer::Obstacles(obstacles), Layer::Floes(floes)];
        layers.extend(velocities(recording, tracks, record, extent)?);
        layers.extend(domain_layer(tracks));
        maps.push(Map {
            extent: match tracks.domain {
                Domain::Periodic(_) => None,
                _ => extent,
            },
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
    // Four maps in a row are too small for anything but a strip.
    let is_strip =
        extent.is_some_and(|Extent { min, max }| max[1] - min[1] < STRIP * (max[0] - min[0]));
    let columns = maps.len().clamp(1, if is_strip { 4 } else { 2 });
    Ok(MapRow {
        title: "Configuration".into(),
        maps,
        columns,
        width: 900.0,
        ..MapRow::default()
    }
    .to_svg())
}

/// Caption of the maps at chosen times.
pub(super) fn configuration_caption(recording: &Recording) -> String {
    let arrows = if recording.weather_differs() {
        " Arrows at some of the floes show what differs from place to place: wind blue, water green. The longest is a twelfth of the map."
    } else {
        ""
    };
    format!("The ice at chosen times, coloured by speed.{arrows}")
}

/// Floes at which wind and water are shown.
const MAX_ARROWS: usize = 40;

/// Velocities that differ by less than this part of the largest are the same everywhere.
const LEAST_DIFFERENCE: f64 = 1e-3;

/// Wind and water at some floes, where they differ from place to place.
fn velocities(
    recording: &Recording,
    tracks: &Tracks,
    record: usize,
    extent: Option<Extent>,
) -> Result<Vec<Layer>, ZarrError> {
    let Some(Extent { min, max }) = extent.filter(|_| recording.weather_differs()) else {
        return Ok(Vec::new());
    };
    let x = recording.bodies_at("x", record)?;
    let y = recording.bodies_at("y", record)?;
    let floes = (0..x.len()).filter(|&row| !tracks.table.is_obstacle[row] && x[row].is_finite());
    let floes: Vec<usize> = floes.collect();
    let length = (max[0] - min[0]).max(max[1] - min[1]) / 12.0;
    let mut layers = Vec::new();
    for (name, color) in [("body_wind", 0), ("body_water", 2)] {
        let u = recording.bodies_at(&format!("{name}_x"), record)?;
        let v = recording.bodies_at(&format!("{name}_y"), record)?;
        let velocity = |row: usize| DVec2::new(u[row], v[row]);
        let first = floes.first().map_or(DVec2::ZERO, |&row| velocity(row));
        let largest = |about: DVec2| {
            let offsets = floes.iter().map(|&row| (velocity(row) - about).length());
            offsets.fold(0.0, f64::max)
        };
        let fastest = largest(DVec2::ZERO);
        if largest(first) > LEAST_DIFFERENCE * fastest {
            let arrows = spread(floes.len(), MAX_ARROWS).map(|place| {
                let row = floes[place];
                let tail = tracks.domain.wrap(DVec2::new(x[row], y[row])).0;
                let tip = tail + length / fastest * velocity(row);
                [tail.to_array(), tip.to_array()]
            });
            layers.push(Layer::Velocities(color, arrows.collect()));
        }
    }
    Ok(layers)
}

/// Maps that are flatter than this stand four in a row.
const STRIP: f64 = 0.55;
/// Margin round the ice, as a share of its extent.
const MARGIN: f64 = 0.06;

/// The part of the sea to show: the domain with a margin, or where floes and moving obstacles were. Land and piers far from the ice
/// would make it small.
pub(super) fn shown_extent(tracks: &Tracks) -> Option<Extent> {
    let (mut min, mut max) = (DVec2::INFINITY, DVec2::NEG_INFINITY);
    let mut add = |point: DVec2, reach: f64| {
        if point.is_finite() {
            min = min.min(point - reach);
            max = max.max(point + reach);
        }
    };
    for body in &tracks.bodies {
        // A round floe of that area, and some more for one that is long.
        let reach = 0.7 * body.area.sqrt();
        body.positions.iter().for_each(|&point| add(point, reach));
    }
    let paths = tracks.obstacle_paths.iter().flatten();
    paths.for_each(|&point| add(point, 0.0));
    if let Domain::Bounded(Bounds { rectangle, .. }) = tracks.domain {
        (min, max) = (rectangle.min, rectangle.max);
    }
    let size = max - min;
    let margin = MARGIN * size.max_element();
    (size.is_finite() && size.max_element() > 0.0).then(|| Extent {
        min: (min - margin).to_array(),
        max: (max + margin).to_array(),
    })
}

/// Whether positions are brought back into a periodic cell.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Wrap {
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
    let u = recording.bodies_at("velocity_x", record)?;
    let v = recording.bodies_at("velocity_y", record)?;
    let mut floes = Vec::new();
    let mut obstacles = Vec::new();
    for (row, shape) in placed_at(recording, tracks, record, wrap)? {
        if tracks.table.is_obstacle[row] {
            obstacles.push(shape);
        } else {
            let value = Some(DVec2::new(u[row], v[row]).length());
            floes.push(Patch { shape, value });
        }
    }
    Ok((floes, obstacles))
}

/// The rows of all bodies of one record, and their shapes where they are.
pub(super) fn placed_at(
    recording: &Recording,
    tracks: &Tracks,
    record: usize,
    wrap: Wrap,
) -> Result<Vec<(usize, Shape)>, ZarrError> {
    let x = recording.bodies_at("x", record)?;
    let y = recording.bodies_at("y", record)?;
    let heading = recording.bodies_at("heading", record)?;
    let mut placed = Vec::new();
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
        placed.push((row, shape_at(&table, row, pose)));
    }
    Ok(placed)
}

pub(super) fn shape_at(table: &BodyTable, row: usize, pose: Pose) -> Shape {
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

fn extent_of(rectangle: Rectangle) -> Extent {
    Extent {
        min: rectangle.min.to_array(),
        max: rectangle.max.to_array(),
    }
}

pub(super) fn domain_layer(tracks: &Tracks) -> Option<Layer> {
    match tracks.domain {
        Domain::Free => None,
        Domain::Bounded(Bounds { rectangle, open }) => {
            Some(Layer::Walls(extent_of(rectangle), open))
        }
        Domain::Periodic(cell) => Some(Layer::Domain(extent_of(cell))),
    }
}
