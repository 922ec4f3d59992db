//! The cascade of methods: tries the rows of a policy table on a friction problem until one of them solves it.
//!
//! Every attempt is judged by the residual, and the best impulses are kept. The methods and their order
//! are data: see [`crate::policy`]. Nothing is skipped silently: the outcome names the row, and the
//! last row always has an answer.

use crate::block_lu::Pattern;
use crate::central_path::{self, Origin};
use crate::friction_lcp::{friction_lcp, impulses_from_lcp};
use crate::interior::{follow, relax};
use crate::iterate::{Iterate, StopRule};
use crate::lcp::{LemkeChoices, lemke_with};
use crate::local::{LocalProblem, Scaling};
use crate::method::Method;
use crate::policy::{Attempt, Row, Table, Tolerance, Walked};
use crate::proximal::{polish, proximal};
use crate::residual::{natural_residual, rounding, scaled_residual};
use crate::sequential::shrink;
use crate::settings::ProximalSchedule;
use crate::single::solve_single;
use crate::states;
use crate::workspace::{PooledVec, SolverContext, with_defaults};

/// The outcome of a friction problem.
#[derive(Debug, Clone, PartialEq)]
pub struct LocalSolution<'w> {
    /// Impulses, normal then tangential for each contact \[N s\].
    pub impulses: PooledVec<'w, f64>,
    /// The method that found them.
    pub method: Method,
    /// The scaled residual.
    pub residual: f64,
    /// The residual that counts as a solution: what is acceptable, or what rounding can do where that is more.
    pub acceptable: f64,
    /// Pivots of Lemke's method, all attempts together.
    pub pivots: usize,
}

impl LocalSolution<'_> {
    /// Whether the impulses solve the friction problem.
    pub fn is_solved(&self) -> bool {
        self.residual <= self.acceptable
    }
}

/// Solves a friction problem with the default settings.
pub fn solve_local(problem: &LocalProblem<'_>) -> LocalSolution<'static> {
    with_defaults(|context| {
        context.begin(problem.contact_count());
        let found = solve_warm_started(context, problem, &[]);
        LocalSolution {
            impulses: found.impulses.detached(),
            method: found.method,
            residual: found.residual,
            acceptable: found.acceptable,
            pivots: found.pivots,
        }
    })
}

/// Solves a friction problem from the impulses of a warm start; none, or zeros, for a cold start.
pub(crate) fn solve_warm_started<'w>(
    context: SolverContext<'w>,
    problem: &LocalProblem<'w>,
    start: &[f64],
) -> LocalSolution<'w> {
    let (scaled, scaling) = problem.scaled(context);
    let mut cascade = Cascade::new(context, &scaled);
    if start.iter().any(|&p| p != 0.0) {
        cascade.start = Some(scaling.scale(context, start));
    }
    cascade.solve(Table::Event, &scaling)
}

/// Solves the decompression phase of an impact, given the scale of velocities of its compression \[√kg m/s\]. Where restitution
/// gives a light body between heavy ones a million times the velocities of the impact, as many digits more are needed.
pub(crate) fn solve_decompression<'w>(
    context: SolverContext<'w>,
    problem: &LocalProblem<'w>,
    compression_velocity: f64,
) -> LocalSolution<'w> {
    let (scaled, scaling) = problem.scaled(context);
    let mut cascade = Cascade::new(context, &scaled);
    let accuracy = &context.settings.accuracy;
    let needed = accuracy.acceptable * compression_velocity / scaling.velocity;
    cascade.acceptable = needed.clamp(accuracy.round_off, accuracy.acceptable);
    cascade.tolerance = cascade.tolerance.min(cascade.acceptable);
    cascade.solve(Table::Decompression, &scaling)
}

/// Solves the friction problem of a fixed step from the impulses of the last step \[N s\].
pub(crate) fn solve_fixed_step<'w>(
    context: SolverContext<'w>,
    problem: &LocalProblem<'w>,
    start: &[f64],
) -> LocalSolution<'w> {
    let (scaled, scaling) = problem.scaled(context);
    let mut cascade = Cascade::new(context, &scaled);
    let accuracy = &context.settings.accuracy;
    if problem.contact_count() > accuracy.jam_contacts {
        cascade.acceptable = accuracy.jam_acceptable;
    }
    cascade.tolerance = cascade.acceptable;
    cascade.start = Some(scaling.scale(context, start));
    cascade.solve(Table::FixedStep, &scaling)
}

/// Solves the friction problem of a fixed step if a cheap attempt finds a solution: there may be none.
pub(crate) fn solve_if_feasible<'w>(
    context: SolverContext<'w>,
    problem: &LocalProblem<'w>,
    start: &[f64],
) -> LocalSolution<'w> {
    let (scaled, scaling) = problem.scaled(context);
    let mut cascade = Cascade::new(context, &scaled);
    cascade.tolerance = cascade.acceptable;
    cascade.start = Some(scaling.scale(context, start));
    cascade.solve(Table::Feasibility, &scaling)
}

struct Cascade<'a, 'w> {
    context: SolverContext<'w>,
    problem: &'a LocalProblem<'w>,
    /// The pattern of the sparse factors, once a method has needed it.
    pattern: Option<Pattern<'w>>,
    /// Residual at which a method ends.
    tolerance: f64,
    /// Residual of a solution.
    acceptable: f64,
    /// Impulses to start from, where there are any.
    start: Option<PooledVec<'w, f64>>,
    best: Iterate<'w>,
    method: Method,
    pivots: usize,
    /// Rows tried, a bit for each; the current row, and the one whose impulses are the best.
    tried: u32,
    row: usize,
    taken: Option<usize>,
}

impl<'a, 'w> Cascade<'a, 'w> {
    fn new(context: SolverContext<'w>, problem: &'a LocalProblem<'w>) -> Self {
        let accuracy = &context.settings.accuracy;
        let impulses = context.filled(0.0, 2 * problem.contact_count());
        let residual = natural_residual(problem, &impulses, &problem.free_velocity);
        Self {
            context,
            problem,
            pattern: None,
            tolerance: if problem.contact_count() > accuracy.dense_contacts {
                accuracy.sparse_round_off
            } else {
                accuracy.round_off
            },
            acceptable: accuracy.acceptable,
            start: None,
            best: Iterate { impulses, residual },
            method: Method::Trivial,
            pivots: 0,
            tried: 0,
            row: 0,
            taken: None,
        }
    }

    /// Tries the rows of a table in order.
    fn solve(mut self, table: Table, scaling: &Scaling<'w>) -> LocalSolution<'w> {
        let (context, count) = (self.context, self.problem.contact_count());
        let is_warm = self.start.is_some();
        for (index, row) in context.settings.policy.rows(table).iter().enumerate() {
            let [least, largest] = row.contacts;
            let is_wanted =
                (least..=largest).contains(&count) && self.best.residual > self.residual_of(row);
            if !is_wanted || context.must_end() && row.attempt != Attempt::Relaxation {
                continue;
            }
            self.row = index;
            if self.attempt(row, is_warm) {
                self.tried |= 1 << index;
            }
        }
        let (tried, taken) = (self.tried, self.taken);
        let walked = Walked {
            table,
            tried,
            taken,
        };
        context.workspace.count(|work| work.rows.add(walked));
        LocalSolution {
            impulses: scaling.unscale(context, &self.best.impulses),
            method: self.method,
            residual: self.best.residual,
            acceptable: self.acceptable_or_rounding(),
            pivots: self.pivots,
        }
    }

    /// The residual within which a row is skipped.
    fn residual_of(&self, row: &Row) -> f64 {
        match row.tolerance {
            Tolerance::Never => -1.0,
            Tolerance::Accurate => self.accurate(),
            Tolerance::Acceptable => self.acceptable,
            Tolerance::Rounding => self.acceptable_or_rounding(),
        }
    }

    /// Rounding-limited acceptance: a multiple of ε Σ|W p|, capped.
    fn acceptable_or_rounding(&self) -> f64 {
        let accuracy = &self.context.settings.accuracy;
        let least = self.acceptable.max(accuracy.acceptable);
        if self.best.residual <= least {
            return least;
        }
        let rounding = rounding(self.problem, &self.best.impulses);
        // The settings may have a cap below the least.
        let cap = accuracy.largest_acceptable.max(least);
        (accuracy.rounding_multiple * rounding).clamp(least, cap)
    }

    /// Target residual: round-off for few contacts, the acceptable residual for many.
    fn accurate(&self) -> f64 {
        if self.problem.contact_count() > self.context.settings.accuracy.dense_contacts {
            self.acceptable
        } else {
            self.tolerance
        }
    }

    fn is_accurate(&self) -> bool {
        self.best.residual <= self.accurate()
    }

    /// Tries a row. Returns whether there was anything to try.
    fn attempt(&mut self, row: &Row, is_warm: bool) -> bool {
        let settings = self.context.settings;
        match row.attempt {
            Attempt::WarmStart => self.warm_start(),
            Attempt::WarmNewton => return self.warm_newton(row.limit),
            Attempt::WarmProximal => {
                let Some(start) = self.start.take() else {
                    return false;
                };
                self.brisk(start, row.limit);
            }
            Attempt::WarmFollowing => {
                let Some(start) = self.start.clone() else {
                    return false;
                };
                self.proximal_from(start, &settings.following, row.limit);
            }
            Attempt::WarmCentralPath => {
                let Some(start) = self.start.take() else {
                    return false;
                };
                self.central_path(Origin::Impulses(&start), row.limit);
            }
            Attempt::ColdProximal | Attempt::ColdProximalPolished if is_warm => return false,
            Attempt::ColdProximal => self.cold_proximal(row.limit),
            Attempt::ColdProximalPolished => {
                self.cold_proximal(row.limit);
                if self.is_accurate() {
                    self.polish_to_round_off();
                }
            }
            Attempt::ClosedForm => self.closed_form(),
            Attempt::InteriorPoint(path) => self.interior_point(path, row.limit),
            Attempt::CentralPath(path) => {
                let coulomb_below = settings.central_paths[path];
                self.central_path(Origin::Relaxation { coulomb_below }, row.limit);
            }
            Attempt::RelaxedFollowing => self.relaxed_following(row.limit),
            Attempt::CarefulFromZero => {
                let zero = self.context.filled(0.0, self.best.impulses.len());
                self.proximal_from(zero, &settings.careful, row.limit);
            }
            Attempt::CarefulFromBest => {
                let best = self.best.impulses.clone();
                self.proximal_from(best, &settings.careful, row.limit);
            }
            Attempt::SteadyFromZero => {
                let high = settings.proximal.high_friction;
                if self.problem.friction.iter().all(|&mu| mu < high) {
                    return false;
                }
                let zero = self.context.filled(0.0, self.best.impulses.len());
                self.proximal_from(zero, &settings.steady, row.limit);
            }
            Attempt::DenseNewton => self.dense_newton(row.limit),
            Attempt::Lemke(cover) => self.lemke(cover, row.limit),
            Attempt::LemkePerturbed => self.lemke_perturbed(row.limit),
            Attempt::Relaxation => self.relaxation(row.limit),
        }
        true
    }

    /// Keeps impulses that are better than the best so far.
    fn offer(&mut self, iterate: Iterate<'w>, method: Method) {
        if iterate.residual < self.best.residual {
            self.best = iterate;
            self.method = method;
            self.taken = Some(self.row);
        }
    }

    /// Keeps impulses only if they solve the problem: a poor point could make the next rows be skipped.
    fn offer_solution(&mut self, iterate: Iterate<'w>) {
        if iterate.residual <= self.accurate() {
            self.offer(iterate, Method::GaussSeidelNewton);
        }
    }

    /// Runs an attempt with the symbolic factorisation, which is computed once for all methods on sparse factors.
    fn with_pattern(&mut self, attempt: impl FnOnce(&mut Self, &Pattern<'w>)) {
        let pattern = self.pattern.take();
        let pattern = pattern.unwrap_or_else(|| Pattern::of(self.context, &self.problem.delassus));
        attempt(self, &pattern);
        self.pattern = Some(pattern);
    }

    fn iterate(&self, impulses: PooledVec<'w, f64>) -> Iterate<'w> {
        let residual = scaled_residual(self.context, self.problem, &impulses);
        Iterate { impulses, residual }
    }

    /// Takes the impulses of the warm start as they are, if they solve the problem.
    fn warm_start(&mut self) {
        if let Some(start) = self.start.take() {
            let iterate = self.iterate(start);
            if iterate.residual <= self.acceptable {
                self.offer(iterate, Method::GaussSeidelNewton);
            } else {
                self.start = Some(iterate.impulses);
            }
        }
    }

    /// Newton's method from a warm start; where it fails, the next row starts from the better of the two points.
    fn warm_newton(&mut self, repeats: usize) -> bool {
        let Some(start) = self.start.take() else {
            return false;
        };
        self.with_pattern(|cascade, pattern| {
            let stop = cascade.stop_after(repeats);
            let found = polish(cascade.context, cascade.problem, pattern, stop, &start);
            if found.residual <= cascade.accurate() {
                cascade.offer_solution(found);
                return;
            }
            let start = cascade.iterate(start);
            cascade.start = Some(if found.residual < start.residual {
                found.impulses
            } else {
                start.impulses
            });
        });
        true
    }

    /// Stop rule of an iteration: the tolerance, or an iteration limit.
    fn stop_after(&self, limit: usize) -> StopRule {
        StopRule {
            tolerance: self.tolerance,
            limit,
        }
    }

    fn cold_proximal(&mut self, limit: usize) {
        let zero = self.context.filled(0.0, self.best.impulses.len());
        self.brisk(zero, limit);
    }

    /// The proximal point method on the brisk schedule, which soon succeeds or fails.
    fn brisk(&mut self, start: PooledVec<'w, f64>, limit: usize) {
        let mut iterate = self.iterate(start);
        let (schedule, stop) = (&self.context.settings.brisk, self.stop_after(limit));
        self.with_pattern(|cascade, pattern| {
            let (context, problem) = (cascade.context, cascade.problem);
            proximal(context, problem, pattern, schedule, stop, &mut iterate);
            cascade.offer_solution(iterate);
        });
    }

    /// Newton's method to round-off: post-impact velocities of a decompression may be a million times those of the impact.
    fn polish_to_round_off(&mut self) {
        let best = self.best.impulses.clone();
        self.with_pattern(|cascade, pattern| {
            let stop = StopRule {
                tolerance: 0.0,
                limit: cascade.context.settings.proximal.polishes,
            };
            let found = polish(cascade.context, cascade.problem, pattern, stop, &best);
            cascade.offer_solution(found);
        });
    }

    fn closed_form(&mut self) {
        let (context, problem) = (self.context, self.problem);
        let found = if problem.contact_count() == 1 {
            let block = *problem.delassus.diagonal(0);
            let free = [problem.free_velocity[0], problem.free_velocity[1]];
            let (friction, prior) = (problem.friction[0], problem.prior_normal_impulse[0]);
            let impulses = context.copied(&solve_single(block, free, friction, prior));
            Some(self.iterate(impulses))
        } else {
            states::enumerate(context, problem, context.settings.accuracy.round_off)
        };
        if let Some(found) = found {
            self.offer(found, Method::ClosedForm);
        }
    }

    /// One path of the interior-point method, and Newton's method where it comes near a solution.
    fn interior_point(&mut self, path: usize, max_steps: usize) {
        let path = self.context.settings.interior_paths[path];
        self.with_pattern(|cascade, pattern| {
            let (context, problem) = (cascade.context, cascade.problem);
            let stop = cascade.stop_after(context.settings.proximal.polishes);
            follow(context, problem, pattern, path, max_steps, |point| {
                let found = polish(context, problem, pattern, stop, point);
                cascade.offer(found, Method::InteriorPoint);
                cascade.is_accurate()
            });
        });
    }

    /// One of the central paths by arc length.
    fn central_path(&mut self, origin: Origin<'_>, max_steps: usize) {
        let stop = self.stop_after(max_steps);
        self.with_pattern(|cascade, pattern| {
            let (context, problem) = (cascade.context, cascade.problem);
            let found = central_path::solve(context, problem, pattern, origin, stop);
            cascade.offer(found, Method::InteriorPoint);
        });
    }

    /// The proximal point method from the relaxation, as another starting point.
    fn relaxed_following(&mut self, limit: usize) {
        let mut relaxed = None;
        self.with_pattern(|cascade, pattern| {
            let max_steps = cascade.context.settings.interior.relaxation_steps;
            relaxed = relax(cascade.context, cascade.problem, pattern, max_steps);
        });
        if let Some(impulses) = relaxed {
            self.proximal_from(impulses, &self.context.settings.following, limit);
        }
    }

    fn proximal_from(
        &mut self,
        start: PooledVec<'w, f64>,
        schedule: &ProximalSchedule,
        limit: usize,
    ) {
        let mut iterate = self.iterate(start);
        self.with_pattern(|cascade, pattern| {
            let (context, problem) = (cascade.context, cascade.problem);
            let stop = cascade.stop_after(limit);
            proximal(context, problem, pattern, schedule, stop, &mut iterate);
            cascade.offer(iterate, Method::GaussSeidelNewton);
        });
    }

    /// Newton's method on dense active sets from the best impulses, which stay booked under the method that found them.
    fn dense_newton(&mut self, steps: usize) {
        let (start, before) = (self.best.impulses.clone(), self.best.residual);
        let stop = self.stop_after(steps);
        states::newton(self.context, self.problem, &start, stop, &mut self.best);
        if self.best.residual < before {
            self.taken = Some(self.row);
        }
    }

    fn lemke(&mut self, cover: usize, limit: usize) {
        let choices = LemkeChoices {
            limit,
            ..LemkeChoices::usual(self.context, 4 * self.problem.contact_count(), cover)
        };
        let method = [Method::Lemke, Method::LemkeOtherPath][cover.min(1)];
        self.lemke_along(self.problem, &choices, method);
    }

    /// Lemke's method along one path, on this problem or a perturbed one; Newton's method then removes rounding errors.
    fn lemke_along(
        &mut self,
        problem: &LocalProblem<'w>,
        choices: &LemkeChoices<'w>,
        method: Method,
    ) {
        let context = self.context;
        let found = lemke_with(context, &friction_lcp(context, problem), choices);
        self.pivots += found.pivots;
        // Whatever the status: a path that rounding ends in a ray often ends it at a solution.
        let mut iterate = self.iterate(impulses_from_lcp(context, &found.z));
        let round_off = context.settings.accuracy.round_off;
        if iterate.residual > round_off {
            let start = iterate.impulses.clone();
            let stop = StopRule {
                tolerance: round_off,
                limit: context.settings.pivoting.newton_steps,
            };
            states::newton(context, self.problem, &start, stop, &mut iterate);
        }
        self.offer(iterate, method);
    }

    /// Lemke's method with a fresh inverse at every pivot and several covering vectors: half of the paths on the problem
    /// itself, the others with its operator perturbed in a fixed pattern.
    fn lemke_perturbed(&mut self, limit: usize) {
        let settings = &self.context.settings.pivoting;
        let size = 2 * self.problem.contact_count();
        for attempt in 0..limit as u32 {
            let mut neighbour = self.problem.clone();
            if 2 * attempt >= limit as u32 {
                for index in 0..size {
                    let factor = 1.0 + settings.perturbation * noise(attempt, index as u32);
                    neighbour.delassus.diagonal_mut(index / 2)[index % 2][index % 2] *= factor;
                }
            }
            let cover = (0..2 * size).map(|index| 0.5 + noise(attempt, !(index as u32)));
            let choices = LemkeChoices {
                cover: self.context.collect(cover),
                rate_tolerance: if attempt % 2 == 0 {
                    settings.rate
                } else {
                    settings.careful_rate
                },
                check_every: 0,
                ..LemkeChoices::usual(self.context, 0, 0)
            };
            self.lemke_along(&neighbour, &choices, Method::LemkePerturbed);
            if self.best.residual <= self.context.settings.accuracy.acceptable {
                return;
            }
        }
    }

    /// The convex relaxation, whatever its residual: it is in the cone and adds no energy. Once the budget is spent it has an allowance of its own, and may end early.
    fn relaxation(&mut self, max_steps: usize) {
        let context = self.context;
        if context.is_interrupted() {
            return; // The result of an interrupted solve is void.
        }
        let is_spent = context.is_budget_spent();
        if is_spent {
            context.begin_last();
        }
        let mut relaxed = None;
        self.with_pattern(|cascade, pattern| {
            relaxed = relax(context, cascade.problem, pattern, max_steps);
        });
        if is_spent {
            context.end_last();
        }
        if let Some(mut impulses) = relaxed {
            if is_spent {
                shrink(context, self.problem, &mut impulses);
            }
            self.best = self.iterate(impulses);
            self.method = Method::Relaxation;
            self.taken = Some(self.row);
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
