//! A fluidised bed (Lefebvre 2007, section 3.3): 70 discs in a box, fluid entering through the left half of its bottom and leaving through its top.
//!
//! The source gives neither gravity nor the inflow: they are ours. Contacts keep a gap of one cell, dry or gluey (algorithms 3.1 and 4.2); as in the source, the
//! fluid does not learn of them.

use banquise_fem::stokes::Edge;
use banquise_geometry::DVec2;

use super::stepper::Stepper;
use crate::body::RigidMotion;
use crate::contacts::{ContactBody, ContactLaw, least_gap, project};
use crate::error::{check_path, positive};
use crate::gluey::{Memories, project_gluey};
use crate::numbers::{Numbers, put, put_field, take_field};
use crate::{FlowError, Grid};

/// The bed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BedSettings {
    /// Cells along a side.
    pub cells: usize,
    /// Step.
    pub dt: f64,
    /// Gravity.
    pub gravity: f64,
    /// Largest velocity of the inflow.
    pub inflow: f64,
    /// Contacts.
    pub law: ContactLaw,
}

impl Default for BedSettings {
    /// 100 cells and steps of 0.01 as in the source; gravity 16 and inflow 1 are ours: discs rise above the inflow and fall beside it. With gravity 4 most are carried to the top.
    fn default() -> Self {
        Self {
            cells: 100,
            dt: 0.01,
            gravity: 16.0,
            inflow: 1.0,
            law: ContactLaw::Dry,
        }
    }
}

/// Viscosity, density of fluid and discs (the source's), number of discs; viscosity of discs over that of the fluid.
const VISCOSITY: f64 = 0.01;
const DENSITIES: [f64; 2] = [1.0, 2.0];
const COUNT: usize = 70;
const PENALTY: f64 = 1e5;

/// A disc of the bed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BedDisc {
    /// Centre.
    pub place: DVec2,
    /// Radius.
    pub radius: f64,
    /// Velocity after contacts.
    pub velocity: DVec2,
}

/// What a step did.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BedReport {
    /// Time.
    pub time: f64,
    /// Contacts within reach.
    pub contacts: usize,
    /// Pairs that stick.
    pub sticking: usize,
    /// Least gap, in cells.
    pub least_gap: f64,
    /// Mean height of the discs.
    pub mean_height: f64,
}

/// A bed that moves.
#[derive(Debug)]
pub struct Bed {
    settings: BedSettings,
    stepper: Stepper,
    grid: Grid,
    /// The discs.
    pub discs: Vec<BedDisc>,
    memories: Memories,
    time: f64,
}

impl Bed {
    /// Discs in rows at rest, the fluid in slow flow around them.
    ///
    /// # Errors
    /// If a setting is out of range.
    pub fn new(settings: BedSettings) -> Result<Self, FlowError> {
        for (name, value) in [
            ("the step", settings.dt),
            ("gravity", settings.gravity),
            ("the largest velocity of the inflow", settings.inflow),
        ] {
            positive(name, value)?;
        }
        if !(80..=400).contains(&settings.cells) {
            return Err(FlowError::OutOfRange {
                quantity: "the number of cells along a side",
                requirement: "from 80 to 400: discs have radii from 0.025",
                value: settings.cells as f64,
            });
        }
        let edges = |_: DVec2, normal: DVec2| {
            if normal.y > 0.5 {
                Edge::Free
            } else {
                Edge::Velocity
            }
        };
        let stepper = Stepper::new([settings.cells; 2], 1.0 / settings.cells as f64, edges)?;
        let discs = (0..COUNT)
            .map(|k| {
                let (column, row) = ((k % 11) as f64, (k / 11) as f64);
                // Radii from 0.025 to 0.035 by a fixed rule.
                BedDisc {
                    place: DVec2::new(0.5 + 0.084 * (column - 5.0), 0.055 + 0.084 * row),
                    radius: 0.025 + 0.001 * ((7 * k) % 11) as f64,
                    velocity: DVec2::ZERO,
                }
            })
            .collect();
        let grid = stepper.grid()?;
        Ok(Self {
            settings,
            stepper,
            grid,
            discs,
            memories: Memories::default(),
            time: 0.0,
        })
    }

    /// Cells of the mesh, for pictures.
    pub fn grid(&self) -> &Grid {
        &self.grid
    }

    /// Pressure in the middle of the cells, of mean zero.
    pub fn pressure(&self) -> Vec<f64> {
        self.stepper.pressure()
    }

    /// Stream function at the corners of the cells.
    pub fn stream(&self) -> Vec<f64> {
        self.stepper.stream()
    }

    /// Makes a step: discs move, the flow follows, contacts correct the velocities of the discs.
    ///
    /// # Errors
    /// If the flow or the contacts are not solved.
    pub fn step(&mut self) -> Result<BedReport, FlowError> {
        let dt = self.settings.dt;
        for disc in &mut self.discs {
            disc.place += dt * disc.velocity;
        }
        self.time += dt;
        let free = self.flow()?;
        let discs: Vec<ContactBody<'_>> = self
            .discs
            .iter()
            .zip(free)
            .map(|(disc, velocity)| {
                let mass = DENSITIES[1] * std::f64::consts::PI * disc.radius * disc.radius;
                let motion = RigidMotion {
                    velocity,
                    angular_velocity: 0.0,
                };
                ContactBody::disc(disc.place, disc.radius, mass, motion)
            })
            .collect();
        let gap = self.grid.spacing;
        let found = match self.settings.law {
            ContactLaw::Dry => project(&self.grid, &discs, gap, 0.0, dt),
            ContactLaw::Gluey => project_gluey(&self.grid, &discs, gap, dt, &mut self.memories),
        };
        if !found.is_solved {
            return Err(FlowError::Contacts {
                time: self.time,
                contacts: found.contacts,
            });
        }
        for (disc, motion) in self.discs.iter_mut().zip(&found.motions) {
            disc.velocity = motion.velocity;
        }
        for (k, disc) in self.discs.iter().enumerate() {
            check_path(self.time, k, dt * disc.velocity.length(), disc.radius)?;
        }
        let heights: f64 = self.discs.iter().map(|disc| disc.place.y).sum();
        Ok(BedReport {
            time: self.time,
            contacts: found.contacts,
            sticking: self.memories.sticking(),
            least_gap: least_gap(&self.grid, &discs) / gap,
            mean_height: heights / self.discs.len() as f64,
        })
    }

    /// All that determines the next steps beside the settings: time, discs, memories of contacts, the flow of the last step.
    pub fn state(&self) -> Vec<f64> {
        let mut state = vec![self.time];
        for disc in &self.discs {
            put(&mut state, &[disc.place, disc.velocity]);
        }
        self.memories.put(&mut state);
        if let Some((field, density)) = self.stepper.kept() {
            put_field(&mut state, field);
            state.extend_from_slice(density);
        }
        state
    }

    /// Goes back to a state of a bed with the same settings.
    ///
    /// # Errors
    /// When it is the state of another bed, or not finite; this one is then as it was.
    pub fn restore(&mut self, state: &[f64]) -> Result<(), FlowError> {
        let mut numbers = Numbers::new(state)?;
        let time = numbers.one()?;
        let mut discs = self.discs.clone();
        for disc in &mut discs {
            disc.place = numbers.vector()?;
            disc.velocity = numbers.vector()?;
        }
        let memories = Memories::take(&mut numbers)?;
        let mesh = self.stepper.mesh();
        let (nodes, triangles) = (mesh.points().len(), mesh.triangles().len());
        let kept = if numbers.is_empty() {
            None
        } else {
            let field = take_field(&mut numbers, nodes, triangles)?;
            Some((field, numbers.list(triangles)?.to_vec()))
        };
        numbers.finish()?;
        self.stepper.restore(kept);
        (self.time, self.discs, self.memories) = (time, discs, memories);
        Ok(())
    }

    /// Finds the flow, and the velocities of the discs in it.
    fn flow(&mut self) -> Result<Vec<DVec2>, FlowError> {
        let mesh = self.stepper.mesh();
        let mut matter = self.stepper.uniform(VISCOSITY, DENSITIES[0]);
        let mut members: Vec<Vec<u32>> = vec![Vec::new(); self.discs.len()];
        let mut is_disc = vec![false; mesh.triangles().len()];
        for triangle in 0..mesh.triangles().len() as u32 {
            let at = mesh.centroid(triangle);
            let own = self
                .discs
                .iter()
                .position(|disc| at.distance(disc.place) < disc.radius);
            if let Some(disc) = own {
                members[disc].push(triangle);
                is_disc[triangle as usize] = true;
                matter.viscosity[triangle as usize] *= PENALTY;
                matter.density[triangle as usize] = DENSITIES[1];
            }
        }
        let weight = DVec2::new(0.0, -self.settings.gravity * (DENSITIES[1] - DENSITIES[0]));
        let force = |triangle: u32, _: DVec2| {
            if is_disc[triangle as usize] {
                weight
            } else {
                DVec2::ZERO
            }
        };
        let inflow = |at: DVec2| {
            if at.y < 1e-9 && at.x < 0.5 {
                DVec2::new(0.0, self.settings.inflow * 16.0 * at.x * (0.5 - at.x))
            } else {
                DVec2::ZERO
            }
        };
        // From rest: the fluid starts in slow flow, the discs with it.
        let dt = if self.stepper.field.is_some() {
            self.settings.dt
        } else {
            f64::INFINITY
        };
        let flow = self.stepper.factorise(&matter, dt)?;
        let field = self.stepper.solve(&flow, dt, &force, &inflow)?;
        let velocities = members
            .iter()
            .map(|list| self.stepper.problem.mean_motion(&field, list).0)
            .collect();
        self.stepper.keep(field, matter);
        Ok(velocities)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gaps_are_kept_dry_and_gluey() {
        for law in [ContactLaw::Dry, ContactLaw::Gluey] {
            let settings = BedSettings {
                cells: 80,
                // Heavy discs, which touch at once.
                gravity: 60.0,
                law,
                ..BedSettings::default()
            };
            let mut bed = Bed::new(settings).unwrap();
            let mut sticking = 0;
            for _ in 0..6 {
                let report = bed.step().unwrap();
                sticking = report.sticking;
                assert!(report.least_gap > 1.0 - 1e-6, "{report:?}");
            }
            assert_eq!(sticking > 0, law == ContactLaw::Gluey, "{sticking}");
        }
    }
}
