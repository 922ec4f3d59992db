//! What contacts did, and what obstacles bore.

use banquise::diagnostics::windows::Window;

use super::chapter::{Chapter, Drawing};
use super::charts::in_time;
use super::duration_text;
use crate::diagnostics::{Diagnostics, Load};
use crate::figure::{Axis, LineChart, Series, Table, Unit};

/// Impulses and collisions in time; nothing where nothing touched.
pub(super) fn contacts(diagnostics: &Diagnostics) -> Option<Chapter> {
    let contact = &diagnostics.contact;
    if contact.is_empty() {
        return None;
    }
    let impulse = Series::new("all contacts", points(&contact.normal_impulse, |w| w.sum));
    let rate = |window: &Window| 3600.0 * window.rate();
    let collisions = Series::new("all bodies", points(&contact.collisions, rate));
    let (impulses, counts) = (length(&contact.normal_impulse), length(&contact.collisions));
    Some(Chapter {
        heading: "Contacts",
        drawings: vec![
            Drawing::new(
                "normal_impulse.svg",
                in_time(
                    "Normal impulse",
                    Unit::Prefixed("N s".into()),
                    vec![impulse],
                ),
                format!("Sum of the normal impulses of all contacts in windows of {impulses}."),
            ),
            Drawing::new(
                "collisions.svg",
                in_time("Collisions per hour", Unit::None, vec![collisions]),
                format!("Pairs of bodies that came into contact, in windows of {counts}."),
            ),
        ],
        ..Chapter::default()
    })
}

/// The loads of obstacles and walls; nothing where none bore any.
pub(super) fn loads(diagnostics: &Diagnostics) -> Option<Chapter> {
    let borne = |load: &&Load| load.total().0 > 0.0;
    let loads: Vec<&Load> = diagnostics.loads.iter().filter(borne).collect();
    let window = length(&loads.first()?.normal);
    let signals = loads
        .iter()
        .map(|load| Series::new(&load.name, points(&load.normal, Window::rate)));
    let curves = loads.iter().map(|load| {
        let curve = load.exceedance.iter().map(|&(force, share)| [force, share]);
        Series::new(&load.name, curve.collect())
    });
    let exceedance = LineChart {
        title: "Exceedance of the load".into(),
        x_axis: Axis::log("Mean normal force", Unit::Fixed("N".into())),
        y_axis: Axis::log("Share of windows", Unit::None),
        series: curves.collect(),
        ..LineChart::default()
    };
    Some(Chapter {
        heading: "Loads on obstacles",
        text: format!(
            "Floes are rigid, so contacts give impulses: a force is the impulse of a window of {window} over its length."
        ),
        drawings: vec![
            Drawing::new(
                "load.svg",
                in_time(
                    "Mean normal force",
                    Unit::Prefixed("N".into()),
                    signals.collect(),
                ),
                format!("Mean normal force on each obstacle in windows of {window}."),
            ),
            Drawing::new(
                "load_exceedance.svg",
                exceedance.to_svg(),
                "Share of the windows whose mean normal force reaches a value.".into(),
            ),
        ],
        tables: vec![table(&loads)],
    })
}

fn table(loads: &[&Load]) -> Table {
    let header = [
        "Obstacle",
        "Normal impulse (N s)",
        "Tangential impulse (N s)",
        "Peak force (N)",
        "Peak at",
        "Largest impulse of a step (N s)",
    ];
    let row = |load: &&Load| {
        let (normal, tangent) = load.total();
        let peak = load.peak();
        vec![
            load.name.clone(),
            format!("{normal:.4e}"),
            format!("{tangent:.4e}"),
            peak.map_or(String::new(), |window| format!("{:.4e}", window.rate())),
            peak.map_or(String::new(), |window| duration_text(window.middle())),
            format!("{:.4e}", load.largest),
        ]
    };
    Table {
        header: header.iter().map(|&cell| cell.to_owned()).collect(),
        rows: loads.iter().map(row).collect(),
        ..Table::default()
    }
}

fn points(windows: &[Window], value: impl Fn(&Window) -> f64) -> Vec<[f64; 2]> {
    let point = |window: &Window| [window.middle(), value(window)];
    windows.iter().map(point).collect()
}

/// The length of the windows, in words.
fn length(windows: &[Window]) -> String {
    let length = windows
        .first()
        .map_or(0.0, |window| window.end - window.start);
    duration_text(length)
}
