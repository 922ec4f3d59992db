//! The page that compares members: curves with their spread, a map over two parameters, tables.

use std::path::{Path, PathBuf};

use super::PAGE_FILE;
use super::gather::{Gathered, first_line};
use super::members::{SweepError, write_whole};
use super::page_figures::{Group, against, curves, groups, map};
use super::parameter::unquoted;
use super::study::OutcomeSpec;
use crate::figure::{Details, Figure, Page, Section, Table, Tile};

/// Members listed on the page; all are in the table beside it.
const MAX_ROWS: usize = 200;

/// Writes the page and its figures as SVG files into the folder of a sweep, and says where the page is.
///
/// # Errors
/// When the system refuses.
pub fn write_page(sweep: &Path, gathered: &Gathered) -> Result<PathBuf, SweepError> {
    let figures = figures(gathered);
    for (name, figure) in &figures {
        write_whole(&sweep.join(format!("{name}.svg")), figure.svg.as_bytes())?;
    }
    let plan = &gathered.plan;
    let [complete, failed, missing] = gathered.counts();
    let tile = |label: &str, count: usize| Tile::new(label, &count.to_string());
    let page = Page {
        title: plan.title.clone(),
        subtitle: format!("{} varied in {}", plan.parameters.join(", "), plan.scenario),
        tiles: vec![
            tile("members", plan.members.len()),
            tile("complete", complete),
            tile("failed", failed),
            tile("missing", missing),
        ],
        sections: vec![
            Section {
                heading: "Comparison".into(),
                tables: vec![summary(gathered)],
                figures: figures.into_iter().map(|(_, figure)| figure).collect(),
                ..Section::default()
            },
            Section {
                heading: "Members".into(),
                text: listed(plan.members.len()),
                tables: vec![members(gathered)],
                details: vec![Details {
                    summary: "Scenario".into(),
                    text: plan.scenario_text.clone(),
                }],
                ..Section::default()
            },
        ],
        footer: format!("banquise {}", plan.version),
    };
    let path = sweep.join(PAGE_FILE);
    write_whole(&path, page.to_html().as_bytes())?;
    Ok(path)
}

fn listed(members: usize) -> String {
    if members > MAX_ROWS {
        format!("The first {MAX_ROWS} of {members}; all are in table.csv.")
    } else {
        String::new()
    }
}

/// All figures with their names.
fn figures(gathered: &Gathered) -> Vec<(String, Figure)> {
    let plan = &gathered.plan;
    let mut all = Vec::new();
    let outcome_of = |name: &str| plan.outcomes.iter().find(|outcome| outcome.name == name);
    let varied: Vec<&str> = plan
        .parameters
        .iter()
        .map(String::as_str)
        .filter(|&key| key != "seed")
        .collect();
    let chosen = match (&plan.map, &varied[..], plan.outcomes.first()) {
        (Some([x, y, outcome]), ..) => outcome_of(outcome).map(|o| (x.as_str(), y.as_str(), o)),
        (None, [x, y, ..], Some(outcome)) => Some((*x, *y, outcome)),
        _ => None,
    };
    if let Some((x, y, outcome)) = chosen {
        let figure = map(gathered, x, y, outcome);
        all.extend(figure.map(|figure| ("map".to_owned(), figure)));
    }
    let main = chosen
        .map(|(.., outcome)| outcome)
        .or(plan.outcomes.first());
    for (number, key) in varied.iter().enumerate().take(4) {
        let figure = main.and_then(|outcome| against(gathered, key, outcome));
        all.extend(figure.map(|figure| (format!("against_{}", number + 1), figure)));
    }
    for measure in &plan.measures {
        all.push((format!("curves_{}", measure[0]), curves(gathered, measure)));
    }
    all
}

/// A number of a table, with four digits.
fn short(value: f64) -> String {
    if !value.is_finite() {
        return "–".into();
    }
    let size = value.abs();
    if size != 0.0 && !(1e-3..1e6).contains(&size) {
        return format!("{value:.3e}");
    }
    let digits = if size >= 1000.0 {
        0
    } else if size >= 10.0 {
        1
    } else {
        3
    };
    format!("{value:.digits$}")
}

/// Mean, deviation and range of each outcome in each group.
fn summary(gathered: &Gathered) -> Table {
    let mut rows = Vec::new();
    for outcome in &gathered.plan.outcomes {
        for Group { label, members } in groups(gathered, &outcome.measure) {
            let values = members
                .iter()
                .map(|&place| gathered.outcome(place, outcome));
            let values: Vec<f64> = values.filter(|value| value.is_finite()).collect();
            rows.push(summary_row(&label, outcome, &values));
        }
    }
    let header = [
        "group",
        "outcome",
        "members",
        "mean",
        "deviation",
        "smallest",
        "largest",
    ];
    Table {
        caption: "Outcomes of members that are complete".into(),
        header: header.map(Into::into).to_vec(),
        rows,
    }
}

fn summary_row(label: &str, outcome: &OutcomeSpec, values: &[f64]) -> Vec<String> {
    let count = values.len() as f64;
    let mean = values.iter().sum::<f64>() / count;
    let squares = values
        .iter()
        .map(|value| (value - mean) * (value - mean))
        .sum::<f64>();
    let deviation = if values.len() > 1 {
        (squares / (count - 1.0)).sqrt()
    } else {
        f64::NAN
    };
    let smallest = values.iter().copied().fold(f64::INFINITY, f64::min);
    let largest = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    vec![
        label.to_owned(),
        outcome.name.clone(),
        values.len().to_string(),
        short(mean),
        short(deviation),
        short(smallest),
        short(largest),
    ]
}

/// A row for each member, those that failed with their reason.
fn members(gathered: &Gathered) -> Table {
    let plan = &gathered.plan;
    let outcomes = plan.outcomes.iter().map(|outcome| outcome.name.clone());
    let header = ["member".to_owned()]
        .into_iter()
        .chain(plan.parameters.iter().cloned())
        .chain(["status".to_owned()])
        .chain(outcomes);
    let row = |place: usize| {
        let member = &plan.members[place];
        let values = member.values.iter().map(|value| unquoted(value).to_owned());
        let error = gathered.results[place]
            .as_ref()
            .and_then(|result| result.error.as_deref());
        let status = match error {
            Some(error) => format!("failed: {}", first_line(error)),
            None => gathered.status(place).to_owned(),
        };
        let outcomes = plan
            .outcomes
            .iter()
            .map(|outcome| short(gathered.outcome(place, outcome)));
        [member.id.clone()]
            .into_iter()
            .chain(values)
            .chain([status])
            .chain(outcomes)
            .collect()
    };
    Table {
        caption: String::new(),
        header: header.collect(),
        rows: (0..plan.members.len().min(MAX_ROWS)).map(row).collect(),
    }
}
