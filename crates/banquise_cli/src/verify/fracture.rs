//! The cases of struck floes: Nzoyem 2021 and Balasoiu 2020, completed and corrected.

use banquise_fracture::contact::strike;
use banquise_fracture::lattice::{Kind, Lattice};
use banquise_fracture::lattice_impact::{LatticeImpact, Striker};
use banquise_fracture::moduli::{Springs, delaunay_moduli};
use banquise_fracture::network::Bond;
use banquise_fracture::run::Happening;
use banquise_fracture::spectrum::gap_slope;
use banquise_fracture::{
    BarImpact, BreakRule, Chain, Contact, Ice, Integrator, Network, Percussion, Run, RunSettings,
    source,
};
use banquise_geometry::DVec2;

use super::Measured;
use super::reference::Reference;
use crate::failure::Failure;

fn settings(dt: f64, breaking: BreakRule) -> RunSettings {
    RunSettings {
        integrator: Integrator::Implicit,
        dt,
        breaking,
    }
}

/// A chain of two nodes of mass one.
fn pair(from: f64, stiffness: f64, dashpot: f64) -> Result<Network, Failure> {
    let chain = Chain {
        from,
        to: from + 1.0,
        nodes: 2,
        mass: 1.0,
        stiffness,
        dashpot,
        surface_energy: f64::INFINITY,
    };
    Ok(chain.network()?)
}

fn along(values: &[f64]) -> Vec<DVec2> {
    values.iter().map(|&x| DVec2::new(x, 0.0)).collect()
}

/// T1: two nodes, against the closed form.
pub(super) fn two_nodes(_: &Reference) -> Measured {
    let place = |velocity: [f64; 2], time: f64| -> Result<[f64; 2], Failure> {
        let settings = settings(2e-5, BreakRule::Never);
        let network = pair(0.0, 18.0, 1.3)?;
        let mut run = Run::try_new(network, Vec::new(), along(&velocity), settings)?;
        run.run_until(time)?;
        Ok([0, 1].map(|node| run.state().displacement[node].x))
    };
    let late = place([0.6, -0.8], 5.0)?;
    Ok(vec![
        ("x1(0.25)".into(), place([0.8, -0.8], 0.25)?[0]),
        ("x1(0.230884)".into(), place([0.8, -0.8], 0.230_884)?[0]),
        ("x1(1)".into(), place([0.8, -0.8], 1.0)?[0]),
        ("x1(5), unequal velocities".into(), late[0]),
        ("x2(5), unequal velocities".into(), late[1]),
    ])
}

/// Two chains of two nodes that merge.
fn merged(
    [left, right]: [Network; 2],
    velocity: &[f64],
    wall: bool,
    time: f64,
) -> Result<Run, Failure> {
    let mut network = left;
    let first = network.append(&right);
    let law = Percussion::Merge { wall };
    let contact = Contact::new([first - 1, first], DVec2::X, 0.0, law);
    let settings = settings(2e-4, BreakRule::Never);
    let mut run = Run::try_new(network, vec![contact], along(velocity), settings)?;
    run.run_until(time)?;
    Ok(run)
}

/// T2: percussion with a wall.
pub(super) fn wall(_: &Reference) -> Measured {
    let mut left = pair(0.0, 16.0, 2.8)?;
    left.pinned[0] = true;
    let run = merged(
        [left, pair(1.0, 5.0, 2.5)?],
        &[0.0, 0.0, -1.0, -1.0],
        true,
        1.0,
    )?;
    let state = run.state();
    Ok(vec![
        ("merged node, x(1)".into(), state.displacement[2].x),
        ("right node, x(1)".into(), state.displacement[3].x),
        ("merged node, v(1)".into(), state.velocity[2].x),
        ("right node, v(1)".into(), state.velocity[3].x),
    ])
}

/// T3: percussion without a wall.
pub(super) fn no_wall(_: &Reference) -> Measured {
    let floes = [pair(0.0, 3.0, 6.0)?, pair(1.0, 22.0, 2.0)?];
    let run = merged(floes, &[0.0, 0.0, -1.8, -1.8], false, 5.0)?;
    let state = run.state();
    Ok(vec![
        ("left node, x(5)".into(), state.displacement[0].x),
        ("merged node, x(5)".into(), state.displacement[1].x),
        ("right node, x(5)".into(), state.displacement[3].x),
        ("left node, v(5)".into(), state.velocity[0].x),
        ("merged node, v(5)".into(), state.velocity[1].x),
        ("right node, v(5)".into(), state.velocity[3].x),
        ("momentum".into(), run.momentum().x),
    ])
}

/// T4: a triangle of springs and dashpots.
pub(super) fn triangle(_: &Reference) -> Measured {
    let mut network = Network::default();
    for [x, y] in [[0.8, 0.0], [0.5, 0.5], [-0.5, 0.0]] {
        network.add_node(DVec2::new(x, y), 6.2);
    }
    network.bonds = [[0, 1], [1, 2], [0, 2]]
        .map(|nodes| Bond {
            nodes,
            stiffness: 23.3,
            dashpot: 3.0,
            surface_energy: f64::INFINITY,
            intact: true,
        })
        .to_vec();
    let velocity = vec![
        DVec2::new(-0.3, 0.0),
        DVec2::new(0.0, -0.1),
        DVec2::new(-0.05, -0.05 * 3.0_f64.sqrt()),
    ];
    let settings = settings(1e-3, BreakRule::Never);
    let mut run = Run::try_new(network, Vec::new(), velocity, settings)?;
    let start = run.energy();
    let (mut last, mut rise) = (start, 0.0_f64);
    for _ in 0..10_000 {
        run.step()?;
        rise = rise.max(run.energy() - last);
        last = run.energy();
    }
    Ok(vec![
        ("energy at the start".into(), start),
        ("energy at 10".into(), last),
        ("largest rise of energy in a step".into(), rise),
        ("momentum along x".into(), run.momentum().x),
        ("momentum along y".into(), run.momentum().y),
        ("budget error".into(), run.budget().energy_error()),
    ])
}

/// T5: the impulse law.
#[expect(clippy::unnecessary_wraps, reason = "the type of a measurement")]
pub(super) fn impulse(_: &Reference) -> Measured {
    let struck = strike([1.2, 1.5], [2.2, -1.8], 0.75, [0.0; 2]);
    Ok(vec![
        ("impulse".into(), struck.impulse),
        ("velocity of the left node".into(), struck.velocities[0]),
        ("velocity of the right node".into(), struck.velocities[1]),
    ])
}

/// T6: three floes, with complementary contact and as coded in the source.
pub(super) fn three_floes(_: &Reference) -> Measured {
    let mut run = source::three_floes_corrected(settings(1e-3, BreakRule::Never))?;
    run.run_until(5.4)?;
    let impacts = run.events().iter().filter_map(|event| match event.what {
        Happening::Impact { contact: 0, .. } => Some((event.time, event.energy)),
        _ => None,
    });
    let impacts: Vec<(f64, f64)> = impacts.collect();
    let mut measured = Vec::new();
    for (number, (time, _)) in impacts.iter().take(6).enumerate() {
        measured.push((format!("time of impact {}", number + 1), *time));
    }
    for (number, (_, energy)) in impacts.iter().take(4).enumerate() {
        measured.push((format!("energy after impact {}", number + 1), *energy));
    }
    let last = impacts.last().map_or(f64::NAN, |(time, _)| *time);
    measured.push(("start of sustained contact".into(), last));
    measured.push(("momentum".into(), run.momentum().x));
    measured.push(("budget error".into(), run.budget().energy_error()));
    let mut either = source::three_floes_corrected(settings(1e-3, BreakRule::EitherSign))?;
    either.run_until(3.7)?;
    let first = either.events().iter().find_map(|event| match event.what {
        Happening::Break { bond, tension, .. } => Some((event.time, bond, tension)),
        _ => None,
    });
    let (time, bond, tension) = first.unwrap_or((f64::NAN, 0, false));
    measured.push(("first threshold, either sign".into(), time));
    measured.push(("its spring".into(), bond as f64));
    measured.push(("it is in tension".into(), f64::from(u8::from(tension))));
    let coded = source::three_floes();
    let breaks: Vec<f64> = coded.breaks.iter().map(|b| b.time).collect();
    let nth = |n: usize| breaks.get(n).copied().unwrap_or(f64::NAN);
    measured.push(("as coded: first break".into(), nth(0)));
    measured.push(("as coded: second break".into(), nth(1)));
    measured.push(("as coded: momentum at 28.96".into(), coded.momentum));
    measured.push(("as coded: kinetic energy at 28.96".into(), coded.kinetic));
    Ok(measured)
}

/// T7: equal bars.
pub(super) fn equal_bars(_: &Reference) -> Measured {
    let equal = BarImpact {
        striker_length: 100.0,
        ..BarImpact::default()
    };
    let result = equal.extrapolated()?;
    let lumped = BarImpact {
        nodes: 201,
        damping: 0.0,
        ..equal
    };
    let lumped = lumped.run()?;
    Ok(vec![
        ("contact time (ms)".into(), 1e3 * result.contact_time),
        ("contact stress (kPa)".into(), 1e-3 * result.stress),
        ("restitution".into(), result.restitution),
        (
            "contact time, 200 springs undamped (ms)".into(),
            1e3 * lumped.contact_time,
        ),
        (
            "restitution, 200 springs undamped".into(),
            lumped.restitution,
        ),
    ])
}

/// T8: a short striker and the spall plane.
pub(super) fn spall(_: &Reference) -> Measured {
    let impact = BarImpact::default();
    let result = impact.extrapolated()?;
    let (time, plane) = result
        .first_tension
        .map_or((f64::NAN, f64::NAN), |t| (t.time, t.from_rear));
    let undamped = BarImpact {
        nodes: 201,
        damping: 0.0,
        ..impact
    };
    let overshoot = undamped.run()?.highest_tension / impact.wave_stress() - 1.0;
    let strength = |spacing: f64| 1e-3 * impact.ice.bond_strength(spacing);
    Ok(vec![
        ("contact time (ms)".into(), 1e3 * result.contact_time),
        ("impulse (N s/m²)".into(), result.impulse),
        ("first tension (ms)".into(), 1e3 * time),
        ("distance from the rear (m)".into(), plane),
        (
            "highest tension (kPa)".into(),
            1e-3 * result.highest_tension,
        ),
        ("restitution".into(), result.restitution),
        ("overshoot without dashpots".into(), overshoot),
        ("strength of bonds of 1 m (kPa)".into(), strength(1.0)),
        ("strength of bonds of 10 m (kPa)".into(), strength(10.0)),
        (
            "lowest breaking speed, bonds of 1 m (m/s)".into(),
            breaking_speed(101)?,
        ),
        (
            "lowest breaking speed, bonds of 10 m (m/s)".into(),
            breaking_speed(11)?,
        ),
    ])
}

/// Lowest speed at which a bar of 100 m breaks, by bisection \[m/s\].
fn breaking_speed(nodes: usize) -> Result<f64, Failure> {
    let (mut low, mut high) = (0.0, 1.0);
    for _ in 0..12 {
        let speed = 0.5 * (low + high);
        let impact = BarImpact {
            nodes,
            speed,
            breaks: true,
            ..BarImpact::default()
        };
        if impact.run()?.broken.is_empty() {
            low = speed;
        } else {
            high = speed;
        }
    }
    Ok(high)
}

/// Points and draws of each line of T11.
const POINTS: usize = 8000;
const DRAWS: u64 = 2;

/// T11: moduli of random lattices, relaxed, and the corrected affine ones.
pub(super) fn moduli(_: &Reference) -> Measured {
    let mut measured = Vec::new();
    let weighted = |torsion: f64| Springs::Weighted { torsion };
    let lines = [
        ("G = 0", weighted(0.0)),
        ("G = 0.04 k", weighted(0.04)),
        ("G = 0.05 k", weighted(0.05)),
        ("G = 0.1 k", weighted(0.1)),
        ("G = 0.5 k", weighted(0.5)),
        ("same k on every edge", Springs::Uniform),
    ];
    for (name, springs) in lines {
        let (mut young, mut poisson) = (0.0, 0.0);
        for seed in 0..DRAWS {
            let [_, relaxed] = delaunay_moduli(springs, POINTS, seed)?;
            young += relaxed.young() / DRAWS as f64;
            poisson += relaxed.poisson() / DRAWS as f64;
        }
        measured.push((format!("E over k, {name}"), young));
        measured.push((format!("ν, {name}"), poisson));
    }
    Ok(measured)
}

/// T12: the spectral gap in the stiff limit.
pub(super) fn spectral_gap(_: &Reference) -> Measured {
    let mut measured = Vec::new();
    for points in [20, 100] {
        let mut worst = -2.0_f64;
        for seed in 0..3 {
            let slope = gap_slope(points, [0.03, 0.003], seed)?;
            if (slope + 2.0).abs() > (worst + 2.0).abs() {
                worst = slope;
            }
        }
        measured.push((format!("slope, {points} points"), worst));
    }
    Ok(measured)
}

/// T13: budgets of lattices that break under a blow.
pub(super) fn budgets(_: &Reference) -> Measured {
    let mut measured = Vec::new();
    let kinds = [
        ("square", Kind::Square),
        ("triangular", Kind::Triangular),
        ("Delaunay", Kind::Delaunay),
    ];
    for (name, kind) in kinds {
        let impact = LatticeImpact {
            lattice: Lattice {
                kind,
                ice: Ice::default(),
                side: 12.0,
                thickness: 1.0,
                spacing: 2.0,
                damping: 0.1,
                seed: 1,
            },
            striker: Striker::Mass(13e3),
            speed: 1.5,
            law: Percussion::default(),
            pinned: false,
            breaks: true,
            integrator: Integrator::Implicit,
            duration: 5e-3,
        };
        let result = impact.run()?;
        let change = (result.momentum - result.initial_momentum).length();
        let momentum = result.initial_momentum.length();
        let broke = f64::from(u8::from(result.broken > 0));
        measured.push((
            format!("energy budget error, {name}"),
            result.budget.energy_error(),
        ));
        measured.push((format!("change of momentum, {name}"), change / momentum));
        measured.push((format!("bonds broke, {name}"), broke));
    }
    Ok(measured)
}
