//! `banquise chain`: spheres on a line in a viscous fluid, beside the continuum that many of them make.

use std::process::ExitCode;

use banquise_io::figure::{Axis, LineChart, LineStyle, Series, Unit};
use banquise_suspension::continuum::{
    ForceDensity, Matter, SideBySide, SolidFraction, side_by_side,
};
use serde_json::{Value, json};

use crate::arguments::chain::{ChainArguments, ForceChoice, FractionChoice};
use crate::failure::Failure;
use banquise_io::whole_file::write_whole;

/// Numbers of spheres, where none is given.
const SPHERES: [u32; 4] = [25, 50, 100, 200];
/// The longest time: gaps shrink by e for each unit of the force times the time.
const LONGEST: f64 = 200.0;

pub(crate) fn chain(arguments: &ChainArguments) -> Result<ExitCode, Failure> {
    let time = arguments.time;
    if !(time > 0.0 && time <= LONGEST) {
        return Err(Failure::usage(
            format!("--time is {time}"),
            format!("give a time of more than 0 and at most {LONGEST}"),
        ));
    }
    let spheres = match &arguments.spheres[..] {
        [] => SPHERES.to_vec(),
        given => given.to_vec(),
    };
    let fraction = match arguments.fraction {
        FractionChoice::Smooth => SolidFraction::Smooth,
        FractionChoice::Packets => SolidFraction::Packets,
    };
    let force = match arguments.force {
        ForceChoice::Even => ForceDensity::Even,
        ForceChoice::Gather => ForceDensity::Gather,
        ForceChoice::Part => ForceDensity::Part,
    };
    let runs = spheres.iter().map(|&count| {
        let run = side_by_side(fraction, force, count as usize, time);
        let found = run.difference;
        eprintln!(
            "{count} spheres: velocities at the start differ by {:.3e}, places at {time} by {:.3e}",
            found.velocity, found.place
        );
        run
    });
    let runs: Vec<SideBySide> = runs.collect();
    let orders = orders(&runs);
    if let Some([velocity, place]) = orders {
        eprintln!("order: {velocity:.3} for velocities, {place:.3} for places");
    }
    let Some(finest) = runs.iter().max_by_key(|run| run.difference.count) else {
        return Ok(ExitCode::SUCCESS);
    };
    for packet in packets(&finest.chain) {
        eprintln!("{}", packet.text());
    }
    let drawn = [
        (&arguments.svg, fraction_chart(finest, time)),
        (&arguments.stress_svg, stress_chart(finest, time)),
    ];
    for (path, chart) in drawn {
        if let Some(path) = path {
            write_whole(path, chart.to_svg()).map_err(|error| Failure::file(path, &error))?;
        }
    }
    if arguments.json {
        println!("{}", to_json(&runs, orders, finest, time));
    }
    Ok(ExitCode::SUCCESS)
}

/// Orders of convergence in the number of spheres, of the coarsest and the finest chain; none of one chain.
fn orders(runs: &[SideBySide]) -> Option<[f64; 2]> {
    let first = runs
        .iter()
        .min_by_key(|run| run.difference.count)?
        .difference;
    let last = runs
        .iter()
        .max_by_key(|run| run.difference.count)?
        .difference;
    let ratio = (last.count as f64 / first.count as f64).ln();
    let order = |coarse: f64, fine: f64| (coarse / fine).ln() / ratio;
    (ratio > 0.0).then(|| {
        [
            order(first.velocity, last.velocity),
            order(first.place, last.place),
        ]
    })
}

/// A packet: where it is, how fast, and the forces of cohesion in it.
struct PacketState {
    from: f64,
    to: f64,
    velocity: f64,
    least: f64,
    largest: f64,
}

impl PacketState {
    fn text(&self) -> String {
        format!(
            "packet from {:.4} to {:.4}: velocity {:.4e}, forces between its spheres from {:.3e} to {:.3e} (a pull is positive)",
            self.from, self.to, self.velocity, self.least, self.largest
        )
    }

    fn to_json(&self) -> Value {
        json!({
            "from": self.from,
            "to": self.to,
            "velocity": self.velocity,
            "least_cohesion": self.least,
            "largest_cohesion": self.largest,
        })
    }
}

fn packets(matter: &Matter) -> Vec<PacketState> {
    let (places, velocities) = (matter.places(), matter.velocities());
    let stresses = matter.stresses();
    let at = |index: usize| index.checked_sub(1).map_or(0.0, |inner| places[inner]);
    let state = |packet: std::ops::Range<usize>| PacketState {
        from: at(packet.start) - 0.5 * matter.solid,
        to: at(packet.end) + 0.5 * matter.solid,
        velocity: velocities[packet.start.max(1) - 1],
        least: stresses[packet.clone()]
            .iter()
            .copied()
            .fold(f64::INFINITY, f64::min),
        largest: stresses[packet]
            .iter()
            .copied()
            .fold(f64::NEG_INFINITY, f64::max),
    };
    matter.packets().into_iter().map(state).collect()
}

/// Solid fraction of each gap with its share of the spheres, as a staircase.
fn fractions(matter: &Matter) -> Vec<[f64; 2]> {
    staircase(matter, |gap, _| matter.solid / (matter.solid + gap))
}

fn staircase(matter: &Matter, value: impl Fn(f64, f64) -> f64) -> Vec<[f64; 2]> {
    let mut from = 0.0;
    let each = matter
        .gaps
        .iter()
        .zip(matter.stresses())
        .flat_map(|(&gap, stress)| {
            let (start, height) = (from, value(gap, stress));
            from += gap + matter.solid;
            [[start, height], [from, height]]
        });
    each.collect()
}

fn fraction_chart(run: &SideBySide, time: f64) -> LineChart {
    LineChart {
        title: format!(
            "Solid fraction of {} spheres after {time}",
            run.difference.count
        ),
        x_axis: Axis::new("Place", Unit::None),
        y_axis: Axis::new("Solid fraction", Unit::None),
        series: vec![
            Series::new("spheres", fractions(&run.chain)),
            Series::new("continuum", fractions(&run.continuum)).with_style(LineStyle::Dashed),
        ],
        ..LineChart::default()
    }
}

fn stress_chart(run: &SideBySide, time: f64) -> LineChart {
    let stresses = |matter: &Matter| staircase(matter, |_, stress| stress);
    LineChart {
        title: format!("Stress in {} spheres after {time}", run.difference.count),
        x_axis: Axis::new("Place", Unit::None),
        y_axis: Axis::new("Stress, a pull is positive", Unit::None),
        series: vec![
            Series::new("spheres", stresses(&run.chain)),
            Series::new("continuum", stresses(&run.continuum)).with_style(LineStyle::Dashed),
        ],
        ..LineChart::default()
    }
}

fn to_json(runs: &[SideBySide], orders: Option<[f64; 2]>, finest: &SideBySide, time: f64) -> Value {
    let list: Vec<Value> = runs
        .iter()
        .map(|run| {
            json!({
                "spheres": run.difference.count,
                "velocity_difference": run.difference.velocity,
                "place_difference": run.difference.place,
            })
        })
        .collect();
    let states = |matter: &Matter| -> Vec<Value> {
        let all = packets(matter).into_iter();
        all.map(|packet| packet.to_json()).collect()
    };
    json!({
        "time": time,
        "chains": list,
        "velocity_order": orders.map(|orders| orders[0]),
        "place_order": orders.map(|orders| orders[1]),
        "packets": states(&finest.chain),
        "continuum_packets": states(&finest.continuum),
        "places": finest.chain.places(),
        "velocities": finest.chain.velocities(),
    })
}
