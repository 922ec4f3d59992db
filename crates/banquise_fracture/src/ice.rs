//! Constants of the ice.

use crate::error::{FractureError, positive, within};

/// Elastic and fracture constants of ice.
///
/// The defaults are E = 9e9 Pa and ν = 0.3 (small strain, Dinh and others 2023), ρ = 920 kg/m³ and
/// `G_c` = 10 J/m² (Dempsey 1991; published values go from 1.5 to 15).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Ice {
    /// Young's modulus E \[Pa\].
    pub young: f64,
    /// Poisson's ratio ν \[1\].
    pub poisson: f64,
    /// Density ρ \[kg m⁻³\].
    pub density: f64,
    /// Fracture energy `G_c` for a unit of crack surface \[J m⁻²\].
    pub fracture_energy: f64,
}

impl Default for Ice {
    fn default() -> Self {
        Self {
            young: 9e9,
            poisson: 0.3,
            density: 920.0,
            fracture_energy: 10.0,
        }
    }
}

impl Ice {
    /// Refuses constants that are not those of a solid.
    ///
    /// # Errors
    /// The constant that is not positive, or a Poisson's ratio out of range.
    pub fn check(self) -> Result<Self, FractureError> {
        positive("Young's modulus (Pa)", self.young)?;
        positive("density (kg/m³)", self.density)?;
        positive("fracture energy (J/m²)", self.fracture_energy)?;
        within(
            "Poisson's ratio",
            "between -1 and 0.5",
            -1.0..=0.5,
            self.poisson,
        )?;
        Ok(self)
    }

    /// Speed of longitudinal waves in a bar, c = √(E/ρ) \[m s⁻¹\].
    pub fn bar_speed(self) -> f64 {
        (self.young / self.density).sqrt()
    }

    /// Tensile strength of a chain of this spacing under the bond rule, √(2 E `G_c`/dx) \[Pa\].
    ///
    /// The energy of a crack does not depend on the spacing, the strength does: dx acts as a material length.
    pub fn bond_strength(self, spacing: f64) -> f64 {
        (2.0 * self.young * self.fracture_energy / spacing).sqrt()
    }
}
