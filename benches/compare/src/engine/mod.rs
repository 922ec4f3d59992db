//! The engines, behind one face. All quantities here are in metres and seconds, masses in those of ice of density one.

mod banquise;
mod box2d;
mod rapier;

use ::banquise::Velocity;
use banquise_geometry::{DVec2, Pose};

use crate::judge::Judged;
use crate::scene::Scene;

/// Where a floe is and how it moves.
#[derive(Debug, Clone, Copy)]
pub struct Motion {
    /// Of the frame with its origin in the centre of mass.
    pub pose: Pose,
    /// Of the centre of mass.
    pub velocity: Velocity,
}

/// What is run, and how hard it tries.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Choice {
    /// The engine.
    pub kind: EngineKind,
    /// Steps of the engine in each step of the scene.
    pub splits: usize,
}

/// The engines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EngineKind {
    /// Banquise, with fixed steps.
    Banquise,
    /// `rapier2d-f64`.
    Rapier {
        /// Sub-steps (`num_solver_iterations`).
        substeps: usize,
        /// Sweeps in each of them, with the push out of overlaps (`num_internal_pgs_iterations`).
        sweeps: usize,
        /// Sweeps in each of them without (`num_internal_stabilization_iterations`).
        relaxing: usize,
        /// See [`GameUnits`] and the book.
        is_careful: bool,
    },
    /// Box2D v3.
    Box2d {
        /// Sub-steps.
        substeps: i32,
        /// See [`GameUnits`] and the book.
        is_careful: bool,
    },
}

impl EngineKind {
    /// As it comes.
    pub const RAPIER: Self = Self::Rapier {
        substeps: 4,
        sweeps: 1,
        relaxing: 1,
        is_careful: false,
    };
    /// As it comes.
    pub const BOX2D: Self = Self::Box2d {
        substeps: 4,
        is_careful: false,
    };

    fn name(self) -> String {
        let (name, solver, is_careful) = match self {
            Self::Banquise => ("Banquise", String::new(), false),
            Self::Rapier {
                substeps: 4,
                sweeps: 1,
                relaxing: 1,
                is_careful,
            } => ("rapier", String::new(), is_careful),
            Self::Rapier {
                substeps,
                sweeps,
                relaxing,
                is_careful,
            } => {
                let solver = format!(", {substeps} sub-steps of {sweeps} + {relaxing} sweeps");
                ("rapier", solver, is_careful)
            }
            Self::Box2d {
                substeps: 4,
                is_careful,
            } => ("Box2D", String::new(), is_careful),
            Self::Box2d {
                substeps,
                is_careful,
            } => ("Box2D", format!(", {substeps} sub-steps"), is_careful),
        };
        let careful = if is_careful { ", careful" } else { "" };
        format!("{name}{careful}{solver}")
    }
}

impl Choice {
    /// Its name in the table.
    pub fn name(self) -> String {
        match self.splits {
            1 => self.kind.name(),
            splits => format!("{}, {splits} steps in one", self.kind.name()),
        }
    }

    /// The engine with the scene in it.
    ///
    /// # Errors
    /// When it refuses the scene.
    pub fn engine(self, scene: &Scene) -> Result<Box<dyn Engine>, String> {
        let dt = scene.setting.dt / self.splits as f64;
        Ok(match self.kind {
            EngineKind::Banquise => Box::new(banquise::Banquise::new(scene, dt)?),
            EngineKind::Rapier {
                substeps,
                sweeps,
                relaxing,
                is_careful,
            } => {
                let counts = [substeps, sweeps, relaxing];
                Box::new(rapier::Rapier::new(scene, dt, counts, is_careful)?)
            }
            EngineKind::Box2d {
                substeps,
                is_careful,
            } => Box::new(box2d::Box2d::new(scene, dt, substeps, is_careful)?),
        })
    }
}

/// What the harness needs of an engine.
pub trait Engine {
    /// Gives all floes velocities.
    fn set_velocities(&mut self, velocities: &[Velocity]) -> Result<(), String>;
    /// Makes one step of its own; this is what is timed.
    fn step(&mut self) -> Result<(), String>;
    /// All floes now.
    fn motions(&mut self) -> Result<Vec<Motion>, String>;
    /// How well the last step solved its contacts, given the floes before and after it.
    fn judge(
        &mut self,
        scene: &Scene,
        before: &[Motion],
        after: &[Motion],
    ) -> Result<Judged, String>;
}

/// The units of engines made for things of one metre that take sixty steps a second: the scene is the same, since nothing
/// in it has another scale. Careful ones take one step a second: the springs that push bodies out of overlaps are then as stiff as they
/// can be.
#[derive(Debug, Clone, Copy)]
struct GameUnits {
    /// Of length \[m\].
    length: f64,
    /// Of time \[s\].
    time: f64,
}

impl GameUnits {
    /// A typical floe is one unit wide.
    const TYPICAL_FLOE: f64 = 20.0;
    /// Steps of the scene in a unit of time.
    const RATE: f64 = 60.0;

    fn of(scene: &Scene, is_careful: bool) -> Self {
        let rate = if is_careful { 1.0 } else { Self::RATE };
        Self {
            length: Self::TYPICAL_FLOE,
            time: rate * scene.setting.dt,
        }
    }

    fn speed(self) -> f64 {
        self.length / self.time
    }

    /// Of impulses, for ice of density one.
    fn impulse(self) -> f64 {
        self.length * self.length * self.speed()
    }
}

/// The walls as thick boxes: centre and half of the size \[m\].
fn walls(side: f64) -> [(DVec2, DVec2); 4] {
    let half = 0.5 * side;
    let thick = 0.25 * side;
    let across = DVec2::new(thick, half + 2.0 * thick);
    let along = DVec2::new(half + 2.0 * thick, thick);
    [
        (DVec2::new(-thick, half), across),
        (DVec2::new(side + thick, half), across),
        (DVec2::new(half, -thick), along),
        (DVec2::new(half, side + thick), along),
    ]
}

/// How far the second point of a contact moved away from the first in a step, each held by an arm \[m\] that turns with its floe.
fn parting(rows: [Option<usize>; 2], arms: [DVec2; 2], [before, after]: [&[Motion]; 2]) -> DVec2 {
    let way = |end: usize| {
        rows[end].map_or(DVec2::ZERO, |row| {
            let (before, after) = (before[row].pose, after[row].pose);
            let arm = before.rotation.inverse_rotate(arms[end]);
            after.world_from_body(arm) - before.world_from_body(arm)
        })
    };
    way(1) - way(0)
}
