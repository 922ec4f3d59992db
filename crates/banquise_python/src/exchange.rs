//! Bodies that come in the middle of a run: floes that are added, and pieces of a floe.

use banquise::{BodyId, BodyKind, BodySpec, Meeting, Thickness, Velocity, World, first_meeting};
use banquise_geometry::DVec2;
use pyo3::prelude::*;

use crate::arrays::{BodyRow, shape, spec};
use crate::core::{Core, check_step, unknown_body};
use crate::errors::input_error;
use crate::recipe::Scene;

/// Adds a body and returns its id; the scene has its density, friction and restitution.
#[pyfunction]
pub(crate) fn add_body(
    py: Python<'_>,
    core: &mut Core,
    body: BodyRow<'_>,
    scene: Scene,
) -> PyResult<u32> {
    let shape = shape(&body).map_err(|e| input_error(py, &e.to_string(), e.hint()))?;
    let spec = spec(&body, shape, &scene);
    let mut world = core.parts.simulation.world.clone();
    let added = world.add(spec).map_err(|error| {
        let hint = "numbers must be finite, thickness and density positive";
        input_error(py, &error.to_string(), hint)
    })?;
    accept(py, core, world)?;
    Ok(added.0)
}

/// Replaces a floe by pieces and returns their ids. They have its material, thickness and
/// velocity.
#[pyfunction]
pub(crate) fn replace_body(
    py: Python<'_>,
    core: &mut Core,
    id: u32,
    pieces: Vec<BodyRow<'_>>,
) -> PyResult<Vec<u32>> {
    let mut world = core.parts.simulation.world.clone();
    let id = BodyId(id);
    let specs = pieces.iter().enumerate().map(|(number, piece)| {
        piece_of(&world, id, piece)
            .map_err(|e| input_error(py, &format!("piece {number}: {e}"), e.hint()))
    });
    let specs = specs.collect::<PyResult<Vec<Option<BodySpec>>>>()?;
    // Without the floe there is nothing to make pieces of, and the world says so.
    let specs: Vec<BodySpec> = specs.into_iter().flatten().collect();
    let ids = world
        .replace(id, specs)
        .map_err(|error| unknown_body(py, &error))?;
    accept(py, core, world)?;
    Ok(ids.into_iter().map(|id| id.0).collect())
}

/// A piece with the motion of the rigid body it was part of; `None` where there is no such body.
fn piece_of(
    world: &World,
    id: BodyId,
    piece: &BodyRow<'_>,
) -> Result<Option<BodySpec>, banquise_geometry::GeometryError> {
    let shape = shape(piece)?;
    let Some(row) = world.bodies.row_of(id) else {
        return Ok(None);
    };
    let pose = piece.pose();
    let motion = world.bodies.motions()[row];
    let arm = pose.world_from_body(shape.centroid()) - world.unwrapped_position(row);
    let Velocity { linear, angular } = motion.velocity;
    Ok(Some(BodySpec {
        name: piece.name.clone(),
        kind: BodyKind::Floe,
        shape,
        pose,
        velocity: Velocity {
            linear: linear + angular * DVec2::new(-arm.y, arm.x),
            angular,
        },
        thickness: Thickness::Uniform(world.bodies.mean_thicknesses()[row]),
        material: world.bodies.materials()[row],
        mass: None,
        inertia: None,
    }))
}

/// Takes over a world in which no bodies overlap.
fn accept(py: Python<'_>, core: &mut Core, world: World) -> PyResult<()> {
    let name = |row: usize| world.bodies.ids()[row].to_string();
    let problem = match first_meeting(&world) {
        Some(Meeting::Bodies(first, second)) => {
            format!("{} and {} overlap", name(first), name(second))
        }
        Some(Meeting::Wall(row)) => format!("{} overlaps a wall", name(row)),
        None => {
            let before = std::mem::replace(&mut core.parts.simulation.world, world);
            let checked = check_step(py, &core.parts.simulation);
            if checked.is_err() {
                core.parts.simulation.world = before;
            }
            return checked;
        }
    };
    let hint = "leave a little water between bodies, and between pieces";
    Err(input_error(py, &problem, hint))
}
