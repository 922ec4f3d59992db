//! Viscous flow on triangles: the finite elements of Lefebvre (2007), on meshes that bodies are fitted into or not.
//!
//! Velocities and pressures are found together by a direct solver. Bodies are rigid by a penalty, a large viscosity in their triangles, or exactly: then their
//! velocities are combinations of three unknowns, the limit ε → 0 on the same mesh.
//!
//! | module | holds |
//! |---|---|
//! | `mesh`, `graded` | triangles of a domain, on squares or fitted to discs |
//! | `element` | MINI and Taylor–Hood, plane and axisymmetric |
//! | `conditions` | edges: given velocity, no stress, slip, periodic; rigid bodies |
//! | `multifrontal` | the direct solver |
//! | [`box_disc`] | a disc in a box, sheared or settling |
//! | [`spheres`] | spheres on the axis of a cylinder |
//! | `problem`, `factorised`, `field`, `values` | a flow problem, its factors, its solutions |

pub mod box_disc;
mod conditions;
mod element;
mod factorised;
mod field;
mod graded;
mod mesh;
mod multifrontal;
mod problem;
pub mod spheres;
mod values;

pub use conditions::{Edge, RigidBody};
pub use element::{Element, Geometry};
pub use factorised::FactorisedFlow;
pub use field::{FlowField, FlowValue};
pub use graded::{FittedDisc, GradedMesh};
pub use mesh::{Diagonals, FlowMesh, Locator};
pub use problem::{FlowLoad, Material, Stokes, StokesError};
