//! Friction problems with an upper bound on each normal impulse, and their regularised form.
//!
//! ```text
//! 0 ≤ pₙ ≤ c,   uₙ ≥ 0 where pₙ = 0,   uₙ = 0 where 0 < pₙ < c,   uₙ ≤ 0 where pₙ = c
//! ```
//!
//! with Coulomb's friction. As in `proximal`, u = W p + b + ε (p − p̂) is solved for a centre p̂ by projected Gauss–Seidel sweeps and
//! Newton's method on active sets, in which a contact may also be at its bound. The set of impulses is bounded, so that a solution
//! exists (Acary & Brogliato 2008, section 13), unlike for rigid bodies that are squeezed. Along faces that were crushed a floe has tens of contacts: the equations
//! are solved in the space of bodies.

use crate::block_lu::BlockLu;
use crate::body_space::BodySpace;
use crate::local::LocalProblem;
use crate::records::{Block, Tangent};
use crate::residual::bounded_residual;
use crate::states::{slip_share, tangent_of};
use crate::workspace::{PooledVec, SolverContext};

/// A scaled friction problem with upper bounds on the normal impulses.
pub(crate) struct BoundedProblem<'a, 'w> {
    pub(crate) context: SolverContext<'w>,
    pub(crate) problem: &'a LocalProblem<'w>,
    pub(crate) bodies: &'a BodySpace<'w>,
    /// The largest normal impulse of each contact.
    pub(crate) largest: &'a [f64],
}

/// One proximal problem of the sequence.
pub(crate) struct Regularised<'a, 'w> {
    pub(crate) bounded: &'a BoundedProblem<'a, 'w>,
    /// ε.
    pub(crate) regularisation: f64,
    /// p̂.
    pub(crate) centre: &'a [f64],
}

/// The equation of the normal direction of a contact.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Normal {
    /// No impulse.
    Open,
    /// No relative velocity.
    Closed,
    /// The largest impulse.
    AtBound,
}

/// State of a contact.
pub(crate) type BoundState = (Normal, Tangent);

impl BoundedProblem<'_, '_> {
    /// The natural map's residual of impulses.
    pub(crate) fn residual(&self, impulses: &[f64]) -> f64 {
        let velocity = self.problem.velocity(self.context, impulses);
        self.residual_with(impulses, &velocity)
    }

    fn residual_with(&self, impulses: &[f64], velocity: &[f64]) -> f64 {
        bounded_residual(self.problem, impulses, velocity, |contact| {
            self.largest[contact]
        })
    }

    /// Projected Gauss–Seidel sweeps over all contacts.
    pub(crate) fn sweep(&self, impulses: &mut [f64], sweeps: usize) {
        let plain = Regularised {
            bounded: self,
            regularisation: 0.0,
            centre: &self.context.copied(impulses),
        };
        plain.sweep(impulses, sweeps);
    }
}

impl<'w> Regularised<'_, 'w> {
    /// By the Delassus operator, as the residual is judged: where impulses are large, rounding by way of bodies differs from it by more than the tolerance.
    pub(crate) fn velocity(&self, impulses: &[f64]) -> PooledVec<'w, f64> {
        let bounded = self.bounded;
        let mut velocity = bounded.problem.velocity(bounded.context, impulses);
        for (u, (p, centre)) in velocity.iter_mut().zip(impulses.iter().zip(self.centre)) {
            *u += self.regularisation * (p - centre);
        }
        velocity
    }

    pub(crate) fn sweep(&self, impulses: &mut [f64], sweeps: usize) {
        let BoundedProblem {
            context,
            problem,
            bodies,
            largest,
        } = *self.bounded;
        let delassus = &problem.delassus;
        let mut motions = bodies.bodies(impulses);
        for _ in 0..sweeps {
            for (contact, &largest) in largest.iter().enumerate() {
                let (n, t) = (2 * contact, 2 * contact + 1);
                let mut velocity = bodies.velocity(&motions, contact);
                for (u, i) in velocity.iter_mut().zip([n, t]) {
                    *u += problem.free_velocity[i]
                        + self.regularisation * (impulses[i] - self.centre[i]);
                }
                let own = delassus.diagonal(contact);
                let before = [impulses[n], impulses[t]];
                let step = velocity[0] / (own[0][0] + self.regularisation);
                impulses[n] = (before[0] - step).clamp(0.0, largest);
                let slip = velocity[1] + own[1][0] * (impulses[n] - before[0]);
                let cone = problem.friction[contact] * impulses[n];
                let step = slip / (own[1][1] + self.regularisation);
                impulses[t] = (before[1] - step).clamp(-cone, cone);
                let change = [impulses[n] - before[0], impulses[t] - before[1]];
                bodies.push(&mut motions, contact, change);
            }
        }
        context.workspace.count(|work| work.sweeps += sweeps as u64);
        context.spend(sweeps * largest.len() * 40);
    }

    /// Newton's method on active sets; the number of steps where it succeeds. Otherwise the impulses are the best point met.
    pub(crate) fn newton(
        &self,
        impulses: &mut PooledVec<'w, f64>,
        tolerance: f64,
    ) -> Option<usize> {
        let (bounded, settings) = (self.bounded, &self.bounded.context.settings.proximal);
        let mut velocity = self.velocity(impulses);
        let mut last = bounded.residual_with(impulses, &velocity);
        let mut least = last;
        let mut states = self.states(impulses, &velocity);
        for step in 1..=settings.newton_steps {
            if bounded.context.must_end() {
                return None;
            }
            let factors = bounded.bodies.factor(&self.responses(&states))?;
            let mut point = self.solve(&factors, &states, &self.constants(&states));
            self.refine(&factors, &states, &mut point);
            velocity = self.velocity(&point);
            let residual = bounded.residual_with(&point, &velocity);
            if residual < least {
                least = residual;
                impulses.copy_from_slice(&point);
            }
            if residual <= tolerance {
                return Some(step);
            }
            if step > settings.easy_steps && residual > settings.max_growth * last {
                return None;
            }
            last = residual;
            let next = self.states(&point, &velocity);
            if next == states {
                // A repeated active set has the same solution: it solves the problem but for rounding.
                return (residual <= settings.newton_rounding).then_some(step);
            }
            states = next;
        }
        None
    }

    /// The active set that the natural map gives at a point.
    fn states(&self, impulses: &[f64], velocity: &[f64]) -> Vec<BoundState> {
        let friction = &self.bounded.problem.friction;
        let contacts = self.bounded.largest.iter().enumerate();
        contacts
            .map(|(contact, &largest)| {
                let (n, t) = (2 * contact, 2 * contact + 1);
                let pressed = impulses[n] - velocity[n];
                let normal = if pressed <= 0.0 {
                    Normal::Open
                } else if pressed < largest {
                    Normal::Closed
                } else {
                    Normal::AtBound
                };
                let cone = friction[contact] * pressed.clamp(0.0, largest);
                let tangent = tangent_of(impulses[t] - velocity[t], cone);
                (normal, tangent)
            })
            .collect()
    }

    /// For each contact, by how much its impulses fall with its velocities.
    pub(crate) fn responses(&self, states: &[BoundState]) -> Vec<Block> {
        let stiffness = 1.0 / self.regularisation;
        let contacts = states.iter().enumerate();
        contacts
            .map(|(contact, &(normal, tangent))| {
                let first = match normal {
                    Normal::Closed => stiffness,
                    Normal::Open | Normal::AtBound => 0.0,
                };
                let second = match tangent {
                    Tangent::Stick => [0.0, stiffness],
                    Tangent::SlideForward | Tangent::SlideBackward => {
                        let share = slip_share(self.bounded.problem, contact, tangent);
                        [share * first, 0.0]
                    }
                };
                [[first, 0.0], second]
            })
            .collect()
    }

    /// Solves the equations of contacts with given right-hand sides.
    pub(crate) fn solve(
        &self,
        factors: &BlockLu<'_, 'w>,
        states: &[BoundState],
        right: &[f64],
    ) -> PooledVec<'w, f64> {
        let bodies = self.bounded.bodies;
        let at_rest = self.impulses(states, right, |_| [0.0; 2]);
        let motions = factors.solve(&bodies.bodies(&at_rest));
        self.impulses(states, right, |contact| bodies.velocity(&motions, contact))
    }

    /// Iterative refinement: factors lose digits where ε is small and contacts are redundant.
    pub(crate) fn refine(
        &self,
        factors: &BlockLu<'_, 'w>,
        states: &[BoundState],
        point: &mut [f64],
    ) {
        let settings = &self.bounded.context.settings.crushing;
        let mut last = f64::INFINITY;
        for _ in 0..settings.refinements {
            let missing = self.missing(states, point, &self.velocity(point));
            let largest = missing
                .iter()
                .fold(0.0, |most: f64, own| most.max(own.abs()));
            if largest <= settings.refined || largest > settings.refinement_gain * last {
                return;
            }
            last = largest;
            for (p, correction) in point.iter_mut().zip(&self.solve(factors, states, &missing)) {
                *p += correction;
            }
        }
    }

    /// The impulses that satisfy the equations, given the velocities that they add at each contact.
    fn impulses(
        &self,
        states: &[BoundState],
        right: &[f64],
        velocity_of: impl Fn(usize) -> [f64; 2],
    ) -> PooledVec<'w, f64> {
        let contacts = states.iter().enumerate();
        let impulses = contacts.flat_map(|(contact, &(normal, tangent))| {
            let velocity = velocity_of(contact);
            let right = &right[2 * contact..2 * contact + 2];
            let first = match normal {
                Normal::Closed => (right[0] - velocity[0]) / self.regularisation,
                Normal::Open | Normal::AtBound => right[0],
            };
            let second = match tangent {
                Tangent::Stick => (right[1] - velocity[1]) / self.regularisation,
                Tangent::SlideForward | Tangent::SlideBackward => {
                    right[1] + slip_share(self.bounded.problem, contact, tangent) * first
                }
            };
            [first, second]
        });
        self.bounded.context.collect(impulses)
    }

    /// The right-hand sides of the equations.
    pub(crate) fn constants(&self, states: &[BoundState]) -> PooledVec<'w, f64> {
        let (context, problem) = (self.bounded.context, self.bounded.problem);
        let free = |i: usize| self.regularisation * self.centre[i] - problem.free_velocity[i];
        let contacts = states.iter().enumerate();
        context.collect(contacts.flat_map(|(contact, &(normal, tangent))| {
            let first = match normal {
                Normal::Closed => free(2 * contact),
                Normal::Open => 0.0,
                Normal::AtBound => self.bounded.largest[contact],
            };
            let second = match tangent {
                Tangent::Stick => free(2 * contact + 1),
                Tangent::SlideForward | Tangent::SlideBackward => 0.0,
            };
            [first, second]
        }))
    }

    /// What given right-hand sides exceed the left-hand sides by, with velocities by way of bodies.
    pub(crate) fn missing_of(
        &self,
        states: &[BoundState],
        right: &[f64],
        impulses: &[f64],
    ) -> PooledVec<'w, f64> {
        let BoundedProblem {
            context,
            problem,
            bodies,
            ..
        } = *self.bounded;
        let motions = bodies.bodies(impulses);
        let contacts = states.iter().enumerate();
        context.collect(contacts.flat_map(|(contact, &(normal, tangent))| {
            let (n, t) = (2 * contact, 2 * contact + 1);
            let velocity = bodies.velocity(&motions, contact);
            let first = match normal {
                Normal::Closed => velocity[0] + self.regularisation * impulses[n],
                Normal::Open | Normal::AtBound => impulses[n],
            };
            let second = match tangent {
                Tangent::Stick => velocity[1] + self.regularisation * impulses[t],
                Tangent::SlideForward | Tangent::SlideBackward => {
                    impulses[t] - slip_share(problem, contact, tangent) * impulses[n]
                }
            };
            [right[n] - first, right[t] - second]
        }))
    }

    /// Residual of the equations at a point: right-hand sides less left-hand sides.
    fn missing(
        &self,
        states: &[BoundState],
        impulses: &[f64],
        velocity: &[f64],
    ) -> PooledVec<'w, f64> {
        let (context, problem) = (self.bounded.context, self.bounded.problem);
        let contacts = states.iter().enumerate();
        context.collect(contacts.flat_map(|(contact, &(normal, tangent))| {
            let (n, t) = (2 * contact, 2 * contact + 1);
            let first = match normal {
                Normal::Closed => velocity[n],
                Normal::Open => impulses[n],
                Normal::AtBound => impulses[n] - self.bounded.largest[contact],
            };
            let second = match tangent {
                Tangent::Stick => velocity[t],
                Tangent::SlideForward | Tangent::SlideBackward => {
                    impulses[t] - slip_share(problem, contact, tangent) * impulses[n]
                }
            };
            [-first, -second]
        }))
    }
}
