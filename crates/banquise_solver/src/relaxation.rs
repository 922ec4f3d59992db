//! The convex relaxation, which always has a solution: least ½ pᵀWp + bᵀp over the friction cones.
//!
//! Its minimum never adds energy and keeps every impulse in its cone; what it gives up is that a
//! sliding contact may lift off a little (uₙ ≥ μ|uₜ| instead of uₙ = 0; Anitescu 2006). The last
//! resort of the cascade, counted whenever it is used.
//!
//! Found by an interior-point method with predictor and corrector (Mehrotra 1992): each step is one system with
//! the pattern of W, and how many there are hardly depends on masses or on the number of contacts.

use crate::block_lu::{BlockLu, Pattern};
use crate::blocks::Block;
use crate::local::LocalProblem;

/// Steps at most; twenty to forty are usual.
const MAX_STEPS: usize = 200;
/// It is done when the mean product of slack and force of a side is within this, in scaled units.
const GAP: f64 = 1e-24;
/// Share of the way to the first side that a step may go.
const CAUTION: f64 = 0.995;
/// The shortest step worth taking.
const LEAST_REACH: f64 = 1e-9;
/// Keeps the systems of redundant contacts regular; it slows the last steps and moves nothing.
const SHIFT: f64 = 1e-13;

/// The minimising impulses of a scaled problem; `None` for an operator that is none, not positive semi-definite.
pub(crate) fn relax(problem: &LocalProblem) -> Option<Vec<f64>> {
    let pattern = Pattern::of(&problem.delassus);
    let mut impulses = [1.0, 0.0].repeat(problem.contact_count());
    let mut sides: Vec<Side> = (0..problem.contact_count())
        .flat_map(|contact| sides_of(problem, contact))
        .collect();
    for _ in 0..MAX_STEPS {
        let gap = mean_product(&sides);
        if gap <= GAP {
            break;
        }
        let Some((change, reach)) = step(problem, &pattern, &impulses, &mut sides, gap) else {
            break;
        };
        for (impulse, change) in impulses.iter_mut().zip(change) {
            *impulse += reach * change;
        }
    }
    impulses.iter().all(|p| p.is_finite()).then_some(impulses)
}

/// One side of a cone: how far the impulse is from it, and the force it bears there.
struct Side {
    contact: usize,
    /// How the slack grows with the normal and tangential impulse.
    along: [f64; 2],
    slack: f64,
    force: f64,
    /// The products of predicted changes of slack and force.
    second_order: f64,
}

impl Side {
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

fn mean_product(sides: &[Side]) -> f64 {
    let sum: f64 = sides.iter().map(|side| side.slack * side.force).sum();
    sum / sides.len() as f64
}

/// Moves the sides, and returns the change of the impulses and the share of it that goes with them; `None`
/// where rounding leaves nothing to gain.
fn step(
    problem: &LocalProblem,
    pattern: &Pattern,
    impulses: &[f64],
    sides: &mut [Side],
    gap: f64,
) -> Option<(Vec<f64>, f64)> {
    let weights = weights(problem, sides);
    let factors = BlockLu::factor(pattern, |contact| equations(problem, &weights, contact))?;
    let velocity = problem.velocity(impulses);
    let change_towards = |sides: &[Side], aim: f64| {
        let mut right: Vec<f64> = velocity.iter().map(|u| -u).collect();
        for side in sides {
            for part in 0..2 {
                right[2 * side.contact + part] +=
                    side.along[part] * (aim - side.second_order) / side.slack;
            }
        }
        for (contact, friction) in problem.friction.iter().enumerate() {
            if *friction <= 0.0 {
                right[2 * contact + 1] = 0.0;
            }
        }
        factors.solve(&right)
    };
    for side in sides.iter_mut() {
        side.second_order = 0.0;
    }
    let predicted = change_towards(sides, 0.0);
    let ahead_by = reach(sides, &predicted, 0.0).min(1.0);
    let ahead: f64 = sides
        .iter()
        .map(|side| {
            let [slack, force] = side.changes(&predicted, 0.0);
            (side.slack + ahead_by * slack) * (side.force + ahead_by * force)
        })
        .sum();
    let ahead = ahead / sides.len() as f64;
    for side in sides.iter_mut() {
        let [slack, force] = side.changes(&predicted, 0.0);
        side.second_order = slack * force;
    }
    let aim = gap * (ahead / gap).powi(3);
    let change = change_towards(sides, aim);
    let reach = (CAUTION * reach(sides, &change, aim)).min(1.0);
    if reach < LEAST_REACH {
        return None;
    }
    for side in sides.iter_mut() {
        let [slack, force] = side.changes(&change, aim);
        side.slack += reach * slack;
        side.force += reach * force;
    }
    Some((change, reach))
}

/// What the sides add to the diagonal blocks.
fn weights(problem: &LocalProblem, sides: &[Side]) -> Vec<Block> {
    let mut weights = vec![[[SHIFT, 0.0], [0.0, SHIFT]]; problem.contact_count()];
    for side in sides {
        let (weight, own) = (side.force / side.slack, &mut weights[side.contact]);
        for (row, entries) in own.iter_mut().enumerate() {
            for (column, entry) in entries.iter_mut().enumerate() {
                *entry += weight * side.along[row] * side.along[column];
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
mod tests {
    use super::*;
    use crate::blocks::Blocks;

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
    fn column(count: usize, ratio: f64) -> LocalProblem {
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
}
