//! Ice that drifts and collides: rigid floes under wind, water and the Earth's rotation.
//!
//! For each floe, with mass m, moment of inertia I, velocity v and angular velocity ω,
//!
//! ```text
//! m dv/dt = −m f k∧v + ∫ (τₐ + τₒ) ds + F        τₐ = ρₐ Cₐ |Uₐ| Uₐ
//! I dω/dt = ∫ r∧(τₐ + τₒ) ds                     τₒ = ρₒ Cₒ |Uₒ − v − ω r⊥| (Uₒ − v − ω r⊥)
//! ```
//!
//! (Rabatel 2015, eq. 1.2.1), and at contacts, impulses p change velocities by Coulomb
//! friction and Poisson restitution, 0 ≤ uₙ ⟂ pₙ ≥ 0, |pₜ| ≤ μ pₙ. A [`World`] holds the state, [`Forcing`] the forces on it, and
//! [`Simulation`] steps it in time.
//!
//! ```
//! use banquise::{BodyKind, BodySpec, Coriolis, Domain, DragSettings, Forcing, Material};
//! use banquise::{NoTimer, Simulation, StepSettings, Thickness, VectorSeries, Velocity, World};
//! use banquise_geometry::{DVec2, Disc, Pose, Rotation, Shape};
//! use std::ops::ControlFlow;
//!
//! let mut world = World::new(Domain::Free, 1);
//! world.add(BodySpec {
//!     name: "floe".into(),
//!     kind: BodyKind::Floe,
//!     shape: Shape::Disc(Disc::try_new(100.0)?),
//!     pose: Pose { position: DVec2::ZERO, rotation: Rotation::IDENTITY },
//!     velocity: Velocity::REST,
//!     thickness: Thickness::Uniform(1.0),
//!     material: Material::default(),
//!     mass: None,
//!     inertia: None,
//! })?;
//! let forcing = Forcing {
//!     drag: Some(DragSettings::default()),
//!     wind: VectorSeries::constant(DVec2::new(10.0, 0.0)),
//!     ..Forcing::none()
//! };
//! let mut simulation = Simulation::new(world, forcing, StepSettings::default(), 10.0);
//! simulation.advance_to(86400.0, &mut NoTimer, &mut |_, _| ControlFlow::Continue(()))?;
//! // Without rotation the floe ends at the Nansen number times the wind.
//! let speed = simulation.world.bodies.motions()[0].velocity.linear.x;
//! assert!((speed - 0.2110).abs() < 1e-4);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! | module | holds |
//! |---|---|
//! | [`units`], [`error`] | hours and kilometres; errors |
//! | [`body`], [`material`] | floes and obstacles, and their materials |
//! | [`domain`], [`series`], [`path`] | edges; wind and current in time; paths of kinematic bodies |
//! | [`world`], [`budget`] | the state; budgets of momentum and energy |
//! | [`forcing`] | drag, Coriolis, ocean layer, given forces, the stable step |
//! | [`fracture`] | floes that break under the forces of their contacts |
//! | [`contact`] | broad and narrow phase, impacts, guaranteed step bound |
//! | [`diagnostics`] | concentration, dispersion, strain rates, spectra and other measures of a pack |
//! | [`step`](mod@step) | one step, stage by stage |
//! | [`simulation`] | a run |
//! | [`pack`] | generation of floes that fill a region |

#![forbid(unsafe_code)]
#![warn(clippy::disallowed_methods, clippy::disallowed_types)]

pub mod body;
pub mod bond;
pub mod budget;
mod chunks;
pub mod contact;
pub mod contact_state;
pub mod diagnostics;
pub mod domain;
pub mod error;
pub mod field;
pub mod footprint;
pub mod force;
pub mod forcing;
pub mod fracture;
pub mod id;
pub mod line;
pub mod material;
pub mod motion;
pub mod pack;
pub mod path;
mod quadrature;
mod random;
pub mod series;
pub mod simulation;
pub mod source;
pub mod step;
pub mod stored;
pub mod units;
pub mod world;

pub use banquise_solver::{Cone, Method, Mode, ProjectionMethod, ProjectionSettings, StopFlag};
pub use body::{Bodies, BodyKind, BodySpec, COLLISION_DISTANCE_RATIO, Life, Thickness};
pub use bond::{Bond, BondStress};
pub use budget::{Account, Budget, ContactBudget, ExchangeBudget, Flux, LayerBudget};
pub use contact::{
    BondSettings, Capture, CapturedImpact, Collision, CollisionDistance, CollisionLog,
    CollisionLogCounts, CollisionLogSettings, ContactLaw, ContactReport, ContactSettings,
    ContactThresholds, CrushingPressure, Healing, Integrator, LubricationForce, Meeting,
    OnUnsolved, Roughness, SolidContact, Squeeze, StepRule, first_meeting, first_meeting_beyond,
    overlaps_by_rounding,
};
pub use contact_state::{ContactLoad, Touched};
pub use domain::{Bounds, Domain, Rectangle};
pub use error::{BodyError, FieldError, PathError, SeriesError, SqueezeCause, StepError};
pub use field::{GriddedField, GriddedTide, Pattern, SpatialField};
pub use footprint::Footprint;
pub use force::{Force, PerForce};
pub use forcing::{
    ADDED_MASS, Attenuation, BodyForce, Coriolis, DragSettings, ExternalLoad, ForceGradient,
    ForceProfile, Forcing, Jonswap, OceanGrid, OceanModel, Push, RAMP_PERIODS, SeaState, SlabOcean,
    TidalConstituent, Tilt, Turn, WaveComponent, Waves,
};
pub use fracture::{
    Criterion, FractureReport, FractureSettings, FractureTimes, RestitutionBin, StressCell,
    breaking_stress,
};
pub use id::BodyId;
pub use line::{Line, LineEnd};
pub use material::Material;
pub use motion::{Motion, Velocity};
pub use path::{BodyPath, Spin, Waypoint};
pub use series::VectorSeries;
pub use simulation::{RunState, Simulation};
pub use source::{Source, SourceError, SourceSettings};
pub use step::{EventPart, NoTimer, Scheme, Stage, StageTimer, StepReport, StepSettings};
pub use stored::StoredError;
pub use world::{Breakage, BreakingForce, Clock, Fate, Gone, World};
