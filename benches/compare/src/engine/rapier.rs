//! `rapier2d-f64`.

use banquise::Velocity;
use banquise_geometry::{DVec2, Pose, Rotation};
use rapier2d_f64::prelude::{
    ColliderBuilder, PhysicsWorld, RigidBodyBuilder, RigidBodyHandle, Vector,
};

use super::{Engine, GameUnits, Motion, parting, walls};
use crate::judge::{EngineContact, Judged, judge};
use crate::scene::Scene;

/// A world in game units.
pub struct Rapier {
    world: PhysicsWorld,
    floes: Vec<RigidBodyHandle>,
    units: GameUnits,
    /// Length of a sub-step \[s\].
    substep: f64,
}

impl Rapier {
    pub fn new(
        scene: &Scene,
        dt: f64,
        [substeps, sweeps, relaxing]: [usize; 3],
        is_careful: bool,
    ) -> Result<Self, String> {
        let units = GameUnits::of(scene, is_careful);
        let inward = |vector: DVec2| Vector::new(vector.x / units.length, vector.y / units.length);
        let (friction, restitution) = (scene.setting.friction, scene.setting.restitution);
        let mut world = PhysicsWorld {
            gravity: Vector::new(0.0, 0.0),
            ..PhysicsWorld::default()
        };
        let parameters = &mut world.integration_parameters;
        parameters.dt = dt / units.time;
        parameters.num_solver_iterations = substeps;
        parameters.num_internal_pgs_iterations = sweeps;
        parameters.num_internal_stabilization_iterations = relaxing;
        parameters.contact_recycling = !is_careful;
        for (center, half) in walls(scene.side) {
            let half = inward(half);
            let wall = ColliderBuilder::cuboid(half.x, half.y)
                .translation(inward(center))
                .friction(friction)
                .restitution(restitution);
            world.insert_collider(wall, None);
        }
        let mut floes = Vec::with_capacity(scene.floes.len());
        for (row, floe) in scene.floes.iter().enumerate() {
            let vertices = floe.vertices.map(inward).to_vec();
            let collider = ColliderBuilder::convex_polyline(vertices)
                .ok_or("rapier refuses an outline")?
                .density(1.0)
                .friction(friction)
                .restitution(restitution);
            let velocity = floe.velocity / units.speed();
            let body = RigidBodyBuilder::dynamic()
                .translation(inward(floe.position))
                .linvel(Vector::new(velocity.x, velocity.y))
                .can_sleep(false)
                .user_data(row as u128);
            floes.push(world.insert(body, collider).0);
        }
        Ok(Self {
            world,
            floes,
            units,
            substep: dt / substeps as f64,
        })
    }

    fn contacts(&self, before: &[Motion], after: &[Motion]) -> Vec<EngineContact> {
        let units = self.units;
        let outward = |vector: Vector| units.length * DVec2::new(vector.x, vector.y);
        let row = |body: Option<RigidBodyHandle>| {
            body.map(|handle| self.world.bodies[handle].user_data as usize)
        };
        let mut contacts = Vec::new();
        for pair in self.world.narrow_phase.contact_pairs() {
            for manifold in pair.solver_manifolds() {
                let data = &manifold.data;
                let rows = [row(data.rigid_body1), row(data.rigid_body2)];
                let normal = DVec2::new(data.normal.x, data.normal.y);
                for solved in &data.solver_contacts {
                    // The upper bits say whether it is new.
                    let point = (solved.contact_id[0] & 0x7fff_ffff) as usize;
                    let point = &manifold.points[point].data;
                    // A wall has its anchor in the world, a floe in its own frame.
                    let place = |row: Option<usize>, anchor: Vector| match row {
                        Some(row) => before[row].pose.world_from_body(outward(anchor)),
                        None => outward(anchor),
                    };
                    let ends = [
                        place(rows[0], solved.anchor1),
                        place(rows[1], solved.anchor2),
                    ];
                    let arms = [outward(point.solver_dp1), outward(point.solver_dp2)];
                    let parting = parting(rows, arms, [before, after]);
                    contacts.push(EngineContact {
                        rows,
                        arms,
                        normal,
                        gap: (ends[1] - ends[0] + parting).dot(normal),
                        impulse: [point.warmstart_impulse, point.warmstart_tangent_impulse.x]
                            .map(|impulse| units.impulse() * impulse),
                    });
                }
            }
        }
        contacts
    }
}

impl Engine for Rapier {
    fn set_velocities(&mut self, velocities: &[Velocity]) -> Result<(), String> {
        for (&handle, velocity) in self.floes.iter().zip(velocities) {
            let linear = velocity.linear / self.units.speed();
            let body = &mut self.world.bodies[handle];
            body.set_linvel(Vector::new(linear.x, linear.y), true);
            body.set_angvel(velocity.angular * self.units.time, true);
        }
        Ok(())
    }

    fn step(&mut self) -> Result<(), String> {
        self.world.step();
        Ok(())
    }

    fn motions(&mut self) -> Result<Vec<Motion>, String> {
        let motion = |&handle: &RigidBodyHandle| {
            let body = &self.world.bodies[handle];
            let (position, rotation, velocity) =
                (body.translation(), body.rotation(), body.linvel());
            Motion {
                pose: Pose {
                    position: self.units.length * DVec2::new(position.x, position.y),
                    rotation: Rotation {
                        cos: rotation.re,
                        sin: rotation.im,
                    },
                },
                velocity: Velocity {
                    linear: self.units.speed() * DVec2::new(velocity.x, velocity.y),
                    angular: body.angvel() / self.units.time,
                },
            }
        };
        Ok(self.floes.iter().map(motion).collect())
    }

    fn judge(
        &mut self,
        scene: &Scene,
        before: &[Motion],
        after: &[Motion],
    ) -> Result<Judged, String> {
        Ok(judge(
            scene,
            after,
            &self.contacts(before, after),
            self.substep,
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::judge::tests::momentum_error;
    use crate::scene::tests::small_scene;

    #[test]
    fn masses_and_inertias_are_those_of_the_outlines() {
        let scene = small_scene();
        let engine = Rapier::new(&scene, 1.0, [1, 1, 1], true).unwrap();
        for (floe, &handle) in scene.floes.iter().zip(&engine.floes) {
            let inertia = engine.world.bodies[handle].mass_properties();
            let inertia = inertia.local_mprops.principal_inertia();
            let mass = engine.world.bodies[handle].mass() * engine.units.length.powi(2);
            assert!((mass / floe.area - 1.0).abs() < 1e-9);
            let inertia = inertia * engine.units.length.powi(4);
            assert!((inertia / floe.inertia - 1.0).abs() < 1e-9);
        }
    }

    #[test]
    fn velocities_change_by_the_impulses_we_read() {
        let scene = small_scene();
        let mut engine = Rapier::new(&scene, 1.0, [1, 1, 1], true).unwrap();
        let mut largest = 0.0_f64;
        for _ in 0..60 {
            let before = engine.motions().unwrap();
            engine.step().unwrap();
            let after = engine.motions().unwrap();
            let contacts = engine.contacts(&before, &after);
            if contacts.iter().any(|contact| contact.impulse[0] > 0.0) {
                largest = largest.max(momentum_error(&scene, &before, &after, &contacts));
            }
        }
        // Of impulses are sums of increments, in double precision.
        assert!(largest < 1e-9, "{largest}");
    }
}
