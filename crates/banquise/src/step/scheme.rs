//! Time schemes of velocities between contacts.

/// The time scheme of forces.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Scheme {
    /// Strang splitting: half a kick of the forces, the rotation by Coriolis, the other half. Coriolis does no work at
    /// all, and a steady drift is that of the equations up to (fΔt)²/12. The ocean layer receives
    /// exactly the momentum the ice gives it.
    #[default]
    Splitting,
    /// Explicit Euler as in Rabatel 2015 (section 2.1.2): Coriolis adds ½ (fΔt)² of the energy at each
    /// step.
    Euler,
}
