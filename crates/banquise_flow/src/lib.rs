//! Rigid bodies in a viscous fluid that is resolved on a uniform staggered grid.
//!
//! ```
//! use banquise_flow::{SolverSettings, SquareArray};
//!
//! let array = SquareArray { fraction: 0.2, cells: 64 };
//! let drag = array.run(&SolverSettings::default())?.drag;
//! assert!((drag / 51.53 - 1.0).abs() < 0.005); // Sangani and Acrivos 1982
//! # Ok::<(), banquise_flow::FlowError>(())
//! ```
//!
//! | module | holds |
//! |---|---|
//! | [`Grid`] | cells, spacing, edges |
//! | [`Body`], [`Wrench`], [`RigidMotion`] | a body, force and torque on it, its motion |
//! | [`Flow`], [`Load`], [`Solution`] | a flow around bodies |
//! | [`SquareArray`], [`DiluteViscosity`], [`JefferyOrbit`], [`SqueezedDiscs`] | flows with known answers |
//! | [`box_disc`] | a disc that settles in a box, or is sheared |
//! | [`Unsteady`] | discs and polygons that move in a fluid with inertia, and touch |
//! | [`settling`] | discs that fall in a box of fluid |
//! | [`CoupledDiscs`] | contacts inside the fluid problem, beside the splitting |
//! | [`elements`] | a valve, a vesicle and a fluidised bed, on triangles |
//! | [`Suspension`] | random discs, for measurements |
//!
//! Inside, lengths are in cells: `coverage.rs` has the covered shares of cells, `samples.rs` the strains that must vanish, `rigid.rs` the system for the stresses
//! in the bodies, `airy.rs` its preconditioner, `spectral.rs` and `fft.rs` the solver for the fluid.

#![forbid(unsafe_code)]
#![warn(clippy::disallowed_methods, clippy::disallowed_types)]

mod advection;
mod airy;
mod array;
mod body;
pub mod box_disc;
mod contacts;
mod coverage;
pub mod elements;
mod error;
mod fft;
mod floes;
mod flow;
mod gluey;
mod grid;
mod jeffery;
mod numbers;
mod pressure;
mod rigid;
mod samples;
mod settings;
pub mod settling;
mod spectral;
mod squeeze;
mod stored;
mod suspension;
mod transform_size;
mod unsplit;
mod unsteady;
mod viscosity;
mod walls;

pub use array::{ArrayDrag, SANGANI_ACRIVOS, SquareArray};
pub use body::{Body, RigidMotion, Wrench};
pub use contacts::ContactLaw;
pub use error::FlowError;
pub use floes::{EddyRun, EddySettings, FittedLaw, FloeInstant, FloeSea, StillDrag};
pub use flow::{Flow, Fluid, Gradient, Load, Solution};
pub use grid::{Edges, Grid};
pub use jeffery::{JefferyOrbit, JefferyPeriod};
pub use settings::SolverSettings;
pub use squeeze::{
    SqueezeFlow, SqueezeResistance, SqueezeStudy, SqueezedDiscs, unbounded_resistance,
};
pub use suspension::Suspension;
pub use transform_size::transform_size;
pub use unsplit::{CoupledDiscs, Coupling, HEAP_CELLS};
pub use unsteady::{MovingBody, StepReport, Unsteady, UnsteadySettings};
pub use viscosity::{ArrayViscosity, DiluteViscosity, ShearedArray, ViscosityLimit};
