//! `banquise fluid convergence|shear --method elements`: the source's own meshes, whole triangles and fitted ones.

use std::process::ExitCode;

use banquise_fem::stokes::box_disc::{BoxDisc, DiscFlow, DiscMesh};
use banquise_fem::stokes::{Diagonals, Element};
use banquise_flow::box_disc::order;
use banquise_io::figure::{Axis, LineChart, LineStyle, Series, Unit};
use serde_json::{Value, json};

use crate::arguments::fluid::{ConvergenceArguments, ShearArguments};
use crate::failure::Failure;
use banquise_io::whole_file::write_whole;

/// Cells along a side of the fitted quadratic triangles that others are compared with.
const REFERENCE: usize = 150;
/// Cells along a side for the study of penalties.
const PENALISED_CELLS: usize = 100;
/// The source's cells along a side; those between them are for orders by least squares.
const WHOLE_CELLS: [usize; 8] = [30, 40, 50, 60, 80, 100, 120, 150];
/// Cells and penalties of the sheared disc (figure 1.4).
const SHEARED_CELLS: [usize; 4] = [30, 60, 100, 150];
const SHEARED_PENALTIES: [f64; 8] = [1e-1, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8];

/// One mesh or penalty against its reference.
pub(crate) struct Row {
    pub(crate) parameter: f64,
    pub(crate) velocity: f64,
    /// In L² and in H¹.
    pub(crate) errors: [f64; 2],
    /// ‖D(u)‖ in the disc.
    pub(crate) strain: f64,
}

/// The settling disc on elements.
pub(crate) struct ElementStudy {
    /// Whole triangles, ε = 1e-8.
    pub(crate) whole: Vec<Row>,
    /// Fitted triangles, ε = 1e-8.
    pub(crate) fitted: Vec<Row>,
    /// Penalties on a fitted mesh against its limit ε → 0.
    pub(crate) penalties: Vec<Row>,
}

/// Most cells along a side.
const MOST_CELLS: usize = 400;

const SMALL_PENALTY: f64 = 1e-8;

impl ElementStudy {
    pub(crate) fn run(
        cells: Option<&[usize]>,
        reference: Option<usize>,
        penalties: &[f64],
    ) -> Result<Self, Failure> {
        let settled = |element, mesh, cells, penalty| {
            let disc = BoxDisc {
                element,
                mesh,
                cells,
                penalty,
            };
            Ok::<_, Failure>(disc.settle()?)
        };
        let fine = settled(
            Element::TaylorHood,
            DiscMesh::Fitted,
            reference.unwrap_or(REFERENCE),
            None,
        )?;
        let row = |parameter: f64, found: &DiscFlow, other: &DiscFlow| Row {
            parameter,
            velocity: found.velocity.y,
            errors: found.difference(other),
            strain: found.strain,
        };
        let rows = |mesh| {
            cells
                .unwrap_or(&WHOLE_CELLS)
                .iter()
                .map(|&n| {
                    let found = settled(Element::Mini, mesh, n, Some(SMALL_PENALTY))?;
                    Ok(row(n as f64, &found, &fine))
                })
                .collect::<Result<Vec<Row>, Failure>>()
        };
        let rigid = settled(Element::Mini, DiscMesh::Fitted, PENALISED_CELLS, None)?;
        Ok(Self {
            whole: rows(DiscMesh::Whole(Diagonals::Parallel))?,
            fitted: rows(DiscMesh::Fitted)?,
            penalties: penalties
                .iter()
                .map(|&epsilon| {
                    let found = settled(
                        Element::Mini,
                        DiscMesh::Fitted,
                        PENALISED_CELLS,
                        Some(epsilon),
                    )?;
                    Ok(row(epsilon, &found, &rigid))
                })
                .collect::<Result<_, Failure>>()?,
        })
    }
}

/// Orders of the errors in L² and H¹, in the parameter.
pub(crate) fn orders(rows: &[Row]) -> [f64; 2] {
    [0, 1].map(|norm| {
        let points: Vec<[f64; 2]> = rows
            .iter()
            .map(|row| [row.parameter, row.errors[norm]])
            .collect();
        order(&points)
    })
}

fn to_json(name: &str, rows: &[Row]) -> Value {
    let [l2, h1] = orders(rows);
    let list: Value = rows
        .iter()
        .map(|row| {
            json!({
                name: row.parameter,
                "velocity": row.velocity,
                "l2": row.errors[0],
                "h1": row.errors[1],
                "strain": row.strain,
            })
        })
        .collect();
    json!({"rows": list, "slope_l2": l2, "slope_h1": h1})
}

/// Refuses meshes that memory does not hold, and a reference that is coarser than what is compared with it.
fn check_meshes(cells: &[usize], reference: Option<usize>) -> Result<(), Failure> {
    let reference = reference.unwrap_or(REFERENCE);
    let finest = cells.iter().copied().max().unwrap_or(0);
    if finest.max(reference) > MOST_CELLS {
        return Err(Failure::usage(
            format!("meshes have {finest} and {reference} cells along a side"),
            format!("give at most {MOST_CELLS}: the factors of finer ones take more than 10 GB"),
        ));
    }
    if finest > reference {
        return Err(Failure::usage(
            format!("--cells {finest} is finer than --reference {reference}"),
            "others are compared with the reference: give more cells for it",
        ));
    }
    Ok(())
}

pub(super) fn converge(
    arguments: &ConvergenceArguments,
    cells: &[usize],
    penalties: &[f64],
) -> Result<ExitCode, Failure> {
    let given = (!arguments.cells.is_empty()).then_some(cells);
    check_meshes(given.unwrap_or(&WHOLE_CELLS), arguments.reference)?;
    let found = ElementStudy::run(given, arguments.reference, penalties)?;
    for (name, rows) in [
        ("whole triangles, cells", &found.whole),
        ("fitted triangles, cells", &found.fitted),
        ("ε", &found.penalties),
    ] {
        for row in rows {
            eprintln!(
                "{name} {:<8} velocity {:.5}  error L² {:.3e}  H¹ {:.3e}  |D(u)| in the disc {:.2e}",
                row.parameter, row.velocity, row.errors[0], row.errors[1], row.strain
            );
        }
        let [l2, h1] = orders(rows).map(f64::abs);
        if l2.is_finite() && h1.is_finite() {
            eprintln!("order: {l2:.3} in L², {h1:.3} in H¹");
        } else {
            eprintln!("no order: it takes two different values");
        }
    }
    if let Some(path) = &arguments.svg {
        write_whole(path, chart(&found).to_svg()).map_err(|error| Failure::file(path, &error))?;
    }
    if arguments.json {
        let numbers = json!({
            "whole": to_json("cells", &found.whole),
            "fitted": to_json("cells", &found.fitted),
            "penalties": to_json("epsilon", &found.penalties),
        });
        println!("{numbers}");
    }
    Ok(ExitCode::SUCCESS)
}

fn chart(found: &ElementStudy) -> LineChart {
    let curve = |label: &str, rows: &[Row], norm: usize| {
        let points = rows
            .iter()
            .map(|row| [1.0 / row.parameter, row.errors[norm]]);
        Series::new(label, points.collect())
    };
    LineChart {
        title: "A disc that settles in a box, on MINI elements".into(),
        x_axis: Axis::log("Side of a cell over side of the box", Unit::None),
        y_axis: Axis::log("Relative error", Unit::None),
        series: vec![
            curve("whole, L²", &found.whole, 0),
            curve("whole, H¹", &found.whole, 1).with_style(LineStyle::Dashed),
            curve("fitted, L²", &found.fitted, 0),
            curve("fitted, H¹", &found.fitted, 1).with_style(LineStyle::Dashed),
        ],
        ..LineChart::default()
    }
}

/// ‖D(u)‖ in a sheared disc on whole triangles, and its angular velocity.
pub(crate) fn sheared(cells: usize, mesh: DiscMesh, penalty: f64) -> Result<[f64; 2], Failure> {
    let disc = BoxDisc {
        element: Element::Mini,
        mesh,
        cells,
        penalty: Some(penalty),
    };
    let found = disc.shear()?;
    Ok([found.strain, found.spin])
}

/// Angular velocity of a rigid disc in a box whose left and right sides shear the fluid; there is no stress on the others.
pub(crate) fn sheared_between_sides(cells: usize) -> Result<f64, Failure> {
    let disc = BoxDisc {
        element: Element::TaylorHood,
        mesh: DiscMesh::Fitted,
        cells,
        penalty: None,
    };
    Ok(disc.shear_between_sides()?.spin)
}

/// Cells of the fitted mesh for that.
const BETWEEN_SIDES_CELLS: usize = 60;

pub(super) fn shear(arguments: &ShearArguments) -> Result<ExitCode, Failure> {
    let meshes = match arguments.cells {
        Some(cells) => {
            check_meshes(&[cells], Some(MOST_CELLS))?;
            vec![cells]
        }
        None => SHEARED_CELLS.to_vec(),
    };
    let (mut series, mut list) = (Vec::new(), Vec::new());
    for cells in meshes {
        let mut points = Vec::new();
        for penalty in SHEARED_PENALTIES {
            let whole = DiscMesh::Whole(Diagonals::Alternating);
            let [strain, spin] = sheared(cells, whole, penalty)?;
            eprintln!(
                "{cells} cells, ε = {penalty:.0e}: |D(u)| in the disc {strain:.4e}, angular velocity {spin:.9}"
            );
            points.push([penalty, strain]);
            list.push(json!({"cells": cells, "epsilon": penalty, "strain": strain, "angular_velocity": spin}));
        }
        series.push(Series::new(&format!("{cells} cells"), points));
    }
    let between = sheared_between_sides(BETWEEN_SIDES_CELLS)?;
    eprintln!(
        "without stress on the upper and the lower side a rigid disc turns with {between:.4}"
    );
    if let Some(path) = &arguments.svg {
        let chart = LineChart {
            title: "A sheared disc: how far it is from rigid".into(),
            x_axis: Axis::log("Penalty ε", Unit::None),
            y_axis: Axis::log("|D(u)| in the disc (L²)", Unit::None),
            series,
            ..LineChart::default()
        };
        write_whole(path, chart.to_svg()).map_err(|error| Failure::file(path, &error))?;
    }
    if arguments.json {
        println!(
            "{}",
            json!({"sweep": list, "angular_velocity_between_sides": between})
        );
    }
    Ok(ExitCode::SUCCESS)
}
