//! `banquise report`.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use banquise_io::report::PAGE;

use crate::arguments::ReportArguments;
use crate::failure::Failure;

pub(crate) fn report(arguments: &ReportArguments) -> Result<ExitCode, Failure> {
    let directory = &arguments.directory;
    let report = banquise_io::report::report(directory)
        .map_err(|error| Failure::no_run(directory, &error))?;
    write(&directory.join(PAGE), &report.html)?;
    if arguments.svg {
        for (name, svg) in &report.figures {
            write(&directory.join(name), svg)?;
        }
    }
    eprintln!("report: {}", directory.join(PAGE).display());
    if arguments.json {
        println!("{}", report.diagnostics.to_json());
    }
    Ok(ExitCode::SUCCESS)
}

/// Makes the report of a run that has just ended, and says where it is.
pub(crate) fn write_report(directory: &Path) -> Result<PathBuf, Failure> {
    let report = banquise_io::report::report(directory).map_err(Failure::Output)?;
    let path = directory.join(PAGE);
    write(&path, &report.html)?;
    Ok(path)
}

fn write(path: &Path, text: &str) -> Result<(), Failure> {
    fs::write(path, text).map_err(|error| Failure::file(path, &error))
}
