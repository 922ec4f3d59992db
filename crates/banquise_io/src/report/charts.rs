//! Curves in time.

use banquise::Force;

use super::tracks::Tracks;
use crate::diagnostics::Diagnostics;
use crate::figure::{Axis, LineChart, LineStyle, Series, Unit};
use crate::recording::Recording;
use crate::zarr::ZarrError;

/// Speed of each floe.
pub(super) fn speed(tracks: &Tracks) -> String {
    let series = tracks
        .bodies
        .iter()
        .map(|body| Series::new(&body.label, points(&body.times, &body.speeds)));
    in_time("Speed", Unit::Fixed("m/s".into()), series.collect())
}

/// Kinetic energy of all floes, and what it would be in free drift: of all of them, and of those that are not held where
/// some are at the end.
pub(super) fn kinetic_energy(diagnostics: &Diagnostics) -> String {
    let times = &diagnostics.times;
    let mut series = vec![Series::new(
        "all floes",
        points(times, &diagnostics.kinetic_energy),
    )];
    if !diagnostics.free_drift_energy.is_empty() {
        let limit = points(times, &diagnostics.free_drift_energy);
        series.push(Series::new("in free drift", limit).with_style(LineStyle::Dashed));
    }
    if let Some(pack) = &diagnostics.pack
        && pack.held.last().is_some_and(|&share| share > 0.0)
    {
        let limit = points(&pack.times, &pack.free_energy);
        let label = "in free drift, floes not held";
        series.push(Series::new(label, limit).with_style(LineStyle::Dotted));
    }
    in_time("Kinetic energy", Unit::Prefixed("J".into()), series)
}

/// Components of the wind, or of the water; `None` where it is calm.
pub(super) fn flow(
    recording: &Recording,
    tracks: &Tracks,
    (title, name): (&str, &str),
) -> Result<Option<String>, ZarrError> {
    let mut series = Vec::new();
    let mut is_calm = true;
    for (label, axis) in [("east", "x"), ("north", "y")] {
        let values = recording.series(&format!("{name}_{axis}"))?;
        is_calm &= values.iter().all(|&speed| speed == 0.0);
        series.push(Series::new(label, points(&tracks.all_times, &values)));
    }
    Ok((!is_calm).then(|| in_time(title, Unit::Fixed("m/s".into()), series)))
}

/// Tension of each line; `None` without lines.
pub(super) fn tension(recording: &Recording, tracks: &Tracks) -> Result<Option<String>, ZarrError> {
    let Some(lines) = recording.lines()? else {
        return Ok(None);
    };
    let series = lines.names.iter().zip(&lines.tensions);
    let series =
        series.map(|(name, tension)| Series::new(name, points(&tracks.all_times, tension)));
    let series = series.collect();
    Ok(Some(in_time("Tension", Unit::Prefixed("N".into()), series)))
}

/// Work of each kind of force and of contacts, which add up to the energy; `None` where there is none but rounding.
pub(super) fn work(recording: &Recording, tracks: &Tracks) -> Result<Option<String>, ZarrError> {
    let terms = energy_terms(recording)?;
    let energy = recording.series("kinetic_energy")?;
    let least = WORK_ROUNDING * largest(energy.iter().chain(terms.iter().flat_map(|term| &term.1)));
    let drawn = terms.into_iter().filter(|(_, work)| largest(work) > least);
    let series: Vec<Series> = drawn
        .map(|(label, work)| Series::new(label, points(&tracks.all_times, &work)))
        .collect();
    Ok((!series.is_empty())
        .then(|| in_time("Work since the start", Unit::Prefixed("J".into()), series)))
}

/// Works below this part of the largest energy are rounding.
const WORK_ROUNDING: f64 = 1e-12;

/// The largest of some numbers, without their signs.
fn largest<'a>(values: impl IntoIterator<Item = &'a f64>) -> f64 {
    values
        .into_iter()
        .map(|value| value.abs())
        .fold(0.0, f64::max)
}

/// Energy that is missing in the budget at its worst record, over the largest term of the budget; `None` where there is no energy.
pub(super) fn energy_gap(recording: &Recording) -> Result<Option<f64>, ZarrError> {
    let energy = recording.series("kinetic_energy")?;
    let terms = energy_terms(recording)?;
    let scale = largest(energy.iter().chain(terms.iter().flat_map(|term| &term.1)));
    let start = energy.first().copied().unwrap_or_default();
    // A variant is recorded from the middle of another run on, whose work is in its terms.
    let gap = |(record, energy): (usize, &f64)| {
        let work: f64 = terms.iter().map(|(_, work)| work[record] - work[0]).sum();
        energy - start - work
    };
    let gaps: Vec<f64> = energy.iter().enumerate().map(gap).collect();
    Ok((scale > 0.0).then(|| largest(&gaps) / scale))
}

/// Terms of the energy budget since the start \[J\], with their signs, at each record.
fn energy_terms(recording: &Recording) -> Result<Vec<(&'static str, Vec<f64>)>, ZarrError> {
    let forces = Force::ALL.map(|force| (force.label(), format!("work_{}", force.name()), 1.0));
    let contacts = [
        ("moving obstacles", "work_obstacles".to_owned(), 1.0),
        ("restitution", "energy_lost_restitution".to_owned(), -1.0),
        ("friction", "energy_lost_friction".to_owned(), -1.0),
        ("pushed apart", "energy_given_by_push_apart".to_owned(), 1.0),
        ("crushing", "energy_lost_crushing".to_owned(), -1.0),
        ("cracks", "energy_lost_fracture".to_owned(), -1.0),
        ("joints, stored", "energy_stored_bonds".to_owned(), -1.0),
        ("joints, damped", "energy_lost_bonds".to_owned(), -1.0),
    ];
    let mut terms = Vec::new();
    let all = forces.into_iter().chain(contacts);
    for (label, name, sign) in all.filter(|(_, name, _)| recording.has(name)) {
        let values = recording.series(&name)?;
        terms.push((label, values.iter().map(|value| sign * value).collect()));
    }
    if recording.has_exchange() {
        let brought = exchanged_energy(recording)?;
        terms.push(("floes that came, went or were cut", brought));
    }
    Ok(terms)
}

/// Net kinetic energy of floes that entered and left, and of ice cut off them \[J\].
fn exchanged_energy(recording: &Recording) -> Result<Vec<f64>, ZarrError> {
    let [entered, left, pieces, replaced] = [
        recording.series("energy_entered")?,
        recording.series("energy_left")?,
        recording.series("energy_pieces")?,
        recording.series("energy_replaced")?,
    ];
    let crushed = if recording.has("energy_crushed") {
        recording.series("energy_crushed")?
    } else {
        vec![0.0; entered.len()]
    };
    let records = 0..entered.len();
    let brought = |record: usize| {
        entered[record] - left[record] + pieces[record] - replaced[record] - crushed[record]
    };
    Ok(records.map(brought).collect())
}

/// Ice that was cut off floes since the start; `None` where there is none.
pub(super) fn crushed(recording: &Recording, tracks: &Tracks) -> Result<Option<String>, ZarrError> {
    if !recording.has_versions() || !recording.has("mass_crushed") {
        return Ok(None);
    }
    let masses = recording.series("mass_crushed")?;
    let curve = points(&tracks.all_times, &masses);
    Ok(Some(in_time(
        "Mass cut off floes since the start",
        Unit::Fixed("kg".into()),
        vec![Series::new("", curve)],
    )))
}

/// Floes that entered and left since the start; `None` where none did.
pub(super) fn exchange(
    recording: &Recording,
    tracks: &Tracks,
) -> Result<Option<String>, ZarrError> {
    if !recording.has_exchange() {
        return Ok(None);
    }
    let curves = [
        ("entered", "floes_entered"),
        ("left", "floes_left"),
        ("replaced by pieces", "floes_replaced"),
        ("pieces", "floes_pieces"),
    ];
    let mut series = Vec::new();
    for (label, name) in curves {
        let values = recording.series(name)?;
        if values.iter().any(|&count| count != 0.0) {
            series.push(Series::new(label, points(&tracks.all_times, &values)));
        }
    }
    let has_any = !series.is_empty();
    Ok(has_any.then(|| in_time("Floes since the start", Unit::None, series)))
}

/// Curves in time, with a title that says what is measured.
pub(super) fn in_time(title: &str, unit: Unit, series: Vec<Series>) -> String {
    measured_in_time(title, title, unit, series)
}

/// Curves in time of something else than the title says.
pub(super) fn measured_in_time(
    title: &str,
    measured: &str,
    unit: Unit,
    series: Vec<Series>,
) -> String {
    LineChart {
        title: title.into(),
        x_axis: Axis::new("Time", Unit::Time),
        y_axis: Axis::new(measured, unit),
        series,
        ..LineChart::default()
    }
    .to_svg()
}

pub(super) fn points(times: &[f64], values: &[f64]) -> Vec<[f64; 2]> {
    times
        .iter()
        .zip(values)
        .map(|(&time, &value)| [time, value])
        .collect()
}
