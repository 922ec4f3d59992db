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
//!
//! A round works with what changes in it: velocities beyond those of p̂, and impulses beyond p̂. The penalty multiplies the rounding of velocities, which would else be that of the whole
//! velocities and leave σ ε of them.

use crate::block_lu::{BlockLu, Pattern};
use crate::blocks::Blocks;
use crate::problem::{Contact, ContactProblem};
use crate::projection_rows::{ProjectionReport, Row, RowState, turns};
use crate::projection_settings::ProjectionSettings;
use crate::records::Block;
use crate::residual::{projection_residual, share_of_loads};
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

/// A point of a round: changes of velocity in it, and what follows from them.
#[derive(Debug, Clone, Default)]
struct Point {
    changes: Vec<f64>,
    impulses: Vec<f64>,
    /// Impulses beyond those of the last round \[N s\].
    added: Vec<f64>,
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
        let mut velocities = self.velocities(&centre);
        let mut best = (self.residual(&centre, &velocities), centre.clone());
        let mut last = best.0;
        let mut point = Point::default();
        let mut penalty = self.settings.first_penalty;
        let mut factors = None;
        for _ in 0..self.settings.rounds {
            if best.0 <= self.settings.target || self.context.must_end() {
                break;
            }
            let rows = self.rows.iter().zip(&centre).zip(&mut velocities);
            for ((row, impulse), velocity) in rows {
                *velocity += row.free + row.compliance * impulse;
            }
            let round = Round {
                newton: self,
                centre: &centre,
                velocities: &velocities,
                penalty,
            };
            point.changes.clear();
            point.changes.resize(self.masses.len(), 0.0);
            round.complete(&mut point);
            report.iterations += round.descend(&mut point, &mut factors);
            centre.copy_from_slice(&point.impulses);
            velocities = self.velocities(&centre);
            let residual = self.residual(&centre, &velocities);
            if residual < best.0 {
                best = (residual, centre.clone());
            }
            if residual > 0.5 * last && best.0 <= self.acceptable(&best.1) {
                break;
            }
            if residual > 0.1 * last {
                let grown = self.settings.penalty_growth * penalty;
                penalty = grown.min(self.settings.last_penalty);
            }
            last = residual;
        }
        report.is_solved = best.0 <= self.acceptable(&best.1);
        report.impulses = best.1;
    }

    /// Residual of a solution: the tolerance, or what rounding can do, up to the tolerance of friction.
    fn acceptable(&self, impulses: &[f64]) -> f64 {
        let least = self.settings.tolerance;
        let most = self.settings.friction_tolerance.max(least);
        self.rounding(impulses).clamp(least, most) / share_of_loads(&self.rows)
    }

    /// Residual that rounding of the impulses alone may leave. Stiff joints pass on impulses that are far larger than what they leave.
    fn rounding(&self, impulses: &[f64]) -> f64 {
        let mut sums = vec![0.0; self.masses.len()];
        for (own, impulse) in self.jacobians.iter().zip(impulses) {
            for (node, along) in own.ends() {
                for (part, along) in along.into_iter().enumerate() {
                    let at = 2 * node + part;
                    sums[at] += (impulse * along).abs() / self.masses[at];
                }
            }
        }
        let largest = self.jacobians.iter().map(|own| {
            let ends = own.ends();
            let ends = ends.map(|(node, along)| {
                along[0].abs() * sums[2 * node] + along[1].abs() * sums[2 * node + 1]
            });
            ends.sum::<f64>()
        });
        let largest = largest.fold(0.0, f64::max);
        let scale = self.rows.iter().map(|row| row.free.abs());
        let scale = scale.fold(f64::MIN_POSITIVE, f64::max);
        self.context.settings.accuracy.rounding_multiple * f64::EPSILON * largest / scale
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
        self.residual(impulses, &self.velocities(impulses))
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

    /// Factors of M + Σ gᵀg/c over the contacts chosen, which give way.
    pub(crate) fn factors_of_joints(
        &self,
        is_joint: impl Fn(usize) -> bool,
    ) -> Option<BlockLu<'_, 'w>> {
        let weight = |row: usize| is_joint(row).then(|| 1.0 / self.rows[row].compliance);
        let matrix = self.weighted_matrix(weight);
        let row_of = |row: usize| matrix.row(row).map(|(column, block)| (column, *block));
        BlockLu::factor(&self.pattern, row_of)
    }

    /// Factors of M + Σ w m gᵀ over the rows that are held, with m the direction in which a unit impulse acts: that of the row and of the friction that slides with it.
    pub(crate) fn factors_of_states(
        &self,
        states: &[RowState],
        weight: impl Fn(usize) -> f64,
    ) -> Option<BlockLu<'_, 'w>> {
        let held = |row: usize| (states[row] == RowState::Held).then(|| weight(row));
        let mut matrix = self.weighted_matrix(held);
        for (row, state) in states.iter().enumerate() {
            let RowState::Slides { of, share } = *state else {
                continue;
            };
            let Some(weight) = held(of) else { continue };
            for (node, left) in self.jacobians[row].ends() {
                for (other, right) in self.jacobians[of].ends() {
                    let place = self.matrix.place(node, other);
                    add_product(&mut matrix.values_mut()[place], share * weight, left, right);
                }
            }
        }
        let row_of = |row: usize| matrix.row(row).map(|(column, block)| (column, *block));
        BlockLu::factor(&self.pattern, row_of)
    }

    /// Gᵀ p.
    pub(crate) fn momenta(&self, impulses: &[f64]) -> Vec<f64> {
        let mut sums = vec![0.0; self.masses.len()];
        self.add_impulses(1.0, impulses, &mut sums);
        sums
    }

    /// The momenta of a unit impulse of one contact.
    pub(crate) fn momentum_of(&self, row: usize) -> Vec<f64> {
        let mut sums = vec![0.0; self.masses.len()];
        for (node, along) in self.jacobians[row].ends() {
            sums[2 * node] += along[0];
            sums[2 * node + 1] += along[1];
        }
        sums
    }

    /// Normal velocity of one contact for changes of velocity.
    pub(crate) fn velocity_of(&self, row: usize, changes: &[f64]) -> f64 {
        self.jacobians[row].of(changes)
    }

    /// M + Σ w gᵀg over the contacts that have a weight w.
    fn weighted_matrix(&self, weight: impl Fn(usize) -> Option<f64>) -> Blocks<'w> {
        let mut matrix = self.matrix.clone();
        for (node, mass) in self.masses.chunks_exact(2).enumerate() {
            *matrix.diagonal_mut(node) = [[mass[0], 0.0], [0.0, mass[1]]];
        }
        let values = matrix.values_mut();
        for (row, (own, places)) in self.jacobians.iter().zip(&self.places).enumerate() {
            let Some(weight) = weight(row) else { continue };
            for (r, (_, left)) in own.ends().enumerate() {
                for (c, (_, right)) in own.ends().enumerate() {
                    add_product(&mut values[places[MOST_NODES * r + c]], weight, left, right);
                }
            }
        }
        matrix
    }

    fn residual(&self, impulses: &[f64], velocities: &[f64]) -> f64 {
        projection_residual(&self.rows, impulses, velocities)
    }

    /// M⁻¹ Gᵀ p.
    fn changes(&self, impulses: &[f64]) -> Vec<f64> {
        let mut changes = self.momenta(impulses);
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

/// A round: the impulses of the last one with the velocities that they leave, and the penalty in units of the effective mass.
struct Round<'a, 'c, 'w> {
    newton: &'a Newton<'w>,
    centre: &'c [f64],
    velocities: &'c [f64],
    penalty: f64,
}

impl<'a, 'w> Round<'a, '_, 'w> {
    /// σ/(1 + σ c) of a contact; σ is infinite for an elastic one.
    fn weight(&self, row: &Row) -> f64 {
        if row.is_elastic {
            return 1.0 / row.compliance;
        }
        let weight = self.penalty / row.inv_mass;
        weight / (1.0 + weight * row.compliance)
    }

    /// Impulses and gradient of a point.
    fn complete(&self, point: &mut Point) {
        let Point {
            changes,
            impulses,
            added,
            gradient,
        } = point;
        let newton = self.newton;
        impulses.clear();
        added.clear();
        let all = newton.rows.iter().zip(&newton.jacobians);
        let all = all.zip(self.centre).zip(self.velocities);
        for (((row, own), &before), velocity) in all {
            let wanted = -self.weight(row) * (velocity + own.of(changes));
            let impulse = row.bounded(before + wanted);
            impulses.push(impulse);
            added.push(if row.is_within(impulse) {
                wanted
            } else {
                impulse - before
            });
        }
        gradient.clear();
        gradient.extend(newton.masses.iter().zip(&*changes).map(|(m, x)| m * x));
        newton.add_impulses(-1.0, added, gradient);
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
                *factors = self.factors(active, factors.take());
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

    /// Factors of the matrix of an active set, from those of another one: few contacts change, and what does not depend on them stays.
    fn factors(&self, active: Vec<bool>, last: Factors<'a, 'w>) -> Factors<'a, 'w> {
        let newton = self.newton;
        let matrix = self.matrix(&active);
        let row_of = |row: usize| matrix.row(row).map(|(column, block)| (column, *block));
        let made = match last {
            Some((set, penalty, mut made)) if penalty == self.penalty => {
                let mut has_changed = newton.context.filled(false, newton.masses.len() / 2);
                for (own, (was, is)) in newton.jacobians.iter().zip(set.iter().zip(&active)) {
                    if was != is {
                        own.ends().for_each(|(node, _)| has_changed[node] = true);
                    }
                }
                made.update(row_of, |node| has_changed[node])?;
                made
            }
            _ => BlockLu::factor(&newton.pattern, row_of)?,
        };
        Some((active, self.penalty, made))
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
        let rows = &self.newton.rows;
        let weight = |row: usize| active[row].then(|| self.weight(&rows[row]));
        self.newton.weighted_matrix(weight)
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
