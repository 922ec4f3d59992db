//! Spheres on a line, and the input files of their source, from the command line.

use crate::workbench::{Workbench, json_of};

#[test]
fn chains_are_of_second_order_and_packets_cohere() {
    let smooth = json_of(&["chain", "--spheres", "25", "--spheres", "100"]);
    for key in ["velocity_order", "place_order"] {
        let order = smooth[key].as_f64().unwrap();
        assert!((1.9..2.1).contains(&order), "{key}: {order}");
    }
    let packets = json_of(&[
        "chain",
        "--fraction",
        "packets",
        "--force",
        "part",
        "--spheres",
        "100",
    ]);
    for key in ["packets", "continuum_packets"] {
        assert_eq!(packets[key].as_array().unwrap().len(), 2, "{key}");
    }
    assert!(
        packets["place_order"].is_null(),
        "of one chain there is no order"
    );
}

#[test]
fn chains_are_drawn_and_bad_times_refused() {
    let bench = Workbench::with_scenario("");
    let path = bench.path("chain.svg");
    let outcome = bench.run(&[
        "chain",
        "--spheres",
        "20",
        "--stress-svg",
        path.to_str().unwrap(),
    ]);
    assert_eq!(outcome.code, Some(0), "{}", outcome.stderr);
    let text = std::fs::read_to_string(&path).unwrap();
    assert!(text.starts_with("<svg") && text.contains("continuum"));
    let refused = bench.run(&["chain", "--time", "0"]);
    assert_eq!(refused.code, Some(2));
    assert!(refused.stderr.contains("hint:"), "{}", refused.stderr);
}

#[test]
fn input_files_that_do_not_agree_are_refused() {
    let bench = Workbench::with_scenario("");
    let (data, config) = (bench.path("data"), bench.path("config"));
    let files = concat!(env!("CARGO_MANIFEST_DIR"), "/../banquise_io/tests/files");
    std::fs::copy(format!("{files}/lefebvre-data.txt"), &data).unwrap();
    std::fs::copy(format!("{files}/lefebvre-config.txt"), &config).unwrap();
    let both = [
        "scenarios",
        "convert",
        data.to_str().unwrap(),
        config.to_str().unwrap(),
    ];
    let refused = bench.run(&both);
    assert_eq!(refused.code, Some(2));
    assert!(refused.stderr.contains("32 obstacles") && refused.stderr.contains("hint:"));
    let text = std::fs::read_to_string(&config).unwrap();
    std::fs::write(&config, text.replace("32  NbO", "7  NbO")).unwrap();
    let outcome = bench.run(&both);
    assert_eq!(outcome.code, Some(0), "{}", outcome.stderr);
    assert!(outcome.stdout.contains("[[discs]]") && outcome.stdout.contains("law = \"gluey\""));
}
