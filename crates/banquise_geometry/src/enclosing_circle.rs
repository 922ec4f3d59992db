//! Smallest circle round a set of points.

use crate::DVec2;

/// A circle with what it encloses.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Circle {
    /// Centre \[m\].
    pub center: DVec2,
    /// Radius \[m\].
    pub radius: f64,
}

impl Circle {
    /// Whether the point \[m\] is inside or on the circle.
    pub fn contains(&self, point: DVec2) -> bool {
        (point - self.center).length() <= self.radius
    }
}

/// A centre with the two or three points, named by their indices, that its circle rests on.
struct Candidate {
    center: DVec2,
    radius: f64,
    support: Vec<usize>,
}

/// The smallest circle that contains all the points, of which there is at least one.
///
/// Keeps two or three supporting points; while some point lies outside their circle, replaces it
/// by the smallest circle of the support and the farthest point (the idea of Elzinga & Hearn 1972,
/// doi:10.1287/trsc.6.4.379). The radius grows at each turn and the sets of three are finite, so
/// it ends; there is no random order and no tolerance. At the end the radius is the distance to
/// the farthest point, so that every point satisfies [`Circle::contains`] to the last bit.
pub(crate) fn smallest_enclosing_circle(points: &[DVec2]) -> Circle {
    let origin = points[0];
    let local: Vec<DVec2> = points.iter().map(|&point| point - origin).collect();
    let (mut outermost, _) = farthest(&local, DVec2::ZERO);
    let mut best = best_candidate(&local, &[0, outermost]);
    loop {
        let (index, distance) = farthest(&local, best.center);
        outermost = index;
        if distance <= best.radius {
            break;
        }
        let mut trial = best.support.clone();
        trial.push(outermost);
        let next = best_candidate(&local, &trial);
        if next.radius <= best.radius {
            break; // What sticks out is round-off.
        }
        best = next;
    }
    let center = origin + best.center;
    Circle {
        center,
        radius: farthest(points, center).1,
    }
}

/// The smallest circle of at most four points, found by trying them all.
///
/// The centre sought is the middle of a pair or the circumcentre of a triple. Each centre is
/// judged by the radius it needs to cover all the points, so a circumcentre spoilt by round-off
/// (of three points nearly in line) needs a large one and loses: no test of degeneracy is needed.
fn best_candidate(points: &[DVec2], indices: &[usize]) -> Candidate {
    let first = indices[0];
    let mut best = Candidate {
        center: points[first],
        radius: f64::INFINITY,
        support: vec![first],
    };
    let mut consider = |center: DVec2, support: &[usize]| {
        let reach = |&i: &usize| (points[i] - center).length();
        let radius = indices.iter().map(reach).fold(0.0, f64::max);
        // A NaN centre has a zero fold, so it must be refused by itself.
        if center.is_finite() && radius < best.radius {
            best = Candidate {
                center,
                radius,
                support: support.to_vec(),
            };
        }
    };
    for (k, &i) in indices.iter().enumerate() {
        for (l, &j) in indices.iter().enumerate().skip(k + 1) {
            consider(points[i] + 0.5 * (points[j] - points[i]), &[i, j]);
            for &m in indices.iter().skip(l + 1) {
                consider(circumcenter(points[i], points[j], points[m]), &[i, j, m]);
            }
        }
    }
    best
}

/// Centre of the circle through three points; not finite if they are in line.
fn circumcenter(a: DVec2, b: DVec2, c: DVec2) -> DVec2 {
    let (b, c) = (b - a, c - a);
    let normal = b.length_squared() * c - c.length_squared() * b;
    a - normal.perp() / (2.0 * b.perp_dot(c))
}

/// Index and distance of the point farthest from `center`; the first of equals.
fn farthest(points: &[DVec2], center: DVec2) -> (usize, f64) {
    let mut best = (0, 0.0);
    for (index, &point) in points.iter().enumerate() {
        let distance = (point - center).length();
        if distance > best.1 {
            best = (index, distance);
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math;

    #[test]
    fn an_acute_triangle_has_its_circumcircle() {
        let points = [
            DVec2::new(1.0, 0.0),
            DVec2::new(-0.6, 0.8),
            DVec2::new(-0.6, -0.8),
        ];
        let circle = smallest_enclosing_circle(&points);
        assert!(circle.center.length() < 1e-15);
        assert!((circle.radius - 1.0).abs() < 1e-15);
    }

    #[test]
    fn an_obtuse_triangle_has_the_circle_of_its_longest_side() {
        let points = [DVec2::ZERO, DVec2::new(1.0, 0.1), DVec2::new(2.0, 0.0)];
        let circle = smallest_enclosing_circle(&points);
        assert_eq!(
            circle,
            Circle {
                center: DVec2::X,
                radius: 1.0
            }
        );
    }

    #[test]
    fn points_nearly_in_line_do_not_blow_up() {
        for lift in [1e-3, 1e-8, 1e-14, 1e-17, 0.0] {
            let points: Vec<DVec2> = (0..=10)
                .map(|k| DVec2::new(f64::from(k), if k == 4 { lift } else { 0.0 }))
                .collect();
            let circle = smallest_enclosing_circle(&points);
            assert!((circle.radius - 5.0).abs() < 1e-14);
        }
    }

    #[test]
    fn three_thousand_cocircular_points_are_no_trouble() {
        let far = DVec2::new(1e5, -3e5);
        let points: Vec<DVec2> = (0..3000)
            .map(|k| {
                let (sin, cos) = math::sin_cos(f64::from(k) * 2.399_963);
                far + 50.0 * DVec2::new(cos, sin)
            })
            .collect();
        let circle = smallest_enclosing_circle(&points);
        // Coordinates of 3e5 m are rounded at 3e-11 m.
        assert!((circle.center - far).length() < 1e-9);
        assert!((circle.radius - 50.0).abs() < 1e-9);
        assert!(points.iter().all(|&point| circle.contains(point)));
    }
}
