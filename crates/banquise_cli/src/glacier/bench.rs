//! `banquise bench glacier`: cost of the HHT scheme against blocks and steps, on one core.

use std::process::ExitCode;
use std::time::Instant;

use banquise::glacier::{Chain, ChainSettings, ContactForce, Run, RunSettings, Scheme};
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
    (1_000, 3000),
    (10_000, 1000),
    (100_000, 300),
    (1_000_000, 100),
];
/// Blocks with their steps, for the cost against the size of blocks.
const FINER: [(usize, u32); 3] = [(1_000, 1000), (10_000, 1000), (100_000, 1000)];
/// Steps of the scene's blocks, for the cost against steps.
const LASTING: [u32; 4] = [100, 300, 1000, 3000];

/// One run.
struct Measurement {
    blocks: usize,
    steps: u32,
    wall: f64,
    iterations: u64,
    gap: f64,
}

impl Measurement {
    /// Time for one block and step \[ns\].
    fn nanoseconds(&self) -> f64 {
        1e9 * self.wall / (self.blocks as f64 * f64::from(self.steps))
    }

    fn to_json(&self) -> Value {
        json!({
            "blocks": self.blocks,
            "steps": self.steps,
            "wall_s": self.wall,
            "ns_per_block_step": self.nanoseconds(),
            "iterations_per_step": self.iterations as f64 / f64::from(self.steps),
        })
    }
}

/// The push lasts as long as the run, so that runs of any length meet the same flow.
fn measure(blocks: usize, steps: u32, glacier_length: f64) -> Result<Measurement, Failure> {
    let settings = ChainSettings {
        blocks,
        glacier_length,
        ..ChainSettings::default()
    };
    let chain = Chain::try_new(settings).map_err(Failure::Glacier)?;
    let load = ContactForce::Pulse {
        peak: 30e6,
        start: 0.0,
        duration: STEP * f64::from(steps),
    };
    let settings = RunSettings::new(Scheme::Hht { alpha: -0.25 }, STEP);
    let mut run = Run::try_new(chain, load, settings).map_err(Failure::Glacier)?;
    let start = Instant::now();
    for _ in 0..steps {
        run.step().map_err(Failure::Glacier)?;
    }
    Ok(Measurement {
        blocks,
        steps,
        wall: start.elapsed().as_secs_f64(),
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
        "glacier: {} blocks, {} steps of {STEP} s, 1 thread, {:.3} s, {:.0} times real time",
        scene.blocks,
        scene.steps,
        scene.wall,
        simulated / scene.wall
    );
    for (_, title, runs) in &tables {
        println!(
            "{title:<22} {:>8} {:>8} {:>22} {:>16}",
            "steps", "s", "ns per block and step", "iterations/step"
        );
        for run in runs {
            println!(
                "{:>22} {:>8} {:>8.3} {:>22.1} {:>16.2}",
                run.blocks,
                run.steps,
                run.wall,
                run.nanoseconds(),
                run.iterations as f64 / f64::from(run.steps)
            );
        }
    }
    Ok(ExitCode::SUCCESS)
}
