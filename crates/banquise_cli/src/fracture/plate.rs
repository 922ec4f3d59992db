//! `banquise fracture plate`: a crack that grows in an elastic plate.

use std::path::Path;
use std::process::ExitCode;

use banquise_fem::plate_cases::{SIDE, plate};
use banquise_fem::{CrackPath, Elasticity, GrowthSettings, GrowthStep, Plate};
use serde_json::{Value, json};

use super::plate_map::stress_map;
use crate::arguments::fracture::{PlateArguments, PlateLoadChoice, PlateShapeChoice};
use crate::failure::Failure;
use banquise_io::whole_file::write_whole;

pub(super) use banquise_fem::plate_cases::{PlateLoad, PlateShape};

pub(super) fn run(arguments: &PlateArguments) -> Result<ExitCode, Failure> {
    let shape = match arguments.shape {
        PlateShapeChoice::Square => PlateShape::Square,
        PlateShapeChoice::Inclusion => PlateShape::Inclusion,
        PlateShapeChoice::Hole => PlateShape::Hole,
        PlateShapeChoice::Butterfly => PlateShape::Butterfly,
    };
    let load = match arguments.load {
        PlateLoadChoice::Pull => PlateLoad::Pull,
        PlateLoadChoice::Rotation => PlateLoad::Rotation,
    };
    let elasticity = Elasticity {
        young: arguments.young,
        poisson: arguments.poisson,
        toughness: arguments.fracture_energy,
        tensile_strength: None,
    };
    check_segment(
        arguments.segment,
        arguments.spacing,
        "--segment",
        "--spacing",
    )?;
    let plate = plate(shape, load, &elasticity, arguments.spacing)?;
    let settings = GrowthSettings {
        segment: arguments.segment,
        starts_inside: arguments.starts_inside,
        ..GrowthSettings::default()
    };
    let steps = plate.grow(&settings);
    report(&plate, &steps);
    if let Some(path) = &arguments.svg {
        write_svg(path, &plate, shape, &steps)?;
    }
    if arguments.json {
        println!("{}", to_json(&plate, &steps));
    }
    Ok(ExitCode::SUCCESS)
}

/// Refuses a segment shorter than the spacing of nodes, or longer than the plate.
pub(super) fn check_segment(
    segment: f64,
    spacing: f64,
    name: &str,
    spacing_name: &str,
) -> Result<(), Failure> {
    if segment >= spacing && segment <= SIDE {
        return Ok(());
    }
    Err(Failure::usage(
        format!("{name} is {segment} m"),
        format!("it must be at least {spacing_name} ({spacing} m) and at most {SIDE} m"),
    ))
}

fn report(plate: &Plate, steps: &[GrowthStep]) {
    eprintln!("{} nodes", plate.mesh().points().len());
    let Some((first, last)) = steps.first().zip(steps.last()) else {
        eprintln!("no crack releases energy");
        return;
    };
    let [from, to] = [
        last.path.points[0],
        last.path.points[last.path.points.len() - 1],
    ];
    eprintln!(
        "a crack of {} segments and {:.2} m from ({:.1}, {:.1}) to ({:.1}, {:.1}) starts at a displacement of {:.4} mm and {}",
        steps.len(),
        length(plate, &last.path),
        from.x,
        from.y,
        to.x,
        to.y,
        1e3 * first.onset,
        if last.path.open_ends == [true; 2] {
            "goes through"
        } else {
            "stops inside"
        },
    );
}

/// Length of a crack in the ice \[m\].
pub(super) fn length(plate: &Plate, path: &CrackPath) -> f64 {
    let segments = plate.segments_in_ice(path);
    segments.map(|[from, to]| from.distance(to)).sum()
}

/// At t = 1 grips move by 1 m: a load factor is a displacement in metres.
pub(super) fn to_json(plate: &Plate, steps: &[GrowthStep]) -> Value {
    let segments: Vec<Value> = steps
        .iter()
        .map(|step| {
            let tip = step.path.points[step.path.points.len() - 1];
            json!({
                "tip_m": [tip.x, tip.y],
                "length_m": length(plate, &step.path),
                "onset_mm": 1e3 * step.onset,
                "released_share": step.released / plate.energy(),
            })
        })
        .collect();
    let start = steps
        .first()
        .map(|step| [step.path.points[0].x, step.path.points[0].y]);
    json!({
        "nodes": plate.mesh().points().len(),
        "energy_j": plate.energy(),
        "start_m": start,
        "goes_through": steps.last().is_some_and(|step| step.path.open_ends == [true; 2]),
        "segments": segments,
    })
}

fn write_svg(
    path: &Path,
    plate: &Plate,
    shape: PlateShape,
    steps: &[GrowthStep],
) -> Result<(), Failure> {
    let text = stress_map(plate, shape, steps)?;
    write_whole(path, text).map_err(|error| Failure::file(path, &error))
}
