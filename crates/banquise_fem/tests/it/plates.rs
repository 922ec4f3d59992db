//! Plates between grips.

use banquise_fem::{CrackPath, Elasticity, Lips, Plate, TriangleMesh};
use banquise_geometry::{DVec2, Outline};

fn glass() -> Elasticity {
    Elasticity {
        young: 8.95e9,
        poisson: 0.295,
        ..Elasticity::default()
    }
}

fn straight(from: [f64; 2], to: [f64; 2], open_ends: [bool; 2]) -> CrackPath {
    CrackPath {
        points: vec![from.into(), to.into()],
        open_ends,
    }
}

/// A rectangle from the origin, stretched along x, free to contract.
fn stretched(mesh: TriangleMesh, length: f64, elasticity: &Elasticity) -> Plate {
    let grips = |p: DVec2| {
        if p.x < 1e-9 {
            [Some(0.0), None]
        } else if p.x > length - 1e-9 {
            [Some(1.0), None]
        } else {
            [None; 2]
        }
    };
    Plate::new(mesh, 1.0, elasticity, grips).unwrap()
}

fn irregular(size: [f64; 2], spacing: f64) -> TriangleMesh {
    let [x, y] = size;
    let ring = [[0.0, 0.0], [x, 0.0], [x, y], [0.0, y]].map(DVec2::from);
    TriangleMesh::with_spacing(&Outline::try_new(ring.to_vec()).unwrap(), &[], spacing).unwrap()
}

#[test]
fn a_uniform_strain_is_exact_on_any_mesh() {
    // The patch test: linear displacements are in the space of linear triangles.
    let plate = stretched(irregular([100.0, 60.0], 7.0), 100.0, &glass());
    for (point, u) in plate.mesh().points().iter().zip(plate.displacement()) {
        assert!((u.x - point.x / 100.0).abs() < 1e-12);
    }
    assert!((plate.energy() / (0.5 * 8.95e9 / 1e4 * 6e3) - 1.0).abs() < 1e-12);
}

#[test]
fn a_bar_breaks_at_the_load_of_griffith_wherever_it_is_cut() {
    // t* = √(2 G_c L/E) for a displacement of 1 m at t = 1.
    let expected = (2.0 * 10.0 * 100.0 / 8.95e9_f64).sqrt();
    let plate = stretched(irregular([100.0, 30.0], 6.0), 100.0, &glass());
    for x in [17.3, 50.0, 83.333] {
        let onset = plate
            .onset(&straight([x, 0.0], [x, 30.0], [true; 2]))
            .unwrap();
        assert!((onset / expected - 1.0).abs() < 1e-9, "{onset} {expected}");
    }
    // An oblique crack is longer and releases the same.
    let oblique = plate
        .onset(&straight([40.0, 0.0], [60.0, 30.0], [true; 2]))
        .unwrap();
    let longer = (1300.0_f64.sqrt() / 30.0).sqrt();
    assert!((oblique / expected / longer - 1.0).abs() < 1e-9);
}

#[test]
fn a_crack_under_pressure_releases_nothing() {
    let grips = |p: DVec2| {
        let squeeze = if p.x < 1e-9 {
            Some(0.0)
        } else if p.x > 100.0 - 1e-9 {
            Some(-1.0)
        } else {
            None
        };
        [squeeze, None]
    };
    let mut plate = Plate::new(irregular([100.0, 40.0], 6.0), 1.0, &glass(), grips).unwrap();
    let across = straight([50.0, 0.0], [50.0, 40.0], [true; 2]);
    let oblique = straight([30.0, 0.0], [70.0, 40.0], [true; 2]);
    let share =
        |plate: &Plate, path: &CrackPath| plate.release(path).unwrap().energy / plate.energy();
    assert!(share(&plate, &across) < 1e-9 && share(&plate, &oblique) < 1e-9);
    plate.lips = Lips::Smooth;
    // Smooth lips slide, so that the oblique crack frees all of the energy: no grip holds the pieces along the grips.
    assert!(share(&plate, &across) < 1e-9);
    assert!(
        share(&plate, &oblique) > 0.99,
        "{}",
        share(&plate, &oblique)
    );
}

/// Energy release rate of an edge crack of length a at the middle of the lower side, from E(a ± step).
fn release_rate(n: usize, a: f64) -> f64 {
    let unit = Elasticity {
        young: 8.95,
        toughness: 1.0,
        ..glass()
    };
    let mesh = TriangleMesh::rectangle(DVec2::new(100.0, 100.0), n, n);
    let plate = stretched(mesh, 100.0, &unit);
    let step = 100.0 / n as f64;
    let released = |a: f64| {
        let path = straight([50.0, 0.0], [50.0, a], [true, false]);
        plate.release(&path).unwrap().energy
    };
    (released(a + step) - released(a - step)) / (2.0 * step)
}

#[test]
fn an_edge_crack_releases_energy_at_the_known_rate() {
    for (a, expected) in [(10.0, 0.0303), (20.0, 0.0428)] {
        let [coarse, middle, fine] = [40, 80, 160].map(|n| release_rate(n, a));
        let ratio = (middle - coarse) / (fine - middle);
        let limit = fine + (fine - middle) / (ratio - 1.0);
        println!(
            "a = {a}: {coarse:.5} {middle:.5} {fine:.5}, order {:.2}, limit {limit:.5}",
            ratio.log2()
        );
        assert!((limit / expected - 1.0).abs() < 0.01, "{limit}");
        // A strain singularity of r^(-1/2) makes energies of linear triangles converge with order one.
        assert!((0.8..1.4).contains(&ratio.log2()), "{ratio}");
    }
}
