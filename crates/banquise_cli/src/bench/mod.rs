//! `banquise bench`: what a step costs, stage by stage.

mod fracture;
mod scenes;

use std::ops::ControlFlow;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use banquise::{
    ContactReport, Footprint, Method, Simulation, Stage, StepReport, World, first_meeting,
};
use banquise_io::scenario::suggest;
use banquise_solver::{Policy, Row, Table};
use serde_json::{Map, Value, json};

use crate::arguments::{BenchArguments, CaptureChoice};
use crate::capsules::{CapsuleState, Capsules};
use crate::failure::Failure;
use crate::fluid;
use crate::glacier;
use crate::stages::StageClock;
use fracture::FractureCost;
use scenes::{SCENES, Scene};

/// The scene that is no scenario of floes.
const GLACIER: &str = "glacier";

/// Looks for overlaps while a scene is measured, with the clock stopped.
const LOOKS: u32 = 10;

struct Measurement {
    clock: StageClock,
    wall: f64,
    /// On all processors together \[s\], where the system tells.
    cpu: Option<f64>,
    simulated: f64,
    steps: u32,
    /// Mean time of a step in each part of the run, and the longest of all steps \[s\].
    step_means: Vec<f64>,
    longest_step: f64,
    floes: usize,
    state_hash: u64,
    motion_hash: u64,
    contact: ContactReport,
    has_overlap: bool,
    footprint: Footprint,
    /// What fracture took, where floes break.
    fracture: Option<FractureCost>,
}

pub(crate) fn bench(arguments: &BenchArguments) -> Result<ExitCode, Failure> {
    if arguments.scene == GLACIER {
        let is_changed = arguments.warm_up.is_some()
            || arguments.steps.is_some()
            || !arguments.set.is_empty()
            || arguments.threads != 1;
        if is_changed {
            return Err(Failure::usage(
                "the scene `glacier` is what it is: it has no --set, --warm-up, --steps or --threads",
                "leave them out, or choose a scene of floes",
            ));
        }
        return glacier::bench(arguments.json, peak_rss_mib);
    }
    if fluid::SCENES.contains(&arguments.scene.as_str()) {
        let is_changed =
            arguments.warm_up.is_some() || arguments.steps.is_some() || !arguments.set.is_empty();
        if is_changed {
            return Err(Failure::usage(
                "scenes of the fluid have no --set, --warm-up or --steps",
                "leave them out, or choose a scene of floes",
            ));
        }
        let (threads, is_json) = (arguments.threads, arguments.json);
        let gauges = fluid::Gauges {
            peak_rss_mib,
            cpu_seconds,
        };
        return fluid::bench(&arguments.scene, threads, is_json, &gauges);
    }
    let scene = SCENES
        .iter()
        .find(|scene| scene.name == arguments.scene)
        .ok_or_else(|| {
            let mut names: Vec<&str> = SCENES.iter().map(|scene| scene.name).collect();
            names.push(GLACIER);
            names.extend(fluid::SCENES);
            Failure::usage(
                format!("there is no scene `{}`", arguments.scene),
                suggest(&arguments.scene, "the scenes are", &names),
            )
        })?;
    let mut simulation = scene.simulation(&arguments.set)?;
    let choice = arguments.capture.as_ref().map(|_| CaptureChoice::Sample);
    let folder = arguments.capture.clone().unwrap_or_default();
    let mut capsules = Capsules::new(folder, CapsuleState::new(choice));
    simulation.settings.contact.capture = capsules.needed();
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(usize::from(arguments.threads))
        .build()
        .map_err(|error| Failure::usage(error.to_string(), "ask for fewer threads"))?;
    let warm_up = arguments.warm_up.unwrap_or(scene.warm_up);
    let steps = arguments.steps.unwrap_or(scene.steps);
    let measurement = pool
        .install(|| measure(simulation, warm_up, steps, &mut capsules))
        .map_err(Failure::Step)?;
    if arguments.json {
        println!("{}", to_json(scene, arguments.threads, &measurement));
    } else {
        print_table(scene, arguments.threads, &measurement);
    }
    if choice.is_some() {
        capsules.summarise();
    }
    capsules.into_result()?;
    Ok(ExitCode::SUCCESS)
}

fn measure(
    mut simulation: Simulation,
    warm_up: u32,
    steps: u32,
    capsules: &mut Capsules,
) -> Result<Measurement, banquise::StepError> {
    let dt = simulation.max_dt;
    let mut advance = |simulation: &mut Simulation, steps: u32, clock: &mut StageClock| {
        let end = simulation.world.clock.time + dt * f64::from(steps);
        let (mut last, mut longest) = (Instant::now(), Duration::ZERO);
        let mut note = |_: &World, report: &StepReport| {
            longest = longest.max(last.elapsed());
            capsules.store(&report.captured);
            last = Instant::now();
            ControlFlow::Continue(())
        };
        simulation
            .advance_to(end, clock, &mut note)
            .map(|_| longest.as_secs_f64())
    };
    advance(&mut simulation, warm_up, &mut StageClock::default())?;
    let mut measurement = Measurement {
        clock: StageClock::default(),
        wall: 0.0,
        cpu: cpu_seconds().map(|_| 0.0),
        simulated: 0.0,
        steps: 0,
        step_means: Vec::new(),
        longest_step: 0.0,
        floes: simulation.world.floe_rows().count(),
        state_hash: 0,
        motion_hash: 0,
        contact: ContactReport::default(),
        has_overlap: false,
        footprint: simulation.world.bodies.footprint(),
        fracture: None,
    };
    simulation.contact = ContactReport::default();
    fracture::start(&mut simulation);
    let (before, first_step) = (simulation.world.clock.time, simulation.world.clock.step);
    for look in 0..LOOKS {
        let until = |look: u32| u64::from(steps) * u64::from(look) / u64::from(LOOKS);
        let steps = (until(look + 1) - until(look)) as u32;
        let (start, cpu) = (Instant::now(), cpu_seconds());
        let step_before = simulation.world.clock.step;
        let longest = advance(&mut simulation, steps, &mut measurement.clock)?;
        let wall = start.elapsed().as_secs_f64();
        let made = (simulation.world.clock.step - step_before) as f64;
        measurement.wall += wall;
        measurement.step_means.push(wall / made);
        measurement.longest_step = measurement.longest_step.max(longest);
        let used = cpu_seconds().zip(cpu).map(|(after, before)| after - before);
        measurement.cpu = measurement.cpu.zip(used).map(|(sum, used)| sum + used);
        measurement.has_overlap |= first_meeting(&simulation.world).is_some();
    }
    measurement.simulated = simulation.world.clock.time - before;
    measurement.steps = (simulation.world.clock.step - first_step) as u32;
    measurement.state_hash = simulation.world.state_hash();
    measurement.motion_hash = simulation.world.motion_hash();
    measurement.contact = simulation.contact;
    measurement.fracture = FractureCost::of(&mut simulation, measurement.wall);
    Ok(measurement)
}

impl Measurement {
    /// A time for one floe and step [ns].
    fn nanoseconds(&self, total: Duration) -> f64 {
        1e9 * total.as_secs_f64() / (self.floes as f64 * f64::from(self.steps))
    }

    /// Where the memory is, for each floe \[bytes\]; what is not in outlines and meshes where the system tells.
    fn bytes_per_floe(&self) -> [(&'static str, Option<f64>); 4] {
        let Footprint {
            outlines,
            contact_outlines,
            meshes,
        } = self.footprint;
        let share = |bytes: f64| bytes / self.floes as f64;
        let known = (outlines + contact_outlines + meshes) as f64;
        let others = peak_rss_mib().map(|mib| mib * 1024.0 * 1024.0 - known);
        [
            ("outlines", Some(share(outlines as f64))),
            ("contact_outlines", Some(share(contact_outlines as f64))),
            ("meshes", Some(share(meshes as f64))),
            ("others", others.map(share)),
        ]
    }
}

/// Each stage and each part of the events, with its total.
fn timed(clock: &StageClock) -> impl Iterator<Item = (&'static str, Duration)> + '_ {
    let stages = clock.totals().map(|(stage, total)| (stage.name(), total));
    stages.chain(clock.parts().map(|(part, total)| (part.name(), total)))
}

fn to_json(scene: &Scene, threads: u16, measurement: &Measurement) -> Value {
    let stage_ms: Map<String, Value> = timed(&measurement.clock)
        .map(|(name, total)| (name.into(), json!(1e3 * total.as_secs_f64())))
        .collect();
    let methods = Method::ALL.into_iter().zip(measurement.contact.methods);
    let mut methods: Map<String, Value> = methods
        .map(|(method, count)| (method.name().into(), json!(count)))
        .collect();
    // Not a method of its own, but a part of proximal ones: not among the friction problems.
    let solver = &measurement.contact.solver;
    methods.insert("path_following".into(), json!(solver.paths_followed));
    json!({
        "scene": scene.name,
        "threads": threads,
        "floes": measurement.floes,
        "steps": measurement.steps,
        "simulated_s": measurement.simulated,
        "wall_s": measurement.wall,
        "cpu_s": measurement.cpu,
        "ratio": measurement.simulated / measurement.wall,
        "step_ms_by_tenths": measurement.step_means.iter().map(|s| 1e3 * s).collect::<Vec<_>>(),
        "longest_step_ms": 1e3 * measurement.longest_step,
        "stage_ms": stage_ms,
        "contacts": measurement.contact.contacts,
        "impacts": measurement.contact.impacts,
        "friction_problems": measurement.contact.methods.iter().sum::<u64>(),
        "methods": methods,
        "policy_rows": policy_rows(&measurement.contact),
        "sweeps": solver.sweeps,
        "factorisations": solver.factorisations,
        "paths_tried": solver.paths_tried,
        "operations": solver.operations,
        "most_operations": solver.most_operations,
        "pivots": measurement.contact.pivots,
        "largest_island": measurement.contact.largest,
        "unsolved": measurement.contact.unsolved,
        "budget_spent": measurement.contact.budget_spent,
        "infeasible": measurement.contact.infeasible,
        "reductions": measurement.contact.reductions,
        "max_residual": measurement.contact.residual,
        // Exact tests now and then: there is none, or its depth is not known.
        "max_overlap_m": if measurement.has_overlap { Value::Null } else { json!(0.0) },
        "peak_rss_mib": peak_rss_mib(),
        "bytes_per_floe": Map::from_iter(
            measurement.bytes_per_floe().map(|(name, bytes)| (name.to_owned(), json!(bytes))),
        ),
        "fracture": measurement.fracture.as_ref().map(FractureCost::to_json),
        "forcing_ns_per_floe_step": measurement.nanoseconds(measurement.clock.total(Stage::Forcing)),
        "state_hash": format!("{:016x}", measurement.state_hash),
        "motion_hash": format!("{:016x}", measurement.motion_hash),
    })
}

/// Each row of the solver's policy: on how many friction problems it was tried, and of how many its impulses were taken.
fn policy_rows(contact: &ContactReport) -> Vec<Value> {
    let counts = &contact.solver.rows;
    let tables = Policy::DEFAULT.tables().into_iter();
    let rows =
        tables.flat_map(|(table, rows)| rows.iter().enumerate().map(move |row| (table, row)));
    let entry = |(table, (index, row)): (Table, (usize, &Row))| {
        json!({
            "table": table.name(),
            "row": row.attempt.name(),
            "contacts": [json!(row.contacts[0]), bound(row.contacts[1])],
            "limit": row.limit,
            "tried": counts.tried[table as usize][index],
            "taken": counts.taken[table as usize][index],
        })
    };
    rows.map(entry).collect()
}

/// The largest number of contacts; null for any.
fn bound(contacts: usize) -> Value {
    if contacts == usize::MAX {
        Value::Null
    } else {
        json!(contacts)
    }
}

fn print_table(scene: &Scene, threads: u16, measurement: &Measurement) {
    let (contact, steps) = (&measurement.contact, f64::from(measurement.steps));
    println!(
        "{}: {} floes, {} steps, {threads} thread(s), {:.3} s, {:.0} times real time",
        scene.name,
        measurement.floes,
        measurement.steps,
        measurement.wall,
        measurement.simulated / measurement.wall,
    );
    if let Some(cpu) = measurement.cpu.filter(|&cpu| cpu > 0.0) {
        println!(
            "on the processor {cpu:.2} s, {:.0} times real time",
            measurement.simulated / cpu
        );
    }
    let tenths = measurement
        .step_means
        .iter()
        .map(|s| format!("{:.2}", 1e3 * s));
    println!(
        "a step in each tenth of the run: {} ms; the longest {:.1} ms",
        tenths.collect::<Vec<_>>().join(", "),
        1e3 * measurement.longest_step,
    );
    println!(
        "a step: {:.1} contacts, {:.1} impacts, {:.1} friction problems, {:.0} pivots; the largest problem of {} contacts; {} unsolved, {} impacts with less restitution, the largest residual {:.1e}, {}",
        contact.contacts as f64 / steps,
        contact.impacts as f64 / steps,
        contact.methods.iter().sum::<u64>() as f64 / steps,
        contact.pivots as f64 / steps,
        contact.largest,
        contact.unsolved,
        contact.reductions,
        contact.residual,
        if measurement.has_overlap {
            "an overlap"
        } else {
            "no overlap"
        },
    );
    println!(
        "{:<14} {:>12} {:>20}",
        "stage", "ms", "ns per floe and step"
    );
    for (name, total) in timed(&measurement.clock) {
        let milliseconds = 1e3 * total.as_secs_f64();
        let nanoseconds = measurement.nanoseconds(total);
        println!("{name:<14} {milliseconds:>12.2} {nanoseconds:>20.1}");
    }
    if let Some(fracture) = &measurement.fracture {
        println!("{}", fracture.text());
    }
    let bytes = measurement.bytes_per_floe();
    let bytes = bytes.map(|(name, bytes)| format!("{name} {:.0}", bytes.unwrap_or(f64::NAN)));
    println!("bytes for each floe: {}", bytes.join(", "));
    if let Some(peak) = peak_rss_mib() {
        println!("memory at its peak: {peak:.1} MiB");
    }
    println!(
        "state {:016x}, motion {:016x}",
        measurement.state_hash, measurement.motion_hash
    );
}

/// Largest memory of the process so far [MiB], where the system tells.
fn peak_rss_mib() -> Option<f64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    let kibibytes: f64 = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(kibibytes / 1024.0)
}

/// Time of the process on all processors \[s\], where the system tells, in hundredths.
fn cpu_seconds() -> Option<f64> {
    let stat = std::fs::read_to_string("/proc/self/stat").ok()?;
    // The name of the program, in brackets, may hold anything.
    let fields = stat.get(stat.rfind(')')? + 2..)?;
    let ticks = |index| fields.split(' ').nth(index)?.parse::<f64>().ok();
    Some(0.01 * (ticks(11)? + ticks(12)?))
}
