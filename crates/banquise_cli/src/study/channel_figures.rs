//! Figures and table of the study of a channel.

use banquise_io::figure::{
    Axis, ColorScale, Extent, Figure, Layer, LineChart, LineStyle, Map, MapRow, Patch, Reference,
    Series, Shape, Unit,
};

use super::channel::{BLOCKED_SHARE, DRAWN_PACK, Run, Snapshot, Test, count, fisher};
use super::{Comparison, table};

/// When a run is blocked, in words; a floe slower than [`HELD_SHARE`](banquise_io::diagnostics::HELD_SHARE) of free drift is held.
const CRITERION: &str = "A run is blocked when a tenth of its floes or more are held (slower than a tenth of free drift), on average \
                         over the last fifth of it.";

/// The runs of some tests side by side.
pub(super) fn compare(tests: &[&Test], runs: &[Run]) -> Comparison {
    Comparison {
        title: "Ice blocked before a channel".into(),
        text: format!("{CRITERION} {}", verdict(runs)),
        tables: vec![table(
            "",
            [
                "test",
                "runs",
                "blocked",
                "held share of floes",
                "least",
                "most",
                "of mass",
                "largest energy",
                "unsolved",
                "overlaps",
                "source",
            ],
            tests.iter().map(|test| row(test, runs)).collect(),
        )],
        figures: [
            ("held-at-end", held_at_end(tests, runs)),
            ("held", held(tests, runs)),
            ("energy", energy(tests, runs)),
        ]
        .into_iter()
        .chain(of_a_pack(tests, runs))
        .collect(),
        json: runs.iter().map(Run::to_json).collect(),
    }
}

/// Whether both kinds of tests differ, in words.
fn verdict(runs: &[Run]) -> String {
    let ([a, m], [b, n]) = (count(runs, true), count(runs, false));
    if m == 0 || n == 0 {
        return String::new();
    }
    format!(
        "Blocked are {a} of {m} runs of the tests that are blocked in the source, and {b} of {n} of the others. Were it all the \
         same, so great a difference would come by chance with probability {:.2e} (Fisher's exact test, one-sided).",
        fisher([a, m], [b, n])
    )
}

fn row(test: &Test, runs: &[Run]) -> [String; 11] {
    let of: Vec<&Run> = runs.iter().filter(|run| run.test == test.number).collect();
    let blocked = of.iter().filter(|run| run.is_blocked()).count();
    let held = of.iter().map(|run| run.held()).sum::<f64>() / of.len() as f64;
    let least = of.iter().map(|run| run.held()).fold(1.0, f64::min);
    let most = of.iter().map(|run| run.held()).fold(0.0, f64::max);
    let mass = of.iter().map(|run| run.held_mass()).sum::<f64>() / of.len() as f64;
    let peak = of.iter().map(|run| run.peak()).fold(0.0, f64::max);
    let source = if test.is_blocked_in_source {
        "blocked"
    } else {
        "not blocked"
    };
    [
        test.number.to_string(),
        of.len().to_string(),
        blocked.to_string(),
        format!("{held:.3}"),
        format!("{least:.3}"),
        format!("{most:.3}"),
        format!("{mass:.3}"),
        format!("{peak:.3}"),
        of.iter().map(|run| run.unsolved).sum::<u64>().to_string(),
        of.iter().map(|run| run.overlaps).sum::<u32>().to_string(),
        source.into(),
    ]
}

/// Mean over the seeds of each test.
fn mean(test: &Test, runs: &[Run], value: impl Fn(&Run) -> &[f64]) -> Series {
    let of: Vec<&Run> = runs.iter().filter(|run| run.test == test.number).collect();
    let points = of[0].times.iter().enumerate().map(|(record, &time)| {
        let sum: f64 = of.iter().map(|run| value(run)[record]).sum();
        [time, sum / of.len() as f64]
    });
    Series::new(&format!("test {}", test.number), points.collect())
}

fn energy(tests: &[&Test], runs: &[Run]) -> Figure {
    let means = tests.iter().map(|test| mean(test, runs, |run| &run.energy));
    let measured = "Energy over that of free drift";
    let chart = chart("Kinetic energy, mean of all packs", measured, means);
    Figure::new(chart.to_svg(), "All floes together, every minute.")
}

/// The held share at the end of every run: a dot each, the packs of a test side by side.
fn held_at_end(tests: &[&Test], runs: &[Run]) -> Figure {
    let packs = runs.iter().map(|run| run.seed).max().unwrap_or(1) as f64;
    let kinds = [
        (true, "blocked in the source"),
        (false, "not blocked in the source"),
    ];
    let dots = kinds.map(|(is_blocked_in_source, label)| {
        let of = tests
            .iter()
            .filter(|test| test.is_blocked_in_source == is_blocked_in_source);
        let points = of.flat_map(|test| {
            let runs = runs.iter().filter(|run| run.test == test.number);
            runs.map(|run| {
                let aside = 0.6 * ((run.seed as f64 - 0.5) / packs - 0.5);
                [f64::from(test.number) + aside, run.held()]
            })
        });
        Series::new(label, points.collect()).with_style(LineStyle::Markers)
    });
    let chart = LineChart {
        x_axis: Axis {
            range: Some([0.5, 5.5]),
            ..Axis::new("Test", Unit::None)
        },
        references: vec![Reference::Horizontal {
            value: BLOCKED_SHARE,
            label: "blocked".into(),
        }],
        ..chart(
            "Floes held in the last fifth of each run",
            HELD,
            dots.into_iter(),
        )
    };
    let caption = "A dot for each run, the packs of a test side by side.";
    Figure::new(chart.to_svg(), caption)
}

fn held(tests: &[&Test], runs: &[Run]) -> Figure {
    let means = tests.iter().map(|test| mean(test, runs, |run| &run.held));
    let chart = chart("Floes that are held, mean of all packs", HELD, means);
    Figure::new(chart.to_svg(), "Held: slower than a tenth of free drift.")
}

/// Axis of the held share.
const HELD: &str = "Held share of the floes";

fn chart(title: &str, measured: &str, series: impl Iterator<Item = Series>) -> LineChart {
    LineChart {
        title: title.into(),
        x_axis: Axis::new("Time", Unit::Time),
        y_axis: Axis {
            range: Some([0.0, 1.0]),
            ..Axis::new(measured, Unit::None)
        },
        series: series.collect(),
        ..LineChart::default()
    }
}

/// Of the pack that is drawn: the ice in all tests where the source shows it, and energy and impulses in the first test.
fn of_a_pack(tests: &[&Test], runs: &[Run]) -> Vec<(&'static str, Figure)> {
    let drawn = |test: &&Test| {
        let mut runs = runs.iter();
        runs.find(|run| run.test == test.number && run.seed == DRAWN_PACK)
    };
    let drawn: Vec<&Run> = tests.iter().filter_map(drawn).collect();
    let Some(&first) = drawn.first() else {
        return Vec::new();
    };
    let mut figures = vec![
        ("energy-of-pack", energy_of_pack(first)),
        ("impulse-of-pack", impulse_of_pack(first)),
    ];
    if !first.snapshots.is_empty() {
        figures.push(("snapshots", snapshots(&drawn)));
    }
    figures
}

fn energy_of_pack(run: &Run) -> Figure {
    let points = |value: &dyn Fn(usize) -> f64| -> Vec<[f64; 2]> {
        let times = run.times.iter().enumerate();
        times.map(|(record, &time)| [time, value(record)]).collect()
    };
    let series = [
        Series::new("all floes", points(&|record| run.energy[record])),
        Series::new(
            "limit: floes not held",
            points(&|record| 1.0 - run.held_mass[record]),
        )
        .with_style(LineStyle::Dashed),
    ];
    let title = format!("Kinetic energy, test {}, pack {}", run.test, run.seed);
    let measured = "Energy over that of free drift";
    let chart = LineChart {
        y_axis: Axis {
            range: Some([0.0, 1.1]),
            ..Axis::new(measured, Unit::None)
        },
        references: vec![Reference::Horizontal {
            value: 1.0,
            label: "limit: all".into(),
        }],
        ..chart(&title, measured, series.into_iter())
    };
    let caption = "With both limits: all floes in free drift, and those that are not held.";
    Figure::new(chart.to_svg(), caption)
}

fn impulse_of_pack(run: &Run) -> Figure {
    let pairs = run.times.windows(2).zip(run.impulse.windows(2));
    let points = pairs.map(|(time, sum)| [0.5 * (time[0] + time[1]), sum[1] - sum[0]]);
    let chart = LineChart {
        title: format!("Normal impulse, test {}, pack {}", run.test, run.seed),
        x_axis: Axis::new("Time", Unit::Time),
        y_axis: Axis::new("Normal impulse", Unit::Prefixed("N s".into())),
        series: vec![Series::new("all contacts", points.collect())],
        ..LineChart::default()
    };
    let caption = "Sum of the normal impulses of all contacts from record to record.";
    Figure::new(chart.to_svg(), caption)
}

/// A row for each time, a column for each test.
fn snapshots(runs: &[&Run]) -> Figure {
    let times = 0..runs[0].snapshots.len();
    let maps = times.flat_map(|k| {
        runs.iter()
            .filter_map(move |run| map(run, run.snapshots.get(k)?))
    });
    let row = MapRow {
        title: format!("The ice of pack {DRAWN_PACK} in each test"),
        maps: maps.collect(),
        columns: runs.len(),
        ..MapRow::default()
    };
    let caption = "At the times the source shows, coloured by speed. Floes that have left the channel are not shown.";
    Figure::wide(row.to_svg(), caption)
}

/// The ice between the shores.
fn map(run: &Run, snapshot: &Snapshot) -> Option<Map> {
    let corners: Vec<[f64; 2]> = snapshot.shores.concat();
    let side = |k: usize| {
        let values = || corners.iter().map(move |corner| corner[k]);
        [
            values().fold(f64::INFINITY, f64::min),
            values().fold(f64::NEG_INFINITY, f64::max),
        ]
    };
    let [x, y] = [side(0), side(1)];
    let extent = Extent {
        min: [x[0], y[0]],
        max: [x[1], y[1]],
    };
    let shores = snapshot.shores.iter();
    let shores = shores.map(|outline| Shape::Polygon(vec![outline.clone()]));
    let floes = snapshot.floes.iter();
    let floes = floes.map(|(outline, speed)| Patch::polygon(outline.clone()).with_value(*speed));
    (!corners.is_empty()).then(|| Map {
        title: format!("test {}", run.test),
        extent: Some(extent),
        layers: vec![
            Layer::Obstacles(shores.collect()),
            Layer::Floes(floes.collect()),
        ],
        color_scale: Some(ColorScale {
            label: "Speed".into(),
            unit: Unit::Fixed("m/s".into()),
            range: None,
        }),
        time: Some(snapshot.time),
        ..Map::default()
    })
}
