//! Elastic floes and their cracks: linear triangles in plane stress, sparse factors, energy released.
//!
//! ```
//! use banquise_fem::{ContactForce, CrackSettings, Elasticity, FloeModel, Load, MeshSettings};
//! use banquise_geometry::DVec2;
//!
//! let side = 100.0;
//! let square = [[0.0, 0.0], [side, 0.0], [side, side], [0.0, side]].map(DVec2::from);
//! let floe = FloeModel::new(&square, 1.0, &Elasticity::default(), &MeshSettings::default())?;
//! // Two opposite contacts split the floe.
//! let push = |x: f64, force: f64| ContactForce {
//!     point: DVec2::new(x, 50.0),
//!     force: DVec2::new(force, 0.0),
//!     radius: 2.0,
//! };
//! let load = Load { contacts: vec![push(0.0, 2e7), push(side, -2e7)], ..Load::default() };
//! let crack = floe.crack(&load, &CrackSettings::default()).expect("it breaks");
//! assert!(crack.released >= 10.0 * crack.length);
//! # Ok::<(), banquise_fem::MeshError>(())
//! ```
//!
//! | module | holds |
//! |---|---|
//! | `mesh` | conforming triangles |
//! | `elasticity` | constants, plane stress, the linear triangle |
//! | `ordering`, `cholesky`, `dense` | elimination order, sparse factors, small systems |
//! | `plane` | stiffness and its solution |
//! | `cut`, `opened`, `jumps`, `lips`, `release` | a mesh with a crack, its pieces, how it opens, its lips, and the energy it releases |
//! | `plate`, `grower`, `growth`, [`plate_cases`] | a plate between grips, cracks that grow in it, and plates to study |
//! | `phase_field`, `phase_plate` | a bar and a plate that break by a phase field, for comparison |
//! | `percussion`, `bending` | the load that stands for a blow; bending by waves, a hook |
//! | [`stokes`] | viscous flow on triangles |
//! | `load`, `candidates`, `opening`, `search`, `floe` | forces on a floe, cracks to try, what they may release, the decision |

#![forbid(unsafe_code)]
#![warn(clippy::disallowed_methods, clippy::disallowed_types)]

mod bending;
mod candidates;
mod cholesky;
mod crack;
mod cut;
mod dense;
mod elasticity;
mod error;
mod floe;
mod grower;
mod growth;
mod jumps;
mod lips;
mod load;
mod matrix3;
mod mesh;
mod opened;
mod opening;
mod ordering;
mod percussion;
mod phase_field;
mod phase_plate;
mod plane;
mod plate;
pub mod plate_cases;
mod release;
mod search;
pub mod stokes;

pub use bending::{Bending, Wave};
pub use crack::{Crack, CrackSettings};
pub use cut::CrackPath;
pub use elasticity::{Elasticity, Tensor};
pub use error::MeshError;
pub use floe::FloeModel;
pub use grower::GrowthSettings;
pub use growth::GrowthStep;
pub use lips::Lips;
pub use load::{ContactForce, Load};
pub use mesh::{MeshSettings, TriangleMesh};
pub use percussion::{Percussion, StruckFloe};
pub use phase_field::{PhaseBar, PhaseField};
pub use phase_plate::{PhasePeak, PhasePlate};
pub use plate::{Inclusion, Plate};
pub use release::Release;
