//! Floes and records of a recording that the figures draw: not more than can be told apart.

use banquise::Domain;
use banquise_geometry::DVec2;

use crate::recording::{BodyTable, Recording};
use crate::spread::{nearest, spread};
use crate::zarr::ZarrError;

/// Floes drawn one by one.
const MAX_BODIES: usize = 400;
/// Records drawn of each.
const MAX_RECORDS: usize = 3000;

/// A floe along its way.
pub(super) struct Track {
    pub(super) label: String,
    pub(super) thickness: f64,
    /// Area in the last record \[m²\].
    pub(super) area: f64,
    /// Times of the records drawn in which it is in the world \[s\].
    pub(super) times: Vec<f64>,
    /// Centres of mass \[m\].
    pub(super) positions: Vec<DVec2>,
    /// Speeds [m/s].
    pub(super) speeds: Vec<f64>,
}

impl Track {
    /// Length of the path \[m\].
    pub(super) fn path_length(&self) -> f64 {
        self.positions
            .windows(2)
            .map(|pair| (pair[1] - pair[0]).length())
            .sum()
    }

    /// From the first to the last position \[m\].
    pub(super) fn displacement(&self) -> f64 {
        match (self.positions.first(), self.positions.last()) {
            (Some(first), Some(last)) => (*last - *first).length(),
            _ => 0.0,
        }
    }
}

/// The part of a recording that is drawn.
pub(super) struct Tracks {
    /// Times of all records \[s\].
    pub(super) all_times: Vec<f64>,
    /// The floes drawn.
    pub(super) bodies: Vec<Track>,
    /// Paths of the obstacles that move \[m\].
    pub(super) obstacle_paths: Vec<Vec<DVec2>>,
    /// Number of floes in all.
    pub(super) floe_count: usize,
    /// How many there are in the last record.
    pub(super) last_count: usize,
    /// Everything about the bodies that does not change.
    pub(super) table: BodyTable,
    /// The edges.
    pub(super) domain: Domain,
}

impl Tracks {
    pub(super) fn read(recording: &Recording) -> Result<Self, ZarrError> {
        let all_times = recording.series("time")?;
        let table = recording.body_table()?;
        let floes: Vec<usize> = (0..table.is_obstacle.len())
            .filter(|&row| !table.is_obstacle[row] && !table.masses[row].is_nan())
            .collect();
        let drawn: Vec<usize> = spread(floes.len(), MAX_BODIES).map(|i| floes[i]).collect();
        let last_time = all_times.last().copied().unwrap_or_default();
        let at_last = table.at(last_time);
        let mut bodies: Vec<Track> = drawn
            .iter()
            .map(|&row| empty_track(&at_last, row))
            .collect();
        drop(at_last);
        let records: Vec<usize> = spread(all_times.len(), MAX_RECORDS).collect();
        for &record in &records {
            let x = recording.bodies_at("x", record)?;
            let y = recording.bodies_at("y", record)?;
            let u = recording.bodies_at("velocity_x", record)?;
            let v = recording.bodies_at("velocity_y", record)?;
            for (body, &row) in bodies.iter_mut().zip(&drawn) {
                if x[row].is_nan() && !table.must_live(row, all_times[record]) {
                    continue;
                }
                body.times.push(all_times[record]);
                body.positions.push(DVec2::new(x[row], y[row]));
                body.speeds.push(DVec2::new(u[row], v[row]).length());
            }
        }
        let obstacles = (0..table.len()).filter(|&row| table.is_obstacle[row]);
        let obstacles: Vec<usize> = obstacles.take(MAX_BODIES).collect();
        let obstacle_paths = obstacle_paths(recording, &obstacles, &records)?;
        let last = all_times.len().checked_sub(1);
        let last = last.map_or(Ok(Vec::new()), |last| recording.bodies_at("x", last))?;
        let is_left = |row: &&usize| last.get(**row).is_some_and(|x| !x.is_nan());
        Ok(Self {
            last_count: floes.iter().filter(is_left).count(),
            all_times,
            bodies,
            obstacle_paths,
            floe_count: floes.len(),
            table,
            domain: recording.domain(),
        })
    }

    /// The record nearest to a time.
    pub(super) fn record_at(&self, time: f64) -> Option<usize> {
        nearest(&self.all_times, time)
    }
}

/// The paths of obstacles in some records; those that stay in place have none.
fn obstacle_paths(
    recording: &Recording,
    rows: &[usize],
    records: &[usize],
) -> Result<Vec<Vec<DVec2>>, ZarrError> {
    let mut paths = vec![Vec::new(); rows.len()];
    for &record in records.iter().filter(|_| !rows.is_empty()) {
        let x = recording.bodies_at("x", record)?;
        let y = recording.bodies_at("y", record)?;
        for (path, &row) in paths.iter_mut().zip(rows) {
            path.push(DVec2::new(x[row], y[row]));
        }
    }
    paths.retain(|path| path.windows(2).any(|pair| pair[0] != pair[1]));
    Ok(paths)
}

fn empty_track(table: &BodyTable, row: usize) -> Track {
    let name = table.names.get(row).filter(|name| !name.is_empty());
    Track {
        label: name.cloned().unwrap_or_else(|| format!("floe {row}")),
        thickness: table.thicknesses[row],
        area: table.areas[row],
        times: Vec::new(),
        positions: Vec::new(),
        speeds: Vec::new(),
    }
}
