//! A flow that was found: values, integrals and norms.

use banquise_geometry::DVec2;

use super::conditions::element_nodes;
use super::element::{Geometry, quadrature, slopes};
use super::mesh::barycentric;
use super::problem::Stokes;

/// Velocities and pressures of a flow.
#[derive(Clone, Debug)]
pub struct FlowField {
    /// At corners, then at the middles of edges where velocities are quadratic \[m/s\].
    pub velocity: Vec<DVec2>,
    /// Factor of the bubble of each triangle \[m/s\].
    pub bubbles: Vec<DVec2>,
    /// At corners \[Pa\].
    pub pressure: Vec<f64>,
    /// Velocity and angular velocity of each rigid body \[m/s, 1/s\].
    pub motions: Vec<[f64; 3]>,
    /// What is left of the equations, relative to the terms in them.
    pub residual: f64,
}

/// Velocity and its gradient at a point.
#[derive(Clone, Copy, Debug, Default)]
pub struct FlowValue {
    /// \[m/s\].
    pub velocity: DVec2,
    /// ∂u/∂x, ∂u/∂y, ∂v/∂x, ∂v/∂y \[1/s\].
    pub gradient: [f64; 4],
}

impl FlowValue {
    /// D:D without the part around an axis.
    pub fn strain_squared(&self) -> f64 {
        let [a, b, c, d] = self.gradient;
        a * a + d * d + 0.5 * (b + c) * (b + c)
    }
}

impl FlowField {
    /// Adds a multiple of another flow of the same problem.
    pub fn add(&mut self, factor: f64, other: &Self) {
        for (a, b) in self.velocity.iter_mut().zip(&other.velocity) {
            *a += factor * *b;
        }
        for (a, b) in self.bubbles.iter_mut().zip(&other.bubbles) {
            *a += factor * *b;
        }
        for (a, b) in self.pressure.iter_mut().zip(&other.pressure) {
            *a += factor * *b;
        }
        for (a, b) in self
            .motions
            .iter_mut()
            .flatten()
            .zip(other.motions.iter().flatten())
        {
            *a += factor * *b;
        }
    }
}

impl Stokes {
    /// Value of a flow at a point of a triangle.
    pub fn value_in(&self, field: &FlowField, triangle: u32, at: DVec2) -> FlowValue {
        self.value(
            field,
            triangle,
            barycentric(self.mesh().corners(triangle), at),
        )
    }

    /// Value of a flow in a triangle at barycentric coordinates.
    pub fn value(&self, field: &FlowField, triangle: u32, at: [f64; 3]) -> FlowValue {
        let (slopes, _) = slopes(self.mesh().corners(triangle));
        let (phi, derivatives) = (self.element().values(at), self.element().derivatives(at));
        let (nodes, count) = element_nodes(self.mesh(), self.element(), triangle);
        let mut value = FlowValue::default();
        let mut add = |velocity: DVec2, a: usize| {
            let [x, y, z] = derivatives[a];
            let slope = slopes[0] * x + slopes[1] * y + slopes[2] * z;
            value.velocity += velocity * phi[a];
            value.gradient[0] += velocity.x * slope.x;
            value.gradient[1] += velocity.x * slope.y;
            value.gradient[2] += velocity.y * slope.x;
            value.gradient[3] += velocity.y * slope.y;
        };
        for (a, k) in nodes[..count].iter().enumerate() {
            add(field.velocity[*k as usize], a);
        }
        if let Some(bubble) = field.bubbles.get(triangle as usize) {
            add(*bubble, 3);
        }
        value
    }

    /// Calls `visit` with the weight, place and value of a flow at all points of a quadrature rule in the triangles named.
    pub fn integrate(
        &self,
        field: &FlowField,
        triangles: impl IntoIterator<Item = u32>,
        mut visit: impl FnMut(f64, DVec2, FlowValue),
    ) {
        for triangle in triangles {
            let corners = self.mesh().corners(triangle);
            let (_, area) = slopes(corners);
            for point in quadrature() {
                let [a, b, c] = point.at;
                let at = corners[0] * a + corners[1] * b + corners[2] * c;
                let radius = match self.geometry() {
                    Geometry::Plane => 1.0,
                    Geometry::Axisymmetric => at.x,
                };
                let value = self.value(field, triangle, point.at);
                visit(area * point.share * radius, at, value);
            }
        }
    }

    /// Mean velocity over triangles, and mean of half the curl there: velocity and angular velocity of a body made of them (Lefebvre 2007, section 1.3.1).
    pub fn mean_motion(&self, field: &FlowField, triangles: &[u32]) -> (DVec2, f64) {
        let (mut velocity, mut spin, mut volume) = (DVec2::ZERO, 0.0, 0.0);
        self.integrate(field, triangles.iter().copied(), |weight, _, value| {
            velocity += weight * value.velocity;
            spin += weight * 0.5 * (value.gradient[2] - value.gradient[1]);
            volume += weight;
        });
        (velocity / volume, spin / volume)
    }

    /// ‖D(u)‖ in L² over triangles: how far a penalised body is from rigid.
    pub fn strain_norm(&self, field: &FlowField, triangles: &[u32]) -> f64 {
        let mut sum = 0.0;
        self.integrate(field, triangles.iter().copied(), |weight, _, value| {
            sum += weight * value.strain_squared();
        });
        sum.sqrt()
    }
}
