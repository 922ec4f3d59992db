//! Slow flow on triangles: what is given, and its unknowns.

use banquise_geometry::DVec2;

use super::conditions::{Edge, RigidBody, Unknowns, element_nodes, node_points};
use super::element::{Element, GAUSS, Geometry};
use super::mesh::FlowMesh;
use super::multifrontal::Analysis;

/// Why a flow was not found.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum StokesError {
    /// The matrix has no factors.
    #[error("the flow problem is singular")]
    Singular,
    /// The factors were not good enough.
    #[error(
        "the residual of the flow is {residual:.1e} relative to the forces: {largest:.0e} at most"
    )]
    Inaccurate {
        /// Found.
        residual: f64,
        /// Allowed.
        largest: f64,
    },
}

impl StokesError {
    /// The way out.
    pub fn hint(&self) -> &'static str {
        match self {
            Self::Singular => {
                "give the velocity somewhere on the boundary, and positive viscosities"
            }
            Self::Inaccurate { .. } => "use a larger penalty ε, or rigid bodies",
        }
    }
}

/// A flow problem: mesh, elements, edges, rigid bodies. Made once; its elimination order serves all viscosities.
#[derive(Clone, Debug)]
pub struct Stokes {
    pub(super) mesh: FlowMesh,
    pub(super) element: Element,
    pub(super) geometry: Geometry,
    pub(super) unknowns: Unknowns,
    pub(super) nodes: Vec<DVec2>,
    pub(super) lists: Vec<Vec<u32>>,
    pub(super) analysis: Analysis,
}

/// Viscosity and inertia of each triangle.
#[derive(Clone, Debug, PartialEq)]
pub struct Material {
    /// Dynamic viscosity μ, plus 1/ε where a penalty makes bodies rigid \[Pa s\].
    pub viscosity: Vec<f64>,
    /// Density over the time step \[kg/(m³ s)\]; zero in steady flow.
    pub inertia: Vec<f64>,
}

impl Material {
    /// One viscosity in all triangles, no inertia.
    pub fn uniform(mesh: &FlowMesh, viscosity: f64) -> Self {
        let count = mesh.triangles().len();
        Self {
            viscosity: vec![viscosity; count],
            inertia: vec![0.0; count],
        }
    }
}

/// What drives a flow.
pub struct FlowLoad<'a> {
    /// Force at a point of a triangle \[N/m³\].
    pub force: &'a dyn Fn(u32, DVec2) -> DVec2,
    /// Velocity on edges where it is given \[m/s\].
    pub velocity: &'a dyn Fn(DVec2) -> DVec2,
}

impl FlowLoad<'_> {
    /// Nothing at all.
    pub const NONE: Self = FlowLoad {
        force: &|_, _| DVec2::ZERO,
        velocity: &|_| DVec2::ZERO,
    };
}

impl Stokes {
    /// Prepares a problem; `condition` says what is asked for at the middle of a boundary edge with its outward normal.
    pub fn new(
        mesh: FlowMesh,
        element: Element,
        geometry: Geometry,
        condition: impl Fn(DVec2, DVec2) -> Edge,
        bodies: &[RigidBody],
    ) -> Self {
        let unknowns = Unknowns::new(&mesh, element, geometry, &condition, bodies);
        let nodes = node_points(&mesh, element);
        let lists: Vec<Vec<u32>> = (0..mesh.triangles.len() as u32)
            .map(|triangle| {
                let (numbers, count) = element_nodes(&mesh, element, triangle);
                let mut list: Vec<u32> = numbers[..count]
                    .iter()
                    .flat_map(|k| unknowns.velocities[*k as usize].iter().flatten())
                    .map(|(unknown, _)| *unknown)
                    .chain(numbers[..3].iter().map(|k| unknowns.pressures[*k as usize]))
                    .collect();
                list.sort_unstable();
                list.dedup();
                list
            })
            .collect();
        let analysis = Analysis::new(&unknowns.groups, &unknowns.is_pressure, &lists);
        Self {
            mesh,
            element,
            geometry,
            unknowns,
            nodes,
            lists,
            analysis,
        }
    }

    /// The mesh.
    pub fn mesh(&self) -> &FlowMesh {
        &self.mesh
    }

    pub(super) fn element(&self) -> Element {
        self.element
    }

    pub(super) fn geometry(&self) -> Geometry {
        self.geometry
    }

    /// Where velocities are found: corners, then middles of edges where velocities are quadratic.
    pub fn nodes(&self) -> &[DVec2] {
        &self.nodes
    }

    /// Unknowns, those of bubbles left out.
    pub fn unknowns(&self) -> usize {
        self.unknowns.is_pressure.len()
    }

    /// Numbers in the factors.
    pub fn fill(&self) -> usize {
        self.analysis.fill()
    }

    /// Combinations of unknowns for each local velocity and pressure.
    pub(super) fn combinations(&self, triangle: u32) -> Vec<&[(u32, f64)]> {
        let (numbers, count) = element_nodes(&self.mesh, self.element, triangle);
        numbers[..count]
            .iter()
            .flat_map(|k| {
                self.unknowns.velocities[*k as usize]
                    .iter()
                    .map(Vec::as_slice)
            })
            .collect()
    }

    /// Adds the friction of slipping edges to the matrices of their triangles.
    pub(super) fn add_slip(&self, material: &Material, matrices: &mut [f64]) {
        let n = self.element.local();
        for &(triangle, corner, length) in &self.unknowns.slipping {
            let corners = self.mesh.corners(triangle);
            let (a, b) = ((corner as usize + 1) % 3, (corner as usize + 2) % 3);
            let along = (corners[b] - corners[a]).normalize().to_array();
            let size = corners[a].distance(corners[b]);
            let factor = material.viscosity[triangle as usize] / length;
            let values = &mut matrices[triangle as usize * n * n..][..n * n];
            for [s, weight] in GAUSS {
                let mut place = [0.0; 3];
                (place[a], place[b]) = (1.0 - s, s);
                let radius = match self.geometry {
                    Geometry::Plane => 1.0,
                    Geometry::Axisymmetric => (1.0 - s) * corners[a].x + s * corners[b].x,
                };
                let phi = self.element.values(place);
                for p in 0..self.element.nodes() {
                    for q in 0..self.element.nodes() {
                        let mass = factor * weight * size * radius * phi[p] * phi[q];
                        for (i, t) in along.into_iter().enumerate() {
                            for (j, u) in along.into_iter().enumerate() {
                                values[(2 * p + i) * n + 2 * q + j] += mass * t * u;
                            }
                        }
                    }
                }
            }
        }
    }

    /// The matrix of a triangle in terms of the unknowns.
    pub(super) fn reduce(&self, triangle: u32, matrices: &[f64], out: &mut Vec<f64>) {
        let n = self.element.local();
        let values = &matrices[triangle as usize * n * n..][..n * n];
        let list = &self.lists[triangle as usize];
        let place = |unknown: u32| list.binary_search(&unknown).expect("it is in the list");
        let pressures = self.mesh.triangles[triangle as usize]
            .map(|k| [(self.unknowns.pressures[k as usize], 1.0)]);
        let combinations: Vec<Vec<(usize, f64)>> = self
            .combinations(triangle)
            .into_iter()
            .chain(pressures.iter().map(|p| &p[..]))
            .map(|parts| parts.iter().map(|&(u, f)| (place(u), f)).collect())
            .collect();
        out.clear();
        out.resize(list.len() * list.len(), 0.0);
        for (i, rows) in combinations.iter().enumerate() {
            for (j, columns) in combinations.iter().enumerate() {
                for (a, f) in rows {
                    for (b, g) in columns {
                        out[a * list.len() + b] += f * g * values[i * n + j];
                    }
                }
            }
        }
    }
}
