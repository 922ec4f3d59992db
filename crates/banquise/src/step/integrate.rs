//! New velocities from the loads, new poses from the velocities, and the budgets of momentum and energy.
//!
//! Poses advance with the velocity at the start of the step, after the impacts: it is the one for
//! which the step bound holds. Forces change it for the next step. Obstacles that move follow their paths.

use banquise_geometry::DVec2;
use rayon::prelude::*;

use super::context::{BodyLoad, CoriolisEffect, StepContext};
use crate::budget::{Account, Budget};
use crate::chunks::{CHUNK, is_worth_sharing};
use crate::domain::Domain;
use crate::force::{Force, PerForce};
use crate::forcing::SurfaceLoad;
use crate::motion::{Motion, Velocity};
use crate::world::World;

/// Advances every floe and returns the budget of each force.
pub(super) fn integrate(
    context: &StepContext<'_>,
    world: &mut World,
    loads: &[BodyLoad],
    budgets: &mut Vec<Budget>,
) -> Budget {
    let domain = world.domain;
    let bodies = &mut world.bodies;
    let (inv_masses, inv_inertias) = (&bodies.inv_masses, &bodies.inv_inertias);
    let move_chunk = |(chunk, (motions, kicks)): (usize, (&mut [Motion], &mut [Velocity]))| {
        let mut budget = Budget::default();
        for (offset, (motion, kick)) in motions.iter_mut().zip(kicks).enumerate() {
            let row = chunk * CHUNK + offset;
            if inv_masses[row] > 0.0 {
                let before = motion.velocity;
                budget += advance(
                    domain,
                    motion,
                    &loads[row],
                    inv_masses[row],
                    inv_inertias[row],
                );
                *kick = motion.velocity - before;
            }
        }
        budget
    };
    let (motions, kicks) = (&mut bodies.motions, &mut bodies.force_delta_v);
    if is_worth_sharing(motions.len()) {
        let chunks = motions
            .par_chunks_mut(CHUNK)
            .zip(kicks.par_chunks_mut(CHUNK));
        chunks.enumerate().map(move_chunk).collect_into_vec(budgets);
    } else {
        budgets.clear();
        let chunks = motions.chunks_mut(CHUNK).zip(kicks.chunks_mut(CHUNK));
        budgets.extend(chunks.enumerate().map(move_chunk));
    }
    world.follow_paths(context.time + context.dt);
    let mut total = Budget::default();
    for budget in budgets.iter() {
        total += *budget;
    }
    total
}

/// Advances one floe.
pub(super) fn advance(
    domain: Domain,
    motion: &mut Motion,
    load: &BodyLoad,
    inv_mass: f64,
    inv_inertia: f64,
) -> Budget {
    let dt = load.dt;
    let before = motion.velocity;
    let total = load.total();
    let kick = Velocity {
        linear: dt * inv_mass * total.force,
        angular: dt * inv_inertia * total.torque,
    };
    let pushed = push(before, kick, load.coriolis, dt);
    motion.velocity = pushed.after;
    motion.pose.rotation = motion.pose.rotation.turned_by(dt * before.angular);
    let (position, crossed) = domain.wrap(motion.pose.position + dt * before.linear);
    motion.pose.position = position;
    motion.winding = [
        motion.winding[0] + crossed[0],
        motion.winding[1] + crossed[1],
    ];
    account(load, dt, &pushed, 1.0 / inv_mass)
}

/// Velocity after the forces, with what the budgets need of the change.
struct Pushed {
    after: Velocity,
    /// Mean velocity with which the forces but Coriolis do work.
    working: Velocity,
    /// Velocity given by Coriolis [m/s], and its work per unit mass [J/kg].
    coriolis_kick: DVec2,
    coriolis_work: f64,
}

/// Applies forces. A force constant over a step does work with the mean of the velocities before and after its kick.
/// A turn does no work; Coriolis as an acceleration (explicit Euler) does, and it shows here.
fn push(before: Velocity, kick: Velocity, coriolis: CoriolisEffect, dt: f64) -> Pushed {
    let angular = before.angular + kick.angular;
    match coriolis {
        CoriolisEffect::Turn(turn) => {
            let half_kick = 0.5 * kick.linear;
            let kicked = before.linear + half_kick;
            let turned = turn.apply(kicked);
            let after = Velocity {
                linear: turned + half_kick,
                angular,
            };
            let working = 0.25 * ((before.linear + kicked) + (turned + after.linear));
            Pushed {
                after,
                working: Velocity {
                    linear: working,
                    angular: 0.5 * (before.angular + angular),
                },
                coriolis_kick: turned - kicked,
                coriolis_work: 0.0,
            }
        }
        CoriolisEffect::Acceleration(acceleration) => {
            let coriolis_kick = dt * acceleration;
            let linear = before.linear + (kick.linear + coriolis_kick);
            let after = Velocity { linear, angular };
            let working = mean(before, after);
            Pushed {
                after,
                working,
                coriolis_kick,
                coriolis_work: coriolis_kick.dot(working.linear),
            }
        }
    }
}

/// Work and impulse of each force: the works add up to the change of kinetic energy to round-off.
fn account(load: &BodyLoad, dt: f64, pushed: &Pushed, mass: f64) -> Budget {
    let working = pushed.working;
    let forces = PerForce::from_fn(|force| {
        if force == Force::Coriolis {
            return Account {
                work: mass * pushed.coriolis_work,
                impulse: mass * pushed.coriolis_kick,
            };
        }
        let SurfaceLoad { force, torque } = load.forces[force];
        Account {
            work: dt * (force.dot(working.linear) + torque * working.angular),
            impulse: dt * force,
        }
    });
    Budget {
        forces,
        ..Budget::default()
    }
}

fn mean(first: Velocity, second: Velocity) -> Velocity {
    Velocity {
        linear: 0.5 * (first.linear + second.linear),
        angular: 0.5 * (first.angular + second.angular),
    }
}
