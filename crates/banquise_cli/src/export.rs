//! `banquise export`: the recording of a run in the formats of other programs.

use std::ops::ControlFlow;
use std::process::ExitCode;

use banquise_io::export::{self, ExportError, Source};
use banquise_io::film::FilmWishes;

use crate::arguments::ExportArguments;
use crate::failure::Failure;
use crate::progress::Work;
use crate::run::Stop;

pub(crate) fn export(arguments: &ExportArguments) -> Result<ExitCode, Failure> {
    let format = export::find(&arguments.to)?;
    let wishes = FilmWishes {
        color: arguments.color.as_deref(),
        size: arguments.size.as_deref(),
        fps: arguments.fps,
        is_plain: arguments.plain,
    };
    let film = wishes.settings(format).map_err(ExportError::from)?;
    let mut source = Source::open(&arguments.directory, arguments.every as usize)?;
    source.film = film;
    let work = Work::new(source.records.len());
    let stop = Stop::on_interrupt()?;
    let written = export::export(&source, format, arguments.out.as_deref(), &mut |done, _| {
        work.reached(done);
        if stop.is_asked() {
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    });
    work.clear();
    let path = written?;
    if format.name.starts_with("geojson") && source.origin.is_none() {
        eprintln!(
            "note: the scenario has no `[origin]`, so coordinates are metres, not longitude and latitude"
        );
        if format.name == "geojsonseq" {
            eprintln!(
                "note: a sequence cannot say so, and its readers take it for degrees; `--to geojson` says so"
            );
        }
    }
    eprintln!("{}: {}", format.name, path.display());
    Ok(ExitCode::SUCCESS)
}
