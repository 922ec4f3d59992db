//! The integration tests of the models, in one binary.

#![expect(clippy::unwrap_used, reason = "a test may fail where it stands")]
#![expect(clippy::print_stdout, reason = "tests report what they measured")]
#![expect(
    clippy::disallowed_methods,
    reason = "references may use the platform's functions"
)]

mod bonds;
mod budgets;
mod collision_log;
mod contact;
mod determinism;
mod drag;
mod drift;
mod fields;
mod floedyn;
mod fracture;
mod frozen_fracture;
mod given_current;
mod gluey;
mod lines;
mod local_time;
mod obstacles;
mod ocean_cells;
mod pack_generator;
mod packs;
mod passing;
mod shapes;
mod squeeze;
mod stability;
mod stepping;
mod topology;
mod waves;

use std::ops::ControlFlow;

use banquise::{BodyKind, BodySpec, Material, NoTimer, Simulation, StepError, Thickness, Velocity};
use banquise_geometry::{DVec2, Disc, Outline, Pose, Rotation, Shape};

/// A disc of ice 1 m thick, at rest at the origin.
pub(crate) fn disc(radius: f64) -> BodySpec {
    of_shape(Shape::Disc(Disc::try_new(radius).unwrap()))
}

/// A polygon of ice 1 m thick, at rest at the origin.
pub(crate) fn polygon(vertices: &[(f64, f64)]) -> BodySpec {
    let vertices = vertices.iter().map(|&(x, y)| DVec2::new(x, y)).collect();
    of_shape(Shape::Outline(Outline::try_new(vertices).unwrap()))
}

/// A floe some 45 m across that is not convex.
pub(crate) fn floe_with_bay() -> BodySpec {
    polygon(&[
        (-24.0, -18.0),
        (20.0, -22.0),
        (25.0, 15.0),
        (2.0, 9.0),
        (-15.0, 22.0),
    ])
}

pub(crate) fn of_shape(shape: Shape) -> BodySpec {
    BodySpec {
        name: String::new(),
        kind: BodyKind::Floe,
        shape,
        pose: Pose {
            position: DVec2::ZERO,
            rotation: Rotation::IDENTITY,
        },
        velocity: Velocity::REST,
        thickness: Thickness::Uniform(1.0),
        material: Material::default(),
        mass: None,
        inertia: None,
    }
}

/// Moves a body to another place.
pub(crate) fn at(spec: BodySpec, x: f64, y: f64) -> BodySpec {
    let pose = Pose {
        position: DVec2::new(x, y),
        ..spec.pose
    };
    BodySpec { pose, ..spec }
}

/// Gives a body a velocity.
pub(crate) fn moving(spec: BodySpec, x: f64, y: f64, angular: f64) -> BodySpec {
    BodySpec {
        velocity: Velocity {
            linear: DVec2::new(x, y),
            angular,
        },
        ..spec
    }
}

/// Gives a body this friction and restitution.
pub(crate) fn with(spec: BodySpec, friction: f64, restitution: f64) -> BodySpec {
    let material = Material {
        friction,
        restitution,
        ..Material::default()
    };
    BodySpec { material, ..spec }
}

/// Runs until `time` [s].
pub(crate) fn run_until(simulation: &mut Simulation, time: f64) -> Result<(), StepError> {
    simulation
        .advance_to(time, &mut NoTimer, &mut |_, _| ControlFlow::Continue(()))
        .map(|_| ())
}

/// Property tests with a fixed seed: the same cases on every run.
pub(crate) fn config(cases: u32) -> proptest::test_runner::Config {
    proptest::test_runner::Config {
        cases,
        rng_seed: proptest::test_runner::RngSeed::Fixed(20_150_917),
        ..proptest::test_runner::Config::default()
    }
}

/// Real data beside the project, where it is there.
pub(crate) fn shared_data(path: &str) -> Option<std::path::PathBuf> {
    let folder = std::env::var_os("BANQUISE_DATA").map_or_else(
        || std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data"),
        std::path::PathBuf::from,
    );
    let path = folder.join(path);
    path.exists().then_some(path)
}
