//! How far a recording has come: what it takes to go on with it.

use serde::{Deserialize, Serialize};

/// How far a recording has come, at a checkpoint. Later records are dropped by a run that is resumed from it.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct RecorderPosition {
    /// Records.
    pub records: usize,
    /// Columns of the body axis.
    pub(super) columns: usize,
    /// Vertices of all outlines.
    pub(super) vertices: usize,
    /// Bodies whose end is written.
    pub(super) gone: usize,
    /// Version of the outline of each body that is written, by id.
    pub(super) versions: Vec<u32>,
    pub(super) version_rows: usize,
    pub(super) version_vertices: usize,
    /// Rows of contact forces.
    pub(super) force_rows: usize,
    /// Rows of floes that broke, of their cracks and of the forces that broke them.
    pub(super) breakage_rows: [usize; 3],
}
