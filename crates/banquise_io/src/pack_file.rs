//! The file of a pack: JSON with floes in their places.
//!
//! ```json
//! {
//!   "name": "basin",
//!   "floes": [
//!     {"thickness": 1.0, "outline": [[0.0, 0.0], [40.0, 0.0], [30.0, 20.0], [5.0, 25.0]]}
//!   ]
//! }
//! ```
//!
//! Lengths are in metres. Other keys are left alone: `banquise pack` writes how the pack was made.

use std::fs;
use std::io;
use std::path::Path;

use banquise::pack::PackFloe;
use banquise_geometry::{DVec2, GeometryError, Outline};
use serde::Deserialize;
use serde_json::{Value, json};
use thiserror::Error;

use crate::scenario::{MAX_FILE_BYTES, read_bounded};

/// Floes in their places.
#[derive(Clone, Debug, PartialEq)]
pub struct PackFile {
    /// Name of the pack.
    pub name: String,
    /// The floes; at least one.
    pub floes: Vec<PackFloe>,
}

/// Error of a file that is not a pack.
#[derive(Debug, Error)]
pub enum PackFileError {
    /// The file cannot be read or written.
    #[error("{0}")]
    File(#[from] io::Error),
    /// More bytes than any pack needs.
    #[error("it is larger than {} MiB", MAX_FILE_BYTES >> 20)]
    TooLarge,
    /// Not JSON, or JSON of another shape.
    #[error("{0}")]
    Json(#[from] serde_json::Error),
    /// A list without an entry.
    #[error("its list of floes is empty")]
    Empty,
    /// A thickness that is none.
    #[error("floe {index}: the thickness must be positive, but is {value}")]
    Thickness {
        /// Which, counted from 0.
        index: usize,
        /// The thickness \[m\].
        value: f64,
    },
    /// One of the outlines is none.
    #[error("floe {index}: {source}")]
    Outline {
        /// Which, counted from 0.
        index: usize,
        /// The cause.
        source: GeometryError,
    },
}

impl PackFileError {
    /// Hint to the user: how to avoid the error.
    pub fn hint(&self) -> &'static str {
        match self {
            Self::File(_) => "check the path and its permissions",
            Self::TooLarge => "split the pack, or simplify its outlines",
            Self::Json(error) if error.is_data() => {
                "a pack is `{\"name\": \"…\", \"floes\": [{\"thickness\": 1.0, \"outline\": [[x, y], …]}, …]}`, \
                 in metres"
            }
            Self::Json(_) => "the file must be one JSON object, with finite numbers",
            Self::Empty => "a pack needs at least one floe",
            Self::Thickness { .. } => "thicknesses are in metres",
            Self::Outline { source, .. } => source.hint(),
        }
    }
}

#[derive(Deserialize)]
#[serde(expecting = "an object with `name` and `floes`")]
struct Entries {
    name: String,
    floes: Vec<FloeEntry>,
}

#[derive(Deserialize)]
#[serde(expecting = "an object with `thickness` and `outline`")]
struct FloeEntry {
    thickness: f64,
    outline: Vec<[f64; 2]>,
}

impl PackFile {
    /// Reads a file.
    ///
    /// # Errors
    /// When the file cannot be read, or is no pack.
    pub fn read(path: &Path) -> Result<Self, PackFileError> {
        let bytes = read_bounded(path)?.ok_or(PackFileError::TooLarge)?;
        Self::from_entries(serde_json::from_slice(&bytes)?)
    }

    /// Reads the text of a pack.
    ///
    /// # Errors
    /// When the text is no pack.
    pub fn from_json(text: &str) -> Result<Self, PackFileError> {
        Self::from_entries(serde_json::from_str(text)?)
    }

    fn from_entries(file: Entries) -> Result<Self, PackFileError> {
        if file.floes.is_empty() {
            return Err(PackFileError::Empty);
        }
        let floe = |(index, entry): (usize, FloeEntry)| {
            let value = entry.thickness;
            if !(value > 0.0 && value.is_finite()) {
                return Err(PackFileError::Thickness { index, value });
            }
            let ring: Vec<DVec2> = entry.outline.into_iter().map(DVec2::from).collect();
            let outline = Outline::from_ring(&ring);
            let outline = outline.map_err(|source| PackFileError::Outline { index, source })?;
            Ok(PackFloe {
                outline,
                thickness: value,
            })
        };
        let floes = file.floes.into_iter().enumerate().map(floe);
        Ok(Self {
            name: file.name,
            floes: floes.collect::<Result<_, _>>()?,
        })
    }

    /// The pack as JSON that reads back exactly, a floe on each line; `about` tells how it was made.
    pub fn to_json(&self, about: &Value) -> String {
        let floes = self.floes.iter().map(|floe| {
            let outline: Vec<[f64; 2]> = floe
                .outline
                .vertices()
                .iter()
                .map(DVec2::to_array)
                .collect();
            let entry = json!({"thickness": floe.thickness, "outline": outline});
            format!("    {entry}")
        });
        format!(
            "{{\n  \"name\": {},\n  \"about\": {about},\n  \"floes\": [\n{}\n  ]\n}}\n",
            json!(self.name),
            floes.collect::<Vec<_>>().join(",\n")
        )
    }

    /// Writes a file, which appears whole or not at all.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn write(&self, path: &Path, about: &Value) -> Result<(), PackFileError> {
        let mut partial = path.as_os_str().to_owned();
        partial.push(".partial");
        fs::write(&partial, self.to_json(about))?;
        Ok(fs::rename(&partial, path)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pack_reads_back_exactly() {
        let floe = |radius, thickness| PackFloe {
            outline: Outline::regular_polygon(radius, 7).unwrap(),
            thickness,
        };
        let pack = PackFile {
            name: "x".into(),
            floes: vec![floe(100.0 / 3.0, 0.1), floe(3.0, 2.0)],
        };
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("pack.json");
        pack.write(&path, &json!({"seed": 3})).unwrap();
        assert_eq!(PackFile::read(&path).unwrap(), pack);
    }
}
