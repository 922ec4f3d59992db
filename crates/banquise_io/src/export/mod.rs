//! Recordings in the formats of other programs.
//!
//! [`FORMATS`] is a table; a line there is a format. What is written has another name until it is whole:
//! a file of the name asked for is never half a file.

mod csv;
mod floedyn;
mod geojson;
mod hdf5;
mod netcdf;
mod netcdf3;
mod paraview;
mod source;

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use thiserror::Error;

pub use source::Source;

use crate::film::{self, FilmError};
use crate::zarr::ZarrError;

/// Is told how many records of how many are done.
pub type Watch<'a> = dyn FnMut(usize, usize) + 'a;

/// A format that recordings are written in.
pub struct Format {
    /// Its name for `--to`.
    pub name: &'static str,
    /// What it is, in a line.
    pub meaning: &'static str,
    /// The file or folder in the directory of the run, where no other is asked for.
    pub output: &'static str,
    /// What it shows.
    pub kind: Kind,
    /// Writes the recording to a new path.
    pub write: fn(&Source, &Path, &mut Watch<'_>) -> Result<(), ExportError>,
}

/// What a format shows, and with it what one can choose of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Numbers: nothing to choose.
    Numbers,
    /// Pictures: colours and size.
    Pictures,
    /// A film: colours, size and frames a second.
    Film,
}

/// All formats.
pub const FORMATS: &[Format] = &[
    Format {
        name: "csv",
        meaning: "tables of records, motions, bodies, outlines and loads, in a folder",
        output: "csv",
        kind: Kind::Numbers,
        write: csv::write,
    },
    Format {
        name: "paraview",
        meaning: "a time series of floes as polygons (PVD and VTU), in a folder",
        output: "paraview",
        kind: Kind::Numbers,
        write: paraview::write,
    },
    Format {
        name: "png",
        meaning: "a picture of each record, in a folder",
        output: "pictures",
        kind: Kind::Pictures,
        write: film::write_frames,
    },
    Format {
        name: "gif",
        meaning: "a film for pages and talks",
        output: "film.gif",
        kind: Kind::Film,
        write: film::write_gif,
    },
    Format {
        name: "mp4",
        meaning: "a film for players and browsers (H.264)",
        output: "film.mp4",
        kind: Kind::Film,
        write: film::write_mp4,
    },
    Format {
        name: "geojson",
        meaning: "a polygon for each floe and record, in longitude and latitude",
        output: "floes.geojson",
        kind: Kind::Numbers,
        write: geojson::write_collection,
    },
    Format {
        name: "geojsonseq",
        meaning: "the same, one polygon a line, as ogr2ogr likes it",
        output: "floes.geojsonl",
        kind: Kind::Numbers,
        write: geojson::write_sequence,
    },
    Format {
        name: "netcdf",
        meaning: "one file of trajectories after the CF conventions (classic NetCDF)",
        output: "trajectories.nc",
        kind: Kind::Numbers,
        write: netcdf::write,
    },
    Format {
        name: "floedyn",
        meaning: "states and outlines as FloeDyn has them (HDF5)",
        output: "floedyn.h5",
        kind: Kind::Numbers,
        write: floedyn::write,
    },
];

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
    /// The way out.
    pub fn hint(&self) -> String {
        match self {
            Self::UnknownFormat { .. } => {
                let names: Vec<&str> = FORMATS.iter().map(|format| format.name).collect();
                format!("the formats are {}", names.join(", "))
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
            Self::Exists { .. } => "give another name with --out, or remove it".into(),
            Self::TooLarge { .. } => "take fewer records with --every".into(),
            Self::Antimeridian { .. } => "move `[origin]` a little".into(),
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

/// The format of that name.
///
/// # Errors
/// When there is none.
pub fn find(name: &str) -> Result<&'static Format, ExportError> {
    let mut formats = FORMATS.iter();
    let found = formats.find(|format| format.name == name);
    found.ok_or_else(|| ExportError::UnknownFormat { name: name.into() })
}

/// Writes the recording of a run in another format, and says where: `out`, or the format's own name in
/// the run's folder.
///
/// # Errors
/// When there is no recording, the output is there already, or it cannot be written; then nothing is left.
pub fn export(
    source: &Source,
    format: &Format,
    out: Option<&Path>,
    watch: &mut Watch<'_>,
) -> Result<PathBuf, ExportError> {
    let out = match out {
        Some(out) => out.to_owned(),
        None => source.folder.join(format.output),
    };
    if out.exists() {
        return Err(ExportError::Exists { path: out });
    }
    let folder = out.parent().filter(|path| !path.as_os_str().is_empty());
    if let Some(path) = folder.filter(|path| !path.is_dir()) {
        let path = path.to_owned();
        return Err(ExportError::NoFolder { path });
    }
    let mut name = out.file_name().unwrap_or_default().to_owned();
    name.push(format!(".{}.partial", std::process::id()));
    let partial = out.with_file_name(name);
    let renamed = |()| fs::rename(&partial, &out).map_err(|error| ExportError::write(&out, error));
    let written = (format.write)(source, &partial, watch).and_then(renamed);
    if let Err(error) = written {
        // What is left of it is of no use; if it cannot be removed either, the first error tells more.
        drop(fs::remove_dir_all(&partial).or_else(|_| fs::remove_file(&partial)));
        return Err(match error {
            // The name for the time being says nothing to anybody.
            ExportError::Write { path, source } if path.starts_with(&partial) => {
                ExportError::write(&out, source)
            }
            other => other,
        });
    }
    Ok(out)
}
