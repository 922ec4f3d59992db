//! Quadratic drag of wind and water, integrated over the floe.

use banquise_geometry::{DVec2, Pose, Rotation};

use crate::body::{Bodies, Velocity};
use crate::field::FieldSnapshot;
use crate::material::Material;
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
}

impl Default for DragSettings {
    /// Rabatel 2015, table 1.1: air at −10 °C, water at 0 °C and salinity 30 ‰.
    fn default() -> Self {
        Self {
            air_density: 1.341,
            air_drag_coefficient: 1.7e-3,
            ocean_density: 1024.071,
            ocean_drag_coefficient: 5e-3,
        }
    }
}

impl DragSettings {
    /// Stress of the wind, τₐ = ρₐ Cₐ |Uₐ| Uₐ \[Pa\]; the floe's own velocity is neglected.
    pub fn wind_stress(&self, wind: DVec2) -> DVec2 {
        self.air_density * self.air_drag_coefficient * wind.length() * wind
    }

    /// ρₒ Cₒ, the factor of |u|u in the stress of the water [kg/m³].
    pub fn ocean_factor(&self) -> f64 {
        self.ocean_density * self.ocean_drag_coefficient
    }

    /// The same for ice of that material, which may have a drag coefficient of its own.
    pub fn ocean_factor_of(&self, material: &Material) -> f64 {
        let coefficient = material.ocean_drag_coefficient;
        self.ocean_density * coefficient.unwrap_or(self.ocean_drag_coefficient)
    }

    /// Nansen number √(ρₐ Cₐ / ρₒ Cₒ): the speed of free drift over that of the wind [–].
    pub fn nansen_number(&self) -> f64 {
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

/// Load of the water, ∫ ρₒ Cₒ |u|u ds with u = Uₒ − Ṗ (Rabatel 2015, eq. 1.2.1).
pub(crate) fn ocean_load(
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
pub(crate) fn ocean_load_in(
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
    let mut load = SurfaceLoad::NONE;
    let mut cell = 0;
    for ((x, y), weight) in points.x.iter().zip(points.y).zip(points.weight) {
        for lane in 0..LANES {
            // Padding has no weight, and need not have data.
            if weight[lane] == 0.0 {
                continue;
            }
            let arm = pose.rotation.rotate(DVec2::new(x[lane], y[lane]));
            let force = weight[lane] * stress(field.at(pose.position + arm, &mut cell), arm);
            load.force += force;
            load.torque += arm.perp_dot(force);
        }
    }
    load
}

/// ∫ |u|u ds and ∫ r∧|u|u ds with u(r) = slip − spin r⊥, everything in the body frame.
fn integrate_square(points: QuadraturePoints<'_>, slip: DVec2, spin: f64) -> (DVec2, f64) {
    let mut force_x = [0.0; LANES];
    let mut force_y = [0.0; LANES];
    let mut torque = [0.0; LANES];
    for ((x, y), weight) in points.x.iter().zip(points.y).zip(points.weight) {
        for lane in 0..LANES {
            let u = slip.x + spin * y[lane];
            let v = slip.y - spin * x[lane];
            let scale = weight[lane] * (u * u + v * v).sqrt();
            force_x[lane] += scale * u;
            force_y[lane] += scale * v;
            torque[lane] += scale * (x[lane] * v - y[lane] * u);
        }
    }
    (DVec2::new(sum(force_x), sum(force_y)), sum(torque))
}

/// Adds the lanes in a fixed order.
fn sum(lanes: [f64; LANES]) -> f64 {
    (lanes[0] + lanes[1]) + (lanes[2] + lanes[3])
}
