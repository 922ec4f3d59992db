//! What one measures of a run that goes on: the curves that its recording would have.

use banquise::diagnostics::concentration::pack_concentration;
use banquise::diagnostics::dispersion::dispersion;
use banquise::diagnostics::energy::{free_drift, is_held};
use banquise::diagnostics::windows::windows;
use banquise::{Domain, Simulation};
use banquise_geometry::{DVec2, Pose, Shape};
use banquise_io::diagnostics::HELD_SHARE;
use banquise_io::recording::normal_loads;
use serde_json::Value;

use crate::charts::{History, chart, force_chart, pack_charts};

/// Fewer floes are no pack.
const MIN_PACK: usize = 3;

/// Measures a run; it has what does not change.
pub(crate) struct Measurer {
    rows: Vec<usize>,
    masses: Vec<f64>,
    shapes: Vec<Shape>,
    domain: Domain,
}

/// What was measured at one time.
pub(crate) struct Measures {
    /// Velocity of the centre of mass of all floes [m/s].
    drift: DVec2,
    /// Sum of the normal impulses of contacts since the start [N s].
    impulse: f64,
    /// The same for each obstacle and wall, with its name.
    loads: Vec<(String, f64)>,
    /// Concentration [–], dispersion \[m\], and the share of the mass that is held [–]: not finite where unknown.
    pack: Option<[f64; 3]>,
}

impl Measurer {
    pub(crate) fn new(simulation: &Simulation) -> Self {
        let bodies = &simulation.world.bodies;
        let rows: Vec<usize> = simulation.world.floe_rows().collect();
        Self {
            masses: rows.iter().map(|&row| bodies.masses()[row]).collect(),
            shapes: rows
                .iter()
                .map(|&row| bodies.shapes()[row].clone())
                .collect(),
            domain: simulation.world.domain,
            rows,
        }
    }

    pub(crate) fn measure(&self, simulation: &Simulation) -> Measures {
        let world = &simulation.world;
        let mass: f64 = self.masses.iter().sum();
        Measures {
            drift: world.momentum() / mass,
            impulse: simulation.contact.normal_impulse,
            loads: normal_loads(world),
            pack: (self.rows.len() >= MIN_PACK).then(|| self.measure_pack(simulation)),
        }
    }

    fn measure_pack(&self, simulation: &Simulation) -> [f64; 3] {
        let world = &simulation.world;
        let motions = world.bodies.motions();
        let pose = |&row: &usize| Pose {
            position: world.unwrapped_position(row),
            ..motions[row].pose
        };
        let poses: Vec<Pose> = self.rows.iter().map(pose).collect();
        let positions: Vec<DVec2> = poses.iter().map(|pose| pose.position).collect();
        [
            pack_concentration(&self.shapes, &poses, &self.domain),
            dispersion(&self.masses, &positions),
            self.held(simulation).unwrap_or(f64::NAN),
        ]
    }

    /// Share of the mass that is slower than a tenth of free drift; none where there is no one free drift.
    fn held(&self, simulation: &Simulation) -> Option<f64> {
        let forcing = &simulation.forcing;
        let differs = simulation.weather_differs();
        let nansen = forcing.drag.filter(|_| !differs)?.nansen_number();
        let free = free_drift(nansen, simulation.wind(), simulation.water());
        let motions = simulation.world.bodies.motions();
        let both = self.rows.iter().zip(&self.masses);
        let going =
            both.filter(|(row, _)| !is_held(motions[**row].velocity.linear, free, HELD_SHARE));
        let going: f64 = going.map(|(_, mass)| mass).sum();
        Some(1.0 - going / self.masses.iter().sum::<f64>())
    }
}

/// What has been measured so far.
#[derive(Clone, Default)]
pub(crate) struct LiveHistory {
    /// Length of the windows of forces \[s\]; 0 for one a record.
    pub(crate) time_window: f64,
    records: History,
    drifts: Vec<f64>,
    impulses: Vec<f64>,
    loads: Vec<(String, Vec<f64>)>,
    pack: [Vec<f64>; 3],
}

impl LiveHistory {
    pub(crate) fn add(&mut self, simulation: &Simulation, measures: Measures) {
        self.records.add(simulation);
        self.drifts.push(measures.drift.length());
        self.impulses.push(measures.impulse);
        if self.loads.is_empty() {
            let names = measures.loads.iter();
            self.loads = names.map(|(name, _)| (name.clone(), Vec::new())).collect();
        }
        for ((_, column), (_, sum)) in self.loads.iter_mut().zip(measures.loads) {
            column.push(sum);
        }
        for (column, value) in self
            .pack
            .iter_mut()
            .zip(measures.pack.into_iter().flatten())
        {
            column.push(value);
        }
    }

    pub(crate) fn charts(&self) -> Vec<Value> {
        let times = self.records.times();
        let forces = |sums: &[f64]| windows(times, sums, self.time_window);
        let mut charts = self.records.charts();
        if self.drifts.iter().any(|drift| drift.is_finite()) {
            charts.push(chart("Drift of the pack", "m/s", times, &self.drifts));
        }
        let title = "Normal force of all contacts";
        charts.extend(force_chart(title, &forces(&self.impulses)));
        for (name, sums) in &self.loads {
            charts.extend(force_chart(&format!("Load: {name}"), &forces(sums)));
        }
        charts.extend(pack_charts(times, self.pack.each_ref().map(Vec::as_slice)));
        charts
    }
}
