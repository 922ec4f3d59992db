//! A grid of quadrilaterals in the plane: which cell holds a point, and values between its corners.
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

/// The nodes of a grid.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct NodeGrid {
    columns: usize,
    /// Row after row; NaN where the grid has no node.
    nodes: Vec<DVec2>,
    bins: Bins,
}

impl NodeGrid {
    /// Nodes row after row of `columns`, NaN where there is none.
    pub(super) fn try_new(columns: usize, nodes: Vec<DVec2>) -> Result<Self, FieldError> {
        assert!(columns > 0 && nodes.len().is_multiple_of(columns));
        let bins = Bins::new(columns, &nodes)?;
        Ok(Self {
            columns,
            nodes,
            bins,
        })
    }

    /// How many nodes there are.
    pub(super) fn len(&self) -> usize {
        self.nodes.len()
    }

    /// The cell of a point and its place in there, both between 0 and 1.
    pub(super) fn locate(&self, point: DVec2, guess: usize) -> Option<(usize, DVec2)> {
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

    /// Value at a place in a cell, bilinear between the corners; values are in the order of the nodes.
    pub(super) fn in_cell(&self, values: &[DVec2], cell: usize, place: DVec2) -> DVec2 {
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
pub(super) fn corner_nodes(columns: usize, cell: usize) -> [usize; 4] {
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
