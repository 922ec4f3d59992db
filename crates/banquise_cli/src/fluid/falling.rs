//! `banquise fluid dkt` and `banquise fluid sediment`: discs that fall in a box of fluid.

use std::process::ExitCode;
use std::time::Instant;

use banquise_flow::Unsteady;
use banquise_flow::settling::{PairState, Phases, SettlingSettings, phases};
use banquise_io::figure::{Axis, LineChart, Reference, Series, Unit};
use serde_json::{Value, json};

use super::frames::Frames;
use super::picture::Units;
use crate::arguments::fluid::{DktArguments, FrameArguments, SedimentArguments};
use crate::failure::Failure;
use banquise_io::whole_file::write_whole;

/// Most steps of a run: a mistyped step would run for days.
const MAX_STEPS: f64 = 1e6;

/// What a run was like.
#[derive(Default)]
struct Totals {
    steps: u32,
    iterations: usize,
    most_contacts: usize,
    least_gap: f64,
    wall: f64,
}

impl Totals {
    fn to_json(&self, cell: f64) -> Value {
        json!({
            "steps": self.steps,
            "iterations_per_step": self.iterations as f64 / f64::from(self.steps),
            "most_contacts": self.most_contacts,
            "least_gap_cells": self.least_gap / cell,
            "steps_per_s": f64::from(self.steps) / self.wall,
        })
    }

    fn line(&self, cell: f64) {
        eprintln!(
            "{} steps, {:.0} iterations a step, at most {} contacts, least gap {:.4} cells, {:.1} steps/s",
            self.steps,
            self.iterations as f64 / f64::from(self.steps),
            self.most_contacts,
            self.least_gap / cell,
            f64::from(self.steps) / self.wall,
        );
    }
}

pub(super) fn step_count(duration: f64, dt: f64) -> Result<u32, Failure> {
    let steps = (duration / dt).round();
    if (1.0..=MAX_STEPS).contains(&steps) {
        Ok(steps as u32)
    } else {
        Err(Failure::usage(
            format!("--duration {duration} s has {steps} steps of {dt} s"),
            "give positive values with 1 to a million steps",
        ))
    }
}

/// Makes steps until `ends` says so, with a picture every so often.
fn run(
    flow: &mut Unsteady,
    steps: u32,
    frames: &FrameArguments,
    mut ends: impl FnMut(&Unsteady) -> bool,
) -> Result<Totals, Failure> {
    let start = Instant::now();
    let mut totals = Totals {
        least_gap: f64::INFINITY,
        ..Totals::default()
    };
    let mut frames = Frames::new(frames, steps, Units::CGS)?;
    for step in 0..steps {
        let report = flow.step()?;
        totals.steps += 1;
        totals.iterations += report.iterations;
        totals.most_contacts = totals.most_contacts.max(report.contacts);
        totals.least_gap = totals.least_gap.min(report.least_gap);
        let is_last = ends(flow);
        frames.draw(step, flow)?;
        if is_last {
            break;
        }
    }
    totals.wall = start.elapsed().as_secs_f64();
    frames.finish()?;
    Ok(totals)
}

pub(super) fn dkt(arguments: &DktArguments) -> Result<ExitCode, Failure> {
    let settings = SettlingSettings {
        resolution: arguments.resolution,
        dt: arguments.step,
        gravity: arguments.gravity,
        friction: arguments.friction,
        ..SettlingSettings::TWO_DISCS
    };
    let steps = step_count(arguments.duration, arguments.step)?;
    let mut flow = settings.two_discs()?;
    let cell = flow.grid().spacing;
    let diameter = 2.0 * flow.bodies[0].body.shape.bounding_radius();
    let mut history = vec![PairState::of(&flow)];
    let totals = run(&mut flow, steps, &arguments.frames, |flow| {
        let state = PairState::of(flow);
        history.push(state);
        // Near the bottom the pair comes to rest, which is no part of the study.
        state.places.iter().any(|at| at.y < diameter)
    })?;
    let found = phases(&history, cell, diameter);
    let named = [
        ("drafting", found.drafting),
        ("kissing", found.kissing),
        ("tumbling", found.tumbling),
    ];
    for (name, time) in named {
        match time {
            Some(time) => eprintln!("{name} from {time:.4} s"),
            None => eprintln!("no {name}"),
        }
    }
    totals.line(cell);
    if let Some(path) = &arguments.svg {
        let svg = chart(&history, cell, &found).to_svg();
        write_whole(path, svg).map_err(|error| Failure::file(path, &error))?;
    }
    if arguments.frames.json {
        let mut numbers = totals.to_json(cell);
        for (name, time) in named {
            numbers[format!("{name}_s")] = json!(time);
        }
        // A hundred instants suffice for a curve.
        let every = history.len().div_ceil(100);
        numbers["history"] = history
            .iter()
            .step_by(every)
            .map(|state| {
                json!({
                    "time_s": state.time,
                    "places_cm": state.places.map(|at| at.to_array()),
                    "gap_cm": state.gap,
                    "tilt_deg": state.tilt.to_degrees(),
                })
            })
            .collect();
        println!("{numbers}");
    }
    Ok(ExitCode::SUCCESS)
}

fn chart(history: &[PairState], cell: f64, found: &Phases) -> LineChart {
    let curve = |value: &dyn Fn(&PairState) -> f64| {
        history
            .iter()
            .map(|state| [state.time, value(state)])
            .collect()
    };
    let named = [
        ("drafting", found.drafting),
        ("kissing", found.kissing),
        ("tumbling", found.tumbling),
    ];
    LineChart {
        title: "Two discs that fall one behind the other".into(),
        x_axis: Axis::new("Time", Unit::Fixed("s".into())),
        y_axis: Axis::new("Gap in cells, tilt in degrees", Unit::None),
        series: vec![
            Series::new("gap", curve(&|state| state.gap / cell)),
            Series::new(
                "tilt of the line of centres",
                curve(&|state| state.tilt.to_degrees()),
            ),
        ],
        references: named
            .into_iter()
            .filter_map(|(name, time)| {
                time.map(|time| Reference::Vertical {
                    value: time,
                    label: name.into(),
                })
            })
            .collect(),
        ..LineChart::default()
    }
}

pub(super) fn sediment(arguments: &SedimentArguments) -> Result<ExitCode, Failure> {
    let settings = SettlingSettings {
        resolution: arguments.resolution,
        dt: arguments.step,
        gravity: arguments.gravity,
        friction: arguments.friction,
        ..SettlingSettings::SUSPENSION
    };
    let steps = step_count(arguments.duration, arguments.step)?;
    let mut flow = settings.suspension()?;
    let cell = flow.grid().spacing;
    let mean_height = |flow: &Unsteady| {
        let sum: f64 = flow
            .bodies
            .iter()
            .map(|disc| disc.body.pose.position.y)
            .sum();
        sum / flow.bodies.len() as f64
    };
    let start = mean_height(&flow);
    let totals = run(&mut flow, steps, &arguments.frames, |_| false)?;
    let end = mean_height(&flow);
    eprintln!(
        "mean height of {} discs from {start:.3} to {end:.3} cm in {:.2} s",
        flow.bodies.len(),
        flow.time
    );
    totals.line(cell);
    if arguments.frames.json {
        let mut numbers = totals.to_json(cell);
        numbers["discs"] = json!(flow.bodies.len());
        numbers["mean_height_cm"] = json!([start, end]);
        println!("{numbers}");
    }
    Ok(ExitCode::SUCCESS)
}
