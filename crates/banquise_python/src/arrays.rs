//! A world from arrays.

use banquise::{
    BodyKind, BodySpec, ContactSettings, Coriolis, Domain, DragSettings, Forcing, Material,
    Meeting, Mode, Rectangle, StepSettings, Thickness, Tilt, Velocity, World, first_meeting,
};
use banquise_geometry::{DVec2, Disc, Outline, Pose, Rotation, Shape};
use banquise_io::recording::{Manifest, ReportSettings};
use numpy::PyReadonlyArray2;
use pyo3::prelude::*;

use crate::core::{Parts, Setup, check_step, steady, version};
use crate::errors::input_error;
use crate::recipe::{Recipe, Scene};

/// One row for each body: shape, state, thickness.
#[derive(FromPyObject)]
pub(crate) struct BodyRow<'py> {
    pub(crate) name: String,
    /// Vertices in a frame of the user's own \[m\]; empty for a disc.
    outline: PyReadonlyArray2<'py, f64>,
    /// Radius of a disc \[m\].
    radius: f64,
    position: [f64; 2],
    heading: f64,
    velocity: [f64; 2],
    angular_velocity: f64,
    thickness: f64,
    is_obstacle: bool,
}

impl BodyRow<'_> {
    /// Where its frame lies in the world.
    pub(crate) fn pose(&self) -> Pose {
        Pose {
            position: DVec2::from(self.position),
            rotation: Rotation::from_angle(self.heading),
        }
    }
}

/// Builds a simulation from bodies and a scene.
#[pyfunction]
pub(crate) fn build(py: Python<'_>, bodies: Vec<BodyRow<'_>>, scene: Scene) -> PyResult<Setup> {
    let mut world = World::new(domain(py, &scene)?, scene.seed);
    for (row, body) in bodies.iter().enumerate() {
        let refuse =
            |message: String, hint: &str| input_error(py, &format!("body {row}: {message}"), hint);
        let shape = shape(body).map_err(|error| refuse(error.to_string(), error.hint()))?;
        let spec = spec(body, shape, &scene);
        let added = world.add(spec);
        added.map_err(|error| {
            refuse(
                error.to_string(),
                "numbers must be finite, thickness and density positive",
            )
        })?;
    }
    if !(scene.friction >= 0.0 && (0.0..=1.0).contains(&scene.restitution)) {
        let message = format!(
            "friction is {} and restitution {}",
            scene.friction, scene.restitution
        );
        let hint = "friction is not negative, and restitution between 0 and 1";
        return Err(input_error(py, &message, hint));
    }
    let name = |row: usize| format!("body {row}");
    let hint = "bodies must not overlap each other or a wall at the start";
    match first_meeting(&world) {
        Some(Meeting::Bodies(first, second)) => {
            let message = format!("{} and {} overlap", name(first), name(second));
            return Err(input_error(py, &message, hint));
        }
        Some(Meeting::Wall(row)) => {
            return Err(input_error(
                py,
                &format!("{} overlaps a wall", name(row)),
                hint,
            ));
        }
        None => {}
    }
    if !(scene.max_step > 0.0 && scene.max_step.is_finite()) {
        let message = format!("the longest step is {} s", scene.max_step);
        return Err(input_error(
            py,
            &message,
            "give a positive number of seconds",
        ));
    }
    let forcing = scene_forcing(py, &scene)?;
    let settings = scene_settings(&scene);
    let simulation = banquise::Simulation::new(world, forcing, settings, scene.max_step);
    check_step(py, &simulation)?;
    Ok(Setup::new(Parts {
        simulation,
        manifest: plain_manifest(&scene.title),
        record_every: f64::NAN,
        recipe: Recipe::Arrays(scene),
        set_weather: [None, None],
    }))
}

/// Settings of the steps of a scene.
pub(crate) fn scene_settings(scene: &Scene) -> StepSettings {
    StepSettings {
        contact: ContactSettings {
            mode: if scene.simultaneous {
                Mode::Simultaneous
            } else {
                Mode::default()
            },
            ..ContactSettings::default()
        },
        ..StepSettings::default()
    }
}

fn domain(py: Python<'_>, scene: &Scene) -> PyResult<Domain> {
    let min = DVec2::from(scene.corner);
    let rectangle = Rectangle {
        min,
        max: min + DVec2::from(scene.size),
    };
    match scene.edges.as_str() {
        "free" => return Ok(Domain::Free),
        "walls" | "periodic" => {}
        other => {
            let message = format!("the edges are `{other}`");
            return Err(input_error(
                py,
                &message,
                "they are `free`, `walls` or `periodic`",
            ));
        }
    }
    if !(rectangle.size().min_element() > 0.0 && rectangle.size().is_finite() && min.is_finite()) {
        let message = format!("the size of the domain is {:?} m", scene.size);
        return Err(input_error(py, &message, "give two positive lengths"));
    }
    Ok(match scene.edges.as_str() {
        "walls" => Domain::walls(rectangle),
        _ => Domain::Periodic(rectangle),
    })
}

pub(crate) fn shape(body: &BodyRow<'_>) -> Result<Shape, banquise_geometry::GeometryError> {
    let outline = body.outline.as_array();
    if outline.nrows() == 0 {
        return Ok(Shape::Disc(Disc::try_new(body.radius)?));
    }
    let rows = outline.rows();
    let ring: Vec<DVec2> = rows
        .into_iter()
        .map(|row| DVec2::new(row[0], row[1]))
        .collect();
    Ok(Shape::Outline(Outline::from_ring(&ring)?))
}

pub(crate) fn spec(body: &BodyRow<'_>, shape: Shape, scene: &Scene) -> BodySpec {
    BodySpec {
        name: body.name.clone(),
        kind: if body.is_obstacle {
            BodyKind::Obstacle
        } else {
            BodyKind::Floe
        },
        shape,
        pose: body.pose(),
        velocity: Velocity {
            linear: DVec2::from(body.velocity),
            angular: body.angular_velocity,
        },
        thickness: Thickness::Uniform(body.thickness),
        material: Material {
            ice_density: scene.density,
            friction: scene.friction,
            restitution: scene.restitution,
            ocean_drag_coefficient: None,
            air_drag_coefficient: None,
        },
        mass: None,
        inertia: None,
    }
}

/// Forces on the floes of a scene.
pub(crate) fn scene_forcing(py: Python<'_>, scene: &Scene) -> PyResult<Forcing> {
    let coriolis = if scene.latitude.is_finite() {
        Coriolis::Latitude(scene.latitude.to_radians())
    } else {
        Coriolis::Off
    };
    Ok(Forcing {
        drag: scene.drag.then(DragSettings::observed),
        tilt: Tilt::Geostrophic,
        wind: steady(py, "wind", scene.wind[0], scene.wind[1])?,
        current: steady(py, "current", scene.current[0], scene.current[1])?,
        coriolis,
        ..Forcing::none()
    })
}

/// The manifest of a world from arrays.
pub(crate) fn plain_manifest(title: &str) -> Manifest {
    Manifest {
        title: title.to_owned(),
        version: version(),
        scenario: String::new(),
        overrides: Vec::new(),
        start: None,
        origin: None,
        duration: f64::NAN,
        report: ReportSettings::default(),
    }
}
