//! `banquise compare`.

use std::fs;
use std::ops::ControlFlow;
use std::path::Path;
use std::process::ExitCode;

use banquise::{Coriolis, NoTimer};
use banquise_geometry::DVec2;
use banquise_io::compare::{Comparison, PairedTracks, figures};
use banquise_io::recording::Recording;
use banquise_io::scenario::{CsvError, Dimension, TrackRow, parse_quantity, read_track};
use serde_json::{Value, json};

use crate::arguments::CompareArguments;
use crate::failure::{Failure, chain};
use crate::scenarios::find_and_tell;
use banquise_io::whole_file::write_whole;

pub(crate) fn compare(arguments: &CompareArguments) -> Result<ExitCode, Failure> {
    let directory = &arguments.directory;
    let unreadable = |error| Failure::no_run(directory, &error);
    let recording = Recording::open(directory).map_err(unreadable)?;
    let from = skipped(&arguments.skip)?;
    let rows = rows(arguments, &recording)?;
    let drift = Drift::recorded(&recording, arguments.floe.as_deref())?;
    let parameter = recording.number("coriolis_parameter_s-1");
    let coriolis = latitude(&rows).or(parameter).unwrap_or_default();
    let pair = |drift: &Drift| {
        let end = drift.times.last().copied().unwrap_or_default();
        let velocity = |time| interpolate(&drift.times, &drift.velocities, time);
        let wind = |time| interpolate(&drift.times, &drift.winds, time);
        PairedTracks::new(&rows, [from, end], coriolis, velocity, wind).ok_or_else(|| {
            Failure::usage(
                format!("{}: fewer than three rows lie within the run, from {from} s to {end} s", arguments.tracks.display()),
                "let `time.start` of the scenario be the date of the track's start, and `--skip` be shorter than the run",
            )
        })
    };
    let tracks = pair(&drift)?;
    let comparison = tracks.compare();
    for (name, svg) in figures(&tracks, &comparison) {
        let path = directory.join(name);
        write_whole(&path, svg).map_err(|error| Failure::file(&path, &error))?;
    }
    print_comparison("run", &comparison);
    let mut output = comparison.to_json();
    if let Some(scenario) = &arguments.fit {
        output["fit"] = fit(arguments, scenario, &rows, &pair)?;
    }
    if arguments.json {
        println!("{output}");
    }
    Ok(ExitCode::SUCCESS)
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

fn rows(arguments: &CompareArguments, recording: &Recording) -> Result<Vec<TrackRow>, Failure> {
    let path: &Path = &arguments.tracks;
    let text = fs::read_to_string(path).map_err(|error| Failure::file(path, &error))?;
    read_track(&text, recording.start(), arguments.buoy.as_deref()).map_err(|error| {
        let hint = match error {
            CsvError::MissingColumn { .. } | CsvError::AmbiguousColumn { .. } => {
                "the header names them: `time [h]` or dates in `datetime`, `u [m/s]` and `v [m/s]` or `latitude` and `longitude`"
            }
            _ => error.hint(),
        };
        let hint = hint.to_owned();
        Failure::usage(format!("{}: {}", path.display(), chain(&error)), hint)
    })
}

/// Coriolis parameter of the mean latitude [1/s].
fn latitude(rows: &[TrackRow]) -> Option<f64> {
    let known: Vec<f64> = rows
        .iter()
        .map(|row| row.latitude)
        .filter(|l| l.is_finite())
        .collect();
    let mean = known.iter().sum::<f64>() / known.len() as f64;
    mean.is_finite()
        .then(|| Coriolis::Latitude(mean).parameter_at(0.0))
}

/// Linear between records; that of the last or first one outside.
fn interpolate(times: &[f64], values: &[DVec2], time: f64) -> DVec2 {
    let next = times
        .partition_point(|&t| t <= time)
        .clamp(1, times.len().max(2) - 1);
    let (Some(&before), Some(&after)) = (values.get(next - 1), values.get(next)) else {
        return values.first().copied().unwrap_or(DVec2::NAN);
    };
    let share = (time - times[next - 1]) / (times[next] - times[next - 1]);
    before + share.clamp(0.0, 1.0) * (after - before)
}

/// Velocity of one floe, and the wind, in time.
#[derive(Default)]
struct Drift {
    times: Vec<f64>,
    velocities: Vec<DVec2>,
    winds: Vec<DVec2>,
}

impl Drift {
    /// Reads the floe of a name, or the first floe.
    fn recorded(recording: &Recording, name: Option<&str>) -> Result<Self, Failure> {
        let bodies = recording.body_table().map_err(Failure::Output)?;
        let is_wanted = |row: &usize| match name {
            Some(name) => bodies.names[*row] == name,
            None => !bodies.is_obstacle[*row],
        };
        let row = (0..bodies.ids.len()).find(is_wanted).ok_or_else(|| {
            let name = name.map_or_else(
                || "the run has no floe".to_owned(),
                |name| format!("the run has no floe `{name}`"),
            );
            let names = bodies.names.join(", ");
            Failure::usage(name, format!("give --floe one of these names: {names}"))
        })?;
        let times = recording.series("time").map_err(Failure::Output)?;
        let series = |name: &str| recording.series(name).map_err(Failure::Output);
        let (x, y) = (series("wind_x")?, series("wind_y")?);
        let winds = x
            .into_iter()
            .zip(y)
            .map(|(x, y)| DVec2::new(x, y))
            .collect();
        let mut velocities = Vec::new();
        for record in 0..times.len() {
            let of = |name: &str| recording.bodies_at(name, record).map_err(Failure::Output);
            velocities.push(DVec2::new(of("velocity_x")?[row], of("velocity_y")?[row]));
        }
        Ok(Self {
            times,
            velocities,
            winds,
        })
    }

    /// Runs a scenario again with other settings, and keeps the first floe at the times of its records.
    fn simulated(scenario: &str, overrides: &[String]) -> Result<Self, Failure> {
        let found = find_and_tell(scenario, overrides)?;
        let (mut run, mut drift) = (found.run, Self::default());
        let simulation = &mut run.simulation;
        let floe = simulation.world.floe_rows().next();
        let floe = floe.ok_or_else(|| Failure::usage("the scenario has no floe", "add one"))?;
        let mut time = 0.0;
        loop {
            drift.times.push(time);
            drift.winds.push(simulation.wind());
            let motion = simulation.world.bodies.motions()[floe];
            drift.velocities.push(motion.velocity.linear);
            if time >= run.duration {
                return Ok(drift);
            }
            time = (time + run.record_every).min(run.duration);
            let stepped =
                simulation.advance_to(time, &mut NoTimer, &mut |_, _| ControlFlow::Continue(()));
            stepped
                .map(|_| ())
                .map_err(|error| Failure::usage(chain(&error), "use a shorter `time.step`"))?;
        }
    }
}

/// Settings that are fitted.
#[derive(Clone, Copy)]
struct Settings {
    air_drag: f64,
    /// \[rad\].
    turning: f64,
    /// [m/s]; `None` without an ocean layer.
    friction: Option<f64>,
}

impl Settings {
    fn overrides(&self, given: &[String]) -> Vec<String> {
        let mut all = given.to_vec();
        all.push(format!("drag.air_drag_coefficient={:e}", self.air_drag));
        all.push(format!("drag.turning_angle=\"{} rad\"", self.turning));
        if let Some(friction) = self.friction {
            all.push(format!(
                "ocean_layer.base_friction_velocity=\"{friction} m/s\""
            ));
        }
        all
    }

    /// Why the fit may not be the best one: the targets are not met, or a setting is at its bound, where other settings may do better.
    fn doubts(&self, fitted: &Comparison) -> Vec<String> {
        let mut doubts = Vec::new();
        let bounded = [
            ("air drag", Some(self.air_drag), AIR_DRAGS),
            ("turning", Some(self.turning), TURNINGS),
            ("base friction", self.friction, FRICTIONS),
        ];
        for (name, value, bounds) in bounded {
            if value.is_some_and(|value| bounds.contains(&value)) {
                doubts.push(format!("{name} is at the bound of what is tried"));
            }
        }
        let (observed, modelled) = (&fitted.observed, &fitted.modelled);
        if let (Some((wanted, ..)), Some((found, ..))) = (observed.wind, modelled.wind) {
            let off = (found.factor / wanted.factor - 1.0).abs();
            let turned = (found.angle - wanted.angle).abs().to_degrees();
            if off > UNMET || turned > UNMET_DEGREES {
                doubts.push(format!(
                    "wind factor and angle are {:.1} % and {turned:.1}° off the observed ones: it may have ended in a local minimum",
                    100.0 * off
                ));
            }
        }
        let ratio = modelled.inertial / observed.inertial;
        if self.friction.is_some() && (ratio.ln().abs() > UNMET_INERTIAL) {
            doubts.push(format!(
                "the inertial amplitude is {ratio:.2} times the observed one: start from another base friction with `--set ocean_layer.base_friction_velocity=…`"
            ));
        }
        doubts
    }

    fn to_json(self) -> Value {
        json!({
            "air_drag_coefficient": self.air_drag,
            "turning_angle_deg": self.turning.to_degrees(),
            "base_friction_velocity_mps": self.friction,
        })
    }
}

/// A fitted wind factor this far off is in doubt [–], and a fitted angle \[degrees\].
const UNMET: f64 = 0.02;
const UNMET_DEGREES: f64 = 1.0;
/// A fitted inertial amplitude that is off by more than this factor, as its logarithm, is in doubt: 1.1.
const UNMET_INERTIAL: f64 = 0.0953;

/// Rounds of the fit: it converges by a factor of about three in each.
const ROUNDS: usize = 8;
/// Largest change of a logarithm in one round, so that a bad start cannot throw it off.
const LARGEST_CHANGE: f64 = 1.0;
/// Bounds of the base friction velocity [m/s], of the turning angle \[rad\] and of the air drag coefficient.
const FRICTIONS: [f64; 2] = [1e-6, 1e-2];
const TURNINGS: [f64; 2] = [-0.8, 0.8];
const AIR_DRAGS: [f64; 2] = [2e-4, 1e-2];

/// Fits on the whole track, and on each half, scored on the other.
fn fit(
    arguments: &CompareArguments,
    scenario: &str,
    rows: &[TrackRow],
    pair: &dyn Fn(&Drift) -> Result<PairedTracks, Failure>,
) -> Result<Value, Failure> {
    assert!(!rows.is_empty(), "a track without rows is refused");
    let mut windows = Vec::new();
    for (name, fitted, scored) in [
        ("all", [0.0, 1.0], [0.0, 1.0]),
        ("first_half", [0.0, 0.5], [0.5, 1.0]),
        ("second_half", [0.5, 1.0], [0.0, 0.5]),
    ] {
        let (settings, tracks) = fit_window(arguments, scenario, fitted, pair)?;
        let inside = tracks.part(fitted[0], fitted[1]).compare();
        let outside = tracks.part(scored[0], scored[1]).compare();
        let [air, turning] = [settings.air_drag, settings.turning.to_degrees()];
        eprintln!(
            "fit on {name}: air drag {air:.3e}, turning {turning:.1}°, base friction {:.2e} m/s",
            settings.friction.unwrap_or(f64::NAN)
        );
        let doubts = settings.doubts(&inside);
        for doubt in &doubts {
            eprintln!("  in doubt: {doubt}");
        }
        print_comparison("  fitted part", &inside);
        if name != "all" {
            print_comparison("  other part", &outside);
        }
        windows.push(json!({
            "fitted_on": name,
            "settings": settings.to_json(),
            "doubts": doubts,
            "fitted_part": inside.to_json(),
            "other_part": if name == "all" { Value::Null } else { outside.to_json() },
        }));
    }
    Ok(Value::Array(windows))
}

/// Free drift goes with the square root of the air drag, turns with the turning angle, and inertial motion falls with base friction: each setting is
/// corrected by the measure that it rules, all of them together, round after round.
fn fit_window(
    arguments: &CompareArguments,
    scenario: &str,
    [from, until]: [f64; 2],
    pair: &dyn Fn(&Drift) -> Result<PairedTracks, Failure>,
) -> Result<(Settings, PairedTracks), Failure> {
    let forcing = find_and_tell(scenario, &arguments.set)?
        .run
        .simulation
        .forcing;
    let drag = forcing.drag.ok_or_else(|| {
        Failure::usage(
            "--fit: the scenario has no drag",
            "remove `enabled = false` from `[drag]`",
        )
    })?;
    let mut settings = Settings {
        air_drag: drag.air_drag_coefficient,
        turning: drag.turning_angle,
        friction: forcing.slab_ocean.map(|slab| slab.base_friction_velocity),
    };
    let mut tracks = pair(&Drift::simulated(
        scenario,
        &settings.overrides(&arguments.set),
    )?)?;
    for _ in 0..ROUNDS {
        let Comparison {
            observed, modelled, ..
        } = tracks.part(from, until).compare();
        let (Some((wanted, ..)), Some((found, ..))) = (observed.wind, modelled.wind) else {
            return Err(Failure::usage(
                "--fit: the wind does not vary",
                "give a track with wind, or a run with a series",
            ));
        };
        let change = |ratio: f64| ratio.ln().clamp(-LARGEST_CHANGE, LARGEST_CHANGE).exp();
        let scale = change(wanted.factor / found.factor);
        let sense = if tracks.coriolis < 0.0 { -1.0 } else { 1.0 };
        settings.air_drag = (settings.air_drag * scale * scale).clamp(AIR_DRAGS[0], AIR_DRAGS[1]);
        settings.turning = (settings.turning + sense * (wanted.angle - found.angle))
            .clamp(TURNINGS[0], TURNINGS[1]);
        settings.friction = settings.friction.map(|friction| {
            let ratio = change(modelled.inertial / observed.inertial);
            (friction * ratio * ratio).clamp(FRICTIONS[0], FRICTIONS[1])
        });
        tracks = pair(&Drift::simulated(
            scenario,
            &settings.overrides(&arguments.set),
        )?)?;
    }
    Ok((settings, tracks))
}

/// The numbers that people look at first.
fn print_comparison(title: &str, comparison: &Comparison) {
    let wind = |wind: &Option<(banquise::diagnostics::response::Response, DVec2, f64)>| {
        wind.map_or("no wind".to_owned(), |(response, ..)| {
            let (percent, angle) = (100.0 * response.factor, -response.angle.to_degrees());
            format!("{percent:.2} % of the wind at {angle:.1}°")
        })
    };
    let Comparison {
        observed, modelled, ..
    } = comparison;
    eprintln!(
        "{title}: {}, observed {}; R² {:.3}; inertial amplitude {:.4} m/s, observed {:.4} m/s ({} values)",
        wind(&modelled.wind),
        wind(&observed.wind),
        comparison.skill,
        modelled.inertial,
        observed.inertial,
        comparison.values,
    );
}
