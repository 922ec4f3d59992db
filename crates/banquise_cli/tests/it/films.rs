//! Pictures and films of a run.

use std::fs::{self, File};

use insta::assert_snapshot;

use crate::bad_input::refusal;
use crate::workbench::{GOOD, Workbench};

/// A run of a few records.
fn recorded() -> Workbench {
    let bench = Workbench::with_scenario(GOOD);
    let arguments = [
        "run",
        "s.toml",
        "--set",
        "time.record_every=15 min",
        "--set",
        "ocean={model=\"rabatel-2015\"}",
        "--out",
        "out",
    ];
    assert_eq!(bench.run(&arguments).code, Some(0));
    bench
}

/// Width, height, and the colours of all pixels.
fn picture(bench: &Workbench, name: &str) -> (usize, usize, Vec<[u8; 3]>) {
    let file = std::io::BufReader::new(File::open(bench.path(name)).unwrap());
    let mut reader = png::Decoder::new(file).read_info().unwrap();
    let mut bytes = vec![0; reader.output_buffer_size().unwrap()];
    let info = reader.next_frame(&mut bytes).unwrap();
    let pixels = bytes.as_chunks::<3>().0.to_vec();
    (info.width as usize, info.height as usize, pixels)
}

#[test]
fn pictures_show_the_ice_where_it_is() {
    let bench = recorded();
    let outcome = bench.run(&[
        "export", "out", "--to", "png", "--size", "640x360", "--color", "id",
    ]);
    assert_eq!(outcome.code, Some(0), "{}", outcome.stderr);
    let mut names: Vec<_> = fs::read_dir(bench.path("out/pictures"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name())
        .collect();
    names.sort();
    assert_eq!(
        names,
        [
            "frame-0.png",
            "frame-1.png",
            "frame-2.png",
            "frame-3.png",
            "frame-4.png"
        ]
    );
    let (width, height, pixels) = picture(&bench, "out/pictures/frame-0.png");
    assert_eq!((width, height), (640, 360));
    let count = |color: [u8; 3]| pixels.iter().filter(|&&pixel| pixel == color).count() as f64;
    // The square of 100 m and the disc of 50 m have areas as 4 to π, but for their edges.
    let (square, disc) = (count([0x1f, 0x6f, 0x9f]), count([0xd1, 0x7a, 0x2c]));
    assert!(square > 500.0, "{square} pixels");
    assert!(
        (disc / square / 0.785 - 1.0).abs() < 0.1,
        "{disc} of {square}"
    );
    // The same run gives the same bytes.
    let again = [
        "export", "out", "--to", "png", "--size", "640x360", "--color", "id", "--out", "again",
    ];
    assert_eq!(bench.run(&again).code, Some(0));
    for name in names {
        let bytes = |folder: &str| fs::read(bench.path(folder).join(&name)).unwrap();
        assert!(bytes("out/pictures") == bytes("again"));
    }
}

#[test]
fn trails_and_graticule_show_that_the_ice_drifts() {
    let bench = recorded();
    let export = |more: &[&str]| {
        let ask = ["export", "out", "--to", "png", "--size", "640x360"];
        let outcome = bench.run(&[&ask, more].concat());
        assert_eq!(outcome.code, Some(0), "{}", outcome.stderr);
    };
    export(&["--out", "marked"]);
    export(&["--every", "4", "--out", "few"]);
    export(&["--plain", "--out", "plain"]);
    // The newest part of a trail, and a line of the graticule, on water.
    let (trail, line) = ([0x7d, 0x7c, 0xbf], [0xcc, 0xd6, 0xde]);
    let count = |name: &str, color: [u8; 3]| {
        let (_, _, pixels) = picture(&bench, name);
        let is_near = |pixel: &&[u8; 3]| (0..3).all(|k| pixel[k].abs_diff(color[k]) < 12);
        pixels.iter().filter(is_near).count()
    };
    assert_eq!(count("marked/frame-0.png", trail), 0);
    assert!(count("marked/frame-4.png", trail) > 5);
    assert_eq!(count("plain/frame-4.png", trail), 0);
    // Edges of letters have such a colour too.
    let letters = count("plain/frame-4.png", line);
    assert!(count("marked/frame-4.png", line) > letters + 500);
    // A trail goes through the records that the film leaves out.
    let bytes = |name: &str| fs::read(bench.path(name)).unwrap();
    assert!(bytes("marked/frame-4.png") == bytes("few/frame-4.png"));
}

#[test]
fn films_can_be_made_of_every_colour() {
    let bench = recorded();
    for color in [
        "speed",
        "thickness",
        "stress",
        "impulse",
        "rotation",
        "age",
        "id",
    ] {
        let out = format!("{color}.gif");
        let outcome = bench.run(&[
            "export", "out", "--to", "gif", "--size", "320x180", "--color", color, "--out", &out,
        ]);
        assert_eq!(outcome.code, Some(0), "{}", outcome.stderr);
        assert!(fs::read(bench.path(&out)).unwrap().starts_with(b"GIF89a"));
    }
}

#[test]
fn settings_of_films_are_checked() {
    let bench = recorded();
    let ask = |more: &[&str]| refusal(&bench, &[&["export", "out", "--to", "gif"], more].concat());
    assert_snapshot!("film_unknown_color", ask(&["--color", "taste"]));
    for size in ["big", "0x100", "100x", "99999x99999", "-5x5", "640"] {
        let text = ask(&[&format!("--size={size}")]);
        assert!(text.contains("hint: say width and height"), "{text}");
    }
}
