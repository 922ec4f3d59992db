//! Period of an ellipse in shear flow (Jeffery 1922; in the plane the same: 2π(r + 1/r)/γ̇ for axes of ratio r).

use banquise_geometry::{DVec2, Outline, Pose, Rotation, Shape, math};

use crate::body::{RigidMotion, Wrench};
use crate::unsteady::{MovingBody, Unsteady, UnsteadySettings};
use crate::{Body, Edges, Flow, FlowError, Fluid, Gradient, Grid, Load, SolverSettings};

/// An ellipse, as a polygon, in the shear flow u = γ̇ y, alone in a periodic cell.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct JefferyOrbit {
    /// Ratio of the axes.
    pub ratio: f64,
    /// Cells along a side of the periodic cell.
    pub cells: usize,
    /// Minor semi-axis in cells.
    pub minor_cells: f64,
}

/// The angles at which angular velocities are found, and the period.
#[derive(Debug, Clone, PartialEq)]
pub struct JefferyPeriod {
    /// Angle of the major axis from the flow, and angular velocity over γ̇.
    pub angular_velocities: Vec<[f64; 2]>,
    /// Period of a whole turn times γ̇.
    pub period: f64,
    /// Share of the periodic cell that the ellipse covers.
    pub fraction: f64,
    /// Jeffery's period times γ̇.
    pub exact: f64,
    /// Most iterations of a solution.
    pub iterations: usize,
}

/// Angles over half a turn: the trapezoidal rule converges like ((r − 1)/(r + 1))^(2 n).
const ANGLES: usize = 16;
/// Corners of the polygon.
const CORNERS: usize = 96;

impl JefferyOrbit {
    /// Angular velocity from Jeffery's solution over γ̇.
    pub fn exact_angular_velocity(&self, angle: f64) -> f64 {
        let (sin, cos) = math::sin_cos(angle);
        let square = self.ratio * self.ratio;
        -(square * sin * sin + cos * cos) / (square + 1.0)
    }

    /// Finds the angular velocity at angles over half a turn, and the period by quadrature.
    ///
    /// # Errors
    /// If the ratio or the size is not positive, or the ellipse does not fit.
    pub fn run(&self, settings: &SolverSettings) -> Result<JefferyPeriod, FlowError> {
        crate::error::positive("the ratio of the axes", self.ratio)?;
        crate::error::positive("the minor semi-axis in cells", self.minor_cells)?;
        let grid = Grid::try_new([self.cells; 2], 1.0, Edges::Periodic)?;
        let outline = self.outline()?;
        let shear = Load {
            gradient: Gradient {
                xy: 1.0,
                ..Gradient::default()
            },
            ..Load::default()
        };
        let mut angular_velocities = Vec::with_capacity(ANGLES);
        let mut iterations = 0;
        for k in 0..ANGLES {
            let angle = std::f64::consts::PI * k as f64 / ANGLES as f64;
            let body = Body {
                shape: Shape::Outline(outline.clone()),
                pose: Pose {
                    position: DVec2::splat((self.cells / 2) as f64),
                    rotation: Rotation::from_angle(angle),
                },
            };
            let mut flow = Flow::new(grid, Fluid { viscosity: 1.0 }, &[body], settings)?;
            let solution = flow.solve(&shear, settings)?;
            iterations = iterations.max(solution.iterations);
            angular_velocities.push([angle, solution.motions[0].angular_velocity]);
        }
        let mean = angular_velocities
            .iter()
            .map(|[_, spin]| -1.0 / spin)
            .sum::<f64>()
            / ANGLES as f64;
        Ok(JefferyPeriod {
            period: std::f64::consts::TAU * mean,
            exact: std::f64::consts::TAU * (self.ratio + 1.0 / self.ratio),
            fraction: outline.area() / grid.cell_count() as f64,
            angular_velocities,
            iterations,
        })
    }

    /// Lets the ellipse turn with the flow from rest along it, in steps of `dt` (times γ̇), and returns the period of a whole turn times γ̇: twice the time of half a turn.
    ///
    /// # Errors
    /// If the ratio, the size or the step is not positive, or the ellipse does not fit.
    pub fn turn(&self, dt: f64, settings: &SolverSettings) -> Result<f64, FlowError> {
        crate::error::positive("the ratio of the axes", self.ratio)?;
        crate::error::positive("the minor semi-axis in cells", self.minor_cells)?;
        let grid = Grid::try_new([self.cells; 2], 1.0, Edges::Periodic)?;
        let body = Body {
            shape: Shape::Outline(self.outline()?),
            pose: Pose {
                position: DVec2::splat((self.cells / 2) as f64),
                rotation: Rotation::IDENTITY,
            },
        };
        let ellipse = MovingBody {
            body,
            density: 0.0,
            motion: RigidMotion::default(),
            load: Wrench::default(),
        };
        let shear = UnsteadySettings {
            dt,
            density: 0.0,
            gravity: DVec2::ZERO,
            shear: 1.0,
            gap: 0.0,
            friction: 0.0,
            solver: *settings,
        };
        let mut flow = Unsteady::new(grid, Fluid { viscosity: 1.0 }, vec![ellipse], shear)?;
        flow.step()?;
        // The first step finds the velocity, and the next one moves.
        let (mut turned, mut time) = (0.0, 0.0);
        loop {
            let spin = -flow.bodies[0].motion.angular_velocity;
            let left = std::f64::consts::PI - turned;
            if left <= dt * spin {
                return Ok(2.0 * (time + left / spin));
            }
            turned += dt * spin;
            time += dt;
            flow.step()?;
        }
    }

    /// A polygon with the area of the ellipse.
    fn outline(&self) -> Result<Outline, FlowError> {
        let step = std::f64::consts::TAU / CORNERS as f64;
        // A polygon inscribed in a circle has the share sin(step)/step of its area.
        let scale = self.minor_cells * (step / math::sin(step)).sqrt();
        let corner = |k: usize| {
            let (sin, cos) = math::sin_cos(step * k as f64);
            DVec2::new(self.ratio * cos, sin) * scale
        };
        Ok(Outline::try_new((0..CORNERS).map(corner).collect())?)
    }
}
