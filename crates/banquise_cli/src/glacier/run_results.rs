//! A run of a glacier, and what came out of it.

use std::time::Instant;

use banquise_glacier::stability::stable_step;
use banquise_glacier::{GlacierError, Run, RunTotals, StepReport};
use banquise_io::glacier::GlacierPlan;

use crate::failure::Failure;
use crate::progress::Progress;

/// Times at which the whole chain is kept, as parts of the run.
const PROFILES: [f64; 5] = [0.2, 0.4, 0.6, 0.8, 1.0];

/// Results of a run.
pub(super) struct Results {
    /// One row a record: time, contact, seismogenic, momentum rate, gap, iterations, then displacement and velocity at
    /// each point.
    pub(super) rows: Vec<Vec<f64>>,
    /// Time, and the displacement of all nodes.
    pub(super) profiles: Vec<(f64, Vec<f64>)>,
    pub(super) extremes: Extremes,
    pub(super) totals: RunTotals,
    pub(super) steps: u64,
    pub(super) time: f64,
    pub(super) wall: f64,
    /// Longest stable step at the start \[s\].
    pub(super) limit: Option<f64>,
    /// Error that stopped the run early.
    pub(super) failure: Option<GlacierError>,
}

/// Extremes over all steps.
#[derive(Debug, Clone, Copy)]
pub(super) struct Extremes {
    pub(super) displacement: f64,
    pub(super) displacement_time: f64,
    pub(super) final_displacement: f64,
    pub(super) lowest_velocity: f64,
    pub(super) highest_velocity: f64,
    /// First and last time at which the front moves upstream.
    pub(super) reversal: Option<[f64; 2]>,
    pub(super) contact: f64,
    pub(super) seismogenic: f64,
}

impl Extremes {
    fn new(run: &Run) -> Self {
        let velocity = run.state().velocity[0];
        Self {
            displacement: 0.0,
            displacement_time: 0.0,
            final_displacement: 0.0,
            lowest_velocity: velocity,
            highest_velocity: velocity,
            reversal: None,
            contact: run.state().contact,
            seismogenic: run.seismogenic_force(),
        }
    }

    fn look(&mut self, run: &Run, report: &StepReport) {
        let state = run.state();
        let (displacement, velocity) = (state.displacement[0], state.velocity[0]);
        if displacement.abs() > self.displacement.abs() {
            (self.displacement, self.displacement_time) = (displacement, state.time);
        }
        self.final_displacement = displacement;
        self.lowest_velocity = self.lowest_velocity.min(velocity);
        self.highest_velocity = self.highest_velocity.max(velocity);
        if velocity > 0.0 {
            let start = self.reversal.map_or(state.time, |[start, _]| start);
            self.reversal = Some([start, state.time]);
        }
        self.contact = self.contact.max(report.contact);
        self.seismogenic = self.seismogenic.max(report.seismogenic);
    }
}

/// Runs a plan. A run that stops early keeps what it has.
pub(super) fn execute(plan: &GlacierPlan) -> Result<Results, Failure> {
    let mut run = plan.start().map_err(Failure::Glacier)?;
    let nodes: Vec<usize> = plan
        .points
        .iter()
        .map(|&at| plan.chain.node_at(at))
        .collect();
    let every = (plan.record_every / plan.settings.dt).round().max(1.0) as u64;
    let steps = plan.steps();
    let mut progress = Progress::new(plan.duration);
    let mut extremes = Extremes::new(&run);
    let (mut rows, mut profiles, mut failure) = (Vec::new(), Vec::new(), None);
    rows.push(row(&run, None, &nodes));
    let start = Instant::now();
    for step in 1..=steps {
        let report = match run.step() {
            Ok(report) => report,
            Err(error) => {
                failure = Some(error);
                break;
            }
        };
        extremes.look(&run, &report);
        if step % every == 0 || step == steps {
            rows.push(row(&run, Some(&report), &nodes));
            progress.show(run.state().time);
        }
        if PROFILES
            .iter()
            .any(|part| step == (part * steps as f64).round() as u64)
        {
            profiles.push((run.state().time, run.state().displacement.clone()));
        }
    }
    let wall = start.elapsed().as_secs_f64();
    progress.clear();
    let settings = plan.settings;
    let velocity = settings
        .initial_velocity
        .unwrap_or(plan.chain.equilibrium_velocity());
    Ok(Results {
        rows,
        profiles,
        extremes,
        totals: *run.totals(),
        steps: run.state().step,
        time: run.state().time,
        wall,
        limit: stable_step(&plan.chain, settings.scheme, velocity),
        failure,
    })
}

fn row(run: &Run, report: Option<&StepReport>, nodes: &[usize]) -> Vec<f64> {
    let state = run.state();
    let mut row = vec![
        state.time,
        state.contact,
        report.map_or_else(|| run.seismogenic_force(), |report| report.seismogenic),
        report.map_or(f64::NAN, |report| report.momentum_rate),
        report.map_or(f64::NAN, |report| report.gap),
        report.map_or(0.0, |report| f64::from(report.iterations)),
    ];
    row.extend(nodes.iter().map(|&node| state.displacement[node]));
    row.extend(nodes.iter().map(|&node| state.velocity[node]));
    row
}

/// How a distance is called in the results \[m\].
pub(super) fn place(plan: &GlacierPlan, distance: f64) -> String {
    let spacing = plan.chain.spacing();
    format!(
        "{} m",
        (plan.chain.node_at(distance) as f64 * spacing).round()
    )
}
