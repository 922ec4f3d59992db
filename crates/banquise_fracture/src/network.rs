//! Networks of masses joined by springs, dashpots and torsion springs.
//!
//! The reference configuration is free of stress. A bond between nodes i and j with reference vector d and
//! relative displacement w has the elongation δ = |d + w| − |d|, and pulls its nodes together with k δ + μ δ′.
//! The dashpot acts with that sign: with the opposite one, printed in a source, it feeds energy to the floe.

use banquise_geometry::DVec2;
use banquise_geometry::math::atan2;

use crate::error::{FractureError, positive};

/// A spring beside a dashpot between two nodes.
#[derive(Debug, Clone, PartialEq)]
pub struct Bond {
    /// Its nodes.
    pub nodes: [usize; 2],
    /// Stiffness k \[N m⁻¹\].
    pub stiffness: f64,
    /// Viscosity μ of the dashpot \[N s m⁻¹\].
    pub dashpot: f64,
    /// Energy that breaks it \[J\]; infinite for a bond that never breaks.
    pub surface_energy: f64,
    /// Whether it still holds.
    pub intact: bool,
}

/// A torsion spring on the angle at `nodes[0]` between the directions to the other two.
#[derive(Debug, Clone, PartialEq)]
pub struct Corner {
    /// Apex, first and second neighbour.
    pub nodes: [usize; 3],
    /// Stiffness κ \[N m rad⁻²\]: energy ½ κ φ² for a change φ of the angle.
    pub stiffness: f64,
    /// Bonds along its sides, which take it away when they break.
    pub bonds: [usize; 2],
}

/// Masses, bonds and torsion springs in their reference configuration.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Network {
    /// Places of the nodes without stress \[m\].
    pub places: Vec<DVec2>,
    /// Masses \[kg\].
    pub masses: Vec<f64>,
    /// Nodes that do not move.
    pub pinned: Vec<bool>,
    /// Springs with dashpots.
    pub bonds: Vec<Bond>,
    /// Torsion springs.
    pub corners: Vec<Corner>,
}

impl Network {
    /// Adds a node, and says its index.
    pub fn add_node(&mut self, place: DVec2, mass: f64) -> usize {
        self.places.push(place);
        self.masses.push(mass);
        self.pinned.push(false);
        self.places.len() - 1
    }

    /// Adds all of another network, and says the index of its first node.
    pub fn append(&mut self, other: &Self) -> usize {
        let (node, bond) = (self.places.len(), self.bonds.len());
        self.places.extend(&other.places);
        self.masses.extend(&other.masses);
        self.pinned.extend(&other.pinned);
        self.bonds.extend(other.bonds.iter().map(|b| Bond {
            nodes: b.nodes.map(|n| n + node),
            ..b.clone()
        }));
        self.corners.extend(other.corners.iter().map(|c| Corner {
            nodes: c.nodes.map(|n| n + node),
            bonds: c.bonds.map(|b| b + bond),
            ..c.clone()
        }));
        node
    }

    /// Refuses masses, stiffnesses or bonds that make no sense.
    ///
    /// # Errors
    /// The mass, stiffness, viscosity or length at fault.
    pub fn check(&self) -> Result<(), FractureError> {
        for &mass in &self.masses {
            positive("mass of a node (kg)", mass)?;
        }
        for bond in &self.bonds {
            positive("stiffness of a bond (N/m)", bond.stiffness)?;
            positive("length of a bond (m)", self.reference(bond).length())?;
            if bond.dashpot < 0.0 || !bond.dashpot.is_finite() {
                return Err(FractureError::OutOfRange {
                    quantity: "viscosity of a dashpot (N s/m)",
                    requirement: "zero or more",
                    value: bond.dashpot,
                });
            }
        }
        Ok(())
    }

    /// Vector from the first to the second node of a bond, without stress \[m\].
    pub fn reference(&self, bond: &Bond) -> DVec2 {
        self.places[bond.nodes[1]] - self.places[bond.nodes[0]]
    }

    /// Elongation δ of a bond \[m\].
    pub fn elongation(&self, bond: &Bond, displacement: &[DVec2]) -> f64 {
        let w = displacement[bond.nodes[1]] - displacement[bond.nodes[0]];
        elongation(self.reference(bond), w)
    }

    /// Elastic energy of a bond \[J\].
    pub fn bond_energy(&self, bond: &Bond, displacement: &[DVec2]) -> f64 {
        let elongation = self.elongation(bond, displacement);
        0.5 * bond.stiffness * elongation * elongation
    }

    /// Elastic energy of a torsion spring \[J\].
    pub fn corner_energy(&self, corner: &Corner, displacement: &[DVec2]) -> f64 {
        let angle = self.arms(corner, displacement).opening();
        0.5 * corner.stiffness * angle * angle
    }

    /// Elastic energy of all that holds \[J\].
    pub fn elastic_energy(&self, displacement: &[DVec2]) -> f64 {
        let bonds = self.bonds.iter().filter(|bond| bond.intact);
        bonds
            .map(|bond| self.bond_energy(bond, displacement))
            .sum::<f64>()
            + self
                .corners
                .iter()
                .map(|corner| self.corner_energy(corner, displacement))
                .sum::<f64>()
    }

    /// Bound on the highest angular frequency \[rad s⁻¹\]: block Gershgorin rows of M⁻¹K.
    pub fn frequency_bound(&self) -> f64 {
        let mut rows = vec![0.0; self.places.len()];
        for bond in self.bonds.iter().filter(|bond| bond.intact) {
            for node in bond.nodes {
                rows[node] += 2.0 * bond.stiffness / self.masses[node];
            }
        }
        for corner in &self.corners {
            let gradient = self.arms(corner, &[]).gradient();
            let total: f64 = gradient.iter().map(|g| g.length()).sum();
            for (node, g) in corner.nodes.into_iter().zip(gradient) {
                rows[node] += corner.stiffness * g.length() * total / self.masses[node];
            }
        }
        rows.iter().copied().fold(0.0, f64::max).sqrt()
    }

    /// Longest stable explicit step \[s\]: (2/ω)(√(1+ζ²) − ζ), ζ = μ ω/(2k) of the most viscous bond.
    pub fn stable_step(&self) -> f64 {
        let frequency = self.frequency_bound();
        let bonds = self.bonds.iter().filter(|bond| bond.intact);
        let relaxation = bonds.map(|b| b.dashpot / b.stiffness).fold(0.0, f64::max);
        let zeta = 0.5 * relaxation * frequency;
        2.0 / frequency * ((1.0 + zeta * zeta).sqrt() - zeta)
    }

    /// The two arms of a torsion spring; without displacements those of the reference.
    pub(crate) fn arms(&self, corner: &Corner, displacement: &[DVec2]) -> Arms {
        let [apex, first, second] = corner.nodes;
        let moved = |node: usize| {
            displacement.get(node).copied().unwrap_or_default()
                - displacement.get(apex).copied().unwrap_or_default()
        };
        Arms {
            reference: [
                self.places[first] - self.places[apex],
                self.places[second] - self.places[apex],
            ],
            moved: [moved(first), moved(second)],
        }
    }
}

/// |d + w| − |d| without the cancellation that costs nine digits at strains of 1e-5.
pub(crate) fn elongation(d: DVec2, w: DVec2) -> f64 {
    w.dot(2.0 * d + w) / ((d + w).length() + d.length())
}

/// The arms of a torsion spring, from its apex: reference and relative displacement.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Arms {
    reference: [DVec2; 2],
    moved: [DVec2; 2],
}

impl Arms {
    /// Both arms as they are.
    pub(crate) fn arms(&self) -> [DVec2; 2] {
        [
            self.reference[0] + self.moved[0],
            self.reference[1] + self.moved[1],
        ]
    }

    /// Scalar and vector product of the arms, as a complex number.
    pub(crate) fn product(&self) -> DVec2 {
        let [a, b] = self.arms();
        DVec2::new(a.dot(b), a.perp_dot(b))
    }

    /// Change φ of the angle from the reference \[rad\], computed from the small differences.
    pub(crate) fn opening(&self) -> f64 {
        let [a, b] = self.reference;
        let [da, db] = self.moved;
        let start = DVec2::new(a.dot(b), a.perp_dot(b));
        let change = DVec2::new(
            da.dot(b) + a.dot(db) + da.dot(db),
            da.perp_dot(b) + a.perp_dot(db) + da.perp_dot(db),
        );
        atan2(
            start.perp_dot(change),
            start.length_squared() + start.dot(change),
        )
    }

    /// Gradient of the angle by the places of apex, first and second node \[rad m⁻¹\].
    pub(crate) fn gradient(&self) -> [DVec2; 3] {
        let [a, b] = self.arms();
        let first = -a.perp() / a.length_squared();
        let second = b.perp() / b.length_squared();
        [-first - second, first, second]
    }
}
