//! Tides on a grid, from a file: the same drift as with the same ellipse everywhere, and refusals word for word.

use banquise_io::recording::Recording;
use insta::assert_snapshot;

use crate::bad_input::{refusal, refused};
use crate::resume::killed_again_and_again;
use crate::weather::{Classic, Variable};
use crate::workbench::Workbench;

/// An M2 tide of one ellipse on 5 × 5 nodes around 60° N 5° E, as ellipses and as components; two levels, of which the first is calm.
fn file() -> Classic {
    let (major, minor, inclination, phase) = (0.3_f64, -0.1_f64, 0.5_f64, 2.0_f64);
    // U = e^(iθ) (a cos(ωt − g) + i b sin(ωt − g)), by components.
    let (cos, sin) = (inclination.cos(), inclination.sin());
    let east = (
        major * cos * phase.cos() + minor * sin * phase.sin(),
        major * cos * phase.sin() - minor * sin * phase.cos(),
    );
    let north = (
        major * sin * phase.cos() - minor * cos * phase.sin(),
        major * sin * phase.sin() + minor * cos * phase.cos(),
    );
    let polar = |(cosine, sine): (f64, f64)| (cosine.hypot(sine), sine.atan2(cosine).to_degrees());
    let ((ua, ug), (va, vg)) = (polar(east), polar(north));
    let axis = |name, dimension, unit, start: f64| Variable {
        name,
        dimensions: vec![dimension],
        texts: vec![("units", unit)],
        values: (0..5).map(|k| start + 0.5 * f64::from(k)).collect(),
    };
    let variable = |name, unit, value: f64| Variable {
        name,
        dimensions: vec![0, 1, 2],
        texts: vec![("units", unit)],
        values: [[0.0; 25], [value; 25]].concat(),
    };
    Classic {
        dimensions: vec![("constituents", 2), ("lat", 5), ("lon", 5)],
        variables: vec![
            axis("lat", 1, "degrees_north", 59.0),
            axis("lon", 2, "degrees_east", 4.0),
            variable("major", "m s-1", major),
            variable("minor", "m s-1", minor),
            variable("inclination", "radian", inclination),
            variable("phase", "degrees", phase.to_degrees()),
            variable("ua", "cm/s", 100.0 * ua),
            variable("ug", "degrees", ug),
            variable("va", "cm/s", 100.0 * va),
            variable("vg", "degrees", vg),
        ],
    }
}

const ELLIPSES: &str = "variables = { major = \"major\", minor = \"minor\", inclination = \"inclination\", phase = \"phase\" }";
const COMPONENTS: &str = "variables = { x_amplitude = \"ua\", x_phase = \"ug\", y_amplitude = \"va\", y_phase = \"vg\" }";
const ORIGIN: &str = "[origin]\nlongitude = \"5 degE\"\nlatitude = \"60 degN\"\n";

/// A floe at the origin for a day, with this table of the tide.
fn scenario(origin: &str, tide: &str) -> String {
    format!(
        "{origin}[time]\nduration = \"1 d\"\nstep = \"60 s\"\n[coriolis]\nlatitude = \"60 degN\"\n\
         [[floe]]\nname = \"floe\"\nthickness = \"1 m\"\ndisc = {{ radius = \"100 m\" }}\n\
         [[tide]]\nconstituent = \"M2\"\n{tide}\n"
    )
}

fn bench(tide: &str, file: &Classic) -> Workbench {
    let bench = Workbench::with_scenario(&scenario(ORIGIN, tide));
    bench.write("tide.nc", file.bytes());
    bench
}

/// A table with the file and more.
fn from_file(more: &str) -> String {
    format!("file = \"tide.nc\"\nlevel = 1\n{more}")
}

/// Where the floe is in the end \[m\].
fn end(tide: &str) -> [f64; 2] {
    let bench = bench(tide, &file());
    let outcome = bench.run(&["run", "s.toml", "--out", "out"]);
    assert_eq!(outcome.code, Some(0), "{}", outcome.stderr);
    let recording = Recording::open(&bench.path("out")).unwrap();
    let last = recording.series("time").unwrap().len() - 1;
    ["x", "y"].map(|name| recording.bodies_at(name, last).unwrap()[0])
}

#[test]
fn ellipses_and_components_on_a_grid_give_the_drift_of_the_ellipse() {
    let uniform = end(
        "major = \"0.3 m/s\"\nminor = \"0.1 m/s\"\nturn = \"right\"\ninclination = \"0.5 rad\"\nphase = \"2 rad\"",
    );
    let [ellipses, components] = [ELLIPSES, COMPONENTS].map(|variables| end(&from_file(variables)));
    let apart = |a: [f64; 2], b: [f64; 2]| (a[0] - b[0]).hypot(a[1] - b[1]);
    // Rounding of degrees and back, over 1440 steps.
    assert!(apart(ellipses, components) < 1e-6);
    // East turns by up to 5e-4 within the 2 km that the floe goes from the origin, 17 km in all.
    assert!(apart(ellipses, uniform) < 9.0, "{ellipses:?} {uniform:?}");
    assert!(apart(uniform, [0.0; 2]) > 500.0);
    // Phases that lag behind an astronomical argument of 2 rad.
    let earlier = end(
        "major = \"0.3 m/s\"\nminor = \"0.1 m/s\"\nturn = \"right\"\ninclination = \"0.5 rad\"",
    );
    let found = end(&from_file(&format!("argument = \"2 rad\"\n{ELLIPSES}")));
    assert!(apart(found, earlier) < 9.0, "{found:?} {earlier:?}");
    assert!(apart(earlier, uniform) > 500.0);
}

/// A table of the ellipse of the file, everywhere.
const UNIFORM: &str = "major = \"0.3 m/s\"\nminor = \"0.1 m/s\"\nturn = \"right\"\ninclination = \"0.5 rad\"\nphase = \"2 rad\"";

#[test]
fn phases_of_a_named_constituent_are_those_of_greenwich_where_the_run_has_a_date() {
    let dated = |text: &str| text.replace("[time]\n", "[time]\nstart = 2020-05-01T06:00:00Z\n");
    let end = |text: &str| {
        let bench = Workbench::with_scenario(text);
        bench.write("tide.nc", file().bytes());
        let outcome = bench.run(&["run", "s.toml", "--out", "out"]);
        assert_eq!(outcome.code, Some(0), "{}", outcome.stderr);
        let recording = Recording::open(&bench.path("out")).unwrap();
        let last = recording.series("time").unwrap().len() - 1;
        ["x", "y"].map(|name| recording.bodies_at(name, last).unwrap()[0])
    };
    let apart = |a: [f64; 2], b: [f64; 2]| (a[0] - b[0]).hypot(a[1] - b[1]);
    let greenwich = end(&dated(&scenario(ORIGIN, UNIFORM)));
    // V = 333.389° and u = −1.935° of M2 at that date by `UTide` 0.4.0; f = 1.0022 moves it by 0.2 %.
    let by_hand = end(&scenario(
        ORIGIN,
        &format!("{UNIFORM}\nargument = \"331.454 deg\""),
    ));
    assert!(apart(greenwich, by_hand) < 5.0, "{greenwich:?} {by_hand:?}");
    // A given argument, or a period without a name, takes its place.
    let given = format!("{UNIFORM}\nargument = \"331.454 deg\"");
    assert_eq!(end(&dated(&scenario(ORIGIN, &given))), by_hand);
    let nameless =
        scenario(ORIGIN, UNIFORM).replace("constituent = \"M2\"", "period = \"12.420601 h\"");
    assert_eq!(end(&dated(&nameless)), end(&nameless));
    assert!(apart(end(&nameless), greenwich) > 100.0);
}

#[test]
fn constituents_of_one_file_are_listed_in_its_order() {
    let one_by_one = end(&format!(
        "{}\n[[tide]]\nconstituent = \"S2\"\nfile = \"tide.nc\"\nlevel = 0\n{ELLIPSES}",
        from_file(ELLIPSES)
    ));
    let bench = bench("", &file());
    let listed = format!("constituents = [\"S2\", \"M2\"]\nfile = \"tide.nc\"\n{ELLIPSES}");
    bench.write(
        "s.toml",
        scenario(ORIGIN, "").replace("constituent = \"M2\"\n", &listed),
    );
    let outcome = bench.run(&["run", "s.toml", "--out", "out"]);
    assert_eq!(outcome.code, Some(0), "{}", outcome.stderr);
    let recording = Recording::open(&bench.path("out")).unwrap();
    let last = recording.series("time").unwrap().len() - 1;
    let end = ["x", "y"].map(|name| recording.bodies_at(name, last).unwrap()[0]);
    assert_eq!(end, one_by_one);
}

#[test]
fn a_run_with_a_tide_from_a_file_is_killed_again_and_again() {
    let layer = "[ocean_layer]\nice_fraction = 0.9\n[[floe]]";
    let text = scenario(ORIGIN, &from_file(ELLIPSES))
        .replace("1 d", "20 d")
        .replace(
            "[time]\n",
            "[time]\nstart = 2020-05-01T06:00:00Z\nrecord_every = \"2 h\"\n",
        )
        .replace("[[floe]]", layer);
    let bench = Workbench::with_scenario(&text);
    bench.write("tide.nc", file().bytes());
    killed_again_and_again(&bench, 4);
}

/// A list of constituents beside the file of two.
fn listing(list: &str) -> Workbench {
    let table = format!("constituents = {list}\nfile = \"tide.nc\"\n{ELLIPSES}\n");
    let bench = bench("", &file());
    bench.write(
        "s.toml",
        scenario(ORIGIN, "").replace("constituent = \"M2\"\n", &table),
    );
    bench
}

refused! {
    tide_with_too_few_constituents: listing("[\"M2\"]");
    tide_with_an_unknown_constituent: listing("[\"M2\", \"X2\"]");
    tide_without_variables: bench(&from_file(""), &file());
    tide_with_three_variables: bench(&from_file("variables = { x_amplitude = \"ua\", x_phase = \"ug\", y_amplitude = \"va\" }"), &file());
    tide_with_an_unknown_variable: bench(&from_file(&ELLIPSES.replace("\"major\"", "\"Ua\"")), &file());
    tide_with_an_axis_and_a_file: bench(&from_file(&format!("major = \"1 m/s\"\n{ELLIPSES}")), &file());
    tide_without_a_unit_of_phase: bench(&from_file(ELLIPSES), &file().with("phase", "units", ""));
    tide_without_a_level: bench(&from_file(ELLIPSES).replace("level = 1\n", ""), &file());
    tide_without_origin: {
        let bench = Workbench::with_scenario(&scenario("", &from_file(ELLIPSES)));
        bench.write("tide.nc", file().bytes());
        bench
    };
    tide_elsewhere_than_the_floe: bench(&from_file(ELLIPSES), &{
        let mut file = file();
        file.variable("lat").values.iter_mut().for_each(|value| *value += 3.0);
        file
    });
}
