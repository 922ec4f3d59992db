//! Files that a scenario names.

use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use crate::scenario::{Problem, ProblemKind, Problems, Spanned};

/// The text of a file beside the scenario.
pub(super) fn read_text(
    file: &Spanned<PathBuf>,
    folder: &Path,
    problems: &Problems,
) -> Option<String> {
    read(file, folder, problems, |path| fs::read_to_string(path))
}

/// The bytes of a file beside the scenario.
pub(super) fn read_bytes(
    file: &Spanned<PathBuf>,
    folder: &Path,
    problems: &Problems,
) -> Option<Vec<u8>> {
    read(file, folder, problems, |path| fs::read(path))
}

/// Reads a file with `open`; its failure is reported where the file is named.
pub(super) fn read<T>(
    file: &Spanned<PathBuf>,
    folder: &Path,
    problems: &Problems,
    open: impl Fn(&Path) -> io::Result<T>,
) -> Option<T> {
    let path = folder.join(&file.value);
    let name = path.display().to_string();
    match open(&path) {
        Ok(content) => Some(content),
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
