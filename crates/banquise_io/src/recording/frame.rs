//! Frames: the state of all bodies at one time, from a recording or from a live run.

use std::sync::Arc;

use banquise::{BodyId, Life, Simulation, World};
use banquise_geometry::{DVec2, Disc, Outline, Pose, Rotation, Shape};

use super::bodies::{by_column, column_count};
use super::breakage::RecordedBreakage;
use super::reader::{BodyTable, Recording};
use super::versions::outline_and_disc;
use crate::zarr::ZarrError;

/// All bodies at one time, one number in each list for each body that ever was: its place is its id. What is not in the
/// world at that time is nowhere: its numbers are NaN.
#[derive(Debug, Clone, PartialEq)]
pub struct Frame {
    /// Time since the start \[s\].
    pub time: f64,
    /// Wind [m/s].
    pub wind: DVec2,
    /// Velocity of the water under the ice [m/s].
    pub water: DVec2,
    /// Centres of mass, not brought back into a periodic cell \[m\].
    pub positions: Vec<DVec2>,
    /// Angles by which the outlines are turned \[rad\].
    pub headings: Vec<f64>,
    /// Velocities of the centres [m/s].
    pub velocities: Vec<DVec2>,
    /// Angular velocities [rad/s].
    pub angular_velocities: Vec<f64>,
    /// Sums of the normal impulses of contacts since the start [N s].
    pub impulses: Vec<f64>,
    /// −Σ r·p of contacts since the start [N m s].
    pub virials: Vec<f64>,
}

impl Frame {
    /// The present state of a run.
    pub fn of(simulation: &Simulation) -> Self {
        let world = &simulation.world;
        let nowhere = DVec2::NAN;
        let motions = world.bodies.motions();
        let loads = world.bodies.contact_loads();
        let numbers = |read: &dyn Fn(usize) -> f64| by_column(world, f64::NAN, read);
        let vectors = |read: &dyn Fn(usize) -> DVec2| by_column(world, nowhere, read);
        Self {
            time: world.clock.time,
            wind: simulation.wind(),
            water: simulation.water(),
            positions: vectors(&|row| world.unwrapped_position(row)),
            headings: numbers(&|row| motions[row].pose.rotation.angle()),
            velocities: vectors(&|row| motions[row].velocity.linear),
            angular_velocities: numbers(&|row| motions[row].velocity.angular),
            impulses: numbers(&|row| loads[row].normal),
            virials: numbers(&|row| loads[row].virial),
        }
    }

    /// Whether a body is in the world. One that was born later has no place in the lists, and is not.
    pub fn is_alive(&self, row: usize) -> bool {
        self.positions
            .get(row)
            .is_some_and(|place| place.is_finite())
    }

    /// The bodies that are in the world.
    pub fn living(&self) -> impl Iterator<Item = usize> + Clone + '_ {
        (0..self.positions.len()).filter(|&row| self.is_alive(row))
    }

    /// Where a body is and which way it points.
    pub fn pose(&self, row: usize) -> Pose {
        Pose {
            position: self.positions[row],
            rotation: Rotation::from_angle(self.headings[row]),
        }
    }

    /// Mean normal force of the contacts of a body since an earlier frame \[N\]; zero at the same time.
    pub fn contact_force(&self, earlier: &Self, row: usize) -> f64 {
        let time = self.time - earlier.time;
        if time > 0.0 {
            since(&self.impulses, &earlier.impulses, row) / time
        } else {
            0.0
        }
    }

    /// Mean pressure in a floe since an earlier frame \[Pa\], of the given volume \[m³\]: the mean of its two
    /// principal stresses. Zero at the same time.
    pub fn pressure(&self, earlier: &Self, row: usize, volume: f64) -> f64 {
        let time = self.time - earlier.time;
        if time > 0.0 {
            since(&self.virials, &earlier.virials, row) / (2.0 * volume * time)
        } else {
            0.0
        }
    }
}

/// Increase of a sum of a body; the sum of one that was not there earlier was zero.
fn since(now: &[f64], earlier: &[f64], row: usize) -> f64 {
    let earlier = earlier.get(row).filter(|sum| !sum.is_nan());
    now[row] - earlier.copied().unwrap_or_default()
}

impl Recording {
    /// Number of records.
    ///
    /// # Errors
    /// When the dataset is damaged.
    pub fn record_count(&self) -> Result<usize, ZarrError> {
        Ok(self.series("time")?.len())
    }

    /// All bodies in record `record`.
    ///
    /// # Errors
    /// When the record is missing or damaged.
    pub fn frame(&self, record: usize) -> Result<Frame, ZarrError> {
        let number = |name: &str| -> Result<f64, ZarrError> {
            let values = self.bodies_at(name, record)?;
            Ok(values.first().copied().unwrap_or(f64::NAN))
        };
        let vectors = |x: &str, y: &str| -> Result<Vec<DVec2>, ZarrError> {
            let (x, y) = (self.bodies_at(x, record)?, self.bodies_at(y, record)?);
            Ok(x.iter().zip(&y).map(|(&x, &y)| DVec2::new(x, y)).collect())
        };
        Ok(Frame {
            time: number("time")?,
            wind: DVec2::new(number("wind_x")?, number("wind_y")?),
            water: DVec2::new(number("water_x")?, number("water_y")?),
            positions: vectors("x", "y")?,
            headings: self.bodies_at("heading", record)?,
            velocities: vectors("velocity_x", "velocity_y")?,
            angular_velocities: self.bodies_at("angular_velocity", record)?,
            impulses: self.bodies_at("contact_impulse", record)?,
            virials: self.bodies_at("contact_virial", record)?,
        })
    }
}

impl BodyTable {
    /// Constant properties of the bodies of a live run. Removed bodies have no mass and no shape.
    pub fn of(world: &World) -> Self {
        let mut table = Self {
            ids: Vec::new(),
            names: Vec::new(),
            is_obstacle: Vec::new(),
            masses: Vec::new(),
            areas: Vec::new(),
            thicknesses: Vec::new(),
            outlines: Vec::new(),
            discs: Vec::new(),
            born: Vec::new(),
            gone: Vec::new(),
            parents: Vec::new(),
            generations: Vec::new(),
            versions: Vec::new(),
            breakages: Vec::new(),
        };
        table.update(world, 0);
        table
    }

    /// Adds the bodies born since, and the ends of those that went after the first `gone_count` of them.
    pub fn update(&mut self, world: &World, gone_count: usize) {
        for id in self.len()..column_count(world) {
            self.push(world, BodyId(id as u32));
        }
        for gone in world.gone_bodies().iter().skip(gone_count) {
            let row = gone.id.0 as usize;
            self.gone[row] = gone.time;
            self.set_life(row, &gone.life);
            self.breakages
                .extend(RecordedBreakage::of(gone).map(Arc::new));
        }
    }

    /// The floe that a body is a piece of, at the end of the line: itself where it is no piece.
    pub fn ancestor(&self, row: usize) -> usize {
        let mut own = row;
        // Pieces have higher numbers than what they come from: this ends, whatever a damaged file says.
        while let Some(parent) = usize::try_from(self.parents[own]).ok().filter(|&p| p < own) {
            own = parent;
        }
        own
    }

    fn push(&mut self, world: &World, id: BodyId) {
        let bodies = &world.bodies;
        let row = bodies.row_of(id);
        let number = |values: &[f64]| row.map_or(f64::NAN, |row| values[row]);
        self.ids.push(i64::from(id.0));
        self.names
            .push(row.map_or(String::new(), |row| bodies.names()[row].clone()));
        self.is_obstacle
            .push(row.is_some_and(|row| !bodies.is_floe(row)));
        self.masses.push(number(bodies.masses()));
        self.areas.push(number(bodies.areas()));
        self.thicknesses.push(number(bodies.mean_thicknesses()));
        let shape = row.map(|row| &bodies.shapes()[row]);
        let (outline, disc) = shape.map_or((Vec::new(), None), outline_and_disc);
        self.outlines.push(outline);
        self.discs.push(disc);
        self.born.push(f64::NAN);
        self.gone.push(f64::NAN);
        self.parents.push(-1);
        self.generations.push(0);
        if let Some(row) = row {
            self.set_life(self.len() - 1, &bodies.lives()[row]);
        }
    }

    fn set_life(&mut self, row: usize, life: &Life) {
        self.born[row] = life.born;
        self.parents[row] = life.parent.map_or(-1, |id| i64::from(id.0));
        self.generations[row] = i64::from(life.generation);
    }

    /// Whether a body was in the world before and after a time \[s\]: its numbers must be finite then.
    pub fn must_live(&self, row: usize, time: f64) -> bool {
        self.born[row] < time && (self.gone[row].is_nan() || self.gone[row] > time)
    }

    /// Number of bodies.
    pub fn len(&self) -> usize {
        self.is_obstacle.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.is_obstacle.is_empty()
    }

    /// The shape of a body in its frame; `None` where a damaged outline is none.
    pub fn shape(&self, row: usize) -> Option<Shape> {
        shape_of(&self.outlines[row], self.discs[row])
    }

    /// Volume of a body \[m³\].
    pub fn volume(&self, row: usize) -> f64 {
        self.areas[row] * self.thicknesses[row]
    }
}

/// The shape of an outline, or of a disc with its centre and radius \[m\]; `None` where a damaged outline is none.
pub fn shape_of(outline: &[DVec2], disc: Option<(DVec2, f64)>) -> Option<Shape> {
    match disc {
        None if outline.is_empty() => None,
        Some((center, radius)) => {
            let disc = Shape::Disc(Disc::try_new(radius).ok()?);
            disc.translated(center).ok()
        }
        None => {
            let outline = Outline::try_new(outline.to_vec());
            outline.map(Shape::Outline).ok()
        }
    }
}
