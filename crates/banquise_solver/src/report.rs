//! Report of a solved contact problem: impulses, verdict, and counts of the work.

use crate::cascade::LocalSolution;
use crate::method::Method;
use crate::sequential::Swept;
use crate::settings::AccuracySettings;
use crate::verdict::Verdict;

/// Compression phase of a contact, over all rounds of an impact.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Compression {
    /// Impulse, normal and tangential [N s].
    pub impulse: [f64; 2],
    /// ½ pₙ|uₙ⁻|, with the approach before each round \[J\]: the kinetic energy that restitution may give back.
    pub energy: f64,
}

/// Report of an impact.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ImpactReport {
    /// Impulse of each contact, normal and tangential, all phases together \[N s\].
    pub impulses: Vec<[f64; 2]>,
    /// Compression phase of each contact of an impact; zero for problems of other kinds.
    pub compression: Vec<Compression>,
    /// Friction problems solved by each method, in the order of [`Method::ALL`].
    pub methods: [u64; Method::ALL.len()],
    /// Pivots of Lemke's method.
    pub pivots: u64,
    /// Rounds of the active mode; 1 for the simultaneous one.
    pub rounds: u64,
    /// Largest number of contacts solved together.
    pub largest: usize,
    /// Largest scaled residual of a friction problem.
    pub residual: f64,
    /// Friction problems left without a solution: relaxed ones, and one at least where the verdict is not `Solved`.
    pub unsolved: u64,
    /// One where the verdict is `Infeasible`, among those unsolved; else zero.
    pub infeasible: u64,
    /// How it ended.
    pub verdict: Verdict,
    /// Whether velocities were solved for in double-double arithmetic: impulses in plain numbers left bodies approaching.
    pub refined: bool,
    /// Approach speed that the settings ignore \[m/s\].
    pub slack_velocity: f64,
    /// Impacts whose energy would have grown, or whose decompression phase was not solved, ended by reflecting the compression.
    pub reflections: u64,
    /// Impacts whose energy would have grown, or whose decompression phase was not solved, ended with less restitution or none.
    pub reductions: u64,
    /// Whether the active mode gave up and all contacts were solved together.
    pub gave_up: bool,
    /// Whether the budget of work or memory was spent: what is left was skipped.
    pub budget_spent: bool,
    /// Kinetic energy lost along the normals \[J\].
    pub normal_loss: f64,
    /// Kinetic energy lost along the tangents \[J\].
    pub tangent_loss: f64,
    /// Kinetic energy gained where bodies too close to each other were pushed apart \[J\].
    pub push_gain: f64,
}

/// Reason to examine an impact.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Suspicion {
    /// A friction problem without a solution within tolerance.
    Unsolved,
    /// A friction problem was left to its convex relaxation.
    Relaxed,
    /// Energy would have grown: restitution was reduced.
    RestitutionReduced,
    /// Energy would have grown: the compression was reflected.
    Reflected,
    /// The active mode gave up.
    ActiveModeGivenUp,
    /// A residual above 1e-9.
    LargeResidual,
}

impl Suspicion {
    /// The name in files.
    pub fn name(self) -> &'static str {
        match self {
            Self::Unsolved => "unsolved",
            Self::Relaxed => "relaxed",
            Self::RestitutionReduced => "restitution_reduced",
            Self::Reflected => "reflected",
            Self::ActiveModeGivenUp => "active_mode_given_up",
            Self::LargeResidual => "large_residual",
        }
    }
}

impl ImpactReport {
    /// Clears the report, for this number of contacts.
    pub(crate) fn reset(&mut self, contacts: usize) {
        let mut impulses = std::mem::take(&mut self.impulses);
        impulses.clear();
        impulses.resize(contacts, [0.0; 2]);
        let mut compression = std::mem::take(&mut self.compression);
        compression.clear();
        compression.resize(contacts, Compression::default());
        *self = Self {
            impulses,
            compression,
            ..Self::default()
        };
    }

    /// All that is suspicious about the impact; most often nothing.
    pub fn suspicions(&self) -> Vec<Suspicion> {
        let relaxed = self.methods[Method::Relaxation as usize] > 0;
        let signs = [
            (self.unsolved > 0, Suspicion::Unsolved),
            (relaxed, Suspicion::Relaxed),
            (self.reductions > 0, Suspicion::RestitutionReduced),
            (self.reflections > 0, Suspicion::Reflected),
            (self.gave_up, Suspicion::ActiveModeGivenUp),
            (
                self.residual > AccuracySettings::DEFAULT.acceptable,
                Suspicion::LargeResidual,
            ),
        ];
        let found = signs.into_iter().filter(|(is_so, _)| *is_so);
        found.map(|(_, suspicion)| suspicion).collect()
    }

    /// The last method, in the order of the policy, that was needed.
    pub fn method(&self) -> Method {
        let used = Method::ALL.into_iter().zip(self.methods);
        let needed = used.rev().find(|(_, count)| *count > 0);
        needed.map_or(Method::Trivial, |(method, _)| method)
    }
}

/// Counts the solution of one friction problem.
pub(crate) fn count(solution: &LocalSolution<'_>, report: &mut ImpactReport) {
    report.methods[solution.method as usize] += 1;
    report.pivots += solution.pivots as u64;
    report.residual = report.residual.max(solution.residual);
    if !solution.is_solved() {
        report.unsolved += 1;
    }
}

/// Counts a problem that is too large for a matrix.
pub(crate) fn count_swept(swept: &Swept<'_>, chosen: &[usize], report: &mut ImpactReport) {
    report.methods[Method::GaussSeidelNewton as usize] += 1;
    report.residual = report.residual.max(swept.residual);
    report.unsolved += 1;
    report.budget_spent = true;
    report.normal_loss += swept.lost[0];
    report.tangent_loss += swept.lost[1];
    for (&index, impulse) in chosen.iter().zip(&swept.impulses) {
        report.impulses[index][0] += impulse[0];
        report.impulses[index][1] += impulse[1];
    }
}
