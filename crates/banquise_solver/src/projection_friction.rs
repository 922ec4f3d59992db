//! Friction beside convex bounds. It is no convex bound, but one for given numbers, which follow from the solution: a fixed point, found by iteration.
//!
//! - Contacts that only push ([`Cones`]): impulses within the friction cone of a contact leave the normal velocity μ |uₜ|, which is taken out of the bound (De Saxcé; Acary, Cadoux, Lemaréchal & Malick
//!   2011). The numbers are sliding speeds, which are unique.
//! - Contacts that can be pulled too, or whose friction begins beyond a push: the largest friction follows from the push (Haslinger).

use crate::problem::ContactProblem;
use crate::projection_newton::Newton;
use crate::projection_rows::{BoundKind, ConvexBound, ProjectionReport, Row};
use crate::projection_settings::ProjectionSettings;
use crate::residual::share_of_loads;

/// Sets the bounds of friction from the impulses of the contacts that push.
pub(crate) fn limit_friction(rows: &mut [Row], bounds: &[ConvexBound], impulses: &[f64]) {
    for (row, bound) in rows.iter_mut().zip(bounds) {
        if let BoundKind::Friction {
            of,
            coefficient,
            free,
        } = bound.kind
        {
            row.most_impulse = coefficient * (impulses[of] - free).max(0.0);
            row.least_impulse = -row.most_impulse;
        }
    }
}

/// Friction cones of contacts that only push. Contact and friction are solved as the two edges n ± μ t of the cone, of unit length.
pub(crate) struct Cones {
    /// Contact, friction, and coefficient of each.
    all: Vec<(usize, usize, f64)>,
}

impl Cones {
    pub(crate) fn of(bounds: &[ConvexBound]) -> Self {
        let all = bounds.iter().enumerate().filter_map(|(index, bound)| {
            let BoundKind::Friction {
                of,
                coefficient,
                free,
            } = bound.kind
            else {
                return None;
            };
            let only_pushes = bounds[of].kind == BoundKind::AtLeast;
            (only_pushes && free == 0.0 && coefficient > 0.0).then_some((of, index, coefficient))
        });
        Self { all: all.collect() }
    }

    pub(crate) fn are_there(&self) -> bool {
        !self.all.is_empty()
    }

    /// The problem of the edges, and its bounds.
    pub(crate) fn edges(
        &self,
        problem: &ContactProblem,
        bounds: &[ConvexBound],
    ) -> (ContactProblem, Vec<ConvexBound>) {
        let (mut problem, mut bounds) = (problem.clone(), bounds.to_vec());
        for &(contact, friction, coefficient) in &self.all {
            let length = (1.0 + coefficient * coefficient).sqrt();
            let (first, second) = (problem.contacts[contact], problem.contacts[friction]);
            let tilt = coefficient * second.normal;
            let least = bounds[contact].least / length;
            let starts = [first.start[0], second.start[0] / coefficient];
            for (row, sign) in [(contact, 1.0), (friction, -1.0)] {
                problem.contacts[row].normal = (first.normal + sign * tilt) / length;
                let start = 0.5 * length * (starts[0] + sign * starts[1]);
                problem.contacts[row].start = [start, 0.0];
                bounds[row] = ConvexBound {
                    least,
                    ..ConvexBound::default()
                };
            }
        }
        (problem, bounds)
    }

    /// Turns impulses along the edges into those of contacts and friction.
    pub(crate) fn to_contacts(&self, impulses: &mut [f64]) {
        for &(contact, friction, coefficient) in &self.all {
            let length = (1.0 + coefficient * coefficient).sqrt();
            let (first, second) = (impulses[contact], impulses[friction]);
            impulses[contact] = (first + second) / length;
            impulses[friction] = coefficient * (first - second) / length;
        }
    }

    /// Sets the bounds of the edges from sliding speeds, given the velocities without impulses less the bounds, and those that impulses add.
    fn tilt(&self, rows: &mut [Row], free: &[f64], velocities: &[f64]) {
        for &(contact, friction, _) in &self.all {
            let along = |edge: usize| free[edge] + velocities[edge];
            // The two edges differ by 2 μ uₜ over the length of n + μ t.
            let slide = 0.5 * (along(contact) - along(friction)).abs();
            for edge in [contact, friction] {
                rows[edge].free = free[edge] + slide;
            }
        }
    }
}

/// Whether there is any friction.
pub(crate) fn has_friction(bounds: &[ConvexBound]) -> bool {
    let mut bounds = bounds.iter();
    bounds.any(|bound| matches!(bound.kind, BoundKind::Friction { .. }))
}

/// Repeats the solution until bounds of friction are those that follow from it; the residual is that of the bounds that follow from the last solution. Where it does not fall, bounds of pushes
/// are changed by halves, which ends most cycles. Does nothing where there is no friction.
pub(crate) fn settle_friction(
    newton: &mut Newton<'_>,
    rows: &mut [Row],
    (bounds, cones, free): (&[ConvexBound], &Cones, &[f64]),
    settings: &ProjectionSettings,
    report: &mut ProjectionReport,
) {
    if !cones.are_there() && !has_friction(bounds) {
        return;
    }
    let acceptable = settings.friction_tolerance / share_of_loads(rows);
    let mut best = (f64::INFINITY, Vec::new());
    let mut basis = report.impulses.clone();
    let mut last = f64::INFINITY;
    for _ in 0..settings.friction_rounds {
        let velocities = newton.velocities(&report.impulses);
        cones.tilt(rows, free, &velocities);
        limit_friction(rows, bounds, &report.impulses);
        let residual = newton.residual_of(rows, &report.impulses);
        if residual < best.0 {
            best = (residual, report.impulses.clone());
        }
        let is_stuck = best.0 <= acceptable && residual > 0.5 * last;
        if best.0 <= settings.tolerance || is_stuck || newton.must_end() {
            break;
        }
        let share = if residual > last { 0.5 } else { 1.0 };
        for (own, impulse) in basis.iter_mut().zip(&report.impulses) {
            *own += share * (impulse - *own);
        }
        limit_friction(rows, bounds, &basis);
        let starts = report.impulses.iter().zip(&*rows);
        let starts: Vec<f64> = starts.map(|(&start, row)| row.bounded(start)).collect();
        newton.solve_from(rows, &starts, report);
        last = residual;
    }
    let velocities = newton.velocities(&best.1);
    cones.tilt(rows, free, &velocities);
    limit_friction(rows, bounds, &best.1);
    report.is_solved = best.0 <= acceptable;
    report.impulses = best.1;
}
