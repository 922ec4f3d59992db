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

/// Components of wind and water. The water is shown a hundred times: it drifts at some percent of
/// the wind.
pub(super) fn weather(recording: &Recording, tracks: &Tracks) -> Result<String, ZarrError> {
    let curves = [
        ("wind, east", "wind_x", 1.0),
        ("wind, north", "wind_y", 1.0),
        ("water × 100, east", "water_x", 100.0),
        ("water × 100, north", "water_y", 100.0),
    ];
    let mut series = Vec::new();
    for (label, name, factor) in curves {
        let values: Vec<f64> = recording.series(name)?.iter().map(|v| factor * v).collect();
        series.push(Series::new(label, points(&tracks.all_times, &values)));
    }
    Ok(in_time("Wind and water", Unit::Fixed("m/s".into()), series))
}

/// Work of each kind of force and of contacts: they add up to the energy.
pub(super) fn work(recording: &Recording, tracks: &Tracks) -> Result<String, ZarrError> {
    let forces = Force::ALL.map(|force| (force.label(), format!("work_{}", force.name()), 1.0));
    let contacts = [
        ("moving obstacles", "work_obstacles".to_owned(), 1.0),
        ("restitution", "energy_lost_restitution".to_owned(), -1.0),
        ("friction", "energy_lost_friction".to_owned(), -1.0),
        ("pushed apart", "energy_given_by_push_apart".to_owned(), 1.0),
        ("crushing", "energy_lost_crushing".to_owned(), -1.0),
    ];
    let mut series = Vec::new();
    let all = forces.into_iter().chain(contacts);
    for (label, name, sign) in all.filter(|(_, name, _)| recording.has(name)) {
        let values = recording.series(&name)?;
        if values.iter().any(|&work| work != 0.0) {
            let values: Vec<f64> = values.iter().map(|value| sign * value).collect();
            series.push(Series::new(label, points(&tracks.all_times, &values)));
        }
    }
    let brought = exchanged_energy(recording)?;
    if brought.iter().any(|&energy| energy != 0.0) {
        let curve = points(&tracks.all_times, &brought);
        series.push(Series::new("floes that came, went or were cut", curve));
    }
    Ok(in_time(
        "Work since the start",
        Unit::Prefixed("J".into()),
        series,
    ))
}

/// Kinetic energy that floes brought when they came, less what they, and ice cut off them, took \[J\]; empty where it is not recorded.
fn exchanged_energy(recording: &Recording) -> Result<Vec<f64>, ZarrError> {
    if !recording.has_exchange() {
        return Ok(Vec::new());
    }
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

/// Floes that came and went since the start; `None` where none did.
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
