//! Bodies that meet: who is close to whom, which impulses keep them apart, and how long they may
//! move before somebody must look again.

mod budget;
mod capture;
mod collide;
mod load;
mod meeting;
mod safe_time;
mod search;
mod settings;
mod touching;

pub use budget::{ContactBudget, ContactReport};
pub use capture::CapturedImpact;
pub(crate) use collide::{CollideScratch, collide};
pub use load::{ContactLoad, Loads};
pub use meeting::{Meeting, first_meeting};
pub(crate) use safe_time::step_time;
pub(crate) use search::{SearchScratch, search};
pub use settings::{CollisionDistance, ContactSettings, StepRule};
pub use touching::Touched;
