//! Random simple polygons, and their moments by another formula.

use std::f64::consts::TAU;

use banquise_geometry::{DVec2, Outline, math};
use proptest::collection::vec;
use proptest::prelude::*;

/// Coordinates are multiples of this times the scale, so that translations can be exact.
const QUANTUM: f64 = 1.0 / (1 << 30) as f64;

/// Star-shaped and comb-shaped outlines about the origin, of size about 1 m.
pub(crate) fn outline(max_vertices: usize) -> impl Strategy<Value = Outline> {
    prop_oneof![star(max_vertices), comb(max_vertices)]
}

/// Vertices in the order of their angles, at random distances: concave, with deep bays.
pub(crate) fn star(max_vertices: usize) -> impl Strategy<Value = Outline> {
    vec((0.0..0.8_f64, 0.2..1.0_f64), 3..=max_vertices).prop_filter_map("simple", |polar| {
        let count = polar.len() as f64;
        let vertex = |(k, (jitter, radius)): (usize, (f64, f64))| {
            let (sin, cos) = math::sin_cos(TAU * (k as f64 + jitter) / count);
            quantised(radius * DVec2::new(cos, sin))
        };
        Outline::from_ring(
            &polar
                .into_iter()
                .enumerate()
                .map(vertex)
                .collect::<Vec<_>>(),
        )
        .ok()
    })
}

/// A lower line and an upper line of random heights: concave and not star-shaped.
pub(crate) fn comb(max_vertices: usize) -> impl Strategy<Value = Outline> {
    let heights = vec(
        (-1.0..0.45_f64, 0.55..2.0_f64),
        2..=(max_vertices / 2).max(2),
    );
    heights.prop_filter_map("simple", |heights| {
        let step = 2.0 / heights.len() as f64;
        let x = |k: usize| k as f64 * step - 1.0;
        let lower = heights
            .iter()
            .enumerate()
            .map(|(k, &(y, _))| DVec2::new(x(k), y));
        let upper = heights
            .iter()
            .enumerate()
            .rev()
            .map(|(k, &(_, y))| DVec2::new(x(k), y));
        Outline::from_ring(&lower.chain(upper).map(quantised).collect::<Vec<_>>()).ok()
    })
}

fn quantised(point: DVec2) -> DVec2 {
    (point / QUANTUM).round() * QUANTUM
}

/// Integrals of 1, x, y, x², xy, y² over the outline, with x and y counted from `origin`.
///
/// A fan of signed triangles from `origin`, summed with compensation (Neumaier 1974): neither the
/// formula nor the order of the library.
pub(crate) fn moments_about(outline: &Outline, origin: DVec2) -> [f64; 6] {
    let mut sums = [Compensated::default(); 6];
    let vertices: Vec<DVec2> = outline
        .vertices()
        .iter()
        .rev()
        .map(|&v| v - origin)
        .collect();
    for i in 0..vertices.len() {
        let (b, a) = (vertices[i], vertices[(i + 1) % vertices.len()]);
        let area = 0.5 * (a.x * b.y - a.y * b.x);
        let mean = (a + b) / 3.0;
        // ∫pq over a triangle with a corner at the origin = A/12 (9 p̄q̄ + Σ pₖqₖ).
        let second = |p: fn(DVec2) -> f64, q: fn(DVec2) -> f64| {
            area / 12.0 * (9.0 * p(mean) * q(mean) + p(a) * q(a) + p(b) * q(b))
        };
        let (x, y) = (|p: DVec2| p.x, |p: DVec2| p.y);
        let terms = [
            area,
            area * mean.x,
            area * mean.y,
            second(x, x),
            second(x, y),
            second(y, y),
        ];
        for (sum, term) in sums.iter_mut().zip(terms) {
            sum.add(term);
        }
    }
    sums.map(|sum| sum.total + sum.lost)
}

#[derive(Clone, Copy, Default)]
struct Compensated {
    total: f64,
    lost: f64,
}

impl Compensated {
    fn add(&mut self, term: f64) {
        let sum = self.total + term;
        self.lost += if self.total.abs() >= term.abs() {
            (self.total - sum) + term
        } else {
            (term - sum) + self.total
        };
        self.total = sum;
    }
}
