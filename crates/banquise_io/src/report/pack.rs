//! Figures of the pack: dispersion, concentration, groups, sizes and drift.

use banquise::diagnostics::sizes::PowerLaw;
use banquise::diagnostics::spectrum::Band;

use super::chapter::{Chapter, Drawing};
use super::charts::{in_time, measured_in_time, points};
use super::words::{duration_text, quantity_text};
use crate::diagnostics::{Correlation, Diagnostics, Drift, Pack};
use crate::figure::{Axis, LineChart, LineStyle, Reference, Series, Unit};

const DAY: f64 = 86_400.0;
/// Fewer floes are no pack: shares of them, and distances of their pairs, say nothing.
const LEAST_PACK: usize = 10;
/// A velocity that varies by less than this part of its size has a spectrum of rounding errors.
const LEAST_VARIATION: f64 = 1e-9;

/// Dispersion, concentration, distances, groups, deformation and sizes.
pub(super) fn pack(diagnostics: &Diagnostics) -> Option<Chapter> {
    let pack = diagnostics.pack.as_ref()?;
    let floe_count = pack.sizes.len();
    if floe_count < LEAST_PACK {
        return None;
    }
    let mut drawings = vec![
        spread_of(pack, floe_count),
        concentration(pack),
        correlation(pack, floe_count),
        groups(pack),
    ];
    let rates = pack.divergence.iter().chain(&pack.shear);
    if rates.into_iter().any(|rate| rate.is_finite()) {
        drawings.push(deformation(pack));
    }
    drawings.extend(pack.law.as_ref().map(|law| sizes(pack, law)));
    Some(Chapter {
        heading: "The pack",
        drawings,
        ..Chapter::default()
    })
}

fn spread_of(pack: &Pack, floe_count: usize) -> Drawing {
    let series = vec![
        Series::new("dispersion σ", points(&pack.times, &pack.dispersion)),
        Series::new(
            "median distance",
            points(&pack.times, &pack.median_distance),
        ),
    ];
    Drawing::new(
        "dispersion.svg",
        measured_in_time(
            "Spread of the pack",
            "Distance",
            Unit::Prefixed("m".into()),
            series,
        ),
        format!(
            "σ is the root mean square distance of the floes from the centre of mass; half of the pairs \
             are closer than the median distance.{}",
            paired(pack, floe_count)
        ),
    )
}

fn concentration(pack: &Pack) -> Drawing {
    let percent = |shares: &[f64]| -> Vec<f64> { shares.iter().map(|c| 100.0 * c).collect() };
    let mut series = vec![Series::new(
        "in the pack",
        points(&pack.times, &percent(&pack.concentration)),
    )];
    if !pack.area_concentration.is_empty() {
        let values = percent(&pack.area_concentration);
        series.push(Series::new(
            "in the chosen area",
            points(&pack.times, &values),
        ));
    }
    Drawing::new(
        "concentration.svg",
        in_time("Concentration", Unit::Fixed("%".into()), series),
        "Share of the sea covered by ice: of the convex hull of all floes, or of the periodic cell.".into(),
    )
}

fn correlation(pack: &Pack, floe_count: usize) -> Drawing {
    let label = |correlation: &Correlation| {
        let time = duration_text(correlation.time);
        match correlation.slope {
            Some((_, _, slope)) => format!("{time}, slope {slope:.2}"),
            None => time,
        }
    };
    let mut series: Vec<Series> = pack
        .correlations
        .iter()
        .map(|correlation| {
            let curve = correlation.curve.iter().map(|&(r, share)| [r, share]);
            Series::new(&label(correlation), curve.collect())
        })
        .collect();
    let fitted = pack.correlations.first().and_then(|first| first.slope);
    if let Some((from, _, _)) = fitted {
        series.extend(random_pairs(&pack.correlations[0].curve, from));
    }
    let range = fitted.map_or(String::new(), |(from, to, _)| {
        format!(
            " Slopes are those between {} and half the median distance, {} at first.",
            quantity_text(from, "m"),
            quantity_text(to, "m")
        )
    });
    let chart = LineChart {
        title: "Pairs within a distance".into(),
        x_axis: Axis::log("Distance r", Unit::Prefixed("m".into())),
        y_axis: Axis::log("Share of pairs", Unit::None),
        series,
        ..LineChart::default()
    };
    Drawing::new(
        "pair_correlation.svg",
        chart.to_svg(),
        format!(
            "Share of all pairs of floes at most r apart. Less than slope 2 is clustering.{range}{}",
            paired(pack, floe_count)
        ),
    )
}

/// The line that points spread at random would follow, through a curve at a radius.
fn random_pairs(curve: &[(f64, f64)], radius: f64) -> Option<Series> {
    let near = curve.iter().find(|&&(r, _)| r >= radius);
    let (r, share) = *near.filter(|point| point.1 > 0.0)?;
    let (first, last) = (curve.first()?.0, r / share.sqrt());
    let square = |radius: f64| [radius, share * (radius / r) * (radius / r)];
    let line = Series::new("slope 2: at random", vec![square(first), square(last)]);
    Some(line.with_style(LineStyle::Dashed))
}

fn groups(pack: &Pack) -> Drawing {
    let clusters = &pack.clusters;
    let share = |count: &dyn Fn(&[usize]) -> usize| -> Vec<f64> {
        let sizes = clusters.sizes.iter();
        sizes
            .map(|sizes| 100.0 * count(sizes) as f64 / sizes.iter().sum::<usize>() as f64)
            .collect()
    };
    let largest = share(&|sizes| sizes.first().copied().unwrap_or_default());
    let alone = share(&|sizes| sizes.iter().filter(|&&size| size == 1).count());
    let series = vec![
        Series::new("in the largest group", points(&clusters.times, &largest)),
        Series::new("alone", points(&clusters.times, &alone)),
    ];
    Drawing::new(
        "clusters.svg",
        measured_in_time(
            "Groups of floes",
            "Share of floes",
            Unit::Fixed("%".into()),
            series,
        ),
        format!(
            "Floes at most {} apart are of one group: 2 % of the mean root of their areas.",
            quantity_text(clusters.gap, "m")
        ),
    )
}

fn deformation(pack: &Pack) -> Drawing {
    let per_day = |rates: &[f64]| -> Vec<f64> { rates.iter().map(|rate| DAY * rate).collect() };
    let series = vec![
        Series::new(
            "divergence",
            points(&pack.times, &per_day(&pack.divergence)),
        ),
        Series::new("shear", points(&pack.times, &per_day(&pack.shear))),
    ];
    Drawing::new(
        "deformation.svg",
        in_time("Strain rate", Unit::Fixed("1/d".into()), series),
        "Of the polygon of the floes that were outermost at the start, or when one of them went."
            .into(),
    )
}

fn sizes(pack: &Pack, law: &PowerLaw) -> Drawing {
    let count = pack.sizes.len();
    let reached = |(rank, &size): (usize, &f64)| [size, (count - rank) as f64];
    let curve = (0..=40).map(|k| {
        let size = law.smallest * (law.largest / law.smallest).powf(f64::from(k) / 40.0);
        [size, count as f64 * law.share_above(size)]
    });
    let fitted = format!("α = {:.2} ± {:.2}", law.exponent, law.error);
    // The law ends at the largest floe, where no larger one is left.
    let curve = curve.filter(|point| point[1] >= 0.5).collect();
    let chart = LineChart {
        title: "Floe sizes".into(),
        x_axis: Axis::log("Mean caliper diameter", Unit::Prefixed("m".into())),
        y_axis: Axis::log("Floes at least as large", Unit::None),
        series: vec![
            Series::new(
                "floes",
                pack.sizes.iter().enumerate().map(reached).collect(),
            )
            .with_style(LineStyle::Markers),
            Series::new(&fitted, curve).with_style(LineStyle::Dashed),
        ],
        ..LineChart::default()
    };
    Drawing::new(
        "sizes.svg",
        chart.to_svg(),
        format!(
            "Number of floes at least as large, and the power law of exponent α between the smallest and the largest \
             that is most likely; Kolmogorov–Smirnov distance {:.3}.",
            law.misfit
        ),
    )
}

fn paired(pack: &Pack, floe_count: usize) -> String {
    if pack.paired < floe_count {
        format!(" Pairs of {} of {floe_count} floes.", pack.paired)
    } else {
        String::new()
    }
}

/// Drift against the wind, and its rotary spectrum; nothing without floes or without wind.
pub(super) fn drift(diagnostics: &Diagnostics) -> Option<Chapter> {
    let drift = diagnostics.drift.as_ref()?;
    let mut drawings = Vec::new();
    if let Some((fit, share)) = drift.fit {
        let fitted = format!(
            "fit: {:.2} %, {:.1}°",
            100.0 * fit.factor,
            fit.angle.to_degrees()
        );
        let series = |read: fn(&Drift, usize) -> f64| {
            let values: Vec<f64> = (0..drift.response.len()).map(|i| read(drift, i)).collect();
            vec![Series::new(
                "all floes",
                points(&diagnostics.times, &values),
            )]
        };
        let angles =
            series(|drift, i| drift.response[i].map_or(f64::NAN, |r| r.angle.to_degrees()));
        let factors = series(|drift, i| drift.response[i].map_or(f64::NAN, |r| 100.0 * r.factor));
        drawings.push(Drawing::new(
            "drift_angle.svg",
            with_level("Angle to the right of the wind", "°", angles, fit.angle.to_degrees()),
            format!("Direction of the centre of mass against the wind ({fitted}); the fit accounts for {:.0} % of the drift.", 100.0 * share),
        ));
        drawings.push(Drawing::new(
            "drift_factor.svg",
            with_level(
                "Speed over that of the wind",
                "%",
                factors,
                100.0 * fit.factor,
            ),
            "Speed of the centre of mass over that of the wind.".into(),
        ));
    }
    drawings.extend(spectrum(drift));
    (!drawings.is_empty()).then_some(Chapter {
        heading: "Drift",
        drawings,
        ..Chapter::default()
    })
}

fn with_level(title: &str, unit: &str, series: Vec<Series>, value: f64) -> String {
    LineChart {
        title: title.into(),
        x_axis: Axis::new("Time", Unit::Time),
        y_axis: Axis::new(title, Unit::Fixed(unit.into())),
        series,
        references: vec![Reference::Horizontal {
            value,
            label: "fit".into(),
        }],
        ..LineChart::default()
    }
    .to_svg()
}

fn spectrum(drift: &Drift) -> Option<Drawing> {
    let bands = &drift.spectrum;
    let speeds = drift.velocity.iter().map(|velocity| velocity.length());
    let fastest = speeds.fold(0.0, f64::max);
    let variance = |band: &Band| band.frequency * (band.clockwise + band.counter_clockwise);
    let largest = bands.iter().map(variance).fold(0.0, f64::max);
    let least = (LEAST_VARIATION * fastest).powi(2);
    if bands.len() < 8 || largest <= least {
        return None;
    }
    let cycles = |frequency: f64| DAY * frequency;
    let curve = |read: fn(&Band) -> f64| -> Vec<[f64; 2]> {
        let point = |band: &Band| [cycles(band.frequency), read(band)];
        bands.iter().map(point).collect()
    };
    let mut references = Vec::new();
    let inertial = cycles(drift.inertial_frequency.abs());
    if inertial > 0.0 && inertial < cycles(bands[bands.len() - 1].frequency) {
        references.push(Reference::Vertical {
            value: inertial,
            label: "inertial".into(),
        });
    }
    let chart = LineChart {
        title: "Rotary spectrum".into(),
        x_axis: Axis::log("Frequency", Unit::Fixed("1/d".into())),
        y_axis: Axis::log("Power density", Unit::Fixed("m²/s".into())),
        series: vec![
            Series::new("clockwise", curve(|band| band.clockwise)),
            Series::new("counter-clockwise", curve(|band| band.counter_clockwise)),
        ],
        references,
        ..LineChart::default()
    };
    Some(Drawing::new(
        "rotary_spectrum.svg",
        chart.to_svg(),
        "Of the velocity of the centre of mass, mean removed.".into(),
    ))
}
