//! Ice that is crushed: what contacts of squeezed floes bear, and which pairs are cut back.
//!
//! A contact bears a normal force of at most
//!
//! ```text
//! F = p h w
//! ```
//!
//! with p the crushing pressure, h the thickness of the weaker floe and w the part of the chord of the overlap that the contact bears. Chords follow from how
//! bodies move within the step, and these motions from the forces: a first solution is made for motions that are assumed, and the last one for those found.

use banquise_geometry::DVec2;
use banquise_solver::{
    Body, Contact, ContactProblem, Crushing, Effort, SolverContext, solve_crushing,
};

use super::candidate::{ContactCandidate, pair_ranges};
use super::chord::{CUT_GAP, FACING, Sweep, chords, is_ahead};
use super::island::Island;
use super::rules::event_separation_velocity;
use super::settings::{ContactThresholds, CrushingPressure};
use super::squeeze::{Closing, CrushedPair, Surroundings, closing_of_each, share_normals};

/// How ice is crushed within a step.
#[derive(Debug, Clone, Copy)]
pub(super) struct CrushingStep<'a> {
    pub(super) pressure: CrushingPressure,
    pub(super) thresholds: &'a ContactThresholds,
    /// Kinematic bodies that close on each other.
    pub(super) closing: &'a Closing,
    /// Length of the step \[s\].
    pub(super) time: f64,
    /// Solutions at most.
    pub(super) solutions: usize,
}

/// Solutions at most, until they are for the motions that they give.
pub(crate) const SOLUTIONS: usize = 4;

/// Motions are the same if what they crush differs by less than this share [–].
const SAME_MOTION: f64 = 0.02;

/// Solves the contacts of a squeezed island, whose floes are crushed. `least` has lower bounds on their normal velocities [m/s].
pub(super) fn solve_squeezed(
    context: SolverContext<'_>,
    around: Surroundings<'_>,
    island: &mut Island,
    step: &CrushingStep<'_>,
    least: &[f64],
    effort: Effort,
) {
    let before = island.problem.bodies.clone();
    let listed = around.of(island);
    let mut sweeps = assumed_sweeps(&listed, &island.problem, step);
    for solution in 1..=step.solutions {
        find_strength(around, island, step, &sweeps, least);
        let (problem, crushing) = (&mut island.problem, &mut island.crushing);
        solve_crushing(context, problem, crushing, effort, &mut island.report);
        let is_last = solution == step.solutions || context.workspace.is_interrupted();
        if is_last || !take_motions(&listed, island, step.time, &mut sweeps) {
            return;
        }
        island.problem.bodies.clone_from(&before);
        let contacts = island.problem.contacts.iter_mut();
        for (contact, &impulse) in contacts.zip(&island.report.impulses) {
            contact.start = impulse;
        }
    }
}

/// Motions of pairs before any solution: those of the last step where bodies close about as fast; else kinematic bodies go where they close on others, and floes where the
/// fastest of these do. Pairs that no contact faces go along its normal.
fn assumed_sweeps(
    listed: &[&ContactCandidate],
    problem: &ContactProblem,
    step: &CrushingStep<'_>,
) -> Vec<Sweep> {
    let of_ends = closing_of_each(problem);
    let pairs = pair_ranges(listed);
    let assumed = |(number, candidate): (usize, &&ContactCandidate)| {
        let mut of_pair = pairs[number].clone();
        let own = of_pair.clone().filter_map(|other| of_ends[other]);
        let own = own.reduce(|x, y| if y.speed > x.speed { y } else { x });
        let Closing {
            direction, speed, ..
        } = own.unwrap_or(*step.closing);
        let facing = of_pair
            .clone()
            .map(|other| listed[other].approach.normal.dot(direction));
        let most = facing.fold(
            0.0,
            |most: f64, own| if own.abs() > most.abs() { own } else { most },
        );
        let direction = if candidate.b.is_some() && most.abs() >= FACING {
            most.signum() * direction
        } else {
            listed[number].approach.normal
        };
        let assumed = Sweep {
            origin: candidate.approach.point_a,
            shift: speed * step.time * direction,
            turn: 0.0,
        };
        let last = sweep_of(problem, &problem.contacts[number], candidate, step.time);
        let closes = |other: usize| {
            let approach = &listed[other].approach;
            last.at(approach.point_a).dot(approach.normal) > 0.5 * assumed.shift.length()
        };
        if of_pair.any(closes) { last } else { assumed }
    };
    let mut sweeps: Vec<Sweep> = Vec::with_capacity(listed.len());
    for (number, candidate) in listed.iter().enumerate() {
        // One for each pair.
        let of_pair = sweeps.get(pairs[number].start).copied();
        sweeps.push(of_pair.unwrap_or_else(|| assumed((number, candidate))));
    }
    sweeps
}

/// Takes the motions of pairs that yield from a solution, and says whether they differ from those for which it was made.
fn take_motions(
    listed: &[&ContactCandidate],
    island: &Island,
    time: f64,
    sweeps: &mut [Sweep],
) -> bool {
    let Island {
        problem, crushing, ..
    } = island;
    let pairs = pair_ranges(listed);
    // Sums weighted by strength: the energy of crushing, and what of it differs.
    let (mut energy, mut difference) = (0.0, 0.0);
    for (number, sweep) in sweeps.iter_mut().enumerate() {
        let of_pair = pairs[number].clone();
        let closed = of_pair
            .filter(|&other| crushing[other].yields)
            .map(|other| -time * problem.relative_velocity(&problem.contacts[other])[0])
            .fold(0.0, f64::max);
        if closed > LEAST_MOTION * sweep.shift.length() {
            let found = sweep_of(problem, &problem.contacts[number], listed[number], time);
            let last = Sweep {
                shift: sweep.at(found.origin),
                ..*sweep
            };
            let largest = crushing[number].largest;
            energy += largest * found.shift.length();
            difference += largest * found.shift.distance(last.shift);
            // What moves farther sweeps over more ice and bears more: without a mean, motions would alternate.
            let share = if found.shift.length() < last.shift.length() {
                0.5
            } else {
                1.0
            };
            *sweep = Sweep {
                origin: found.origin,
                shift: last.shift.lerp(found.shift, share),
                turn: last.turn + share * (found.turn - last.turn),
            };
        }
    }
    difference > SAME_MOTION * energy
}

/// Pairs that close by less than this share of what was assumed do not move [–].
const LEAST_MOTION: f64 = 1e-3;

/// Motion of the first body of a contact in the frame of the second, within a time \[s\].
fn sweep_of(
    problem: &ContactProblem,
    contact: &Contact,
    candidate: &ContactCandidate,
    time: f64,
) -> Sweep {
    let [first, second] = [contact.a, contact.b].map(|row| &problem.bodies[row]);
    let velocity =
        |body: &Body, arm: DVec2| body.linear_velocity + body.angular_velocity * arm.perp();
    let [arm_a, arm_b] = contact.arms;
    let origin = 0.5 * (candidate.approach.point_a + candidate.approach.point_b);
    Sweep {
        origin,
        shift: time * (velocity(first, arm_a) - velocity(second, arm_b)),
        turn: time * (first.angular_velocity - second.angular_velocity),
    }
}

/// Sets the crushing strength of each contact of an island, given the lower bounds on its normal velocities [m/s], and the normals of the parts of faces
/// that contacts bear.
fn find_strength(
    around: Surroundings<'_>,
    island: &mut Island,
    step: &CrushingStep<'_>,
    sweeps: &[Sweep],
    least: &[f64],
) {
    let (bodies, listed) = (around.bodies, around.of(island));
    let CrushingStep {
        thresholds, time, ..
    } = *step;
    island.crushing.clear();
    island.crushing.resize(listed.len(), Crushing::default());
    island.crushing_areas.clear();
    island.crushing_areas.resize(listed.len(), 0.0);
    let chords = chords(bodies, &listed, sweeps);
    for (number, contact) in island.problem.contacts.iter_mut().enumerate() {
        let own = listed[number].approach.normal;
        contact.normal = chords[number].try_normalize().unwrap_or(own);
    }
    share_normals(&listed, &mut island.problem.contacts);
    let pairs = pair_ranges(&listed);
    for (number, candidate) in listed.iter().enumerate() {
        let thickness_of = |row: usize| bodies.mean_thicknesses()[row];
        // The thickness of an obstacle is NaN, which `min` ignores.
        let other = candidate.b.map_or(f64::NAN, thickness_of);
        let thickness = thickness_of(candidate.a).min(other);
        let area = thickness * chords[number].length();
        let width: DVec2 = chords[pairs[number].clone()].iter().sum();
        let target = event_separation_velocity(candidate, thresholds);
        let sweep = sweeps[number].at(candidate.approach.point_a);
        let normal = island.problem.contacts[number].normal;
        let least = if target > 0.0 {
            target
        } else if !is_ahead(sweep, normal) && candidate.b.is_some() {
            // Part of the gap may close, half of what a step leaves: where none is left, opposite flanks hold each other with any impulse.
            let closing_share = 0.5 * (1.0 - thresholds.kept_gap_share);
            -closing_share * candidate.approach.gap.max(0.0) / time
        } else {
            // A cut leaves less ahead of a side aslant than fixed steps keep otherwise.
            least[number].min(0.0)
        };
        island.crushing[number].least = least;
        let pressure = step.pressure.of(thickness, width.length());
        island.crushing[number].largest = pressure * area * time;
        island.crushing_areas[number] = area;
    }
}

/// Adds each pair of an island in which ice is crushed for `time` \[s\] once.
pub(super) fn list_crushed(
    candidates: &[ContactCandidate],
    island: &Island,
    time: f64,
    thresholds: &ContactThresholds,
    crushed: &mut Vec<CrushedPair>,
) {
    if island.crushing.is_empty() {
        return;
    }
    let contacts = island.problem.contacts.iter().zip(&island.candidates);
    for ((contact, &index), own) in contacts.zip(&island.crushing) {
        let candidate = &candidates[index as usize];
        // The normal of a face is not that of each of its contacts: bodies may lose their gap without yielding.
        let on_own_normal = Contact {
            normal: candidate.approach.normal,
            ..*contact
        };
        let closed = -time * island.problem.relative_velocity(&on_own_normal)[0];
        let left = candidate.approach.gap - closed;
        let is_lost = closed > 0.0 && left < thresholds.event_push_apart_gap * candidate.distance;
        if !own.yields && !is_lost {
            continue;
        }
        let after = island.problem.relative_velocity(contact)[0];
        let pair = CrushedPair {
            a: candidate.a,
            b: candidate.b,
            offset: candidate.offset,
            normal: contact.normal,
            wall_point: candidate.approach.point_b,
            depth: (own.least - after).max(0.0) * time,
            gap: CUT_GAP * candidate.distance,
        };
        match crushed.iter_mut().find(|known| known.is_same(&pair)) {
            Some(known) if known.depth >= pair.depth => {}
            Some(known) => *known = pair,
            None => crushed.push(pair),
        }
    }
}
