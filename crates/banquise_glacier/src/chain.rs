//! The chain itself: ice, springs, bed and slope, and its steady sliding.

use banquise_geometry::math;

use crate::bed::BedLaw;
use crate::error::GlacierError;

/// Ice, geometry and bed of the chain.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ChainSettings {
    /// L, from the front to the upstream end \[m\].
    pub glacier_length: f64,
    /// N, intervals between the N + 1 nodes; 1 is a single block, without springs.
    pub blocks: usize,
    /// H, thickness of the ice \[m\].
    pub glacier_thickness: f64,
    /// ρ, density of the ice \[kg m⁻³\].
    pub glacier_density: f64,
    /// E, Young's modulus of the ice \[Pa\].
    pub young_modulus: f64,
    /// θ, slope of the bed, down towards the front \[rad\].
    pub bed_slope: f64,
    /// g, gravity \[m s⁻²\].
    pub gravity: f64,
    /// Friction of the bed.
    pub bed: BedLaw,
}

impl Default for ChainSettings {
    /// Beguin (2020): 800 m of ice of 920 kg/m³ on one degree, E = 9 `GPa`; 2 km in blocks of 25 m.
    fn default() -> Self {
        Self {
            glacier_length: 2000.0,
            blocks: 80,
            glacier_thickness: 800.0,
            glacier_density: 920.0,
            young_modulus: 9e9,
            bed_slope: 1.0_f64.to_radians(),
            gravity: 9.81,
            bed: BedLaw::default(),
        }
    }
}

/// More blocks than this do not fit in the memory of a laptop.
pub const MAX_BLOCKS: usize = 20_000_000;

/// A chain that makes sense, and what follows from its settings.
#[derive(Debug, Clone, PartialEq)]
pub struct Chain {
    settings: ChainSettings,
    spacing: f64,
    equilibrium_sliding: f64,
    equilibrium_velocity: f64,
}

impl Chain {
    /// Checks the settings.
    ///
    /// # Errors
    /// The first quantity that makes no sense.
    pub fn try_new(settings: ChainSettings) -> Result<Self, GlacierError> {
        let positive = [
            ("the length (m)", settings.glacier_length),
            ("the thickness (m)", settings.glacier_thickness),
            ("the density (kg/m³)", settings.glacier_density),
            ("Young's modulus (Pa)", settings.young_modulus),
            ("gravity (m/s²)", settings.gravity),
        ];
        for (quantity, value) in positive {
            if !(value > 0.0 && value.is_finite()) {
                return Err(GlacierError::NotPositive { quantity, value });
            }
        }
        let bed = settings.bed;
        let in_range = [
            (
                "the slope (rad)",
                "at least 0 and below a quarter turn",
                settings.bed_slope,
                (0.0..std::f64::consts::FRAC_PI_2).contains(&settings.bed_slope),
            ),
            (
                "the friction coefficient",
                "finite and at least 0",
                bed.friction_coefficient,
                bed.friction_coefficient >= 0.0 && bed.friction_coefficient.is_finite(),
            ),
            (
                "the stress exponent",
                "between 1 and 100",
                bed.stress_exponent,
                (1.0..=100.0).contains(&bed.stress_exponent),
            ),
            (
                "the end of the linear part (m/s)",
                "finite and at least 0",
                bed.linear_below,
                bed.linear_below >= 0.0 && bed.linear_below.is_finite(),
            ),
            (
                "the number of blocks",
                "between 1 and 20 million",
                settings.blocks as f64,
                (1..=MAX_BLOCKS).contains(&settings.blocks),
            ),
        ];
        for (quantity, requirement, value, is_good) in in_range {
            if !is_good {
                return Err(GlacierError::OutOfRange {
                    quantity,
                    requirement,
                    value,
                });
            }
        }
        Self::at_equilibrium(settings)
    }

    fn at_equilibrium(settings: ChainSettings) -> Result<Self, GlacierError> {
        let ChainSettings { bed, .. } = settings;
        let stress = settings.glacier_density
            * settings.gravity
            * settings.glacier_thickness
            * math::sin(settings.bed_slope);
        let sliding = if stress == 0.0 {
            0.0
        } else if bed.has_friction() {
            -stress / bed.friction_coefficient
        } else {
            let slope = settings.bed_slope;
            return Err(GlacierError::NoEquilibrium { slope });
        };
        let velocity = bed.velocity(sliding);
        if !velocity.is_finite() {
            return Err(GlacierError::OutOfRange {
                quantity: "the speed of steady sliding (m/s)",
                requirement: "finite",
                value: velocity,
            });
        }
        Ok(Self {
            settings,
            spacing: settings.glacier_length / settings.blocks as f64,
            equilibrium_sliding: sliding,
            equilibrium_velocity: velocity,
        })
    }

    /// The settings it was made from.
    pub fn settings(&self) -> &ChainSettings {
        &self.settings
    }

    /// The law of its bed.
    pub fn bed(&self) -> &BedLaw {
        &self.settings.bed
    }

    /// Number of nodes, the places where displacements and velocities are.
    pub fn nodes(&self) -> usize {
        if self.settings.blocks == 1 {
            1
        } else {
            self.settings.blocks + 1
        }
    }

    /// δl, between nodes \[m\].
    pub fn spacing(&self) -> f64 {
        self.spacing
    }

    /// sᵢ, share of a block that belongs to a node: half a block at both ends.
    #[inline]
    pub fn share(&self, node: usize) -> f64 {
        let is_end = node == 0 || node == self.settings.blocks;
        if is_end && self.settings.blocks > 1 {
            0.5
        } else {
            1.0
        }
    }

    /// Mass of a whole block, per unit width \[kg m⁻¹\].
    pub fn block_mass(&self) -> f64 {
        self.areal_mass() * self.spacing
    }

    /// ρ H \[kg m⁻²\].
    pub fn areal_mass(&self) -> f64 {
        self.settings.glacier_density * self.settings.glacier_thickness
    }

    /// Stiffness of a spring, per unit width, E H/δl \[N m⁻²\]; none for a single block.
    pub fn stiffness(&self) -> f64 {
        if self.settings.blocks == 1 {
            0.0
        } else {
            self.settings.young_modulus * self.settings.glacier_thickness / self.spacing
        }
    }

    /// Friction of a whole block for w = 1, per unit width, C δl.
    pub fn block_friction(&self) -> f64 {
        self.settings.bed.friction_coefficient * self.spacing
    }

    /// Velocity of steady sliding, towards the front and so not positive \[m s⁻¹\].
    pub fn equilibrium_velocity(&self) -> f64 {
        self.equilibrium_velocity
    }

    /// w of steady sliding.
    pub fn equilibrium_sliding(&self) -> f64 {
        self.equilibrium_sliding
    }

    /// Stress of the bed in steady sliding, ρ g H sin θ \[Pa\].
    pub fn basal_stress(&self) -> f64 {
        -self.settings.bed.friction_coefficient * self.equilibrium_sliding
    }

    /// Speed of sound along the chain, √(E/ρ) \[m s⁻¹\].
    pub fn wave_speed(&self) -> f64 {
        (self.settings.young_modulus / self.settings.glacier_density).sqrt()
    }

    /// ω² of mode k of the free chain, k = 0 … N \[s⁻²\]: (2c/δl)² sin²(kπ/2N).
    pub fn mode_frequency_squared(&self, mode: usize) -> f64 {
        if self.settings.blocks == 1 {
            return 0.0;
        }
        let phase = 0.5 * std::f64::consts::PI * mode as f64 / self.settings.blocks as f64;
        let root = 2.0 * self.wave_speed() / self.spacing * math::sin(phase);
        root * root
    }

    /// The node nearest to a distance from the front \[m\].
    pub fn node_at(&self, distance: f64) -> usize {
        let node = (distance / self.spacing).round().max(0.0) as usize;
        node.min(self.nodes() - 1)
    }

    /// How far a push of this size and duration reaches into a glacier at rest, F^(1/2) (E H T)^(1/4) /
    /// C^(3/4) for n = 3 \[m\], in general by balancing C (F ℓ/(E H T))^(1/n) ℓ = F.
    pub fn penetration(&self, force: f64, duration: f64) -> f64 {
        let ChainSettings {
            young_modulus,
            glacier_thickness,
            bed,
            ..
        } = self.settings;
        let n = bed.stress_exponent;
        let tension = young_modulus * glacier_thickness;
        let base = math::pow(force / bed.friction_coefficient, n) * tension * duration / force;
        math::pow(base, 1.0 / (n + 1.0))
    }

    /// Adds `factor` K x to `out`.
    pub(crate) fn add_stiffness(&self, factor: f64, x: &[f64], out: &mut [f64]) {
        let k = factor * self.stiffness();
        for (i, pair) in x.windows(2).enumerate() {
            let tension = k * (pair[1] - pair[0]);
            out[i] -= tension;
            out[i + 1] += tension;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_constants_of_the_source_come_out() {
        let chain = Chain::try_new(ChainSettings::default()).unwrap();
        // 355 m a year, 126.0 kPa.
        assert!((chain.equilibrium_velocity() + 1.125_388e-5).abs() < 1e-11);
        assert!((chain.basal_stress() - 126.0e3).abs() < 50.0);
        assert!((chain.spacing() / chain.wave_speed() - 0.007_99).abs() < 1e-5);
        assert!((chain.penetration(30e6, 100.0) - 246.0).abs() < 0.5);
        let slope = chain.bed().stress_slope(chain.equilibrium_velocity());
        assert!((slope - 3.732e9).abs() < 1e6);
    }

    #[test]
    fn shares_add_up_to_the_blocks() {
        for blocks in [1, 2, 7] {
            let chain = Chain::try_new(ChainSettings {
                blocks,
                ..ChainSettings::default()
            })
            .unwrap();
            let sum: f64 = (0..chain.nodes()).map(|node| chain.share(node)).sum();
            assert_eq!(sum, blocks as f64);
        }
    }

    #[test]
    fn bad_settings_are_refused() {
        let good = ChainSettings::default();
        let bad = [
            ChainSettings {
                glacier_length: 0.0,
                ..good
            },
            ChainSettings { blocks: 0, ..good },
            ChainSettings {
                young_modulus: f64::NAN,
                ..good
            },
            ChainSettings {
                bed_slope: -0.1,
                ..good
            },
            ChainSettings {
                bed: BedLaw::NONE,
                ..good
            },
            ChainSettings {
                bed: BedLaw {
                    stress_exponent: 0.5,
                    ..good.bed
                },
                ..good
            },
            ChainSettings {
                bed: BedLaw {
                    friction_coefficient: 1e-200,
                    stress_exponent: 3.0,
                    linear_below: 0.0,
                },
                ..good
            },
        ];
        for settings in bad {
            let error = Chain::try_new(settings).unwrap_err();
            assert!(!error.to_string().is_empty() && !error.hint().is_empty());
        }
    }
}
