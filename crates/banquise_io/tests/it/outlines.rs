//! Scenes, coasts and channels as bodies of a run.

use std::ops::ControlFlow;
use std::path::Path;

use banquise::{Bounds, Domain, NoTimer, World};
use banquise_geometry::{Aabb, Outline, Shape, distance_outline_outline};
use banquise_io::plan::{Plan, PreparedRun};

use crate::shared_data;

const TIME: &str = "[time]\nduration = \"1 h\"\nstep = \"20 s\"\n";

fn plan(text: &str, folder: &Path) -> PreparedRun {
    let text = format!("{TIME}{text}");
    Plan::parse("s.toml", &text, &[], folder)
        .and_then(Plan::build)
        .unwrap_or_else(|error| panic!("{}", error.render(false)))
}

/// The outlines of all bodies in their places, with their names.
fn outlines(world: &World) -> Vec<(String, Outline)> {
    let bodies = &world.bodies;
    let placed = |row: usize| {
        let Shape::Outline(outline) = &bodies.shapes()[row] else {
            panic!("a disc");
        };
        let pose = bodies.motions()[row].pose;
        let turned = outline.rotated(pose.rotation).unwrap();
        (
            bodies.names()[row].clone(),
            turned.translated(pose.position).unwrap(),
        )
    };
    (0..bodies.len()).map(placed).collect()
}

fn around(outline: &Outline) -> Aabb {
    Aabb::of_points(outline.vertices().iter().copied())
}

fn assert_close(value: f64, expected: f64) {
    assert!(
        (value - expected).abs() < 1e-9 * expected.abs(),
        "{value} {expected}"
    );
}

#[test]
fn a_scene_lies_where_its_file_says() {
    let folder = tempfile::tempdir().unwrap();
    let ring = |x: f64| format!("[[{x},500],[{},500],[{x},700],[{x},500]]", x + 300.0);
    let feature = |x: f64| {
        format!(
            r#"{{"type":"Feature","properties":{{}},"geometry":{{"type":"Polygon","coordinates":[{}]}}}}"#,
            ring(x)
        )
    };
    let text = format!(
        r#"{{"type":"FeatureCollection","features":[{},{}]}}"#,
        feature(-1000.0),
        feature(1000.0)
    );
    std::fs::write(folder.path().join("two.geojson"), text).unwrap();
    let scene = "[scene]\nfile = \"two.geojson\"\nname = \"floe\"\nthickness = \"2 m\"\n\
                 density = \"900 kg/m3\"\nvelocity = [\"1 m/s\", \"0 m/s\"]";
    let world = plan(scene, folder.path()).simulation.world;
    let found = outlines(&world);
    assert_eq!(found.len(), 2);
    assert_eq!(found[1].0, "floe-2");
    assert_close(around(&found[1].1).min.x, 1000.0);
    assert_close(around(&found[1].1).max.y, 700.0);
    assert_close(world.bodies.masses()[0], 0.5 * 300.0 * 200.0 * 2.0 * 900.0);
    assert_eq!(world.bodies.motions()[0].velocity.linear.x, 1.0);
}

#[test]
fn a_channel_has_the_lengths_and_angles_of_its_table() {
    let channel = "[channel]\nwidth = \"850 m\"\nlength = \"2 km\"\nmouth = \"2850 m\"\n\
                   inlet_angle = \"45 deg\"\noutlet_angle = \"90 deg\"\napproach = \"3 km\"\n";
    let shores = outlines(&plan(channel, Path::new("")).simulation.world);
    let names: Vec<&str> = shores.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["channel-left", "channel-right"]);
    let (left, right) = (&shores[0].1, &shores[1].1);
    assert_close(distance_outline_outline(left, right), 850.0);
    assert_close(left.area(), right.area());
    // The passage, then a kilometre of funnel, then the approach.
    let left = around(left);
    assert_close(left.min.x, -5000.0);
    assert_close(left.max.x, 1000.0);
    assert_close(left.min.y, 425.0);
    let turned = format!("{channel}heading = \"90 deg\"\nposition = [\"0 m\", \"7 km\"]\n");
    let turned = outlines(&plan(&turned, Path::new("")).simulation.world);
    let left = around(&turned[0].1);
    assert_close(left.min.y, 2000.0);
    assert_close(left.max.x, -425.0);
}

#[test]
fn land_is_cut_a_little_outside_the_walls() {
    let folder = tempfile::tempdir().unwrap();
    let ring = "[[-5000,-5000],[5000,-5000],[5000,100],[-5000,-100]]";
    let text = format!(r#"{{"type":"Polygon","coordinates":[{ring}]}}"#);
    std::fs::write(folder.path().join("land.geojson"), text).unwrap();
    let coast = "[coast]\nfile = \"land.geojson\"\n";
    let walls = "[domain]\nedges = \"walls\"\ncorner = [\"-1 km\", \"-1 km\"]\nsize = [\"2 km\", \"2 km\"]\n";
    let land = outlines(
        &plan(&format!("{coast}{walls}"), folder.path())
            .simulation
            .world,
    );
    assert_eq!(land.len(), 1);
    assert_close(around(&land[0].1).min.y, -1100.0);
    assert_close(around(&land[0].1).max.x, 1100.0);
    let clip = "clip = { corner = [\"0 m\", \"-3 km\"], size = [\"1 km\", \"9 km\"] }\n";
    let land = outlines(
        &plan(&format!("{coast}{clip}"), folder.path())
            .simulation
            .world,
    );
    assert_close(land[0].1.area(), 1000.0 * 3010.0);
}

#[test]
fn a_scene_of_ninety_nine_floes_is_run_against_a_wall() {
    let Some(file) = shared_data("floe_scenes/063-beaufort_sea-20070711-terra.geojson") else {
        println!("skipped: scene 063 not found");
        return;
    };
    let text = format!(
        "[scene]\nfile = \"{}\"\n[ice]\nthickness = \"2 m\"\n[wind]\nvelocity = [\"25 m/s\", \"0 m/s\"]\n\
         [domain]\nedges = \"walls\"\ncorner = [\"-50 km\", \"-50 km\"]\nsize = [\"100 km\", \"100 km\"]\n",
        file.display()
    );
    let mut simulation = plan(&text, Path::new("")).simulation;
    assert_eq!(simulation.world.floe_rows().count(), 99);
    let Domain::Bounded(Bounds {
        rectangle: walls, ..
    }) = simulation.world.domain
    else {
        panic!("no walls");
    };
    let fraction = simulation.world.bodies.ice_area() / (walls.size().x * walls.size().y);
    assert!((fraction - 0.619).abs() < 5e-4, "{fraction}");
    assert_eq!(banquise::first_meeting(&simulation.world), None);
    let mass: f64 = simulation.world.bodies.masses().iter().sum();
    let flow = simulation
        .advance_to(3600.0, &mut NoTimer, &mut |world, _| {
            // All at the speed of free drift. Floes at the edge of the scene lie against the walls from
            // the start, and are not thrown off them.
            assert!(world.kinetic_energy() < 0.5 * mass * 0.53 * 0.53);
            ControlFlow::Continue(())
        })
        .unwrap();
    assert!(flow.is_continue());
    assert!(simulation.contact.collisions > 0);
    assert_eq!(simulation.contact.unsolved, 0);
    assert_eq!(banquise::first_meeting(&simulation.world), None);
}

#[test]
fn the_strait_on_the_plane_is_as_wide_as_on_the_earth() {
    let Some(file) = shared_data("coast/robeson_channel_land_gshhg_full_lonlat.geojson") else {
        println!("skipped: the coast of Robeson Channel not found");
        return;
    };
    let origin = "[origin]\nlongitude = \"61.9 degW\"\nlatitude = \"81.925 degN\"\n";
    let coast = format!(
        "{origin}[coast]\nfile = \"{}\"\ncoordinates = \"degrees\"\n",
        file.display()
    );
    let whole = outlines(&plan(&coast, Path::new("")).simulation.world);
    assert_eq!(whole.len(), 31);
    let clip = "clip = { corner = [\"-60 km\", \"-60 km\"], size = [\"120 km\", \"120 km\"] }\n";
    let land = outlines(
        &plan(&format!("{coast}{clip}"), Path::new(""))
            .simulation
            .world,
    );
    let mut sizes: Vec<&Outline> = land.iter().map(|(_, outline)| outline).collect();
    sizes.sort_by(|a, b| b.area().total_cmp(&a.area()));
    // Ellesmere Island and Greenland.
    let width = distance_outline_outline(sizes[0], sizes[1]);
    println!("{width} {}", land.len());
    assert!((width - 22_020.0).abs() < 10.0, "{width}");
}

#[test]
fn the_approximate_strait_is_as_narrow_as_published_and_a_real_coast_takes_its_place() {
    let robeson = banquise_io::builtin::find("robeson").unwrap();
    let build = |overrides: &[String]| {
        let plan = Plan::parse(robeson.name, robeson.text, overrides, Path::new(""));
        plan.unwrap().build().unwrap().simulation.world
    };
    // Floes of a pack have no names.
    let lands = |world: &World| {
        let mut lands = outlines(world);
        lands.retain(|(name, _)| !name.is_empty());
        lands
    };
    let world = build(&[]);
    let land = lands(&world);
    let names: Vec<&str> = land.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["Ellesmere Island", "Greenland"]);
    let vertices: usize = land.iter().map(|(_, land)| land.vertices().len()).sum();
    assert_eq!(vertices, 84);
    // Coordinates are rounded to 0.1 km.
    let width = distance_outline_outline(&land[0].1, &land[1].1);
    assert!((width - 22_000.0).abs() < 150.0, "{width}");
    assert_eq!(world.floe_rows().count(), 300);
    let Some(file) = shared_data("coast/robeson_channel_land_gshhg_full_lonlat.geojson") else {
        println!("skipped: the coast of Robeson Channel not found");
        return;
    };
    let world = build(&[format!("coast.file=\"{}\"", file.display())]);
    let land = lands(&world);
    assert!(land.len() > 2 && land[0].0 == "coast-1");
    assert_eq!(world.floe_rows().count(), 300);
}
