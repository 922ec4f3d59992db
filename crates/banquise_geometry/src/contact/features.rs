//! Closest features: vertices and edges of two shapes that can be close to each other, cached between queries of the pair.
//!
//! Shapes that stay near each other move little between two queries: most of their vertices and edges remain too far
//! away to matter. A query with a larger reach than is asked for finds those that can matter until the shapes have moved by the difference;
//! until then queries go through the cached features alone, with the same result to the last bit.

use super::Side;
use super::probe::Probe;
use super::surroundings::Surroundings;
use crate::{DVec2, Pose};

/// Vertices and edges of two shapes that can be close to each other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NearFeatures {
    /// Vertices of A with edges of B, then vertices of B with edges of A.
    sides: [SideFeatures; 2],
    /// Pose of B in the frame of A when they were found.
    place: Pose,
    /// Distance beyond which all other features were \[m\].
    limit: f64,
}

/// Vertices of one shape and edges of the other that are near each other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct SideFeatures {
    pub(super) vertices: Few,
    pub(super) edges: Few,
}

/// A few indices.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Few {
    items: [u16; Self::MOST],
    count: u8,
}

impl Few {
    const MOST: usize = 8;

    /// Adds an index; none if there is no room.
    fn push(&mut self, item: u32) -> Option<()> {
        let place = self.items.get_mut(usize::from(self.count))?;
        *place = u16::try_from(item).ok()?;
        self.count += 1;
        Some(())
    }

    /// The indices, in an array, and how many they are.
    pub(super) fn items(&self) -> ([u32; Self::MOST], usize) {
        (self.items.map(u32::from), usize::from(self.count))
    }
}

/// Reach of a caching query, over the reach asked for. No more than twice: a vertex outside a shape that moves by less than is asked for cannot
/// get deeper inside than that.
const FARTHER: f64 = 2.0;

impl NearFeatures {
    /// Closest features of two shapes, by the probes of the two sides. None if the shapes overlap, or if there are too many.
    pub(super) fn of(probes: &[Probe<'_>; 2]) -> Option<Self> {
        let [from_a, from_b] = probes;
        let limit = FARTHER * from_a.limit;
        let sides = [from_a.reaching(limit), from_b.reaching(limit)];
        let [Some(of_a), Some(of_b)] = sides.map(|probe| probe.near_features()) else {
            return None;
        };
        Some(Self {
            sides: [of_a, of_b],
            place: from_b.guest_pose,
            limit,
        })
    }

    /// Whether no other vertex or edge can be within the reach of these probes.
    pub(super) fn hold(&self, [_, from_b]: &[Probe<'_>; 2]) -> bool {
        let (before, now) = (self.place, from_b.guest_pose);
        let turn = DVec2::new(
            now.rotation.cos - before.rotation.cos,
            now.rotation.sin - before.rotation.sin,
        );
        let moved =
            (now.position - before.position).length() + turn.length() * from_b.guest.radius();
        moved + from_b.limit + from_b.slack <= self.limit && moved < from_b.limit
    }

    /// Vertices of a side, and edges of the other.
    pub(super) fn of_side(&self, side: Side) -> &SideFeatures {
        match side {
            Side::A => &self.sides[0],
            Side::B => &self.sides[1],
        }
    }
}

impl Probe<'_> {
    /// The vertices of the guest within reach of the host, and the edges of the host within reach of them. None if one
    /// is inside the host, or if they are many.
    fn near_features(&self) -> Option<SideFeatures> {
        let Surroundings {
            visitors,
            edges,
            ray,
        } = self.surroundings();
        let edges = edges.as_slice();
        let (mut near_visitors, mut near_edges) = (Few::default(), Few::default());
        for &index in visitors.as_slice() {
            let visitor = self.visitor(index as usize);
            let is_seen = |&edge: &u32| self.view_within_reach(edge as usize, visitor).is_some();
            let is_near = if self.host.is_disc() {
                self.gap_of_disc(visitor) <= self.limit
            } else if self.is_inside_host(visitor.point, edges, ray) {
                return None;
            } else {
                edges.iter().any(is_seen)
            };
            if is_near {
                near_visitors.push(index)?;
            }
        }
        let (visitors, count) = near_visitors.items();
        for &edge in edges {
            let sees = |&index: &u32| {
                let visitor = self.visitor(index as usize);
                self.view_within_reach(edge as usize, visitor).is_some()
            };
            if visitors[..count].iter().any(sees) {
                near_edges.push(edge)?;
            }
        }
        Some(SideFeatures {
            vertices: near_visitors,
            edges: near_edges,
        })
    }
}
