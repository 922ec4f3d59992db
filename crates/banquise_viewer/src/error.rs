//! Errors of the viewer.

use std::path::PathBuf;

use banquise_io::zarr::ZarrError;
use thiserror::Error;

/// Error of a run that cannot be shown.
#[derive(Debug, Error)]
pub enum ViewError {
    /// The recording is missing or damaged.
    #[error(transparent)]
    Recording(#[from] ZarrError),
    /// A link in the recording points to somewhere else.
    #[error("`{}` is a link to something outside of the run's directory", path.display())]
    LeavingLink {
        /// The link.
        path: PathBuf,
    },
}
