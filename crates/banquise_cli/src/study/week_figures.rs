//! Figures and table of the study of a week of drift.

use banquise_io::figure::{Axis, LineChart, Series, Unit};

use super::Comparison;
use super::drift_week::{DAY_3, Record, Run, collision_rate};

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
               same sea. Contacts: the same, alone on water with as much ice as in the pack. Size: of the largest alone from the smallest \
               alone, equally thick. Shape: of the largest alone from a round floe of its area and thickness."
            .into(),
        header: [
            "test", "seed", "speed/free", "speed/bound", "conc. start", "lowest", "end", "sigma end/start", "pack, largest (m)",
            "smallest (m)", "contacts, largest (m)", "smallest (m)", "size (m)", "shape (m)", "slope", "collisions", "unsolved", "overlaps",
        ]
        .map(Into::into)
        .to_vec(),
        rows: runs.iter().map(row).collect(),
        figures: vec![
            (
                "trajectories",
                chart(
                    "Way of the centre of the pack",
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

fn label(run: &Run) -> String {
    format!("test {}", run.test().number)
}

fn chart(title: &str, x_axis: Axis, y_axis: Axis, series: impl Iterator<Item = Series>) -> String {
    LineChart {
        title: title.into(),
        x_axis,
        y_axis,
        series: series.collect(),
        ..LineChart::default()
    }
    .to_svg()
}

fn row(run: &Run) -> Vec<String> {
    let (start, end) = (&run.records[0], &run.records[run.records.len() - 1]);
    let lowest = run
        .records
        .iter()
        .map(|record| record.concentration)
        .fold(1.0, f64::min);
    let distances = run.distances();
    let number = |value: f64| {
        if end.time < DAY_3 {
            "–".into()
        } else {
            format!("{value:.3}")
        }
    };
    vec![
        run.test().label(),
        run.seed.to_string(),
        format!("{:.3}", run.max_speed / run.max_free),
        format!("{:.3}", run.max_speed / run.max_bound),
        format!("{:.4}", start.concentration),
        format!("{lowest:.4}"),
        format!("{:.4}", end.concentration),
        format!("{:.3}", end.dispersion / start.dispersion),
        number(distances.pack[0]),
        number(distances.pack[1]),
        number(distances.contacts[0]),
        number(distances.contacts[1]),
        number(distances.size),
        if end.time < DAY_3 {
            "–".into()
        } else {
            format!("{:.0e}", distances.shape)
        },
        run.slope.map_or("–".into(), |slope| format!("{slope:.2}")),
        end.collisions.to_string(),
        run.unsolved.to_string(),
        run.overlaps.to_string(),
    ]
}
