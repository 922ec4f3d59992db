//! Settings of fracture.

use banquise_fem::{CrackSettings, Elasticity, MeshSettings};

/// Settings of fracture. The elastic constants are those of columnar sea ice; see the book for their ranges.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FractureSettings {
    /// Young's modulus E \[Pa\].
    pub young: f64,
    /// Poisson's ratio ν [–].
    pub poisson: f64,
    /// Fracture energy `G_c` \[J/m²\].
    pub toughness: f64,
    /// Tensile strength `σ_t` \[Pa\] that a crack must reach somewhere besides; `None` where energy alone decides.
    pub tensile_strength: Option<f64>,
    /// Time that a blow lasts \[s\]: its force is its impulse over this time (Balasoiu 2020: 0.1 s).
    pub contact_time: f64,
    /// Half the width over which ice is indented at a contact \[m\]: the force of a contact is spread over it.
    pub indentation: f64,
    /// Size of the smallest pieces, the square root of their area \[m\].
    pub smallest_size: f64,
    /// Nodes of the mesh of a floe.
    pub nodes: usize,
}

impl Default for FractureSettings {
    fn default() -> Self {
        Self {
            young: 9e9,
            poisson: 0.3,
            toughness: 10.0,
            tensile_strength: None,
            contact_time: 0.1,
            indentation: 1.0,
            smallest_size: 10.0,
            nodes: 300,
        }
    }
}

impl FractureSettings {
    /// Area of the smallest pieces \[m²\].
    pub(super) fn smallest_area(&self) -> f64 {
        self.smallest_size * self.smallest_size
    }

    pub(super) fn elasticity(&self) -> Elasticity {
        Elasticity {
            young: self.young,
            poisson: self.poisson,
            toughness: self.toughness,
            tensile_strength: self.tensile_strength,
        }
    }

    pub(super) fn mesh(&self) -> MeshSettings {
        MeshSettings { nodes: self.nodes }
    }

    pub(super) fn crack(&self) -> CrackSettings {
        CrackSettings {
            smallest_area: self.smallest_area(),
            ..CrackSettings::default()
        }
    }
}
