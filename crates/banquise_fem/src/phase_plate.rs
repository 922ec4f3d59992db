//! A plate that breaks by a phase field, for comparison with cracks: the models of `phase_field` on triangles.
//!
//! Damage and displacement are minimised in turn, as in the bar: linear triangles with the degradation of their mean damage, and damage node by node within its bounds.

use banquise_geometry::DVec2;

use crate::MeshError;
use crate::elasticity::Elasticity;
use crate::mesh::TriangleMesh;
use crate::phase_field::PhaseField;
use crate::plane::{Held, Plane};

/// A plate under a load that grows.
#[derive(Clone, Debug)]
pub struct PhasePlate {
    plane: Plane,
    held: Vec<Held>,
    /// Displacements of held nodes at t = 1 \[m\].
    prescribed: Vec<DVec2>,
    model: PhaseField,
    regularisation: f64,
}

/// What the plate bears.
#[derive(Clone, Debug, PartialEq)]
pub struct PhasePeak {
    /// Largest force conjugate to t \[J\]: newtons, where grips part by 1 m at t = 1.
    pub force: f64,
    /// The load factor there.
    pub factor: f64,
    /// Largest damage after the last step: 1 where the plate broke.
    pub damage: f64,
}

/// Turns of damage and displacement in a load step.
const TURNS: usize = 60;

/// Sweeps of the projected Gauss–Seidel method in a turn.
const SWEEPS: usize = 40;

/// Change of the damage at which a load step is solved.
const TOLERANCE: f64 = 1e-5;

/// Stiffness that is left of a triangle without any [–].
const REST: f64 = 1e-6;

impl PhasePlate {
    /// A plate whose boundary nodes have the displacements \[m\] at t = 1 that `grips` gives; `None` is free.
    ///
    /// # Errors
    /// If a constant has no meaning.
    pub fn new(
        mesh: TriangleMesh,
        elasticity: &Elasticity,
        grips: impl Fn(DVec2) -> [Option<f64>; 2],
        model: PhaseField,
        regularisation: f64,
    ) -> Result<Self, MeshError> {
        elasticity.check()?;
        MeshError::check_positive(
            "the regularisation length",
            regularisation,
            "take two spacings of the mesh or more",
        )?;
        let mut held = vec![[false; 2]; mesh.points().len()];
        let mut prescribed = vec![DVec2::ZERO; mesh.points().len()];
        for &[node, _] in mesh.boundary() {
            let given = grips(mesh.points()[node as usize]);
            held[node as usize] = given.map(|component| component.is_some());
            prescribed[node as usize] = DVec2::from(given.map(|value| value.unwrap_or(0.0)));
        }
        for component in 0..2 {
            // A translation that no grip stops is stopped at one node.
            if held.iter().all(|held| !held[component]) {
                held[0][component] = true;
            }
        }
        Ok(Self {
            plane: Plane::new(mesh, 1.0, elasticity),
            held,
            prescribed,
            model,
            regularisation,
        })
    }

    /// Raises the load factor to `end` in `steps` steps, or until the force has fallen to half; says the largest force. `None` where the grips do not
    /// hold the plate.
    pub fn peak(&self, end: f64, steps: usize) -> Option<PhasePeak> {
        let mut damage = vec![0.0; self.plane.node_count()];
        let mut best = PhasePeak {
            force: 0.0,
            factor: 0.0,
            damage: 0.0,
        };
        for step in 1..=steps {
            let factor = end * step as f64 / steps as f64;
            let force = self.relax(factor, &mut damage)?;
            if force > best.force {
                (best.force, best.factor) = (force, factor);
            }
            best.damage = damage.iter().copied().fold(0.0, f64::max);
            if force < 0.5 * best.force {
                break;
            }
        }
        Some(best)
    }

    /// Minimises in turn at a load factor, from the damage before; says the force 2 E/t.
    fn relax(&self, factor: f64, damage: &mut [f64]) -> Option<f64> {
        let before = damage.to_vec();
        let mut force = 0.0;
        for _ in 0..TURNS {
            let kept: Vec<f64> = self.degradations(damage);
            let weak = self.plane.weakened(&kept);
            let matrix = weak.factor(&self.held)?;
            let given: Vec<DVec2> = self.prescribed.iter().map(|u| factor * *u).collect();
            let none = vec![DVec2::ZERO; given.len()];
            let displacement = weak.solve(&matrix, &self.held, &none, Some(&given));
            let densities = self.plane.energy_densities(&displacement);
            let areas = (0..kept.len() as u32).map(|element| self.plane.element(element).area);
            let energy: f64 = areas
                .zip(densities.iter().zip(&kept))
                .map(|(area, (density, kept))| area * density * kept)
                .sum();
            force = 2.0 * energy / factor;
            let start = damage.to_vec();
            for _ in 0..SWEEPS {
                if self.sweep(&densities, &before, damage) <= 0.1 * TOLERANCE {
                    break;
                }
            }
            let moved = damage.iter().zip(&start).map(|(a, b)| (a - b).abs());
            if moved.fold(0.0, f64::max) <= TOLERANCE {
                break;
            }
        }
        Some(force)
    }

    /// (1 − d)² of each triangle.
    fn degradations(&self, damage: &[f64]) -> Vec<f64> {
        let of = |nodes: &[u32; 3]| {
            let whole = 1.0 - mean(damage, *nodes);
            (whole * whole).max(REST)
        };
        self.plane.mesh().triangles().iter().map(of).collect()
    }

    /// One sweep over the damage at fixed energy densities \[J/m³\]; says the largest change.
    fn sweep(&self, densities: &[f64], before: &[f64], damage: &mut [f64]) -> f64 {
        let mesh = self.plane.mesh();
        let (toughness, l) = (self.plane.elasticity().toughness, self.regularisation);
        let normal = match self.model {
            PhaseField::At1 => 8.0 / 3.0,
            PhaseField::At2 => 2.0,
        };
        let mut change = 0.0_f64;
        for node in 0..damage.len() {
            let (mut slope, mut curvature) = (0.0, 0.0);
            for &element in mesh.incident(node as u32) {
                let own = self.plane.element(element);
                let nodes = mesh.triangles()[element as usize];
                let corner = nodes.iter().position(|other| *other as usize == node);
                let gradient = own.gradients[corner.expect("a node is a corner of its triangles")];
                let all: DVec2 = nodes
                    .iter()
                    .zip(own.gradients)
                    .map(|(other, gradient)| damage[*other as usize] * gradient)
                    .sum();
                let strained = 2.0 / 3.0 * own.area * densities[element as usize];
                slope += -strained * (1.0 - mean(damage, nodes));
                curvature += strained / 3.0;
                let stiff = 2.0 * own.area * toughness * l / normal;
                slope += stiff * all.dot(gradient);
                curvature += stiff * gradient.length_squared();
                let local = toughness / (normal * l) * own.area / 3.0;
                match self.model {
                    PhaseField::At1 => slope += local,
                    PhaseField::At2 => {
                        slope += 2.0 * local * damage[node];
                        curvature += 2.0 * local;
                    }
                }
            }
            let next = (damage[node] - slope / curvature).clamp(before[node], 1.0);
            change = change.max((next - damage[node]).abs());
            damage[node] = next;
        }
        change
    }
}

/// Mean damage of a triangle.
fn mean(damage: &[f64], nodes: [u32; 3]) -> f64 {
    nodes.iter().map(|node| damage[*node as usize]).sum::<f64>() / 3.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use banquise_geometry::Outline;

    /// A square of 100 m pulled apart, free across.
    fn square(model: PhaseField, regularisation: f64, spacing: f64) -> PhasePlate {
        let ring = [[0.0, 0.0], [100.0, 0.0], [100.0, 100.0], [0.0, 100.0]].map(DVec2::from);
        let outline = Outline::try_new(ring.to_vec()).unwrap();
        let mesh = TriangleMesh::with_spacing(&outline, &[], spacing).unwrap();
        let elasticity = Elasticity {
            young: 8.95e9,
            poisson: 0.295,
            ..Elasticity::default()
        };
        let grips = |p: DVec2| match p.x {
            x if x < 1e-9 => [Some(0.0), None],
            x if x > 100.0 - 1e-9 => [Some(1.0), None],
            _ => [None; 2],
        };
        PhasePlate::new(mesh, &elasticity, grips, model, regularisation).unwrap()
    }

    #[test]
    fn the_square_has_the_strength_of_its_phase_field_and_breaks() {
        // 5 % is what is asked for; the load steps are 2 % of the peak's strain.
        for model in [PhaseField::At1, PhaseField::At2] {
            let plate = square(model, 12.0, 5.0);
            let elasticity = plate.plane.elasticity();
            let expected = model.strength(elasticity, 12.0);
            let end = 2.4 * expected / elasticity.young * 100.0;
            let peak = plate.peak(end, 120).unwrap();
            let stress = peak.force / 100.0;
            println!(
                "{model:?}: {stress} Pa of {expected}, damage {}",
                peak.damage
            );
            assert!(
                (stress / expected - 1.0).abs() < 0.05,
                "{stress} {expected}"
            );
            assert!(peak.damage > 0.95, "{}", peak.damage);
        }
    }
}
