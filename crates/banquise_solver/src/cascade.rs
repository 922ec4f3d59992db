//! Which method solves a friction problem, and what happens when one fails.
//!
//! The written policy: closed form for one or two contacts; Lemke's method, then Lemke's method along
//! other paths; the interior-point method; Gauss–Seidel with Newton on proximal problems; a perturbed problem, judged by the
//! original; and last the convex relaxation, which always has a solution. For many contacts a few proximal problems come first, and
//! pivoting last, where it does not take too long. Where it is known what contacts did before, Newton's method from there
//! is the first of all.
//! Every attempt is judged by the one residual; the first within tolerance is taken.
//! Nothing is skipped silently: the outcome says which method it was.

use crate::block_lu::Pattern;
use crate::friction_lcp::{friction_lcp, impulses_from_lcp};
use crate::interior::{WAYS, follow, relax};
use crate::lcp::{LemkeSettings, lemke_with};
use crate::list::List;
use crate::local::{LocalProblem, Scaling};
use crate::proximal::{BRISK, CAREFUL, FOLLOWING, Pace, Reached, polish, proximal};
use crate::residual::{natural_residual, rounding, scaled_residual};
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
    /// An interior-point method along one of several ways, then Newton's method.
    InteriorPoint,
    /// Gauss–Seidel with Newton's method, on a sequence of proximal problems where it must be.
    GaussSeidelNewton,
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
        Self::InteriorPoint,
        Self::GaussSeidelNewton,
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
            Self::InteriorPoint => "interior_point",
            Self::GaussSeidelNewton => "gauss_seidel_newton",
            Self::LemkePerturbed => "lemke_perturbed",
            Self::Relaxation => "relaxation",
        }
    }
}

/// What came out.
#[derive(Debug, Clone, PartialEq)]
pub struct LocalSolution {
    /// Impulses, normal then tangential for each contact \[N s\].
    pub impulses: List<f64>,
    /// The method that found them.
    pub method: Method,
    /// The scaled residual, by the one judge.
    pub residual: f64,
    /// What residual counts as a solution: 1e-9, or what rounding can do where the residual is more.
    pub acceptable: f64,
    /// Pivots of Lemke's method, all attempts together.
    pub pivots: usize,
}

impl LocalSolution {
    /// Whether the impulses solve the friction problem.
    pub fn is_solved(&self) -> bool {
        self.residual <= self.acceptable
    }
}

/// A residual within this is a solution to round-off.
const TOLERANCE: f64 = 1e-12;
/// The same for more contacts than are pivoted along all paths: sparse factors do not always give more.
const TOLERANCE_OF_MANY: f64 = 1e-10;
/// The best of all attempts is a solution if its residual is within this.
pub(crate) const ACCEPTABLE: f64 = 1e-9;
/// The same in a step of given length of more contacts than can be pivoted: a digit more would take seconds where floes are
/// jammed.
const ENOUGH_IN_A_JAM: f64 = 1e-8;
/// So it is within some roundings, which reach so far beyond mass ratios of 1e7 and never farther than this.
const ROUNDINGS: f64 = 16.0;
const MOST_ACCEPTABLE: f64 = 1e-4;
/// Contacts beyond which pivoting comes last.
const MANY: usize = 20;
/// The same where the impulses are known nearly.
const FEW: usize = 2;
/// Contacts up to which pivoting tries all it knows.
const FEW_TO_PIVOT: usize = 60;
/// Proximal problems tried where there may be no solution, at first, where the impulses are known nearly, where pivoting can take over or has failed, and where it is not to.
const PROBLEMS_OF_A_TRY: usize = 8;
const PROBLEMS_OF_A_QUICK_TRY: usize = 80;
const PROBLEMS_FROM_NEAR: usize = 200;
const PROBLEMS: usize = 200;
const PROBLEMS_OF_TOO_MANY: usize = 2000;
/// The same in a step of given length.
const PROBLEMS_OF_A_STEP: usize = 500;
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
    attempts.finish(&scaling)
}

/// The same for the second phase of an impact, given the scale of velocities of the first \[√kg m/s\]. Where restitution gives a light body between heavy ones a
/// million times the velocities of the impact, as many digits more are needed. Of many contacts it may be left unsolved.
pub(crate) fn solve_second(problem: &LocalProblem, impact: f64) -> LocalSolution {
    let (scaled, scaling) = problem.scaled();
    let mut attempts = Attempts::new(&scaled);
    attempts.enough = (ACCEPTABLE * impact / scaling.velocity).clamp(TOLERANCE, ACCEPTABLE);
    attempts.tolerance = attempts.tolerance.min(attempts.enough);
    if problem.contact_count() > FEW_TO_PIVOT {
        attempts.run_briefly();
    } else {
        attempts.run();
    }
    attempts.finish(&scaling)
}

/// The same where contacts are likely to do what they did when these were the impulses; none, or zeros, for nothing known.
pub(crate) fn solve_local_like(problem: &LocalProblem, known: &[f64]) -> LocalSolution {
    let (scaled, scaling) = problem.scaled();
    let mut attempts = Attempts::new(&scaled);
    if problem.contact_count() > 1 && attempts.like(scaling.scale(known)) {
        attempts.run_after_first();
    } else {
        attempts.run();
    }
    attempts.finish(&scaling)
}

/// Solves a friction problem whose impulses are known nearly \[N s\], to a scaled residual of `tolerance` or, of hundreds of
/// contacts, of 1e-8: sweeps from there come first, and pivoting only where they fail.
pub(crate) fn solve_local_from(
    problem: &LocalProblem,
    start: &[f64],
    tolerance: f64,
) -> LocalSolution {
    let (scaled, scaling) = problem.scaled();
    let mut attempts = Attempts::new(&scaled);
    attempts.many = FEW;
    attempts.too_many = TOO_MANY_TO_PIVOT / 2;
    attempts.max_problems = PROBLEMS_OF_A_STEP;
    attempts.tolerance = tolerance;
    if problem.contact_count() > attempts.too_many {
        attempts.enough = ENOUGH_IN_A_JAM;
        attempts.tolerance = ENOUGH_IN_A_JAM;
    }
    attempts.begin_at(scaling.scale(start));
    if attempts.best.residual > attempts.enough {
        attempts.run();
    }
    attempts.finish(&scaling)
}

/// The same where there may be no solution: with what finds most of them, and without what takes long to give up.
pub(crate) fn try_local_from(
    problem: &LocalProblem,
    start: &[f64],
    tolerance: f64,
) -> LocalSolution {
    let (scaled, scaling) = problem.scaled();
    let mut attempts = Attempts::new(&scaled);
    attempts.tolerance = tolerance;
    attempts.begin_at(scaling.scale(start));
    match problem.contact_count() {
        _ if attempts.is_done() => {}
        1 => attempts.single(),
        2 => attempts.pair(),
        _ => {
            let pattern = Pattern::of(&scaled.delassus);
            attempts.warm(&pattern, PROBLEMS_OF_A_TRY);
            attempts.interior(&pattern, 1);
        }
    }
    attempts.finish(&scaling)
}

struct Attempts<'a> {
    problem: &'a LocalProblem,
    /// Contacts from which pivoting comes last.
    many: usize,
    /// Contacts beyond which pivoting is not tried.
    too_many: usize,
    /// Proximal problems tried.
    max_problems: usize,
    /// Residual at which a method ends.
    tolerance: f64,
    /// Residual at which no other method is tried where there are many contacts.
    enough: f64,
    /// Impulses to start from, where they are known nearly.
    start: Option<Reached>,
    best: Reached,
    method: Method,
    pivots: usize,
}

impl<'a> Attempts<'a> {
    fn new(problem: &'a LocalProblem) -> Self {
        let impulses = List::of(0.0, 2 * problem.contact_count());
        let residual = natural_residual(problem, &impulses, &problem.free_velocity);
        let best = Reached { impulses, residual };
        Self {
            problem,
            many: MANY,
            too_many: TOO_MANY_TO_PIVOT,
            max_problems: if problem.contact_count() > TOO_MANY_TO_PIVOT {
                PROBLEMS_OF_TOO_MANY
            } else {
                PROBLEMS
            },
            tolerance: if problem.contact_count() > FEW_TO_PIVOT {
                TOLERANCE_OF_MANY
            } else {
                TOLERANCE
            },
            enough: ACCEPTABLE,
            start: None,
            best,
            method: Method::Trivial,
            pivots: 0,
        }
    }

    /// Impulses that are known nearly may do as they are.
    fn begin_at(&mut self, impulses: List<f64>) {
        let residual = scaled_residual(self.problem, &impulses);
        if residual <= self.enough {
            self.offer(impulses, residual, Method::GaussSeidelNewton);
        } else {
            self.start = Some(Reached { impulses, residual });
        }
    }

    /// Newton's method from impulses that may be right; false where they are none.
    fn like(&mut self, mut impulses: List<f64>) -> bool {
        if impulses.iter().all(|&p| p == 0.0) {
            return false;
        }
        let pattern = Pattern::of(&self.problem.delassus);
        let reached = polish(self.problem, &pattern, self.tolerance, &impulses);
        if reached.residual <= self.good() {
            self.offer_done(reached);
            return true;
        }
        if reached.residual < scaled_residual(self.problem, &impulses) {
            impulses = reached.impulses;
        }
        self.quick(&pattern, impulses);
        true
    }

    /// Proximal problems that are soon done, one way or the other.
    fn quick(&mut self, pattern: &Pattern, impulses: List<f64>) {
        let residual = scaled_residual(self.problem, &impulses);
        let mut reached = Reached { impulses, residual };
        let how = (BRISK, PROBLEMS_OF_A_QUICK_TRY);
        proximal(self.problem, pattern, self.tolerance, how, &mut reached);
        self.offer_done(reached);
    }

    /// Takes a solution; what is less may keep a better one from being looked for.
    fn offer_done(&mut self, reached: Reached) {
        if reached.residual <= self.good() {
            self.offer(
                reached.impulses,
                reached.residual,
                Method::GaussSeidelNewton,
            );
        }
    }

    fn finish(self, scaling: &Scaling) -> LocalSolution {
        LocalSolution {
            impulses: scaling.unscale(&self.best.impulses),
            method: self.method,
            residual: self.best.residual,
            acceptable: self.acceptable(),
            pivots: self.pivots,
        }
    }

    fn acceptable(&self) -> f64 {
        let least = self.enough.max(ACCEPTABLE);
        if self.best.residual <= least {
            return least;
        }
        let rounding = rounding(self.problem, &self.best.impulses);
        (ROUNDINGS * rounding).clamp(least, MOST_ACCEPTABLE)
    }

    /// A residual at which no other method is tried: of few contacts, one to round-off.
    fn good(&self) -> f64 {
        if self.problem.contact_count() > self.many.max(FEW_TO_PIVOT) {
            self.enough
        } else {
            self.tolerance
        }
    }

    fn is_done(&self) -> bool {
        self.best.residual <= self.good()
    }

    fn run(&mut self) {
        let is_known_nearly = self.start.is_some();
        if self.problem.contact_count() > self.many && !is_known_nearly && !self.is_done() {
            let pattern = Pattern::of(&self.problem.delassus);
            let none = List::of(0.0, self.best.impulses.len());
            self.quick(&pattern, none);
            if self.is_done() {
                // To round-off: velocities of a second phase may be a million times those of the impact.
                self.offer_done(polish(self.problem, &pattern, 0.0, &self.best.impulses));
            }
        }
        self.run_after_first();
    }

    /// What finds most solutions, and does not take long to give up.
    fn run_briefly(&mut self) {
        let pattern = Pattern::of(&self.problem.delassus);
        if !self.is_done() {
            let none = List::of(0.0, self.best.impulses.len());
            self.quick(&pattern, none);
        }
        self.interior(&pattern, WAYS.len());
    }

    /// All but the first try from nothing.
    fn run_after_first(&mut self) {
        let count = self.problem.contact_count();
        if self.is_done() {
            return;
        }
        match count {
            1 => self.single(),
            2 => self.pair(),
            _ => {}
        }
        if count > self.many && !self.is_done() {
            self.many_contacts();
        }
        if count <= self.too_many && !self.is_done() {
            self.lemke();
        }
        if count <= self.many && !self.is_done() {
            let pattern = Pattern::of(&self.problem.delassus);
            self.interior(&pattern, WAYS.len());
            self.proximal(&pattern);
        }
        if count <= FEW_TO_PIVOT && self.best.residual > self.enough {
            self.perturbed();
        }
        if self.best.residual > self.acceptable() {
            self.relaxation();
        }
    }

    /// Whatever its residual: it is in the cone and adds no energy.
    fn relaxation(&mut self) {
        if let Some(impulses) = relax(self.problem) {
            self.best.residual = scaled_residual(self.problem, &impulses);
            self.best.impulses = impulses;
            self.method = Method::Relaxation;
        }
    }

    fn offer(&mut self, impulses: List<f64>, residual: f64, method: Method) {
        if residual < self.best.residual {
            self.best = Reached { impulses, residual };
            self.method = method;
        }
    }

    fn single(&mut self) {
        let block = *self.problem.delassus.diagonal(0);
        let free = [self.problem.free_velocity[0], self.problem.free_velocity[1]];
        let (friction, carried) = (self.problem.friction[0], self.problem.carried[0]);
        let impulses = List::copy_of(&solve_single(block, free, friction, carried));
        let residual = scaled_residual(self.problem, &impulses);
        self.offer(impulses, residual, Method::ClosedForm);
    }

    fn pair(&mut self) {
        if let Some((impulses, residual)) = states::enumerate(self.problem, TOLERANCE) {
            self.offer(impulses, residual, Method::ClosedForm);
        }
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
        // One path of many contacts takes seconds.
        let tried = if self.problem.contact_count() > FEW_TO_PIVOT {
            1
        } else {
            3
        };
        for (cover, method) in paths.into_iter().take(tried) {
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
        let mut reached = Reached { impulses, residual };
        if residual > TOLERANCE {
            let start = reached.impulses.clone();
            states::newton(self.problem, &start, TOLERANCE, &mut reached);
        }
        self.offer(reached.impulses, reached.residual, method);
    }

    /// What needs no pivoting: sweeps with Newton's method, the interior-point method, proximal problems.
    fn many_contacts(&mut self) {
        let pattern = Pattern::of(&self.problem.delassus);
        let is_known_nearly = self.start.is_some();
        self.warm(&pattern, PROBLEMS_FROM_NEAR);
        if is_known_nearly {
            self.near_relaxation(&pattern);
        }
        if self.best.residual > self.enough || !is_known_nearly {
            self.interior(&pattern, WAYS.len());
        }
        if !is_known_nearly {
            self.near_relaxation(&pattern);
        }
        self.proximal(&pattern);
        if self.problem.contact_count() <= FEW_TO_PIVOT && !self.is_done() {
            let start = self.best.impulses.clone();
            states::newton(self.problem, &start, self.tolerance, &mut self.best);
        }
    }

    /// Sweeps and Newton's method from impulses that are known nearly.
    fn warm(&mut self, pattern: &Pattern, problems: usize) {
        if let Some(near) = self.start.take() {
            self.proximal_from(near, pattern, (FOLLOWING, problems));
        }
    }

    /// The same from the relaxation: it is another place to begin at.
    fn near_relaxation(&mut self, pattern: &Pattern) {
        if self.best.residual <= self.enough {
            return;
        }
        if let Some(impulses) = relax(self.problem) {
            let residual = scaled_residual(self.problem, &impulses);
            let relaxed = Reached { impulses, residual };
            self.proximal_from(relaxed, pattern, (FOLLOWING, PROBLEMS_FROM_NEAR));
        }
    }

    /// The interior-point method along several ways, each followed by Newton's method where it comes near a solution.
    fn interior(&mut self, pattern: &Pattern, ways: usize) {
        for way in WAYS.into_iter().take(ways) {
            if self.is_done() {
                return;
            }
            follow(self.problem, pattern, way, |point| {
                let tolerance = self.tolerance;
                let Reached { impulses, residual } =
                    polish(self.problem, pattern, tolerance, point);
                self.offer(impulses, residual, Method::InteriorPoint);
                self.is_done()
            });
        }
    }

    /// Proximal problems from no impulses, and from the best so far.
    fn proximal(&mut self, pattern: &Pattern) {
        let none = List::of(0.0, self.best.impulses.len());
        for impulses in [none, self.best.impulses.clone()] {
            if self.best.residual <= self.enough {
                return;
            }
            let residual = scaled_residual(self.problem, &impulses);
            let reached = Reached { impulses, residual };
            self.proximal_from(reached, pattern, (CAREFUL, self.max_problems));
        }
    }

    fn proximal_from(&mut self, mut reached: Reached, pattern: &Pattern, how: (Pace, usize)) {
        proximal(self.problem, pattern, self.tolerance, how, &mut reached);
        let Reached { impulses, residual } = reached;
        self.offer(impulses, residual, Method::GaussSeidelNewton);
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
                    neighbour.delassus.diagonal_mut(index / 2)[index % 2][index % 2] *= factor;
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
