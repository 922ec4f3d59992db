//! Contact: broad and narrow phase, islands, contact problems and their impulses, and the guaranteed step bound.

mod bonding;
mod broad;
mod candidate;
mod capture;
mod chord;
mod collide;
mod convex_length;
mod crush;
mod films;
mod fixed_step;
mod frozen;
mod gluey;
mod island;
mod islands;
mod joint;
mod law;
mod load;
mod log;
mod meeting;
mod pair;
mod pair_cache;
mod place;
mod report;
mod row_impulses;
mod rules;
mod search;
mod settings;
mod solid;
mod spin;
mod squeeze;
mod step_bound;
mod struck;
mod touching;
mod warm_start;
mod workspaces;

pub(crate) use candidate::ContactCandidate;
pub use capture::{Capture, CapturedImpact};
pub(crate) use chord::{half_plane, placed};
pub(crate) use collide::{CollideScratch, collide, collide_islands};
pub(crate) use convex_length::convex_step_length;
pub(crate) use crush::SOLUTIONS;
pub use films::LubricationForce;
pub(crate) use fixed_step::{FixedStepScratch, solve_fixed_step};
pub(crate) use gluey::{GlueyScratch, settle_bonds, solve_convex_step};
pub(crate) use island::SqueezedIsland;
pub use law::{BondSettings, ContactLaw, Healing, Roughness, SolidContact};
pub use log::{Collision, CollisionLog, CollisionLogCounts};
pub use meeting::{Meeting, first_meeting, first_meeting_beyond, overlaps_by_rounding};
pub(crate) use pair::{Pair, PairQuery};
pub use report::ContactReport;
pub(crate) use rules::is_impact;
pub(crate) use search::{SearchScratch, gap_of, margin_of, search, speed_in};
pub use settings::{
    CollisionDistance, CollisionLogSettings, ContactSettings, ContactThresholds, CrushingPressure,
    Integrator, OnUnsolved, Squeeze, StepRule,
};
pub(crate) use squeeze::CrushedPair;
pub(crate) use step_bound::{free_time, safe_time_of, stays_apart, step_time};
pub(crate) use touching::note_collisions;
