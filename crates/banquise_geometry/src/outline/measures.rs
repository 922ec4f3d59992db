//! Measures of an outline: area, centroid, moments, diameters.

use std::f64::consts::PI;

use crate::enclosing_circle::{Circle, smallest_enclosing_circle};
use crate::moments::closed_length;
use crate::outline::validate::flush_negligible;
use crate::predicates::{Orientation, in_box, orientation};
use crate::segment::distance_point_segment;
use crate::{DVec2, Outline};

impl Outline {
    /// Area \[m²\].
    pub fn area(&self) -> f64 {
        self.moments.area
    }

    /// Centroid \[m\].
    pub fn centroid(&self) -> DVec2 {
        self.moments.centroid
    }

    /// ∫|p - c|² over the floe, about its centroid c \[m⁴\].
    pub fn second_moment(&self) -> f64 {
        self.moments.second_moment()
    }

    /// Length of the boundary \[m\].
    pub fn perimeter(&self) -> f64 {
        closed_length(&self.vertices)
    }

    /// P²/4πS: 1 for a disc, more for anything else.
    pub fn roundness(&self) -> f64 {
        let perimeter = self.perimeter();
        perimeter * perimeter / (4.0 * PI * self.area())
    }

    /// Width between two parallel lines, averaged over all directions \[m\].
    ///
    /// Cauchy's formula: for a convex shape it is the perimeter over π, and the width of a shape
    /// is that of its hull (Santaló 2004, doi:10.1017/CBO9780511617331, chapter 1).
    pub fn mean_caliper_diameter(&self) -> f64 {
        self.convex_hull().perimeter() / PI
    }

    /// Area over area of the convex hull: 1 if convex, less otherwise.
    pub fn convexity(&self) -> f64 {
        self.area() / self.convex_hull().area()
    }

    /// The smallest circle that contains the outline.
    pub fn enclosing_circle(&self) -> Circle {
        // The circle rests on corners of the hull, which are few.
        smallest_enclosing_circle(self.convex_hull().vertices())
    }

    /// Whether the point \[m\] is inside or on the boundary; exact.
    ///
    /// Counts the turns of the boundary round the point (Sunday 2001, winding number).
    pub fn contains(&self, point: DVec2) -> bool {
        // Also refuses NaN; beyond this range the predicates would not be exact.
        if !(point.abs().max_element() <= Self::MAX_COORDINATE && point.is_finite()) {
            return false;
        }
        let point = flush_negligible(point);
        let mut winding = 0;
        for (a, b) in self.edges() {
            if (a.y > point.y) == (b.y > point.y) && !in_box(point, a, b) {
                continue;
            }
            match orientation(a, b, point) {
                Orientation::Collinear if in_box(point, a, b) => return true,
                Orientation::CounterClockwise if a.y <= point.y && b.y > point.y => winding += 1,
                Orientation::Clockwise if a.y > point.y && b.y <= point.y => winding -= 1,
                _ => {}
            }
        }
        winding != 0
    }

    /// Distance from a point \[m\] to the floe \[m\]: zero inside, infinite from a point that is not
    /// finite.
    pub fn distance_to_point(&self, point: DVec2) -> f64 {
        if self.contains(point) {
            return 0.0;
        }
        self.edges()
            .map(|(a, b)| distance_point_segment(point, a, b).distance)
            .fold(f64::INFINITY, f64::min)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn square() -> Outline {
        let p = DVec2::new;
        Outline::try_new(vec![p(0.0, 0.0), p(2.0, 0.0), p(2.0, 2.0), p(0.0, 2.0)]).unwrap()
    }

    #[test]
    fn a_square_has_its_textbook_measures() {
        let square = square();
        assert_eq!(square.area(), 4.0);
        assert_eq!(square.centroid(), DVec2::ONE);
        // a⁴/6 about the centre.
        assert!((square.second_moment() - 16.0 / 6.0).abs() < 1e-14);
        assert_eq!(square.perimeter(), 8.0);
        assert!((square.roundness() - 4.0 / PI).abs() < 1e-15);
        assert!((square.mean_caliper_diameter() - 8.0 / PI).abs() < 1e-15);
        assert_eq!(square.convexity(), 1.0);
        let circle = square.enclosing_circle();
        assert_eq!(circle.center, DVec2::ONE);
        assert_eq!(circle.radius, 2.0_f64.sqrt());
    }

    #[test]
    fn the_boundary_counts_as_inside() {
        let square = square();
        assert!(square.contains(DVec2::ONE));
        assert!(square.contains(DVec2::ZERO));
        assert!(square.contains(DVec2::new(2.0, 1.0)));
        assert!(square.contains(DVec2::new(1.0, 2.0)));
        assert!(!square.contains(DVec2::new(2.0 + 1e-15, 1.0)));
        assert!(!square.contains(DVec2::new(-1.0, 0.0)));
        assert!(!square.contains(DVec2::new(-1.0, 2.0)));
        assert!(!square.contains(DVec2::new(f64::NAN, 1.0)));
        assert!(!square.contains(DVec2::new(1e300, 1.0)));
        assert!(!square.contains(DVec2::new(f64::INFINITY, 1.0)));
    }

    #[test]
    fn distance_to_a_point_is_zero_inside() {
        let square = square();
        assert_eq!(square.distance_to_point(DVec2::ONE), 0.0);
        assert_eq!(square.distance_to_point(DVec2::new(1.0, 5.0)), 3.0);
        assert_eq!(square.distance_to_point(DVec2::new(5.0, 6.0)), 5.0);
    }
}
