//! `banquise export`: the recording of a run in the formats of other programs.

use std::fmt::Write as _;
use std::process::ExitCode;

use banquise_io::export::{self, FORMATS, Source};

use crate::arguments::ExportArguments;
use crate::failure::Failure;
use crate::progress::Work;

pub(crate) fn export(arguments: &ExportArguments) -> Result<ExitCode, Failure> {
    let format = export::find(&arguments.to)?;
    let source = Source::open(&arguments.directory, arguments.every as usize)?;
    let work = Work::new(source.records.len());
    let written = export::export(&source, format, arguments.out.as_deref(), &mut |_, _| {
        work.done();
    });
    work.clear();
    let path = written?;
    if format.name.starts_with("geojson") && source.origin.is_none() {
        eprintln!(
            "note: the scenario has no `[origin]`, so coordinates are metres, not longitude and latitude"
        );
    }
    eprintln!("{}: {}", format.name, path.display());
    Ok(ExitCode::SUCCESS)
}

/// All formats, a line each, for the help.
pub(crate) fn formats_help() -> String {
    let mut text = String::from("The format:");
    for format in FORMATS {
        write!(text, "\n  {:10}  {}", format.name, format.meaning)
            .expect("a string takes any text");
    }
    text
}
