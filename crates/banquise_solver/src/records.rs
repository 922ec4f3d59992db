//! Plain records of the methods, whose buffers the workspace pools.

/// A 2 × 2 block of W: normal and tangential response of one contact to impulses of another.
pub type Block = [[f64; 2]; 2];

/// State of a contact along its normal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Normal {
    /// No impulse.
    Open,
    /// No relative velocity.
    Closed,
}

/// State of a contact along its tangent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Tangent {
    /// No relative velocity.
    Stick,
    /// Sliding towards +t: the impulse is at −μ of the normal one.
    SlideForward,
    /// Sliding towards −t.
    SlideBackward,
}

/// State of a contact.
pub(crate) type State = (Normal, Tangent);

/// One equation exchanged for another since the factors were made.
pub(crate) struct Update {
    /// The equation, and the states of its contact before and after.
    pub(crate) equation: usize,
    pub(crate) states: [State; 2],
    /// Left-hand side of the new equation for the response to a unit right-hand side.
    pub(crate) pivot: f64,
}

/// One face of a friction cone: slack of the impulse, and its multiplier.
pub(crate) struct Side {
    pub(crate) contact: usize,
    /// How the slack grows with the normal and tangential impulse.
    pub(crate) along: [f64; 2],
    pub(crate) slack: f64,
    pub(crate) force: f64,
    /// Products of the predicted changes of slack and multiplier (Mehrotra's second-order term).
    pub(crate) second_order: f64,
}

/// One face of a friction cone on a central path: slack s = along · p + offset, its multiplier f, and the share c of the barrier parameter that
/// their product has.
#[derive(Clone, Copy)]
pub(crate) struct Face {
    pub(crate) contact: usize,
    pub(crate) along: [f64; 2],
    pub(crate) offset: f64,
    pub(crate) slack: f64,
    pub(crate) force: f64,
    pub(crate) share: f64,
}

/// A basic variable, for the ratio test.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Basic {
    /// z₀.
    Artificial,
    /// The z in this column of K, counted from 1.
    Column(usize),
    /// The w of this index.
    Slack(usize),
}
