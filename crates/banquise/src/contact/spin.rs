//! Obstacles that spin, in a fixed step of the laws other than Coulomb's.

use banquise_geometry::DVec2;

use super::candidate::ContactCandidate;
use crate::body::Bodies;

/// Relative normal velocity that obstacles which spin give to a contact [m/s], where they are at the end of the step already (the rows `ahead`), so that it closes no gap.
pub(super) fn spin_velocity(bodies: &Bodies, candidate: &ContactCandidate, ahead: &[usize]) -> f64 {
    if ahead.is_empty() {
        return 0.0;
    }
    let approach = &candidate.approach;
    let velocity = |row: usize, point: DVec2| {
        let motion = &bodies.motions[row];
        let is_ahead = ahead.binary_search(&row).is_ok();
        let own = motion.velocity.at(point - motion.pose.position);
        if is_ahead {
            own.dot(approach.normal)
        } else {
            0.0
        }
    };
    let of_b = candidate
        .b
        .map_or(0.0, |b| velocity(b, approach.point_b - candidate.offset));
    of_b - velocity(candidate.a, approach.point_a)
}
