//! Contacts inside the fluid problem (Lefebvre 2007, section 3.2.2): slow flow of discs whose contact forces are found together with the flow, beside the splitting.
//!
//! Velocities are V = V₀ + M Gᵀλ, M the mobility of the discs in the fluid, with D + h G V ≥ η, λ ≥ 0 and one of both zero. The columns M Gᵀ cost one flow for each contact,
//! so that this is for tens of discs. The splitting projects V₀ in the norm of the masses instead, as if there were no fluid between the discs.

use banquise_geometry::DVec2;
use banquise_solver::Contact;
use banquise_solver::lcp::{self, Lcp};
use banquise_solver::matrix::Matrix;

use crate::body::{Body, RigidMotion, Wrench};
use crate::contacts::{ContactBody, contact_problem, least_gap, project};
use crate::flow::{Flow, Fluid, Load};
use crate::grid::{Edges, Grid};
use crate::{FlowError, SolverSettings};

/// Discs in slow flow.
#[derive(Debug, Clone)]
pub struct CoupledDiscs {
    /// Grid.
    pub grid: Grid,
    /// Fluid.
    pub fluid: Fluid,
    /// Discs: centre and radius \[m\].
    pub discs: Vec<(DVec2, f64)>,
    /// Mass of each disc, for the splitting \[kg/m\].
    pub masses: Vec<f64>,
    /// Force on each disc \[N/m\].
    pub forces: Vec<DVec2>,
    /// Least gap \[m\].
    pub gap: f64,
    /// Step \[s\].
    pub dt: f64,
}

/// Velocities of a step, found in two ways.
#[derive(Debug, Clone, PartialEq)]
pub struct Coupling {
    /// Without contacts.
    pub free: Vec<RigidMotion>,
    /// Contact forces within the flow.
    pub coupled: Vec<RigidMotion>,
    /// By projection after the flow.
    pub split: Vec<RigidMotion>,
    /// Contact forces, of the coupled problem \[N/m\].
    pub contact_forces: Vec<f64>,
    /// Sum of all forces between discs over the sum of their sizes: momentum that contacts make.
    pub unbalanced: f64,
    /// Residual of the complementarity problem.
    pub residual: f64,
}

impl Coupling {
    /// Largest difference of velocities between both, relative to the largest velocity.
    pub fn difference(&self) -> f64 {
        let largest = self
            .coupled
            .iter()
            .fold(0.0, |m: f64, v| m.max(v.velocity.length()));
        let pairs = self.coupled.iter().zip(&self.split);
        pairs.fold(0.0, |m: f64, (a, b)| {
            m.max((a.velocity - b.velocity).length())
        }) / largest
    }
}

impl CoupledDiscs {
    /// Up to 20 discs in rows of five that sink in a box of side 1, the lowest just above its bottom: a unit force on each, steps of 5.
    ///
    /// # Errors
    /// If the grid is too coarse or too fine.
    pub fn heap(count: usize, cells: usize) -> Result<Self, FlowError> {
        let h = 1.0 / cells as f64;
        let radius = 0.07;
        let place = |k: usize| {
            let (column, row) = ((k % 5) as f64, (k / 5) as f64);
            DVec2::new(
                0.16 + 0.17 * column + 0.01 * (row % 2.0),
                radius + 1.2 * h + (2.0 * radius + 1.3 * h) * row,
            )
        };
        Ok(Self {
            grid: Grid::try_new([cells; 2], h, Edges::Box)?,
            fluid: Fluid { viscosity: 1.0 },
            discs: (0..count).map(|k| (place(k), radius)).collect(),
            masses: vec![2.0 * std::f64::consts::PI * radius * radius; count],
            forces: vec![DVec2::new(0.0, -1.0); count],
            gap: h,
            dt: 5.0,
        })
    }

    fn contact_discs(&self, motions: &[RigidMotion]) -> Vec<ContactBody<'_>> {
        let discs = self.discs.iter().zip(&self.masses).zip(motions);
        discs
            .map(|((&(at, radius), &mass), &motion)| ContactBody::disc(at, radius, mass, motion))
            .collect()
    }

    /// Least gap between discs, and between discs and walls \[m\].
    pub fn least_gap(&self) -> f64 {
        let rest = vec![RigidMotion::default(); self.discs.len()];
        least_gap(&self.grid, &self.contact_discs(&rest))
    }

    /// Forces of one contact on the discs.
    fn push(&self, contact: &Contact, size: f64) -> Vec<DVec2> {
        let mut forces = vec![DVec2::ZERO; self.discs.len()];
        for (body, sign) in [(contact.a, -1.0), (contact.b, 1.0)] {
            if let Some(force) = forces.get_mut(body) {
                *force += sign * size * contact.normal;
            }
        }
        forces
    }

    /// Finds the velocities of a step in both ways.
    ///
    /// # Errors
    /// If a flow or the contacts are not solved.
    pub fn solve(&self, settings: &SolverSettings) -> Result<Coupling, FlowError> {
        let bodies = self
            .discs
            .iter()
            .map(|&(at, radius)| Body::disc(at, radius))
            .collect::<Result<Vec<_>, _>>()?;
        let mut flow = Flow::new(self.grid, self.fluid, &bodies, settings)?;
        let mut motions = |forces: &[DVec2]| {
            let wrench = |force: &DVec2| Wrench {
                force: *force,
                torque: 0.0,
            };
            let load = Load {
                wrenches: forces.iter().map(wrench).collect(),
                ..Load::default()
            };
            Ok::<_, FlowError>(flow.solve(&load, settings)?.motions)
        };
        let free = motions(&self.forces)?;
        let placed = self.contact_discs(&free);
        let (problem, _) = contact_problem(&self.grid, &placed, self.gap, self.dt);
        let contacts = &problem.contacts;
        let columns = contacts
            .iter()
            .map(|contact| motions(&self.push(contact, 1.0)))
            .collect::<Result<Vec<_>, _>>()?;
        let n = contacts.len();
        let mut rows = vec![vec![0.0; n]; n];
        for (i, contact) in contacts.iter().enumerate() {
            for (j, column) in columns.iter().enumerate() {
                rows[i][j] = separation(contact, column);
            }
        }
        let constant: Vec<f64> = contacts
            .iter()
            .map(|contact| separation(contact, &free) + (contact.gap - self.gap) / self.dt)
            .collect();
        let (lambda, residual) = complementary(&rows, constant);
        let mut coupled = free.clone();
        for (column, size) in columns.iter().zip(&lambda) {
            for (motion, part) in coupled.iter_mut().zip(column) {
                motion.velocity += *size * part.velocity;
                motion.angular_velocity += size * part.angular_velocity;
            }
        }
        let split = project(&self.grid, &placed, self.gap, 0.0, self.dt);
        if !split.is_solved {
            return Err(FlowError::Contacts {
                time: 0.0,
                contacts: n,
            });
        }
        let (mut sum, mut size) = (DVec2::ZERO, 0.0);
        for (contact, force) in contacts.iter().zip(&lambda) {
            if contact.a < self.discs.len() {
                sum += self.push(contact, *force).iter().sum::<DVec2>();
                size += force.abs();
            }
        }
        Ok(Coupling {
            free,
            coupled,
            split: split.motions,
            contact_forces: lambda,
            unbalanced: if size > 0.0 { sum.length() / size } else { 0.0 },
            residual,
        })
    }
}

/// Normal velocity of a contact; bodies without motion are walls.
fn separation(contact: &Contact, motions: &[RigidMotion]) -> f64 {
    let of = |body: usize| {
        motions
            .get(body)
            .map_or(DVec2::ZERO, |motion| motion.velocity)
    };
    contact.normal.dot(of(contact.b) - of(contact.a))
}

/// λ ≥ 0 with W λ + q ≥ 0 and one of both zero, and its residual.
fn complementary(rows: &[Vec<f64>], constant: Vec<f64>) -> (Vec<f64>, f64) {
    if constant.is_empty() {
        return (constant, 0.0);
    }
    let found = lcp::solve(&Lcp::new(Matrix::from_rows(rows), constant));
    (found.z, found.residual)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn coupled_contacts_keep_gaps_and_make_no_momentum() {
        let settings = SolverSettings::default();
        let mut scene = CoupledDiscs::heap(20, 64).unwrap();
        let mut differences = Vec::new();
        for _ in 0..3 {
            let found = scene.solve(&settings).unwrap();
            assert!(
                found.residual < 1e-9 && found.unbalanced < 1e-10,
                "{} {}",
                found.residual,
                found.unbalanced
            );
            assert!(found.contact_forces.iter().any(|force| *force > 0.0));
            assert!(found.contact_forces.iter().all(|force| *force >= 0.0));
            differences.push(found.difference());
            for (disc, motion) in scene.discs.iter_mut().zip(&found.coupled) {
                disc.0 += scene.dt * motion.velocity;
            }
            assert!(
                scene.least_gap() > scene.gap * (1.0 - 1e-6),
                "{}",
                scene.least_gap() / scene.gap
            );
        }
        // The fluid between discs resists: the projection, which does not know it, gives other velocities.
        assert!(differences.iter().all(|d| *d > 1e-3), "{differences:?}");
    }
}
