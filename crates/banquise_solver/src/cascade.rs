//! Which method solves a friction problem, and what happens when one fails.
//!
//! The written policy: closed form for one or two contacts; Lemke's method, then Lemke's method along
//! other paths; Gauss–Seidel with Newton; a perturbed problem, judged by the original; and last
//! the convex relaxation, which always has a solution. For many contacts Gauss–Seidel with Newton
//! comes first, and a sequence of convex problems is tried when pivoting fails or would take too
//! long. Every attempt is judged by the one residual; the first within tolerance is taken.
//! Nothing is skipped silently: the outcome says which method it was and how many were tried.

use crate::bipotential::bipotential;
use crate::friction_lcp::{friction_lcp, impulses_from_lcp};
use crate::gauss_seidel::{Reached, gauss_seidel, newton};
use crate::lcp::{LemkeSettings, lemke_with};
use crate::local::LocalProblem;
use crate::relaxation::relax;
use crate::residual::scaled_residual;
use crate::single::solve_single;
use crate::states;

/// How impulses were found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Method {
    /// There was nothing to solve: no contact approaches.
    Trivial,
    /// All states of one or two contacts.
    ClosedForm,
    /// Lemke's method.
    Lemke,
    /// Lemke's method along another path.
    LemkeOtherPath,
    /// Gauss–Seidel with Newton's method.
    GaussSeidelNewton,
    /// A sequence of convex problems, with Newton's method: for many contacts.
    Bipotential,
    /// Lemke's method with fresh factors at every pivot, on the problem or one slightly perturbed.
    LemkePerturbed,
    /// The convex relaxation: not a solution of the friction problem itself.
    Relaxation,
}

impl Method {
    /// All methods, in order of the policy.
    pub const ALL: [Self; 8] = [
        Self::Trivial,
        Self::ClosedForm,
        Self::Lemke,
        Self::LemkeOtherPath,
        Self::GaussSeidelNewton,
        Self::Bipotential,
        Self::LemkePerturbed,
        Self::Relaxation,
    ];

    /// The name in reports and files.
    pub fn name(self) -> &'static str {
        match self {
            Self::Trivial => "trivial",
            Self::ClosedForm => "closed_form",
            Self::Lemke => "lemke",
            Self::LemkeOtherPath => "lemke_other_path",
            Self::GaussSeidelNewton => "gauss_seidel_newton",
            Self::Bipotential => "bipotential",
            Self::LemkePerturbed => "lemke_perturbed",
            Self::Relaxation => "relaxation",
        }
    }
}

/// What came out.
#[derive(Debug, Clone, PartialEq)]
pub struct LocalSolution {
    /// Impulses, normal then tangential for each contact \[N s\].
    pub impulses: Vec<f64>,
    /// The method that found them.
    pub method: Method,
    /// The scaled residual, by the one judge.
    pub residual: f64,
    /// Pivots of Lemke's method, all attempts together.
    pub pivots: usize,
}

impl LocalSolution {
    /// Whether the impulses solve the friction problem.
    pub fn is_solved(&self) -> bool {
        self.residual <= ACCEPTABLE
    }
}

/// A residual within this is a solution to round-off.
const TOLERANCE: f64 = 1e-12;
/// The best of all attempts is a solution if its residual is within this.
pub(crate) const ACCEPTABLE: f64 = 1e-9;
/// Contacts from which Gauss–Seidel with Newton comes first.
const MANY: usize = 60;
/// Sweeps of Gauss–Seidel, after pivoting has failed for few contacts, and before it for many.
const SWEEPS_OF_FEW: usize = 2000;
const SWEEPS_OF_MANY: usize = 320;
/// Contacts beyond which pivoting, whose work grows with their cube, is not tried: seconds.
const TOO_MANY_TO_PIVOT: usize = 400;
/// Relative size of a perturbation, and how many are tried.
const PERTURBATION: f64 = 1e-10;
const PERTURBATIONS: u32 = 8;

/// Solves a friction problem.
pub fn solve_local(problem: &LocalProblem) -> LocalSolution {
    let (scaled, scaling) = problem.scaled();
    let mut attempts = Attempts::new(&scaled);
    attempts.run();
    let Attempts {
        best,
        method,
        pivots,
        ..
    } = attempts;
    LocalSolution {
        impulses: scaling.unscale(&best.impulses),
        method,
        residual: best.residual,
        pivots,
    }
}

struct Attempts<'a> {
    problem: &'a LocalProblem,
    best: Reached,
    method: Method,
    pivots: usize,
}

impl<'a> Attempts<'a> {
    fn new(problem: &'a LocalProblem) -> Self {
        let impulses = vec![0.0; 2 * problem.contact_count()];
        let residual = scaled_residual(problem, &impulses);
        let best = Reached {
            impulses,
            residual,
            sweeps: 0,
        };
        Self {
            problem,
            best,
            method: Method::Trivial,
            pivots: 0,
        }
    }

    fn is_done(&self) -> bool {
        self.best.residual <= TOLERANCE
    }

    fn run(&mut self) {
        let count = self.problem.contact_count();
        if self.is_done() {
            return;
        }
        match count {
            1 => self.single(),
            2 => {
                if let Some((impulses, residual)) = states::enumerate(self.problem, TOLERANCE) {
                    self.offer(impulses, residual, Method::ClosedForm);
                }
            }
            _ => {}
        }
        if count > MANY && !self.is_done() {
            self.gauss_seidel(SWEEPS_OF_MANY);
        }
        if count <= TOO_MANY_TO_PIVOT && !self.is_done() {
            self.lemke();
        }
        if count <= MANY && !self.is_done() {
            self.gauss_seidel(SWEEPS_OF_FEW);
        }
        if count > MANY && self.best.residual > ACCEPTABLE {
            self.bipotential();
        }
        if count <= MANY && self.best.residual > ACCEPTABLE {
            self.perturbed();
        }
        if self.best.residual > ACCEPTABLE {
            self.relaxation();
        }
    }

    /// Whatever its residual: it is in the cone and adds no energy. Only an operator that is none,
    /// not positive semi-definite, can make it diverge.
    fn relaxation(&mut self) {
        let impulses = relax(self.problem);
        if impulses.iter().all(|impulse| impulse.is_finite()) {
            self.best.residual = scaled_residual(self.problem, &impulses);
            self.best.impulses = impulses;
            self.method = Method::Relaxation;
        }
    }

    fn offer(&mut self, impulses: Vec<f64>, residual: f64, method: Method) {
        if residual < self.best.residual {
            self.best = Reached {
                impulses,
                residual,
                sweeps: 0,
            };
            self.method = method;
        }
    }

    fn single(&mut self) {
        let w = &self.problem.delassus;
        let block = [[w.get(0, 0), w.get(0, 1)], [w.get(1, 0), w.get(1, 1)]];
        let free = [self.problem.free_velocity[0], self.problem.free_velocity[1]];
        let (friction, carried) = (self.problem.friction[0], self.problem.carried[0]);
        let impulses = solve_single(block, free, friction, carried).to_vec();
        let residual = scaled_residual(self.problem, &impulses);
        self.offer(impulses, residual, Method::ClosedForm);
    }

    /// Lemke's method with covering vectors of different shape, which lead along different paths.
    fn lemke(&mut self) {
        let size = 4 * self.problem.contact_count();
        let ramp = |index: usize| 1.0 + index as f64 / size as f64;
        let usual = LemkeSettings::usual(size);
        let paths = [
            (usual.cover.clone(), Method::Lemke),
            ((0..size).map(ramp).collect(), Method::LemkeOtherPath),
            ((0..size).rev().map(ramp).collect(), Method::LemkeOtherPath),
        ];
        for (cover, method) in paths {
            let settings = LemkeSettings {
                cover,
                ..usual.clone()
            };
            self.lemke_along(self.problem, &settings, method);
            if self.is_done() {
                return;
            }
        }
    }

    /// One path, on this problem or a neighbour of it; Newton's method removes what rounding left.
    fn lemke_along(&mut self, problem: &LocalProblem, settings: &LemkeSettings, method: Method) {
        let found = lemke_with(&friction_lcp(problem), settings);
        self.pivots += found.pivots;
        // Whatever the status: a path that rounding ends in a ray often ends it at a solution.
        let impulses = impulses_from_lcp(&found.z);
        let residual = scaled_residual(self.problem, &impulses);
        let mut reached = Reached {
            impulses,
            residual,
            sweeps: 0,
        };
        if residual > TOLERANCE {
            let start = reached.impulses.clone();
            newton(self.problem, &start, TOLERANCE, &mut reached);
        }
        self.offer(reached.impulses, reached.residual, method);
    }

    fn gauss_seidel(&mut self, max_sweeps: usize) {
        let reached = gauss_seidel(self.problem, TOLERANCE, max_sweeps);
        let Reached {
            impulses, residual, ..
        } = reached;
        self.offer(impulses, residual, Method::GaussSeidelNewton);
    }

    fn bipotential(&mut self) {
        let mut reached = Reached {
            impulses: self.best.impulses.clone(),
            residual: self.best.residual,
            sweeps: 0,
        };
        bipotential(self.problem, TOLERANCE, &mut reached);
        self.offer(reached.impulses, reached.residual, Method::Bipotential);
    }

    /// Careful paths, with a fresh inverse at every pivot and a covering vector of their own: first on
    /// the problem itself, then with its operator changed by a relative 1e-10, each in a fixed
    /// pattern.
    fn perturbed(&mut self) {
        let size = 2 * self.problem.contact_count();
        for attempt in 0..2 * PERTURBATIONS {
            let mut neighbour = self.problem.clone();
            if attempt >= PERTURBATIONS {
                for index in 0..size {
                    let factor = 1.0 + PERTURBATION * noise(attempt, index as u32);
                    let diagonal = neighbour.delassus.get(index, index);
                    neighbour.delassus.set(index, index, diagonal * factor);
                }
            }
            let cover = (0..2 * size).map(|index| 0.5 + noise(attempt, !(index as u32)));
            let settings = LemkeSettings {
                cover: cover.collect(),
                rate_tolerance: if attempt % 2 == 0 { 1e-9 } else { 1e-12 },
                check_every: 0,
            };
            self.lemke_along(&neighbour, &settings, Method::LemkePerturbed);
            if self.best.residual <= ACCEPTABLE {
                return;
            }
        }
    }
}

/// A fixed number between 0 and 1 for each pair (an integer hash: the same on every machine).
fn noise(attempt: u32, index: u32) -> f64 {
    let mut x = attempt.wrapping_mul(0x9E37_79B9) ^ index.wrapping_mul(0x85EB_CA6B);
    x ^= x >> 16;
    x = x.wrapping_mul(0x7FEB_352D);
    x ^= x >> 15;
    f64::from(x) / f64::from(u32::MAX)
}
