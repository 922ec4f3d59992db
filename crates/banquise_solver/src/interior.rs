//! An interior-point method (predictor and corrector, Mehrotra 1992): for friction problems of many contacts, and for their
//! convex relaxation, least ½ pᵀWp + bᵀp over the friction cones.
//!
//! The relaxation always has a solution, never adds energy and keeps every impulse in its cone; what it gives up is that a
//! sliding contact may lift off a little (uₙ ≥ μ|uₜ| instead of uₙ = 0; Anitescu 2006). It is the last
//! resort of the cascade, counted whenever it is used.
//!
//! Coulomb's law differs from it in one place: the force of a side of the cone pushes along the tangent only, and not along the
//! cone's normal. Its problem is not convex, and a path that starts with it often ends in a corner. So the way begins
//! towards the relaxation and turns to Coulomb's law as the gap closes: the share of the normal part shrinks with it. Ways that
//! turn earlier or later are tried in turn; whoever uses the point they reach judges it.
//!
//! Each step is one system with the pattern of W, and how many there are hardly depends on masses or on the number of
//! contacts.

use crate::block_lu::{BlockLu, Pattern};
use crate::blocks::Block;
use crate::list::List;
use crate::local::LocalProblem;

/// Steps at most; twenty to forty are usual.
const MAX_STEPS: usize = 200;
/// The same on a way to Coulomb's law, and the steps in which the gap must fall to a half.
const MAX_STEPS_OF_WAY: usize = 80;
const PATIENCE: usize = 12;
/// It is done when the mean product of slack and force of a side is within this, in scaled units.
const GAP: f64 = 1e-24;
/// The gap at which a point is first judged, and how much smaller it is the next time.
const FIRST_JUDGED: f64 = 1e-9;
const NEXT_JUDGED: f64 = 1e-3;
/// Share of the way to the first side that a step may go.
const CAUTION: f64 = 0.995;
/// The shortest step worth taking.
const LEAST_REACH: f64 = 1e-9;
/// Keeps the systems of redundant contacts regular; it slows the last steps and moves nothing.
const SHIFT: f64 = 1e-13;

/// A way to the solution.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Way {
    /// The gap below which it turns to Coulomb's law; zero for one that never does.
    turns_at: f64,
    /// How boldly the gap is closed: the power of what the predictor leaves of it.
    boldness: i32,
}

/// To the relaxation.
const RELAXED: Way = Way {
    turns_at: 0.0,
    boldness: 3,
};

/// To Coulomb's law; found by trial on problems of jams, where the first succeeds with two of three.
pub(crate) const WAYS: [Way; 4] = [
    Way {
        turns_at: 1e-2,
        boldness: 2,
    },
    Way {
        turns_at: 3e-3,
        boldness: 3,
    },
    Way {
        turns_at: 1e-2,
        boldness: 3,
    },
    Way {
        turns_at: 3e-2,
        boldness: 2,
    },
];

impl Way {
    /// The share of a side's force that pushes along the normal.
    fn dilation(self, gap: f64) -> f64 {
        if gap < self.turns_at {
            gap / self.turns_at
        } else {
            1.0
        }
    }
}

/// The minimising impulses of a scaled problem; `None` for an operator that is none, not positive semi-definite.
pub(crate) fn relax(problem: &LocalProblem) -> Option<List<f64>> {
    let mut path = Path::new(problem);
    let pattern = Pattern::of(&problem.delassus);
    for _ in 0..MAX_STEPS {
        if path.gap() <= GAP || !path.step(&pattern, RELAXED) {
            break;
        }
    }
    let impulses = path.impulses;
    impulses.iter().all(|p| p.is_finite()).then_some(impulses)
}

/// Goes a way to Coulomb's law and has its points judged, from where they are near a solution until one is found to be good
/// enough; whether one was.
pub(crate) fn follow(
    problem: &LocalProblem,
    pattern: &Pattern,
    way: Way,
    mut is_solution: impl FnMut(&[f64]) -> bool,
) -> bool {
    let mut path = Path::new(problem);
    let mut judged_at = FIRST_JUDGED;
    let (mut mark, mut since) = (f64::INFINITY, 0);
    for _ in 0..MAX_STEPS_OF_WAY {
        let gap = path.gap();
        if gap <= judged_at {
            if is_solution(&path.impulses) {
                return true;
            }
            judged_at = NEXT_JUDGED * gap;
        }
        since += 1;
        if gap <= 0.5 * mark {
            (mark, since) = (gap, 0);
        }
        if gap <= GAP || since > PATIENCE || !path.step(pattern, way) {
            break;
        }
    }
    false
}

/// One side of a cone: how far the impulse is from it, and the force it bears there.
pub(crate) struct Side {
    contact: usize,
    /// How the slack grows with the normal and tangential impulse.
    along: [f64; 2],
    slack: f64,
    force: f64,
    /// The products of predicted changes of slack and force.
    second_order: f64,
}

impl Side {
    /// The velocity that goes with a unit force.
    fn push(&self, dilation: f64) -> [f64; 2] {
        let is_flank = self.along[1] != 0.0;
        if is_flank {
            [dilation * self.along[0], self.along[1]]
        } else {
            self.along
        }
    }

    /// The changes of slack and force that go with a change of the impulses.
    fn changes(&self, change: &[f64], aim: f64) -> [f64; 2] {
        let slack =
            self.along[0] * change[2 * self.contact] + self.along[1] * change[2 * self.contact + 1];
        let force = (aim - self.second_order - self.force * slack) / self.slack - self.force;
        [slack, force]
    }
}

/// The sides of a cone, seen from a unit normal impulse: pₙ ≥ 0 and |pₜ| ≤ μ (pₙ + c).
fn sides_of(problem: &LocalProblem, contact: usize) -> impl Iterator<Item = Side> {
    let (friction, carried) = (problem.friction[contact], problem.carried[contact]);
    let side = move |along: [f64; 2], slack: f64| Side {
        contact,
        along,
        slack,
        force: 1.0,
        second_order: 0.0,
    };
    let width = friction * (1.0 + carried);
    // Without friction the tangential impulse is no unknown: see `equations`.
    let flanks =
        (friction > 0.0).then(|| [side([friction, -1.0], width), side([friction, 1.0], width)]);
    std::iter::once(side([1.0, 0.0], 1.0)).chain(flanks.into_iter().flatten())
}

/// Where the method is.
struct Path<'a> {
    problem: &'a LocalProblem,
    impulses: List<f64>,
    sides: List<Side>,
}

impl<'a> Path<'a> {
    /// All normal impulses one, and all forces.
    fn new(problem: &'a LocalProblem) -> Self {
        let contacts = 0..problem.contact_count();
        let mut sides = List::with_room(3 * contacts.len());
        for contact in contacts.clone() {
            sides.extend(sides_of(problem, contact));
        }
        Self {
            problem,
            impulses: contacts.flat_map(|_| [1.0, 0.0]).collect(),
            sides,
        }
    }

    /// The mean product of slack and force.
    fn gap(&self) -> f64 {
        let products = self.sides.iter().map(|side| side.slack * side.force);
        products.sum::<f64>() / self.sides.len() as f64
    }

    /// Goes on by a step; false where rounding leaves nothing to gain.
    fn step(&mut self, pattern: &Pattern, way: Way) -> bool {
        let (problem, gap) = (self.problem, self.gap());
        let dilation = way.dilation(gap);
        let weights = weights(problem, &self.sides, dilation);
        let row_of = |contact| equations(problem, &weights, contact);
        let Some(factors) = BlockLu::factor(pattern, row_of) else {
            return false;
        };
        let velocity = problem.velocity(&self.impulses);
        let change_towards = |sides: &[Side], aim: f64| {
            factors.solve(&right_side(problem, &velocity, sides, aim, dilation))
        };
        for side in &mut self.sides {
            side.second_order = 0.0;
        }
        let predicted = change_towards(&self.sides, 0.0);
        let ahead_by = reach(&self.sides, &predicted, 0.0).min(1.0);
        let mut ahead = 0.0;
        for side in &mut self.sides {
            let [slack, force] = side.changes(&predicted, 0.0);
            ahead += (side.slack + ahead_by * slack) * (side.force + ahead_by * force);
            side.second_order = slack * force;
        }
        let left = ahead / self.sides.len() as f64 / gap;
        let aim = gap * left.powi(way.boldness);
        let change = change_towards(&self.sides, aim);
        let reach = (CAUTION * reach(&self.sides, &change, aim)).min(1.0);
        if reach < LEAST_REACH {
            return false;
        }
        for side in &mut self.sides {
            let [slack, force] = side.changes(&change, aim);
            side.slack += reach * slack;
            side.force += reach * force;
        }
        for (impulse, change) in self.impulses.iter_mut().zip(&change) {
            *impulse += reach * change;
        }
        true
    }
}

/// The right-hand side of a step's system: what velocities and sides are away from their aim.
fn right_side(
    problem: &LocalProblem,
    velocity: &[f64],
    sides: &[Side],
    aim: f64,
    dilation: f64,
) -> List<f64> {
    let mut right: List<f64> = velocity.iter().map(|u| -u).collect();
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

/// What the sides add to the diagonal blocks.
fn weights(problem: &LocalProblem, sides: &[Side], dilation: f64) -> List<Block> {
    let mut weights = List::of([[SHIFT, 0.0], [0.0, SHIFT]], problem.contact_count());
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

/// The share of a change that keeps slacks and forces positive.
fn reach(sides: &[Side], change: &[f64], aim: f64) -> f64 {
    let mut reach = f64::INFINITY;
    for side in sides {
        let [slack, force] = side.changes(change, aim);
        for (value, change) in [(side.slack, slack), (side.force, force)] {
            if change.is_nan() {
                return 0.0;
            }
            if change < 0.0 {
                reach = reach.min(-value / change);
            }
        }
    }
    reach
}

/// A row of W and the weights of the sides; pₜ = 0 where there is no friction.
fn equations(
    problem: &LocalProblem,
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
    use crate::proximal::polish;

    /// How far impulses are from the minimum: p = [p − u], the nearest point of the cone.
    fn error(problem: &LocalProblem, impulses: &[f64]) -> f64 {
        let velocity = problem.velocity(impulses);
        let mut worst = 0.0_f64;
        for contact in 0..problem.contact_count() {
            let (n, t) = (2 * contact, 2 * contact + 1);
            let moved = [impulses[n] - velocity[n], impulses[t] - velocity[t]];
            let nearest = project(moved, problem.friction[contact], problem.carried[contact]);
            worst = worst.max((nearest[0] - impulses[n]).abs());
            worst = worst.max((nearest[1] - impulses[t]).abs());
        }
        worst
    }

    /// The nearest point of the cone pₙ ≥ 0, |pₜ| ≤ μ (pₙ + c).
    fn project([normal, tangent]: [f64; 2], friction: f64, carried: f64) -> [f64; 2] {
        if normal >= 0.0 && tangent.abs() <= friction * (normal + carried) {
            return [normal, tangent];
        }
        let excess = tangent.abs() - friction * carried;
        let on_side = ((normal + friction * excess) / (1.0 + friction * friction)).max(0.0);
        let limit = friction * (on_side + carried);
        [on_side, tangent.clamp(-limit, limit)]
    }

    /// A column of discs that falls on the ground, each heavier than the one below by a factor.
    pub(crate) fn column(count: usize, ratio: f64) -> LocalProblem {
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
            free_velocity: (0..count).flat_map(|i| [-1.0, 0.3 * i as f64]).collect(),
            friction: (0..count).map(|i| [0.7, 0.0, 0.2][i % 3]).collect(),
            carried: (0..count).map(|i| [0.0, 0.1][i % 2]).collect(),
        }
        .in_own_units()
    }

    #[test]
    fn the_minimum_is_reached_whatever_the_masses() {
        for (count, ratio) in [
            (1, 1.0),
            (2, 1e6),
            (2, 1e-6),
            (5, 30.0),
            (12, 0.3),
            (300, 1.0),
        ] {
            let problem = column(count, ratio);
            let impulses = relax(&problem).unwrap();
            let error = error(&problem, &impulses);
            let largest = impulses.iter().fold(1.0, |a: f64, p| a.max(p.abs()));
            assert!(
                error <= 1e-10 * largest,
                "{count} × {ratio}: {error} of {largest}"
            );
        }
    }

    #[test]
    fn one_of_the_ways_leads_to_coulombs_law() {
        for (count, ratio) in [(5, 1.0), (12, 0.3), (12, 3.0), (100, 1.0)] {
            let problem = column(count, ratio);
            let pattern = Pattern::of(&problem.delassus);
            let judge = |point: &[f64]| polish(&problem, &pattern, 1e-9, point).residual <= 1e-9;
            let mut ways = WAYS.iter();
            assert!(
                ways.any(|&way| follow(&problem, &pattern, way, judge)),
                "{count} × {ratio}"
            );
        }
    }
}
