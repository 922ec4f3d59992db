//! Square strokes.

use super::shape::ShapeTable;

/// What a stroke costs and how far it carries the swimmer.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct Stroke {
    /// Displacement of the mean position, in radii.
    pub displacement: f64,
    /// Energy if the distances change at constant speed, in μ a³/T.
    pub energy: f64,
    /// Energy if the power is constant: the least for this path.
    pub least_energy: f64,
}

/// A square of shapes: one distance changes by `side`, then the other, then both back.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Square {
    /// Distances at the start, in radii.
    pub start: [f64; 2],
    /// Change of a distance, negative if the first two legs shorten the swimmer.
    pub side: f64,
}

/// Intervals of a leg, with two Gauss points each.
const INTERVALS: usize = 40;

/// Follows a square; `None` if it leaves the table.
pub fn square_stroke(table: &ShapeTable, square: &Square) -> Option<Stroke> {
    let Square {
        start: [x, y],
        side,
    } = *square;
    if !table.covers(x, y) || !table.covers(x + side, y + side) {
        return None;
    }
    let corners = [
        [x, y],
        [x + side, y],
        [x + side, y + side],
        [x, y + side],
        [x, y],
    ];
    let mut sums = [0.0; 3];
    for leg in corners.windows(2) {
        let change = [leg[1][0] - leg[0][0], leg[1][1] - leg[0][1]];
        for k in 0..INTERVALS {
            for offset in [0.211_324_865_405_187_1, 0.788_675_134_594_812_9] {
                let share = (k as f64 + offset) / INTERVALS as f64;
                let at = table
                    .at(leg[0][0] + share * change[0], leg[0][1] + share * change[1])
                    .value;
                let weight = 0.5 / INTERVALS as f64;
                let power = at.power(change);
                sums[0] += weight * (at.drift[0] * change[0] + at.drift[1] * change[1]);
                // A leg takes a quarter of the time: its speed is four times its length.
                sums[1] += 4.0 * weight * power;
                sums[2] += weight * power.sqrt();
            }
        }
    }
    Some(Stroke {
        displacement: sums[0],
        energy: sums[1],
        least_energy: sums[2] * sums[2],
    })
}

/// The square with a given displacement, in radii, by bisection; `is_shorter` tells which way it goes first. `None` if no square in the table carries so far.
pub fn square_for(
    table: &ShapeTable,
    start: [f64; 2],
    displacement: f64,
    is_shorter: bool,
) -> Option<(Square, Stroke)> {
    let sign = if is_shorter { -1.0 } else { 1.0 };
    let follow = |side: f64| {
        let square = Square {
            start,
            side: sign * side,
        };
        square_stroke(table, &square).map(|stroke| (square, stroke))
    };
    let (mut low, mut high) = (0.0, 0.01);
    // The first square that carries far enough, each a tenth larger than the one before.
    while follow(high)?.1.displacement.abs() < displacement {
        (low, high) = (high, 1.1 * high);
    }
    for _ in 0..60 {
        let middle = 0.5 * (low + high);
        if follow(middle)?.1.displacement.abs() < displacement {
            low = middle;
        } else {
            high = middle;
        }
    }
    follow(high)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::swimmer::{far_apart, three_spheres};

    /// μ a³/T in 1e-12 J, for a = 0.05 mm, μ = 1 mg/(mm s), T = 1 s.
    const UNIT: f64 = 1.25e-4;

    #[test]
    fn squares_of_the_far_field_have_their_known_displacements_and_energies() {
        let table = ShapeTable::new([2.4, 16.0], far_apart);
        let stroke = square_stroke(
            &table,
            &Square {
                start: [3.0; 2],
                side: 5.0,
            },
        )
        .unwrap();
        assert!(
            (0.05 * stroke.displacement.abs() - 0.0358).abs() < 1e-4,
            "{stroke:?}"
        );
        // Δc/h² → 0.92 for squares of side h from four radii on, a = 0.05.
        let small = square_stroke(
            &table,
            &Square {
                start: [4.0; 2],
                side: 0.01,
            },
        )
        .unwrap();
        let ratio = small.displacement.abs() / (0.01 * 0.01 * 0.05);
        assert!((ratio - 0.92).abs() < 0.01, "{ratio}");
        for (displacement, is_shorter, known) in [
            (0.02, true, 0.0276),
            (0.02, false, 0.0387),
            (0.2, true, 0.196),
            (0.2, false, 0.558),
        ] {
            let (_, stroke) = square_for(&table, [6.0; 2], displacement, is_shorter).unwrap();
            let [a, b] = [stroke.energy, stroke.least_energy].map(|e| e * UNIT);
            // Three digits are known; a square at constant speed costs little more than at constant power.
            assert!(
                (a / known - 1.0).abs() < 0.003 && b <= a && b > 0.998 * a,
                "{a} {b} {known}"
            );
        }
    }

    #[test]
    fn small_squares_carry_as_their_area() {
        let table = ShapeTable::new([3.0, 10.0], three_spheres);
        let carried = |side: f64| {
            let square = Square {
                start: [4.0; 2],
                side,
            };
            square_stroke(&table, &square).unwrap().displacement / (side * side)
        };
        let (a, b) = (carried(0.02), carried(0.01));
        assert!(
            (a / b - 1.0).abs() < 0.01
                && (carried(1e-3) / table.at(4.0, 4.0).curl() - 1.0).abs() < 0.01
        );
    }
}
