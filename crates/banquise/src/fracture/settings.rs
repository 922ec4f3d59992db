//! Settings of fracture.

use banquise_fem::{CrackSettings, Elasticity, MeshSettings, Percussion, StruckFloe};

/// Which rule breaks floes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Criterion {
    /// The energy that a crack releases against what it costs.
    #[default]
    Variational,
    /// The mean stress of a floe leaves the Mohr cone of Subzero; three Voronoi pieces.
    Mohr,
    /// The mean stress of a floe leaves the yield ellipse of Hibler, as in Subzero; three Voronoi pieces.
    Hibler,
    /// The impulses of a second have the energy of FloeDyn's threshold; two pieces along a chord.
    Chord,
}

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
    /// Which rule breaks floes. All but the first are for comparison.
    pub criterion: Criterion,
    /// How a blow becomes a force: effective contact time and indentation by masses and size, calibrated against resolved lattices.
    pub percussion: Percussion,
    /// Time that every blow lasts \[s\] instead of that of `percussion`: its force is its impulse over this time (Balasoiu 2020: 0.1 s).
    pub contact_time: Option<f64>,
    /// Half the width over which ice is indented at a contact \[m\] instead of that of `percussion`: the force of a contact is spread over it.
    pub indentation: Option<f64>,
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
            criterion: Criterion::Variational,
            percussion: Percussion::default(),
            contact_time: None,
            indentation: None,
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

    /// Effective time of a blow by a striker of this mass \[kg\] on a floe \[s\].
    pub(super) fn blow_time(&self, floe: &StruckFloe, striker_mass: f64) -> f64 {
        self.contact_time
            .unwrap_or_else(|| self.percussion.time(floe, striker_mass))
    }

    /// Half the width over which a contact spreads its force on a floe \[m\].
    pub(super) fn spread_of(&self, floe: &StruckFloe) -> f64 {
        self.indentation
            .unwrap_or_else(|| self.percussion.indentation * floe.area.sqrt())
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
