//! Strokes that cost least for their displacement: geodesics of the metric G in the field curl V, found by shooting (Lefebvre 2007, algorithm B.1).
//!
//! (G γ′)′ = ½ ∇(γ′ᵀ G γ′) + λ curl V γ′⊥, from a shape back to it in unit time. The unknowns are γ′(0) and λ, the conditions that the stroke closes and carries as
//! far as asked for. Along a geodesic the power is constant.

use banquise_geometry::math;

use super::shape::ShapeTable;

/// Steps of the Runge–Kutta method along a stroke.
const STEPS: usize = 120;
/// Steps of Newton's method, at most.
const NEWTON: usize = 60;
/// Steps from a small displacement to the one asked for.
const CONTINUATION: usize = 10;
/// Strokes of this displacement, in radii, are nearly circles.
const SMALL: f64 = 2e-3;

/// A closed geodesic.
#[derive(Clone, Debug, PartialEq)]
pub struct Geodesic {
    /// γ′(0) and λ.
    pub unknowns: [f64; 3],
    /// Displacement, in radii.
    pub displacement: f64,
    /// Energy, in μ a³/T.
    pub energy: f64,
    /// Largest deviation of the power from its mean, relative.
    pub power_spread: f64,
    /// Distances along the stroke, in radii.
    pub path: Vec<[f64; 2]>,
}

type State = [f64; 6];

/// x, y, x′, y′, displacement and energy by time.
fn rate(table: &ShapeTable, [x, y, u, v, _, _]: State, lambda: f64) -> State {
    let at = table.at(x, y);
    let product = |[a, b, c]: [f64; 3]| [a * u + b * v, b * u + c * v];
    let (by_x, by_y) = (product(at.by_x.metric), product(at.by_y.metric));
    let push = lambda * at.curl();
    let right = [
        0.5 * at.by_x.power([u, v]) - push * v - (by_x[0] * u + by_y[0] * v),
        0.5 * at.by_y.power([u, v]) + push * u - (by_x[1] * u + by_y[1] * v),
    ];
    let [a, b, c] = at.value.metric;
    let determinant = a * c - b * b;
    [
        u,
        v,
        (c * right[0] - b * right[1]) / determinant,
        (a * right[1] - b * right[0]) / determinant,
        at.value.drift[0] * u + at.value.drift[1] * v,
        at.value.power([u, v]),
    ]
}

/// Follows a geodesic over unit time; `None` if it leaves the table.
fn follow(table: &ShapeTable, start: [f64; 2], unknowns: [f64; 3]) -> Option<Vec<State>> {
    let [u, v, lambda] = unknowns;
    let mut state = [start[0], start[1], u, v, 0.0, 0.0];
    let mut list = vec![state];
    let dt = 1.0 / STEPS as f64;
    let moved = |state: State, rate: State, step: f64| -> State {
        std::array::from_fn(|k| state[k] + step * rate[k])
    };
    for _ in 0..STEPS {
        let stages = |state: State| {
            table
                .covers(state[0], state[1])
                .then(|| rate(table, state, lambda))
        };
        let first = stages(state)?;
        let second = stages(moved(state, first, 0.5 * dt))?;
        let third = stages(moved(state, second, 0.5 * dt))?;
        let fourth = stages(moved(state, third, dt))?;
        state = std::array::from_fn(|k| {
            state[k] + dt / 6.0 * (first[k] + 2.0 * (second[k] + third[k]) + fourth[k])
        });
        list.push(state);
    }
    Some(list)
}

/// How far a stroke is from closing, and from the displacement asked for.
fn defect(
    table: &ShapeTable,
    start: [f64; 2],
    unknowns: [f64; 3],
    displacement: f64,
) -> Option<[f64; 3]> {
    let end = *follow(table, start, unknowns)?.last()?;
    Some([end[0] - start[0], end[1] - start[1], end[4] - displacement])
}

/// Newton's method with shorter steps where it fails (Levenberg and Marquardt).
fn shoot(
    table: &ShapeTable,
    start: [f64; 2],
    guess: [f64; 3],
    displacement: f64,
) -> Option<[f64; 3]> {
    let weights = [1.0, 1.0, 1.0 / displacement.abs()];
    let size = |d: [f64; 3]| {
        (0..3)
            .map(|k| d[k] * weights[k] * d[k] * weights[k])
            .sum::<f64>()
    };
    let mut unknowns = guess;
    let mut found = defect(table, start, unknowns, displacement)?;
    let mut damping = 1e-6;
    for _ in 0..NEWTON {
        if size(found) < 1e-22 {
            return Some(unknowns);
        }
        let speed = unknowns[0].abs().max(unknowns[1].abs());
        let scales = [speed, speed, unknowns[2].abs()];
        let mut slopes = [[0.0; 3]; 3];
        for k in 0..3 {
            let mut moved = unknowns;
            moved[k] += 1e-6 * scales[k];
            let other = defect(table, start, moved, displacement)?;
            for row in 0..3 {
                slopes[row][k] = weights[row] * (other[row] - found[row]) / 1e-6;
            }
        }
        let mut is_better = false;
        for _ in 0..12 {
            let step = damped_step(&slopes, [0, 1, 2].map(|k| weights[k] * found[k]), damping)?;
            let trial = [0, 1, 2].map(|k| unknowns[k] - scales[k] * step[k]);
            if let Some(next) = defect(table, start, trial, displacement)
                && size(next) < size(found)
            {
                (unknowns, found, is_better) = (trial, next, true);
                damping *= 0.1;
                break;
            }
            damping *= 10.0;
        }
        if !is_better {
            break;
        }
    }
    (size(found) < 1e-16).then_some(unknowns)
}

/// `(JᵀJ + damping) step = Jᵀ d`.
fn damped_step(j: &[[f64; 3]; 3], d: [f64; 3], damping: f64) -> Option<[f64; 3]> {
    let mut m = [[0.0; 4]; 3];
    for (a, row) in m.iter_mut().enumerate() {
        for (b, value) in row.iter_mut().enumerate().take(3) {
            *value = (0..3).map(|k| j[k][a] * j[k][b]).sum();
        }
        row[a] += damping * row[a].max(1e-12);
        row[3] = (0..3).map(|k| j[k][a] * d[k]).sum();
    }
    for k in 0..3 {
        let pivot = (k..3).max_by(|a, b| m[*a][k].abs().total_cmp(&m[*b][k].abs()))?;
        m.swap(k, pivot);
        if m[k][k] == 0.0 {
            return None;
        }
        for row in 0..3 {
            if row != k {
                let factor = m[row][k] / m[k][k];
                let line = m[k];
                for (value, other) in m[row].iter_mut().zip(line) {
                    *value -= factor * other;
                }
            }
        }
    }
    Some([0, 1, 2].map(|k| m[k][3] / m[k][k]))
}

/// A small stroke through a shape: a circle of the local metric, in a field that does not change, whose middle lies in the direction `angle` from the start.
fn circle(table: &ShapeTable, [x, y]: [f64; 2], angle: f64, displacement: f64) -> [f64; 3] {
    let at = table.at(x, y);
    let [a, b, c] = at.value.metric;
    let (root, curl) = ((a * c - b * b).sqrt(), at.curl());
    // Area |Δc/curl V| in the plane, and once round in unit time.
    let radius = (displacement / curl).abs() * root / std::f64::consts::PI;
    let speed = std::f64::consts::TAU * radius.sqrt();
    // Counter-clockwise if the displacement has the sign of the field.
    let turn = if displacement * curl > 0.0 { 1.0 } else { -1.0 };
    let (sin, cos) = math::sin_cos(angle - turn * std::f64::consts::FRAC_PI_2);
    let length = at.value.power([cos, sin]).sqrt();
    [
        speed * cos / length,
        speed * sin / length,
        turn * std::f64::consts::TAU * root / curl,
    ]
}

fn describe(table: &ShapeTable, start: [f64; 2], unknowns: [f64; 3]) -> Option<Geodesic> {
    let states = follow(table, start, unknowns)?;
    let end = states.last()?;
    let powers = states
        .iter()
        .map(|s| table.at(s[0], s[1]).value.power([s[2], s[3]]));
    let spread = powers
        .map(|power| (power / end[5] - 1.0).abs())
        .fold(0.0, f64::max);
    Some(Geodesic {
        unknowns,
        displacement: end[4],
        energy: end[5],
        power_spread: spread,
        path: states.iter().map(|s| [s[0], s[1]]).collect(),
    })
}

/// Closed geodesics through a shape with a given displacement, the cheapest first: from small circles on all sides of the start, by continuation in the displacement.
pub fn geodesics(table: &ShapeTable, start: [f64; 2], displacement: f64) -> Vec<Geodesic> {
    let mut list: Vec<Geodesic> = Vec::new();
    // Along the diagonal, by symmetry of the spheres, and across it.
    for direction in 0..4 {
        let angle = std::f64::consts::FRAC_PI_2 * (f64::from(direction) + 0.5);
        let first = displacement.signum() * SMALL.min(displacement.abs());
        let mut unknowns = shoot(table, start, circle(table, start, angle, first), first);
        for step in 1..=CONTINUATION {
            let share = step as f64 / CONTINUATION as f64;
            let next = first + (displacement - first) * share;
            let before = first + (displacement - first) * (step - 1) as f64 / CONTINUATION as f64;
            // Speeds of small strokes grow as the root of the displacement.
            let growth = (next / before).sqrt();
            unknowns = unknowns
                .and_then(|[u, v, l]| shoot(table, start, [u * growth, v * growth, l], next));
        }
        if let Some(found) = unknowns.and_then(|unknowns| describe(table, start, unknowns)) {
            let is_new = list.iter().all(|other| {
                let half = other.path.len() / 2;
                let [a, b] = [other.path[half], found.path[half]];
                (a[0] - b[0]).abs() + (a[1] - b[1]).abs() > 1e-4
            });
            if is_new {
                list.push(found);
            }
        }
    }
    list.sort_by(|a, b| a.energy.total_cmp(&b.energy));
    list
}

/// The cheapest closed geodesic.
pub fn optimal_stroke(table: &ShapeTable, start: [f64; 2], displacement: f64) -> Option<Geodesic> {
    geodesics(table, start, displacement).into_iter().next()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::swimmer::{ShapeTable, square_for};

    #[test]
    fn published_strokes_have_the_energies_of_the_exact_mobility() {
        let table = ShapeTable::exact();
        // Energies in 1e-12 J for a = 0.05 mm, μ = 1 mg/(mm s), T = 1 s: optimal, shorter first, longer first. They were found with polygons of 48 corners and another
        // collocation.
        for (displacement, known) in [
            (0.02, [0.0241, 0.0322, 0.0433]),
            (0.2, [0.197, 0.2495, 0.611]),
        ] {
            let best = optimal_stroke(&table, [6.0; 2], displacement).unwrap();
            assert!(best.power_spread < 1e-5, "{}", best.power_spread);
            assert!((best.displacement / displacement - 1.0).abs() < 1e-6);
            let [shorter, longer] = [true, false].map(|first| {
                square_for(&table, [6.0; 2], displacement, first)
                    .unwrap()
                    .1
                    .energy
            });
            for (found, known) in [best.energy, shorter, longer].into_iter().zip(known) {
                let energy = 1.25e-4 * found;
                assert!((energy / known - 1.0).abs() < 0.005, "{energy} {known}");
            }
        }
    }
}
