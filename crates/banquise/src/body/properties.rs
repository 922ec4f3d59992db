//! Mass, inertia and thickness of a body from its description.

use banquise_geometry::{MassProperties, Mesh};

use super::{BodyKind, BodySpec, Thickness};
use crate::error::BodyError;

pub(super) fn check_finite(spec: &BodySpec) -> Result<(), BodyError> {
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
pub(super) fn mass_properties(spec: &BodySpec, mesh: &Mesh) -> Result<MassProperties, BodyError> {
    if spec.kind == BodyKind::Obstacle {
        return Ok(MassProperties::uniform(&spec.shape, 1.0));
    }
    let density = positive("the density [kg/m³]", spec.material.ice_density)?;
    if let Some(coefficient) = spec.material.ocean_drag_coefficient {
        positive("the ocean drag coefficient", coefficient)?;
    }
    if let Some(coefficient) = spec.material.air_drag_coefficient {
        positive("the air drag coefficient", coefficient)?;
    }
    let mut properties = match &spec.thickness {
        Thickness::Uniform(thickness) => {
            let thickness = positive("the thickness [m]", *thickness)?;
            MassProperties::uniform(&spec.shape, per_area(density * thickness)?)
        }
        Thickness::PerElement(thicknesses) => {
            let areal_densities = thicknesses
                .iter()
                .map(|&thickness| per_area(density * positive("the thickness [m]", thickness)?))
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

pub(super) fn mean_thickness(thickness: &Thickness, mesh: &Mesh) -> f64 {
    match thickness {
        Thickness::Uniform(thickness) => *thickness,
        Thickness::PerElement(thicknesses) => {
            let elements = mesh.elements().iter().zip(thicknesses);
            elements.map(|(element, h)| element.area * h).sum::<f64>() / mesh.area()
        }
    }
}

/// A mass per area, which may overflow where density and thickness do not.
fn per_area(value: f64) -> Result<f64, BodyError> {
    positive("the mass per area [kg/m²]", value)
}

fn positive(quantity: &'static str, value: f64) -> Result<f64, BodyError> {
    if value.is_finite() && value > 0.0 {
        Ok(value)
    } else {
        Err(BodyError::NotPositive { quantity, value })
    }
}
