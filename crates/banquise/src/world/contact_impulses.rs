//! Contacts of the last step with their impulses, and where they are.

use banquise_geometry::{DVec2, Shape, distance_point_segment};

use super::World;
use crate::contact_state::{ContactKey, Touched};
use crate::domain::Domain;
use crate::id::BodyId;

/// A contact of the last step and the impulse it transmitted.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ContactImpulse {
    /// The body with the lower id, or the one at a wall.
    pub body: BodyId,
    /// The body or wall that it touches.
    pub other: Touched,
    /// Contact point \[m\]: the touching vertex, or the point of a disc's rim.
    pub point: DVec2,
    /// Normal impulse, positive in compression; a contact that sticks may pull [N s].
    pub normal: f64,
    /// Tangential impulse of friction [N s].
    pub tangent: f64,
    /// Impulse −γ/R by which a contact that sticks was pushed together and not yet pulled apart; zero for others [N s].
    pub memory: f64,
}

impl World {
    /// Contacts that stick, in the order of their keys: the body with the lower id, what it touches, and γ/R \[N s\], the impulse by which they were pushed together and
    /// not yet pulled apart, negative.
    pub fn adhesions(&self) -> impl Iterator<Item = (BodyId, Touched, f64)> + '_ {
        let memories = self.adhesion.iter();
        memories.map(|&(key, memory)| (key.body(), key.other(), memory))
    }

    /// Contacts that transmitted a push in the last step, or that stick, in the order of their keys. With the fixed-step integrator these are all,
    /// and impulse over step is the mean force; an event-driven step may solve a contact several times, and keeps its last
    /// impulse.
    pub fn contact_impulses(&self) -> impl Iterator<Item = ContactImpulse> + '_ {
        let memory_of = |key: ContactKey| {
            let found = self.adhesion.binary_search_by_key(&key, |own| own.0);
            found.map_or(0.0, |place| -self.adhesion[place].1)
        };
        let given = self.warm_start.iter();
        let given = given.map(move |&(key, impulses)| (key, impulses, memory_of(key)));
        let is_given = |key: ContactKey| {
            let found = self.warm_start.binary_search_by_key(&key, |own| own.0);
            found.is_ok()
        };
        let idle = self.adhesion.iter().filter(move |own| !is_given(own.0));
        let idle = idle.map(|&(key, memory)| (key, [0.0; 2], -memory));
        let mut all: Vec<(ContactKey, [f64; 2], f64)> = given
            .filter(|(_, [normal, _], memory)| *normal > 0.0 || *memory > 0.0)
            .chain(idle)
            .collect();
        all.sort_by_key(|own| own.0);
        all.into_iter()
            .filter_map(|(key, [normal, tangent], memory)| {
                Some(ContactImpulse {
                    body: key.body(),
                    other: key.other(),
                    point: self.contact_point(key)?,
                    normal,
                    tangent,
                    memory,
                })
            })
    }

    /// Contact point; `None` where one of its bodies was removed.
    fn contact_point(&self, key: ContactKey) -> Option<DVec2> {
        let (owner, facing) = match key.other() {
            Touched::Body(other) if key.is_vertex_of_other() => (other, Touched::Body(key.body())),
            other => (key.body(), other),
        };
        let row = self.bodies.row_of(owner)?;
        let pose = self.bodies.motions()[row].pose;
        let disc = match &self.bodies.shapes()[row] {
            Shape::Outline(outline) => {
                let vertex = outline.vertices().get(key.vertex() as usize)?;
                return Some(pose.world_from_body(*vertex));
            }
            Shape::Disc(disc) => disc,
        };
        let center = pose.world_from_body(disc.center());
        let toward = (self.nearest_point(center, facing)? - center).normalize_or_zero();
        Some(center + disc.radius() * toward)
    }

    /// The point of a body's boundary or of a wall nearest to a point outside it, or the centre of a disc.
    fn nearest_point(&self, point: DVec2, touched: Touched) -> Option<DVec2> {
        let id = match touched {
            Touched::Wall(side) => {
                let Domain::Bounded(bounds) = self.domain else {
                    return None;
                };
                let (min, max) = (bounds.rectangle.min, bounds.rectangle.max);
                return Some(match side {
                    0 => DVec2::new(min.x, point.y),
                    1 => DVec2::new(max.x, point.y),
                    2 => DVec2::new(point.x, min.y),
                    _ => DVec2::new(point.x, max.y),
                });
            }
            Touched::Body(id) => id,
        };
        let row = self.bodies.row_of(id)?;
        let mut pose = self.bodies.motions()[row].pose;
        if let Domain::Periodic(cell) = self.domain {
            let cells = ((point - pose.position) / cell.size()).round();
            pose.position += cells * cell.size();
        }
        match &self.bodies.shapes()[row] {
            Shape::Disc(disc) => Some(pose.world_from_body(disc.center())),
            Shape::Outline(outline) => {
                let point = pose.body_from_world(point);
                let vertices = outline.vertices();
                let next = vertices.iter().cycle().skip(1);
                let edges = vertices.iter().zip(next);
                let closest = edges.map(|(&a, &b)| distance_point_segment(point, a, b));
                let closest = closest.min_by(|x, y| x.distance.total_cmp(&y.distance))?;
                Some(pose.world_from_body(closest.point))
            }
        }
    }
}
