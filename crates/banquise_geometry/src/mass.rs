//! Mass, centre of mass and moment of inertia.

use crate::{DVec2, GeometryError, Mesh, Shape};

/// Mass, centre of mass and moment of inertia of a floe.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MassProperties {
    /// Mass \[kg\].
    pub mass: f64,
    /// Centre of mass, in the frame of the shape \[m\].
    pub center: DVec2,
    /// Moment of inertia about the vertical axis through the centre of mass \[kg m²\].
    pub inertia: f64,
}

impl MassProperties {
    /// For a floe of uniform areal density (density times thickness) \[kg m⁻²\]; exact formulas.
    ///
    /// # Panics
    /// If the density is not a positive number.
    pub fn uniform(shape: &Shape, areal_density: f64) -> Self {
        assert!(
            is_density(areal_density),
            "areal density {areal_density} kg m⁻²"
        );
        Self {
            mass: areal_density * shape.area(),
            center: shape.centroid(),
            inertia: areal_density * shape.second_moment(),
        }
    }

    /// For a floe with one areal density \[kg m⁻²\] for each element of its mesh.
    ///
    /// m = Σ ρₖAₖ, I = Σ ρₖ (tr Sₖ + Aₖ |cₖ-c|²), with Aₖ, cₖ, Sₖ the area, centroid and
    /// second-moment tensor of element k: exact for densities constant on each element.
    ///
    /// # Errors
    /// If there is not one density for each element, or one is not a positive number.
    pub fn per_element(mesh: &Mesh, areal_densities: &[f64]) -> Result<Self, GeometryError> {
        let elements = mesh.elements();
        if elements.len() != areal_densities.len() {
            let given = areal_densities.len();
            return Err(GeometryError::DensityCountMismatch {
                elements: elements.len(),
                given,
            });
        }
        if let Some(index) = areal_densities
            .iter()
            .position(|&density| !is_density(density))
        {
            let value = areal_densities[index];
            return Err(GeometryError::InvalidDensity { index, value });
        }
        // Summed from the first element, not from a possibly distant origin.
        let reference = elements[0].centroid;
        let mut mass = 0.0;
        let mut first = DVec2::ZERO;
        for (element, &density) in elements.iter().zip(areal_densities) {
            mass += density * element.area;
            first += density * element.area * (element.centroid - reference);
        }
        let center = reference + first / mass;
        let mut inertia = 0.0;
        for (element, &density) in elements.iter().zip(areal_densities) {
            let [xx, _, yy] = element.second_moment;
            let arm_sq = (element.centroid - center).length_squared();
            inertia += density * (xx + yy + element.area * arm_sq);
        }
        Ok(Self {
            mass,
            center,
            inertia,
        })
    }
}

fn is_density(value: f64) -> bool {
    value.is_finite() && value > 0.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Disc;

    #[test]
    fn equal_densities_give_the_uniform_floe() {
        let disc = Shape::Disc(Disc::try_new(100.0).unwrap());
        let mesh = Mesh::of(&disc);
        let exact = MassProperties::uniform(&disc, 917.0);
        let summed =
            MassProperties::per_element(&mesh, &vec![917.0; mesh.elements().len()]).unwrap();
        assert!((summed.mass / exact.mass - 1.0).abs() < 1e-14);
        assert!((summed.inertia / exact.inertia - 1.0).abs() < 1e-14);
        assert!(summed.center.length() < 1e-12);
    }

    #[test]
    fn a_heavier_side_draws_the_centre_of_mass() {
        let disc = Shape::Disc(Disc::try_new(1.0).unwrap());
        let mesh = Mesh::of(&disc);
        let heavy_right = |x: f64| if x > 1e-12 { 2.0 } else { 1.0 };
        let densities: Vec<f64> = mesh
            .elements()
            .iter()
            .map(|element| heavy_right(element.centroid.x))
            .collect();
        assert!(
            MassProperties::per_element(&mesh, &densities)
                .unwrap()
                .center
                .x
                > 0.1
        );
    }

    #[test]
    fn wrong_counts_and_values_are_named() {
        let mesh = Mesh::of(&Shape::Disc(Disc::try_new(1.0).unwrap()));
        assert_eq!(
            MassProperties::per_element(&mesh, &[1.0; 3]),
            Err(GeometryError::DensityCountMismatch {
                elements: 25,
                given: 3
            })
        );
        let mut densities = [1.0; 25];
        densities[7] = -2.0;
        assert_eq!(
            MassProperties::per_element(&mesh, &densities),
            Err(GeometryError::InvalidDensity {
                index: 7,
                value: -2.0
            })
        );
    }
}
