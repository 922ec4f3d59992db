//! `banquise bench fluid`: what a solution costs, for many discs.

use std::process::ExitCode;
use std::time::Instant;

use banquise_flow::settling::SettlingSettings;
use banquise_flow::{Flow, FlowError, Fluid, SolverSettings, Suspension};
use banquise_geometry::DVec2;
use serde_json::{Value, json};

use crate::failure::Failure;

/// Scenes by name.
pub(crate) const SCENES: [&str; 3] = ["fluid", "fluid-10000", SETTLING];

/// Slow flow around many discs: scene, discs and cells along a side. Radius 8 cells.
const SUSPENSIONS: [(&str, usize, usize); 2] =
    [("fluid", 1000, 1024), ("fluid-10000", 10_000, 2592)];

/// 228 discs that settle between walls, with inertia: the study `fluid sediment`.
const SETTLING: &str = "fluid-settling";
/// Its steps: until nearly all discs are on the heap.
const SETTLING_STEPS: u32 = 250;

/// Radius of a disc in cells.
const RADIUS: f64 = 8.0;
/// Least gap between discs in cells: as contacts keep it, two cells.
const GAP: f64 = 2.0;
/// Tolerance of the solutions.
const TOLERANCE: f64 = 1e-6;
/// How far discs move between two steps, in cells.
const MOVE: f64 = 0.1;
/// Smaller suspensions of about the same fraction, for the growth of iterations.
const SMALLER: [(usize, usize); 2] = [(10, 108), (100, 324)];

struct Measurement {
    discs: usize,
    cells: usize,
    fraction: f64,
    setup: f64,
    solve: f64,
    iterations: usize,
    unknowns: usize,
    memory: usize,
}

fn measure(suspension: &Suspension, places: &[DVec2]) -> Result<Measurement, Failure> {
    let settings = SolverSettings {
        tolerance: TOLERANCE,
        ..SolverSettings::default()
    };
    let start = Instant::now();
    let bodies = suspension.bodies(places)?;
    let mut flow = Flow::new(
        suspension.grid()?,
        Fluid { viscosity: 1.0 },
        &bodies,
        &settings,
    )?;
    let setup = start.elapsed().as_secs_f64();
    let solution = flow.solve(&suspension.weight(), &settings)?;
    Ok(Measurement {
        discs: suspension.discs,
        cells: suspension.cells,
        fraction: suspension.fraction(),
        setup,
        solve: start.elapsed().as_secs_f64() - setup,
        iterations: solution.iterations,
        unknowns: flow.unknowns(),
        memory: flow.memory(),
    })
}

impl Measurement {
    fn wall(&self) -> f64 {
        self.setup + self.solve
    }

    fn to_json(&self) -> Value {
        let cells = (self.cells * self.cells) as f64;
        json!({
            "discs": self.discs,
            "cells_a_side": self.cells,
            "fraction": self.fraction,
            "wall_s": self.wall(),
            "setup_s": self.setup,
            "solve_s": self.solve,
            "iterations": self.iterations,
            "unknowns": self.unknowns,
            "cells_per_s": cells / self.wall(),
            "unknowns_per_s": self.unknowns as f64 / self.wall(),
            "arrays_mib": self.memory as f64 / f64::from(1 << 20),
        })
    }
}

/// What the system tells of the process.
pub(crate) struct Gauges {
    /// Largest memory \[MiB\].
    pub(crate) peak_rss_mib: fn() -> Option<f64>,
    /// Time on all processors together \[s\].
    pub(crate) cpu_seconds: fn() -> Option<f64>,
}

/// Measures steps of discs that settle.
fn settling(threads: u16, is_json: bool, gauges: &Gauges) -> Result<(), FlowError> {
    let mut flow = SettlingSettings::SUSPENSION.suspension()?;
    let (start, cpu_start) = (Instant::now(), (gauges.cpu_seconds)());
    let (mut iterations, mut most_contacts, mut longest) = (0, 0, 0.0_f64);
    let mut least_gap = f64::INFINITY;
    for _ in 0..SETTLING_STEPS {
        let step_start = Instant::now();
        let report = flow.step()?;
        longest = longest.max(step_start.elapsed().as_secs_f64());
        iterations += report.iterations;
        most_contacts = most_contacts.max(report.contacts);
        least_gap = least_gap.min(report.least_gap / flow.grid().spacing);
    }
    let wall = start.elapsed().as_secs_f64();
    let cpu = cpu_start.and_then(|before| (gauges.cpu_seconds)().map(|after| after - before));
    let steps = f64::from(SETTLING_STEPS);
    if is_json {
        let answer = json!({
            "scene": SETTLING,
            "threads": threads,
            "discs": flow.bodies.len(),
            "cells_a_side": flow.grid().cells[0],
            "steps": SETTLING_STEPS,
            "wall_s": wall,
            "cpu_s": cpu,
            "steps_per_s": steps / wall,
            "steps_per_cpu_s": cpu.map(|cpu| steps / cpu),
            "longest_step_s": longest,
            "iterations_per_step": iterations as f64 / steps,
            "most_contacts": most_contacts,
            "least_gap_cells": least_gap,
            "peak_rss_mib": (gauges.peak_rss_mib)(),
        });
        println!("{answer}");
        return Ok(());
    }
    println!(
        "{SETTLING}: {threads} threads, {SETTLING_STEPS} steps of {} discs in {wall:.1} s ({:.1} s of processors): {:.1} steps/s, the longest {longest:.2} s",
        flow.bodies.len(),
        cpu.unwrap_or(f64::NAN),
        steps / wall,
    );
    println!(
        "{:.1} iterations a step, at most {most_contacts} contacts, least gap {least_gap:.6} cells",
        iterations as f64 / steps
    );
    Ok(())
}

/// Measures a scene.
pub(crate) fn bench(
    scene: &str,
    threads: u16,
    is_json: bool,
    gauges: &Gauges,
) -> Result<ExitCode, Failure> {
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(usize::from(threads))
        .build()
        .map_err(|error| Failure::usage(error.to_string(), "ask for fewer threads"))?;
    if scene == SETTLING {
        pool.install(|| settling(threads, is_json, gauges))?;
        return Ok(ExitCode::SUCCESS);
    }
    let (name, discs, cells) = SUSPENSIONS
        .into_iter()
        .find(|(name, ..)| *name == scene)
        .expect("only scenes of the list are asked for");
    let suspension = |discs, cells| Suspension {
        discs,
        cells,
        radius_cells: RADIUS,
        gap_cells: GAP,
        seed: 1,
    };
    let (first, later, smaller) = pool.install(|| {
        let large = suspension(discs, cells);
        let places = large.places()?;
        let first = measure(&large, &places)?;
        let moved: Vec<DVec2> = places.iter().map(|&at| at - DVec2::Y * MOVE).collect();
        let later = measure(&large, &moved)?;
        let mut smaller = Vec::new();
        for (discs, cells) in SMALLER {
            let small = suspension(discs, cells);
            smaller.push(measure(&small, &small.places()?)?);
        }
        Ok::<_, Failure>((first, later, smaller))
    })?;
    if is_json {
        let answer = json!({
            "scene": name,
            "threads": threads,
            "tolerance": TOLERANCE,
            "radius_cells": RADIUS,
            "least_gap_cells": GAP,
            "first_step": first.to_json(),
            "later_step": later.to_json(),
            "fewer_discs": smaller.iter().map(Measurement::to_json).collect::<Vec<_>>(),
            "peak_rss_mib": (gauges.peak_rss_mib)(),
        });
        println!("{answer}");
        return Ok(ExitCode::SUCCESS);
    }
    println!("{name}: {threads} threads, tolerance {TOLERANCE}");
    let line = |title: &str, m: &Measurement| {
        println!(
            "{title:<12} {:>6} discs, {:>5}² cells, φ = {:.3}: {:.2} s ({:.2} s of it setup), {} iterations, {:.0} MiB of arrays",
            m.discs,
            m.cells,
            m.fraction,
            m.wall(),
            m.setup,
            m.iterations,
            m.memory as f64 / f64::from(1 << 20),
        );
    };
    line("first step", &first);
    line("later step", &later);
    for measurement in &smaller {
        line("fewer discs", measurement);
    }
    Ok(ExitCode::SUCCESS)
}
