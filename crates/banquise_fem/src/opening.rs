//! An estimate of the energy that a straight crack releases, without solving again.
//!
//! The crack is cut into cells. Between two half-planes an opening of wave number k meets the stress E k δ/4. The openings
//! of the crack are sums of cos(n π s/L), none is negative, and the energy released is the largest of
//! ∫ σ δ − ½ ∫ δ A δ, with σ the tension across the crack before it opens.

use std::f64::consts::PI;
use std::sync::LazyLock;

use banquise_geometry::math;

use crate::dense::{Dense, dot};

/// Cells along a crack.
pub(crate) const CELLS: usize = 24;

/// Wave number, in half-waves along the crack, of an opening that is the same everywhere: what the finite size of the pieces
/// leaves of their freedom to part.
const UNIFORM: f64 = 1.0;

/// Sweeps of the projected Gauss–Seidel method. The estimate needs no more than two digits.
const SWEEPS: usize = 12;

type Matrix = [[f64; CELLS]; CELLS];

/// The stiffness of openings, for E = 1.
static STIFFNESS: LazyLock<Box<Matrix>> = LazyLock::new(|| {
    let mut matrix = Box::new([[0.0; CELLS]; CELLS]);
    let scale = PI / (2.0 * (CELLS * CELLS) as f64);
    for n in 0..CELLS {
        let weight = if n == 0 { 0.5 * UNIFORM } else { n as f64 };
        let wave: [f64; CELLS] = std::array::from_fn(|i| {
            math::sin_cos(PI * n as f64 * (i as f64 + 0.5) / CELLS as f64).1
        });
        for (row, a) in matrix.iter_mut().zip(wave) {
            for (value, b) in row.iter_mut().zip(wave) {
                *value += scale * weight * a * b;
            }
        }
    }
    matrix
});

/// Tension across a crack, by cells \[Pa\]; `None` where the crack cannot open.
pub(crate) type Tension = [Option<f64>; CELLS];

/// Energy released by a crack of unit length in ice of unit thickness with E = 1 \[J\]: it goes with L²/E.
pub(crate) fn estimate(tension: &Tension) -> f64 {
    swept(tension, SWEEPS)
}

/// The inverse of the stiffness, column by column.
static COMPLIANCE: LazyLock<Box<Matrix>> = LazyLock::new(|| {
    let mut stiffness = Dense::zero(CELLS);
    for (i, row) in STIFFNESS.iter().enumerate() {
        stiffness.row_mut(i).copy_from_slice(row);
    }
    let factor = stiffness.cholesky().expect("openings cost energy");
    let mut matrix = Box::new([[0.0; CELLS]; CELLS]);
    for (i, column) in matrix.iter_mut().enumerate() {
        column[i] = 1.0;
        factor.forward(column, i);
        factor.backward(column);
    }
    matrix
});

/// An upper bound of the estimate, at a tenth of its cost: pressure does no work, and lips may overlap. Then ½ σ A⁻¹ σ is the largest of
/// ∫ σ δ − ½ ∫ δ A δ.
pub(crate) fn bound(tension: &Tension) -> f64 {
    let pull = tension.map(|pull| pull.unwrap_or(0.0).max(0.0) / CELLS as f64);
    let mut work = 0.0;
    for (own, column) in pull.iter().zip(COMPLIANCE.iter()) {
        if *own > 0.0 {
            work += own * dot(&pull, column);
        }
    }
    0.5 * work
}

fn swept(tension: &Tension, sweeps: usize) -> f64 {
    let stiffness = &**STIFFNESS;
    let mut opening = [0.0; CELLS];
    for _ in 0..sweeps {
        for (i, row) in stiffness.iter().enumerate() {
            let Some(pull) = tension[i] else { continue };
            let rest = pull / CELLS as f64 - dot(row, &opening);
            opening[i] = (opening[i] + rest / row[i]).max(0.0);
        }
    }
    let mut work = 0.0;
    for (pull, opening) in tension.iter().zip(opening) {
        work += pull.unwrap_or(0.0) * opening;
    }
    // At the maximum the elastic energy is half of the work.
    0.5 * work / CELLS as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wave_of_tension_releases_what_half_planes_give() {
        // Under 1 + cos(2 π s/L)/10 all of the crack is open: the wave adds L²/100/(n π E) with n = 2 to the uniform part,
        // 2 L²/(π UNIFORM E).
        let wave = |i: usize| math::sin_cos(PI * 2.0 * (i as f64 + 0.5) / CELLS as f64).1;
        let uniform = swept(&[Some(1.0); CELLS], 1000);
        let waved = swept(&std::array::from_fn(|i| Some(1.0 + 0.1 * wave(i))), 1000);
        let added = 0.01 / (2.0 * PI);
        assert!(
            ((waved - uniform) / added - 1.0).abs() < 1e-6,
            "{waved} {uniform}"
        );
        assert!(
            (uniform / (2.0 / (PI * UNIFORM)) - 1.0).abs() < 1e-6,
            "{uniform}"
        );
        // Twelve sweeps are within a quarter: enough to rank cracks.
        let quick = estimate(&[Some(1.0); CELLS]);
        assert!(
            quick < uniform && quick > 0.75 * uniform,
            "{quick} {uniform}"
        );
    }

    #[test]
    fn a_crack_under_pressure_releases_nothing_and_one_that_is_tied_less() {
        assert_eq!(estimate(&[Some(-1.0); CELLS]), 0.0);
        let free = estimate(&[Some(1.0); CELLS]);
        let tied = estimate(&std::array::from_fn(|i| (i > 2).then_some(1.0)));
        assert!(tied > 0.0 && tied < 0.9 * free, "{tied} {free}");
    }

    #[test]
    fn no_estimate_is_above_its_bound_which_is_sharp_for_open_cracks() {
        let wave = |i: usize, k: f64| math::sin_cos(k * (i as f64 + 0.3)).0;
        for k in 1..200 {
            let k = 0.05 * f64::from(k);
            let tension = std::array::from_fn(|i| (i % 7 != 3).then(|| wave(i, k) + wave(i, 0.31)));
            let (found, bound) = (swept(&tension, 1000), bound(&tension));
            assert!(found <= bound * (1.0 + 1e-12), "{k}: {found} {bound}");
        }
        let open = [Some(1.0); CELLS];
        assert!((bound(&open) / swept(&open, 1000) - 1.0).abs() < 1e-9);
    }
}
