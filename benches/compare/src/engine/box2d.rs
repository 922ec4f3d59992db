//! Box2D v3, through the crate `boxdd`.

use std::collections::HashMap;

use banquise::Velocity;
use banquise_geometry::{DVec2, Pose, Rotation};
use boxdd::shapes::{box_polygon, polygon_from_points};
use boxdd::{
    BodyId, BodyType, Error, Foundation, Manifold, Position, ShapeDef, ShapeId, SurfaceMaterial,
    Vec2, WorkerCount, World,
};

use super::{Engine, GameUnits, Motion, parting, walls};
use crate::judge::{EngineContact, Judged, judge};
use crate::scene::{Scene, VERTICES};

/// A world in game units.
pub struct Box2d {
    world: World,
    floes: Vec<BodyId>,
    /// The floe of each shape; walls have none.
    rows: HashMap<ShapeId, usize>,
    units: GameUnits,
    substeps: i32,
    /// Length of a step \[s\].
    dt: f64,
}

fn text(error: Error) -> String {
    error.to_string()
}

fn vec2(vector: DVec2) -> Vec2 {
    Vec2::new(vector.x as f32, vector.y as f32)
}

fn dvec2(vector: Vec2) -> DVec2 {
    DVec2::new(f64::from(vector.x), f64::from(vector.y))
}

impl Box2d {
    pub fn new(scene: &Scene, dt: f64, substeps: i32, is_careful: bool) -> Result<Self, String> {
        let units = GameUnits::of(scene, is_careful);
        let foundation = Foundation::initialize_default().map_err(text)?;
        let definition = foundation
            .world_builder()
            .gravity(Vec2::new(0.0, 0.0))
            .restitution_threshold(0.0)
            .enable_sleep(false)
            .worker_count(WorkerCount::new(1).map_err(text)?)
            .build()
            .map_err(text)?;
        let mut engine = Self {
            world: foundation.create_world(definition).map_err(text)?,
            floes: Vec::with_capacity(scene.floes.len()),
            rows: HashMap::new(),
            units,
            substeps,
            dt,
        };
        if is_careful {
            engine
                .world
                .set_contact_recycle_distance(0.0)
                .map_err(text)?;
        }
        engine.add(scene, foundation).map_err(text)?;
        Ok(engine)
    }

    fn add(&mut self, scene: &Scene, foundation: &Foundation) -> Result<(), Error> {
        let length = self.units.length;
        let position = |place: DVec2| {
            let place = place / length;
            Position::new(place.x as f32, place.y as f32)
        };
        let material = SurfaceMaterial::default()
            .with_friction(scene.setting.friction as f32)?
            .with_restitution(scene.setting.restitution as f32)?;
        let shape = ShapeDef::builder()
            .material(material)
            .density(1.0)
            .build()?;
        for (center, half) in walls(scene.side) {
            let definition = foundation.body_builder().position(position(center));
            let wall = self.world.create_body(definition.build()?)?;
            let half = half / length;
            let polygon = box_polygon(half.x as f32, half.y as f32)?;
            self.world.body(wall)?.create_polygon(&shape, &polygon)?;
        }
        for (row, floe) in scene.floes.iter().enumerate() {
            let definition = foundation
                .body_builder()
                .body_type(BodyType::Dynamic)
                .position(position(floe.position))
                .linear_velocity(vec2(floe.velocity / self.units.speed()))
                .build()?;
            let body = self.world.create_body(definition)?;
            let vertices = floe.vertices.map(|vertex| vec2(vertex / length));
            let polygon = polygon_from_points(vertices, 0.0)?;
            assert_eq!(polygon.count(), VERTICES, "Box2D dropped a vertex");
            let shape = self.world.body(body)?.create_polygon(&shape, &polygon)?;
            self.rows.insert(shape, row);
            self.floes.push(body);
        }
        Ok(())
    }

    fn all_motions(&mut self) -> Result<Vec<Motion>, Error> {
        let (length, time, speed) = (self.units.length, self.units.time, self.units.speed());
        let mut motions = Vec::with_capacity(self.floes.len());
        for &id in &self.floes {
            let body = self.world.body(id)?;
            let (position, rotation) = (body.position()?, body.rotation()?);
            motions.push(Motion {
                pose: Pose {
                    position: length * DVec2::new(f64::from(position.x), f64::from(position.y)),
                    rotation: Rotation {
                        cos: f64::from(rotation.cosine()),
                        sin: f64::from(rotation.sine()),
                    },
                },
                velocity: Velocity {
                    linear: speed * dvec2(body.linear_velocity()?),
                    angular: f64::from(body.angular_velocity()?) / time,
                },
            });
        }
        Ok(motions)
    }

    fn contacts(
        &mut self,
        before: &[Motion],
        after: &[Motion],
    ) -> Result<Vec<EngineContact>, Error> {
        let mut contacts = Vec::new();
        for (row, &id) in self.floes.iter().enumerate() {
            let known = match self.world.body(id)?.contact_data() {
                // The binding refuses normals that single precision leaves a little too long or too short. A contact that is not judged
                // changes nothing for the others.
                Err(Error::InvalidNativeOutput { .. }) => Vec::new(),
                known => known?,
            };
            for contact in known {
                let rows = [contact.shape_id_a, contact.shape_id_b]
                    .map(|shape| self.rows.get(&shape).copied());
                // Both floes know of their contact: it is taken from the first.
                if rows[0] == Some(row) || rows[0].is_none() {
                    add_points(
                        self.units,
                        &contact.manifold,
                        rows,
                        [before, after],
                        &mut contacts,
                    );
                }
            }
        }
        Ok(contacts)
    }
}

fn add_points(
    units: GameUnits,
    manifold: &Manifold,
    rows: [Option<usize>; 2],
    motions: [&[Motion]; 2],
    contacts: &mut Vec<EngineContact>,
) {
    let normal = dvec2(manifold.normal);
    for point in manifold.points() {
        let arms = [point.anchor_a, point.anchor_b].map(|arm| units.length * dvec2(arm));
        let parting = parting(rows, arms, motions);
        let first_gap = units.length * f64::from(point.separation);
        contacts.push(EngineContact {
            rows,
            arms,
            normal,
            gap: first_gap + parting.dot(normal),
            // Its tangent is the normal turned clockwise, ours counter-clockwise.
            impulse: [point.normal_impulse, -point.tangent_impulse]
                .map(|impulse| units.impulse() * f64::from(impulse)),
        });
    }
}

impl Engine for Box2d {
    fn set_velocities(&mut self, velocities: &[Velocity]) -> Result<(), String> {
        let (speed, time) = (self.units.speed(), self.units.time);
        for (&id, velocity) in self.floes.iter().zip(velocities) {
            let mut body = self.world.body(id).map_err(text)?;
            let linear = vec2(velocity.linear / speed);
            body.set_linear_velocity(linear).map_err(text)?;
            let angular = (velocity.angular * time) as f32;
            body.set_angular_velocity(angular).map_err(text)?;
        }
        Ok(())
    }

    fn step(&mut self) -> Result<(), String> {
        let dt = (self.dt / self.units.time) as f32;
        let completed = self.world.step(dt, self.substeps).map_err(text)?;
        completed
            .post_step_error()
            .map_or(Ok(()), |error| Err(error.to_string()))
    }

    fn motions(&mut self) -> Result<Vec<Motion>, String> {
        self.all_motions().map_err(text)
    }

    fn judge(
        &mut self,
        scene: &Scene,
        before: &[Motion],
        after: &[Motion],
    ) -> Result<Judged, String> {
        let contacts = self.contacts(before, after).map_err(text)?;
        let substep = self.dt / f64::from(self.substeps);
        Ok(judge(scene, after, &contacts, substep))
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
        let mut engine = Box2d::new(&scene, 1.0, 1, true).unwrap();
        for (floe, &id) in scene.floes.iter().zip(&engine.floes) {
            let body = engine.world.body(id).unwrap();
            let mass = f64::from(body.mass().unwrap()) * engine.units.length.powi(2);
            assert!((mass / floe.area - 1.0).abs() < 1e-5);
            let inertia = f64::from(body.rotational_inertia().unwrap());
            let inertia = inertia * engine.units.length.powi(4);
            assert!((inertia / floe.inertia - 1.0).abs() < 1e-5);
        }
    }

    #[test]
    fn velocities_change_by_the_impulses_we_read() {
        let scene = small_scene();
        let mut engine = Box2d::new(&scene, 1.0, 1, true).unwrap();
        let mut largest = 0.0_f64;
        for _ in 0..60 {
            let before = engine.motions().unwrap();
            engine.step().unwrap();
            let after = engine.motions().unwrap();
            let contacts = engine.contacts(&before, &after).unwrap();
            if contacts.iter().any(|contact| contact.impulse[0] > 0.0) {
                largest = largest.max(momentum_error(&scene, &before, &after, &contacts));
            }
        }
        // Of single precision, at some 10 units from the origin.
        assert!(largest < 1e-4, "{largest}");
    }
}
