//! The contact problem and its solvers: no floes, no polygons.
//!
//! Rigid bodies touch at points. The solvers find the impulses of Coulomb friction and restitution that keep them apart.
//! In the frames of the contacts, with W the Delassus operator and b the pre-impact velocities,
//!
//! ```text
//! u = W p + b,   0 ≤ uₙ ⟂ pₙ ≥ 0,   |pₜ| ≤ μ pₙ, sliding opposed
//! ```
//!
//! [`solve_impact`] does compression and decompression of a [`ContactProblem`]; underneath,
//! [`solve_local`] solves one friction problem by a cascade of methods; [`residual`] judges them all.
//!
//! ```
//! use banquise_solver::{Body, Contact, ContactProblem, ImpactSettings, solve_impact};
//! use glam::DVec2;
//!
//! // A ball of 1 kg falls on the ground at 2 m/s and rebounds with half its speed.
//! let ground = Body { inv_mass: 0.0, inv_inertia: 0.0, position: DVec2::ZERO,
//!     linear_velocity: DVec2::ZERO, angular_velocity: 0.0 };
//! let ball = Body { inv_mass: 1.0, inv_inertia: 2.5, position: DVec2::Y,
//!     linear_velocity: DVec2::new(0.0, -2.0), ..ground };
//! let contact = Contact { a: 0, b: 1, arms: [DVec2::ZERO, -DVec2::Y], normal: DVec2::Y,
//!     friction: 0.7, restitution: 0.5, gap: 0.0, start: [0.0; 2] };
//! let mut problem = ContactProblem { bodies: vec![ground, ball], contacts: vec![contact] };
//! let report = solve_impact(&mut problem, &ImpactSettings::default());
//! assert!((problem.bodies[1].linear_velocity.y - 1.0).abs() < 1e-15);
//! assert_eq!(report.unsolved, 0);
//! ```
//!
//! | module | holds |
//! |---|---|
//! | [`lcp`] | the linear complementarity problem, Lemke's method, enumeration |
//! | [`matrix`] | dense matrices |
//! | [`Problem`] | problems read from JSON |

#![forbid(unsafe_code)]
#![warn(clippy::disallowed_methods, clippy::disallowed_types)]

mod block_lu;
mod blocks;
mod body_space;
mod bounded;
mod bounded_path;
mod bounded_problem;
mod budget;
mod cascade;
mod central_path;
mod central_start;
mod certificate;
mod crushing;
mod elimination;
mod exact;
mod friction_lcp;
mod homotopy;
mod impact;
mod impact_errors;
mod interior;
mod iterate;
mod json;
mod judge;
mod kinematic;
pub mod lcp;
mod local;
mod locking;
pub mod matrix;
mod method;
mod nnls;
mod policy;
mod precise;
mod precise_dense;
mod precise_lemke;
mod problem;
mod projection;
mod projection_exact;
mod projection_friction;
mod projection_newton;
mod projection_polish;
mod projection_rows;
mod projection_settings;
mod proof;
mod proximal;
mod proximal_problem;
mod records;
mod refine;
mod repair;
mod report;
mod residual;
mod sequential;
mod settings;
mod settings_error;
mod single;
mod states;
mod velocity_bounds;
mod verdict;
mod workspace;

pub use blocks::Blocks;
pub use budget::StopFlag;
pub use cascade::{LocalSolution, solve_local};
pub use certificate::{
    Certificate, CertificateKind, ContactState, INFEASIBLE_SPEEDUP, LockingNode,
};
pub use crushing::{Crushing, solve_crushing};
pub use friction_lcp::{friction_lcp, impulses_from_lcp};
pub use impact::{Cone, ImpactSettings, Mode, solve_impact, solve_impact_into};
pub use impact_errors::{ImpactErrors, impact_errors};
pub use json::{
    Problem, ProblemError, bounded_answer, crushing_answer, impact_answer, solve_bounded,
    solve_contacts,
};
pub use kinematic::kinematic_certificate;
pub use local::LocalProblem;
pub use method::Method;
pub use policy::{Attempt, MAX_ROWS, Policy, Row, RowCounts, Table, Tolerance};
pub use problem::{Body, Contact, ContactProblem};
pub use projection::project_velocities;
pub use projection_rows::{BoundKind, ConvexBound, ProjectionReport};
pub use projection_settings::{ProjectionMethod, ProjectionSettings};
pub use records::Block;
pub use report::{Compression, ImpactReport, Suspicion};
pub use residual::residual;
pub use settings::{
    AccuracySettings, BudgetSettings, CentralPathSettings, Constant, CrushingSettings,
    ImpactLawSettings, InteriorPath, InteriorSettings, PathSettings, PivotingSettings,
    ProximalSchedule, ProximalSettings, SolverSettings, VerdictSettings,
};
pub use settings_error::SettingsError;
pub use velocity_bounds::{Bound, Effort, push_apart, solve_velocity_bounds};
pub use verdict::{Reason, Verdict};
pub use workspace::{Pool, Pooled, PooledVec, SolverContext, SolverStatistics, SolverWorkspace};
