//! Elastic joints between bodies that are frozen together.
//!
//! A joint of width w and thickness h resists opening d·n, slip d·t and turn φ of its two sides with the stiffnesses `k_n` and `k_s` per area: its normal stress at the
//! distance y from its centre is `k_n` (d·n − y φ). Two points at y = ±w/(2 √3) (Gauss) carry the same force and moment.

use banquise_geometry::{DVec2, Pose, math};

use crate::domain::Domain;
use crate::id::BodyId;
use crate::stored::stored_structs;

/// An elastic joint between two bodies. Without stress the joint is in the same place, seen from both.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Bond {
    /// The bodies; the lower id first.
    pub(crate) bodies: [BodyId; 2],
    /// Centre of the joint in the frame of each body \[m\].
    pub(crate) anchors: [DVec2; 2],
    /// Unit normal of the joint in the frame of each body, from the first body to the second.
    pub(crate) normals: [DVec2; 2],
    /// Width w \[m\].
    pub(crate) width: f64,
    /// Thickness h \[m\].
    pub(crate) thickness: f64,
    /// Normal stiffness `k_n` = E/ℓ [Pa/m].
    pub(crate) normal_stiffness: f64,
    /// Shear stiffness `k_s` = G/ℓ [Pa/m].
    pub(crate) shear_stiffness: f64,
}

stored_structs! {
    Bond { bodies, anchors, normals, width, thickness, normal_stiffness, shear_stiffness }
}

/// A joint as it is strained.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Strain {
    /// Its centre, half way between its two sides \[m\].
    pub(crate) centre: DVec2,
    /// Its normal, half way between those of its two sides.
    pub(crate) normal: DVec2,
    /// To be added to the position of the second body: which of its periodic images is meant \[m\].
    pub(crate) offset: DVec2,
    /// Opening d·n, slip d·t \[m\] and turn φ \[rad\].
    pub(crate) opening: f64,
    pub(crate) slip: f64,
    pub(crate) turn: f64,
}

/// Stresses of a joint \[Pa\].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BondStress {
    /// Normal stress of the fibre that is pulled most; tension is positive.
    pub tension: f64,
    /// Shear stress, without its sign.
    pub shear: f64,
}

impl Bond {
    /// The bodies; the lower id first.
    pub fn bodies(&self) -> [BodyId; 2] {
        self.bodies
    }

    /// Width w \[m\].
    pub fn width(&self) -> f64 {
        self.width
    }

    /// Thickness h \[m\].
    pub fn thickness(&self) -> f64 {
        self.thickness
    }

    /// Area w h of the joint \[m²\].
    pub(crate) fn area(&self) -> f64 {
        self.width * self.thickness
    }

    /// Distance of the two points of the joint from its centre, w/(2 √3) \[m\].
    pub(crate) fn point_distance(&self) -> f64 {
        self.width / (2.0 * 3.0_f64.sqrt())
    }

    /// The strain, given the poses of its bodies.
    pub(crate) fn strain(&self, poses: [Pose; 2], domain: &Domain) -> Strain {
        let at = |side: usize| poses[side].world_from_body(self.anchors[side]);
        let along = |side: usize| poses[side].rotation.rotate(self.normals[side]);
        let (first, second) = (at(0), at(1));
        let apart = domain.nearest_image(second - first);
        let (before, after) = (along(0), along(1));
        let normal = (before + after).normalize();
        Strain {
            centre: first + 0.5 * apart,
            normal,
            offset: apart - (second - first),
            opening: apart.dot(normal),
            slip: apart.dot(normal.perp()),
            turn: math::atan2(before.perp_dot(after), before.dot(after)),
        }
    }

    /// Elastic energy of a strain \[J\].
    pub(crate) fn energy(&self, strain: &Strain) -> f64 {
        let bend = self.point_distance() * strain.turn;
        let normal = self.normal_stiffness * (strain.opening * strain.opening + bend * bend);
        let shear = self.shear_stiffness * strain.slip * strain.slip;
        0.5 * self.area() * (normal + shear)
    }

    /// Stresses of a strain.
    pub(crate) fn stress(&self, strain: &Strain) -> BondStress {
        let bend = 0.5 * self.width * strain.turn.abs();
        BondStress {
            tension: self.normal_stiffness * (strain.opening + bend),
            shear: self.shear_stiffness * strain.slip.abs(),
        }
    }

    /// The joint with the lower id first.
    pub(crate) fn ordered(self) -> Self {
        if self.bodies[0] < self.bodies[1] {
            return self;
        }
        let swapped = |[first, second]: [DVec2; 2]| [second, first];
        Self {
            bodies: [self.bodies[1], self.bodies[0]],
            anchors: swapped(self.anchors),
            normals: swapped(self.normals).map(|normal| -normal),
            ..self
        }
    }
}
