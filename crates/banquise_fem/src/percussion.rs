//! The load that stands for a blow.

use banquise_geometry::DVec2;

use crate::load::ContactForce;

/// How a blow becomes a force: its impulse over an effective contact time, spread over an indentation.
///
/// Without waves a floe knows no contact time of its own. The defaults are calibrated on 100 blows on resolved lattices of a
/// spacing of D/20, and give the verdict of the lattice on 93 of 100 others at speeds within a factor of 4 of the threshold (example `percussion_datum` of `banquise_fracture`; see the page *Cracks* of the book). The time is longer than
/// that in which the lattice and its striker touch: it stands for what damage at the contact, waves and dashpots take as well.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Percussion {
    /// Contact time of two bodies of which the striker is much the heavier, over √(m/(E h)) of the floe \[–\].
    pub contact_time: f64,
    /// The contact time goes with this power of the reduced mass over the mass of the floe. With one half the contact is a spring, with
    /// one an impedance: the force depends on the speed alone \[–\].
    pub mass_exponent: f64,
    /// Half the width over which the force is spread, over the size √A of the floe \[–\].
    pub indentation: f64,
}

impl Default for Percussion {
    fn default() -> Self {
        Self {
            contact_time: 8.72,
            mass_exponent: 0.867,
            indentation: 0.1,
        }
    }
}

/// What a blow's force depends on beside the impulse.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StruckFloe {
    /// Mass m of the floe \[kg\].
    pub mass: f64,
    /// Its area A \[m²\].
    pub area: f64,
    /// Young's modulus times thickness, E h \[N/m\].
    pub membrane: f64,
}

impl Percussion {
    /// Effective contact time \[s\] with a striker of this mass \[kg\], which may be infinite.
    pub fn time(&self, floe: &StruckFloe, striker_mass: f64) -> f64 {
        let reduced = 1.0 / (1.0 + floe.mass / striker_mass);
        let share = banquise_geometry::math::pow(reduced, self.mass_exponent);
        self.contact_time * share * (floe.mass / floe.membrane).sqrt()
    }

    /// The force of a blow with this impulse of the compression phase \[N s\] on the floe.
    pub fn contact(
        &self,
        floe: &StruckFloe,
        striker_mass: f64,
        point: DVec2,
        impulse: DVec2,
    ) -> ContactForce {
        let radius = self.indentation * floe.area.sqrt();
        ContactForce::percussion(point, impulse, self.time(floe, striker_mass), radius)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_contact_time_grows_with_the_size_of_the_floe_and_the_mass_of_the_striker() {
        let floe = |side: f64| StruckFloe {
            mass: 920.0 * side * side,
            area: side * side,
            membrane: 9e9,
        };
        let percussion = Percussion::default();
        // √(m/(E h)) = D/c: 32 ms for 100 m.
        let heavy = percussion.time(&floe(100.0), f64::INFINITY);
        assert!(
            (heavy / (8.72 * 100.0 / 3127.716) - 1.0).abs() < 1e-6,
            "{heavy}"
        );
        let double = percussion.time(&floe(200.0), f64::INFINITY);
        assert!((double / heavy - 2.0).abs() < 1e-12);
        let like = percussion.time(&floe(100.0), 920.0 * 1e4);
        assert!((like / heavy - banquise_geometry::math::pow(0.5, 0.867)).abs() < 1e-12);
        let force = percussion.contact(&floe(100.0), 1e9, DVec2::ZERO, DVec2::X);
        assert!((force.radius - 10.0).abs() < 1e-12);
    }
}
