//! The contact problem and its solvers.

#![forbid(unsafe_code)]

mod cascade;
mod friction_lcp;
mod gauss_seidel;
mod impact;
pub mod lcp;
mod local;
pub mod matrix;
mod problem;
mod relaxation;
mod residual;
mod states;

pub use cascade::{LocalSolution, Method, solve_local};
pub use friction_lcp::{friction_lcp, impulses_from_lcp};
pub use impact::{Cone, ImpactReport, ImpactSettings, Mode, solve_impact};
pub use local::LocalProblem;
pub use problem::{Body, Contact, ContactProblem};
pub use residual::residual;
