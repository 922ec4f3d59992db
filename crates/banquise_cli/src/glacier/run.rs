//! `banquise glacier run`.

use std::process::ExitCode;
use std::time::Instant;

use banquise_glacier::stability::stable_step;
use banquise_glacier::{GlacierError, Run, RunTotals, StepReport};
use banquise_io::glacier::GlacierPlan;
use serde_json::{Value, json};

use super::arguments::StudyArguments;
use super::output::{Output, csv};
use super::{find_for, run_page};
use crate::failure::Failure;
use crate::progress::{Progress, duration_text};

/// Times at which the whole chain is kept, as parts of the run.
const PROFILES: [f64; 5] = [0.2, 0.4, 0.6, 0.8, 1.0];

/// What came out of a run.
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
    /// Why the run stopped early.
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

pub(super) fn run(arguments: &StudyArguments) -> Result<ExitCode, Failure> {
    let found = find_for(arguments, "glacier-capsize")?;
    let output = Output::create(arguments, &found.name)?;
    let results = execute(&found.plan)?;
    output.write("glacier.csv", &csv(&columns(&found.plan), &results.rows))?;
    output.write("profiles.csv", &profiles_csv(&found.plan, &results))?;
    let (page, figures) = run_page::page(&found, arguments, &results);
    summarise(&found.plan, &results);
    let report = output.finish(&page, &figures)?;
    if arguments.json {
        let mut summary = summary(&found.plan, &results);
        summary["directory"] = json!(output.directory);
        summary["report"] = json!(report);
        println!("{summary}");
    }
    match results.failure {
        Some(error) => Err(Failure::Glacier(error)),
        None => Ok(ExitCode::SUCCESS),
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

fn columns(plan: &GlacierPlan) -> Vec<String> {
    let mut columns: Vec<String> = [
        "time [s]",
        "contact_force [N/m]",
        "seismogenic_force [N/m]",
        "momentum_rate [N/m]",
        "identity_gap [1]",
        "iterations [1]",
    ]
    .map(str::to_owned)
    .into();
    for (name, unit) in [("displacement", "m"), ("velocity", "m/s")] {
        let column = |&at: &f64| format!("{name} at {} [{unit}]", place(plan, at));
        columns.extend(plan.points.iter().map(column));
    }
    columns
}

fn profiles_csv(plan: &GlacierPlan, results: &Results) -> String {
    let mut header = vec!["distance [m]".to_owned()];
    let times = results.profiles.iter();
    header.extend(times.map(|(time, _)| format!("displacement at {time} s [m]")));
    let rows: Vec<Vec<f64>> = (0..plan.chain.nodes())
        .map(|node| {
            let mut row = vec![node as f64 * plan.chain.spacing()];
            row.extend(results.profiles.iter().map(|(_, profile)| profile[node]));
            row
        })
        .collect();
    csv(&header, &rows)
}

fn summarise(plan: &GlacierPlan, results: &Results) {
    let Results {
        extremes, totals, ..
    } = results;
    let status = if results.failure.is_none() {
        "complete"
    } else {
        "stopped"
    };
    eprintln!(
        "{status}: {} in {} steps, blocks: {}, {} of work",
        duration_text(results.time),
        results.steps,
        plan.chain.settings().blocks,
        duration_text(results.wall),
    );
    eprintln!(
        "front: {:.4e} m at most, {:.4e} m at the end; seismogenic force {:.4e} N/m at most, contact {:.4e} N/m",
        extremes.displacement, extremes.final_displacement, extremes.seismogenic, extremes.contact,
    );
    eprintln!(
        "balance: F_s + dp/dt = F_c, in the weights of the scheme, to {:.1e} of the forces at every step; {} iterations at most",
        totals.largest_gap, totals.most_iterations,
    );
    if let Some(limit) = results.limit.filter(|&limit| plan.settings.dt > limit) {
        eprintln!(
            "warning: the step of {} s is longer than the longest stable one, {limit:.4e} s: do not trust this run",
            plan.settings.dt
        );
    } else if totals.steps_over_limit > 0 {
        eprintln!(
            "warning: {} steps were longer than the longest stable one, the first at {:.3} s: do not trust what follows it",
            totals.steps_over_limit,
            totals.first_over_limit.unwrap_or_default(),
        );
    }
}

pub(super) fn summary(plan: &GlacierPlan, results: &Results) -> Value {
    let Results {
        extremes, totals, ..
    } = results;
    let chain = &plan.chain;
    json!({
        "status": if results.failure.is_none() { "complete" } else { "stopped" },
        "scheme": plan.settings.scheme.name(),
        "step_s": plan.settings.dt,
        "stable_step_s": results.limit,
        "blocks": chain.settings().blocks,
        "steps": results.steps,
        "simulated_s": results.time,
        "wall_s": results.wall,
        "steady_speed_m_per_s": -chain.equilibrium_velocity(),
        "basal_stress_pa": chain.basal_stress(),
        "max_displacement_m": extremes.displacement,
        "max_displacement_time_s": extremes.displacement_time,
        "final_displacement_m": extremes.final_displacement,
        "lowest_velocity_m_per_s": extremes.lowest_velocity,
        "highest_velocity_m_per_s": extremes.highest_velocity,
        "reversal_s": extremes.reversal,
        "max_contact_n_per_m": extremes.contact,
        "max_seismogenic_n_per_m": extremes.seismogenic,
        "identity_gap": totals.largest_gap,
        "iterations": totals.iterations,
        "most_iterations": totals.most_iterations,
        "steps_over_limit": totals.steps_over_limit,
    })
}
