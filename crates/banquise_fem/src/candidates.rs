//! Straight cracks from boundary to boundary that are worth a look.

use banquise_geometry::{DVec2, distance_point_segment};

use crate::crack::CrackSettings;
use crate::load::Load;
use crate::mesh::is_inside;

/// A point of the boundary: the edge it is on and how far along \[m\].
#[derive(Clone, Copy, Debug)]
struct BoundaryPoint {
    point: DVec2,
    edge: usize,
    along: f64,
}

/// Chords of the outline inside it, with pieces of at least the smallest area.
///
/// Their ends are where contacts press, the sharpest concave corners, and points at equal distances between.
pub(crate) fn chords(ring: &[DVec2], load: &Load, settings: &CrackSettings) -> Vec<[DVec2; 2]> {
    // n points have n (n - 1)/2 chords.
    let count = (0.5 * (1.0 + (1.0 + 8.0 * settings.candidates as f64).sqrt())) as usize;
    let mut points = contact_points(ring, load, count / 3);
    points.extend(concave_corners(ring, count / 4));
    let spaced = count.saturating_sub(points.len());
    points.extend(spaced_points(ring, spaced));
    let total = signed_area(ring.iter().copied());
    let mut chords = Vec::new();
    for (i, a) in points.iter().enumerate() {
        for b in &points[..i] {
            let piece = piece_area(ring, a, b);
            let is_large = piece.min(total - piece) >= settings.smallest_area.max(1e-9 * total);
            if is_large && lies_inside(ring, a.point, b.point) {
                chords.push([b.point, a.point]);
            }
        }
    }
    chords
}

fn contact_points(ring: &[DVec2], load: &Load, most: usize) -> Vec<BoundaryPoint> {
    let mut contacts: Vec<_> = load.contacts.iter().collect();
    contacts.sort_by(|a, b| {
        b.force
            .length_squared()
            .total_cmp(&a.force.length_squared())
    });
    let project = |point: DVec2| {
        let mut best = (
            f64::INFINITY,
            BoundaryPoint {
                point,
                edge: 0,
                along: 0.0,
            },
        );
        for (edge, &from) in ring.iter().enumerate() {
            let to = ring[(edge + 1) % ring.len()];
            let closest = distance_point_segment(point, from, to);
            if closest.distance < best.0 {
                let point = from + (to - from) * closest.parameter;
                best = (
                    closest.distance,
                    BoundaryPoint {
                        point,
                        edge,
                        along: from.distance(point),
                    },
                );
            }
        }
        best.1
    };
    contacts
        .iter()
        .take(most)
        .map(|contact| project(contact.point))
        .collect()
}

fn concave_corners(ring: &[DVec2], most: usize) -> Vec<BoundaryPoint> {
    let n = ring.len();
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
    let corner = |(_, i): (f64, usize)| BoundaryPoint {
        point: ring[i],
        edge: i,
        along: 0.0,
    };
    corners.into_iter().take(most).map(corner).collect()
}

fn spaced_points(ring: &[DVec2], count: usize) -> Vec<BoundaryPoint> {
    let length = |edge: usize| ring[edge].distance(ring[(edge + 1) % ring.len()]);
    let perimeter: f64 = (0..ring.len()).map(length).sum();
    let mut points = Vec::with_capacity(count);
    let (mut edge, mut before) = (0, 0.0);
    for k in 0..count {
        let at = perimeter * (k as f64 + 0.5) / count as f64;
        while edge + 1 < ring.len() && before + length(edge) < at {
            before += length(edge);
            edge += 1;
        }
        let along = (at - before).min(length(edge));
        let point =
            ring[edge] + (ring[(edge + 1) % ring.len()] - ring[edge]) * (along / length(edge));
        points.push(BoundaryPoint { point, edge, along });
    }
    points
}

fn signed_area(points: impl Iterator<Item = DVec2>) -> f64 {
    let points: Vec<DVec2> = points.collect();
    let next = points.iter().cycle().skip(1);
    0.5 * points
        .iter()
        .zip(next)
        .map(|(a, b)| a.perp_dot(*b))
        .sum::<f64>()
}

/// Area of the piece between two points of the boundary, counter-clockwise from the first in order.
fn piece_area(ring: &[DVec2], a: &BoundaryPoint, b: &BoundaryPoint) -> f64 {
    let is_first = (a.edge, a.along) <= (b.edge, b.along);
    let (from, to) = if is_first { (a, b) } else { (b, a) };
    let between = ring[from.edge + 1..]
        .iter()
        .take(to.edge - from.edge)
        .copied();
    signed_area(
        std::iter::once(from.point)
            .chain(between)
            .chain(std::iter::once(to.point)),
    )
}

/// Whether a chord between two points of the boundary is inside.
fn lies_inside(ring: &[DVec2], a: DVec2, b: DVec2) -> bool {
    // Ends are on the boundary within rounding: the middle part is tested.
    const END: f64 = 1e-6;
    let (from, to) = (a + (b - a) * END, b + (a - b) * END);
    let side = |p: DVec2, q: DVec2, r: DVec2| (q - p).perp_dot(r - p);
    let crosses = ring.iter().enumerate().any(|(i, &p)| {
        let q = ring[(i + 1) % ring.len()];
        (side(from, to, p) > 0.0) != (side(from, to, q) > 0.0)
            && (side(p, q, from) > 0.0) != (side(p, q, to) > 0.0)
    });
    !crosses && is_inside(&[ring.to_vec()], 0.5 * (a + b))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chords_stay_inside_and_leave_large_pieces() {
        let p = DVec2::new;
        let ell = [
            p(0.0, 0.0),
            p(4.0, 0.0),
            p(4.0, 1.0),
            p(1.0, 1.0),
            p(1.0, 4.0),
            p(0.0, 4.0),
        ];
        let settings = CrackSettings {
            smallest_area: 0.5,
            ..CrackSettings::default()
        };
        let chords = chords(&ell, &Load::default(), &settings);
        assert!(chords.len() > 40, "{}", chords.len());
        for [a, b] in chords {
            for k in 1..20 {
                let point = a + (b - a) * (f64::from(k) / 20.0);
                assert!(point.x < 1.0 + 1e-9 || point.y < 1.0 + 1e-9, "{point}");
            }
        }
    }
}
