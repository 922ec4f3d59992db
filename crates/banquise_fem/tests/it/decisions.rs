//! Which cracks floes get.

use std::f64::consts::{PI, TAU};

use banquise_fem::{ContactForce, CrackSettings, Elasticity, FloeModel, Load, MeshSettings};
use banquise_geometry::DVec2;

fn square() -> Vec<DVec2> {
    [[0.0, 0.0], [100.0, 0.0], [100.0, 100.0], [0.0, 100.0]]
        .map(DVec2::from)
        .to_vec()
}

/// Opposite contacts on two sides of the square \[N\].
fn pressed(force: f64) -> Load {
    let push = |x: f64, force: f64| ContactForce {
        point: DVec2::new(x, 50.0),
        force: DVec2::new(force, 0.0),
        radius: 6.0,
    };
    Load {
        contacts: vec![push(0.0, force), push(100.0, -force)],
        ..Load::default()
    }
}

#[test]
fn a_floe_pressed_between_two_contacts_splits_along_their_line() {
    for nodes in [400, 800] {
        let floe = FloeModel::new(
            &square(),
            1.0,
            &Elasticity::default(),
            &MeshSettings { nodes },
        )
        .unwrap();
        let crack = floe
            .crack(&pressed(5e7), &CrackSettings::default())
            .unwrap();
        let [from, to] = [crack.path[0], crack.path[1]];
        // Within the width of the contacts, 12 m: 3 degrees.
        assert!(
            (from.y - 50.0).abs() < 3.0 && (to.y - 50.0).abs() < 3.0,
            "{crack:?}"
        );
        assert!((from.x - to.x).abs() > 99.0);
        assert!(crack.released <= floe.strain_energy(&pressed(5e7)));
        assert!(
            floe.crack(&pressed(1e5), &CrackSettings::default())
                .is_none()
        );
    }
}

#[test]
fn what_a_floe_releases_settles_with_the_mesh() {
    let ratio = |nodes: usize| {
        let floe = FloeModel::new(
            &square(),
            1.0,
            &Elasticity::default(),
            &MeshSettings { nodes },
        )
        .unwrap();
        let crack = floe
            .crack(&pressed(5e7), &CrackSettings::default())
            .unwrap();
        crack.released / crack.length
    };
    let [coarse, fine] = [ratio(400), ratio(1600)];
    // Contacts of 12 m have three nodes of the coarse mesh: 5.3 %.
    assert!((coarse / fine - 1.0).abs() < 0.07, "{coarse} {fine}");
}

#[test]
fn no_crack_from_a_concave_corner_leaves_a_hinge() {
    // A chevron pressed at both ends: cracks from its inner corner once were tied there by one node, so that a part turned
    // freely and seemed to release any amount of energy.
    let p = DVec2::new;
    let outline = [
        p(0.0, 0.0),
        p(50.0, -30.0),
        p(100.0, 0.0),
        p(100.0, 40.0),
        p(50.0, 10.0),
        p(0.0, 40.0),
    ];
    let push = |x: f64, force: f64| ContactForce {
        point: DVec2::new(x, 20.0),
        force: DVec2::new(force, 0.0),
        radius: 6.0,
    };
    let load = Load {
        contacts: vec![push(0.0, 2e7), push(100.0, -2e7)],
        ..Load::default()
    };
    let every = CrackSettings {
        resolved: 200,
        refined: 0,
        gives_up: false,
        ..CrackSettings::default()
    };
    let floe = FloeModel::new(
        &outline,
        1.0,
        &Elasticity::default(),
        &MeshSettings::default(),
    )
    .unwrap();
    let crack = floe.crack(&load, &every).unwrap();
    assert!(crack.released <= floe.strain_energy(&load), "{crack:?}");
    // It bends: the crack goes through the middle, where the arm of the force is longest.
    let middle = 0.5 * (crack.path[0] + crack.path[1]);
    assert!((middle.x - 50.0).abs() < 10.0, "{crack:?}");
}

#[test]
fn a_strong_floe_does_not_break_where_a_tough_one_would() {
    let elasticity = Elasticity {
        tensile_strength: Some(5e6),
        ..Elasticity::default()
    };
    let floe = FloeModel::new(&square(), 1.0, &elasticity, &MeshSettings::default()).unwrap();
    assert!(
        floe.crack(&pressed(5e7), &CrackSettings::default())
            .is_none()
    );
}

#[test]
fn the_same_load_gives_the_same_bits() {
    let decide = || {
        let floe = FloeModel::new(
            &square(),
            1.0,
            &Elasticity::default(),
            &MeshSettings::default(),
        )
        .unwrap();
        let crack = floe
            .crack(&pressed(5e7), &CrackSettings::default())
            .unwrap();
        (crack.path, crack.released.to_bits())
    };
    assert_eq!(decide(), decide());
}

/// A disc of 100 m, pressed by these forces at the ends of its diameter along x \[N\], over a tenth of √A.
fn pressed_disc(forces: [f64; 2], nodes: usize) -> (FloeModel, Load) {
    let circle = |k: usize| 50.0 * DVec2::from_angle(TAU * k as f64 / 120.0);
    let outline: Vec<DVec2> = (0..120).map(circle).collect();
    let floe = FloeModel::new(
        &outline,
        1.0,
        &Elasticity::default(),
        &MeshSettings { nodes },
    )
    .unwrap();
    let push = |x: f64, force: f64| ContactForce {
        point: DVec2::new(x, 0.0),
        force: DVec2::new(force, 0.0),
        radius: 0.1 * (PI * 2500.0).sqrt(),
    };
    let load = Load {
        contacts: vec![push(-50.0, forces[0]), push(50.0, -forces[1])],
        is_sustained: true,
        ..Load::default()
    };
    (floe, load)
}

/// The force at which a pressed disc splits \[N\]: released energy goes with its square.
fn onset(nodes: usize, is_sustained: bool) -> f64 {
    let (floe, load) = pressed_disc([1e8; 2], nodes);
    let load = Load {
        is_sustained,
        ..load
    };
    let crack = floe.crack(&load, &CrackSettings::default()).unwrap();
    // From contact to contact, within their width.
    assert!(crack.path.iter().all(|end| end.x.abs() > 49.0), "{crack:?}");
    1e8 / (crack.released / (10.0 * crack.length)).sqrt()
}

#[test]
fn a_disc_pressed_across_has_the_stress_of_hertz_and_splits_where_meshes_agree() {
    // Along its loaded diameter such a disc is pulled apart by 2 P/(π D h), and pressed by three times as much in the middle.
    let (floe, load) = pressed_disc([1e8; 2], 1200);
    let middle = (0..floe.mesh().triangles().len())
        .min_by(|a, b| {
            let centre = |t: usize| floe.mesh().corners(t as u32).iter().sum::<DVec2>().length();
            centre(*a).total_cmp(&centre(*b))
        })
        .unwrap();
    let stress = floe.stresses(&load)[middle];
    let unit = 2.0 * 1e8 / (PI * 100.0);
    assert!((stress[0] / unit + 3.0).abs() < 0.1, "{stress:?} {unit}");
    assert!((stress[1] / unit - 1.0).abs() < 0.1, "{stress:?} {unit}");
    // 4.63 MN on 4,766 nodes: 29 kPa in the middle. 300 nodes are 16 % above, 1,200 nodes 2 %.
    let [coarse, fine] = [onset(300, true), onset(1200, true)];
    assert!((fine / 4.63e6 - 1.0).abs() < 0.03, "{fine}");
    assert!((1.0..1.2).contains(&(coarse / fine)), "{coarse} {fine}");
    // Halves that kept their places, as in a blow, would hold three times as much.
    assert!(onset(300, false) > 2.5 * coarse);
}

#[test]
fn no_crack_under_sustained_forces_releases_more_than_there_is() {
    for shares in [[1.0, 1.0], [1.0, 0.9], [1.0, 0.5], [0.3, 1.0]] {
        let (floe, load) = pressed_disc(shares.map(|share| 1e8 * share), 300);
        let crack = floe.crack(&load, &CrackSettings::default()).unwrap();
        let energy = floe.strain_energy(&load);
        assert!(
            crack.released <= energy,
            "{shares:?}: {} of {energy}",
            crack.released
        );
    }
}
