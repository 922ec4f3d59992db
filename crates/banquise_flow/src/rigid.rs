//! Stokes flow with rigid bodies: a stress in each body such that it does not deform, found by conjugate gradients with the constant-viscosity
//! solver inside. Lengths are in cells, velocities are multiplied by the viscosity.
//!
//! With the stream function ψ (u = ∂yψ, v = −∂xψ) and the strains Eψ = (2∂x∂yψ, (∂yy − ∂xx)ψ), the flow minimises ½|Eψ|² − ⟨f, u⟩ subject to Eψ + ε₀ = 0 in the
//! bodies, ε₀ the given strain. The multiplier τ is the stress by which a body exceeds that of the fluid:
//!
//! ```text
//! λ(α + λ) ψ = curl f − Eᵀτ,     Eψ + ε₀ = C τ,     so     (E S Eᵀ + C) τ = E S curl f + ε₀.
//! ```
//!
//! S is the solver of `spectral.rs`, C the compliance of cut cells (zero in full ones, so that these are rigid exactly). The matrix is symmetric and positive
//! semidefinite. The preconditioner is the inverse of its diagonal, D, after deflation of the self-equilibrated stresses Z of `airy.rs`: these cause no flow, so that
//! (E S Eᵀ + C) Z = C Z is known without a solution, and z = D r + Q (r − C D r) with Q = Z (ZᵀCZ)⁻¹ Zᵀ is conjugate to all of them (the variant A-DEF2 of Tang,
//! Nabben, Vuik and Erlangga 2009). The right-hand side is orthogonal to Z, as that variant needs.

use banquise_geometry::DVec2;
use rayon::prelude::*;

use crate::advection::FaceField;
use crate::airy::AiryPreconditioner;
use crate::coverage::Region;
use crate::grid::{Grid, after, before};
use crate::samples::{BodyWeights, Samples};
use crate::spectral::Biharmonic;
use crate::walls::Walls;
use crate::{FlowError, SolverSettings};

/// Samples handled by one task; sums are made chunk by chunk, so that they do not depend on the number of threads.
const CHUNK: usize = 4096;

/// The system for the stresses in the bodies, and its memory.
#[derive(Debug, Clone)]
pub(crate) struct RigidSystem {
    grid: Grid,
    centres: Samples,
    nodes: Samples,
    walls: Walls,
    riders: Vec<Rider>,
    /// Compliances of centres, then nodes, then walls, then riders.
    compliance: Vec<f64>,
    /// Inverse of the diagonal for centres and nodes.
    inverse_diagonal: Vec<f64>,
    airy: AiryPreconditioner,
    biharmonic: Biharmonic,
    /// Stresses on the grid.
    normal: Vec<f64>,
    shear: Vec<f64>,
    /// Stream function on the grid.
    stream: Vec<f64>,
    /// What the diagonal of the preconditioner leaves of a residual.
    left: Vec<f64>,
}

/// Mass of a body beyond that of the fluid it displaces, with the motion it had. The force by which it resists is an unknown, so that the solver
/// inside keeps constant coefficients: V + c W = V₀, with c = μ Δt/m, for force and torque.
#[derive(Debug, Clone)]
pub(crate) struct Rider {
    pub(crate) weights: BodyWeights,
    /// c for both components of the force, and for the torque.
    pub(crate) compliance: [f64; 3],
    /// V₀ and ω₀, in units of the system.
    pub(crate) before: [f64; 3],
    /// Scale of the mobility of the body's place in the fluid, for the preconditioner.
    pub(crate) mobility: [f64; 3],
}

/// Stresses in the bodies and how they were found.
#[derive(Debug, Clone)]
pub(crate) struct Stresses {
    /// At centres, then nodes, then walls; forces of riders.
    pub(crate) value: Vec<f64>,
    pub(crate) iterations: usize,
    pub(crate) residual: f64,
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    let sums: Vec<f64> = a
        .par_chunks(CHUNK)
        .zip(b.par_chunks(CHUNK))
        .map(|(a, b)| a.iter().zip(b).map(|(x, y)| x * y).sum())
        .collect();
    sums.iter().sum()
}

/// y ← y + factor x.
fn add_multiple(y: &mut [f64], factor: f64, x: &[f64]) {
    y.par_chunks_mut(CHUNK)
        .zip(x.par_chunks(CHUNK))
        .for_each(|(y, x)| y.iter_mut().zip(x).for_each(|(y, x)| *y += factor * x));
}

/// Modes along an axis for the mean of [`mean_response`].
const MEAN_MODES: usize = 16;

/// Scale of the strain in a sample by the unit stress in it, the diagonal of E S Eᵀ: λ/(α + λ), a mean over all modes, times the share of a smooth stress that causes flow.
fn mean_response(inertia: f64) -> f64 {
    // Half of all stresses cause flow, of smooth ones more. Iterations are the same from 0.5 to 0.8.
    const SHARE: f64 = 0.7;
    let along = |k: usize| {
        let half = banquise_geometry::math::sin(
            std::f64::consts::PI * (k as f64 + 0.5) / (2 * MEAN_MODES) as f64,
        );
        4.0 * half * half
    };
    let mut sum = 0.0;
    for i in 0..MEAN_MODES {
        for j in 0..MEAN_MODES {
            let eigenvalue = along(i) + along(j);
            sum += eigenvalue / (inertia + eigenvalue);
        }
    }
    SHARE * sum / (MEAN_MODES * MEAN_MODES) as f64
}

impl RigidSystem {
    pub(crate) fn new(
        grid: &Grid,
        regions: &[Region],
        inertia: f64,
        contrast: f64,
        riders: Vec<Rider>,
    ) -> Self {
        let centres = Samples::new(grid, regions, DVec2::splat(0.5));
        let nodes = Samples::new(grid, regions, DVec2::ZERO);
        let mut compliance = centres.compliances(contrast);
        compliance.extend(nodes.compliances(contrast));
        let airy = AiryPreconditioner::new(
            grid,
            (&centres, &nodes),
            compliance.split_at(centres.len()),
            regions.len(),
        );
        let flow = mean_response(inertia);
        let inverse_diagonal: Vec<f64> = compliance.iter().map(|c| 1.0 / (flow + c)).collect();
        let field = vec![0.0; grid.cell_count()];
        let biharmonic = Biharmonic::new(grid, inertia);
        let walls = Walls::new(grid, &biharmonic);
        compliance.resize(compliance.len() + walls.len(), 1.0);
        compliance.extend(riders.iter().flat_map(|rider| rider.compliance));
        Self {
            grid: *grid,
            centres,
            nodes,
            compliance,
            left: vec![0.0; inverse_diagonal.len()],
            inverse_diagonal,
            airy,
            biharmonic,
            walls,
            riders,
            normal: field.clone(),
            shear: field.clone(),
            stream: field,
        }
    }

    /// Bytes of the arrays.
    pub(crate) fn memory(&self) -> usize {
        let fields = 3 * 8 * self.stream.len();
        let samples = 40 * self.compliance.len() + 8 * self.stream.len();
        fields + samples + self.airy.memory() + self.biharmonic.memory()
    }

    /// Number of strain samples in the bodies and on walls.
    pub(crate) fn unknowns(&self) -> usize {
        self.compliance.len()
    }

    /// Values at centres, at nodes, on walls, and of riders.
    fn parts<'a>(&self, values: &'a [f64]) -> [&'a [f64]; 4] {
        let (normal, rest) = values.split_at(self.centres.len());
        let (shear, rest) = rest.split_at(self.nodes.len());
        let (walls, riders) = rest.split_at(self.walls.len());
        [normal, shear, walls, riders]
    }

    /// Inverse of the diagonal, roughly, of the rows of all riders.
    fn rider_scales(&self) -> impl Iterator<Item = f64> + '_ {
        self.riders.iter().flat_map(|rider| {
            let scale = |m: usize| 1.0 / (rider.compliance[m] + rider.mobility[m]);
            [scale(0), scale(1), scale(2)]
        })
    }

    /// Force and torque by which each rider pushes the fluid.
    pub(crate) fn rider_forces(&self, stresses: &Stresses) -> Vec<[f64; 3]> {
        let [_, _, _, ridden] = self.parts(&stresses.value);
        let (forces, _) = ridden.as_chunks();
        forces.to_vec()
    }

    /// Sums of the stresses at centres and at nodes.
    pub(crate) fn stress_sums(&self, stresses: &Stresses) -> [f64; 2] {
        let [normal, shear, ..] = self.parts(&stresses.value);
        [normal, shear].map(|list| list.iter().sum())
    }

    /// Finds the stresses for the curl of the forces, at nodes, and a given strain `(2 D_xx, 2 D_xy)`; `source` becomes the stream function.
    pub(crate) fn solve(
        &mut self,
        source: &mut [f64],
        strain: [f64; 2],
        settings: &SolverSettings,
    ) -> Result<Stresses, FlowError> {
        self.stream.copy_from_slice(source);
        self.clear_walls();
        self.biharmonic.solve(&mut self.stream);
        let mut residual = vec![0.0; self.unknowns()];
        self.strains(&mut residual);
        let split = self.centres.len();
        residual[..split].iter_mut().for_each(|r| *r += strain[0]);
        let end = split + self.nodes.len();
        residual[split..end]
            .iter_mut()
            .for_each(|r| *r += strain[1]);
        let first = end + self.walls.len();
        let before = self.riders.iter().flat_map(|rider| rider.before);
        for (r, before) in residual[first..].iter_mut().zip(before) {
            *r += before;
        }
        let stresses = self.conjugate_gradients(residual, settings)?;
        self.stream.copy_from_slice(source);
        self.add_stress_curl(&stresses.value, -1.0);
        self.clear_walls();
        self.biharmonic.solve(&mut self.stream);
        source.copy_from_slice(&self.stream);
        Ok(stresses)
    }

    fn conjugate_gradients(
        &mut self,
        mut residual: Vec<f64>,
        settings: &SolverSettings,
    ) -> Result<Stresses, FlowError> {
        let n = residual.len();
        let mut value = vec![0.0; n];
        let [mut step, mut image] = [vec![0.0; n], vec![0.0; n]];
        let start = self.scaled_norm(&residual);
        if start == 0.0 {
            return Ok(Stresses {
                value,
                iterations: 0,
                residual: 0.0,
            });
        }
        let mut last = f64::INFINITY;
        let mut conditioned = vec![0.0; n];
        for iteration in 0..=settings.max_iterations {
            let norm = self.scaled_norm(&residual) / start;
            if norm <= settings.tolerance {
                return Ok(Stresses {
                    value,
                    iterations: iteration,
                    residual: norm,
                });
            }
            self.precondition(&residual, &mut conditioned);
            let product = dot(&residual, &conditioned);
            let factor = product / last;
            last = product;
            step.par_chunks_mut(CHUNK)
                .zip(conditioned.par_chunks(CHUNK))
                .for_each(|(step, z)| {
                    step.iter_mut()
                        .zip(z)
                        .for_each(|(p, z)| *p = z + factor * *p);
                });
            self.apply(&step, &mut image);
            let length = product / dot(&step, &image);
            add_multiple(&mut value, length, &step);
            add_multiple(&mut residual, -length, &image);
        }
        Err(FlowError::NotConverged {
            iterations: settings.max_iterations,
            residual: self.scaled_norm(&residual) / start,
        })
    }

    /// Norm of a strain residual, each sample weighted by its covered share.
    fn scaled_norm(&self, residual: &[f64]) -> f64 {
        let [normal, shear, walls, riders] = self.parts(residual);
        let sum = |samples: &Samples, values: &[f64]| {
            let sums: Vec<f64> = samples
                .share
                .par_chunks(CHUNK)
                .zip(values.par_chunks(CHUNK))
                .map(|(share, r)| share.iter().zip(r).map(|(s, r)| s * r * r).sum())
                .collect();
            sums.iter().sum::<f64>()
        };
        let ridden: f64 = riders
            .iter()
            .zip(self.rider_scales())
            .map(|(r, scale)| r * r * scale)
            .sum();
        let walls = dot(walls, walls);
        (sum(&self.centres, normal) + sum(&self.nodes, shear) + walls + ridden).sqrt()
    }

    fn scatter(&mut self, values: &[f64]) {
        let nx = self.grid.cells[0];
        let [normal, shear, ..] = self.parts(values);
        self.centres.scatter(normal, &mut self.normal, nx);
        self.nodes.scatter(shear, &mut self.shear, nx);
    }

    fn precondition(&mut self, residual: &[f64], out: &mut [f64]) {
        let [normal, shear, on_walls, ridden] = self.parts(residual);
        let (out, rest) = out.split_at_mut(normal.len() + shear.len());
        let (walls_out, riders_out) = rest.split_at_mut(on_walls.len());
        for ((out, r), scale) in riders_out.iter_mut().zip(ridden).zip(self.rider_scales()) {
            *out = scale * r;
        }
        self.walls.precondition(on_walls, walls_out);
        let diagonal = self.inverse_diagonal.par_chunks(CHUNK);
        let compliance = self.compliance.par_chunks(CHUNK);
        let residuals = residual.par_chunks(CHUNK);
        out.par_chunks_mut(CHUNK)
            .zip(self.left.par_chunks_mut(CHUNK))
            .zip(residuals)
            .zip(diagonal.zip(compliance))
            .for_each(|(((out, left), r), (diagonal, compliance))| {
                for k in 0..out.len() {
                    out[k] = diagonal[k] * r[k];
                    left[k] = r[k] - compliance[k] * out[k];
                }
            });
        let (left_normal, left_shear) = self.left.split_at(self.centres.len());
        let nx = self.grid.cells[0];
        self.centres.scatter(left_normal, &mut self.normal, nx);
        self.nodes.scatter(left_shear, &mut self.shear, nx);
        let samples = (&self.centres, &self.nodes);
        let fields = (&self.normal[..], &self.shear[..]);
        self.airy.add(&self.grid, samples, fields, out);
    }

    /// (E S Eᵀ + C) τ.
    fn apply(&mut self, stresses: &[f64], out: &mut [f64]) {
        self.stream.fill(0.0);
        self.add_stress_curl(stresses, 1.0);
        self.clear_walls();
        self.biharmonic.solve(&mut self.stream);
        self.strains(out);
        for ((out, tau), c) in out.iter_mut().zip(stresses).zip(&self.compliance) {
            *out += c * tau;
        }
    }

    /// Adds `factor` Eᵀτ at the nodes to the stream function's place.
    fn add_stress_curl(&mut self, stresses: &[f64], factor: f64) {
        self.scatter(stresses);
        let [_, _, on_walls, ridden] = self.parts(stresses);
        self.walls.add_curl(on_walls, factor, &mut self.stream);
        for (rider, force) in self.riders.iter().zip(ridden.chunks_exact(3)) {
            let force = [force[0], force[1], force[2]].map(|component| -factor * component);
            rider.weights.add_curl(&self.grid, force, &mut self.stream);
        }
        let [nx, ny] = self.grid.cells;
        let (a, b) = (&self.normal, &self.shear);
        self.stream
            .par_chunks_mut(nx)
            .enumerate()
            .for_each(|(j, row)| {
                let (here, below, above) = (j * nx, before(j, ny) * nx, after(j, ny) * nx);
                for (i, value) in row.iter_mut().enumerate() {
                    let (left, right) = (before(i, nx), after(i, nx));
                    *value += factor
                        * (2.0 * (a[below + left] - a[here + left] - a[below + i] + a[here + i])
                            + b[above + i]
                            + b[below + i]
                            - b[here + right]
                            - b[here + left]);
                }
            });
    }

    /// Adds the forces of stresses in bodies and on walls, and of riders, on the faces of the grid: what [`RigidSystem::add_stress_curl`] takes the curl of.
    pub(crate) fn add_forces(&mut self, stresses: &Stresses, forces: &mut FaceField) {
        self.scatter(&stresses.value);
        let [_, _, on_walls, ridden] = self.parts(&stresses.value);
        self.walls.add_forces(&self.grid, on_walls, forces);
        for (rider, force) in self.riders.iter().zip(ridden.chunks_exact(3)) {
            rider
                .weights
                .spread([force[0], force[1], force[2]], |is_y, place, force| {
                    if is_y {
                        forces.v[place] += force;
                    } else {
                        forces.u[place] += force;
                    }
                });
        }
        let [nx, ny] = self.grid.cells;
        let (a, b) = (&self.normal, &self.shear);
        for j in 0..ny {
            let (here, below, above) = (j * nx, before(j, ny) * nx, after(j, ny) * nx);
            for i in 0..nx {
                let (left, right) = (before(i, nx), after(i, nx));
                forces.u[here + i] += a[here + i] - a[here + left] + b[above + i] - b[here + i];
                forces.v[here + i] += a[below + i] - a[here + i] + b[here + right] - b[here + i];
            }
        }
    }

    /// Sum of the shear forces of the walls on the fluid.
    pub(crate) fn wall_shear(&self, stresses: &Stresses) -> DVec2 {
        let mut forces = FaceField::zero(&self.grid);
        let [_, _, on_walls, _] = self.parts(&stresses.value);
        self.walls.add_forces(&self.grid, on_walls, &mut forces);
        DVec2::new(forces.u.iter().sum(), forces.v.iter().sum())
    }

    /// At walls the stream function is given, and its equation does not hold.
    fn clear_walls(&mut self) {
        let [nx, _] = self.grid.cells;
        let walls = self.grid.edges.walls();
        if walls[0] {
            self.stream
                .chunks_exact_mut(nx)
                .for_each(|row| row[0] = 0.0);
        }
        if walls[1] {
            self.stream[..nx].fill(0.0);
        }
    }

    /// Strains Eψ at the samples.
    fn strains(&self, out: &mut [f64]) {
        let [nx, ny] = self.grid.cells;
        let psi = &self.stream;
        let (at_centres, rest) = out.split_at_mut(self.centres.len());
        let (at_nodes, rest) = rest.split_at_mut(self.nodes.len());
        let (on_walls, ridden) = rest.split_at_mut(self.walls.len());
        for (rider, out) in self.riders.iter().zip(ridden.chunks_exact_mut(3)) {
            let motion = rider.weights.motion_of(&self.grid, psi);
            out.copy_from_slice(&motion.map(|component| -component));
        }
        self.walls.strains(psi, on_walls);
        at_centres
            .par_chunks_mut(CHUNK)
            .zip(self.centres.place.par_chunks(CHUNK))
            .for_each(|(out, places)| {
                for (value, &place) in out.iter_mut().zip(places) {
                    let (i, j) = (place as usize % nx, place as usize / nx);
                    let (right, above) = (after(i, nx), after(j, ny) * nx);
                    *value = 2.0
                        * (psi[above + right] - psi[j * nx + right] - psi[above + i]
                            + psi[j * nx + i]);
                }
            });
        at_nodes
            .par_chunks_mut(CHUNK)
            .zip(self.nodes.place.par_chunks(CHUNK))
            .for_each(|(out, places)| {
                for (value, &place) in out.iter_mut().zip(places) {
                    let (i, j) = (place as usize % nx, place as usize / nx);
                    *value = psi[after(j, ny) * nx + i] + psi[before(j, ny) * nx + i]
                        - psi[j * nx + after(i, nx)]
                        - psi[j * nx + before(i, nx)];
                }
            });
    }
}
