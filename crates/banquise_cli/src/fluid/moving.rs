//! `banquise fluid valve`, `vesicle` and `bed`: bodies that move through a mesh of triangles.

use std::process::ExitCode;

use banquise_flow::elements::bed::{Bed, BedSettings};
use banquise_flow::elements::valve::{Valve, ValveSettings, ValveState};
use banquise_flow::elements::vesicle::{Regime, Vesicle, VesicleSettings, VesicleState, regime};
use banquise_flow::{Body, FlowError};
use banquise_geometry::{DVec2, Outline, Pose, Rotation, Shape};
use banquise_io::figure::{Axis, LineChart, Series, Unit};
use serde_json::{Value, json};

use super::checkpoint::{Ended, Study, carry_out, interrupted};
use super::falling::{contact_law, gap_in_words, step_count};
use super::frames::{Frames, Instant};
use super::outputs::{check_files, write_chart};
use super::picture::Units;
use crate::arguments::fluid_moving::{BedArguments, ValveArguments, VesicleArguments};
use crate::failure::Failure;

/// The leaflet as a polygon: a strip with round ends.
fn leaflet(valve: &Valve) -> Result<Body, Failure> {
    let [hinge, end] = valve.ends();
    let along = (end - hinge).normalize();
    let corners = (0..24).map(|k| {
        let turn = std::f64::consts::PI * (f64::from(k % 12) / 11.0 - 0.5);
        let direction = along * turn.cos() + along.perp() * turn.sin();
        if k < 12 {
            end + valve.radius() * direction
        } else {
            hinge - valve.radius() * direction
        }
    });
    let outline = Outline::try_new(corners.collect()).map_err(FlowError::Shape)?;
    Ok(Body {
        shape: Shape::Outline(outline),
        pose: Pose {
            position: DVec2::ZERO,
            rotation: Rotation::from_angle(0.0),
        },
    })
}

pub(super) fn valve(arguments: &ValveArguments) -> Result<ExitCode, Failure> {
    let settings = ValveSettings {
        cells: arguments.cells,
        dt: arguments.step,
        stiffness: arguments.stiffness,
        ..ValveSettings::default()
    };
    let steps = step_count(arguments.duration, arguments.step)?;
    check_files(&[arguments.svg.as_deref()])?;
    let mut valve = Valve::new(settings)?;
    let mut frames = Frames::new(&arguments.frames, steps, Units::NONE)?;
    let mut history = vec![valve.state];
    for step in 0..steps {
        history.push(valve.step()?);
        if frames.wants(step) {
            frames.add(
                step,
                Instant {
                    time: valve.state.time,
                    grid: &valve.grid()?,
                    bodies: &[leaflet(&valve)?],
                    stream: valve.stream(),
                    pressure: valve.pressure(),
                },
            )?;
        }
    }
    frames.finish()?;
    let hinge = history
        .iter()
        .fold(0.0, |m: f64, s| m.max(s.hinge_velocity));
    let (swing, repeated) = last_period(&history, settings.period, settings.dt);
    eprintln!("{steps} steps: hinge at rest to {hinge:.1e}");
    eprintln!(
        "last period: from {:.1}° to {:.1}°{}",
        swing[0],
        swing[1],
        repeated.map_or(String::new(), |off| format!(
            ", {off:.2}° from the period before at most"
        ))
    );
    let chart = LineChart {
        title: "A leaflet on a hinge in a pulsating channel".into(),
        x_axis: Axis::new("Time over h/v", Unit::None),
        y_axis: Axis::new("Angle of the leaflet", Unit::Fixed("°".into())),
        series: vec![Series::new(
            "angle",
            history
                .iter()
                .map(|s| [s.time, s.angle.to_degrees()])
                .collect(),
        )],
        ..LineChart::default()
    };
    write_chart(arguments.svg.as_deref(), &chart)?;
    if arguments.frames.json {
        let numbers = json!({
            "steps": steps,
            "hinge_velocity": hinge,
            "angles_deg": swing,
            "difference_to_period_before_deg": repeated,
        });
        println!("{numbers}");
    }
    Ok(ExitCode::SUCCESS)
}

/// Least and largest angle over the last period, and the largest difference to the period before \[°\].
fn last_period(history: &[ValveState], period: f64, dt: f64) -> ([f64; 2], Option<f64>) {
    let count = (period / dt).round() as usize;
    let last = &history[history.len().saturating_sub(count)..];
    let angles = last.iter().map(|state| state.angle.to_degrees());
    let swing = angles.fold([f64::INFINITY, f64::NEG_INFINITY], |[a, b], x| {
        [a.min(x), b.max(x)]
    });
    let repeated = history.len().checked_sub(2 * count).map(|start| {
        let pairs = history[start..].iter().zip(&history[start + count..]);
        pairs
            .fold(0.0, |m: f64, (a, b)| m.max((a.angle - b.angle).abs()))
            .to_degrees()
    });
    (swing, repeated)
}

fn discs(places: impl IntoIterator<Item = (DVec2, f64)>) -> Result<Vec<Body>, Failure> {
    places
        .into_iter()
        .map(|(at, radius)| Ok(Body::disc(at, radius)?))
        .collect()
}

/// Viscosities inside vesicles over that outside: the first and the last are the source's.
pub(crate) const VESICLE_VISCOSITIES: [f64; 5] = [1.0, 3.0, 10.0, 20.0, 30.0];

/// The source's springs: 100 for viscosity 1, 50 for 30.
pub(crate) fn vesicle_spring(inner_viscosity: f64) -> f64 {
    if inner_viscosity < 30.0 { 100.0 } else { 50.0 }
}

pub(super) fn vesicle(arguments: &VesicleArguments) -> Result<ExitCode, Failure> {
    let steps = step_count(arguments.duration, arguments.step)?;
    check_files(&[arguments.svg.as_deref()])?;
    let viscosities = if arguments.inner_viscosity.is_empty() {
        VESICLE_VISCOSITIES.to_vec()
    } else {
        arguments.inner_viscosity.clone()
    };
    let settings = |inner: f64| VesicleSettings {
        inner_viscosity: inner,
        spring: arguments.spring.unwrap_or(vesicle_spring(inner)),
        dt: arguments.step,
        spacing: arguments.spacing,
        ..VesicleSettings::default()
    };
    for &inner in &viscosities {
        settings(inner).check()?;
    }
    let mut frames = Frames::new(&arguments.frames, steps, Units::NONE)?;
    let (mut list, mut series) = (Vec::new(), Vec::new());
    for &inner in &viscosities {
        let mut vesicle = Vesicle::new(settings(inner))?;
        let mut history = vec![vesicle.state];
        for step in 0..steps {
            history.push(vesicle.step()?);
            if inner == viscosities[0] && frames.wants(step) {
                let places = vesicle.places.iter().map(|at| (*at, vesicle.radius()));
                frames.add(
                    step,
                    Instant {
                        time: vesicle.state.time,
                        grid: &vesicle.grid()?,
                        bodies: &discs(places)?,
                        stream: vesicle.stream(),
                        pressure: vesicle.pressure(),
                    },
                )?;
            }
        }
        list.push(describe(inner, &vesicle, &history));
        series.push(Series::new(
            &format!("inner viscosity {inner}"),
            history
                .iter()
                .map(|s| [s.time, s.inclination.to_degrees()])
                .collect(),
        ));
    }
    frames.finish()?;
    let chart = LineChart {
        title: "Vesicles in shear flow: angle of the long axis".into(),
        x_axis: Axis::new("Time times shear rate", Unit::None),
        y_axis: Axis::new("Angle of the long axis", Unit::Fixed("°".into())),
        series,
        ..LineChart::default()
    };
    write_chart(arguments.svg.as_deref(), &chart)?;
    if arguments.frames.json {
        println!("{}", json!({"vesicles": list}));
    }
    Ok(ExitCode::SUCCESS)
}

fn describe(inner: f64, vesicle: &Vesicle, history: &[VesicleState]) -> Value {
    let worst =
        |value: &dyn Fn(&VesicleState) -> f64| history.iter().map(value).fold(0.0, f64::max);
    let name = match regime(history) {
        Regime::TankTreading => "tank-treading",
        Regime::Tumbling => "tumbling",
        Regime::Between => "between",
    };
    let (area, gap, growth) = (
        worst(&|state| (state.area - 1.0).abs()),
        worst(&|state| state.worst_gap),
        worst(&|state| state.growth),
    );
    let turned = (vesicle.state.inclination - history[0].inclination).to_degrees();
    let membrane = vesicle.state.membrane.to_degrees();
    eprintln!(
        "inner viscosity {inner}: {name}; long axis turned by {turned:.0}°, membrane by {membrane:.0}°; area kept to {area:.1e}, gaps to {gap:.1e} radii"
    );
    json!({
        "inner_viscosity": inner,
        "regime": name,
        "axis_turned_deg": turned,
        "membrane_turned_deg": membrane,
        "area_error": area,
        "gap_error_radii": gap,
        "growth": growth,
        "reduced_area": vesicle.reduced_area(),
    })
}

/// A bed, and what was seen of it.
struct BedStudy {
    bed: Bed,
    least: f64,
    most: usize,
    sticking: usize,
    heights: Vec<[f64; 2]>,
}

impl Study for BedStudy {
    fn step(&mut self) -> Result<(), Failure> {
        let report = self.bed.step()?;
        self.least = self.least.min(report.least_gap);
        self.most = self.most.max(report.contacts);
        self.sticking = report.sticking;
        self.heights.push([report.time, report.mean_height]);
        Ok(())
    }

    fn draw(&self, step: u32, frames: &mut Frames<'_>) -> Result<(), Failure> {
        if !frames.wants(step) {
            return Ok(());
        }
        let bed = &self.bed;
        let places = bed.discs.iter().map(|disc| (disc.place, disc.radius));
        frames.add(
            step,
            Instant {
                time: self.heights.last().map_or(0.0, |[time, _]| *time),
                grid: bed.grid(),
                bodies: &discs(places)?,
                stream: bed.stream(),
                pressure: bed.pressure(),
            },
        )
    }

    fn state(&self) -> Vec<f64> {
        self.bed.state()
    }

    fn gathered(&self) -> Vec<f64> {
        let counts = [self.least, self.most as f64, self.sticking as f64];
        let heights = self.heights.iter().flatten().copied();
        counts.into_iter().chain(heights).collect()
    }

    fn restore(&mut self, state: &[f64], gathered: &[f64]) -> Result<(), Failure> {
        self.bed.restore(state)?;
        let (&[least, most, sticking], rest) =
            gathered.split_first_chunk().ok_or(FlowError::OtherState)?;
        self.least = least;
        (self.most, self.sticking) = (most as usize, sticking as usize);
        self.heights = rest.as_chunks().0.to_vec();
        Ok(())
    }
}

pub(super) fn bed(arguments: &BedArguments) -> Result<ExitCode, Failure> {
    let settings = BedSettings {
        cells: arguments.cells,
        dt: arguments.step,
        gravity: arguments.gravity,
        inflow: arguments.inflow,
        law: contact_law(arguments.law),
    };
    let steps = step_count(arguments.duration, arguments.step)?;
    check_files(&[arguments.svg.as_deref()])?;
    let mut frames = Frames::without_directory(&arguments.frames, steps, Units::NONE)?;
    let mut study = BedStudy {
        bed: Bed::new(settings)?,
        least: f64::INFINITY,
        most: 0,
        sticking: 0,
        heights: Vec::new(),
    };
    let command = json!({"study": "bed", "law": format!("{:?}", settings.law), "cells": settings.cells,
        "step": settings.dt, "gravity": settings.gravity, "inflow": settings.inflow, "steps": steps});
    let checkpoint = &arguments.checkpoint;
    if let Ended::Interrupted = carry_out(&mut study, steps, &mut frames, checkpoint, &command)? {
        return Ok(interrupted());
    }
    frames.finish()?;
    let state_hash = study.state_hash();
    let BedStudy {
        least,
        most,
        sticking,
        heights,
        ..
    } = study;
    let ends = [heights.first(), heights.last()].map(|h| h.map_or(0.0, |h| h[1]));
    eprintln!(
        "{steps} steps: mean height from {:.3} to {:.3}, {}, at most {most} contacts, {sticking} pairs stick at the end",
        ends[0],
        ends[1],
        gap_in_words(least),
    );
    let chart = LineChart {
        title: "A fluidised bed".into(),
        x_axis: Axis::new("Time", Unit::None),
        y_axis: Axis::new("Mean height of the discs", Unit::None),
        series: vec![Series::new("mean height", heights)],
        ..LineChart::default()
    };
    write_chart(arguments.svg.as_deref(), &chart)?;
    if arguments.frames.json {
        let numbers = json!({
            "steps": steps,
            "state_hash": state_hash,
            "least_gap_cells": least,
            "most_contacts": most,
            "sticking": sticking,
            "mean_height": ends,
        });
        println!("{numbers}");
    }
    Ok(ExitCode::SUCCESS)
}
