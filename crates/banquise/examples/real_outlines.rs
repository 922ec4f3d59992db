//! How long the whole step takes for real outlines that collide: those of a case of FloeDyn, kicked inwards at
//! 0.3 m/s without any other force, stage by stage.
//!
//! `cargo run --release -p banquise --example real_outlines -- shared/data/floedyn_cases/ex100_topaz`

#![expect(clippy::print_stdout, reason = "a program that prints a table")]

use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use banquise::{
    BodyKind, BodySpec, Domain, EventPart, Forcing, Material, Simulation, Stage, StageTimer,
    StepReport, StepSettings, Thickness, Velocity, World,
};
use banquise_geometry::{DVec2, Outline, Pose, Rotation, Shape};
use serde_json::Value;

/// Simulated time \[s\] and longest step \[s\].
const END: f64 = 500.0;
const MAX_DT: f64 = 1.0;

#[derive(Default)]
struct Stopwatch {
    running: Option<(Stage, Instant)>,
    sums: [Duration; Stage::ALL.len()],
}

impl StageTimer for Stopwatch {
    fn start(&mut self, stage: Stage) {
        self.stop();
        self.running = Some((stage, Instant::now()));
    }

    fn start_part(&mut self, _part: EventPart) {}

    fn stop(&mut self) {
        if let Some((stage, start)) = self.running.take() {
            self.sums[stage as usize] += start.elapsed();
        }
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = std::env::args().nth(1).ok_or("name the folder of a case")?;
    let text = std::fs::read_to_string(format!("{folder}/initial.json"))?;
    let file: Value = serde_json::from_str(&text)?;
    let mut world = World::new(Domain::Free, 1);
    let floes = file["floes"].as_array().ok_or("the case has no floes")?;
    for floe in floes {
        world.add(kicked(floe)?)?;
    }
    let bodies = &world.bodies;
    let area: f64 = (0..bodies.len())
        .map(|row| bodies.shapes()[row].area())
        .sum();
    let mut run = Simulation::new(world, Forcing::none(), StepSettings::default(), MAX_DT);
    let mut watch = Stopwatch::default();
    let start = Instant::now();
    let go_on = &mut |_: &World, _: &StepReport| ControlFlow::Continue(());
    _ = run.advance_to(END, &mut watch, go_on)?;
    let wall = start.elapsed().as_secs_f64();
    let steps = run.world.clock.step as f64;
    println!(
        "{} floes of {area:.3e} m² in all, {steps} steps, {wall:.3} s",
        floes.len()
    );
    println!(
        "{:.1} times real time, {:.1} µs a step",
        END / wall,
        1e6 * wall / steps
    );
    for stage in Stage::ALL {
        let time = watch.sums[stage as usize].as_secs_f64();
        println!("{:12} {:8.2} µs a step", stage.name(), 1e6 * time / steps);
    }
    println!(
        "{} impacts, {} unsolved",
        run.contact.impacts, run.contact.unsolved
    );
    Ok(())
}

fn kicked(floe: &Value) -> Result<BodySpec, Box<dyn std::error::Error>> {
    let number = |value: &Value| value.as_f64().ok_or("a number is missing");
    let ring = floe["outline"].as_array().ok_or("a floe without outline")?;
    let vertices = ring
        .iter()
        .map(|point| Ok(DVec2::new(number(&point[0])?, number(&point[1])?)))
        .collect::<Result<Vec<DVec2>, &str>>()?;
    let position = DVec2::new(number(&floe["x"])?, number(&floe["y"])?);
    Ok(BodySpec {
        name: String::new(),
        kind: BodyKind::Floe,
        shape: Shape::Outline(Outline::from_ring(&vertices)?),
        pose: Pose {
            position,
            rotation: Rotation::from_angle(number(&floe["theta"])?),
        },
        velocity: Velocity {
            linear: -0.3 * position.normalize_or_zero(),
            angular: 0.0,
        },
        thickness: Thickness::Uniform(number(&floe["thickness"])?),
        material: Material::default(),
        mass: None,
        inertia: None,
    })
}
