//! Floes that are struck: networks of masses, springs and dashpots, laws of percussion, bonds that break.
//!
//! ```
//! use banquise_fracture::BarImpact;
//!
//! let impact = BarImpact { nodes: 201, ..BarImpact::default() };
//! let result = impact.run()?;
//! // 2 · 50 m/c = 31.97 ms; the chain smears the end of the contact.
//! assert!((result.contact_time / impact.exact().contact_time - 1.0).abs() < 0.02);
//! # Ok::<(), banquise_fracture::FractureError>(())
//! ```
//!
//! | module | holds |
//! |---|---|
//! | [`ice`] | constants of the ice |
//! | [`network`] | masses, bonds, torsion springs: energies, longest stable step |
//! | [`chain`] | floes as chains |
//! | [`contact`] | facing nodes and laws of percussion |
//! | [`run`] | steps, impacts, sustained contact, breaking, budgets |
//! | [`lattice`] | floes as square, triangular and Delaunay lattices |
//! | [`lattice_impact`] | a lattice struck by a mass or another floe |
//! | [`moduli`] | elastic moduli of random lattices |
//! | [`spectrum`] | the spectral gap of a stiff lattice |
//! | [`source`] | the source's three-floe case as coded there |
//! | [`bar`] | a bar struck by another, with its closed form |

#![forbid(unsafe_code)]
#![warn(clippy::disallowed_methods, clippy::disallowed_types)]

pub mod bar;
mod budget;
pub mod chain;
mod chain_impact;
pub mod contact;
mod error;
pub mod ice;
pub mod lattice;
pub mod lattice_impact;
pub mod moduli;
pub mod network;
mod random;
pub mod run;
pub mod source;
mod sparse;
pub mod spectrum;

pub use bar::{BarImpact, BarResult};
pub use budget::Budget;
pub use chain::Chain;
pub use chain_impact::ChainImpact;
pub use contact::{Contact, Percussion};
pub use error::FractureError;
pub use ice::Ice;
pub use lattice::Lattice;
pub use lattice_impact::LatticeImpact;
pub use network::Network;
pub use run::{BreakRule, Integrator, Run, RunSettings, equilibrium};
