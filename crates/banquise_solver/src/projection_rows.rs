//! The rows of a projection onto convex bounds: what a contact asks of the velocities of its bodies.

use glam::DVec2;

use crate::problem::{Contact, ContactProblem};

/// Kind of a bound.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub enum BoundKind {
    /// The normal velocity is at least the bound: the contact can push.
    #[default]
    AtLeast,
    /// The normal velocity is the bound: the contact can push and pull.
    Exactly,
    /// The normal velocity is the bound unless that takes a pull of more than this impulse \[N s\]; the contact then pulls by this much and the velocity
    /// is at least the bound.
    ExactlyUpTo(f64),
    /// Coulomb's friction, with the tangent of another contact as its normal: the velocity is the bound unless that takes an impulse of more than μ times what
    /// the other contact pushes beyond a given impulse.
    Friction {
        /// Number of the contact that pushes.
        of: usize,
        /// Friction coefficient μ [–].
        coefficient: f64,
        /// Push that causes no friction \[N s\].
        free: f64,
    },
}

impl BoundKind {
    /// The least impulse of a contact \[N s\].
    pub fn least_impulse(self) -> f64 {
        match self {
            Self::AtLeast | Self::Friction { .. } => 0.0,
            Self::Exactly => f64::NEG_INFINITY,
            Self::ExactlyUpTo(pull) => -pull,
        }
    }
}

/// A convex bound on the normal velocity of a contact.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct ConvexBound {
    /// The least normal velocity; separation is positive \[m/s\].
    pub least: f64,
    /// Kind of the bound.
    pub kind: BoundKind,
    /// Normal velocity that a unit impulse leaves \[1/kg\]; zero for a rigid contact.
    pub compliance: f64,
}

/// Report of a projection.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ProjectionReport {
    /// Normal impulses of the contacts; a pull is negative \[N s\].
    pub impulses: Vec<f64>,
    /// Scaled residual of the natural map, in units of the largest free velocity, or of that which the stress of a joint would give its bodies where it is larger.
    pub residual: f64,
    /// Steps of Newton's method, or iterations of Uzawa's.
    pub iterations: u64,
    /// Whether the residual is within tolerance; for Uzawa's method, whether all bounds are.
    pub is_solved: bool,
    /// Whether bounds that contradict each other were met in regularised least squares, which is then the problem that is judged.
    pub is_regularised: bool,
    /// Largest normal velocity that is left at a contact that may pull and is not pulled off \[m/s\]: gaps drift by as much.
    pub drift: f64,
    /// Kinetic energy lost \[J\].
    pub loss: f64,
    /// Kinetic energy that each contact took \[J\].
    pub losses: Vec<f64>,
}

/// A contact in terms of the changes of velocity of its two bodies.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Row {
    /// Normal velocity without impulses, less the bound \[m/s\].
    pub(crate) free: f64,
    /// Velocity that the stress of a joint at the start gives its bodies in the step, if nothing else holds them \[m/s\]; zero for other contacts.
    pub(crate) load: f64,
    /// The least impulse \[N s\].
    pub(crate) least_impulse: f64,
    /// The largest impulse \[N s\]: infinite, but for friction.
    pub(crate) most_impulse: f64,
    /// Whether it is a rigid contact that may pull: such contacts may contradict each other.
    pub(crate) is_rigid_bond: bool,
    /// Whether its compliance is large enough to be the weight of its own penalty, which then needs no rounds.
    pub(crate) is_elastic: bool,
    pub(crate) compliance: f64,
    /// Inverse effective mass \[1/kg\].
    pub(crate) inv_mass: f64,
}

/// State of a row near a solution.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum RowState {
    /// Its impulse is the least one.
    Open,
    /// Its velocity is the bound.
    Held,
    /// Friction that slides: its impulse is this many times the solid push of the contact of this number.
    Slides { of: usize, share: f64 },
}

impl Row {
    /// The impulse for a velocity without it \[N s\].
    pub(crate) fn impulse(&self, velocity: f64, inv_mass: f64) -> f64 {
        self.bounded(-velocity / inv_mass)
    }

    /// The nearest impulse within its bounds.
    pub(crate) fn bounded(&self, impulse: f64) -> f64 {
        impulse.max(self.least_impulse).min(self.most_impulse)
    }

    /// Whether an impulse is at neither of its bounds.
    pub(crate) fn is_within(&self, impulse: f64) -> bool {
        impulse > self.least_impulse && impulse < self.most_impulse
    }
}

/// Whether a contact turns a body by more than rounding: the arm of a disc is along the normal.
pub(crate) fn turns(problem: &ContactProblem, contact: &Contact, row: usize, arm: DVec2) -> bool {
    /// Square of the share of the velocity at the contact that is a turn, below which it is rounding.
    const ROUNDING: f64 = 1e-24;
    let (body, torque) = (&problem.bodies[row], arm.perp_dot(contact.normal));
    body.inv_inertia * torque * torque > ROUNDING * body.inv_mass
}
