//! Plane geometry for sea-ice floes: outlines, measures, meshes, distances, masses.
//!
//! A floe is a [`Shape`]: a valid simple polygon ([`Outline`]) or a true [`Disc`]. Bad input is
//! refused once, with the vertex named, and everything after may rely on the shape. All lengths
//! are in metres and all numbers `f64`; questions of side and crossing are answered exactly; the
//! same input gives the same bits on every machine.
//!
//! The drag on a floe and its mass are integrals over its shape, ∫f(p) dA ≈ Σ wₖ f(pₖ), with some
//! 75 points that make the sum exact for polynomials of degree 2:
//!
//! ```
//! use banquise_geometry::{DVec2, MassProperties, Mesh, Outline, Shape};
//!
//! let outline = Outline::try_new(vec![
//!     DVec2::new(0.0, 0.0), DVec2::new(40.0, 0.0), DVec2::new(30.0, 20.0), DVec2::new(5.0, 25.0),
//! ])?;
//! let floe = Shape::Outline(outline);
//! let properties = MassProperties::uniform(&floe, 917.0 * 1.5); // 1.5 m thick
//! let mesh = Mesh::of(&floe);
//! let area: f64 = mesh.quadrature().map(|(_point, weight)| weight).sum();
//! assert!((area - floe.area()).abs() < 1e-12 * floe.area());
//! assert!((properties.mass - 917.0 * 1.5 * area).abs() < 1e-12 * properties.mass);
//! # Ok::<(), banquise_geometry::GeometryError>(())
//! ```
//!
//! # Modules
//!
//! | Where | What |
//! |---|---|
//! | [`Outline`], [`Disc`], [`Shape`] | shapes, their checks and measures |
//! | [`Circle`] | smallest enclosing circle |
//! | [`Rotation`], [`Pose`] | where a body is and which way it points |
//! | [`Aabb`], [`Bvh`] | boxes, and which of many overlap |
//! | [`approaches`], [`ContactShape`] | where two shapes are close, and how they touch |
//! | [`shapes_overlap`] | whether they overlap, exactly |
//! | [`simplify`] | fewer vertices, the same area |
//! | [`split`](fn@split), [`shortest_cut`], [`facing_sides`] | an outline cut in two along a crack; how short such a cut can be; where pieces face each other |
//! | [`Mesh`], [`Element`], [`triangulate`] | cells and integration points; triangles of an outline |
//! | [`MassProperties`] | mass, centre, moment of inertia |
//! | [`predicates`] | exact orientation and intersection |
//! | [`distance`] | distances, tried pair by pair |
//! | [`math`] | elementary functions with the same bits everywhere |
//! | [`GeometryError`] | errors with hints |
//!
//! Not here: no time, no physics beyond mass, no files.

#![forbid(unsafe_code)]
#![warn(clippy::disallowed_methods, clippy::disallowed_types)]

mod aabb;
mod bvh;
mod chord;
mod clip;
mod contact;
mod cut;
pub mod distance;
mod enclosing_circle;
mod error;
mod facing;
mod mass;
pub mod math;
mod mesh;
mod moments;
mod outline;
mod overlap;
mod pose;
pub mod predicates;
mod segment;
mod shape;
mod simplify;
mod split;

pub use aabb::Aabb;
pub use bvh::{Bvh, PeriodicPair};
pub use chord::shortest_cut;
pub use contact::{
    Approach, ContactShape, Feature, NearFeatures, PlacedShape, Side, approaches, approaches_among,
};
pub use cut::{clipped_to_convex, cut_back, overlap_area, overlap_area_with_convex, polygon_of};
pub use distance::{
    ClosestPoint, distance_outline_outline, distance_point_segment, distance_segment_segment,
};
pub use enclosing_circle::Circle;
pub use error::GeometryError;
pub use facing::facing_sides;
pub use glam::DVec2;
pub use mass::MassProperties;
pub use mesh::{Element, Mesh, triangulate};
pub use outline::{Outline, convex_hull};
pub use overlap::shapes_overlap;
pub use pose::{Pose, Rotation};
pub use shape::{Disc, Shape};
pub use simplify::simplify;
pub use split::{SplitPiece, split};
