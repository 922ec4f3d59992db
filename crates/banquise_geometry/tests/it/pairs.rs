//! Random pairs of shapes in their places, close to each other.

use std::f64::consts::TAU;

use banquise_geometry::{
    Approach, ContactShape, DVec2, Disc, Outline, Pose, Rotation, Shape, approaches,
    distance_outline_outline, math,
};
use proptest::prelude::*;

use crate::polygons::outline;

#[derive(Clone, Debug)]
pub(crate) struct Pair {
    pub(crate) a: Shape,
    pub(crate) pose_a: Pose,
    pub(crate) b: Shape,
    pub(crate) pose_b: Pose,
    pub(crate) reach: f64,
}

/// Concave and convex outlines and discs, of size about 1 m.
pub(crate) fn shape() -> impl Strategy<Value = Shape> {
    prop_oneof![
        4 => outline(16).prop_map(Shape::Outline),
        2 => outline(16).prop_map(|outline| Shape::Outline(outline.convex_hull())),
        1 => (3..30_usize).prop_map(|n| Shape::Outline(Outline::regular_polygon(1.0, n).unwrap())),
        2 => (0.05..2.0_f64).prop_map(|radius| Shape::Disc(Disc::try_new(radius).unwrap())),
    ]
}

/// Two shapes that do not overlap: B starts at some distance and moves towards A by a number of
/// steps of the distance left, so that some are far, some close and some touch.
pub(crate) fn pair() -> impl Strategy<Value = Pair> {
    let place = (
        0.0..TAU,
        0.0..TAU,
        0.0..TAU,
        prop_oneof![Just(0.0), Just(131_072.0)],
    );
    (
        shape(),
        shape(),
        place,
        0..30_u32,
        0.02..1.0_f64,
        prop::bool::ANY,
    )
        .prop_map(
            |(a, b, (angle_a, angle_b, way, far), steps, reach, is_quarter)| {
                // Quarter turns make parallel edges with regular polygons.
                let turn = |angle: f64| {
                    if is_quarter {
                        (angle * 4.0 / TAU).floor() * TAU / 4.0
                    } else {
                        angle
                    }
                };
                let pose = |angle: f64| Pose {
                    position: DVec2::new(far, -far),
                    rotation: Rotation::from_angle(turn(angle)),
                };
                let (sin, cos) = math::sin_cos(way);
                let mut pair = Pair {
                    a,
                    pose_a: pose(angle_a),
                    b,
                    pose_b: pose(angle_b),
                    reach,
                };
                let mut apart = 6.0;
                for step in 0..=steps {
                    pair.pose_b.position = pair.pose_a.position + apart * DVec2::new(cos, sin);
                    if step < steps {
                        apart -= 0.9 * pair.distance();
                    }
                }
                pair
            },
        )
}

/// Two shapes in the same place, or nearly.
pub(crate) fn overlapping_pair() -> impl Strategy<Value = Pair> {
    (pair(), -1.0..1.0_f64, -1.0..1.0_f64).prop_map(|(mut pair, x, y)| {
        pair.pose_b.position = pair.pose_a.position + DVec2::new(x, y);
        pair
    })
}

impl Pair {
    /// The distance by trying everything.
    pub(crate) fn distance(&self) -> f64 {
        let [a, b] = self.placed();
        match (&a, &b) {
            (Shape::Outline(a), Shape::Outline(b)) => distance_outline_outline(a, b),
            (Shape::Outline(outline), Shape::Disc(disc))
            | (Shape::Disc(disc), Shape::Outline(outline)) => {
                (outline.distance_to_point(disc.center()) - disc.radius()).max(0.0)
            }
            (Shape::Disc(a), Shape::Disc(b)) => {
                ((a.center() - b.center()).length() - a.radius() - b.radius()).max(0.0)
            }
        }
    }

    /// The shapes in their places relative to A.
    pub(crate) fn placed(&self) -> [Shape; 2] {
        let place = |shape: &Shape, pose: Pose| {
            let turned = match shape {
                Shape::Outline(outline) => Shape::Outline(outline.rotated(pose.rotation).unwrap()),
                Shape::Disc(disc) => Shape::Disc(*disc),
            };
            turned
                .translated(pose.position - self.pose_a.position)
                .unwrap()
        };
        [place(&self.a, self.pose_a), place(&self.b, self.pose_b)]
    }

    pub(crate) fn approaches(&self) -> Vec<Approach> {
        let (a, b) = (ContactShape::new(&self.a), ContactShape::new(&self.b));
        let mut out = Vec::new();
        approaches(&a, self.pose_a, &b, self.pose_b, self.reach, &mut out);
        out
    }

    pub(crate) fn swapped(&self) -> Self {
        Self {
            a: self.b.clone(),
            pose_a: self.pose_b,
            b: self.a.clone(),
            pose_b: self.pose_a,
            reach: self.reach,
        }
    }

    /// Both turned about the origin, then moved.
    pub(crate) fn moved(&self, angle: f64, offset: DVec2) -> Self {
        let rotation = Rotation::from_angle(angle);
        let moved = |pose: Pose| Pose {
            position: rotation.rotate(pose.position) + offset,
            rotation: pose.rotation.turned_by(angle),
        };
        Self {
            pose_a: moved(self.pose_a),
            pose_b: moved(self.pose_b),
            ..self.clone()
        }
    }
}
