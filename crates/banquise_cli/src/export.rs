//! `banquise export`: the recording of a run in the formats of other programs.

use std::fmt::Write as _;
use std::process::ExitCode;

use banquise_io::export::{self, FORMATS, Source};
use banquise_io::film::{Coloring, FilmSettings};

use crate::arguments::ExportArguments;
use crate::failure::Failure;
use crate::progress::Work;

pub(crate) fn export(arguments: &ExportArguments) -> Result<ExitCode, Failure> {
    let format = export::find(&arguments.to)?;
    let film = film_settings(arguments)?;
    let mut source = Source::open(&arguments.directory, arguments.every as usize)?;
    source.film = film;
    let work = Work::new(source.records.len());
    let written = export::export(&source, format, arguments.out.as_deref(), &mut |done, _| {
        work.reached(done);
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

/// Pixels of a side of a picture: H.264 and memory have limits.
const SIDES: std::ops::RangeInclusive<u32> = 64..=4096;

fn film_settings(arguments: &ExportArguments) -> Result<FilmSettings, Failure> {
    let coloring = Coloring::named(&arguments.color).ok_or_else(|| {
        let names: Vec<&str> = Coloring::ALL.iter().map(|(name, _)| *name).collect();
        Failure::usage(
            format!("floes cannot be coloured by `{}`", arguments.color),
            format!("they can by {}", names.join(", ")),
        )
    })?;
    let sides = arguments.size.split_once('x').and_then(|(width, height)| {
        let side = |text: &str| text.parse().ok().filter(|side| SIDES.contains(side));
        Some((side(width)?, side(height)?))
    });
    let (width, height) = sides.ok_or_else(|| {
        Failure::usage(
            format!("`{}` is not a size of pictures", arguments.size),
            format!(
                "say width and height in pixels, like 1280x720, from {} to {}",
                SIDES.start(),
                SIDES.end()
            ),
        )
    })?;
    Ok(FilmSettings {
        coloring,
        width,
        height,
        frames_per_second: arguments.fps,
    })
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
