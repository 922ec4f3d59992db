//! Curves beside the ice, as the page draws them: title, unit, times and values.

use banquise::Simulation;
use banquise::diagnostics::windows::Window;
use banquise_geometry::DVec2;
use banquise_io::diagnostics::Diagnostics;
use banquise_io::recording::Recording;
use banquise_io::zarr::ZarrError;
use serde_json::{Value, json};

/// Points of a curve; more are not seen.
const POINTS: usize = 1500;

/// Curves with a value at every record.
#[derive(Debug, Clone, Default)]
pub(crate) struct History {
    times: Vec<f64>,
    kinetic_energies: Vec<f64>,
    winds: Vec<f64>,
    waters: Vec<f64>,
    collisions: Vec<f64>,
    /// Floes in the world; empty where it is not known.
    floes: Vec<f64>,
}

/// How many floes are in the world in each record; empty where the recording does not count floes that enter and leave.
fn floe_counts(recording: &Recording) -> Result<Vec<f64>, ZarrError> {
    if !recording.has_exchange() || recording.record_count()? == 0 {
        return Ok(Vec::new());
    }
    let table = recording.body_table()?;
    let first = recording.frame(0)?;
    let at_first = first
        .living()
        .filter(|&row| !table.is_obstacle[row])
        .count() as f64;
    let [entered, left, pieces, replaced] = [
        recording.series("floes_entered")?,
        recording.series("floes_left")?,
        recording.series("floes_pieces")?,
        recording.series("floes_replaced")?,
    ];
    let gained = |record: usize| entered[record] - left[record] + pieces[record] - replaced[record];
    let records = 0..entered.len();
    Ok(records
        .map(|record| at_first + gained(record) - gained(0))
        .collect())
}

impl History {
    pub(crate) fn read(recording: &Recording) -> Result<Self, ZarrError> {
        let speeds = |x: &str, y: &str| -> Result<Vec<f64>, ZarrError> {
            let (x, y) = (recording.series(x)?, recording.series(y)?);
            let speed = |(&x, &y): (&f64, &f64)| DVec2::new(x, y).length();
            Ok(x.iter().zip(&y).map(speed).collect())
        };
        Ok(Self {
            times: recording.series("time")?,
            kinetic_energies: recording.series("kinetic_energy")?,
            winds: speeds("wind_x", "wind_y")?,
            waters: speeds("water_x", "water_y")?,
            collisions: recording.series("collision_count")?,
            floes: floe_counts(recording)?,
        })
    }

    pub(crate) fn add(&mut self, simulation: &Simulation) {
        self.times.push(simulation.world.clock.time);
        self.kinetic_energies
            .push(simulation.world.kinetic_energy());
        self.winds.push(simulation.wind().length());
        self.waters.push(simulation.water().length());
        self.collisions.push(simulation.contact.collisions as f64);
        self.floes.push(simulation.world.floe_rows().count() as f64);
    }

    pub(crate) fn times(&self) -> &[f64] {
        &self.times
    }

    pub(crate) fn charts(&self) -> Vec<Value> {
        let one = |title: &str, unit: &str, values: &[f64]| chart(title, unit, &self.times, values);
        let mut charts = vec![one("Kinetic energy", "J", &self.kinetic_energies)];
        if self.floes.iter().any(|&count| count != self.floes[0]) {
            charts.push(one("Floes", "", &self.floes));
        }
        if self.winds.iter().any(|&wind| wind != 0.0) {
            charts.push(one("Wind", "m/s", &self.winds));
        }
        if self.waters.iter().any(|&water| water != 0.0) {
            charts.push(one("Water", "m/s", &self.waters));
        }
        if self.collisions.iter().any(|&count| count > 0.0) {
            charts.push(one("Collisions so far", "", &self.collisions));
        }
        charts
    }
}

/// Charts that need the whole recording.
pub(crate) fn of_diagnostics(diagnostics: &Diagnostics) -> Vec<Value> {
    let mut charts = Vec::new();
    if let Some(drift) = &diagnostics.drift {
        let speeds: Vec<f64> = drift.velocity.iter().map(|v| v.length()).collect();
        let title = "Drift of the pack";
        charts.push(chart(title, "m/s", &diagnostics.times, &speeds));
    }
    let impulses = &diagnostics.contact.normal_impulse;
    charts.extend(force_chart("Normal force of all contacts", impulses));
    for load in &diagnostics.loads {
        charts.extend(force_chart(&format!("Load: {}", load.name), &load.normal));
    }
    if let Some(pack) = &diagnostics.pack {
        let columns = [&pack.concentration, &pack.dispersion, &pack.held];
        charts.extend(pack_charts(&pack.times, columns.map(Vec::as_slice)));
    }
    charts
}

/// Charts of the pack: concentration, dispersion and the share that is held, where they are known.
pub(crate) fn pack_charts(times: &[f64], columns: [&[f64]; 3]) -> Vec<Value> {
    let titles = [
        ("Concentration", ""),
        ("Dispersion", "m"),
        ("Held floes, share of mass", ""),
    ];
    let is_known = |values: &[f64]| {
        values.len() == times.len() && values.iter().any(|value| value.is_finite())
    };
    let all = titles.into_iter().zip(columns);
    all.filter(|(_, values)| is_known(values))
        .map(|((title, unit), values)| chart(title, unit, times, values))
        .collect()
}

pub(crate) fn chart(title: &str, unit: &str, times: &[f64], values: &[f64]) -> Value {
    let stride = times.len().div_ceil(POINTS).max(1);
    let pick = |list: &[f64]| list.iter().step_by(stride).copied().collect::<Vec<f64>>();
    json!({ "title": title, "unit": unit, "time": pick(times), "value": pick(values) })
}

/// Mean force in windows of time, from impulses.
pub(crate) fn force_chart(title: &str, windows: &[Window]) -> Option<Value> {
    let times: Vec<f64> = windows.iter().map(Window::middle).collect();
    let forces: Vec<f64> = windows.iter().map(Window::rate).collect();
    let is_felt = windows.iter().any(|window| window.sum > 0.0);
    is_felt.then(|| chart(title, "N", &times, &forces))
}
