//! Particles in a viscous fluid, beside the world of floes and without it: the problems with a finite viscosity whose limit is gluey contact.
//!
//! - [`lubrication`]: a particle before a plane, m q″ = −μ q′ φ(q) + m f.
//! - [`chain`]: spheres on a line without inertia, and the continuum that many of them make.
//! - [`continuum`]: a chain beside its continuum.
//! - [`tangential`]: sliding and rolling on a film.
//! - [`swimmer`]: three spheres that swim by changing their distances.
//!
//! Lefebvre 2007 (thesis, Paris-Sud), chapters 4 and 6.

#![forbid(unsafe_code)]
#![warn(clippy::disallowed_methods, clippy::disallowed_types)]

pub mod chain;
pub mod continuum;
pub mod lubrication;
pub mod swimmer;
pub mod tangential;
