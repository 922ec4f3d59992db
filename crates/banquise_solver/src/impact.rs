//! The impact law: compression, decompression by Poisson's restitution, and energy that never grows
//! (Anitescu & Potra 1997; Rabatel 2015, section 1.1.2).

use glam::DVec2;

use crate::cascade::{LocalSolution, Method, solve_decompression, solve_warm_started};
use crate::local::{LocalProblem, Scaling};
use crate::problem::ContactProblem;
use crate::sequential::{Swept, sweep_bodies};
use crate::settings::AccuracySettings;
use crate::workspace::{PooledVec, SolverContext, with_defaults};

/// Which contacts are solved together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Mode {
    /// All at once: symmetric configurations stay symmetric, and impulses spread at once.
    Simultaneous,
    /// Those that approach; then those that approach after that, until none does. Impulses travel
    /// from contact to contact, and without friction an elastic impact keeps its energy.
    #[default]
    Active,
}

/// The cone of friction in decompression.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Cone {
    /// Of the whole normal impulse of the phase, restitution included.
    #[default]
    Full,
    /// Of its extra part alone, as a literal reading of Rabatel 2015 (L 927) has it: in random tests
    /// it lets the energy grow in one case of twenty, and the fallback must mend it.
    Literal,
}

/// How an impact is solved.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ImpactSettings {
    /// Which contacts are solved together.
    pub mode: Mode,
    /// The cone of friction in decompression.
    pub cone: Cone,
    /// A contact that approaches more slowly than this is left alone \[m/s\].
    pub slack_velocity: f64,
}

impl Default for ImpactSettings {
    fn default() -> Self {
        Self {
            mode: Mode::default(),
            cone: Cone::default(),
            slack_velocity: 0.0,
        }
    }
}

/// What happened in an impact.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ImpactReport {
    /// Impulse of each contact, normal and tangential, all phases together \[N s\].
    pub impulses: Vec<[f64; 2]>,
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
    /// Friction problems left with more than the acceptable residual: relaxed ones.
    pub unsolved: u64,
    /// Impacts whose energy would have grown, or whose second phase was not solved: ended by the reflection of compression, or with less
    /// restitution or none.
    pub reflections: u64,
    /// See above.
    pub reductions: u64,
    /// Whether the active mode gave up and all contacts were solved together.
    pub gave_up: bool,
    /// Whether the budget of work or memory was spent: what is left was skipped.
    pub budget_spent: bool,
    /// Kinetic energy lost along the normals and along the tangents \[J\].
    pub normal_loss: f64,
    /// See above.
    pub tangent_loss: f64,
    /// Kinetic energy given where bodies were too close and were made to part \[J\].
    pub push_gain: f64,
}

/// Why somebody may want to look at an impact again.
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
    /// Nothing yet, with this number of contacts.
    pub(crate) fn reset(&mut self, contacts: usize) {
        let mut impulses = std::mem::take(&mut self.impulses);
        impulses.clear();
        impulses.resize(contacts, [0.0; 2]);
        *self = Self {
            impulses,
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

/// Solves the impact: gives the bodies the velocities after it. Uses the default solver settings.
pub fn solve_impact(problem: &mut ContactProblem, settings: &ImpactSettings) -> ImpactReport {
    let mut report = ImpactReport::default();
    with_defaults(|context| solve_impact_into(context, problem, settings, &mut report));
    report
}

/// Like [`solve_impact`], with given solver settings and memory; reuses the buffers of `report`.
pub fn solve_impact_into(
    context: SolverContext<'_>,
    problem: &mut ContactProblem,
    settings: &ImpactSettings,
    report: &mut ImpactReport,
) {
    let law = &context.settings.impact;
    let count = problem.contacts.len();
    report.reset(count);
    context.begin(count);
    let rounding = law.approach_rounding * fastest(problem);
    let threshold = settings.slack_velocity.max(rounding);
    let all = context.collect(0..count);
    if settings.mode == Mode::Simultaneous {
        if !approaching(context, problem, threshold).is_empty() {
            report.rounds = 1;
            solve_together(context, problem, &all, settings.cone, report);
        }
        return;
    }
    let lossless = problem
        .contacts
        .iter()
        .all(|c| c.restitution == 1.0 && c.friction == 0.0);
    let max_turns = if lossless {
        law.lossless_turns_per_contact * count
    } else {
        law.max_turns
    };
    let before = context.copied(&problem.bodies);
    let mut turns = context.filled(0, count);
    loop {
        let active = approaching(context, problem, threshold);
        if active.is_empty() {
            return;
        }
        for &contact in &active {
            turns[contact] += 1;
        }
        if active.iter().any(|&contact| turns[contact] > max_turns) || context.must_end() {
            break;
        }
        report.rounds += 1;
        let labelled = in_separate_groups(context, problem, &active);
        for group in labelled.chunk_by(|x, y| x.0 == y.0) {
            let group = context.collect(group.iter().map(|&(_, contact)| contact));
            solve_together(context, problem, &group, settings.cone, report);
        }
    }
    // From the start again, or the rounds made would leave a trace of their order.
    report.gave_up = true;
    problem.bodies.copy_from_slice(&before);
    report.impulses.fill([0.0; 2]);
    (report.normal_loss, report.tangent_loss) = (0.0, 0.0);
    solve_together(context, problem, &all, settings.cone, report);
}

/// Fastest velocity of a body at a contact \[m/s\]: what rounding of a relative velocity is measured by.
fn fastest(problem: &ContactProblem) -> f64 {
    let speed = |row: usize, arm: DVec2| {
        let body = &problem.bodies[row];
        body.linear_velocity.length() + body.angular_velocity.abs() * arm.length()
    };
    let ends = problem
        .contacts
        .iter()
        .flat_map(|c| [speed(c.a, c.arms[0]), speed(c.b, c.arms[1])]);
    ends.fold(0.0, f64::max)
}

/// The contacts with the label of their group, in order. Groups share no body which can move: the problems of two groups do not
/// know each other, and the work grows with the cube of their size.
fn in_separate_groups<'w>(
    context: SolverContext<'w>,
    problem: &ContactProblem,
    contacts: &[usize],
) -> PooledVec<'w, (usize, usize)> {
    let mut parents = context.collect(0..problem.bodies.len());
    let root = |parents: &[usize], mut body: usize| {
        while parents[body] != body {
            body = parents[body];
        }
        body
    };
    let moves = |body: usize| {
        let body = &problem.bodies[body];
        body.inv_mass > 0.0 || body.inv_inertia > 0.0
    };
    for &contact in contacts {
        let (a, b) = (problem.contacts[contact].a, problem.contacts[contact].b);
        if moves(a) && moves(b) {
            let (a, b) = (root(&parents, a), root(&parents, b));
            parents[a.max(b)] = a.min(b);
        }
    }
    let label = |contact: usize| {
        let (a, b) = (problem.contacts[contact].a, problem.contacts[contact].b);
        root(&parents, if moves(a) { a } else { b })
    };
    let mut labelled = context.collect(contacts.iter().map(|&c| (label(c), c)));
    labelled.sort_unstable();
    labelled
}

/// The contacts whose bodies approach faster than `threshold`.
fn approaching<'w>(
    context: SolverContext<'w>,
    problem: &ContactProblem,
    threshold: f64,
) -> PooledVec<'w, usize> {
    let approaches =
        |&index: &usize| problem.relative_velocity(&problem.contacts[index])[0] < -threshold;
    context.collect((0..problem.contacts.len()).filter(approaches))
}

/// Compression and decompression of some contacts together.
fn solve_together(
    context: SolverContext<'_>,
    problem: &mut ContactProblem,
    chosen: &[usize],
    cone: Cone,
    report: &mut ImpactReport,
) {
    report.largest = report.largest.max(chosen.len());
    if LocalProblem::is_too_large(context, problem, chosen) {
        let swept = sweep_bodies(context, problem, chosen, &[]);
        count_swept(&swept, chosen, report);
        return;
    }
    let local = LocalProblem::of(context, problem, chosen);
    // The impulses of a warm start are those of all contacts together.
    let start = if chosen.len() == problem.contacts.len() {
        context.collect(problem.contacts.iter().flat_map(|c| c.start))
    } else {
        context.empty()
    };
    let compression = solve_warm_started(context, &local, &start);
    count(&compression, report);
    let restitution = chosen
        .iter()
        .map(|&index| problem.contacts[index].restitution);
    let phase = Decompression {
        context,
        local: &local,
        compression: &compression.impulses,
        cone,
    };
    let total = phase.restituted(&context.collect(restitution), report);
    let after = local.velocity(context, &total);
    report.budget_spent |= context.is_budget_spent();
    for (position, &index) in chosen.iter().enumerate() {
        let (n, t) = (2 * position, 2 * position + 1);
        let impulse = [total[n], total[t]];
        problem.apply(index, impulse);
        report.impulses[index][0] += impulse[0];
        report.impulses[index][1] += impulse[1];
        // Work of each part of the impulse, with the mean of the velocities on either side of it.
        report.normal_loss -= 0.5 * total[n] * (local.free_velocity[n] + after[n]);
        report.tangent_loss -= 0.5 * total[t] * (local.free_velocity[t] + after[t]);
    }
}

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

/// The decompression phase of an impact whose compression is solved.
struct Decompression<'a, 'w> {
    context: SolverContext<'w>,
    local: &'a LocalProblem<'w>,
    compression: &'a [f64],
    cone: Cone,
}

impl<'w> Decompression<'_, 'w> {
    /// All impulses of an impact, given those of its compression. Where Poisson's law would add energy,
    /// the compression is reflected instead if that keeps the bodies apart (specification E-04), and
    /// else the restitution is reduced until energy does not grow; without restitution it never does. Where its problem has no
    /// solution that we find, nothing is given back: bodies that do not part are better than bodies that meet.
    fn restituted(&self, restitution: &[f64], report: &mut ImpactReport) -> PooledVec<'w, f64> {
        let (context, local) = (self.context, self.local);
        let compression = || context.copied(self.compression);
        // Nothing is given back: what a second phase would start from is rounding.
        let given_back = self.compression.iter().step_by(2).zip(restitution);
        if given_back.map(|(impulse, e)| e * impulse).all(|p| p == 0.0) {
            return compression();
        }
        let Some(whole) = self.decompressed(restitution, report) else {
            report.reductions += 1;
            return compression();
        };
        if energy_change(context, local, &whole) <= self.allowed_energy() {
            return whole;
        }
        let first = restitution[0];
        if restitution.iter().all(|&e| e == first) {
            let reflected = context.collect(self.compression.iter().map(|p| (1.0 + first) * p));
            let velocity = local.velocity(context, &reflected);
            let sizes = local.free_velocity.iter();
            let scale = sizes.fold(0.0_f64, |max, u| max.max(u.abs()));
            let rounding = context.settings.impact.approach_rounding * scale;
            let stays_apart = velocity.iter().step_by(2).all(|&u| u >= -rounding);
            if stays_apart && energy_change(context, local, &reflected) <= self.allowed_energy() {
                report.reflections += 1;
                return reflected;
            }
        }
        report.reductions += 1;
        self.reduced(restitution, report)
            .unwrap_or_else(compression)
    }

    /// The growth of energy that rounding may cause \[J\].
    fn allowed_energy(&self) -> f64 {
        let rounding = self.context.settings.impact.energy_rounding;
        rounding * energy_scale(self.local, self.compression)
    }

    /// Halves the restitution until energy does not grow.
    fn reduced(
        &self,
        restitution: &[f64],
        report: &mut ImpactReport,
    ) -> Option<PooledVec<'w, f64>> {
        let context = self.context;
        let mut factor = 1.0;
        for _ in 0..context.settings.impact.restitution_halvings {
            factor *= 0.5;
            let smaller = context.collect(restitution.iter().map(|e| factor * e));
            let total = self.decompressed(&smaller, report)?;
            if energy_change(context, self.local, &total) <= self.allowed_energy() {
                return Some(total);
            }
        }
        None
    }

    /// Compression and decompression: λ⁺ = ελᶜ + λ̃, where λ̃ and the friction of the phase solve another
    /// friction problem; none if that is not solved.
    fn decompressed(
        &self,
        restitution: &[f64],
        report: &mut ImpactReport,
    ) -> Option<PooledVec<'w, f64>> {
        let (context, local) = (self.context, self.local);
        let mut total = context.copied(self.compression);
        let mut given_back = context.with_capacity(restitution.len());
        for (position, &e) in restitution.iter().enumerate() {
            let impulse = e * self.compression[2 * position];
            total[2 * position] += impulse;
            given_back.push(impulse);
        }
        let second = LocalProblem {
            free_velocity: local.velocity(context, &total),
            prior_normal_impulse: match self.cone {
                Cone::Full => given_back,
                Cone::Literal => context.filled(0.0, restitution.len()),
            },
            ..local.clone()
        };
        let compression_velocity = Scaling::of(context, local).velocity;
        let solution = solve_decompression(context, &second, compression_velocity);
        if !solution.is_solved() {
            return None;
        }
        count(&solution, report);
        for (sum, impulse) in total.iter_mut().zip(&solution.impulses) {
            *sum += impulse;
        }
        Some(total)
    }
}

/// Change of kinetic energy by impulses: pᵀ(b + ½ W p) \[J\].
pub(crate) fn energy_change(
    context: SolverContext<'_>,
    local: &LocalProblem<'_>,
    impulses: &[f64],
) -> f64 {
    let after = local.velocity(context, impulses);
    let terms = impulses.iter().zip(local.free_velocity.iter().zip(&after));
    terms
        .map(|(p, (before, after))| 0.5 * p * (before + after))
        .sum()
}

/// The size of the terms of an energy change \[J\].
pub(crate) fn energy_scale(local: &LocalProblem<'_>, impulses: &[f64]) -> f64 {
    let terms = impulses.iter().zip(&local.free_velocity);
    terms.map(|(p, b)| (p * b).abs()).sum()
}
