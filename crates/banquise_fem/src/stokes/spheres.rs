//! Spheres on the axis of a cylinder filled with fluid (Lefebvre 2007, section 2.2): their mobility by axisymmetric elements.

use banquise_geometry::DVec2;

use super::box_disc::DiscError;
use super::conditions::{Edge, RigidBody};
use super::element::{Element, Geometry};
use super::field::FlowField;
use super::graded::{FittedDisc, GradedMesh};
use super::problem::{FlowLoad, Material, Stokes};

/// Equal spheres on the axis of a closed cylinder at rest.
#[derive(Clone, Debug, PartialEq)]
pub struct Spheres {
    /// Places along the axis, in radii of the spheres.
    pub places: Vec<f64>,
    /// Radius and half height of the cylinder, in radii of the spheres.
    pub room: f64,
    /// Edges of triangles on a radius, at the spheres.
    pub resolution: f64,
    /// By how much the edges grow over a length.
    pub growth: f64,
    /// Longest edges over those at the spheres.
    pub coarsest: f64,
    /// Elements.
    pub element: Element,
}

/// A problem and the motions for unit forces.
#[derive(Clone, Debug)]
pub struct SpheresFlow {
    /// The problem; lengths in radii, viscosity 1.
    pub problem: Stokes,
    /// Velocities for a unit force on each sphere in turn, in 1/(μ a): column by column.
    pub mobility: Vec<Vec<f64>>,
    /// The flows.
    pub fields: Vec<FlowField>,
}

impl Spheres {
    /// Solves for a unit force on each sphere.
    ///
    /// # Errors
    /// If there is no mesh or no solution.
    pub fn solve(&self) -> Result<SpheresFlow, DiscError> {
        let near = 1.0 / self.resolution;
        let discs: Vec<FittedDisc> = self
            .places
            .iter()
            .map(|&place| FittedDisc {
                centre: DVec2::new(0.0, place),
                radius: 1.0,
                edges: 2 * (std::f64::consts::PI * self.resolution).round() as usize,
            })
            .collect();
        let mesh = GradedMesh {
            low: DVec2::new(0.0, -self.room),
            high: DVec2::new(self.room, self.room),
            discs,
            near,
            // Some triangles across the cylinder, in any case.
            far: (near * self.coarsest).min(0.25 * self.room),
            growth: self.growth,
            is_axisymmetric: true,
        }
        .triangulate()?;
        let bodies: Vec<RigidBody> = self
            .places
            .iter()
            .map(|&place| {
                let centre = DVec2::new(0.0, place);
                RigidBody {
                    centre,
                    motions: [false, true, false],
                    elements: mesh.elements_where(|at| at.distance(centre) < 1.0),
                }
            })
            .collect();
        let edges = |_: DVec2, normal: DVec2| {
            if normal.x < -0.5 {
                Edge::Slip {
                    length: f64::INFINITY,
                }
            } else {
                Edge::Velocity
            }
        };
        let problem = Stokes::new(mesh, self.element, Geometry::Axisymmetric, edges, &bodies);
        let flow = problem.factorise(&Material::uniform(problem.mesh(), 1.0))?;
        let fields = (0..self.places.len())
            .map(|pushed| {
                let mut wrenches = vec![[0.0; 3]; self.places.len()];
                // Integrals are over one radian.
                wrenches[pushed][1] = 1.0 / std::f64::consts::TAU;
                flow.solve_with(&FlowLoad::NONE, &wrenches)
            })
            .collect::<Result<Vec<_>, _>>()?;
        let mobility = fields
            .iter()
            .map(|field| field.motions.iter().map(|motion| motion[1]).collect())
            .collect();
        Ok(SpheresFlow {
            problem,
            mobility,
            fields,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sphere_moves_as_stokes_says_but_for_the_walls() {
        let sphere = Spheres {
            places: vec![0.0],
            room: 200.0,
            resolution: 8.0,
            growth: 0.25,
            coarsest: f64::INFINITY,
            element: Element::TaylorHood,
        };
        let found = sphere.solve().unwrap().mobility[0][0] * 6.0 * std::f64::consts::PI;
        // Walls of the cylinder slow it by some two radii over the room.
        assert!((found - 0.99).abs() < 0.003, "{found}");
    }
}
