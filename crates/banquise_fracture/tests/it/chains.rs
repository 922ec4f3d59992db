//! Chains: the cases T1 to T6 and T13 of the specification.

use banquise_fracture::contact::{ContactStatus, strike};
use banquise_fracture::run::Happening;
use banquise_fracture::{
    BreakRule, Chain, Contact, FractureError, Integrator, Network, Percussion, Run, RunSettings,
};
use banquise_geometry::DVec2;

fn x(value: f64) -> DVec2 {
    DVec2::new(value, 0.0)
}

fn chain(from: f64, to: f64, nodes: usize, mass: f64, stiffness: f64, dashpot: f64) -> Network {
    let surface_energy = f64::INFINITY;
    let chain = Chain {
        from,
        to,
        nodes,
        mass,
        stiffness,
        dashpot,
        surface_energy,
    };
    chain.network().unwrap()
}

fn settings(integrator: Integrator, dt: f64) -> RunSettings {
    RunSettings {
        integrator,
        dt,
        breaking: BreakRule::Never,
    }
}

fn close(value: f64, expected: f64, tolerance: f64) {
    assert!(
        (value - expected).abs() <= tolerance,
        "{value} is not {expected} ± {tolerance}"
    );
}

/// T1: displacements of the first node after `t`, velocities v0 and −v0′.
fn two_nodes(v: [f64; 2], t: f64, integrator: Integrator, dt: f64) -> [f64; 2] {
    let network = chain(0.0, 1.0, 2, 1.0, 18.0, 1.3);
    let velocity = v.map(x).to_vec();
    let mut run = Run::try_new(network, Vec::new(), velocity, settings(integrator, dt)).unwrap();
    run.run_until(t).unwrap();
    [run.state().displacement[0].x, run.state().displacement[1].x]
}

#[test]
fn t1_two_nodes_oscillate_as_in_closed_form() {
    // x1 = t/2 (v0 − v0′) + …: v0′ points the other way. Half of the last printed digit.
    let implicit = |v, t| two_nodes(v, t, Integrator::Implicit, 2e-5);
    close(implicit([0.8, -0.8], 0.25)[0], 0.098_122_74, 5e-9);
    close(implicit([0.8, -0.8], 1.0)[0], -0.015_371_42, 5e-9);
    close(implicit([0.8, -0.8], 0.230_884)[0], 0.098_761_01, 5e-9);
    let [first, second] = implicit([0.6, -0.8], 5.0);
    close(first, -0.500_152_44, 2e-8);
    close(second, -0.499_847_56, 2e-8);
    // Lagged dashpots are of first order.
    let symplectic = two_nodes([0.8, -0.8], 0.25, Integrator::Symplectic, 1e-5)[0];
    close(symplectic, 0.098_122_74, 2e-6);
}

#[test]
fn t2_a_floe_merges_with_one_that_leans_on_a_wall() {
    let mut network = chain(0.0, 1.0, 2, 1.0, 16.0, 2.8);
    network.pinned[0] = true;
    let first = network.append(&chain(1.0, 2.0, 2, 1.0, 5.0, 2.5));
    let law = Percussion::Merge { wall: true };
    let contact = Contact::new([1, first], DVec2::X, 0.0, law);
    let velocity = vec![x(0.0), x(0.0), x(-1.0), x(-1.0)];
    let mut run = Run::try_new(
        network,
        vec![contact],
        velocity,
        settings(Integrator::Implicit, 1e-4),
    )
    .unwrap();
    run.run_until(1.0).unwrap();
    let state = run.state();
    close(state.displacement[2].x, -0.101_045, 1e-6);
    close(state.displacement[1].x, -0.101_045, 1e-6);
    close(state.displacement[3].x, -0.259_794, 1e-6);
    close(state.velocity[2].x, 0.077_543, 1e-6);
    close(state.velocity[3].x, 0.179_616, 1e-6);
    assert!(run.budget().energy_error().abs() < 1e-12);
    // Pins and wall bear what the momentum lost.
    let start = -2.0;
    close(
        run.momentum().x,
        start + run.budget().external_impulse.x,
        1e-12,
    );
}

#[test]
fn t3_floes_merge_without_a_wall_and_keep_their_momentum() {
    for integrator in [Integrator::Implicit, Integrator::Symplectic] {
        let mut network = chain(0.0, 1.0, 2, 1.0, 3.0, 6.0);
        let first = network.append(&chain(1.0, 2.0, 2, 1.0, 22.0, 2.0));
        let law = Percussion::Merge { wall: false };
        let contact = Contact::new([1, first], DVec2::X, 0.0, law);
        let velocity = vec![x(0.0), x(0.0), x(-1.8), x(-1.8)];
        let settings = settings(integrator, 2e-4);
        let mut run = Run::try_new(network, vec![contact], velocity, settings).unwrap();
        run.run_until(5.0).unwrap();
        let state = run.state();
        // Lagged dashpots are of first order.
        let tolerance = if integrator == Integrator::Implicit {
            1e-6
        } else {
            3e-4
        };
        close(state.displacement[0].x, -4.491_131, tolerance);
        close(state.displacement[2].x, -4.502_949, tolerance);
        close(state.displacement[3].x, -4.502_972, tolerance);
        close(state.velocity[0].x, -0.904_623, tolerance);
        close(state.velocity[1].x, -0.898_355, tolerance);
        close(state.velocity[3].x, -0.898_668, tolerance);
        close(run.momentum().x, -3.6, 1e-11);
    }
}

#[test]
fn t5_the_impulse_law_gives_the_printed_numbers() {
    let struck = strike([1.2, 1.5], [2.2, -1.8], 0.75, [0.0; 2]);
    close(struck.impulse, 4.666_667, 5e-7);
    close(struck.velocities[0], -1.688_889, 5e-7);
    close(struck.velocities[1], 1.311_111, 5e-7);
    // Springs that act twice change the momentum by their impulses.
    let twice = strike([1.2, 1.5], [2.2, -1.8], 0.75, [0.1, 0.3]);
    let momentum = 1.2 * twice.velocities[0] + 1.5 * twice.velocities[1];
    close(momentum, 1.2 * 2.2 - 1.5 * 1.8 + 0.4, 1e-14);
}

/// The three floes of T6, with the energies that break a bond.
fn three_floes(tenacity: [f64; 3]) -> (Network, Vec<DVec2>) {
    let floes = [
        (0.0, 10.0, 7, 1.2, 7.0, 0.5, 2.2),
        (70.0 / 3.0, 100.0 / 3.0, 5, 1.5, 16.0, 2.0, -1.8),
        (38.0, 50.0, 5, 1.5, 8.0, 2.0, -2.0),
    ];
    let (mut network, mut velocity) = (Network::default(), Vec::new());
    for ((from, to, nodes, mass, stiffness, dashpot, speed), tenacity) in
        floes.into_iter().zip(tenacity)
    {
        let mut floe = chain(from, to, nodes, mass, stiffness, dashpot);
        let bonds = floe.bonds.len();
        // The source never breaks the end springs.
        for bond in &mut floe.bonds[1..bonds - 1] {
            bond.surface_energy = tenacity * (to - from) / (nodes - 1) as f64;
        }
        network.append(&floe);
        velocity.extend(std::iter::repeat_n(x(speed), nodes));
    }
    (network, velocity)
}

fn three_floe_run(law: Percussion, breaking: BreakRule, dt: f64) -> Run {
    let (network, velocity) = three_floes([0.1, 18.0, 6.0]);
    let facing = |a: usize, b: usize| {
        // Discs of radius 0.25.
        let gap = network.places[b].x - network.places[a].x - 0.5;
        Contact::new([a, b], DVec2::X, gap, law)
    };
    let contacts = vec![facing(6, 7), facing(11, 12)];
    let settings = RunSettings {
        integrator: Integrator::Implicit,
        dt,
        breaking,
    };
    Run::try_new(network, contacts, velocity, settings).unwrap()
}

#[test]
fn t6_impacts_accumulate_and_pass_into_sustained_contact() {
    let law = Percussion::Complementarity { restitution: 0.75 };
    let mut run = three_floe_run(law, BreakRule::Never, 1e-3);
    close(run.budget().initial, 47.478, 1e-9);
    run.run_until(5.4).unwrap();
    let impacts: Vec<_> = run
        .events()
        .iter()
        .filter(|event| matches!(event.what, Happening::Impact { contact: 0, .. }))
        .collect();
    let times = [
        3.208_333, 3.835_373, 4.237_362, 4.515_395, 4.712_114, 4.853_971,
    ];
    // Second order in the step of 1e-3.
    for (impact, time) in impacts.iter().zip(times) {
        close(impact.time, time, 3e-6);
    }
    let energies = [45.144_67, 39.034_23, 37.344_23, 36.648_13];
    for (impact, energy) in impacts.iter().zip(energies) {
        close(impact.energy, energy, 3e-5);
    }
    // Zeno: finitely many impacts, the last of which stays, near 5.26.
    let last = impacts.last().unwrap();
    assert!(matches!(last.what, Happening::Impact { stays: true, .. }));
    close(last.time, 5.26, 0.02);
    assert!(impacts.len() < 40, "{}", impacts.len());
    assert_eq!(run.contacts()[0].status, ContactStatus::Sustained);
    close(run.momentum().x, -10.02, 1e-10);
    assert!(run.budget().energy_error().abs() < 1e-10);
}

#[test]
fn t6_the_first_spring_over_its_threshold_is_compressed() {
    let law = Percussion::Complementarity { restitution: 0.75 };
    let mut either = three_floe_run(law, BreakRule::EitherSign, 1e-3);
    either.run_until(3.7).unwrap();
    let first = either
        .events()
        .iter()
        .find_map(|event| match event.what {
            Happening::Break { bond, tension, .. } => Some((event.time, bond, tension)),
            _ => None,
        })
        .unwrap();
    close(first.0, 3.586, 2e-3);
    assert_eq!((first.1, first.2), (4, false));
    let mut tension = three_floe_run(law, BreakRule::Tension, 1e-3);
    tension.run_until(5.26).unwrap();
    let broke =
        |event: &banquise_fracture::run::Event| matches!(event.what, Happening::Break { .. });
    assert!(!tension.events().iter().any(broke));
    tension.run_until(12.0).unwrap();
    // Whatever breaks later is booked.
    assert!(tension.budget().energy_error().abs() < 1e-10);
    close(tension.momentum().x, -10.02, 1e-9);
    let breaks: Vec<f64> = tension
        .events()
        .iter()
        .filter(|e| broke(e))
        .map(|e| e.time)
        .collect();
    assert_eq!(breaks.len(), 2);
    close(breaks[0], 7.753, 2e-3);
    close(breaks[1], 7.812, 2e-3);
}

#[test]
fn an_explicit_step_beyond_the_bound_with_dashpots_is_refused() {
    // ω = 2√(k/m), ζ = μω/(2k): the bound without dashpots is √(m/k) = 0.1.
    let network = chain(0.0, 10.0, 11, 1.0, 100.0, 10.0);
    let limit = network.stable_step();
    close(limit, 0.1 * (2.0_f64.sqrt() - 1.0), 1e-15);
    let velocity: Vec<DVec2> = (0..11)
        .map(|i| x(if i % 2 == 0 { 1e-3 } else { -1e-3 }))
        .collect();
    let run = |dt: f64| {
        Run::try_new(
            network.clone(),
            Vec::new(),
            velocity.clone(),
            settings(Integrator::Symplectic, dt),
        )
    };
    assert!(matches!(
        run(1.001 * limit),
        Err(FractureError::StepTooLong { .. })
    ));
    let mut stable = run(0.999 * limit).unwrap();
    stable.run_until(200.0 * limit).unwrap();
    assert!(stable.energy() < stable.budget().initial);
}

#[test]
fn impacts_without_sustained_contact_end_with_an_error() {
    let law = Percussion::Impulse {
        restitution: 0.75,
        duration: 0.0,
    };
    let mut run = three_floe_run(law, BreakRule::Never, 1e-2);
    assert!(matches!(
        run.run_until(6.0),
        Err(FractureError::TooManyEvents { .. })
    ));
}
