//! `banquise shapes`: what it makes of files, and what it says to bad ones.

use std::fs;

use insta::assert_snapshot;
use serde_json::Value;

use crate::workbench::{Outcome, Workbench};

/// A grey PNG picture with that many bits, by rows of letters: `.` is 0, others count from `a`.
fn png(rows: &[&str], bits: png::BitDepth, step: u8) -> Vec<u8> {
    let mut bytes = Vec::new();
    let (width, height) = (rows[0].len() as u32, rows.len() as u32);
    let mut encoder = png::Encoder::new(&mut bytes, width, height);
    encoder.set_color(png::ColorType::Grayscale);
    encoder.set_depth(bits);
    let mut writer = encoder.write_header().unwrap();
    let values = rows.concat().into_bytes().into_iter();
    let values = values.map(|letter| {
        if letter == b'.' {
            0
        } else {
            (letter - b'a' + 1) * step
        }
    });
    let wide = bits == png::BitDepth::Sixteen;
    let samples: Vec<u8> = values
        .flat_map(|value| if wide { vec![0, value] } else { vec![value] })
        .collect();
    writer.write_image_data(&samples).unwrap();
    writer.finish().unwrap();
    bytes
}

/// Two floes that touch, one inside the other, and a stray pixel of the first.
const MASK: [&str; 7] = [
    "............",
    ".aaaaabbbb..",
    ".aaaaabbbb..",
    ".aacaabbbb.a",
    ".aaaaabbbb..",
    ".aaaaabbbb..",
    "............",
];

fn summary(outcome: &Outcome) -> Value {
    assert_eq!(outcome.code, Some(0), "{}", outcome.stderr);
    serde_json::from_str(&outcome.stdout).unwrap()
}

#[test]
fn masks_give_a_library_a_sheet_and_an_overlay() {
    for (bits, flag) in [
        (png::BitDepth::Sixteen, "--json"),
        (png::BitDepth::Eight, "--labels"),
    ] {
        let bench = Workbench::new();
        bench.write("mask.png", png(&MASK, bits, 1));
        let overlay = ["--overlay", "over.svg", "--unit", "10 m", "--json", flag];
        // A flag given twice is refused.
        let options = if flag == "--json" {
            &overlay[..5]
        } else {
            &overlay[..]
        };
        let outcome = bench.run(&[&["shapes", "mask.png", "-o", "lib.json"], options].concat());
        let summary = summary(&outcome);
        assert_eq!(summary["outlines"], 2);
        // 25 and 20 pixels, less the corners and the lead of a tenth of a pixel between them.
        let area = summary["area_m2"].as_f64().unwrap();
        assert!((area - (4500.0 - 100.0 - 50.0)).abs() < 10.0, "{area}");
        assert_snapshot!("notes_of_a_mask", outcome.stderr);
        let names = ["lib.json", "lib.svg", "mask.png", "over.svg"];
        assert_eq!(bench.listing(), names.map(|name| bench.path(name)));
        let again = bench.run(&["shapes", "lib.json", "-o", "again.json", "--json"]);
        assert_eq!(self::summary(&again)["area_m2"], summary["area_m2"]);
    }
}

#[test]
fn a_picture_is_parted_into_its_floes() {
    let bench = Workbench::new();
    let (size, radius) = (60_i32, 13.0);
    let row = |y: i32| -> String {
        let is_ice = |x: i32| {
            let from = |center: i32| f64::from((x - center).pow(2) + (y - 30).pow(2)).sqrt();
            from(17) < radius || from(42) < radius
        };
        (0..size)
            .map(|x| if is_ice(x) { 'c' } else { 'a' })
            .collect()
    };
    let rows: Vec<String> = (0..size).map(row).collect();
    let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
    bench.write("two.png", png(&rows, png::BitDepth::Eight, 60));
    let run = |more: &[&str]| {
        let command = [
            "shapes", "two.png", "-o", "lib.json", "--unit", "10 m", "--json",
        ];
        bench.run(&[&command, more].concat())
    };
    let found = summary(&run(&[]));
    assert_eq!(found["outlines"], 2);
    let discs = 2.0 * std::f64::consts::PI * 130.0 * 130.0;
    assert!((found["area_m2"].as_f64().unwrap() / discs - 1.0).abs() < 0.05);
    assert!(found["max_vertices"].as_u64().unwrap() <= 40);
    assert_snapshot!("notes_of_a_picture", run(&[]).stderr);
    let none = run(&["--min-pixels", "900"]);
    assert_eq!(none.code, Some(2), "{}", none.stderr);
}

#[test]
fn outlines_of_other_programs_are_read() {
    let bench = Workbench::new();
    bench.write(
        "floes.json",
        r#"{"floes": [{"vertices": [[0,0],[2,0],[0,2]], "thickness": 1}]}"#,
    );
    bench.write("list.json", "[[[0,0],[2,0],[0,2],[0,0]]]");
    let ring = "[[10,80],[10.01,80],[10.01,80.002],[10,80.002],[10,80]]";
    bench.write(
        "land.geojson",
        format!(r#"{{"type":"Polygon","coordinates":[{ring}]}}"#),
    );
    let command = [
        "shapes",
        "floes.json",
        "list.json",
        "-o",
        "a.json",
        "--unit",
        "5 m",
        "--json",
    ];
    assert_eq!(summary(&bench.run(&command))["area_m2"], 100.0);
    let command = [
        "shapes",
        "land.geojson",
        "-o",
        "b.json",
        "--json",
        "--coordinates",
        "degrees",
    ];
    let area = summary(&bench.run(&command))["area_m2"].as_f64().unwrap();
    // 0.01° of longitude at 80° N are 193.9 m, 0.002° of latitude 223.3 m.
    assert!((area - 43_300.0).abs() < 100.0, "{area}");
}

/// The program refuses politely and leaves nothing behind. Gives its words.
fn refusal(bench: &Workbench, arguments: &[&str]) -> String {
    let before = bench.listing();
    let outcome = bench.run(&[&["shapes"], arguments, &["-o", "out.json"]].concat());
    assert_eq!(
        (outcome.code, outcome.stdout.as_str()),
        (Some(2), ""),
        "{}",
        outcome.stderr
    );
    assert_eq!(bench.listing(), before);
    outcome.stderr
}

#[test]
fn bad_files_are_refused_with_a_reason() {
    let bench = Workbench::new();
    let mask = png(&MASK, png::BitDepth::Sixteen, 1);
    bench.write("half.png", &mask[..mask.len() / 2]);
    bench.write("mask.png", mask);
    bench.write(
        "water.png",
        png(&["....", "...."], png::BitDepth::Sixteen, 1),
    );
    bench.write("grey.png", png(&["aaaa", "aaaa"], png::BitDepth::Eight, 9));
    bench.write("photo.tiff", b"II*\0\x08\0\0\0");
    bench.write(
        "line.geojson",
        r#"{"type": "LineString", "coordinates": [[0, 0], [1, 1]]}"#,
    );
    let polygon = |ring: &str| format!(r#"{{"type": "Polygon", "coordinates": [{ring}]}}"#);
    bench.write("here.geojson", polygon("[[0,0],[9,0],[0,9]]"));
    bench.write("bow.geojson", polygon("[[0,0],[900,900],[900,0],[0,910]]"));
    bench.write("empty.json", r#"{"name": "x", "outlines": []}"#);
    bench.write("half.json", r#"{"name": "x""#);
    let unit = ["--unit", "250 m"];
    let words: Vec<String> = [
        &["none.png"][..],
        &["mask.png"],
        &["half.png", unit[0], unit[1]],
        &["water.png", unit[0], unit[1]],
        &["grey.png", unit[0], unit[1]],
        &["mask.png", unit[0], "250"],
        &["mask.png", "--unit=-1 m"],
        &["mask.png", unit[0], "1e9 km"],
        &[
            "mask.png",
            "here.geojson",
            unit[0],
            unit[1],
            "--overlay",
            "o.svg",
        ],
        &["photo.tiff"],
        &["line.geojson"],
        &["here.geojson"],
        &["here.geojson", "--coordinates", "feet"],
        &["bow.geojson"],
        &["bow.geojson", "--coordinates", "degrees"],
        &["empty.json"],
        &["half.json"],
    ]
    .iter()
    .map(|arguments| format!("{}\n{}", arguments.join(" "), refusal(&bench, arguments)))
    .collect();
    assert_snapshot!("refused_shapes", words.join("\n"));
    let nowhere = bench.run(&["shapes", "mask.png", "--unit", "1 m", "-o", "no/where.json"]);
    assert_eq!(nowhere.code, Some(2));
    assert!(!fs::exists(bench.path("no")).unwrap());
}
