//! A rigid leaflet on a hinge in a pulsating channel (Lefebvre 2007, section 2.1). Lengths are in heights of half a channel, velocities in the largest of the inlet.
//!
//! The source gives neither the geometry of its figure nor the spring: hinge, spring and equilibrium angle are ours. The hinge holds by two multipliers, found by
//! superposition: the flow without them plus the flows of a unit force on the hinge along x and along y.

use banquise_fem::stokes::{Edge, FlowField};
use banquise_geometry::{DVec2, math};

use super::stepper::Stepper;
use crate::error::{check_path, positive};
use crate::{FlowError, Grid};

/// The valve. Defaults are the source's numbers where it has them.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ValveSettings {
    /// Cells across half the channel.
    pub cells: usize,
    /// Step.
    pub dt: f64,
    /// Reynolds number `v_max` ρ h/μ.
    pub reynolds: f64,
    /// Period of the inflow.
    pub period: f64,
    /// Density of the leaflet over that of the fluid.
    pub density: f64,
    /// Length of the leaflet between the centres of its ends.
    pub length: f64,
    /// Thickness of the leaflet.
    pub thickness: f64,
    /// Stiffness of the spring for each area of the end disc.
    pub stiffness: f64,
    /// Angle at which the spring is at rest \[rad\], from the direction of the flow.
    pub rest_angle: f64,
}

impl Default for ValveSettings {
    /// Re = 400, T = 7.5, density 5, length 14/20 and thickness 5/20 of the height are the source's; 20 cells, step 0.05, stiffness 12 and −60° are ours.
    fn default() -> Self {
        Self {
            cells: 20,
            dt: 0.05,
            reynolds: 400.0,
            period: 7.5,
            density: 5.0,
            length: 0.7,
            thickness: 0.25,
            stiffness: 12.0,
            rest_angle: -60.0_f64.to_radians(),
        }
    }
}

/// Length of the channel, place of the hinge from the inlet, and its distance from the wall above.
const LENGTH: usize = 6;
const HINGE: [f64; 2] = [2.0, 0.85];
/// Viscosity of the leaflet over that of the fluid: 1/ε.
const PENALTY: f64 = 1e6;

/// Least steps of a period: with fewer the pulse is not followed.
const STEPS_OF_A_PERIOD: f64 = 20.0;

impl ValveSettings {
    /// Refuses a spring that swings the leaflet faster than steps can follow: angle and angular velocity are stepped in turn, which is stable while ω Δt < 2, ω the frequency of
    /// the leaflet on its spring with the fluid that a plate moves which turns about its edge, 9π/128 ρ ℓ⁴.
    fn check_spring(&self) -> Result<(), FlowError> {
        let radius = 0.5 * self.thickness;
        let end = std::f64::consts::PI * radius * radius;
        // A bar with half a disc at each end, about the middle of the first.
        let (bar, length) = (self.length * self.thickness, self.length);
        let moment = bar * (length * length / 3.0 + radius * radius / 3.0)
            + 0.5 * end * radius * radius
            + 0.5 * end * length * length
            + end * length * radius * 4.0 / (3.0 * std::f64::consts::PI);
        let reach = self.length + self.thickness;
        let added = 9.0 * std::f64::consts::PI / 128.0 * reach * reach * reach * reach;
        let frequency = (self.stiffness * end / (self.density * moment + added)).sqrt();
        if frequency * self.dt < 2.0 {
            return Ok(());
        }
        Err(FlowError::OutOfRange {
            quantity: "the stiffness of the spring",
            requirement: "below that at which the leaflet swings within two steps; shorten the step, or take a softer one",
            value: self.stiffness,
        })
    }
}

/// One instant.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ValveState {
    /// Time.
    pub time: f64,
    /// Angle of the leaflet \[rad\].
    pub angle: f64,
    /// Its angular velocity.
    pub spin: f64,
    /// Mean velocity of the hinge: zero but for rounding.
    pub hinge_velocity: f64,
}

/// A valve that moves.
#[derive(Debug)]
pub struct Valve {
    settings: ValveSettings,
    stepper: Stepper,
    /// Where it is now.
    pub state: ValveState,
}

/// Distance from a point to a segment.
fn distance(at: DVec2, a: DVec2, b: DVec2) -> f64 {
    let along = ((at - a).dot(b - a) / (b - a).length_squared()).clamp(0.0, 1.0);
    at.distance(a + (b - a) * along)
}

impl Valve {
    /// A valve at its angle of rest, in the slow flow of the start.
    ///
    /// # Errors
    /// If a setting is out of range.
    pub fn new(settings: ValveSettings) -> Result<Self, FlowError> {
        for (name, value) in [
            ("the step", settings.dt),
            ("the Reynolds number", settings.reynolds),
            ("the period", settings.period),
            ("the density of the leaflet", settings.density),
            ("the length of the leaflet", settings.length),
            ("the stiffness of the spring", settings.stiffness),
        ] {
            positive(name, value)?;
        }
        if settings.cells < 12 || settings.cells > 200 {
            return Err(FlowError::OutOfRange {
                quantity: "the number of cells across half the channel",
                requirement: "from 12 to 200",
                value: settings.cells as f64,
            });
        }
        if STEPS_OF_A_PERIOD * settings.dt > settings.period * (1.0 + 1e-12) {
            return Err(FlowError::OutOfRange {
                quantity: "the step",
                requirement: "at most a twentieth of the period of the inflow",
                value: settings.dt,
            });
        }
        settings.check_spring()?;
        let edges = |_: DVec2, normal: DVec2| {
            if normal.x > 0.5 {
                Edge::Free
            } else if normal.y < -0.5 {
                Edge::Slip {
                    length: f64::INFINITY,
                }
            } else {
                Edge::Velocity
            }
        };
        let spacing = 1.0 / settings.cells as f64;
        let stepper = Stepper::new([LENGTH * settings.cells, settings.cells], spacing, edges)?;
        let mut valve = Self {
            settings,
            stepper,
            state: ValveState {
                time: 0.0,
                angle: settings.rest_angle,
                spin: 0.0,
                hinge_velocity: 0.0,
            },
        };
        valve.solve(f64::INFINITY)?;
        Ok(valve)
    }

    /// Centres of both ends.
    pub fn ends(&self) -> [DVec2; 2] {
        let (sin, cos) = math::sin_cos(self.state.angle);
        let hinge = DVec2::from(HINGE);
        [hinge, hinge + self.settings.length * DVec2::new(cos, sin)]
    }

    /// Half the thickness of the leaflet.
    pub fn radius(&self) -> f64 {
        0.5 * self.settings.thickness
    }

    /// Cells of the mesh, for pictures.
    ///
    /// # Errors
    /// If there are too few cells.
    pub fn grid(&self) -> Result<Grid, FlowError> {
        self.stepper.grid()
    }

    /// Pressure in the middle of the cells, of mean zero.
    pub fn pressure(&self) -> Vec<f64> {
        self.stepper.pressure()
    }

    /// Stream function at the corners of the cells.
    pub fn stream(&self) -> Vec<f64> {
        self.stepper.stream()
    }

    /// Finds the flow at the present angle, and the motion of the leaflet in it.
    fn solve(&mut self, dt: f64) -> Result<(), FlowError> {
        let settings = self.settings;
        let (stepper, [hinge, end], radius) = (&self.stepper, self.ends(), self.radius());
        let mesh = stepper.mesh();
        let leaflet = mesh.elements_where(|at| distance(at, hinge, end) < radius);
        let first = mesh.elements_where(|at| at.distance(hinge) < radius);
        let last = mesh.elements_where(|at| at.distance(end) < radius);
        let viscosity = 1.0 / settings.reynolds;
        let mut matter = stepper.uniform(viscosity, 1.0);
        let mut part = vec![0_u8; mesh.triangles().len()];
        for &triangle in &leaflet {
            matter.viscosity[triangle as usize] += PENALTY * viscosity;
            matter.density[triangle as usize] = settings.density;
            part[triangle as usize] = 1;
        }
        for &triangle in &first {
            part[triangle as usize] |= 2;
        }
        for &triangle in &last {
            part[triangle as usize] |= 4;
        }
        let (sin, cos) = math::sin_cos(self.state.angle);
        let back = settings.stiffness / settings.length * (self.state.angle - settings.rest_angle);
        let force = |triangle: u32, _: DVec2| {
            let part = part[triangle as usize];
            let mut force = DVec2::ZERO;
            if part & 1 != 0 {
                force.y += 1.0 - settings.density;
            }
            if part & 4 != 0 {
                force += back * DVec2::new(sin, -cos);
            }
            force
        };
        let pulse =
            1.0 + 0.5 * math::cos(std::f64::consts::TAU * self.state.time / settings.period);
        let inlet = |at: DVec2| {
            let y = at.y - 1.0;
            if at.x < 1e-9 {
                DVec2::new(-2.0 / 3.0 * y * (y + 2.0) * pulse, 0.0)
            } else {
                DVec2::ZERO
            }
        };
        let flow = stepper.factorise(&matter, dt)?;
        let mut field = stepper.solve(&flow, dt, &force, &inlet)?;
        let pushed = [DVec2::X, DVec2::Y].map(|direction| {
            flow.solve(&banquise_fem::stokes::FlowLoad {
                force: &|triangle, _| {
                    if part[triangle as usize] & 2 != 0 {
                        direction
                    } else {
                        DVec2::ZERO
                    }
                },
                velocity: &|_| DVec2::ZERO,
            })
        });
        let [along, across] = pushed;
        hold(stepper, &mut field, &[along?, across?], &first);
        let (velocity, _) = stepper.problem.mean_motion(&field, &last);
        self.state.hinge_velocity = stepper.problem.mean_motion(&field, &first).0.length();
        self.state.spin = (cos * velocity.y - sin * velocity.x) / settings.length;
        self.stepper.keep(field, matter);
        Ok(())
    }

    /// Makes a step: the leaflet turns, then the flow follows.
    ///
    /// # Errors
    /// If the flow is not found, or the leaflet reaches the middle of the channel.
    pub fn step(&mut self) -> Result<ValveState, FlowError> {
        self.state.angle += self.settings.dt * self.state.spin;
        self.state.time += self.settings.dt;
        let lowest = self.ends()[1].y - self.radius();
        if lowest < 0.0 {
            return Err(FlowError::OutOfRange {
                quantity: "the height of the leaflet's end above the middle of the channel",
                requirement: "positive; take a stiffer spring",
                value: lowest,
            });
        }
        self.solve(self.settings.dt)?;
        let path = self.settings.dt * self.settings.length * self.state.spin.abs();
        check_path(self.state.time, 0, path, self.radius())?;
        Ok(self.state)
    }
}

/// Adds the flows of forces on the hinge such that it rests; a second time for what rounding left.
fn hold(stepper: &Stepper, field: &mut FlowField, pushed: &[FlowField; 2], hinge: &[u32]) {
    let mean = |field: &FlowField| stepper.problem.mean_motion(field, hinge).0;
    let (a, b) = (mean(&pushed[0]), mean(&pushed[1]));
    for _ in 0..2 {
        let rest = -mean(field);
        let determinant = a.perp_dot(b);
        field.add(rest.perp_dot(b) / determinant, &pushed[0]);
        field.add(a.perp_dot(rest) / determinant, &pushed[1]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hinge_rests_and_the_leaflet_moves() {
        let settings = ValveSettings {
            cells: 12,
            ..ValveSettings::default()
        };
        let mut valve = Valve::new(settings).unwrap();
        assert!(valve.state.hinge_velocity < 1e-10, "{:?}", valve.state);
        for _ in 0..4 {
            let state = valve.step().unwrap();
            assert!(state.hinge_velocity < 1e-10, "{state:?}");
        }
        assert!((valve.state.angle - settings.rest_angle).abs() > 1e-4);
    }
}
