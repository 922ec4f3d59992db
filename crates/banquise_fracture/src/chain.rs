//! Floes as chains of masses.

use banquise_geometry::DVec2;

use crate::error::FractureError;
use crate::ice::Ice;
use crate::network::{Bond, Network};

/// A chain of equal masses, springs and dashpots, in any consistent units.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Chain {
    /// Place of the first node.
    pub from: f64,
    /// Place of the last node.
    pub to: f64,
    /// Nodes, at least two.
    pub nodes: usize,
    /// Mass of each node.
    pub mass: f64,
    /// Stiffness of each spring.
    pub stiffness: f64,
    /// Viscosity of each dashpot.
    pub dashpot: f64,
    /// Energy that breaks a bond.
    pub surface_energy: f64,
}

impl Chain {
    /// Its network along the x axis.
    ///
    /// # Errors
    /// Fewer than two nodes, or a mass or stiffness that is not positive.
    pub fn network(&self) -> Result<Network, FractureError> {
        if self.nodes < 2 {
            return Err(FractureError::OutOfRange {
                quantity: "nodes of a chain",
                requirement: "at least 2",
                value: self.nodes as f64,
            });
        }
        let mut network = Network::default();
        let spacing = (self.to - self.from) / (self.nodes - 1) as f64;
        for node in 0..self.nodes {
            network.add_node(
                DVec2::new(self.from + spacing * node as f64, 0.0),
                self.mass,
            );
        }
        network.bonds = (1..self.nodes)
            .map(|node| Bond {
                nodes: [node - 1, node],
                stiffness: self.stiffness,
                dashpot: self.dashpot,
                surface_energy: self.surface_energy,
                intact: true,
            })
            .collect();
        network.check()?;
        Ok(network)
    }
}

/// A bar of ice of unit section as a chain: k = E/dx, m = ρ dx and half of it at both ends.
///
/// `damping` is μ over √(k m).
///
/// # Errors
/// A length or constant that is not positive.
pub fn bar(
    ice: Ice,
    from: f64,
    length: f64,
    elements: usize,
    damping: f64,
) -> Result<Network, FractureError> {
    let spacing = length / elements as f64;
    let (stiffness, mass) = (ice.young / spacing, ice.density * spacing);
    let chain = Chain {
        from,
        to: from + length,
        nodes: elements + 1,
        mass,
        stiffness,
        dashpot: damping * (stiffness * mass).sqrt(),
        surface_energy: ice.fracture_energy,
    };
    let mut network = chain.network()?;
    network.masses[0] *= 0.5;
    network.masses[elements] *= 0.5;
    Ok(network)
}
