//! A step of the fixed-step (time-stepping) integrator.
//!
//! Impulses at contacts give the bodies velocities that keep all gaps over the step; bodies move with these, and forces act
//! for the next step.

use super::context::{StepInputs, begin};
use super::finish::{check_solved, check_squeezed, finish, interrupted};
use super::forcing::{check_data, forcing};
use super::integrate::integrate;
use super::lines::pull_lines;
use super::ocean_layer::ocean_layer;
use super::shorten::{BeforeContact, SOLVES, shortened};
use super::timing::{Stage, StageTimer};
use super::topology::{note_force_times, topology};
use super::validate;
use super::{StepReport, StepScratch, StepSettings};
use crate::budget::ContactBudget;
use crate::contact::{
    ContactReport, ContactSettings, SearchScratch, StepRule, search, solve_fixed_step, stays_apart,
    step_time,
};
use crate::error::StepError;
use crate::forcing::Forcing;
use crate::world::World;

/// Advances the world by `max_dt` \[s\]; by less only where gaps would not be kept, or an obstacle changes its velocity.
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
    let contact_settings = &settings.contact;

    scratch.prepare_stop();
    timer.start(Stage::Search);
    search(world, contact_settings, max_dt, &mut scratch.search);
    if settings.validate {
        validate::candidates(world, &scratch.search);
    }

    timer.start(Stage::Collide);
    let before = validate::Momentum::of(world, settings.validate);
    let (contact_budget, mut contact, dt) = solve_contacts(world, settings, max_dt, scratch);
    if scratch.fixed_step.workspaces.is_interrupted() {
        return Err(interrupted(world));
    }
    check_squeezed(world, scratch.fixed_step.squeezed.as_ref())?;
    contact.solver = scratch.fixed_step.workspaces.take_statistics();
    let turnover = contact.normal_impulse;
    before.check_impulse(world, contact_budget.impulse, turnover, "collide");
    check_solved(world, contact_settings, &contact)?;

    timer.start(Stage::Events);
    contact.shortened = u64::from(dt < max_dt);
    scratch.search.remember(&world.bodies, dt);

    timer.start(Stage::Forcing);
    let context = begin(&inputs, world.clock.time, dt);
    forcing(&inputs, &context, world, |_| 0.0, &mut scratch.loads);
    check_data(&context, world, &scratch.loads)?;

    timer.start(Stage::Integrate);
    let mut budget = integrate(&context, world, &scratch.loads, &mut scratch.budgets);
    budget.contact += contact_budget;
    let added_mass = given.added_mass();
    pull_lines(world, dt, added_mass, &mut scratch.lines, &mut budget)?;
    let forces = (dt, &scratch.loads[..], &scratch.lines);
    before.check_forces(world, &budget, contact.normal_impulse, forces);
    note_force_times(
        &scratch.fixed_step.breaker,
        &mut world.bodies,
        &scratch.loads,
    );

    timer.start(Stage::OceanLayer);
    scratch.local.reset(world);
    let given_before = &scratch.local.ocean_impulses;
    let (loads, ocean) = (&scratch.loads, &mut scratch.ocean);
    budget.layer = ocean_layer(&context, world, loads, given_before, ocean)?;

    timer.start(Stage::Topology);
    world.advance_clock(dt);
    world.budget += budget;
    scratch.search.pair_cache.note_places(&world.bodies);
    let crushed = &scratch.fixed_step.crushed;
    let breaker = &mut scratch.fixed_step.breaker;
    let rule = contact_settings.distance;
    let cracks;
    (budget.exchange, cracks) = topology(world, crushed, rule, breaker);
    budget.contact += cracks;
    let fracture = *breaker.report();

    timer.start(Stage::Finish);
    if settings.validate {
        validate::world(world, &scratch.search);
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
        captured: std::mem::take(&mut scratch.collide.captured),
        collisions: scratch.fixed_step.log.take(),
    })
}

/// Solves the contacts of the step, and finds its length \[s\]; where ice is crushed in a shorter one than given, again for that length.
fn solve_contacts(
    world: &mut World,
    settings: &StepSettings,
    max_dt: f64,
    scratch: &mut StepScratch,
) -> (ContactBudget, ContactReport, f64) {
    let contact = &settings.contact;
    let StepScratch {
        search,
        fixed_step,
        collide,
        ..
    } = scratch;
    let may_crush = contact.squeeze.pressure().is_some();
    let before = may_crush.then(|| (BeforeContact::of(world), search.found()));
    let mut dt = max_dt;
    for solve in 1.. {
        let breaker = &mut fixed_step.breaker;
        breaker.begin(settings.fracture, contact.distance.fixed());
        let captured = &mut collide.captured;
        let (budget, report) =
            solve_fixed_step(world, &search.candidates, dt, contact, fixed_step, captured);
        search.leave_out(&fixed_step.crushed);
        let length = step_length(world, search, contact, dt);
        let next = before.as_ref().filter(|_| !fixed_step.crushed.is_empty());
        match next.zip(shortened(dt, length, max_dt)) {
            Some(((before, searched), length)) if solve < SOLVES => {
                before.restore(world);
                search.put_back(searched);
                dt = length;
            }
            _ => return (budget, report, length),
        }
    }
    unreachable!("the last solution is taken");
}

/// The length of the step \[s\]: the one given, unless bodies might touch or leave what was searched within it.
fn step_length(
    world: &World,
    search: &SearchScratch,
    contact: &ContactSettings,
    max_dt: f64,
) -> f64 {
    let bodies = &world.bodies;
    if search.is_within_margins(bodies, max_dt) && stays_apart(bodies, &search.candidates, max_dt) {
        return max_dt;
    }
    let guaranteed = ContactSettings {
        step_rule: StepRule::Guaranteed,
        ..*contact
    };
    step_time(bodies, search, max_dt, &guaranteed).0
}
