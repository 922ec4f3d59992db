//! A chain struck at its left end by a mass or by another chain.

use banquise_geometry::DVec2;

use crate::chain::Chain;
use crate::contact::{Contact, Percussion};
use crate::error::{FractureError, positive, within};
use crate::network::Network;
use crate::run::{Run, RunSettings};

/// A struck chain of unit spacing and its striker, in any consistent units.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ChainImpact {
    /// Nodes of the struck chain.
    pub nodes: usize,
    /// Mass of each of them.
    pub mass: f64,
    /// Stiffness of the springs of both.
    pub stiffness: f64,
    /// Viscosity of the dashpots of both.
    pub dashpot: f64,
    /// Energy that breaks a bond, if any does.
    pub bond_energy: Option<f64>,
    /// Nodes of the striker; one is a mass.
    pub striker_nodes: usize,
    /// Mass of each of them.
    pub striker_mass: f64,
    /// Speed of the striker.
    pub speed: f64,
    /// Whether the far end of the struck chain is pinned.
    pub pinned: bool,
    /// Law of percussion.
    pub law: Percussion,
}

/// Nodes of a chain, at most.
const MAX_NODES: f64 = 100_000.0;

impl ChainImpact {
    /// Starts the run at the moment of the impact.
    ///
    /// # Errors
    /// A value outside its range.
    pub fn start(&self, settings: RunSettings) -> Result<Run, FractureError> {
        positive("speed", self.speed)?;
        positive("mass of the striker's nodes", self.striker_mass)?;
        if let Some(energy) = self.bond_energy {
            positive("energy of a bond", energy)?;
        }
        let range = || 1.0..=MAX_NODES;
        within(
            "nodes",
            "between 2 and 100000",
            2.0..=MAX_NODES,
            self.nodes as f64,
        )?;
        within(
            "nodes of the striker",
            "between 1 and 100000",
            range(),
            self.striker_nodes as f64,
        )?;
        let chain = |from: f64, nodes: usize, mass: f64| {
            let chain = Chain {
                from,
                to: from + (nodes - 1) as f64,
                nodes,
                mass,
                stiffness: self.stiffness,
                dashpot: self.dashpot,
                surface_energy: self.bond_energy.unwrap_or(f64::INFINITY),
            };
            chain.network()
        };
        let striker = self.striker_nodes;
        let mut network = if striker == 1 {
            let mut mass = Network::default();
            mass.add_node(DVec2::new(-1.0, 0.0), self.striker_mass);
            mass
        } else {
            chain(-(striker as f64), striker, self.striker_mass)?
        };
        network.append(&chain(0.0, self.nodes, self.mass)?);
        if self.pinned {
            network.pinned[striker + self.nodes - 1] = true;
        }
        let mut velocity = vec![DVec2::ZERO; network.places.len()];
        velocity[..striker].fill(DVec2::new(self.speed, 0.0));
        let contact = Contact::new([striker - 1, striker], DVec2::X, 0.0, self.law);
        Run::try_new(network, vec![contact], velocity, settings)
    }
}
