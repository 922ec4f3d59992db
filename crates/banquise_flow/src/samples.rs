//! Strain samples inside the bodies: where rigidity is imposed, and how much the fluid in a cut cell yields.

use banquise_geometry::DVec2;
use rayon::prelude::*;

use crate::coverage::Region;
use crate::grid::{Grid, after};

/// Owner of a sample that more than one body covers.
pub(crate) const SHARED: u32 = u32::MAX;
/// Place of a sample that does not exist.
pub(crate) const NONE: u32 = u32::MAX;

/// Samples of one kind (normal strain at centres, shear strain at nodes) that bodies cover, in the order of the grid.
#[derive(Debug, Clone, Default)]
pub(crate) struct Samples {
    /// Place on the grid.
    pub(crate) place: Vec<u32>,
    /// Covered share of the window around the sample.
    pub(crate) share: Vec<f64>,
    /// The body that covers it, or [`SHARED`].
    pub(crate) owner: Vec<u32>,
    /// First sample of each row of the grid, and their number.
    pub(crate) row_start: Vec<usize>,
    /// Index of the sample at each place of the grid, or [`NONE`].
    pub(crate) at: Vec<u32>,
}

impl Samples {
    /// Samples in windows of one cell around (i, j) + `offset`. Samples on walls are left out.
    pub(crate) fn new(grid: &Grid, regions: &[Region], offset: DVec2) -> Self {
        let [nx, ny] = grid.cells;
        let walls = grid.edges.walls();
        let mut found: Vec<(u32, u32, f64)> = regions
            .par_iter()
            .enumerate()
            .flat_map_iter(|(body, region)| {
                let mut list = Vec::new();
                region.for_each_share(offset, |i, j, share| {
                    list.push((grid.place(i, j) as u32, body as u32, share));
                });
                list
            })
            .collect();
        found.par_sort_unstable_by_key(|&(place, body, _)| (place, body));
        let mut samples = Self::default();
        for (place, body, share) in found {
            let (i, j) = (place as usize % nx, place as usize / nx);
            let on_wall =
                (walls[0] && offset.x == 0.0 && i == 0) || (walls[1] && offset.y == 0.0 && j == 0);
            if on_wall {
                continue;
            }
            if samples.place.last() == Some(&place) {
                let last = samples.place.len() - 1;
                samples.share[last] = (samples.share[last] + share).min(1.0);
                samples.owner[last] = SHARED;
            } else {
                samples.place.push(place);
                samples.share.push(share);
                samples.owner.push(body);
            }
        }
        samples.at = vec![NONE; nx * ny];
        for (k, &place) in samples.place.iter().enumerate() {
            samples.at[place as usize] = k as u32;
        }
        samples.row_start = (0..=ny)
            .map(|j| {
                samples
                    .place
                    .partition_point(|&place| (place as usize) < j * nx)
            })
            .collect();
        samples
    }

    pub(crate) fn len(&self) -> usize {
        self.place.len()
    }

    /// Compliances c = μ/(η − μ), where η is the harmonic mean of the viscosities of the fluid, μ, and of the body, μ(1 + `contrast`), weighted by their
    /// shares of the window. A body of infinite viscosity gives (1 − φ)/φ.
    pub(crate) fn compliances(&self, contrast: f64) -> Vec<f64> {
        let inverse = 1.0 / contrast;
        let compliance = |&share: &f64| ((1.0 - share) * (1.0 + inverse) + share * inverse) / share;
        self.share.iter().map(compliance).collect()
    }

    /// Writes the values of the samples to their places on the grid.
    pub(crate) fn scatter(&self, values: &[f64], field: &mut [f64], nx: usize) {
        field.par_chunks_mut(nx).enumerate().for_each(|(j, row)| {
            for k in self.row_start[j]..self.row_start[j + 1] {
                row[self.place[k] as usize - j * nx] = values[k];
            }
        });
    }
}

/// Faces of one kind that a body covers: weights by which its velocity is averaged and forces on it are spread.
#[derive(Debug, Clone, Default)]
pub(crate) struct FaceWeights {
    pub(crate) place: Vec<u32>,
    /// Covered shares over their sum.
    pub(crate) weight: Vec<f64>,
    /// Lever arm of the velocity component about the centre, less its mean.
    pub(crate) arm: Vec<f64>,
    /// Sum of the covered shares.
    pub(crate) area: f64,
    /// Mean of the lever arms: not zero where the covered faces are not balanced about the centre.
    pub(crate) mean_arm: f64,
}

impl FaceWeights {
    /// Weights of the faces in windows around (i, j) + `offset`; `arm` is the lever arm of a face from its place relative to the centre.
    fn new(grid: &Grid, region: &Region, offset: DVec2, arm: impl Fn(DVec2) -> f64) -> Self {
        let mut faces = Self::default();
        region.for_each_share(offset, |i, j, share| {
            faces.place.push(grid.place(i, j) as u32);
            faces.weight.push(share);
            let at = DVec2::new(i as f64, j as f64) + offset;
            faces.arm.push(arm(at - region.centre()));
        });
        faces.area = faces.weight.iter().sum();
        faces
            .weight
            .iter_mut()
            .for_each(|weight| *weight /= faces.area);
        faces.mean_arm = faces.sum_of(|_, arm| arm);
        faces.arm.iter_mut().for_each(|arm| *arm -= faces.mean_arm);
        faces
    }

    /// Takes away from forces what `others` exert on the covered shares of the faces.
    pub(crate) fn subtract_share(&self, others: &[f64], forces: &mut [f64]) {
        for (&place, &weight) in self.place.iter().zip(&self.weight) {
            forces[place as usize] -= weight * self.area * others[place as usize];
        }
    }

    fn sum_of(&self, value: impl Fn(u32, f64) -> f64) -> f64 {
        let terms = self.place.iter().zip(&self.weight).zip(&self.arm);
        terms
            .map(|((&place, &weight), &arm)| weight * value(place, arm))
            .sum()
    }

    /// Mean of a velocity component, and its moment about the mean.
    fn means(&self, component: impl Fn(usize) -> f64) -> [f64; 2] {
        [
            self.sum_of(|place, _| component(place as usize)),
            self.sum_of(|place, arm| arm * component(place as usize)),
        ]
    }
}

/// Averages over a body that give its rigid motion, exactly where the velocity is one; and their transpose.
#[derive(Debug, Clone)]
pub(crate) struct BodyWeights {
    pub(crate) x: FaceWeights,
    pub(crate) y: FaceWeights,
    /// Σ w arm² over both kinds of faces.
    polar: f64,
}

impl BodyWeights {
    pub(crate) fn new(grid: &Grid, region: &Region) -> Self {
        // u_x = V_x − ω r_y, u_y = V_y + ω r_x.
        let x = FaceWeights::new(grid, region, DVec2::new(0.0, 0.5), |r| -r.y);
        let y = FaceWeights::new(grid, region, DVec2::new(0.5, 0.0), |r| r.x);
        let polar = x.sum_of(|_, arm| arm * arm) + y.sum_of(|_, arm| arm * arm);
        Self { x, y, polar }
    }

    /// `[V_x, V_y, ω]` of a velocity field; lengths in cells.
    pub(crate) fn motion(&self, u: impl Fn(usize) -> f64, v: impl Fn(usize) -> f64) -> [f64; 3] {
        let ([mean_u, moment_u], [mean_v, moment_v]) = (self.x.means(u), self.y.means(v));
        let spin = (moment_u + moment_v) / self.polar;
        [
            mean_u - spin * self.x.mean_arm,
            mean_v - spin * self.y.mean_arm,
            spin,
        ]
    }

    /// Motion of a stream function at the nodes.
    pub(crate) fn motion_of(&self, grid: &Grid, stream: &[f64]) -> [f64; 3] {
        let [nx, ny] = grid.cells;
        self.motion(
            |place| stream[after(place / nx, ny) * nx + place % nx] - stream[place],
            |place| stream[place] - stream[place / nx * nx + after(place % nx, nx)],
        )
    }

    /// Adds the curl of the forces of a force and a torque, at the nodes.
    pub(crate) fn add_curl(&self, grid: &Grid, wrench: [f64; 3], curl: &mut [f64]) {
        let [nx, ny] = grid.cells;
        self.spread(wrench, |is_y, place, force| {
            let (i, j) = (place % nx, place / nx);
            // ∂x f_y − ∂y f_x: a face lies between two nodes.
            if is_y {
                curl[place] += force;
                curl[j * nx + after(i, nx)] -= force;
            } else {
                curl[place] -= force;
                curl[after(j, ny) * nx + i] += force;
            }
        });
    }

    /// Adds a rigid motion to velocities on faces, as far as the body covers them.
    pub(crate) fn add_motion(&self, motion: [f64; 3], velocities: [&mut [f64]; 2]) {
        for ((faces, field), speed) in [&self.x, &self.y].into_iter().zip(velocities).zip(motion) {
            for ((&place, &weight), &arm) in faces.place.iter().zip(&faces.weight).zip(&faces.arm) {
                let rigid = speed + motion[2] * (arm + faces.mean_arm);
                field[place as usize] += weight * faces.area * rigid;
            }
        }
    }

    /// Forces on x faces and y faces that belong to a force and a torque: the transpose of [`BodyWeights::motion`].
    pub(crate) fn spread(
        &self,
        [force_x, force_y, torque]: [f64; 3],
        mut add: impl FnMut(bool, usize, f64),
    ) {
        let rest = torque - force_x * self.x.mean_arm - force_y * self.y.mean_arm;
        for (faces, force, is_y) in [(&self.x, force_x, false), (&self.y, force_y, true)] {
            for ((&place, &weight), &arm) in faces.place.iter().zip(&faces.weight).zip(&faces.arm) {
                add(
                    is_y,
                    place as usize,
                    weight * (force + rest * arm / self.polar),
                );
            }
        }
    }
}
