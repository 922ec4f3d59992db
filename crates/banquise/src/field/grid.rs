//! Vectors at the nodes of a grid of quadrilaterals, at some times; linear between the times, bilinear in
//! each cell.
//!
//! A grid may be regular, or curved and turned as those of ocean models are: a node is where it is
//! in the plane, and a cell is found through bins of the plane.

use banquise_geometry::DVec2;

use crate::error::FieldError;

/// Rounds to find the place of a point in a cell. In a parallelogram one is enough; a cell of a few
/// degrees asks for three or four.
const MAX_ROUNDS: usize = 12;
/// A point is in a cell up to this much of its width, so that none falls between two.
const EDGE: f64 = 1e-9;

/// Vectors on a grid, in time.
#[derive(Debug, Clone, PartialEq)]
pub struct GriddedField {
    columns: usize,
    /// Row after row; NaN where the grid has no node.
    nodes: Vec<DVec2>,
    times: Vec<f64>,
    /// Time after time, like the nodes; NaN where there are no data.
    values: Vec<DVec2>,
    bins: Bins,
}

/// Between which two times, and how far from the first.
#[derive(Debug, Clone, Copy)]
pub(super) struct Level {
    first: usize,
    weight: f64,
}

impl GriddedField {
    /// A field of `values` [m/s] at `nodes` \[m\], row after row of `columns`, at `times` \[s\].
    ///
    /// Nodes and values may be NaN: there is no grid there, or no data.
    ///
    /// # Errors
    /// When times do not grow, a cell is folded, or there is no cell at all.
    ///
    /// # Panics
    /// When the lengths do not fit each other.
    pub fn try_new(
        columns: usize,
        nodes: Vec<DVec2>,
        times: Vec<f64>,
        values: Vec<DVec2>,
    ) -> Result<Self, FieldError> {
        assert!(columns > 0 && nodes.len().is_multiple_of(columns));
        assert_eq!(values.len(), nodes.len() * times.len());
        if times.is_empty() {
            return Err(FieldError::NoTimes);
        }
        for (index, pair) in times.windows(2).enumerate() {
            if pair.iter().any(|time| !time.is_finite()) || pair[1] <= pair[0] {
                return Err(FieldError::TimesNotIncreasing {
                    index: index + 1,
                    time: pair[1],
                    previous: pair[0],
                });
            }
        }
        let bins = Bins::new(columns, &nodes)?;
        Ok(Self {
            columns,
            nodes,
            times,
            values,
            bins,
        })
    }

    /// First and last time \[s\]; data of one time hold for ever.
    pub(super) fn span(&self) -> (f64, f64) {
        match self.times[..] {
            [_] => (f64::NEG_INFINITY, f64::INFINITY),
            _ => (self.times[0], self.times[self.times.len() - 1]),
        }
    }

    /// Largest speed at any node and time [m/s].
    pub(super) fn max_speed(&self) -> f64 {
        self.values
            .iter()
            .map(|value| value.length())
            .fold(0.0, f64::max)
    }

    /// Where a time lies among those of the data; before the first and after the last, those hold.
    pub(super) fn level(&self, time: f64) -> Level {
        let next = self.times.partition_point(|&t| t <= time);
        let first = next.saturating_sub(1);
        let weight = match self.times.get(first + 1) {
            Some(&end) if time > self.times[first] => {
                (time - self.times[first]) / (end - self.times[first])
            }
            _ => 0.0,
        };
        Level { first, weight }
    }

    /// The vector at a point, looked for in the cell `cell` first; NaN where there is none.
    pub(super) fn at(&self, point: DVec2, level: Level, cell: &mut usize) -> DVec2 {
        let Some((found, place)) = self.locate(point, *cell) else {
            return DVec2::NAN;
        };
        *cell = found;
        let value = self.in_cell(found, place, level.first);
        if level.weight == 0.0 {
            return value;
        }
        let next = self.in_cell(found, place, level.first + 1);
        value + level.weight * (next - value)
    }

    /// The cell of a point and its place in there, both between 0 and 1.
    fn locate(&self, point: DVec2, guess: usize) -> Option<(usize, DVec2)> {
        let place_in = |cell: usize| {
            let corners = corners(self.columns, &self.nodes, cell)?;
            Some((cell, place_in_cell(corners, point)?))
        };
        place_in(guess).or_else(|| {
            self.bins
                .of(point)
                .iter()
                .find_map(|&c| place_in(c as usize))
        })
    }

    /// Bilinear between the corners, at one time.
    fn in_cell(&self, cell: usize, place: DVec2, time: usize) -> DVec2 {
        let values = &self.values[time * self.nodes.len()..];
        let (u, v) = (place.x.clamp(0.0, 1.0), place.y.clamp(0.0, 1.0));
        let weights = [(1.0 - u) * (1.0 - v), u * (1.0 - v), u * v, (1.0 - u) * v];
        let mut sum = DVec2::ZERO;
        for (node, weight) in corner_nodes(self.columns, cell).into_iter().zip(weights) {
            // A point on an edge asks nothing of the nodes across.
            if weight > EDGE || !values[node].is_nan() {
                sum += weight * values[node];
            }
        }
        sum
    }
}

/// The nodes around a cell, which is named after its first node.
fn corner_nodes(columns: usize, cell: usize) -> [usize; 4] {
    [cell, cell + 1, cell + columns + 1, cell + columns]
}

/// The corners of a cell; nothing where the grid has none.
fn corners(columns: usize, nodes: &[DVec2], cell: usize) -> Option<[DVec2; 4]> {
    if cell % columns + 1 == columns || cell + columns + 1 >= nodes.len() {
        return None;
    }
    let corners = corner_nodes(columns, cell).map(|node| nodes[node]);
    corners.iter().all(|c| c.is_finite()).then_some(corners)
}

/// Where in a cell a point lies, by Newton's method on the bilinear map; nothing if outside.
fn place_in_cell([a, b, c, d]: [DVec2; 4], point: DVec2) -> Option<DVec2> {
    let (along, across, twist) = (b - a, d - a, a - b + c - d);
    let mut place = DVec2::splat(0.5);
    for _ in 0..MAX_ROUNDS {
        let miss = a + place.x * along + place.y * across + place.x * place.y * twist - point;
        let (column, row) = (along + place.y * twist, across + place.x * twist);
        let determinant = column.perp_dot(row);
        let step = DVec2::new(miss.perp_dot(row), column.perp_dot(miss)) / determinant;
        if !step.is_finite() {
            return None;
        }
        place -= step;
        if step.length_squared() < EDGE * EDGE {
            let inside =
                (-EDGE..=1.0 + EDGE).contains(&place.x) && (-EDGE..=1.0 + EDGE).contains(&place.y);
            return inside.then_some(place);
        }
    }
    None
}

/// A rectangle of the plane cut into equal bins, each with the cells that reach into it.
#[derive(Debug, Clone, PartialEq)]
struct Bins {
    min: DVec2,
    /// Bins in a metre, along x and y.
    density: DVec2,
    columns: usize,
    rows: usize,
    /// End of each bin in `cells`.
    ends: Vec<u32>,
    cells: Vec<u32>,
}

impl Bins {
    fn new(columns: usize, nodes: &[DVec2]) -> Result<Self, FieldError> {
        let cells = valid_cells(columns, nodes)?;
        let bound = |cell: u32| {
            let corners = corners(columns, nodes, cell as usize).expect("it is a valid cell");
            let min = corners.into_iter().fold(corners[0], DVec2::min);
            (min, corners.into_iter().fold(corners[0], DVec2::max))
        };
        let Some(&first) = cells.first() else {
            return Err(FieldError::NoCell);
        };
        let (min, max) = cells.iter().fold(bound(first), |(min, max), &cell| {
            let (cell_min, cell_max) = bound(cell);
            (min.min(cell_min), max.max(cell_max))
        });
        let count = (cells.len() as f64).sqrt().ceil().max(1.0);
        let mut bins = Self {
            min,
            density: DVec2::splat(count) / (max - min),
            columns: count as usize,
            rows: count as usize,
            ends: Vec::new(),
            cells: Vec::new(),
        };
        let mut pairs: Vec<(u32, u32)> = Vec::new();
        for &cell in &cells {
            let (cell_min, cell_max) = bound(cell);
            let ([x, y], [end_x, end_y]) = (bins.clamped(cell_min), bins.clamped(cell_max));
            for row in y..=end_y {
                pairs
                    .extend((x..=end_x).map(|column| ((row * bins.columns + column) as u32, cell)));
            }
        }
        pairs.sort_unstable();
        let bin_count = bins.columns * bins.rows;
        bins.ends = (0..bin_count as u32)
            .map(|bin| pairs.partition_point(|pair| pair.0 <= bin) as u32)
            .collect();
        bins.cells = pairs.into_iter().map(|pair| pair.1).collect();
        Ok(bins)
    }

    /// The bin of a point, the nearest one for a point outside.
    fn clamped(&self, point: DVec2) -> [usize; 2] {
        let bin = (point - self.min) * self.density;
        let limit = |value: f64, count: usize| (value.max(0.0) as usize).min(count - 1);
        [limit(bin.x, self.columns), limit(bin.y, self.rows)]
    }

    /// The cells that may hold a point.
    fn of(&self, point: DVec2) -> &[u32] {
        let [x, y] = self.clamped(point);
        let bin = y * self.columns + x;
        let start = if bin == 0 { 0 } else { self.ends[bin - 1] };
        &self.cells[start as usize..self.ends[bin] as usize]
    }
}

/// The cells with four corners, all of which must go round the same way.
fn valid_cells(columns: usize, nodes: &[DVec2]) -> Result<Vec<u32>, FieldError> {
    let mut cells = Vec::new();
    let mut sense = 0.0;
    for cell in 0..nodes.len() {
        let Some([a, b, c, d]) = corners(columns, nodes, cell) else {
            continue;
        };
        let area = 0.5 * (c - a).perp_dot(d - b);
        if area == 0.0 || area * sense < 0.0 {
            return Err(FieldError::Folded {
                column: cell % columns,
                row: cell / columns,
            });
        }
        sense = area.signum();
        cells.push(cell as u32);
    }
    Ok(cells)
}

#[cfg(test)]
mod tests;
