//! Plates of 100 m that cracks are studied on (after Balasoiu 2020; where the source gives no numbers, they are ours).

use std::f64::consts::TAU;

use banquise_geometry::{DVec2, Outline, math};

use crate::MeshError;
use crate::elasticity::Elasticity;
use crate::mesh::TriangleMesh;
use crate::plate::{Inclusion, Plate};

/// Side of the plates \[m\].
pub const SIDE: f64 = 100.0;

/// Radius of the tough inclusion \[m\].
const INCLUSION_RADIUS: f64 = 10.0;

/// Its toughness over that of the plate: tenacities of 500 and 12 in the source.
const INCLUSION_FACTOR: f64 = 500.0 / 12.0;

/// Radius of the hole \[m\].
const HOLE_RADIUS: f64 = 5.0;

/// How far the upper and lower sides of the butterfly are bent inwards in the middle \[m\].
const WAIST: f64 = 28.3;

/// The outline of a plate and what is in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlateShape {
    /// A square.
    Square,
    /// A square with a tough disc of 10 m in its middle.
    Inclusion,
    /// A square with a hole of 5 m in its middle.
    Hole,
    /// A square whose upper and lower sides are arcs of a circle that come within 43.4 m of each other.
    Butterfly,
}

/// What the grips on the left and on the right side do. They leave displacements along them free.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlateLoad {
    /// The right side moves by 1 m at t = 1.
    Pull,
    /// Both sides turn outwards about their lower ends: u = ∓ ½ y/100 at t = 1, so that their upper ends part by 1 m.
    Rotation,
}

/// The boundary of a plate: the outline, then holes.
///
/// # Errors
/// None for these shapes; the type is that of outlines.
pub fn rings(shape: PlateShape) -> Result<Vec<Outline>, MeshError> {
    let corner = |x: f64, y: f64| DVec2::new(x, y);
    let square = || {
        Outline::try_new(vec![
            corner(0.0, 0.0),
            corner(SIDE, 0.0),
            corner(SIDE, SIDE),
            corner(0.0, SIDE),
        ])
    };
    Ok(match shape {
        PlateShape::Square | PlateShape::Inclusion => vec![square()?],
        PlateShape::Hole => {
            let sides = 48;
            let point = |k: usize| {
                let (sin, cos) = math::sin_cos(TAU * k as f64 / sides as f64);
                DVec2::splat(0.5 * SIDE) + HOLE_RADIUS * DVec2::new(cos, sin)
            };
            vec![
                square()?,
                Outline::try_new((0..sides).map(point).collect())?,
            ]
        }
        PlateShape::Butterfly => {
            let half = 0.5 * SIDE;
            let radius = (half * half + WAIST * WAIST) / (2.0 * WAIST);
            let arc =
                |x: f64| (radius * radius - (x - half) * (x - half)).sqrt() - (radius - WAIST);
            let pieces = 40;
            let place = |k: usize| SIDE * k as f64 / pieces as f64;
            let lower = (0..=pieces).map(|k| corner(place(k), arc(place(k)).max(0.0)));
            let upper = (0..=pieces)
                .rev()
                .map(|k| corner(place(k), SIDE - arc(place(k)).max(0.0)));
            vec![Outline::try_new(lower.chain(upper).collect())?]
        }
    })
}

/// A plate, meshed with this spacing \[m\] and solved.
///
/// # Errors
/// If the spacing or a constant has no meaning.
pub fn plate(
    shape: PlateShape,
    load: PlateLoad,
    elasticity: &Elasticity,
    spacing: f64,
) -> Result<Plate, MeshError> {
    let finest = SIDE / 400.0;
    if !(spacing >= finest && spacing <= SIDE / 4.0) {
        return Err(MeshError::Setting {
            name: "the spacing of nodes",
            value: spacing,
            expected: "from 0.25 to 25 m",
            hint: "plates of 100 m take 3 m",
        });
    }
    let rings = rings(shape)?;
    let mesh = TriangleMesh::with_spacing(&rings[0], &rings[1..], spacing)?;
    let on_side = 1e-9 * SIDE;
    let grips = |point: DVec2| {
        let [left, right] = match load {
            PlateLoad::Pull => [0.0, 1.0],
            PlateLoad::Rotation => [-0.5 * point.y / SIDE, 0.5 * point.y / SIDE],
        };
        if point.x < on_side {
            [Some(left), None]
        } else if point.x > SIDE - on_side {
            [Some(right), None]
        } else {
            [None; 2]
        }
    };
    let mut plate = Plate::new(mesh, 1.0, elasticity, grips)?;
    if shape == PlateShape::Inclusion {
        plate.inclusions.push(Inclusion {
            centre: DVec2::splat(0.5 * SIDE),
            radius: INCLUSION_RADIUS,
            factor: INCLUSION_FACTOR,
        });
    }
    Ok(plate)
}
