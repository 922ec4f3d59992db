//! Where results are written: nothing is overwritten.

use std::fs;
use std::path::{Path, PathBuf};

use crate::failure::Failure;

/// The directory asked for, which must be new or empty; or the next free one for this name.
pub(crate) fn output_directory(asked: Option<&Path>, name: &str) -> Result<PathBuf, Failure> {
    let directory = match asked {
        Some(directory) => directory.to_path_buf(),
        None => next_free(name),
    };
    let is_used = match fs::read_dir(&directory) {
        Ok(mut entries) => entries.next().is_some(),
        Err(_) => directory.exists(),
    };
    if is_used {
        return Err(Failure::usage(
            format!("`{}` holds something already", directory.display()),
            "name a new directory with --out, or remove this one: nothing is overwritten",
        ));
    }
    fs::create_dir_all(&directory).map_err(|error| Failure::file(&directory, &error))?;
    Ok(directory)
}

fn next_free(name: &str) -> PathBuf {
    let runs = Path::new("runs");
    let numbered = (2..).map(|number| runs.join(format!("{name}-{number}")));
    std::iter::once(runs.join(name))
        .chain(numbered)
        .find(|directory| !directory.exists())
        .expect("there are more numbers than directories")
}
