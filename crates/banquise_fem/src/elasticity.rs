//! Isotropic plane stress.

use banquise_geometry::DVec2;

use crate::MeshError;
use crate::mesh::area;

/// Constants of the ice.
#[derive(Clone, Debug, PartialEq)]
pub struct Elasticity {
    /// Young's modulus E \[Pa\].
    pub young: f64,
    /// Poisson's ratio ν \[–\].
    pub poisson: f64,
    /// Fracture energy `G_c` for a unit of crack surface \[J/m²\].
    pub toughness: f64,
    /// Tensile strength \[Pa\] of the coupled criterion; `None` leaves the energy balance alone.
    pub tensile_strength: Option<f64>,
}

impl Default for Elasticity {
    /// E = 9 `GPa`, ν = 0.3, `G_c` = 10 J/m² (after Dempsey 1991; published values: 1.5 to 15).
    fn default() -> Self {
        Self {
            young: 9e9,
            poisson: 0.3,
            toughness: 10.0,
            tensile_strength: None,
        }
    }
}

/// A symmetric tensor of the plane: xx, yy, xy.
pub type Tensor = [f64; 3];

impl Elasticity {
    /// Refuses constants without a meaning.
    pub(crate) fn check(&self) -> Result<(), MeshError> {
        MeshError::check_positive("Young's modulus", self.young, "ice has about 9e9 Pa")?;
        MeshError::check_positive("the toughness", self.toughness, "ice has about 10 J/m²")?;
        if let Some(strength) = self.tensile_strength {
            MeshError::check_positive("the tensile strength", strength, "ice has about 5e5 Pa")?;
        }
        if self.poisson > -1.0 && self.poisson < 0.5 {
            return Ok(());
        }
        Err(MeshError::Setting {
            name: "Poisson's ratio",
            value: self.poisson,
            expected: "above -1 and below 0.5",
            hint: "ice has about 0.3",
        })
    }

    /// Plane stress from strain (ε xx, ε yy, γ xy = 2 ε xy).
    pub fn stress(&self, strain: Tensor) -> Tensor {
        let factor = self.young / (1.0 - self.poisson * self.poisson);
        let [xx, yy, shear] = strain;
        [
            factor * (xx + self.poisson * yy),
            factor * (yy + self.poisson * xx),
            factor * 0.5 * (1.0 - self.poisson) * shear,
        ]
    }

    /// Energy density \[J/m³\] that a crack of this unit normal takes from a stress: that of the traction on it, if it is in
    /// tension. Through closed lips everything passes.
    pub(crate) fn releasable_density(&self, stress: Tensor, normal: DVec2) -> f64 {
        let (across, along) = tractions(stress, normal);
        if across <= 0.0 {
            return 0.0;
        }
        (0.5 * across * across + (1.0 + self.poisson) * along * along) / self.young
    }
}

/// Normal and tangential stress on a plane of this unit normal.
pub(crate) fn tractions([xx, yy, xy]: Tensor, normal: DVec2) -> (f64, f64) {
    let traction = DVec2::new(xx * normal.x + xy * normal.y, xy * normal.x + yy * normal.y);
    (traction.dot(normal), normal.perp_dot(traction))
}

/// Largest principal stress.
pub(crate) fn largest_tension([xx, yy, xy]: Tensor) -> f64 {
    let half = 0.5 * (xx - yy);
    0.5 * (xx + yy) + (half * half + xy * xy).sqrt()
}

/// A linear triangle: gradients of its shape functions and its area.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Element {
    pub gradients: [DVec2; 3],
    /// Area \[m²\].
    pub area: f64,
}

impl Element {
    pub(crate) fn new(corners: [DVec2; 3]) -> Self {
        let area = area(corners);
        let gradients = [0, 1, 2].map(|a| {
            let edge = corners[(a + 2) % 3] - corners[(a + 1) % 3];
            edge.perp() / (2.0 * area)
        });
        Self { gradients, area }
    }

    /// Strain (ε xx, ε yy, γ xy) of displacements at its corners.
    pub(crate) fn strain(&self, displacements: [DVec2; 3]) -> Tensor {
        let mut strain = [0.0; 3];
        for (corner, displacement) in displacements.into_iter().enumerate() {
            let part = self.strain_of(corner, displacement);
            for (sum, part) in strain.iter_mut().zip(part) {
                *sum += part;
            }
        }
        strain
    }

    /// Strain where one corner alone is displaced.
    pub(crate) fn strain_of(&self, corner: usize, displacement: DVec2) -> Tensor {
        let (g, u) = (self.gradients[corner], displacement);
        [g.x * u.x, g.y * u.y, g.y * u.x + g.x * u.y]
    }

    /// Force on a corner from a stress, for unit thickness: A Bᵀ σ.
    pub(crate) fn force(&self, corner: usize, [xx, yy, xy]: Tensor) -> DVec2 {
        let g = self.gradients[corner];
        self.area * DVec2::new(g.x * xx + g.y * xy, g.y * yy + g.x * xy)
    }

    /// Stiffness between two corners for unit thickness: A Bᵀ D B, by rows.
    pub(crate) fn stiffness(&self, a: usize, b: usize, elasticity: &Elasticity) -> [f64; 4] {
        let g = self.gradients[b];
        let first = self.force(a, elasticity.stress([g.x, 0.0, g.y]));
        let second = self.force(a, elasticity.stress([0.0, g.y, g.x]));
        [first.x, second.x, first.y, second.y]
    }
}
