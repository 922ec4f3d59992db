//! A fixed step with a contact law other than Coulomb's: inelastic, gluey, rough or bonded.
//!
//! The projection of the velocities comes first, then bodies move, then forces act for the next step: algorithm 5.1 of Lefebvre 2007, begun at its step 4.

use super::context::{StepInputs, begin};
use super::finish::{check_solved, finish, interrupted};
use super::forcing::{check_data, forcing};
use super::integrate::integrate;
use super::lines::pull_lines;
use super::ocean_layer::ocean_layer;
use super::timing::{Stage, StageTimer};
use super::topology::{note_force_times, topology};
use super::validate;
use super::{StepReport, StepScratch, StepSettings};
use crate::contact::{convex_step_length, search, settle_bonds, solve_convex_step};
use crate::error::StepError;
use crate::forcing::Forcing;
use crate::world::World;

/// Advances the world by `max_dt` \[s\]; by less only where polygons that turn would overlap, a body would leave what was searched, or an obstacle changes its velocity.
pub(super) fn step(
    world: &mut World,
    given: &Forcing,
    settings: &StepSettings,
    max_dt: f64,
    scratch: &mut StepScratch,
    timer: &mut dyn StageTimer,
) -> Result<StepReport, StepError> {
    let inputs = StepInputs::new(given, settings.scheme, world);
    let max_dt = world.until_next_waypoint(max_dt);
    world.aim_spins(max_dt);

    scratch.prepare_stop();

    timer.start(Stage::Search);
    search(world, &settings.contact, max_dt, &mut scratch.search);
    if settings.validate {
        validate::candidates(world, &scratch.search);
    }

    timer.start(Stage::Collide);
    let before = validate::Momentum::of(world, settings.validate);
    let breaker = &mut scratch.fixed_step.breaker;
    breaker.begin(settings.fracture, settings.contact.distance.fixed());
    let (mut contact_budget, mut contact) = solve_convex_step(
        world,
        &scratch.search.candidates,
        max_dt,
        &settings.contact,
        &mut scratch.gluey,
        breaker,
    );
    if scratch.gluey.workspaces.is_interrupted() {
        return Err(interrupted(world));
    }
    contact.solver = scratch.gluey.workspaces.take_statistics();
    let turnover = scratch.gluey.turnover;
    before.check_impulse(world, contact_budget.impulse, turnover, "collide");
    check_solved(world, &settings.contact, &contact)?;

    timer.start(Stage::Events);
    let polygons = &mut scratch.gluey.polygons;
    let dt = convex_step_length(world, &scratch.search, max_dt, polygons);
    contact.shortened = u64::from(dt < max_dt);
    scratch.search.remember(&world.bodies, dt);

    timer.start(Stage::Forcing);
    let context = begin(&inputs, world.clock.time, dt);
    forcing(&inputs, &context, world, |_| 0.0, &mut scratch.loads);
    check_data(&context, world, &scratch.loads)?;

    timer.start(Stage::Integrate);
    let mut budget = integrate(&context, world, &scratch.loads, &mut scratch.budgets);
    settle_bonds(world, dt, &scratch.gluey, &mut contact_budget);
    budget.contact += contact_budget;
    let added_mass = given.added_mass();
    pull_lines(world, dt, added_mass, &mut scratch.lines, &mut budget)?;
    let forces = (dt, &scratch.loads[..], &scratch.lines);
    before.check_forces(world, &budget, turnover, forces);
    let breaker = &scratch.fixed_step.breaker;
    note_force_times(breaker, &mut world.bodies, &scratch.loads);

    timer.start(Stage::OceanLayer);
    scratch.local.reset(world);
    let given_before = &scratch.local.ocean_impulses;
    let (loads, ocean) = (&scratch.loads, &mut scratch.ocean);
    budget.layer = ocean_layer(&context, world, loads, given_before, ocean)?;

    timer.start(Stage::Topology);
    world.advance_clock(dt);
    world.budget += budget;
    scratch.search.pair_cache.note_places(&world.bodies);
    let breaker = &mut scratch.fixed_step.breaker;
    let rule = settings.contact.distance;
    let cracks;
    (budget.exchange, cracks) = topology(world, &[], rule, breaker);
    budget.contact += cracks;
    let fracture = *breaker.report();

    timer.start(Stage::Finish);
    if settings.validate {
        validate::ids(world);
    }
    let finished = finish(&context, world);
    timer.stop();
    finished?;
    Ok(StepReport {
        step: context.step,
        dt,
        budget,
        contact,
        fracture,
        captured: Vec::new(),
        collisions: scratch.gluey.log.take(),
    })
}
