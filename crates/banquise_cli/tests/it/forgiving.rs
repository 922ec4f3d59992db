//! What is read although it is written another way, and what is read with a word of doubt.

use crate::workbench::{GOOD, Workbench};

const WIND: &str = "velocity = [\"5 m/s\", \"0 m/s\"]";

#[test]
fn a_series_of_dates_with_semicolons_and_decimal_commas_is_the_series_of_hours() {
    let hours = "time [h],u [m/s],v [m/s]\n0,1.5,2\n1,2.5,2\n2,0,1\n";
    let dates = "date;u [m/s];v [m/s]\n2008-02-01T06:00:00Z;1,5;2\n2008-02-01 07:00;2,5;2\n2008-02-01T08:00;0;1\n";
    let hash = |content: &str| {
        let text = GOOD.replacen(WIND, "series = \"wind.csv\"", 1).replacen(
            "[time]",
            "[time]\nstart = 2008-02-01T06:00:00Z",
            1,
        );
        let bench = Workbench::with_scenario(&text);
        bench.write("wind.csv", content);
        let outcome = bench.run(&["run", "s.toml", "--json"]);
        assert_eq!(outcome.code, Some(0), "{}", outcome.stderr);
        let summary: serde_json::Value = serde_json::from_str(&outcome.stdout).unwrap();
        summary["state_hash"].as_str().unwrap().to_owned()
    };
    assert_eq!(hash(hours), hash(dates));
}

#[test]
fn values_beyond_all_records_are_run_with_a_note() {
    let text = GOOD
        .replacen("5 m/s", "800 m/s", 1)
        .replacen("\"10 s\"", "\"1 s\"", 1);
    let bench = Workbench::with_scenario(&text);
    let notes = |arguments: &[&str]| {
        let outcome = bench.run(arguments);
        assert_eq!(outcome.code, Some(0), "{}", outcome.stderr);
        let lines = outcome.stderr.lines();
        let notes = lines.filter(|line| line.starts_with("note: "));
        notes.map(str::to_owned).collect::<Vec<_>>()
    };
    let wind =
        "note: the wind reaches 800 m/s, more than the fastest wind on record: is the unit right?";
    let ice =
        "note: a floe is 300 m thick, more than the thickest sea ice on record: is the unit right?";
    let thick = ["check", "s.toml", "--set", "floe[0].thickness=300 m"];
    assert_eq!(notes(&thick), [ice, wind]);
    assert_eq!(
        notes(&[
            "check",
            "s.toml",
            "--set",
            "wind.velocity=[\"40 m/s\", \"0 m/s\"]"
        ]),
        [""; 0]
    );
}
