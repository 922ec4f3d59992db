//! Slope of the sea surface, which accelerates ice as it does the water below.
//!
//! A current that is in geostrophic balance has −g∇η = f k × `U_d`; one that also changes in time has
//! −g∇η = `∂U_d/∂t` + f k × `U_d`. Without this force a floe in a steady current would turn out of it.

use banquise_geometry::DVec2;

/// Acceleration of gravity [m/s²].
const GRAVITY: f64 = 9.81;

/// Choice of the slope of the sea surface.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub enum Tilt {
    /// No slope.
    None,
    /// The slope that balances Coriolis on the given current.
    #[default]
    Geostrophic,
    /// The slope that balances Coriolis on the given current and accelerates it.
    Full,
    /// A slope ∇η that is given [–].
    Slope(DVec2),
}

impl Tilt {
    /// Acceleration of ice [m/s²] with the Coriolis parameter `parameter` [1/s] over a current `current` [m/s] that changes at `rate` [m/s²].
    pub(crate) fn acceleration(self, parameter: f64, current: DVec2, rate: DVec2) -> DVec2 {
        match self {
            Self::None => DVec2::ZERO,
            Self::Geostrophic => parameter * current.perp(),
            Self::Full => rate + parameter * current.perp(),
            Self::Slope(slope) => -GRAVITY * slope,
        }
    }
}
