//! Fracture: which floes break under the forces of their contacts, and into which pieces.
//!
//! A crack of length L through ice of thickness h costs the energy `G_c` h L (Griffith 1921). A floe breaks along the crack for which the elastic energy
//! that it releases is largest beside this cost, if it is no less. Two bounds come first, against `G_c` h ℓ with ℓ the shortest cut that leaves two
//! allowed pieces: of a blow, the energy of its compression phase; then the elastic energy of the floe under its forces.
//!
//! A floe that is struck breaks between compression and decompression: the energy of the crack is taken from what the blow would give back. A floe that is
//! pressed breaks by its elastic energy. Pieces part at the end of the step. Nothing here knows contacts: it is told
//! impulses at points, those of blows and those of sustained contacts.

mod breaker;
mod cascade;
mod models;
mod peers;
mod report;
mod settings;
mod stress;
mod times;
mod touch;

pub(crate) use breaker::Breaker;
pub use report::{FractureReport, RestitutionBin};
pub use settings::{Criterion, FractureSettings};
pub use stress::{StressCell, breaking_stress};
pub use times::FractureTimes;
pub(crate) use touch::Touch;
