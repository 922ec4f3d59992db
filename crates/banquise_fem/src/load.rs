//! Forces on a floe, and their balance with its inertia.

use banquise_geometry::{DVec2, distance_point_segment};

use crate::plane::Plane;

/// A force of contact, spread over the boundary about a point.
#[derive(Clone, Debug, PartialEq)]
pub struct ContactForce {
    /// Where, in the floe's own frame \[m\].
    pub point: DVec2,
    /// Force on the floe \[N\].
    pub force: DVec2,
    /// Half the width over which it is spread \[m\]. Below the spacing of the mesh, the two nearest nodes bear it.
    pub radius: f64,
}

impl ContactForce {
    /// The mean force of a blow: its impulse \[N s\] over the time \[s\] that the contact lasts.
    pub fn percussion(point: DVec2, impulse: DVec2, contact_time: f64, radius: f64) -> Self {
        Self {
            point,
            force: impulse / contact_time,
            radius,
        }
    }
}

/// All forces on a floe. Its own inertia balances what they leave.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Load {
    /// Contacts: blows, or the forces of a jam.
    pub contacts: Vec<ContactForce>,
    /// The uniform part of the drag of wind and water \[N/m²\]. On a free floe it is balanced where it acts, by the
    /// acceleration that it causes; it strains a floe only through the contacts that hold it back.
    pub body_force: DVec2,
    /// Whether the contacts last, as those of a jam do: pieces that they hold at places apart then bend between them while a crack opens. In a blow each
    /// piece keeps its mean displacement and rotation.
    pub is_sustained: bool,
}

/// Forces on the nodes, in balance.
pub(crate) struct NodalLoad {
    /// Sum of all \[N\].
    pub forces: Vec<DVec2>,
    /// Drag and inertia for a unit of area \[N/m²\].
    pub body_force: Vec<DVec2>,
    /// Nodes that bear contact forces.
    pub is_contact: Vec<bool>,
}

impl NodalLoad {
    /// Contact forces and drag, less the rigid acceleration of the floe (inertia relief).
    pub(crate) fn new(plane: &Plane, load: &Load) -> Self {
        let points = plane.mesh().points();
        let mut forces = vec![DVec2::ZERO; points.len()];
        let mut is_contact = vec![false; points.len()];
        for contact in &load.contacts {
            for (node, weight) in spread(plane, contact.point, contact.radius) {
                forces[node as usize] += weight * contact.force;
                is_contact[node as usize] = true;
            }
        }
        let areas = plane.node_area();
        let area: f64 = areas.iter().sum();
        let centre = areas
            .iter()
            .zip(points)
            .map(|(a, p)| *a * *p)
            .sum::<DVec2>()
            / area;
        let moment: f64 = areas
            .iter()
            .zip(points)
            .map(|(a, p)| a * p.distance_squared(centre))
            .sum();
        let total = forces.iter().sum::<DVec2>() + load.body_force * area;
        let torque: f64 = forces
            .iter()
            .zip(points)
            .map(|(f, p)| (*p - centre).perp_dot(*f))
            .sum();
        let inertia = |point: DVec2| -total / area - (point - centre).perp() * (torque / moment);
        let body_force = points.iter().map(|point| load.body_force + inertia(*point));
        let body_force: Vec<DVec2> = body_force.collect();
        for ((force, body), area) in forces.iter_mut().zip(&body_force).zip(areas) {
            *force += *body * *area;
        }
        Self {
            forces,
            body_force,
            is_contact,
        }
    }
}

/// Boundary nodes that bear a force at a point, with weights whose sum is one and whose mean is the point, if they can.
fn spread(plane: &Plane, point: DVec2, radius: f64) -> Vec<(u32, f64)> {
    let mesh = plane.mesh();
    let place = |node: u32| mesh.points()[node as usize];
    let [from, to] = nearest_edge(plane, point);
    let along = place(to) - place(from);
    let share = ((point - place(from)).dot(along) / along.length_squared()).clamp(0.0, 1.0);
    let mut near: Vec<(u32, f64)> = Vec::new();
    for [node, _] in mesh.boundary() {
        let closeness = 1.0 - place(*node).distance_squared(point) / (radius * radius);
        if closeness > 0.0 {
            near.push((*node, closeness));
        }
    }
    if near.len() < 3 {
        return vec![(from, 1.0 - share), (to, share)];
    }
    near.sort_unstable_by_key(|(node, _)| *node);
    let total: f64 = near.iter().map(|(_, weight)| weight).sum();
    let direction = along.normalize();
    let offset = |node: u32| direction.dot(place(node) - point);
    let mean: f64 = near.iter().map(|(n, w)| w * offset(*n)).sum::<f64>() / total;
    let variance: f64 = near
        .iter()
        .map(|(n, w)| w * (offset(*n) - mean).powi(2))
        .sum::<f64>()
        / total;
    // A linear factor puts the mean at the point; where it would pull at a node, the weights stay as they were.
    let slope = if variance > 0.0 {
        -mean / variance
    } else {
        0.0
    };
    let tilted = near
        .iter()
        .map(|(n, w)| (*n, w * (1.0 + slope * (offset(*n) - mean)) / total));
    let tilted: Vec<(u32, f64)> = tilted.collect();
    if tilted.iter().all(|(_, weight)| *weight > 0.0) {
        return tilted;
    }
    near.into_iter().map(|(n, w)| (n, w / total)).collect()
}

/// The edge of the boundary that is nearest to a point; the first of equals.
fn nearest_edge(plane: &Plane, point: DVec2) -> [u32; 2] {
    let mesh = plane.mesh();
    let mut best = (f64::INFINITY, mesh.boundary()[0]);
    for edge in mesh.boundary() {
        let [a, b] = edge.map(|node| mesh.points()[node as usize]);
        let distance = distance_point_segment(point, a, b).distance;
        if distance < best.0 {
            best = (distance, *edge);
        }
    }
    best.1
}
