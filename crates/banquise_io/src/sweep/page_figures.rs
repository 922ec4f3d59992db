//! Figures that compare members.

use super::gather::Gathered;
use super::parameter::{Values, read_values, unquoted};
use super::study::{OutcomeSpec, Statistic};
use crate::figure::{Axis, ColorScale, Figure, HeatMap, LineChart, LineStyle, Series, Unit};

/// Groups of curves at most: colours that are told apart.
const MAX_GROUPS: usize = 6;
/// Single members that are drawn behind the medians.
const MAX_FAINT: usize = 200;
/// Parts of an axis of a map, where values are not those of a grid.
const MAX_CELLS: usize = 12;
const BINS: usize = 8;

/// Members with the same value of a parameter.
pub(super) struct Group {
    pub(super) label: String,
    pub(super) members: Vec<usize>,
}

/// The groups in which a measure is compared: those of the parameter, other than the seed, that has few values and separates its last values most; all members
/// where there is none.
pub(super) fn groups(gathered: &Gathered, measure: &str) -> Vec<Group> {
    let last = OutcomeSpec {
        name: String::new(),
        measure: measure.to_owned(),
        take: Statistic::Last,
        from: 0.0,
        to: None,
    };
    let members = 0..gathered.plan.members.len();
    let values: Vec<f64> = members
        .clone()
        .map(|m| gathered.outcome(m, &last))
        .collect();
    let keys = gathered.plan.parameters.iter().enumerate();
    let candidates = keys
        .filter(|(_, key)| *key != "seed")
        .filter_map(|(column, _)| groups_of(gathered, column));
    let mut best: Option<(f64, Vec<Group>)> = None;
    for groups in candidates {
        let share = explained(&groups, &values);
        if best.as_ref().is_none_or(|(most, _)| share > *most) {
            best = Some((share, groups));
        }
    }
    best.map_or_else(
        || {
            vec![Group {
                label: "all members".into(),
                members: members.collect(),
            }]
        },
        |(_, groups)| groups,
    )
}

/// Members by the value of a parameter; `None` where it has one value or many.
fn groups_of(gathered: &Gathered, column: usize) -> Option<Vec<Group>> {
    let plan = &gathered.plan;
    let key = &plan.parameters[column];
    let mut groups: Vec<Group> = Vec::new();
    for (place, member) in plan.members.iter().enumerate() {
        let value = match unquoted(&member.values[column]) {
            "" => "as in the scenario",
            value => value,
        };
        let label = format!("{key} = {value}");
        match groups.iter().position(|group| group.label == label) {
            Some(known) => groups[known].members.push(place),
            None if groups.len() == MAX_GROUPS => return None,
            None => groups.push(Group {
                label,
                members: vec![place],
            }),
        }
    }
    (groups.len() > 1).then_some(groups)
}

/// Variance between groups over all variance (η²) of the values that are numbers.
fn explained(groups: &[Group], values: &[f64]) -> f64 {
    let finite = |members: &[usize]| -> Vec<f64> {
        let values = members.iter().map(|&member| values[member]);
        values.filter(|value| value.is_finite()).collect()
    };
    let all = finite(&(0..values.len()).collect::<Vec<_>>());
    let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len() as f64;
    let center = mean(&all);
    let total: f64 = all.iter().map(|v| (v - center) * (v - center)).sum();
    let between = groups.iter().map(|group| {
        let own = finite(&group.members);
        let apart = if own.is_empty() {
            0.0
        } else {
            mean(&own) - center
        };
        own.len() as f64 * apart * apart
    });
    if total > 0.0 {
        between.sum::<f64>() / total
    } else {
        0.0
    }
}

/// A unit as CF writes it, for an axis.
pub(super) fn axis_unit(unit: &str) -> Unit {
    match unit {
        "" | "1" => Unit::None,
        "s" => Unit::Time,
        "J" | "m" | "N s" | "Pa" | "N" => Unit::Prefixed(unit.into()),
        other => {
            let powers = [("-1", "⁻¹"), ("-2", "⁻²"), ("-3", "⁻³"), ("m2", "m²")];
            let shown = powers
                .iter()
                .fold(other.to_owned(), |text, (from, to)| text.replace(from, to));
            Unit::Fixed(shown)
        }
    }
}

/// The value below which a share of sorted values lies, linearly between them.
fn quantile(sorted: &[f64], share: f64) -> f64 {
    let Some(last) = sorted.len().checked_sub(1) else {
        return f64::NAN;
    };
    let place = share * last as f64;
    let below = place.floor() as usize;
    let above = (below + 1).min(last);
    sorted[below] + (place - below as f64) * (sorted[above] - sorted[below])
}

/// Median and the tenth and ninetieth percentile of a measure at the times of the longest member of a group.
fn spread_of(gathered: &Gathered, members: &[usize], measure: &str) -> [Vec<[f64; 2]>; 3] {
    let of = |place: usize| gathered.results[place].as_ref();
    let curves: Vec<(&[f64], Vec<f64>)> = members
        .iter()
        .filter_map(|&place| Some((&of(place)?.times[..], of(place)?.curve(measure)?)))
        .collect();
    let longest = curves
        .iter()
        .map(|(times, _)| *times)
        .max_by_key(|times| times.len());
    let mut lines = [Vec::new(), Vec::new(), Vec::new()];
    for (record, &time) in longest.unwrap_or_default().iter().enumerate() {
        let at = |(times, values): &(&[f64], Vec<f64>)| {
            let is_same = times.get(record).is_some_and(|other| *other == time);
            values
                .get(record)
                .copied()
                .filter(|value| is_same && value.is_finite())
        };
        let mut values: Vec<f64> = curves.iter().filter_map(at).collect();
        values.sort_by(f64::total_cmp);
        for (line, share) in lines.iter_mut().zip([0.5, 0.1, 0.9]) {
            line.push([time, quantile(&values, share)]);
        }
    }
    lines
}

/// Curves of a measure: members thin, the median of each group full, its tenth and ninetieth percentile dashed.
pub(super) fn curves(gathered: &Gathered, [name, unit, meaning]: &[String; 3]) -> Figure {
    let groups = groups(gathered, name);
    let mut series = Vec::new();
    let step = gathered.results.len().div_ceil(MAX_FAINT).max(1);
    for result in gathered.results.iter().step_by(step).flatten() {
        let values = result.curve(name).unwrap_or_default();
        let points = result
            .times
            .iter()
            .zip(values)
            .map(|(&time, value)| [time, value]);
        series.push(Series::new("", points.collect()).with_style(LineStyle::Faint));
    }
    for (number, group) in groups.iter().enumerate() {
        let [median, low, high] = spread_of(gathered, &group.members, name);
        let many = group.members.len() > 2;
        for line in [low, high].into_iter().filter(|_| many) {
            series.push(Series {
                color: Some(number),
                ..Series::new("", line).with_style(LineStyle::Dashed)
            });
        }
        series.push(Series {
            color: Some(number),
            ..Series::new(&group.label, median)
        });
    }
    let chart = LineChart {
        title: capitalised(meaning),
        x_axis: Axis::new("Time", Unit::Time),
        y_axis: Axis::new(name, axis_unit(unit)),
        series,
        ..LineChart::default()
    };
    Figure::new(
        chart.to_svg(),
        "Full: median of each group; dashed: tenth and ninetieth percentile; thin: single members.",
    )
}

fn capitalised(text: &str) -> String {
    let mut characters = text.chars();
    let first = characters.next().map(|c| c.to_uppercase().to_string());
    first.unwrap_or_default() + characters.as_str()
}

/// The values of a parameter that is a number.
fn numbers(gathered: &Gathered, key: &str) -> Option<(Vec<f64>, &'static str)> {
    let plan = &gathered.plan;
    let column = plan.parameters.iter().position(|name| name == key)?;
    let members = plan.members.iter();
    let texts: Vec<&str> = members
        .map(|member| member.values[column].as_str())
        .collect();
    match read_values(&texts) {
        Values::Numbers(values, unit) => Some((values, unit)),
        Values::Labels(..) => None,
    }
}

/// Unit of an outcome as CF writes it.
fn outcome_unit<'a>(gathered: &'a Gathered, outcome: &OutcomeSpec) -> &'a str {
    let mut measures = gathered.plan.measures.iter();
    let found = measures.find(|[name, ..]| *name == outcome.measure);
    found.map_or("", |[_, unit, _]| unit.as_str())
}

/// An outcome of each member against a parameter, with the mean where several members share a value.
pub(super) fn against(gathered: &Gathered, key: &str, outcome: &OutcomeSpec) -> Option<Figure> {
    let (values, unit) = numbers(gathered, key)?;
    let of = |place: usize| gathered.outcome(place, outcome);
    let mut points: Vec<[f64; 2]> = values
        .iter()
        .enumerate()
        .map(|(place, &x)| [x, of(place)])
        .collect();
    points.retain(|point| point.iter().all(|value| value.is_finite()));
    points.sort_by(|a, b| a[0].total_cmp(&b[0]));
    let means: Vec<[f64; 2]> = points
        .chunk_by(|a, b| a[0] == b[0])
        .map(|same| {
            [
                same[0][0],
                same.iter().map(|p| p[1]).sum::<f64>() / same.len() as f64,
            ]
        })
        .collect();
    let mut series = vec![Series::new("members", points.clone()).with_style(LineStyle::Markers)];
    if means.len() > 1 && means.len() < points.len() {
        series.push(Series::new("mean", means));
    }
    // Dots on the frame would be cut.
    let range = match points[..] {
        [first, .., last] if last[0] > first[0] => {
            let margin = 0.05 * (last[0] - first[0]);
            Some([first[0] - margin, last[0] + margin])
        }
        _ => None,
    };
    let chart = LineChart {
        title: format!("{} against {key}", outcome.name),
        x_axis: Axis {
            range,
            ..Axis::new(key, axis_unit(unit))
        },
        y_axis: Axis::new(&outcome.name, axis_unit(outcome_unit(gathered, outcome))),
        series,
        ..LineChart::default()
    };
    Some(Figure::new(chart.to_svg(), "Each dot is a member."))
}

/// Edges of cells around values: halfway between them where they are those of a grid, else equal parts.
fn edges(values: &[f64]) -> Vec<f64> {
    let mut sorted: Vec<f64> = values
        .iter()
        .copied()
        .filter(|value| value.is_finite())
        .collect();
    sorted.sort_by(f64::total_cmp);
    sorted.dedup();
    let (Some(&first), Some(&last)) = (sorted.first(), sorted.last()) else {
        return Vec::new();
    };
    if sorted.len() < 2 {
        let half = 0.5 * first.abs().max(1.0);
        return vec![first - half, first + half];
    }
    if sorted.len() > MAX_CELLS {
        let part = |number: usize| first + (last - first) * number as f64 / BINS as f64;
        return (0..=BINS).map(part).collect();
    }
    let between = sorted.windows(2).map(|pair| 0.5 * (pair[0] + pair[1]));
    let mut edges: Vec<f64> = between.collect();
    let (low, high) = (edges[0], edges[edges.len() - 1]);
    edges.insert(0, 2.0 * first - low);
    edges.push(2.0 * last - high);
    edges
}

/// The cell of a value between edges; the last edge belongs to the last cell.
fn cell(edges: &[f64], value: f64) -> Option<usize> {
    let last = edges.len().checked_sub(2)?;
    let inside = value >= edges[0] && value <= edges[edges.len() - 1];
    let place = edges
        .partition_point(|&edge| edge <= value)
        .saturating_sub(1);
    inside.then_some(place.min(last))
}

/// Mean of an outcome over two parameters.
pub(super) fn map(gathered: &Gathered, x: &str, y: &str, outcome: &OutcomeSpec) -> Option<Figure> {
    let (xs, x_unit) = numbers(gathered, x)?;
    let (ys, y_unit) = numbers(gathered, y)?;
    let (x_edges, y_edges) = (edges(&xs), edges(&ys));
    let columns = x_edges.len().checked_sub(1)?;
    let rows = y_edges.len().checked_sub(1)?;
    let mut sums = vec![vec![(0.0, 0.0); columns]; rows];
    for (place, (&x, &y)) in xs.iter().zip(&ys).enumerate() {
        let value = gathered.outcome(place, outcome);
        if let (Some(column), Some(row), true) =
            (cell(&x_edges, x), cell(&y_edges, y), value.is_finite())
        {
            let (sum, count) = &mut sums[row][column];
            *sum += value;
            *count += 1.0;
        }
    }
    let mean = |&(sum, count): &(f64, f64)| sum / count;
    let map = HeatMap {
        title: format!("{} over {x} and {y}", outcome.name),
        x_axis: Axis::new(x, axis_unit(x_unit)),
        y_axis: Axis::new(y, axis_unit(y_unit)),
        x_edges,
        y_edges,
        values: sums
            .iter()
            .map(|row| row.iter().map(mean).collect())
            .collect(),
        color_scale: ColorScale {
            label: outcome.name.clone(),
            unit: axis_unit(outcome_unit(gathered, outcome)),
            range: None,
        },
        ..HeatMap::default()
    };
    Some(Figure::new(
        map.to_svg(),
        "Mean of the members in each cell; grey where there is none.",
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_lie_between_values() {
        let sorted = [0.0, 1.0, 2.0, 10.0];
        assert_eq!(quantile(&sorted, 0.5), 1.5);
        assert_eq!(quantile(&sorted, 1.0), 10.0);
        assert!(quantile(&[], 0.5).is_nan());
    }

    #[test]
    fn groups_that_differ_explain_the_variance() {
        let groups = |members: [[usize; 2]; 2]| {
            members.map(|members| Group {
                label: String::new(),
                members: members.to_vec(),
            })
        };
        let values = [1.0, 1.0, 3.0, 3.0];
        assert_eq!(explained(&groups([[0, 1], [2, 3]]), &values), 1.0);
        assert_eq!(explained(&groups([[0, 2], [1, 3]]), &values), 0.0);
    }

    #[test]
    fn cells_of_a_grid_are_around_its_values_and_others_are_counted_in_parts() {
        let grid = edges(&[1.0, 3.0, 2.0, 1.0]);
        assert_eq!(grid, [0.5, 1.5, 2.5, 3.5]);
        assert_eq!(cell(&grid, 3.0), Some(2));
        assert_eq!(cell(&grid, 3.5), Some(2));
        assert_eq!(cell(&grid, 4.0), None);
        let many: Vec<f64> = (0..40).map(f64::from).collect();
        assert_eq!(edges(&many).len(), BINS + 1);
        assert_eq!(edges(&[5.0]), [2.5, 7.5]);
    }
}
