//! `banquise fluid swimmer`: three spheres that swim by changing their distances.

use std::process::ExitCode;

use banquise_fem::stokes::Element;
use banquise_fem::stokes::spheres::Spheres;
use banquise_io::figure::{Axis, LineChart, LineStyle, Series, Unit};
use banquise_suspension::swimmer::{
    Geodesic, ShapeTable, Square, Stroke, geodesics, optimal_stroke, square_for, three_spheres,
};
use serde_json::{Value, json};

use super::outputs::{check_files, write_chart};
use super::strokes;
use crate::arguments::fluid::SwimmerArguments;
use crate::failure::Failure;

/// Radius of a sphere in the source [mm].
const RADIUS: f64 = 0.05;
/// μ a³/T in 1e-12 J, for μ = 1 mg/(mm s) and T = 1 s.
const UNIT: f64 = RADIUS * RADIUS * RADIUS;
/// Shapes at which elements are compared with the exact mobility: distances in radii.
pub(crate) const SHAPES: [[f64; 2]; 5] =
    [[3.0, 3.0], [6.0, 6.0], [4.0, 7.0], [2.6, 8.0], [10.0, 5.0]];

/// The source's energies of optimal strokes and of both squares in 1e-12 J, by displacement \[mm\] (Lefebvre 2007, tables B.1 and B.2), and where they are from \[mm\].
const OF_SOURCE: [(f64, [f64; 3]); 2] = [
    (0.001, [0.0307, 0.0405, 0.0589]),
    (0.01, [0.229, 0.278, 0.914]),
];
const START_OF_SOURCE: f64 = 0.3;

/// Strokes of one displacement.
pub(crate) struct Energies {
    /// Closed geodesics, the cheapest first.
    geodesics: Vec<Geodesic>,
    /// Squares that first shorten the swimmer, and that first make it longer.
    squares: [(Square, Stroke); 2],
}

impl Energies {
    /// Optimal, shorter first, longer first, in 1e-12 J.
    pub(crate) fn numbers(&self) -> [f64; 3] {
        let [shorter, longer] = &self.squares;
        [self.geodesics[0].energy, shorter.1.energy, longer.1.energy].map(|energy| UNIT * energy)
    }
}

/// Strokes for a displacement [mm] from equal distances [mm].
pub(crate) fn energies(
    table: &ShapeTable,
    start: f64,
    displacement: f64,
) -> Result<Energies, Failure> {
    let (from, carried) = ([start / RADIUS; 2], displacement / RADIUS);
    let too_far = || {
        Failure::usage(
            format!("no stroke from distances of {start} mm carries the swimmer {displacement} mm"),
            "distances stay between 0.12 and 0.8 mm; give a displacement above 0 and below some 0.02 mm",
        )
    };
    if !(carried > 0.0 && carried.is_finite()) {
        return Err(too_far());
    }
    let square =
        |is_shorter: bool| square_for(table, from, carried, is_shorter).ok_or_else(too_far);
    let squares = [square(true)?, square(false)?];
    let geodesics = geodesics(table, from, carried);
    if geodesics.is_empty() {
        return Err(too_far());
    }
    Ok(Energies { geodesics, squares })
}

/// Largest difference of the mobility by axisymmetric elements from the exact one, relative to its own entry.
pub(crate) fn compare_with_elements([x, y]: [f64; 2]) -> Result<f64, Failure> {
    let spheres = Spheres {
        places: vec![-x, 0.0, y],
        // Walls of the cylinder take some 2/room of a sphere's velocity, and as much of what it gives to others, which is a tenth of it.
        room: 2000.0,
        resolution: 6.0,
        growth: 0.3,
        coarsest: f64::INFINITY,
        element: Element::TaylorHood,
    };
    let found = spheres.solve()?.mobility;
    let exact = three_spheres(x, y);
    let mut worst: f64 = 0.0;
    for (found, exact) in found.iter().flatten().zip(exact.iter().flatten()) {
        worst = worst.max((found / exact - 1.0).abs());
    }
    Ok(worst)
}

pub(super) fn run(arguments: &SwimmerArguments) -> Result<ExitCode, Failure> {
    let displacements = if arguments.displacement.is_empty() {
        vec![0.001, 0.01]
    } else {
        arguments.displacement.clone()
    };
    check_files(&[arguments.svg.as_deref()])?;
    let mut frames = strokes::frames(&arguments.film);
    frames.open(false)?;
    let table = ShapeTable::exact();
    let mut list = Vec::new();
    let mut drawn = None;
    for &displacement in &displacements {
        let found = energies(&table, arguments.start, displacement)?;
        let [optimal, shorter, longer] = found.numbers();
        eprintln!(
            "{displacement} mm: optimal {optimal:.4}, square that first shortens {shorter:.4}, that first lengthens {longer:.4} (1e-12 J)"
        );
        let of_source = of_source(arguments.start, displacement);
        if let Some([optimal, shorter, longer]) = of_source {
            eprintln!(
                "  the source: {optimal}, {shorter}, {longer}, by mobilities on a coarse mesh in a box, which has 11 to 50 % more resistance"
            );
        }
        for geodesic in &found.geodesics {
            let middle = geodesic.path[geodesic.path.len() / 2].map(|x| x * RADIUS);
            eprintln!(
                "  geodesic {:.4}, half way at {:.4} and {:.4} mm, power constant to {:.0e}",
                UNIT * geodesic.energy,
                middle[0],
                middle[1],
                geodesic.power_spread
            );
        }
        let repeated = repeated(&table, arguments, displacement);
        for (count, energy) in &repeated {
            eprintln!("  {count} strokes: {energy:.4}");
        }
        list.push(json!({
            "displacement_mm": displacement,
            "optimal": optimal,
            "square_shorter_first": shorter,
            "square_longer_first": longer,
            "of_source": of_source,
            "geodesics": found.geodesics.iter().map(|g| UNIT * g.energy).collect::<Vec<_>>(),
            "strokes": repeated.iter().map(|(count, energy)| json!({"strokes": count, "energy": energy})).collect::<Value>(),
        }));
        drawn = Some((displacement, found));
    }
    let mut numbers = json!({"unit": "1e-12 J", "displacements": list});
    if arguments.elements {
        numbers["elements"] = elements()?;
    }
    if let Some((displacement, found)) = &drawn {
        write_chart(arguments.svg.as_deref(), &chart(*displacement, found))?;
        if frames.are_wanted() {
            strokes::draw_stroke(&arguments.film, &found.squares[0].0, &mut frames)?;
            frames.finish()?;
        }
    }
    if arguments.json {
        println!("{numbers}");
    }
    Ok(ExitCode::SUCCESS)
}

/// What the source prints for a displacement.
fn of_source(start: f64, displacement: f64) -> Option<[f64; 3]> {
    let mut printed = OF_SOURCE.iter();
    let found = printed.find(|(known, _)| (known - displacement).abs() < 1e-9)?;
    ((start - START_OF_SOURCE).abs() < 1e-9).then_some(found.1)
}

/// Energies of 1, 2, … strokes that share a displacement, each as long as one alone.
fn repeated(
    table: &ShapeTable,
    arguments: &SwimmerArguments,
    displacement: f64,
) -> Vec<(u32, f64)> {
    let start = [arguments.start / RADIUS; 2];
    (1..=arguments.strokes)
        .filter_map(|count| {
            let each = displacement / RADIUS / f64::from(count);
            let stroke = optimal_stroke(table, start, each)?;
            Some((count, f64::from(count) * UNIT * stroke.energy))
        })
        .collect()
}

fn elements() -> Result<Value, Failure> {
    let mut list = Vec::new();
    for shape in SHAPES {
        let off = compare_with_elements(shape)?;
        eprintln!(
            "elements at distances of {} and {} radii: mobility within {:.2} %",
            shape[0],
            shape[1],
            100.0 * off
        );
        list.push(json!({"distances_over_radius": shape, "largest_difference": off}));
    }
    Ok(Value::Array(list))
}

fn chart(displacement: f64, found: &Energies) -> LineChart {
    let [optimal, shorter, longer] = found.numbers();
    let square = |square: &Square| {
        let ([x, y], side) = (square.start, square.side);
        [
            [x, y],
            [x + side, y],
            [x + side, y + side],
            [x, y + side],
            [x, y],
        ]
        .map(|at| at.map(|x| x * RADIUS))
        .to_vec()
    };
    let path = |geodesic: &Geodesic| {
        geodesic
            .path
            .iter()
            .map(|at| at.map(|x| x * RADIUS))
            .collect()
    };
    let mut series = vec![
        Series::new(&format!("optimal: {optimal:.3}"), path(&found.geodesics[0])),
        Series::new(
            &format!("shorter first: {shorter:.3}"),
            square(&found.squares[0].0),
        ),
        Series::new(
            &format!("longer first: {longer:.3}"),
            square(&found.squares[1].0),
        ),
    ];
    series.extend(found.geodesics[1..].iter().map(|geodesic| {
        let label = format!("other geodesic: {:.3}", UNIT * geodesic.energy);
        Series::new(&label, path(geodesic)).with_style(LineStyle::Dashed)
    }));
    // One scale for both axes: squares are to look like squares.
    let all = || {
        series
            .iter()
            .flat_map(|curve| curve.points.iter().flatten())
    };
    let range = [
        all().fold(f64::INFINITY, |a, b| a.min(*b)) - 0.01,
        all().fold(f64::NEG_INFINITY, |a, b| a.max(*b)) + 0.01,
    ];
    let axis = |label: &str| Axis {
        range: Some(range),
        ..Axis::new(label, Unit::Fixed("mm".into()))
    };
    LineChart {
        title: format!("Strokes that carry the swimmer {displacement} mm; energy in 1e-12 J"),
        x_axis: axis("Distance of the first two centres"),
        y_axis: axis("Distance of the last two centres"),
        series,
        size: [560.0, 600.0],
        ..LineChart::default()
    }
}
