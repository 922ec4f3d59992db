//! Validators of the stages of a step: a failure is a bug, and its message names the broken invariant.

use banquise_geometry::{DVec2, Pose, shapes_overlap};

use super::context::BodyLoad;
use super::lines::LineScratch;
use crate::budget::Budget;
use crate::contact::SearchScratch;
use crate::world::World;

/// Pairs of bodies tested for overlap after each step: others at each step, so that all are in time.
const OVERLAP_SAMPLE: usize = 4;
/// Error of a momentum that is allowed, relative to the sum of the momenta without their signs and of the impulse: sums of
/// thousands of floes and impacts.
const MOMENTUM_TOLERANCE: f64 = 1e-9;

/// Momentum of the floes before some stages, for the balance after them.
pub(super) struct Momentum(Option<DVec2>);

impl Momentum {
    /// Momentum of a world; nothing unless it is to be validated.
    pub(super) fn of(world: &World, validate: bool) -> Self {
        Self(validate.then(|| world.momentum()))
    }

    /// Checks the momentum after all forces of a step of `dt` \[s\], given the sum of the impulses of contacts without their signs [N s]. Forces on a floe
    /// may cancel too: those of two taut lines, of wind and water.
    pub(super) fn check_forces(
        &self,
        world: &World,
        budget: &Budget,
        contact_turnover: f64,
        (dt, loads, lines): (f64, &[BodyLoad], &LineScratch),
    ) {
        if self.0.is_none() {
            return;
        }
        // Where floes have steps of their own, loads are those of the last one; all of it is in the budget.
        let booked = budget.forces.iter().map(|own| own.impulse.length());
        let of_floes = loads.iter().map(|load| {
            let sizes = load.forces.iter().map(|own| own.force.length());
            load.dt * sizes.sum::<f64>()
        });
        let turnover = booked.sum::<f64>() + of_floes.sum::<f64>() + dt * lines.turnover();
        self.check_impulse(
            world,
            budget.impulse(),
            contact_turnover + turnover,
            "integrate",
        );
    }

    /// Checks that the momentum has changed by the impulse that was booked [N s], given the sum of all impulses without their signs: those on a floe
    /// that is squeezed cancel.
    pub(super) fn check_impulse(&self, world: &World, impulse: DVec2, turnover: f64, stage: &str) {
        let Some(before) = self.0 else {
            return;
        };
        let now = world.momentum();
        let bodies = &world.bodies;
        let speeds = world
            .floe_rows()
            .map(|row| bodies.masses()[row] * bodies.motions[row].velocity.linear.length());
        let scale = speeds.sum::<f64>() + impulse.length() + before.length() + turnover;
        let error = (now - before - impulse).length();
        // States that are not finite are reported by the checks of every build, with the body's name.
        assert!(
            !error.is_finite() || error <= MOMENTUM_TOLERANCE * scale,
            "after {stage} the momentum is {now}, not {before} + {impulse}: off by {error:e} N s"
        );
    }
}

/// Checks that candidates refer to existing bodies and have finite gaps.
pub(super) fn candidates(world: &World, search: &SearchScratch) {
    let bodies = &world.bodies;
    for candidate in &search.candidates {
        let is_there = candidate.a < bodies.len() && candidate.b.is_none_or(|b| b < bodies.len());
        assert!(is_there, "a candidate of rows that are not: {candidate:?}");
        assert!(
            !candidate.approach.gap.is_nan(),
            "a gap that is no number: {candidate:?}"
        );
    }
}

/// Checks the ids, and that close bodies do not overlap.
pub(super) fn world(world: &World, search: &SearchScratch) {
    ids(world);
    check_overlaps(world, search);
}

/// Checks that ids ascend and that records by id refer to existing bodies.
pub(super) fn ids(world: &World) {
    let bodies = &world.bodies;
    let ids = bodies.ids();
    assert!(ids.is_sorted_by(|a, b| a < b), "ids do not ascend: {ids:?}");
    assert!(
        ids.last().is_none_or(|&last| last < bodies.next_id()),
        "an id that has not been given: {ids:?}"
    );
    for (key, _) in &world.warm_start {
        assert!(
            bodies.row_of(key.body()).is_some(),
            "an impulse of {}, which has gone",
            key.body()
        );
    }
}

/// An exact test of some pairs that were close at the start of the step.
fn check_overlaps(world: &World, search: &SearchScratch) {
    let count = search.pairs.len();
    if count == 0 || search.margins.len() != world.bodies.len() {
        // Where bodies came or went, the rows of the search are not those of the world any more.
        return;
    }
    let first = world.clock.step as usize * OVERLAP_SAMPLE;
    for number in first..first + OVERLAP_SAMPLE.min(count) {
        let pair = &search.pairs[number % count].pair;
        let Some(b) = pair.b else { continue };
        let bodies = &world.bodies;
        let (pose_a, pose_b) = (bodies.motions[pair.a].pose, bodies.motions[b].pose);
        let offset = world
            .domain
            .nearest_image(pose_b.position - pose_a.position);
        let image = Pose {
            position: pose_a.position + offset,
            ..pose_b
        };
        let (shape_a, shape_b) = (&bodies.shapes()[pair.a], &bodies.shapes()[b]);
        assert!(
            !shapes_overlap(shape_a, pose_a, shape_b, image),
            "{} and {} overlap after step {}",
            bodies.ids()[pair.a],
            bodies.ids()[b],
            world.clock.step
        );
    }
}
