//! The rules of contact that all integrators share: when bodies rest on each other, and how fast bodies that are too close
//! are pushed apart.

use banquise_geometry::DVec2;

use super::candidate::{ContactCandidate, Motions};
use super::settings::{ContactSettings, ContactThresholds};
use super::step_bound::overlap_after;
use crate::body::Bodies;
use crate::motion::{Motion, Velocity};

/// Whether a candidate is an impact for these motions: the bodies are in contact, and approach or are too close.
pub(crate) fn is_impact(
    candidate: &ContactCandidate,
    motions: Motions<'_>,
    settings: &ContactSettings,
) -> bool {
    let velocity = || candidate.normal_velocity(motions);
    candidate.is_contact()
        && (velocity() < -settings.slack_velocity
            || !is_at_rest(motions)
                && velocity() < event_separation_velocity(candidate, &settings.thresholds))
}

/// Whether neither of two bodies moves. However close they are, they stay as they are, and need no push.
pub(super) fn is_at_rest((a, b): Motions<'_>) -> bool {
    let rests = |motion: &Motion| motion.velocity == Velocity::REST;
    rests(a) && b.is_none_or(rests)
}

/// Whether one of the two bodies moves on a path.
pub(super) fn is_driven(bodies: &Bodies, candidate: &ContactCandidate) -> bool {
    let mut rows = [Some(candidate.a), candidate.b].into_iter().flatten();
    rows.any(|row| moves_on_path(bodies, row))
}

/// Whether a body is an obstacle that moves.
pub(super) fn moves_on_path(bodies: &Bodies, row: usize) -> bool {
    !bodies.is_floe(row) && bodies.motions[row].velocity != Velocity::REST
}

/// Whether forces press bodies together that approach at this speed [m/s]: the forces of the last step gave a good share of
/// it. Bodies that rest on each other approach at every step by the velocity that forces add; this is no impact, and restitution
/// would make them jitter.
fn is_pressed(
    bodies: &Bodies,
    candidate: &ContactCandidate,
    approach: f64,
    thresholds: &ContactThresholds,
) -> bool {
    let [added_to_a, added_to_b] = candidate.force_delta_v(bodies);
    let added = (added_to_a - added_to_b).dot(candidate.approach.normal);
    approach > 0.0 && added >= thresholds.pressed_share * approach
}

/// Whether bodies are in resting contact under forces, without an impact: they are pressed together here, or one of
/// them bears a load and their relative velocity is no larger than what the forces of the last step added. Force chains of a jam pass
/// through contacts that no force presses directly, and restitution would return a share of the load there.
pub(super) fn is_resting(
    bodies: &Bodies,
    candidate: &ContactCandidate,
    approach: f64,
    bears_load: bool,
    thresholds: &ContactThresholds,
) -> bool {
    let added = candidate.force_delta_v(bodies).map(DVec2::length);
    is_pressed(bodies, candidate, approach, thresholds)
        || bears_load && approach.abs() <= added[0] + added[1]
}

/// The velocity with which bodies closer than `gap` \[m\] shall separate so that they are that far apart after `time`
/// \[s\]; zero for others [m/s].
fn separation_velocity(
    candidate: &ContactCandidate,
    gap: f64,
    time: f64,
    thresholds: &ContactThresholds,
) -> f64 {
    let opening = (gap - candidate.approach.gap) / time;
    opening.clamp(0.0, thresholds.max_push_apart_speed)
}

/// The velocity with which bodies too close to each other shall separate after an impact, unless they are at rest [m/s]. Bodies that turn together
/// lose a little of their gap at every step; without this the gap, and with it the step, would go to zero.
pub(super) fn event_separation_velocity(
    candidate: &ContactCandidate,
    thresholds: &ContactThresholds,
) -> f64 {
    if !candidate.is_contact() {
        return 0.0;
    }
    let gap = thresholds.event_push_apart_gap * candidate.distance;
    separation_velocity(candidate, gap, thresholds.push_apart_time, thresholds)
}

/// The least normal velocity with which a gap is kept for `dt` \[s\], when the bound of the acceleration along the normal
/// is `acceleration` [m/s²]; separation is positive [m/s].
pub(super) fn least_velocity(
    candidate: &ContactCandidate,
    acceleration: f64,
    dt: f64,
    thresholds: &ContactThresholds,
) -> f64 {
    let (gap, distance) = (candidate.approach.gap, candidate.distance);
    let push_apart_gap = thresholds.fixed_push_apart_gap * distance;
    if gap < push_apart_gap {
        return separation_velocity(candidate, push_apart_gap, dt, thresholds);
    }
    let turning = (0.5 * acceleration * dt * dt).min(thresholds.max_turning_gap * distance);
    -(gap - thresholds.fixed_kept_gap * distance - turning).max(0.0) / dt
}

/// The least normal velocity of a floe and a body on a path, which drags along with it what it presses on [m/s]: what it only passes must not be pushed.
pub(super) fn driven_least(
    bodies: &Bodies,
    candidate: &ContactCandidate,
    least: f64,
    dt: f64,
    thresholds: &ContactThresholds,
) -> f64 {
    let passes = || !overlap_after(bodies, std::iter::once(candidate), dt);
    if !candidate.approach.is_contact && passes() {
        least.min(candidate.normal_velocity(candidate.motions(bodies)))
    } else if least > 0.0 {
        least.min(event_separation_velocity(candidate, thresholds))
    } else {
        least
    }
}

/// Speed of the fastest point of a body [m/s].
pub(super) fn fastest(bodies: &Bodies) -> f64 {
    let speeds = bodies.motions.iter().zip(&bodies.radii);
    speeds.fold(0.0, |fastest, (motion, radius)| {
        let velocity = motion.velocity;
        fastest.max(velocity.linear.length() + velocity.angular.abs() * radius)
    })
}
