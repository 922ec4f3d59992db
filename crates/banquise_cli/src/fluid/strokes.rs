//! Pictures of the flow around the three-sphere swimmer: axisymmetric elements, along a square stroke.

use banquise_fem::stokes::spheres::{Spheres, SpheresFlow};
use banquise_fem::stokes::{Element, FlowField, Locator};
use banquise_flow::{Body, Edges, Grid};
use banquise_geometry::DVec2;
use banquise_suspension::swimmer::Square;

use super::frames::{Frames, Instant};
use super::picture::Units;
use crate::arguments::fluid_groups::FilmArguments;
use crate::failure::Failure;

/// Half the length and half the height of a picture, in radii of a sphere, and its cells to a radius.
const HALF: [usize; 2] = [24, 12];
const CELLS: usize = 6;
/// Radius and half height of the cylinder in radii.
const ROOM: f64 = 120.0;

/// Units of the pictures: radii, and strokes of one second.
const UNITS: Units = Units {
    speed: "radii/s",
    pressure: "mu/s",
    time: "s",
};

/// Distances of the spheres at an instant, and their rates.
struct Pose {
    distances: [f64; 2],
    rates: [f64; 2],
}

/// Where a square stroke of one second is at a share of it.
fn pose(square: &Square, share: f64) -> Pose {
    let ([x, y], side) = (square.start, square.side);
    let corners = [
        [x, y],
        [x + side, y],
        [x + side, y + side],
        [x, y + side],
        [x, y],
    ];
    let leg = ((4.0 * share) as usize).min(3);
    let part = 4.0 * share - leg as f64;
    let (from, to) = (corners[leg], corners[leg + 1]);
    Pose {
        distances: [0, 1].map(|k| from[k] + part * (to[k] - from[k])),
        rates: [0, 1].map(|k| 4.0 * (to[k] - from[k])),
    }
}

/// Forces on the spheres, of sum zero, that change the distances at given rates.
fn forces(mobility: &[Vec<f64>], rates: [f64; 2]) -> Option<[f64; 3]> {
    // f = a (1, 0, −1) + b (0, 1, −1): the velocities are linear in a and b.
    let velocity = |k: usize, f: [f64; 3]| -> f64 { (0..3).map(|j| f[j] * mobility[j][k]).sum() };
    let rate = |f: [f64; 3]| {
        [
            velocity(1, f) - velocity(0, f),
            velocity(2, f) - velocity(1, f),
        ]
    };
    let (first, second) = (rate([1.0, 0.0, -1.0]), rate([0.0, 1.0, -1.0]));
    let determinant = first[0] * second[1] - first[1] * second[0];
    let a = (rates[0] * second[1] - rates[1] * second[0]) / determinant;
    let b = (first[0] * rates[1] - first[1] * rates[0]) / determinant;
    let forces = [a, b, -a - b];
    forces.iter().all(|f| f.is_finite()).then_some(forces)
}

/// Draws pictures of a square stroke.
pub(super) fn draw_stroke(
    arguments: &FilmArguments,
    square: &Square,
    frames: &mut Frames<'_>,
) -> Result<(), Failure> {
    for step in 0..arguments.frame_count {
        let share = f64::from(step) / f64::from(arguments.frame_count);
        draw(step, share, square, frames)?;
    }
    Ok(())
}

/// Frames of a stroke, one for each picture.
pub(super) fn frames(arguments: &FilmArguments) -> Frames<'_> {
    Frames::of_film(arguments, arguments.frame_count, UNITS)
}

fn draw(step: u32, share: f64, square: &Square, frames: &mut Frames<'_>) -> Result<(), Failure> {
    let at = pose(square, share);
    let [x, y] = at.distances;
    // The middle of the swimmer in the middle of the picture.
    let first = -0.5 * (x + y);
    let spheres = Spheres {
        places: vec![first, first + x, first + x + y],
        room: ROOM,
        resolution: 5.0,
        growth: 0.2,
        coarsest: f64::INFINITY,
        element: Element::Mini,
    };
    let found = spheres.solve()?;
    let forces = forces(&found.mobility, at.rates).ok_or_else(|| {
        Failure::usage(
            "no forces move the spheres as the stroke asks",
            "take other distances",
        )
    })?;
    let mut field = found.fields[0].clone();
    field.add(forces[0] - 1.0, &found.fields[0]);
    field.add(forces[1], &found.fields[1]);
    field.add(forces[2], &found.fields[2]);
    let cells = HALF.map(|half| 2 * half * CELLS);
    let grid = Grid::try_new(cells, 1.0 / CELLS as f64, Edges::Box)?;
    let middle = DVec2::new(HALF[0] as f64, HALF[1] as f64);
    let bodies = spheres
        .places
        .iter()
        .map(|&place| Ok(Body::disc(middle + DVec2::new(place, 0.0), 1.0)?))
        .collect::<Result<Vec<_>, Failure>>()?;
    let sampled = Sampled::of(&found, &field, &grid, middle);
    frames.add_axisymmetric(
        step,
        Instant {
            time: share,
            grid: &grid,
            bodies: &bodies,
            stream: sampled.stream,
            pressure: sampled.pressure,
        },
        sampled.velocity,
    )
}

/// A flow on the cells of a picture, the axis along x.
struct Sampled {
    /// Stokes' stream function at all nodes: ∂Ψ/∂r = r u.
    stream: Vec<f64>,
    velocity: Vec<DVec2>,
    pressure: Vec<f64>,
}

impl Sampled {
    fn of(found: &SpheresFlow, field: &FlowField, grid: &Grid, middle: DVec2) -> Self {
        let ([nx, ny], h) = (grid.cells, grid.spacing);
        let mesh = found.problem.mesh();
        let locator = Locator::new(mesh);
        // Along the axis and away from it.
        let value = |along: f64, away: f64| {
            let (triangle, place) = locator.find(mesh, DVec2::new(away, along));
            let corners = mesh.triangles()[triangle as usize];
            let pressure: f64 = corners
                .iter()
                .zip(place)
                .map(|(corner, share)| share * field.pressure[*corner as usize])
                .sum();
            let velocity = found.problem.value(field, triangle, place).velocity;
            (velocity, pressure)
        };
        let half = ny / 2;
        // Columns from the axis outwards; the other half is the mirror image.
        let mut stream = vec![0.0; (nx + 1) * (ny + 1)];
        for i in 0..=nx {
            let along = i as f64 * h - middle.x;
            let mut sum = 0.0;
            for j in 1..=half {
                let away = (j as f64 - 0.5) * h;
                sum += away * value(along, away).0.y * h;
                for row in [half + j, half - j] {
                    stream[row * (nx + 1) + i] = sum;
                }
            }
        }
        let (mut velocity, mut pressure) = (Vec::new(), Vec::new());
        for k in 0..nx * ny {
            let along = ((k % nx) as f64 + 0.5) * h - middle.x;
            let away = ((k / nx) as f64 + 0.5) * h - middle.y;
            let (moved, pressed) = value(along, away.abs());
            velocity.push(DVec2::new(moved.y, moved.x * away.signum()));
            pressure.push(pressed);
        }
        Self {
            stream,
            velocity,
            pressure,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_square_stroke_goes_round_and_its_forces_have_no_sum() {
        let square = Square {
            start: [3.0, 3.0],
            side: 2.0,
        };
        assert_eq!(pose(&square, 0.0).distances, [3.0, 3.0]);
        assert_eq!(pose(&square, 0.5).distances, [5.0, 5.0]);
        assert_eq!(pose(&square, 0.625).rates, [-8.0, 0.0]);
        let mobility = vec![
            vec![0.05, 0.02, 0.01],
            vec![0.02, 0.05, 0.02],
            vec![0.01, 0.02, 0.05],
        ];
        let forces = forces(&mobility, [1.0, 0.0]).unwrap();
        assert!(forces.iter().sum::<f64>().abs() < 1e-12);
        let velocity = |k: usize| (0..3).map(|j| forces[j] * mobility[j][k]).sum::<f64>();
        assert!((velocity(1) - velocity(0) - 1.0).abs() < 1e-12);
        assert!((velocity(2) - velocity(1)).abs() < 1e-12);
    }
}
