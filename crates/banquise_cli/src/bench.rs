//! `banquise bench`: what a step costs, stage by stage.

use std::ops::ControlFlow;
use std::process::ExitCode;
use std::time::Instant;

use banquise::{ContactReport, Simulation, Stage, first_meeting};
use serde_json::{Map, Value, json};

use crate::arguments::BenchArguments;
use crate::failure::Failure;
use crate::glacier;
use crate::scenarios::find;
use crate::stages::StageClock;

/// A scene, the built-in scenario it runs, what it sets in it, and for how many steps.
struct Scene {
    name: &'static str,
    scenario: &'static str,
    overrides: &'static [&'static str],
    steps: u32,
}

const SCENES: &[Scene] = &[
    Scene {
        name: "drift",
        scenario: "field",
        overrides: &[],
        steps: 200,
    },
    Scene {
        name: "shaken-box",
        scenario: "shaken-box",
        overrides: &[],
        steps: 1000,
    },
    Scene {
        name: "drift-week",
        scenario: "drift-week",
        // The wind blows at once: what takes time are contacts.
        overrides: &[
            "wind.ramp=\"0 h\"",
            "current.ramp=\"0 h\"",
            "time.duration=\"7 d\"",
            "report.snapshots=[]",
        ],
        steps: 1000,
    },
];

/// The scene that is no scenario of floes.
const GLACIER: &str = "glacier";

/// Steps before the clock starts, to warm caches and scratch.
const WARM_UP: u32 = 20;

struct Measurement {
    clock: StageClock,
    wall: f64,
    simulated: f64,
    steps: u32,
    floes: usize,
    state_hash: u64,
    contact: ContactReport,
    has_overlap: bool,
}

pub(crate) fn bench(arguments: &BenchArguments) -> Result<ExitCode, Failure> {
    if arguments.scene == GLACIER {
        return glacier::bench(arguments.json, peak_rss_mib);
    }
    let scene = SCENES
        .iter()
        .find(|scene| scene.name == arguments.scene)
        .ok_or_else(|| {
            let mut names: Vec<&str> = SCENES.iter().map(|scene| scene.name).collect();
            names.push(GLACIER);
            Failure::usage(
                format!("there is no scene `{}`", arguments.scene),
                format!("the scenes are {}", names.join(", ")),
            )
        })?;
    let overrides: Vec<String> = scene.overrides.iter().map(|&text| text.into()).collect();
    let simulation = find(scene.scenario, &overrides)?.plan.simulation;
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(usize::from(arguments.threads))
        .build()
        .map_err(|error| Failure::usage(error.to_string(), "ask for fewer threads"))?;
    let measurement = pool
        .install(|| measure(simulation, scene.steps))
        .map_err(Failure::Step)?;
    if arguments.json {
        println!("{}", to_json(scene, arguments.threads, &measurement));
    } else {
        print_table(scene, arguments.threads, &measurement);
    }
    Ok(ExitCode::SUCCESS)
}

fn measure(mut simulation: Simulation, steps: u32) -> Result<Measurement, banquise::StepError> {
    let dt = simulation.max_dt;
    let floes = simulation.world.floe_rows().count();
    let advance = |simulation: &mut Simulation, steps: u32, clock: &mut StageClock| {
        let end = simulation.world.clock.time + dt * f64::from(steps);
        simulation
            .advance_to(end, clock, &mut |_, _| ControlFlow::Continue(()))
            .map(|_| ())
    };
    advance(&mut simulation, WARM_UP, &mut StageClock::default())?;
    let mut clock = StageClock::default();
    let (before, first_step) = (simulation.world.clock.time, simulation.world.clock.step);
    let start = Instant::now();
    advance(&mut simulation, steps, &mut clock)?;
    Ok(Measurement {
        wall: start.elapsed().as_secs_f64(),
        clock,
        simulated: simulation.world.clock.time - before,
        steps: (simulation.world.clock.step - first_step) as u32,
        floes,
        state_hash: simulation.world.state_hash(),
        contact: simulation.contact,
        has_overlap: first_meeting(&simulation.world).is_some(),
    })
}

impl Measurement {
    /// Time of a stage for one floe and step [ns].
    fn nanoseconds(&self, stage: Stage) -> f64 {
        1e9 * self.clock.total(stage).as_secs_f64() / (self.floes as f64 * f64::from(self.steps))
    }
}

fn to_json(scene: &Scene, threads: u16, measurement: &Measurement) -> Value {
    let stage_ms: Map<String, Value> = measurement
        .clock
        .totals()
        .map(|(stage, total)| (stage.name().into(), json!(1e3 * total.as_secs_f64())))
        .collect();
    json!({
        "scene": scene.name,
        "threads": threads,
        "floes": measurement.floes,
        "steps": measurement.steps,
        "simulated_s": measurement.simulated,
        "wall_s": measurement.wall,
        "ratio": measurement.simulated / measurement.wall,
        "stage_ms": stage_ms,
        "contacts": measurement.contact.contacts,
        "unsolved": measurement.contact.unsolved,
        "max_residual": measurement.contact.residual,
        // An exact test at the end: there is none, or its depth is not known.
        "max_overlap_m": if measurement.has_overlap { Value::Null } else { json!(0.0) },
        "peak_rss_mib": peak_rss_mib(),
        "forcing_ns_per_floe_step": measurement.nanoseconds(Stage::Forcing),
        "state_hash": format!("{:016x}", measurement.state_hash),
    })
}

fn print_table(scene: &Scene, threads: u16, measurement: &Measurement) {
    println!(
        "{}: {} floes, {} steps, {threads} thread(s), {:.3} s, {:.0} times real time",
        scene.name,
        measurement.floes,
        measurement.steps,
        measurement.wall,
        measurement.simulated / measurement.wall,
    );
    println!(
        "{:<12} {:>12} {:>20}",
        "stage", "ms", "ns per floe and step"
    );
    for (stage, total) in measurement.clock.totals() {
        let milliseconds = 1e3 * total.as_secs_f64();
        let nanoseconds = measurement.nanoseconds(stage);
        println!(
            "{:<12} {milliseconds:>12.2} {nanoseconds:>20.1}",
            stage.name()
        );
    }
    println!("state {:016x}", measurement.state_hash);
}

/// Largest memory of the process so far [MiB], where the system tells.
fn peak_rss_mib() -> Option<f64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    let kibibytes: f64 = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(kibibytes / 1024.0)
}
