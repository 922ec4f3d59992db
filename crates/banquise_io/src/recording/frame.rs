//! All bodies at one time, as one looks at them: from a recording, or from a run that goes on.

use banquise::{Simulation, World};
use banquise_geometry::{DVec2, Disc, Outline, Pose, Rotation, Shape};

use super::reader::{BodyTable, Recording};
use crate::zarr::ZarrError;

/// All bodies at one time, one number a body in each list.
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
        let motions = world.bodies.motions().iter();
        let loads = world.bodies.contact_loads().iter();
        Self {
            time: world.clock.time,
            wind: simulation.wind(),
            water: simulation.water(),
            positions: (0..world.bodies.len())
                .map(|row| world.unwrapped_position(row))
                .collect(),
            headings: motions.clone().map(|m| m.pose.rotation.angle()).collect(),
            velocities: motions.clone().map(|m| m.velocity.linear).collect(),
            angular_velocities: motions.map(|m| m.velocity.angular).collect(),
            impulses: loads.clone().map(|load| load.normal).collect(),
            virials: loads.map(|load| load.virial).collect(),
        }
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
            (self.impulses[row] - earlier.impulses[row]) / time
        } else {
            0.0
        }
    }

    /// Mean pressure in a floe since an earlier frame \[Pa\], of the given volume \[m³\]: the mean of its two
    /// principal stresses. Zero at the same time.
    pub fn pressure(&self, earlier: &Self, row: usize, volume: f64) -> f64 {
        let time = self.time - earlier.time;
        if time > 0.0 {
            (self.virials[row] - earlier.virials[row]) / (2.0 * volume * time)
        } else {
            0.0
        }
    }
}

impl Recording {
    /// How many records there are.
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
    /// What does not change in a run that goes on.
    pub fn of(world: &World) -> Self {
        let bodies = &world.bodies;
        let shapes = bodies.shapes().iter();
        Self {
            ids: bodies.ids().iter().map(|id| i64::from(id.0)).collect(),
            names: bodies.names().to_vec(),
            is_obstacle: (0..bodies.len()).map(|row| !bodies.is_floe(row)).collect(),
            masses: bodies.masses().to_vec(),
            areas: bodies.areas().to_vec(),
            thicknesses: bodies.mean_thicknesses().to_vec(),
            outlines: shapes
                .clone()
                .map(|shape| match shape {
                    Shape::Outline(outline) => outline.vertices().to_vec(),
                    Shape::Disc(_) => Vec::new(),
                })
                .collect(),
            discs: shapes
                .map(|shape| match shape {
                    Shape::Outline(_) => None,
                    Shape::Disc(disc) => Some((disc.center(), disc.radius())),
                })
                .collect(),
        }
    }

    /// How many bodies there are.
    pub fn len(&self) -> usize {
        self.is_obstacle.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.is_obstacle.is_empty()
    }

    /// The shape of a body in its frame; `None` where a damaged outline is none.
    pub fn shape(&self, row: usize) -> Option<Shape> {
        match self.discs[row] {
            Some((center, radius)) => {
                let disc = Shape::Disc(Disc::try_new(radius).ok()?);
                disc.translated(center).ok()
            }
            None => {
                let outline = Outline::try_new(self.outlines[row].clone());
                outline.map(Shape::Outline).ok()
            }
        }
    }

    /// Volume of a body \[m³\].
    pub fn volume(&self, row: usize) -> f64 {
        self.areas[row] * self.thicknesses[row]
    }
}
