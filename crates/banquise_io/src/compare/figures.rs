//! Figures of a comparison: observed and modelled together.

use banquise::diagnostics::windows::exceedance;
use banquise_geometry::DVec2;

use super::{Comparison, Measures, PairedTracks};
use crate::figure::{Axis, LineChart, Series, Unit};

/// The figures, as (file name, SVG).
pub fn figures(tracks: &PairedTracks, comparison: &Comparison) -> Vec<(&'static str, String)> {
    let speed = || Unit::Fixed("m s⁻¹".to_owned());
    let time = Axis::new("time", Unit::Time);
    let component = |title: &str, read: fn(&DVec2) -> f64| LineChart {
        title: title.to_owned(),
        x_axis: time.clone(),
        y_axis: Axis::new("velocity", speed()),
        series: two(|is_observed| {
            let velocities = tracks.velocities(is_observed);
            let at = |index: usize| tracks.start + index as f64 * tracks.interval;
            let values = velocities.iter().enumerate();
            values.map(|(index, v)| [at(index), read(v)]).collect()
        }),
        ..LineChart::default()
    };
    let of = |is_observed| {
        if is_observed {
            &comparison.observed
        } else {
            &comparison.modelled
        }
    };
    let log = |label: &str, unit: &str| Axis::log(label, Unit::Fixed(unit.to_owned()));
    let spectrum = LineChart {
        title: "Rotary spectrum, inertial sense".to_owned(),
        x_axis: log("frequency", "s⁻¹"),
        y_axis: log("power density", "m² s⁻¹"),
        series: two(|is_observed| inertial_sense(of(is_observed), tracks.coriolis)),
        ..LineChart::default()
    };
    let dispersion = LineChart {
        title: "Dispersion of displacements".to_owned(),
        x_axis: log("lag", "s"),
        y_axis: log("variance", "m²"),
        series: two(|is_observed| {
            let pairs = of(is_observed).dispersion.iter();
            pairs.map(|&(lag, variance)| [lag, variance]).collect()
        }),
        ..LineChart::default()
    };
    let distribution = LineChart {
        title: "Share of the time at which a speed is reached".to_owned(),
        x_axis: Axis::new("speed", speed()),
        y_axis: Axis::log("share", Unit::None),
        series: two(|is_observed| {
            let velocities = tracks.velocities(is_observed).iter();
            let speeds: Vec<f64> = velocities.map(|v| v.length()).collect();
            let known: Vec<f64> = speeds.into_iter().filter(|s| s.is_finite()).collect();
            exceedance(&known)
                .into_iter()
                .map(<[f64; 2]>::from)
                .collect()
        }),
        ..LineChart::default()
    };
    [
        ("compare_east.svg", component("Eastward velocity", |v| v.x)),
        (
            "compare_north.svg",
            component("Northward velocity", |v| v.y),
        ),
        ("compare_spectrum.svg", spectrum),
        ("compare_dispersion.svg", dispersion),
        ("compare_speed.svg", distribution),
    ]
    .map(|(name, chart)| (name, chart.to_svg()))
    .into()
}

/// Observed and modelled, as two curves.
fn two(points: impl Fn(bool) -> Vec<[f64; 2]>) -> Vec<Series> {
    [(true, "observed"), (false, "run")]
        .map(|(is_observed, label)| Series::new(label, points(is_observed)))
        .into()
}

/// Power that turns clockwise in the north, counter-clockwise in the south.
fn inertial_sense(measures: &Measures, coriolis: f64) -> Vec<[f64; 2]> {
    let bands = measures.spectrum.iter();
    let power = bands.map(|band| {
        let power = if coriolis < 0.0 {
            band.counter_clockwise
        } else {
            band.clockwise
        };
        [band.frequency, power]
    });
    power.collect()
}

impl PairedTracks {
    fn velocities(&self, is_observed: bool) -> &[DVec2] {
        if is_observed {
            &self.observed
        } else {
            &self.modelled
        }
    }
}
