//! The spectral gap of a struck lattice in the stiff limit.
//!
//! Springs k/ε², dashpots μ/ε and a striker of mass M/ε² glued to the leftmost node, with k = μ = M = 1 and node masses m =
//! 1/n (Balasoiu 2020, chapter 6). Damping is proportional, C = ε K, so each mode of K φ = ω² M φ has the
//! eigenvalues λ² + ε ω² λ + ω² = 0. Two pinned nodes leave eight zeros; then come four slow eigenvalues, of the struck node, and the
//! fast ones of the lattice. Their ratio grows like ε⁻²: the lattice is in static equilibrium with its striker.

use banquise_geometry::DVec2;
use banquise_geometry::math::ln;

use crate::error::{FractureError, within};
use crate::lattice::triangles;
use crate::random::unit;

/// Slow eigenvalues: two directions of the struck node, two eigenvalues each.
const SLOW: usize = 4;

/// |Re λ₁₂/Re λ₁₁|, eigenvalues counted from 0 in the order of |Re λ|, for a lattice of `points` random points.
///
/// # Errors
/// Fewer than 6 or more than 300 points, or an ε that is not between 0 and 1.
pub fn spectral_gap(points: usize, epsilon: f64, seed: u64) -> Result<f64, FractureError> {
    within("points", "between 6 and 300", 6.0..=300.0, points as f64)?;
    within("ε", "between 1e-6 and 1", 1e-6..=1.0, epsilon)?;
    let frequencies = squared_frequencies(points, epsilon, seed)?;
    let mut rates: Vec<f64> = frequencies
        .iter()
        .flat_map(|&squared| decay_rates(epsilon, squared))
        .collect();
    rates.sort_by(f64::total_cmp);
    Ok(rates[SLOW] / rates[SLOW - 1])
}

/// Slope of ln(gap) against ln(ε) between two values of ε.
///
/// # Errors
/// What [`spectral_gap`] refuses.
pub fn gap_slope(points: usize, epsilons: [f64; 2], seed: u64) -> Result<f64, FractureError> {
    let [a, b] = epsilons;
    let (first, second) = (
        spectral_gap(points, a, seed)?,
        spectral_gap(points, b, seed)?,
    );
    Ok(ln(second / first) / ln(b / a))
}

/// −Re λ of both eigenvalues of a mode.
fn decay_rates(damping: f64, squared: f64) -> [f64; 2] {
    let half = 0.5 * damping * squared;
    let discriminant = half * half - squared;
    if discriminant <= 0.0 {
        return [half; 2];
    }
    let fast = half + discriminant.sqrt();
    // The product of the eigenvalues is ω²: no cancellation.
    [squared / fast, fast]
}

/// Eigenvalues ω² of the lattice without its pinned nodes.
fn squared_frequencies(points: usize, epsilon: f64, seed: u64) -> Result<Vec<f64>, FractureError> {
    let places: Vec<DVec2> = (0..points as u64)
        .map(|i| DVec2::new(unit(seed, 2 * i), unit(seed, 2 * i + 1)))
        .collect();
    let mut edges: Vec<[usize; 2]> = triangles(&places)?
        .into_iter()
        .flat_map(|[a, b, c]| [[a, b], [b, c], [a, c]].map(|[i, j]| [i.min(j), i.max(j)]))
        .collect();
    edges.sort_unstable();
    edges.dedup();
    let by_x = |a: &usize, b: &usize| places[*a].x.total_cmp(&places[*b].x);
    let struck = (0..points).min_by(by_x).unwrap_or(0);
    let pinned = (0..points).max_by(by_x).unwrap_or(0);
    let neighbours = edges.iter().filter(|edge| edge.contains(&pinned));
    let beside = neighbours.map(|[a, b]| a + b - pinned).max_by(by_x);
    let free: Vec<usize> = (0..points)
        .filter(|&node| node != pinned && Some(node) != beside)
        .collect();
    let row = |node: usize| free.binary_search(&node).ok();
    let light = 1.0 / points as f64;
    let mass = |node: usize| {
        if node == struck {
            light + 1.0 / (epsilon * epsilon)
        } else {
            light
        }
    };
    let mut matrix = vec![vec![0.0; 2 * free.len()]; 2 * free.len()];
    let stiffness = 1.0 / (epsilon * epsilon);
    for [a, b] in edges {
        let u = (places[b] - places[a]).normalize();
        let block = [[u.x * u.x, u.x * u.y], [u.y * u.x, u.y * u.y]];
        for (i, j, sign) in [(a, a, 1.0), (b, b, 1.0), (a, b, -1.0), (b, a, -1.0)] {
            if let (Some(p), Some(q)) = (row(i), row(j)) {
                let scale = sign * stiffness / (mass(i) * mass(j)).sqrt();
                for (r, values) in block.iter().enumerate() {
                    for (c, value) in values.iter().enumerate() {
                        matrix[2 * p + r][2 * q + c] += scale * value;
                    }
                }
            }
        }
    }
    Ok(eigenvalues(matrix))
}

/// Sweeps of Jacobi's method; it converges quadratically, in about ten.
const SWEEPS: usize = 60;

/// Eigenvalues of a symmetric matrix, by Jacobi rotations.
fn eigenvalues(mut a: Vec<Vec<f64>>) -> Vec<f64> {
    let n = a.len();
    for _ in 0..SWEEPS {
        let mut rotated = false;
        for p in 0..n {
            for q in p + 1..n {
                // Relative to both diagonal entries: small eigenvalues of a graded matrix keep their digits.
                let small = f64::EPSILON * (a[p][p] * a[q][q]).abs().sqrt();
                if a[p][q].abs() > small {
                    rotate(&mut a, p, q);
                    rotated = true;
                }
            }
        }
        if !rotated {
            break;
        }
    }
    (0..n).map(|i| a[i][i]).collect()
}

fn rotate(a: &mut [Vec<f64>], p: usize, q: usize) {
    let theta = (a[q][q] - a[p][p]) / (2.0 * a[p][q]);
    let t = theta.signum() / (theta.abs() + (theta * theta + 1.0).sqrt());
    let c = 1.0 / (t * t + 1.0).sqrt();
    let s = t * c;
    let shift = t * a[p][q];
    a[p][p] -= shift;
    a[q][q] += shift;
    a[p][q] = 0.0;
    a[q][p] = 0.0;
    for k in (0..a.len()).filter(|&k| k != p && k != q) {
        let (x, y) = (a[k][p], a[k][q]);
        a[k][p] = c * x - s * y;
        a[k][q] = s * x + c * y;
        a[p][k] = a[k][p];
        a[q][k] = a[k][q];
    }
}
