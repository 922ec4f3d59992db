//! A disc in a box, sheared or settling (Lefebvre 2007, sections 1.3.2 and 1.3.3): on squares cut in two, whose triangles are in the disc or not, and on fitted meshes.

use banquise_geometry::DVec2;

use super::conditions::{Edge, RigidBody};
use super::element::{Element, Geometry};
use super::field::FlowField;
use super::graded::{FittedDisc, GradedMesh};
use super::mesh::{Diagonals, FlowMesh, Locator};
use super::problem::{FlowLoad, Material, Stokes, StokesError};
use crate::MeshError;

/// Radius of the disc; the box has side 1, the viscosity is 1.
pub const RADIUS: f64 = 0.1;
/// Force on the disc for each unit of area.
pub const FORCE: f64 = 500.0;
const CENTRE: DVec2 = DVec2::splat(0.5);
/// Velocity of walls that shear the fluid.
const SHEAR: fn(DVec2) -> DVec2 = |at| DVec2::new(0.0, at.x - 0.5);

/// How the disc is meshed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DiscMesh {
    /// Squares of two triangles; those whose centroid is in the disc are the disc.
    Whole(Diagonals),
    /// Triangles along the edge of the disc, as large everywhere.
    Fitted,
}

/// A study of the disc.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BoxDisc {
    /// Elements.
    pub element: Element,
    /// Mesh.
    pub mesh: DiscMesh,
    /// Edges along a side of the box, `N_m` of the source.
    pub cells: usize,
    /// Penalty ε; `None` is the limit ε → 0, a rigid disc.
    pub penalty: Option<f64>,
}

/// A flow around the disc.
#[derive(Clone, Debug)]
pub struct DiscFlow {
    /// The problem.
    pub problem: Stokes,
    /// Its solution.
    pub field: FlowField,
    /// Mean velocity of the disc.
    pub velocity: DVec2,
    /// Mean angular velocity of the disc.
    pub spin: f64,
    /// ‖D(u)‖ in the disc.
    pub strain: f64,
}

/// Why there is no flow.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum DiscError {
    /// No mesh.
    #[error(transparent)]
    Mesh(#[from] MeshError),
    /// No solution.
    #[error(transparent)]
    Flow(#[from] StokesError),
}

impl DiscError {
    /// The way out.
    pub fn hint(&self) -> &'static str {
        match self {
            Self::Mesh(error) => error.hint(),
            Self::Flow(error) => error.hint(),
        }
    }
}

impl BoxDisc {
    fn triangulate(&self) -> Result<FlowMesh, MeshError> {
        let spacing = 1.0 / self.cells as f64;
        match self.mesh {
            DiscMesh::Whole(diagonals) => {
                if self.cells < 10 {
                    return Err(MeshError::Setting {
                        name: "the number of cells along a side",
                        value: self.cells as f64,
                        expected: "at least 10",
                        hint: "the disc has a radius of a tenth of the side",
                    });
                }
                Ok(FlowMesh::cartesian(
                    DVec2::ZERO,
                    DVec2::ONE,
                    [self.cells; 2],
                    diagonals,
                ))
            }
            DiscMesh::Fitted => {
                let around = std::f64::consts::TAU * RADIUS * self.cells as f64;
                let mesh = GradedMesh {
                    low: DVec2::ZERO,
                    high: DVec2::ONE,
                    discs: vec![FittedDisc {
                        centre: CENTRE,
                        radius: RADIUS,
                        // A multiple of four keeps the symmetries of the box.
                        edges: 4 * ((0.25 * around).round() as usize).max(2),
                    }],
                    near: spacing,
                    far: spacing,
                    growth: 0.0,
                    is_axisymmetric: false,
                };
                mesh.triangulate()
            }
        }
    }

    fn solve(
        &self,
        force: DVec2,
        velocity: &dyn Fn(DVec2) -> DVec2,
        edges: impl Fn(DVec2, DVec2) -> Edge,
    ) -> Result<DiscFlow, DiscError> {
        let mesh = self.triangulate()?;
        let disc = mesh.elements_where(|at| at.distance(CENTRE) < RADIUS);
        let mut material = Material::uniform(&mesh, 1.0);
        let mut is_disc = vec![false; mesh.triangles().len()];
        for &triangle in &disc {
            is_disc[triangle as usize] = true;
            if let Some(penalty) = self.penalty {
                material.viscosity[triangle as usize] += 1.0 / penalty;
            }
        }
        let body = RigidBody {
            centre: CENTRE,
            motions: [true; 3],
            elements: disc.clone(),
        };
        let bodies: &[RigidBody] = if self.penalty.is_none() { &[body] } else { &[] };
        let problem = Stokes::new(mesh, self.element, Geometry::Plane, edges, bodies);
        let field = problem.factorise(&material)?.solve(&FlowLoad {
            force: &|triangle, _| {
                if is_disc[triangle as usize] {
                    force
                } else {
                    DVec2::ZERO
                }
            },
            velocity,
        })?;
        let (mean, spin) = problem.mean_motion(&field, &disc);
        let strain = problem.strain_norm(&field, &disc);
        Ok(DiscFlow {
            problem,
            field,
            velocity: mean,
            spin,
            strain,
        })
    }

    /// v = x − ½ on all four sides, no force.
    ///
    /// # Errors
    /// If there is no mesh or no solution.
    pub fn shear(&self) -> Result<DiscFlow, DiscError> {
        self.solve(DVec2::ZERO, &SHEAR, |_, _| Edge::Velocity)
    }

    /// v = x − ½ on the left and the right side, no stress on the lower and the upper one, no force.
    ///
    /// # Errors
    /// If there is no mesh or no solution.
    pub fn shear_between_sides(&self) -> Result<DiscFlow, DiscError> {
        self.solve(DVec2::ZERO, &SHEAR, |_, normal| {
            if normal.y.abs() > 0.5 {
                Edge::Free
            } else {
                Edge::Velocity
            }
        })
    }

    /// A force downwards, the box at rest.
    ///
    /// # Errors
    /// If there is no mesh or no solution.
    pub fn settle(&self) -> Result<DiscFlow, DiscError> {
        self.solve(DVec2::new(0.0, -FORCE), &|_| DVec2::ZERO, |_, _| {
            Edge::Velocity
        })
    }
}

impl DiscFlow {
    /// Norms of the difference to a reference: of velocities (L²) and of velocities and gradients (H¹), relative to those of the reference. The integrals are those of the
    /// reference's mesh, which is to be the finer one.
    pub fn difference(&self, reference: &Self) -> [f64; 2] {
        let locator = Locator::new(self.problem.mesh());
        let (mut sums, mut sizes) = ([0.0; 2], [0.0; 2]);
        let all = 0..reference.problem.mesh().triangles().len() as u32;
        reference
            .problem
            .integrate(&reference.field, all, |weight, at, exact| {
                let (triangle, place) = locator.find(self.problem.mesh(), at);
                let found = self.problem.value(&self.field, triangle, place);
                sums[0] += weight * (found.velocity - exact.velocity).length_squared();
                sizes[0] += weight * exact.velocity.length_squared();
                for (a, b) in found.gradient.iter().zip(exact.gradient) {
                    sums[1] += weight * (a - b) * (a - b);
                    sizes[1] += weight * b * b;
                }
            });
        [
            (sums[0] / sizes[0]).sqrt(),
            ((sums[0] + sums[1]) / (sizes[0] + sizes[1])).sqrt(),
        ]
    }
}
