//! Files that a scenario names.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use crate::scenario::{Problem, ProblemKind, Problems, Spanned};

/// The text of a file beside the scenario.
pub(super) fn read_text(
    file: &Spanned<PathBuf>,
    folder: &Path,
    problems: &Problems,
) -> Option<String> {
    let path = folder.join(&file.value);
    let name = path.display().to_string();
    match fs::read_to_string(&path) {
        Ok(text) => Some(text),
        Err(source) if source.kind() == ErrorKind::NotFound => {
            let problem = Problem::new(ProblemKind::FileNotFound { path: name }, file.span);
            problems.push(problem.with_hint("paths count from the folder of the scenario".into()));
            None
        }
        Err(source) => {
            let kind = ProblemKind::FileUnreadable { path: name, source };
            problems.push(Problem::new(kind, file.span));
            None
        }
    }
}
