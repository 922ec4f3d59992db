//! The longest stable steps.
//!
//! Around a steady speed v the chain is linear, and since friction and mass have the same shares at every node it
//! falls apart into modes: u″ + σ u′ + ω² u = 0 with σ = τ′(v)/(ρ H) for all and ω from 0 to 2c/δl.

use crate::amplification::{Amplification, STABLE};
use crate::chain::Chain;
use crate::schemes::Scheme;

/// Longest step of explicit elasticity, 2/`ω_max` = δl/c \[s\]; none for a single block.
pub fn elastic_limit(chain: &Chain) -> Option<f64> {
    (chain.settings().blocks > 1).then(|| chain.spacing() / chain.wave_speed())
}

/// Longest step of lagged friction for a block at this speed, 2 ρ H/τ′(v) \[s\]; infinite without friction.
///
/// For Weertman's law this is 2 n ρ H |v|^(1−1/n)/C, and so nothing at rest.
pub fn friction_limit(chain: &Chain, speed: f64) -> f64 {
    2.0 * chain.areal_mass() / chain.bed().stress_slope(speed)
}

/// Longest stable step of a scheme for small motions about a speed \[s\]; none if there is none.
///
/// For the semi-implicit scheme the one that holds at any speed; see [`semi_implicit_limit`].
pub fn stable_step(chain: &Chain, scheme: Scheme, speed: f64) -> Option<f64> {
    match scheme {
        Scheme::LaggedVerlet => lagged_verlet_limit(chain, speed),
        Scheme::SemiImplicit => elastic_limit(chain),
        Scheme::BackwardEuler | Scheme::Hht { .. } => None,
    }
}

/// The rigid mode and the shortest one decide.
fn lagged_verlet_limit(chain: &Chain, speed: f64) -> Option<f64> {
    let sigma = chain.bed().stress_slope(speed) / chain.areal_mass();
    let highest = chain.mode_frequency_squared(chain.settings().blocks);
    let upper = friction_limit(chain, speed).min(elastic_limit(chain).unwrap_or(f64::INFINITY));
    if !upper.is_finite() {
        return None;
    }
    let is_stable = |dt: f64| {
        [0.0, highest].into_iter().all(|omega2| {
            Amplification::LAGGED_VERLET.mode_radius(dt, sigma, omega2) <= 1.0 + STABLE
        })
    };
    // Each limit alone is an upper bound of both together.
    if is_stable(upper) {
        return Some(upper);
    }
    let (mut stable, mut unstable) = (0.0, upper);
    while unstable - stable > 1e-12 * upper {
        let middle = 0.5 * (stable + unstable);
        if is_stable(middle) {
            stable = middle;
        } else {
            unstable = middle;
        }
    }
    Some(stable)
}

/// Longest stable step of the semi-implicit scheme for small motions about a speed \[s\]: (ω Δt)² ≤ 4 + 2 σ Δt.
///
/// Longer than [`elastic_limit`], since friction damps; but it shrinks as the ice speeds up.
pub fn semi_implicit_limit(chain: &Chain, speed: f64) -> Option<f64> {
    let elastic = elastic_limit(chain)?;
    let sigma = chain.bed().stress_slope(speed) / chain.areal_mass();
    let omega2 = 4.0 / (elastic * elastic);
    Some((sigma + (sigma * sigma + 4.0 * omega2).sqrt()) / omega2)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{BedLaw, ChainSettings};

    fn chain(blocks: usize, length: f64, bed: BedLaw) -> Chain {
        Chain::try_new(ChainSettings {
            blocks,
            glacier_length: length,
            bed,
            ..ChainSettings::default()
        })
        .unwrap()
    }

    #[test]
    fn the_limit_of_one_block_is_six_rho_h_over_c_not_twelve() {
        let chain = chain(1, 100.0, BedLaw::default());
        let limit = stable_step(&chain, Scheme::LaggedVerlet, 1.125e-5).unwrap();
        assert!((limit - 3.943e-4).abs() < 1e-7, "{limit}");
        let slow = stable_step(&chain, Scheme::LaggedVerlet, 4.064e-6).unwrap();
        assert!((slow - 2e-4).abs() < 1e-7, "{slow}");
    }

    #[test]
    fn the_linear_part_of_the_bed_has_its_own_limit() {
        let bed = BedLaw {
            linear_below: 0.1 * 1.125e-5,
            ..BedLaw::default()
        };
        // 2 ρ H/C_l.
        assert!((friction_limit(&chain(1, 100.0, bed), 1e-7) - 2.83e-5).abs() < 1e-7);
    }

    #[test]
    fn without_friction_the_limit_is_that_of_the_springs() {
        let settings = ChainSettings {
            bed_slope: 0.0,
            bed: BedLaw::NONE,
            blocks: 50,
            glacier_length: 5000.0,
            ..ChainSettings::default()
        };
        let chain = Chain::try_new(settings).unwrap();
        let limit = stable_step(&chain, Scheme::LaggedVerlet, 0.0).unwrap();
        assert!((limit - 0.031_972).abs() < 1e-6, "{limit}");
        assert_eq!(stable_step(&chain, Scheme::SemiImplicit, 0.0), Some(limit));
    }

    #[test]
    fn the_limit_of_the_chain_is_a_little_shorter_than_that_of_its_blocks() {
        let chain = chain(50, 5000.0, BedLaw::default());
        let limit = stable_step(&chain, Scheme::LaggedVerlet, 1.125e-5).unwrap();
        assert!((limit - 3.9418e-4).abs() < 1e-8, "{limit}");
    }
}
