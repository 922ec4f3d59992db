//! Errors of files in the format of FCLIB.

use banquise_solver::ProblemError;
use hdf5_reader::error::Error as Hdf5Error;
use thiserror::Error;

/// Error of a file that is no contact problem of FCLIB, or of a problem that cannot be written as one.
#[derive(Debug, Error)]
pub enum FclibError {
    /// Not HDF5, or damaged.
    #[error("{0}")]
    Hdf5(#[from] Hdf5Error),
    /// No problem in the file.
    #[error("the file has neither a group `fclib_local` nor a group `fclib_global`")]
    NoProblem,
    /// A data set is missing or of another kind.
    #[error("`{path}`: {source}")]
    Dataset {
        /// Where.
        path: String,
        /// The cause.
        source: Hdf5Error,
    },
    /// A data set with more or fewer numbers than needed.
    #[error("`{path}` has {found} numbers, where {expected} are needed")]
    Length {
        /// Where.
        path: String,
        /// How many it has.
        found: usize,
        /// How many are needed.
        expected: usize,
    },
    /// A number out of range.
    #[error("`{path}` is {found}, where {expected} is needed")]
    Value {
        /// Where.
        path: String,
        /// The number.
        found: i64,
        /// What is needed.
        expected: String,
    },
    /// A problem in another number of dimensions.
    #[error("`{path}` is {found}: the problem is not one of two dimensions")]
    Dimension {
        /// Where.
        path: String,
        /// The number.
        found: i64,
    },
    /// Equality constraints beside the contacts.
    #[error("`{path}`: the problem has equality constraints beside its contacts")]
    Equality {
        /// Where.
        path: String,
    },
    /// M is no mass matrix.
    #[error("`fclib_global/M` is not {what} at row {row}")]
    Mass {
        /// What it is not.
        what: &'static str,
        /// Where.
        row: usize,
    },
    /// More than can be solved.
    #[error("`{path}`: {what}")]
    TooLarge {
        /// Where.
        path: String,
        /// What is too large.
        what: String,
    },
    /// The numbers make no problem.
    #[error("{0}")]
    Problem(#[from] ProblemError),
    /// A problem that has no place in the format.
    #[error("{what} has no place in the format of FCLIB")]
    NoPlace {
        /// What it is.
        what: &'static str,
    },
}

impl FclibError {
    /// Hint to the user: how to avoid the error.
    pub fn hint(&self) -> &'static str {
        match self {
            Self::Hdf5(_) | Self::NoProblem | Self::Dataset { .. } => {
                "it must be an HDF5 file of FCLIB: `h5ls -r FILE` lists what is in a file"
            }
            Self::Length { .. } | Self::Value { .. } => {
                "matrices and vectors of a problem must be about the same contacts"
            }
            Self::Dimension { .. } => "problems of FCLIB with `spacedim` 2 can be solved",
            Self::Equality { .. } => "eliminate them: `V`, `R` and `G` must not be there",
            Self::Mass { .. } => "a mass matrix is symmetric and positive definite",
            Self::TooLarge { .. } => "give the problem in local form, with a sparse `W`",
            Self::Problem(source) => source.hint(),
            Self::NoPlace { .. } => {
                "impacts, fixed steps and friction in local form can be written, with one contact at least; of \
                 these only bodies and contacts in global form"
            }
        }
    }
}
