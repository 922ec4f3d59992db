//! The cells of the ocean layer: where the water goes, and how fast.

use banquise_geometry::DVec2;

use super::chapter::{Chapter, Drawing};
use super::charts::{in_time, points};
use super::tracks::Tracks;
use crate::figure::{ColorScale, Layer, LineStyle, Map, MapRow, Patch, Series, Unit};
use crate::recording::Recording;
use crate::zarr::ZarrError;

/// Speed over that of the fastest cell of the run below which a cell has no arrow.
const SHORTEST_ARROW: f64 = 0.1;

/// The chapter, where the ocean layer has several cells.
pub(super) fn ocean(recording: &Recording, tracks: &Tracks) -> Result<Option<Chapter>, ZarrError> {
    if !recording.has_ocean_cells() {
        return Ok(None);
    }
    let cells = Cells::read(recording)?;
    Ok(Some(Chapter {
        heading: "The ocean layer",
        drawings: vec![
            Drawing::wide(
                "ocean_cells.svg",
                maps(recording, tracks, &cells),
                "Velocity of the ocean cells at chosen times, coloured by speed; the arrows point where the water goes.".into(),
            ),
            Drawing::new(
                "ocean_speed.svg",
                speeds(tracks, &cells),
                "Speed of the ocean cells: the fastest at each time, the slowest, and the mean.".into(),
            ),
        ],
        ..Chapter::default()
    }))
}

/// Centres of the cells \[m\], and their velocities in each record [m/s].
struct Cells {
    x: Vec<f64>,
    y: Vec<f64>,
    records: Vec<Vec<DVec2>>,
}

impl Cells {
    fn read(recording: &Recording) -> Result<Self, ZarrError> {
        let (x, y) = (recording.series("ocean_x")?, recording.series("ocean_y")?);
        let u = recording.series("ocean_velocity_x")?;
        let v = recording.series("ocean_velocity_y")?;
        let velocities: Vec<DVec2> = u.iter().zip(&v).map(|(&u, &v)| DVec2::new(u, v)).collect();
        let count = (x.len() * y.len()).max(1);
        let records = velocities.chunks_exact(count).map(<[DVec2]>::to_vec);
        let records = records.collect();
        Ok(Self { x, y, records })
    }

    fn max_speed(&self) -> f64 {
        let velocities = self.records.iter().flatten();
        velocities.map(|u| u.length()).fold(0.0, f64::max)
    }

    /// Width and height of a cell \[m\]; one row or column is as wide as the other way.
    fn size(&self) -> DVec2 {
        let side = |centers: &[f64]| match centers {
            [first, second, ..] => Some(second - first),
            _ => None,
        };
        let (x, y) = (side(&self.x), side(&self.y));
        DVec2::new(x.or(y).unwrap_or(1.0), y.or(x).unwrap_or(1.0))
    }

    /// Centres, in the order of the velocities.
    fn centers(&self) -> impl Iterator<Item = DVec2> {
        let row = |&y: &f64| self.x.iter().map(move |&x| DVec2::new(x, y));
        self.y.iter().flat_map(row)
    }
}

/// The cells at the times the scenario asks for.
fn maps(recording: &Recording, tracks: &Tracks, cells: &Cells) -> String {
    let snapshots = recording.snapshots().into_iter();
    let mut records: Vec<usize> = snapshots
        .filter_map(|time| tracks.record_at(time))
        .collect();
    records.dedup();
    let fastest = cells.max_speed();
    let drawn = records.into_iter().filter_map(|record| {
        let velocities = cells.records.get(record)?;
        Some(map(cells, velocities, fastest, tracks.all_times[record]))
    });
    let maps: Vec<Map> = drawn.collect();
    let columns = maps.len().clamp(1, 4);
    MapRow {
        title: "Ocean cells".into(),
        maps,
        columns,
        width: 900.0,
        ..MapRow::default()
    }
    .to_svg()
}

/// One map; the arrow of the fastest cell of the run is nearly as long as a cell.
fn map(cells: &Cells, velocities: &[DVec2], fastest: f64, time: f64) -> Map {
    let size = cells.size();
    let scale = if fastest > 0.0 {
        0.9 * size.min_element() / fastest
    } else {
        0.0
    };
    let corners = [(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)];
    let (mut patches, mut arrows) = (Vec::new(), Vec::new());
    for (center, &velocity) in cells.centers().zip(velocities) {
        let corner = |(x, y)| (center + size * DVec2::new(x, y)).to_array();
        let patch = Patch::polygon(corners.map(corner).to_vec());
        patches.push(patch.with_value(velocity.length()));
        let half = 0.5 * scale * velocity;
        // A shorter arrow is all head.
        if velocity.length() > SHORTEST_ARROW * fastest {
            arrows.push(vec![(center - half).to_array(), (center + half).to_array()]);
        }
    }
    Map {
        layers: vec![Layer::Floes(patches), Layer::Trajectories(arrows)],
        color_scale: Some(ColorScale {
            label: "Speed".into(),
            unit: Unit::Fixed("m/s".into()),
            range: None,
        }),
        time: Some(time),
        ..Map::default()
    }
}

/// The fastest cell, the slowest, and the mean of all, in time.
fn speeds(tracks: &Tracks, cells: &Cells) -> String {
    let curve = |measure: fn(&[f64]) -> f64| -> Vec<[f64; 2]> {
        let records = cells.records.iter();
        let values = records.map(|velocities| {
            let speeds: Vec<f64> = velocities.iter().map(|u| u.length()).collect();
            measure(&speeds)
        });
        points(&tracks.all_times, &values.collect::<Vec<f64>>())
    };
    let fastest = curve(|speeds| speeds.iter().copied().fold(0.0, f64::max));
    let slowest = curve(|speeds| speeds.iter().copied().fold(f64::INFINITY, f64::min));
    let mean = curve(|speeds| speeds.iter().sum::<f64>() / speeds.len() as f64);
    let series = vec![
        Series::new("fastest cell", fastest).with_style(LineStyle::Dashed),
        Series::new("mean", mean),
        Series::new("slowest cell", slowest).with_style(LineStyle::Dotted),
    ];
    in_time("Speed of the ocean", Unit::Fixed("m/s".into()), series)
}
