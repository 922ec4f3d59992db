//! Contact problems with bounds on their normal velocities, as JSON: what a fixed step solves.

use serde_json::{Value, json};

use super::entries::{method_counts, velocities, verdict_of};
use super::{ContactFile, ProblemError, expect, expect_size};
use crate::impact::{ImpactSettings, Mode};
use crate::problem::{Body, ContactProblem};
use crate::report::ImpactReport;
use crate::velocity_bounds::{Bound, Effort, solve_velocity_bounds};
use crate::workspace::with_defaults;

/// The bounds of the contacts; `None` if no contact has one, which makes the problem an impact.
pub(super) fn bounds_from(file: &ContactFile) -> Result<Option<Vec<Bound>>, ProblemError> {
    let has_bound = |entry: &super::ContactEntry| entry.least.is_some() || entry.rebound.is_some();
    if !file.contacts.iter().any(has_bound) {
        return Ok(None);
    }
    let mut bounds = Vec::with_capacity(file.contacts.len());
    for (index, entry) in file.contacts.iter().enumerate() {
        let what = |key: &str| format!("contacts[{index}].{key}");
        let (least, rebound) = (entry.least.unwrap_or(0.0), entry.rebound.unwrap_or(0.0));
        expect_size(|| what("least"), least)?;
        expect_size(|| what("rebound"), rebound)?;
        let what = || what("rebound");
        expect(rebound >= 0.0, what, "zero or positive", rebound)?;
        bounds.push(Bound { least, rebound });
    }
    Ok(Some(bounds))
}

impl ContactProblem {
    /// Writes the problem and its bounds as JSON that reads back exactly.
    pub fn to_json_with_bounds(&self, bounds: &[Bound]) -> String {
        let settings = ImpactSettings {
            mode: Mode::Simultaneous,
            ..ImpactSettings::default()
        };
        let mut file = self.to_file(&settings);
        for (entry, bound) in file.contacts.iter_mut().zip(bounds) {
            entry.least = Some(bound.least);
            entry.rebound = Some(bound.rebound).filter(|&rebound| rebound != 0.0);
        }
        serde_json::to_string(&file).expect("numbers and names can be written")
    }
}

/// Solves a problem with velocity bounds and returns the answer as JSON.
pub fn solve_bounded(before: &ContactProblem, bounds: &[Bound]) -> Value {
    let mut after = before.clone();
    let mut report = ImpactReport::default();
    with_defaults(|context| {
        solve_velocity_bounds(context, &mut after, bounds, Effort::Solve, &mut report);
    });
    bounded_answer(before, &after.bodies, &report)
}

/// The answer to a problem with velocity bounds as JSON.
pub fn bounded_answer(before: &ContactProblem, after: &[Body], report: &ImpactReport) -> Value {
    let mut moved = before.clone();
    moved.bodies = after.to_vec();
    let contacts = moved.contacts.iter();
    let contact_velocities: Vec<[f64; 2]> = contacts.map(|c| moved.relative_velocity(c)).collect();
    let mut answer = json!({
        "method": report.method().name(),
        "velocities": velocities(after),
        "contact_velocities": contact_velocities,
        "impulses": report.impulses,
        "energy_before": before.kinetic_energy(),
        "energy_after": moved.kinetic_energy(),
        "energy_lost_restitution": report.normal_loss,
        "energy_lost_friction": report.tangent_loss,
        "residual": report.residual,
        "methods": method_counts(report),
        "pivots": report.pivots,
        "largest": report.largest,
        "unsolved": report.unsolved,
        "infeasible": report.infeasible,
        "refined": report.refined,
        "reductions": report.reductions,
    });
    verdict_of(report, &mut answer);
    answer
}
