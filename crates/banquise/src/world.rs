//! The state of the simulation, whole: what a checkpoint must hold and a hash must cover.

use banquise_geometry::DVec2;
use xxhash_rust::xxh3::Xxh3;

use crate::body::{Bodies, BodyId, BodyKind, BodySpec, Motion};
use crate::budget::Budget;
use crate::contact::{ContactKey, ContactLoad, Loads, Touched};
use crate::domain::Domain;
use crate::error::BodyError;
use crate::path::Path;

/// Simulated time.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Clock {
    /// Time since the start of the run \[s\].
    pub time: f64,
    /// Steps taken.
    pub step: u64,
}

/// Everything that moves, and where.
#[derive(Debug, Clone)]
pub struct World {
    /// Floes and obstacles.
    pub bodies: Bodies,
    /// The edges.
    pub domain: Domain,
    /// Simulated time.
    pub clock: Clock,
    /// Seed of all randomness.
    pub seed: u64,
    /// Velocities of the cells of the ocean layer, where it is coupled to the ice [m/s]; at least one.
    pub ocean_velocities: Vec<DVec2>,
    /// What forces have done to the floes so far.
    pub budget: Budget,
    /// What contacts have given to bodies and walls so far.
    pub loads: Loads,
    /// Who touched whom at the last step, in order.
    pub touching: Vec<(BodyId, Touched)>,
    /// Impulses of the last step: where the solver begins to look for those of the next. In order.
    pub(crate) last_impulses: Vec<(ContactKey, [f64; 2])>,
}

impl World {
    /// An empty world at time zero.
    pub fn new(domain: Domain, seed: u64) -> Self {
        Self {
            bodies: Bodies::default(),
            domain,
            clock: Clock::default(),
            seed,
            ocean_velocities: vec![DVec2::ZERO],
            budget: Budget::default(),
            loads: Loads::default(),
            touching: Vec::new(),
            last_impulses: Vec::new(),
        }
    }

    /// Adds a body and says its id.
    ///
    /// # Errors
    /// When the body is not a usable one, or wider than a periodic cell.
    pub fn add(&mut self, spec: BodySpec) -> Result<BodyId, BodyError> {
        if let Domain::Periodic(cell) = self.domain {
            let span = 2.0 * spec.shape.enclosing_circle().radius;
            let cell = cell.size().min_element();
            if span >= cell {
                return Err(BodyError::WiderThanCell { span, cell });
            }
        }
        let id = self.bodies.push(spec)?;
        let row = self.bodies.len() - 1;
        let motion = &mut self.bodies.motions[row];
        (motion.pose.position, motion.winding) = self.domain.wrap(motion.pose.position);
        self.loads.bodies.push(ContactLoad::default());
        Ok(id)
    }

    /// Adds an obstacle that follows a path, which is that of the origin of the shape's frame; its centre
    /// goes straight between the waypoints. Pose and velocity of the body are those of the path now.
    ///
    /// # Errors
    /// When the body is not a usable one, or wider than a periodic cell.
    pub fn add_on_path(&mut self, spec: BodySpec, path: &Path) -> Result<BodyId, BodyError> {
        let path = path.of_point(spec.shape.centroid());
        let id = self.add(BodySpec {
            kind: BodyKind::Obstacle,
            ..spec
        })?;
        self.bodies.paths.push((self.bodies.len() - 1, path));
        self.follow_paths(self.clock.time);
        Ok(id)
    }

    /// Puts the obstacles that move where their paths have them at a time \[s\].
    pub(crate) fn follow_paths(&mut self, time: f64) {
        let Bodies { paths, motions, .. } = &mut self.bodies;
        for (row, path) in paths {
            let (mut pose, velocity) = path.at(time);
            let winding;
            (pose.position, winding) = self.domain.wrap(pose.position);
            motions[*row] = Motion {
                pose,
                velocity,
                winding,
            };
        }
    }

    /// `max_dt` \[s\], or less where an obstacle changes its velocity before.
    pub(crate) fn until_next_waypoint(&self, max_dt: f64) -> f64 {
        let time = self.clock.time;
        let paths = self.bodies.paths.iter();
        paths.fold(max_dt, |dt, (_, path)| {
            dt.min(path.next_change(time) - time)
        })
    }

    /// Centre of mass of all floes, not brought back into the periodic cell \[m\]; the origin where there
    /// are none.
    pub fn floe_center(&self) -> DVec2 {
        let (mut moment, mut mass) = (DVec2::ZERO, 0.0);
        for row in self.floe_rows() {
            let row_mass = self.bodies.masses()[row];
            mass += row_mass;
            moment += row_mass * self.unwrapped_position(row);
        }
        if mass > 0.0 {
            moment / mass
        } else {
            DVec2::ZERO
        }
    }

    /// Where the body would be had it never been brought back into the periodic cell \[m\].
    pub fn unwrapped_position(&self, row: usize) -> DVec2 {
        let Motion {
            pose,
            winding: [columns, rows],
            ..
        } = self.bodies.motions[row];
        match self.domain {
            Domain::Periodic(cell) => {
                pose.position + cell.size() * DVec2::new(f64::from(columns), f64::from(rows))
            }
            Domain::Free | Domain::Walls(_) => pose.position,
        }
    }

    /// Velocity of the ocean layer, where it is coupled to the ice [m/s]: the mean of its cells, which have equal areas.
    pub fn ocean_velocity(&self) -> DVec2 {
        match &self.ocean_velocities[..] {
            [velocity] => *velocity,
            velocities => velocities.iter().sum::<DVec2>() / velocities.len() as f64,
        }
    }

    /// Kinetic energy of the floes, translation and rotation \[J\].
    pub fn kinetic_energy(&self) -> f64 {
        self.floe_rows()
            .map(|row| self.kinetic_energy_of(row))
            .sum()
    }

    /// Linear momentum of the floes [kg m/s].
    pub fn momentum(&self) -> DVec2 {
        let bodies = &self.bodies;
        self.floe_rows()
            .map(|row| bodies.masses()[row] * bodies.motions[row].velocity.linear)
            .sum()
    }

    /// Rows of the bodies that move.
    pub fn floe_rows(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.bodies.len()).filter(|&row| self.bodies.is_floe(row))
    }

    /// A number that is the same if and only if (but for chance) the state is the same, bit for
    /// bit: time, ocean layer, and id, pose, winding and velocity of every body in row order.
    pub fn state_hash(&self) -> u64 {
        let mut hash = Xxh3::new();
        let mut number = |value: f64| hash.update(&value.to_bits().to_le_bytes());
        number(self.clock.time);
        for velocity in &self.ocean_velocities {
            number(velocity.x);
            number(velocity.y);
        }
        for (id, motion) in self.bodies.ids().iter().zip(&self.bodies.motions) {
            let Motion {
                pose,
                velocity,
                winding: [columns, rows],
            } = *motion;
            number(f64::from(id.0));
            number(pose.position.x);
            number(pose.position.y);
            number(pose.rotation.cos);
            number(pose.rotation.sin);
            number(f64::from(columns));
            number(f64::from(rows));
            number(velocity.linear.x);
            number(velocity.linear.y);
            number(velocity.angular);
        }
        hash.digest()
    }

    fn kinetic_energy_of(&self, row: usize) -> f64 {
        let velocity = self.bodies.motions[row].velocity;
        0.5 * self.bodies.masses()[row] * velocity.linear.length_squared()
            + 0.5 * self.bodies.inertias()[row] * velocity.angular * velocity.angular
    }
}
