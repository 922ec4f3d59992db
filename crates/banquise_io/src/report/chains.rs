//! Force chains from the log of collisions: what passed between two bodies in a time before each map.

use std::collections::BTreeMap;

use banquise::{BodyId, Collision, Domain, Touched};
use banquise_geometry::DVec2;

use super::chapter::Drawing;
use super::maps::{self, shown_records};
use super::tracks::Tracks;
use super::words::{count_text, duration_text, fitting_unit, significant};
use crate::figure::{Layer, Link};
use crate::recording::Recording;
use crate::zarr::ZarrError;

/// Width of the line of the largest impulse \[px\].
const WIDTH: f64 = 5.0;
/// Impulses below this part of the largest are not drawn: hairlines hide the chains.
const LEAST: f64 = 0.02;

/// The maps of the report with force chains; nothing without a log of collisions.
pub(super) fn force_chains(
    recording: &Recording,
    tracks: &Tracks,
) -> Result<Option<Drawing>, ZarrError> {
    let mut log = recording.collisions()?;
    if log.is_empty() {
        return Ok(None);
    }
    // Floes have times of their own within a step.
    log.sort_by(|x, y| x.time.total_cmp(&y.time));
    let window = window(recording, tracks);
    let records = shown_records(recording, tracks);
    let mut sums = Vec::new();
    for &record in &records {
        let end = tracks.all_times[record];
        let from = log.partition_point(|row| row.time <= end - window);
        let until = log.partition_point(|row| row.time <= end);
        sums.push(by_pair(&log[from..until]));
    }
    let largest = sums.iter().flat_map(BTreeMap::values).copied();
    let largest = largest.fold(0.0, f64::max);
    if largest <= 0.0 {
        return Ok(None);
    }
    let mut layers = Vec::new();
    for (&record, pairs) in records.iter().zip(&sums) {
        layers.push(Layer::Links(links(
            recording, tracks, record, pairs, largest,
        )?));
    }
    let svg = maps::plain_maps(recording, tracks, "Force chains", layers)?;
    let (size, unit) = fitting_unit(largest, "N\u{a0}s");
    let caption = format!(
        "Normal impulse that each pair of bodies passed on in the {} before, as the width of the line between their centres: the widest is {} {unit}. From the log of collisions.",
        duration_text(window),
        significant(largest / size)
    );
    Ok(Some(Drawing::wide("force_chains.svg", svg, caption)))
}

/// What a log that left rows out means for the force chains; `None` where it is whole, or there is none.
pub(super) fn thinned(recording: &Recording, are_drawn: bool) -> Option<String> {
    let log = recording.value("collision_log");
    let (kept, left_out) = (log["rows"].as_f64()?, log["left_out"].as_f64()?);
    (left_out > 0.0).then(|| {
        let chains = if are_drawn {
            "force chains are drawn from these alone"
        } else {
            "none of them falls into the times for which force chains are drawn, so that there are none"
        };
        let [kept, all] = [kept, kept + left_out].map(count_text);
        format!("The log of collisions keeps {kept} of {all} rows: {chains}.")
    })
}

/// The time over which impulses are summed \[s\]: the report's window, or that between two records.
fn window(recording: &Recording, tracks: &Tracks) -> f64 {
    let between = match &tracks.all_times[..] {
        [first, second, ..] => second - first,
        _ => f64::INFINITY,
    };
    recording.number("time_window_s").unwrap_or(between)
}

fn by_pair(log: &[Collision]) -> BTreeMap<(BodyId, Touched), f64> {
    let mut pairs = BTreeMap::new();
    for row in log {
        *pairs.entry((row.body, row.other)).or_insert(0.0) += row.normal_impulse.max(0.0);
    }
    pairs
}

fn links(
    recording: &Recording,
    tracks: &Tracks,
    record: usize,
    pairs: &BTreeMap<(BodyId, Touched), f64>,
    largest: f64,
) -> Result<Vec<Link>, ZarrError> {
    let x = recording.bodies_at("x", record)?;
    let y = recording.bodies_at("y", record)?;
    let place = |id: BodyId| {
        let row = id.0 as usize;
        let point = DVec2::new(*x.get(row)?, *y.get(row)?);
        point.is_finite().then(|| tracks.domain.wrap(point).0)
    };
    let mut links = Vec::new();
    for (&(body, other), &impulse) in pairs.iter().filter(|(_, p)| **p > LEAST * largest) {
        let Some(from) = place(body) else { continue };
        let to = match other {
            Touched::Body(id) if !tracks.table.is_obstacle[id.0 as usize] => place(id),
            // Coasts are large, and their centres far away.
            Touched::Body(_) | Touched::Wall(_) => Some(from),
        };
        let Some(to) = to.filter(|&to| is_near(tracks.domain, to - from)) else {
            continue;
        };
        links.push(Link {
            ends: [from.to_array(), to.to_array()],
            width: WIDTH * (impulse / largest).sqrt(),
        });
    }
    links.sort_by(|a, b| a.width.total_cmp(&b.width));
    Ok(links)
}

/// Whether a link does not go round a periodic cell.
fn is_near(domain: Domain, offset: DVec2) -> bool {
    match domain {
        Domain::Periodic(cell) => (2.0 * offset.abs()).cmple(cell.size()).all(),
        Domain::Free | Domain::Bounded(_) => true,
    }
}
