//! Figures of contacts, and of the loads on obstacles.

use banquise::diagnostics::windows::Window;

use super::chapter::{Chapter, Drawing};
use super::charts::in_time;
use super::words::{duration_text, fitting_unit, significant};
use crate::diagnostics::{Diagnostics, Load};
use crate::figure::{Axis, LineChart, Series, Table, Unit};

/// Impulses and collisions in time, and force chains where there are any; nothing where nothing touched.
pub(super) fn contacts(diagnostics: &Diagnostics, chains: Option<Drawing>) -> Option<Chapter> {
    let contact = &diagnostics.contact;
    if contact.is_empty() {
        return None;
    }
    let impulse = Series::new("all contacts", points(&contact.normal_impulse, |w| w.sum));
    let rate = |window: &Window| 3600.0 * window.rate();
    let collisions = Series::new("all bodies", points(&contact.collisions, rate));
    let (impulses, counts) = (length(&contact.normal_impulse), length(&contact.collisions));
    let mut drawings = vec![Drawing::new(
        "normal_impulse.svg",
        in_time(
            "Normal impulse",
            Unit::Prefixed("N s".into()),
            vec![impulse],
        ),
        format!("Sum of the normal impulses of all contacts in windows of {impulses}."),
    )];
    if contact.collisions.iter().any(|window| window.sum > 0.0) {
        drawings.push(Drawing::new(
            "collisions.svg",
            in_time("Collisions per hour", Unit::None, vec![collisions]),
            format!("Pairs of bodies that came into contact, in windows of {counts}."),
        ));
    }
    drawings.extend(chains);
    Some(Chapter {
        heading: "Contacts",
        drawings,
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
    let force = Axis::log("Mean normal force", Unit::Prefixed("N".into()));
    let exceedance = exceedance_chart(
        "Exceedance of the load",
        [force.clone(), Axis::log("Share of windows", Unit::None)],
        curves(&loads, |load| &load.exceedance),
    );
    let peaks = exceedance_chart(
        "Peaks of the load",
        [force, Axis::log("Peaks", Unit::None)],
        curves(&loads, |load| &load.peaks),
    );
    let mut drawings = vec![
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
            exceedance,
            "Share of the windows whose mean normal force reaches a value.".into(),
        ),
        Drawing::new(
            "load_peaks.svg",
            peaks,
            "Number of peaks of the mean normal force that reach a value. Between two peaks it falls below half of the smaller one."
                .into(),
        ),
    ];
    drawings.extend(pressures(&loads, &window));
    Some(Chapter {
        heading: "Loads on obstacles",
        text: format!(
            "Floes are rigid, so contacts give impulses: a force is the impulse of a window of {window} over its length."
        ),
        drawings,
        tables: vec![table(&loads)],
    })
}

/// The pressure of ice that is crushed; nothing where none is.
fn pressures(loads: &[&Load], window: &str) -> Vec<Drawing> {
    let crushed = loads.iter().filter(|load| load.peak_pressure().is_some());
    let crushed: Vec<&Load> = crushed.copied().collect();
    if crushed.is_empty() {
        return Vec::new();
    }
    let signals = crushed.iter().map(|load| {
        let middles = load.normal.iter().map(Window::middle);
        let signal = middles.zip(&load.pressure).map(|(t, &p)| [t, p]);
        Series::new(&load.name, signal.filter(|[_, p]| *p > 0.0).collect())
    });
    let exceedance = exceedance_chart(
        "Exceedance of the pressure",
        [
            Axis::log("Mean pressure", Unit::Prefixed("Pa".into())),
            Axis::log("Share of windows", Unit::None),
        ],
        curves(&crushed, |load| &load.pressure_exceedance),
    );
    vec![
        Drawing::new(
            "pressure.svg",
            in_time(
                "Mean crushing pressure",
                Unit::Prefixed("Pa".into()),
                signals.collect(),
            ),
            format!(
                "Force of contacts that crush ice over the area of crushing, chord times thickness, in those windows of {window} in which ice is crushed."
            ),
        ),
        Drawing::new(
            "pressure_exceedance.svg",
            exceedance,
            "Share of the windows whose mean crushing pressure reaches a value.".into(),
        ),
    ]
}

/// Exceedance counts of a value, for each obstacle.
fn curves(loads: &[&Load], read: impl Fn(&Load) -> &[(f64, f64)]) -> Vec<Series> {
    let curve = |load: &&Load| {
        let points = read(load).iter().map(|&(value, count)| [value, count]);
        Series::new(&load.name, points.collect())
    };
    loads.iter().map(curve).collect()
}

fn exceedance_chart(title: &str, [x_axis, y_axis]: [Axis; 2], series: Vec<Series>) -> String {
    LineChart {
        title: title.into(),
        x_axis,
        y_axis,
        series,
        ..LineChart::default()
    }
    .to_svg()
}

/// A column of the table of loads: its heading, unit and number.
type Column = (&'static str, &'static str, fn(&Load) -> f64);

fn table(loads: &[&Load]) -> Table {
    let columns: [Column; 5] = [
        ("Normal impulse", "N\u{a0}s", |load| load.total().0),
        ("Tangential impulse", "N\u{a0}s", |load| load.total().1),
        ("Peak force", "N", |load| {
            load.peak().map_or(0.0, |window| window.rate())
        }),
        ("Largest impulse of a step", "N\u{a0}s", |load| load.largest),
        ("Peak pressure", "Pa", |load| {
            load.peak_pressure().unwrap_or_default()
        }),
    ];
    let mut header = vec!["Obstacle".to_owned(), "Peak at".to_owned()];
    let mut rows: Vec<Vec<String>> = loads
        .iter()
        .map(|load| {
            let time = load.peak().map(|window| duration_text(window.middle()));
            vec![load.name.clone(), time.unwrap_or_default()]
        })
        .collect();
    for (heading, symbol, read) in columns {
        let largest = loads.iter().map(|load| read(load)).fold(0.0, f64::max);
        // Ice that is not crushed has no pressure.
        if largest > 0.0 {
            let (size, unit) = fitting_unit(largest, symbol);
            header.push(format!("{heading} ({unit})"));
            for (row, load) in rows.iter_mut().zip(loads) {
                row.push(significant(read(load) / size));
            }
        }
    }
    Table {
        header,
        rows,
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
