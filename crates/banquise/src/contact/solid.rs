//! Solid contact along the tangent, in fixed steps of the laws other than Coulomb's: friction, or bodies that turn as one.

use super::candidate::ContactCandidate;
use super::law::SolidContact;
use super::place::{Place, Role};
use super::settings::ContactSettings;
use super::warm_start::start_impulse;
use crate::world::World;

/// Adds the rows of solid contact, given those of the contacts.
pub(super) fn add_rows(
    world: &World,
    settings: &ContactSettings,
    rows: &mut Vec<ContactCandidate>,
    places: &mut Vec<Place>,
) {
    for index in 0..rows.len() {
        let candidate = rows[index];
        let free = free_push(world, &candidate, &places[index], settings);
        match settings.solid_contact() {
            SolidContact::Smooth => {}
            SolidContact::Roll => {
                let Some(friction) = friction_at(world, &candidate, index, free, places) else {
                    continue;
                };
                places[index].friction = rows.len() as u32;
                rows.push(along_tangent(&candidate, 0.0));
                places.push(friction);
            }
            // A contact that was solid at the end of the last step, and pushed, holds both bodies at two points on its normal.
            SolidContact::Rotate => {
                if candidate.is_contact() && free == 0.0 && places[index].last > 0.0 {
                    let other = candidate.b.map_or(f64::INFINITY, |b| world.bodies.radii[b]);
                    let distance = world.bodies.radii[candidate.a].min(other);
                    for side in [-1.0, 1.0] {
                        rows.push(along_tangent(&candidate, side * distance));
                        let of = index as u32;
                        places.push(Place::new(Role::Stick { of }, 0.0, 0.0));
                    }
                }
            }
        }
    }
}

/// Push that a contact takes up before its bodies are in solid contact \[N s\].
fn free_push(
    world: &World,
    candidate: &ContactCandidate,
    place: &Place,
    settings: &ContactSettings,
) -> f64 {
    let radius = |row: usize| world.bodies.radii[row];
    let other = candidate.b.map_or(f64::INFINITY, radius);
    settings.law.largest_memory([radius(candidate.a), other]) + place.memory
}

/// The friction of a contact; none where there cannot be any.
fn friction_at(
    world: &World,
    candidate: &ContactCandidate,
    index: usize,
    free: f64,
    places: &[Place],
) -> Option<Place> {
    let materials = world.bodies.materials();
    let material = materials[candidate.a];
    let material = candidate
        .b
        .map_or(material, |b| material.with(materials[b]));
    let is_own = places[index].least > f64::NEG_INFINITY;
    if !is_own || material.friction <= 0.0 || free == f64::INFINITY {
        return None;
    }
    let role = Role::Friction {
        of: index as u32,
        coefficient: material.friction,
        free,
    };
    let start = start_impulse(&world.warm_start, world.bodies.ids(), candidate)[1];
    Some(Place {
        bond: places[index].bond,
        ..Place::new(role, 0.0, start)
    })
}

/// A row along the tangent of a contact, at a distance along its normal \[m\].
fn along_tangent(candidate: &ContactCandidate, distance: f64) -> ContactCandidate {
    let approach = &candidate.approach;
    let mut row = *candidate;
    row.approach.point_a += distance * approach.normal;
    row.approach.point_b += distance * approach.normal;
    row.approach.normal = approach.normal.perp();
    row
}
