//! Projection onto convex bounds by a semismooth Newton method on the augmented Lagrangian.
//!
//! A round finds the changes of velocity X that minimise
//!
//! ```text
//! ½ X·M X + Σ ψ(u),   −ψ' = p = [(p̂ − σ u)/(1 + σ c)],   u = b + G X
//! ```
//!
//! with [·] the nearest impulse within the bounds of the contact, for the impulses p̂ of the last round: a proximal point step of the dual problem (Rockafellar 1976). It is convex and piecewise quadratic: Newton's method with
//! a line search finds the active set in finitely many steps. Its matrix M + Σ σ gᵀg couples bodies that touch, not contacts: it is sparse, and definite
//! however redundant the contacts are.

use crate::block_lu::{BlockLu, Pattern};
use crate::blocks::Blocks;
use crate::problem::{Contact, ContactProblem};
use crate::projection_rows::{ProjectionReport, Row, turns};
use crate::projection_settings::ProjectionSettings;
use crate::records::Block;
use crate::residual::projection_residual;
use crate::workspace::SolverContext;

/// No node: a body that cannot move, or that no contact turns.
const NONE: usize = usize::MAX;
/// Most nodes of a contact: two bodies that move and turn.
const MOST_NODES: usize = 4;

/// The nodes of a contact and the direction of its unit impulse in each.
#[derive(Debug, Clone, Copy)]
struct Jacobian {
    count: usize,
    nodes: [usize; MOST_NODES],
    along: [[f64; 2]; MOST_NODES],
}

impl Jacobian {
    fn push(&mut self, node: usize, along: [f64; 2]) {
        if node != NONE {
            (self.nodes[self.count], self.along[self.count]) = (node, along);
            self.count += 1;
        }
    }

    fn ends(&self) -> impl Iterator<Item = (usize, [f64; 2])> {
        let nodes = self.nodes.into_iter().zip(self.along);
        nodes.take(self.count)
    }

    fn of(&self, changes: &[f64]) -> f64 {
        self.ends()
            .map(|(node, along)| along[0] * changes[2 * node] + along[1] * changes[2 * node + 1])
            .sum()
    }
}

/// A point of a round: changes of velocity, and what follows from them.
#[derive(Debug, Clone, Default)]
struct Point {
    changes: Vec<f64>,
    impulses: Vec<f64>,
    /// Gradient M X − Gᵀ p \[N s\].
    gradient: Vec<f64>,
}

/// Factors of the matrix of an active set, kept as long as it stays.
type Factors<'a, 'w> = Option<(Vec<bool>, f64, BlockLu<'a, 'w>)>;

/// The method, for one problem. A node is a velocity of a body, two numbers: that of its centre, or its rate of turning and a zero.
pub(crate) struct Newton<'w> {
    context: SolverContext<'w>,
    settings: ProjectionSettings,
    rows: Vec<Row>,
    jacobians: Vec<Jacobian>,
    /// Masses of the nodes, two each.
    masses: Vec<f64>,
    /// For each contact, where the blocks of its nodes are in the matrix.
    places: Vec<[usize; MOST_NODES * MOST_NODES]>,
    /// The matrix without its values.
    matrix: Blocks<'w>,
    pattern: Pattern<'w>,
}

impl<'w> Newton<'w> {
    pub(crate) fn new(
        context: SolverContext<'w>,
        problem: &ContactProblem,
        rows: &[Row],
        settings: &ProjectionSettings,
    ) -> Self {
        let (jacobians, masses) = jacobians_of(problem);
        let matrix = matrix_of(&jacobians, masses.len() / 2);
        let places = jacobians.iter().map(|own| places_of(&matrix, own));
        let pattern = Pattern::of(context, &matrix);
        Self {
            context,
            settings: *settings,
            rows: rows.to_vec(),
            places: places.collect(),
            jacobians,
            masses,
            matrix,
            pattern,
        }
    }

    /// Solves the problem from impulses. The report has the best impulses met.
    pub(crate) fn solve(&self, starts: &[f64], report: &mut ProjectionReport) {
        if let ([row], [_]) = (&self.rows[..], starts) {
            // One contact has a closed form.
            report.impulses = vec![row.impulse(row.free, row.inv_mass + row.compliance)];
            report.is_solved = true;
            return;
        }
        let mut centre = starts.to_vec();
        let mut best = (self.residual(&centre), centre.clone());
        let mut last = best.0;
        let mut point = Point::default();
        let mut penalty = self.settings.first_penalty;
        let mut factors = None;
        for _ in 0..self.settings.rounds {
            if best.0 <= self.settings.target || self.context.must_end() {
                break;
            }
            if point.changes.is_empty() {
                point.changes = self.changes(&centre);
            }
            let round = Round {
                newton: self,
                centre: &centre,
                penalty,
            };
            round.complete(&mut point);
            report.iterations += round.descend(&mut point, &mut factors);
            centre.copy_from_slice(&point.impulses);
            let residual = self.residual(&centre);
            if residual < best.0 {
                best = (residual, centre.clone());
            }
            if best.0 <= self.settings.tolerance && residual > 0.5 * last {
                break;
            }
            if residual > 0.1 * last {
                let grown = self.settings.penalty_growth * penalty;
                penalty = grown.min(self.settings.last_penalty);
            }
            last = residual;
        }
        report.is_solved = best.0 <= self.settings.tolerance;
        report.impulses = best.1;
    }

    /// Solves the problem with other rows of the same contacts, from zero.
    pub(crate) fn solve_again(&mut self, rows: &[Row], report: &mut ProjectionReport) {
        // Impulses of a problem without a solution grow without end.
        self.solve_from(rows, &vec![0.0; rows.len()], report);
    }

    /// Solves the problem with other rows of the same contacts, from impulses.
    pub(crate) fn solve_from(
        &mut self,
        rows: &[Row],
        starts: &[f64],
        report: &mut ProjectionReport,
    ) {
        self.rows.copy_from_slice(rows);
        self.solve(starts, report);
    }

    /// Residual of impulses for other rows of the same contacts.
    pub(crate) fn residual_of(&mut self, rows: &[Row], impulses: &[f64]) -> f64 {
        self.rows.copy_from_slice(rows);
        self.residual(impulses)
    }

    /// Whether the budget of work is spent, or the solve is interrupted.
    pub(crate) fn must_end(&self) -> bool {
        self.context.must_end()
    }

    /// Normal velocities that impulses add.
    pub(crate) fn velocities(&self, impulses: &[f64]) -> Vec<f64> {
        let changes = self.changes(impulses);
        let velocities = self.jacobians.iter().map(|own| own.of(&changes));
        velocities.collect()
    }

    fn residual(&self, impulses: &[f64]) -> f64 {
        projection_residual(&self.rows, impulses, &self.velocities(impulses))
    }

    /// M⁻¹ Gᵀ p.
    fn changes(&self, impulses: &[f64]) -> Vec<f64> {
        let mut changes = vec![0.0; self.masses.len()];
        self.add_impulses(1.0, impulses, &mut changes);
        for (change, mass) in changes.iter_mut().zip(&self.masses) {
            *change /= mass;
        }
        changes
    }

    /// Adds a multiple of Gᵀ p.
    fn add_impulses(&self, factor: f64, impulses: &[f64], sums: &mut [f64]) {
        for (own, &impulse) in self.jacobians.iter().zip(impulses) {
            for (node, along) in own.ends() {
                sums[2 * node] += factor * impulse * along[0];
                sums[2 * node + 1] += factor * impulse * along[1];
            }
        }
    }
}

/// A round: the impulses of the last one, and the penalty in units of the effective mass.
struct Round<'a, 'c, 'w> {
    newton: &'a Newton<'w>,
    centre: &'c [f64],
    penalty: f64,
}

impl<'a, 'w> Round<'a, '_, 'w> {
    /// σ/(1 + σ c) of a contact, and σ itself; it is infinite for an elastic one.
    fn weights(&self, row: &Row) -> [f64; 2] {
        if row.is_elastic {
            return [1.0 / row.compliance, f64::INFINITY];
        }
        let weight = self.penalty / row.inv_mass;
        [weight / (1.0 + weight * row.compliance), weight]
    }

    /// Impulses and gradient of a point.
    fn complete(&self, point: &mut Point) {
        let Point {
            changes,
            impulses,
            gradient,
        } = point;
        let newton = self.newton;
        impulses.clear();
        let all = newton.rows.iter().zip(&newton.jacobians).zip(self.centre);
        impulses.extend(all.map(|((row, own), &before)| {
            let (velocity, [share, weight]) = (row.free + own.of(changes), self.weights(row));
            row.bounded(share * (before / weight - velocity))
        }));
        gradient.clear();
        gradient.extend(newton.masses.iter().zip(&*changes).map(|(m, x)| m * x));
        newton.add_impulses(-1.0, impulses, gradient);
        newton.context.spend(60 * newton.rows.len());
    }

    /// Newton's method from a point to the minimum of the round; the number of factorisations and line searches.
    fn descend(&self, point: &mut Point, factors: &mut Factors<'a, 'w>) -> u64 {
        let newton = self.newton;
        let mut trial = Point::default();
        let mut is_whole = false;
        for step in 0..newton.settings.newton_steps {
            let all = newton.rows.iter().zip(&point.impulses);
            let active = all.map(|(row, &impulse)| row.is_within(impulse));
            let active: Vec<bool> = active.collect();
            let is_known = factors
                .as_ref()
                .is_some_and(|(set, penalty, _)| *set == active && *penalty == self.penalty);
            if is_known && is_whole || newton.context.must_end() {
                // A whole step on the piece of this active set led to its minimum, but for rounding, which the next round takes up.
                return step as u64;
            }
            if !is_known {
                let matrix = self.matrix(&active);
                let row_of = |row: usize| matrix.row(row).map(|(column, block)| (column, *block));
                let Some(made) = BlockLu::factor(&newton.pattern, row_of) else {
                    return step as u64;
                };
                *factors = Some((active, self.penalty, made));
            }
            let Some((.., made)) = &*factors else {
                return step as u64;
            };
            let direction = made.solve(&point.gradient);
            is_whole = self.search(point, &direction, &mut trial);
            std::mem::swap(point, &mut trial);
        }
        newton.settings.newton_steps as u64
    }

    /// Goes along −direction until the slope, which is monotone, has fallen to a half, by secants. Leaves the point there in `trial`; says whether the step was whole.
    fn search(&self, point: &Point, direction: &[f64], trial: &mut Point) -> bool {
        /// Secants tried. The slope is piecewise linear with as many pieces as contacts change; two are usual.
        const SECANTS: usize = 30;
        let descent = -dot(&point.gradient, direction);
        let (mut low, mut high) = ((0.0, descent), None::<(f64, f64)>);
        let mut length = 1.0;
        for _ in 0..SECANTS {
            trial.changes.clear();
            let changes = point.changes.iter().zip(direction);
            trial.changes.extend(changes.map(|(x, d)| x - length * d));
            self.complete(trial);
            let slope = -dot(&trial.gradient, direction);
            if slope.abs() <= 0.5 * descent.abs() || (slope < 0.0 && high.is_none()) {
                break;
            }
            if slope < 0.0 {
                low = (length, slope);
            } else {
                high = Some((length, slope));
            }
            let Some(end) = high else { break };
            let share = low.1 / (low.1 - end.1);
            // Not too close to either end, where secants would creep.
            length = low.0 + share.clamp(0.1, 0.9) * (end.0 - low.0);
        }
        high.is_none()
    }

    /// The matrix for an active set.
    fn matrix(&self, active: &[bool]) -> Blocks<'w> {
        let newton = self.newton;
        let mut matrix = newton.matrix.clone();
        for (node, mass) in newton.masses.chunks_exact(2).enumerate() {
            *matrix.diagonal_mut(node) = [[mass[0], 0.0], [0.0, mass[1]]];
        }
        let values = matrix.values_mut();
        let all = newton.rows.iter().zip(&newton.jacobians);
        let all = all.zip(&newton.places).zip(active);
        for (((row, own), places), _) in all.filter(|(_, is_active)| **is_active) {
            let [weight, _] = self.weights(row);
            for (r, (_, left)) in own.ends().enumerate() {
                for (c, (_, right)) in own.ends().enumerate() {
                    add_product(&mut values[places[MOST_NODES * r + c]], weight, left, right);
                }
            }
        }
        matrix
    }
}

fn dot(left: &[f64], right: &[f64]) -> f64 {
    left.iter().zip(right).map(|(x, y)| x * y).sum()
}

fn add_product(block: &mut Block, weight: f64, left: [f64; 2], right: [f64; 2]) {
    for (entries, l) in block.iter_mut().zip(left) {
        for (entry, r) in entries.iter_mut().zip(right) {
            *entry += weight * l * r;
        }
    }
}

/// The nodes of all contacts, and the masses of the nodes.
fn jacobians_of(problem: &ContactProblem) -> (Vec<Jacobian>, Vec<f64>) {
    let mut nodes = vec![[NONE; 2]; problem.bodies.len()];
    let mut masses = Vec::new();
    let add = |masses: &mut Vec<f64>, own: [f64; 2]| {
        masses.extend(own);
        masses.len() / 2 - 1
    };
    let ends = |contact: &Contact| {
        let ends = [contact.a, contact.b].into_iter().zip(contact.arms);
        ends.zip([-1.0, 1.0])
    };
    for contact in &problem.contacts {
        for ((row, arm), _) in ends(contact) {
            let (body, own) = (&problem.bodies[row], &mut nodes[row]);
            if body.inv_mass > 0.0 && own[0] == NONE {
                own[0] = add(&mut masses, [1.0 / body.inv_mass; 2]);
            }
            if body.inv_inertia > 0.0 && own[1] == NONE && turns(problem, contact, row, arm) {
                own[1] = add(&mut masses, [1.0 / body.inv_inertia, 1.0]);
            }
        }
    }
    let jacobians = problem.contacts.iter().map(|contact| {
        let mut own = Jacobian {
            count: 0,
            nodes: [NONE; MOST_NODES],
            along: [[0.0; 2]; MOST_NODES],
        };
        for ((row, arm), sign) in ends(contact) {
            let along = sign * contact.normal;
            own.push(nodes[row][0], along.to_array());
            own.push(nodes[row][1], [arm.perp_dot(along), 0.0]);
        }
        own
    });
    (jacobians.collect(), masses)
}

/// A matrix with the pattern of all contacts, without values.
fn matrix_of(jacobians: &[Jacobian], nodes: usize) -> Blocks<'static> {
    let zero = [[0.0; 2]; 2];
    let pairs = jacobians.iter().flat_map(|own| {
        let rows = own.ends().map(|(row, _)| row);
        rows.flat_map(|row| own.ends().map(move |(column, _)| (row, column, zero)))
    });
    Blocks::from_blocks(nodes, pairs.collect())
}

fn places_of(matrix: &Blocks<'_>, own: &Jacobian) -> [usize; MOST_NODES * MOST_NODES] {
    let mut places = [0; MOST_NODES * MOST_NODES];
    for (r, (row, _)) in own.ends().enumerate() {
        for (c, (column, _)) in own.ends().enumerate() {
            places[MOST_NODES * r + c] = matrix.place(row, column);
        }
    }
    places
}
