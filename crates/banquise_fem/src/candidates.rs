//! Straight cracks from boundary to boundary that are worth a look.

use banquise_geometry::{DVec2, distance_point_segment};

use crate::crack::CrackSettings;
use crate::load::Load;
use crate::mesh::is_inside;

/// The outline of a floe, with the distance along it.
#[derive(Clone, Debug)]
pub(crate) struct Boundary {
    /// The outline alone: rings are what tests of points take.
    rings: [Vec<DVec2>; 1],
    /// Distance along the boundary to each vertex, and the perimeter \[m\].
    start: Vec<f64>,
    /// Twice the area between the origin and the boundary up to each vertex \[m²\].
    swept: Vec<f64>,
}

/// A point of the boundary.
#[derive(Clone, Copy, Debug)]
struct BoundaryPoint {
    /// Distance along the boundary \[m\].
    along: f64,
    edge: usize,
    point: DVec2,
}

/// A straight crack between two points of the boundary.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Chord {
    ends: [BoundaryPoint; 2],
}

impl Chord {
    /// Both ends \[m\].
    pub(crate) fn points(&self) -> [DVec2; 2] {
        self.ends.map(|end| end.point)
    }

    pub(crate) fn length(&self) -> f64 {
        let [a, b] = self.points();
        a.distance(b)
    }

    /// The farther of two ends from those of another crack, along the boundary \[m\].
    pub(crate) fn distance(&self, other: &Self, boundary: &Boundary) -> f64 {
        let apart = |i: usize, j: usize| {
            let direct = (self.ends[i].along - other.ends[j].along).abs();
            direct.min(boundary.perimeter() - direct)
        };
        let same = apart(0, 0).max(apart(1, 1));
        let swapped = apart(0, 1).max(apart(1, 0));
        same.min(swapped)
    }
}

/// Rounds in which points are added until there are as many cracks as asked for: chords between points of one side are none.
const ROUNDS: usize = 8;

/// How far beside a concave corner cracks start, as a share of the edge. In the corner itself, a node of the mesh, triangles behind
/// it would tie the lips together.
const BESIDE: f64 = 1e-3;

impl Boundary {
    pub(crate) fn new(ring: &[DVec2]) -> Self {
        let (mut start, mut swept) = (vec![0.0], vec![0.0]);
        for (i, &from) in ring.iter().enumerate() {
            let to = ring[(i + 1) % ring.len()];
            start.push(start[i] + from.distance(to));
            swept.push(swept[i] + from.perp_dot(to));
        }
        Self {
            rings: [ring.to_vec()],
            start,
            swept,
        }
    }

    fn ring(&self) -> &[DVec2] {
        &self.rings[0]
    }

    pub(crate) fn perimeter(&self) -> f64 {
        self.start[self.ring().len()]
    }

    /// Chords inside the outline with pieces of at least the smallest area.
    ///
    /// Their ends are where contacts press, the sharpest concave corners, and points at equal distances between.
    pub(crate) fn chords(&self, load: &Load, settings: &CrackSettings) -> Vec<Chord> {
        // n points have n (n - 1)/2 chords.
        let count = (0.5 * (1.0 + (1.0 + 8.0 * settings.candidates as f64).sqrt())) as usize;
        let mut fixed = self.contact_points(load, count / 3);
        fixed.extend(self.concave_corners(count / 4));
        let mut chords = Vec::new();
        for round in 0..ROUNDS {
            let mut points = fixed.clone();
            points.extend(self.spaced_points(count.saturating_sub(fixed.len()) + round));
            let more = self.between(&points, settings);
            if more.len() > settings.candidates {
                break;
            }
            chords = more;
        }
        chords
    }

    fn between(&self, points: &[BoundaryPoint], settings: &CrackSettings) -> Vec<Chord> {
        let mut chords = Vec::new();
        for (i, a) in points.iter().enumerate() {
            for b in &points[..i] {
                chords.extend(self.chord([*b, *a], settings));
            }
        }
        chords
    }

    /// The chord between two points, if it is a crack.
    fn chord(&self, ends: [BoundaryPoint; 2], settings: &CrackSettings) -> Option<Chord> {
        let [a, b] = ends;
        let total = 0.5 * self.swept[self.ring().len()];
        let piece = self.piece_area(&a, &b);
        let smallest = settings.smallest_area.max(1e-9 * total);
        let is_crack = piece.min(total - piece) >= smallest && self.has_inside(a.point, b.point);
        is_crack.then_some(Chord { ends })
    }

    /// Chords about one, whose ends are moved by multiples of a step \[m\], at most `reach` of them.
    pub(crate) fn neighbours(
        &self,
        chord: &Chord,
        step: f64,
        reach: i32,
        settings: &CrackSettings,
    ) -> Vec<Chord> {
        let moved =
            |end: usize, steps: i32| self.at(chord.ends[end].along + step * f64::from(steps));
        let mut chords = Vec::new();
        for first in -reach..=reach {
            for second in -reach..=reach {
                if (first, second) != (0, 0) {
                    chords.extend(self.chord([moved(0, first), moved(1, second)], settings));
                }
            }
        }
        chords
    }

    /// The point at a distance along the boundary, which may be beyond its end.
    fn at(&self, along: f64) -> BoundaryPoint {
        let along = along.rem_euclid(self.perimeter());
        let edge = self.start.partition_point(|start| *start <= along);
        let edge = edge.clamp(1, self.ring().len()) - 1;
        let [from, to] = self.edge(edge);
        let share = (along - self.start[edge]) / (self.start[edge + 1] - self.start[edge]);
        BoundaryPoint {
            along,
            edge,
            point: from.lerp(to, share.min(1.0)),
        }
    }

    fn edge(&self, edge: usize) -> [DVec2; 2] {
        let ring = self.ring();
        [ring[edge], ring[(edge + 1) % ring.len()]]
    }

    fn contact_points(&self, load: &Load, most: usize) -> Vec<BoundaryPoint> {
        let mut contacts: Vec<_> = load.contacts.iter().collect();
        contacts.sort_by(|a, b| {
            b.force
                .length_squared()
                .total_cmp(&a.force.length_squared())
        });
        let strongest = contacts.iter().take(most);
        strongest
            .map(|contact| self.closest(contact.point))
            .collect()
    }

    fn closest(&self, point: DVec2) -> BoundaryPoint {
        let mut best = (f64::INFINITY, 0.0);
        for edge in 0..self.ring().len() {
            let [from, to] = self.edge(edge);
            let closest = distance_point_segment(point, from, to);
            if closest.distance < best.0 {
                let along = self.start[edge] + from.distance(to) * closest.parameter;
                best = (closest.distance, along);
            }
        }
        self.at(best.1)
    }

    fn concave_corners(&self, most: usize) -> Vec<BoundaryPoint> {
        let (ring, n) = (self.ring(), self.ring().len());
        let turn = |i: usize| {
            let before = (ring[i] - ring[(i + n - 1) % n]).normalize();
            let after = (ring[(i + 1) % n] - ring[i]).normalize();
            before.perp_dot(after)
        };
        let mut corners: Vec<(f64, usize)> = (0..n)
            .map(|i| (turn(i), i))
            .filter(|(t, _)| *t < 0.0)
            .collect();
        corners.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        let corner = |(_, i): (f64, usize)| {
            self.at(self.start[i] + BESIDE * ring[i].distance(ring[(i + 1) % n]))
        };
        corners.into_iter().take(most).map(corner).collect()
    }

    fn spaced_points(&self, count: usize) -> Vec<BoundaryPoint> {
        let spacing = self.perimeter() / count.max(1) as f64;
        let place = |k: usize| self.at((k as f64 + 0.5) * spacing);
        (0..count).map(place).collect()
    }

    /// Area of the piece between two points of the boundary, counter-clockwise from the first in order.
    fn piece_area(&self, a: &BoundaryPoint, b: &BoundaryPoint) -> f64 {
        let is_first = (a.edge, a.along) <= (b.edge, b.along);
        let (from, to) = if is_first { (a, b) } else { (b, a) };
        let back = to.point.perp_dot(from.point);
        if from.edge == to.edge {
            return 0.5 * (from.point.perp_dot(to.point) + back);
        }
        let [_, first] = self.edge(from.edge);
        let [last, _] = self.edge(to.edge);
        let between = self.swept[to.edge] - self.swept[from.edge + 1];
        let ends = from.point.perp_dot(first) + last.perp_dot(to.point);
        0.5 * (ends + between + back)
    }

    /// Whether a chord between two points of the boundary is inside.
    fn has_inside(&self, a: DVec2, b: DVec2) -> bool {
        // Ends are on the boundary within rounding: the middle part is tested.
        const END: f64 = 1e-6;
        let (from, to) = (a + (b - a) * END, b + (a - b) * END);
        let side = |p: DVec2, q: DVec2, r: DVec2| (q - p).perp_dot(r - p);
        let crosses = (0..self.ring().len()).any(|edge| {
            let [p, q] = self.edge(edge);
            (side(from, to, p) > 0.0) != (side(from, to, q) > 0.0)
                && (side(p, q, from) > 0.0) != (side(p, q, to) > 0.0)
        });
        !crosses && is_inside(&self.rings, 0.5 * (a + b))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ell() -> Boundary {
        let p = DVec2::new;
        Boundary::new(&[
            p(0.0, 0.0),
            p(4.0, 0.0),
            p(4.0, 1.0),
            p(1.0, 1.0),
            p(1.0, 4.0),
            p(0.0, 4.0),
        ])
    }

    #[test]
    fn chords_stay_inside_and_leave_large_pieces() {
        let settings = CrackSettings {
            smallest_area: 0.5,
            ..CrackSettings::default()
        };
        let chords = ell().chords(&Load::default(), &settings);
        assert!(
            chords.len() > 100 && chords.len() <= 200,
            "{}",
            chords.len()
        );
        for chord in chords {
            let [a, b] = chord.points();
            for k in 1..20 {
                let point = a + (b - a) * (f64::from(k) / 20.0);
                assert!(point.x < 1.0 + 1e-9 || point.y < 1.0 + 1e-9, "{point}");
            }
        }
    }

    #[test]
    fn pieces_have_their_areas() {
        let boundary = ell();
        // From the middle of the lower side to the inner corner: 2 by 1 to its right.
        let area = |from: f64, to: f64| boundary.piece_area(&boundary.at(from), &boundary.at(to));
        assert!((area(2.0, 7.0) - 2.0).abs() < 1e-12, "{}", area(2.0, 7.0));
        assert!((area(7.0, 2.0) - 2.0).abs() < 1e-12);
        // From the inner side of the upright arm to the origin, which is the start and the end of the boundary.
        assert!((area(8.0, 0.0) - 3.5).abs() < 1e-12, "{}", area(8.0, 0.0));
        assert!(area(1.0, 3.0).abs() < 1e-12);
    }
}
