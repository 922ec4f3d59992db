//! Wind or current that differs from place to place: added to what is the same everywhere.

mod grid;
mod nodes;
mod pattern;
mod tide;

pub use grid::GriddedField;
pub use pattern::Pattern;
pub use tide::GriddedTide;

use banquise_geometry::DVec2;

use crate::domain::Rectangle;
use grid::Level;

/// A vector in space and time [m/s]: analytic patterns, a grid of data and tides, added up.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct SpatialField {
    /// Analytic patterns.
    pub patterns: Vec<Pattern>,
    /// Data on a grid.
    pub grid: Option<GriddedField>,
    /// Constituents of a tidal current on grids; they do not grow with the ramp.
    pub tides: Vec<GriddedTide>,
    /// Rectangle that is repeated in a periodic domain: a point takes the value of its image within.
    pub period: Option<Rectangle>,
    /// Time in which the field grows from rest to its full strength \[s\].
    pub ramp: f64,
}

impl SpatialField {
    /// The vector at a point \[m\] and world time \[s\]; NaN where there are no data.
    pub fn at(&self, point: DVec2, time: f64) -> DVec2 {
        self.snapshot(DVec2::ZERO, time).at(point, &mut 0)
    }

    /// World time from which there are data, and until which \[s\]; patterns have no end.
    pub fn span(&self) -> (f64, f64) {
        let grid = self.grid.as_ref();
        grid.map_or((f64::NEG_INFINITY, f64::INFINITY), GriddedField::span)
    }

    /// A bound of the speed for points like these [m/s]: that of data and tides anywhere, of vortices where
    /// they are fastest, and of patterns without a largest speed at the points themselves.
    pub fn speed_bound(&self, points: &[DVec2]) -> f64 {
        let patterns = self.patterns.iter();
        let patterns: f64 = patterns.map(|p| p.speed_bound(points)).sum();
        let tides: f64 = self.tides.iter().map(GriddedTide::max_speed).sum();
        patterns + self.grid.as_ref().map_or(0.0, GriddedField::max_speed) + tides
    }

    /// The field at one time, `base` added [m/s].
    pub(crate) fn snapshot(&self, base: DVec2, time: f64) -> FieldSnapshot<'_> {
        let factor = if time < self.ramp {
            (time / self.ramp).max(0.0)
        } else {
            1.0
        };
        FieldSnapshot {
            base,
            factor,
            time,
            patterns: &self.patterns,
            period: self.period,
            grid: self.grid.as_ref().map(|grid| (grid, grid.level(time))),
            tides: &self.tides,
        }
    }
}

/// A field at one time.
#[derive(Debug, Clone, Copy)]
pub(crate) struct FieldSnapshot<'a> {
    base: DVec2,
    factor: f64,
    time: f64,
    patterns: &'a [Pattern],
    period: Option<Rectangle>,
    grid: Option<(&'a GriddedField, Level)>,
    tides: &'a [GriddedTide],
}

impl FieldSnapshot<'_> {
    /// The field with a uniform vector added [m/s].
    pub(crate) fn plus(mut self, vector: DVec2) -> Self {
        self.base += vector;
        self
    }

    /// The vector at a point; NaN where there are no data. `cell` is where to look first in a grid,
    /// and where it was found: neighbours ask for it one after the other.
    pub(crate) fn at(&self, point: DVec2, cell: &mut usize) -> DVec2 {
        let rest = self.without_tides(point, cell);
        if self.has_tides() {
            rest + self.tides(point, cell)
        } else {
            rest
        }
    }

    /// Whether there are tides on grids.
    pub(crate) fn has_tides(&self) -> bool {
        !self.tides.is_empty()
    }

    /// The tides on grids alone at a point.
    pub(crate) fn tides(&self, point: DVec2, cell: &mut usize) -> DVec2 {
        let point = self.wrapped(point);
        let tides = self.tides.iter();
        tides.map(|tide| tide.near(point, self.time, cell)).sum()
    }

    /// Change of the tides on grids at a point between two times \[s\].
    pub(crate) fn tide_change(&self, point: DVec2, from: f64, to: f64) -> DVec2 {
        let point = self.wrapped(point);
        let tides = self.tides.iter();
        tides.map(|tide| tide.change(point, from, to)).sum()
    }

    /// The vector at a point without the tides on grids.
    pub(crate) fn without_tides(&self, point: DVec2, cell: &mut usize) -> DVec2 {
        let point = self.wrapped(point);
        let mut sum = DVec2::ZERO;
        for pattern in self.patterns {
            sum += pattern.at(point, self.time);
        }
        if let Some((grid, level)) = self.grid {
            sum += grid.at(point, level, cell);
        }
        self.base + self.factor * sum
    }

    /// The image of a point in the rectangle of a periodic domain.
    fn wrapped(&self, point: DVec2) -> DVec2 {
        self.period.map_or(point, |period| {
            let place = (point - period.min) / period.size();
            point - place.floor() * period.size()
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ramp_leads_from_rest_into_the_field() {
        let field = SpatialField {
            patterns: vec![Pattern::Shear {
                through: DVec2::ZERO,
                direction: DVec2::X,
                rate: 1e-3,
            }],
            ramp: 100.0,
            ..SpatialField::default()
        };
        let point = DVec2::new(0.0, -2000.0);
        assert_eq!(field.at(point, 0.0), DVec2::ZERO);
        assert_eq!(field.at(point, 25.0), DVec2::new(0.5, 0.0));
        assert_eq!(field.at(point, 500.0), DVec2::new(2.0, 0.0));
    }
}
