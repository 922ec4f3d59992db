//! Longest stable steps and spectral radii of a chain, and the cycles of a single block.

use banquise_glacier::amplification::Amplification;
use banquise_glacier::stability::{
    elastic_limit, friction_limit, semi_implicit_limit, stable_step,
};
use banquise_glacier::{Chain, ChainSettings, ContactForce, OverLimit, Run, RunSettings, Scheme};

use super::Found;
use crate::failure::Failure;
use crate::progress::Work;

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

/// A limit for people.
pub(super) fn limit_text(limit: f64) -> String {
    if limit.is_finite() {
        format!("{limit:.4e} s")
    } else {
        "none".to_owned()
    }
}

/// Places spread evenly in their logarithm, both ends included.
pub(super) fn logarithmic([start, end]: [f64; 2], count: usize) -> Vec<f64> {
    let place = |k: usize| start * (end / start).powf(k as f64 / (count - 1) as f64);
    (0..count).map(place).collect()
}

/// Computes all of it, with a bar that shows how far it is.
pub(super) fn compute(found: &Found) -> Result<Stability, Failure> {
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

/// Limit cycles of one block.
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

/// Steps until the cycle is reached, and steps over which it is measured.
const SETTLING: u32 = 20_000;
const WATCHED: u32 = 400;
