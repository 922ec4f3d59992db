//! Values, integrals and norms of flows.

use banquise_geometry::DVec2;

use super::conditions::element_nodes;
use super::element::{Geometry, quadrature, slopes};
use super::field::{FlowField, FlowValue};
use super::mesh::barycentric;
use super::problem::Stokes;

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
