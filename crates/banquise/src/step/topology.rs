//! Bodies that change, come and go at the end of a step: floes are cut back, break and leave over open edges, others enter from sources.

use banquise_geometry::{Approach, ContactShape, DVec2, Pose, approaches, shapes_overlap};

use super::context::BodyLoad;
use super::crush::cut_crushed;
use crate::body::{Bodies, BodySpec, COLLISION_DISTANCE_RATIO};
use crate::budget::{ContactBudget, ExchangeBudget};

use crate::contact::{CollisionDistance, CrushedPair};
use crate::domain::Domain;
use crate::fracture::Breaker;
use crate::id::BodyId;
use crate::world::World;

/// Cuts floes back that were crushed, splits those that broke, lets floes leave, then enter; returns the budget of what they carried, and of cracks.
pub(super) fn topology(
    world: &mut World,
    crushed: &[CrushedPair],
    rule: CollisionDistance,
    breaker: &mut Breaker,
) -> (ExchangeBudget, ContactBudget) {
    let before = world.budget.exchange;
    cut_crushed(world, crushed);
    let cracks = fracture(world, breaker);
    leave(world);
    enter(world, rule);
    (world.budget.exchange.since(&before), cracks)
}

/// Splits the floes that broke in a step, and books the energy of cracks that was not booked before.
fn fracture(world: &mut World, breaker: &mut Breaker) -> ContactBudget {
    let mut budget = ContactBudget::default();
    if breaker.is_on() {
        let [returned, strain] = breaker.finish(world);
        budget.fracture_loss -= returned;
        budget.normal_loss += returned;
        budget.fracture_strain += strain;
        world.budget.contact += budget;
    }
    budget
}

/// Notes the time for which the loads of the last part of a step acted on each floe.
pub(super) fn note_force_times(breaker: &Breaker, bodies: &mut Bodies, loads: &[BodyLoad]) {
    if !breaker.is_on() {
        return;
    }
    for (row, load) in loads.iter().enumerate() {
        breaker.note_force_time(bodies, row, load.dt);
    }
}

/// Takes out the floes that are beyond an open edge as a whole.
fn leave(world: &mut World) {
    let Domain::Bounded(bounds) = world.domain else {
        return;
    };
    if !bounds.open.contains(&true) {
        return;
    }
    let bodies = &world.bodies;
    let is_beyond =
        |&row: &usize| bounds.is_beyond(&bodies.contact_shapes[row].aabb(bodies.motions[row].pose));
    let left: Vec<BodyId> = world
        .floe_rows()
        .filter(is_beyond)
        .map(|row| bodies.ids()[row])
        .collect();
    world.leave(&left);
}

/// Lets the floes enter that are due, where there is room for them.
fn enter(world: &mut World, rule: CollisionDistance) {
    for number in 0..world.sources.len() {
        while world.sources[number].due() <= world.clock.time {
            let mut places = world.sources[number].candidates(world.seed, number);
            let place = places.find(|spec| has_room(world, rule, spec));
            drop(places);
            // A floe wider than a periodic cell has no room anywhere.
            let has_entered = place.is_some_and(|spec| world.add(spec).is_ok());
            world.sources[number].advance(has_entered);
        }
    }
}

/// Whether a floe is farther than a collision distance from every body, and in front of every wall.
fn has_room(world: &World, rule: CollisionDistance, spec: &BodySpec) -> bool {
    let bodies = &world.bodies;
    let shape = ContactShape::new(&spec.shape);
    let own_distance = COLLISION_DISTANCE_RATIO * spec.shape.area().sqrt();
    let aabb = shape.aabb(spec.pose);
    if let Domain::Bounded(bounds) = world.domain
        && bounds.is_wall_crossed_by(&aabb.grown(own_distance))
    {
        return false;
    }
    let mut found: Vec<Approach> = Vec::new();
    (0..bodies.len()).all(|row| {
        let pose = nearest_image(world, bodies.motions[row].pose, spec.pose.position);
        let distance = rule.of_pair(own_distance, bodies.collision_distances[row]);
        let other = &bodies.contact_shapes[row];
        if !aabb.grown(distance).overlaps(&other.aabb(pose)) {
            return true;
        }
        approaches(&shape, spec.pose, other, pose, distance, &mut found);
        found.is_empty() && !shapes_overlap(&spec.shape, spec.pose, &bodies.shapes()[row], pose)
    })
}

/// The image of a body that is nearest to a point; the body itself where the domain is not periodic.
fn nearest_image(world: &World, pose: Pose, point: DVec2) -> Pose {
    Pose {
        position: point + world.domain.nearest_image(pose.position - point),
        ..pose
    }
}
