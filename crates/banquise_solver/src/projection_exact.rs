//! Friction beside contacts that push and joints that give way, as one problem with Coulomb's friction.
//!
//! Joints are linear: they are eliminated, with M + Σ gᵀg/c in place of the masses. What is left are contacts in the frames of normals and tangents, for which the methods of contacts with
//! friction are there.

use crate::blocks::Blocks;
use crate::cascade::solve_fixed_step;
use crate::local::LocalProblem;
use crate::projection_newton::Newton;
use crate::projection_rows::{BoundKind, ConvexBound, Row};
use crate::records::Block;
use crate::workspace::SolverContext;

/// A contact that pushes: its row, that of its friction, and the coefficient.
struct Pushing {
    row: usize,
    friction: Option<usize>,
    coefficient: f64,
}

/// The contacts that push; `None` where there are bounds of other kinds than these, their friction, and joints.
fn pushing(bounds: &[ConvexBound]) -> Option<Vec<Pushing>> {
    let mut all: Vec<Option<Pushing>> = Vec::new();
    for (row, bound) in bounds.iter().enumerate() {
        let is_rigid = bound.compliance == 0.0;
        all.push(match bound.kind {
            BoundKind::AtLeast if is_rigid => Some(Pushing {
                row,
                friction: None,
                coefficient: 0.0,
            }),
            BoundKind::Exactly if !is_rigid => None,
            BoundKind::Friction { free: 0.0, .. } => None,
            _ => return None,
        });
    }
    for (row, bound) in bounds.iter().enumerate() {
        if let BoundKind::Friction {
            of, coefficient, ..
        } = bound.kind
        {
            let contact = all[of].as_mut()?;
            (contact.friction, contact.coefficient) = (Some(row), coefficient);
        }
    }
    Some(all.into_iter().flatten().collect())
}

/// Impulses of all rows, found from others; `None` where the problem is too large or of another kind.
pub(crate) fn solve_exactly(
    context: SolverContext<'_>,
    newton: &Newton<'_>,
    (rows, bounds): (&[Row], &[ConvexBound]),
    start: &[f64],
) -> Option<Vec<f64>> {
    let contacts = pushing(bounds)?;
    let is_joint = |row: usize| bounds[row].kind == BoundKind::Exactly;
    let factors = newton.factors_of_joints(is_joint)?;
    // Impulses of the joints for the velocities without contacts.
    let held: Vec<f64> = rows
        .iter()
        .enumerate()
        .map(|(row, own)| {
            if is_joint(row) {
                -own.free / own.compliance
            } else {
                0.0
            }
        })
        .collect();
    let without = factors.solve(&newton.momenta(&held));
    let budget = &context.settings.budget;
    let most = budget.blocks + budget.blocks_per_contact * contacts.len() as f64;
    let mut blocks: Vec<(usize, usize, Block)> = Vec::new();
    for (column, contact) in contacts.iter().enumerate() {
        let changes = [Some(contact.row), contact.friction]
            .map(|row| row.map(|row| factors.solve(&newton.momentum_of(row))));
        for (place, other) in contacts.iter().enumerate() {
            let seen = |direction: usize, row: Option<usize>| match (&changes[direction], row) {
                (Some(changes), Some(row)) => newton.velocity_of(row, changes),
                _ => 0.0,
            };
            let mut block =
                [Some(other.row), other.friction].map(|row| [seen(0, row), seen(1, row)]);
            if place == column && contact.friction.is_none() {
                // Without friction its tangent is not used; a number of its size keeps the scale.
                block[1][1] = block[0][0];
            }
            if block != [[0.0; 2]; 2] {
                blocks.push((place, column, block));
            }
        }
        if blocks.len() as f64 > most || context.must_end() {
            return None;
        }
    }
    let free = |row: usize| rows[row].free + newton.velocity_of(row, &without);
    let local = LocalProblem {
        delassus: Blocks::from_blocks(contacts.len(), blocks),
        free_velocity: context.collect(
            contacts
                .iter()
                .flat_map(|own| [free(own.row), own.friction.map_or(0.0, free)]),
        ),
        friction: context.collect(contacts.iter().map(|own| own.coefficient)),
        prior_normal_impulse: context.filled(0.0, contacts.len()),
    };
    let starts: Vec<f64> = contacts
        .iter()
        .flat_map(|own| [start[own.row], own.friction.map_or(0.0, |row| start[row])])
        .collect();
    let found = solve_fixed_step(context, &local, &starts);
    let mut impulses = vec![0.0; rows.len()];
    for (own, pair) in contacts.iter().zip(found.impulses.chunks_exact(2)) {
        impulses[own.row] = pair[0];
        if let Some(row) = own.friction {
            impulses[row] = pair[1];
        }
    }
    let all: Vec<f64> = impulses
        .iter()
        .zip(&held)
        .map(|(p, held)| p + held)
        .collect();
    let changes = factors.solve(&newton.momenta(&all));
    for (row, own) in rows.iter().enumerate().filter(|(row, _)| is_joint(*row)) {
        impulses[row] = -(own.free + newton.velocity_of(row, &changes)) / own.compliance;
    }
    Some(impulses)
}
