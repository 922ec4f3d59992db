//! The `[floedyn]` table: floes from an input file of FloeDyn.

use std::path::Path;

use banquise::{BodyKind, BodySpec, Material, Thickness, Velocity};
use banquise_geometry::{Pose, Rotation, Shape};

use super::PlanError;
use super::body_list::{BodyList, IceDefaults, PlannedBody, check_count};
use super::files::read_bytes;
use crate::floedyn::{FloeDynFloe, read_floedyn};
use crate::scenario::{Problem, ProblemKind, TableReader};

/// Adds the floes of the file; nothing if one of them is refused.
pub(super) fn decode(
    root: &TableReader<'_>,
    defaults: &IceDefaults,
    placed: &mut BodyList,
    folder: &Path,
) -> Option<()> {
    let field = root.optional("floedyn");
    if !field.is_present() {
        return Some(());
    }
    let table = field.table()?;
    let file = table
        .required_like("file", "`file = \"in_example_100_floes.h5\"`")
        .path()
        .spanned();
    let record = table.optional("record").integer().or(0);
    let problems = table.problems();
    table.finish();
    let file = file?;
    let floes = match read_floedyn(read_bytes(&file, folder, problems)?, record) {
        Ok(floes) => floes,
        Err(error) => {
            let kind = ProblemKind::FileRejected {
                path: folder.join(&file.value).display().to_string(),
                hint: error.hint(),
                source: error.into(),
            };
            problems.push(Problem::new(kind, file.span));
            return None;
        }
    };
    check_count(placed.bodies.len() + floes.len(), file.span, problems)?;
    for (index, floe) in floes.into_iter().enumerate() {
        // The thickness of an obstacle means nothing.
        let unneeded = floe.is_obstacle.then_some(1.0);
        let Some(thickness) = floe.thickness.or(defaults.thickness).or(unneeded) else {
            problems.push(PlanError::NoThickness { floe: index }.at("the file", file.span));
            return None;
        };
        let spec = spec(floe, thickness, defaults.material);
        placed.add(PlannedBody::at_rest(spec, file.span), problems)?;
    }
    Some(())
}

fn spec(floe: FloeDynFloe, thickness: f64, material: Material) -> BodySpec {
    BodySpec {
        name: String::new(),
        kind: if floe.is_obstacle {
            BodyKind::Obstacle
        } else {
            BodyKind::Floe
        },
        shape: Shape::Outline(floe.outline),
        pose: Pose {
            position: floe.position,
            rotation: Rotation::from_angle(floe.angle),
        },
        velocity: Velocity {
            linear: floe.velocity,
            angular: floe.angular_velocity,
        },
        thickness: Thickness::Uniform(thickness),
        material: Material {
            ocean_drag_coefficient: floe.ocean_drag_coefficient,
            ..material
        },
        mass: None,
        inertia: None,
    }
}
