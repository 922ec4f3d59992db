//! Floes under contact forces.

use std::f64::consts::{PI, TAU};

use banquise_fem::{ContactForce, Elasticity, FloeModel, Load, MeshSettings, Wave};
use banquise_geometry::DVec2;

fn square(side: f64) -> Vec<DVec2> {
    [[0.0, 0.0], [side, 0.0], [side, side], [0.0, side]]
        .map(DVec2::from)
        .to_vec()
}

fn model(outline: &[DVec2], nodes: usize) -> FloeModel {
    FloeModel::new(
        outline,
        1.0,
        &Elasticity::default(),
        &MeshSettings { nodes },
    )
    .unwrap()
}

fn push(point: [f64; 2], force: [f64; 2], radius: f64) -> ContactForce {
    ContactForce {
        point: point.into(),
        force: force.into(),
        radius,
    }
}

#[test]
fn uniform_drag_strains_no_free_floe() {
    let floe = model(&square(100.0), 400);
    let load = Load {
        contacts: Vec::new(),
        body_force: DVec2::new(3.0, -1.0),
        ..Load::default()
    };
    // Round-off of forces of 3e4 N on a stiffness of 9e9 N/m.
    assert!(floe.strain_energy(&load).abs() < 1e-12);
}

#[test]
fn energy_grows_with_the_square_of_the_load_and_knows_no_frame() {
    let load = |angle: f64, factor: f64| {
        let turned = |v: DVec2| DVec2::new(angle.cos(), angle.sin()).rotate(v);
        let mut load = Load::default();
        for contact in [
            push([0.0, 40.0], [1e6, 2e5], 3.0),
            push([70.0, 0.0], [1e5, 1e6], 3.0),
        ] {
            load.contacts.push(ContactForce {
                point: turned(contact.point) + DVec2::new(1e3, -2e3) * angle,
                force: factor * turned(contact.force),
                radius: 3.0,
            });
        }
        let outline: Vec<DVec2> = square(100.0)
            .iter()
            .map(|v| turned(*v) + DVec2::new(1e3, -2e3) * angle)
            .collect();
        (model(&outline, 3000), load)
    };
    let (floe, first) = load(0.0, 1.0);
    let energy = floe.strain_energy(&first);
    let (_, double) = load(0.0, 2.0);
    assert!((floe.strain_energy(&double) / energy - 4.0).abs() < 1e-9);
    let (turned, same) = load(0.7, 1.0);
    // Two meshes of 3000 nodes; forces over 6 m.
    assert!((turned.strain_energy(&same) / energy - 1.0).abs() < 0.02);
}

#[test]
fn a_bar_that_is_pushed_at_one_end_has_the_energy_of_its_inertia() {
    // Stress falls linearly from p at the pushed end to zero: E_el = p² A L/(6 E), here with forces over the whole end.
    let outline = [[0.0, 0.0], [200.0, 0.0], [200.0, 10.0], [0.0, 10.0]].map(DVec2::from);
    let floe = model(&outline, 2000);
    let contacts = (0..100).map(|k| push([0.0, 0.05 + 0.1 * f64::from(k)], [1e4, 0.0], 0.01));
    let load = Load {
        contacts: contacts.collect(),
        ..Load::default()
    };
    let expected = 1e5_f64.powi(2) * 10.0 * 200.0 / (6.0 * 9e9);
    let measured = floe.strain_energy(&load);
    // Lateral inertia and the mesh: half a per cent.
    assert!(
        (measured / expected - 1.0).abs() < 5e-3,
        "{measured} {expected}"
    );
}

#[test]
fn a_pressed_disc_is_in_tension_at_its_centre() {
    // Brazilian test: σ_xx = 2 P/(π D h) across the line of the loads, σ_yy = −6 P/(π D h) along it (Hertz 1883).
    let (radius, force) = (50.0, 1e6);
    let disc: Vec<DVec2> = (0..240)
        .map(|k| radius * DVec2::from_angle(TAU * f64::from(k) / 240.0))
        .collect();
    let floe = model(&disc, 4000);
    let load = Load {
        contacts: vec![
            push([0.0, radius], [0.0, -force], 1.5),
            push([0.0, -radius], [0.0, force], 1.5),
        ],
        ..Load::default()
    };
    let stresses = floe.stresses(&load);
    let (mut mean, mut area) = ([0.0; 3], 0.0);
    for (triangle, stress) in floe.mesh().triangles().iter().zip(stresses) {
        let [a, b, c] = triangle.map(|node| floe.mesh().points()[node as usize]);
        if (a + b + c).length() / 3.0 < 3.0 {
            let weight = 0.5 * (b - a).perp_dot(c - a);
            area += weight;
            for (sum, value) in mean.iter_mut().zip(stress) {
                *sum += weight * value;
            }
        }
    }
    let unit = 2.0 * force / (PI * 2.0 * radius);
    // The mean over a disc of 3 m and the mesh: two per cent.
    assert!(
        (mean[0] / area / unit - 1.0).abs() < 0.02,
        "{}",
        mean[0] / area / unit
    );
    assert!(
        (mean[1] / area / unit + 3.0).abs() < 0.06,
        "{}",
        mean[1] / area / unit
    );
}

#[test]
fn bad_input_is_refused_with_the_way_out() {
    let bad = |thickness: f64, nodes: usize, elasticity: Elasticity| {
        let settings = MeshSettings { nodes };
        FloeModel::new(&square(10.0), thickness, &elasticity, &settings)
            .unwrap_err()
            .to_string()
    };
    assert!(bad(-1.0, 400, Elasticity::default()).contains("the thickness is -1"));
    assert!(bad(1.0, 3, Elasticity::default()).contains("at least 8"));
    let rubber = Elasticity {
        poisson: 0.5,
        ..Elasticity::default()
    };
    assert!(bad(1.0, 400, rubber).contains("below 0.5"));
}

#[test]
fn a_floe_on_a_long_wave_bends_like_a_beam() {
    // Cylindrical bending of a strip of 60 m by 10 m to the curvature κ = a k² of a crest, nearly uniform where k L = 0.06: energy ½ D κ² A, and
    // M/W = E h κ/(2 (1 − ν²)) at the faces.
    let strip = [[-30.0, -5.0], [30.0, -5.0], [30.0, 5.0], [-30.0, 5.0]].map(DVec2::from);
    let floe = model(&strip, 400);
    let wave = |number: f64, amplitude: f64| Wave {
        amplitude,
        wave_vector: DVec2::new(number, 0.0),
        phase: 0.0,
    };
    let (plate, curvature) = (9e9 / 0.91, 1e-6);
    let bent = floe.bending(&wave(1e-3, 1.0));
    let energy = 0.5 * plate / 12.0 * curvature * curvature * 600.0;
    assert!((bent.energy / energy - 1.0).abs() < 1e-3, "{bent:?}");
    assert!((bent.stress / (0.5 * plate * curvature) - 1.0).abs() < 1e-3);
    // Over one whole wave the mean of cos² is a half.
    let whole = floe.bending(&wave(TAU / 60.0, 1e-3));
    let curvature = 1e-3 * (TAU / 60.0).powi(2);
    let energy = 0.25 * plate / 12.0 * curvature * curvature * 600.0;
    assert!(
        (whole.energy / energy - 1.0).abs() < 0.01,
        "{whole:?} {energy}"
    );
}
