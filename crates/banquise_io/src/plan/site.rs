//! Where a scenario is.

use std::path::Path;

use crate::geography::LocalFrame;

/// Where files are and where the plane lies.
#[derive(Clone, Copy)]
pub(super) struct Site<'a> {
    pub(super) folder: &'a Path,
    pub(super) origin: Option<LocalFrame>,
}
