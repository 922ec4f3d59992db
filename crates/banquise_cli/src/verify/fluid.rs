//! The cases of bodies in a resolved fluid.

use banquise_flow::box_disc::BoxDisc;
use banquise_flow::{
    DiluteViscosity, JefferyOrbit, SANGANI_ACRIVOS, SolverSettings, SquareArray, SqueezedDiscs,
};

use super::Measured;
use super::reference::Reference;
use crate::fluid::Convergence;

/// V1: a disc in a box whose walls shear the fluid.
pub(super) fn sheared_disc(_: &Reference) -> Measured {
    let settings = SolverSettings::default();
    [30, 60, 100]
        .into_iter()
        .map(|cells| {
            let (_, solution) = BoxDisc { cells }.shear(&settings)?;
            let spin = solution.motions[0].angular_velocity;
            Ok((format!("angular velocity, {cells} cells"), spin))
        })
        .collect()
}

/// V2 and V19: a disc that settles in a box, with cut cells and with penalties.
pub(super) fn settling_disc(_: &Reference) -> Measured {
    let settings = SolverSettings::default();
    let found = Convergence::run(&[30, 50, 60, 100, 150], 600, &[1e-3, 1e-4, 1e-5], &settings)?;
    let mut measured: Vec<(String, f64)> = found
        .grids
        .iter()
        .filter(|row| row.parameter >= 100.0)
        .map(|row| (format!("velocity, {} cells", row.parameter), row.velocity))
        .collect();
    let ([velocity, gradient], [soft, soft_gradient]) =
        (found.grid_orders(), found.penalty_orders());
    // Orders are lower bounds: the check is on what is missing to them.
    measured.push((
        "order in L² missing to 1.8".into(),
        (1.8 - velocity).max(0.0),
    ));
    measured.push((
        "order in H¹ away from the disc missing to 0.9".into(),
        (0.9 - gradient).max(0.0),
    ));
    measured.push(("order in ε, L²".into(), soft));
    measured.push(("order in ε, H¹".into(), soft_gradient));
    Ok(measured)
}

/// V20: drags of square arrays at 128 cells a side.
pub(super) fn square_arrays(_: &Reference) -> Measured {
    let drag = |(fraction, _)| {
        let array = SquareArray {
            fraction,
            cells: 128,
        };
        let found = array.run(&SolverSettings::default())?;
        Ok((format!("drag, fraction {fraction}"), found.drag))
    };
    SANGANI_ACRIVOS.into_iter().map(drag).collect()
}

/// Effective viscosity of dilute suspensions.
pub(super) fn viscosity(_: &Reference) -> Measured {
    let study = DiluteViscosity {
        fractions: vec![0.005, 0.01, 0.02],
        radius_cells: 10.0,
    };
    let found = study.run(&SolverSettings::default())?;
    let limit = found.limit.unwrap_or(f64::NAN);
    Ok(vec![("coefficient of φ".into(), limit)])
}

/// Period of an ellipse in shear flow.
pub(super) fn jeffery(_: &Reference) -> Measured {
    let orbit = JefferyOrbit {
        ratio: 2.0,
        cells: Some(256),
        minor_cells: 8.0,
    };
    let found = orbit.run(&SolverSettings::default())?;
    Ok(vec![("period times shear rate".into(), found.period)])
}

/// Radii and gaps in cells of two discs that are pressed together, in set-ups that differ in resolution and range.
const PRESSED: [(f64, &[f64]); 3] = [
    (100.0, &[7.0, 10.0, 14.0, 20.0]),
    (50.0, &[6.0, 12.0]),
    (40.0, &[6.0, 9.0, 18.0]),
];

/// Two discs pressed together.
pub(super) fn squeeze(_: &Reference) -> Measured {
    let mut measured = Vec::new();
    let settings = SolverSettings::default();
    for (radius_cells, gaps) in PRESSED {
        let study = SqueezedDiscs {
            radius_cells,
            gaps: gaps.to_vec(),
            cells: None,
        };
        let limit = study.run(&settings)?.limit.unwrap_or(f64::NAN);
        measured.push((
            format!("F (d/R)^(3/2)/(μV) as d → 0, radius of {radius_cells} cells"),
            limit,
        ));
    }
    // Images 28 radii away.
    let alone = SqueezedDiscs {
        radius_cells: 20.0,
        gaps: vec![8.0, 16.0],
        cells: Some(640),
    };
    for gap in alone.run(&settings)?.gaps {
        measured.push((
            format!("F/(μV) over the closed form, d/R = {:.1}", gap.gap),
            gap.resistance / gap.unbounded,
        ));
    }
    Ok(measured)
}
