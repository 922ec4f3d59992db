//! `banquise fluid dkt` and `banquise fluid sediment`: discs that fall in a box of fluid.

use std::process::ExitCode;
use std::time::Instant;

use banquise_flow::settling::{PairState, Phases, SettlingSettings, phases};
use banquise_flow::{ContactLaw, FlowError, Unsteady};
use banquise_geometry::DVec2;
use banquise_io::figure::{Axis, LineChart, Reference, Series, Unit};
use serde_json::{Value, json};

use super::checkpoint::{Ended, Study, carry_out, interrupted};
use super::frames::Frames;
use super::outputs::{check_files, write_chart};
use super::picture::Units;
use crate::arguments::fluid_moving::{DktArguments, Law, SedimentArguments};
use crate::failure::Failure;

/// Most steps of a run: a mistyped step would run for days.
const MAX_STEPS: f64 = 1e6;

/// What a run was like.
#[derive(Debug)]
struct Totals {
    steps: u32,
    iterations: usize,
    most_contacts: usize,
    /// Pairs that stick at the end.
    sticking: usize,
    least_gap: f64,
    wall: f64,
}

impl Totals {
    const NONE: Self = Self {
        steps: 0,
        iterations: 0,
        most_contacts: 0,
        sticking: 0,
        least_gap: f64::INFINITY,
        wall: 0.0,
    };

    fn numbers(&self) -> [f64; 6] {
        [
            f64::from(self.steps),
            self.iterations as f64,
            self.most_contacts as f64,
            self.sticking as f64,
            self.least_gap,
            self.wall,
        ]
    }

    fn of_numbers([steps, iterations, most_contacts, sticking, least_gap, wall]: [f64; 6]) -> Self {
        Self {
            steps: steps as u32,
            iterations: iterations as usize,
            most_contacts: most_contacts as usize,
            sticking: sticking as usize,
            least_gap,
            wall,
        }
    }

    fn to_json(&self, cell: f64) -> Value {
        json!({
            "steps": self.steps,
            "iterations_per_step": self.iterations as f64 / f64::from(self.steps),
            "most_contacts": self.most_contacts,
            "sticking": self.sticking,
            "least_gap_cells": self.least_gap / cell,
            "steps_per_s": f64::from(self.steps) / self.wall,
        })
    }

    fn line(&self, cell: f64) {
        let sticking = match self.sticking {
            0 => String::new(),
            count => format!(", {count} stick at the end"),
        };
        eprintln!(
            "{} steps, {:.0} iterations a step, at most {} contacts{sticking}, {}, {:.1} steps/s",
            self.steps,
            self.iterations as f64 / f64::from(self.steps),
            self.most_contacts,
            gap_in_words(self.least_gap / cell),
            f64::from(self.steps) / self.wall,
        );
    }
}

/// Gaps that nothing came near enough to are not known.
pub(super) fn gap_in_words(cells: f64) -> String {
    if cells.is_finite() {
        format!("least gap {cells:.4} cells")
    } else {
        "nothing near enough for a contact".into()
    }
}

pub(super) fn step_count(duration: f64, dt: f64) -> Result<u32, Failure> {
    let steps = (duration / dt).round();
    if (1.0..=MAX_STEPS).contains(&steps) {
        Ok(steps as u32)
    } else {
        Err(Failure::usage(
            format!("--duration {duration} has {steps} steps of {dt}"),
            "give positive values with 1 to a million steps",
        ))
    }
}

pub(super) fn contact_law(law: Law) -> ContactLaw {
    match law {
        Law::Dry => ContactLaw::Dry,
        Law::Gluey => ContactLaw::Gluey,
    }
}

/// Discs that fall.
struct Falling {
    flow: Unsteady,
    totals: Totals,
    /// Of two discs, at the start and after each step.
    history: Option<Vec<PairState>>,
    /// Times and mean heights, at the start and after each step.
    heights: Vec<[f64; 2]>,
}

/// Mean height of all discs.
fn mean_height(flow: &Unsteady) -> f64 {
    let heights = flow.bodies.iter().map(|disc| disc.body.pose.position.y);
    heights.sum::<f64>() / flow.bodies.len() as f64
}

impl Falling {
    fn new(flow: Unsteady, is_pair: bool) -> Self {
        Self {
            totals: Totals::NONE,
            history: is_pair.then(|| vec![PairState::of(&flow)]),
            heights: vec![[flow.time, mean_height(&flow)]],
            flow,
        }
    }
}

impl Study for Falling {
    fn step(&mut self) -> Result<(), Failure> {
        let start = Instant::now();
        let report = self.flow.step()?;
        let totals = &mut self.totals;
        totals.steps += 1;
        totals.iterations += report.iterations;
        totals.most_contacts = totals.most_contacts.max(report.contacts);
        totals.sticking = report.sticking;
        totals.least_gap = totals.least_gap.min(report.least_gap);
        totals.wall += start.elapsed().as_secs_f64();
        if let Some(history) = &mut self.history {
            history.push(PairState::of(&self.flow));
        }
        self.heights.push([self.flow.time, mean_height(&self.flow)]);
        Ok(())
    }

    /// Near the bottom a pair comes to rest, which is no part of the study.
    fn is_over(&self) -> bool {
        let diameter = 2.0 * self.flow.bodies[0].body.shape.bounding_radius();
        let pair = self.history.iter().flatten().next_back();
        pair.is_some_and(|pair| pair.places.iter().any(|at| at.y < diameter))
    }

    fn draw(&self, step: u32, frames: &mut Frames<'_>) -> Result<(), Failure> {
        frames.draw(step, &self.flow)
    }

    fn state(&self) -> Vec<f64> {
        self.flow.state()
    }

    fn gathered(&self) -> Vec<f64> {
        let history = self.history.iter().flatten().flat_map(|pair| {
            let [a, b] = pair.places;
            [pair.time, a.x, a.y, b.x, b.y, pair.gap, pair.tilt]
        });
        let counts = self.totals.numbers().into_iter();
        let heights = self.heights.iter().flatten().copied();
        let length = std::iter::once(self.heights.len() as f64);
        counts.chain(length).chain(heights).chain(history).collect()
    }

    fn restore(&mut self, state: &[f64], gathered: &[f64]) -> Result<(), Failure> {
        self.flow.restore(state)?;
        let (totals, rest) = gathered.split_first_chunk().ok_or(FlowError::OtherState)?;
        let (length, rest) = rest.split_first().ok_or(FlowError::OtherState)?;
        let (heights, rest) = rest
            .split_at_checked(2 * *length as usize)
            .ok_or(FlowError::OtherState)?;
        let (pairs, []) = rest.as_chunks::<7>() else {
            return Err(FlowError::OtherState.into());
        };
        self.totals = Totals::of_numbers(*totals);
        self.heights = heights.as_chunks().0.to_vec();
        if let Some(history) = &mut self.history {
            let pair = |&[time, ax, ay, bx, by, gap, tilt]: &[f64; 7]| PairState {
                time,
                places: [DVec2::new(ax, ay), DVec2::new(bx, by)],
                gap,
                tilt,
            };
            *history = pairs.iter().map(pair).collect();
        }
        Ok(())
    }
}

pub(super) fn dkt(arguments: &DktArguments) -> Result<ExitCode, Failure> {
    let settings = SettlingSettings {
        resolution: arguments.resolution,
        dt: arguments.step,
        gravity: arguments.gravity,
        law: contact_law(arguments.contacts.law),
        friction: arguments.contacts.friction,
        ..SettlingSettings::TWO_DISCS
    };
    let steps = step_count(arguments.duration, arguments.step)?;
    check_files(&[arguments.svg.as_deref()])?;
    let mut frames = Frames::without_directory(&arguments.frames, steps, Units::CGS)?;
    let mut study = Falling::new(settings.two_discs()?, true);
    let command = json!({"study": "dkt", "resolution": settings.resolution, "step": settings.dt,
        "gravity": settings.gravity, "law": format!("{:?}", settings.law),
        "friction": settings.friction, "steps": steps});
    let checkpoint = &arguments.checkpoint;
    if let Ended::Interrupted = carry_out(&mut study, steps, &mut frames, checkpoint, &command)? {
        return Ok(interrupted());
    }
    frames.finish()?;
    let cell = study.flow.grid().spacing;
    let diameter = 2.0 * study.flow.bodies[0].body.shape.bounding_radius();
    let state_hash = study.state_hash();
    let (totals, history) = (study.totals, study.history.unwrap_or_default());
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
    write_chart(arguments.svg.as_deref(), &chart(&history, cell, &found))?;
    if arguments.frames.json {
        let mut numbers = totals.to_json(cell);
        numbers["state_hash"] = json!(state_hash);
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
        law: contact_law(arguments.contacts.law),
        friction: arguments.contacts.friction,
        ..SettlingSettings::SUSPENSION
    };
    let steps = step_count(arguments.duration, arguments.step)?;
    check_files(&[arguments.svg.as_deref()])?;
    let mut frames = Frames::without_directory(&arguments.frames, steps, Units::CGS)?;
    let mut study = Falling::new(settings.suspension()?, false);
    let start = mean_height(&study.flow);
    let command = json!({"study": "sediment", "resolution": settings.resolution, "step": settings.dt,
        "gravity": settings.gravity, "law": format!("{:?}", settings.law),
        "friction": settings.friction, "steps": steps});
    let checkpoint = &arguments.checkpoint;
    if let Ended::Interrupted = carry_out(&mut study, steps, &mut frames, checkpoint, &command)? {
        return Ok(interrupted());
    }
    frames.finish()?;
    let (flow, totals) = (&study.flow, &study.totals);
    let (cell, end) = (flow.grid().spacing, mean_height(flow));
    eprintln!(
        "mean height of {} discs from {start:.3} to {end:.3} cm in {:.2} s",
        flow.bodies.len(),
        flow.time
    );
    totals.line(cell);
    let chart = LineChart {
        title: "Discs that settle in a box".into(),
        x_axis: Axis::new("Time", Unit::Fixed("s".into())),
        y_axis: Axis::new("Mean height of the discs", Unit::Fixed("cm".into())),
        series: vec![Series::new("mean height", study.heights.clone())],
        ..LineChart::default()
    };
    write_chart(arguments.svg.as_deref(), &chart)?;
    if arguments.frames.json {
        let mut numbers = totals.to_json(cell);
        numbers["state_hash"] = json!(study.state_hash());
        numbers["discs"] = json!(flow.bodies.len());
        numbers["mean_height_cm"] = json!([start, end]);
        println!("{numbers}");
    }
    Ok(ExitCode::SUCCESS)
}
