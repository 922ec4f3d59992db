//! Squeezed floes: islands between kinematic bodies that close on each other.
//!
//! A rigid floe between two such bodies has no admissible velocity. Where ice is crushed, a contact bears a normal force of at most
//!
//! ```text
//! F = p h w
//! ```
//!
//! with p the crushing pressure, h the thickness of the weaker floe and w the part of the chord of the overlap that the contact bears.

use banquise_geometry::DVec2;
use banquise_solver::{
    Body, CertificateKind, Contact, ContactProblem, Crushing, SolverContext, Verdict,
    kinematic_certificate,
};

use super::candidate::ContactCandidate;
use super::chord::{chords, crushing_direction};
use super::island::{Island, SqueezedIsland};
use super::rules::event_separation_velocity;
use super::settings::{ContactThresholds, CrushingPressure};
use crate::body::Bodies;
use crate::error::SqueezeCause;

/// Bodies and candidates from which contacts of islands are assembled.
#[derive(Debug, Clone, Copy)]
pub(super) struct Surroundings<'a> {
    pub(super) bodies: &'a Bodies,
    pub(super) candidates: &'a [ContactCandidate],
}

impl<'a> Surroundings<'a> {
    /// The candidates of the contacts of an island.
    fn of(self, island: &Island) -> Vec<&'a ContactCandidate> {
        let indices = island.candidates.iter();
        indices
            .map(|&index| &self.candidates[index as usize])
            .collect()
    }
}

/// Two contacts of an island with kinematic bodies, or walls, that close on each other.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Closing {
    /// How fast the body at the first contact moves into the island, in the frame of the body at the second [m/s].
    pub(super) speed: f64,
    /// The two contacts, by their place in the island.
    pub(super) contacts: [usize; 2],
    /// Direction in which the first body moves in the frame of the second.
    direction: DVec2,
}

/// A pair in which ice is crushed until the end of the step, when the overlap is cut away. Rows are those of the current step.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct CrushedPair {
    /// Row of the first body.
    pub(crate) a: usize,
    /// Row of the second; none for a wall.
    pub(crate) b: Option<usize>,
    /// To be added to the position of the second body \[m\].
    pub(crate) offset: DVec2,
    /// Normal of the contact that yields most, from the first to the second.
    pub(crate) normal: DVec2,
    /// A point of the wall \[m\].
    pub(crate) wall_point: DVec2,
    /// How far the two close within the step beyond what the gap allows \[m\].
    pub(crate) depth: f64,
    /// Gap that is left between them, from the first to the second \[m\].
    pub(crate) gap: DVec2,
}

/// The two contacts whose kinematic bodies close on each other fastest; none where these move together.
pub(super) fn closing(problem: &ContactProblem) -> Option<Closing> {
    let prescribed = |row: usize| Some(row).filter(|&row| problem.bodies[row].inv_mass == 0.0);
    let moves = |body: &Body| body.linear_velocity != DVec2::ZERO || body.angular_velocity != 0.0;
    if !problem
        .bodies
        .iter()
        .any(|body| body.inv_mass == 0.0 && moves(body))
    {
        return None;
    }
    // With each contact of such a body: its row, its lever arm, and the direction into the island.
    let mut ends = Vec::new();
    for (index, contact) in problem.contacts.iter().enumerate() {
        match (prescribed(contact.a), prescribed(contact.b)) {
            (Some(row), None) => ends.push((index, row, contact.arms[0], contact.normal)),
            (None, Some(row)) => ends.push((index, row, contact.arms[1], -contact.normal)),
            _ => {}
        }
    }
    let mut found: Option<Closing> = None;
    for &(first, row, arm, inward) in &ends {
        let own = &problem.bodies[row];
        let place = own.position + arm;
        for &(second, other, ..) in &ends {
            let other = &problem.bodies[other];
            let (own, other) = (velocity_at(own, place), velocity_at(other, place));
            let relative = own - other;
            let speed = relative.dot(inward);
            // Bodies that move together differ by the rounding of their paths.
            let rounding = SAME_SPEED * (own.length() + other.length());
            if speed > found.map_or(rounding, |closing| closing.speed.max(rounding)) {
                found = Some(Closing {
                    speed,
                    contacts: [first, second],
                    direction: relative.normalize_or_zero(),
                });
            }
        }
    }
    found
}

/// Velocities that differ by less than this share of them are the same [–]: paths give them to some roundings of a double.
const SAME_SPEED: f64 = 1e-12;

fn velocity_at(body: &Body, place: DVec2) -> DVec2 {
    body.linear_velocity + body.angular_velocity * (place - body.position).perp()
}

/// Describes a squeezed island for the error message.
fn squeezed(
    around: Surroundings<'_>,
    island: &Island,
    closing: &Closing,
    cause: SqueezeCause,
) -> SqueezedIsland {
    let (bodies, listed) = (around.bodies, around.of(island));
    let [first, second] = closing.contacts.map(|contact| listed[contact]);
    let is_floe = |&row: &usize| bodies.is_floe(row);
    let floe = Some(first.a).filter(is_floe).or(first.b.filter(is_floe));
    let rows = island.rows.iter().map(|&row| row as usize);
    SqueezedIsland {
        floes: rows.filter(is_floe).count(),
        body: name_of(bodies, floe.unwrap_or(first.a)),
        between: [first, second].map(|candidate| name_of_prescribed(bodies, candidate)),
        speed: closing.speed,
        place: first.approach.point_a,
        cause,
    }
}

/// The name of a body, or its number where it has none.
fn name_of(bodies: &Bodies, row: usize) -> String {
    match bodies.names()[row].as_str() {
        "" => bodies.ids()[row].to_string(),
        name => format!("\"{name}\""),
    }
}

/// The name of the obstacle or wall of a contact.
fn name_of_prescribed(bodies: &Bodies, candidate: &ContactCandidate) -> String {
    let rows = [Some(candidate.a), candidate.b];
    match rows.into_iter().flatten().find(|&row| !bodies.is_floe(row)) {
        Some(row) => name_of(bodies, row),
        None => {
            let side = ["west", "east", "south", "north"][candidate.wall()];
            format!("the {side} wall")
        }
    }
}

/// Searches, before the solve, for a proof that rigid floes of a squeezed island cannot keep their bounds.
pub(super) fn find_squeezed(
    context: SolverContext<'_>,
    around: Surroundings<'_>,
    island: &Island,
    closing: &Closing,
) -> Option<SqueezedIsland> {
    // Impacts have no bounds but zero; bodies that are too close need not be pushed apart.
    let mut least = vec![0.0; island.candidates.len()];
    for (least, bound) in least.iter_mut().zip(&island.bounds) {
        *least = bound.least.min(0.0);
    }
    kinematic_certificate(context, &island.problem, &least)?;
    let cause = SqueezeCause::Kinematic;
    Some(squeezed(around, island, closing, cause))
}

/// Whether the rigid floes of a squeezed island that was solved are locked.
pub(super) fn find_locked(
    around: Surroundings<'_>,
    island: &Island,
    closing: &Closing,
) -> Option<SqueezedIsland> {
    let cause = match &island.report.verdict {
        Verdict::Solved if is_thrown_out(around.bodies, island, closing) => SqueezeCause::Locked,
        Verdict::Solved => return None,
        Verdict::Infeasible(certificate) if certificate.kind == CertificateKind::Kinematic => {
            SqueezeCause::Kinematic
        }
        Verdict::Infeasible(_) => SqueezeCause::Frictional,
        Verdict::Unsolved(_) => SqueezeCause::Locked,
    };
    Some(squeezed(around, island, closing, cause))
}

/// Sets the crushing strength of each contact of an island over `time` \[s\], given the lower bounds on its normal velocities [m/s], and the normals
/// of the parts of faces that contacts bear.
pub(super) fn find_strength(
    around: Surroundings<'_>,
    island: &mut Island,
    pressure: CrushingPressure,
    (closing, time): (&Closing, f64),
    thresholds: &ContactThresholds,
    least: impl Fn(usize) -> f64,
) {
    let (bodies, listed) = (around.bodies, around.of(island));
    island.crushing.clear();
    island.crushing.resize(listed.len(), Crushing::default());
    island.crushing_areas.clear();
    island.crushing_areas.resize(listed.len(), 0.0);
    island.closing = closing.direction;
    let depth = closing.speed * time;
    let chords = chords(bodies, &listed, (closing.direction, depth), thresholds);
    for (contact, chord) in island.problem.contacts.iter_mut().zip(&chords) {
        contact.normal = chord.try_normalize().unwrap_or(contact.normal);
    }
    share_normals(&listed, &mut island.problem.contacts);
    for (number, candidate) in listed.iter().enumerate() {
        let thickness_of = |row: usize| bodies.mean_thicknesses()[row];
        // The thickness of an obstacle is NaN, which `min` ignores.
        let other = candidate.b.map_or(f64::NAN, thickness_of);
        let thickness = thickness_of(candidate.a).min(other);
        let area = thickness * chords[number].length();
        let of_pair = (0..listed.len()).filter(|&other| candidate.is_of_same_pair(listed[other]));
        let width: DVec2 = of_pair.map(|other| chords[other]).sum();
        let target = event_separation_velocity(candidate, thresholds);
        let facing = island.problem.contacts[number]
            .normal
            .dot(closing.direction);
        let least = if target > 0.0 {
            target
        } else if facing.abs() < FLANK && candidate.b.is_some() {
            // Part of the gap may close, half of what a step leaves: where none is left, opposite flanks hold each other with any impulse.
            let closing_share = 0.5 * (1.0 - thresholds.kept_gap_share);
            -closing_share * candidate.approach.gap.max(0.0) / time
        } else {
            // A cut leaves less ahead of a side aslant than fixed steps keep otherwise.
            least(number).min(0.0)
        };
        island.crushing[number].least = least;
        island.crushing[number].largest = pressure.of(thickness, width.length()) * area * time;
        island.crushing_areas[number] = area;
    }
}

/// A contact is on the flank of a notch if the cosine of the angle between its normal and the direction of closing is less than this: 87°.
const FLANK: f64 = 0.05;

/// Contacts of one face have one normal: where they differ by rounding, both cannot stick while the face yields.
fn share_normals(listed: &[&ContactCandidate], contacts: &mut [Contact]) {
    for own in 1..contacts.len() {
        let first = (0..own).find(|&other| {
            listed[own].is_of_same_pair(listed[other])
                && contacts[own].normal.dot(contacts[other].normal) >= 1.0 - PARALLEL
        });
        if let Some(first) = first {
            contacts[own].normal = contacts[first].normal;
        }
    }
}

/// With one contact of a pair all others become contacts: a face that is crushed bears along all of it, though parts of it keep their bounds.
pub(super) fn include_faces(
    candidates: &[ContactCandidate],
    is_active: &[bool],
    is_new: &mut [bool],
) {
    let mut start = 0;
    for pair in candidates.chunk_by(ContactCandidate::is_of_same_pair) {
        let range = start..start + pair.len();
        start = range.end;
        if is_new[range.clone()].contains(&true) {
            for (candidate, index) in pair.iter().zip(range) {
                is_new[index] |= candidate.is_contact() && !is_active[index];
            }
        }
    }
}

/// Thins out the contacts of an island with floes that were cut: along a cut two outlines fit each other, with a contact for each of a hundred vertices.
/// Contacts that are too close stay: others do not keep their gap exactly where the face is curved.
pub(super) fn thin_out_cut(
    around: Surroundings<'_>,
    island: &mut Island,
    thresholds: &ContactThresholds,
) {
    let versions = around.bodies.shape_versions();
    if island.rows.iter().any(|&row| versions[row as usize] > 0) {
        thin_out(around, island, thresholds.fixed_push_apart_gap);
    }
}

/// Removes contacts of an island that lie between others of the same face: the share of each in the load is undetermined. Contacts closer than
/// `least_gap` collision distances stay.
pub(super) fn thin_out(around: Surroundings<'_>, island: &mut Island, least_gap: f64) {
    let listed = around.of(island);
    // One by one, so that where normals turn along a curved face some contacts stay for each direction.
    let mut keep = vec![true; listed.len()];
    for own in 0..listed.len() {
        let candidate = listed[own];
        let is_close = candidate.approach.gap < least_gap * candidate.distance;
        keep[own] = is_close || !is_between(own, &listed, &keep);
    }
    island.retain_contacts(&keep);
    let listed = around.of(island);
    share_normals(&listed, &mut island.problem.contacts);
}

/// Normals are parallel where the cosine of their angle differs from one by less than this: an angle of 1.4e-6.
const PARALLEL: f64 = 1e-12;

/// Whether two contacts are of one pair and the cosine of the angle between their normals is at least this.
fn are_near(first: &ContactCandidate, second: &ContactCandidate, cosine: f64) -> bool {
    first.is_of_same_pair(second) && first.approach.normal.dot(second.approach.normal) >= cosine
}

/// Whether floes leave a squeezed island faster than any could: a solution that only rounding or friction allows.
fn is_thrown_out(bodies: &Bodies, island: &Island, closing: &Closing) -> bool {
    let rows = || island.rows.iter().map(|&row| row as usize);
    let before = rows().map(|row| bodies.motions[row].velocity.linear.length());
    let allowed = THROWN_OUT * closing.speed + before.fold(0.0, f64::max);
    let after = island.problem.bodies.iter();
    after
        .map(|body| body.linear_velocity.length())
        .any(|speed| speed > allowed)
}

/// A squeezed floe does not leave faster than this many times the speed at which bodies close on it [–]: faces at an angle of 1° throw it out at 57 times that
/// speed.
const THROWN_OUT: f64 = 100.0;

/// Whether a contact of a face lies between two others of it that are kept and as close, and is redundant.
fn is_between(number: usize, all: &[&ContactCandidate], is_kept: &[bool]) -> bool {
    let own = all[number];
    let tangent = own.approach.normal.perp();
    let along = |index: usize| (all[index].approach.point_a.dot(tangent), index);
    let gap = |index: usize| all[index].approach.gap;
    let on_face =
        || (0..all.len()).filter(|&index| is_kept[index] && are_near(own, all[index], SAME_NORMAL));
    let allowed = own.approach.gap + SAME_GAP * own.distance;
    let place = along(number);
    on_face()
        .filter(|&first| along(first) < place)
        .any(|first| {
            on_face().filter(|&last| along(last) > place).any(|last| {
                let (start, end) = (along(first).0, along(last).0);
                let share = (place.0 - start) / (end - start).max(f64::MIN_POSITIVE);
                gap(first) + share * (gap(last) - gap(first)) <= allowed
            })
        })
}

/// Gaps that differ by less than this share of the collision distance are the same [–].
const SAME_GAP: f64 = 1e-3;

/// Cosine of the angle between normals on one face, at least: 30°.
const SAME_NORMAL: f64 = 0.866;

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
    let listed: Vec<&ContactCandidate> = island
        .candidates
        .iter()
        .map(|&index| &candidates[index as usize])
        .collect();
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
            gap: thresholds.fixed_kept_gap
                * candidate.distance
                * crushing_direction(candidate, &listed, island.closing),
        };
        match crushed.iter_mut().find(|known| known.is_same(&pair)) {
            Some(known) if known.depth >= pair.depth => {}
            Some(known) => *known = pair,
            None => crushed.push(pair),
        }
    }
}

impl CrushedPair {
    /// Whether both are of the same bodies; of walls, of the same wall.
    fn is_same(&self, other: &Self) -> bool {
        self.is_of(other.a, other.b, other.offset)
            && (self.b.is_some() || self.normal == other.normal)
    }

    /// Whether it is of these bodies, or of a body and any wall.
    pub(crate) fn is_of(&self, a: usize, b: Option<usize>, offset: DVec2) -> bool {
        (self.a, self.b, self.offset) == (a, b, offset)
    }
}
