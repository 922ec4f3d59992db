//! Why a recording could not be written in another format.

use std::io;
use std::path::{Path, PathBuf};

use thiserror::Error;

use super::FORMATS;
use super::film_wishes::FilmError;
use crate::scenario::suggest;
use crate::zarr::ZarrError;

/// Why a recording could not be written in another format.
#[derive(Debug, Error)]
pub enum ExportError {
    /// No such format.
    #[error("there is no format `{name}`")]
    UnknownFormat {
        /// The name asked for.
        name: String,
    },
    /// There is no recording, or it is damaged.
    #[error(transparent)]
    Recording(#[from] ZarrError),
    /// The recording has no record.
    #[error("{} has no record yet", path.display())]
    NoRecord {
        /// The directory of the run.
        path: PathBuf,
    },
    /// The dataset was named instead of the run.
    #[error("{} is the dataset of a run", path.display())]
    IsDataset {
        /// The dataset.
        path: PathBuf,
    },
    /// What was asked of pictures or films cannot be.
    #[error(transparent)]
    Film(#[from] FilmError),
    /// The folder to write into is not there.
    #[error("the folder {} does not exist", path.display())]
    NoFolder {
        /// The folder.
        path: PathBuf,
    },
    /// A film without pictures.
    #[error("the film {} has no pictures", path.display())]
    NoPictures {
        /// The film.
        path: PathBuf,
    },
    /// The output is there already.
    #[error("{} is there already", path.display())]
    Exists {
        /// The file or folder.
        path: PathBuf,
    },
    /// The format cannot hold so much.
    #[error("{what} would take {bytes} bytes, more than {format} can hold")]
    TooLarge {
        /// What is too large.
        what: String,
        /// Its size.
        bytes: u64,
        /// The format, for people.
        format: &'static str,
    },
    /// An outline cannot be cut at the meridian of 180 degrees.
    #[error("the outline of body {body} cannot be cut at 180 degrees: {source}")]
    Antimeridian {
        /// Id of the body.
        body: i64,
        /// Why.
        source: banquise_geometry::GeometryError,
    },
    /// It was interrupted.
    #[error("the export was interrupted")]
    Interrupted,
    /// The file system refused.
    #[error("cannot write {}: {source}", path.display())]
    Write {
        /// The file or folder.
        path: PathBuf,
        /// The system's answer.
        source: io::Error,
    },
}

impl ExportError {
    /// Hint to the user: how to avoid the error.
    pub fn hint(&self) -> String {
        match self {
            Self::UnknownFormat { name } => {
                let names: Vec<&str> = FORMATS.iter().map(|format| format.name).collect();
                suggest(name, "the formats are", &names)
            }
            Self::Recording(_) | Self::NoRecord { .. } => {
                "name the directory of a run, as printed by `banquise run`".into()
            }
            Self::IsDataset { path } => {
                let run = path.parent().filter(|run| !run.as_os_str().is_empty());
                let run = run.unwrap_or(Path::new("."));
                format!("name the directory of the run, {}", run.display())
            }
            Self::Film(error) => error.hint(),
            Self::NoFolder { .. } => "make it first, or give another --out".into(),
            Self::NoPictures { .. } => "draw at least one instant".into(),
            Self::Exists { .. } => "give another name with --out, or remove it".into(),
            Self::TooLarge { .. } => "take fewer records with --every".into(),
            Self::Antimeridian { .. } => "move `[origin]` a little".into(),
            Self::Interrupted => "nothing is left of it".into(),
            Self::Write { .. } => "is the disk full, or the directory gone?".into(),
        }
    }

    pub(crate) fn write(path: &Path, source: io::Error) -> Self {
        Self::Write {
            path: path.to_owned(),
            source,
        }
    }
}
