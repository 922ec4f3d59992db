//! Gluey contacts of discs: those that were pushed together part only when they were pulled as much (Lefebvre 2007, algorithms 4.2 and 5.1).

use std::collections::BTreeMap;

use banquise_solver::{
    BoundKind, ConvexBound, ProjectionReport, ProjectionSettings, SolverContext, SolverSettings,
    SolverWorkspace, project_velocities,
};

use crate::FlowError;
use crate::contacts::{ContactBody, Projection, contact_problem};
use crate::grid::Grid;
use crate::numbers::Numbers;

/// Impulses by which pairs were pushed together, γ/R of the source, at most zero: by disc and disc, or disc and wall.
#[derive(Debug, Clone, Default)]
pub(crate) struct Memories(BTreeMap<(usize, usize), f64>);

impl Memories {
    /// Pairs that stick.
    pub(crate) fn sticking(&self) -> usize {
        self.0.values().filter(|memory| **memory < 0.0).count()
    }

    /// Appends number, pairs and impulses.
    pub(crate) fn put(&self, out: &mut Vec<f64>) {
        out.push(self.0.len() as f64);
        for (&(a, b), &memory) in &self.0 {
            out.extend([a as f64, b as f64, memory]);
        }
    }

    /// Reads what [`put`](Self::put) appended.
    pub(crate) fn take(numbers: &mut Numbers<'_>) -> Result<Self, FlowError> {
        let count = numbers.count()?;
        let memories = (0..count).map(|_| {
            let [a, b, memory] = [numbers.one()?, numbers.one()?, numbers.one()?];
            Ok(((a as usize, b as usize), memory))
        });
        memories.collect::<Result<_, _>>().map(Self)
    }
}

/// Nearest velocities, weighted by mass, with which gaps stay at least `least` over a step, and are `least` for pairs that stick.
pub(crate) fn project_gluey(
    grid: &Grid,
    discs: &[ContactBody<'_>],
    least: f64,
    dt: f64,
    memories: &mut Memories,
) -> Projection {
    let (mut problem, keys) = contact_problem(grid, discs, least, dt);
    let bounds: Vec<ConvexBound> = problem
        .contacts
        .iter()
        .zip(&keys)
        .map(|(contact, key)| ConvexBound {
            least: (least - contact.gap) / dt,
            kind: match memories.0.get(key) {
                Some(memory) if *memory < 0.0 => BoundKind::ExactlyUpTo(-memory),
                _ => BoundKind::AtLeast,
            },
            compliance: 0.0,
        })
        .collect();
    let mut report = ProjectionReport::default();
    let mut is_solved = true;
    if !problem.contacts.is_empty() {
        let workspace = SolverWorkspace::default();
        let context = SolverContext {
            settings: &SolverSettings::DEFAULT,
            workspace: &workspace,
        };
        project_velocities(
            context,
            &mut problem,
            &bounds,
            &ProjectionSettings::DEFAULT,
            &mut report,
        );
        is_solved = report.is_solved;
    }
    // What is no longer within reach parted before: its memory is used up.
    let kept = keys
        .iter()
        .zip(&report.impulses)
        .filter_map(|(key, impulse)| {
            let before = memories.0.get(key).copied().unwrap_or(0.0);
            let memory = (before - impulse).min(0.0);
            (memory < 0.0).then_some((*key, memory))
        });
    let next: BTreeMap<(usize, usize), f64> = kept.collect();
    memories.0 = next;
    Projection::of(&problem, discs.len(), is_solved)
}
