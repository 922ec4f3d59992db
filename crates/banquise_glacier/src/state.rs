//! The state of the chain, and the sums over it.

use crate::chain::Chain;

/// State of the chain: displacements and velocities of the blocks.
#[derive(Debug, Clone, PartialEq)]
pub struct State {
    /// Time \[s\].
    pub time: f64,
    /// Steps made.
    pub step: u64,
    /// Displacement of each node beyond steady sliding, positive upstream \[m\].
    pub displacement: Vec<f64>,
    /// Velocity of each node, steady sliding included \[m s⁻¹\].
    pub velocity: Vec<f64>,
    /// Sliding variable w of each node.
    pub sliding: Vec<f64>,
    /// Acceleration of each node as the scheme has it \[m s⁻²\].
    pub acceleration: Vec<f64>,
    /// `F_c` \[N m⁻¹\].
    pub contact: f64,
    /// `F_s` as the scheme's balance has it: for the lagged Verlet scheme, of the velocity before \[N m⁻¹\].
    pub(crate) felt: f64,
    /// Σ m v beyond steady sliding \[kg s⁻¹\].
    pub(crate) momentum: f64,
    /// d/dt Σ m v as the forces have it \[N m⁻¹\].
    pub(crate) momentum_rate: f64,
}

impl State {
    /// All blocks at one velocity, that of steady sliding if none is given.
    pub(crate) fn at_start(chain: &Chain, contact: f64, velocity: Option<f64>) -> Self {
        let nodes = chain.nodes();
        let (velocity, sliding) = match velocity {
            Some(velocity) => (velocity, chain.bed().sliding(velocity)),
            None => (chain.equilibrium_velocity(), chain.equilibrium_sliding()),
        };
        let friction = chain.block_friction() * (sliding - chain.equilibrium_sliding());
        let mut acceleration = vec![-friction / chain.block_mass(); nodes];
        acceleration[0] += contact / (chain.block_mass() * chain.share(0));
        let velocity = vec![velocity; nodes];
        let sliding = vec![sliding; nodes];
        let felt = seismogenic_force(chain, &sliding);
        Self {
            time: 0.0,
            step: 0,
            displacement: vec![0.0; nodes],
            momentum: momentum(chain, &velocity),
            velocity,
            sliding,
            acceleration,
            contact,
            felt,
            momentum_rate: contact - felt,
        }
    }
}

/// Σ of the friction beyond that of steady sliding, for sliding variables w \[N m⁻¹\].
pub(crate) fn seismogenic_force(chain: &Chain, sliding: &[f64]) -> f64 {
    let w_eq = chain.equilibrium_sliding();
    let terms = sliding.iter().enumerate();
    let sum: f64 = terms.map(|(i, &w)| chain.share(i) * (w - w_eq)).sum();
    chain.block_friction() * sum
}

/// Σ m v beyond steady sliding \[kg s⁻¹\].
pub(crate) fn momentum(chain: &Chain, velocity: &[f64]) -> f64 {
    let v_eq = chain.equilibrium_velocity();
    let terms = velocity.iter().enumerate();
    let sum: f64 = terms.map(|(i, &v)| chain.share(i) * (v - v_eq)).sum();
    chain.block_mass() * sum
}
