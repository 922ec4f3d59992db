//! Accounts of what each force has done: they must add up to what the floes and the water gained.

use std::ops::AddAssign;

use banquise_geometry::DVec2;

use crate::contact::ContactBudget;
use crate::force::{Force, PerForce};

/// Work and impulse of one kind of force on all floes.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Account {
    /// Work, on translation and rotation \[J\].
    pub work: f64,
    /// Impulse [N s].
    pub impulse: DVec2,
}

impl AddAssign for Account {
    fn add_assign(&mut self, other: Self) {
        self.work += other.work;
        self.impulse += other.impulse;
    }
}

/// What forces and contacts have done to the floes since the start, and forces to the ocean layer.
///
/// Kinetic energy − initial kinetic energy = sum of the works; the same for momentum and impulses.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Budget {
    /// Each force.
    pub forces: PerForce<Account>,
    /// Contacts.
    pub contact: ContactBudget,
    /// Impulses on the ocean layer.
    pub layer: LayerBudget,
}

impl Budget {
    /// All work on the floes \[J\].
    pub fn work(&self) -> f64 {
        let forces: f64 = self.forces.iter().map(|account| account.work).sum();
        let contact = &self.contact;
        forces + contact.work - contact.normal_loss - contact.tangent_loss
    }

    /// All impulse on the floes [N s].
    pub fn impulse(&self) -> DVec2 {
        let forces: DVec2 = self.forces.iter().map(|account| account.impulse).sum();
        forces + self.contact.impulse
    }
}

impl AddAssign for Budget {
    fn add_assign(&mut self, other: Self) {
        for force in Force::ALL {
            self.forces[force] += other.forces[force];
        }
        self.contact += other.contact;
        self.layer += other.layer;
    }
}

/// Impulses on the coupled ocean layer since the start [N s].
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct LayerBudget {
    /// From the ice above it.
    pub ice: DVec2,
    /// From the wind on open water.
    pub wind: DVec2,
    /// From Coriolis.
    pub coriolis: DVec2,
    /// From friction at its base.
    pub base: DVec2,
    /// From the acceleration of the current given as data.
    pub data: DVec2,
}

impl LayerBudget {
    /// All impulse on the layer [N s].
    pub fn impulse(&self) -> DVec2 {
        self.ice + self.wind + self.coriolis + self.base + self.data
    }
}

impl AddAssign for LayerBudget {
    fn add_assign(&mut self, other: Self) {
        self.ice += other.ice;
        self.wind += other.wind;
        self.coriolis += other.coriolis;
        self.base += other.base;
        self.data += other.data;
    }
}
