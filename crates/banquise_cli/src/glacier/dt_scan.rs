//! `banquise glacier dt-scan`: what the step does to sliding, accuracy and cost.

use std::process::ExitCode;

use banquise_glacier::stability::{elastic_limit, stable_step};
use banquise_glacier::{ContactForce, OverLimit, Scheme};
use banquise_io::figure::{Axis, LineStyle, Page, Reference, Section, Series, Tile, Unit};
use banquise_io::glacier::GlacierPlan;
use serde_json::{Value, json};

use super::output::{Drawn, Output, chart, csv, digits, footer, how_it_was_made, shown};
use super::run_results::{Results, execute};
use super::stability_results::logarithmic;
use super::{Found, find_for};
use crate::arguments::glacier::StudyArguments;
use crate::failure::Failure;
use crate::progress::Work;

/// Steps of the runs without a force on the front \[s\], as in the source's figures 6 to 8.
const SLIDING_STEPS: [f64; 2] = [2e-4, 0.1];
const SLIDING_RUNS: usize = 25;
/// How long they last \[s\].
const SLIDING_TIME: f64 = 300.0;
/// Steps of the runs under a contact force by implicit schemes \[s\].
const PUSHED_STEPS: [f64; 2] = [0.01, 5.0];
const PUSHED_RUNS: usize = 10;
/// Step of the run all are compared with \[s\].
const REFERENCE_STEP: f64 = 2e-3;

/// Runs shorter than this \[s\] are repeated so many times.
const SHORT: f64 = 0.1;
const REPEATS: usize = 4;

/// One run without a force on the front.
struct Sliding {
    step: f64,
    displacement: f64,
    force: f64,
    wall: f64,
}

/// One run under a contact force.
struct Pushed {
    scheme: &'static str,
    step: f64,
    displacement: f64,
    error: f64,
    wall: f64,
}

struct Scan {
    limit: f64,
    sliding: Vec<Sliding>,
    reference: f64,
    pushed: Vec<Pushed>,
}

pub(super) fn dt_scan(arguments: &StudyArguments) -> Result<ExitCode, Failure> {
    let mut found = find_for(arguments, "glacier-pulse")?;
    let output = Output::create(arguments, "glacier-dt-scan")?;
    let scan = scan(&mut found.plan)?;
    let header = [
        "step [s]",
        "displacement [m]",
        "seismogenic_force [N/m]",
        "wall [s]",
    ];
    let rows: Vec<Vec<f64>> = scan
        .sliding
        .iter()
        .map(|run| vec![run.step, run.displacement, run.force, run.wall])
        .collect();
    output.write("sliding.csv", &csv(&header.map(str::to_owned), &rows))?;
    output.write("pushed.csv", &pushed_csv(&scan))?;
    let (page, figures) = page(&found, arguments, &scan);
    let report = output.finish(&page, &figures)?;
    if arguments.json {
        let mut numbers = to_json(&scan);
        numbers["directory"] = json!(output.directory);
        numbers["report"] = json!(report);
        println!("{numbers}");
    }
    Ok(ExitCode::SUCCESS)
}

fn scan(plan: &mut GlacierPlan) -> Result<Scan, Failure> {
    let work = Work::new(SLIDING_RUNS + 4 * PUSHED_RUNS);
    let usual = (plan.load.clone(), plan.duration, plan.settings);
    let steady = plan.chain.equilibrium_velocity();
    let limit = stable_step(&plan.chain, Scheme::LaggedVerlet, steady).unwrap_or(f64::INFINITY);
    let mut sliding = Vec::new();
    plan.load = ContactForce::None;
    plan.duration = SLIDING_TIME;
    plan.settings.over_limit = OverLimit::Warn;
    plan.settings.scheme = Scheme::LaggedVerlet;
    // A little off, so that a growing mode has something to grow from; a real run has its rounding.
    plan.settings.initial_velocity = Some((1.0 + 1e-6) * steady);
    for step in logarithmic(SLIDING_STEPS, SLIDING_RUNS) {
        let run = at_step(plan, step)?;
        let last = &run.rows[run.rows.len() - 1];
        sliding.push(Sliding {
            step,
            displacement: run.extremes.final_displacement,
            force: last[2],
            wall: run.wall,
        });
        work.done();
    }
    (plan.load, plan.duration, plan.settings) = usual;
    let (reference, pushed) = pushed(plan, &work)?;
    work.clear();
    Ok(Scan {
        limit,
        sliding,
        reference,
        pushed,
    })
}

/// Runs a plan with another step and few records.
fn at_step(plan: &mut GlacierPlan, step: f64) -> Result<Results, Failure> {
    plan.settings.dt = step;
    plan.record_every = plan.duration;
    let mut results = execute(plan)?;
    // Short runs are timed several times: the quietest counts.
    for _ in 0..REPEATS {
        if results.wall > SHORT {
            break;
        }
        results.wall = results.wall.min(execute(plan)?.wall);
    }
    match results.failure {
        Some(error) => Err(Failure::Glacier(error)),
        None => Ok(results),
    }
}

fn pushed(plan: &mut GlacierPlan, work: &Work) -> Result<(f64, Vec<Pushed>), Failure> {
    plan.settings.scheme = Scheme::Hht { alpha: -0.25 };
    let reference = at_step(plan, REFERENCE_STEP)?.extremes.displacement;
    let elastic = elastic_limit(&plan.chain).unwrap_or(f64::INFINITY);
    let schemes = [
        ("HHT, α = −1/4", Scheme::Hht { alpha: -0.25 }),
        ("HHT, α = 0", Scheme::Hht { alpha: 0.0 }),
        ("backward Euler", Scheme::BackwardEuler),
        ("semi-implicit", Scheme::SemiImplicit),
    ];
    let mut pushed = Vec::new();
    for (name, scheme) in schemes {
        plan.settings.scheme = scheme;
        let range = match scheme {
            Scheme::SemiImplicit => [0.1 * elastic, 0.999 * elastic],
            _ => PUSHED_STEPS,
        };
        for step in logarithmic(range, PUSHED_RUNS) {
            let run = at_step(plan, step)?;
            let displacement = run.extremes.displacement;
            pushed.push(Pushed {
                scheme: name,
                step,
                displacement,
                error: (displacement / reference - 1.0).abs(),
                wall: run.wall,
            });
            work.done();
        }
    }
    Ok((reference, pushed))
}

fn pushed_csv(scan: &Scan) -> String {
    let row = |run: &Pushed| {
        let Pushed {
            scheme,
            step,
            displacement,
            error,
            wall,
        } = run;
        format!("\"{scheme}\",{step:?},{displacement:?},{error:?},{wall:?}")
    };
    let header = "scheme,step [s],displacement [m],relative error,wall [s]".to_owned();
    let rows: Vec<String> = std::iter::once(header)
        .chain(scan.pushed.iter().map(row))
        .collect();
    rows.join("\n") + "\n"
}

fn to_json(scan: &Scan) -> Value {
    let sliding = scan.sliding.iter().map(|run| {
        json!({"step_s": run.step, "displacement_m": run.displacement, "seismogenic_n_per_m": run.force, "wall_s": run.wall})
    });
    let pushed = scan.pushed.iter().map(|run| {
        json!({"scheme": run.scheme, "step_s": run.step, "displacement_m": run.displacement, "relative_error": run.error, "wall_s": run.wall})
    });
    json!({
        "stable_step_s": scan.limit,
        "sliding": sliding.collect::<Vec<_>>(),
        "reference_displacement_m": scan.reference,
        "pushed": pushed.collect::<Vec<_>>(),
    })
}

fn page(found: &Found, arguments: &StudyArguments, scan: &Scan) -> (Page, Vec<Drawn>) {
    let figures = figures(scan);
    let longest = &scan.sliding[scan.sliding.len() - 1];
    let page = Page {
        title: "Effect of the length of the step".into(),
        subtitle: format!("{}: {}", found.name, found.plan.title),
        tiles: vec![
            Tile::new("limit of lagged friction", &format!("{:.4e} s", scan.limit)),
            Tile::new(
                "sliding at 0.1 s",
                &format!("{} m", digits(longest.displacement.abs())),
            ),
            Tile::new(
                "with force, reference",
                &format!("{} mm", digits(1e3 * scan.reference)),
            ),
        ],
        sections: vec![
            Section {
                heading: "Without a force on the front".into(),
                text: format!(
                    "The source's figures 6 to 8 again: {SLIDING_TIME} s by its own scheme, lagged Verlet, without any force on the front. Up to {:.4e} s nothing \
                     moves beyond steady sliding. Just above, the glacier runs away at once, by a cycle of four steps whose mean speed is too high, and \
                     the longer the step the faster. The source put the jump near its eq. 10, at twice this step, and took the \
                     force that vanishes for a sign of convergence: below the limit it is zero because no force acts on the front, and above it is the friction of one \
                     instant of the cycle.\n\nThe cost goes with one over the step: it is the number of steps.",
                    scan.limit
                ),
                figures: shown(&figures, &["sliding", "force", "cost"]),
                ..Section::default()
            },
            Section {
                heading: "With a force on the front".into(),
                text: format!(
                    "Error of the largest displacement of the front against HHT at {REFERENCE_STEP} s, for schemes whose friction is implicit. HHT is of second \
                     order and needs no short step; backward Euler and the semi-implicit scheme are of first order, and the second must stay below δl/c."
                ),
                figures: shown(&figures, &["error", "work"]),
                ..Section::default()
            },
            how_it_was_made(found, arguments),
        ],
        footer: footer(),
    };
    (page, figures)
}

fn figures(scan: &Scan) -> Vec<Drawn> {
    let mut figures = sliding_figures(scan);
    figures.extend(pushed_figures(scan));
    figures
}

fn step_axis() -> Axis {
    Axis::log("Step", Unit::Fixed("s".into()))
}

/// Effect of the step on a glacier without a force on the front.
fn sliding_figures(scan: &Scan) -> Vec<Drawn> {
    let limit = |value, label: &str| Reference::Vertical {
        value,
        label: label.into(),
    };
    let limits = || {
        vec![
            limit(scan.limit, "true limit"),
            limit(2.0 * scan.limit, "eq. 10"),
        ]
    };
    let markers = |value: &dyn Fn(&Sliding) -> f64| -> Vec<Series> {
        let points = scan.sliding.iter().map(|run| [run.step, value(run)]);
        vec![Series::new("", points.collect()).with_style(LineStyle::Markers)]
    };
    let mut displacement = chart(
        "Displacement after 300 s without a force",
        step_axis(),
        Axis::log(
            "|Displacement| beyond steady sliding",
            Unit::Fixed("m".into()),
        ),
        markers(&|run| run.displacement.abs()),
    );
    displacement.references = limits();
    let mut force = chart(
        "Seismogenic force without a force on the front",
        step_axis(),
        Axis::log("|F_s| at the end", Unit::Fixed("N/m".into())),
        markers(&|run| run.force.abs()),
    );
    force.references = limits();
    let cost = chart(
        "Cost of 300 s without a force",
        step_axis(),
        Axis::log("Wall time", Unit::Fixed("s".into())),
        markers(&|run| run.wall),
    );
    vec![
        Drawn::new(
            "sliding",
            displacement.to_svg(),
            "The source's figure 6 again. Below the limit what is left of the disturbance at the start, one in a million.",
        ),
        Drawn::new("force", force.to_svg(), "The source's figure 7 again."),
        Drawn::new(
            "cost",
            cost.to_svg(),
            "The source's figure 8 again, on this machine.",
        ),
    ]
}

/// Effect of the step on a glacier under a contact force, scheme by scheme.
fn pushed_figures(scan: &Scan) -> Vec<Drawn> {
    let pushed = |x: &dyn Fn(&Pushed) -> f64, y: &dyn Fn(&Pushed) -> f64| -> Vec<Series> {
        let runs = scan.pushed.chunk_by(|a, b| a.scheme == b.scheme);
        runs.map(|runs| {
            Series::new(
                runs[0].scheme,
                runs.iter().map(|run| [x(run), y(run)]).collect(),
            )
        })
        .collect()
    };
    let error = Axis::log("Relative error", Unit::None);
    let error_chart = chart(
        "Error against step",
        step_axis(),
        error.clone(),
        pushed(&|r| r.step, &|r| r.error),
    );
    let work = Axis::log("Wall time", Unit::Fixed("s".into()));
    let work_chart = chart(
        "Error against cost",
        work,
        error,
        pushed(&|r| r.wall, &|r| r.error),
    );
    vec![
        Drawn::new(
            "error",
            error_chart.to_svg(),
            "Largest displacement of the front under the force.",
        ),
        Drawn::new(
            "work",
            work_chart.to_svg(),
            "Largest displacement of the front against wall time.",
        ),
    ]
}
