//! `banquise compare`: a run against a track with known answers.

use std::fmt::Write as _;
use std::path::Path;

use banquise_geometry::DVec2;
use banquise_io::recording::Recording;
use serde_json::Value;

use crate::shared_data;
use crate::workbench::Workbench;

/// One floe over an ocean layer, in a wind that turns and swells.
fn scenario() -> String {
    let mut text = "[time]\nduration = \"8 d\"\nstep = \"60 s\"\nrecord_every = \"1 h\"\n\
                    [coriolis]\nlatitude = \"81 degN\"\n[ocean_layer]\nice_fraction = 0.9\n\
                    [[floe]]\nname = \"buoy\"\nthickness = \"1.5 m\"\ndisc = { radius = \"100 m\" }\n\
                    [wind]\nseries = [\n"
        .to_owned();
    for hour in (0..=192).step_by(6) {
        let [u, v] = wind(f64::from(hour));
        writeln!(
            text,
            "{{ time = \"{hour} h\", velocity = [\"{u} m/s\", \"{v} m/s\"] }},"
        )
        .unwrap();
    }
    text + "]\n"
}

/// Wind at an hour [m/s].
fn wind(hour: f64) -> [f64; 2] {
    let angle = 0.05 * hour + 1.5 * (0.11 * hour).sin();
    let speed = 7.0 + 3.0 * (0.23 * hour).sin();
    [speed * angle.cos(), speed * angle.sin()]
}

const HEADER: &str = "time [h],latitude [deg],u [m/s],v [m/s],u_wind [m/s],v_wind [m/s]\n";

fn compare(bench: &Workbench, more: &[&str]) -> Value {
    let arguments = [&["compare", "out", "track.csv", "--json"], more].concat();
    let outcome = bench.run(&arguments);
    assert_eq!(outcome.code, Some(0), "{}", outcome.stderr);
    serde_json::from_str(&outcome.stdout).unwrap()
}

fn run(bench: &Workbench, out: &str, set: &[&str]) {
    let arguments = [&["run", "s.toml", "--out", out], set].concat();
    let outcome = bench.run(&arguments);
    assert_eq!(outcome.code, Some(0), "{}", outcome.stderr);
}

#[test]
fn factor_and_turning_of_a_made_up_track_are_found_and_gaps_are_left_out() {
    let bench = Workbench::with_scenario(&scenario());
    run(&bench, "out", &[]);
    let mut track = HEADER.to_owned();
    let (sin, cos) = (-0.5_f64).sin_cos();
    for hour in 0..192 {
        let [u, v] = wind(f64::from(hour));
        let [x, y] = [0.02 * (cos * u - sin * v), 0.02 * (sin * u + cos * v)];
        match hour {
            70 => writeln!(track, "{hour},81,,,{u},{v}").unwrap(),
            90..100 => {}
            _ => writeln!(track, "{hour},81,{x},{y},{u},{v}").unwrap(),
        }
    }
    bench.write("track.csv", &track);
    let found = compare(&bench, &[]);
    let observed = &found["observed"]["wind"];
    let number = |value: &Value| value.as_f64().unwrap();
    assert!((number(&observed["wind_factor"]) - 0.02).abs() < 1e-12);
    assert!((number(&observed["turning_deg"]) + 0.5_f64.to_degrees()).abs() < 1e-9);
    // From hour 48 on, without the gaps.
    assert_eq!(found["values"], 192 - 48 - 1 - 10);
    assert!(number(&found["skill_r2"]) > 0.5);
    assert!(found["separation"][0]["separation_m"].is_number());
    assert!(bench.path("out/compare_spectrum.svg").exists());
}

#[test]
fn separations_bridge_missing_hours_and_leave_longer_gaps_out() {
    let bench = Workbench::with_scenario(&scenario());
    run(&bench, "out", &[]);
    let whole = track_of(&bench.path("out"));
    let separations = |missing: &dyn Fn(usize) -> bool| {
        let mut track = String::new();
        for (line, text) in whole.lines().enumerate() {
            if line == 0 {
                writeln!(track, "{text}").unwrap();
            } else if !missing(line - 1) {
                let mut cells: Vec<String> = text.split(',').map(str::to_owned).collect();
                // The buoy drifts eastward by 1 cm/s more.
                cells[2] = (cells[2].parse::<f64>().unwrap() + 0.01).to_string();
                writeln!(track, "{}", cells.join(",")).unwrap();
            }
        }
        bench.write("track.csv", track);
        let found = compare(&bench, &[]);
        [0, 1, 2, 3].map(|place| found["separation"][place]["separation_m"].as_f64())
    };
    // An hour is missing each day, as in tracks of commercial buoys: no day is without a gap.
    let [one, three, five, ten] = separations(&|hour| hour % 24 == 7);
    for (days, found) in [(1.0, one), (3.0, three), (5.0, five)] {
        assert!((found.unwrap() / (864.0 * days) - 1.0).abs() < 1e-9);
    }
    // Six days are compared.
    assert_eq!(ten, None);
    let [one, three, ..] = separations(&|hour| hour % 48 < 8);
    assert!(one.is_some() && three.is_none());
}

#[test]
fn records_too_far_apart_for_inertial_motion_are_told_and_not_fitted() {
    let bench = Workbench::with_scenario(&scenario());
    run(&bench, "truth", &[]);
    run(&bench, "out", &["--set", "time.record_every=5 h"]);
    bench.write("track.csv", track_of(&bench.path("truth")));
    let outcome = bench.run(&["compare", "out", "track.csv"]);
    assert_eq!(outcome.code, Some(0), "{}", outcome.stderr);
    let told = "records of the run are 5.0 h apart";
    assert!(outcome.stderr.contains(told), "{}", outcome.stderr);
    let outcome = bench.run(&["compare", "out", "track.csv", "--fit", "s.toml"]);
    assert_eq!(outcome.code, Some(2), "{}", outcome.stderr);
    assert!(
        outcome
            .stderr
            .contains("hint: run with `time.record_every`")
    );
}

#[test]
fn a_fit_finds_the_settings_that_made_a_track() {
    let bench = Workbench::with_scenario(&scenario());
    run(&bench, "out", &[]);
    let truth = [
        "--set",
        "drag.air_drag_coefficient=2e-3",
        "--set",
        "drag.turning_angle=10 deg",
        "--set",
        "ocean_layer.base_friction_velocity=1e-3 m/s",
    ];
    run(&bench, "truth", &truth);
    bench.write("track.csv", track_of(&bench.path("truth")));
    let found = compare(&bench, &["--fit", "s.toml"]);
    let all = &found["fit"][0];
    let number = |value: &Value| value.as_f64().unwrap();
    assert!(
        number(&all["fitted_part"]["skill_r2"]) > 0.999,
        "{}",
        all["settings"]
    );
    // The three settings have nearly the same effects on a drift: each alone is known less well.
    assert!((number(&all["settings"]["air_drag_coefficient"]) / 2e-3 - 1.0).abs() < 0.05);
    assert!((number(&all["settings"]["turning_angle_deg"]) - 10.0).abs() < 2.0);
    let other = &found["fit"][1]["other_part"];
    assert!(number(&other["skill_r2"]) > 0.99, "{other}");
    assert!((number(&other["inertial_ratio"]) - 1.0).abs() < 0.5);
}

/// The first floe of a run as a track.
fn track_of(directory: &Path) -> String {
    let recording = Recording::open(directory).unwrap();
    let times = recording.series("time").unwrap();
    let mut track = HEADER.to_owned();
    for (record, time) in times.iter().enumerate() {
        let of = |name: &str| recording.bodies_at(name, record).unwrap()[0];
        let [u, v] = wind(time / 3600.0);
        let (x, y) = (of("velocity_x"), of("velocity_y"));
        writeln!(track, "{},81,{x},{y},{u},{v}", time / 3600.0).unwrap();
    }
    track
}

/// Two buoys of the expedition `MOSAiC`, with their starts, durations and latitudes.
const BUOYS: [[&str; 4]; 2] = [
    [
        "2019P156_2020-05_2020-06.csv",
        "2020-05-01T00:00:00Z",
        "43 d",
        "84.5 degN",
    ],
    [
        "2020P230_2020-07_2020-09.csv",
        "2020-08-19T13:00:00Z",
        "41.9 d",
        "88 degN",
    ],
];

#[test]
fn two_buoys_confirm_the_defaults_and_can_be_fitted() {
    for [file, start, duration, latitude] in BUOYS {
        let Some(track) = shared_data(&format!("buoys/{file}")) else {
            println!("skipped: real data not found");
            return;
        };
        // The table of the buoy is the wind as it is.
        let bench = Workbench::with_scenario(&format!(
            "[time]\nstart = {start}\nduration = \"{duration}\"\nstep = \"3 min\"\nrecord_every = \"1 h\"\n\
             [coriolis]\nlatitude = \"{latitude}\"\n[ocean_layer]\nice_fraction = 0.9\n\
             [[floe]]\nthickness = \"2 m\"\ndisc = {{ radius = \"100 m\" }}\n\
             [wind]\nseries = \"track.csv\"\nmax_gap = \"12 h\"\n"
        ));
        bench.write("track.csv", std::fs::read(track).unwrap());
        run(&bench, "out", &[]);
        let found = compare(&bench, &["--fit", "s.toml"]);
        let number = |value: &Value| value.as_f64().unwrap();
        let [observed, modelled] = ["observed", "modelled"].map(|which| &found[which]["wind"]);
        let off = |key: &str| (number(&modelled[key]) - number(&observed[key])).abs();
        // Asked for with the defaults: 0.3 percentage points, 6°, R² of 0.75, inertial motion within a factor of 2.5, of 1.5 when it is fitted.
        assert!(off("wind_factor") < 0.003, "{file}");
        assert!(off("turning_deg") < 6.0, "{file}");
        assert!(number(&found["skill_r2"]) > 0.75, "{file}");
        let ratio = number(&found["inertial_ratio"]);
        assert!((0.4..2.5).contains(&ratio), "{file}: {ratio}");
        let fitted = number(&found["fit"][0]["fitted_part"]["inertial_ratio"]);
        assert!((1.0 / 1.5..1.5).contains(&fitted), "{file}: {fitted}");
        // The fit does not buy the amplitude with much of R².
        let lost = number(&found["skill_r2"]) - number(&found["fit"][0]["fitted_part"]["skill_r2"]);
        assert!(lost < 0.05, "{file}: {lost}");
        for half in [1, 2] {
            assert!(found["fit"][half]["other_part"]["skill_r2"].is_number());
        }
    }
}

#[test]
fn places_of_one_of_several_buoys_give_the_same_drift_as_velocities() {
    let bench = Workbench::with_scenario(&scenario());
    run(&bench, "out", &[]);
    let recording = Recording::open(&bench.path("out")).unwrap();
    let times = recording.series("time").unwrap();
    let mut track = "buoy,time [h],lat,lon\n".to_owned();
    for (record, time) in times.iter().enumerate() {
        let of = |name: &str| recording.bodies_at(name, record).unwrap()[0];
        // Degrees of latitude and longitude at 60° S on WGS 84 [m].
        let [lat, lon] = [-60.0 + of("y") / 111_412.0, of("x") / 55_800.0];
        let hour = time / 3600.0;
        writeln!(track, "here,{hour},{lat},{lon}\nthere,{hour},10,20").unwrap();
    }
    bench.write("track.csv", &track);
    let found = compare(&bench, &["--buoy", "here"]);
    let skill = found["skill_r2"].as_f64().unwrap();
    // Means over an hour beside values: the drift changes over many.
    assert!(skill > 0.99, "{skill}");
    let outcome = bench.run(&["compare", "out", "track.csv"]);
    assert_eq!(outcome.code, Some(2));
    assert!(outcome.stderr.contains("--buoy"), "{}", outcome.stderr);
}

/// The first floe of a run with an origin, as places, and as velocities eastward and northward with and without longitudes.
fn tracks_on_earth(directory: &Path) -> [String; 3] {
    let recording = Recording::open(directory).unwrap();
    let frame = recording.origin().unwrap();
    let mut tracks = [
        "time [h],lat,lon\n",
        "time [h],lat,lon,u [m/s],v [m/s]\n",
        "time [h],u [m/s],v [m/s]\n",
    ]
    .map(str::to_owned);
    for (record, time) in recording.series("time").unwrap().iter().enumerate() {
        let of = |name: &str| recording.bodies_at(name, record).unwrap()[0];
        let place = frame.to_earth(DVec2::new(of("x"), of("y")));
        let velocity = DVec2::new(of("velocity_x"), of("velocity_y"));
        let DVec2 { x: u, y: v } = frame.east_north_at(place, velocity);
        let [lon, lat] = place.to_degrees();
        let hour = time / 3600.0;
        writeln!(tracks[0], "{hour},{lat},{lon}").unwrap();
        writeln!(tracks[1], "{hour},{lat},{lon},{u},{v}").unwrap();
        writeln!(tracks[2], "{hour},{u},{v}").unwrap();
    }
    tracks
}

#[test]
fn a_run_with_an_origin_agrees_with_its_own_places_on_earth() {
    // Meridians near the pole turn by 30 degrees over this drift.
    let text =
        "[origin]\nlongitude = \"12 degE\"\nlatitude = \"89 degN\"\n".to_owned() + &scenario();
    let bench = Workbench::with_scenario(&text);
    run(&bench, "out", &[]);
    let number = |value: &Value| value.as_f64().unwrap();
    for track in tracks_on_earth(&bench.path("out")) {
        bench.write("track.csv", track);
        let found = compare(&bench, &[]);
        let [observed, modelled] = ["observed", "modelled"].map(|which| &found[which]["wind"]);
        let of = |key: &str| [observed, modelled].map(|which| number(&which[key]));
        // Places are written to the last digit: micrometres in an hour.
        let [wanted, factor] = of("wind_factor");
        assert!((factor / wanted - 1.0).abs() < 1e-8, "{factor} {wanted}");
        let [wanted, turning] = of("turning_deg");
        assert!((turning - wanted).abs() < 1e-6, "{turning} {wanted}");
        assert!((number(&found["skill_r2"]) - 1.0).abs() < 1e-12);
    }
}

#[test]
fn a_fit_of_a_scenario_without_a_wind_that_varies_is_refused() {
    let text = scenario();
    let calm = &text[..text.find("[wind]").unwrap()];
    let bench = Workbench::with_scenario(&text);
    run(&bench, "out", &["--set", "time.duration=3 d"]);
    let mut track = HEADER.to_owned();
    for hour in 48..72 {
        let [u, v] = wind(f64::from(hour));
        writeln!(track, "{hour},81,{},{},{u},{v}", 0.02 * u, 0.02 * v).unwrap();
    }
    bench.write("track.csv", track);
    let constant = "[wind]\nvelocity = [\"5 m/s\", \"0 m/s\"]\n";
    for (wind, message) in [("", "has no wind"), (constant, "does not vary")] {
        bench.write("other.toml", format!("{calm}{wind}"));
        let outcome = bench.run(&["compare", "out", "track.csv", "--fit", "other.toml"]);
        assert_eq!(outcome.code, Some(2), "{}", outcome.stderr);
        assert!(outcome.stderr.contains(message), "{}", outcome.stderr);
        assert!(outcome.stderr.contains("hint:"), "{}", outcome.stderr);
    }
}

#[test]
fn separations_of_several_buoys_and_floes_grow_with_lag() {
    let text = scenario().replace(
        "[wind]",
        "[[floe]]\nname = \"thick\"\nposition = [\"5 km\", \"0 m\"]\nthickness = \"4 m\"\ndisc = { radius = \"100 m\" }\n[wind]",
    );
    let bench = Workbench::with_scenario(&text);
    run(&bench, "out", &[]);
    let mut track = "buoy,time [h],u [m/s],v [m/s]\n".to_owned();
    for hour in 0..192 {
        // B parts from A at 0.1 m/s; C, whose rows are wrong, is left out.
        let hour = f64::from(hour);
        let [u, v] = wind(hour).map(|component| 0.02 * component);
        writeln!(track, "A,{hour},{u},{v}\nB,{hour},{u},{}\nC,1,0,0", v + 0.1).unwrap();
    }
    bench.write("track.csv", &track);
    let found = compare(&bench, &["--buoy", "A"]);
    let number = |value: &Value| value.as_f64().unwrap();
    let observed = &found["pairs"]["observed"];
    assert_eq!(observed["points"], 2);
    for point in observed["dispersion"].as_array().unwrap() {
        let expected = 0.01 * number(&point["lag_s"]).powi(2);
        assert!((number(&point["mean_square_m2"]) / expected - 1.0).abs() < 1e-9);
    }
    let modelled = found["pairs"]["modelled"]["dispersion"].as_array().unwrap();
    let squares: Vec<f64> = modelled
        .iter()
        .map(|point| number(&point["mean_square_m2"]))
        .collect();
    // Of two floes in one wind, the separation after hours is the sum of small differences of their velocities.
    assert!(
        squares.len() > 4 && squares.windows(2).all(|pair| pair[1] > pair[0]),
        "{squares:?}"
    );
    assert!(bench.path("out/compare_pairs.svg").exists());
    let outcome = bench.run(&["compare", "out", "track.csv", "--buoy", "B"]);
    assert!(
        outcome.stderr.contains("pairs are without the buoy C"),
        "{}",
        outcome.stderr
    );
    assert!(outcome.stderr.contains("2 floes:"), "{}", outcome.stderr);
}

/// A track of places at 70° S around 180°, of the first floe of the run: the row for each time, and more columns.
fn southern_track(bench: &Workbench, every: f64, jitter: f64) -> String {
    let recording = Recording::open(&bench.path("out")).unwrap();
    let times = recording.series("time").unwrap();
    let of = |name: &str, record: usize| recording.bodies_at(name, record).unwrap()[0];
    let mut track = "Year,DOY,Lat,Lon\n".to_owned();
    let mut time = 0.0;
    let mut number = 0_u32;
    while time < times[times.len() - 1] {
        let record = ((time / 600.0) as usize).min(times.len() - 2);
        let share = time / 600.0 - record as f64;
        let at = |name: &str| of(name, record) + share * (of(name, record + 1) - of(name, record));
        // Degrees of latitude and longitude at 70° on WGS 84 [m].
        let lat = -70.0 + at("y") / 111_562.0;
        let lon = (359.98 + at("x") / 38_188.0).rem_euclid(360.0) - 180.0;
        let day = 1.0 + time / 86_400.0;
        writeln!(track, "2021,{day:.7},{lat:.9},{lon:.9}").unwrap();
        number += 1;
        time += every * (1.0 + jitter * f64::from(number % 3) - jitter);
    }
    track
}

#[test]
fn tracks_at_any_interval_in_the_south_across_the_date_line_are_read() {
    let text = scenario()
        .replace("81 degN", "70 degS")
        .replace("[time]\n", "[time]\nstart = 2021-01-01T00:00:00Z\n")
        .replace("1 h", "10 min");
    let bench = Workbench::with_scenario(&text);
    run(&bench, "out", &[]);
    for (every, jitter) in [
        (1200.0, 0.0),
        (3600.0, 0.3),
        (10_800.0, 0.0),
        (86_400.0, 0.0),
    ] {
        bench.write("track.csv", southern_track(&bench, every, jitter));
        let found = compare(&bench, &["--skip", "1 d"]);
        let number = |value: &Value| value.as_f64().unwrap();
        // A degree of longitude is 1 % longer 0.2° farther north: drifts of ten kilometres.
        assert!(
            number(&found["skill_r2"]) > 0.998,
            "{every}: {}",
            found["skill_r2"]
        );
        let ratio = &found["inertial_ratio"];
        if every > 40_000.0 {
            assert!(ratio.is_null(), "{ratio}");
        } else {
            assert!((number(ratio) - 1.0).abs() < 0.02, "{every}: {ratio}");
        }
        // To the left of the wind.
        let turning = number(&found["observed"]["wind"]["turning_deg"]);
        assert!(turning > 10.0, "{every}: {turning}");
    }
}

#[test]
fn tracks_that_cannot_be_compared_are_refused() {
    let bench = Workbench::with_scenario(&scenario());
    run(&bench, "out", &["--set", "time.duration=3 h"]);
    for (track, more, message) in [
        (
            "time [h],u [m/s],v [m/s]\n0,1,1\n1,1,1\n2,1,1\n",
            &["--skip", "2 d"][..],
            "fewer than three rows",
        ),
        ("time [h],u [m/s],v [m/s]\n0,1,1\n1,x,1\n", &[], "`x`"),
        ("time [h],u [m/s]\n0,1\n", &[], "v"),
        (
            "datetime,lat,lon\n1/5/2020,80,1\n",
            &[],
            "`1/5/2020` is not a date",
        ),
        (
            "datetime,lat,lon\n2020-05-01,80,1\n",
            &[],
            "does not say when its run starts",
        ),
        ("time [h],lat,lon\n0,-999,1\n", &[], "no place on Earth"),
        (
            "time [h],u [m/s],v [m/s]\n0,1,1\n",
            &["--buoy", "A"],
            "no column `buoy`",
        ),
        (HEADER, &["--skip", "soon"], "--skip"),
        (HEADER, &["--floe", "unknown", "--skip", "0 s"], "line 1"),
    ] {
        bench.write("track.csv", track);
        let outcome = bench.run(&[&["compare", "out", "track.csv"], more].concat());
        assert_eq!(outcome.code, Some(2), "{}", outcome.stderr);
        assert!(outcome.stderr.contains(message), "{}", outcome.stderr);
        assert!(outcome.stderr.contains("hint:"), "{}", outcome.stderr);
    }
}
