//! Amplification matrices of the schemes for small motions about steady sliding: as they should be, and as
//! Beguin (2020) printed and coded them.
//!
//! States are scaled, (u, Δt² a, Δt v) or (u, Δt v, Δt² a): eigenvalues do not change, and rounding stays small
//! for any step.

use crate::chain::Chain;
use crate::schemes::newmark;
use crate::spectrum::Dense;

/// A spectral radius up to this much above one counts as one: rounding of eigenvalues.
pub const STABLE: f64 = 1e-9;

/// A matrix that takes a state to the next one.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Amplification {
    /// The lagged Verlet scheme (eq. 36 of the source).
    LaggedVerlet {
        /// Factor of the damping matrix: 1, or 3 where the 1/3 of Weertman's derivative is left out.
        damping: f64,
    },
    /// The scheme of Hilber, Hughes and Taylor, one Newton iteration (eq. 32 of the source).
    Hht {
        /// α.
        alpha: f64,
        /// Factor of the damping matrix: 1; −1 with the sign of eq. 30; −3 without its 1/3 too.
        damping: f64,
        /// Whether the increment is added to the predictor, and not to the state before.
        keeps_predictor: bool,
        /// Whether K has its Δt² in the matrix of the iteration; eq. 29b leaves it out.
        has_step_squared: bool,
    },
}

/// Share of mass and friction of the nodes at both ends in a full matrix.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Ends {
    /// Share of the mass.
    pub mass: f64,
    /// Share of the friction.
    pub friction: f64,
}

impl Ends {
    /// Half of both, as in the model.
    pub const HALF: Self = Self {
        mass: 0.5,
        friction: 0.5,
    };
}

impl Amplification {
    /// The lagged Verlet scheme, correct.
    pub const LAGGED_VERLET: Self = Self::LaggedVerlet { damping: 1.0 };

    /// The scheme of Hilber, Hughes and Taylor, correct.
    pub fn hht(alpha: f64) -> Self {
        Self::Hht {
            alpha,
            damping: 1.0,
            keeps_predictor: true,
            has_step_squared: true,
        }
    }

    /// The scheme of Hilber, Hughes and Taylor as the source printed it.
    pub fn hht_as_printed(alpha: f64, damping: f64) -> Self {
        Self::Hht {
            alpha,
            damping,
            keeps_predictor: false,
            has_step_squared: false,
        }
    }

    /// The matrix of one mode: σ is friction over mass \[s⁻¹\], ω² stiffness over mass \[s⁻²\].
    pub fn mode_matrix(&self, dt: f64, sigma: f64, omega2: f64) -> [[f64; 3]; 3] {
        let b = omega2 * dt * dt;
        match *self {
            Self::LaggedVerlet { damping } => verlet_mode(damping * sigma * dt, b),
            Self::Hht {
                alpha,
                damping,
                keeps_predictor,
                has_step_squared,
            } => {
                let stiffness = if has_step_squared { b } else { omega2 };
                hht_mode(alpha, damping * sigma * dt, b, stiffness, keeps_predictor)
            }
        }
    }

    /// Spectral radius of one mode.
    pub fn mode_radius(&self, dt: f64, sigma: f64, omega2: f64) -> f64 {
        Dense::from_rows(&self.mode_matrix(dt, sigma, omega2)).spectral_radius()
    }

    /// Spectral radius for a whole chain about a speed: the largest of its modes.
    pub fn radius(&self, chain: &Chain, dt: f64, speed: f64) -> f64 {
        let sigma = chain.bed().stress_slope(speed) / chain.areal_mass();
        (0..chain.nodes())
            .map(|mode| self.mode_radius(dt, sigma, chain.mode_frequency_squared(mode)))
            .fold(
                0.0,
                |largest, radius| if radius <= largest { largest } else { radius },
            )
    }

    /// Shortest step in a range at which the radius is above one, to `1e-9` of it; none if there is none.
    ///
    /// Looks at twenty steps a decade first, so that an unstable window narrower than that is not seen.
    pub fn limit(&self, range: [f64; 2], radius: impl Fn(&Self, f64) -> f64) -> Option<f64> {
        let is_stable = |dt: f64| radius(self, dt) <= 1.0 + STABLE;
        let ratio = 1.122_018_454_301_963_3; // 10^(1/20)
        let [mut stable, end] = range;
        if !is_stable(stable) {
            return Some(stable);
        }
        let mut unstable = loop {
            if stable >= end {
                return None;
            }
            let next = (stable * ratio).min(end);
            if !is_stable(next) {
                break next;
            }
            stable = next;
        };
        while unstable - stable > 1e-9 * unstable {
            let middle = 0.5 * (stable + unstable);
            if is_stable(middle) {
                stable = middle;
            } else {
                unstable = middle;
            }
        }
        Some(stable)
    }

    /// The whole matrix, three rows for each node, as the source builds it.
    pub fn matrix(&self, chain: &Chain, dt: f64, speed: f64, ends: Ends) -> Dense {
        let parts = Parts::new(chain, dt, speed, ends);
        match *self {
            Self::LaggedVerlet { damping } => parts.verlet(damping),
            Self::Hht {
                alpha,
                damping,
                keeps_predictor,
                has_step_squared,
            } => {
                let power = if has_step_squared {
                    1.0
                } else {
                    1.0 / (dt * dt)
                };
                parts.hht(alpha, damping, power, keeps_predictor)
            }
        }
    }
}

/// On (u, Δt² a, Δt v), with s = σ Δt and b = ω² Δt².
fn verlet_mode(s: f64, b: f64) -> [[f64; 3]; 3] {
    let force = [-b, -0.5 * b, -b - s];
    [
        [1.0, 0.5, 1.0],
        force,
        [0.5 * force[0], 0.5 + 0.5 * force[1], 1.0 + 0.5 * force[2]],
    ]
}

/// On (u, Δt v, Δt² a); `stiffness` is what stands for b in the matrix of the iteration.
fn hht_mode(alpha: f64, s: f64, b: f64, stiffness: f64, keeps_predictor: bool) -> [[f64; 3]; 3] {
    let (gamma, beta) = newmark(alpha);
    let now = 1.0 + alpha;
    let pivot = 1.0 + now * gamma * s + now * beta * stiffness;
    let change = [
        -b / pivot,
        -(s + now * b) / pivot,
        -(1.0 + now * s + 0.5 * now * b) / pivot,
    ];
    let start = start_matrix(keeps_predictor);
    let gains = [beta, gamma, 1.0];
    std::array::from_fn(|i| std::array::from_fn(|j| start[i][j] + gains[i] * change[j]))
}

/// The predictor, or the identity that eq. 32 has in its place.
fn start_matrix(keeps_predictor: bool) -> [[f64; 3]; 3] {
    if keeps_predictor {
        [[1.0, 1.0, 0.5], [0.0, 1.0, 1.0], [0.0, 0.0, 1.0]]
    } else {
        [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]
    }
}

/// M, Δt C and Δt² K of a chain, over ρ H δl.
struct Parts {
    mass: Vec<f64>,
    friction: Vec<f64>,
    /// Off the diagonal of K, positive.
    spring: f64,
}

impl Parts {
    fn new(chain: &Chain, dt: f64, speed: f64, ends: Ends) -> Self {
        let nodes = chain.nodes();
        let shares = |end: f64| {
            let mut shares = vec![1.0; nodes];
            if nodes > 1 {
                (shares[0], shares[nodes - 1]) = (end, end);
            }
            shares
        };
        let s = dt * chain.bed().stress_slope(speed) / chain.areal_mass();
        Self {
            mass: shares(ends.mass),
            friction: shares(ends.friction)
                .iter()
                .map(|share| s * share)
                .collect(),
            spring: dt * dt * chain.stiffness() / chain.block_mass(),
        }
    }

    /// Entry of K.
    fn stiffness(&self, i: usize, j: usize) -> f64 {
        let last = self.mass.len() - 1;
        if i == j {
            let springs = u8::from(i > 0) + u8::from(i < last);
            self.spring * f64::from(springs)
        } else if i.abs_diff(j) == 1 {
            -self.spring
        } else {
            0.0
        }
    }

    fn verlet(&self, damping: f64) -> Dense {
        let n = self.mass.len();
        let mut matrix = Dense::zeros(3 * n);
        for i in 0..n {
            for j in 0..n {
                let unit = f64::from(u8::from(i == j));
                let b = self.stiffness(i, j) / self.mass[i];
                let s = damping * unit * self.friction[i] / self.mass[i];
                let force = [-b, -0.5 * b, -b - s];
                let rows = [
                    [unit, 0.5 * unit, unit],
                    force,
                    [
                        0.5 * force[0],
                        0.5 * (unit + force[1]),
                        unit + 0.5 * force[2],
                    ],
                ];
                set(&mut matrix, [i, j], rows);
            }
        }
        matrix
    }

    fn hht(&self, alpha: f64, damping: f64, power: f64, keeps_predictor: bool) -> Dense {
        let n = self.mass.len();
        let (gamma, beta) = newmark(alpha);
        let now = 1.0 + alpha;
        let pivot = |i: usize, j: usize| {
            let unit = f64::from(u8::from(i == j));
            unit * (self.mass[i] + now * gamma * damping * self.friction[i])
                + now * beta * power * self.stiffness(i, j)
        };
        let (start, gains) = (start_matrix(keeps_predictor), [beta, gamma, 1.0]);
        let mut matrix = Dense::zeros(3 * n);
        for j in 0..n {
            let column = |entry: &dyn Fn(usize) -> f64| {
                solve_tridiagonal(&pivot, (0..n).map(entry).collect())
            };
            let unit = |i: usize| f64::from(u8::from(i == j));
            let x = column(&|i| self.stiffness(i, j));
            let y = column(&|i| damping * unit(i) * self.friction[i]);
            let z = column(&|i| unit(i) * self.mass[i]);
            for i in 0..n {
                let change = [
                    -x[i],
                    -(y[i] + now * x[i]),
                    -(z[i] + now * y[i] + 0.5 * now * x[i]),
                ];
                let rows: [[f64; 3]; 3] = std::array::from_fn(|r| {
                    std::array::from_fn(|c| unit(i) * start[r][c] + gains[r] * change[c])
                });
                set(&mut matrix, [i, j], rows);
            }
        }
        matrix
    }
}

/// Puts the nine entries for nodes i and j where they belong: states are three vectors, one after the other.
fn set(matrix: &mut Dense, [i, j]: [usize; 2], rows: [[f64; 3]; 3]) {
    let n = matrix.size() / 3;
    for (r, row) in rows.iter().enumerate() {
        for (c, &entry) in row.iter().enumerate() {
            *matrix.at_mut(r * n + i, c * n + j) = entry;
        }
    }
}

/// Solves with a tridiagonal matrix given by its entries.
fn solve_tridiagonal(entry: &dyn Fn(usize, usize) -> f64, mut rhs: Vec<f64>) -> Vec<f64> {
    let n = rhs.len();
    let mut upper = vec![0.0; n];
    for i in 0..n {
        let (below, before) = if i > 0 {
            (entry(i, i - 1), (upper[i - 1], rhs[i - 1]))
        } else {
            (0.0, (0.0, 0.0))
        };
        let pivot = entry(i, i) - below * before.0;
        upper[i] = if i + 1 < n {
            entry(i, i + 1) / pivot
        } else {
            0.0
        };
        rhs[i] = (rhs[i] - below * before.1) / pivot;
    }
    for i in (0..n.saturating_sub(1)).rev() {
        rhs[i] -= upper[i] * rhs[i + 1];
    }
    rhs
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ChainSettings;

    fn chain() -> Chain {
        Chain::try_new(ChainSettings {
            blocks: 10,
            glacier_length: 1000.0,
            ..ChainSettings::default()
        })
        .unwrap()
    }

    #[test]
    fn the_whole_matrix_and_its_modes_have_one_radius() {
        let chain = chain();
        let speed = chain.equilibrium_velocity();
        let variants = [
            Amplification::LAGGED_VERLET,
            Amplification::LaggedVerlet { damping: 3.0 },
            Amplification::hht(-0.1),
            Amplification::hht_as_printed(-0.2, -3.0),
            Amplification::hht_as_printed(0.0, 1.0),
        ];
        for variant in variants {
            for dt in [1e-5, 3e-4, 5e-4, 0.02, 3.0] {
                let modes = variant.radius(&chain, dt, speed);
                let whole = variant
                    .matrix(&chain, dt, speed, Ends::HALF)
                    .spectral_radius();
                assert!(
                    (modes / whole - 1.0).abs() < 1e-9,
                    "{variant:?} {dt}: {modes} {whole}"
                );
            }
        }
    }

    #[test]
    fn a_limit_is_where_the_radius_passes_one() {
        let chain = chain();
        let radius = |a: &Amplification, dt| a.radius(&chain, dt, 1.125e-5);
        let limit = Amplification::LAGGED_VERLET
            .limit([1e-6, 1.0], radius)
            .unwrap();
        assert!((limit - 3.94e-4).abs() < 1e-6, "{limit}");
        assert_eq!(Amplification::hht(-0.25).limit([1e-6, 1e4], radius), None);
        assert_eq!(
            Amplification::LAGGED_VERLET.limit([1e-3, 1.0], radius),
            Some(1e-3)
        );
    }
}
