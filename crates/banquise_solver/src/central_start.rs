//! Where central paths start, and the faces of friction cones along them.

use crate::local::LocalProblem;
use crate::records::Face;
use crate::workspace::{PooledVec, SolverContext};

/// What defines the path: the point from which it starts, and the shift r of the velocities there, both at the first barrier parameter.
pub(crate) struct Start<'w> {
    pub(crate) impulses: PooledVec<'w, f64>,
    pub(crate) faces: PooledVec<'w, Face>,
    pub(crate) barrier: f64,
    pub(crate) shift: PooledVec<'w, f64>,
}

impl<'w> Start<'w> {
    /// All normal impulses are one, all multipliers one or more.
    pub(crate) fn of_relaxation(
        context: SolverContext<'w>,
        problem: &LocalProblem<'w>,
        coulomb_below: f64,
    ) -> Self {
        let contacts = 0..problem.contact_count();
        let impulses = context.collect(contacts.clone().flat_map(|_| [1.0, 0.0]));
        let velocity = problem.velocity(context, &impulses);
        let mut faces = context.with_capacity(3 * contacts.len());
        for contact in contacts {
            let [normal, tangent] = [velocity[2 * contact], velocity[2 * contact + 1]];
            let lifted = (normal + problem.friction[contact] * tangent.abs()).max(0.0);
            problem.add_faces(contact, &impulses, [1.0 + lifted, 1.0, 1.0], &mut faces);
        }
        let products = faces.iter().map(|face: &Face| face.slack * face.force);
        let barrier = products.sum::<f64>() / faces.len() as f64;
        Self::on_path(
            impulses,
            velocity,
            faces,
            barrier,
            dilation(coulomb_below, barrier)[0],
        )
    }

    /// Each slack and multiplier has the difference that the given impulses and their velocities ask for, and the first barrier parameter as its product:
    /// a contact keeps the state that the impulses give it, as far as the barrier parameter tells states apart.
    pub(crate) fn near(
        context: SolverContext<'w>,
        problem: &LocalProblem<'w>,
        origin: &[f64],
    ) -> Self {
        let barrier = context.settings.central_path.warm_barrier;
        let velocity = problem.velocity(context, origin);
        let mut impulses = context.with_capacity(origin.len());
        let pairs = origin.chunks_exact(2).zip(velocity.chunks_exact(2));
        for (contact, (impulse, velocity)) in pairs.enumerate() {
            let normal = first_of_pair(impulse[0] - velocity[0], barrier);
            impulses.push(normal);
            let width = problem.cone_width(contact, normal);
            if width <= 0.0 {
                impulses.push(0.0);
                continue;
            }
            let tangent = impulse[1].clamp(-width, width);
            let below = first_of_pair(width - tangent + velocity[1].min(0.0), barrier);
            let above = first_of_pair(width + tangent - velocity[1].max(0.0), barrier);
            impulses.push(width * (above - below) / (above + below));
        }
        let velocity = problem.velocity(context, &impulses);
        let mut faces = context.with_capacity(3 * problem.contact_count());
        for contact in 0..problem.contact_count() {
            let [normal, tangent] = [impulses[2 * contact], impulses[2 * contact + 1]];
            let friction = problem.friction[contact];
            let width = problem.cone_width(contact, normal);
            let flanks = [width - tangent, width + tangent].map(|slack| barrier / slack);
            let [away, aside] = [velocity[2 * contact], velocity[2 * contact + 1]];
            let lifted = away + friction * (aside - flanks[1] + flanks[0]).abs();
            let lift = (barrier / normal).max(lifted + barrier);
            problem.add_faces(contact, &impulses, [lift, flanks[0], flanks[1]], &mut faces);
        }
        Self::on_path(impulses, velocity, faces, barrier, 0.0)
    }

    /// The path through this point.
    fn on_path(
        impulses: PooledVec<'w, f64>,
        velocity: PooledVec<'w, f64>,
        mut faces: PooledVec<'w, Face>,
        barrier: f64,
        dilation: f64,
    ) -> Self {
        let mut shift = velocity;
        for face in &mut faces {
            face.share = face.slack * face.force / barrier;
            let push = face.push(dilation);
            for (part, push) in push.into_iter().enumerate() {
                shift[2 * face.contact + part] -= push * face.force;
            }
        }
        for value in &mut shift {
            *value /= barrier;
        }
        Self {
            impulses,
            faces,
            barrier,
            shift,
        }
    }
}

impl LocalProblem<'_> {
    /// The largest tangential impulse at a normal one.
    fn cone_width(&self, contact: usize, normal: f64) -> f64 {
        self.friction[contact] * (normal + self.prior_normal_impulse[contact])
    }

    /// Adds the faces of a contact with their multipliers: that of the normal impulse and, with friction, of the largest and the least tangential one.
    /// Without friction the tangential impulse is no unknown.
    fn add_faces(
        &self,
        contact: usize,
        impulses: &[f64],
        forces: [f64; 3],
        faces: &mut PooledVec<'_, Face>,
    ) {
        let friction = self.friction[contact];
        let offset = friction * self.prior_normal_impulse[contact];
        let kinds = [
            ([1.0, 0.0], 0.0),
            ([friction, -1.0], offset),
            ([friction, 1.0], offset),
        ];
        let count = if friction > 0.0 { 3 } else { 1 };
        for ((along, offset), force) in kinds.into_iter().zip(forces).take(count) {
            let mut face = Face {
                contact,
                along,
                offset,
                slack: 0.0,
                force,
                share: 1.0,
            };
            face.slack = face.slack_of(impulses) + offset;
            faces.push(face);
        }
    }
}

impl Face {
    /// Velocity that belongs to a unit multiplier.
    pub(crate) fn push(&self, dilation: f64) -> [f64; 2] {
        let is_flank = self.along[1] != 0.0;
        if is_flank {
            [dilation * self.along[0], self.along[1]]
        } else {
            self.along
        }
    }

    /// What impulses contribute to the slack.
    pub(crate) fn slack_of(&self, impulses: &[f64]) -> f64 {
        self.along[0] * impulses[2 * self.contact] + self.along[1] * impulses[2 * self.contact + 1]
    }

    /// Whether the slack is the larger of the two variables.
    pub(crate) fn is_loose(&self) -> bool {
        self.slack > self.force
    }

    /// Of the changes of slack and multiplier, that of the larger, and its value.
    pub(crate) fn larger(&self, [slack, force]: [f64; 2]) -> [f64; 2] {
        if self.is_loose() {
            [slack, self.slack]
        } else {
            [force, self.force]
        }
    }
}

/// Share of the multiplier of a flank of the cone that acts along the normal, and its derivative: all of it far from the solution, as in the
/// convex relaxation, whose path has no turning points, and none at its end.
pub(crate) fn dilation(coulomb_below: f64, barrier: f64) -> [f64; 2] {
    let share = barrier / (coulomb_below + barrier);
    [share, share * (1.0 - share) / barrier]
}

/// The positive of two numbers with this difference (first less second) and product.
fn first_of_pair(difference: f64, product: f64) -> f64 {
    let sum = (difference * difference + 4.0 * product).sqrt();
    if difference > 0.0 {
        0.5 * (difference + sum)
    } else {
        2.0 * product / (sum - difference)
    }
}
