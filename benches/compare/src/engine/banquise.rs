//! Banquise, with fixed steps.

use banquise::step::{StepScratch, step};
use banquise::{
    BodyKind, BodySpec, ContactReport, Domain, Forcing, Integrator, Material, NoTimer, Rectangle,
    StepSettings, Thickness, Velocity, World,
};
use banquise_geometry::{DVec2, Outline, Pose, Rotation, Shape};

use super::{Engine, Motion};
use crate::judge::Judged;
use crate::scene::Scene;

/// A world and what its last step did.
pub struct Banquise {
    world: World,
    forcing: Forcing,
    settings: StepSettings,
    scratch: StepScratch,
    dt: f64,
    last: ContactReport,
}

impl Banquise {
    pub fn new(scene: &Scene, dt: f64) -> Result<Self, String> {
        let walls = Domain::walls(Rectangle {
            min: DVec2::ZERO,
            max: DVec2::splat(scene.side),
        });
        let mut world = World::new(walls, 1);
        for floe in &scene.floes {
            let outline = Outline::try_new(floe.vertices.to_vec()).map_err(|e| e.to_string())?;
            let spec = BodySpec {
                name: String::new(),
                kind: BodyKind::Floe,
                shape: Shape::Outline(outline),
                pose: Pose {
                    position: floe.position,
                    rotation: Rotation::IDENTITY,
                },
                velocity: Velocity {
                    linear: floe.velocity,
                    angular: 0.0,
                },
                thickness: Thickness::Uniform(1.0),
                material: Material {
                    friction: scene.setting.friction,
                    restitution: scene.setting.restitution,
                    ..Material::default()
                },
                mass: None,
                inertia: None,
            };
            world.add(spec).map_err(|e| e.to_string())?;
        }
        let mut settings = StepSettings::default();
        settings.contact.integrator = Integrator::Stepping;
        Ok(Self {
            world,
            forcing: Forcing::none(),
            settings,
            scratch: StepScratch::default(),
            dt,
            last: ContactReport::default(),
        })
    }
}

impl Engine for Banquise {
    fn set_velocities(&mut self, velocities: &[Velocity]) -> Result<(), String> {
        for (row, &velocity) in velocities.iter().enumerate() {
            self.world.bodies.set_velocity(row, velocity);
        }
        Ok(())
    }

    fn step(&mut self) -> Result<(), String> {
        self.last = ContactReport::default();
        let end = self.world.clock.time + self.dt;
        // One step, or several where it had to be shortened.
        while self.world.clock.time < end - 1e-9 * self.dt {
            let left = end - self.world.clock.time;
            let report = step(
                &mut self.world,
                &self.forcing,
                &self.settings,
                left,
                &mut self.scratch,
                &mut NoTimer,
            );
            self.last += report.map_err(|error| error.to_string())?.contact;
        }
        Ok(())
    }

    fn motions(&mut self) -> Result<Vec<Motion>, String> {
        let motions = self.world.bodies.motions().iter();
        let motions = motions.map(|motion| Motion {
            pose: motion.pose,
            velocity: motion.velocity,
        });
        Ok(motions.collect())
    }

    /// The residual is that of each island as the step solved it, with velocities in units of the island's own.
    fn judge(&mut self, _: &Scene, _: &[Motion], _: &[Motion]) -> Result<Judged, String> {
        Ok(Judged {
            residual: self.last.residual,
            contacts: self.last.impact_contacts as usize,
            largest: self.last.largest,
            unsolved: self.last.unsolved,
            shortened: self.last.shortened,
        })
    }
}
