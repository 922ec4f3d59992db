//! Cracks that grow segment by segment.

use banquise_fem::{Elasticity, GrowthSettings, Inclusion, Plate, TriangleMesh};
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
