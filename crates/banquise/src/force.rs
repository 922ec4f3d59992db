//! The list of the forces on a floe. Loads, budgets, recordings and figures iterate over it, so that a force added here has its
//! budget everywhere.

use std::ops::{Index, IndexMut};

/// A force on a floe, contacts aside.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Force {
    /// Drag of the wind.
    Wind,
    /// Quadratic drag of the water.
    Ocean,
    /// Coriolis: with the default scheme its work is zero to round-off.
    Coriolis,
    /// Gravity and other given forces.
    BodyForce,
    /// Linear drag of the water, instead of the quadratic one.
    LinearDrag,
    /// Slope of the sea surface.
    Tilt,
    /// Springs, dampers and mooring lines.
    Line,
    /// Waves, and the inertia of the water that moves with a floe.
    Waves,
}

impl Force {
    /// All forces. Sums over forces go in this order: another order would change the last bits of results.
    pub const ALL: [Self; Self::COUNT] = [
        Self::Wind,
        Self::Ocean,
        Self::Coriolis,
        Self::BodyForce,
        Self::LinearDrag,
        Self::Tilt,
        Self::Line,
        Self::Waves,
    ];

    /// Number of forces.
    pub const COUNT: usize = 8;

    /// The name in datasets, as in `work_wind`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Wind => "wind",
            Self::Ocean => "ocean",
            Self::Coriolis => "coriolis",
            Self::BodyForce => "body_force",
            Self::LinearDrag => "linear_drag",
            Self::Tilt => "tilt",
            Self::Line => "line",
            Self::Waves => "waves",
        }
    }

    /// The name in the legend of a figure.
    pub fn label(self) -> &'static str {
        match self {
            Self::Wind => "wind",
            Self::Ocean => "water",
            Self::Coriolis => "Coriolis",
            Self::BodyForce => "given forces",
            Self::LinearDrag => "water, linear drag",
            Self::Tilt => "surface tilt",
            Self::Line => "lines",
            Self::Waves => "waves",
        }
    }

    /// Name within a sentence, as in "work of the wind".
    pub fn description(self) -> &'static str {
        match self {
            Self::Wind => "the wind",
            Self::Ocean => "the water",
            Self::Coriolis => "Coriolis",
            Self::BodyForce => "given forces",
            Self::LinearDrag => "linear drag of the water",
            Self::Tilt => "the tilt of the sea surface",
            Self::Line => "springs and lines",
            Self::Waves => "waves",
        }
    }

    /// Whether the water exerts it: its reaction then acts on a coupled ocean layer.
    pub fn is_of_water(self) -> bool {
        matches!(self, Self::Ocean | Self::LinearDrag)
    }
}

/// One value for each force, indexed by [`Force`].
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct PerForce<T>([T; Force::COUNT]);

impl<T> PerForce<T> {
    /// The values that `value_of` gives.
    #[inline]
    pub fn from_fn(value_of: impl FnMut(Force) -> T) -> Self {
        Self(Force::ALL.map(value_of))
    }

    /// All values, in the order of [`Force::ALL`].
    pub fn iter(&self) -> impl Iterator<Item = &T> {
        self.0.iter()
    }
}

impl<T: Copy> PerForce<T> {
    /// One value, repeated for every force.
    pub const fn splat(value: T) -> Self {
        Self([value; Force::COUNT])
    }
}

impl<T> Index<Force> for PerForce<T> {
    type Output = T;

    #[inline]
    fn index(&self, force: Force) -> &T {
        &self.0[force as usize]
    }
}

impl<T> IndexMut<Force> for PerForce<T> {
    #[inline]
    fn index_mut(&mut self, force: Force) -> &mut T {
        &mut self.0[force as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_force_is_at_its_place_in_the_list() {
        let mut values = PerForce::from_fn(Force::name);
        for (place, force) in Force::ALL.into_iter().enumerate() {
            assert_eq!(force as usize, place);
            assert_eq!(values[force], force.name());
        }
        values[Force::Coriolis] = "changed";
        assert_eq!(values.iter().nth(2), Some(&"changed"));
    }

    #[test]
    fn names_differ() {
        let mut names = Force::ALL.map(Force::name);
        names.sort_unstable();
        assert!(names.windows(2).all(|pair| pair[0] != pair[1]));
    }
}
