//! Sweeps: many runs of one scenario whose keys differ, and what they have in common.
//!
//! ```text
//! study.toml ──► Study: members ──► DIR/members/HASH/member.json ──► table.csv, sweep.html, ensemble.zarr
//! ```
//!
//! A member's folder is named by the hash of its scenario, its overrides and what is measured. There is no other state: the process that
//! holds the lock of a folder runs the member, and a member that has its result is not run again by any process or machine that
//! shares the folder.

mod csv;
mod dataset;
mod design;
mod execute;
mod gather;
mod measures;
mod members;
mod page;
mod page_figures;
mod parameter;
mod study;

pub use csv::{CsvTable, CsvTableError, parse_csv};
pub use dataset::write_dataset;
pub use execute::{Pause, run_member};
pub use gather::{Gathered, SweepPlan, gather};
pub use measures::{MEASURES, Measure};
pub use members::{
    Attempt, MemberFailure, MemberResult, MemberStatus, SweepError, member_folder, member_id,
    read_member, with_member,
};
pub use page::write_page;
pub use study::{Member, OutcomeSpec, Statistic, Study};

/// File of a member's result, in its folder.
pub const MEMBER_FILE: &str = "member.json";
/// What a sweep's folder holds its plan in.
pub const PLAN_FILE: &str = "sweep.json";
/// The table of all members.
pub const TABLE_FILE: &str = "table.csv";
/// The page that compares members.
pub const PAGE_FILE: &str = "sweep.html";
/// The dataset of all members.
pub const ENSEMBLE: &str = "ensemble.zarr";
/// Members of a study at most: each is a folder.
pub const MAX_MEMBERS: usize = 100_000;
