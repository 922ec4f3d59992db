//! Recordings in the formats of other programs.
//!
//! [`FORMATS`] is a table; a line there is a format. What is written has another name until it is whole:
//! a file of the name asked for is never half a file.

mod coloring;
mod csv;
mod error;
pub mod film;
mod film_wishes;
mod floedyn;
mod geojson;
mod netcdf;
mod netcdf3;
mod paraview;
mod source;

use std::fs;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

pub use error::ExportError;
pub use source::Source;

/// Is told how many records of how many are done.
pub type Watch<'a> = dyn FnMut(usize, usize) -> ControlFlow<()> + 'a;

/// Goes on, or ends the export where it was watched so.
fn watched(flow: ControlFlow<()>) -> Result<(), ExportError> {
    match flow {
        ControlFlow::Continue(()) => Ok(()),
        ControlFlow::Break(()) => Err(ExportError::Interrupted),
    }
}

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
            // The user has never seen the temporary name.
            ExportError::Write { path, source } if path.starts_with(&partial) => {
                ExportError::write(&out, source)
            }
            other => other,
        });
    }
    Ok(out)
}
