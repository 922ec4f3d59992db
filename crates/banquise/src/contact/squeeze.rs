//! Squeezed floes: islands between kinematic bodies that close on each other.
//!
//! A rigid floe between two such bodies has no admissible velocity: the run stops, or ice is crushed (`crush`).

use banquise_geometry::DVec2;
use banquise_solver::{
    Body, CertificateKind, Contact, ContactProblem, SolverContext, Verdict, kinematic_certificate,
};

use super::candidate::{ContactCandidate, pair_ranges};
use super::island::{Island, SqueezedIsland};
use super::settings::ContactThresholds;
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
    pub(super) fn of(self, island: &Island) -> Vec<&'a ContactCandidate> {
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
    pub(super) direction: DVec2,
    /// Whether the bodies only pass along each other: blows may then be faster than they close.
    is_passing: bool,
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
    /// Gap that is left between them \[m\].
    pub(crate) gap: f64,
}

/// A contact of an island with a kinematic body or a wall.
#[derive(Debug, Clone, Copy)]
struct End {
    contact: usize,
    body: usize,
    place: DVec2,
    /// Direction into the island.
    inward: DVec2,
}

/// The contacts of an island with kinematic bodies; empty where none of these moves.
fn ends_of(problem: &ContactProblem) -> Vec<End> {
    let prescribed = |row: usize| Some(row).filter(|&row| problem.bodies[row].inv_mass == 0.0);
    let moves = |body: &Body| body.linear_velocity != DVec2::ZERO || body.angular_velocity != 0.0;
    let mut ends = Vec::new();
    if !problem
        .bodies
        .iter()
        .any(|body| body.inv_mass == 0.0 && moves(body))
    {
        return ends;
    }
    for (index, contact) in problem.contacts.iter().enumerate() {
        let (body, arm, inward) = match (prescribed(contact.a), prescribed(contact.b)) {
            (Some(row), None) => (row, contact.arms[0], contact.normal),
            (None, Some(row)) => (row, contact.arms[1], -contact.normal),
            _ => continue,
        };
        ends.push(End {
            contact: index,
            body,
            place: problem.bodies[body].position + arm,
            inward,
        });
    }
    ends
}

/// The contact whose body closes fastest on that of a given one; none where these move together. `speed_of` is the speed at which two ends close, given the
/// velocity of the first in the frame of the second [m/s].
fn fastest_with(
    problem: &ContactProblem,
    end: &End,
    ends: &[End],
    speed_of: impl Fn(&End, &End, DVec2) -> f64,
) -> Option<Closing> {
    let own = velocity_at(&problem.bodies[end.body], end.place);
    let mut found: Option<Closing> = None;
    for second in ends {
        let other = velocity_at(&problem.bodies[second.body], end.place);
        let relative = own - other;
        let speed = speed_of(end, second, relative);
        // Bodies that move together differ by the rounding of their paths.
        let rounding = SAME_SPEED * (own.length() + other.length());
        if speed > found.map_or(rounding, |closing| closing.speed.max(rounding)) {
            found = Some(Closing {
                speed,
                contacts: [end.contact, second.contact],
                direction: relative.normalize_or_zero(),
                is_passing: false,
            });
        }
    }
    found
}

/// Speed at which a body moves into the island, in the frame of another [m/s].
fn inward_speed(end: &End, _: &End, relative: DVec2) -> f64 {
    relative.dot(end.inward)
}

/// Speed at which the distance between two ends falls [m/s].
fn approach_of_ends(end: &End, second: &End, relative: DVec2) -> f64 {
    let across = second.place - end.place;
    relative.dot(across.normalize_or_zero())
}

fn fastest(
    problem: &ContactProblem,
    speed_of: impl Fn(&End, &End, DVec2) -> f64 + Copy,
) -> Option<Closing> {
    let ends = ends_of(problem);
    let mut found: Option<Closing> = None;
    for end in &ends {
        let own = fastest_with(problem, end, &ends, speed_of);
        if let Some(own) = own
            && found.is_none_or(|found| own.speed > found.speed)
        {
            found = Some(own);
        }
    }
    found
}

/// The two contacts whose kinematic bodies close on each other fastest; none where these move together. With crushing, bodies that pass along each other
/// count too: ice that they lock is crushed.
pub(super) fn closing(problem: &ContactProblem, crushes: bool) -> Option<Closing> {
    fastest(problem, inward_speed).or_else(|| passing(problem).filter(|_| crushes))
}

/// The two contacts whose distance falls fastest while their kinematic bodies pass along each other: friction can lock floes between them, as in a sprag clutch,
/// though neither body moves into the island.
pub(super) fn passing(problem: &ContactProblem) -> Option<Closing> {
    fastest(problem, approach_of_ends).map(|found| Closing {
        is_passing: true,
        ..found
    })
}

/// For each contact of an island with a kinematic body: where that body goes, seen from the one on which it closes fastest.
pub(super) fn closing_of_each(problem: &ContactProblem) -> Vec<Option<Closing>> {
    let ends = ends_of(problem);
    let mut all = vec![None; problem.contacts.len()];
    for end in &ends {
        all[end.contact] = fastest_with(problem, end, &ends, inward_speed);
    }
    all
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
    thresholds: &ContactThresholds,
) -> Option<SqueezedIsland> {
    let is_overloaded =
        || !closing.is_passing && is_overloaded(around, island, closing, thresholds);
    let cause = match &island.report.verdict {
        Verdict::Solved if is_overloaded() => SqueezeCause::Locked,
        Verdict::Solved => return None,
        Verdict::Infeasible(certificate) if certificate.kind == CertificateKind::Kinematic => {
            SqueezeCause::Kinematic
        }
        Verdict::Infeasible(_) => SqueezeCause::Frictional,
        Verdict::Unsolved(_) => SqueezeCause::Locked,
    };
    Some(squeezed(around, island, closing, cause))
}

/// Contacts of one face have one normal: where they differ by rounding, both cannot stick while the face yields.
pub(super) fn share_normals(listed: &[&ContactCandidate], contacts: &mut [Contact]) {
    let pairs = pair_ranges(listed);
    for own in 1..contacts.len() {
        let first = (pairs[own].start..own)
            .find(|&other| contacts[own].normal.dot(contacts[other].normal) >= 1.0 - PARALLEL);
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
    let pairs = pair_ranges(&listed);
    // One by one, so that where normals turn along a curved face some contacts stay for each direction.
    let mut keep = vec![true; listed.len()];
    for own in 0..listed.len() {
        let candidate = listed[own];
        let is_close = candidate.approach.gap < least_gap * candidate.distance;
        let pair = pairs[own].clone();
        keep[own] = is_close || !is_between(own - pair.start, &listed[pair.clone()], &keep[pair]);
    }
    island.retain_contacts(&keep);
    let listed = around.of(island);
    share_normals(&listed, &mut island.problem.contacts);
}

/// Normals are parallel where the cosine of their angle differs from one by less than this: an angle of 1.4e-6.
const PARALLEL: f64 = 1e-12;

/// Whether floes of a squeezed island leave so fast, or press so hard on the kinematic bodies, that ice would be crushed first: the solution of contacts that are nearly in
/// line, or nearly locked by friction.
fn is_overloaded(
    around: Surroundings<'_>,
    island: &Island,
    closing: &Closing,
    thresholds: &ContactThresholds,
) -> bool {
    let motions = &around.bodies.motions;
    let before = island
        .rows
        .iter()
        .map(|&row| motions[row as usize].velocity);
    let given = closing.speed + before.fold(0.0, |most, own| own.linear.length().max(most));
    let bodies = &island.problem.bodies;
    let mut after = bodies.iter().map(|body| body.linear_velocity.length());
    if after.any(|speed| speed > thresholds.squeezed_escape_ratio * given) {
        return true;
    }
    let is_floe = |row: usize| bodies[row].inv_mass > 0.0;
    let contacts = island.problem.contacts.iter().zip(&island.report.impulses);
    let borne: f64 = contacts
        .filter(|(contact, _)| is_floe(contact.a) != is_floe(contact.b))
        .map(|(_, impulse)| impulse[0])
        .sum();
    let floes = bodies.iter().filter(|body| body.inv_mass > 0.0);
    let mass: f64 = floes.map(|body| body.inv_mass.recip()).sum();
    borne > thresholds.squeezed_impulse_ratio * mass * given
}

/// Whether a contact of a pair lies between two others of its face that are kept and as close, and is redundant.
fn is_between(number: usize, all: &[&ContactCandidate], is_kept: &[bool]) -> bool {
    let own = all[number];
    let tangent = own.approach.normal.perp();
    let along = |index: usize| (all[index].approach.point_a.dot(tangent), index);
    let gap = |index: usize| all[index].approach.gap;
    let is_on_face = |&index: &usize| {
        is_kept[index] && own.approach.normal.dot(all[index].approach.normal) >= SAME_NORMAL
    };
    let on_face: Vec<usize> = (0..all.len()).filter(is_on_face).collect();
    let allowed = own.approach.gap + SAME_GAP * own.distance;
    let place = along(number);
    let mut before = on_face.iter().filter(|&&first| along(first) < place);
    before.any(|&first| {
        let mut after = on_face.iter().filter(|&&last| along(last) > place);
        after.any(|&last| {
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

impl CrushedPair {
    /// Whether both are of the same bodies; of walls, of the same wall.
    pub(super) fn is_same(&self, other: &Self) -> bool {
        self.is_of(other.a, other.b, other.offset)
            && (self.b.is_some() || self.normal == other.normal)
    }

    /// Whether it is of these bodies, or of a body and any wall.
    pub(crate) fn is_of(&self, a: usize, b: Option<usize>, offset: DVec2) -> bool {
        (self.a, self.b, self.offset) == (a, b, offset)
    }
}
