//! The bodies of the world, in struct-of-arrays: floes that forces move, and obstacles that they do not.

use std::fmt;

use banquise_geometry::{ContactShape, DVec2, MassProperties, Mesh, Pose, Shape};

use crate::contact::CollisionDistance;
use crate::error::BodyError;
use crate::material::Material;
use crate::path::Path;
use crate::quadrature::QuadratureStore;

/// The name of a body for life: ids are given in order of creation and never used again.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BodyId(pub u32);

impl fmt::Display for BodyId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "body {}", self.0)
    }
}

/// What a body is to the dynamics.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BodyKind {
    /// Ice: finite mass, moved by forces.
    Floe,
    /// Coast, structure or ship: infinite mass, never moved by a force (Rabatel 2015, eq. 1.1.4). It rests,
    /// or follows a given path.
    Obstacle,
}

/// Ice thickness \[m\].
#[derive(Debug, Clone, PartialEq)]
pub enum Thickness {
    /// The same everywhere.
    Uniform(f64),
    /// One value for each element of the floe's mesh.
    PerElement(Vec<f64>),
}

/// Linear and angular velocity of a body.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Velocity {
    /// Of the centre of mass [m/s].
    pub linear: DVec2,
    /// Counter-clockwise [rad/s].
    pub angular: f64,
}

impl Velocity {
    /// No motion.
    pub const REST: Self = Self {
        linear: DVec2::ZERO,
        angular: 0.0,
    };

    /// Velocity of the point of the body at `arm` \[m\] from its centre of mass.
    pub fn at(&self, arm: DVec2) -> DVec2 {
        self.linear + self.angular * arm.perp()
    }
}

impl std::ops::Sub for Velocity {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        Self {
            linear: self.linear - other.linear,
            angular: self.angular - other.angular,
        }
    }
}

/// What changes at every step: one record of 64 bytes, so that moving a body touches one cache line.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Motion {
    /// Pose of the body frame, whose origin is the centre of mass; inside the cell when the domain
    /// is periodic.
    pub pose: Pose,
    /// Velocity.
    pub velocity: Velocity,
    /// How many periodic cells the body has crossed in each direction.
    pub winding: [i32; 2],
}

/// A body before it enters the world.
#[derive(Debug, Clone, PartialEq)]
pub struct BodySpec {
    /// What the user calls it; may be empty.
    pub name: String,
    /// Floe or obstacle.
    pub kind: BodyKind,
    /// The shape, in a frame of its own.
    pub shape: Shape,
    /// Where the shape's frame lies in the world.
    pub pose: Pose,
    /// Velocity of the centre of mass; ignored for obstacles.
    pub velocity: Velocity,
    /// Ice thickness \[m\]; ignored for obstacles.
    pub thickness: Thickness,
    /// What it is made of; ignored for obstacles.
    pub material: Material,
    /// Total mass \[kg\], when it is known instead of the density.
    pub mass: Option<f64>,
    /// Moment of inertia about the centre of mass [kg m²], when it is known from elsewhere.
    pub inertia: Option<f64>,
}

/// All bodies, one row each. Every array has the same length.
#[derive(Debug, Clone, Default)]
pub struct Bodies {
    pub(crate) motions: Vec<Motion>,
    /// What forces added to each velocity in the last step: what presses bodies that rest on each other.
    pub(crate) kicks: Vec<Velocity>,
    pub(crate) inv_masses: Vec<f64>,
    pub(crate) inv_inertias: Vec<f64>,
    pub(crate) areas: Vec<f64>,
    /// From the centre of mass to the centroid of the outline, in the body frame \[m\].
    pub(crate) centroids: Vec<DVec2>,
    pub(crate) radii: Vec<f64>,
    pub(crate) quadrature: QuadratureStore,
    pub(crate) contact_shapes: Vec<ContactShape>,
    /// Of each floe \[m\]; infinite for obstacles.
    pub(crate) collision_distances: Vec<f64>,
    /// Rows of the obstacles that move, and the paths of their centres.
    pub(crate) paths: Vec<(usize, Path)>,
    ids: Vec<BodyId>,
    kinds: Vec<BodyKind>,
    names: Vec<String>,
    shapes: Vec<Shape>,
    masses: Vec<f64>,
    inertias: Vec<f64>,
    mean_thicknesses: Vec<f64>,
    materials: Vec<Material>,
    next_id: u32,
}

impl Bodies {
    /// Number of bodies, obstacles included.
    pub fn len(&self) -> usize {
        self.ids.len()
    }

    /// Whether there is no body.
    pub fn is_empty(&self) -> bool {
        self.ids.is_empty()
    }

    /// Ids, in row order.
    pub fn ids(&self) -> &[BodyId] {
        &self.ids
    }

    /// Kinds.
    pub fn kinds(&self) -> &[BodyKind] {
        &self.kinds
    }

    /// Names given by the user; empty where none was.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// Shapes in the body frame: origin at the centre of mass.
    pub fn shapes(&self) -> &[Shape] {
        &self.shapes
    }

    /// Poses and velocities.
    pub fn motions(&self) -> &[Motion] {
        &self.motions
    }

    /// Masses \[kg\]; infinite for obstacles.
    pub fn masses(&self) -> &[f64] {
        &self.masses
    }

    /// Moments of inertia about the centre of mass [kg m²]; infinite for obstacles.
    pub fn inertias(&self) -> &[f64] {
        &self.inertias
    }

    /// Areas \[m²\].
    pub fn areas(&self) -> &[f64] {
        &self.areas
    }

    /// Mean thicknesses \[m\]; NaN for obstacles.
    pub fn mean_thicknesses(&self) -> &[f64] {
        &self.mean_thicknesses
    }

    /// Materials; those of obstacles mean nothing.
    pub fn materials(&self) -> &[Material] {
        &self.materials
    }

    /// Largest distance from the centre of mass to the outline \[m\].
    pub fn radii(&self) -> &[f64] {
        &self.radii
    }

    /// The obstacles that move: row, and path of the centre.
    pub fn paths(&self) -> &[(usize, Path)] {
        &self.paths
    }

    /// Whether the body in this row moves under forces.
    pub fn is_floe(&self, row: usize) -> bool {
        self.kinds[row] == BodyKind::Floe
    }

    /// Total area of the floes \[m²\].
    pub fn ice_area(&self) -> f64 {
        (0..self.len())
            .filter(|&row| self.is_floe(row))
            .map(|row| self.areas[row])
            .sum()
    }

    /// Mass per unit area of the lightest floe [kg/m²]; infinite without floes.
    pub fn min_areal_density(&self) -> f64 {
        (0..self.len())
            .map(|row| self.masses[row] / self.areas[row])
            .fold(f64::INFINITY, f64::min)
    }

    /// Gives a floe another velocity; an obstacle keeps its own.
    pub fn set_velocity(&mut self, row: usize, velocity: Velocity) {
        if self.is_floe(row) {
            self.motions[row].velocity = velocity;
        }
    }

    /// Adds a body and says its id.
    ///
    /// # Errors
    /// When a pose, velocity, thickness, density or mass is not a usable number.
    pub fn push(&mut self, spec: BodySpec) -> Result<BodyId, BodyError> {
        check_finite(&spec)?;
        let mesh = Mesh::of(&spec.shape);
        let properties = mass_properties(&spec, &mesh)?;
        let shape = spec.shape.translated(-properties.center)?;
        let position = spec.pose.world_from_body(properties.center);
        let is_floe = spec.kind == BodyKind::Floe;
        let id = BodyId(self.next_id);
        self.next_id += 1;
        self.ids.push(id);
        self.kinds.push(spec.kind);
        self.names.push(spec.name);
        self.kicks.push(Velocity::REST);
        self.motions.push(Motion {
            pose: Pose {
                position,
                rotation: spec.pose.rotation,
            },
            velocity: if is_floe {
                spec.velocity
            } else {
                Velocity::REST
            },
            winding: [0, 0],
        });
        self.masses.push(if is_floe {
            properties.mass
        } else {
            f64::INFINITY
        });
        self.inertias.push(if is_floe {
            properties.inertia
        } else {
            f64::INFINITY
        });
        self.inv_masses
            .push(if is_floe { 1.0 / properties.mass } else { 0.0 });
        self.inv_inertias.push(if is_floe {
            1.0 / properties.inertia
        } else {
            0.0
        });
        let thickness = mean_thickness(&spec.thickness, &mesh);
        self.mean_thicknesses
            .push(if is_floe { thickness } else { f64::NAN });
        self.materials.push(spec.material);
        self.areas.push(shape.area());
        self.centroids.push(shape.centroid());
        self.radii.push(shape.bounding_radius());
        let distance = CollisionDistance::RATIO * shape.area().sqrt();
        self.collision_distances
            .push(if is_floe { distance } else { f64::INFINITY });
        self.contact_shapes.push(ContactShape::new(&shape));
        // The water drags on floes only; an obstacle has no quadrature points at all.
        let points = mesh
            .quadrature()
            .map(|(point, weight)| (point - properties.center, weight));
        self.quadrature.push(points.filter(|_| is_floe));
        self.shapes.push(shape);
        Ok(id)
    }
}

fn check_finite(spec: &BodySpec) -> Result<(), BodyError> {
    let values = [
        ("the x position [m]", spec.pose.position.x),
        ("the y position [m]", spec.pose.position.y),
        ("the heading's cosine", spec.pose.rotation.cos),
        ("the heading's sine", spec.pose.rotation.sin),
        ("the x velocity [m/s]", spec.velocity.linear.x),
        ("the y velocity [m/s]", spec.velocity.linear.y),
        ("the angular velocity [rad/s]", spec.velocity.angular),
    ];
    match values.into_iter().find(|(_, value)| !value.is_finite()) {
        Some((quantity, value)) => Err(BodyError::NotFinite { quantity, value }),
        None => Ok(()),
    }
}

/// Mass, centre and inertia: from thickness and density, or from the mass and inertia given.
fn mass_properties(spec: &BodySpec, mesh: &Mesh) -> Result<MassProperties, BodyError> {
    if spec.kind == BodyKind::Obstacle {
        return Ok(MassProperties::uniform(&spec.shape, 1.0));
    }
    let density = positive("the density [kg/m³]", spec.material.ice_density)?;
    if let Some(coefficient) = spec.material.ocean_drag_coefficient {
        positive("the ocean drag coefficient", coefficient)?;
    }
    let mut properties = match &spec.thickness {
        Thickness::Uniform(thickness) => {
            let thickness = positive("the thickness [m]", *thickness)?;
            MassProperties::uniform(&spec.shape, density * thickness)
        }
        Thickness::PerElement(thicknesses) => {
            let areal_densities = thicknesses
                .iter()
                .map(|&thickness| Ok(density * positive("the thickness [m]", thickness)?))
                .collect::<Result<Vec<f64>, BodyError>>()?;
            MassProperties::per_element(mesh, &areal_densities)?
        }
    };
    if let Some(mass) = spec.mass {
        let mass = positive("the mass [kg]", mass)?;
        properties.inertia *= mass / properties.mass;
        properties.mass = mass;
    }
    if let Some(inertia) = spec.inertia {
        properties.inertia = positive("the inertia [kg m²]", inertia)?;
    }
    positive("the mass [kg]", properties.mass)?;
    positive("the inertia [kg m²]", properties.inertia)?;
    Ok(properties)
}

fn mean_thickness(thickness: &Thickness, mesh: &Mesh) -> f64 {
    match thickness {
        Thickness::Uniform(thickness) => *thickness,
        Thickness::PerElement(thicknesses) => {
            let elements = mesh.elements().iter().zip(thicknesses);
            elements.map(|(element, h)| element.area * h).sum::<f64>() / mesh.area()
        }
    }
}

fn positive(quantity: &'static str, value: f64) -> Result<f64, BodyError> {
    if value.is_finite() && value > 0.0 {
        Ok(value)
    } else {
        Err(BodyError::NotPositive { quantity, value })
    }
}
