//! The report of a struck bar: stress in space and time, with the plane at which it breaks.

use banquise_fracture::Ice;
use banquise_fracture::bar::{BarImpact, BarResult, StressHistory, Which};
use banquise_io::figure::{
    Axis, ColorScale, HeatMap, LineChart, LineStyle, Reference, Series, Table, Tile, Unit,
};
use banquise_io::specimen::BarPlan;
use serde_json::json;

use super::bar::{name, numbers};
use super::told::{Drawn, Told};
use crate::failure::Failure;

/// Columns and rows of the diagram of stress.
const CELLS: [usize; 2] = [75, 60];
/// Times at which the contact stress is kept.
const ROWS: usize = 600;

fn impact(plan: &BarPlan) -> BarImpact {
    BarImpact {
        ice: Ice {
            young: plan.young,
            density: plan.density,
            fracture_energy: plan.toughness,
            ..Ice::default()
        },
        striker_length: plan.striker_length,
        length: plan.length,
        speed: plan.speed,
        nodes: plan.nodes,
        damping: plan.damping,
        breaks: plan.breaking,
    }
}

/// What will run, in words.
pub(super) fn check(plan: &BarPlan) -> Result<String, Failure> {
    let impact = impact(plan);
    impact.check()?;
    Ok(format!(
        "a bar of {} m and {} nodes, struck by one of {} m at {} m/s",
        plan.length, plan.nodes, plan.striker_length, plan.speed
    ))
}

pub(super) fn run(plan: &BarPlan) -> Result<Told, Failure> {
    let impact = impact(plan);
    let (result, history) = impact.run_with_history(CELLS[0], ROWS)?;
    let exact = impact.exact();
    let mut json = numbers(&result);
    json["exact"] = numbers(&exact);
    json["highest_tension_pa"] = json!(result.highest_tension);
    json["energy_error"] = json!(result.energy_error);
    json["breaks"] = result
        .broken
        .iter()
        .map(|b| json!({"time_s": b.time, "from_rear_m": b.from_rear, "bar": name(b.bar)}))
        .collect();
    Ok(Told {
        happened: happened(&result),
        trust: format!(
            "The energy budget closes to {:.1e} of the energy. The chain has a spacing of {} m: its fronts are smeared over several spacings, and the strength \
             of a bond, √(2 E G_c/dx) = {:.0} kPa, depends on it. `banquise fracture bar` extrapolates to a spacing of zero.",
            result.energy_error.abs(),
            plan.length / (plan.nodes - 1) as f64,
            1e-3 * strength(plan),
        ),
        tiles: tiles(&result),
        figures: vec![
            Drawn {
                file: "stress.svg",
                svg: diagram(&impact, &result, &history),
                caption: "Stress along striker and bar in time, positive in tension. Dashed lines: the end of the striker, and the plane at which the continuum is first in tension.".into(),
            },
            Drawn {
                file: "contact.svg",
                svg: contact(&impact, &history),
                caption: "Contact stress, and the plateau ρ c v/2 of the continuum.".into(),
            },
        ],
        table: table(&result, &exact),
        csv: (
            "contact.csv",
            "time [s],contact_stress [Pa]",
            history
                .times
                .iter()
                .zip(&history.contact)
                .map(|(time, stress)| vec![*time, *stress])
                .collect(),
        ),
        json,
    })
}

/// Strength of a bond of the bar \[Pa\].
fn strength(plan: &BarPlan) -> f64 {
    let spacing = plan.length / (plan.nodes - 1) as f64;
    (2.0 * plan.young * plan.toughness / spacing).sqrt()
}

fn happened(result: &BarResult) -> String {
    let tension = match result.first_tension {
        Some(tension) => format!(
            "The {} was first in tension after {:.2} ms, {:.1} m from its rear.",
            name(tension.bar),
            1e3 * tension.time,
            tension.from_rear
        ),
        None => "Neither bar was in tension of half the amplitude of the wave.".to_owned(),
    };
    let broken = match &result.broken[..] {
        [] => "No bond broke.".to_owned(),
        [first, others @ ..] => format!(
            "The {} broke {:.1} m from its rear after {:.2} ms{}.",
            name(first.bar),
            first.from_rear,
            1e3 * first.time,
            match others.len() {
                0 => String::new(),
                1 => ", and one more bond with it".to_owned(),
                count => format!(", and {count} more bonds with it"),
            }
        ),
    };
    format!(
        "The bars touched for {:.2} ms at {:.1} kPa and parted with restitution {:.3}. {tension} {broken}",
        1e3 * result.contact_time,
        1e-3 * result.stress,
        result.restitution,
    )
}

fn tiles(result: &BarResult) -> Vec<Tile> {
    let mut tiles = vec![
        Tile::new("contact", &format!("{:.2} ms", 1e3 * result.contact_time)),
        Tile::new("stress", &format!("{:.1} kPa", 1e-3 * result.stress)),
        Tile::new("restitution", &format!("{:.3}", result.restitution)),
    ];
    tiles.extend(result.broken.first().map(|first| {
        Tile::new(
            "spall plane",
            &format!("{:.1} m from rear", first.from_rear),
        )
    }));
    tiles
}

fn diagram(impact: &BarImpact, result: &BarResult, history: &StressHistory) -> String {
    // Every so many of the times that were kept: cells are some pixels high.
    let every = history.times.len().div_ceil(CELLS[1]).max(1);
    let rows = history.times.iter().zip(&history.stress).step_by(every);
    let (times, values): (Vec<f64>, Vec<Vec<f64>>) =
        rows.map(|(time, stress)| (*time, stress.clone())).unzip();
    let interval = times.get(1).map_or(1.0, |second| second - times[0]);
    let mut edges: Vec<f64> = times.iter().map(|time| time - 0.5 * interval).collect();
    edges.extend(times.last().map(|last| last + 0.5 * interval));
    let at = |value: f64, label: &str| Reference::Vertical {
        value,
        label: label.to_owned(),
    };
    let mut references = vec![at(0.0, "impact")];
    if let Some(plane) = impact.exact().first_tension {
        let place = match plane.bar {
            Which::Target => impact.length - plane.from_rear,
            Which::Striker => plane.from_rear - impact.striker_length,
        };
        let label = if result.broken.is_empty() {
            "first tension"
        } else {
            "spall plane"
        };
        references.push(at(place, label));
    }
    let amplitude = impact.wave_stress();
    HeatMap {
        title: "Stress".into(),
        x_axis: Axis::new("Place", Unit::Prefixed("m".into())),
        y_axis: Axis::new("Time", Unit::Prefixed("s".into())),
        x_edges: history.edges.clone(),
        y_edges: edges,
        values,
        color_scale: ColorScale {
            label: "Stress, positive in tension".into(),
            unit: Unit::Prefixed("Pa".into()),
            range: Some([-amplitude, amplitude]),
        },
        references,
        size: [900.0, 420.0],
        ..HeatMap::default()
    }
    .to_svg()
}

fn contact(impact: &BarImpact, history: &StressHistory) -> String {
    let points = history.times.iter().zip(&history.contact);
    let points = points.map(|(time, stress)| [*time, *stress]).collect();
    let exact = impact.exact();
    let plateau = vec![
        [0.0, exact.stress],
        [exact.contact_time, exact.stress],
        [exact.contact_time, 0.0],
    ];
    LineChart {
        title: "Contact stress".into(),
        x_axis: Axis::new("Time", Unit::Prefixed("s".into())),
        y_axis: Axis::new("Contact stress", Unit::Prefixed("Pa".into())),
        series: vec![
            Series::new("chain", points),
            Series::new("continuum", plateau).with_style(LineStyle::Dashed),
        ],
        ..LineChart::default()
    }
    .to_svg()
}

fn table(result: &BarResult, exact: &BarResult) -> Table {
    let cell = |value: Option<f64>, digits: usize| {
        value.map_or("–".to_owned(), |value| format!("{value:.digits$}"))
    };
    let row = |name: &str, digits: usize, read: &dyn Fn(&BarResult) -> Option<f64>| {
        vec![
            name.to_owned(),
            cell(read(result), digits),
            cell(read(exact), digits),
        ]
    };
    Table {
        caption: "The chain, and the continuum without breaking. Times are at half of the wave's amplitude.".into(),
        header: ["", "chain", "continuum"].map(str::to_owned).to_vec(),
        rows: vec![
            row("contact time (ms)", 3, &|r| Some(1e3 * r.contact_time)),
            row("stress (kPa)", 2, &|r| Some(1e-3 * r.stress)),
            row("first tension (ms)", 3, &|r| {
                r.first_tension.map(|t| 1e3 * t.time)
            }),
            row("distance from the rear (m)", 2, &|r| {
                r.first_tension.map(|t| t.from_rear)
            }),
            row("highest tension (kPa)", 2, &|r| {
                Some(1e-3 * r.highest_tension)
            }),
            row("restitution", 4, &|r| Some(r.restitution)),
        ],
    }
}
