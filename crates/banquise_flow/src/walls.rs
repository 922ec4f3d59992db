//! Walls without slip. The solver of `spectral.rs` lets the fluid slip along walls; shear stresses on them, found together with those in the bodies,
//! keep it from slipping. Lengths in cells.
//!
//! The nearest velocity u along a wall is half a cell away, so that the strain 2u dissipates ½ μ (2u)² in half a cell: a strain sample √2 u of compliance 1.

use crate::advection::FaceField;
use crate::fft::Lane;
use crate::grid::Grid;
use crate::spectral::{Axis, Biharmonic};

/// Two facing walls.
#[derive(Debug, Clone)]
struct Pair {
    /// Nodes next to the wall, where the stream function gives the velocity along it: those of the first wall, then those of the second.
    place: [Vec<u32>; 2],
    /// Whether the walls are the lower and the upper one.
    is_along_x: bool,
    /// Transform along the walls.
    axis: Axis,
    /// Inverse of the operator for an isolated pair of walls, mode by mode, for equal and for opposite stresses.
    inverse: Vec<[f64; 2]>,
    lanes: Vec<Lane>,
    work: Vec<Lane>,
}

/// Shear stresses on all walls of a grid.
#[derive(Debug, Clone, Default)]
pub(crate) struct Walls {
    pairs: Vec<Pair>,
}

/// √2, the strain sample of a unit velocity next to a wall.
const SAMPLE: f64 = std::f64::consts::SQRT_2;

impl Walls {
    pub(crate) fn new(grid: &Grid, biharmonic: &Biharmonic) -> Self {
        let [nx, ny] = grid.cells;
        let [left_right, below_above] = grid.edges.walls();
        let mut pairs = Vec::new();
        if below_above {
            // Corners belong to the other walls, where the velocity is zero in any case.
            let row = |j: usize| {
                (usize::from(left_right)..nx)
                    .map(|i| (j * nx + i) as u32)
                    .collect()
            };
            pairs.push(Pair::new([row(1), row(ny - 1)], 0, grid, biharmonic));
        }
        if left_right {
            let column = |i: usize| (1..ny).map(|j| (j * nx + i) as u32).collect();
            pairs.push(Pair::new([column(1), column(nx - 1)], 1, grid, biharmonic));
        }
        Self { pairs }
    }

    /// Number of samples.
    pub(crate) fn len(&self) -> usize {
        self.pairs.iter().map(Pair::len).sum()
    }

    /// Adds `factor` times the curl of the forces of wall stresses.
    pub(crate) fn add_curl(&self, stresses: &[f64], factor: f64, stream: &mut [f64]) {
        self.for_each(|k, place, sign| stream[place] += factor * sign * stresses[k]);
    }

    /// Adds the forces of wall stresses on the faces next to walls.
    pub(crate) fn add_forces(&self, grid: &Grid, stresses: &[f64], forces: &mut FaceField) {
        let [nx, ny] = grid.cells;
        let mut stresses = stresses.iter();
        for pair in &self.pairs {
            for (places, is_far) in pair.place.iter().zip([false, true]) {
                for (&place, stress) in places.iter().zip(&mut stresses) {
                    let (i, j) = (place as usize % nx, place as usize / nx);
                    // The velocity along the wall is on the face between the wall and the node next to it.
                    if pair.is_along_x {
                        let row = if is_far { ny - 1 } else { 0 };
                        forces.u[row * nx + i] -= SAMPLE * stress;
                    } else {
                        let column = if is_far { nx - 1 } else { 0 };
                        forces.v[j * nx + column] += SAMPLE * stress;
                    }
                }
            }
        }
    }

    /// Strain samples of a stream function.
    pub(crate) fn strains(&self, stream: &[f64], out: &mut [f64]) {
        self.for_each(|k, place, sign| out[k] = sign * stream[place]);
    }

    /// Calls `visit(sample, place, derivative of the sample by the stream function there)` for all samples.
    fn for_each(&self, mut visit: impl FnMut(usize, usize, f64)) {
        let mut k = 0;
        for pair in &self.pairs {
            // The velocities along facing walls have opposite signs for the same stream function.
            for (places, sign) in pair.place.iter().zip([SAMPLE, -SAMPLE]) {
                for &place in places {
                    visit(k, place as usize, sign);
                    k += 1;
                }
            }
        }
    }

    /// Applies the inverse for isolated pairs of walls.
    pub(crate) fn precondition(&mut self, residual: &[f64], out: &mut [f64]) {
        let mut first = 0;
        for pair in &mut self.pairs {
            let end = first + pair.len();
            pair.precondition(&residual[first..end], &mut out[first..end]);
            first = end;
        }
    }
}

impl Pair {
    fn new(place: [Vec<u32>; 2], along: usize, grid: &Grid, biharmonic: &Biharmonic) -> Self {
        let n = grid.cells[along];
        let axis = Axis::new(n, grid.edges.walls()[along]);
        let across = Axis::new(grid.cells[1 - along], true);
        let m = grid.cells[1 - along];
        let gain = axis.gain(n);
        let inverse = (0..n)
            .map(|k| {
                let along = axis.eigenvalue(k, n);
                let (mut odd, mut even) = (0.0, 0.0);
                for l in 1..m {
                    let second = across.eigenvalue(l, m);
                    // sin²(πl/m) = 1 − cos², and 2 − 2 cos(πl/m) is the eigenvalue.
                    let sine = second * (1.0 - 0.25 * second);
                    let term = SAMPLE * SAMPLE * sine * biharmonic.inverse(along + second);
                    if l % 2 == 1 {
                        odd += term;
                    } else {
                        even += term;
                    }
                }
                // Modes that are odd in l are equal at both ends, where the samples have opposite signs. Both walls see each mode: twice.
                let scale = 2.0 / across.gain(m);
                [even, odd].map(|sum| 1.0 / (gain * (1.0 + scale * sum)))
            })
            .collect();
        Self {
            place,
            is_along_x: along == 0,
            axis,
            inverse,
            lanes: vec![Lane::ZERO; n],
            work: vec![Lane::ZERO; n],
        }
    }

    fn len(&self) -> usize {
        self.place[0].len() + self.place[1].len()
    }

    fn precondition(&mut self, residual: &[f64], out: &mut [f64]) {
        let half = self.place[0].len();
        let skip = self.lanes.len() - half;
        self.lanes.fill(Lane::ZERO);
        for (k, lane) in self.lanes[skip..].iter_mut().enumerate() {
            let (a, b) = (residual[k], residual[half + k]);
            // Each lane has its own sequence: equal parts in the first, opposite parts in the second.
            lane.re[0] = 0.5 * (a + b);
            lane.re[1] = 0.5 * (a - b);
        }
        self.axis.run(&mut self.lanes, &mut self.work);
        for (lane, inverse) in self.lanes.iter_mut().zip(&self.inverse) {
            for (l, factor) in inverse.iter().enumerate() {
                lane.re[l] *= factor;
                lane.im[l] *= factor;
            }
            *lane = lane.swapped();
        }
        // Swapped twice, a Fourier transform is its inverse; a sine transform is its own.
        self.axis.run(&mut self.lanes, &mut self.work);
        for (k, lane) in self.lanes[skip..].iter().enumerate() {
            let (sum, difference) = (lane.im[0], lane.im[1]);
            out[k] = sum + difference;
            out[half + k] = sum - difference;
        }
    }
}
