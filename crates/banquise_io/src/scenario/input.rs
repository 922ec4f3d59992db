//! The text of a scenario, read once: everything that is made of it, and what is recorded of it, is of the same bytes.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use super::bounded::read_bounded;
use super::problem::{Problem, ProblemKind};
use super::render::ScenarioError;
use super::source::Sources;

/// A scenario as it is written, with what it is called and where the files lie that it names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScenarioInput {
    /// Label in messages: the path of a file.
    pub label: String,
    /// Name of its runs: the file's name without its ending.
    pub name: String,
    /// Where the files are that it names.
    pub folder: PathBuf,
    /// As read; whether it is UTF-8 is for [`Document`](super::Document) to say.
    pub bytes: Vec<u8>,
}

impl ScenarioInput {
    /// Reads a scenario file.
    ///
    /// # Errors
    ///
    /// The file cannot be read, or is too large.
    pub fn read(path: &Path) -> Result<Self, ScenarioError> {
        let label = path.display().to_string();
        let kind = match read_bounded(path) {
            Ok(None) => ProblemKind::FileTooLarge { path: label },
            Ok(Some(bytes)) => {
                let name = path.file_stem().unwrap_or_default().to_string_lossy();
                return Ok(Self {
                    label,
                    name: name.into_owned(),
                    folder: path.parent().unwrap_or(Path::new("")).to_owned(),
                    bytes,
                });
            }
            Err(error) if error.kind() == ErrorKind::NotFound => {
                ProblemKind::FileNotFound { path: label }
            }
            Err(source) => ProblemKind::FileUnreadable {
                path: label,
                source,
            },
        };
        let problems = vec![Problem::without_place(kind)];
        Err(ScenarioError::new(Sources::default(), problems))
    }

    /// A text that is no file; files it names are looked for in `folder`.
    pub fn of_text(name: &str, text: &str, folder: &Path) -> Self {
        Self {
            label: name.to_owned(),
            name: name.to_owned(),
            folder: folder.to_owned(),
            bytes: text.as_bytes().to_vec(),
        }
    }
}
