//! Which cracks floes get.

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
