//! Power diagrams: a sheet cut into one convex cell for each site, and weights that give each cell the
//! area wanted.
//!
//! Cell i holds the points x with |x − pᵢ|² − wᵢ least among all sites (Aurenhammer 1987,
//! doi:10.1137/0216006). The areas grow with the weights, their derivatives are lengths of sides over
//! distances of sites, and Newton's method with a damped step finds the weights for given areas
//! (Kitagawa, Mérigot & Thibert 2019, doi:10.4171/jems/889).

use std::cmp::Ordering;
use std::f64::consts::PI;

use banquise_geometry::DVec2;
use rayon::prelude::*;

use super::cell::Cell;
use super::region::Region;

/// Newton steps before the areas are given up.
const MAX_STEPS: usize = 60;
/// Halvings of a step that does not help.
const MAX_HALVINGS: usize = 12;
/// Steps of the linear solver, and the part of the residual it leaves.
const MAX_ITERATIONS: usize = 400;
const LINEAR_TOLERANCE: f64 = 1e-4;

/// Sites with their weights and cells.
#[derive(Clone, Debug)]
pub(super) struct Diagram {
    pub(super) positions: Vec<DVec2>,
    weights: Vec<f64>,
    /// Each relative to its site.
    pub(super) cells: Vec<Cell>,
}

impl Diagram {
    /// The diagram of these sites, with weights in proportion to the areas wanted.
    ///
    /// The weights are those of discs, made smaller until every site has a cell: with no weight at all
    /// each has one.
    pub(super) fn new(region: &Region, positions: Vec<DVec2>, areas: &[f64]) -> Self {
        let mut scale = 1.0 / PI;
        for _ in 0..MAX_HALVINGS {
            let weights: Vec<f64> = areas.iter().map(|area| scale * area).collect();
            let cells = cells(region, &positions, &weights);
            let is_squeezed = |(cell, area): (&Cell, &f64)| cell.area() < 0.2 * area;
            if !cells.iter().zip(areas).any(is_squeezed) {
                return Self {
                    positions,
                    weights,
                    cells,
                };
            }
            scale *= 0.7;
        }
        let weights = vec![0.0; positions.len()];
        let cells = cells(region, &positions, &weights);
        Self {
            positions,
            weights,
            cells,
        }
    }

    pub(super) fn areas(&self) -> Vec<f64> {
        self.cells.iter().map(Cell::area).collect()
    }

    /// Moves sites towards the middles of their cells, which makes the cells rounder, as far as no
    /// cell is squeezed out by that.
    pub(super) fn centre_sites(&mut self, region: &Region, may_move: impl Fn(usize) -> bool) {
        let areas = self.areas();
        let mut share = 1.0;
        for _ in 0..MAX_HALVINGS {
            let mut positions = self.positions.clone();
            for (k, position) in positions.iter_mut().enumerate() {
                if may_move(k) {
                    *position = region.wrapped(*position + share * self.cells[k].centroid());
                }
            }
            let moved = cells(region, &positions, &self.weights);
            let squeezed = |(cell, area): (&Cell, &f64)| cell.area() < 0.3 * area;
            if !moved.iter().zip(&areas).any(squeezed) {
                (self.positions, self.cells) = (positions, moved);
                return;
            }
            share *= 0.5;
        }
    }

    /// Finds weights for areas in the proportions of `targets`; the largest difference, as a share of
    /// the target, that is left.
    pub(super) fn fit_areas(&mut self, region: &Region, targets: &[f64], tolerance: f64) -> f64 {
        let mut areas = self.areas();
        let mut misses = Misses::of(&areas, targets);
        for _ in 0..MAX_STEPS {
            if misses.largest <= tolerance {
                break;
            }
            let direction = solve_laplacian(&self.links(region), &misses.differences);
            let lowest = 0.1
                * areas
                    .iter()
                    .zip(&misses.scaled)
                    .map(|(a, t)| a.min(*t))
                    .fold(f64::INFINITY, f64::min);
            let mut factor = 1.0;
            let mut accepted = false;
            for _ in 0..MAX_HALVINGS {
                let weights: Vec<f64> = self
                    .weights
                    .iter()
                    .zip(&direction)
                    .map(|(w, d)| w + factor * d)
                    .collect();
                let trial = cells(region, &self.positions, &weights);
                let trial_areas: Vec<f64> = trial.iter().map(Cell::area).collect();
                let trial_misses = Misses::of(&trial_areas, targets);
                let is_whole = trial_areas.iter().all(|&area| area > lowest);
                if is_whole && trial_misses.norm < (1.0 - 0.1 * factor) * misses.norm {
                    (self.weights, self.cells, areas, misses) =
                        (weights, trial, trial_areas, trial_misses);
                    accepted = true;
                    break;
                }
                factor *= 0.5;
            }
            if !accepted {
                break;
            }
        }
        misses.largest
    }

    /// Length over twice the distance for each pair of cells with a side in common.
    fn links(&self, region: &Region) -> Vec<(u32, u32, f64)> {
        let mut links = Vec::new();
        for (i, cell) in self.cells.iter().enumerate() {
            for (a, b, behind) in cell.sides() {
                if behind != Cell::BORDER && (i as u32) < behind {
                    // In a periodic cell of few sites the side may be towards another image than the
                    // nearest; the step is damped, so a poor derivative costs time only.
                    let apart = region.nearest(self.positions[behind as usize] - self.positions[i]);
                    links.push((
                        i as u32,
                        behind,
                        0.5 * a.distance(b) / apart.length().max(1e-300),
                    ));
                }
            }
        }
        links
    }
}

/// How far areas are from their targets, which are scaled to the same sum.
struct Misses {
    differences: Vec<f64>,
    scaled: Vec<f64>,
    norm: f64,
    largest: f64,
}

impl Misses {
    fn of(areas: &[f64], targets: &[f64]) -> Self {
        let scale = areas.iter().sum::<f64>() / targets.iter().sum::<f64>();
        let scaled: Vec<f64> = targets.iter().map(|target| scale * target).collect();
        let differences: Vec<f64> = scaled.iter().zip(areas).map(|(t, a)| t - a).collect();
        let norm = differences.iter().map(|d| d * d).sum::<f64>().sqrt();
        let shares = differences.iter().zip(&scaled).map(|(d, t)| (d / t).abs());
        Self {
            largest: shares.fold(0.0, f64::max),
            norm,
            differences,
            scaled,
        }
    }
}

/// Conjugate gradients for Σⱼ lᵢⱼ (xᵢ − xⱼ) = bᵢ, whose solution is known up to a constant.
fn solve_laplacian(links: &[(u32, u32, f64)], right: &[f64]) -> Vec<f64> {
    let count = right.len();
    let mut diagonal = vec![0.0; count];
    for &(i, j, link) in links {
        diagonal[i as usize] += link;
        diagonal[j as usize] += link;
    }
    let precondition = |r: &[f64]| -> Vec<f64> {
        let scaled = r
            .iter()
            .zip(&diagonal)
            .map(|(r, d)| if *d > 0.0 { r / d } else { 0.0 });
        scaled.collect()
    };
    let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
    let mut x = vec![0.0; count];
    let mut r = right.to_vec();
    let mut z = precondition(&r);
    let mut p = z.clone();
    let mut rz = dot(&r, &z);
    let goal = LINEAR_TOLERANCE * LINEAR_TOLERANCE * rz;
    for _ in 0..MAX_ITERATIONS {
        if rz <= goal || rz <= 0.0 {
            break;
        }
        let mut q: Vec<f64> = vec![0.0; count];
        for &(i, j, link) in links {
            let flow = link * (p[i as usize] - p[j as usize]);
            q[i as usize] += flow;
            q[j as usize] -= flow;
        }
        let curvature = dot(&p, &q);
        if curvature <= 0.0 {
            break;
        }
        let step = rz / curvature;
        for k in 0..count {
            x[k] += step * p[k];
            r[k] -= step * q[k];
        }
        z = precondition(&r);
        let next = dot(&r, &z);
        for k in 0..count {
            p[k] = z[k] + next / rz * p[k];
        }
        rz = next;
    }
    x
}

fn cells(region: &Region, positions: &[DVec2], weights: &[f64]) -> Vec<Cell> {
    let heaviest = weights.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    (0..positions.len())
        .into_par_iter()
        .map(|i| cell_of(region, positions, weights, heaviest, i))
        .collect()
}

/// Cuts a cell with all sites near enough, the nearest cut first.
fn cell_of(region: &Region, positions: &[DVec2], weights: &[f64], heaviest: f64, i: usize) -> Cell {
    let mut cell = region.convex_part(positions[i]);
    let mut cuts: Vec<(f64, u32, DVec2)> = Vec::new();
    let cut = |apart: DVec2, weight: f64| {
        0.5 * (apart.length_squared() + weights[i] - weight) / apart.length()
    };
    for j in 0..positions.len() {
        let apart = region.nearest(positions[j] - positions[i]);
        if j != i && apart != DVec2::ZERO {
            cuts.push((cut(apart, weights[j]), j as u32, apart));
        }
    }
    clip_nearest_first(&mut cell, &mut cuts);
    let Some(period) = region.period() else {
        return cell;
    };
    // Images other than the nearest are at least half a period away.
    let half = 0.5 * period.min_element();
    if cell.reach() > 0.5 * (half - (heaviest - weights[i]) / half) {
        cuts.clear();
        for j in 0..positions.len() {
            let nearest = region.nearest(positions[j] - positions[i]);
            for (x, y) in IMAGES {
                let apart = nearest + period * DVec2::new(x, y);
                let distance = cut(apart, weights[j]);
                if distance < cell.reach() {
                    let behind = if j == i { Cell::BORDER } else { j as u32 };
                    cuts.push((distance, behind, apart));
                }
            }
        }
        clip_nearest_first(&mut cell, &mut cuts);
    }
    cell
}

/// The eight cells round a cell.
const IMAGES: [(f64, f64); 8] = [
    (-1.0, -1.0),
    (0.0, -1.0),
    (1.0, -1.0),
    (-1.0, 0.0),
    (1.0, 0.0),
    (-1.0, 1.0),
    (0.0, 1.0),
    (1.0, 1.0),
];

/// Most sites are far away: a few cuts are put in order and made, then those that still reach the cell.
fn clip_nearest_first(cell: &mut Cell, cuts: &mut [(f64, u32, DVec2)]) {
    const SOME: usize = 30;
    let order =
        |a: &(f64, u32, DVec2), b: &(f64, u32, DVec2)| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1));
    let some = SOME.min(cuts.len());
    if some < cuts.len() {
        cuts.select_nth_unstable_by(some, order);
    }
    let (near, far) = cuts.split_at_mut(some);
    clip_in_order(cell, near.to_vec(), order);
    let reach = cell.reach();
    let rest = far.iter().copied().filter(|cut| cut.0 < reach).collect();
    clip_in_order(cell, rest, order);
}

fn clip_in_order(
    cell: &mut Cell,
    mut cuts: Vec<(f64, u32, DVec2)>,
    order: impl Fn(&(f64, u32, DVec2), &(f64, u32, DVec2)) -> Ordering,
) {
    cuts.sort_by(order);
    for (distance, behind, apart) in cuts {
        if distance >= cell.reach() {
            return;
        }
        cell.clip(apart / apart.length(), distance, behind);
    }
}
