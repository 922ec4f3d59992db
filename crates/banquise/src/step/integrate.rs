//! Stage 2: new velocities from the loads, new poses from the velocities, and the accounts.

use banquise_geometry::DVec2;
use rayon::prelude::*;

use super::{BodyLoad, CoriolisEffect, Scheme, StepContext};
use crate::body::{Motion, Velocity};
use crate::budget::{Account, Budget};
use crate::chunks::{CHUNK, is_worth_sharing};
use crate::domain::Domain;
use crate::forcing::SurfaceLoad;
use crate::world::World;

/// Moves every floe and returns what each force did.
pub(super) fn integrate(
    context: &StepContext<'_>,
    world: &mut World,
    loads: &[BodyLoad],
    budgets: &mut Vec<Budget>,
) -> Budget {
    let domain = world.domain;
    let bodies = &mut world.bodies;
    let (inv_masses, inv_inertias) = (&bodies.inv_masses, &bodies.inv_inertias);
    let move_chunk = |(chunk, motions): (usize, &mut [Motion])| {
        let mut budget = Budget::default();
        for (offset, motion) in motions.iter_mut().enumerate() {
            let row = chunk * CHUNK + offset;
            if inv_masses[row] > 0.0 {
                let inverses = (inv_masses[row], inv_inertias[row]);
                budget += advance(context, domain, motion, &loads[row], inverses);
            }
        }
        budget
    };
    if is_worth_sharing(bodies.motions.len()) {
        let chunks = bodies.motions.par_chunks_mut(CHUNK).enumerate();
        chunks.map(move_chunk).collect_into_vec(budgets);
    } else {
        budgets.clear();
        budgets.extend(bodies.motions.chunks_mut(CHUNK).enumerate().map(move_chunk));
    }
    let mut total = Budget::default();
    for budget in budgets.iter() {
        total += *budget;
    }
    total
}

/// Moves one floe.
fn advance(
    context: &StepContext<'_>,
    domain: Domain,
    motion: &mut Motion,
    load: &BodyLoad,
    (inv_mass, inv_inertia): (f64, f64),
) -> Budget {
    let dt = context.dt;
    let before = motion.velocity;
    let force = load.wind.force + load.ocean.force + load.body_force;
    let torque = load.wind.torque + load.ocean.torque;
    let coriolis_acceleration = match load.coriolis {
        CoriolisEffect::Acceleration(acceleration) => acceleration,
        CoriolisEffect::HalfTurn(_) => DVec2::ZERO,
    };
    let driven = Velocity {
        linear: load.velocity.linear + dt * (inv_mass * force + coriolis_acceleration),
        angular: load.velocity.angular + dt * inv_inertia * torque,
    };
    let after = match load.coriolis {
        CoriolisEffect::HalfTurn(turn) => Velocity { linear: turn.apply(driven.linear), ..driven },
        CoriolisEffect::Acceleration(_) => driven,
    };
    let travel = match context.scheme {
        Scheme::Splitting => mean(before, after),
        Scheme::Euler => before,
    };
    motion.velocity = after;
    motion.pose.rotation = motion.pose.rotation.turned_by(dt * travel.angular);
    let (position, crossed) = domain.wrap(motion.pose.position + dt * travel.linear);
    motion.pose.position = position;
    motion.winding = [motion.winding[0] + crossed[0], motion.winding[1] + crossed[1]];
    account(load, dt, driven, coriolis_impulse(load, dt, driven, after, before) / inv_mass)
}

/// Impulse of Coriolis per unit mass [m/s].
fn coriolis_impulse(
    load: &BodyLoad,
    dt: f64,
    driven: Velocity,
    after: Velocity,
    before: Velocity,
) -> DVec2 {
    match load.coriolis {
        CoriolisEffect::HalfTurn(_) => {
            (load.velocity.linear - before.linear) + (after.linear - driven.linear)
        }
        CoriolisEffect::Acceleration(acceleration) => dt * acceleration,
    }
}

/// Work and impulse of each force.
///
/// A force constant over the step does work F·Δt·(v₀ + v₁)/2 exactly, v₀ and v₁ being the
/// velocities on either side of it, so the works add up to the change of kinetic energy to
/// round-off. A turn does none; what Coriolis does as an acceleration (explicit Euler) shows here.
fn account(load: &BodyLoad, dt: f64, driven: Velocity, coriolis_impulse: DVec2) -> Budget {
    let middle = mean(load.velocity, driven);
    let surface = |load: &SurfaceLoad| Account {
        work: dt * (load.force.dot(middle.linear) + load.torque * middle.angular),
        impulse: dt * load.force,
    };
    let coriolis_work = match load.coriolis {
        CoriolisEffect::HalfTurn(_) => 0.0,
        CoriolisEffect::Acceleration(_) => coriolis_impulse.dot(middle.linear),
    };
    Budget {
        wind: surface(&load.wind),
        ocean: surface(&load.ocean),
        coriolis: Account { work: coriolis_work, impulse: coriolis_impulse },
        body_force: surface(&SurfaceLoad { force: load.body_force, torque: 0.0 }),
        ..Budget::default()
    }
}

fn mean(first: Velocity, second: Velocity) -> Velocity {
    Velocity {
        linear: 0.5 * (first.linear + second.linear),
        angular: 0.5 * (first.angular + second.angular),
    }
}
