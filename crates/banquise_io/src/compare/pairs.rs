//! Two-point dispersion of buoys, and of floes beside them.

use banquise::diagnostics::tracks::pair_dispersion;
use banquise_geometry::DVec2;
use serde_json::{Value, json};

use super::{PairedTracks, at_even_times, bridged, dispersion_lags};
use crate::figure::{Axis, LineChart, Series, Unit};
use crate::geography::LocalFrame;
use crate::scenario::TrackRow;

/// Mean square of the change of the vector between two points of a set, against lag.
#[derive(Debug, Clone, PartialEq)]
pub struct PairDispersion {
    /// Number of points.
    pub points: usize,
    /// Lag \[s\], ⟨Δ²⟩ \[m²\], and the number of pairs and starts that it is a mean of.
    pub curve: Vec<(f64, f64, usize)>,
}

/// Of buoys and of floes; each where there are two of them at least.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Pairs {
    /// Of the buoys of the table.
    pub observed: Option<PairDispersion>,
    /// Of the floes of the run, at the same lags.
    pub modelled: Option<PairDispersion>,
}

impl Pairs {
    /// Lays the rows of all buoys on the even times of one of them, with the mean velocities of all floes at these times (`floe_at`, by the number of the floe, a time and a span).
    /// East and north of buoys far apart differ: velocities at known places are turned into the plane of `frame`.
    pub fn new(
        tracks: &PairedTracks,
        buoys: &[Vec<TrackRow>],
        frame: Option<LocalFrame>,
        floes: usize,
        floe_at: impl Fn(usize, f64, f64) -> DVec2,
    ) -> Self {
        let (start, interval, count) = (tracks.start, tracks.interval, tracks.observed.len());
        let observed: Vec<Vec<DVec2>> = buoys
            .iter()
            .map(|rows| {
                let known = rows.iter().filter(|row| row.velocity.is_finite());
                let values = known.map(|row| (row.time, in_plane(frame, row)));
                bridged(&at_even_times(values, start, interval, count), interval)
            })
            .collect();
        let times = (0..count).map(|index| start + index as f64 * interval);
        let floe = |floe| {
            let times = times.clone();
            times.map(|time| floe_at(floe, time, interval)).collect()
        };
        let modelled: Vec<Vec<DVec2>> = (0..floes).map(floe).collect();
        Self {
            observed: dispersion(&observed, interval, count),
            modelled: dispersion(&modelled, interval, count),
        }
    }

    /// As `banquise compare --json` prints it: null where there are no pairs.
    pub fn to_json(&self) -> Value {
        let of = |one: &Option<PairDispersion>| {
            one.as_ref().map(|one| {
                let curve = one.curve.iter();
                let curve = curve.map(|(lag, square, pairs)| {
                    json!({ "lag_s": lag, "mean_square_m2": square, "pairs": pairs })
                });
                json!({ "points": one.points, "dispersion": curve.collect::<Value>() })
            })
        };
        json!({ "observed": of(&self.observed), "modelled": of(&self.modelled) })
    }

    /// The figure, if there are pairs of any.
    pub fn figure(&self) -> Option<(&'static str, String)> {
        let log = |label: &str, unit: &str| Axis::log(label, Unit::Fixed(unit.to_owned()));
        let series: Vec<Series> = [("buoys", &self.observed), ("floes", &self.modelled)]
            .into_iter()
            .filter_map(|(name, one)| {
                let one = one.as_ref()?;
                let points = one.curve.iter();
                let points = points.map(|&(lag, square, _)| [lag, square]).collect();
                Some(Series::new(&format!("{} {name}", one.points), points))
            })
            .collect();
        let chart = LineChart {
            title: "Two-point dispersion".to_owned(),
            x_axis: log("lag", "s"),
            y_axis: log("mean square change", "m²"),
            series,
            ..LineChart::default()
        };
        (!chart.series.is_empty()).then(|| ("compare_pairs.svg", chart.to_svg()))
    }
}

/// Velocity of a row in the plane, as far as its place is known.
fn in_plane(frame: Option<LocalFrame>, row: &TrackRow) -> DVec2 {
    match frame {
        Some(frame) if row.place.is_finite() => frame.in_plane_at(row.place, row.velocity),
        _ => row.velocity,
    }
}

fn dispersion(tracks: &[Vec<DVec2>], interval: f64, count: usize) -> Option<PairDispersion> {
    let lags = dispersion_lags(count).into_iter();
    let curve: Vec<(f64, f64, usize)> = lags
        .filter_map(|lag| {
            let (square, pairs) = pair_dispersion(tracks, interval, lag)?;
            Some((lag as f64 * interval, square, pairs))
        })
        .collect();
    let is_known = |track: &&Vec<DVec2>| track.iter().any(|v| v.is_finite());
    let points = tracks.iter().filter(is_known).count();
    (!curve.is_empty()).then_some(PairDispersion { points, curve })
}
