//! `banquise glacier run`.

use std::process::ExitCode;

use banquise_io::glacier::GlacierPlan;
use serde_json::{Value, json};

use super::output::{Output, csv};
use super::run_results::{Results, execute, place};
use super::{find_for, run_page};
use crate::arguments::glacier::StudyArguments;
use crate::failure::Failure;
use crate::progress::duration_text;

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
        "{status}: {} in {} steps, blocks: {}, {} of wall time",
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
