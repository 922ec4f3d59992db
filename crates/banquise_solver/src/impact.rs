//! The impact law: compression, then decompression by Poisson's restitution, with energy that never grows
//! (Anitescu & Potra 1997; Rabatel 2015, section 1.1.2).

use glam::DVec2;

use crate::cascade::{solve_decompression, solve_warm_started};
use crate::judge::{Asked, judge};
use crate::local::{LocalProblem, Scaling};
use crate::problem::ContactProblem;
use crate::report::{Compression, ImpactReport, count, count_swept};
use crate::sequential::sweep_bodies;
use crate::verdict::APPROACH_TOLERANCE;
use crate::workspace::{PooledVec, SolverContext, with_defaults};

/// Which contacts are solved together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Mode {
    /// All at once: symmetric configurations stay symmetric, and impulses spread at once.
    Simultaneous,
    /// Contacts that approach, round after round until none does. Impulses travel
    /// from contact to contact, and without friction an elastic impact keeps its energy.
    #[default]
    Active,
}

/// Friction cone of the decompression phase.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Cone {
    /// Cone of the whole normal impulse of the phase, restitution included.
    #[default]
    Full,
    /// Cone of the part without restitution alone, the literal reading of Rabatel 2015 (L 927): in random tests
    /// energy grows in one case of twenty, and the fallback must correct it.
    Literal,
}

/// Settings of the impact law.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ImpactSettings {
    /// Which contacts are solved together.
    pub mode: Mode,
    /// Friction cone of the decompression phase.
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

/// Solves the impact: gives the bodies the velocities after it. Uses the default solver settings.
pub fn solve_impact(problem: &mut ContactProblem, settings: &ImpactSettings) -> ImpactReport {
    let mut report = ImpactReport::default();
    with_defaults(|context| solve_impact_into(context, problem, settings, &mut report));
    report
}

/// Like [`solve_impact`], with given solver settings and memory; reuses the buffers of `report`. Where the verdict is `Infeasible`, the bodies keep
/// their velocities and there are no impulses.
pub fn solve_impact_into(
    context: SolverContext<'_>,
    problem: &mut ContactProblem,
    settings: &ImpactSettings,
    report: &mut ImpactReport,
) {
    let before = context.copied(&problem.bodies);
    solve_in_mode(context, problem, settings, report);
    if report.rounds > 0 {
        let asked = Asked {
            before: &before,
            least: &|_| -settings.slack_velocity,
            target: &|_| 0.0,
            approach_tolerance: APPROACH_TOLERANCE,
            has_restitution: problem.contacts.iter().any(|c| c.restitution > 0.0),
            widens_cone: settings.cone == Cone::Full,
        };
        judge(context, problem, &asked, report);
    }
}

/// Solves the impact in the mode of the settings; no rounds where no contact approaches.
fn solve_in_mode(
    context: SolverContext<'_>,
    problem: &mut ContactProblem,
    settings: &ImpactSettings,
    report: &mut ImpactReport,
) {
    let law = &context.settings.impact;
    let count = problem.contacts.len();
    report.reset(count);
    report.slack_velocity = settings.slack_velocity;
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
    // Restarted from the pre-impact velocities, or the result would depend on the order of the rounds made.
    report.gave_up = true;
    problem.bodies.copy_from_slice(&before);
    report.impulses.fill([0.0; 2]);
    report.compression.fill(Compression::default());
    (report.normal_loss, report.tangent_loss) = (0.0, 0.0);
    solve_together(context, problem, &all, settings.cone, report);
}

/// Fastest velocity of a body at a contact \[m/s\], the scale of the rounding errors of relative velocities.
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

/// Contacts with the label of their island, in order. Islands share no body that can move: their problems are
/// independent, and the work grows with the cube of their size.
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

/// Solves compression and decompression of some contacts together.
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
        let phase = &mut report.compression[index];
        let compressed = [compression.impulses[n], compression.impulses[t]];
        phase.impulse[0] += compressed[0];
        phase.impulse[1] += compressed[1];
        phase.energy += 0.5 * compressed[0] * (-local.free_velocity[n]).max(0.0);
        // Work of each part of the impulse, with the mean of the velocities on either side of it.
        report.normal_loss -= 0.5 * total[n] * (local.free_velocity[n] + after[n]);
        report.tangent_loss -= 0.5 * total[t] * (local.free_velocity[t] + after[t]);
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
    /// Total impulses of an impact, from those of its compression. Where Poisson's law would add energy,
    /// the compression is reflected instead if that keeps the bodies apart (specification E-04), and
    /// else the restitution is reduced until energy does not grow; without restitution it never does. Where its problem is
    /// left unsolved, there is no restitution: bodies that do not separate are better than bodies that overlap.
    fn restituted(&self, restitution: &[f64], report: &mut ImpactReport) -> PooledVec<'w, f64> {
        let (context, local) = (self.context, self.local);
        let compression = || context.copied(self.compression);
        // No restitution: a decompression phase would start from rounding errors.
        let restituted = self.compression.iter().step_by(2).zip(restitution);
        if restituted.map(|(impulse, e)| e * impulse).all(|p| p == 0.0) {
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

    /// Growth of energy that rounding may cause \[J\].
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
        let mut restituted = context.with_capacity(restitution.len());
        for (position, &e) in restitution.iter().enumerate() {
            let impulse = e * self.compression[2 * position];
            total[2 * position] += impulse;
            restituted.push(impulse);
        }
        let second = LocalProblem {
            free_velocity: local.velocity(context, &total),
            prior_normal_impulse: match self.cone {
                Cone::Full => restituted,
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
