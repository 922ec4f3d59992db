//! The cases of flow on finite elements, and of the three-sphere swimmer.

use banquise_fem::stokes::box_disc::DiscMesh;
use banquise_fem::stokes::spheres::Spheres;
use banquise_fem::stokes::{Diagonals, Element};
use banquise_flow::box_disc::order;
use banquise_suspension::swimmer::{ShapeTable, Square, far_apart, square_stroke};

use super::Measured;
use super::reference::Reference;
use crate::failure::Failure;
use crate::fluid::{
    ElementStudy, SHAPES, compare_with_elements, energies, orders, sheared, sheared_between_sides,
};

/// V1: a sheared disc with penalties.
pub(super) fn sheared_disc(_: &Reference) -> Measured {
    let whole = DiscMesh::Whole(Diagonals::Alternating);
    let mut measured = vec![(
        "angular velocity, 60 cells, ε = 1e-6".into(),
        sheared(60, whole, 1e-6)?[1],
    )];
    for cells in [30, 60, 150] {
        let points = [1e-2, 1e-3, 1e-4, 1e-5, 1e-6]
            .into_iter()
            .map(|penalty| Ok([penalty, sheared(cells, whole, penalty)?[0]]))
            .collect::<Result<Vec<_>, Failure>>()?;
        measured.push((
            format!("slope of |D(u)| in ε, {cells} cells"),
            order(&points),
        ));
    }
    measured.push((
        "|D(u)| at ε = 1e-2, fitted, 150 cells".into(),
        sheared(150, DiscMesh::Fitted, 1e-2)?[0],
    ));
    measured.push((
        "angular velocity, no stress on the upper and lower sides".into(),
        sheared_between_sides(60)?,
    ));
    Ok(measured)
}

/// V2 and V19: a settling disc on whole and on fitted triangles.
pub(super) fn settling_disc(_: &Reference) -> Measured {
    let found = ElementStudy::run(None, None, &[1e-2, 1e-3, 1e-4, 1e-5])?;
    let mut measured: Vec<(String, f64)> = found
        .whole
        .iter()
        .filter(|row| [30.0, 60.0, 100.0, 150.0].contains(&row.parameter))
        .map(|row| {
            let name = format!("velocity, whole triangles, {} cells", row.parameter);
            (name, row.velocity)
        })
        .collect();
    let ([l2, h1], [soft, soft_slope]) = (orders(&found.whole), orders(&found.penalties));
    measured.push(("order in L², whole triangles".into(), -l2));
    measured.push(("order in H¹, whole triangles".into(), -h1));
    measured.push(("order in ε, L²".into(), soft));
    measured.push(("order in ε, H¹".into(), soft_slope));
    measured.push(("|D(u)| at ε = 1e-2".into(), found.penalties[0].strain));
    Ok(measured)
}

/// V5: a sphere in a cylinder.
pub(super) fn sphere(_: &Reference) -> Measured {
    let velocity = |element, resolution| {
        let spheres = Spheres {
            places: vec![0.0],
            room: 96.0,
            resolution,
            growth: 0.2,
            coarsest: 10.0,
            element,
        };
        let found = spheres.solve()?.mobility[0][0];
        Ok::<_, Failure>(6.0 * std::f64::consts::PI * found)
    };
    let fine = velocity(Element::TaylorHood, 6.0)?;
    let mut measured = vec![(
        "velocity over that without walls, quadratic elements".into(),
        fine,
    )];
    for (resolution, of_source) in [(2.0, 0.26), (4.0, 0.1), (6.0, 0.06)] {
        let error = (velocity(Element::Mini, resolution)? / fine - 1.0).abs();
        measured.push((
            format!("error above the source's {of_source:.2}, {resolution} edges"),
            (error - of_source).max(0.0),
        ));
    }
    Ok(measured)
}

/// V6: how far squares carry the swimmer.
pub(super) fn displacement(_: &Reference) -> Measured {
    let carried = |table: &ShapeTable, start: f64, side: f64| {
        let square = Square {
            start: [start; 2],
            side,
        };
        let stroke = square_stroke(table, &square)
            .ok_or_else(|| Failure::usage("the square leaves the table", "take a smaller side"))?;
        Ok::<_, Failure>(stroke.displacement.abs())
    };
    let exact = ShapeTable::exact();
    let points = [0.02, 0.04, 0.08, 0.16]
        .into_iter()
        .map(|side| Ok([side, carried(&exact, 4.0, side)?]))
        .collect::<Result<Vec<[f64; 2]>, Failure>>()?;
    let far = ShapeTable::new([2.4, 16.0], far_apart);
    Ok(vec![
        ("slope of Δc in h".into(), order(&points)),
        (
            "Δc, spheres far apart".into(),
            0.05 * carried(&far, 3.0, 5.0)?,
        ),
    ])
}

/// V7: energies of strokes, and mobilities by elements.
pub(super) fn strokes(_: &Reference) -> Measured {
    let table = ShapeTable::exact();
    let mut measured = Vec::new();
    for displacement in [0.001, 0.01] {
        let names = ["optimal", "shorter first", "longer first"];
        let numbers = energies(&table, 0.3, displacement)?.numbers();
        for (name, energy) in names.into_iter().zip(numbers) {
            measured.push((format!("{name}, {displacement} mm"), energy));
        }
    }
    for [x, y] in SHAPES {
        measured.push((
            format!("elements, distances {x} and {y}"),
            compare_with_elements([x, y])?,
        ));
    }
    Ok(measured)
}
