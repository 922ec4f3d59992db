//! Judges a contact problem when all methods have done what they can: solved, infeasible or unsolved.

use crate::certificate::kinematic_certificate;
use crate::problem::{Body, ContactProblem};
use crate::repair::Repair;
use crate::report::ImpactReport;
use crate::verdict::{APPROACH_TOLERANCE, Reason, Verdict, approaches, impact_speed};
use crate::workspace::SolverContext;

/// What was to be solved.
pub(crate) struct Asked<'a> {
    /// The velocities before.
    pub(crate) before: &'a [Body],
    /// The least normal velocity of each contact: what the verdict is about \[m/s\].
    pub(crate) least: &'a dyn Fn(usize) -> f64,
    /// The normal velocity that impulses were to give to each contact, at least \[m/s\].
    pub(crate) target: &'a dyn Fn(usize) -> f64,
    /// Whether there is a decompression phase, and whether what it gives back widens the cone.
    pub(crate) has_restitution: bool,
    pub(crate) widens_cone: bool,
}

/// Gives the verdict. `problem` has the velocities after. Where no velocities keep the bounds, the bodies get back those they had, and the impulses
/// are zero.
pub(crate) fn judge(
    context: SolverContext<'_>,
    problem: &mut ContactProblem,
    asked: &Asked<'_>,
    report: &mut ImpactReport,
) {
    if report.unsolved == 0 && !approaches(problem, asked.before, asked.least, 0.0) {
        return;
    }
    let after = context.copied(&problem.bodies);
    problem.bodies.copy_from_slice(asked.before);
    let speed = impact_speed(problem, asked.target);
    let tolerance = APPROACH_TOLERANCE * speed;
    problem.bodies.copy_from_slice(&after);
    let is_apart = !approaches(problem, asked.before, asked.least, tolerance);
    if report.unsolved == 0 && is_apart {
        return;
    }
    problem.bodies.copy_from_slice(asked.before);
    let bounds = context.collect((0..problem.contacts.len()).map(asked.least));
    if let Some(certificate) = kinematic_certificate(context, problem, &bounds) {
        report.unsolved = report.unsolved.max(1);
        report.infeasible = 1;
        report.verdict = Verdict::Infeasible(certificate);
        report.impulses.fill([0.0; 2]);
        (report.normal_loss, report.tangent_loss) = (0.0, 0.0);
        return;
    }
    let targets = context.collect((0..problem.contacts.len()).map(asked.target));
    let repair = Repair {
        context,
        least: &targets,
        speed,
        has_restitution: asked.has_restitution,
        widens_cone: asked.widens_cone,
    };
    if repair.solve(problem, report) && !approaches(problem, asked.before, asked.least, tolerance) {
        report.unsolved = 0;
        return;
    }
    report.unsolved = report.unsolved.max(1);
    problem.bodies.copy_from_slice(&after);
    report.verdict = Verdict::Unsolved(if is_apart {
        Reason::Residual
    } else {
        Reason::Approach
    });
}
