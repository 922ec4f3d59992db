//! Diagnostics of a live run: the curves that its recording would have.

use banquise::Simulation;
use banquise::diagnostics::concentration::pack_concentration;
use banquise::diagnostics::dispersion::dispersion;
use banquise::diagnostics::energy::{free_drift, is_held};
use banquise::diagnostics::windows::windows;
use banquise_geometry::{DVec2, Pose, Shape};
use banquise_io::diagnostics::HELD_SHARE;
use banquise_io::recording::normal_loads;
use serde_json::Value;

use crate::charts::{History, chart, force_chart, pack_charts};

/// Fewer floes are no pack.
const MIN_PACK: usize = 3;

/// Diagnostics at one time.
pub(crate) struct Measures {
    /// Velocity of the centre of mass of all floes [m/s].
    drift: DVec2,
    /// Sum of the normal impulses of contacts since the start [N s].
    impulse: f64,
    /// Impulse on each obstacle and wall, with its name.
    loads: Vec<(String, f64)>,
    /// Concentration [–], dispersion \[m\], and the share of the mass that is held [–]: not finite where unknown.
    pack: Option<[f64; 3]>,
}

impl Measures {
    /// Measures the floes that are in the world now.
    pub(crate) fn of(simulation: &Simulation) -> Self {
        let world = &simulation.world;
        let floes = world.floe_rows();
        let mass: f64 = floes.map(|row| world.bodies.masses()[row]).sum();
        let is_pack = world.floe_rows().count() >= MIN_PACK;
        Self {
            drift: world.momentum() / mass,
            impulse: simulation.contact.normal_impulse,
            loads: normal_loads(world),
            pack: is_pack.then(|| measure_pack(simulation)),
        }
    }
}

fn measure_pack(simulation: &Simulation) -> [f64; 3] {
    let world = &simulation.world;
    let bodies = &world.bodies;
    let pose = |row: usize| Pose {
        position: world.unwrapped_position(row),
        ..bodies.motions()[row].pose
    };
    let poses: Vec<Pose> = world.floe_rows().map(pose).collect();
    let positions: Vec<DVec2> = poses.iter().map(|pose| pose.position).collect();
    let shapes: Vec<Shape> = world
        .floe_rows()
        .map(|row| bodies.shapes()[row].clone())
        .collect();
    let masses: Vec<f64> = world.floe_rows().map(|row| bodies.masses()[row]).collect();
    [
        pack_concentration(&shapes, &poses, &world.domain),
        dispersion(&masses, &positions),
        held(simulation).unwrap_or(f64::NAN),
    ]
}

/// Share of the mass that is slower than a tenth of free drift; none where there is no one free drift.
fn held(simulation: &Simulation) -> Option<f64> {
    let forcing = &simulation.forcing;
    let differs = simulation.weather_differs();
    let nansen = forcing.drag.filter(|_| !differs)?.nansen_number();
    let free = free_drift(nansen, simulation.wind(), simulation.water());
    let bodies = &simulation.world.bodies;
    let (mut going, mut all) = (0.0, 0.0);
    for row in simulation.world.floe_rows() {
        let mass = bodies.masses()[row];
        all += mass;
        if !is_held(bodies.motions()[row].velocity.linear, free, HELD_SHARE) {
            going += mass;
        }
    }
    Some(1.0 - going / all)
}

/// Diagnostics of the run so far.
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
    pub(crate) fn add(&mut self, simulation: &Simulation, measures: &Measures) {
        self.records.add(simulation);
        self.drifts.push(measures.drift.length());
        self.impulses.push(measures.impulse);
        if self.loads.is_empty() {
            let names = measures.loads.iter();
            self.loads = names.map(|(name, _)| (name.clone(), Vec::new())).collect();
        }
        for (name, column) in &mut self.loads {
            // The load of an obstacle that is gone stays what it was.
            let load = measures.loads.iter().find(|(other, _)| other == name);
            let last = column.last().copied().unwrap_or_default();
            column.push(load.map_or(last, |(_, sum)| *sum));
        }
        let pack = measures.pack.unwrap_or([f64::NAN; 3]);
        for (column, value) in self.pack.iter_mut().zip(pack) {
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
