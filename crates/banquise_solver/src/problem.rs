//! The contact problem: rigid bodies that touch, with the velocities they have before.

use glam::DVec2;

/// A rigid body.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Body {
    /// 1/m \[1/kg\]; zero for a fixed or kinematic body.
    pub inv_mass: f64,
    /// 1/I \[1/(kg m²)\].
    pub inv_inertia: f64,
    /// Centre of mass \[m\].
    pub position: DVec2,
    /// Velocity of the centre of mass \[m/s\].
    pub linear_velocity: DVec2,
    /// Angular velocity, counter-clockwise [rad/s].
    pub angular_velocity: f64,
}

/// A contact between two bodies.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Contact {
    /// Row of one body.
    pub a: usize,
    /// Row of the other.
    pub b: usize,
    /// Lever arms from the centres of `a` and `b` to the contact point \[m\]: the same point for both,
    /// or for one of them its periodic image.
    pub arms: [DVec2; 2],
    /// Unit normal from `a` to `b`.
    pub normal: DVec2,
    /// Friction coefficient μ [–].
    pub friction: f64,
    /// Restitution coefficient ε [–].
    pub restitution: f64,
    /// Distance still between the bodies \[m\]; the impact law does not use it.
    pub gap: f64,
    /// Impulses of the warm start, normal and tangential; zero for a cold start \[N s\]. They change the work of the solvers, not
    /// what counts as a solution.
    pub start: [f64; 2],
}

impl Contact {
    /// The normal turned by +90°.
    pub fn tangent(&self) -> DVec2 {
        self.normal.perp()
    }
}

/// Bodies and their contacts at one instant.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ContactProblem {
    /// The bodies, with the velocities before the impact.
    pub bodies: Vec<Body>,
    /// The contacts.
    pub contacts: Vec<Contact>,
}

impl ContactProblem {
    /// Sum of the sizes of all impulses on each body \[N s\], and of their torques \[N m s\].
    pub fn turnover(&self, impulses: &[[f64; 2]]) -> Vec<[f64; 2]> {
        let mut turnover = vec![[0.0; 2]; self.bodies.len()];
        for (contact, impulse) in self.contacts.iter().zip(impulses) {
            let size = DVec2::from_array(*impulse).length();
            for (body, arm) in [contact.a, contact.b].into_iter().zip(contact.arms) {
                turnover[body][0] += size;
                turnover[body][1] += size * arm.length();
            }
        }
        turnover
    }

    /// Velocity of `b` relative to `a` at a contact: normal (separation positive) and tangential \[m/s\].
    pub fn relative_velocity(&self, contact: &Contact) -> [f64; 2] {
        let point = |row: usize, arm: DVec2| {
            let body = &self.bodies[row];
            body.linear_velocity + body.angular_velocity * arm.perp()
        };
        let [arm_a, arm_b] = contact.arms;
        let relative = point(contact.b, arm_b) - point(contact.a, arm_a);
        [
            relative.dot(contact.normal),
            relative.dot(contact.tangent()),
        ]
    }

    /// Gives the bodies the impulse (normal, tangential) of a contact \[N s\].
    pub fn apply(&mut self, contact_index: usize, impulse: [f64; 2]) {
        let contact = self.contacts[contact_index];
        let vector = impulse[0] * contact.normal + impulse[1] * contact.tangent();
        let [arm_a, arm_b] = contact.arms;
        for (row, arm, vector) in [(contact.a, arm_a, -vector), (contact.b, arm_b, vector)] {
            let body = &mut self.bodies[row];
            body.linear_velocity += body.inv_mass * vector;
            body.angular_velocity += body.inv_inertia * arm.perp_dot(vector);
        }
    }

    /// Kinetic energy of the bodies that can move \[J\].
    pub fn kinetic_energy(&self) -> f64 {
        let moving = self.bodies.iter().filter(|body| body.inv_mass > 0.0);
        // An empty sum is −0, which would be printed as such.
        0.0 + moving
            .map(|body| {
                let spin = 0.5 * body.angular_velocity * body.angular_velocity;
                // A body that cannot turn has no energy of rotation.
                let rotation = if body.inv_inertia > 0.0 {
                    spin / body.inv_inertia
                } else {
                    0.0
                };
                0.5 * body.linear_velocity.length_squared() / body.inv_mass + rotation
            })
            .sum::<f64>()
    }
}
