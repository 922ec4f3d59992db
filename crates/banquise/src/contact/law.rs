//! Contact laws.

use banquise_geometry::math::ln;

/// Law of contact.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub enum ContactLaw {
    /// Restitution and Coulomb's friction.
    #[default]
    Coulomb,
    /// Inelastic, without friction (Maury 2006): bodies that meet keep no relative normal velocity. With the fixed-step integrator alone, as the laws that follow.
    Inelastic,
    /// Gluey: bodies that meet in a viscous fluid stick, and part when they have been pulled as much as they were pushed (Lefebvre 2007, chapter 5).
    Gluey,
    /// Gluey, with a limit of the push that is remembered: rough bodies come into solid contact (Lefebvre 2007, section 4.4.1).
    Rough(Roughness),
}

impl ContactLaw {
    /// Whether contacts remember pushes.
    pub(crate) fn has_memory(self) -> bool {
        matches!(self, Self::Gluey | Self::Rough(_))
    }

    /// The largest push that a contact remembers \[N s\], given the radii of its bodies \[m\], which are infinite for a wall.
    pub(crate) fn largest_memory(self, radii: [f64; 2]) -> f64 {
        match self {
            Self::Coulomb | Self::Inelastic => 0.0,
            Self::Gluey => f64::INFINITY,
            Self::Rough(roughness) => roughness.largest_memory(radii),
        }
    }
}

/// Limit of the push that a rough contact remembers.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Roughness {
    /// One impulse for all contacts \[N s\].
    Impulse(f64),
    /// That of spheres in a viscous fluid: γ = 6 π η ln(2 s/q) over R = (r₁ + r₂)²/(r₁ r₂)² (Lefebvre 2007, section 5.2.4).
    Lubrication {
        /// Viscosity η of the fluid \[Pa s\].
        viscosity: f64,
        /// Height s of the roughness of each body \[m\].
        height: f64,
        /// Distance q at which lubrication begins \[m\]: more than 2 s.
        reference_gap: f64,
    },
}

impl Roughness {
    fn largest_memory(self, [first, second]: [f64; 2]) -> f64 {
        match self {
            Self::Impulse(impulse) => impulse,
            Self::Lubrication {
                viscosity,
                height,
                reference_gap,
            } => {
                // 1/√R = r₁ r₂/(r₁ + r₂), finite for a wall too.
                let reduced = 1.0 / (1.0 / first + 1.0 / second);
                let micro = ln(reference_gap / (2.0 * height));
                6.0 * std::f64::consts::PI * viscosity * reduced * reduced * micro
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_of_rough_contacts_follows_lubrication() {
        let rough = Roughness::Lubrication {
            viscosity: 2.0,
            height: 0.5e-3,
            reference_gap: 1e-3 * std::f64::consts::E,
        };
        let law = ContactLaw::Rough(rough);
        let expected = 12.0 * std::f64::consts::PI;
        let plane = law.largest_memory([0.3, f64::INFINITY]);
        assert!((plane - 0.09 * expected).abs() < 1e-14);
        let pair = law.largest_memory([0.3, 0.6]);
        assert!((pair - 0.04 * expected).abs() < 1e-14);
    }
}
