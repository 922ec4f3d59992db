//! Sequential impulses: matrix-free Gauss–Seidel sweeps over bodies (Moreau 1999), for problems whose matrix would exceed the memory limit.
//!
//! Each contact in turn is solved for the current velocities of its bodies, and its impulse is applied at once. The result adds no
//! energy, but is not a solution within tolerance.

use glam::DVec2;

use crate::local::LocalProblem;
use crate::problem::{Body, Contact, ContactProblem};
use crate::records::Block;
use crate::single::solve_single;
use crate::workspace::{PooledVec, SolverContext};

/// Operations of one contact in a sweep.
const OPERATIONS: usize = 100;

/// Result of the sweeps.
pub(crate) struct Swept<'w> {
    /// Impulses, normal and tangential, in the order of the contacts chosen \[N s\].
    pub(crate) impulses: PooledVec<'w, [f64; 2]>,
    /// Kinetic energy lost along normals and tangents \[J\].
    pub(crate) lost: [f64; 2],
    /// Largest violation of a bound, as a share of the largest at the start.
    pub(crate) residual: f64,
}

/// Sweeps over the chosen contacts and applies their impulses, with lower bounds on their normal velocities \[m/s\], in the order of the
/// contacts chosen and zero for those without.
pub(crate) fn sweep_bodies<'w>(
    context: SolverContext<'w>,
    problem: &mut ContactProblem,
    chosen: &[usize],
    least: &[f64],
) -> Swept<'w> {
    let least = |position: usize| least.get(position).map_or(0.0, |least| least.min(0.0));
    let before = context.copied(&problem.bodies);
    let approach = |problem: &ContactProblem| {
        let contacts = chosen.iter().enumerate();
        let beyond = contacts.map(|(position, &index)| {
            least(position) - problem.relative_velocity(&problem.contacts[index])[0]
        });
        beyond.fold(0.0, f64::max)
    };
    let first = approach(problem);
    let mut impulses = context.filled([0.0; 2], chosen.len());
    for _ in 0..context.settings.budget.sweeps {
        if context.is_interrupted() {
            break;
        }
        context.spend(OPERATIONS * chosen.len());
        for (position, &index) in chosen.iter().enumerate() {
            let contact = problem.contacts[index];
            let own = operator_of(problem, &contact);
            let last = impulses[position];
            let velocity = problem.relative_velocity(&contact);
            let free = [
                velocity[0] - least(position) - own[0][0] * last[0] - own[0][1] * last[1],
                velocity[1] - own[1][0] * last[0] - own[1][1] * last[1],
            ];
            let [normal, tangent] = solve_single(own, free, contact.friction, 0.0);
            let next = [normal.max(0.0), tangent];
            problem.apply(index, [next[0] - last[0], next[1] - last[1]]);
            impulses[position] = next;
        }
    }
    problem.bodies.copy_from_slice(&before);
    let lost = apply(problem, chosen, &mut impulses);
    let residual = if first > 0.0 {
        approach(problem) / first
    } else {
        0.0
    };
    Swept {
        impulses,
        lost,
        residual,
    }
}

/// The diagonal block of W.
fn operator_of(problem: &ContactProblem, contact: &Contact) -> Block {
    let ends = [contact.a, contact.b].into_iter().zip(contact.arms);
    let mut sum = [[0.0; 2]; 2];
    for (row, arm) in ends {
        let body: &Body = &problem.bodies[row];
        let torques = [contact.normal, contact.tangent()].map(|push: DVec2| arm.perp_dot(push));
        for r in 0..2 {
            sum[r][r] += body.inv_mass;
            for c in 0..2 {
                sum[r][c] += body.inv_inertia * torques[r] * torques[c];
            }
        }
    }
    sum
}

/// Applies the impulses, all scaled down by one factor where they would add energy. Returns the kinetic energy lost along normals and tangents \[J\].
fn apply(problem: &mut ContactProblem, chosen: &[usize], impulses: &mut [[f64; 2]]) -> [f64; 2] {
    // Along b and along W p: the energy taken by the share s of the impulses is −s b·p − ½ s² p·W p.
    let start = problem.bodies.clone();
    let mut along_free = [0.0; 2];
    for (&index, impulse) in chosen.iter().zip(&*impulses) {
        let free = problem.relative_velocity(&problem.contacts[index]);
        for part in 0..2 {
            along_free[part] += impulse[part] * free[part];
        }
    }
    for (&index, impulse) in chosen.iter().zip(&*impulses) {
        problem.apply(index, *impulse);
    }
    let mut along_change = [-along_free[0], -along_free[1]];
    for (&index, impulse) in chosen.iter().zip(&*impulses) {
        let after = problem.relative_velocity(&problem.contacts[index]);
        for part in 0..2 {
            along_change[part] += impulse[part] * after[part];
        }
    }
    let (work, quadratic) = (
        along_free[0] + along_free[1],
        along_change[0] + along_change[1],
    );
    let share = share_without_gain(work, quadratic);
    if share < 1.0 {
        problem.bodies.clone_from(&start);
        for (&index, impulse) in chosen.iter().zip(&mut *impulses) {
            *impulse = impulse.map(|part| share * part);
            problem.apply(index, *impulse);
        }
    }
    [0, 1].map(|part| -share * (along_free[part] + 0.5 * share * along_change[part]))
}

/// Scales down impulses that would add energy.
pub(crate) fn shrink<'w>(
    context: SolverContext<'w>,
    problem: &LocalProblem<'w>,
    impulses: &mut [f64],
) {
    let product = |velocity: &[f64]| -> f64 {
        let terms = impulses.iter().zip(velocity);
        terms.map(|(p, u)| p * u).sum()
    };
    let work = product(&problem.free_velocity);
    let quadratic = product(&problem.velocity(context, impulses)) - work;
    let share = share_without_gain(work, quadratic);
    for impulse in impulses {
        *impulse *= share;
    }
}

/// The largest share s ≤ 1 of impulses p with s b·p + ½ s² p·W p ≤ 0, given b·p and p·W p.
fn share_without_gain(work: f64, quadratic: f64) -> f64 {
    if work + 0.5 * quadratic <= 0.0 {
        1.0
    } else if work < 0.0 {
        -2.0 * work / quadratic
    } else {
        0.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workspace::with_defaults;

    #[test]
    fn sweeps_part_bodies_and_add_no_energy() {
        let body = |index: usize| Body {
            inv_mass: if index == 0 { 0.0 } else { 1.0 },
            inv_inertia: if index == 0 { 0.0 } else { 2.0 },
            position: DVec2::new(2.0 * index as f64, 0.0),
            linear_velocity: DVec2::new(-1.0, 0.3) * index as f64,
            angular_velocity: 0.1 * index as f64,
        };
        let contact = |index: usize| Contact {
            a: index,
            b: index + 1,
            arms: [DVec2::X, DVec2::NEG_X],
            normal: DVec2::X,
            friction: 0.7,
            restitution: 0.0,
            gap: 0.0,
            start: [0.0; 2],
        };
        let mut problem = ContactProblem {
            bodies: (0..6).map(body).collect(),
            contacts: (0..5).map(contact).collect(),
        };
        let before = problem.kinetic_energy();
        with_defaults(|context| {
            let all: Vec<usize> = (0..5).collect();
            let swept = sweep_bodies(context, &mut problem, &all, &[]);
            let lost = swept.lost[0] + swept.lost[1];
            assert!((before - problem.kinetic_energy() - lost).abs() < 1e-12 * before);
            assert!(lost > 0.0);
            assert!(swept.residual < 0.1, "{}", swept.residual);
            for impulse in &swept.impulses {
                assert!(impulse[1].abs() <= 0.7 * impulse[0] * (1.0 + 1e-14));
            }
        });
    }

    #[test]
    fn impulses_that_add_energy_are_shrunk() {
        assert_eq!(share_without_gain(-1.0, 1.0), 1.0);
        assert_eq!(share_without_gain(-1.0, 4.0), 0.5);
        assert_eq!(share_without_gain(1.0, 4.0), 0.0);
    }
}
