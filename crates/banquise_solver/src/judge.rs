//! The verdict on a contact problem after all methods: solved, infeasible or unsolved.

use crate::certificate::Certificate;
use crate::kinematic::kinematic_certificate;
use crate::locking::{Found, search};
use crate::problem::{Body, ContactProblem};
use crate::repair::Repair;
use crate::report::{Compression, ImpactReport};
use crate::verdict::{Reason, Verdict, approaches, are_rounding, impact_speed};
use crate::workspace::SolverContext;

/// The problem that was to be solved.
pub(crate) struct Asked<'a> {
    /// The velocities before.
    pub(crate) before: &'a [Body],
    /// Lower bound on the normal velocity of each contact, which the verdict is about \[m/s\].
    pub(crate) least: &'a dyn Fn(usize) -> f64,
    /// The normal velocity that impulses were to give to each contact, at least \[m/s\].
    pub(crate) target: &'a dyn Fn(usize) -> f64,
    /// Approach that a solution may have, as a share of the impact speed.
    pub(crate) approach_tolerance: f64,
    /// Whether there is a decompression phase, and whether its restitution impulse widens the friction cone.
    pub(crate) has_restitution: bool,
    pub(crate) widens_cone: bool,
}

/// Puts the verdict into the report. `problem` has the post-impact velocities. Where no velocities keep the bounds, the pre-impact ones are restored, and the
/// impulses are zero.
pub(crate) fn judge(
    context: SolverContext<'_>,
    problem: &mut ContactProblem,
    asked: &Asked<'_>,
    report: &mut ImpactReport,
) {
    let is_certain = report.unsolved == 0 && !are_rounding(problem, asked.before, &report.impulses);
    if is_certain && !approaches(problem, asked.before, asked.least, 0.0) {
        return;
    }
    let after = context.copied(&problem.bodies);
    problem.bodies.copy_from_slice(asked.before);
    let speed = impact_speed(problem, asked.target);
    let tolerance = asked.approach_tolerance * speed;
    problem.bodies.copy_from_slice(&after);
    let is_apart = !approaches(problem, asked.before, asked.least, tolerance);
    if is_certain && is_apart {
        return;
    }
    problem.bodies.copy_from_slice(asked.before);
    let bounds = context.collect((0..problem.contacts.len()).map(asked.least));
    if let Some(certificate) = kinematic_certificate(context, problem, &bounds) {
        end_infeasible(certificate, report);
        return;
    }
    if report.budget_spent || context.is_interrupted() {
        // No work is left to solve it again.
        let is_locked = closes_on_itself(problem);
        problem.bodies.copy_from_slice(&after);
        report.unsolved = report.unsolved.max(1);
        report.verdict = Verdict::Unsolved(if is_locked {
            Reason::Locked
        } else {
            Reason::Budget
        });
        return;
    }
    let targets = context.collect((0..problem.contacts.len()).map(asked.target));
    let start = problem.clone();
    let mut accepts = |least: &[f64], near: Option<&[f64]>| {
        let repair = Repair {
            context,
            least,
            speed,
            has_restitution: asked.has_restitution,
            widens_cone: asked.widens_cone,
        };
        let (mut trial, mut outcome) = (start.clone(), report.clone());
        let is_solved = repair.solve(&mut trial, near, &mut outcome)
            && !approaches(&trial, asked.before, asked.least, tolerance);
        if is_solved {
            problem.bodies.copy_from_slice(&trial.bodies);
            outcome.unsolved = 0;
            *report = outcome;
        }
        is_solved
    };
    // Where not all targets can be met, the bounds may still be kept.
    // A single contact has a closed form, which twice the digits cannot improve on.
    let may_refine = start.contacts.len() > 1;
    if may_refine && (accepts(&targets, None) || targets != bounds && accepts(&bounds, None)) {
        return;
    }
    let is_locked = closes_on_itself(&start);
    if is_locked && bounds.len() <= context.settings.verdict.locking_contacts {
        match search(context, &start, &bounds, |near| {
            accepts(&bounds, Some(near))
        }) {
            Some(Found::Solution) => return,
            Some(Found::Proof(certificate)) => {
                end_infeasible(certificate, report);
                return;
            }
            None => {}
        }
    }
    report.unsolved = report.unsolved.max(1);
    problem.bodies.copy_from_slice(&after);
    report.verdict = Verdict::Unsolved(if is_locked {
        Reason::Locked
    } else if is_apart {
        Reason::Residual
    } else {
        Reason::Approach
    });
}

/// Ends an infeasible problem without impulses.
fn end_infeasible(certificate: Certificate, report: &mut ImpactReport) {
    report.unsolved = report.unsolved.max(1);
    report.infeasible = 1;
    report.verdict = Verdict::Infeasible(certificate);
    report.impulses.fill([0.0; 2]);
    report.compression.fill(Compression::default());
    (report.normal_loss, report.tangent_loss) = (0.0, 0.0);
}

/// Whether contacts link prescribed bodies that close on each other: the distance falls between two points where prescribed bodies touch one island.
fn closes_on_itself(problem: &ContactProblem) -> bool {
    let is_prescribed = |row: usize| problem.bodies[row].inv_mass == 0.0;
    let groups = groups(problem, &is_prescribed);
    let contacts = problem.contacts.iter();
    let ends = contacts.flat_map(|c| [(c.a, c.b, c.arms[0]), (c.b, c.a, c.arms[1])]);
    let ends = ends.filter(|(row, other, _)| is_prescribed(*row) && !is_prescribed(*other));
    let points: Vec<_> = ends
        .map(|(row, other, arm)| {
            let body = &problem.bodies[row];
            let velocity = body.linear_velocity + body.angular_velocity * arm.perp();
            (groups[other], body.position + arm, velocity)
        })
        .collect();
    points
        .iter()
        .enumerate()
        .any(|(index, (group, at, velocity))| {
            points[..index]
                .iter()
                .any(|(other, other_at, other_velocity)| {
                    other == group && (*at - *other_at).dot(*velocity - *other_velocity) < 0.0
                })
        })
}

/// Island of each body, by its first body; contacts with prescribed bodies do not join islands.
fn groups(problem: &ContactProblem, is_prescribed: &impl Fn(usize) -> bool) -> Vec<usize> {
    let mut parents: Vec<usize> = (0..problem.bodies.len()).collect();
    let root = |parents: &[usize], mut row: usize| {
        while parents[row] != row {
            row = parents[row];
        }
        row
    };
    for contact in &problem.contacts {
        if !is_prescribed(contact.a) && !is_prescribed(contact.b) {
            let (a, b) = (root(&parents, contact.a), root(&parents, contact.b));
            parents[a.max(b)] = a.min(b);
        }
    }
    (0..parents.len()).map(|row| root(&parents, row)).collect()
}
