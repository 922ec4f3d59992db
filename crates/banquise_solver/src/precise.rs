//! A friction problem among bodies in double-double arithmetic.
//!
//! Where an impulse between heavy bodies passes through a light one, the velocity of the light one is a small difference of large numbers: no list of
//! impulses in plain numbers gives it. Here impulses have twice the digits, velocities of bodies are accumulated with as many, and are rounded once.

use glam::DVec2;

use crate::exact::DoubleDouble;
use crate::local::{LocalProblem, Scaling};
use crate::problem::{Body, Contact, ContactProblem};
use crate::records::{Normal, State, Tangent};
use crate::workspace::{PooledVec, SolverContext};

/// A friction problem of all contacts of a contact problem: 0 ≤ uₙ − l ⟂ pₙ ≥ 0, |pₜ| ≤ μ (pₙ + c), where the bodies have received other impulses
/// before.
pub(crate) struct PreciseProblem<'a, 'w> {
    pub(crate) context: SolverContext<'w>,
    pub(crate) problem: &'a ContactProblem,
    /// l of each contact \[m/s\].
    pub(crate) least: &'a [f64],
    /// Impulses received before, normal then tangential for each contact \[N s\].
    pub(crate) received: PooledVec<'w, DoubleDouble>,
    /// c of each contact \[N s\].
    pub(crate) prior_normal_impulse: PooledVec<'w, DoubleDouble>,
    /// W, b and units of the same problem in plain numbers.
    pub(crate) local: &'a LocalProblem<'w>,
    pub(crate) scaling: &'a Scaling<'w>,
    /// Fastest relative velocity before \[m/s\].
    pub(crate) speed: f64,
}

/// Impulses and the velocities that belong to them.
#[derive(Clone)]
pub(crate) struct PrecisePoint<'w> {
    /// p, normal then tangential for each contact \[N s\].
    pub(crate) impulses: PooledVec<'w, DoubleDouble>,
    /// Linear and angular velocity of each body.
    pub(crate) motions: PooledVec<'w, [DoubleDouble; 3]>,
    /// uₙ − l and uₜ for each contact \[m/s\].
    pub(crate) velocity: PooledVec<'w, DoubleDouble>,
    /// Residual of the point, as of [`PreciseProblem::error`].
    pub(crate) error: f64,
}

/// Torque of a unit vector at a lever arm.
fn torque(arm: DVec2, vector: DVec2) -> DoubleDouble {
    DoubleDouble::product(arm.x, vector.y) - DoubleDouble::product(arm.y, vector.x)
}

fn ends(contact: &Contact) -> [(usize, DVec2, f64); 2] {
    [
        (contact.a, contact.arms[0], -1.0),
        (contact.b, contact.arms[1], 1.0),
    ]
}

impl<'w> PreciseProblem<'_, 'w> {
    pub(crate) fn point(&self, impulses: PooledVec<'w, DoubleDouble>) -> PrecisePoint<'w> {
        let motions = self.motions(&impulses);
        let velocity = self.relative_velocities(&motions);
        let mut point = PrecisePoint {
            impulses,
            motions,
            velocity,
            error: 0.0,
        };
        point.error = self.error(&point);
        point
    }

    /// Velocities of the bodies after the impulses, and those received before.
    fn motions(&self, impulses: &[DoubleDouble]) -> PooledVec<'w, [DoubleDouble; 3]> {
        let start = |body: &Body| {
            let linear = body.linear_velocity;
            [linear.x, linear.y, body.angular_velocity].map(DoubleDouble::from)
        };
        // Impulses are summed first: those of two heavy contacts on a light body cancel before they are divided by its mass.
        let mut sums = self
            .context
            .filled([DoubleDouble::default(); 3], self.problem.bodies.len());
        for (index, contact) in self.problem.contacts.iter().enumerate() {
            let total = [2 * index, 2 * index + 1].map(|i| impulses[i] + self.received[i]);
            for (vector, size) in [contact.normal, contact.tangent()].into_iter().zip(total) {
                for (row, arm, sign) in ends(contact) {
                    let size = size * sign;
                    let sum = &mut sums[row];
                    sum[0] += size * vector.x;
                    sum[1] += size * vector.y;
                    sum[2] += size * torque(arm, vector);
                }
            }
        }
        for (sum, body) in sums.iter_mut().zip(&self.problem.bodies) {
            let inverses = [body.inv_mass, body.inv_mass, body.inv_inertia];
            for ((sum, inverse), start) in sum.iter_mut().zip(inverses).zip(start(body)) {
                *sum = start + *sum * inverse;
            }
        }
        sums
    }

    fn relative_velocities(&self, motions: &[[DoubleDouble; 3]]) -> PooledVec<'w, DoubleDouble> {
        let contacts = self.problem.contacts.iter().zip(self.least);
        self.context.collect(contacts.flat_map(|(contact, least)| {
            let mut relative = [contact.normal, contact.tangent()].map(|vector| {
                let mut sum = DoubleDouble::default();
                for (row, arm, sign) in ends(contact) {
                    let [x, y, angular] = motions[row];
                    sum += (x * vector.x + y * vector.y + angular * torque(arm, vector)) * sign;
                }
                sum
            });
            relative[0] += DoubleDouble::from(-least);
            relative
        }))
    }

    /// The limit of friction of a contact, μ (pₙ + c).
    fn friction_limit(&self, contact: usize, normal: DoubleDouble) -> DoubleDouble {
        (normal + self.prior_normal_impulse[contact]) * self.problem.contacts[contact].friction
    }

    /// Diagonal entry of W: response of a contact to its own unit impulse \[1/kg\].
    fn response(&self, index: usize) -> f64 {
        self.local.delassus.diagonal(index / 2)[index % 2][index % 2]
    }

    /// Block of W: response of one contact to unit impulses of another \[1/kg\].
    pub(crate) fn response_between(&self, contact: usize, other: usize) -> [[DoubleDouble; 2]; 2] {
        let [ours, theirs] = [contact, other].map(|index| &self.problem.contacts[index]);
        [ours.normal, ours.tangent()].map(|vector| {
            [theirs.normal, theirs.tangent()].map(|push| {
                let mut sum = DoubleDouble::default();
                for (row, arm, sign) in ends(ours) {
                    for (_, other_arm, other_sign) in ends(theirs).iter().filter(|e| e.0 == row) {
                        let body = &self.problem.bodies[row];
                        let along = DoubleDouble::product(vector.x, push.x)
                            + DoubleDouble::product(vector.y, push.y);
                        let turned = torque(arm, vector) * torque(*other_arm, push);
                        let both = along * body.inv_mass + turned * body.inv_inertia;
                        sum += both * (sign * other_sign);
                    }
                }
                sum
            })
        })
    }

    /// The natural map of the problem in units of velocity, as a multiple of the acceptable error: the largest over contacts of |min(uₙ, Wₙₙ pₙ)| and of Wₜₜ
    /// |pₜ − [pₜ − uₜ / Wₜₜ]|. Masses do not hide light bodies here.
    fn error(&self, point: &PrecisePoint<'_>) -> f64 {
        let mut worst = 0.0_f64;
        for (contact, pair) in point.impulses.chunks_exact(2).enumerate() {
            let (n, t) = (2 * contact, 2 * contact + 1);
            let [wn, wt] = [n, t].map(|i| self.response(i));
            let [un, ut] = [point.velocity[n].value(), point.velocity[t].value()];
            let normal = un.min(wn * pair[0].value()).abs();
            let limit = self.friction_limit(contact, pair[0]);
            // Differences are taken before rounding.
            let above = wt * (pair[1] - limit).value() - ut;
            let below = wt * (-pair[1] - limit).value() + ut;
            let tangent = if limit.value() <= 0.0 {
                wt * pair[1].value()
            } else if above > 0.0 {
                ut + above
            } else if below > 0.0 {
                below - ut
            } else {
                ut
            };
            let sum = un + ut + pair[0].value() + pair[1].value();
            let error = if sum.is_nan() {
                f64::INFINITY
            } else {
                normal.max(tangent.abs())
            };
            worst = worst.max(error);
        }
        worst / self.speed
    }

    /// Active set of a point, by the natural map.
    pub(crate) fn states(&self, point: &PrecisePoint<'_>) -> PooledVec<'w, State> {
        let contacts = 0..self.problem.contacts.len();
        self.context.collect(contacts.map(|contact| {
            let (n, t) = (2 * contact, 2 * contact + 1);
            let [wn, wt] = [n, t].map(|i| self.response(i));
            let pressed = point.impulses[n] * wn - point.velocity[n];
            let (normal, carried) = if pressed.value() > 0.0 {
                (Normal::Closed, point.impulses[n])
            } else {
                (Normal::Open, DoubleDouble::default())
            };
            let limit = self.friction_limit(contact, carried) * wt;
            let trial = point.impulses[t] * wt - point.velocity[t];
            let tangent = if (trial - limit).value() < 0.0 && (trial + limit).value() > 0.0 {
                Tangent::Stick
            } else if trial.value() > 0.0 {
                Tangent::SlideBackward
            } else {
                Tangent::SlideForward
            };
            (normal, tangent)
        }))
    }

    /// Residual of the equations of the states at a point, in units of the scaled problem.
    pub(crate) fn missing(&self, states: &[State], point: &PrecisePoint<'_>) -> PooledVec<'w, f64> {
        let contacts = states.iter().enumerate();
        self.context
            .collect(contacts.flat_map(|(contact, &(normal, tangent))| {
                let (n, t) = (2 * contact, 2 * contact + 1);
                let mass = self.scaling.contacts[contact];
                let velocity = |u: DoubleDouble| mass * u.value() / self.scaling.velocity;
                let impulse = |p: DoubleDouble| p.value() / (mass * self.scaling.velocity);
                let first = match normal {
                    Normal::Closed => velocity(point.velocity[n]),
                    Normal::Open => impulse(point.impulses[n]),
                };
                let limit = self.friction_limit(contact, point.impulses[n]);
                let second = match tangent {
                    Tangent::Stick => velocity(point.velocity[t]),
                    Tangent::SlideForward => impulse(point.impulses[t] + limit),
                    Tangent::SlideBackward => impulse(point.impulses[t] - limit),
                };
                [-first, -second]
            }))
    }

    /// A point changed by impulses of the scaled problem.
    pub(crate) fn moved(&self, point: &PrecisePoint<'w>, change: &[f64]) -> PrecisePoint<'w> {
        let changes = point.impulses.iter().zip(change).enumerate();
        let impulses = self.context.collect(changes.map(|(index, (p, change))| {
            let unit = self.scaling.contacts[index / 2] * self.scaling.velocity;
            *p + DoubleDouble::from(unit * change)
        }));
        self.point(impulses)
    }
}
