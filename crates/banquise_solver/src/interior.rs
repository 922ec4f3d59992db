//! Interior-point method (predictor–corrector, Mehrotra 1992) for friction problems of many contacts, and for their
//! convex relaxation, least ½ pᵀWp + bᵀp over the friction cones.
//!
//! The relaxation always has a solution, never adds energy and keeps every impulse in its cone; but a
//! sliding contact may lift off a little (uₙ ≥ μ|uₜ| instead of uₙ = 0; Anitescu 2006). It is the last
//! resort of the cascade, counted whenever it is used.
//!
//! Coulomb's law differs from it in one place: the multiplier of a face of the cone acts along the tangent only, and not along the
//! normal of the face (non-associated flow). Its problem is not convex, and an iteration that starts with it often stalls at the boundary. So
//! a path starts towards the relaxation and turns to Coulomb's law as the barrier parameter falls: the share of the normal part shrinks
//! with it. Several paths, which turn earlier or later, are tried in order; the caller judges the point they reach by its residual.
//!
//! Each step solves one system with the pattern of W, and the number of steps hardly depends on masses or on the number of
//! contacts.

use crate::block_lu::{BlockLu, Pattern};
use crate::local::LocalProblem;
use crate::records::{Block, Side};
use crate::settings::InteriorPath;
use crate::workspace::{PooledVec, SolverContext};

/// Share of the multiplier of a face that acts along the normal: all of it far from the solution, as in the relaxation, and less
/// as the barrier parameter falls.
fn dilation(path: InteriorPath, barrier: f64) -> f64 {
    if barrier < path.coulomb_below {
        barrier / path.coulomb_below
    } else {
        1.0
    }
}

/// The minimising impulses of a scaled problem. Returns `None` if W is not positive semidefinite.
pub(crate) fn relax<'w>(
    context: SolverContext<'w>,
    problem: &LocalProblem<'w>,
    pattern: &Pattern<'w>,
    max_steps: usize,
) -> Option<PooledVec<'w, f64>> {
    let mut point = InteriorPoint::new(context, problem);
    for _ in 0..max_steps {
        let is_done = point.barrier() <= context.settings.interior.final_barrier;
        if is_done || !point.step(pattern, InteriorPath::RELAXATION) {
            break;
        }
    }
    let impulses = point.impulses;
    impulses.iter().all(|p| p.is_finite()).then_some(impulses)
}

/// Follows a path to Coulomb's law. Once the barrier parameter is small, its points are passed to the judge until one is accepted.
/// Returns whether one was.
pub(crate) fn follow<'w>(
    context: SolverContext<'w>,
    problem: &LocalProblem<'w>,
    pattern: &Pattern<'w>,
    path: InteriorPath,
    max_steps: usize,
    mut is_solution: impl FnMut(&[f64]) -> bool,
) -> bool {
    let settings = &context.settings.interior;
    let mut point = InteriorPoint::new(context, problem);
    let mut judged_at = settings.first_judged;
    let (mut mark, mut since) = (f64::INFINITY, 0);
    for _ in 0..max_steps {
        let barrier = point.barrier();
        if barrier <= judged_at {
            if is_solution(&point.impulses) {
                return true;
            }
            judged_at = settings.next_judged * barrier;
        }
        since += 1;
        if barrier <= 0.5 * mark {
            (mark, since) = (barrier, 0);
        }
        let is_stagnant = since > settings.stagnation_limit;
        if barrier <= settings.final_barrier || is_stagnant || !point.step(pattern, path) {
            break;
        }
    }
    false
}

impl Side {
    /// Velocity that belongs to a unit multiplier.
    fn push(&self, dilation: f64) -> [f64; 2] {
        let is_flank = self.along[1] != 0.0;
        if is_flank {
            [dilation * self.along[0], self.along[1]]
        } else {
            self.along
        }
    }

    /// Changes of slack and multiplier that follow from a change of the impulses.
    fn changes(&self, change: &[f64], aim: f64) -> [f64; 2] {
        let slack =
            self.along[0] * change[2 * self.contact] + self.along[1] * change[2 * self.contact + 1];
        let force = (aim - self.second_order - self.force * slack) / self.slack - self.force;
        [slack, force]
    }
}

/// Faces of a friction cone: pₙ ≥ 0 and |pₜ| ≤ μ (pₙ + c).
fn sides_of(problem: &LocalProblem<'_>, contact: usize) -> impl Iterator<Item = Side> {
    let (friction, prior_normal_impulse) = (
        problem.friction[contact],
        problem.prior_normal_impulse[contact],
    );
    let side = move |along: [f64; 2], slack: f64| Side {
        contact,
        along,
        slack,
        force: 1.0,
        second_order: 0.0,
    };
    let width = friction * (1.0 + prior_normal_impulse);
    // Without friction the tangential impulse is no unknown: see `equations`.
    let flanks =
        (friction > 0.0).then(|| [side([friction, -1.0], width), side([friction, 1.0], width)]);
    std::iter::once(side([1.0, 0.0], 1.0)).chain(flanks.into_iter().flatten())
}

/// The iterate of the method.
struct InteriorPoint<'a, 'w> {
    context: SolverContext<'w>,
    problem: &'a LocalProblem<'w>,
    impulses: PooledVec<'w, f64>,
    sides: PooledVec<'w, Side>,
}

impl<'a, 'w> InteriorPoint<'a, 'w> {
    /// The starting point: all normal impulses and all multipliers are one.
    fn new(context: SolverContext<'w>, problem: &'a LocalProblem<'w>) -> Self {
        let contacts = 0..problem.contact_count();
        let mut sides = context.with_capacity(3 * contacts.len());
        for contact in contacts.clone() {
            sides.extend(sides_of(problem, contact));
        }
        Self {
            context,
            problem,
            impulses: context.collect(contacts.flat_map(|_| [1.0, 0.0])),
            sides,
        }
    }

    /// The barrier parameter: the mean product of slack and multiplier.
    fn barrier(&self) -> f64 {
        let products = self.sides.iter().map(|side| side.slack * side.force);
        products.sum::<f64>() / self.sides.len() as f64
    }

    /// Takes a predictor–corrector step; false where the step length falls to rounding.
    fn step(&mut self, pattern: &Pattern<'w>, path: InteriorPath) -> bool {
        if self.context.must_end() {
            return false;
        }
        let (context, problem, barrier) = (self.context, self.problem, self.barrier());
        let settings = &context.settings.interior;
        let dilation = dilation(path, barrier);
        let weights = weights(context, problem, &self.sides, dilation);
        let row_of = |contact| equations(problem, &weights, contact);
        let Some(factors) = BlockLu::factor(pattern, row_of) else {
            return false;
        };
        let velocity = problem.velocity(context, &self.impulses);
        let change_towards = |sides: &[Side], aim: f64| {
            let right = context.collect(velocity.iter().map(|u| -u));
            factors.solve(&right_side(problem, right, sides, aim, dilation))
        };
        for side in &mut self.sides {
            side.second_order = 0.0;
        }
        let predicted = change_towards(&self.sides, 0.0);
        let ahead_by = step_length(&self.sides, &predicted, 0.0).min(1.0);
        let mut ahead = 0.0;
        for side in &mut self.sides {
            let [slack, force] = side.changes(&predicted, 0.0);
            ahead += (side.slack + ahead_by * slack) * (side.force + ahead_by * force);
            side.second_order = slack * force;
        }
        let left = ahead / self.sides.len() as f64 / barrier;
        let aim = barrier * left.powi(path.centering_exponent as i32);
        let change = change_towards(&self.sides, aim);
        let longest = step_length(&self.sides, &change, aim);
        let length = ((1.0 - settings.boundary_margin) * longest).min(1.0);
        if length < settings.least_step_length {
            return false;
        }
        for side in &mut self.sides {
            let [slack, force] = side.changes(&change, aim);
            side.slack += length * slack;
            side.force += length * force;
        }
        for (impulse, change) in self.impulses.iter_mut().zip(&change) {
            *impulse += length * change;
        }
        true
    }
}

/// Right-hand side of a step's system, from the negated velocities: the residuals of velocities and of complementarity.
fn right_side<'w>(
    problem: &LocalProblem<'_>,
    mut right: PooledVec<'w, f64>,
    sides: &[Side],
    aim: f64,
    dilation: f64,
) -> PooledVec<'w, f64> {
    for side in sides {
        let push = side.push(dilation);
        for part in 0..2 {
            right[2 * side.contact + part] += push[part] * (aim - side.second_order) / side.slack;
        }
    }
    for (contact, friction) in problem.friction.iter().enumerate() {
        if *friction <= 0.0 {
            right[2 * contact + 1] = 0.0;
        }
    }
    right
}

/// Contributions of the faces to the diagonal blocks.
fn weights<'w>(
    context: SolverContext<'w>,
    problem: &LocalProblem<'_>,
    sides: &[Side],
    dilation: f64,
) -> PooledVec<'w, Block> {
    let own = context.settings.interior.regularisation;
    let mut weights = context.filled([[own, 0.0], [0.0, own]], problem.contact_count());
    for side in sides {
        let push = side.push(dilation);
        let (weight, own) = (side.force / side.slack, &mut weights[side.contact]);
        for (row, entries) in own.iter_mut().enumerate() {
            for (column, entry) in entries.iter_mut().enumerate() {
                *entry += weight * push[row] * side.along[column];
            }
        }
    }
    weights
}

/// Step length that keeps slacks and multipliers positive.
fn step_length(sides: &[Side], change: &[f64], aim: f64) -> f64 {
    let mut length = f64::INFINITY;
    for side in sides {
        let [slack, force] = side.changes(change, aim);
        for (value, change) in [(side.slack, slack), (side.force, force)] {
            if change.is_nan() {
                return 0.0;
            }
            if change < 0.0 {
                length = length.min(-value / change);
            }
        }
    }
    length
}

/// A row of W with the weights of the faces; pₜ = 0 where there is no friction.
pub(crate) fn equations(
    problem: &LocalProblem<'_>,
    weights: &[Block],
    contact: usize,
) -> impl Iterator<Item = (usize, Block)> {
    let slippery = problem.friction[contact] <= 0.0;
    problem.delassus.row(contact).map(move |(other, block)| {
        let mut block = *block;
        if other == contact {
            for (row, entries) in block.iter_mut().enumerate() {
                for (column, entry) in entries.iter_mut().enumerate() {
                    *entry += weights[contact][row][column];
                }
            }
        }
        if slippery {
            block[1] = [0.0, if other == contact { 1.0 } else { 0.0 }];
        }
        (other, block)
    })
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::blocks::Blocks;
    use crate::iterate::StopRule;
    use crate::proximal::polish;
    use crate::settings::SolverSettings;
    use crate::workspace::SolverWorkspace;

    /// How far impulses are from the minimum: p = [p − u], the nearest point of the cone.
    fn error(context: SolverContext<'_>, problem: &LocalProblem<'_>, impulses: &[f64]) -> f64 {
        let velocity = problem.velocity(context, impulses);
        let mut worst = 0.0_f64;
        for contact in 0..problem.contact_count() {
            let (n, t) = (2 * contact, 2 * contact + 1);
            let moved = [impulses[n] - velocity[n], impulses[t] - velocity[t]];
            let nearest = project(
                moved,
                problem.friction[contact],
                problem.prior_normal_impulse[contact],
            );
            worst = worst.max((nearest[0] - impulses[n]).abs());
            worst = worst.max((nearest[1] - impulses[t]).abs());
        }
        worst
    }

    /// The nearest point of the cone pₙ ≥ 0, |pₜ| ≤ μ (pₙ + c).
    fn project([normal, tangent]: [f64; 2], friction: f64, prior_normal_impulse: f64) -> [f64; 2] {
        if normal >= 0.0 && tangent.abs() <= friction * (normal + prior_normal_impulse) {
            return [normal, tangent];
        }
        let excess = tangent.abs() - friction * prior_normal_impulse;
        let on_side = ((normal + friction * excess) / (1.0 + friction * friction)).max(0.0);
        let limit = friction * (on_side + prior_normal_impulse);
        [on_side, tangent.clamp(-limit, limit)]
    }

    /// A column of discs that falls on the ground, each heavier than the one below by a factor.
    pub(crate) fn column(context: SolverContext<'_>, count: usize, ratio: f64) -> LocalProblem<'_> {
        let inverse = |body: i32| ratio.powi(-body);
        let mut blocks = Vec::new();
        for contact in 0..count {
            let below = if contact == 0 {
                0.0
            } else {
                inverse(contact as i32)
            };
            let own = below + inverse(contact as i32 + 1);
            blocks.push((contact, contact, [[own, 0.0], [0.0, 3.0 * own]]));
            if contact > 0 {
                let between = [[-below, 0.0], [0.0, below]];
                blocks.push((contact, contact - 1, between));
                blocks.push((contact - 1, contact, between));
            }
        }
        LocalProblem {
            delassus: Blocks::from_blocks(count, blocks),
            free_velocity: context.collect((0..count).flat_map(|i| [-1.0, 0.3 * i as f64])),
            friction: context.collect((0..count).map(|i| [0.7, 0.0, 0.2][i % 3])),
            prior_normal_impulse: context.collect((0..count).map(|i| [0.0, 0.1][i % 2])),
        }
        .in_own_units(context)
    }

    #[test]
    fn the_minimum_is_reached_whatever_the_masses() {
        let (settings, workspace) = (SolverSettings::DEFAULT, SolverWorkspace::default());
        let context = SolverContext {
            settings: &settings,
            workspace: &workspace,
        };
        for (count, ratio) in [
            (1, 1.0),
            (2, 1e6),
            (2, 1e-6),
            (5, 30.0),
            (12, 0.3),
            (300, 1.0),
        ] {
            let problem = column(context, count, ratio);
            let pattern = Pattern::of(context, &problem.delassus);
            let impulses = relax(context, &problem, &pattern, 200).unwrap();
            let error = error(context, &problem, &impulses);
            let largest = impulses.iter().fold(1.0, |a: f64, p| a.max(p.abs()));
            assert!(
                error <= 1e-10 * largest,
                "{count} × {ratio}: {error} of {largest}"
            );
        }
    }

    #[test]
    fn one_of_the_paths_leads_to_coulombs_law() {
        let (settings, workspace) = (SolverSettings::DEFAULT, SolverWorkspace::default());
        let context = SolverContext {
            settings: &settings,
            workspace: &workspace,
        };
        for (count, ratio) in [(5, 1.0), (12, 0.3), (12, 3.0), (100, 1.0)] {
            let problem = column(context, count, ratio);
            let pattern = Pattern::of(context, &problem.delassus);
            let stop = StopRule {
                tolerance: 1e-9,
                limit: 3,
            };
            let judge =
                |point: &[f64]| polish(context, &problem, &pattern, stop, point).residual <= 1e-9;
            let mut paths = settings.interior_paths.iter();
            assert!(
                paths.any(|&path| follow(context, &problem, &pattern, path, 80, judge)),
                "{count} × {ratio}"
            );
        }
    }
}
