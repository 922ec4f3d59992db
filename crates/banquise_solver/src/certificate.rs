//! Certificates that a contact problem has no solution: what they hold. How they are found is in [`crate::kinematic`] and [`crate::locking`], and how they are
//! checked in [`crate::proof`].

/// A problem is infeasible if no solution is slower than this times the closing speed.
pub const INFEASIBLE_SPEEDUP: f64 = 1e6;
/// What a certificate is about.
#[derive(Debug, Clone, PartialEq)]
pub enum CertificateKind {
    /// Contact normals and prescribed motion alone: no velocities keep the bounds.
    Kinematic,
    /// Friction: whatever the contacts do, the friction problem of all of them together has no solution. The first node is the root.
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
    /// What the proof is about.
    pub kind: CertificateKind,
    /// λ of a kinematic certificate: one for each contact, zero or positive [–]. Empty for another, whose leaves have their own.
    pub multipliers: Vec<f64>,
    /// The largest normal velocity, less its bound, that prescribed motion imposes on a contact whose multiplier is positive \[m/s\].
    pub closing_speed: f64,
    /// No solution is slower: every one has a body with |v| or |ω| R as large as this \[m/s\]. Infinite where none exists at any speed.
    pub least_speed: f64,
}

/// What a contact does.
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
    /// What the contact does, in the order of [`ContactState::ALL`]: the nodes that follow.
    Branch {
        /// The contact.
        contact: usize,
        /// Their places in the list of nodes.
        children: [usize; 4],
    },
    /// No solution has the states of the branches that lead here.
    Leaf {
        /// λ of each contact, normal and tangential.
        multipliers: Vec<[f64; 2]>,
        /// The bodies whose momentum is used.
        momentum_of: Vec<usize>,
    },
}
