//! Which vertices and edges of two shapes can be close to each other, kept from one look at the pair to the next.
//!
//! Shapes that stay near each other move little between two looks: most of their vertices and edges remain too far
//! away to matter. A look farther than is asked for finds those that can matter until the shapes have moved by the difference;
//! until then a look goes through these alone, and finds the same to the last bit.

use super::Side;
use super::probe::Probe;
use crate::{DVec2, Pose};

/// Vertices and edges of two shapes that can be close to each other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NearFeatures {
    /// Vertices of A, and edges of B near them; then vertices of B, and edges of A.
    sides: [(Few, Few); 2],
    /// The place of B in the frame of A when they were found.
    place: Pose,
    /// All others were farther from each other \[m\].
    limit: f64,
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
    pub(super) fn push(&mut self, item: u32) -> Option<()> {
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

/// How far is looked, over how far is asked for. No more than twice: a vertex outside a shape that moves by less than is asked for cannot
/// get deeper inside than that.
const FARTHER: f64 = 2.0;

impl NearFeatures {
    /// Those of two shapes, seen by the probes of the two sides. None if the shapes overlap, or if they are many.
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
    pub(super) fn of_side(&self, side: Side) -> &(Few, Few) {
        match side {
            Side::A => &self.sides[0],
            Side::B => &self.sides[1],
        }
    }
}
