//! Accounts of what each force has done: they must add up to what the floes and the water gained.

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

/// What forces and contacts have done to the floes since the start, and forces to the ocean layer.
///
/// Kinetic energy − initial kinetic energy = sum of the works + what the exchange of floes brought; the same for momentum and impulses.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Budget {
    /// Each force.
    pub forces: PerForce<Account>,
    /// Contacts.
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
        let lost = contact.normal_loss + contact.tangent_loss + contact.crushing_loss;
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

/// Energy taken by contacts, and what bodies that no force moves gave.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct ContactBudget {
    /// Kinetic energy lost along the normals: restitution \[J\].
    pub normal_loss: f64,
    /// Kinetic energy lost along the tangents: friction \[J\].
    pub tangent_loss: f64,
    /// Kinetic energy that went into crushing: pressure times crushed volume \[J\].
    pub crushing_loss: f64,
    /// Kinetic energy given to bodies that were too close and were pushed apart \[J\].
    pub push_gain: f64,
    /// Impulse of obstacles and walls on floes [N s].
    pub impulse: DVec2,
    /// Work of obstacles that move on floes \[J\].
    pub work: f64,
}

impl ContactBudget {
    /// Adds what bodies that no force moves gave.
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
        self.push_gain += other.push_gain;
        self.impulse += other.impulse;
        self.work += other.work;
    }
}

/// Floes that came and went, and what they carried.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Flux {
    /// How many.
    pub floes: u64,
    /// Their mass \[kg\].
    pub mass: f64,
    /// Their momentum [kg m/s].
    pub momentum: DVec2,
    /// Their kinetic energy \[J\].
    pub energy: f64,
}

impl Flux {
    /// What has been added since an earlier state of the same account.
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

/// What enters and leaves the world with the floes that do, after its first step.
///
/// Mass − initial mass = `entered` − `left` + `pieces` − `replaced` − `crushed`; the same for momentum and energy.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct ExchangeBudget {
    /// Floes that entered from outside.
    pub entered: Flux,
    /// Floes that left at an open edge, or were taken away.
    pub left: Flux,
    /// Floes that others took the place of.
    pub replaced: Flux,
    /// The pieces that took their place.
    pub pieces: Flux,
    /// Ice that was cut off floes which stay: cuts instead of floes, and what that ice carried.
    pub crushed: Flux,
}

impl ExchangeBudget {
    /// What has been added since an earlier state of the same books.
    pub(crate) fn since(&self, before: &Self) -> Self {
        Self {
            entered: self.entered.since(&before.entered),
            left: self.left.since(&before.left),
            replaced: self.replaced.since(&before.replaced),
            pieces: self.pieces.since(&before.pieces),
            crushed: self.crushed.since(&before.crushed),
        }
    }

    /// What the floes that came brought, less what those that went, and ice that was cut off, took: mass \[kg\], momentum [kg m/s], kinetic energy \[J\].
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
