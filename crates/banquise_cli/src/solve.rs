//! `banquise solve`: one stored problem, its solution and its residual as JSON.

use std::fs;
use std::io::Read;
use std::path::Path;
use std::process::ExitCode;

use banquise_solver::Problem;

use crate::arguments::SolveArguments;
use crate::failure::Failure;

pub(crate) fn solve(arguments: &SolveArguments) -> Result<ExitCode, Failure> {
    let text = read(&arguments.file)?;
    let problem = parse(&arguments.file, &text)?;
    println!("{}", problem.answer());
    Ok(ExitCode::SUCCESS)
}

/// The text of a file, or of the standard input for `-`.
fn read(path: &Path) -> Result<String, Failure> {
    text_of(path, read_bytes(path)?)
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
