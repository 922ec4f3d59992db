//! Vectors at the nodes of a grid of quadrilaterals, at some times; linear between the times, bilinear in
//! each cell.

use banquise_geometry::DVec2;

use super::nodes::NodeGrid;
use crate::error::FieldError;

/// Vectors on a grid, in time.
#[derive(Debug, Clone, PartialEq)]
pub struct GriddedField {
    grid: NodeGrid,
    times: Vec<f64>,
    /// Time after time, like the nodes; NaN where there are no data.
    values: Vec<DVec2>,
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
        let grid = NodeGrid::try_new(columns, nodes)?;
        Ok(Self {
            grid,
            times,
            values,
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
        let Some((found, place)) = self.grid.locate(point, *cell) else {
            return DVec2::NAN;
        };
        *cell = found;
        let value_at = |time: usize| {
            let values = &self.values[time * self.grid.len()..];
            self.grid.in_cell(values, found, place)
        };
        let value = value_at(level.first);
        if level.weight == 0.0 {
            return value;
        }
        value + level.weight * (value_at(level.first + 1) - value)
    }
}

#[cfg(test)]
mod tests;
