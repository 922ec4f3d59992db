//! Cutting triangles into compact cells of equal area.

use crate::DVec2;
use crate::moments::{Moments, triangle_area};

use super::Element;

type Triangle = [DVec2; 3];

/// Halvings in the search for a cut: the areas of the cells come out equal to about one part in
/// 10⁹, far more than a quadrature needs. Whatever the position of the cut, nothing is lost.
const CUT_HALVINGS: usize = 36;

/// The coordinate across which cells are cut.
#[derive(Clone, Copy)]
enum Axis {
    X,
    Y,
}

impl Axis {
    fn of(self, point: DVec2) -> f64 {
        match self {
            Self::X => point.x,
            Self::Y => point.y,
        }
    }
}

/// `count` cells of equal area filled by the triangles.
///
/// Recursive bisection: a set that must make k cells is cut by a straight line across its longer
/// side into two sets, of ⌊k/2⌋ and ⌈k/2⌉ cells, with areas in proportion. Triangles on the line
/// are cut. Grouping whole triangles instead would give poor cells: those of an outline with many
/// vertices are slivers as long as the floe.
pub(super) fn equal_cells(triangles: Vec<Triangle>, count: usize) -> Vec<Element> {
    if count == 1 {
        return vec![cell(&triangles)];
    }
    let axis = longer_axis(&triangles);
    let share = (count / 2) as f64 / count as f64;
    let cut = find_cut(&triangles, axis, share);
    let (mut below, mut above) = (Vec::new(), Vec::new());
    for triangle in triangles {
        split(triangle, axis, cut, &mut below, &mut above);
    }
    let mut cells = equal_cells(below, count / 2);
    cells.extend(equal_cells(above, count - count / 2));
    cells
}

fn cell(triangles: &[Triangle]) -> Element {
    if let [triangle] = triangles {
        return Element::from_triangle(*triangle);
    }
    let parts: Vec<Moments> = triangles
        .iter()
        .copied()
        .map(Moments::of_triangle)
        .collect();
    Element::from_moments(&Moments::of_union(&parts))
}

fn longer_axis(triangles: &[Triangle]) -> Axis {
    let points = || triangles.iter().flatten().copied();
    let min = points().fold(DVec2::INFINITY, DVec2::min);
    let max = points().fold(DVec2::NEG_INFINITY, DVec2::max);
    let extent = max - min;
    if extent.x >= extent.y {
        Axis::X
    } else {
        Axis::Y
    }
}

/// Where to cut so that `share` of the area lies below.
fn find_cut(triangles: &[Triangle], axis: Axis, share: f64) -> f64 {
    let coordinates = || triangles.iter().flatten().map(|&point| axis.of(point));
    let mut low = coordinates().fold(f64::INFINITY, f64::min);
    let mut high = coordinates().fold(f64::NEG_INFINITY, f64::max);
    let total: f64 = triangles.iter().copied().map(triangle_area).sum();
    for _ in 0..CUT_HALVINGS {
        let middle = 0.5 * (low + high);
        let below: f64 = triangles.iter().map(|&t| area_below(t, axis, middle)).sum();
        if below < share * total {
            low = middle;
        } else {
            high = middle;
        }
    }
    0.5 * (low + high)
}

/// Area of the part of a triangle below the cut \[m²\]: it grows with the square of the height
/// above the lowest vertex, then what is missing shrinks with the square of the height below the
/// highest.
fn area_below(triangle: Triangle, axis: Axis, cut: f64) -> f64 {
    let [low, middle, high] = sorted(triangle, axis).map(|point| axis.of(point));
    if cut <= low {
        0.0
    } else if cut >= high {
        triangle_area(triangle)
    } else if cut <= middle {
        triangle_area(triangle) * (cut - low) * (cut - low) / ((middle - low) * (high - low))
    } else {
        let missing = (high - cut) * (high - cut) / ((high - middle) * (high - low));
        triangle_area(triangle) * (1.0 - missing)
    }
}

/// Sends the parts of a triangle to either side of the cut.
fn split(
    triangle: Triangle,
    axis: Axis,
    cut: f64,
    below: &mut Vec<Triangle>,
    above: &mut Vec<Triangle>,
) {
    let [a, b, c] = sorted(triangle, axis);
    if cut <= axis.of(a) {
        above.push(triangle);
    } else if cut >= axis.of(c) {
        below.push(triangle);
    } else {
        // The line enters by the long side ac, and leaves by ab, by bc or through b.
        let on_ac = crossing(a, c, axis, cut);
        if cut < axis.of(b) {
            let on_ab = crossing(a, b, axis, cut);
            below.push([a, on_ab, on_ac]);
            above.push([on_ab, b, on_ac]);
            above.push([b, c, on_ac]);
        } else if cut > axis.of(b) {
            let on_bc = crossing(b, c, axis, cut);
            below.push([a, b, on_ac]);
            below.push([b, on_bc, on_ac]);
            above.push([on_bc, c, on_ac]);
        } else {
            below.push([a, b, on_ac]);
            above.push([b, c, on_ac]);
        }
    }
}

/// The point of segment `ab` on the cut; `a` is strictly below and `b` strictly above.
fn crossing(a: DVec2, b: DVec2, axis: Axis, cut: f64) -> DVec2 {
    let fraction = (cut - axis.of(a)) / (axis.of(b) - axis.of(a));
    match axis {
        Axis::X => DVec2::new(cut, a.y + fraction * (b.y - a.y)),
        Axis::Y => DVec2::new(a.x + fraction * (b.x - a.x), cut),
    }
}

fn sorted(mut triangle: Triangle, axis: Axis) -> Triangle {
    triangle.sort_by(|a, b| axis.of(*a).total_cmp(&axis.of(*b)));
    triangle
}

#[cfg(test)]
mod tests {
    use super::*;

    const TRIANGLE: Triangle = [
        DVec2::new(0.0, 0.0),
        DVec2::new(8.0, 1.0),
        DVec2::new(3.0, 5.0),
    ];

    #[test]
    fn the_area_below_a_cut_is_that_of_the_parts() {
        for axis in [Axis::X, Axis::Y] {
            for cut in [-1.0, 0.0, 0.5, 1.0, 2.0, 3.0, 4.5, 5.0, 7.0, 8.0, 9.0] {
                let (mut below, mut above) = (Vec::new(), Vec::new());
                split(TRIANGLE, axis, cut, &mut below, &mut above);
                let area = |parts: Vec<Triangle>| parts.into_iter().map(triangle_area).sum::<f64>();
                let (below, above) = (area(below), area(above));
                assert!((below - area_below(TRIANGLE, axis, cut)).abs() < 1e-14);
                assert!((below + above - triangle_area(TRIANGLE)).abs() < 1e-14);
            }
        }
    }

    #[test]
    fn one_triangle_makes_25_cells_of_equal_area() {
        let cells = equal_cells(vec![TRIANGLE], 25);
        assert_eq!(cells.len(), 25);
        let share = triangle_area(TRIANGLE) / 25.0;
        for cell in cells {
            assert!(
                (cell.area / share - 1.0).abs() < 1e-7,
                "{} {share}",
                cell.area
            );
        }
    }
}
