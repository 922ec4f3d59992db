//! The three-sphere swimmer (Najafi and Golestanian 2004; Lefebvre 2007, section 2.2 and appendix B): three equal spheres on a line that swim by changing their distances.
//!
//! Lengths are in radii a, times in durations T of a stroke, energies in μ a³/T.
//!
//! - `mobility`: velocities for forces, by multipoles, exact to six digits and more.
//! - `shape`: power and displacement for changes of shape, tabulated.
//! - `stroke`: square strokes; `geodesic`: strokes that are shortest for their displacement.

mod geodesic;
mod least_squares;
mod mobility;
mod shape;
mod stroke;

pub use geodesic::{Geodesic, geodesics, optimal_stroke};
pub use mobility::{Mobility, far_apart, pair_resistance, three_spheres};
pub use shape::{Coefficients, Local, ShapeTable};
pub use stroke::{Square, Stroke, square_for, square_stroke};
