//! `banquise fluid convergence`: a disc that settles in a box, on finer and finer grids and with smaller and smaller penalties.

use std::process::ExitCode;

use banquise_flow::SolverSettings;
use banquise_flow::box_disc::{BoxDisc, SETTLING_VELOCITY, compare, order};
use banquise_io::figure::{Axis, LineChart, LineStyle, Series, Unit};
use serde_json::{Value, json};

use super::outputs::{check_chart_and_picture, write_chart};
use super::picture::{Picture, Units, all_nodes};
use super::{elements, settings};
use crate::arguments::fluid::{ConvergenceArguments, Method};
use crate::failure::Failure;

/// Cells along a side of the grid that others are compared with.
const REFERENCE: usize = 600;
const CELLS: [usize; 5] = [30, 50, 60, 100, 150];
const PENALTIES: [f64; 4] = [1e-2, 1e-3, 1e-4, 1e-5];
/// Cells along a side for the study of penalties.
const PENALISED_CELLS: usize = 60;

/// One solution against its reference.
pub(crate) struct Row {
    /// Cells along a side, or ε.
    pub(crate) parameter: f64,
    pub(crate) velocity: f64,
    pub(crate) errors: [f64; 2],
    iterations: usize,
}

/// Both studies.
pub(crate) struct Convergence {
    pub(crate) grids: Vec<Row>,
    pub(crate) penalties: Vec<Row>,
}

impl Convergence {
    /// Runs the studies; `cells` must divide half of `reference`.
    pub(crate) fn run(
        cells: &[usize],
        reference: usize,
        penalties: &[f64],
        settings: &SolverSettings,
    ) -> Result<Self, Failure> {
        let settled = |cells: usize, ratio: f64| {
            let settings = SolverSettings {
                viscosity_ratio: ratio,
                ..*settings
            };
            BoxDisc { cells }.settle(&settings)
        };
        let row = |parameter: f64, cells: usize, ratio: f64, fine: &(_, _)| {
            let (grid, solution) = settled(cells, ratio)?;
            let difference = compare((&grid, &solution), (&fine.0, &fine.1));
            Ok(Row {
                parameter,
                velocity: solution.motions[0].velocity.y,
                errors: [difference.velocity, difference.gradient],
                iterations: solution.iterations,
            })
        };
        let fine = settled(reference, f64::INFINITY)?;
        let rigid = settled(PENALISED_CELLS, f64::INFINITY)?;
        Ok(Self {
            grids: cells
                .iter()
                .map(|&n| row(n as f64, n, f64::INFINITY, &fine))
                .collect::<Result<_, Failure>>()?,
            penalties: penalties
                .iter()
                .map(|&epsilon| row(epsilon, PENALISED_CELLS, 1.0 / epsilon, &rigid))
                .collect::<Result<_, Failure>>()?,
        })
    }

    /// Orders in the side of a cell: of velocities (L²) and of their gradients away from the disc (H¹).
    pub(crate) fn grid_orders(&self) -> [f64; 2] {
        orders(&self.grids).map(|order| -order)
    }

    /// Orders in ε.
    pub(crate) fn penalty_orders(&self) -> [f64; 2] {
        orders(&self.penalties)
    }
}

fn orders(rows: &[Row]) -> [f64; 2] {
    [0, 1].map(|norm| {
        let points: Vec<[f64; 2]> = rows
            .iter()
            .map(|row| [row.parameter, row.errors[norm]])
            .collect();
        order(&points)
    })
}

pub(super) fn run(arguments: &ConvergenceArguments) -> Result<ExitCode, Failure> {
    let settings = settings(&arguments.solver)?;
    check_chart_and_picture(arguments.svg.as_deref(), &arguments.picture)?;
    let or_else = |given: &[usize]| {
        if given.is_empty() {
            CELLS.to_vec()
        } else {
            given.to_vec()
        }
    };
    let cells = or_else(&arguments.cells);
    let penalties = if arguments.penalty.is_empty() {
        PENALTIES.to_vec()
    } else {
        arguments.penalty.clone()
    };
    if let Some(epsilon) = penalties
        .iter()
        .find(|&&epsilon| epsilon.is_nan() || epsilon <= 0.0)
    {
        return Err(Failure::usage(
            format!("--penalty is {epsilon}"),
            "give a positive value; bodies without penalty are rigid",
        ));
    }
    if arguments.method == Method::Elements {
        if arguments.picture.is_wanted() {
            return Err(Failure::usage(
                "--picture and --vtk show the flow on a grid, and --method is elements",
                "leave --method out, or the pictures",
            ));
        }
        return elements::converge(arguments, &cells, &penalties);
    }
    let reference = arguments.reference.unwrap_or(REFERENCE);
    if let Some(n) = cells
        .iter()
        .find(|&&n| n == 0 || !reference.is_multiple_of(2 * n))
    {
        return Err(Failure::usage(
            format!("--cells {n} does not divide half of --reference {reference}"),
            "give a reference of 2, 4, 6, … times the cells: grids are compared at the faces of the coarser one",
        ));
    }
    let found = Convergence::run(&cells, reference, &penalties, &settings)?;
    print_rows("cells", &found.grids, found.grid_orders());
    print_rows("ε", &found.penalties, found.penalty_orders());
    eprintln!("settling velocity by fundamental solutions: −{SETTLING_VELOCITY}");
    write_chart(arguments.svg.as_deref(), &chart(&found))?;
    if arguments.picture.is_wanted() {
        let finest = cells.iter().copied().max().unwrap_or(PENALISED_CELLS);
        draw(arguments, finest, &settings)?;
    }
    if arguments.json {
        let numbers = json!({
            "grids": to_json("cells", &found.grids),
            "grid_orders": {"l2": found.grid_orders()[0], "h1_away": found.grid_orders()[1]},
            "penalties": to_json("epsilon", &found.penalties),
            "penalty_orders": {"l2": found.penalty_orders()[0], "h1_away": found.penalty_orders()[1]},
        });
        println!("{numbers}");
    }
    Ok(ExitCode::SUCCESS)
}

/// The flow on the finest of the grids, in the frame of the box.
fn draw(
    arguments: &ConvergenceArguments,
    cells: usize,
    settings: &SolverSettings,
) -> Result<(), Failure> {
    let (grid, solution, pressure) = BoxDisc { cells }.with_pressure(false, settings)?;
    let bodies = [BoxDisc::body()?];
    let stream = all_nodes(&grid, &solution.stream, |_| 0.0);
    let picture = Picture::new(&grid, &bodies, stream)
        .with_pressure(pressure, arguments.picture.show)
        .with_units(Units::NONE);
    arguments.picture.write(&picture)
}

fn print_rows(name: &str, rows: &[Row], orders: [f64; 2]) {
    for row in rows {
        eprintln!(
            "{name} {:<8} velocity {:.6}  error L² {:.3e}  H¹ away from the disc {:.3e}  ({} iterations)",
            row.parameter, row.velocity, row.errors[0], row.errors[1], row.iterations
        );
    }
    if orders.iter().all(|order| order.is_finite()) {
        eprintln!("order: {:.3} in L², {:.3} in H¹", orders[0], orders[1]);
    } else {
        eprintln!("no order: it takes two different values");
    }
}

fn to_json(name: &str, rows: &[Row]) -> Value {
    rows.iter()
        .map(|row| {
            json!({
                name: row.parameter,
                "velocity": row.velocity,
                "l2": row.errors[0],
                "h1_away": row.errors[1],
                "iterations": row.iterations,
            })
        })
        .collect()
}

fn chart(found: &Convergence) -> LineChart {
    let points = |norm: usize| {
        let point = |row: &Row| [1.0 / row.parameter, row.errors[norm]];
        found.grids.iter().map(point).collect()
    };
    // A line of slope 2 through the first error.
    let second = found.grids.first().map_or_else(Vec::new, |first| {
        let at = |row: &Row| {
            let ratio = first.parameter / row.parameter;
            [1.0 / row.parameter, first.errors[0] * ratio * ratio]
        };
        found.grids.iter().map(at).collect()
    });
    LineChart {
        title: "A disc that settles in a box".into(),
        x_axis: Axis::log("Side of a cell over side of the box", Unit::None),
        y_axis: Axis::log("Relative error", Unit::None),
        series: vec![
            Series::new("velocity (L²)", points(0)),
            Series::new("gradient away from the disc (H¹)", points(1)),
            Series::new("order 2", second).with_style(LineStyle::Dashed),
        ],
        ..LineChart::default()
    }
}
