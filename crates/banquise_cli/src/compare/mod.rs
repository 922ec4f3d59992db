//! `banquise compare`.

mod drift;
mod fit;

use std::fs;
use std::path::Path;
use std::process::ExitCode;

use banquise::Coriolis;
use banquise::units::DAY;
use banquise_geometry::DVec2;
use banquise_io::compare::{
    Comparison, PairDispersion, PairedTracks, Pairs, SEPARATION_DAYS, figures, usual_interval,
};
use banquise_io::geography::LocalFrame;
use banquise_io::recording::Recording;
use banquise_io::scenario::{
    BuoyTrack, CsvError, Dimension, TrackRow, choose_track, parse_quantity, read_tracks,
};

use self::drift::{Drift, Fleet};
use crate::arguments::CompareArguments;
use crate::failure::{Failure, chain};
use banquise_io::whole_file::write_whole;

pub(crate) fn compare(arguments: &CompareArguments) -> Result<ExitCode, Failure> {
    let directory = &arguments.directory;
    let unreadable = |error| Failure::no_run(directory, &error);
    let recording = Recording::open(directory).map_err(unreadable)?;
    let from = skipped(&arguments.skip)?;
    let buoys = buoys(arguments, &recording)?;
    let rows = choose_track(&buoys, arguments.buoy.as_deref())
        .map_err(|error| refused(&arguments.tracks, &error))?;
    let drift = Drift::recorded(&recording, arguments.floe.as_deref())?;
    let parameter = recording.number("coriolis_parameter_s-1");
    let coriolis = latitude(&rows).or(parameter).unwrap_or_default();
    let pair = |drift: &Drift| {
        let end = drift.times.last().copied().unwrap_or_default();
        let velocity = |row: &TrackRow| drift.velocity(row);
        let wind = |row: &TrackRow| drift.wind(row);
        PairedTracks::new(&rows, [from, end], coriolis, velocity, wind).ok_or_else(|| {
            Failure::usage(
                format!(
                    "{}: fewer than three rows lie within the run, from {} to {} h{}",
                    arguments.tracks.display(),
                    from / 3600.0,
                    end / 3600.0,
                    extent(&rows)
                ),
                "let `time.start` of the scenario be the date of the track's start, and `--skip` be shorter than the run",
            )
        })
    };
    let tracks = pair(&drift)?;
    check_records(&drift, &tracks, arguments.fit.is_some())?;
    let comparison = tracks.compare();
    let pairs = pairs(&tracks, &buoys, &recording)?;
    let all = figures(&tracks, &comparison).into_iter();
    for (name, svg) in all.chain(pairs.figure()) {
        let path = directory.join(name);
        write_whole(&path, svg).map_err(|error| Failure::file(&path, &error))?;
    }
    print_comparison("run", &comparison);
    print_pairs(&pairs);
    let mut output = comparison.to_json();
    output["pairs"] = pairs.to_json();
    if let Some(scenario) = &arguments.fit {
        output["fit"] = fit::fit(arguments, scenario, &pair)?;
    }
    if arguments.json {
        println!("{output}");
    }
    Ok(ExitCode::SUCCESS)
}

/// Records in one inertial turn, at least: straight lines between six lower its amplitude by 9 %, between three by 32 %.
const RECORDS_IN_A_TURN: f64 = 6.0;

/// Tells that a run has too few records for the rows of a track, between which its velocities are interpolated; a fit is refused.
fn check_records(drift: &Drift, tracks: &PairedTracks, fits: bool) -> Result<(), Failure> {
    let apart = usual_interval(&drift.times).unwrap_or_default();
    let allowed = std::f64::consts::TAU / (RECORDS_IN_A_TURN * tracks.coriolis.abs());
    // Rows that are as far apart have the same frequencies.
    if apart <= allowed.max(1.01 * tracks.interval) {
        return Ok(());
    }
    let message = format!(
        "the records of the run are {:.1} h apart, and rows of the track {:.1} h: inertial motion in between is lost",
        apart / 3600.0,
        tracks.interval / 3600.0
    );
    let hint = format!(
        "run with `time.record_every` of at most {:.1} h",
        allowed / 3600.0
    );
    if fits {
        return Err(Failure::usage(message, hint));
    }
    eprintln!("warning: {message}\nhint: {hint}");
    Ok(())
}

/// From when to when a track goes, in hours of the run.
fn extent(rows: &[TrackRow]) -> String {
    match rows {
        [first, .., last] => {
            let [first, last] = [first, last].map(|row| row.time / 3600.0);
            format!("; the track goes from {first} to {last} h")
        }
        _ => String::new(),
    }
}

/// Two-point dispersion of all buoys whose rows can be read, and of all floes, in the plane of the run; where it has no origin, in one at the first place.
fn pairs(
    tracks: &PairedTracks,
    buoys: &[BuoyTrack],
    recording: &Recording,
) -> Result<Pairs, Failure> {
    let fleet = Fleet::recorded(recording)?;
    let mut read = Vec::new();
    for buoy in buoys {
        match &buoy.rows {
            Ok(rows) => read.push(rows.clone()),
            Err(error) => eprintln!("pairs are without the buoy {}: {}", buoy.name, chain(error)),
        }
    }
    let places = read.iter().flatten().map(|row| row.place);
    let first = places.into_iter().find(|place| place.is_finite());
    let frame = recording.origin().or(first.map(LocalFrame::new));
    let floe_at = |floe: usize, time: f64, span: f64| fleet.velocity(floe, time, span);
    Ok(Pairs::new(tracks, &read, frame, fleet.len(), floe_at))
}

/// The change of separations after about a day, at one lag for both.
fn print_pairs(pairs: &Pairs) {
    let known = [("floes", &pairs.modelled), ("buoys", &pairs.observed)];
    let known: Vec<(&str, &PairDispersion)> = known
        .into_iter()
        .filter_map(|(name, one)| Some((name, one.as_ref()?)))
        .collect();
    let at = |one: &PairDispersion, lag: f64| {
        let point = one.curve.iter().find(|point| point.0 == lag);
        point.map(|point| point.1)
    };
    let lags = known.iter().flat_map(|(_, one)| &one.curve);
    let shared = lags
        .map(|point| point.0)
        .filter(|&lag| known.iter().all(|(_, one)| at(one, lag).is_some()));
    let off = |lag: f64| (lag / DAY).ln().abs();
    let Some(lag) = shared.min_by(|a, b| off(*a).total_cmp(&off(*b))) else {
        return;
    };
    for (name, one) in known {
        let (hours, meters) = (lag / 3600.0, at(one, lag).unwrap_or(f64::NAN).sqrt());
        eprintln!(
            "{} {name}: after {hours:.1} h the vector between two has changed by {meters:.0} m (root mean square)",
            one.points
        );
    }
}

/// Time at the start that does not count \[s\].
fn skipped(text: &str) -> Result<f64, Failure> {
    parse_quantity(text, Dimension::Time)
        .ok()
        .filter(|&time| time >= 0.0)
        .ok_or_else(|| {
            let message = format!("--skip: `{text}` is not a time from zero on");
            Failure::usage(message, "write it with its unit, like --skip \"2 d\"")
        })
}

fn buoys(arguments: &CompareArguments, recording: &Recording) -> Result<Vec<BuoyTrack>, Failure> {
    let path: &Path = &arguments.tracks;
    let text = fs::read_to_string(path).map_err(|error| Failure::file(path, &error))?;
    read_tracks(&text, recording.start()).map_err(|error| refused(path, &error))
}

fn refused(path: &Path, error: &CsvError) -> Failure {
    let hint = match error {
        CsvError::MissingColumn { .. } | CsvError::AmbiguousColumn { .. } => {
            "the header names them: `time [h]`, dates in `datetime`, or `year` and `doy`; `u [m/s]` and `v [m/s]` or `latitude` and `longitude`"
        }
        _ => error.hint(),
    };
    Failure::usage(format!("{}: {}", path.display(), chain(error)), hint)
}

/// Coriolis parameter of the mean latitude [1/s].
fn latitude(rows: &[TrackRow]) -> Option<f64> {
    let known: Vec<f64> = rows
        .iter()
        .map(|row| row.place.latitude)
        .filter(|l| l.is_finite())
        .collect();
    let mean = known.iter().sum::<f64>() / known.len() as f64;
    mean.is_finite()
        .then(|| Coriolis::Latitude(mean).parameter_at(0.0))
}

/// The numbers that people look at first.
fn print_comparison(title: &str, comparison: &Comparison) {
    let wind = |wind: &Option<(banquise::diagnostics::response::Response, DVec2, f64)>| {
        wind.map_or("no wind that varies".to_owned(), |(response, ..)| {
            let (percent, angle) = (100.0 * response.factor, -response.angle.to_degrees());
            format!("{percent:.2} % of the wind at {angle:.1}°")
        })
    };
    let Comparison {
        observed, modelled, ..
    } = comparison;
    let inertial = if observed.inertial.is_nan() {
        "values are too far apart for inertial motion".to_owned()
    } else {
        format!(
            "inertial amplitude {:.4} m/s, observed {:.4} m/s",
            modelled.inertial, observed.inertial
        )
    };
    eprintln!(
        "{title}: {}, observed {}; R² {:.3}; {inertial} ({} values)",
        wind(&modelled.wind),
        wind(&observed.wind),
        comparison.skill,
        comparison.values,
    );
    let known = SEPARATION_DAYS.iter().zip(comparison.separations);
    let known: Vec<String> = known
        .filter_map(|(days, meters)| Some(format!("{:.1} km after {days} d", meters? / 1e3)))
        .collect();
    if !known.is_empty() {
        eprintln!("{title}: mean separation {}", known.join(", "));
    }
}
