//! Settings of the solver.

/// How exactly bodies are kept rigid.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SolverSettings {
    /// Strain rate left in the bodies over that without stresses, each sample weighted by its covered share \[1\].
    pub tolerance: f64,
    /// Iterations after which the solver gives up. Usual are 15 to 40 for a tolerance of 1e-6.
    pub max_iterations: usize,
    /// Viscosity of the bodies beyond that of the fluid, over that of the fluid \[1\]: infinite for rigid bodies, 1/(ε μ) for the penalty method of Lefebvre (2007, eq. 1.13).
    pub viscosity_ratio: f64,
}

impl Default for SolverSettings {
    fn default() -> Self {
        Self {
            tolerance: 1e-8,
            max_iterations: 1000,
            viscosity_ratio: f64::INFINITY,
        }
    }
}
