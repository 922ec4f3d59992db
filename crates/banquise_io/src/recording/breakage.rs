//! A floe that broke, as recordings have it.

use banquise::{BreakingForce, Gone};
use banquise_geometry::{DVec2, Pose};

/// A floe that broke.
#[derive(Debug, Clone, PartialEq)]
pub struct RecordedBreakage {
    /// When \[s\].
    pub time: f64,
    /// Its row in the table of bodies.
    pub body: usize,
    /// Where it was.
    pub pose: Pose,
    /// Straight parts of its cracks in the world \[m\].
    pub cracks: Vec<[DVec2; 2]>,
    /// Contact forces that broke it, in its frame.
    pub forces: Vec<BreakingForce>,
}

impl RecordedBreakage {
    /// How a body that is gone broke, where it did.
    pub fn of(gone: &Gone) -> Option<Self> {
        let breakage = gone.breakage.as_ref()?;
        Some(Self {
            time: gone.time,
            body: gone.id.0 as usize,
            pose: breakage.pose,
            cracks: breakage.cracks_in_world().collect(),
            forces: breakage.forces.clone(),
        })
    }
}
