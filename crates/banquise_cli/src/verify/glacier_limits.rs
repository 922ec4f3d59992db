//! G3: amplification matrices of the glacier's schemes, as printed in Beguin 2020 and correct.

use banquise_glacier::amplification::{Amplification, Ends};
use banquise_glacier::spectrum::Dense;
use banquise_glacier::stability::{friction_limit, stable_step};
use banquise_glacier::{BedLaw, Chain, ChainSettings, Scheme};

use super::Measured;
use super::glacier::plan;
use super::reference::Reference;
use crate::failure::Failure;

/// Steady speed as the source rounds it \[m/s\].
const SPEED: f64 = 1.125e-5;
/// All steps that matter \[s\].
const STEPS: [f64; 2] = [1e-6, 1e4];
const ALPHAS: [(f64, &str); 5] = [
    (0.0, "0"),
    (-0.05, "-0.05"),
    (-0.1, "-0.1"),
    (-0.2, "-0.2"),
    (-1.0 / 3.0, "-1/3"),
];

pub(super) fn limits(reference: &Reference) -> Measured {
    let chain = plan(reference, &["glacier.length=\"5 km\"", "glacier.blocks=50"])?.chain;
    let mut measured = verlet(&chain)?;
    measured.extend(hht_variants(&chain));
    measured.extend(hht_roots());
    Ok(measured)
}

fn with(chain: &Chain, change: impl Fn(&mut ChainSettings)) -> Result<Chain, Failure> {
    let mut settings = *chain.settings();
    change(&mut settings);
    Chain::try_new(settings).map_err(Failure::Glacier)
}

/// The first unstable step by the modes; infinite if there is none.
fn limit(amplification: Amplification, chain: &Chain) -> f64 {
    let radius = |a: &Amplification, dt: f64| a.radius(chain, dt, SPEED);
    amplification.limit(STEPS, radius).unwrap_or(f64::INFINITY)
}

/// The first unstable step by whole matrices with other ends.
fn whole_limit(chain: &Chain, ends: Ends) -> f64 {
    let radius = |a: &Amplification, dt: f64| a.matrix(chain, dt, SPEED, ends).spectral_radius();
    // Whole matrices are slow: near the limit only.
    let limit = Amplification::LAGGED_VERLET.limit([1e-4, 1e-3], radius);
    limit.unwrap_or(f64::INFINITY)
}

fn verlet(chain: &Chain) -> Measured {
    let stable =
        |chain: &Chain| stable_step(chain, Scheme::LaggedVerlet, SPEED).unwrap_or(f64::INFINITY);
    let block = with(chain, |settings| settings.blocks = 1)?;
    let soft = with(chain, |settings| settings.young_modulus = 0.92e9)?;
    let smooth = with(chain, |settings| {
        (settings.bed, settings.bed_slope) = (BedLaw::NONE, 0.0);
    })?;
    let regularised = with(chain, |settings| settings.bed.linear_below = 0.1 * SPEED)?;
    let uncorrected = Amplification::LaggedVerlet { damping: 3.0 };
    let radius = |a: Amplification, dt: f64| a.radius(chain, dt, SPEED);
    let full = |mass, friction| whole_limit(chain, Ends { mass, friction });
    Ok(vec![
        ("Verlet, one block (s)".into(), stable(&block)),
        ("Verlet, chain (s)".into(), stable(chain)),
        (
            "Verlet, chain, by the whole matrix (s)".into(),
            full(0.5, 0.5),
        ),
        ("Verlet, chain, E = 0.92 GPa (s)".into(), stable(&soft)),
        (
            "Verlet, whole masses and half frictions at the ends (s)".into(),
            full(1.0, 0.5),
        ),
        (
            "Verlet, half masses and whole frictions at the ends (s)".into(),
            full(0.5, 1.0),
        ),
        ("Verlet, no friction (s)".into(), stable(&smooth)),
        (
            "Verlet, bed linear below 0.1 U (s)".into(),
            friction_limit(&regularised, 0.0),
        ),
        (
            "radius of Verlet at 3.943e-4 s".into(),
            radius(Amplification::LAGGED_VERLET, 3.943e-4),
        ),
        (
            "radius of Verlet at 4e-4 s".into(),
            radius(Amplification::LAGGED_VERLET, 4e-4),
        ),
        (
            "radius of Verlet at 3.943e-4 s, as coded".into(),
            radius(uncorrected, 3.943e-4),
        ),
        (
            "radius of Verlet at 3.84e-4 s, as coded".into(),
            radius(uncorrected, 3.84e-4),
        ),
    ])
}

fn hht_variants(chain: &Chain) -> Vec<(String, f64)> {
    let mut measured = Vec::new();
    let radius = |a: Amplification, dt: f64| a.radius(chain, dt, SPEED);
    let highest = |a: Amplification, steps: u32| {
        (0..=steps)
            .map(|k| radius(a, 1e-6 * 10_f64.powf(0.05 * f64::from(k))))
            .fold(0.0, |high, r| if r <= high { high } else { r })
    };
    for (alpha, name) in ALPHAS {
        let largest = highest(Amplification::hht(alpha), 200) - 1.0;
        measured.push((
            format!("HHT, α = {name}: largest radius over one, steps 1e-6 to 1e4 s"),
            largest,
        ));
    }
    for (alpha, name) in ALPHAS {
        let printed = limit(Amplification::hht_as_printed(alpha, -1.0), chain);
        measured.push((format!("HHT as printed, α = {name} (s)"), printed));
    }
    for (alpha, name) in ALPHAS {
        let printed = limit(Amplification::hht_as_printed(alpha, -3.0), chain);
        measured.push((
            format!("HHT as printed, without the 1/3, α = {name} (s)"),
            printed,
        ));
    }
    let variant = |alpha, damping, keeps_predictor, has_step_squared| Amplification::Hht {
        alpha,
        damping,
        keeps_predictor,
        has_step_squared,
    };
    for (alpha, name) in [ALPHAS[0], ALPHAS[4]] {
        let dropped = limit(variant(alpha, 1.0, false, true), chain);
        measured.push((
            format!("HHT without predictor, right sign, α = {name} (s)"),
            dropped,
        ));
    }
    let wrong_sign = variant(0.0, -1.0, true, true);
    let outside = Amplification::hht(0.1);
    measured.extend([
        (
            "radius of HHT with the wrong sign at 1e-6 s".into(),
            radius(wrong_sign, 1e-6),
        ),
        (
            "radius of HHT with the wrong sign at 4e-5 s".into(),
            radius(wrong_sign, 4e-5),
        ),
        (
            "HHT without Δt² on K: largest radius over one, steps 1e-6 to 1 s".into(),
            highest(variant(-0.1, 1.0, true, false), 120) - 1.0,
        ),
        ("HHT, α = +0.1 (s)".into(), limit(outside, chain)),
        (
            "radius of HHT, α = +0.1, at 1e4 s".into(),
            radius(outside, 1e4),
        ),
    ]);
    measured
}

/// Damping of what is very fast, without a chain.
fn hht_roots() -> Vec<(String, f64)> {
    let mut measured = Vec::new();
    for (alpha, name) in &ALPHAS[1..] {
        let radius = Amplification::hht(*alpha).mode_radius(1.0, 0.0, 1e14);
        measured.push((
            format!("HHT, α = {name}: radius of the fastest waves"),
            radius,
        ));
    }
    for (alpha, name) in [(0.0, "0"), (-0.25, "-1/4"), (-1.0 / 3.0, "-1/3")] {
        // The first row and column are the translation, which stays.
        let [_, [_, a, b], [_, c, d]] = Amplification::hht(alpha).mode_matrix(1.0, 1e12, 0.0);
        let radius = Dense::from_rows(&[[a, b], [c, d]]).spectral_radius();
        measured.push((format!("HHT, α = {name}: radius of stiff friction"), radius));
    }
    measured
}
