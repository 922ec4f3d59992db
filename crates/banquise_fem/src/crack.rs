//! Which crack a floe's energy balance asks for.

use banquise_geometry::DVec2;

use crate::lips::Lips;

/// How cracks are searched for.
#[derive(Clone, Debug, PartialEq)]
pub struct CrackSettings {
    /// Candidate cracks that are ranked.
    pub candidates: usize,
    /// Of these, the best, whose field is solved again with the crack open.
    pub resolved: usize,
    /// Of these, how many are searched for about the best of the others.
    pub refined: usize,
    /// Smallest area of either piece \[m²\].
    pub smallest_area: f64,
    /// Whether a search ends as soon as the first cracks release far too little.
    pub gives_up: bool,
    /// How lips touch.
    pub lips: Lips,
}

impl Default for CrackSettings {
    /// 200 candidates of some twenty boundary points; ten solved again, half of them about the best of the others.
    fn default() -> Self {
        Self {
            candidates: 200,
            resolved: 10,
            refined: 5,
            smallest_area: 0.0,
            gives_up: true,
            lips: Lips::Interlocked,
        }
    }
}

/// A crack through a floe.
#[derive(Clone, Debug, PartialEq)]
pub struct Crack {
    /// From boundary to boundary, in the floe's own frame \[m\]. It leaves two pieces.
    pub path: Vec<DVec2>,
    /// Length \[m\].
    pub length: f64,
    /// Energy released \[J\]: the drop of Π.
    pub released: f64,
}
