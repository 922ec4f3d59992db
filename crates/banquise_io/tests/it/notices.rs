//! What the user is told of a scenario before it runs.

use std::path::Path;

use banquise_io::plan::Plan;

const TIME: &str = "[time]\nduration = \"1 h\"\nstep = \"1 s\"\n";

#[test]
fn touching_floes_that_overlap_by_rounding_are_told_so() {
    let square = |x: f64, y: f64| {
        format!(
            "[[floe]]\nposition = [\"{x} m\", \"{y} m\"]\nheading = \"30 deg\"\nthickness = \"1 m\"\noutline = {{ unit = \"m\", points = [[-25, -25], [25, -25], [25, 25], [-25, 25]] }}\n"
        )
    };
    let refused = |x: f64, y: f64| {
        let text = format!("{TIME}{}{}", square(0.0, 0.0), square(x, y));
        let built = Plan::parse("t", &text, &[], Path::new("")).and_then(Plan::build);
        built.map(drop).unwrap_err().to_string()
    };
    // 50 m along the heading: 50 cos 30° and 50 sin 30° are rounded.
    let told = refused(43.301_270_189_221_94, 24.999_999_999_999_996);
    assert!(told.contains("by rounding alone"), "{told}");
    let told = refused(43.0, 25.0);
    assert!(!told.contains("rounding"), "{told}");
}

#[test]
fn steps_too_coarse_for_crushing_are_told() {
    let notices = |speed: &str, squeeze: &str| {
        let text = format!(
            "{TIME}[contact]\nsqueeze = \"{squeeze}\"\n[[floe]]\nposition = [\"0 m\", \"0 m\"]\nthickness = \"1 m\"\ndisc = {{ radius = \"100 m\" }}\n[[obstacle]]\ndisc = {{ radius = \"10 m\" }}\npath = [{{ time = \"0 s\", position = [\"-1 km\", \"0 m\"] }}, {{ time = \"100 s\", position = [\"{speed}\", \"0 m\"] }}]\n"
        );
        let plan = Plan::parse("t", &text, &[], Path::new("")).unwrap();
        plan.build().unwrap().notices
    };
    let told = notices("1 km", "crush").join("");
    assert!(told.contains("moves 20.00 m in a step"), "{told}");
    assert_eq!(notices("0 km", "crush"), Vec::<String>::new());
    assert_eq!(notices("1 km", "stop"), Vec::<String>::new());
}
