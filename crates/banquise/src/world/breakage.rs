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

/// Cracks are looked for as short as a sixty-fourth of the width of the floe, √A.
const DOUBLINGS: u32 = 5;

impl Breakage {
    /// The cracks between pieces of a floe that is here.
    pub(super) fn new(pose: Pose, pieces: &[SplitPiece]) -> Self {
        let outlines: Vec<&Outline> = pieces.iter().map(|piece| &piece.outline).collect();
        let area: f64 = pieces.iter().map(|piece| piece.area).sum();
        let slits: f64 = pieces.iter().map(SplitPiece::slit_area).sum();
        // One crack fewer than pieces, about half as long as the floe is wide: twice the width of a slit.
        let count = pieces.len().saturating_sub(1).max(1) as f64;
        let mut reach = 4.0 * slits / (count * area.sqrt());
        let mut cracks = facing_sides(&outlines, reach);
        // Across the arms of a concave floe they are shorter. Slits are found once the reach is their width.
        for _ in 0..DOUBLINGS {
            let length: f64 = cracks.iter().map(|[a, b]| a.distance(*b)).sum();
            if length * reach >= slits {
                break;
            }
            reach *= 2.0;
            cracks = facing_sides(&outlines, reach);
        }
        Self {
            pose,
            cracks,
            forces: Vec::new(),
        }
    }

    /// The cracks in the world \[m\].
    pub fn cracks_in_world(&self) -> impl Iterator<Item = [DVec2; 2]> + '_ {
        let place = |point: DVec2| self.pose.world_from_body(point);
        self.cracks.iter().map(move |ends| ends.map(place))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use banquise_geometry::{Rotation, split};

    #[test]
    fn cracks_across_the_arms_of_a_concave_floe_are_found() {
        let corners = [
            [-60, 0],
            [60, 0],
            [60, 100],
            [35, 100],
            [35, 20],
            [-35, 20],
            [-35, 100],
            [-60, 100],
        ];
        let corners = corners.map(|[x, y]| DVec2::new(f64::from(x), f64::from(y)));
        let whole = SplitPiece::whole(Outline::try_new(corners.to_vec()).unwrap());
        let mut pieces = vec![whole];
        for y in [40.0, 50.0, 60.0, 70.0, 80.0] {
            let crack = [DVec2::new(35.0, y), DVec2::new(60.0, y)];
            let rest = pieces.pop().unwrap();
            let mut halves = split(&rest, &crack, 0.4).unwrap().to_vec();
            halves.sort_by(|a, b| a.centroid.y.total_cmp(&b.centroid.y));
            // The upper end of the arm is cut again.
            pieces.extend(halves);
        }
        let pose = Pose {
            position: DVec2::ZERO,
            rotation: Rotation::IDENTITY,
        };
        let breakage = Breakage::new(pose, &pieces);
        let length: f64 = breakage.cracks.iter().map(|[a, b]| a.distance(*b)).sum();
        assert!((length / 125.0 - 1.0).abs() < 0.05, "{length}");
    }
}
