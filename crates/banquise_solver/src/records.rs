//! Plain records of the methods, of which the workspace keeps buffers.

/// Normal and tangential part of what one contact does to another.
pub type Block = [[f64; 2]; 2];

/// Along the normal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Normal {
    /// No impulse.
    Open,
    /// No relative velocity.
    Closed,
}

/// Along the tangent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Tangent {
    /// No relative velocity.
    Stick,
    /// Sliding towards +t: the impulse is at −μ of the normal one.
    SlideForward,
    /// Sliding towards −t.
    SlideBackward,
}

/// What a contact does.
pub(crate) type State = (Normal, Tangent);

/// One equation exchanged for another since the factors were made.
pub(crate) struct Update {
    /// The equation, and the states of its contact before and after.
    pub(crate) equation: usize,
    pub(crate) states: [State; 2],
    /// What the response to a unit on its right-hand side does to the new equation.
    pub(crate) pivot: f64,
}

/// One side of a cone: how far the impulse is from it, and the force it bears there.
pub(crate) struct Side {
    pub(crate) contact: usize,
    /// How the slack grows with the normal and tangential impulse.
    pub(crate) along: [f64; 2],
    pub(crate) slack: f64,
    pub(crate) force: f64,
    /// The products of predicted changes of slack and force.
    pub(crate) second_order: f64,
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
