//! Non-smooth Gauss–Seidel with an exact solution for each contact, and Newton's method on what the
//! contacts do: the first finds who sticks and who slides, the second how much.

use crate::local::LocalProblem;
use crate::matrix::Matrix;
use crate::residual::scaled_residual;
use crate::single::solve_single;
use crate::states::{impulses_of, states_of};

/// What the iteration reached.
pub(crate) struct Reached {
    pub(crate) impulses: Vec<f64>,
    pub(crate) residual: f64,
    pub(crate) sweeps: usize,
}

/// Sweeps before the first attempt of Newton's method; each later one waits twice as long, for its
/// steps cost the cube of the number of contacts.
const FIRST_SWEEPS: usize = 20;
/// Newton steps of an attempt.
const NEWTON_STEPS: usize = 8;

/// Iterates until the residual is within `tolerance` or the sweeps are spent.
pub(crate) fn gauss_seidel(problem: &LocalProblem, tolerance: f64, max_sweeps: usize) -> Reached {
    let rows = sparse_rows(&problem.delassus);
    let mut impulses = vec![0.0; 2 * problem.contact_count()];
    let mut best = Reached {
        residual: scaled_residual(problem, &impulses),
        impulses: impulses.clone(),
        sweeps: 0,
    };
    let mut sweeps = 0;
    let mut pending = FIRST_SWEEPS;
    while best.residual > tolerance && sweeps < max_sweeps {
        for _ in 0..pending {
            sweep(problem, &rows, &mut impulses);
        }
        sweeps += pending;
        pending = sweeps;
        best.keep_better(problem, &impulses);
        newton(problem, &impulses, tolerance, &mut best);
    }
    best.sweeps = sweeps;
    best
}

impl Reached {
    pub(crate) fn keep_better(&mut self, problem: &LocalProblem, impulses: &[f64]) {
        let residual = scaled_residual(problem, impulses);
        if residual < self.residual {
            self.residual = residual;
            self.impulses = impulses.to_vec();
        }
    }
}

/// Newton's method on the active set from these impulses; keeps the best point met.
pub(crate) fn newton(problem: &LocalProblem, start: &[f64], tolerance: f64, best: &mut Reached) {
    let mut states = states_of(problem, start);
    let mut impulses = start.to_vec();
    for _ in 0..NEWTON_STEPS {
        let Some(next) = impulses_of(problem, &states, &impulses) else {
            return;
        };
        impulses = next;
        best.keep_better(problem, &impulses);
        let next = states_of(problem, &impulses);
        if best.residual <= tolerance || next == states {
            return;
        }
        states = next;
    }
}

/// The entries of each row that are not zero.
pub(crate) fn sparse_rows(matrix: &Matrix) -> Vec<Vec<(usize, f64)>> {
    let mut rows = vec![Vec::new(); matrix.rows()];
    for column in 0..matrix.columns() {
        for (row, &entry) in matrix.column(column).iter().enumerate() {
            if entry != 0.0 {
                rows[row].push((column, entry));
            }
        }
    }
    rows
}

/// Solves each contact in turn with the others as they are.
fn sweep(problem: &LocalProblem, rows: &[Vec<(usize, f64)>], impulses: &mut [f64]) {
    for contact in 0..problem.contact_count() {
        let (n, t) = (2 * contact, 2 * contact + 1);
        let velocity = |equation: usize| {
            let others = rows[equation]
                .iter()
                .filter(|(column, _)| *column != n && *column != t);
            let given: f64 = others
                .map(|&(column, entry)| entry * impulses[column])
                .sum();
            problem.free_velocity[equation] + given
        };
        let block = |row: usize| [problem.delassus.get(row, n), problem.delassus.get(row, t)];
        let (friction, carried) = (problem.friction[contact], problem.carried[contact]);
        let free = [velocity(n), velocity(t)];
        let [normal, tangent] = solve_single([block(n), block(t)], free, friction, carried);
        impulses[n] = normal.max(0.0);
        impulses[t] = tangent;
    }
}
