//! A flow problem with its factors: matrices of all triangles, loads, solutions.

use banquise_geometry::DVec2;

use super::conditions::element_nodes;
use super::element::{ElementMaterial, Geometry, MAX_LOCAL, element_matrix, quadrature, slopes};
use super::field::FlowField;
use super::multifrontal::Factor;
use super::problem::{FlowLoad, Material, Stokes, StokesError};

/// Residual beyond which a solution is refused, relative to the terms that add up to it.
const LARGEST_RESIDUAL: f64 = 1e-9;
/// Improvements of a solution by its residual, at most.
const REFINEMENTS: usize = 6;
/// Compliance of the fluid, relative to 1/viscosity: −δ ∫ p q keeps the constant pressure from being singular, and changes velocities by less than 1e-9.
const COMPLIANCE: f64 = 1e-10;

/// What is left of a bubble: its inverse, and its coupling with the other unknowns of the triangle.
#[derive(Clone, Debug)]
struct Bubble {
    inverse: [[f64; 2]; 2],
    coupling: [[f64; 9]; 2],
}

/// A problem with its factors, for any load.
#[derive(Clone, Debug)]
pub struct FactorisedFlow<'a> {
    problem: &'a Stokes,
    matrices: Vec<f64>,
    bubbles: Vec<Bubble>,
    factor: Factor,
}

impl Stokes {
    /// Factorises for a material.
    ///
    /// # Errors
    /// If the matrix is singular.
    pub fn factorise(&self, material: &Material) -> Result<FactorisedFlow<'_>, StokesError> {
        let n = self.element.local();
        let count = self.mesh.triangles.len();
        let mut matrices = vec![0.0; count * n * n];
        let mut bubbles = Vec::new();
        let softest = material
            .viscosity
            .iter()
            .fold(f64::INFINITY, |a, b| a.min(*b));
        for (triangle, values) in matrices.chunks_exact_mut(n * n).enumerate() {
            let of_element = ElementMaterial {
                viscosity: material.viscosity[triangle],
                inertia: material.inertia[triangle],
                compliance: COMPLIANCE / softest,
            };
            let corners = self.mesh.corners(triangle as u32);
            let whole = element_matrix(self.element, self.geometry, corners, of_element);
            let bubble = (whole.size > n).then(|| {
                if self.unknowns.is_rigid[triangle] {
                    Bubble {
                        inverse: [[0.0; 2]; 2],
                        coupling: [[0.0; 9]; 2],
                    }
                } else {
                    bubble_of(&whole.values, n)
                }
            });
            for i in 0..n {
                for j in 0..n {
                    let mut value = whole.values[i][j];
                    if let Some(bubble) = &bubble {
                        for p in 0..2 {
                            for q in 0..2 {
                                value -= bubble.coupling[p][i]
                                    * bubble.inverse[p][q]
                                    * bubble.coupling[q][j];
                            }
                        }
                    }
                    values[i * n + j] = value;
                }
            }
            bubbles.extend(bubble);
        }
        self.add_slip(material, &mut matrices);
        let factor = Factor::new(&self.analysis, &self.lists, |triangle, out| {
            self.reduce(triangle, &matrices, out);
        })
        .ok_or(StokesError::Singular)?;
        Ok(FactorisedFlow {
            problem: self,
            matrices,
            bubbles,
            factor,
        })
    }
}

fn bubble_of(values: &[[f64; MAX_LOCAL]; MAX_LOCAL], n: usize) -> Bubble {
    let [[a, b], [c, d]] = [0, 1].map(|p| [values[n + p][n], values[n + p][n + 1]]);
    let determinant = a * d - b * c;
    Bubble {
        inverse: [
            [d / determinant, -b / determinant],
            [-c / determinant, a / determinant],
        ],
        coupling: [0, 1].map(|p| std::array::from_fn(|j| values[n + p][j])),
    }
}

/// Local right-hand sides of a triangle: velocities of nodes and pressures, then the bubble.
struct LocalLoad {
    values: [f64; MAX_LOCAL],
    bubble: [f64; 2],
}

impl FactorisedFlow<'_> {
    /// Pivots with the sign of a pressure; as many as there are pressures if the factors are sound.
    pub fn negative_pivots(&self) -> usize {
        self.factor.negative()
    }

    /// Pressures among the unknowns.
    pub fn pressure_count(&self) -> usize {
        let pressures = self.problem.unknowns.is_pressure.iter();
        pressures.filter(|is| **is).count()
    }

    /// uᵀ A u of any velocities: twice the dissipation that the assembled matrices give, bubbles included.
    pub fn energy(&self, field: &FlowField) -> f64 {
        let problem = self.problem;
        let n = problem.element.local();
        let mut sum = 0.0;
        for triangle in 0..problem.mesh.triangles.len() as u32 {
            let (numbers, count) = element_nodes(&problem.mesh, problem.element, triangle);
            let local: Vec<f64> = numbers[..count]
                .iter()
                .flat_map(|k| field.velocity[*k as usize].to_array())
                .collect();
            let values = &self.matrices[triangle as usize * n * n..][..n * n];
            for (row, u) in values.chunks_exact(n).zip(&local) {
                sum += u * row.iter().zip(&local).map(|(a, v)| a * v).sum::<f64>();
            }
            // Elimination took coupling and bubble away: b K b + 2 b k u + k u K⁻¹ k u is what is missing.
            if let (Some(bubble), Some(b)) = (
                self.bubbles.get(triangle as usize),
                field.bubbles.get(triangle as usize),
            ) {
                let coupled = [0, 1].map(|p| {
                    bubble.coupling[p][..2 * count]
                        .iter()
                        .zip(&local)
                        .map(|(k, u)| k * u)
                        .sum::<f64>()
                });
                let [[i, j], [k, l]] = bubble.inverse;
                let determinant = i * l - j * k;
                if determinant != 0.0 {
                    let rest = DVec2::new(
                        b.x + i * coupled[0] + j * coupled[1],
                        b.y + k * coupled[0] + l * coupled[1],
                    );
                    sum += (rest.x * (l * rest.x - j * rest.y)
                        + rest.y * (i * rest.y - k * rest.x))
                        / determinant;
                }
            }
        }
        sum
    }

    fn local_load(&self, triangle: u32, load: &FlowLoad<'_>) -> LocalLoad {
        let problem = self.problem;
        let corners = problem.mesh.corners(triangle);
        let (_, area) = slopes(corners);
        let (nodes, functions) = (problem.element.nodes(), problem.element.functions());
        let mut found = LocalLoad {
            values: [0.0; MAX_LOCAL],
            bubble: [0.0; 2],
        };
        for point in quadrature() {
            let at = corners[0] * point.at[0] + corners[1] * point.at[1] + corners[2] * point.at[2];
            let force = (load.force)(triangle, at);
            if force == DVec2::ZERO {
                continue;
            }
            let radius = match problem.geometry {
                Geometry::Plane => 1.0,
                Geometry::Axisymmetric => at.x,
            };
            let phi = problem.element.values(point.at);
            for (a, value) in phi.into_iter().enumerate().take(functions) {
                let part = force * (area * point.share * radius * value);
                if a < nodes {
                    found.values[2 * a] += part.x;
                    found.values[2 * a + 1] += part.y;
                } else {
                    found.bubble[0] += part.x;
                    found.bubble[1] += part.y;
                }
            }
        }
        found
    }

    /// Finds the flow.
    ///
    /// # Errors
    /// If the residual stays large.
    pub fn solve(&self, load: &FlowLoad<'_>) -> Result<FlowField, StokesError> {
        self.solve_with(load, &[])
    }

    /// Finds the flow with forces and torques on the rigid bodies besides \[N, N m, for each metre of depth or radian\].
    ///
    /// # Errors
    /// If the residual stays large.
    pub fn solve_with(
        &self,
        load: &FlowLoad<'_>,
        wrenches: &[[f64; 3]],
    ) -> Result<FlowField, StokesError> {
        let problem = self.problem;
        let n = problem.element.local();
        let given: Vec<DVec2> = problem
            .nodes
            .iter()
            .zip(&problem.unknowns.is_given)
            .map(|(at, is_given)| {
                if *is_given {
                    (load.velocity)(*at)
                } else {
                    DVec2::ZERO
                }
            })
            .collect();
        let mut right = vec![0.0; problem.unknowns()];
        let mut bubble_loads = Vec::with_capacity(self.bubbles.len());
        for triangle in 0..problem.mesh.triangles.len() as u32 {
            let mut local = self.local_load(triangle, load);
            if let Some(bubble) = self.bubbles.get(triangle as usize) {
                for i in 0..n {
                    for p in 0..2 {
                        for q in 0..2 {
                            local.values[i] -=
                                bubble.coupling[p][i] * bubble.inverse[p][q] * local.bubble[q];
                        }
                    }
                }
                bubble_loads.push(local.bubble);
            }
            self.subtract_given(triangle, &given, &mut local.values);
            self.scatter(triangle, &local.values, f64::from, &mut right);
        }
        for (wrench, own) in wrenches.iter().zip(&problem.unknowns.bodies) {
            for (force, unknown) in wrench.iter().zip(own) {
                if let Some(unknown) = unknown {
                    right[*unknown as usize] += force;
                }
            }
        }
        let (x, residual) = self.refined(&right)?;
        Ok(self.field(&x, &given, &bubble_loads, residual))
    }

    /// Solves, and improves the solution until its residual no longer falls.
    fn refined(&self, right: &[f64]) -> Result<(Vec<f64>, f64), StokesError> {
        let problem = self.problem;
        let norm = |values: &[f64]| values.iter().map(|v| v * v).sum::<f64>().sqrt();
        if norm(right) == 0.0 {
            return Ok((vec![0.0; right.len()], 0.0));
        }
        let mut x = right.to_vec();
        self.factor.solve(&problem.analysis, &mut x);
        // Relative to the size of the terms: with a penalty they are far larger than their sum, and rounding of them is in every residual.
        let judged = |x: &[f64]| {
            let (mut residual, mut terms) = self.apply(x);
            for ((r, t), b) in residual.iter_mut().zip(&mut terms).zip(right) {
                *r = b - *r;
                *t += b.abs();
            }
            let size = norm(&residual) / norm(&terms);
            (residual, size)
        };
        let (mut residual, mut least) = judged(&x);
        for _ in 0..REFINEMENTS {
            if least < 1e-15 {
                break;
            }
            let mut change = residual.clone();
            self.factor.solve(&problem.analysis, &mut change);
            let better: Vec<f64> = x.iter().zip(&change).map(|(a, b)| a + b).collect();
            let (next, found) = judged(&better);
            if found.is_nan() || found > 0.5 * least {
                if found < least {
                    (x, least) = (better, found);
                }
                break;
            }
            (x, residual, least) = (better, next, found);
        }
        if least.is_nan() || least > LARGEST_RESIDUAL {
            return Err(StokesError::Inaccurate {
                residual: least,
                largest: LARGEST_RESIDUAL,
            });
        }
        Ok((x, least))
    }

    /// The matrix times a vector, and the sums of the absolute values of its terms, triangle by triangle: it does not use the factors, and judges them.
    fn apply(&self, x: &[f64]) -> (Vec<f64>, Vec<f64>) {
        let problem = self.problem;
        let n = problem.element.local();
        let (mut out, mut terms) = (vec![0.0; x.len()], vec![0.0; x.len()]);
        for triangle in 0..problem.mesh.triangles.len() as u32 {
            let local = self.gather(triangle, x);
            let values = &self.matrices[triangle as usize * n * n..][..n * n];
            let (mut image, mut sizes) = ([0.0; MAX_LOCAL], [0.0; MAX_LOCAL]);
            for (i, row) in values.chunks_exact(n).enumerate() {
                for (a, b) in row.iter().zip(&local) {
                    image[i] += a * b;
                    sizes[i] += (a * b).abs();
                }
            }
            self.scatter(triangle, &image, f64::from, &mut out);
            self.scatter(triangle, &sizes, f64::abs, &mut terms);
        }
        (out, terms)
    }

    fn gather(&self, triangle: u32, x: &[f64]) -> [f64; MAX_LOCAL] {
        let problem = self.problem;
        let mut local = [0.0; MAX_LOCAL];
        let combinations = problem.combinations(triangle);
        let velocities = combinations.len();
        for (value, parts) in local.iter_mut().zip(combinations) {
            *value = parts.iter().map(|&(u, f)| f * x[u as usize]).sum();
        }
        for (value, corner) in local[velocities..]
            .iter_mut()
            .zip(problem.mesh.triangles[triangle as usize])
        {
            *value = x[problem.unknowns.pressures[corner as usize] as usize];
        }
        local
    }

    fn scatter(
        &self,
        triangle: u32,
        local: &[f64; MAX_LOCAL],
        factor: impl Fn(f64) -> f64,
        out: &mut [f64],
    ) {
        let problem = self.problem;
        let combinations = problem.combinations(triangle);
        let velocities = combinations.len();
        for (value, parts) in local.iter().zip(combinations) {
            for &(u, f) in parts {
                out[u as usize] += factor(f) * value;
            }
        }
        for (value, corner) in local[velocities..]
            .iter()
            .zip(problem.mesh.triangles[triangle as usize])
        {
            out[problem.unknowns.pressures[corner as usize] as usize] += value;
        }
    }

    fn subtract_given(&self, triangle: u32, given: &[DVec2], local: &mut [f64; MAX_LOCAL]) {
        let problem = self.problem;
        let n = problem.element.local();
        let (numbers, count) = element_nodes(&problem.mesh, problem.element, triangle);
        let values = &self.matrices[triangle as usize * n * n..][..n * n];
        for (a, k) in numbers[..count].iter().enumerate() {
            let velocity = given[*k as usize];
            if velocity != DVec2::ZERO {
                for (i, row) in values.chunks_exact(n).enumerate() {
                    local[i] -= row[2 * a] * velocity.x + row[2 * a + 1] * velocity.y;
                }
            }
        }
    }

    fn field(&self, x: &[f64], given: &[DVec2], loads: &[[f64; 2]], residual: f64) -> FlowField {
        let problem = self.problem;
        let sum = |parts: &[(u32, f64)]| parts.iter().map(|&(u, f)| f * x[u as usize]).sum::<f64>();
        let velocity: Vec<DVec2> = problem
            .unknowns
            .velocities
            .iter()
            .zip(given)
            .map(|([u, v], given)| *given + DVec2::new(sum(u), sum(v)))
            .collect();
        let pressure: Vec<f64> = problem
            .unknowns
            .pressures
            .iter()
            .map(|&u| x[u as usize])
            .collect();
        let bubbles = self
            .bubbles
            .iter()
            .zip(loads)
            .enumerate()
            .map(|(triangle, (bubble, load))| {
                let corners = problem.mesh.triangles[triangle];
                let mut rest = *load;
                for (rest, coupling) in rest.iter_mut().zip(&bubble.coupling) {
                    for (a, k) in corners.into_iter().enumerate() {
                        let v = velocity[k as usize];
                        *rest -= coupling[2 * a] * v.x + coupling[2 * a + 1] * v.y;
                        *rest -= coupling[6 + a] * pressure[k as usize];
                    }
                }
                let [[a, b], [c, d]] = bubble.inverse;
                DVec2::new(a * rest[0] + b * rest[1], c * rest[0] + d * rest[1])
            })
            .collect();
        let motion = |unknown: &Option<u32>| unknown.map_or(0.0, |u| x[u as usize]);
        FlowField {
            velocity,
            bubbles,
            pressure,
            motions: problem
                .unknowns
                .bodies
                .iter()
                .map(|own| [motion(&own[0]), motion(&own[1]), motion(&own[2])])
                .collect(),
            residual,
        }
    }
}
