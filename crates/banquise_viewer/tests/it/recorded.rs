//! What the page reads of a recording.

use banquise::BodyId;
use banquise_geometry::{DVec2, Outline, Shape};
use tempfile::tempdir;

use crate::client::{
    SCENARIO, floats, get, integers, post, record, record_and, record_scenario, serve,
    serve_live_scenario,
};

#[test]
fn a_recording_is_told_as_it_was_recorded() {
    let folder = tempdir().unwrap();
    record(folder.path());
    let server = serve(folder.path());
    let scene = get(&server, "/api/scene").json();
    assert_eq!(scene["title"], "Two floes");
    assert_eq!(
        (scene["bodies"].as_u64(), scene["floes"].as_u64()),
        (Some(3), Some(2))
    );
    let state = get(&server, "/api/state?version=0&generation=0&known=0").json();
    assert_eq!(state["records"], 21);
    assert_eq!(state["times"][20], 1200.0);
    assert_eq!(
        (&state["live"], &state["status"]),
        (&false.into(), &"complete".into())
    );

    let frame = get(&server, "/api/frame?record=20").body;
    let numbers = floats(&frame);
    assert_eq!(numbers.len(), 8 + 8 * 3);
    assert_eq!((numbers[0], numbers[2], numbers[3]), (1200.0, 10.0, 0.0));
    let origin = scene["origin_m"][0].as_f64().unwrap();
    let floe = get(&server, "/api/floe?body=0&record=20").json();
    let x = floe["position_m"][0].as_f64().unwrap();
    assert!((f64::from(numbers[8]) + origin - x).abs() < 1e-3);
    assert_eq!(floe["name"], "disc");
    // The disc struck the square, and wind presses both against the rock in the end.
    assert!(floe["impulse_n_s"].as_f64().unwrap() > 1e4);
    assert!(floe["contact_force_n"].as_f64().unwrap() > 0.0);
    assert!(floe["pressure_pa"].as_f64().unwrap() > 0.0);
    assert_eq!(floe["path"][0].as_array().unwrap().len(), 21);
    let rock = get(&server, "/api/floe?body=2&record=0").json();
    assert_eq!(
        (&rock["is_obstacle"], &rock["mass_kg"]),
        (&true.into(), &serde_json::Value::Null)
    );

    let charts = get(&server, "/api/charts").json();
    let titles: Vec<_> = charts
        .as_array()
        .unwrap()
        .iter()
        .map(|c| c["title"].clone())
        .collect();
    for title in ["Kinetic energy", "Wind", "Drift of the pack", "Load: rock"] {
        assert!(
            titles.contains(&title.into()),
            "{title} is not in {titles:?}"
        );
    }
    assert_eq!(post(&server, r#"{"action":"pause"}"#).status, 409);
}

#[test]
fn trails_are_where_the_bodies_were() {
    let folder = tempdir().unwrap();
    record(folder.path());
    let server = serve(folder.path());
    let body = get(&server, "/api/trails").body;
    assert_eq!(integers(&body)[..2], [21, 3]);
    let numbers = floats(&body);
    assert_eq!(numbers.len(), 2 + 21 * (1 + 2 * 3));
    for record in [0, 7, 20] {
        let point = &numbers[2 + 7 * record..][..7];
        let frame = floats(&get(&server, &format!("/api/frame?record={record}")).body);
        assert_eq!((point[0], &point[1..]), (frame[0], &frame[8..14]));
    }
    // The weather is the same everywhere, and the two floes stay near their rock: one view shows them at all times.
    assert_eq!(get(&server, "/api/weather?record=3").body, [0; 4]);
    let scene = get(&server, "/api/scene").json();
    assert_eq!(
        (
            &scene["follows_ice"],
            &scene["weather_differs"],
            &scene["names"]["1"]
        ),
        (&false.into(), &false.into(), &"square".into())
    );
    let (min, max) = (&scene["extent"]["min"][0], &scene["extent"]["max"][0]);
    for record in 0..=20 {
        let frame = floats(&get(&server, &format!("/api/frame?record={record}")).body);
        assert!(min.as_f64().unwrap() <= f64::from(frame[8]) - 9.9);
        assert!(f64::from(frame[9]) + 9.9 <= max.as_f64().unwrap());
    }
}

#[test]
fn a_view_follows_ice_that_drifts_far() {
    let folder = tempdir().unwrap();
    let alone = SCENARIO.split("[[obstacle]]").next().unwrap();
    record_scenario(folder.path(), alone);
    let server = serve(folder.path());
    let scene = get(&server, "/api/scene").json();
    // The first view is that of the first record, 50 m from the left end of one floe to the right end of the other.
    let (min, max) = (&scene["extent"]["min"][0], &scene["extent"]["max"][0]);
    let width = max.as_f64().unwrap() - min.as_f64().unwrap();
    assert_eq!(scene["follows_ice"], true);
    assert!((50.0..60.0).contains(&width), "{width} m");
}

#[test]
fn wind_and_current_are_told_where_the_floes_are() {
    let folder = tempdir().unwrap();
    let eddy = "[current]\nvortex = { speed = \"30 cm/s\", radius = \"20 m\", turn = \"left\" }\n[contact]";
    let scenario = SCENARIO.replace("[contact]", eddy);
    record_scenario(folder.path(), &scenario);
    let recorded = serve(folder.path());
    let live = serve_live_scenario(&scenario);
    for server in [&recorded, &live] {
        let body = get(server, "/api/weather?record=0").body;
        let numbers = floats(&body);
        assert_eq!((integers(&body)[0], numbers.len()), (3, 1 + 4 * 3));
        // The wind is that of the scenario; the disc lies in the middle of the eddy, the square where it flows to the north.
        assert_eq!(numbers[1..4], [10.0; 3]);
        let (x, y) = (&numbers[7..10], &numbers[10..13]);
        assert!(x[0].abs() < 1e-6 && y[0].abs() < 1e-6, "{x:?} {y:?}");
        assert!(x[1].abs() < 1e-6 && y[1] > 0.2, "{x:?} {y:?}");
    }
}

#[test]
fn ranges_are_those_of_all_records() {
    let folder = tempdir().unwrap();
    record(folder.path());
    let server = serve(folder.path());
    let ranges = get(&server, "/api/ranges").json();
    let mut fastest = 0.0_f32;
    let mut strongest = 0.0_f32;
    for record in 0..=20 {
        let numbers = floats(&get(&server, &format!("/api/frame?record={record}")).body);
        let list = |number: usize| &numbers[8 + 3 * number..][..2];
        for floe in 0..2 {
            fastest = fastest.max(list(3)[floe].hypot(list(4)[floe]));
            strongest = strongest.max(list(6)[floe]);
        }
    }
    let most = |list: &str| ranges[list][2].as_f64().unwrap() as f32;
    assert_eq!(most("contact_force"), strongest);
    assert!((most("speed") / fastest - 1.0).abs() < 1e-6);
    assert_eq!(ranges["is_whole"], true);
}

#[test]
fn outlines_are_filled_by_their_triangles() {
    let folder = tempdir().unwrap();
    record(folder.path());
    let server = serve(folder.path());
    let bytes = get(&server, "/api/bodies").body;
    let integer = integers(&bytes);
    let float = floats(&bytes);
    let [bodies, versions, vertices, triangles] = [0, 1, 2, 3].map(|k| integer[k] as usize);
    // The page asks for the bodies born since it looked.
    let later = integers(&get(&server, "/api/bodies?from=1").body);
    assert_eq!(later[..4], [2, 0, 4 + 4, 3 * (2 + 2)]);
    assert_eq!((bodies, versions, vertices), (3, 0, 48 + 4 + 4));
    assert_eq!(triangles, 3 * (46 + 2 + 2));
    assert_eq!(
        bytes.len(),
        4 * (4 + 11 * bodies + 3 * vertices + triangles)
    );
    let list = |number: usize| &integer[4 + number * bodies..][..bodies];
    let points = &float[4 + 11 * bodies..][..2 * vertices];
    let indices = &integer[4 + 11 * bodies + 3 * vertices..][..triangles];
    // All were born with the run.
    assert_eq!(list(4), [0, 0, 0]);
    // None is a piece of another.
    assert_eq!((list(5), list(6)), (&[0, 0, 0][..], &[0, 1, 2][..]));
    let (starts, ends) = (list(7), list(8));
    assert_eq!((list(9), list(10)), (&[0, 48, 52][..], &[48, 52, 56][..]));
    // A polygon of 48 corners has 0.9971 of the area of its circle.
    let expected = [314.159_27 * 0.9971, 400.0, 800.0];
    for body in 0..bodies {
        let corners = &indices[starts[body] as usize..ends[body] as usize];
        let area: f32 = corners
            .chunks(3)
            .map(|three| {
                let [a, b, c] = [0, 1, 2].map(|k| {
                    [
                        points[2 * three[k] as usize],
                        points[2 * three[k] as usize + 1],
                    ]
                });
                0.5 * ((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]))
            })
            .sum();
        assert!(
            (area / expected[body] - 1.0).abs() < 1e-3,
            "{area} of body {body}"
        );
    }
}

#[test]
fn a_floe_that_was_cut_has_the_outline_of_the_record() {
    let folder = tempdir().unwrap();
    record_and(folder.path(), SCENARIO, |minute, world| {
        if minute == 10 {
            let corners = [(-10.0, -10.0), (-4.0, -10.0), (-4.0, 10.0), (-10.0, 10.0)];
            let corners = corners.map(|(x, y)| DVec2::new(x, y)).to_vec();
            let rest = Shape::Outline(Outline::try_new(corners).unwrap());
            world.reshape(BodyId(1), rest).unwrap();
        }
    });
    let server = serve(folder.path());
    let bytes = get(&server, "/api/bodies").body;
    let [integer, later] = [
        integers(&bytes),
        integers(&get(&server, "/api/bodies?from=3&versions=0").body),
    ];
    let [bodies, versions, vertices] = [0, 1, 2].map(|k| integer[k] as usize);
    assert_eq!((bodies, versions, vertices), (3, 1, 48 + 4 + 4 + 4));
    // Its body, its radius and its area; then where its triangles and its vertices start and end.
    let version = 4 + 11 * bodies;
    assert_eq!(integer[version], 1);
    assert_eq!(floats(&bytes)[version + 2], 120.0);
    assert_eq!(integer[version + 5..version + 7], [56, 60]);
    assert_eq!(later[..4], [0, 1, 4, 6]);
    for (record, known, area) in [(9, 0, 400.0), (10, 1, 120.0), (20, 1, 120.0)] {
        let frame = get(&server, &format!("/api/frame?record={record}")).body;
        assert_eq!(integers(&frame)[6..8], [3, known]);
        let floe = get(&server, &format!("/api/floe?body=1&record={record}")).json();
        assert_eq!(floe["area_m2"], area);
    }
}

#[test]
fn contacts_are_where_floes_touch() {
    let folder = tempdir().unwrap();
    record(folder.path());
    let server = serve(folder.path());
    assert_eq!(integers(&get(&server, "/api/contacts?record=0").body), [0]);
    // In the end the wind holds the floes against the rock.
    let bytes = get(&server, "/api/contacts?record=20").body;
    let count = integers(&bytes)[0] as usize;
    assert!(count >= 2, "{count}");
    let pairs = &integers(&bytes)[1 + 2 * count..];
    assert!(pairs.chunks(2).any(|pair| pair == [0, 1]), "{pairs:?}");
    assert!(pairs.chunks(2).any(|pair| pair == [1, 2]), "{pairs:?}");
    let origin = get(&server, "/api/scene").json()["origin_m"][0]
        .as_f64()
        .unwrap();
    let x = f64::from(floats(&bytes)[1]) + origin;
    assert!((79.0..=101.0).contains(&x), "{x}");
}

#[test]
fn what_is_not_there_is_said_so() {
    let folder = tempdir().unwrap();
    record(folder.path());
    let server = serve(folder.path());
    for (target, status) in [
        ("/api/frame?record=21", 404),
        ("/api/frame?record=18446744073709551615", 404),
        ("/api/frame?record=99999999999999999999", 400),
        ("/api/frame?record=-1", 400),
        ("/api/frame?record=1.5", 400),
        ("/api/frame?record=0&generation=undefined", 400),
        ("/api/frame", 400),
        ("/api/floe?body=3&record=0", 404),
        ("/api/floe?record=0", 400),
        ("/api/state", 400),
        ("/nothing", 404),
        ("/api", 404),
    ] {
        assert_eq!(get(&server, target).status, status, "{target}");
    }
    assert_eq!(get(&server, "/").status, 200);
}
