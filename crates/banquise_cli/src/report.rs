//! `banquise report`.

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};

use banquise_io::report::{Findings, PAGE};

use crate::arguments::ReportArguments;
use crate::failure::Failure;
use banquise_io::whole_file::write_whole;

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

/// Makes the report of a run that has just ended; gives its path and what it says in words.
pub(crate) fn write_report(directory: &Path) -> Result<(PathBuf, Findings), Failure> {
    let report = banquise_io::report::report(directory).map_err(Failure::Output)?;
    let path = directory.join(PAGE);
    write(&path, &report.html)?;
    Ok((path, report.findings))
}

/// Opens a page with the program that the platform has for it. The page is there in any case: where it cannot be opened, one line says so.
pub(crate) fn open_page(path: &Path) {
    let opener = if cfg!(target_os = "macos") {
        "open"
    } else if cfg!(windows) {
        "explorer"
    } else {
        "xdg-open"
    };
    let silent = Command::new(opener)
        .arg(path)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn();
    if let Err(error) = silent {
        eprintln!("warning: the report was not opened: `{opener}`: {error}");
        eprintln!("hint: open {} in a browser", path.display());
    }
}

fn write(path: &Path, text: &str) -> Result<(), Failure> {
    write_whole(path, text).map_err(|error| Failure::file(path, &error))
}
