//! Where two shapes are close: all the local minima of the distance from the vertices of each to
//! the other, which of them are contacts, and how far each one can be trusted.
//!
//! A vertex P of one shape is closest to the other shape S inside an edge (its foot Q is the
//! orthogonal projection), at a convex vertex of S whose normal cone holds P, or on the rim of a
//! disc; at a reflex vertex of S there is no minimum, and in a bay of S there are several. A disc
//! is one vertex, its centre, that keeps its radius as a distance. The distance of two shapes
//! apart is the least of these gaps, because it is always reached at a vertex of one of them.
//!
//! Contacts follow Rabatel (2015), section 2.1.3, made precise: see [`Approach::is_contact`].
//!
//! Each half of the search, the vertices of one shape against the other shape, works in the body
//! frame of that other shape, so that nothing is lost of the digits of a gap at 100 km from the
//! origin. Lengths below 10⁻¹² of the size of the two shapes count as round-off.

mod features;
mod probe;
mod shape;
mod surroundings;
mod verdict;
mod view;
mod visit;

use crate::{DVec2, Pose};

pub use features::NearFeatures;
use probe::Probe;
pub use shape::ContactShape;

/// Lengths below this part of the size of the pair (sum of the two radii) are round-off: the
/// coordinates and the turns lose some 10⁻¹⁶ of that size.
const ROUND_OFF: f64 = 1e-12;

/// One of the two shapes of a pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Side {
    /// The first.
    A,
    /// The second.
    B,
}

/// Part of a boundary.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Feature {
    /// The inside of the edge that starts at the vertex of this index.
    Edge(u32),
    /// The vertex of this index.
    Vertex(u32),
    /// The rim of a true disc.
    Rim,
}

/// A vertex of one shape (or a disc) close to the other shape: one local minimum of its distance.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Approach {
    /// Whose vertex it is.
    pub side: Side,
    /// Index of the vertex; 0 for a disc.
    pub vertex: u32,
    /// Closest feature of the other shape.
    pub feature: Feature,
    /// The point of A, on its boundary \[m\].
    pub point_a: DVec2,
    /// The point of B, on its boundary \[m\].
    pub point_b: DVec2,
    /// Unit vector from A to B.
    pub normal: DVec2,
    /// (`point_b` - `point_a`)·normal \[m\], computed before the points were rounded; zero if the
    /// shapes overlap there.
    pub gap: f64,
    /// Whether this is a place where the shapes can push each other, if the gap is small enough
    /// for the caller. Of the approaches that describe one physical contact, from the two sides,
    /// only one says so.
    ///
    /// A reflex vertex is never in contact. A convex one is in contact with an edge, unless the
    /// way to it passes through one of the shapes or along an edge of the vertex. Two vertices
    /// are in contact if each is in the normal cone of the other, to round-off; said by side A. A
    /// disc is in contact at all its approaches, and a vertex near a disc never: the disc says it.
    pub is_contact: bool,
    /// How far the vertex may move \[m\] before it can reach a part of the other shape that none
    /// of its approaches guards.
    ///
    /// An approach guards the edges that lie behind the line through its foot across its normal.
    /// A vertex (with the radius of a disc) that stays in front of the lines of all its approaches
    /// and moves, relative to the other shape, by less than this and less than the reach of the
    /// search, does not enter the other shape. Infinite if all edges within reach are guarded. It
    /// is the same for all approaches of one vertex.
    pub clearance: f64,
}

/// Finds all approaches of two shapes with a gap of at most `reach` \[m\]. Clears `out` first.
///
/// A vertex or disc that is not in the list is farther than `reach` from the other shape. Of two
/// discs only A is listed. A vertex inside the other shape is listed with a gap of zero, at the
/// nearest edge: whether shapes overlap is for [`shapes_overlap`](crate::shapes_overlap) to say.
/// Side A comes first, each side in the order of its vertices.
pub fn approaches(
    a: &ContactShape,
    pose_a: Pose,
    b: &ContactShape,
    pose_b: Pose,
    reach: f64,
    out: &mut Vec<Approach>,
) {
    out.clear();
    let placed = |shape, pose| PlacedShape { shape, pose };
    let probes = probes(placed(a, pose_a), placed(b, pose_b), reach);
    if !probes[0].is_far() {
        look(&probes, None, out);
        put_at(pose_a.position, out);
    }
}

/// A shape where it lies.
#[derive(Clone, Copy, Debug)]
pub struct PlacedShape<'a> {
    /// The shape, prepared.
    pub shape: &'a ContactShape,
    /// Its place in the world.
    pub pose: Pose,
}

/// Finds the approaches of [`approaches`] among the features `known`, cached from an earlier query of the pair; returns those to be cached for the
/// next one, if there are any. New features are searched if the shapes `are_slow`: if they move against each other by much less than the
/// reach until the next query. The result is the same to the last bit.
pub fn approaches_among(
    known: Option<&NearFeatures>,
    are_slow: bool,
    a: PlacedShape<'_>,
    b: PlacedShape<'_>,
    reach: f64,
    out: &mut Vec<Approach>,
) -> Option<NearFeatures> {
    out.clear();
    let probes = probes(a, b, reach);
    if probes[0].is_far() {
        return None;
    }
    // Of two discs there is nothing to choose from.
    let are_discs = a.shape.is_disc() && b.shape.is_disc();
    let known = known.filter(|features| features.hold(&probes)).copied();
    let features = match known {
        None if are_slow && !are_discs => NearFeatures::of(&probes),
        known => known,
    };
    look(&probes, features.as_ref(), out);
    put_at(a.pose.position, out);
    features
}

/// The searches of the two sides. All positions are counted from A.
fn probes<'a>(a: PlacedShape<'a>, b: PlacedShape<'a>, reach: f64) -> [Probe<'a>; 2] {
    let slack = ROUND_OFF * (a.shape.radius() + b.shape.radius());
    let offset = b.pose.position - a.pose.position;
    let moved = |placed: PlacedShape<'a>, position: DVec2| PlacedShape {
        pose: Pose {
            position,
            ..placed.pose
        },
        ..placed
    };
    let (from_a, from_b) = (moved(a, DVec2::ZERO), moved(b, offset));
    [
        Probe::new(Side::A, from_a, from_b, reach, slack),
        Probe::new(Side::B, from_b, from_a, reach, slack),
    ]
}

fn look(probes: &[Probe<'_>; 2], features: Option<&NearFeatures>, out: &mut Vec<Approach>) {
    let run = |probe: &Probe<'_>, out: &mut Vec<Approach>| match features {
        Some(features) => probe.run_among(features, out),
        None => probe.run(out),
    };
    let [from_a, from_b] = probes;
    run(from_a, out);
    let from_side_b = out.len();
    if !(from_a.guest.is_disc() && from_b.guest.is_disc()) {
        run(from_b, out);
    }
    let (side_a, side_b) = out.split_at_mut(from_side_b);
    verdict::keep_one_of_twins(side_a, side_b, from_a.slack);
}

/// From positions counted from A to those of the world.
fn put_at(position: DVec2, out: &mut [Approach]) {
    for approach in out {
        approach.point_a += position;
        approach.point_b += position;
    }
}

#[cfg(test)]
mod tests;
