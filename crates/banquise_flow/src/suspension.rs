//! Random suspensions of equal discs in a periodic square, for measurements.

use banquise_geometry::DVec2;

use crate::{Body, Edges, FlowError, Grid, Load, Wrench};

/// Discs at random places, at least a distance apart.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Suspension {
    /// Number of discs.
    pub discs: usize,
    /// Cells along a side.
    pub cells: usize,
    /// Radius of a disc in cells.
    pub radius_cells: f64,
    /// Least gap between discs in cells.
    pub gap_cells: f64,
    /// Number of the draw.
    pub seed: u64,
}

/// Places tried for each disc before a suspension is refused as too dense.
const TRIES: usize = 10_000;

/// The next of a sequence of random numbers in [0, 1) (splitmix64: Steele, Lea and Flood 2014).
pub(crate) fn next_random(state: &mut u64) -> f64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut z = *state;
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    ((z ^ (z >> 31)) >> 11) as f64 / (1u64 << 53) as f64
}

impl Suspension {
    /// Share of the area that the discs cover.
    pub fn fraction(&self) -> f64 {
        let area = std::f64::consts::PI * self.radius_cells * self.radius_cells;
        self.discs as f64 * area / (self.cells * self.cells) as f64
    }

    /// The grid; lengths are in cells.
    ///
    /// # Errors
    /// If the number of cells is out of range.
    pub fn grid(&self) -> Result<Grid, FlowError> {
        Grid::try_new([self.cells; 2], 1.0, Edges::Periodic)
    }

    /// Places of the discs, by random sequential addition.
    ///
    /// # Errors
    /// If there is no room for another disc.
    pub fn places(&self) -> Result<Vec<DVec2>, FlowError> {
        let side = self.cells as f64;
        let apart = 2.0 * self.radius_cells + self.gap_cells;
        // Buckets at least as wide as the distance: only neighbours can be too close.
        let buckets = ((side / apart) as usize).max(1);
        let bucket_of = |at: DVec2| {
            let index = |x: f64| ((x / side * buckets as f64) as usize).min(buckets - 1);
            [index(at.x), index(at.y)]
        };
        let mut lists: Vec<Vec<DVec2>> = vec![Vec::new(); buckets * buckets];
        let wrap = |x: f64| x - side * (x / side).round();
        let mut state = self.seed;
        let mut places = Vec::with_capacity(self.discs);
        for disc in 0..self.discs {
            let is_free = |at: DVec2, lists: &[Vec<DVec2>]| {
                let [i, j] = bucket_of(at);
                let near = |k: usize| [k + buckets - 1, k, k + 1].map(|k| k % buckets);
                near(j).iter().all(|&j| {
                    near(i).iter().all(|&i| {
                        lists[j * buckets + i].iter().all(|&other| {
                            let d = other - at;
                            DVec2::new(wrap(d.x), wrap(d.y)).length() >= apart
                        })
                    })
                })
            };
            let mut draw = || {
                let x = next_random(&mut state);
                DVec2::new(x, next_random(&mut state)) * side
            };
            let found = (0..TRIES).map(|_| draw()).find(|&at| is_free(at, &lists));
            let Some(at) = found else {
                return Err(FlowError::OutOfRange {
                    quantity: "the number of discs",
                    requirement: "such that they find room at random",
                    value: (disc + 1) as f64,
                });
            };
            let [i, j] = bucket_of(at);
            lists[j * buckets + i].push(at);
            places.push(at);
        }
        Ok(places)
    }

    /// Discs at places.
    ///
    /// # Errors
    /// If the radius is not positive.
    pub fn bodies(&self, places: &[DVec2]) -> Result<Vec<Body>, FlowError> {
        places
            .iter()
            .map(|&at| Body::disc(at, self.radius_cells))
            .collect()
    }

    /// The weight of the discs: 1 downwards for each.
    pub fn weight(&self) -> Load {
        let wrench = Wrench {
            force: DVec2::NEG_Y,
            torque: 0.0,
        };
        Load {
            wrenches: vec![wrench; self.discs],
            ..Load::default()
        }
    }
}
