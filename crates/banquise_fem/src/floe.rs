//! A floe as an elastic plate in its own frame: bounds and cracks.

use banquise_geometry::{DVec2, Outline};

use crate::MeshError;
use crate::candidates::Boundary;
use crate::cholesky::{Factor, WIDTH};
use crate::crack::{Crack, CrackSettings};
use crate::elasticity::{Elasticity, Tensor, largest_tension};
use crate::load::{ContactForce, Load, NodalLoad};
use crate::mesh::{MeshSettings, TriangleMesh};
use crate::opened::{Relief, unheld};
use crate::plane::{Held, Plane};
use crate::search::Search;

/// Mesh, stiffness and factor of one outline and thickness, in the floe's own frame. They last until it breaks.
#[derive(Clone, Debug)]
pub struct FloeModel {
    boundary: Boundary,
    plane: Plane,
    held: Vec<Held>,
    factor: Factor,
}

impl FloeModel {
    /// Meshes an outline \[m\] and factorises its stiffness.
    ///
    /// # Errors
    /// If the outline is no simple polygon, or a number has no meaning.
    pub fn new(
        outline: &[DVec2],
        thickness: f64,
        elasticity: &Elasticity,
        settings: &MeshSettings,
    ) -> Result<Self, MeshError> {
        elasticity.check()?;
        MeshError::check_positive("the thickness", thickness, "sea ice has about 1 m")?;
        let outline = Outline::from_ring(outline)?;
        let mesh = TriangleMesh::of_outline(&outline, settings)?;
        let plane = Plane::new(mesh, thickness, elasticity);
        let held = pins(plane.mesh());
        let factor = plane.factor(&held).ok_or(MeshError::Setting {
            name: "the smallest angle of the mesh",
            value: 0.0,
            expected: "large enough for a stiffness matrix with positive pivots",
            hint: "simplify the outline",
        })?;
        Ok(Self {
            boundary: Boundary::new(outline.vertices()),
            plane,
            held,
            factor,
        })
    }

    /// The mesh.
    pub fn mesh(&self) -> &TriangleMesh {
        self.plane.mesh()
    }

    pub(crate) fn elasticity(&self) -> &Elasticity {
        self.plane.elasticity()
    }

    pub(crate) fn thickness(&self) -> f64 {
        self.plane.thickness()
    }

    /// Area that belongs to each node \[m²\].
    pub(crate) fn node_areas(&self) -> &[f64] {
        self.plane.node_area()
    }

    /// Blocks of two by two that the factor stores.
    pub fn factor_blocks(&self) -> usize {
        self.factor.fill_in()
    }

    /// ½ fᵀK⁺f with inertia relief \[J\]. No crack releases more.
    pub fn strain_energy(&self, load: &Load) -> f64 {
        let nodal = NodalLoad::new(&self.plane, load);
        let displacement = self.displacement(&nodal);
        half_work(&nodal, &displacement)
    }

    /// The largest compliance c [m/N] of the floe under a force at its boundary. Its elastic energy under any contact forces is at most ½ c (Σ|F|)²: the
    /// root of the energy is a norm of the load, and a contact spreads its force over nodes with weights whose sum is one.
    pub fn largest_compliance(&self) -> f64 {
        let nodes: Vec<u32> = self.mesh().boundary().iter().map(|edge| edge[0]).collect();
        let mut largest = 0.0_f64;
        for nodes in nodes.chunks(WIDTH / 2) {
            let mut lanes = vec![[[0.0; WIDTH]; 2]; self.plane.node_count()];
            let axes = nodes
                .iter()
                .flat_map(|node| [(*node, DVec2::X), (*node, DVec2::Y)]);
            for (lane, (node, force)) in axes.enumerate() {
                let contact = ContactForce {
                    point: self.mesh().points()[node as usize],
                    force,
                    radius: 0.0,
                };
                let load = Load {
                    contacts: vec![contact],
                    ..Load::default()
                };
                let forces = NodalLoad::new(&self.plane, &load).forces;
                for ((force, held), place) in forces
                    .into_iter()
                    .zip(&self.held)
                    .zip(self.plane.position())
                {
                    let force = unheld(force, *held);
                    let [x, y] = &mut lanes[*place as usize];
                    (x[lane], y[lane]) = (force.x, force.y);
                }
            }
            self.factor
                .forward(&mut lanes, &mut vec![true; self.plane.node_count()]);
            for node in 0..nodes.len() {
                let own = [2 * node, 2 * node + 1];
                // The larger eigenvalue of the compliance of a node is at most the sum of both.
                let squares = lanes
                    .iter()
                    .flatten()
                    .flat_map(|row| own.map(|lane| row[lane] * row[lane]));
                largest = largest.max(squares.sum());
            }
        }
        largest
    }

    /// Stress of each triangle of the mesh \[Pa\]: xx, yy, xy.
    pub fn stresses(&self, load: &Load) -> Vec<Tensor> {
        let nodal = NodalLoad::new(&self.plane, load);
        self.plane.stresses(&self.displacement(&nodal))
    }

    /// Largest principal stress of each triangle of the mesh \[Pa\], positive in tension, smoothed over neighbours.
    pub fn largest_tensions(&self, load: &Load) -> Vec<f64> {
        let nodal = NodalLoad::new(&self.plane, load);
        let stresses = self.plane.smooth_stresses(&self.displacement(&nodal));
        stresses.into_iter().map(largest_tension).collect()
    }

    fn displacement(&self, nodal: &NodalLoad) -> Vec<DVec2> {
        self.plane
            .solve(&self.factor, &self.held, &nodal.forces, None)
    }

    /// The crack that the energy balance asks for, or none.
    ///
    /// Nodes under contact forces keep their displacement, since cracks outrun bodies; drag and inertia stay forces. Of
    /// the candidates solved again, the crack is the one that a growing load would open first: that of the largest
    /// ratio of released to surface energy, if it is at least one.
    pub fn crack(&self, load: &Load, settings: &CrackSettings) -> Option<Crack> {
        let nodal = NodalLoad::new(&self.plane, load);
        let displacement = self.displacement(&nodal);
        let available = half_work(&nodal, &displacement);
        let held: Vec<Held> = nodal.is_contact.iter().map(|held| [*held; 2]).collect();
        let relief = if load.is_sustained {
            Relief::Contacts
        } else {
            Relief::Inertia
        };
        // Estimates know of no contacts that hold pieces.
        let settings = &CrackSettings {
            gives_up: settings.gives_up && !load.is_sustained,
            ..settings.clone()
        };
        let search = Search {
            plane: &self.plane,
            boundary: &self.boundary,
            settings,
            available,
            stresses: self.plane.stresses(&displacement),
            displacement: &displacement,
            held: &held,
            body_force: &nodal.body_force,
            relief,
        };
        search.run(load)
    }
}

fn half_work(nodal: &NodalLoad, displacement: &[DVec2]) -> f64 {
    0.5 * nodal
        .forces
        .iter()
        .zip(displacement)
        .map(|(f, u)| f.dot(*u))
        .sum::<f64>()
}

/// Three components that keep a free floe in place: both of a far node, and one of the node farthest from it.
fn pins(mesh: &TriangleMesh) -> Vec<Held> {
    let points = mesh.points();
    let farthest = |from: DVec2| {
        let mut best = (0, -1.0);
        for (node, point) in points.iter().enumerate() {
            if point.distance_squared(from) > best.1 {
                best = (node, point.distance_squared(from));
            }
        }
        best.0
    };
    let first = farthest(points[0]);
    let second = farthest(points[first]);
    let arm = points[second] - points[first];
    let mut held = vec![[false; 2]; points.len()];
    held[first] = [true; 2];
    held[second] = [arm.y.abs() >= arm.x.abs(), arm.y.abs() < arm.x.abs()];
    held
}
