//! Budgets of energy and momentum.

use banquise_geometry::DVec2;

/// Where the energy of a run is, and where it went \[J\].
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Budget {
    /// Energy at the start.
    pub initial: f64,
    /// Kinetic energy.
    pub kinetic: f64,
    /// Elastic energy of springs and torsion springs.
    pub elastic: f64,
    /// Work of the dashpots.
    pub dissipated: f64,
    /// Energy lost in impacts.
    pub impacts: f64,
    /// Elastic energy that broken bonds took with them.
    pub broken: f64,
    /// Of it, surface energy of the cracks; the rest is what the bond held above its threshold.
    pub surface: f64,
    /// Impulse of pinned nodes, walls and springs that act twice \[N s\].
    pub external_impulse: DVec2,
}

impl Budget {
    /// Energy that is missing (negative) or too much, over that of the start.
    pub fn energy_error(&self) -> f64 {
        let known = self.kinetic + self.elastic + self.dissipated + self.impacts + self.broken;
        (known - self.initial) / self.initial
    }
}
