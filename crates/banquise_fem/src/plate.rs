//! A plate between grips: displacements are imposed, and grow in proportion to the load factor t.

use banquise_geometry::DVec2;

use crate::MeshError;
use crate::cholesky::Factor;
use crate::cut::CrackPath;
use crate::elasticity::{Elasticity, largest_tension};
use crate::grower::holes;
use crate::lips::Lips;
use crate::mesh::TriangleMesh;
use crate::opened::Relief;
use crate::plane::{Held, Plane};
use crate::release::{Release, Strained};

/// A disc of another toughness.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Inclusion {
    /// Centre \[m\].
    pub centre: DVec2,
    /// Radius \[m\].
    pub radius: f64,
    /// Its toughness, as a multiple of that of the plate.
    pub factor: f64,
}

/// An elastic plate with imposed displacements, solved at t = 1.
#[derive(Clone, Debug)]
pub struct Plate {
    plane: Plane,
    factor: Factor,
    held: Vec<Held>,
    body_force: Vec<DVec2>,
    displacement: Vec<DVec2>,
    energy: f64,
    has_holes: bool,
    /// Where cracks cost more.
    pub inclusions: Vec<Inclusion>,
    /// How lips touch. Rough by default: a crack that grows turns until there is no shear at its tip.
    pub lips: Lips,
}

impl Plate {
    /// Solves a plate whose boundary nodes have the displacements \[m\] that `grips` gives for their places; `None` is free.
    ///
    /// # Errors
    /// If a constant has no meaning, or the grips do not hold the plate against rotation.
    pub fn new(
        mesh: TriangleMesh,
        thickness: f64,
        elasticity: &Elasticity,
        grips: impl Fn(DVec2) -> [Option<f64>; 2],
    ) -> Result<Self, MeshError> {
        elasticity.check()?;
        MeshError::check_positive("the thickness", thickness, "sea ice has about 1 m")?;
        let count = mesh.points().len();
        let mut held = vec![[false; 2]; count];
        let mut prescribed = vec![DVec2::ZERO; count];
        for &[node, _] in mesh.boundary() {
            let given = grips(mesh.points()[node as usize]);
            held[node as usize] = given.map(|component| component.is_some());
            prescribed[node as usize] =
                DVec2::from(given.map(|component| component.unwrap_or(0.0)));
        }
        let has_holes = !holes(&mesh).is_empty();
        let plane = Plane::new(mesh, thickness, elasticity);
        // A translation that no grip stops is stopped at one node, which then bears no force.
        let mut pinned = held.clone();
        for component in 0..2 {
            if held.iter().all(|held| !held[component]) {
                pinned[0][component] = true;
            }
        }
        let factor = plane.factor(&pinned).ok_or(MeshError::Setting {
            name: "the number of held nodes",
            value: held.iter().flatten().filter(|held| **held).count() as f64,
            expected: "enough to stop the plate from turning",
            hint: "hold a whole side",
        })?;
        let body_force = vec![DVec2::ZERO; count];
        let displacement = plane.solve(&factor, &pinned, &body_force, Some(&prescribed));
        let energy = plane.energy(&displacement);
        Ok(Self {
            plane,
            factor,
            held,
            body_force,
            displacement,
            energy,
            has_holes,
            inclusions: Vec::new(),
            lips: Lips::Rough,
        })
    }

    /// The mesh.
    pub fn mesh(&self) -> &TriangleMesh {
        self.plane.mesh()
    }

    /// Elastic energy at t = 1 \[J\].
    pub fn energy(&self) -> f64 {
        self.energy
    }

    /// Displacements of the nodes at t = 1 \[m\].
    pub fn displacement(&self) -> &[DVec2] {
        &self.displacement
    }

    /// Largest principal stress of each triangle of the mesh at t = 1 \[Pa\], positive in tension, smoothed over neighbours.
    pub fn largest_tensions(&self) -> Vec<f64> {
        let stresses = self.plane.smooth_stresses(&self.displacement);
        stresses.into_iter().map(largest_tension).collect()
    }

    pub(crate) fn is_held(&self, node: u32) -> bool {
        self.held[node as usize].contains(&true)
    }

    pub(crate) fn plane(&self) -> &Plane {
        &self.plane
    }

    /// What a crack releases at t = 1; `None` if it cuts no triangle from edge to edge, or one twice.
    pub fn release(&self, path: &CrackPath) -> Option<Release> {
        let strained = Strained {
            plane: &self.plane,
            factor: &self.factor,
            displacement: &self.displacement,
            held: &self.held,
            body_force: &self.body_force,
            relief: Relief::Grips,
            lips: self.lips,
        };
        strained.release(path)
    }

    /// What a crack costs \[J\]: `G_c` h L, with the toughness of inclusions within them. The way through a hole costs nothing.
    pub fn surface_energy(&self, path: &CrackPath) -> f64 {
        let mut weighted = 0.0;
        for ends in self.segments_in_ice(path) {
            let (length, mut extra) = (ends[0].distance(ends[1]), 0.0);
            for inclusion in &self.inclusions {
                extra += (inclusion.factor - 1.0) * chord_length(ends[0], ends[1], inclusion);
            }
            weighted += length + extra;
        }
        self.plane.surface_energy(weighted)
    }

    /// The segments of a crack without those that lead through holes \[m\].
    pub fn segments_in_ice<'a>(
        &'a self,
        path: &'a CrackPath,
    ) -> impl Iterator<Item = [DVec2; 2]> + 'a {
        let segments = path.points.windows(2).map(|ends| [ends[0], ends[1]]);
        segments.filter(|[from, to]| !self.has_holes || self.mesh().contains(0.5 * (*from + *to)))
    }

    /// The load factor at which the crack pays for itself.
    ///
    /// Energies go with t², so that t = √(`G_c` h L/(Π₀ − Π)) is exact, without steps in load.
    pub fn onset(&self, path: &CrackPath) -> Option<f64> {
        let release = self.release(path)?;
        (release.energy > 0.0).then(|| (self.surface_energy(path) / release.energy).sqrt())
    }
}

/// Length of a segment inside a disc \[m\].
fn chord_length(from: DVec2, to: DVec2, disc: &Inclusion) -> f64 {
    let length = from.distance(to);
    let along = (to - from) / length;
    let middle = along.dot(disc.centre - from);
    let half_sq = disc.radius * disc.radius - (from + along * middle).distance_squared(disc.centre);
    if half_sq <= 0.0 {
        return 0.0;
    }
    let half = half_sq.sqrt();
    ((middle + half).min(length) - (middle - half).max(0.0)).max(0.0)
}
