//! Contacts between facing nodes, and the laws of percussion.

use banquise_geometry::DVec2;

/// What happens when two nodes meet.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Percussion {
    /// The nodes become one: perfectly inelastic, and never parted again.
    Merge {
        /// The struck node leans on a wall: the merged node stops, and the wall takes the momentum.
        wall: bool,
    },
    /// Newton's restitution with the impulses of the springs at the nodes over an assumed duration.
    ///
    /// The springs act a second time beside the equations of motion: with a duration above zero the law does
    /// not conserve momentum, and the excess is booked as external.
    Impulse {
        /// Restitution ε \[1\].
        restitution: f64,
        /// Assumed duration of the impact \[s\].
        duration: f64,
    },
    /// Newton's restitution; contact forces are complementary to the gap while nodes stay together.
    Complementarity {
        /// Restitution ε \[1\].
        restitution: f64,
    },
}

impl Default for Percussion {
    fn default() -> Self {
        Self::Complementarity { restitution: 0.0 }
    }
}

/// State of a contact.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ContactStatus {
    /// The nodes are apart, or part.
    Open,
    /// The nodes press on each other.
    Sustained,
    /// The nodes are one.
    Merged,
}

/// Two facing nodes that cannot pass through each other.
#[derive(Debug, Clone, PartialEq)]
pub struct Contact {
    /// The nodes; the normal points from the first to the second.
    pub nodes: [usize; 2],
    /// Unit normal, fixed.
    pub normal: DVec2,
    /// Gap without displacements \[m\].
    pub gap: f64,
    /// Law of percussion.
    pub law: Percussion,
    /// Whether the nodes are together.
    pub status: ContactStatus,
}

impl Contact {
    /// A contact between nodes that are apart.
    pub fn new(nodes: [usize; 2], normal: DVec2, gap: f64, law: Percussion) -> Self {
        let status = ContactStatus::Open;
        Self {
            nodes,
            normal,
            gap,
            law,
            status,
        }
    }

    /// Normal component of the second node's value less the first's.
    pub(crate) fn relative(&self, values: &[DVec2]) -> f64 {
        self.normal
            .dot(values[self.nodes[1]] - values[self.nodes[0]])
    }

    /// Gap with these displacements \[m\].
    pub fn gap_at(&self, displacement: &[DVec2]) -> f64 {
        self.gap + self.relative(displacement)
    }

    pub(crate) fn is_closed(&self) -> bool {
        self.status != ContactStatus::Open
    }
}

/// Impulse and velocities after an impact of the impulse law.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Struck {
    /// Impulse I between the nodes \[N s\].
    pub impulse: f64,
    /// Velocities of both nodes after the impact \[m s⁻¹\].
    pub velocities: [f64; 2],
}

/// Impulse I = [(1+ε)(v−v′) + J/m − K/m′]/(1/m + 1/m′) between nodes of masses m, m′, with the springs' impulses J, K.
pub fn strike(
    masses: [f64; 2],
    velocities: [f64; 2],
    restitution: f64,
    springs: [f64; 2],
) -> Struck {
    let inverse = [1.0 / masses[0], 1.0 / masses[1]];
    let approach = velocities[0] - velocities[1];
    let share = springs[0] * inverse[0] - springs[1] * inverse[1];
    let impulse = ((1.0 + restitution) * approach + share) / (inverse[0] + inverse[1]);
    Struck {
        impulse,
        velocities: [
            velocities[0] + (springs[0] - impulse) * inverse[0],
            velocities[1] + (springs[1] + impulse) * inverse[1],
        ],
    }
}
