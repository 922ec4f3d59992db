//! Exact answers to yes-or-no questions about points.
//!
//! The sign of a determinant is wrong in plain floating point when points are nearly aligned.
//! `robust::orient2d` (Shewchuk 1997, doi:10.1007/PL00009321) always gives the right sign, as
//! long as no product overflows or underflows: coordinates must be zero or have a magnitude
//! between 1e-30 and 1e9 m, as those of an [`Outline`](crate::Outline) have.

use robust::{Coord, orient2d};

use crate::DVec2;

/// Which way one turns at `b` on the path from `a` through `b` to `c`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Orientation {
    /// To the left.
    CounterClockwise,
    /// To the right.
    Clockwise,
    /// The three points are exactly on one line.
    Collinear,
}

/// Which way the path from `a` through `b` to `c` turns; exact.
///
/// ```
/// use banquise_geometry::{DVec2, predicates::{Orientation, orientation}};
///
/// let turn = orientation(DVec2::ZERO, DVec2::X, DVec2::new(2.0, 1e-17));
/// assert_eq!(turn, Orientation::CounterClockwise);
/// ```
pub fn orientation(a: DVec2, b: DVec2, c: DVec2) -> Orientation {
    let determinant = orient2d(coord(a), coord(b), coord(c));
    if determinant > 0.0 {
        Orientation::CounterClockwise
    } else if determinant < 0.0 {
        Orientation::Clockwise
    } else {
        Orientation::Collinear
    }
}

/// Whether segments `ab` and `cd` share at least one point, ends included; exact.
pub fn segments_intersect(a: DVec2, b: DVec2, c: DVec2, d: DVec2) -> bool {
    // Most pairs are far apart: the boxes spare them the determinants.
    if a.max(b).cmplt(c.min(d)).any() || c.max(d).cmplt(a.min(b)).any() {
        return false;
    }
    let side_c = orientation(a, b, c);
    let side_d = orientation(a, b, d);
    let side_a = orientation(c, d, a);
    let side_b = orientation(c, d, b);
    if side_c != side_d && side_a != side_b {
        return true;
    }
    // What is left are aligned segments that overlap, and segments reduced to a point.
    let collinear = Orientation::Collinear;
    (side_c == collinear && in_box(c, a, b))
        || (side_d == collinear && in_box(d, a, b))
        || (side_a == collinear && in_box(a, c, d))
        || (side_b == collinear && in_box(b, c, d))
}

/// Whether `point` lies in the box spanned by `a` and `b`, border included.
pub(crate) fn in_box(point: DVec2, a: DVec2, b: DVec2) -> bool {
    point.cmpge(a.min(b)).all() && point.cmple(a.max(b)).all()
}

fn coord(point: DVec2) -> Coord<f64> {
    Coord {
        x: point.x,
        y: point.y,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn p(x: f64, y: f64) -> DVec2 {
        DVec2::new(x, y)
    }

    #[test]
    fn one_unit_in_the_last_place_off_the_line_is_seen() {
        // Kettner et al. (2008), doi:10.1016/j.comgeo.2007.06.003, section 2: the naive
        // determinant gets many of these wrong.
        let up = 0.5 + f64::EPSILON / 2.0;
        assert_eq!(
            orientation(p(12.0, 12.0), p(24.0, 24.0), p(0.5, 0.5)),
            Orientation::Collinear
        );
        assert_eq!(
            orientation(p(12.0, 12.0), p(24.0, 24.0), p(0.5, up)),
            Orientation::CounterClockwise
        );
        assert_eq!(
            orientation(p(12.0, 12.0), p(24.0, 24.0), p(up, 0.5)),
            Orientation::Clockwise
        );
    }

    #[test]
    fn crossing_touching_and_overlapping_segments_intersect() {
        assert!(segments_intersect(
            p(0.0, 0.0),
            p(2.0, 2.0),
            p(0.0, 2.0),
            p(2.0, 0.0)
        ));
        assert!(segments_intersect(
            p(0.0, 0.0),
            p(2.0, 0.0),
            p(1.0, 0.0),
            p(1.0, 5.0)
        ));
        assert!(segments_intersect(
            p(0.0, 0.0),
            p(2.0, 0.0),
            p(2.0, 0.0),
            p(3.0, 1.0)
        ));
        assert!(segments_intersect(
            p(0.0, 0.0),
            p(2.0, 0.0),
            p(1.0, 0.0),
            p(3.0, 0.0)
        ));
        assert!(segments_intersect(
            p(0.0, 0.0),
            p(4.0, 0.0),
            p(1.0, 0.0),
            p(2.0, 0.0)
        ));
        assert!(segments_intersect(
            p(1.0, 1.0),
            p(1.0, 1.0),
            p(0.0, 0.0),
            p(2.0, 2.0)
        ));
    }

    #[test]
    fn separate_segments_do_not_intersect() {
        assert!(!segments_intersect(
            p(0.0, 0.0),
            p(2.0, 0.0),
            p(3.0, 0.0),
            p(4.0, 0.0)
        ));
        assert!(!segments_intersect(
            p(0.0, 0.0),
            p(2.0, 2.0),
            p(1.0, 0.0),
            p(2.0, 1.0)
        ));
        assert!(!segments_intersect(
            p(0.0, 0.0),
            p(2.0, 2.0),
            p(1.5, 1.0),
            p(3.0, 1.0)
        ));
        assert!(!segments_intersect(
            p(1.0, 1.5),
            p(1.0, 1.5),
            p(0.0, 0.0),
            p(2.0, 2.0)
        ));
    }
}
