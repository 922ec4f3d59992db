//! How a floe broke: where its cracks are, and under which forces.

use banquise_geometry::{DVec2, Outline, Pose, SplitPiece, facing_sides};

/// How a floe broke, in its own frame at that time.
#[derive(Debug, Clone, PartialEq)]
pub struct Breakage {
    /// Where the floe was.
    pub pose: Pose,
    /// Cracks \[m\], straight parts one by one.
    pub cracks: Vec<[DVec2; 2]>,
    /// Contact forces that broke it; empty where they are not known.
    pub forces: Vec<BreakingForce>,
}

/// A contact force on a floe that broke under it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BreakingForce {
    /// Where, in the frame of the floe \[m\].
    pub point: DVec2,
    /// Force on the floe, in its frame \[N\].
    pub force: DVec2,
    /// Half the width over which it is spread \[m\].
    pub radius: f64,
}

impl Breakage {
    /// The cracks between pieces of a floe that is here.
    pub(super) fn new(pose: Pose, pieces: &[SplitPiece]) -> Self {
        let outlines: Vec<&Outline> = pieces.iter().map(|piece| &piece.outline).collect();
        let area: f64 = pieces.iter().map(|piece| piece.area).sum();
        let slits: f64 = pieces.iter().map(SplitPiece::slit_area).sum();
        // One crack fewer than pieces, about half as long as the floe is wide: twice the width of a slit.
        let cracks = pieces.len().saturating_sub(1).max(1) as f64;
        let reach = 4.0 * slits / (cracks * area.sqrt());
        Self {
            pose,
            cracks: facing_sides(&outlines, reach),
            forces: Vec::new(),
        }
    }

    /// The cracks in the world \[m\].
    pub fn cracks_in_world(&self) -> impl Iterator<Item = [DVec2; 2]> + '_ {
        let place = |point: DVec2| self.pose.world_from_body(point);
        self.cracks.iter().map(move |ends| ends.map(place))
    }
}
