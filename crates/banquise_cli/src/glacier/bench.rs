//! `banquise bench glacier`: cost of the HHT scheme against blocks and steps, on one core.

use std::process::ExitCode;
use std::time::Instant;

use banquise_glacier::{Chain, ChainSettings, ContactForce, ForceTable, Run, RunSettings, Scheme};
use serde_json::{Value, json};

use crate::failure::Failure;
use crate::progress::Work;

/// Step \[s\].
const STEP: f64 = 0.1;
/// The scene that the others are compared with: 300 s of ten thousand blocks.
const BLOCKS: usize = 10_000;
const STEPS: u32 = 3000;
/// Length of a block \[m\] where the glacier is made longer.
const BLOCK: f64 = 25.0;
/// Length of the glacier \[m\] where blocks are made smaller.
const LENGTH: f64 = 2000.0;
/// Blocks with their steps, for the cost against blocks.
const LONGER: [(usize, u32); 4] = [
    (1_000, 400),
    (10_000, 400),
    (100_000, 200),
    (1_000_000, 100),
];
/// Blocks with their steps, for the cost against the size of blocks.
const FINER: [(usize, u32); 3] = [(1_000, 400), (10_000, 400), (100_000, 400)];
/// Steps of the scene's blocks, for the cost against steps.
const LASTING: [u32; 4] = [100, 300, 1000, 3000];
/// Pushes in a row \[s\], so that runs of any length meet the same flow.
const PERIOD: f64 = 10.0;

/// One run.
struct Measurement {
    blocks: usize,
    steps: u32,
    wall: f64,
    /// Time on the processor \[s\], where the system tells; else the time of the clock.
    cpu: f64,
    iterations: u64,
    gap: f64,
}

impl Measurement {
    /// Time on the processor for one block and step \[ns\].
    fn nanoseconds(&self) -> f64 {
        1e9 * self.cpu / (self.blocks as f64 * f64::from(self.steps))
    }

    fn to_json(&self) -> Value {
        json!({
            "blocks": self.blocks,
            "steps": self.steps,
            "wall_s": self.wall,
            "cpu_s": self.cpu,
            "ns_per_block_step": self.nanoseconds(),
            "iterations_per_step": self.iterations as f64 / f64::from(self.steps),
        })
    }
}

/// Time this thread has been on a processor \[s\].
fn cpu_seconds() -> Option<f64> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    let nanoseconds: f64 = text.split_whitespace().next()?.parse().ok()?;
    Some(1e-9 * nanoseconds)
}

/// A sequence of contact forces, rising and falling.
fn pushes(end: f64) -> Result<ContactForce, Failure> {
    let count = (2.0 * end / PERIOD).ceil() as usize + 1;
    let sample = |k: usize| [0.5 * PERIOD * k as f64, if k % 2 == 1 { 30e6 } else { 0.0 }];
    let table = ForceTable::try_new((0..=count).map(sample).collect());
    table.map(ContactForce::Table).map_err(Failure::Glacier)
}

fn measure(blocks: usize, steps: u32, glacier_length: f64) -> Result<Measurement, Failure> {
    let settings = ChainSettings {
        blocks,
        glacier_length,
        ..ChainSettings::default()
    };
    let chain = Chain::try_new(settings).map_err(Failure::Glacier)?;
    let load = pushes(STEP * f64::from(steps))?;
    let settings = RunSettings::new(Scheme::Hht { alpha: -0.25 }, STEP);
    let mut run = Run::try_new(chain, load, settings).map_err(Failure::Glacier)?;
    let (start, before) = (Instant::now(), cpu_seconds());
    for _ in 0..steps {
        run.step().map_err(Failure::Glacier)?;
    }
    let wall = start.elapsed().as_secs_f64();
    let cpu = before
        .zip(cpu_seconds())
        .map(|(before, after)| after - before);
    Ok(Measurement {
        blocks,
        steps,
        wall,
        cpu: cpu.unwrap_or(wall),
        iterations: run.totals().iterations,
        gap: run.totals().largest_gap,
    })
}

pub(crate) fn bench(
    is_json: bool,
    peak_rss_mib: impl Fn() -> Option<f64>,
) -> Result<ExitCode, Failure> {
    let work = Work::new(1 + LONGER.len() + FINER.len() + LASTING.len());
    let measure = |blocks: usize, steps: u32, length: f64| {
        let measurement = measure(blocks, steps, length);
        work.done();
        measurement
    };
    let scene = measure(BLOCKS, STEPS, LENGTH)?;
    let longer = LONGER.map(|(blocks, steps)| measure(blocks, steps, BLOCK * blocks as f64));
    let finer = FINER.map(|(blocks, steps)| measure(blocks, steps, LENGTH));
    let lasting = LASTING.map(|steps| measure(BLOCKS, steps, BLOCK * BLOCKS as f64));
    let all =
        |runs: Vec<Result<Measurement, Failure>>| runs.into_iter().collect::<Result<Vec<_>, _>>();
    let tables = [
        ("against_blocks", "more blocks of 25 m", all(longer.into())?),
        (
            "against_block_size",
            "smaller blocks, 2 km",
            all(finer.into())?,
        ),
        ("against_steps", "more steps", all(lasting.into())?),
    ];
    work.clear();
    let simulated = STEP * f64::from(STEPS);
    if is_json {
        let mut answer = json!({
                "scene": "glacier",
                "threads": 1,
                "floes": scene.blocks,
                "steps": scene.steps,
                "simulated_s": simulated,
                "wall_s": scene.wall,
                "cpu_s": scene.cpu,
                "ratio": simulated / scene.wall,
                "stage_ms": {"step": 1e3 * scene.wall},
                "contacts": 0,
                "unsolved": 0,
                "max_residual": scene.gap,
                "max_overlap_m": 0.0,
                "peak_rss_mib": peak_rss_mib(),
        });
        for (key, _, runs) in &tables {
            answer[*key] = runs.iter().map(Measurement::to_json).collect();
        }
        println!("{answer}");
        return Ok(ExitCode::SUCCESS);
    }
    println!(
        "glacier: {} blocks, {} steps of {STEP} s, 1 thread, {:.3} s ({:.3} s on the processor), {:.0} times real time",
        scene.blocks,
        scene.steps,
        scene.wall,
        scene.cpu,
        simulated / scene.wall
    );
    for (_, title, runs) in &tables {
        println!(
            "{title:<22} {:>8} {:>8} {:>22} {:>16}",
            "steps", "cpu s", "ns per block and step", "iterations/step"
        );
        for run in runs {
            println!(
                "{:>22} {:>8} {:>8.3} {:>22.1} {:>16.2}",
                run.blocks,
                run.steps,
                run.cpu,
                run.nanoseconds(),
                run.iterations as f64 / f64::from(run.steps)
            );
        }
    }
    Ok(ExitCode::SUCCESS)
}
