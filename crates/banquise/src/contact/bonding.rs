//! Joints in a fixed step: how they form, act, break and heal.
//!
//! A joint acts with the impulse −Δt K (u + Δt G·V) of the strain at the end of the step (implicit Euler): a contact that holds exactly, with the compliance 1/(Δt² K). So
//! it is stable for any step. K is `k_n` w h/2 for each of the two points, and `k_s` w h for shear.

use banquise_geometry::{Approach, DVec2, Feature, Rotation, Side, math};

use super::candidate::ContactCandidate;
use super::joint::{joint_at, seen_from};
use super::law::{BondSettings, Healing};
use super::place::{Place, Role};
use crate::bond::{Bond, BondStress, Strain};
use crate::id::BodyId;
use crate::world::World;

/// Rows of a joint: two points and its shear.
pub(super) const ROWS: usize = 3;

/// The two bodies of a contact, where they may freeze together: not two obstacles, and no wall.
fn pair_of(world: &World, candidate: &ContactCandidate) -> Option<[BodyId; 2]> {
    let (a, b) = (candidate.a, candidate.b?);
    let bodies = &world.bodies;
    let may_freeze = candidate.is_contact() && (bodies.is_floe(a) || bodies.is_floe(b));
    let ids = bodies.ids();
    may_freeze.then(|| [ids[a].min(ids[b]), ids[a].max(ids[b])])
}

/// Pairs in contact, in order, each with the candidate where it is closest.
fn closest_contacts(world: &World, candidates: &[ContactCandidate]) -> Vec<([BodyId; 2], usize)> {
    let pairs = candidates.iter().enumerate();
    let mut pairs: Vec<([BodyId; 2], usize)> = pairs
        .filter_map(|(index, candidate)| Some((pair_of(world, candidate)?, index)))
        .collect();
    let gap = |index: usize| candidates[index].approach.gap;
    pairs.sort_by(|x, y| {
        x.0.cmp(&y.0)
            .then(gap(x.1).total_cmp(&gap(y.1)))
            .then(x.1.cmp(&y.1))
    });
    pairs.dedup_by_key(|(pair, _)| *pair);
    pairs
}

/// The number of the joint of two bodies.
pub(super) fn bond_of(bonds: &[Bond], pair: [BodyId; 2]) -> Option<u32> {
    let found = bonds.binary_search_by_key(&pair, |bond| bond.bodies);
    found.ok().map(|number| number as u32)
}

/// Freezes pairs together that touch: all at the start of a run, if so asked, and later those that have touched long enough. Returns how many.
pub(super) fn freeze(
    world: &mut World,
    candidates: &[ContactCandidate],
    settings: &BondSettings,
) -> u64 {
    let is_start = settings.initial && world.clock.step == 0;
    if !is_start && world.contact_ages.is_empty() {
        return 0;
    }
    let is_ripe = |pair: [BodyId; 2]| {
        let found = world.contact_ages.binary_search_by_key(&pair, |own| own.0);
        let age = found.map_or(0.0, |place| world.contact_ages[place].1);
        settings.healing.is_some_and(|healing| age >= healing.time)
    };
    let mut formed = Vec::new();
    for (pair, index) in closest_contacts(world, candidates) {
        if (is_start || is_ripe(pair)) && bond_of(&world.bonds, pair).is_none() {
            formed.extend(bond_at(world, &candidates[index], settings));
        }
    }
    let is_new = |pair: &[BodyId; 2]| formed.iter().any(|bond: &Bond| bond.bodies == *pair);
    world.contact_ages.retain(|(pair, _)| !is_new(pair));
    let count = formed.len() as u64;
    world.bonds.append(&mut formed);
    world.bonds.sort_by_key(|bond| bond.bodies);
    count
}

/// The joint at a contact, without stress.
fn bond_at(world: &World, candidate: &ContactCandidate, settings: &BondSettings) -> Option<Bond> {
    let joint = joint_at(&world.bodies, candidate)?;
    let (bodies, rows) = (&world.bodies, [candidate.a, candidate.b?]);
    let floes = rows.into_iter().filter(|&row| bodies.is_floe(row));
    let thicknesses = floes.map(|row| bodies.mean_thicknesses()[row]);
    let thickness = thicknesses.fold(f64::INFINITY, f64::min);
    let poses = rows.map(|row| bodies.motions[row].pose);
    let offsets = [DVec2::ZERO, candidate.offset];
    let seen =
        [0, 1].map(|side| seen_from(poses[side], joint.centre - offsets[side], joint.normal));
    let length = match rows.map(|row| bodies.is_floe(row)) {
        // The distance of the centres; to an obstacle, that of the joint from the centre of the floe.
        [true, true] => (poses[1].position + candidate.offset).distance(poses[0].position),
        [is_first_floe, _] => {
            let side = usize::from(!is_first_floe);
            let arm = joint.centre - offsets[side] - poses[side].position;
            arm.dot(joint.normal).abs()
        }
    };
    // Centres of floes that are curled round each other may be in one place: a joint is no shorter than it is thick.
    let length = length.max(thickness);
    let bond = Bond {
        bodies: rows.map(|row| bodies.ids()[row]),
        anchors: seen.map(|(anchor, _)| anchor),
        normals: seen.map(|(_, normal)| normal),
        width: joint.width,
        thickness,
        normal_stiffness: settings.young / length,
        shear_stiffness: settings.shear_modulus() / length,
    };
    Some(bond.ordered())
}

/// Adds the rows of all joints for a step of `dt` \[s\].
pub(super) fn add_rows(
    world: &World,
    dt: f64,
    rows: &mut Vec<ContactCandidate>,
    places: &mut Vec<Place>,
) {
    for (number, bond) in world.bonds.iter().enumerate() {
        let strain = world.strain_of(bond);
        let [a, b] = bond.bodies.map(|id| world.row_of(id));
        let turned = turned_strain(world, [a, b], &strain, dt);
        let (normal, along) = (strain.normal, strain.normal.perp());
        let distance = bond.point_distance();
        let area = bond.area();
        let point = |side: f64| {
            let place = side * distance;
            let opening = strain.opening + turned[0] - place * strain.turn;
            let stiffness = 0.5 * area * bond.normal_stiffness;
            (strain.centre + place * along, normal, opening, stiffness)
        };
        let stiffness = area * bond.shear_stiffness;
        let shear = (strain.centre, along, strain.slip + turned[1], stiffness);
        let points = [point(1.0), point(-1.0), shear];
        for (part, (point, direction, strain_here, stiffness)) in points.into_iter().enumerate() {
            rows.push(ContactCandidate {
                a,
                b: Some(b),
                offset: strain.offset,
                approach: approach_at(point, direction),
                distance: 0.0,
            });
            let role = Role::Bond {
                number: number as u32,
                is_shear: part == 2,
                compliance: 1.0 / (dt * dt * stiffness),
            };
            let least = -strain_here / dt;
            places.push(Place::new(role, least, -dt * stiffness * strain_here));
        }
    }
}

/// What opening and slip gain in a step of `dt` \[s\] beyond their rates \[m\]: bodies that turn together by φ, and move along straight lines, part by φ²/2 of their distance. They turn as
/// in the last step, as far as both of them did.
fn turned_strain(world: &World, [a, b]: [usize; 2], strain: &Strain, dt: f64) -> [f64; 2] {
    let bodies = &world.bodies;
    let [first, second] = [a, b].map(|row| {
        let given = bodies.force_delta_v[row].angular;
        dt * (bodies.motions[row].velocity.angular - given)
    });
    if first * second <= 0.0 {
        return [0.0; 2];
    }
    let angle = first.abs().min(second.abs()).copysign(first);
    let [from, to] = [a, b].map(|row| bodies.motions[row].pose.position);
    let apart = to + strain.offset - from;
    let half = math::sin(0.5 * angle);
    let gain = 2.0 * half * half * apart + (angle - math::sin(angle)) * apart.perp();
    let normal = Rotation::from_angle(angle).rotate(strain.normal);
    [gain.dot(normal), gain.dot(normal.perp())]
}

/// A point of a joint as a contact candidate has it.
fn approach_at(point: DVec2, normal: DVec2) -> Approach {
    Approach {
        side: Side::A,
        vertex: 0,
        feature: Feature::Vertex(0),
        point_a: point,
        point_b: point,
        normal,
        gap: 0.0,
        is_contact: false,
        clearance: f64::INFINITY,
    }
}

/// Stresses of a joint from the impulses of its rows over `dt` \[s\].
fn stress_of(bond: &Bond, [first, second, shear]: [f64; ROWS], dt: f64) -> BondStress {
    let force = 1.0 / (dt * bond.area());
    // At the points, normal stresses are −2 p/(Δt w h); fibres at ±w/2 are √3 times as far out.
    BondStress {
        tension: force * (3.0_f64.sqrt() * (first - second).abs() - (first + second)),
        shear: force * shear.abs(),
    }
}

/// Joints that break, by their numbers, given the impulses of their rows: those beyond their strength, unless another joint of one of their floes is farther beyond. So a crack
/// goes on from where it is, and does not break joints at once that it would unload.
pub(super) fn breaking(
    world: &World,
    impulses: impl Fn(usize) -> [f64; ROWS],
    is_broken: &[bool],
    dt: f64,
    settings: &BondSettings,
) -> Vec<usize> {
    let bonds = world.bonds.iter().enumerate();
    let overloads: Vec<f64> = bonds
        .map(|(number, bond)| {
            if is_broken[number] {
                f64::NEG_INFINITY
            } else {
                settings.overload(&stress_of(bond, impulses(number), dt))
            }
        })
        .collect();
    let rows_of = |bond: &Bond| {
        let rows = bond.bodies.map(|id| world.row_of(id));
        rows.into_iter().filter(|&row| world.bodies.is_floe(row))
    };
    let mut largest = vec![f64::NEG_INFINITY; world.bodies.len()];
    for (bond, &overload) in world.bonds.iter().zip(&overloads) {
        for row in rows_of(bond) {
            largest[row] = largest[row].max(overload);
        }
    }
    let all = world.bonds.iter().zip(&overloads).enumerate();
    all.filter(|(_, (bond, overload))| {
        **overload > 1.0 && rows_of(bond).all(|row| **overload >= largest[row])
    })
    .map(|(number, _)| number)
    .collect()
}

/// Pairs that touch at rest and are not frozen together, with the time for which they have \[s\], after a step of `dt` \[s\] with the present velocities.
pub(super) fn aged(
    world: &World,
    candidates: &[ContactCandidate],
    healing: Healing,
) -> Vec<([BodyId; 2], f64)> {
    let speed = |candidate: &ContactCandidate| {
        let point = 0.5 * (candidate.approach.point_a + candidate.approach.point_b);
        let velocity = |row: usize, offset: DVec2| {
            let motion = &world.bodies.motions[row];
            motion.velocity.at(point - offset - motion.pose.position)
        };
        let first = velocity(candidate.a, DVec2::ZERO);
        let second = candidate.b.map(|b| velocity(b, candidate.offset));
        second.map_or(first, |second| second - first).length()
    };
    let rests = closest_contacts(world, candidates).into_iter();
    let rests = rests.filter(|&(pair, index)| {
        speed(&candidates[index]) <= healing.speed && bond_of(&world.bonds, pair).is_none()
    });
    let aged = rests.map(|(pair, _)| {
        let found = world.contact_ages.binary_search_by_key(&pair, |own| own.0);
        (pair, found.map_or(0.0, |place| world.contact_ages[place].1))
    });
    aged.collect()
}
