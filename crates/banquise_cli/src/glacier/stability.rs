//! `banquise glacier stability`: amplification matrices as the source printed them, and correct ones.

use std::process::ExitCode;

use banquise_glacier::amplification::Amplification;
use banquise_glacier::stability::{
    elastic_limit, friction_limit, semi_implicit_limit, stable_step,
};
use banquise_glacier::{Chain, ChainSettings, ContactForce, OverLimit, Run, RunSettings, Scheme};
use serde_json::json;

use super::arguments::StudyArguments;
use super::output::{Output, csv};
use super::{Found, find, stability_page};
use crate::failure::Failure;
use crate::progress::Work;

/// The chain of the source's section 5, where no scenario is named.
const USUAL: [&str; 3] = [
    "glacier.length=\"5 km\"",
    "glacier.blocks=50",
    "glacier.initial_speed=\"1.125e-5 m/s\"",
];
/// Steps of the curves \[s\]: ten decades.
const STEPS: [f64; 2] = [1e-6, 1e4];
const PER_DECADE: usize = 40;
/// Steps of the maps \[s\], as in the source's figure 20.
const MAP_STEPS: [f64; 2] = [1e-6, 1.0];
const MAP_COLUMNS: usize = 120;
const MAP_ROWS: usize = 30;
/// α of the curves.
pub(super) const ALPHAS: [f64; 5] = [0.0, -0.05, -0.1, -0.2, -1.0 / 3.0];
/// Steps of the single block \[s\], and how many are tried.
const CYCLE_STEPS: [f64; 2] = [2e-4, 5e-2];
const CYCLES: usize = 80;

/// Spectral radius against step and α.
pub(super) struct RadiusMap {
    pub(super) steps: Vec<f64>,
    pub(super) alphas: Vec<f64>,
    pub(super) values: Vec<Vec<f64>>,
}

/// All that is computed.
pub(super) struct Stability {
    pub(super) speed: f64,
    /// Longest stable steps \[s\] by name; infinite if there is none.
    pub(super) limits: Vec<(&'static str, f64)>,
    /// Steps of the curves, and spectral radii by name.
    pub(super) steps: Vec<f64>,
    pub(super) radii: Vec<(String, Vec<f64>)>,
    pub(super) printed_map: RadiusMap,
    pub(super) correct_map: RadiusMap,
    /// Step, mean, lowest and highest speed over steady, of one block by the lagged Verlet scheme.
    pub(super) cycles: Vec<[f64; 4]>,
}

impl Stability {
    /// A limit by its name \[s\].
    pub(super) fn limit(&self, name: &str) -> f64 {
        let found = self.limits.iter().find(|(known, _)| *known == name);
        found.map_or(f64::NAN, |(_, limit)| *limit)
    }
}

pub(super) fn stability(arguments: &StudyArguments) -> Result<ExitCode, Failure> {
    let found = find_usual(arguments)?;
    let output = Output::create(arguments, "glacier-stability")?;
    let study = compute(&found)?;
    let mut header = vec!["step [s]".to_owned()];
    header.extend(
        study
            .radii
            .iter()
            .map(|(name, _)| format!("radius: {name}")),
    );
    let rows: Vec<Vec<f64>> = (0..study.steps.len())
        .map(|k| {
            let radii = study.radii.iter().map(|(_, radii)| radii[k]);
            std::iter::once(study.steps[k]).chain(radii).collect()
        })
        .collect();
    output.write("radii.csv", &csv(&header, &rows))?;
    let header = ["step [s]", "mean speed over steady", "lowest", "highest"].map(str::to_owned);
    let rows: Vec<Vec<f64>> = study.cycles.iter().map(|row| row.to_vec()).collect();
    output.write("cycles.csv", &csv(&header, &rows))?;
    output.write("map.csv", &map_csv(&study))?;
    let (page, figures) = stability_page::page(&found, arguments, &study);
    for (name, limit) in &study.limits {
        eprintln!("{name}: {}", limit_text(*limit));
    }
    let report = output.finish(&page, &figures)?;
    if arguments.json {
        let limits: serde_json::Map<_, _> = study
            .limits
            .iter()
            .map(|(name, limit)| {
                (
                    (*name).to_owned(),
                    json!(limit.is_finite().then_some(limit)),
                )
            })
            .collect();
        println!(
            "{}",
            json!({
                "directory": output.directory,
                "report": report,
                "speed_m_per_s": study.speed,
                "limits_s": limits,
                "cycles": study.cycles,
            })
        );
    }
    Ok(ExitCode::SUCCESS)
}

/// A limit for people.
pub(super) fn limit_text(limit: f64) -> String {
    if limit.is_finite() {
        format!("{limit:.4e} s")
    } else {
        "none".to_owned()
    }
}

fn find_usual(arguments: &StudyArguments) -> Result<Found, Failure> {
    match &arguments.scenario {
        Some(scenario) => find(scenario, &arguments.set),
        None => {
            let usual = USUAL.iter().map(|&key| key.to_owned());
            let overrides: Vec<String> = usual.chain(arguments.set.iter().cloned()).collect();
            find("glacier-pulse", &overrides)
        }
    }
}

fn map_csv(study: &Stability) -> String {
    let header = ["step [s]", "alpha", "radius as printed", "radius correct"].map(str::to_owned);
    let (printed, correct) = (&study.printed_map, &study.correct_map);
    let mut rows = Vec::new();
    for (row, &alpha) in printed.alphas.iter().enumerate() {
        for (column, &step) in printed.steps.iter().enumerate() {
            let radii = [printed.values[row][column], correct.values[row][column]];
            rows.push(vec![step, alpha, radii[0], radii[1]]);
        }
    }
    csv(&header, &rows)
}

/// Places spread evenly in their logarithm, both ends included.
pub(super) fn logarithmic([start, end]: [f64; 2], count: usize) -> Vec<f64> {
    let place = |k: usize| start * (end / start).powf(k as f64 / (count - 1) as f64);
    (0..count).map(place).collect()
}

fn compute(found: &Found) -> Result<Stability, Failure> {
    let chain = &found.plan.chain;
    let velocity = found.plan.settings.initial_velocity;
    let speed = velocity.unwrap_or(chain.equilibrium_velocity()).abs();
    let decades = (STEPS[1] / STEPS[0]).log10().round() as usize;
    let steps = logarithmic(STEPS, decades * PER_DECADE + 1);
    let work = Work::new(2 * MAP_ROWS + 3 * ALPHAS.len() + CYCLES);
    let curve = |amplification: Amplification| -> Vec<f64> {
        let radius = |&dt: &f64| amplification.radius(chain, dt, speed);
        let radii = steps.iter().map(radius).collect();
        work.done();
        radii
    };
    let smooth = frictionless(chain)?;
    let mut radii = vec![
        ("Verlet".to_owned(), curve(Amplification::LAGGED_VERLET)),
        (
            "Verlet as coded, without the 1/3".to_owned(),
            curve(Amplification::LaggedVerlet { damping: 3.0 }),
        ),
        (
            "Verlet without friction".to_owned(),
            steps
                .iter()
                .map(|&dt| Amplification::LAGGED_VERLET.radius(&smooth, dt, 0.0))
                .collect(),
        ),
    ];
    for alpha in ALPHAS {
        let name = format!("HHT, α = {}", alpha_text(alpha));
        radii.push((name, curve(Amplification::hht(alpha))));
    }
    for alpha in ALPHAS {
        let name = format!("HHT as printed, α = {}", alpha_text(alpha));
        radii.push((name, curve(Amplification::hht_as_printed(alpha, -3.0))));
    }
    let printed_map = map(
        chain,
        speed,
        &|alpha| Amplification::hht_as_printed(alpha, -3.0),
        &work,
    );
    let correct_map = map(chain, speed, &Amplification::hht, &work);
    let cycles = cycles(chain, &work)?;
    work.clear();
    Ok(Stability {
        speed,
        limits: limits(chain, &smooth, speed)?,
        steps,
        radii,
        printed_map,
        correct_map,
        cycles,
    })
}

/// α as people write it.
pub(super) fn alpha_text(alpha: f64) -> String {
    if (alpha + 1.0 / 3.0).abs() < 1e-12 {
        "−1/3".to_owned()
    } else {
        format!("{alpha}").replace('-', "−")
    }
}

fn frictionless(chain: &Chain) -> Result<Chain, Failure> {
    let settings = ChainSettings {
        bed: banquise_glacier::BedLaw::NONE,
        bed_slope: 0.0,
        ..*chain.settings()
    };
    Chain::try_new(settings).map_err(Failure::Glacier)
}

/// One block of the chain, without springs.
fn single_block(chain: &Chain) -> Result<Chain, Failure> {
    let settings = ChainSettings {
        blocks: 1,
        glacier_length: chain.spacing(),
        ..*chain.settings()
    };
    Chain::try_new(settings).map_err(Failure::Glacier)
}

fn limits(chain: &Chain, smooth: &Chain, speed: f64) -> Result<Vec<(&'static str, f64)>, Failure> {
    let first = |amplification: Amplification| {
        let radius = |a: &Amplification, dt: f64| a.radius(chain, dt, speed);
        amplification.limit(STEPS, radius).unwrap_or(f64::INFINITY)
    };
    let stable = |chain: &Chain, speed: f64| {
        stable_step(chain, Scheme::LaggedVerlet, speed).unwrap_or(f64::INFINITY)
    };
    let block = single_block(chain)?;
    let lowest = ALPHAS.iter().map(|&alpha| first(Amplification::hht(alpha)));
    Ok(vec![
        ("Verlet, one block", stable(&block, speed)),
        ("Verlet, chain", stable(chain, speed)),
        (
            "Verlet, one block, by the source's eq. 10",
            2.0 * friction_limit(&block, speed),
        ),
        ("Verlet without friction", stable(smooth, 0.0)),
        (
            "semi-implicit, at any speed",
            elastic_limit(chain).unwrap_or(f64::INFINITY),
        ),
        (
            "semi-implicit, small motions",
            semi_implicit_limit(chain, speed).unwrap_or(f64::INFINITY),
        ),
        (
            "HHT, any α in [−1/3, 0]",
            lowest.fold(f64::INFINITY, f64::min),
        ),
        (
            "HHT as printed",
            first(Amplification::hht_as_printed(-0.1, -1.0)),
        ),
        (
            "HHT as printed, without the 1/3",
            first(Amplification::hht_as_printed(-0.1, -3.0)),
        ),
        ("HHT, α = +0.1", first(Amplification::hht(0.1))),
    ])
}

fn map(
    chain: &Chain,
    speed: f64,
    variant: &dyn Fn(f64) -> Amplification,
    work: &Work,
) -> RadiusMap {
    let steps = logarithmic(MAP_STEPS, MAP_COLUMNS);
    let place = |k: usize| -1.0 / 3.0 * (1.0 - k as f64 / (MAP_ROWS - 1) as f64);
    let alphas: Vec<f64> = (0..MAP_ROWS).map(place).collect();
    let row = |&alpha: &f64| -> Vec<f64> {
        let amplification = variant(alpha);
        work.done();
        steps
            .iter()
            .map(|&dt| amplification.radius(chain, dt, speed))
            .collect()
    };
    RadiusMap {
        values: alphas.iter().map(row).collect(),
        steps,
        alphas,
    }
}

/// What one block does once it has settled.
fn cycles(chain: &Chain, work: &Work) -> Result<Vec<[f64; 4]>, Failure> {
    let block = single_block(chain)?;
    let steady = block.equilibrium_velocity();
    if steady == 0.0 {
        return Ok(Vec::new());
    }
    let mut cycles = Vec::new();
    for dt in logarithmic(CYCLE_STEPS, CYCLES) {
        let settings = RunSettings {
            over_limit: OverLimit::Warn,
            // A little off, so that a growing mode has something to grow from.
            initial_velocity: Some(1.001 * steady),
            ..RunSettings::new(Scheme::LaggedVerlet, dt)
        };
        let mut run =
            Run::try_new(block.clone(), ContactForce::None, settings).map_err(Failure::Glacier)?;
        for _ in 0..SETTLING {
            run.step().map_err(Failure::Glacier)?;
        }
        let (mut sum, mut low, mut high) = (0.0, f64::INFINITY, f64::NEG_INFINITY);
        for _ in 0..WATCHED {
            run.step().map_err(Failure::Glacier)?;
            let speed = run.state().velocity[0] / steady;
            sum += speed;
            (low, high) = (low.min(speed), high.max(speed));
        }
        cycles.push([dt, sum / f64::from(WATCHED), low, high]);
        work.done();
    }
    Ok(cycles)
}

/// Steps in which the cycle is reached, and those that are looked at.
const SETTLING: u32 = 20_000;
const WATCHED: u32 = 400;
