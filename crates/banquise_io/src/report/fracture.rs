//! Figures of fracture: floe sizes before and after, and restitution by impact speed.

use super::chapter::{Chapter, Drawing};
use super::words::{count_text, duration_text};
use crate::diagnostics::{Diagnostics, Fracture, SizeDistribution};
use crate::figure::{Axis, LineChart, LineStyle, Series, Table, Unit};

/// Points of the curve of a law.
const CURVE_POINTS: u32 = 60;

/// Sizes, restitution and bounds; `None` where no floe broke.
pub(super) fn fracture(diagnostics: &Diagnostics) -> Option<Chapter> {
    let fracture = diagnostics.fracture.as_ref()?;
    let mut drawings = vec![sizes(fracture)];
    drawings.extend(restitution(fracture));
    Some(Chapter {
        heading: "Fracture",
        drawings,
        tables: bounds(fracture).into_iter().collect(),
        ..Chapter::default()
    })
}

fn sizes(fracture: &Fracture) -> Drawing {
    let mut series = Vec::new();
    let mut laws = Vec::new();
    for distribution in &fracture.sizes {
        let when = duration_text(distribution.time);
        series.push(observed(distribution, &when));
        series.extend(laws_of(distribution, &when));
        laws.extend(law_text(distribution, &when));
    }
    let chart = LineChart {
        title: "Floe sizes before and after".into(),
        x_axis: Axis::log("Mean caliper diameter", Unit::Prefixed("m".into())),
        y_axis: Axis::log("Floes at least as large", Unit::None),
        series,
        ..LineChart::default()
    };
    Drawing::new(
        "fracture_sizes.svg",
        chart.to_svg(),
        format!(
            "Number of floes at least as large, with the most likely power law between the smallest and the largest (dashed) and the \
             most likely log-normal law (dotted).{}",
            laws.concat()
        ),
    )
}

fn observed(distribution: &SizeDistribution, when: &str) -> Series {
    let count = distribution.sizes.len();
    let reached = |(rank, &size): (usize, &f64)| [size, (count - rank) as f64];
    let points = distribution.sizes.iter().enumerate().map(reached);
    let label = format!("{} floes, {when}", count_text(count as f64));
    Series::new(&label, points.collect()).with_style(LineStyle::Markers)
}

/// The curves of the laws, where at least half a floe is left.
fn laws_of(distribution: &SizeDistribution, when: &str) -> Vec<Series> {
    let (Some(power), Some(normal)) = (distribution.power_law, distribution.log_normal) else {
        return Vec::new();
    };
    let count = distribution.sizes.len() as f64;
    let curve = |share: &dyn Fn(f64) -> f64| -> Vec<[f64; 2]> {
        let ratio = power.largest / power.smallest;
        (0..=CURVE_POINTS)
            .map(|k| power.smallest * ratio.powf(f64::from(k) / f64::from(CURVE_POINTS)))
            .map(|size| [size, count * share(size)])
            .filter(|point| point[1] >= 0.5)
            .collect()
    };
    vec![
        Series::new(
            &format!("power law, {when}"),
            curve(&|size| power.share_above(size)),
        )
        .with_style(LineStyle::Dashed),
        Series::new(
            &format!("log-normal, {when}"),
            curve(&|size| normal.share_above(size)),
        )
        .with_style(LineStyle::Dotted),
    ]
}

fn law_text(distribution: &SizeDistribution, when: &str) -> Option<String> {
    let (power, normal) = (distribution.power_law?, distribution.log_normal?);
    Some(format!(
        " After {when}: exponent {:.2} ± {:.2}, Kolmogorov–Smirnov distance {:.3}; log-normal with median {:.1} m and spread {:.2} ± {:.2}, distance {:.3}.",
        power.exponent,
        power.error,
        power.misfit,
        normal.median,
        normal.spread,
        normal.spread_error,
        normal.misfit
    ))
}

fn restitution(fracture: &Fracture) -> Option<Drawing> {
    if fracture.restitution.len() < 2 {
        return None;
    }
    let point = |bin: &crate::diagnostics::RestitutionAtSpeed| {
        [(bin.speeds[0] * bin.speeds[1]).sqrt(), bin.mean]
    };
    let points = fracture.restitution.iter().map(point).collect();
    let blows: f64 = fracture.restitution.iter().map(|bin| bin.blows).sum();
    let chart = LineChart {
        title: "Effective restitution".into(),
        x_axis: Axis::log("Impact speed", Unit::Fixed("m/s".into())),
        y_axis: Axis::new("Mean restitution", Unit::None),
        series: vec![Series::new("", points)],
        ..LineChart::default()
    };
    Some(Drawing::new(
        "restitution.svg",
        chart.to_svg(),
        format!(
            "Mean restitution of {} blows, four bins to a decade of impact speed. Cracks lower it where they take more than a blow would lose without them.",
            count_text(blows)
        ),
    ))
}

/// How many floes passed each bound; `None` in a run that did not end.
fn bounds(fracture: &Fracture) -> Option<Table> {
    let count = |key: &str| fracture.counts[key].as_f64();
    let rows = [
        (
            "struck",
            [
                "struck",
                "struck_with_energy",
                "struck_with_strain",
                "struck_broken",
            ],
        ),
        (
            "pressed",
            [
                "pressed",
                "pressed",
                "pressed_with_strain",
                "pressed_broken",
            ],
        ),
    ];
    let mut table = Table {
        caption: "Floes struck, once for each impact, and pressed, once for each step: how many have the energy for their shortest crack in the blow, \
                  and in their elastic strain, and how many broke. Of pressed floes no energy of a blow is asked."
            .into(),
        header: ["Floes", "all", "energy of the blow", "elastic energy", "broke"]
            .map(str::to_owned)
            .to_vec(),
        rows: Vec::new(),
    };
    for (name, keys) in rows {
        let mut row = vec![name.to_owned()];
        for key in keys {
            row.push(count_text(count(key)?));
        }
        table.rows.push(row);
    }
    Some(table)
}
