//! Floes squeezed by obstacles on their paths, as a user runs them: a floe between a press and an anvil, and forty pressed into a wedge.

use serde_json::Value;

use crate::workbench::Workbench;

const CRUSH: &str = include_str!("../cases/crush.toml");
const WEDGE: &str = include_str!("../cases/wedge.toml");
const INTEGRATORS: [&str; 2] = ["event", "stepping"];

/// Exit code, summary and messages of a run.
fn run(scenario: &str, keys: &[&str], threads: &str) -> (Option<i32>, Value, String) {
    let bench = Workbench::with_scenario(scenario);
    let mut arguments = vec!["run", "s.toml", "--threads", threads, "--json"];
    for key in keys {
        arguments.extend(["--set", key]);
    }
    let outcome = bench.run(&arguments);
    let summary = serde_json::from_str(&outcome.stdout).unwrap_or_default();
    (outcome.code, summary, outcome.stderr)
}

/// The largest normal impulse of one step on an obstacle [N s].
fn largest_load(summary: &Value) -> f64 {
    let loads = summary["loads"].as_array().unwrap().iter();
    loads
        .map(|load| load["largest_normal_impulse_n_s"].as_f64().unwrap())
        .fold(0.0, f64::max)
}

#[test]
fn a_squeezed_floe_stops_the_run_and_the_message_says_what_to_do() {
    for integrator in INTEGRATORS {
        let integrator = format!("contact.integrator={integrator}");
        let (code, summary, message) = run(CRUSH, &[&integrator], "1");
        assert_eq!(code, Some(1), "{message}");
        assert_eq!(summary["status"], "failed");
        for part in [
            "squeezed between",
            "\"press\"",
            "\"anvil\"",
            "0.5 m/s",
            "hint:",
            "crush",
        ] {
            assert!(message.contains(part), "{part} is not in: {message}");
        }
        // The floe has 1.8e5 kg, the press moves at 0.5 m/s, and restitution adds less than as much again each time.
        assert!(largest_load(&summary) < 4e5, "{summary}");
    }
}

#[test]
fn a_squeezed_floe_is_crushed_at_the_pressure_given() {
    for integrator in INTEGRATORS {
        let integrator = format!("contact.integrator={integrator}");
        let (code, summary, message) = run(CRUSH, &[&integrator, "contact.squeeze=crush"], "1");
        assert_eq!(
            (code, &summary["status"]),
            (Some(0), &"complete".into()),
            "{message}"
        );
        assert_eq!(summary["contact"]["unsolved"], 0);
        // 1.5 MPa on 1 m of ice over the 20 m of its diagonal, in a step of 1 s.
        assert!(largest_load(&summary) < 1.5e6 * 20.0, "{summary}");
    }
}

#[test]
fn a_bow_that_crushes_its_way_to_a_quay_bears_what_its_sides_do() {
    const SHIP: &str = include_str!("../../../../scenarios/ship-quay.toml");
    let impulse = |integrator: &str, duration: &str| {
        let keys = [
            format!("contact.integrator={integrator}"),
            format!("time.duration=\"{duration}\""),
            "report.snapshots=[]".to_owned(),
        ];
        let (code, summary, message) = run(SHIP, &keys.each_ref().map(String::as_str), "1");
        assert_eq!(code, Some(0), "{message}");
        assert_eq!(summary["contact"]["unsolved"], 0, "{summary}");
        summary["loads"][0]["impulse_n_s"][0].as_f64().unwrap()
    };
    // A face of 8 m, and two sides of 5 m that advance 3 m across and lie 4 m along the course, with friction: 12 MN + 2 × 7.5 MN × (0.6 + 0.3 × 0.8).
    let expected = 24.6e6;
    for integrator in INTEGRATORS {
        let force = (impulse(integrator, "110 s") - impulse(integrator, "90 s")) / 20.0;
        // Each step crushes a little less or more than its force would.
        assert!(
            (force / expected - 1.0).abs() < 2e-3,
            "{integrator}: {force}"
        );
    }
}

/// A bar that rolls between a quay and a hull that slides along it.
const BAR: &str = r#"
[time]
duration = "5 s"
step = "0.1 s"
[drag]
enabled = false
[contact]
friction = 0.5
squeeze = "crush"
crushing_pressure = "1 MPa"
[[floe]]
position = ["0 m", "0 m"]
thickness = "1 m"
angular_velocity = "-0.01 rad/s"
outline = { unit = "m", points = [[1, -10], [3, -10], [1, 10], [-1, 10]] }
[[obstacle]]
name = "quay"
position = ["0 m", "-12.02 m"]
outline = { unit = "m", points = [[-100, -2], [100, -2], [100, 2], [-100, 2]] }
[[obstacle]]
name = "hull"
outline = { unit = "m", points = [[-100, -2], [100, -2], [100, 2], [-100, 2]] }
path = [{ time = "0 s", position = ["0 m", "12.02 m"] }, { time = "20 s", position = ["10 m", "12.02 m"] }]
"#;

#[test]
fn energy_of_crushing_that_is_not_pressure_times_volume_is_told() {
    let (code, summary, message) = run(BAR, &[], "1");
    assert_eq!(code, Some(0), "{message}");
    // Ends that roll sweep over more than is cut off.
    let trust = summary["how_far_to_trust_it"].to_string();
    assert!(trust.contains("the energy is off by 25 %"), "{trust}");
}

#[test]
fn floes_in_a_wedge_are_crushed_with_the_same_bits_on_any_number_of_threads() {
    for integrator in INTEGRATORS {
        let integrator = format!("contact.integrator={integrator}");
        for seed in ["pack.seed=20", "pack.seed=43"] {
            let keys = [integrator.as_str(), seed, "contact.squeeze=crush"];
            let [one, two] = ["1", "2"].map(|threads| run(WEDGE, &keys, threads));
            assert_eq!(
                (one.0, &one.1["contact"]["unsolved"]),
                (Some(0), &0.into()),
                "{}",
                one.2
            );
            assert_eq!(one.1["state_hash"], two.1["state_hash"]);
            // Over the whole length of the press.
            assert!(largest_load(&one.1) < 1.5e6 * 216.0, "{}", one.1);
        }
    }
}

#[test]
fn a_wedge_of_rigid_floes_ends_or_says_that_they_are_locked() {
    for integrator in INTEGRATORS {
        let integrator = format!("contact.integrator={integrator}");
        for seed in ["pack.seed=4", "pack.seed=15"] {
            let (code, summary, message) = run(WEDGE, &[&integrator, seed], "2");
            match code {
                Some(0) => assert_eq!(summary["contact"]["unsolved"], 0),
                Some(1) => assert!(message.contains("squeezed between"), "{message}"),
                code => panic!("{code:?}: {message}"),
            }
            // An arch that friction all but locks bears 1e9 N; without a solution it was 6e17 N s.
            assert!(largest_load(&summary) < 1e10, "{summary}");
        }
    }
}

#[test]
fn the_loads_of_a_run_that_stops_are_those_before_the_step_that_locks() {
    let (code, summary, message) = run(WEDGE, &["pack.seed=1"], "1");
    assert_eq!(code, Some(1), "{message}");
    // In its last step an arch would bear 1.2e10 N s before it locks; before that, 1.2 MN.
    assert!(largest_load(&summary) < 1e8, "{summary}");
}

#[test]
fn a_pressure_without_crushing_is_refused() {
    let (code, _, message) = run(CRUSH, &["contact.crushing_pressure=2 MPa"], "1");
    assert_eq!(code, Some(2));
    assert!(message.contains("squeeze"), "{message}");
}
