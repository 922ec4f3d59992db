//! Certificates that a contact problem has no solution: what they hold. How they are found is in [`crate::kinematic`] and [`crate::locking`], and how they are
//! checked in [`crate::proof`].

/// A problem is infeasible if no solution is slower than this times the closing speed.
pub const INFEASIBLE_SPEEDUP: f64 = 1e6;
/// Kind of a certificate of infeasibility.
#[derive(Debug, Clone, PartialEq)]
pub enum CertificateKind {
    /// Contact normals and prescribed motion alone: no velocities keep the bounds.
    Kinematic,
    /// Friction: no combination of contact states solves the friction problem of all contacts together. The first node is the root.
    Locking(Vec<LockingNode>),
}

impl CertificateKind {
    /// The name in files.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Kinematic => "kinematic",
            Self::Locking(_) => "locking",
        }
    }
}

/// A proof that a contact problem has no solution at speeds that matter.
#[derive(Debug, Clone, PartialEq)]
pub struct Certificate {
    /// Kind of the proof.
    pub kind: CertificateKind,
    /// λ of a kinematic certificate: one for each contact, zero or positive [–]. Empty for another, whose leaves have their own.
    pub multipliers: Vec<f64>,
    /// The largest normal velocity, less its bound, that prescribed motion imposes on a contact whose multiplier is positive \[m/s\].
    pub closing_speed: f64,
    /// No solution is slower: every one has a body with |v| or |ω| R as large as this \[m/s\]. Infinite where none exists at any speed.
    pub least_speed: f64,
}

/// State of a contact.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ContactState {
    /// No impulse.
    Open,
    /// No relative velocity.
    Stick,
    /// Sliding towards +t: the tangential impulse is −μ of the normal one.
    SlideForward,
    /// Sliding towards −t.
    SlideBackward,
}

impl ContactState {
    /// All states, in the order of the children of a branch.
    pub const ALL: [Self; 4] = [
        Self::Open,
        Self::Stick,
        Self::SlideForward,
        Self::SlideBackward,
    ];

    /// The name in files.
    pub fn name(self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::Stick => "stick",
            Self::SlideForward => "slide_forward",
            Self::SlideBackward => "slide_backward",
        }
    }
}

/// A node of the proof.
#[derive(Debug, Clone, PartialEq)]
pub enum LockingNode {
    /// A branch over the states of a contact, in the order of [`ContactState::ALL`].
    Branch {
        /// The contact.
        contact: usize,
        /// Indices of the child nodes.
        children: [usize; 4],
    },
    /// A proof that no solution has the states of the branches above.
    Leaf {
        /// λ of each contact, normal and tangential.
        multipliers: Vec<[f64; 2]>,
        /// The bodies whose momentum is used.
        momentum_of: Vec<usize>,
    },
}
