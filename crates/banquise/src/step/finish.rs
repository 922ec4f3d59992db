//! Checks of the result of a step.

use super::context::StepContext;
use crate::body::Bodies;
use crate::contact::{ContactReport, ContactSettings, OnUnsolved, SqueezedIsland};
use crate::error::StepError;
use crate::forcing::{Water, drag_limit};
use crate::motion::Motion;
use crate::world::World;

/// Refuses friction problems that were not solved, where the settings ask for it.
pub(super) fn check_solved(
    world: &World,
    settings: &ContactSettings,
    contact: &ContactReport,
) -> Result<(), StepError> {
    if settings.on_unsolved == OnUnsolved::Continue || contact.unsolved == 0 {
        return Ok(());
    }
    Err(StepError::Unsolved {
        step: world.clock.step,
        time: world.clock.time,
        count: contact.unsolved,
        largest: contact.largest,
        residual: contact.residual,
    })
}

/// Refuses rigid floes that are squeezed.
pub(super) fn check_squeezed(
    world: &World,
    squeezed: Option<&SqueezedIsland>,
) -> Result<(), StepError> {
    let Some(squeezed) = squeezed else {
        return Ok(());
    };
    let [first, second] = squeezed.between.clone();
    Err(StepError::Squeezed {
        step: world.clock.step,
        time: world.clock.time,
        floes: squeezed.floes,
        body: squeezed.body.as_str().into(),
        first,
        second,
        speed: squeezed.speed,
        x: squeezed.place.x,
        y: squeezed.place.y,
        cause: squeezed.cause,
    })
}

/// The error of a step that was interrupted.
pub(super) fn interrupted(world: &World) -> StepError {
    StepError::Interrupted {
        step: world.clock.step,
        time: world.clock.time,
    }
}

/// Refuses a state that is not finite.
pub(super) fn finish(context: &StepContext<'_>, world: &World) -> Result<(), StepError> {
    // First: at a speed that is not finite the length of the step and the limits of drag mean nothing.
    check_finite(context.step, context.time, world)?;
    check_step(context, world)?;
    check_drag(context, world)
}

/// Refuses positions and velocities that are not finite.
pub(super) fn check_finite(step: u64, time: f64, world: &World) -> Result<(), StepError> {
    let bodies = &world.bodies;
    // Squares too: energies and accelerations of faster bodies are infinite.
    let is_finite = |Motion { pose, velocity, .. }: &Motion| {
        velocity.linear.length_squared().is_finite()
            && (velocity.angular * velocity.angular).is_finite()
            && pose.position.is_finite()
    };
    let Some(row) = bodies.motions.iter().position(|motion| !is_finite(motion)) else {
        return Ok(());
    };
    let Motion { pose, velocity, .. } = bodies.motions[row];
    let body = name_of(bodies, row);
    let count = bodies.motions.iter().filter(|motion| !is_finite(motion));
    Err(StepError::NonFinite {
        step,
        time,
        count: count.count(),
        body: body.into(),
        position: Box::new(pose.position.to_array()),
        velocity: Box::new([velocity.linear.x, velocity.linear.y, velocity.angular]),
    })
}

/// Refuses a step that no longer moves the clock.
fn check_step(context: &StepContext<'_>, world: &World) -> Result<(), StepError> {
    if world.clock.time > context.time {
        return Ok(());
    }
    let bodies = &world.bodies;
    let speed = |row: &usize| {
        let velocity = bodies.motions[*row].velocity;
        velocity.linear.length() + velocity.angular.abs() * bodies.radii()[*row]
    };
    let rows = 0..bodies.len();
    let fastest = rows.max_by(|a, b| speed(a).total_cmp(&speed(b)));
    let fastest = fastest.map_or(String::new(), |row| body_text(bodies, row));
    Err(StepError::StepCollapsed {
        step: context.step,
        time: context.time,
        dt: context.dt,
        bodies: fastest.into(),
    })
}

/// Name or id of a body.
fn name_of(bodies: &Bodies, row: usize) -> String {
    match bodies.names()[row].as_str() {
        "" => bodies.ids()[row].to_string(),
        name => format!("`{name}`"),
    }
}

/// Name or id of a body, with its place and velocity.
pub(super) fn body_text(bodies: &Bodies, row: usize) -> String {
    let Motion { pose, velocity, .. } = bodies.motions[row];
    let ([x, y], [u, v]) = (pose.position.to_array(), velocity.linear.to_array());
    let name = name_of(bodies, row);
    format!(
        "{name} at ({x:.2}, {y:.2}) m with ({u:.3e}, {v:.3e}) m/s and {:.3e} rad/s",
        velocity.angular
    )
}

/// Refuses a step beyond which explicit drag overshoots by more than it corrects: see [`drag_limit`]. The bound checked before the run cannot know the speeds given forces lead to.
fn check_drag(context: &StepContext<'_>, world: &World) -> Result<(), StepError> {
    let Some(drag) = &context.forcing.drag else {
        return Ok(());
    };
    let bodies = &world.bodies;
    for row in world.floe_rows() {
        let Motion { pose, velocity, .. } = bodies.motions[row];
        let water = match context.water_over(world, context.cell_at(pose.position)) {
            Water::Uniform(water) => water,
            Water::Field(field) => field.at(pose.position, &mut 0),
        };
        let slip = (water - velocity.linear).length() + velocity.angular.abs() * bodies.radii[row];
        let limit = drag_limit(drag, bodies, row, slip);
        if context.dt > limit {
            let (step, time, dt) = (context.step, context.time, context.dt);
            return Err(StepError::Unstable {
                step,
                time,
                body: bodies.ids()[row],
                slip,
                dt,
                limit,
            });
        }
    }
    Ok(())
}
