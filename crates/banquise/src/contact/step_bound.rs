//! Guaranteed step bound (conservative advancement, Mirtich 1996): the longest time for which bodies can keep their velocities without
//! any contact.
//!
//! Polygons that are apart first touch where a vertex P of one reaches the boundary of the other, S (a disc
//! is its centre, which keeps its radius as a distance).
//! In the frame of S, P stays outside as long as it is in front of the supporting line through the closest point across
//! the normal (and has not gone so far as to meet a part of S that this line does not guard). Its
//! distance s from that line starts at the gap and changes with the normal velocity u; its
//! acceleration in that frame, the bodies keeping their velocities, is at most
//!
//! ```text
//! α = ω_P² r + 2 |ω_S| |Ẋ| + ω_S² |X|
//! ```
//!
//! with r the distance of P from its own centre, X its position from the centre of S. So
//! s ≥ gap + u t − ½ α t². Bodies in resting contact have u = 0 and turn slowly: they may go on for a
//! long time however small the gap, which a bound by speed alone would not allow (it replaces
//! Rabatel 2015, algorithms 1 and 2, whose bounds are not all valid: specification E-10, E-11).

use banquise_geometry::{DVec2, Pose, Side, shapes_overlap};
use rayon::prelude::*;

use super::candidate::{ContactCandidate, Motions};
use super::search::{SearchScratch, speed_in};
use super::settings::{ContactSettings, ContactThresholds, StepRule};
use super::squeeze::CrushedPair;
use crate::body::Bodies;
use crate::chunks::SMALL_THINGS;
use crate::motion::{Motion, Velocity};

/// The longest time for which two bodies may keep their motions at a candidate \[s\], with the longest step asked for.
type TimeOf = fn(&Bodies, &ContactCandidate, Motions<'_>, f64, &ContactThresholds) -> f64;

/// The length of the step \[s\], at most `max_dt`, and whether an optimistic one had to be repeated with the guaranteed bound.
pub(crate) fn step_time(
    bodies: &Bodies,
    search: &SearchScratch,
    max_dt: f64,
    settings: &ContactSettings,
) -> (f64, bool) {
    let thresholds = &settings.thresholds;
    let guaranteed = || shortest(bodies, search, max_dt, thresholds, safe_time_of);
    if settings.step_rule == StepRule::Guaranteed {
        return (guaranteed(), false);
    }
    let optimistic = shortest(bodies, search, max_dt, thresholds, optimistic_time_of);
    if overlap_after(bodies, search.candidates.iter(), optimistic) {
        (guaranteed(), true)
    } else {
        (optimistic, false)
    }
}

/// Time for which marked bodies meet none other than those that they crush, at most `max_dt` \[s\].
pub(crate) fn free_time(
    bodies: &Bodies,
    search: &SearchScratch,
    crushed: &[CrushedPair],
    is_marked: &[bool],
    max_dt: f64,
    thresholds: &ContactThresholds,
) -> f64 {
    let mut free = max_dt;
    let mut start = 0;
    for searched in &search.pairs {
        let own = &search.candidates[start..searched.end];
        start = searched.end;
        let pair = &searched.pair;
        let is_held = is_marked[pair.a] || pair.b.is_some_and(|b| is_marked[b]);
        let is_known = |known: &CrushedPair| known.is_of(pair.a, pair.b, pair.offset);
        if !is_held || crushed.iter().any(is_known) {
            continue;
        }
        // Vertices beyond the reach are not listed.
        let speed = pair.closing_speed(bodies);
        let room = searched.reach - thresholds.entry_gap * pair.distance;
        if speed * free > room {
            free = room.max(0.0) / speed;
        }
        for candidate in own {
            let motions = candidate.motions(bodies);
            free = free.min(safe_time_of(bodies, candidate, motions, free, thresholds));
        }
    }
    free
}

/// The shortest of the times of all candidates, and of those in which a body leaves its margin.
fn shortest(
    bodies: &Bodies,
    search: &SearchScratch,
    max_dt: f64,
    thresholds: &ContactThresholds,
    time_of: TimeOf,
) -> f64 {
    let mut shortest = max_dt;
    for (row, &margin) in search.margins.iter().enumerate() {
        let speed = speed_in(search.frame, bodies, row);
        // The margin of an obstacle is what it moves by in the longest step, and no impact changes that.
        if speed * shortest > margin && bodies.is_floe(row) {
            shortest = margin / speed;
        }
    }
    search
        .candidates
        .iter()
        .fold(shortest, |shortest, candidate| {
            let motions = candidate.motions(bodies);
            shortest.min(time_of(bodies, candidate, motions, shortest, thresholds))
        })
}

/// Gap that must be left at the end of a step: a pair that approaches stops just inside the contact zone; one that is in it
/// already keeps a share of its gap.
fn floor_of(candidate: &ContactCandidate, thresholds: &ContactThresholds) -> f64 {
    let gap = candidate.approach.gap;
    if gap > candidate.distance {
        thresholds.entry_gap * candidate.distance
    } else {
        thresholds.kept_gap_share * gap
    }
}

/// Step bound that neglects rotation; a pair in contact that does not approach has none.
fn optimistic_time_of(
    bodies: &Bodies,
    candidate: &ContactCandidate,
    motions: Motions<'_>,
    max_dt: f64,
    thresholds: &ContactThresholds,
) -> f64 {
    let relative = Relative::of(bodies, candidate, motions, max_dt);
    if candidate.is_contact() {
        return f64::INFINITY;
    }
    last_time(
        candidate.approach.gap - floor_of(candidate, thresholds),
        relative.normal_velocity,
        0.0,
    )
}

/// Whether two bodies of a candidate overlap after a time, exactly: bodies keep their velocities
/// meanwhile, so that the end of the step is known before it is taken.
pub(super) fn overlap_after<'a>(
    bodies: &Bodies,
    mut candidates: impl Iterator<Item = &'a ContactCandidate>,
    time: f64,
) -> bool {
    let pose_after = |row: usize| {
        let Motion { pose, velocity, .. } = bodies.motions[row];
        Pose {
            position: pose.position + time * velocity.linear,
            rotation: pose.rotation.turned_by(time * velocity.angular),
        }
    };
    let mut last = None;
    candidates.any(|candidate| {
        let a = candidate.a;
        let Some(b) = candidate.b else {
            let aabb = bodies.contact_shapes[a].aabb(pose_after(a));
            let (normal, line) = (candidate.approach.normal, candidate.approach.point_b);
            // The normal is along an axis, so the farthest corner is the largest or the smallest.
            return aabb.max.dot(normal).max(aabb.min.dot(normal)) > line.dot(normal);
        };
        let pair = (a, b, candidate.offset);
        // Candidates of one pair follow each other.
        if last.replace(pair) == Some(pair) {
            return false;
        }
        let pose_b = pose_after(b);
        let image = Pose {
            position: pose_b.position + candidate.offset,
            ..pose_b
        };
        let (shape_a, shape_b) = (&bodies.shapes()[a], &bodies.shapes()[b]);
        shapes_overlap(shape_a, pose_after(a), shape_b, image)
    })
}

/// The longest time \[s\] for which the bodies cannot touch here, if they keep these motions; the bound holds only up to
/// `max_dt`.
pub(crate) fn safe_time_of(
    bodies: &Bodies,
    candidate: &ContactCandidate,
    motions: Motions<'_>,
    max_dt: f64,
    thresholds: &ContactThresholds,
) -> f64 {
    let relative = Relative::of(bodies, candidate, motions, max_dt);
    let gap = candidate.approach.gap;
    let in_front = last_time(
        gap - floor_of(candidate, thresholds),
        relative.normal_velocity,
        relative.acceleration,
    );
    if candidate.approach.clearance == f64::INFINITY {
        return in_front;
    }
    let unguarded = (1.0 - thresholds.kept_gap_share) * candidate.approach.clearance;
    in_front.min(last_time(unguarded, -relative.speed, relative.acceleration))
}

/// Bound of the acceleration of a vertex in the frame of the other body, while both keep their velocities [m/s²].
pub(super) fn acceleration_of(bodies: &Bodies, candidate: &ContactCandidate, max_dt: f64) -> f64 {
    Relative::of(bodies, candidate, candidate.motions(bodies), max_dt).acceleration
}

/// Whether no two bodies can touch within `dt` \[s\]: by the bounds, or by an exact test at its end where they do not tell.
pub(crate) fn stays_apart(bodies: &Bodies, candidates: &[ContactCandidate], dt: f64) -> bool {
    let is_certain = |candidate: &ContactCandidate| {
        let relative = Relative::of(bodies, candidate, candidate.motions(bodies), dt);
        let (gap, clearance) = (candidate.approach.gap, candidate.approach.clearance);
        last_time(gap, relative.normal_velocity, relative.acceleration) >= dt
            && (clearance == f64::INFINITY
                || last_time(clearance, -relative.speed, relative.acceleration) >= dt)
    };
    let all = candidates.par_iter().enumerate();
    all.with_min_len(SMALL_THINGS).all(|(index, candidate)| {
        // Candidates of one pair follow each other; one exact test does for all of them.
        let is_seen = || {
            let before = index.checked_sub(1).map(|index| &candidates[index]);
            candidate.b.is_some()
                && before
                    .is_some_and(|before| before.is_of_same_pair(candidate) && !is_certain(before))
        };
        is_certain(candidate) || is_seen() || !overlap_after(bodies, std::iter::once(candidate), dt)
    })
}

/// Motion of a vertex in the frame of the other body.
struct Relative {
    /// Velocity along the normal; separation is positive [m/s].
    normal_velocity: f64,
    /// Speed at the start [m/s].
    speed: f64,
    /// Bound of the acceleration [m/s²].
    acceleration: f64,
}

impl Relative {
    fn of(
        bodies: &Bodies,
        candidate: &ContactCandidate,
        (motion_a, motion_b): Motions<'_>,
        max_dt: f64,
    ) -> Self {
        let (position_b, velocity_b) = match motion_b {
            Some(motion) => (motion.pose.position + candidate.offset, motion.velocity),
            None => (candidate.approach.point_b, Velocity::REST),
        };
        let (position_a, velocity_a) = (motion_a.pose.position, motion_a.velocity);
        let approach = &candidate.approach;
        let radius_of = |row: usize| bodies.contact_shapes[row].vertex_radius();
        // The point of a disc is its centre, which keeps its radius away from the line: the rim point
        // nearest to the line is another one at every moment.
        let (point, own, other) = match approach.side {
            Side::A => (
                approach.point_a - radius_of(candidate.a) * approach.normal,
                (position_a, velocity_a),
                (position_b, velocity_b),
            ),
            Side::B => (
                approach.point_b + candidate.b.map_or(0.0, radius_of) * approach.normal,
                (position_b, velocity_b),
                (position_a, velocity_a),
            ),
        };
        let arm: DVec2 = point - own.0;
        let from_other: DVec2 = point - other.0;
        let drift = (own.1.linear - other.1.linear).length() + own.1.angular.abs() * arm.length();
        let turn = other.1.angular.abs();
        let reached = from_other.length() + drift * max_dt;
        let separation = velocity_b.at(approach.point_b - position_b)
            - velocity_a.at(approach.point_a - position_a);
        Self {
            normal_velocity: separation.dot(approach.normal),
            speed: (own.1.at(arm) - other.1.at(from_other)).length(),
            acceleration: own.1.angular * own.1.angular * arm.length()
                + 2.0 * turn * drift
                + turn * turn * reached,
        }
    }
}

/// The last time at which room + velocity t − ½ acceleration t² ≥ 0.
fn last_time(room: f64, velocity: f64, acceleration: f64) -> f64 {
    let root = (velocity * velocity + 2.0 * acceleration * room).sqrt();
    if velocity < 0.0 {
        // Free of cancellation.
        return 2.0 * room / (root - velocity);
    }
    if acceleration == 0.0 {
        return f64::INFINITY;
    }
    (velocity + root) / acceleration
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_time_is_a_root() {
        for (room, velocity, acceleration) in [
            (1.0, -2.0, 0.5),
            (1.0, 2.0, 0.5),
            (1e-9, 0.0, 1e-6),
            (3.0, -1.0, 0.0),
        ] {
            let t = last_time(room, velocity, acceleration);
            let left: f64 = room + velocity * t - 0.5 * acceleration * t * t;
            assert!(left.abs() < 1e-12, "{left}");
        }
        assert_eq!(last_time(1.0, 0.0, 0.0), f64::INFINITY);
    }
}
