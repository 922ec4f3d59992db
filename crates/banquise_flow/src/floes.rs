//! Floes in a sea that is resolved around them, and the drag law that would move them as the flow does.
//!
//! The flow is that of a layer of water seen from above, as deep as the floes go, with a constant eddy viscosity. A floe floats, so that its mass is that of the water it displaces; it moves the layer as a
//! wall does. What comes out is the form drag of its sides, F = ½ ρ C D |U| U per metre of depth; friction below the floe, in the third dimension, is no part of it.

use banquise_geometry::{DVec2, Mesh, Outline, Pose, Rotation, Shape, math};

use crate::body::{Body, RigidMotion, Wrench};
use crate::error::positive;
use crate::suspension::next_random;
use crate::{
    ContactLaw, Edges, FlowError, Fluid, Grid, MovingBody, SolverSettings, Suspension, Unsteady,
    UnsteadySettings,
};

/// What all runs have in common.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FloeSea {
    /// Diameter D of the disc with the area of a floe \[m\].
    pub diameter: f64,
    /// Cells in a diameter.
    pub cells: usize,
    /// Corners of a floe; none for a disc.
    pub corners: usize,
    /// Kinematic eddy viscosity ν \[m²/s\].
    pub viscosity: f64,
    /// Depth of the layer, the draft of the floes \[m\].
    pub draft: f64,
    /// Density of the water \[kg/m³\].
    pub density: f64,
    /// Number of the draw of shapes and places.
    pub seed: u64,
    /// Strain rate left in the floes, relative.
    pub tolerance: f64,
}

impl Default for FloeSea {
    /// A floe of 1 km and 10 m of draft, ν = 1 m²/s: Reynolds numbers of some tens.
    fn default() -> Self {
        Self {
            diameter: 1000.0,
            cells: 16,
            corners: 7,
            viscosity: 1.0,
            draft: 10.0,
            density: 1025.0,
            seed: 1,
            tolerance: 1e-5,
        }
    }
}

/// Drag coefficient for a first guess of velocities, from which steps and durations follow.
const GUESS: f64 = 1.5;
/// Cells that the guessed velocity passes in a step.
const COURANT: f64 = 0.7;
/// Still water: the sea is so many diameters long and wide.
const STILL: [usize; 2] = [24, 12];
/// Still water: the drag is a mean over a path from so many diameters to so many; before, the wake grows, and afterwards the floe would meet it.
const PATH: [f64; 2] = [8.0, 16.0];
/// Reynolds numbers, by estimate: the smallest, and the largest over the square of the cells in a diameter.
const SLOWEST: f64 = 0.5;
const FASTEST: f64 = 2.0;
/// Most corners of a floe.
const MOST_CORNERS: usize = 64;
/// Roughness of the floes: corners are so much nearer or farther than in the mean.
const ROUGHNESS: f64 = 0.2;

/// Steady drag of a floe in still water.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct StillDrag {
    /// Wind stress on the floe \[Pa\].
    pub wind_stress: f64,
    /// Velocity of the floe along the wind, mean over its path \[m/s\].
    pub speed: f64,
    /// U D/ν.
    pub reynolds: f64,
    /// Drag coefficient C = F/(½ ρ D U²).
    pub coefficient: f64,
    /// Steps made.
    pub steps: usize,
}

impl FloeSea {
    fn check(&self) -> Result<(), FlowError> {
        for (quantity, value) in [
            ("the diameter (m)", self.diameter),
            ("the eddy viscosity (m²/s)", self.viscosity),
            ("the draft (m)", self.draft),
            ("the density of the water (kg/m³)", self.density),
        ] {
            positive(quantity, value)?;
        }
        if !(4..=256).contains(&self.cells) {
            return Err(FlowError::OutOfRange {
                quantity: "the number of cells in a diameter",
                requirement: "from 4 to 256",
                value: self.cells as f64,
            });
        }
        if !(self.corners == 0 || (3..=MOST_CORNERS).contains(&self.corners)) {
            return Err(FlowError::OutOfRange {
                quantity: "the number of corners of a floe",
                requirement: "0 for a disc, or from 3 to 64",
                value: self.corners as f64,
            });
        }
        Ok(())
    }

    /// Refuses velocities whose boundary layer, D/√Re thick, is thinner than a part of a cell: drags would be those of the grid. And such slow ones that the floe only creeps: it
    /// would need days to its way, and its wake reaches its images.
    fn check_speed(&self, quantity: &'static str, speed: f64, given: f64) -> Result<(), FlowError> {
        let reynolds = speed * self.diameter / self.viscosity;
        let cells = self.cells as f64;
        if (SLOWEST..=FASTEST * cells * cells).contains(&reynolds) {
            return Ok(());
        }
        Err(FlowError::OutOfRange {
            quantity,
            requirement: "such that the Reynolds number U D/ν is, by estimate, from 0.5 to twice the square of the cells in a diameter",
            value: given,
        })
    }

    /// Refuses a wind in still water that the grid cannot follow.
    ///
    /// # Errors
    /// If a quantity is out of range.
    pub fn check_still(&self, wind_stress: f64) -> Result<(), FlowError> {
        self.check()?;
        positive("the wind stress (Pa)", wind_stress)?;
        let speed = self.guessed_speed(wind_stress);
        self.check_speed("the wind stress (Pa)", speed, wind_stress)
    }

    /// Force of a wind stress on a floe, per metre of depth \[N/m\].
    fn push(&self, wind_stress: f64) -> f64 {
        let area = 0.25 * std::f64::consts::PI * self.diameter * self.diameter;
        wind_stress * area / self.draft
    }

    /// ½ ρ D, by which a drag is the coefficient times the square of a velocity \[kg/m²\].
    fn half_density(&self) -> f64 {
        0.5 * self.density * self.diameter
    }

    /// Velocity for a wind stress with the guessed coefficient \[m/s\].
    fn guessed_speed(&self, wind_stress: f64) -> f64 {
        (self.push(wind_stress) / (GUESS * self.half_density())).sqrt()
    }

    /// A floe of the given area about its centroid.
    fn shape(&self, state: &mut u64) -> Result<Shape, FlowError> {
        let radius = 0.5 * self.diameter;
        if self.corners == 0 {
            return Ok(Body::disc(DVec2::ZERO, radius)?.shape);
        }
        let corners: Vec<DVec2> = (0..self.corners)
            .map(|k| {
                let angle = std::f64::consts::TAU * k as f64 / self.corners as f64;
                let (sin, cos) = math::sin_cos(angle);
                let stretch = 1.0 + ROUGHNESS * (2.0 * next_random(state) - 1.0);
                DVec2::new(cos, sin) * (radius * stretch)
            })
            .collect();
        let outline = Outline::try_new(corners)?;
        let scale = (std::f64::consts::PI * radius * radius / outline.area()).sqrt();
        let centroid = outline.centroid();
        let vertices = outline.vertices().iter();
        let scaled = vertices
            .map(|&vertex| (vertex - centroid) * scale)
            .collect();
        Ok(Shape::Outline(Outline::try_new(scaled)?))
    }

    fn floe(&self, shape: Shape, at: DVec2, turn: f64, wind_stress: f64) -> MovingBody {
        MovingBody {
            body: Body {
                shape,
                pose: Pose {
                    position: at,
                    rotation: Rotation::from_angle(turn),
                },
            },
            density: self.density,
            motion: RigidMotion::default(),
            load: Wrench {
                force: DVec2::new(self.push(wind_stress), 0.0),
                torque: 0.0,
            },
        }
    }

    fn flow(
        &self,
        diameters: [usize; 2],
        floes: Vec<MovingBody>,
        dt: f64,
    ) -> Result<Unsteady, FlowError> {
        let h = self.diameter / self.cells as f64;
        let cells = diameters.map(|n| n * self.cells);
        let grid = Grid::try_new(cells, h, Edges::Periodic)?;
        let settings = UnsteadySettings {
            dt,
            density: self.density,
            gravity: DVec2::ZERO,
            shear: 0.0,
            gap: h,
            law: ContactLaw::Dry,
            friction: 0.0,
            solver: SolverSettings {
                tolerance: self.tolerance,
                ..SolverSettings::default()
            },
        };
        let fluid = Fluid {
            viscosity: self.viscosity * self.density,
        };
        Unsteady::new(grid, fluid, floes, settings)
    }

    /// Drag of a floe that the wind pushes through still water.
    ///
    /// # Errors
    /// If a quantity is not positive, or a flow is not found.
    pub fn still(&self, wind_stress: f64) -> Result<StillDrag, FlowError> {
        self.check_still(wind_stress)?;
        let mut state = self.seed;
        let shape = self.shape(&mut state)?;
        let middle = 0.5 * self.diameter * STILL[1] as f64;
        let start = DVec2::new(3.0 * self.diameter, middle);
        let floe = self.floe(shape, start, 0.0, wind_stress);
        let dt = COURANT * self.diameter / (self.cells as f64 * self.guessed_speed(wind_stress));
        let mut flow = self.flow(STILL, vec![floe], dt)?;
        let (mut first, mut steps) = (None, 0_u32);
        loop {
            flow.step()?;
            steps += 1;
            let path = (flow.bodies[0].body.pose.position.x - start.x) / self.diameter;
            let mark = (flow.time, path * self.diameter);
            if path >= PATH[0] && first.is_none() {
                first = Some(mark);
            }
            if f64::from(steps) > MAX_STEPS {
                return Err(FlowError::OutOfRange {
                    quantity: "the path of the floe after a million steps (diameters)",
                    requirement: "16; take a stronger wind",
                    value: path,
                });
            }
            if let Some((time, place)) = first
                && path >= PATH[1]
            {
                let speed = (mark.1 - place) / (mark.0 - time);
                return Ok(StillDrag {
                    wind_stress,
                    speed,
                    reynolds: speed * self.diameter / self.viscosity,
                    coefficient: self.push(wind_stress) / (self.half_density() * speed * speed),
                    steps: steps as usize,
                });
            }
        }
    }
}

/// Floes in eddies, with wind.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct EddySettings {
    /// Number of floes.
    pub floes: usize,
    /// Side of the periodic sea in diameters; it has four eddies.
    pub side: usize,
    /// Largest velocity of the eddies \[m/s\].
    pub speed: f64,
    /// Wind stress, along x \[Pa\].
    pub wind_stress: f64,
    /// Duration, in times in which the fastest eddy passes a diameter.
    pub duration: f64,
}

impl Default for EddySettings {
    fn default() -> Self {
        Self {
            floes: 4,
            side: 8,
            speed: 0.1,
            wind_stress: 0.1,
            duration: 16.0,
        }
    }
}

/// A floe at an instant, resolved and by the law.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FloeInstant {
    /// Place of the centroid, not wrapped \[m\].
    pub place: DVec2,
    /// Its velocity \[m/s\].
    pub velocity: DVec2,
    /// Velocity of the eddies without floes, mean over the floe \[m/s\].
    pub eddies: DVec2,
    /// Force of the water \[N/m\].
    pub force: DVec2,
}

/// Floes in eddies, resolved.
#[derive(Debug, Clone)]
pub struct EddyRun {
    sea: FloeSea,
    settings: EddySettings,
    /// Times \[s\].
    pub times: Vec<f64>,
    /// Floes, one list for each time.
    pub history: Vec<Vec<FloeInstant>>,
    shapes: Vec<Shape>,
    turns: Vec<Vec<Rotation>>,
    /// Least gap between floes in cells.
    pub least_gap: f64,
    /// Steps in which contacts could have changed velocities.
    pub steps_with_contacts: usize,
    /// Mean iterations of a step.
    pub iterations: f64,
}

/// The quadratic law F = ½ ρ C D |U| U fitted to forces, and how well floes follow it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FittedLaw {
    /// Drag coefficient C.
    pub coefficient: f64,
    /// Share of the mean square force that the law explains.
    pub explained: f64,
    /// Root mean square distance between the floes of the law and the resolved ones at the end, in diameters.
    pub distance: f64,
    /// Mean length of the resolved paths, in diameters.
    pub path: f64,
    /// Root mean square difference of velocities over the run, over the root mean square velocity.
    pub velocity_error: f64,
}

impl EddySettings {
    fn wave(&self, sea: &FloeSea) -> f64 {
        std::f64::consts::TAU / (self.side as f64 * sea.diameter)
    }

    /// Stream function of the eddies \[m²/s\].
    fn stream(&self, sea: &FloeSea, at: DVec2) -> f64 {
        let k = self.wave(sea);
        self.speed / k * math::sin(k * at.x) * math::sin(k * at.y)
    }

    /// Velocity of the eddies \[m/s\].
    fn velocity(&self, sea: &FloeSea, at: DVec2) -> DVec2 {
        let k = self.wave(sea);
        let ((sx, cx), (sy, cy)) = (math::sin_cos(k * at.x), math::sin_cos(k * at.y));
        self.speed * DVec2::new(sx * cy, -cx * sy)
    }

    /// Mean velocity of the eddies over a floe \[m/s\].
    fn mean_velocity(&self, sea: &FloeSea, points: &[(DVec2, f64)], pose: Pose) -> DVec2 {
        let (mut sum, mut area) = (DVec2::ZERO, 0.0);
        for &(point, weight) in points {
            sum += weight * self.velocity(sea, pose.world_from_body(point));
            area += weight;
        }
        sum / area
    }
}

/// Most steps of a run: a mistyped duration would run for days.
const MAX_STEPS: f64 = 1e6;

impl FloeSea {
    /// Step among eddies \[s\].
    fn eddy_step(&self, settings: &EddySettings) -> f64 {
        let fastest = settings.speed + self.guessed_speed(settings.wind_stress);
        COURANT * self.diameter / (self.cells as f64 * fastest)
    }

    /// Number of steps of a run among eddies.
    ///
    /// # Errors
    /// If a quantity is out of range.
    pub fn eddy_steps(&self, settings: &EddySettings) -> Result<u32, FlowError> {
        self.check()?;
        positive("the velocity of the eddies (m/s)", settings.speed)?;
        positive("the wind stress (Pa)", settings.wind_stress)?;
        positive("the duration", settings.duration)?;
        // Floes drift with the eddies: the larger of both velocities is theirs relative to the water.
        let fastest = settings.speed.max(self.guessed_speed(settings.wind_stress));
        self.check_speed("the velocity of the eddies (m/s)", fastest, settings.speed)?;
        let duration = settings.duration * self.diameter / settings.speed;
        let steps = (duration / self.eddy_step(settings)).ceil();
        if steps > MAX_STEPS {
            return Err(FlowError::OutOfRange {
                quantity: "the number of steps",
                requirement: "at most a million",
                value: steps,
            });
        }
        self.placed(settings)?;
        Ok(steps as u32)
    }

    /// Shapes of floes among eddies, places with room for them in cells, and where the draw of random numbers is.
    fn placed(&self, settings: &EddySettings) -> Result<(Vec<Shape>, Vec<DVec2>, u64), FlowError> {
        let room = settings.side * settings.side;
        if !(1..=room).contains(&settings.floes) {
            return Err(FlowError::OutOfRange {
                quantity: "the number of floes",
                requirement: "at least one, and such that they find room at random",
                value: settings.floes as f64,
            });
        }
        let mut state = self.seed;
        let shapes = (0..settings.floes)
            .map(|_| self.shape(&mut state))
            .collect::<Result<Vec<_>, _>>()?;
        let reach = shapes
            .iter()
            .fold(0.0, |r: f64, s| r.max(s.bounding_radius()));
        let h = self.diameter / self.cells as f64;
        let places = Suspension {
            discs: settings.floes,
            cells: settings.side * self.cells,
            radius_cells: reach / h,
            gap_cells: 2.0,
            seed: self.seed,
        }
        .places()?;
        Ok((shapes, places, state))
    }

    /// Floes in an eddying sea, resolved.
    ///
    /// # Errors
    /// If a quantity is out of range, floes find no room, or a flow is not found.
    pub fn eddies(
        &self,
        settings: &EddySettings,
        mut watch: impl FnMut(u32, &Unsteady),
    ) -> Result<EddyRun, FlowError> {
        let steps = self.eddy_steps(settings)?;
        let (shapes, places, mut state) = self.placed(settings)?;
        let h = self.diameter / self.cells as f64;
        let floes = shapes
            .iter()
            .zip(places)
            .map(|(shape, at)| {
                let turn = std::f64::consts::TAU * next_random(&mut state);
                let mut floe = self.floe(shape.clone(), at * h, turn, settings.wind_stress);
                floe.motion.velocity = settings.velocity(self, at * h);
                floe
            })
            .collect();
        let mut flow = self
            .flow([settings.side; 2], floes, self.eddy_step(settings))?
            .stirred(|at| settings.stream(self, at));
        let mut run = EddyRun {
            sea: *self,
            settings: *settings,
            times: Vec::new(),
            history: Vec::new(),
            turns: Vec::new(),
            shapes,
            least_gap: f64::INFINITY,
            steps_with_contacts: 0,
            iterations: 0.0,
        };
        let points = run.points();
        for step in 0..steps {
            let report = flow.step()?;
            watch(step, &flow);
            run.least_gap = run.least_gap.min(report.least_gap / h);
            run.steps_with_contacts += usize::from(report.contacts > 0);
            run.iterations += report.iterations as f64 / f64::from(steps);
            run.times.push(flow.time);
            let bodies = flow.bodies.iter().zip(flow.fluid_forces()).zip(&points);
            let instant =
                |((floe, &force), points): ((&MovingBody, &DVec2), &Vec<_>)| FloeInstant {
                    place: floe.body.pose.position,
                    velocity: floe.motion.velocity,
                    eddies: settings.mean_velocity(self, points, floe.body.pose),
                    force,
                };
            run.history.push(bodies.map(instant).collect());
            let turns = flow.bodies.iter().map(|floe| floe.body.pose.rotation);
            run.turns.push(turns.collect());
        }
        Ok(run)
    }
}

/// Share of a run that is left out of fits: the flow around the floes grows from none.
const SPIN_UP: f64 = 0.25;

impl EddyRun {
    /// Integration points of all floes.
    fn points(&self) -> Vec<Vec<(DVec2, f64)>> {
        let of_shape = |shape: &Shape| Mesh::of(shape).quadrature().collect();
        self.shapes.iter().map(of_shape).collect()
    }

    /// Fits the coefficient of F = ½ ρ C D |U| U to the forces after the spin-up, U the velocity of the eddies relative to the floe, and follows the floes with it.
    pub fn fit(&self) -> FittedLaw {
        let first = (SPIN_UP * self.times.len() as f64) as usize;
        let half = self.sea.half_density();
        let (mut product, mut square, mut total) = (0.0, 0.0, 0.0);
        for instant in self.history[first..].iter().flatten() {
            let relative = instant.eddies - instant.velocity;
            let unit = half * relative.length() * relative;
            product += unit.dot(instant.force);
            square += unit.length_squared();
            total += instant.force.length_squared();
        }
        let coefficient = product / square;
        let explained = 1.0 - (total - product * product / square) / total;
        self.follow(coefficient, explained, first)
    }

    /// Moves the floes by the law from the end of the spin-up on, each alone, and compares.
    fn follow(&self, coefficient: f64, explained: f64, first: usize) -> FittedLaw {
        let (sea, points) = (&self.sea, self.points());
        let drag = coefficient * sea.half_density();
        let push = DVec2::new(sea.push(self.settings.wind_stress), 0.0);
        let (mut apart, mut paths) = (0.0, 0.0);
        let (mut off, mut size) = (0.0, 0.0);
        for (floe, points) in points.iter().enumerate() {
            let mass = sea.density * self.shapes[floe].area();
            let FloeInstant {
                mut place,
                mut velocity,
                ..
            } = self.history[first][floe];
            for k in first + 1..self.times.len() {
                let dt = self.times[k] - self.times[k - 1];
                // The floe turns as the resolved one does: the law is judged by how it moves.
                let pose = Pose {
                    position: place,
                    rotation: self.turns[k][floe],
                };
                let eddies = self.settings.mean_velocity(sea, points, pose);
                let relative = eddies - velocity;
                // Implicit in the velocity, for drag that is fast against the step.
                let rate = drag * relative.length() * dt / mass;
                velocity = (velocity + rate * eddies + dt / mass * push) / (1.0 + rate);
                place += dt * velocity;
                let resolved = &self.history[k][floe];
                off += (velocity - resolved.velocity).length_squared();
                size += resolved.velocity.length_squared();
                paths += dt * resolved.velocity.length();
            }
            let end = &self.history[self.times.len() - 1][floe];
            apart += (place - end.place).length_squared();
        }
        let count = points.len() as f64;
        FittedLaw {
            coefficient,
            explained,
            distance: (apart / count).sqrt() / sea.diameter,
            path: paths / (count * sea.diameter),
            velocity_error: (off / size).sqrt(),
        }
    }
}
