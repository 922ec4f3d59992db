//! `banquise fracture plate`: a crack that grows in an elastic plate.

use std::fmt::Write as _;
use std::path::Path;
use std::process::ExitCode;

use banquise_fem::plate_cases::{SIDE, plate, rings};
use banquise_fem::{Elasticity, GrowthSettings, GrowthStep, MeshError, Plate};
use serde_json::{Value, json};

use crate::arguments::fracture::{PlateArguments, PlateLoadChoice, PlateShapeChoice};
use crate::failure::Failure;

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
        last.path.length(),
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

/// At t = 1 grips move by 1 m: a load factor is a displacement in metres.
pub(super) fn to_json(plate: &Plate, steps: &[GrowthStep]) -> Value {
    let segments: Vec<Value> = steps
        .iter()
        .map(|step| {
            let tip = step.path.points[step.path.points.len() - 1];
            json!({
                "tip_m": [tip.x, tip.y],
                "length_m": step.path.length(),
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
    let text = svg(plate, shape, steps)?;
    std::fs::write(path, text).map_err(|error| Failure::file(path, &error))
}

/// The mesh, the boundary, inclusions and the crack; y goes up.
fn svg(plate: &Plate, shape: PlateShape, steps: &[GrowthStep]) -> Result<String, MeshError> {
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"-4 -4 {0} {0}\" width=\"640\" height=\"640\">\n<rect x=\"-4\" y=\"-4\" width=\"{0}\" height=\"{0}\" fill=\"white\"/>\n",
        SIDE + 8.0,
    );
    let place = |x: f64, y: f64| format!("{:.3},{:.3}", x, SIDE - y);
    let mut add = |line: String| writeln!(text, "{line}").expect("a string takes every line");
    let mut mesh = String::new();
    for triangle in plate.mesh().triangles() {
        for [a, b] in [[0, 1], [1, 2], [2, 0]].map(|[a, b]: [usize; 2]| [triangle[a], triangle[b]])
        {
            // Each edge once; those of the boundary are drawn below.
            if a < b {
                let [a, b] = [a, b].map(|node| plate.mesh().points()[node as usize]);
                write!(
                    mesh,
                    "M{:.1} {:.1}L{:.1} {:.1}",
                    a.x,
                    SIDE - a.y,
                    b.x,
                    SIDE - b.y
                )
                .expect("a string takes every line");
            }
        }
    }
    add(format!(
        "<path d=\"{mesh}\" fill=\"none\" stroke=\"#c3d5e0\" stroke-width=\"0.12\"/>"
    ));
    for ring in rings(shape)? {
        let points: Vec<String> = ring
            .vertices()
            .iter()
            .map(|point| place(point.x, point.y))
            .collect();
        add(format!(
            "<polygon points=\"{}\" fill=\"none\" stroke=\"#24506b\" stroke-width=\"0.5\"/>",
            points.join(" ")
        ));
    }
    for inclusion in &plate.inclusions {
        add(format!(
            "<circle cx=\"{:.3}\" cy=\"{:.3}\" r=\"{:.3}\" fill=\"#e6b450\" fill-opacity=\"0.6\" stroke=\"#8a6412\" stroke-width=\"0.4\"/>",
            inclusion.centre.x,
            SIDE - inclusion.centre.y,
            inclusion.radius,
        ));
    }
    if let Some(step) = steps.last() {
        let points: Vec<String> = step
            .path
            .points
            .iter()
            .map(|point| place(point.x, point.y))
            .collect();
        add(format!(
            "<polyline points=\"{}\" fill=\"none\" stroke=\"#c0392b\" stroke-width=\"0.9\" stroke-linejoin=\"round\"/>",
            points.join(" ")
        ));
        for point in &step.path.points {
            add(format!(
                "<circle cx=\"{:.3}\" cy=\"{:.3}\" r=\"0.9\" fill=\"#c0392b\"/>",
                point.x,
                SIDE - point.y
            ));
        }
    }
    text.push_str("</svg>\n");
    Ok(text)
}
