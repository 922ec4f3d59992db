//! A run that goes on: paused, stepped, resumed, its wind changed.

use std::time::{Duration, Instant};

use banquise_viewer::Server;
use serde_json::Value;

use crate::client::{
    SCENARIO, floats, get, integers, post, record_scenario, serve, serve_live, serve_live_scenario,
};

fn state(server: &Server) -> Value {
    get(server, "/api/state?version=0&generation=0&known=0").json()
}

fn records(server: &Server) -> u64 {
    state(server)["records"].as_u64().unwrap()
}

/// Waits until something is so.
fn until(what: &str, is_so: impl Fn() -> bool) {
    let begun = Instant::now();
    while !is_so() {
        assert!(begun.elapsed() < Duration::from_secs(60), "never: {what}");
        std::thread::sleep(Duration::from_millis(5));
    }
}

#[test]
fn a_live_run_obeys() {
    let server = serve_live();
    assert_eq!(post(&server, r#"{"action":"pause"}"#).status, 200);
    until("paused", || state(&server)["paused"] == true);
    // The step at hand may still make a record; then there are no more.
    let resting = || {
        let before = records(&server);
        std::thread::sleep(Duration::from_millis(200));
        records(&server) == before
    };
    until("a run that rests", resting);
    let before = records(&server);

    assert_eq!(post(&server, r#"{"action":"step"}"#).status, 200);
    until("a step", || records(&server) == before + 1);
    let times = state(&server)["times"].clone();
    let time = |index: u64| times[index as usize].as_f64().unwrap();
    let length = time(before) - time(before - 1);
    assert!(length > 0.0 && length <= 1.0 + 1e-9, "a step of {length} s");

    // A storm to the west; both floes turn back.
    assert_eq!(
        post(&server, r#"{"action":"wind","x":-20,"y":0}"#).status,
        200
    );
    assert_eq!(
        post(&server, r#"{"action":"pace","records_per_second":1000}"#).status,
        200
    );
    assert_eq!(post(&server, r#"{"action":"resume"}"#).status, 200);
    until("the end", || state(&server)["status"] == "complete");
    let last = records(&server) - 1;
    let frame = floats(&get(&server, &format!("/api/frame?record={last}")).body);
    assert_eq!((frame[0], frame[2]), (1200.0, -20.0));
    let speeds = &frame[8 + 3 * 3..][..2];
    assert!(speeds.iter().all(|&speed| speed < -0.3), "{speeds:?}");
    let charts = get(&server, "/api/charts").json();
    assert_eq!(charts[0]["title"], "Kinetic energy");
    assert_eq!(charts[0]["time"].as_array().unwrap().len() as u64, last + 1);
}

#[test]
fn a_run_waits_until_a_page_is_opened() {
    let server = serve_live();
    post(&server, r#"{"action":"pace","records_per_second":1000}"#);
    std::thread::sleep(Duration::from_millis(300));
    // Frames tell without setting it going.
    assert_eq!(get(&server, "/api/frame?record=0").status, 200);
    assert_eq!(get(&server, "/api/frame?record=1").status, 404);
    until("the end", || state(&server)["status"] == "complete");
    assert_eq!(records(&server), 21);
}

#[test]
fn charts_and_ranges_are_those_of_the_recording() {
    let third = "[[floe]]\nname = \"third\"\ndisc = { radius = \"12 m\" }\nposition = [\"0 m\", \"40 m\"]\nthickness = \"1 m\"\n";
    let scenario = format!("{SCENARIO}{third}");
    let folder = tempfile::tempdir().unwrap();
    record_scenario(folder.path(), &scenario);
    let (recorded, live) = (serve(folder.path()), serve_live_scenario(&scenario));
    assert_eq!(get(&live, "/api/ranges").json(), Value::Null);
    post(&live, r#"{"action":"pace","records_per_second":1000}"#);
    until("the end", || state(&live)["status"] == "complete");
    let charts = [&recorded, &live].map(|server| get(server, "/api/charts").json());
    let titles = charts.each_ref().map(|charts| {
        let charts = charts.as_array().unwrap().iter();
        charts.map(|c| c["title"].to_string()).collect::<Vec<_>>()
    });
    assert_eq!(titles[0], titles[1]);
    assert!(titles[0].len() >= 9, "{titles:?}");
    for (expected, found) in charts[0]
        .as_array()
        .unwrap()
        .iter()
        .zip(charts[1].as_array().unwrap())
    {
        let lists = [expected, found].map(|chart| chart["value"].as_array().unwrap().clone());
        assert_eq!(lists[0].len(), lists[1].len(), "{}", expected["title"]);
        for (a, b) in lists[0].iter().zip(&lists[1]) {
            let (a, b) = (a.as_f64().unwrap(), b.as_f64().unwrap());
            // Headings are recorded as angles, from which outlines are turned again.
            assert!(
                (a - b).abs() <= 1e-9 * a.abs(),
                "{}: {a} and {b}",
                expected["title"]
            );
        }
    }
    let ranges = [&recorded, &live].map(|server| get(server, "/api/ranges").json());
    assert_eq!(ranges[0], ranges[1]);
    assert_eq!(ranges[0]["is_whole"], true);
}

#[test]
fn the_wind_of_the_scenario_comes_back() {
    let server = serve_live();
    post(&server, r#"{"action":"pace","records_per_second":1000}"#);
    post(&server, r#"{"action":"wind","x":0,"y":15}"#);
    until("another wind", || {
        state(&server)["wind"] == serde_json::json!([0.0, 15.0])
    });
    post(&server, r#"{"action":"weather"}"#);
    until("the end", || state(&server)["status"] == "complete");
    let last = records(&server) - 1;
    let frame = floats(&get(&server, &format!("/api/frame?record={last}")).body);
    assert_eq!((frame[2], frame[3]), (10.0, 0.0));
}

#[test]
fn commands_that_make_no_sense_change_nothing() {
    let server = serve_live();
    for bad in [
        "",
        "null",
        "{",
        "[]",
        r#"{"action":"explode"}"#,
        r#"{"action":"wind"}"#,
        r#"{"action":"wind","x":1e999,"y":0}"#,
        r#"{"action":"wind","x":1000,"y":0}"#,
        r#"{"action":"wind","x":"1","y":0}"#,
        r#"{"action":"pause","also":1}"#,
        r#"{"action":"pace","records_per_second":0}"#,
        r#"{"action":"pace","records_per_second":-5}"#,
    ] {
        assert_eq!(post(&server, bad).status, 400, "{bad}");
    }
    let storm = post(&server, r#"{"action":"wind","x":-40,"y":50}"#);
    assert_eq!(storm.text(), "a wind of at most 60 m/s can be set\n");
    assert_eq!(
        post(&server, r#"{"action":"wind","x":60,"y":0}"#).status,
        200
    );
    assert_eq!(post(&server, r#"{"action":"weather"}"#).status, 200);
    let state = state(&server);
    assert_eq!(state["max_wind"], 60.0);
    assert_eq!(
        (&state["paused"], &state["wind"]),
        (&false.into(), &Value::Null)
    );
}

/// Floes enter in the west and leave in the east.
const OPEN_CHANNEL: &str = r#"
[time]
duration = "20 min"
step = "5 s"
record_every = "1 min"
[domain]
size = ["600 m", "400 m"]
edges = { west = "open", east = "open" }
[current]
velocity = ["1 m/s", "0 m/s"]
[[floe]]
position = ["500 m", "200 m"]
velocity = ["1 m/s", "0 m/s"]
thickness = "1 m"
disc = { radius = "20 m" }
[[source]]
region = { corner = ["30 m", "50 m"], size = ["50 m", "300 m"] }
interval = "30 s"
min_size = "10 m"
thickness = "1 m"
velocity = ["1 m/s", "0 m/s"]
"#;

#[test]
fn bodies_come_and_go_while_one_looks() {
    let server = serve_live_scenario(OPEN_CHANNEL);
    post(&server, r#"{"action":"pace","records_per_second":1000}"#);
    until("the end", || state(&server)["status"] == "complete");
    let last = records(&server) - 1;
    let count_in = |record: u64| {
        let frame = get(&server, &format!("/api/frame?record={record}")).body;
        integers(&frame)[6]
    };
    assert_eq!(count_in(0), 1);
    assert!(count_in(last) > 30, "{}", count_in(last));
    let bodies = integers(&get(&server, "/api/bodies").body)[0];
    assert_eq!(bodies, count_in(last));
    // The first floe has left: it keeps its shape and its path, and has no place any more.
    let gone = get(&server, &format!("/api/floe?body=0&record={last}")).json();
    assert_eq!(
        (&gone["is_there"], &gone["disc_radius_m"]),
        (&false.into(), &20.0.into())
    );
    assert!(gone["gone_s"].as_f64().unwrap() > 60.0);
    assert!(!gone["path"][0].as_array().unwrap().is_empty());
    // One that was born later was not there at the start.
    let unborn = get(&server, "/api/floe?body=9&record=0").json();
    assert_eq!(unborn["is_there"], false);
    let charts = get(&server, "/api/charts").json();
    let mut charts = charts.as_array().unwrap().iter();
    let floes = charts.find(|chart| chart["title"] == "Floes").unwrap();
    assert_eq!(floes["value"][0], 1.0);
    assert!(floes["value"][last as usize].as_f64().unwrap() > 5.0);
    for path in ["/api/ranges", "/api/contacts?record=3"] {
        assert_eq!(get(&server, path).status, 200, "{path}");
    }
}

const SQUEEZED: &str = r#"
title = "Squeezed"
[time]
duration = "60 s"
step = "1 s"
record_every = "5 s"
[drag]
enabled = false
[contact]
squeeze = "crush"
[[floe]]
thickness = "0.5 m"
disc = { radius = "10 m", sides = 4 }
[[obstacle]]
position = ["16 m", "0 m"]
outline = { unit = "m", points = [[-5, -50], [5, -50], [5, 50], [-5, 50]] }
[[obstacle]]
outline = { unit = "m", points = [[-5, -50], [5, -50], [5, 50], [-5, 50]] }
path = [
  { time = "0 s", position = ["-16 m", "0 m"] },
  { time = "60 s", position = ["-4 m", "0 m"] },
]
"#;

#[test]
fn floes_are_cut_while_one_looks() {
    let server = serve_live_scenario(SQUEEZED);
    post(&server, r#"{"action":"pace","records_per_second":1000}"#);
    until("the end", || state(&server)["status"] == "complete");
    let last = records(&server) - 1;
    let versions_in = |record: u64| {
        let frame = get(&server, &format!("/api/frame?record={record}")).body;
        integers(&frame)[7]
    };
    assert_eq!(versions_in(0), 0);
    let versions = integers(&get(&server, "/api/bodies").body)[1];
    assert!(versions > 3 && versions == versions_in(last), "{versions}");
    let area_in = |record: u64| {
        let floe = get(&server, &format!("/api/floe?body=0&record={record}")).json();
        floe["area_m2"].as_f64().unwrap()
    };
    assert!((area_in(0) - 200.0).abs() < 1e-9);
    assert!(area_in(last) < 150.0, "{}", area_in(last));
}
