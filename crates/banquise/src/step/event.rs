//! A step of the event-driven integrator (Rabatel 2015, section 2.1.2).
//!
//! Impacts change velocities at an instant; then every body keeps its velocity for a step within which no two can touch, and forces
//! act over that step. With local time stepping each floe has steps of its own (see `local_time`), and the common step has its full
//! length.

use super::context::{StepInputs, begin};
use super::finish::{check_solved, check_squeezed, finish, interrupted};
use super::forcing::{check_data, forcing};
use super::integrate::integrate;
use super::lines::pull_lines;
use super::local_time::{EventLoop, Events, run_events};
use super::ocean_layer::ocean_layer;
use super::shorten::{BeforeContact, SOLVES, shortened};
use super::timing::{Stage, StageTimer};
use super::topology::{note_force_times, topology};
use super::validate;
use super::{StepReport, StepScratch, StepSettings};
use crate::budget::ContactBudget;
use crate::contact::{
    ContactReport, ContactSettings, SOLUTIONS, collide, free_time, search, step_time,
};
use crate::error::StepError;
use crate::forcing::Forcing;
use crate::world::World;

/// Advances the world by at most `max_dt` \[s\].
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
    let (contact_budget, mut contact, max_dt) = solve_contacts(world, settings, max_dt, scratch);
    check_squeezed(world, scratch.collide.squeezed.as_ref())?;
    scratch.search.leave_out(&scratch.collide.crushed);
    let turnover = contact.normal_impulse;
    before.check_impulse(world, contact_budget.impulse, turnover, "collide");

    timer.start(Stage::Events);
    let (dt, events) = events(world, &inputs, contact_settings, max_dt, scratch, timer)?;
    if scratch.collide.workspace.get().is_interrupted() {
        return Err(interrupted(world));
    }
    contact += events.contact;
    contact.solver = scratch.collide.workspace.get().take_statistics();
    check_solved(world, contact_settings, &contact)?;
    scratch.collide.store_impulses(&mut world.warm_start);

    timer.start(Stage::Forcing);
    let context = begin(&inputs, world.clock.time, dt);
    let local = &scratch.local;
    forcing(
        &inputs,
        &context,
        world,
        |row| local.since(row),
        &mut scratch.loads,
    );
    check_data(&context, world, &scratch.loads)?;

    timer.start(Stage::Integrate);
    let mut budget = integrate(&context, world, &scratch.loads, &mut scratch.budgets);
    budget += events.budget;
    budget.contact += contact_budget;
    let added_mass = given.added_mass();
    pull_lines(world, dt, added_mass, &mut scratch.lines, &mut budget)?;
    let forces = (dt, &scratch.loads[..], &scratch.lines);
    before.check_forces(world, &budget, contact.normal_impulse, forces);
    note_force_times(&scratch.collide.breaker, &mut world.bodies, &scratch.loads);

    timer.start(Stage::OceanLayer);
    let given_before = &scratch.local.ocean_impulses;
    let (loads, ocean) = (&scratch.loads, &mut scratch.ocean);
    budget.layer = ocean_layer(&context, world, loads, given_before, ocean)?;

    timer.start(Stage::Topology);
    world.advance_clock(dt);
    world.budget += budget;
    scratch.search.pair_cache.note_places(&world.bodies);
    let crushed = &scratch.collide.crushed;
    let breaker = &mut scratch.collide.breaker;
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
        collisions: scratch.collide.log.take(),
    })
}

/// Solves the contacts at the start of the step, again for a shorter one where floes that are crushed until its end would meet others within it. Returns the
/// length of the step \[s\] too. Until the length is found, contacts that crush are solved once, for motions that are assumed.
fn solve_contacts(
    world: &mut World,
    settings: &StepSettings,
    max_dt: f64,
    scratch: &mut StepScratch,
) -> (ContactBudget, ContactReport, f64) {
    let contact = &settings.contact;
    let StepScratch {
        search, collide, ..
    } = scratch;
    let may_shorten = contact.squeeze.pressure().is_some() && contact.has_local_time();
    let before = may_shorten.then(|| BeforeContact::of(world));
    let mut dt = max_dt;
    collide.solutions = if may_shorten { 1 } else { SOLUTIONS };
    let mut solves = 0;
    let (budget, report) = loop {
        solves += 1;
        let breaker = &mut collide.breaker;
        breaker.begin(settings.fracture, contact.distance.fixed());
        let (budget, report) = self::collide(world, &search.candidates, dt, contact, collide);
        let before = before.as_ref().filter(|_| !collide.is_held.is_empty());
        let Some(before) = before.filter(|_| solves < SOLVES) else {
            break (budget, report);
        };
        let (bodies, thresholds) = (&world.bodies, &contact.thresholds);
        let (crushed, is_held) = (&collide.crushed, &collide.is_held);
        let free = free_time(bodies, search, crushed, is_held, dt, thresholds);
        match shortened(dt, free, max_dt) {
            Some(length) => dt = length,
            None if collide.solutions == SOLUTIONS => break (budget, report),
            None => collide.solutions = SOLUTIONS,
        }
        if solves + 1 == SOLVES {
            collide.solutions = SOLUTIONS;
        }
        before.restore(world);
    };
    collide.solutions = SOLUTIONS;
    (budget, report, dt)
}

/// The length of the step \[s\], and the events within it: with local time stepping it is the longest, with impacts within
/// it; else it ends before any two bodies can touch.
fn events(
    world: &mut World,
    inputs: &StepInputs<'_>,
    contact: &ContactSettings,
    max_dt: f64,
    scratch: &mut StepScratch,
    timer: &mut dyn StageTimer,
) -> Result<(f64, Events), StepError> {
    let StepScratch {
        search,
        collide,
        local,
        ..
    } = scratch;
    if contact.has_local_time() {
        let events = run_events(EventLoop {
            world,
            inputs,
            contact,
            dt: max_dt,
            search,
            collide,
            local,
            timer,
            events: Events::default(),
        })?;
        return Ok((events.end.unwrap_or(max_dt), events));
    }
    local.reset(world);
    let (dt, taken_back) = step_time(&world.bodies, search, max_dt, contact);
    search.remember(&world.bodies, dt);
    let mut events = Events::default();
    events.contact.rollbacks = u64::from(taken_back);
    Ok((dt, events))
}
