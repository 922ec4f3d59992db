//! A flow around bodies, in SI units: what is given, what is solved, what comes out.

use banquise_geometry::DVec2;
use rayon::prelude::*;

use crate::advection::FaceField;
use crate::body::{Body, RigidMotion, Wrench};
use crate::coverage::Region;
use crate::error::positive;
use crate::grid::{Edges, Grid, after, before};
use crate::pressure::pressure;
use crate::rigid::{RigidSystem, Stresses};
use crate::samples::BodyWeights;
use crate::{FlowError, SolverSettings};

/// The fluid.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Fluid {
    /// Dynamic viscosity μ \[Pa s\].
    pub viscosity: f64,
}

/// Velocity gradient far away, or in the mean of a periodic cell; its trace is zero.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Gradient {
    /// ∂u/∂x = −∂v/∂y \[1/s\].
    pub xx: f64,
    /// ∂u/∂y \[1/s\].
    pub xy: f64,
    /// ∂v/∂x \[1/s\].
    pub yx: f64,
}

impl Gradient {
    /// The velocity at a point.
    pub fn velocity(&self, at: DVec2) -> DVec2 {
        DVec2::new(
            self.xx * at.x + self.xy * at.y,
            self.yx * at.x - self.xx * at.y,
        )
    }
}

/// What drives a flow.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Load {
    /// Force and torque on each body; none are all zero. In a periodic domain a pressure gradient balances their sum.
    pub wrenches: Vec<Wrench>,
    /// Velocity gradient of the undisturbed flow.
    pub gradient: Gradient,
}

/// Bodies in a fluid, ready to be solved for any load.
#[derive(Debug, Clone)]
pub struct Flow {
    grid: Grid,
    fluid: Fluid,
    regions: Vec<Region>,
    weights: Vec<BodyWeights>,
    system: RigidSystem,
}

/// A flow that was found.
#[derive(Debug, Clone)]
pub struct Solution {
    /// Stream function of the disturbance at the nodes \[m²/s\]: u = ∂ψ/∂y, v = −∂ψ/∂x. In a periodic domain the disturbance has no mean velocity.
    pub stream: Vec<f64>,
    /// Motion of each body, in the frame in which the undisturbed flow is zero at the origin.
    pub motions: Vec<RigidMotion>,
    /// Mean over the domain of the stress that bodies add to that of the fluid: `(τ_xx − τ_yy)/2` and `τ_xy` \[Pa\].
    pub added_stress: [f64; 2],
    /// Iterations of the conjugate gradients.
    pub iterations: usize,
    /// Strain rate that is left in the bodies, relative to that without the stresses.
    pub residual: f64,
    /// Stresses in bodies and on walls.
    stresses: Stresses,
}

impl Flow {
    /// Prepares a flow: shares of cells, compliances, factors of the preconditioner.
    ///
    /// # Errors
    /// If the viscosity is not positive, or a body does not fit into the domain or is too small for the grid.
    pub fn new(
        grid: Grid,
        fluid: Fluid,
        bodies: &[Body],
        settings: &SolverSettings,
    ) -> Result<Self, FlowError> {
        positive("the viscosity (Pa s)", fluid.viscosity)?;
        if settings.viscosity_ratio != f64::INFINITY {
            positive("the ratio of viscosities", settings.viscosity_ratio)?;
        }
        let regions: Vec<Region> = bodies
            .par_iter()
            .map(|body| Region::new(body, grid.spacing))
            .collect();
        for (body, region) in regions.iter().enumerate() {
            check_place(&grid, body, region)?;
            let cells = bodies[body].shape.area() / (grid.spacing * grid.spacing);
            if cells < MIN_AREA {
                return Err(FlowError::TooSmall { body, cells });
            }
        }
        let weights = regions
            .par_iter()
            .map(|region| BodyWeights::new(&grid, region))
            .collect();
        let system = RigidSystem::new(&grid, &regions, 0.0, settings.viscosity_ratio, Vec::new());
        Ok(Self {
            grid,
            fluid,
            regions,
            weights,
            system,
        })
    }

    /// The grid.
    pub fn grid(&self) -> &Grid {
        &self.grid
    }

    /// Bytes of the arrays of the solver.
    pub fn memory(&self) -> usize {
        self.system.memory()
    }

    /// Number of strains that are made zero.
    pub fn unknowns(&self) -> usize {
        self.system.unknowns()
    }

    /// Solves for a load.
    ///
    /// # Errors
    /// If the iteration does not converge.
    pub fn solve(&mut self, load: &Load, settings: &SolverSettings) -> Result<Solution, FlowError> {
        // Within the pool: parallel loops started from outside wait for two changes of thread each.
        rayon::scope(|_| self.solve_in_pool(load, settings))
    }

    fn solve_in_pool(
        &mut self,
        load: &Load,
        settings: &SolverSettings,
    ) -> Result<Solution, FlowError> {
        let (h, viscosity) = (self.grid.spacing, self.fluid.viscosity);
        let mut stream = self.force_curl(load);
        let gradient = load.gradient;
        let scale = viscosity * h;
        let strain = [
            2.0 * scale * gradient.xx,
            scale * (gradient.xy + gradient.yx),
        ];
        let stresses = self.system.solve(&mut stream, strain, settings)?;
        let motions = self.motions(&stream, gradient);
        stream.par_iter_mut().for_each(|psi| *psi *= h / viscosity);
        let area = self.grid.cell_count() as f64;
        Ok(Solution {
            stream,
            motions,
            added_stress: self
                .system
                .stress_sums(&stresses)
                .map(|sum| sum / (h * area)),
            iterations: stresses.iterations,
            residual: stresses.residual,
            stresses,
        })
    }

    /// Pressure of a solution in the middle of cells, of mean zero \[Pa\]. In bodies it is without meaning; a mean pressure gradient in periodic directions is left out.
    pub fn pressure(&mut self, load: &Load, solution: &Solution) -> Vec<f64> {
        let (h, viscosity) = (self.grid.spacing, self.fluid.viscosity);
        let mut forces = FaceField::zero(&self.grid);
        for (weights, wrench) in self.weights.iter().zip(&load.wrenches) {
            let components = [wrench.force.x, wrench.force.y, wrench.torque / h];
            weights.spread(components, |is_y, place, force| {
                let field = if is_y { &mut forces.v } else { &mut forces.u };
                field[place] += force;
            });
        }
        self.system.add_forces(&solution.stresses, &mut forces);
        let stream: Vec<f64> = solution
            .stream
            .iter()
            .map(|psi| psi * viscosity / h)
            .collect();
        let mut pressure = pressure(&self.grid, forces, &stream, 0.0);
        for value in &mut pressure {
            *value /= h;
        }
        pressure
    }

    /// Force of the walls on the fluid in a closed box: shear stresses on them, and the pressure in the cells beside them \[N/m\]. With the forces on the bodies it makes zero
    /// if momentum is kept.
    pub fn wall_force(&mut self, load: &Load, solution: &Solution) -> DVec2 {
        assert_eq!(self.grid.edges, Edges::Box, "walls on all sides");
        let pressure = self.pressure(load, solution);
        let ([nx, ny], h) = (self.grid.cells, self.grid.spacing);
        let mut across: f64 = 0.0;
        for row in pressure.chunks_exact(nx) {
            across += row[0] - row[nx - 1];
        }
        let mut upwards: f64 = 0.0;
        for i in 0..nx {
            upwards += pressure[i] - pressure[(ny - 1) * nx + i];
        }
        h * DVec2::new(across, upwards) + self.system.wall_shear(&solution.stresses)
    }

    /// Curl of the forces on the bodies, at the nodes.
    fn force_curl(&self, load: &Load) -> Vec<f64> {
        let mut curl = vec![0.0; self.grid.cell_count()];
        for (weights, wrench) in self.weights.iter().zip(&load.wrenches) {
            let components = [
                wrench.force.x,
                wrench.force.y,
                wrench.torque / self.grid.spacing,
            ];
            weights.add_curl(&self.grid, components, &mut curl);
        }
        curl
    }

    fn motions(&self, stream: &[f64], gradient: Gradient) -> Vec<RigidMotion> {
        let [nx, ny] = self.grid.cells;
        let (h, viscosity) = (self.grid.spacing, self.fluid.viscosity);
        self.weights
            .par_iter()
            .zip(&self.regions)
            .map(|(weights, region)| {
                // Only the sum of disturbance and undisturbed flow is a rigid motion.
                let undisturbed = |place: usize, offset: DVec2| {
                    let at = self.grid.offset_from(region.centre(), place, offset);
                    viscosity * gradient.velocity(at * h)
                };
                let along_x = |place: usize| {
                    let (i, j) = (place % nx, place / nx);
                    let disturbance = stream[after(j, ny) * nx + i] - stream[place];
                    disturbance + undisturbed(place, DVec2::new(0.0, 0.5)).x
                };
                let along_y = |place: usize| {
                    let (i, j) = (place % nx, place / nx);
                    let disturbance = stream[place] - stream[j * nx + after(i, nx)];
                    disturbance + undisturbed(place, DVec2::new(0.5, 0.0)).y
                };
                let [x, y, spin] = weights.motion(along_x, along_y);
                let far = gradient.velocity(region.centre() * h);
                RigidMotion {
                    velocity: DVec2::new(x, y) / viscosity + far,
                    angular_velocity: spin / (h * viscosity),
                }
            })
            .collect()
    }
}

/// Least area of a body in cells: below, hardly a sample is covered by more than half.
const MIN_AREA: f64 = 1.0;

/// Bodies must not reach over walls, nor over more than the domain where it is periodic.
pub(crate) fn check_place(grid: &Grid, body: usize, region: &Region) -> Result<(), FlowError> {
    let [low, high] = region.bounds().map(|corner| corner.to_array());
    let walls = grid.edges.walls();
    for axis in 0..2 {
        let n = grid.cells[axis] as f64;
        let fits = if walls[axis] {
            low[axis] >= 0.0 && high[axis] <= n
        } else {
            high[axis] - low[axis] <= n
        };
        if !fits {
            return Err(FlowError::DoesNotFit { body });
        }
    }
    Ok(())
}

impl Solution {
    /// Velocities of the disturbance in the middle of cell (i, j) \[m/s\].
    pub fn velocity_at_centre(&self, grid: &Grid, i: usize, j: usize) -> DVec2 {
        let [nx, ny] = grid.cells;
        let psi = |i: usize, j: usize| self.stream[j * nx + i];
        let (right, above) = (after(i, nx), after(j, ny));
        let [a, b, c, d] = [psi(i, j), psi(right, j), psi(i, above), psi(right, above)];
        DVec2::new(c + d - a - b, a + c - b - d) / (2.0 * grid.spacing)
    }

    /// Dissipation of the disturbance by strain, μ Σ |Eψ|² h² \[W/m\], and by its gradient, μ Σ |∇u|² h²: Korn's identity makes them equal.
    pub fn dissipation(&self, grid: &Grid, fluid: Fluid) -> [f64; 2] {
        let [nx, ny] = grid.cells;
        let psi = |i: usize, j: usize| self.stream[j * nx + i];
        let (mut strain, mut gradient) = (0.0, 0.0);
        for j in 0..ny {
            for i in 0..nx {
                let (left, right) = (before(i, nx), after(i, nx));
                let (below, above) = (before(j, ny), after(j, ny));
                let across = psi(right, above) - psi(right, j) - psi(i, above) + psi(i, j);
                let along_x = psi(right, j) + psi(left, j) - 2.0 * psi(i, j);
                let along_y = psi(i, above) + psi(i, below) - 2.0 * psi(i, j);
                let shear = along_y - along_x;
                strain += 4.0 * across * across + shear * shear;
                gradient += 2.0 * across * across + along_x * along_x + along_y * along_y;
            }
        }
        let scale = fluid.viscosity / (grid.spacing * grid.spacing);
        assert_eq!(grid.edges, Edges::Periodic, "sums over a periodic domain");
        [strain * scale, gradient * scale]
    }
}
