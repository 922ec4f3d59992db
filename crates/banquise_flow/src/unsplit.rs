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
    /// Total momentum of fluid and discs that is not accounted for: what is driven, what walls push discs by contact, and what walls push the fluid by shear and pressure, summed up
    /// over the sum of what is driven. The flow is solved once more for it, with all contact forces on the discs at once.
    pub unbalanced: f64,
    /// Largest difference of the velocities of that flow from those by superposition, relative to the largest velocity without contacts.
    pub superposition: f64,
    /// Residual of the complementarity problem.
    pub residual: f64,
    /// Stream function of the coupled flow at the nodes, and its pressure in the middle of cells.
    pub flow: [Vec<f64>; 2],
}

impl Coupling {
    /// Largest difference of velocities between both, relative to the largest velocity; zero where both heaps rest.
    pub fn difference(&self) -> f64 {
        let largest = largest_speed(&self.coupled, &self.split);
        if largest <= AT_REST * largest_speed(&self.free, &[]) {
            return 0.0;
        }
        largest_difference(&self.coupled, &self.split) / largest
    }
}

fn largest_difference(some: &[RigidMotion], others: &[RigidMotion]) -> f64 {
    let pairs = some.iter().zip(others);
    pairs.fold(0.0, |m, (a, b)| m.max((a.velocity - b.velocity).length()))
}

/// Largest speed of both; a tiny one where all rest.
fn largest_speed(some: &[RigidMotion], others: &[RigidMotion]) -> f64 {
    let all = some.iter().chain(others);
    all.fold(f64::MIN_POSITIVE, |m, v| m.max(v.velocity.length()))
}

/// Cells along a side of the box of the heap: with fewer the discs start closer than a cell, with more its hundreds of flows take hours.
pub const HEAP_CELLS: [usize; 2] = [48, 512];

impl CoupledDiscs {
    /// Up to 20 discs in rows of five that sink in a box of side 1, the lowest just above its bottom: a unit force on each, steps of 5.
    ///
    /// # Errors
    /// If the grid is too coarse or too fine, or there are no discs or more than 20.
    pub fn heap(count: usize, cells: usize) -> Result<Self, FlowError> {
        if !(HEAP_CELLS[0]..=HEAP_CELLS[1]).contains(&cells) {
            return Err(FlowError::OutOfRange {
                quantity: "the number of cells along a side of the box",
                requirement: "from 48 to 512",
                value: cells as f64,
            });
        }
        let h = 1.0 / cells as f64;
        let radius = 0.07;
        let place = |k: usize| {
            let (column, row) = ((k % 5) as f64, (k / 5) as f64);
            DVec2::new(
                0.16 + 0.17 * column + 0.01 * (row % 2.0),
                radius + 1.2 * h + (2.0 * radius + 1.3 * h) * row,
            )
        };
        if !(1..=20).contains(&count) {
            return Err(FlowError::OutOfRange {
                quantity: "the number of discs",
                requirement: "from 1 to 20",
                value: count as f64,
            });
        }
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
        let mut motions =
            |forces: &[DVec2]| Ok::<_, FlowError>(flow.solve(&pushed(forces), settings)?.motions);
        let free = motions(&self.forces)?;
        let placed = self.contact_discs(&free);
        let (problem, _) = contact_problem(&self.grid, &placed, self.gap, self.dt);
        let contacts = &problem.contacts;
        let columns = contacts
            .iter()
            .map(|contact| motions(&self.push(contact, 1.0)))
            .collect::<Result<Vec<_>, FlowError>>()?;
        let rows: Vec<Vec<f64>> = contacts
            .iter()
            .map(|contact| columns.iter().map(|c| separation(contact, c)).collect())
            .collect();
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
        // Written so that a residual that is not a number is none that is small.
        if !(split.is_solved && residual <= UNSOLVED) {
            return Err(FlowError::Contacts {
                time: 0.0,
                contacts: contacts.len(),
            });
        }
        let forces = self.with_contacts(contacts, &lambda);
        let load = pushed(&forces);
        let whole = flow.solve(&load, settings)?;
        let walls = flow.wall_force(&load, &whole);
        let missing = self.unbalanced(contacts, &lambda, walls);
        if missing.is_nan() || missing > UNBALANCED {
            return Err(FlowError::Unbalanced {
                missing,
                allowed: UNBALANCED,
            });
        }
        Ok(Coupling {
            superposition: largest_difference(&coupled, &whole.motions) / largest_speed(&free, &[]),
            unbalanced: missing,
            flow: [whole.stream.clone(), flow.pressure(&load, &whole)],
            free,
            coupled,
            split: split.motions,
            contact_forces: lambda,
            residual,
        })
    }

    /// Forces on the discs with those of contacts.
    fn with_contacts(&self, contacts: &[Contact], lambda: &[f64]) -> Vec<DVec2> {
        let mut forces = self.forces.clone();
        for (contact, size) in contacts.iter().zip(lambda) {
            for (force, push) in forces.iter_mut().zip(self.push(contact, *size)) {
                *force += push;
            }
        }
        forces
    }

    /// What is missing in the balance of all that acts on fluid and discs together: contacts between discs are inside.
    fn unbalanced(&self, contacts: &[Contact], lambda: &[f64], walls: DVec2) -> f64 {
        let mut sum = walls + self.forces.iter().sum::<DVec2>();
        for (contact, size) in contacts.iter().zip(lambda) {
            if contact.a.max(contact.b) >= self.discs.len() {
                sum += self.push(contact, *size).iter().sum::<DVec2>();
            }
        }
        let driven: f64 = self.forces.iter().map(|force| force.length()).sum();
        sum.length() / driven
    }
}

/// Momentum that may be missing, over what is driven.
const UNBALANCED: f64 = 1e-10;
/// Share of the velocity without contacts below which a heap rests: its velocities are those of the tolerances.
const AT_REST: f64 = 1e-6;
/// Residual of the complementarity problem beyond which it is not solved.
const UNSOLVED: f64 = 1e-8;

fn pushed(forces: &[DVec2]) -> Load {
    let wrench = |force: &DVec2| Wrench {
        force: *force,
        torque: 0.0,
    };
    Load {
        wrenches: forces.iter().map(wrench).collect(),
        ..Load::default()
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
            assert!(found.superposition < 1e-6, "{}", found.superposition);
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

    #[test]
    fn a_contact_force_without_its_counterpart_shows_in_the_balance_of_momentum() {
        let settings = SolverSettings::default();
        let scene = CoupledDiscs::heap(6, 48).unwrap();
        let bodies: Vec<Body> = scene
            .discs
            .iter()
            .map(|&(at, radius)| Body::disc(at, radius).unwrap())
            .collect();
        let mut flow = Flow::new(scene.grid, scene.fluid, &bodies, &settings).unwrap();
        let mut missing = |forces: &[DVec2]| {
            let load = pushed(forces);
            let solution = flow.solve(&load, &settings).unwrap();
            let walls = flow.wall_force(&load, &solution);
            scene.unbalanced(&[], &[], walls)
        };
        assert!(missing(&scene.forces) < 1e-10);
        // Discs 0 and 1 push each other.
        let mut forces = scene.forces.clone();
        forces[0].x -= 0.3;
        forces[1].x += 0.3;
        assert!(missing(&forces) < 1e-10);
        forces[1].x -= 0.3;
        let off = missing(&forces);
        assert!((off - 0.3 / 6.0).abs() < 1e-9, "{off}");
    }
}
