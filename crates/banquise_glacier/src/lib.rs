//! A glacier front as a chain of elastic blocks that slide on their bed, pushed by an iceberg.
//!
//! Per unit width of the front, x upstream, for the blocks i = 0 (the front) to N,
//!
//! ```text
//! M u″ + K u + f(u′) = P + e₀ F_c(t)
//! mᵢ = ρ H δl sᵢ        K = (E H/δl) tridiag(−1, 2, −1), free at both ends
//! fᵢ = C δl sᵢ sgn(v)|v|^(1/n)        Pᵢ = −ρ g H δl sᵢ sin θ        sᵢ = ½ at both ends, else 1
//! ```
//!
//! (P. Beguin, 2020, completed). The chain slides steadily where bed and weight balance; the force on the
//! bed beyond that is the seismogenic force `F_s` = Σ [fᵢ(vᵢ) − fᵢ(`v_eq`)], and since elastic forces add up
//! to nothing, `F_s` + d/dt Σ mᵢ vᵢ = `F_c`. [`Run`] checks this at every step.
//!
//! ```
//! use banquise_glacier::{Chain, ChainSettings, ContactForce, Run, RunSettings, Scheme};
//!
//! let chain = Chain::try_new(ChainSettings::default())?;
//! let load = ContactForce::Pulse { peak: 30e6, start: 0.0, duration: 100.0 };
//! let settings = RunSettings::new(Scheme::Hht { alpha: -0.25 }, 0.2);
//! let mut run = Run::try_new(chain, load, settings)?;
//! let mut highest = 0.0_f64;
//! while run.state().time < 100.0 {
//!     run.step()?;
//!     highest = highest.max(run.state().displacement[0]);
//! }
//! // Millimetres: such a bed is strong.
//! assert!((highest / 7.96e-4 - 1.0).abs() < 1e-3);
//! # Ok::<(), banquise_glacier::GlacierError>(())
//! ```
//!
//! | module | holds |
//! |---|---|
//! | [`bed`] | friction laws, as functions of the sliding variable w |
//! | [`chain`] | the chain at rest: masses, springs, steady sliding, scales |
//! | [`contact`] | the force on the front in time |
//! | [`iceberg`] | the force of a rigid iceberg that capsizes against the front |
//! | [`run`] | the schemes, a run, its checks |
//! | [`stability`] | longest stable steps |
//! | [`amplification`], [`spectrum`] | amplification matrices as printed and correct; their spectral radii |

#![forbid(unsafe_code)]
#![warn(clippy::disallowed_methods, clippy::disallowed_types)]

pub mod amplification;
pub mod bed;
pub mod chain;
pub mod contact;
mod error;
pub mod iceberg;
mod iceberg_water;
mod implicit;
pub mod run;
mod schemes;
pub mod spectrum;
pub mod stability;
mod state;

pub use bed::BedLaw;
pub use chain::{Chain, ChainSettings};
pub use contact::{ContactForce, ForceTable};
pub use error::GlacierError;
pub use iceberg::{Capsize, Iceberg};
pub use run::{OverLimit, Run, RunSettings, RunTotals, StepReport};
pub use schemes::Scheme;
pub use state::State;
