//! Tolerances and limits of the projection onto convex bounds.

/// Settings of the projection onto convex bounds.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ProjectionSettings {
    /// Method of solution.
    pub method: ProjectionMethod,
    /// Scaled residual within which impulses are a solution [–].
    pub tolerance: f64,
    /// Scaled residual within which impulses with friction are a solution [–]: as for contacts of Coulomb's law.
    pub friction_tolerance: f64,
    /// Scaled residual at which the rounds end [–]; one more round is cheap, and brings velocities of different methods closer than their tolerance.
    pub target: f64,
    /// Compliance of contacts that are met in least squares, as a share of their inverse effective mass [–]: where bounds contradict each other by a
    /// millionth of the velocities, impulses are of the order of the momenta.
    pub regularisation: f64,
    /// First penalty of the augmented Lagrangian, in units of the effective mass of a contact [–]. A larger one needs fewer rounds, each with more steps.
    pub first_penalty: f64,
    /// Factor of the penalty after a round that left more than a tenth of the residual [–].
    pub penalty_growth: f64,
    /// Largest penalty [–]: beyond it the factors lose the digits that the next round would gain.
    pub last_penalty: f64,
    /// Rounds of the augmented Lagrangian. Five are usual; bounds that contradict each other need all of them.
    pub rounds: usize,
    /// Steps of Newton's method in one round. Each finds an active set; a cold start of a thousand contacts needs about fifteen.
    pub newton_steps: usize,
    /// Solutions for given bounds of friction, each of which gives the next bounds. Ten are usual; where they do not end, the problem is solved as one of contacts with
    /// Coulomb's friction.
    pub friction_rounds: usize,
}

/// Method for the projection onto convex bounds.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum ProjectionMethod {
    /// Semismooth Newton method on the augmented Lagrangian, to the tolerance of the settings.
    Newton,
    /// Uzawa's method (Lefebvre 2007, algorithm 5.2), matrix-free.
    Uzawa {
        /// The step ρ h², in units of the least mass [–]. It converges for less than 2/‖B‖², which is 1/3 for a triangular lattice.
        step: f64,
        /// Velocity by which bounds may be violated \[m/s\]: a length over the time step.
        tolerance: f64,
        /// Largest number of iterations.
        iterations: usize,
    },
}

impl ProjectionSettings {
    /// The defaults.
    pub const DEFAULT: Self = Self {
        method: ProjectionMethod::Newton,
        tolerance: 1e-10,
        friction_tolerance: 1e-9,
        target: 1e-12,
        regularisation: 1e-6,
        first_penalty: 1e3,
        penalty_growth: 10.0,
        last_penalty: 1e7,
        rounds: 40,
        newton_steps: 60,
        friction_rounds: 25,
    };
}

impl Default for ProjectionSettings {
    fn default() -> Self {
        Self::DEFAULT
    }
}
