//! Drag of wind and water, integrated over the floe: quadratic, or of the water linear.

use banquise_geometry::{DVec2, Pose, Rotation};

use crate::body::Bodies;
use crate::field::FieldSnapshot;
use crate::force::{Force, PerForce};
use crate::material::Material;
use crate::motion::{Motion, Velocity};
use crate::quadrature::{LANES, QuadraturePoints};

/// Densities and drag coefficients of air and water.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct DragSettings {
    /// Density of air ρₐ [kg/m³].
    pub air_density: f64,
    /// Drag coefficient of air on ice Cₐ [–].
    pub air_drag_coefficient: f64,
    /// Density of sea water ρₒ [kg/m³].
    pub ocean_density: f64,
    /// Drag coefficient of water on ice Cₒ [–].
    pub ocean_drag_coefficient: f64,
    /// Makes the drag of the water linear, τₒ = ρₒ κ u, with this velocity κ [m/s]. The laminar regime of Rabatel 2015, section
    /// 1.2.1, where C' = ρₒ κ does not depend on the speed; the source gives no number.
    pub linear_drag_velocity: Option<f64>,
    /// Angle θ by which the stress of the water is turned from the slip \[rad\], to the left in the north, to the right in the south.
    pub turning_angle: f64,
}

impl Default for DragSettings {
    /// Rabatel 2015, table 1.1: air at −10 °C, water at 0 °C and salinity 30 ‰.
    fn default() -> Self {
        Self {
            air_density: 1.341,
            air_drag_coefficient: 1.7e-3,
            ocean_density: 1024.071,
            ocean_drag_coefficient: 5e-3,
            linear_drag_velocity: None,
            turning_angle: 0.0,
        }
    }
}

impl DragSettings {
    /// Drag coefficient of air on ice with which free drift is between that of two buoys on pack ice, 1.7 and 1.9 % of the wind at 10 m
    /// (see the book; measured over pack ice: 1.2e-3 to 1.7e-3).
    pub const OBSERVED_AIR_DRAG_COEFFICIENT: f64 = 1.35e-3;
    /// Turning angle of 12° without an ocean layer, which would turn by itself: chosen for the same buoys.
    pub const OBSERVED_TURNING_ANGLE: f64 = 12.0 * std::f64::consts::PI / 180.0;

    /// Settings with which floes without an ocean layer drift as two buoys on pack ice did; with a layer, the turning angle is zero.
    pub fn observed() -> Self {
        Self {
            air_drag_coefficient: Self::OBSERVED_AIR_DRAG_COEFFICIENT,
            turning_angle: Self::OBSERVED_TURNING_ANGLE,
            ..Self::default()
        }
    }

    /// Stress of the wind, τₐ = ρₐ Cₐ |Uₐ| Uₐ \[Pa\]; the floe's own velocity is neglected.
    pub fn wind_stress(&self, wind: DVec2) -> DVec2 {
        self.air_density * self.air_drag_coefficient * wind.length() * wind
    }

    /// Settings for ice of a material, which may have a drag coefficient of air of its own.
    #[must_use]
    pub fn for_air_on(&self, material: &Material) -> Self {
        let coefficient = material.air_drag_coefficient;
        Self {
            air_drag_coefficient: coefficient.unwrap_or(self.air_drag_coefficient),
            ..*self
        }
    }

    /// ρₒ Cₒ, the factor of |u|u in the stress of the water [kg/m³].
    pub fn ocean_factor(&self) -> f64 {
        self.ocean_density * self.ocean_drag_coefficient
    }

    /// Factor of the ocean drag on ice of a material, which may have a drag coefficient of its own.
    pub fn ocean_factor_of(&self, material: &Material) -> f64 {
        let coefficient = material.ocean_drag_coefficient;
        self.ocean_density * coefficient.unwrap_or(self.ocean_drag_coefficient)
    }

    /// ρₒ κ, the factor of u in the stress of the water where it is linear [kg/(m² s)].
    pub fn linear_factor(&self) -> Option<f64> {
        Some(self.ocean_density * self.linear_drag_velocity?)
    }

    /// Nansen number √(ρₐ Cₐ / ρₒ Cₒ): the speed of free drift over that of the wind [–]. NaN with linear drag of the water,
    /// where free drift is not proportional to the wind.
    pub fn nansen_number(&self) -> f64 {
        if self.linear_drag_velocity.is_some() {
            return f64::NAN;
        }
        (self.air_density * self.air_drag_coefficient / self.ocean_factor()).sqrt()
    }
}

/// Force \[N\] and torque about the centre of mass [N m].
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct SurfaceLoad {
    pub(crate) force: DVec2,
    pub(crate) torque: f64,
}

impl SurfaceLoad {
    pub(crate) const NONE: Self = Self {
        force: DVec2::ZERO,
        torque: 0.0,
    };
}

/// Load of a uniform wind stress: it acts at the centroid of the outline, which is the centre of
/// mass only when the thickness is uniform.
pub(crate) fn wind_load(bodies: &Bodies, row: usize, stress: DVec2) -> SurfaceLoad {
    let force = bodies.areas[row] * stress;
    let arm = bodies.motions[row]
        .pose
        .rotation
        .rotate(bodies.centroids[row]);
    SurfaceLoad {
        force,
        torque: arm.perp_dot(force),
    }
}

/// Velocity of the water under a floe.
#[derive(Clone, Copy)]
pub(crate) enum Water<'a> {
    /// A uniform velocity [m/s].
    Uniform(DVec2),
    /// From place to place.
    Field(FieldSnapshot<'a>),
}

impl Water<'_> {
    /// The water with a velocity added to it [m/s].
    #[must_use]
    pub(crate) fn plus(self, velocity: DVec2) -> Self {
        if velocity == DVec2::ZERO {
            return self;
        }
        match self {
            Self::Uniform(water) => Self::Uniform(water + velocity),
            Self::Field(field) => Self::Field(field.plus(velocity)),
        }
    }
}

/// Fills in the forces of the water on a floe with its present velocity.
pub(crate) fn water_loads(
    drag: &DragSettings,
    bodies: &Bodies,
    row: usize,
    water: Water<'_>,
    turning: Rotation,
    forces: &mut PerForce<SurfaceLoad>,
) {
    let Motion { pose, velocity, .. } = bodies.motions[row];
    let points = bodies.quadrature.of(row);
    if turning != Rotation::IDENTITY {
        let (force, load) = turned_load(drag, bodies, row, water, turning);
        forces[force] = load;
        return;
    }
    if let Some(factor) = drag.linear_factor() {
        forces[Force::LinearDrag] = match water {
            Water::Uniform(water) => linear_load(points, pose.rotation, velocity, water, factor),
            Water::Field(field) => linear_load_in(points, pose, velocity, &field, factor),
        };
        return;
    }
    let factor = drag.ocean_factor_of(&bodies.materials()[row]);
    forces[Force::Ocean] = match water {
        Water::Uniform(water) => ocean_load(points, pose.rotation, velocity, water, factor),
        Water::Field(field) => ocean_load_in(points, pose, velocity, &field, factor),
    };
}

/// Load of the water whose stress is turned from the slip, linear or quadratic, and the force that it is.
fn turned_load(
    drag: &DragSettings,
    bodies: &Bodies,
    row: usize,
    water: Water<'_>,
    turning: Rotation,
) -> (Force, SurfaceLoad) {
    let Motion { pose, velocity, .. } = bodies.motions[row];
    let points = bodies.quadrature.of(row);
    let (force, linear, quadratic) = match drag.linear_factor() {
        Some(factor) => (Force::LinearDrag, factor, 0.0),
        None => {
            let factor = drag.ocean_factor_of(&bodies.materials()[row]);
            (Force::Ocean, 0.0, factor)
        }
    };
    let mut cell = 0;
    let load = integrate_points(points, pose, |arm| {
        let water = match water {
            Water::Uniform(water) => water,
            Water::Field(field) => field.at(pose.position + arm, &mut cell),
        };
        let slip = water - velocity.at(arm);
        (linear + quadratic * slip.length()) * turning.rotate(slip)
    });
    (force, load)
}

/// Load of the water, ∫ ρₒ Cₒ |u|u ds with u = Uₒ − Ṗ (Rabatel 2015, eq. 1.2.1).
fn ocean_load(
    points: QuadraturePoints<'_>,
    rotation: Rotation,
    velocity: Velocity,
    water: DVec2,
    factor: f64,
) -> SurfaceLoad {
    // Turning the slip into the body frame once saves turning every point into the world.
    let slip = rotation.inverse_rotate(water - velocity.linear);
    let (force, torque) = integrate_square(points, slip, velocity.angular);
    SurfaceLoad {
        force: factor * rotation.rotate(force),
        torque: factor * torque,
    }
}

/// Load of the water with linear drag, ∫ ρₒ κ u ds with u = Uₒ − Ṗ.
fn linear_load(
    points: QuadraturePoints<'_>,
    rotation: Rotation,
    velocity: Velocity,
    water: DVec2,
    factor: f64,
) -> SurfaceLoad {
    let slip = rotation.inverse_rotate(water - velocity.linear);
    let spin = velocity.angular;
    let mut sums = [[0.0; LANES]; 3];
    for ((x, y), weight) in points.x.iter().zip(points.y).zip(points.weight) {
        for lane in 0..LANES {
            let u = weight[lane] * (slip.x + spin * y[lane]);
            let v = weight[lane] * (slip.y - spin * x[lane]);
            sums[0][lane] += u;
            sums[1][lane] += v;
            sums[2][lane] += x[lane] * v - y[lane] * u;
        }
    }
    let [force_x, force_y, torque] = sums.map(sum);
    SurfaceLoad {
        force: factor * rotation.rotate(DVec2::new(force_x, force_y)),
        torque: factor * torque,
    }
}

/// Load of a water whose velocity differs under the floe, with linear drag.
fn linear_load_in(
    points: QuadraturePoints<'_>,
    pose: Pose,
    velocity: Velocity,
    water: &FieldSnapshot<'_>,
    factor: f64,
) -> SurfaceLoad {
    let stress = |water: DVec2, arm: DVec2| factor * (water - velocity.at(arm));
    integrate_field(points, pose, water, stress)
}

/// Load of a wind that differs over the floe.
pub(crate) fn wind_load_in(
    points: QuadraturePoints<'_>,
    pose: Pose,
    wind: &FieldSnapshot<'_>,
    drag: &DragSettings,
) -> SurfaceLoad {
    let stress = |wind: DVec2, _| drag.wind_stress(wind);
    integrate_field(points, pose, wind, stress)
}

/// Load of a water whose velocity differs under the floe.
fn ocean_load_in(
    points: QuadraturePoints<'_>,
    pose: Pose,
    velocity: Velocity,
    water: &FieldSnapshot<'_>,
    factor: f64,
) -> SurfaceLoad {
    let stress = |water: DVec2, arm: DVec2| {
        let slip = water - velocity.at(arm);
        factor * slip.length() * slip
    };
    integrate_field(points, pose, water, stress)
}

/// ∫ τ ds and ∫ r∧τ ds with τ from the field and the arm at each point, in the world's frame.
///
/// NaN where the field has no data at one of the points.
fn integrate_field(
    points: QuadraturePoints<'_>,
    pose: Pose,
    field: &FieldSnapshot<'_>,
    stress: impl Fn(DVec2, DVec2) -> DVec2,
) -> SurfaceLoad {
    let mut cell = 0;
    integrate_points(points, pose, |arm| {
        stress(field.at(pose.position + arm, &mut cell), arm)
    })
}

/// ∫ τ ds and ∫ r∧τ ds with τ from the arm of each point, in the world's frame.
fn integrate_points(
    points: QuadraturePoints<'_>,
    pose: Pose,
    mut stress: impl FnMut(DVec2) -> DVec2,
) -> SurfaceLoad {
    let mut load = SurfaceLoad::NONE;
    for ((x, y), weight) in points.x.iter().zip(points.y).zip(points.weight) {
        for lane in 0..LANES {
            // Padding has no weight, and need not have data.
            if weight[lane] == 0.0 {
                continue;
            }
            let arm = pose.rotation.rotate(DVec2::new(x[lane], y[lane]));
            let force = weight[lane] * stress(arm);
            load.force += force;
            load.torque += arm.perp_dot(force);
        }
    }
    load
}

/// Lanes of points whose loads are found before they are added up. In one loop with the sums the compiler mixes coordinates
/// within its registers, which takes half as long again.
const BLOCK: usize = 3;

/// ∫ |u|u ds and ∫ r∧|u|u ds with u(r) = slip − spin r⊥, everything in the body frame.
fn integrate_square(points: QuadraturePoints<'_>, slip: DVec2, spin: f64) -> (DVec2, f64) {
    let (x_blocks, x_rest) = points.x.as_chunks::<BLOCK>();
    let (y_blocks, y_rest) = points.y.as_chunks::<BLOCK>();
    let (weight_blocks, weight_rest) = points.weight.as_chunks::<BLOCK>();
    let mut sums = [[0.0; LANES]; 3];
    for ((x, y), weight) in x_blocks.iter().zip(y_blocks).zip(weight_blocks) {
        add_squares([x, y, weight], slip, spin, &mut sums);
    }
    for ((x, y), weight) in x_rest.iter().zip(y_rest).zip(weight_rest) {
        let one = [x, y, weight].map(std::array::from_ref);
        add_squares(one, slip, spin, &mut sums);
    }
    let [force_x, force_y, torque] = sums.map(sum);
    (DVec2::new(force_x, force_y), torque)
}

/// Adds the loads at some lanes of points to the sums of force and torque, lane by lane.
#[inline]
fn add_squares<const N: usize>(
    points: [&[[f64; LANES]; N]; 3],
    slip: DVec2,
    spin: f64,
    sums: &mut [[f64; LANES]; 3],
) {
    let [x, y, weight] = points.map(|lanes| lanes.as_flattened());
    let mut loads = [[[0.0; LANES]; N]; 3];
    let [force_x, force_y, torque] = loads.each_mut().map(|lanes| lanes.as_flattened_mut());
    for point in 0..N * LANES {
        let u = slip.x + spin * y[point];
        let v = slip.y - spin * x[point];
        let scale = weight[point] * (u * u + v * v).sqrt();
        force_x[point] = scale * u;
        force_y[point] = scale * v;
        torque[point] = scale * (x[point] * v - y[point] * u);
    }
    for (sums, loads) in sums.iter_mut().zip(&loads) {
        for load in loads {
            for lane in 0..LANES {
                sums[lane] += load[lane];
            }
        }
    }
}

/// Adds the lanes in a fixed order.
fn sum(lanes: [f64; LANES]) -> f64 {
    (lanes[0] + lanes[1]) + (lanes[2] + lanes[3])
}
