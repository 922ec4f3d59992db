//! Figures and table of the study of a week of drift.

use banquise_io::figure::{Axis, Figure, LineChart, Series, Table, Unit};

use super::drift_week::{DAY_3, Record, Run, collision_rate};
use super::{Comparison, table};

pub(super) fn compare(runs: &[Run]) -> Comparison {
    let in_time = |title: &str, unit: Unit, read: &dyn Fn(&Record) -> f64| {
        let series = runs.iter().map(|run| {
            let points = run.records.iter().map(|record| [record.time, read(record)]);
            Series::new(&label(run), points.collect())
        });
        chart(
            title,
            Axis::new("Time", Unit::Time),
            Axis::new(title, unit),
            series,
        )
    };
    let metres = || Unit::Prefixed("m".into());
    let grown = |run: &Run, record: &Record| record.dispersion / run.records[0].dispersion;
    let growth = runs.iter().map(|run| {
        let points = run
            .records
            .iter()
            .map(|record| [record.time, grown(run, record)]);
        Series::new(&label(run), points.collect())
    });
    let time = || Axis::new("Time", Unit::Time);
    let tracks = runs.iter().map(|run| {
        let start = run.records[0].center;
        let points = run.records.iter().map(|record| {
            let [east, north] = record.center;
            [east - start[0], north - start[1]]
        });
        Series::new(&label(run), points.collect())
    });
    let pairs = runs.iter().map(|run| {
        let points = run.pairs.iter().map(|&(radius, share)| [radius, share]);
        Series::new(&label(run), points.collect())
    });
    let rates = runs
        .iter()
        .map(|run| Series::new(&label(run), collision_rate(run)));
    Comparison {
        title: "A week of drift".into(),
        text: "Distances are those on day 3. Pack: of the largest and the smallest floe from where they would have been alone on the \
               same sea. Contacts: of these two from where they would have been alone on water with as much ice as in the pack. Size: of the largest alone from the smallest \
               alone, equally thick. Shape: of the largest alone from a round floe of its area and thickness."
            .into(),
        tables: tables(runs),
        figures: vec![
            (
                "trajectories",
                chart(
                    "Path of the centre of the pack",
                    Axis::new("East", metres()),
                    Axis::new("North", metres()),
                    tracks,
                ),
            ),
            ("concentration", in_time("Concentration", Unit::None, &|record| record.concentration)),
            ("dispersion", chart("Dispersion over that at the start", time(), Axis::new("σ/σ(0)", Unit::None), growth)),
            ("median_distance", in_time("Median distance of pairs", metres(), &|record| record.median_distance.unwrap_or(f64::NAN))),
            (
                "pair_correlation",
                chart(
                    "Pairs closer than r on day 3",
                    Axis::log("r", metres()),
                    Axis::log("Share of pairs", Unit::None),
                    pairs,
                ),
            ),
            ("collisions", chart("Collisions per hour", time(), Axis::new("Collisions per hour", Unit::None), rates)),
        ],
        json: runs.iter().map(Run::to_json).collect(),
    }
}

fn tables(runs: &[Run]) -> Vec<Table> {
    let whole = table(
        "The whole run",
        [
            "test",
            "seed",
            "speed/free",
            "speed/bound",
            "concentration",
            "lowest",
            "end",
            "σ end/start",
            "slope of pairs",
            "collisions",
            "unsolved",
            "overlaps",
        ],
        runs.iter().map(row).collect(),
    );
    let until_day_3 = runs.iter().filter(|run| run.at(DAY_3).time >= DAY_3);
    let apart: Vec<_> = until_day_3.map(distances).collect();
    if apart.is_empty() {
        return vec![whole];
    }
    let header = [
        "test",
        "seed",
        "pack, largest",
        "pack, smallest",
        "contacts, largest",
        "contacts, smallest",
        "size",
        "shape",
    ];
    vec![whole, table("Distances on day 3 (m)", header, apart)]
}

fn label(run: &Run) -> String {
    format!("test {}", run.test().number)
}

fn chart(title: &str, x_axis: Axis, y_axis: Axis, series: impl Iterator<Item = Series>) -> Figure {
    let chart = LineChart {
        title: title.into(),
        x_axis,
        y_axis,
        series: series.collect(),
        ..LineChart::default()
    };
    Figure::new(chart.to_svg(), "")
}

fn row(run: &Run) -> [String; 12] {
    let (start, end) = (run.at(0.0), run.at(f64::INFINITY));
    let concentrations = run.records.iter().map(|record| record.concentration);
    [
        run.test().label(),
        run.seed.to_string(),
        format!("{:.3}", run.max_speed / run.max_free),
        format!("{:.3}", run.max_speed / run.max_bound),
        format!("{:.4}", start.concentration),
        format!("{:.4}", concentrations.fold(1.0, f64::min)),
        format!("{:.4}", end.concentration),
        format!("{:.3}", end.dispersion / start.dispersion),
        run.slope.map_or("–".into(), |slope| format!("{slope:.2}")),
        end.collisions.to_string(),
        run.unsolved.to_string(),
        run.overlaps.to_string(),
    ]
}

fn distances(run: &Run) -> [String; 8] {
    let distances = run.distances();
    let metres = |value: f64| format!("{value:.1}");
    [
        run.test().label(),
        run.seed.to_string(),
        metres(distances.pack[0]),
        metres(distances.pack[1]),
        metres(distances.contacts[0]),
        metres(distances.contacts[1]),
        metres(distances.size),
        format!("{:.0e}", distances.shape),
    ]
}
