//! Cracks that grow segment by segment.

use banquise_fem::plate_cases::{PlateLoad, PlateShape, plate};
use banquise_fem::{CrackPath, Elasticity, GrowthSettings, Inclusion, Plate, TriangleMesh};
use banquise_geometry::{DVec2, Outline};

fn pulled(spacing: f64) -> Plate {
    let ring = [[0.0, 0.0], [100.0, 0.0], [100.0, 100.0], [0.0, 100.0]].map(DVec2::from);
    let outline = Outline::try_new(ring.to_vec()).unwrap();
    let mesh = TriangleMesh::with_spacing(&outline, &[], spacing).unwrap();
    let grips = |p: DVec2| match p.x {
        x if x < 1e-9 => [Some(0.0), None],
        x if x > 100.0 - 1e-9 => [Some(1e-3), None],
        _ => [None; 2],
    };
    Plate::new(mesh, 1.0, &Elasticity::default(), grips).unwrap()
}

#[test]
fn a_crack_in_a_plate_that_is_pulled_goes_straight_through() {
    let plate = pulled(4.0);
    let steps = plate.grow(&GrowthSettings::default());
    let path = &steps.last().unwrap().path;
    for step in &steps {
        println!(
            "{:?} {} {}",
            step.path.points.last(),
            step.onset,
            step.released
        );
    }
    assert_eq!(path.open_ends, [true; 2]);
    let (first, last) = (path.points[0], *path.points.last().unwrap());
    assert!((first.y - last.y).abs() > 99.0, "{path:?}");
    // The grips are 100 m apart: the crack stays between them and nearly straight.
    assert!(path.length() < 110.0, "{path:?}");
    // All energy is released by the whole crack, less what the mesh keeps.
    assert!(steps.last().unwrap().released > 0.97 * plate.energy());
    // The start needs the largest load; from then on the crack runs.
    assert!(steps.iter().skip(1).all(|step| step.onset < steps[0].onset));
}

#[test]
fn a_crack_goes_round_a_tough_inclusion() {
    let mut plate = pulled(3.0);
    let disc = Inclusion {
        centre: DVec2::new(50.0, 50.0),
        radius: 10.0,
        factor: 500.0 / 12.0,
    };
    plate.inclusions.push(disc);
    let steps = plate.grow(&GrowthSettings::default());
    let path = &steps.last().unwrap().path;
    for step in &steps {
        println!(
            "{:?} {} {}",
            step.path.points.last(),
            step.onset,
            step.released
        );
    }
    assert_eq!(path.open_ends, [true; 2]);
    let (first, last) = (path.points[0], *path.points.last().unwrap());
    assert!((first.y - last.y).abs() > 99.0, "{path:?}");
    let nearest = path.points.windows(2).map(|ends| {
        banquise_geometry::distance_point_segment(disc.centre, ends[0], ends[1]).distance
    });
    let nearest = nearest.fold(f64::INFINITY, f64::min);
    assert!(nearest > disc.radius, "{nearest}");
}

/// Load factor at which all of a crack pays for itself at once.
fn at_once(plate: &Plate, path: &CrackPath) -> f64 {
    (plate.surface_energy(path) / plate.release(path).unwrap().energy).sqrt()
}

#[test]
fn a_hole_attracts_the_crack_which_leaves_it_to_both_sides() {
    let ice = Elasticity::default();
    let settings = GrowthSettings::default();
    let square = plate(PlateShape::Square, PlateLoad::Pull, &ice, 4.0).unwrap();
    let hole = plate(PlateShape::Hole, PlateLoad::Pull, &ice, 4.0).unwrap();
    let steps = hole.grow(&settings);
    let path = &steps.last().unwrap().path;
    println!("{path:?}");
    assert_eq!(path.open_ends, [true; 2]);
    let heights = [path.points[0].y, path.points.last().unwrap().y];
    let (low, high) = (heights[0].min(heights[1]), heights[0].max(heights[1]));
    assert!(low < 1e-6 && high > 100.0 - 1e-6, "{path:?}");
    // It passes through the hole: two of its points are on the rim of 5 m.
    let centre = DVec2::splat(50.0);
    let on_rim = |point: &&DVec2| (point.distance(centre) - 5.0).abs() < 0.1;
    assert_eq!(path.points.iter().filter(on_rim).count(), 2, "{path:?}");
    // The first segment needs less than in a square without a hole: tension at the rim is some three times that of the plate.
    let first = square.grow(&settings)[0].onset;
    println!(
        "first onset {} without, {} with a hole",
        first, steps[0].onset
    );
    assert!(steps[0].onset < 0.8 * first);
    // The whole crack costs less for what it releases than a straight one beside the hole.
    let beside = CrackPath {
        points: vec![DVec2::new(80.3, 0.0), DVec2::new(80.3, 100.0)],
        open_ends: [true; 2],
    };
    let (through, straight) = (at_once(&hole, path), at_once(&hole, &beside));
    println!("all at once {through} through the hole, {straight} beside it");
    assert!(through < straight);
}

#[test]
fn a_crack_that_starts_inside_reaches_both_sides() {
    let mut plate = pulled(4.0);
    // Ice of a fiftieth of the toughness about the middle.
    let weak = Inclusion {
        centre: DVec2::new(50.0, 50.0),
        radius: 12.0,
        factor: 0.02,
    };
    plate.inclusions.push(weak);
    let settings = GrowthSettings {
        starts_inside: true,
        ..GrowthSettings::default()
    };
    let steps = plate.grow(&settings);
    let start = &steps[0].path;
    println!("{start:?} {:?}", steps.last());
    assert_eq!(start.open_ends, [false; 2]);
    assert!(start.points.iter().all(|p| p.distance(weak.centre) < 13.0));
    let path = &steps.last().unwrap().path;
    assert_eq!(path.open_ends, [true; 2]);
    let ends = [path.points[0].y, path.points.last().unwrap().y];
    assert!((ends[0] - ends[1]).abs() > 99.0, "{path:?}");
    assert!(steps.last().unwrap().released > 0.97 * plate.energy());
}

#[test]
fn the_butterfly_breaks_at_its_waist_and_opens_from_above_when_turned() {
    let ice = Elasticity::default();
    let settings = GrowthSettings::default();
    for load in [PlateLoad::Pull, PlateLoad::Rotation] {
        let butterfly = plate(PlateShape::Butterfly, load, &ice, 4.0).unwrap();
        let steps = butterfly.grow(&settings);
        let path = &steps.last().unwrap().path;
        println!("{load:?} {path:?}");
        assert_eq!(path.open_ends, [true; 2]);
        let start = path.points[0];
        // The throat is at 50 m, from 28.3 to 71.7 m.
        assert!(path.points.iter().all(|p| (p.x - 50.0).abs() < 15.0));
        if load == PlateLoad::Rotation {
            assert!(start.y > 65.0, "{start}");
        }
    }
}
