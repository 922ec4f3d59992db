//! A floe as an elastic plate in its own frame: bounds and cracks.

use banquise_geometry::{DVec2, Outline};

use crate::MeshError;
use crate::candidates::chords;
use crate::cholesky::Factor;
use crate::crack::{Crack, CrackSettings};
use crate::cut::{CrackPath, cross_segment};
use crate::elasticity::{Elasticity, Tensor, tractions};
use crate::load::{Load, NodalLoad};
use crate::mesh::{MeshSettings, TriangleMesh};
use crate::plane::{Held, Plane};
use crate::release::{Relief, Strained};

/// Mesh, stiffness and factor of one outline and thickness, in the floe's own frame. They last until it breaks.
#[derive(Clone, Debug)]
pub struct FloeModel {
    ring: Vec<DVec2>,
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
            ring: outline.vertices().to_vec(),
            plane,
            held,
            factor,
        })
    }

    /// The mesh.
    pub fn mesh(&self) -> &TriangleMesh {
        self.plane.mesh()
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

    /// Stress of each triangle of the mesh \[Pa\]: xx, yy, xy.
    pub fn stresses(&self, load: &Load) -> Vec<Tensor> {
        let nodal = NodalLoad::new(&self.plane, load);
        self.plane.stresses(&self.displacement(&nodal))
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
        let mut chords = chords(&self.ring, load, settings);
        chords.retain(|[a, b]| self.surface_energy(a.distance(*b)) <= available);
        if chords.is_empty() {
            return None;
        }
        let ranked = self.ranked(&chords, &self.plane.stresses(&displacement));
        let held: Vec<Held> = nodal.is_contact.iter().map(|held| [*held; 2]).collect();
        let strained = Strained {
            plane: &self.plane,
            displacement: &displacement,
            held: &held,
            body_force: &nodal.body_force,
            relief: Relief::Inertia,
            lips: settings.lips,
        };
        let mut best: Option<(f64, Crack)> = None;
        for &[a, b] in ranked.iter().take(settings.resolved) {
            let path = CrackPath {
                points: vec![a, b],
                open_ends: [true; 2],
            };
            let Some(release) = strained.release(&path) else {
                continue;
            };
            let length = path.length();
            let ratio = release.energy / self.surface_energy(length);
            if ratio >= 1.0 && best.as_ref().is_none_or(|(other, _)| ratio > *other) {
                let crack = Crack {
                    path: path.points,
                    length,
                    released: release.energy,
                };
                best = Some((ratio, crack));
            }
        }
        best.map(|(_, crack)| crack)
    }

    /// `G_c` h L \[J\].
    fn surface_energy(&self, length: f64) -> f64 {
        self.plane.elasticity().toughness * self.plane.thickness() * length
    }

    /// Candidates by the energy density that they can release of the triangles they cut, the mean along them, the
    /// largest first; those that a tensile strength forbids are left out.
    ///
    /// Over 24 random floes, the best of ten then has 56 % of the ratio of the best of all; ranked by the sum it has less.
    fn ranked(&self, chords: &[[DVec2; 2]], stresses: &[Tensor]) -> Vec<[DVec2; 2]> {
        let mut ranked: Vec<(f64, [DVec2; 2])> = Vec::with_capacity(chords.len());
        for &[a, b] in chords {
            let normal = (b - a).normalize().perp();
            let mut energy = 0.0;
            let mut tension: Vec<([f64; 2], f64)> = Vec::new();
            cross_segment(self.plane.mesh(), [a, b], [true; 2], |crossing| {
                let stress = stresses[crossing.element as usize];
                let density = self.plane.elasticity().releasable_density(stress, normal);
                energy += density * (crossing.interval[1] - crossing.interval[0]);
                tension.push((crossing.interval, tractions(stress, normal).0));
            });
            if self.is_strained_enough(&mut tension) {
                ranked.push((energy / a.distance(b), [a, b]));
            }
        }
        ranked.sort_by(|a, b| b.0.total_cmp(&a.0));
        ranked.into_iter().map(|(_, chord)| chord).collect()
    }

    /// The coupled criterion: somewhere along the path, the mean tension over the length
    /// 2 E `G_c`/(π σ²) reaches the strength σ (finite fracture mechanics, Cornetti et al. 2006).
    fn is_strained_enough(&self, tension: &mut [([f64; 2], f64)]) -> bool {
        let elasticity = self.plane.elasticity();
        let Some(strength) = elasticity.tensile_strength else {
            return true;
        };
        let window = 2.0 * elasticity.young * elasticity.toughness
            / (std::f64::consts::PI * strength * strength);
        tension.sort_by(|a, b| a.0[0].total_cmp(&b.0[0]));
        (0..tension.len()).any(|first| {
            let (mut length, mut force) = (0.0, 0.0);
            for ([from, to], stress) in &tension[first..] {
                length += to - from;
                force += (to - from) * stress;
                if length >= window {
                    break;
                }
            }
            // A path that is shorter than the window must bear the strength on the mean.
            (length >= window || first == 0) && force >= strength * length
        })
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
