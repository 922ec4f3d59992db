//! What is known of a contact, of friction and of a joint in a fixed step of the laws other than Coulomb's.

use banquise_solver::{BoundKind, ConvexBound};

use super::candidate::ContactCandidate;
use super::settings::ContactSettings;
use crate::body::Bodies;

/// What a row of the step is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Role {
    /// A contact that pushes, and pulls where it has a memory.
    Contact,
    /// Friction of the contact of this number: its solid push is what exceeds `free` \[N s\].
    Friction {
        of: u32,
        coefficient: f64,
        free: f64,
    },
    /// Solid contact, of the contact of this number, that neither slips nor rolls.
    Stick { of: u32 },
    /// A point of the joint of this number, or its shear.
    Bond {
        number: u32,
        is_shear: bool,
        compliance: f64,
    },
}

/// A row of the step.
#[derive(Debug, Clone, Copy)]
pub(super) struct Place {
    pub(super) role: Role,
    /// The joint of the two bodies, if they are frozen together.
    pub(super) bond: Option<u32>,
    /// The row of its friction; zero for none.
    pub(super) friction: u32,
    /// The least normal velocity, −D/Δt [m/s]; −∞ for a candidate that is no contact of its own.
    pub(super) least: f64,
    /// γ/R at the start of the step [N s]; at most zero.
    pub(super) memory: f64,
    /// Impulse of the last step, and of this one [N s].
    pub(super) last: f64,
    pub(super) impulse: f64,
    /// What a joint held at the start of the step [N s].
    pub(super) held: f64,
    pub(super) is_active: bool,
    pub(super) is_new: bool,
}

impl Place {
    /// A row with an impulse to start from.
    pub(super) fn new(role: Role, least: f64, start: f64) -> Self {
        Self {
            role,
            bond: None,
            friction: 0,
            least,
            memory: 0.0,
            last: 0.0,
            impulse: start,
            held: start,
            is_active: false,
            is_new: false,
        }
    }

    /// Its bound; `place_of` gives the number of another row of the island.
    pub(super) fn bound(&self, place_of: impl Fn(u32) -> usize) -> ConvexBound {
        let (kind, compliance) = match self.role {
            Role::Contact if self.memory < 0.0 => (BoundKind::ExactlyUpTo(-self.memory), 0.0),
            Role::Contact => (BoundKind::AtLeast, 0.0),
            Role::Stick { .. } => (BoundKind::Exactly, 0.0),
            Role::Bond { compliance, .. } => (BoundKind::Exactly, compliance),
            Role::Friction {
                of,
                coefficient,
                free,
            } => {
                let kind = BoundKind::Friction {
                    of: place_of(of),
                    coefficient,
                    free,
                };
                (kind, 0.0)
            }
        };
        ConvexBound {
            least: self.least,
            kind,
            compliance,
        }
    }
}

/// Whether one of the two bodies is a disc.
pub(super) fn has_disc(bodies: &Bodies, candidate: &ContactCandidate) -> bool {
    let is_disc = |row: usize| bodies.contact_shapes[row].is_disc();
    is_disc(candidate.a) || candidate.b.is_some_and(is_disc)
}

/// Whether the distance is a convex function of the places in a step: of a disc to another, to a wall, or to an obstacle that does not turn in it, `ahead` being the rows of those that have turned already. A body that
/// turns may come closer to a disc than its velocity at the contact says.
pub(super) fn is_distance_convex(
    bodies: &Bodies,
    candidate: &ContactCandidate,
    ahead: &[usize],
) -> bool {
    let turns = |row: usize| {
        let is_disc = bodies.contact_shapes[row].is_disc();
        let is_turning = bodies.is_floe(row)
            || bodies.motions[row].velocity.angular != 0.0 && ahead.binary_search(&row).is_err();
        !is_disc && is_turning
    };
    has_disc(bodies, candidate) && !turns(candidate.a) && !candidate.b.is_some_and(turns)
}

/// The distance that may be closed in a step \[m\].
pub(super) fn room(
    bodies: &Bodies,
    candidate: &ContactCandidate,
    ahead: &[usize],
    dt: f64,
    settings: &ContactSettings,
) -> f64 {
    let approach = &candidate.approach;
    if is_distance_convex(bodies, candidate, ahead) {
        // With its sign, which the gap has not.
        return (approach.point_b - approach.point_a).dot(approach.normal);
    }
    let thresholds = &settings.thresholds;
    let room = approach.gap - thresholds.fixed_kept_gap * candidate.distance;
    room.max(-dt * thresholds.max_push_apart_speed)
}
