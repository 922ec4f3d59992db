//! The built-in shapes: rounded, stretched and roughened cells of random diagrams.

use std::f64::consts::{PI, TAU};

use banquise_geometry::{DVec2, Outline, Rotation, math};

use super::cell::Cell;
use super::diagram::Diagram;
use super::region::Region;
use crate::domain::Rectangle;
use crate::random::{Purpose, Stream};

/// Number of shapes.
pub const BUILTIN_SHAPES: usize = 128;
/// The library never changes: its seed is not the user's.
const SEED: u64 = 81;
/// Cells to choose from; some of them make shapes that are too long.
const CELLS: usize = 160;
/// Largest P²/4πS of a shape (Rabatel 2015, section 2.3.1).
const MAX_ROUNDNESS: f64 = 1.5;
/// Points of a boundary while it is worked on.
const FINE_POINTS: usize = 240;
/// Waves along the boundary, from the longest to the shortest.
const WAVES: std::ops::RangeInclusive<u64> = 2..=9;

/// Outlines of area 1 m² about their centroids, always the same.
pub fn builtin_shapes() -> Vec<Outline> {
    let square = Rectangle {
        min: DVec2::ZERO,
        max: DVec2::ONE,
    };
    let region = Region::periodic(square).expect("a unit square is an outline");
    let stream = Stream::new(SEED, Purpose::Outline);
    let sites = (0..CELLS).map(|i| stream.point(i as u64, 0)).collect();
    let mut diagram = Diagram::new(&region, sites, &[0.0; CELLS]);
    diagram.centre_sites(&region, |_| true);
    let shapes = diagram
        .cells
        .iter()
        .enumerate()
        .filter_map(|(id, cell)| shape(cell, id as u64, stream));
    let shapes: Vec<Outline> = shapes
        .filter(|shape| shape.roundness() <= MAX_ROUNDNESS)
        .take(BUILTIN_SHAPES)
        .collect();
    assert_eq!(shapes.len(), BUILTIN_SHAPES, "cells that make a shape");
    shapes
}

fn shape(cell: &Cell, id: u64, stream: Stream) -> Option<Outline> {
    let radius = (cell.area() / PI).sqrt();
    let rounding = radius * stream.between(0.1, 0.7, id, 10);
    let inner = cell.shrunk(rounding);
    let ring = if inner.is_empty() {
        cell.shrunk(0.3 * rounding).grown(0.3 * rounding, 0.2)
    } else {
        inner.grown(rounding, 0.2)
    };
    let ring = stretched(&ring, id, stream);
    let rough = roughened(&resampled(&ring, FINE_POINTS), id, stream);
    let count = 22 + stream.index(7, id, 11);
    let outline = Outline::from_ring(&resampled(&rough, count)).ok()?;
    let centered = outline.translated(-outline.centroid()).ok()?;
    centered.scaled(1.0 / centered.area().sqrt()).ok()
}

/// Longer in a random direction.
fn stretched(ring: &[DVec2], id: u64, stream: Stream) -> Vec<DVec2> {
    let turn = Rotation::from_angle(stream.between(0.0, PI, id, 12));
    let factor = math::exp(stream.between(0.0, 0.28, id, 13));
    let stretch = DVec2::new(factor, 1.0 / factor);
    ring.iter()
        .map(|&point| turn.rotate(stretch * turn.inverse_rotate(point)))
        .collect()
}

/// Waves of random heights across the boundary; most floes have low ones.
fn roughened(ring: &[DVec2], id: u64, stream: Stream) -> Vec<DVec2> {
    let count = ring.len();
    let (min, max) = ring
        .iter()
        .fold((DVec2::INFINITY, DVec2::NEG_INFINITY), |(min, max), &p| {
            (min.min(p), max.max(p))
        });
    let size = 0.5 * (max - min).element_sum();
    let height = size * 0.075 * -math::ln(1.0 - 0.95 * stream.unit(id, 15)) / 2.0;
    let wave = |k: u64, place: f64| {
        let phase = stream.between(0.0, TAU, id, 100 + k);
        let share = stream.between(-1.0, 1.0, id, 200 + k);
        share * math::sin(TAU * k as f64 * place + phase) / (k as f64).sqrt()
    };
    (0..count)
        .map(|i| {
            let along = ring[(i + 1) % count] - ring[(i + count - 1) % count];
            let outward = -along.perp().normalize_or_zero();
            let place = i as f64 / count as f64;
            ring[i] + height * WAVES.map(|k| wave(k, place)).sum::<f64>() * outward
        })
        .collect()
}

/// Points at equal distances along a closed line.
fn resampled(ring: &[DVec2], count: usize) -> Vec<DVec2> {
    let total: f64 = (0..ring.len())
        .map(|i| ring[i].distance(ring[(i + 1) % ring.len()]))
        .sum();
    let step = total / count as f64;
    let (mut points, mut travelled) = (Vec::with_capacity(count), 0.0);
    for i in 0..ring.len() {
        let (a, b) = (ring[i], ring[(i + 1) % ring.len()]);
        let length = a.distance(b);
        while points.len() < count && points.len() as f64 * step < travelled + length {
            points.push(a.lerp(b, (points.len() as f64 * step - travelled) / length));
        }
        travelled += length;
    }
    points
}
