//! The cases of Lefebvre 2007 for particles that stick.

use banquise::{Force, Simulation, World};
use banquise_suspension::chain::{Chain, Continuum};
use banquise_suspension::lubrication::{Lubrication, Particle};

use super::Measured;
use super::reference::Reference;
use super::runs::{advance, simulation, watch};
use crate::failure::Failure;

/// Distance of the particle of `push-pull` from the plane [m].
fn distance(world: &World) -> f64 {
    let row = 0;
    world.bodies.motions()[row].pose.position.y - world.bodies.radii()[row]
}

fn push_pull(reference: &Reference, law: &str, step: f64) -> Result<Simulation, Failure> {
    let mut overrides = vec![format!("time.step=\"{step} s\"")];
    match law {
        "rough" => overrides.extend([
            "contact.law=\"rough\"".to_owned(),
            "contact.memory=\"1.5 N s\"".to_owned(),
        ]),
        law => overrides.push(format!("contact.law=\"{law}\"")),
    }
    simulation(reference, &overrides)
}

/// V11: pushed for two seconds and pulled, with gluey, rough and inelastic contact, and with finite viscosities.
pub(super) fn push_and_pull(reference: &Reference) -> Measured {
    let mut measured = Vec::new();
    let mut errors = Vec::new();
    for step in [0.1, 0.05, 0.01, 0.001] {
        let mut run = push_pull(reference, "gluey", step)?;
        let mut balance = 0.0_f64;
        watch(&mut run, 6.0, &mut |world, _| {
            // I8: momentum and memory add up to the impulse of the forces, which is booked apart.
            let given = world.budget.forces[Force::BodyForce].impulse.y;
            let memory: f64 = world.adhesions().map(|(.., memory)| memory).sum();
            balance = balance.max((world.momentum().y + memory - given).abs());
        })?;
        let end = distance(&run.world);
        errors.push(2.0 - end);
        measured.push((format!("q(6 s) with gluey contact, step {step} s (m)"), end));
        if step == 0.01 {
            measured.push((
                "discrete balance of momentum and memory (N s)".into(),
                balance,
            ));
        }
    }
    let order = (errors[0] / errors[2]).log10();
    measured.push(("order of convergence".into(), order));
    for law in ["rough", "inelastic"] {
        let mut run = push_pull(reference, law, 0.001)?;
        let mut taken_off = f64::NAN;
        watch(&mut run, 6.0, &mut |world, report| {
            if report.contact.take_offs > 0 {
                taken_off = world.clock.time;
            }
        })?;
        measured.push((format!("take-off with {law} contact (s)"), taken_off));
        if law == "rough" {
            measured.push(("q(6 s) with rough contact (m)".into(), distance(&run.world)));
        }
    }
    for viscosity in [1.0, 0.3, 0.1, 0.03] {
        let motion = Particle::push_pull(viscosity, Lubrication::Sphere).motion(2.0, 1e-4);
        let memory = motion.last().map_or(f64::NAN, |end| end.gamma);
        measured.push((format!("memory at 2 s with viscosity {viscosity}"), memory));
    }
    Ok(measured)
}

/// V12: a layer of viscous fluid at the plane.
#[expect(
    clippy::unnecessary_wraps,
    reason = "the signature of all cases, some of which run"
)]
pub(super) fn layer(_: &Reference) -> Measured {
    let mut measured = Vec::new();
    for viscosity in [0.3, 0.1] {
        let exit = Particle::in_layer(viscosity, 0.05).exit(6.0, 1e-4);
        let (time, excess) = exit.map_or((f64::NAN, f64::NAN), |exit| {
            (exit.time, exit.velocity - (exit.time - 4.0))
        });
        measured.push((format!("exit with viscosity {viscosity} (s)"), time));
        measured.push((
            format!("velocity at exit less t − 4, viscosity {viscosity}"),
            excess,
        ));
    }
    Ok(measured)
}

/// V14: the viscous billiard.
pub(super) fn billiard(reference: &Reference) -> Measured {
    let mut measured = Vec::new();
    for step in [0.01, 1e-4] {
        let overrides = [format!("time.step=\"{step} s\"")];
        let mut run = simulation(reference, &overrides)?;
        let start = run.world.kinetic_energy();
        let (mut times, mut angles) = ([f64::NAN; 2], [0.0; 2]);
        watch(&mut run, 10.0, &mut |world, report| {
            let motions = world.bodies.motions();
            let apart = motions[1].pose.position - motions[0].pose.position;
            let now = (world.clock.time, apart.to_angle());
            for (number, count) in [report.contact.sticks, report.contact.take_offs]
                .into_iter()
                .enumerate()
            {
                if count > 0 {
                    (times[number], angles[number]) = now;
                }
            }
        })?;
        let turned = (angles[1] - angles[0]).rem_euclid(std::f64::consts::TAU);
        measured.push((format!("contact, step {step} s (s)"), times[0]));
        measured.push((format!("take-off, step {step} s (s)"), times[1]));
        measured.push((
            format!("rotation while stuck, step {step} s (deg)"),
            turned.to_degrees(),
        ));
        if step < 1e-3 {
            measured.push(("kinetic energy at the start (J)".into(), start));
            measured.push((
                "kinetic energy at the end (J)".into(),
                run.world.kinetic_energy(),
            ));
        }
    }
    Ok(measured)
}

/// V17: finite viscosities are close to gluey contact.
#[expect(
    clippy::unnecessary_wraps,
    reason = "the signature of all cases, some of which run"
)]
pub(super) fn limits(_: &Reference) -> Measured {
    let mut measured = Vec::new();
    for (law, name) in [
        (Lubrication::Sphere, "sphere"),
        (Lubrication::Cylinder, "cylinder"),
    ] {
        for viscosity in [0.3, 0.1] {
            let found = Particle::push_pull(viscosity, law).largest_difference(6.0, 1e-4);
            let name = format!("largest difference, {name}, viscosity {viscosity}");
            measured.push((name, found));
        }
    }
    Ok(measured)
}

/// A chain with gaps and forces that vary.
fn uneven_chain(count: usize) -> (Chain, Vec<f64>) {
    use banquise_geometry::math::sin;
    let gaps = (0..count).map(|index| 0.02 + 0.015 * sin(1.7 * index as f64));
    let forces = (1..count).map(|index| 2.0 * sin(0.9 * index as f64));
    let chain = Chain {
        radius: 0.01,
        first: 0.0,
        gaps: gaps.collect(),
    };
    (chain, forces.collect())
}

fn largest(first: &[f64], second: &[f64]) -> f64 {
    let both = first.iter().zip(second);
    both.fold(0.0, |largest, (x, y)| largest.max((x - y).abs()))
}

/// V18: a chain of spheres, and its continuum.
#[expect(
    clippy::unnecessary_wraps,
    reason = "the signature of all cases, some of which run"
)]
pub(super) fn chain(_: &Reference) -> Measured {
    let (chain, forces) = uneven_chain(200);
    let closed = chain.velocities(&forces);
    let solved = chain.velocities_by_elimination(&forces);
    let (mut moved, forces_of_few) = uneven_chain(40);
    let expected = moved.after(&forces_of_few, 0.5);
    for _ in 0..4000 {
        moved.step(&forces_of_few, 0.5 / 4000.0);
    }
    let even = even_chain(50);
    let even_forces = vec![2.0 * even.radius; 49];
    let velocities = even.velocities(&even_forces);
    let smooth: Vec<f64> = even.centres()[1..50]
        .iter()
        .map(|x| 0.24 * x * (1.0 - x) / 2.0)
        .collect();
    let errors = [50, 100, 200].map(continuum_error);
    Ok(vec![
        (
            "closed form against elimination".into(),
            largest(&closed, &solved),
        ),
        (
            "gaps against their closed form in time".into(),
            largest(&moved.gaps, &expected.gaps),
        ),
        (
            "even chain against the continuum".into(),
            largest(&velocities, &smooth),
        ),
        (
            "continuum, order of convergence".into(),
            (errors[0] / errors[2]).log2() / 2.0,
        ),
        ("continuum, difference with 200 spheres".into(), errors[2]),
    ])
}

/// A chain of solid fraction 0.6 on [0, 1].
fn even_chain(count: u32) -> Chain {
    let spacing = 1.0 / f64::from(count);
    let radius = 0.3 * spacing;
    Chain {
        radius,
        first: 0.0,
        gaps: vec![spacing - 2.0 * radius; count as usize],
    }
}

/// Largest difference of the places of spheres between a chain and its continuum after a time of 5 under a force density of one, for a smooth solid fraction at the start.
fn continuum_error(count: usize) -> f64 {
    use banquise_geometry::math::sin;
    // Gap length for each unit of solid length, by the solid length before.
    let gap = |solid: f64| 1.0 + 0.5 * sin(6.0 * solid);
    let diameter = 0.5 / count as f64;
    let chain = Chain {
        radius: 0.5 * diameter,
        first: 0.0,
        gaps: (0..count)
            .map(|index| diameter * gap((index as f64 + 0.5) * diameter))
            .collect(),
    };
    let forces = vec![diameter; count - 1];
    let cells = 20_000;
    let cell = 0.5 / f64::from(cells);
    let continuum = Continuum {
        first: 0.0,
        cell,
        gaps: (0..cells)
            .map(|index| gap((f64::from(index) + 0.5) * cell))
            .collect(),
    };
    let later = continuum.after(1.0, 5.0);
    let centres = chain.after(&forces, 5.0).centres();
    let places = later.places((0..=count).map(|index| index as f64 * diameter));
    largest(&centres, &places)
}

/// V13: rough contact takes off before smooth contact does.
pub(super) fn rough(reference: &Reference) -> Measured {
    let mut measured = Vec::new();
    let mut run = push_pull(reference, "rough", 1e-4)?;
    advance(&mut run, 6.0)?;
    measured.push(("q(6 s), step 1e-4 s (m)".into(), distance(&run.world)));
    let mut run = push_pull(reference, "rough", 1e-4)?;
    let mut taken_off = f64::NAN;
    watch(&mut run, 6.0, &mut |world, report| {
        if report.contact.take_offs > 0 {
            taken_off = world.clock.time;
        }
    })?;
    measured.push(("take-off (s)".into(), taken_off));
    Ok(measured)
}

/// Limits of rough contact, to the last bit: no memory is dry contact, and a memory that no contact reaches is smooth contact, whatever R makes of it. Of 200 discs of `sedimentation`
/// after 1.5 s.
pub(super) fn laws(reference: &Reference) -> Measured {
    let run = |law: &str, extra: Option<&str>| -> Result<(u64, usize), Failure> {
        let law = format!("contact.law=\"{law}\"");
        let few = "discs[0].count=200".to_owned();
        let overrides = [law, few].into_iter().chain(extra.map(str::to_owned));
        let mut run = simulation(reference, &overrides.collect::<Vec<_>>())?;
        advance(&mut run, 1.5)?;
        Ok((run.world.state_hash(), run.world.adhesions().count()))
    };
    let (dry, _) = run("inelastic", None)?;
    let (without, _) = run("rough", Some("contact.memory=\"0 N s\""))?;
    let (smooth, stuck) = run("gluey", None)?;
    let mut unlike = 0;
    for (viscosity, roughness) in [("1e9 Pa s", "0.1 mm"), ("3e8 Pa s", "1 mm")] {
        let film = format!(
            "contact.lubrication={{viscosity=\"{viscosity}\", roughness=\"{roughness}\", reference_gap=\"5 mm\"}}"
        );
        unlike += u32::from(run("rough", Some(&film))?.0 != smooth);
    }
    Ok(vec![
        (
            "rough contact without memory has other bits than dry contact".into(),
            f64::from(u8::from(without != dry)),
        ),
        (
            "memories beyond reach, of two R, with other bits than smooth contact".into(),
            f64::from(unlike),
        ),
        ("contacts that stick".into(), stuck as f64),
    ])
}
