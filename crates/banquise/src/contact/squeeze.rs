//! Squeezed floes: islands between kinematic bodies that close on each other.
//!
//! A rigid floe between two such bodies has no admissible velocity. Where ice is crushed, a contact bears a normal force of at most
//!
//! ```text
//! F = p h w
//! ```
//!
//! with p the crushing pressure, h the thickness of the weaker floe and w the chord of the overlap. Over a step in which bodies close by s
//! the chord is the mean one, A/s, with A the area that would overlap: the work of the force is then the pressure times the volume. Contacts of
//! one face share its chord, and have one normal.

use banquise_geometry::{DVec2, overlap_area, polygon_of};
use banquise_solver::{
    Body, CertificateKind, Contact, ContactProblem, Crushing, SolverContext, Verdict,
    kinematic_certificate,
};

use super::candidate::ContactCandidate;
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
    /// Gap that is left between them \[m\].
    pub(crate) clearance: f64,
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
            let relative = velocity_at(own, place) - velocity_at(other, place);
            let speed = relative.dot(inward);
            if speed > found.map_or(0.0, |closing| closing.speed) {
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
        Verdict::Solved => return None,
        Verdict::Infeasible(certificate) if certificate.kind == CertificateKind::Kinematic => {
            SqueezeCause::Kinematic
        }
        Verdict::Infeasible(_) => SqueezeCause::Frictional,
        Verdict::Unsolved(_) => SqueezeCause::Locked,
    };
    Some(squeezed(around, island, closing, cause))
}

/// Whether a contact is on the flank of the notch that a body cuts into a floe: its pair has others in front.
fn is_flank(candidate: &ContactCandidate, all: &[&ContactCandidate], closing: &Closing) -> bool {
    let faces = |candidate: &ContactCandidate| {
        candidate.approach.normal.dot(closing.direction).abs() >= FACING
    };
    let has_front = || {
        all.iter()
            .any(|other| candidate.is_of_same_pair(other) && faces(other))
    };
    !faces(candidate) && has_front()
}

/// Least cosine of the angle between the normal of a contact and the direction of closing for a contact in front; others are on a flank: 60°.
const FACING: f64 = 0.5;

/// Contacts of a pair that bear the load of one overlap.
struct Face {
    /// Their places in the island; that with the widest chord first.
    contacts: Vec<usize>,
    normal: DVec2,
    /// Chord of the overlap \[m\].
    width: f64,
    /// Contacts with a larger gap than this bear nothing within the step \[m\].
    reach: f64,
}

/// Divides the contacts of an island into faces. Where a body has cut a notch, corners give contacts with normals aslant: they belong to the
/// face in front, for otherwise each would bear a part of its chord in a direction of its own.
fn faces_of(
    bodies: &Bodies,
    listed: &[&ContactCandidate],
    depth: f64,
    thresholds: &ContactThresholds,
) -> Vec<Face> {
    // Cuts leave this gap in front; corners aslant are closer.
    let front_gap = |own: &ContactCandidate| {
        let clearance = thresholds.fixed_kept_gap * own.distance;
        own.approach.gap.max(clearance)
    };
    let width_of = |own: &ContactCandidate, normal: DVec2, gap: f64| {
        chord(bodies, own, normal, [gap, gap + depth])
    };
    let widths: Vec<f64> = listed
        .iter()
        .map(|own| width_of(own, own.approach.normal, front_gap(own)))
        .collect();
    let mut by_width: Vec<usize> = (0..listed.len()).collect();
    by_width.sort_by(|&first, &second| widths[second].total_cmp(&widths[first]));
    let mut faces: Vec<Face> = Vec::new();
    for number in by_width {
        let own = listed[number];
        let known = faces
            .iter_mut()
            .find(|face| are_near(listed[face.contacts[0]], own, FACING));
        match known {
            Some(face) => face.contacts.push(number),
            None => faces.push(Face {
                contacts: vec![number],
                normal: own.approach.normal,
                width: widths[number],
                reach: f64::INFINITY,
            }),
        }
    }
    for face in faces.iter_mut().filter(|face| face.contacts.len() > 1) {
        let contacts = face.contacts.iter().map(|&number| listed[number]);
        let lead = listed[face.contacts[0]];
        face.normal = normal_of(contacts.clone(), lead);
        let gap = contacts.map(front_gap).fold(f64::INFINITY, f64::min);
        face.width = width_of(lead, face.normal, gap);
        face.reach = gap + REACHED * depth;
    }
    faces
}

/// Share of the closing of a step within which a contact must be reached to bear a part of the load [–]: one that is reached at the end of the step bears
/// next to nothing, and its part would be missing.
const REACHED: f64 = 0.5;

/// The normal of a face: where its contacts have several, across the line from its first contact to its last.
fn normal_of<'a>(
    face: impl Iterator<Item = &'a ContactCandidate>,
    lead: &ContactCandidate,
) -> DVec2 {
    let normal = lead.approach.normal;
    let along = |candidate: &ContactCandidate| candidate.approach.point_a.dot(normal.perp());
    let (mut first, mut last, mut is_flat) = (lead, lead, true);
    for other in face {
        is_flat &= are_near(lead, other, 1.0 - PARALLEL);
        if along(other) < along(first) {
            first = other;
        }
        if along(other) > along(last) {
            last = other;
        }
    }
    let across = -(last.approach.point_a - first.approach.point_a)
        .normalize_or_zero()
        .perp();
    if is_flat || across.dot(normal) < FACING {
        normal
    } else {
        across
    }
}

/// Sets the crushing strength of each contact of an island over `time` \[s\], given the lower bounds on its normal velocities [m/s]. Contacts of one
/// face get one normal.
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
    for face in faces_of(bodies, &listed, closing.speed * time, thresholds) {
        let bears = |number: usize| listed[number].approach.gap <= face.reach;
        let bearing = face.contacts.iter().filter(|&&number| bears(number));
        let bearing = bearing.count() as f64;
        for &number in &face.contacts {
            let candidate = listed[number];
            let thickness_of = |row: usize| bodies.mean_thicknesses()[row];
            // The thickness of an obstacle is NaN, which `min` ignores.
            let other = candidate.b.map_or(f64::NAN, thickness_of);
            let thickness = thickness_of(candidate.a).min(other);
            let width = face.width.max(candidate.distance);
            let area = if bears(number) {
                thickness * width / bearing
            } else {
                0.0
            };
            let least = if is_flank(candidate, &listed, closing) {
                // Part of the gap may close, half of what a step leaves: where none is left, opposite flanks hold each other with any impulse.
                let closing_share = 0.5 * (1.0 - thresholds.kept_gap_share);
                let target = event_separation_velocity(candidate, thresholds);
                if target > 0.0 {
                    target
                } else {
                    -closing_share * candidate.approach.gap.max(0.0) / time
                }
            } else {
                least(number)
            };
            island.problem.contacts[number].normal = face.normal;
            island.crushing[number].least = least;
            island.crushing[number].largest = pressure.of(thickness, width) * area * time;
            island.crushing_areas[number] = area;
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
    let keep: Vec<bool> = (0..listed.len())
        .map(|own| {
            let candidate = listed[own];
            candidate.approach.gap < least_gap * candidate.distance || !is_between(own, &listed)
        })
        .collect();
    island.retain_contacts(&keep);
    // Contacts of one face have one normal: where they differ by rounding, both cannot stick while the face yields.
    let listed = around.of(island);
    for (own, candidate) in listed.iter().enumerate() {
        let first = listed[..own]
            .iter()
            .position(|other| are_near(candidate, other, 1.0 - PARALLEL));
        if let Some(first) = first {
            island.problem.contacts[own].normal = island.problem.contacts[first].normal;
        }
    }
}

/// Normals are parallel where the cosine of their angle differs from one by less than this: an angle of 1.4e-6.
const PARALLEL: f64 = 1e-12;

/// Whether two contacts are of one pair and the cosine of the angle between their normals is at least this.
fn are_near(first: &ContactCandidate, second: &ContactCandidate, cosine: f64) -> bool {
    let same_pair = (first.a, first.b, first.offset) == (second.a, second.b, second.offset);
    same_pair && first.approach.normal.dot(second.approach.normal) >= cosine
}

/// Whether a contact of a face lies between two others of it that are as close, and is redundant.
fn is_between(number: usize, all: &[&ContactCandidate]) -> bool {
    let own = all[number];
    let tangent = own.approach.normal.perp();
    let along = |index: usize| (all[index].approach.point_a.dot(tangent), index);
    let gap = |index: usize| all[index].approach.gap;
    let on_face = || (0..all.len()).filter(|&index| are_near(own, all[index], SAME_NORMAL));
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

/// Cosine of the angle between normals on one face, at least: 15°.
const SAME_NORMAL: f64 = 0.966;

/// The mean chord of the overlap while the bodies of a candidate close along a normal, from a first to a second distance \[m\].
fn chord(
    bodies: &Bodies,
    candidate: &ContactCandidate,
    normal: DVec2,
    [from, to]: [f64; 2],
) -> f64 {
    let first = placed(bodies, candidate.a, DVec2::ZERO);
    let overlap = |distance: f64| {
        let shift = -distance * normal;
        let second = match candidate.b {
            Some(b) => placed(bodies, b, candidate.offset + shift),
            None => half_plane(
                candidate.approach.point_b + shift,
                normal,
                bodies.radii[candidate.a],
            ),
        };
        overlap_area(&first, &second)
    };
    (overlap(to) - overlap(from)) / (to - from).max(f64::MIN_POSITIVE)
}

/// The vertices of a body where it is, moved by an offset \[m\].
pub(crate) fn placed(bodies: &Bodies, row: usize, offset: DVec2) -> Vec<DVec2> {
    let pose = bodies.motions[row].pose;
    let vertices = polygon_of(&bodies.shapes()[row]).into_iter();
    vertices
        .map(|vertex| pose.world_from_body(vertex) + offset)
        .collect()
}

/// The part of the half-plane behind a line that a body of this radius near `point` can reach; the normal points into it.
pub(crate) fn half_plane(point: DVec2, normal: DVec2, radius: f64) -> Vec<DVec2> {
    let (along, into) = (8.0 * radius * normal.perp(), 8.0 * radius * normal);
    vec![
        point + along,
        point - along,
        point - along + into,
        point + along + into,
    ]
}

/// Adds each pair of an island in which ice is crushed for `time` \[s\] once.
pub(super) fn list_crushed(
    candidates: &[ContactCandidate],
    island: &Island,
    time: f64,
    thresholds: &ContactThresholds,
    crushed: &mut Vec<CrushedPair>,
) {
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
            clearance: thresholds.fixed_kept_gap * candidate.distance,
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
