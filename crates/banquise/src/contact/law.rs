//! Contact laws.

use banquise_geometry::math::ln;

use crate::bond::BondStress;

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
    /// Floes freeze together: elastic joints that break and heal; Coulomb's friction where they are not.
    Bonded(BondSettings),
}

impl ContactLaw {
    /// The joints between floes, where they freeze together.
    pub(crate) fn bonds(self) -> Option<BondSettings> {
        match self {
            Self::Bonded(bonds) => Some(bonds),
            _ => None,
        }
    }

    /// Whether contacts remember pushes.
    pub(crate) fn has_memory(self) -> bool {
        matches!(self, Self::Gluey | Self::Rough(_))
    }

    /// The largest push that a contact remembers \[N s\], given the radii of its bodies \[m\], which are infinite for a wall.
    pub(crate) fn largest_memory(self, radii: [f64; 2]) -> f64 {
        match self {
            Self::Coulomb | Self::Inelastic | Self::Bonded(_) => 0.0,
            Self::Gluey => f64::INFINITY,
            Self::Rough(roughness) => roughness.largest_memory(radii),
        }
    }
}

/// Solid contact of the laws other than Coulomb's, along the tangent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum SolidContact {
    /// Bodies slide without friction.
    #[default]
    Smooth,
    /// Bodies roll on each other, and slip beyond Coulomb's friction (roll/slip).
    Roll,
    /// Bodies neither slip nor roll: they turn as one (stick/rotate).
    Rotate,
}

/// Joints between floes that are frozen together.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BondSettings {
    /// Whether floes that touch at the start are frozen together.
    pub initial: bool,
    /// Young's modulus E \[Pa\].
    pub young: f64,
    /// Poisson's ratio ν [–]: the shear modulus G is E/(2 (1 + ν)).
    pub poisson: f64,
    /// Tensile strength `σ_t` of the fibre that is pulled most \[Pa\].
    pub tensile_strength: f64,
    /// Cohesion c \[Pa\]: the joint breaks where |τ| + `μ_b` σ reaches it, with the tension σ of that fibre.
    pub cohesion: f64,
    /// Internal friction `μ_b` of the joint [–].
    pub internal_friction: f64,
    /// When floes that touch freeze together; `None` for never.
    pub healing: Option<Healing>,
}

/// Healing of joints.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Healing {
    /// Time for which two floes must touch at rest \[s\].
    pub time: f64,
    /// Relative speed at their contact below which they are at rest [m/s].
    pub speed: f64,
}

/// E as in fracture, ν of columnar ice (Timco & Weeks 2010); cohesion, internal friction and tensile strength are of the order of magnitude of in-situ stresses (Weiss, Schulson & Stern
/// 2007), not numbers of that paper.
impl Default for BondSettings {
    fn default() -> Self {
        Self {
            initial: false,
            young: 9e9,
            poisson: 0.3,
            tensile_strength: 50e3,
            cohesion: 40e3,
            internal_friction: 0.7,
            healing: Some(Healing::default()),
        }
    }
}

/// A day is the order of magnitude of the healing time of damaged ice (Dansereau et al. 2016), not a number of that paper; a speed of 1 mm/s is a hundredth of that of drift.
impl Default for Healing {
    fn default() -> Self {
        Self {
            time: 86_400.0,
            speed: 1e-3,
        }
    }
}

impl BondSettings {
    /// Shear modulus G \[Pa\].
    pub(crate) fn shear_modulus(&self) -> f64 {
        self.young / (2.0 * (1.0 + self.poisson))
    }

    /// Share of the strength that stresses of a joint reach [–]: it breaks beyond one.
    pub(crate) fn overload(&self, stress: &BondStress) -> f64 {
        let shear = (stress.shear + self.internal_friction * stress.tension) / self.cohesion;
        shear.max(stress.tension / self.tensile_strength)
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
