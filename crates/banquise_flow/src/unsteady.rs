//! Discs that move in a fluid with inertia: Navier–Stokes by characteristics, rigid bodies, contacts (Lefebvre 2007, algorithms 1.1 and 3.1).
//!
//! A step moves the discs with the velocities of the last one, carries the velocities of the fluid along, solves for the flow with the discs rigid in their new
//! places, and projects the velocities of the discs on those that keep the gaps. Beyond the source, the projected velocities are also those of the fluid
//! within the discs, so that the next step starts from them.

use banquise_geometry::{DVec2, Shape};
use rayon::prelude::*;

use crate::advection::FaceVelocities;
use crate::body::{Body, RigidMotion};
use crate::contacts::{ContactDisc, least_gap, project};
use crate::coverage::Region;
use crate::error::positive;
use crate::flow::{Fluid, check_place};
use crate::grid::Grid;
use crate::rigid::{Rider, RigidSystem};
use crate::samples::BodyWeights;
use crate::{FlowError, SolverSettings};

/// Settings of a flow that changes in time.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct UnsteadySettings {
    /// Step Δt \[s\].
    pub dt: f64,
    /// Density of the fluid \[kg/m³\].
    pub density: f64,
    /// Gravity \[m/s²\]; hydrostatic pressure balances that on the fluid.
    pub gravity: DVec2,
    /// Least gap that contacts keep \[m\]: a cell, so that there is fluid between discs.
    pub gap: f64,
    /// How exactly discs are kept rigid.
    pub solver: SolverSettings,
}

/// A disc that moves.
#[derive(Debug, Clone)]
pub struct MovingDisc {
    /// The disc and its place.
    pub body: Body,
    /// Density, at least that of the fluid \[kg/m³\].
    pub density: f64,
    /// Velocity and angular velocity.
    pub motion: RigidMotion,
}

/// A fluid and discs in it.
#[derive(Debug, Clone)]
pub struct Unsteady {
    grid: Grid,
    fluid: Fluid,
    settings: UnsteadySettings,
    /// Time \[s\].
    pub time: f64,
    /// The discs.
    pub discs: Vec<MovingDisc>,
    velocities: FaceVelocities,
    stream: Vec<f64>,
}

/// What happened in a step.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct StepReport {
    /// Iterations of the conjugate gradients.
    pub iterations: usize,
    /// Pairs of discs, and discs and walls, that could have come too close.
    pub contacts: usize,
    /// Least gap at the start of the step's flow, after discs have moved \[m\].
    pub least_gap: f64,
}

impl Unsteady {
    /// A fluid at rest with discs in it.
    ///
    /// # Errors
    /// If a quantity is out of range, a body is not a disc, or discs are closer than the least gap.
    pub fn new(
        grid: Grid,
        fluid: Fluid,
        discs: Vec<MovingDisc>,
        settings: UnsteadySettings,
    ) -> Result<Self, FlowError> {
        positive("the viscosity (Pa s)", fluid.viscosity)?;
        positive("the density of the fluid (kg/m³)", settings.density)?;
        positive("the step (s)", settings.dt)?;
        for (k, disc) in discs.iter().enumerate() {
            if !matches!(disc.body.shape, Shape::Disc(_)) {
                return Err(FlowError::NotADisc { body: k });
            }
            if !(disc.density >= settings.density && disc.density.is_finite()) {
                return Err(FlowError::OutOfRange {
                    quantity: "the density of a disc",
                    requirement: "at least that of the fluid",
                    value: disc.density,
                });
            }
        }
        let placed: Vec<ContactDisc> = discs.iter().map(contact_disc).collect();
        let (gap, least) = (least_gap(&grid, &placed), settings.gap);
        if gap < least {
            return Err(FlowError::TooClose { gap, least });
        }
        Ok(Self {
            velocities: FaceVelocities::at_rest(&grid),
            stream: vec![0.0; grid.cell_count()],
            grid,
            fluid,
            settings,
            time: 0.0,
            discs,
        })
    }

    /// The grid.
    pub fn grid(&self) -> &Grid {
        &self.grid
    }

    /// Stream function of the last step, at the nodes \[m²/s\].
    pub fn stream(&self) -> &[f64] {
        &self.stream
    }

    /// Makes a step.
    ///
    /// # Errors
    /// If the flow or velocities that keep the gaps are not found.
    pub fn step(&mut self) -> Result<StepReport, FlowError> {
        let (dt, h) = (self.settings.dt, self.grid.spacing);
        let viscosity = self.fluid.viscosity;
        for disc in &mut self.discs {
            disc.body.pose.position += dt * disc.motion.velocity;
            let turn = dt * disc.motion.angular_velocity;
            disc.body.pose.rotation = disc.body.pose.rotation.turned_by(turn);
        }
        let regions: Vec<Region> = self
            .discs
            .par_iter()
            .map(|disc| Region::new(&disc.body, h))
            .collect();
        for (body, region) in regions.iter().enumerate() {
            check_place(&self.grid, body, region)?;
        }
        let weights: Vec<BodyWeights> = regions
            .par_iter()
            .map(|region| BodyWeights::new(&self.grid, region))
            .collect();
        let inertia = self.settings.density * h * h / (viscosity * dt);
        let carried = self.velocities.carried(&self.grid, dt);
        let mut source = carried.curl(&self.grid, inertia * viscosity);
        for (weights, disc) in weights.iter().zip(&self.discs) {
            let [excess, _] = self.excess(disc);
            let force = excess * self.settings.gravity;
            weights.add_curl(&self.grid, [force.x, force.y, 0.0], &mut source);
        }
        let riders = self.riders(&weights, inertia);
        let mut system = RigidSystem::new(&self.grid, &regions, inertia, f64::INFINITY, riders);
        let stresses = system.solve(&mut source, [0.0; 2], &self.settings.solver)?;
        self.velocities = FaceVelocities::of_stream(&self.grid, &source, 1.0 / viscosity);
        self.stream.clear();
        self.stream
            .extend(source.iter().map(|psi| psi * h / viscosity));
        let free: Vec<[f64; 3]> = weights
            .par_iter()
            .map(|weights| weights.motion_of(&self.grid, &source))
            .collect();
        let report = self.touch(&weights, &free)?;
        self.time += dt;
        Ok(StepReport {
            iterations: stresses.iterations,
            ..report
        })
    }

    /// Mass and moment of inertia beyond those of the displaced fluid, per metre of depth.
    fn excess(&self, disc: &MovingDisc) -> [f64; 2] {
        let density = disc.density - self.settings.density;
        let shape = &disc.body.shape;
        [density * shape.area(), density * shape.second_moment()]
    }

    fn riders(&self, weights: &[BodyWeights], inertia: f64) -> Vec<Rider> {
        let (dt, h) = (self.settings.dt, self.grid.spacing);
        let viscosity = self.fluid.viscosity;
        let rider = |(weights, disc): (&BodyWeights, &MovingDisc)| {
            let [mass, moment] = self.excess(disc);
            if mass <= 0.0 {
                return None;
            }
            let push = viscosity * dt / mass;
            let turn = viscosity * dt * h * h / moment;
            let motion = disc.motion;
            let area = disc.body.shape.area() / (h * h);
            let polar = disc.body.shape.second_moment() / (h * h * h * h);
            // Added mass of a disc doubles its inertia in the fluid; 4π and 4 A are the slow drags without logarithms.
            let push_back = 1.0 / (2.0 * inertia * area + 4.0 * std::f64::consts::PI);
            let turn_back = 1.0 / (inertia * polar + 4.0 * area);
            Some(Rider {
                weights: weights.clone(),
                compliance: [push, push, turn],
                before: [
                    viscosity * motion.velocity.x,
                    viscosity * motion.velocity.y,
                    viscosity * h * motion.angular_velocity,
                ],
                mobility: [push_back, push_back, turn_back],
            })
        };
        weights.iter().zip(&self.discs).filter_map(rider).collect()
    }

    /// Projects the velocities found by the flow, and gives the change to the fluid within the discs.
    fn touch(
        &mut self,
        weights: &[BodyWeights],
        free: &[[f64; 3]],
    ) -> Result<StepReport, FlowError> {
        let (h, viscosity) = (self.grid.spacing, self.fluid.viscosity);
        let discs: Vec<ContactDisc> = self
            .discs
            .iter()
            .zip(free)
            .map(|(disc, motion)| ContactDisc {
                motion: RigidMotion {
                    velocity: DVec2::new(motion[0], motion[1]) / viscosity,
                    angular_velocity: motion[2] / (viscosity * h),
                },
                ..contact_disc(disc)
            })
            .collect();
        let found = project(&self.grid, &discs, self.settings.gap, self.settings.dt);
        if !found.is_solved {
            return Err(FlowError::Contacts {
                time: self.time,
                contacts: found.contacts,
            });
        }
        for (k, motion) in found.motions.iter().enumerate() {
            let before = discs[k].motion;
            let change = motion.velocity - before.velocity;
            let spin = h * (motion.angular_velocity - before.angular_velocity);
            let FaceVelocities { u, v } = &mut self.velocities;
            weights[k].add_motion([change.x, change.y, spin], [u, v]);
            self.discs[k].motion = *motion;
        }
        Ok(StepReport {
            iterations: 0,
            contacts: found.contacts,
            least_gap: least_gap(&self.grid, &discs),
        })
    }
}

fn contact_disc(disc: &MovingDisc) -> ContactDisc {
    ContactDisc {
        position: disc.body.pose.position,
        radius: disc.body.shape.bounding_radius(),
        mass: disc.density * disc.body.shape.area(),
        motion: disc.motion,
    }
}
