//! Momentum and energy budgets: sources and sinks by force and contact, which must add up to what floes and water gained.

use std::ops::AddAssign;

use banquise_geometry::DVec2;

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

/// Momentum and energy budget of the floes since the start, and momentum budget of the ocean layer.
///
/// Kinetic energy − initial kinetic energy = sum of the works + net energy of floes that entered and left; likewise for momentum and impulses.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Budget {
    /// Work and impulse of each force.
    pub forces: PerForce<Account>,
    /// Losses and gains at contacts.
    pub contact: ContactBudget,
    /// Impulses on the ocean layer.
    pub layer: LayerBudget,
    /// Floes that entered and left.
    pub exchange: ExchangeBudget,
}

impl Budget {
    /// All work on the floes \[J\].
    pub fn work(&self) -> f64 {
        let forces: f64 = self.forces.iter().map(|account| account.work).sum();
        let contact = &self.contact;
        let lost = contact.normal_loss
            + contact.tangent_loss
            + contact.crushing_loss
            + contact.fracture_loss
            + contact.bond_stored
            + contact.bond_loss;
        forces + contact.work + contact.push_gain - lost
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
        self.exchange += other.exchange;
    }
}

/// Energy lost at contacts, and impulse and work of fixed and kinematic bodies.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct ContactBudget {
    /// Kinetic energy lost along the normals: restitution \[J\].
    pub normal_loss: f64,
    /// Kinetic energy lost along the tangents: friction \[J\].
    pub tangent_loss: f64,
    /// Kinetic energy that went into crushing: pressure times crushed volume \[J\].
    pub crushing_loss: f64,
    /// Kinetic energy that went into the cracks of floes that were struck \[J\].
    pub fracture_loss: f64,
    /// Elastic energy that went into the cracks of floes that were pressed or dragged \[J\]: no part of the kinetic balance.
    pub fracture_strain: f64,
    /// Kinetic energy that became elastic energy of joints between floes, less what they gave back \[J\]. The joints hold as much, less `bond_broken`.
    pub bond_stored: f64,
    /// Kinetic energy that joints took and did not store \[J\]: damping of the implicit step.
    pub bond_loss: f64,
    /// Elastic energy of joints that broke, or whose bodies went \[J\]: no part of the kinetic balance.
    pub bond_broken: f64,
    /// Kinetic energy given to bodies that were too close and were pushed apart \[J\].
    pub push_gain: f64,
    /// Impulse of obstacles and walls on floes [N s].
    pub impulse: DVec2,
    /// Work of obstacles that move on floes \[J\].
    pub work: f64,
}

impl ContactBudget {
    /// Adds impulse and work of fixed and kinematic bodies.
    pub(crate) fn add_fixed(&mut self, account: &Account) {
        self.impulse += account.impulse;
        self.work += account.work;
    }
}

impl AddAssign for ContactBudget {
    fn add_assign(&mut self, other: Self) {
        self.normal_loss += other.normal_loss;
        self.tangent_loss += other.tangent_loss;
        self.crushing_loss += other.crushing_loss;
        self.fracture_loss += other.fracture_loss;
        self.fracture_strain += other.fracture_strain;
        self.bond_stored += other.bond_stored;
        self.bond_loss += other.bond_loss;
        self.bond_broken += other.bond_broken;
        self.push_gain += other.push_gain;
        self.impulse += other.impulse;
        self.work += other.work;
    }
}

/// A number of floes, with the mass, momentum and energy they carry.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Flux {
    /// Number of floes.
    pub floes: u64,
    /// Their mass \[kg\].
    pub mass: f64,
    /// Their momentum [kg m/s].
    pub momentum: DVec2,
    /// Their kinetic energy \[J\].
    pub energy: f64,
}

impl Flux {
    /// Difference from an earlier state of the flux.
    pub(crate) fn since(&self, before: &Self) -> Self {
        Self {
            floes: self.floes - before.floes,
            mass: self.mass - before.mass,
            momentum: self.momentum - before.momentum,
            energy: self.energy - before.energy,
        }
    }
}

impl AddAssign for Flux {
    fn add_assign(&mut self, other: Self) {
        self.floes += other.floes;
        self.mass += other.mass;
        self.momentum += other.momentum;
        self.energy += other.energy;
    }
}

/// Mass, momentum and energy of floes that enter and leave the world after its first step.
///
/// Mass − initial mass = `entered` − `left` + `pieces` − `replaced` − `crushed`; the same for momentum and energy.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct ExchangeBudget {
    /// Floes that entered from outside.
    pub entered: Flux,
    /// Floes that left at an open edge, or were taken away.
    pub left: Flux,
    /// Floes that were replaced by pieces.
    pub replaced: Flux,
    /// The pieces that replaced them.
    pub pieces: Flux,
    /// Ice that was cut off floes which stay: cuts instead of floes, and what that ice carried.
    pub crushed: Flux,
}

impl ExchangeBudget {
    /// Difference from an earlier state of the budget.
    pub(crate) fn since(&self, before: &Self) -> Self {
        Self {
            entered: self.entered.since(&before.entered),
            left: self.left.since(&before.left),
            replaced: self.replaced.since(&before.replaced),
            pieces: self.pieces.since(&before.pieces),
            crushed: self.crushed.since(&before.crushed),
        }
    }

    /// Net gain by floes that entered and left and by ice that was cut off: mass \[kg\], momentum [kg m/s], kinetic energy \[J\].
    pub fn net(&self) -> (f64, DVec2, f64) {
        let Self {
            entered,
            left,
            replaced,
            pieces,
            crushed,
        } = self;
        (
            entered.mass - left.mass + (pieces.mass - replaced.mass) - crushed.mass,
            entered.momentum - left.momentum + (pieces.momentum - replaced.momentum)
                - crushed.momentum,
            entered.energy - left.energy + (pieces.energy - replaced.energy) - crushed.energy,
        )
    }
}

impl AddAssign for ExchangeBudget {
    fn add_assign(&mut self, other: Self) {
        self.entered += other.entered;
        self.left += other.left;
        self.replaced += other.replaced;
        self.pieces += other.pieces;
        self.crushed += other.crushed;
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
