//! Diagnostics of a pack: pure functions of positions, velocities, masses and outlines. They depend
//! neither on the step nor on files; the report uses them on recordings.
//!
//! | module | measures |
//! |---|---|
//! | [`energy`] | kinetic energy and its limits in free drift |
//! | [`windows`] | sums and rates in windows of time, exceedance |
//! | [`concentration`] | ice in a window, and in the hull of the pack |
//! | [`dispersion`] | how far floes are from the centre of the pack |
//! | [`pairs`] | distances of pairs: `C_r`, its slope, and the median distance |
//! | [`clusters`] | groups of floes close to each other |
//! | [`sizes`] | power laws of floe sizes, by maximum likelihood |
//! | [`response`] | speed and angle of the drift against the wind |
//! | [`spectrum`] | rotary spectrum of a velocity |
//! | [`tracks`] | a modelled drift against an observed one |
//! | [`strain`] | strain rate of a polygon of floes |
//!
//! Positions are those a body would have had it never been brought back into a periodic cell; where
//! distances matter, the nearest images are meant.

pub mod clusters;
pub mod concentration;
pub mod dispersion;
pub mod energy;
pub mod pairs;
pub mod response;
pub mod sizes;
pub mod spectrum;
pub mod strain;
pub mod tracks;
pub mod windows;
