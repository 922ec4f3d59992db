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
    let [from, to] = [crack.path[0], crack.path[1]];
    println!("{crack:?}");
    assert!(
        (from.y - 50.0).abs() < 20.0 && (to.y - 50.0).abs() < 20.0,
        "{crack:?}"
    );
    assert!((from.x - to.x).abs() > 99.0);
    assert!(crack.released <= floe.strain_energy(&pressed(5e7)));
    assert!(
        floe.crack(&pressed(1e5), &CrackSettings::default())
            .is_none()
    );
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
