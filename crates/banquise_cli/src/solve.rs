//! `banquise solve`: one stored problem, its solution and its residual as JSON, or the problem in the format of FCLIB.

use std::fs;
use std::io::Read;
use std::path::Path;
use std::process::ExitCode;

use banquise_io::fclib::{FclibError, FclibForm, is_hdf5, read_fclib, write_fclib};
use banquise_io::whole_file::write_whole;
use banquise_solver::Problem;
use serde_json::json;

use crate::arguments::{FormChoice, SolveArguments};
use crate::failure::Failure;

pub(crate) fn solve(arguments: &SolveArguments) -> Result<ExitCode, Failure> {
    let problem = read(&arguments.file)?;
    let Some(out) = &arguments.fclib else {
        println!("{}", problem.answer());
        return Ok(ExitCode::SUCCESS);
    };
    if out.exists() {
        return Err(Failure::usage(
            format!("{} is there already", out.display()),
            "give another name with --fclib, or remove it",
        ));
    }
    let form = match arguments.form {
        FormChoice::Local => FclibForm::Local,
        FormChoice::Global => FclibForm::Global,
    };
    let title = arguments.file.file_stem().unwrap_or_default();
    let bytes = write_fclib(&problem, form, &title.to_string_lossy())
        .map_err(|error| refused(&arguments.file, &error))?;
    write_whole(out, &bytes).map_err(|error| Failure::file(out, &error))?;
    println!("{}", json!({"fclib": out, "bytes": bytes.len()}));
    Ok(ExitCode::SUCCESS)
}

/// The problem in a file, or in the standard input for `-`.
fn read(path: &Path) -> Result<Problem, Failure> {
    let bytes = read_bytes(path)?;
    if is_hdf5(&bytes) {
        return read_fclib(bytes).map_err(|error| refused(path, &error));
    }
    parse(path, &text_of(path, bytes)?)
}

fn refused(path: &Path, error: &FclibError) -> Failure {
    Failure::usage(format!("{}: {error}", path.display()), error.hint())
}

/// The bytes of a file, or of the standard input for `-`.
pub(crate) fn read_bytes(path: &Path) -> Result<Vec<u8>, Failure> {
    let bytes = if path == Path::new("-") {
        let mut bytes = Vec::new();
        let input = std::io::stdin().read_to_end(&mut bytes);
        input.map(|_| bytes)
    } else {
        fs::read(path)
    };
    bytes.map_err(|error| Failure::file(path, &error))
}

/// Bytes as text.
pub(crate) fn text_of(path: &Path, bytes: Vec<u8>) -> Result<String, Failure> {
    String::from_utf8(bytes).map_err(|error| {
        Failure::usage(
            format!(
                "{}: not text: byte {} is no UTF-8",
                path.display(),
                error.utf8_error().valid_up_to()
            ),
            "the file must be one JSON object, with finite numbers",
        )
    })
}

/// The problem in a text.
pub(crate) fn parse(path: &Path, text: &str) -> Result<Problem, Failure> {
    Problem::from_json(text)
        .map_err(|error| Failure::usage(format!("{}: {error}", path.display()), error.hint()))
}
