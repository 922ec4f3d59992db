//! Bodies that move in a fluid with inertia: Navier–Stokes by characteristics, rigid bodies, contacts (Lefebvre 2007, algorithms 1.1 and 3.1).
//!
//! A step moves the bodies with the velocities of the last one, carries the velocities of the fluid along, solves for the flow with the bodies rigid in their new
//! places, and projects the velocities of the bodies on those that keep the gaps. Beyond the source, the projected velocities are also those of the fluid
//! within the bodies, so that the next step starts from them.

use banquise_geometry::{ContactShape, DVec2, Shape};
use rayon::prelude::*;

use crate::advection::FaceField;
use crate::body::{Body, RigidMotion, Wrench};
use crate::contacts::{ContactBody, ContactLaw, least_gap, project};
use crate::coverage::Region;
use crate::error::{check_path, positive};
use crate::flow::{Fluid, check_place};
use crate::gluey::{Memories, project_gluey};
use crate::grid::{Edges, Grid, after};
use crate::pressure::{pressure, vorticity};
use crate::rigid::{Rider, RigidSystem};
use crate::samples::BodyWeights;
use crate::{FlowError, SolverSettings};

/// Settings of a flow that changes in time.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct UnsteadySettings {
    /// Step Δt \[s\].
    pub dt: f64,
    /// Density of the fluid \[kg/m³\]; zero for slow flow, in which bodies have no inertia either.
    pub density: f64,
    /// Gravity \[m/s²\]; hydrostatic pressure balances that on the fluid.
    pub gravity: DVec2,
    /// Rate γ̇ of a shear flow, γ̇ times the height above the middle along x \[1/s\]. With inertia it needs a channel, whose walls move.
    pub shear: f64,
    /// Least gap that contacts keep \[m\]: a cell, so that there is fluid between bodies.
    pub gap: f64,
    /// Whether contacts remember how they were pushed.
    pub law: ContactLaw,
    /// Coefficient of Coulomb's friction in contacts, of the dry law \[1\].
    pub friction: f64,
    /// How exactly bodies are kept rigid.
    pub solver: SolverSettings,
}

/// A body that moves: a disc or a polygon.
#[derive(Debug, Clone)]
pub struct MovingBody {
    /// The body and its place.
    pub body: Body,
    /// Density, at least that of the fluid \[kg/m³\]; infinite for a body that is held where it is, in a fluid with inertia.
    pub density: f64,
    /// Velocity of the centroid, and angular velocity.
    pub motion: RigidMotion,
    /// Force and torque on it besides gravity.
    pub load: Wrench,
}

impl MovingBody {
    /// Whether nothing moves it.
    fn is_held(&self) -> bool {
        self.density == f64::INFINITY
    }
}

/// A fluid and bodies in it.
#[derive(Debug, Clone)]
pub struct Unsteady {
    grid: Grid,
    fluid: Fluid,
    settings: UnsteadySettings,
    /// Time \[s\].
    pub time: f64,
    /// The bodies, with frames at their centroids.
    pub bodies: Vec<MovingBody>,
    shapes: Vec<ContactShape>,
    /// Velocities beyond those of the shear flow.
    pub(crate) velocities: FaceField,
    pub(crate) stream: Vec<f64>,
    pub(crate) pressure: Vec<f64>,
    /// Forces by which the fluid is stirred, in units of the solver.
    stirring: Option<FaceField>,
    pub(crate) fluid_forces: Vec<DVec2>,
    pub(crate) memories: Memories,
}

/// What happened in a step.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct StepReport {
    /// Iterations of the conjugate gradients.
    pub iterations: usize,
    /// Places of two bodies, and of bodies and walls, that could have come too close.
    pub contacts: usize,
    /// Contacts that stick after it.
    pub sticking: usize,
    /// Least gap at the start of the step's flow, after bodies have moved \[m\].
    pub least_gap: f64,
}

impl Unsteady {
    /// A fluid at rest, but for the shear flow, with bodies in it.
    ///
    /// # Errors
    /// If a quantity is out of range, or bodies are closer than the least gap.
    pub fn new(
        grid: Grid,
        fluid: Fluid,
        bodies: Vec<MovingBody>,
        settings: UnsteadySettings,
    ) -> Result<Self, FlowError> {
        positive("the viscosity (Pa s)", fluid.viscosity)?;
        positive("the step (s)", settings.dt)?;
        check_density(settings.density >= 0.0, "zero or more", settings.density)?;
        if !(settings.friction >= 0.0 && settings.friction.is_finite()) {
            return Err(FlowError::OutOfRange {
                quantity: "the coefficient of friction",
                requirement: "zero or more",
                value: settings.friction,
            });
        }
        if settings.law == ContactLaw::Gluey && settings.friction != 0.0 {
            return Err(FlowError::OutOfRange {
                quantity: "the coefficient of friction",
                requirement: "zero with gluey contacts, in which fluid keeps bodies apart",
                value: settings.friction,
            });
        }
        if settings.shear != 0.0 && settings.density > 0.0 && grid.edges != Edges::Channel {
            return Err(FlowError::OutOfRange {
                quantity: "the rate of shear (1/s)",
                requirement: "zero, for a fluid with inertia that is not in a channel",
                value: settings.shear,
            });
        }
        for body in &bodies {
            let is_heavy = body.density >= settings.density;
            if !(body.is_held() && settings.density > 0.0) {
                check_density(is_heavy, "at least that of the fluid", body.density)?;
            }
        }
        let bodies = bodies
            .into_iter()
            .map(centred)
            .collect::<Result<Vec<_>, _>>()?;
        let shapes = bodies
            .iter()
            .map(|body| ContactShape::new(&body.body.shape))
            .collect();
        let mut flow = Self {
            velocities: FaceField::zero(&grid),
            stream: vec![0.0; grid.cell_count()],
            pressure: vec![0.0; grid.cell_count()],
            stirring: None,
            fluid_forces: vec![DVec2::ZERO; bodies.len()],
            memories: Memories::default(),
            grid,
            fluid,
            settings,
            time: 0.0,
            bodies,
            shapes,
        };
        let cornered = flow
            .bodies
            .iter()
            .position(|body| !matches!(body.body.shape, Shape::Disc(_)));
        if let Some(body) = cornered.filter(|_| settings.law == ContactLaw::Gluey) {
            return Err(FlowError::NoDisc { body });
        }
        let (gap, least) = (least_gap(&grid, &flow.contact_bodies()), settings.gap);
        if gap < least {
            return Err(FlowError::TooClose { gap, least });
        }
        flow.start_moving()?;
        Ok(flow)
    }

    /// Gives the fluid that bodies displace their motions: it carries that part of their momentum. Beside a shear flow bodies start with it.
    fn start_moving(&mut self) -> Result<(), FlowError> {
        let h = self.grid.spacing;
        for (index, body) in self.bodies.iter().enumerate() {
            if body.motion == RigidMotion::default() || self.settings.shear != 0.0 {
                continue;
            }
            let region = Region::new(&body.body, h);
            check_place(&self.grid, index, &region)?;
            let RigidMotion {
                velocity,
                angular_velocity,
            } = body.motion;
            let motion = [velocity.x, velocity.y, h * angular_velocity];
            let FaceField { u, v } = &mut self.velocities;
            BodyWeights::new(&self.grid, &region).add_motion(motion, [u, v]);
        }
        Ok(())
    }

    /// Starts with the flow of a stream function \[m²/s\], and keeps that flow up by the forces that it needs against friction where there are no bodies.
    #[must_use]
    pub fn stirred(mut self, stream: impl Fn(DVec2) -> f64) -> Self {
        let ([nx, ny], h) = (self.grid.cells, self.grid.spacing);
        let at = |k: usize| DVec2::new((k % nx) as f64, (k / nx) as f64) * h;
        let nodes: Vec<f64> = (0..nx * ny).map(|k| stream(at(k))).collect();
        self.velocities = FaceField::of_stream(&self.grid, &nodes, 1.0 / h);
        let vorticity = vorticity(&self.grid, &nodes);
        let scale = self.fluid.viscosity / h;
        let mut forces = FaceField::zero(&self.grid);
        for k in 0..nx * ny {
            let (i, j) = (k % nx, k / nx);
            forces.u[k] = scale * (vorticity[after(j, ny) * nx + i] - vorticity[k]);
            forces.v[k] = scale * (vorticity[k] - vorticity[j * nx + after(i, nx)]);
        }
        self.stream = nodes;
        self.stirring = Some(forces);
        self
    }

    /// The grid.
    pub fn grid(&self) -> &Grid {
        &self.grid
    }

    /// Stream function of the last step, at the nodes, beyond that of the shear flow \[m²/s\].
    pub fn stream(&self) -> &[f64] {
        &self.stream
    }

    /// Pressure of the last step in the middle of cells, of mean zero and without the hydrostatic one \[Pa\].
    pub fn pressure(&self) -> &[f64] {
        &self.pressure
    }

    /// Force of the fluid on each body in the last step, without the hydrostatic one: what its change of momentum leaves of loads and weight; contacts are no part of it \[N/m\].
    pub fn fluid_forces(&self) -> &[DVec2] {
        &self.fluid_forces
    }

    /// Makes a step.
    ///
    /// # Errors
    /// If the flow or velocities that keep the gaps are not found.
    pub fn step(&mut self) -> Result<StepReport, FlowError> {
        // Within the pool: a step has thousands of short parallel loops, and each started from outside would wait for two changes of thread.
        rayon::scope(|_| self.step_in_pool())
    }

    fn step_in_pool(&mut self) -> Result<StepReport, FlowError> {
        let (dt, h) = (self.settings.dt, self.grid.spacing);
        let viscosity = self.fluid.viscosity;
        for body in &mut self.bodies {
            body.body.pose.position += dt * body.motion.velocity;
            let turn = dt * body.motion.angular_velocity;
            body.body.pose.rotation = body.body.pose.rotation.turned_by(turn);
        }
        let regions: Vec<Region> = self
            .bodies
            .par_iter()
            .map(|body| Region::new(&body.body, h))
            .collect();
        for (body, region) in regions.iter().enumerate() {
            check_place(&self.grid, body, region)?;
        }
        let weights: Vec<BodyWeights> = regions
            .par_iter()
            .map(|region| BodyWeights::new(&self.grid, region))
            .collect();
        let sheared: Vec<[f64; 3]> = weights
            .par_iter()
            .zip(&regions)
            .map(|(weights, region)| self.shear_motion(weights, region))
            .collect();
        let inertia = self.settings.density * h * h / (viscosity * dt);
        let mut forces = self.forces(&weights, inertia * viscosity);
        let mut source = forces.curl(&self.grid, 1.0);
        let riders = self.riders(&weights, &sheared, inertia);
        let mut system = RigidSystem::new(&self.grid, &regions, inertia, f64::INFINITY, riders);
        let strain = [0.0, viscosity * h * self.settings.shear];
        let stresses = system.solve(&mut source, strain, &self.settings.solver)?;
        system.add_forces(&stresses, &mut forces);
        self.keep(forces, &source, inertia);
        let free: Vec<[f64; 3]> = weights
            .par_iter()
            .zip(&sheared)
            .map(|(weights, sheared)| {
                let motion = weights.motion_of(&self.grid, &source);
                [0, 1, 2].map(|k| motion[k] + sheared[k])
            })
            .collect();
        let held = self.holding(&system.rider_forces(&stresses), inertia);
        let report = self.touch(&weights, &free, &held)?;
        self.time += dt;
        Ok(StepReport {
            iterations: stresses.iterations,
            ..report
        })
    }

    /// Keeps velocities, stream function and pressure of a flow.
    fn keep(&mut self, forces: FaceField, stream: &[f64], inertia: f64) {
        let (h, viscosity) = (self.grid.spacing, self.fluid.viscosity);
        self.velocities = FaceField::of_stream(&self.grid, stream, 1.0 / viscosity);
        self.pressure = pressure(&self.grid, forces, stream, inertia);
        for value in &mut self.pressure {
            *value /= h;
        }
        self.stream.clear();
        self.stream
            .extend(stream.iter().map(|psi| psi * h / viscosity));
    }

    /// Forces on faces: momentum that was carried along, `momentum` times the velocity, weights and loads of bodies, stirring of the fluid.
    fn forces(&self, weights: &[BodyWeights], momentum: f64) -> FaceField {
        let mut forces = if momentum > 0.0 {
            let (dt, shear) = (self.settings.dt, self.settings.shear);
            let mut carried = self.velocities.carried(&self.grid, dt, shear);
            for field in [&mut carried.u, &mut carried.v] {
                for value in field {
                    *value *= momentum;
                }
            }
            carried
        } else {
            FaceField::zero(&self.grid)
        };
        if let Some(stirring) = &self.stirring {
            add(&mut forces.u, &stirring.u);
            add(&mut forces.v, &stirring.v);
            for weights in weights {
                weights.x.subtract_share(&stirring.u, &mut forces.u);
                weights.y.subtract_share(&stirring.v, &mut forces.v);
            }
        }
        for (weights, body) in weights.iter().zip(&self.bodies) {
            let force = self.weight(body) + body.load.force;
            let torque = body.load.torque / self.grid.spacing;
            weights.spread([force.x, force.y, torque], |is_y, place, force| {
                let field = if is_y { &mut forces.v } else { &mut forces.u };
                field[place] += force;
            });
        }
        forces
    }

    /// Motion that the shear flow alone would give to a body, in units of the solver.
    fn shear_motion(&self, weights: &BodyWeights, region: &Region) -> [f64; 3] {
        let shear = self.settings.shear;
        if shear == 0.0 {
            return [0.0; 3];
        }
        let rate = self.fluid.viscosity * self.grid.spacing * shear;
        let [_, ny] = self.grid.cells;
        let along_x = |place: usize| {
            let offset = DVec2::new(0.0, 0.5);
            rate * self.grid.offset_from(region.centre(), place, offset).y
        };
        let [x, y, spin] = weights.motion(along_x, |_| 0.0);
        [x + rate * (region.centre().y - 0.5 * ny as f64), y, spin]
    }

    /// Weight of a body without the buoyancy \[N/m\]; what holds a body bears its weight too.
    fn weight(&self, body: &MovingBody) -> DVec2 {
        if body.is_held() {
            return DVec2::ZERO;
        }
        let density = body.density - self.settings.density;
        density * body.body.shape.area() * self.settings.gravity
    }

    /// Mass and moment of inertia beyond those of the displaced fluid, per metre of depth.
    fn excess(&self, body: &MovingBody) -> [f64; 2] {
        let density = body.density - self.settings.density;
        let shape = &body.body.shape;
        [density * shape.area(), density * shape.second_moment()]
    }

    fn riders(&self, weights: &[BodyWeights], sheared: &[[f64; 3]], inertia: f64) -> Vec<Rider> {
        let (dt, h) = (self.settings.dt, self.grid.spacing);
        let viscosity = self.fluid.viscosity;
        let rider = |((weights, sheared), body): ((&BodyWeights, &[f64; 3]), &MovingBody)| {
            if !self.rides(body, inertia) {
                return None;
            }
            let [mass, moment] = self.excess(body);
            let push = viscosity * dt / mass;
            let turn = viscosity * dt * h * h / moment;
            let motion = body.motion;
            let area = body.body.shape.area() / (h * h);
            let polar = body.body.shape.second_moment() / (h * h * h * h);
            // Added mass of a disc doubles its inertia in the fluid; 4π and 4 A are the slow drags without logarithms.
            let push_back = 1.0 / (2.0 * inertia * area + 4.0 * std::f64::consts::PI);
            let turn_back = 1.0 / (inertia * polar + 4.0 * area);
            Some(Rider {
                weights: weights.clone(),
                compliance: [push, push, turn],
                before: [
                    viscosity * motion.velocity.x - sheared[0],
                    viscosity * motion.velocity.y - sheared[1],
                    viscosity * h * motion.angular_velocity - sheared[2],
                ],
                mobility: [push_back, push_back, turn_back],
            })
        };
        let places = weights.iter().zip(sheared);
        places.zip(&self.bodies).filter_map(rider).collect()
    }

    fn contact_bodies(&self) -> Vec<ContactBody<'_>> {
        // Without inertia contacts weigh velocities by area.
        let density = |body: &MovingBody| {
            if self.settings.density > 0.0 {
                body.density
            } else {
                1.0
            }
        };
        let contact_body = |(body, shape)| {
            let MovingBody {
                body: placed,
                motion,
                ..
            }: &MovingBody = body;
            ContactBody {
                pose: placed.pose,
                radius: placed.shape.bounding_radius(),
                mass: density(body) * placed.shape.area(),
                inertia: density(body) * placed.shape.second_moment(),
                motion: *motion,
                shape: Some(shape),
            }
        };
        self.bodies
            .iter()
            .zip(&self.shapes)
            .map(contact_body)
            .collect()
    }

    /// Refuses velocities that would carry a body too far in the next step.
    fn check_paths(&self) -> Result<(), FlowError> {
        let dt = self.settings.dt;
        for (k, MovingBody { body, motion, .. }) in self.bodies.iter().enumerate() {
            let radius = body.shape.bounding_radius();
            let rim = match body.shape {
                Shape::Disc(_) => 0.0,
                Shape::Outline(_) => radius * motion.angular_velocity.abs(),
            };
            check_path(self.time, k, dt * (motion.velocity.length() + rim), radius)?;
        }
        Ok(())
    }

    /// Forces by which bodies that are held push the fluid \[N/m\]; zero for others.
    fn holding(&self, of_riders: &[[f64; 3]], inertia: f64) -> Vec<DVec2> {
        let mut of_riders = of_riders.iter();
        let force = |body: &MovingBody| {
            // In the order of the riders, all of which are passed.
            let rides = self.rides(body, inertia).then(|| of_riders.next());
            match rides.flatten() {
                Some(&[x, y, _]) if body.is_held() => DVec2::new(x, y),
                _ => DVec2::ZERO,
            }
        };
        self.bodies.iter().map(force).collect()
    }

    /// Whether a body has mass beyond that of the fluid it displaces, and is a rider.
    fn rides(&self, body: &MovingBody, inertia: f64) -> bool {
        self.excess(body)[0] > 0.0 && inertia > 0.0
    }

    /// Projects the velocities found by the flow, and gives the change to the fluid within the bodies.
    fn touch(
        &mut self,
        weights: &[BodyWeights],
        free: &[[f64; 3]],
        held: &[DVec2],
    ) -> Result<StepReport, FlowError> {
        let (h, viscosity) = (self.grid.spacing, self.fluid.viscosity);
        let UnsteadySettings { dt, density, .. } = self.settings;
        let weights_of_bodies: Vec<DVec2> =
            self.bodies.iter().map(|body| self.weight(body)).collect();
        let forces = self.fluid_forces.iter_mut();
        let bodies = self.bodies.iter_mut().zip(weights_of_bodies);
        for ((((body, weight), motion), force), held) in bodies.zip(free).zip(forces).zip(held) {
            if body.is_held() {
                *force = -*held - body.load.force;
                body.motion = RigidMotion::default();
                continue;
            }
            let velocity = DVec2::new(motion[0], motion[1]) / viscosity;
            let area = body.body.shape.area();
            let mass = if density > 0.0 {
                body.density * area
            } else {
                0.0
            };
            *force = mass * (velocity - body.motion.velocity) / dt - weight - body.load.force;
            body.motion = RigidMotion {
                velocity,
                angular_velocity: motion[2] / (viscosity * h),
            };
        }
        let UnsteadySettings { gap, friction, .. } = self.settings;
        let mut memories = std::mem::take(&mut self.memories);
        let bodies = self.contact_bodies();
        let found = match self.settings.law {
            ContactLaw::Dry => project(&self.grid, &bodies, gap, friction, dt),
            ContactLaw::Gluey => project_gluey(&self.grid, &bodies, gap, dt, &mut memories),
        };
        let least_gap = least_gap(&self.grid, &bodies);
        self.memories = memories;
        if !found.is_solved {
            return Err(FlowError::Contacts {
                time: self.time,
                contacts: found.contacts,
            });
        }
        for (k, motion) in found.motions.iter().enumerate() {
            let before = self.bodies[k].motion;
            let change = motion.velocity - before.velocity;
            let spin = h * (motion.angular_velocity - before.angular_velocity);
            let FaceField { u, v } = &mut self.velocities;
            weights[k].add_motion([change.x, change.y, spin], [u, v]);
            self.bodies[k].motion = *motion;
        }
        self.check_paths()?;
        Ok(StepReport {
            iterations: 0,
            contacts: found.contacts,
            sticking: self.memories.sticking(),
            least_gap,
        })
    }
}

fn add(to: &mut [f64], from: &[f64]) {
    to.iter_mut().zip(from).for_each(|(to, from)| *to += from);
}

fn check_density(is_good: bool, requirement: &'static str, value: f64) -> Result<(), FlowError> {
    if is_good && value.is_finite() {
        return Ok(());
    }
    Err(FlowError::OutOfRange {
        quantity: "a density (kg/m³)",
        requirement,
        value,
    })
}

/// Moves the frame of a body to the centroid, about which it turns. Bodies that are held rest.
fn centred(mut body: MovingBody) -> Result<MovingBody, FlowError> {
    if body.is_held() {
        body.motion = RigidMotion::default();
    }
    let centroid = body.body.shape.centroid();
    body.body.pose.position = body.body.pose.world_from_body(centroid);
    body.body.shape = body.body.shape.translated(-centroid)?;
    Ok(body)
}
