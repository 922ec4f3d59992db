//! Springs, dampers and mooring lines, at the end of the step: they act on both ends at once, also where floes had steps of their own.
//!
//! Bodies have moved with the velocities of the step, and lines pull at them where they are now. So momentum is kept to round-off, and an undamped spring
//! keeps its energy within bounds (symplectic Euler).

use banquise_geometry::DVec2;

use crate::budget::{Account, Budget};
use crate::error::StepError;
use crate::force::Force;
use crate::line::LineEnd;
use crate::motion::Velocity;
use crate::world::World;

/// Loads of lines on bodies, by row.
#[derive(Debug, Clone, Default)]
pub(super) struct LineScratch {
    loads: Vec<(usize, DVec2, f64)>,
}

impl LineScratch {
    /// Sum of the forces on floes without their signs \[N\].
    pub(super) fn turnover(&self) -> f64 {
        self.loads.iter().map(|load| load.1.length()).sum()
    }
}

/// Gives the bodies at the ends of lines the impulses of a step of `dt` \[s\], and breaks lines that bear too much. Bodies have this added mass, as a share
/// of their own.
///
/// # Errors
/// When the step is longer than that for which the lines are stable: a floe broke, and its piece is light.
pub(super) fn pull_lines(
    world: &mut World,
    dt: f64,
    added_mass: f64,
    scratch: &mut LineScratch,
    budget: &mut Budget,
) -> Result<(), StepError> {
    scratch.loads.clear();
    if world.lines.is_empty() {
        return Ok(());
    }
    check_step(world, dt, added_mass)?;
    for number in 0..world.lines.len() {
        pull(world, number, &mut scratch.loads);
    }
    scratch.loads.sort_by_key(|load| load.0);
    for same in scratch.loads.chunk_by(|x, y| x.0 == y.0) {
        let row = same[0].0;
        let (mut force, mut torque) = (DVec2::ZERO, 0.0);
        for load in same {
            force += load.1;
            torque += load.2;
        }
        kick(world, row, (dt * force, dt * torque), added_mass, budget);
    }
    Ok(())
}

fn check_step(world: &World, dt: f64, added_mass: f64) -> Result<(), StepError> {
    let (limit, line) = world.stable_line_step(added_mass);
    match line {
        Some(line) if dt > limit => Err(StepError::LineUnstable {
            step: world.clock.step,
            time: world.clock.time,
            line: match world.lines[line].name.as_str() {
                "" => format!("line {}", line + 1),
                name => format!("line `{name}`"),
            },
            dt,
            limit,
        }),
        _ => Ok(()),
    }
}

/// Adds the loads of a line on the floes at its ends.
fn pull(world: &mut World, number: usize, loads: &mut Vec<(usize, DVec2, f64)>) {
    let line = &world.lines[number];
    if !line.is_intact() {
        return;
    }
    let Some(stretch) = world.stretch_of(line) else {
        return world.break_line(number);
    };
    let (force, tension) = line.pull(stretch);
    if tension.abs() > line.breaking_load {
        return world.break_line(number);
    }
    for (end, force) in line.ends.iter().zip([force, -force]) {
        if let LineEnd::Body { id, arm } = *end
            && let Some(row) = world.bodies.row_of(id)
            && world.bodies.is_floe(row)
        {
            let arm = world.bodies.motions[row].pose.rotation.rotate(arm);
            loads.push((row, force, arm.perp_dot(force)));
        }
    }
    world.lines[number].tension = tension;
}

/// Gives a floe an impulse, and books what it does: an added mass takes its share as a force of the waves.
fn kick(
    world: &mut World,
    row: usize,
    (impulse, turn): (DVec2, f64),
    added_mass: f64,
    budget: &mut Budget,
) {
    let bodies = &mut world.bodies;
    let before = bodies.motions[row].velocity;
    let added = Velocity {
        linear: bodies.inv_masses[row] / (1.0 + added_mass) * impulse,
        angular: bodies.inv_inertias[row] * turn,
    };
    let after = Velocity {
        linear: before.linear + added.linear,
        angular: before.angular + added.angular,
    };
    bodies.motions[row].velocity = after;
    bodies.force_delta_v[row].linear += added.linear;
    bodies.force_delta_v[row].angular += added.angular;
    let mean = 0.5 * (before.linear + after.linear);
    budget.forces[Force::Line] += Account {
        work: impulse.dot(mean) + turn * 0.5 * (before.angular + after.angular),
        impulse,
    };
    if added_mass > 0.0 {
        let taken = -added_mass / (1.0 + added_mass) * impulse;
        budget.forces[Force::Waves] += Account {
            work: taken.dot(mean),
            impulse: taken,
        };
    }
}
