//! Figures of fracture: floe sizes before and after, and restitution by impact speed.

use super::chapter::{Chapter, Drawing};
use super::words::{count_text, duration_text};
use crate::diagnostics::{Diagnostics, Fracture, SizeDistribution};
use crate::figure::{Axis, LineChart, LineStyle, Series, Table, Unit};

/// Mean restitutions that differ by less are the same.
const SAME_RESTITUTION: f64 = 1e-6;
/// Points of the curve of a law.
const CURVE_POINTS: u32 = 60;

/// Maps of cracks, sizes, restitution and bounds; `None` where no floe broke.
pub(super) fn fracture(diagnostics: &Diagnostics, maps: Vec<Drawing>) -> Option<Chapter> {
    let fracture = diagnostics.fracture.as_ref()?;
    let mut drawings = maps;
    drawings.push(sizes(fracture));
    let chart = restitution(fracture);
    let text = if chart.is_none() {
        "No crack took more of a blow than it loses without one: restitution is that of the materials at all impact speeds."
    } else {
        ""
    };
    drawings.extend(chart);
    Some(Chapter {
        heading: "Fracture",
        text: text.to_owned(),
        drawings,
        tables: bounds(fracture).into_iter().collect(),
    })
}

fn sizes(fracture: &Fracture) -> Drawing {
    let mut series = Vec::new();
    let mut laws = Vec::new();
    for distribution in &fracture.sizes {
        let when = duration_text(distribution.time);
        series.push(observed(distribution, &when));
        laws.extend(law_text(distribution, &when));
    }
    series.extend(laws_of(&fracture.sizes[1]));
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
            "Number of floes at least as large; of those at the end, with the most likely power law between the smallest and the largest and the \
             most likely log-normal law.{}",
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
fn laws_of(distribution: &SizeDistribution) -> Vec<Series> {
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
        Series::new("power law", curve(&|size| power.share_above(size)))
            .with_style(LineStyle::Dashed),
        Series::new("log-normal law", curve(&|size| normal.share_above(size)))
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

/// Restitution by impact speed; `None` where it is the same at all.
fn restitution(fracture: &Fracture) -> Option<Drawing> {
    let means = fracture.restitution.iter().map(|bin| bin.mean);
    let (least, most) = means.fold((f64::INFINITY, 0.0_f64), |(least, most), mean| {
        (least.min(mean), most.max(mean))
    });
    if most - least <= SAME_RESTITUTION {
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
