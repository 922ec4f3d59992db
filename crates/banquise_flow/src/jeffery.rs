//! Period of an ellipse in shear flow (Jeffery 1922; in the plane the same: 2π(r + 1/r)/γ̇ for axes of ratio r).

use banquise_geometry::{DVec2, Outline, Pose, Rotation, Shape, math};

use crate::body::{RigidMotion, Wrench};
use crate::transform_size::cells_for;
use crate::unsteady::{MovingBody, Unsteady, UnsteadySettings};
use crate::{
    Body, ContactLaw, Edges, Flow, FlowError, Fluid, Gradient, Grid, Load, SolverSettings,
};

/// An ellipse, as a polygon, in the shear flow u = γ̇ y, alone in a periodic cell.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct JefferyOrbit {
    /// Ratio of the axes.
    pub ratio: f64,
    /// Cells along a side of the periodic cell; none for eight times the length of the ellipse.
    pub cells: Option<usize>,
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
    /// Cells along a side of the periodic cell.
    pub cells: usize,
    /// Whether the period is that of an ellipse alone to 1 %: cells and room suffice.
    pub is_resolved: bool,
    /// Jeffery's period times γ̇.
    pub exact: f64,
    /// Most iterations of a solution.
    pub iterations: usize,
}

/// Side of the periodic cell over the length of the ellipse, if it is not given; least one for 1 %.
const ROOM: f64 = 8.0;
const LEAST_ROOM: f64 = 6.0;
/// Shorter semi-axis in cells for 1 %: at least, and for each unit of the ratio of the axes.
const FINE: f64 = 6.0;
const FINE_PER_RATIO: f64 = 4.0;
/// Longest step times shear rate: the ellipse turns by at most a radian in it. Most steps of half a turn.
const LONGEST_STEP: f64 = 1.0;
const MOST_STEPS: f64 = 1e6;
/// Least and most angles over half a turn.
const ANGLES: [usize; 2] = [16, 256];
/// Error of the trapezoidal rule over n angles, 2 ((r − 1)/(r + 1))^n, that is left in the period.
const QUADRATURE: f64 = 1e-3;
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
        let grid = self.grid()?;
        let outline = self.outline()?;
        let shear = Load {
            gradient: Gradient {
                xy: 1.0,
                ..Gradient::default()
            },
            ..Load::default()
        };
        let mut angular_velocities = Vec::new();
        let mut iterations = 0;
        let angles = self.angles();
        for k in 0..angles {
            let angle = std::f64::consts::PI * k as f64 / angles as f64;
            let body = Body {
                shape: Shape::Outline(outline.clone()),
                pose: Pose {
                    position: middle(&grid),
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
            / angles as f64;
        Ok(JefferyPeriod {
            period: std::f64::consts::TAU * mean,
            exact: std::f64::consts::TAU * (self.ratio + 1.0 / self.ratio),
            fraction: outline.area() / grid.cell_count() as f64,
            cells: grid.cells[0],
            is_resolved: self.is_resolved(&grid),
            angular_velocities,
            iterations,
        })
    }

    /// Lets the ellipse turn with the flow from rest along it, in steps of `dt` (times γ̇), and returns the period of a whole turn times γ̇: twice the time of half a turn.
    ///
    /// # Errors
    /// If the ratio, the size or the step is not positive, or the ellipse does not fit.
    pub fn turn(
        &self,
        dt: f64,
        settings: &SolverSettings,
        mut watch: impl FnMut(u32, &Unsteady),
    ) -> Result<f64, FlowError> {
        let steps = self.check_turn(dt)?;
        let grid = self.grid()?;
        let body = Body {
            shape: Shape::Outline(self.outline()?),
            pose: Pose {
                position: middle(&grid),
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
            law: ContactLaw::Dry,
            friction: 0.0,
            solver: *settings,
        };
        let mut flow = Unsteady::new(grid, Fluid { viscosity: 1.0 }, vec![ellipse], shear)?;
        flow.step()?;
        watch(0, &flow);
        // The first step finds the velocity, and the next one moves.
        let (mut turned, mut time) = (0.0, 0.0);
        for step in 1.. {
            let spin = -flow.bodies[0].motion.angular_velocity;
            let left = std::f64::consts::PI - turned;
            if left <= dt * spin {
                return Ok(2.0 * (time + left / spin));
            }
            // The rod along the flow is the slowest, and turns.
            if step > 2 * steps || spin <= 0.0 {
                break;
            }
            turned += dt * spin;
            time += dt;
            flow.step()?;
            watch(step, &flow);
        }
        Err(FlowError::OutOfRange {
            quantity: "the angular velocity of the ellipse",
            requirement: "such that half a turn takes at most twice Jeffery's time: take more cells",
            value: -flow.bodies[0].motion.angular_velocity,
        })
    }

    /// Number of steps of half a turn.
    ///
    /// # Errors
    /// If the step is not positive, too long to follow the ellipse, or so short that the turn takes days.
    pub fn check_turn(&self, dt: f64) -> Result<u32, FlowError> {
        crate::error::positive("the ratio of the axes", self.ratio)?;
        crate::error::positive("the step times shear rate", dt)?;
        let steps = std::f64::consts::PI * (self.ratio + 1.0 / self.ratio) / dt;
        if dt > LONGEST_STEP || steps > MOST_STEPS {
            return Err(FlowError::OutOfRange {
                quantity: "the step times shear rate",
                requirement: "at most 1, and such that half a turn has at most a million steps",
                value: dt,
            });
        }
        Ok(steps.ceil() as u32)
    }

    /// The periodic cell; lengths in cells.
    fn grid(&self) -> Result<Grid, FlowError> {
        crate::error::positive("the ratio of the axes", self.ratio)?;
        crate::error::positive("the minor semi-axis in cells", self.minor_cells)?;
        let cells = cells_for(self.cells, ROOM * self.length())?;
        Grid::try_new([cells; 2], 1.0, Edges::Periodic)
    }

    /// Number of angles over half a turn.
    fn angles(&self) -> usize {
        let share = (self.ratio - 1.0).abs() / (self.ratio + 1.0);
        let needed = math::ln(0.5 * QUADRATURE) / math::ln(share);
        (needed.ceil() as usize).clamp(ANGLES[0], ANGLES[1])
    }

    /// The longer axis in cells.
    fn length(&self) -> f64 {
        2.0 * self.minor_cells * self.ratio.max(1.0)
    }

    fn is_resolved(&self, grid: &Grid) -> bool {
        // An ellipse of ratio r < 1 is one of 1/r, seen from its side.
        let ratio = self.ratio.max(1.0 / self.ratio);
        let shorter = self.minor_cells * self.ratio.min(1.0);
        let room = grid.cells[0] as f64 / self.length();
        room >= LEAST_ROOM && shorter >= FINE.max(FINE_PER_RATIO * ratio)
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

/// The node in the middle.
fn middle(grid: &Grid) -> DVec2 {
    DVec2::splat((grid.cells[0] / 2) as f64)
}
