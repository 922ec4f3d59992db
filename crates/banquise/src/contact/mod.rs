//! Bodies that meet: who is close to whom, which impulses keep them apart, and how long they may
//! move before somebody must look again.

mod broad;
mod budget;
mod capture;
mod collide;
mod islands;
mod last_impulses;
mod load;
mod meeting;
mod memory;
mod pair;
mod safe_time;
mod search;
mod settings;
mod stepping;
mod touching;
mod workspaces;

pub use budget::{ContactBudget, ContactReport};
pub use capture::{Capture, CapturedImpact};
pub(crate) use collide::{CollideScratch, collide, collide_islands, is_met};
pub(crate) use last_impulses::ContactKey;
pub use load::{ContactLoad, Loads};
pub use meeting::{Meeting, first_meeting};
pub(crate) use pair::Pair;
pub(crate) use safe_time::{ENTRY, safe_time_of, stays_apart, step_time};
pub(crate) use search::{Near, SearchScratch, gap_of, margin_of, search, speed_in};
pub use settings::{CollisionDistance, ContactSettings, Integrator, OnUnsolved, StepRule};
pub(crate) use stepping::{SteppingScratch, keep_apart};
pub use touching::Touched;
pub(crate) use touching::note_collisions;
