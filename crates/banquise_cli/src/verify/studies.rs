//! The studies of Rabatel 2015: short enough to run often, and, when asked for by name, whole.

use banquise::units::DAY;
use rayon::prelude::*;

use super::Measured;
use super::reference::Reference;
use crate::failure::Failure;
use crate::study::{channel, drift_week};

/// Tests of the short channel: one that is blocked in the source, and the two that are not.
const CHANNEL_TESTS: [u8; 3] = [1, 3, 4];
/// Packs of each test of the whole channel.
const CHANNEL_PACKS: u64 = 10;

/// S-01 with one pack.
pub(super) fn channel(_: &Reference) -> Measured {
    let runs = channel_runs(&CHANNEL_TESTS, 1)?;
    let blocked = runs.iter().zip(CHANNEL_TESTS).map(|(run, number)| {
        let name = format!("blocked, test {number}");
        (name, f64::from(u8::from(run.is_blocked())))
    });
    Ok(blocked.chain(soundness(&runs)).collect())
}

/// S-01 with ten packs of each test.
pub(super) fn channel_packs(_: &Reference) -> Measured {
    let runs = channel_runs(&[1, 2, 3, 4, 5], CHANNEL_PACKS)?;
    let (held, free) = (channel::count(&runs, true), channel::count(&runs, false));
    let share = |[blocked, all]: [u32; 2]| f64::from(blocked) / f64::from(all);
    let measured = [
        (
            "share of blocked runs, tests 1, 2 and 5 less tests 3 and 4".into(),
            share(held) - share(free),
        ),
        (
            "probability of such a difference by chance".into(),
            channel::fisher(held, free),
        ),
    ];
    Ok(measured.into_iter().chain(soundness(&runs)).collect())
}

fn channel_runs(numbers: &[u8], packs: u64) -> Result<Vec<channel::Run>, Failure> {
    let all: Vec<(u8, u64)> = numbers
        .iter()
        .flat_map(|&number| (1..=packs).map(move |seed| (number, seed)))
        .collect();
    all.into_par_iter()
        .map(|(number, seed)| channel::run(&channel::TESTS[usize::from(number) - 1], seed, &[]))
        .collect()
}

/// Checks that must hold in every run.
fn soundness(runs: &[channel::Run]) -> [(String, f64); 3] {
    let peak = runs.iter().map(channel::Run::peak).fold(0.0, f64::max);
    let unsolved: u64 = runs.iter().map(|run| run.unsolved).sum();
    let overlaps: u32 = runs.iter().map(|run| run.overlaps).sum();
    [
        ("largest energy over that of free drift".into(), peak),
        ("unsolved contact problems".into(), unsolved as f64),
        ("overlaps found".into(), f64::from(overlaps)),
    ]
}

/// The short week: few floes, none small, until the wind has turned, with a longer step.
const SHORT_WEEK: [&str; 6] = [
    "pack.count=24",
    "pack.min_size=\"100 m\"",
    "pack.max_size=\"400 m\"",
    "time.duration=\"3.25 d\"",
    "time.record_every=\"1 h\"",
    "time.step=\"60 s\"",
];
/// Tests of the week: periodic and free edges, both coupled, both at 70 %.
const WEEK_TESTS: [u8; 2] = [4, 13];
/// When the wind has turned \[s\]: until then the pack opens.
const TURN: f64 = 2.5 * DAY;

/// S-02 with few floes.
pub(super) fn drift_week(_: &Reference) -> Measured {
    week(&SHORT_WEEK.map(Into::into))
}

/// S-02 as it is: 350 floes, seven and a half days.
pub(super) fn whole_week(_: &Reference) -> Measured {
    week(&[])
}

fn week(overrides: &[String]) -> Measured {
    let runs: Vec<drift_week::Run> = WEEK_TESTS
        .into_par_iter()
        .map(|number| drift_week::run(drift_week::TESTS[usize::from(number) - 1], 1, overrides))
        .collect::<Result<_, Failure>>()?;
    let [periodic, free] = &runs[..] else {
        unreachable!("there are two tests");
    };
    let speed = runs.iter().map(|run| run.max_speed / run.max_bound);
    let concentrations = |run: &drift_week::Run, from: f64, to: f64| -> Vec<f64> {
        let records = run.records.iter();
        let within = records.filter(|record| (from..=to).contains(&record.time));
        within.map(|record| record.concentration).collect()
    };
    let least = |values: &[f64]| values.iter().copied().fold(f64::INFINITY, f64::min);
    let most = |values: &[f64]| values.iter().copied().fold(0.0, f64::max);
    let whole = concentrations(periodic, 0.0, f64::INFINITY);
    let growth = |run: &drift_week::Run| run.at(f64::INFINITY).dispersion / run.at(0.0).dispersion;
    let dip = least(&concentrations(free, 0.0, TURN));
    let recovery = most(&concentrations(free, TURN, f64::INFINITY));
    let distances = periodic.distances();
    let order = distances.pack[0].min(distances.pack[1]) > distances.size
        && distances.size > distances.shape;
    let unsolved: u64 = runs.iter().map(|run| run.unsolved).sum();
    let overlaps: u32 = runs.iter().map(|run| run.overlaps).sum();
    let measured = [
        ("largest speed over its bound", speed.fold(0.0, f64::max)),
        (
            "change of the concentration, periodic",
            most(&whole) - least(&whole),
        ),
        (
            "growth of the dispersion, free less periodic",
            growth(free) - growth(periodic),
        ),
        (
            "fall of the concentration until day 2.5, free",
            free.at(0.0).concentration - dip,
        ),
        ("rise of the concentration afterwards, free", recovery - dip),
        (
            "largest floe on day 3, in the pack or alone, log10 (m)",
            distances.pack[0].log10(),
        ),
        (
            "smallest floe on day 3, in the pack or alone, log10 (m)",
            distances.pack[1].log10(),
        ),
        (
            "largest or smallest floe on day 3, alone, log10 (m)",
            distances.size.log10(),
        ),
        (
            "largest floe or a round one on day 3, alone (m)",
            distances.shape,
        ),
        ("pack before size before shape", f64::from(u8::from(order))),
        ("unsolved contact problems", unsolved as f64),
        ("overlaps found", f64::from(overlaps)),
    ];
    Ok(measured
        .map(|(name, value)| (name.to_owned(), value))
        .to_vec())
}
