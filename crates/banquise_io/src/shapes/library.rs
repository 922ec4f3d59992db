//! The file of a shape library: JSON with a name and a list of outlines.
//!
//! ```json
//! {
//!   "name": "robeson",
//!   "outlines": [
//!     [[0.0, 0.0], [40.0, 0.0], [30.0, 20.0], [5.0, 25.0]]
//!   ]
//! }
//! ```
//!
//! Lengths are in metres. Packs place, turn and scale the outlines of a library, so their
//! positions do not matter; a scene can take them in their positions too. Other keys are left alone:
//! a library may tell its source.

use std::fs;
use std::io;
use std::path::Path;
use std::sync::LazyLock;

use banquise::pack::builtin_shapes;
use banquise_geometry::{DVec2, GeometryError, Outline};
use serde::Deserialize;
use thiserror::Error;

use crate::scenario::{MAX_FILE_BYTES, read_bounded};

/// Outlines with a name for all of them.
#[derive(Clone, Debug, PartialEq)]
pub struct ShapeLibrary {
    /// Name of the library.
    pub name: String,
    /// The outlines \[m\]; at least one.
    pub outlines: Vec<Outline>,
}

/// Error of a file that is not a shape library.
#[derive(Debug, Error)]
pub enum LibraryError {
    /// The file cannot be read or written.
    #[error("{0}")]
    File(#[from] io::Error),
    /// More bytes than any library needs.
    #[error("it is larger than {} MiB", MAX_FILE_BYTES >> 20)]
    TooLarge,
    /// Not JSON, or JSON of another shape.
    #[error("{0}")]
    Json(#[from] serde_json::Error),
    /// A list without an entry.
    #[error("its list of outlines is empty")]
    Empty,
    /// One of the outlines is none.
    #[error("outline {index}: {source}")]
    Outline {
        /// Which, counted from 0.
        index: usize,
        /// The cause.
        source: GeometryError,
    },
}

impl LibraryError {
    /// Hint to the user: how to avoid the error.
    pub fn hint(&self) -> &'static str {
        match self {
            Self::File(_) => "check the path and its permissions",
            Self::TooLarge => "simplify the outlines, or split the library",
            Self::Json(error) if error.is_data() => {
                "a library is `{\"name\": \"…\", \"outlines\": [[[x, y], …], …]}`, in metres"
            }
            Self::Json(_) => "the file must be one JSON object, with finite numbers",
            Self::Empty => "a library needs at least one outline",
            Self::Outline { source, .. } => source.hint(),
        }
    }
}

#[derive(Deserialize)]
#[serde(expecting = "an object with `name` and `outlines`")]
struct LibraryFile {
    name: String,
    outlines: Vec<Vec<[f64; 2]>>,
}

impl ShapeLibrary {
    /// The shapes that come with the program.
    pub fn builtin() -> Self {
        // Checking hundreds of outlines takes longer than reading a scenario.
        static OUTLINES: LazyLock<Vec<Outline>> = LazyLock::new(builtin_shapes);
        Self {
            name: "builtin".into(),
            outlines: OUTLINES.clone(),
        }
    }

    /// Reads a file.
    ///
    /// # Errors
    /// When the file cannot be read, or is no library.
    pub fn read(path: &Path) -> Result<Self, LibraryError> {
        let bytes = read_bounded(path)?.ok_or(LibraryError::TooLarge)?;
        Self::from_file(serde_json::from_slice(&bytes)?)
    }

    /// Reads the text of a library.
    ///
    /// # Errors
    /// When the text is no library.
    pub fn from_json(text: &str) -> Result<Self, LibraryError> {
        Self::from_file(serde_json::from_str(text)?)
    }

    /// Rings of other programs may repeat their first vertex, or have vertices in line: these are
    /// left out.
    fn from_file(file: LibraryFile) -> Result<Self, LibraryError> {
        if file.outlines.is_empty() {
            return Err(LibraryError::Empty);
        }
        let outline = |(index, points): (usize, Vec<[f64; 2]>)| {
            let ring: Vec<DVec2> = points.into_iter().map(DVec2::from).collect();
            Outline::from_ring(&ring).map_err(|source| LibraryError::Outline { index, source })
        };
        let outlines = file.outlines.into_iter().enumerate().map(outline);
        Ok(Self {
            name: file.name,
            outlines: outlines.collect::<Result<_, _>>()?,
        })
    }

    /// The library as JSON that reads back exactly, an outline on each line.
    pub fn to_json(&self) -> String {
        let json = |value: &serde_json::Value| value.to_string();
        let outlines = self.outlines.iter().map(|outline| {
            let points: Vec<[f64; 2]> = outline.vertices().iter().map(DVec2::to_array).collect();
            format!("    {}", json(&serde_json::json!(points)))
        });
        format!(
            "{{\n  \"name\": {},\n  \"outlines\": [\n{}\n  ]\n}}\n",
            json(&serde_json::json!(self.name)),
            outlines.collect::<Vec<_>>().join(",\n")
        )
    }

    /// Writes a file, which appears whole or not at all.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn write(&self, path: &Path) -> Result<(), LibraryError> {
        let mut partial = path.as_os_str().to_owned();
        partial.push(".partial");
        fs::write(&partial, self.to_json())?;
        Ok(fs::rename(&partial, path)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_library_reads_back_exactly() {
        let third = 1.0 / 3.0;
        let triangle = [[0.0, 0.1], [third, -7e-5], [12.0, 1e6 + third]].map(DVec2::from);
        let library = ShapeLibrary {
            name: "a \"b\"\nc".into(),
            outlines: vec![
                Outline::try_new(triangle.to_vec()).unwrap(),
                Outline::regular_polygon(10.0, 7).unwrap(),
            ],
        };
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("shapes.json");
        library.write(&path).unwrap();
        assert_eq!(ShapeLibrary::read(&path).unwrap(), library);
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn closing_vertices_and_unknown_keys_do_no_harm() {
        let text = r#"{"name": "x", "source": "a survey",
            "outlines": [[[0,0],[1,0],[2,0],[2,2],[0,2],[0,0]]]}"#;
        let library = ShapeLibrary::from_json(text).unwrap();
        assert_eq!(library.outlines[0].vertices().len(), 4);
    }

    #[test]
    fn a_missing_file_is_named_by_its_caller() {
        let error = ShapeLibrary::read(Path::new("/no/such/file")).unwrap_err();
        assert!(matches!(error, LibraryError::File(_)));
    }
}
