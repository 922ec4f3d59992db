//! Contact of the fixed-step integrator: velocities that can be kept over a fixed step.
//!
//! A vertex in front of the supporting line through the closest point of another body stays there for a time Δt if
//!
//! ```text
//! D + Δt u − ½ α Δt² ≥ 0
//! ```
//!
//! with D the gap less a margin, u the normal velocity and α the bound of its acceleration (see `safe_time`). Where the
//! current velocities violate such a bound, impulses with friction change them: the contacts of an island are one problem.
//! Where such an impulse makes another candidate violate its bound, that one becomes a contact, and its island is solved
//! again. Bodies that are struck within the step leave with the velocity that restitution gives.

use std::ops::Range;

use banquise_solver::{
    Bound, Effort, ImpactSettings, SolverContext, SolverSettings, push_apart, solve_velocity_bounds,
};
use rayon::prelude::*;

use super::candidate::ContactCandidate;
use super::capture::{Capture, CapturedImpact};
use super::crush::{CrushingStep, SOLUTIONS, list_crushed, solve_squeezed};
use super::island::{Island, SqueezedIsland};
use super::islands::ContactGraph;
use super::load::StepLoads;
use super::log::StepLog;
use super::report::ContactReport;
use super::rules::{
    driven_least, fastest, is_at_rest, is_driven, is_resting, least_velocity, moves_on_path,
};
use super::settings::{ContactSettings, ContactThresholds, Squeeze};
use super::squeeze::{
    Closing, CrushedPair, Surroundings, closing, find_locked, find_squeezed, include_faces,
    passing, thin_out, thin_out_cut,
};
use super::step_bound::acceleration_of;
use super::struck::{BeforeFixedStep, SolvedIsland, book_cracks, left_restitution};
use super::touching::{count_struck, list_struck};
use super::warm_start::{ImpulseRecord, start_impulse};
use super::workspaces::ThreadWorkspaces;
use crate::body::Bodies;
use crate::budget::ContactBudget;
use crate::chunks::SMALL_THINGS;
use crate::contact_state::Touched;
use crate::fracture::{Breaker, Touch};
use crate::id::BodyId;
use crate::motion::Velocity;
use crate::world::World;

/// Scratch buffers of a fixed step.
#[derive(Debug, Clone, Default)]
pub(crate) struct FixedStepScratch {
    /// For each candidate: the bound on its normal velocity, whether it is a contact of the step, whether it became one in
    /// this round, and its impulse so far.
    least: Vec<f64>,
    is_active: Vec<bool>,
    is_new: Vec<bool>,
    impulses: Vec<[f64; 2]>,
    /// Its impulse in the last step.
    warm_starts: Vec<[f64; 2]>,
    graph: ContactGraph,
    /// For each body: the velocity before, and whether it changed in this round.
    before: Vec<Velocity>,
    is_changed: Vec<bool>,
    loads: StepLoads,
    pub(crate) log: StepLog,
    /// Pairs with impulses in this step.
    struck: Vec<(BodyId, Touched)>,
    record: ImpulseRecord,
    /// The islands to solve, as ranges of the contacts of the graph.
    ranges: Vec<Range<usize>>,
    /// Islands of the step, those of the last round, and buffers for others.
    islands: Vec<Island>,
    solved: Vec<Island>,
    spare: Vec<Island>,
    pub(crate) workspaces: ThreadWorkspaces,
    /// Whether islands keep their bodies as they were before.
    captures: bool,
    thresholds: ContactThresholds,
    squeeze: Squeeze,
    /// Length of the step \[s\].
    dt: f64,
    /// Pairs that crush each other until the end of the step.
    pub(crate) crushed: Vec<CrushedPair>,
    /// Squeezed floes without an admissible motion: the step fails.
    pub(crate) squeezed: Option<SqueezedIsland>,
    /// Fracture of the floes that are struck and pressed.
    pub(crate) breaker: Breaker,
    /// Largest restitution of each candidate, where floes broke; else empty.
    restitution_caps: Vec<f64>,
    touches: Vec<Touch>,
}

/// Changes velocities so that they can be kept for `dt` \[s\].
pub(crate) fn solve_fixed_step(
    world: &mut World,
    candidates: &[ContactCandidate],
    dt: f64,
    settings: &ContactSettings,
    scratch: &mut FixedStepScratch,
    captured: &mut Vec<CapturedImpact>,
) -> (ContactBudget, ContactReport) {
    captured.clear();
    scratch.captures = settings.capture != Capture::Nothing;
    scratch.thresholds = settings.thresholds;
    (scratch.squeeze, scratch.dt) = (settings.squeeze, dt);
    scratch.crushed.clear();
    scratch.squeezed = None;
    scratch.log.begin(settings.log.is_some(), world.clock.time);
    let mut report = ContactReport {
        contacts: candidates
            .par_iter()
            .with_min_len(SMALL_THINGS)
            .filter(|candidate| candidate.is_contact())
            .count() as u64,
        ..ContactReport::default()
    };
    scratch.prepare(world, candidates, dt);
    scratch.restitution_caps.clear();
    scratch.solve_rounds(&mut world.bodies, candidates, &settings.solver);
    scratch.islands.sort_unstable_by_key(|island| island.label);
    let spent = if scratch.breaker.is_on() && scratch.squeezed.is_none() {
        scratch.break_floes(world, candidates, dt, &settings.solver)
    } else {
        0.0
    };
    let mut budget = ContactBudget::default();
    scratch.loads.clear();
    report.islands = scratch.islands.len() as u64;
    for island in &scratch.islands {
        if settings.capture.keeps(&island.report) {
            captured.push(island.captured(world.clock, &ImpactSettings::default()));
        }
        report.add_impact(&island.report);
        budget.normal_loss += island.report.normal_loss;
        budget.tangent_loss += island.report.tangent_loss;
        budget.crushing_loss += island.crushing.iter().map(|own| own.energy).sum::<f64>();
        budget.push_gain += island.report.push_gain;
        let impulses = &island.report.impulses;
        scratch.loads.note(island, candidates, impulses, dt);
        let (log, before) = (&mut scratch.log, &scratch.before);
        let ids = world.bodies.ids();
        log.note(ids, island, candidates, impulses, |row| before[row]);
        list_struck(ids, island, candidates, impulses, &mut scratch.struck);
        let thresholds = &settings.thresholds;
        list_crushed(candidates, island, dt, thresholds, &mut scratch.crushed);
        budget.add_fixed(&island.account_of_fixed(impulses));
    }
    let normal_loss = budget.normal_loss;
    book_cracks(&mut budget, spent, normal_loss);
    let (struck, log) = (&mut scratch.struck, &mut scratch.log);
    let separated_gap = settings.thresholds.separated_gap;
    report.collisions = count_struck(world, candidates, separated_gap, struck, log);
    scratch.log.mark_collisions(world.bodies.ids(), candidates);
    scratch.loads.add_to(world);
    scratch.record.clear();
    for &(_, index) in scratch.graph.contacts() {
        let index = index as usize;
        let (candidate, impulse) = (&candidates[index], scratch.impulses[index]);
        scratch.record.add(world.bodies.ids(), candidate, impulse);
    }
    scratch.record.store(&mut world.warm_start);
    (budget, report)
}

impl FixedStepScratch {
    /// Restitution of a candidate: that of its materials, or less where it broke a floe.
    fn restitution_of(&self, index: usize, restitution: f64) -> f64 {
        let cap = self.restitution_caps.get(index);
        cap.map_or(restitution, |&cap| restitution.min(cap))
    }

    /// Decides which floes break under the impulses of the step, and solves it again where that lowers the restitution of their blows. Returns the energy
    /// of the cracks of struck floes \[J\].
    fn break_floes(
        &mut self,
        world: &mut World,
        candidates: &[ContactCandidate],
        dt: f64,
        solver: &SolverSettings,
    ) -> f64 {
        let mut total = 0.0;
        let mut caps = Vec::new();
        let mut touches = std::mem::take(&mut self.touches);
        let islands = std::mem::take(&mut self.islands);
        let start = self.breaker.start();
        let before = BeforeFixedStep {
            bodies: &world.bodies,
            candidates,
            velocities: &self.before,
            impulses: &self.warm_starts,
            thresholds: &self.thresholds,
        };
        for island in &islands {
            let effects = before.effects_on(island);
            let solved = SolvedIsland {
                bodies: &world.bodies,
                candidates,
                island,
                effects: &effects,
                crushing_time: (!island.crushing.is_empty()).then_some(dt),
            };
            let energy = solved.energy();
            let spent = solved.break_floes(&mut self.breaker, &mut touches);
            total += spent;
            let most = if spent > 0.0 {
                left_restitution(spent, energy)
            } else {
                1.0
            };
            let blows = effects.iter().filter(|effect| effect.is_struck);
            let is_lowered = blows.clone().any(|blow| blow.restitution > most);
            for blow in blows {
                let restitution = blow.restitution.min(most);
                self.breaker.report().add_blow(blow.speed, restitution);
            }
            if is_lowered {
                self.breaker.report().lowered += 1;
                caps.resize(candidates.len(), 1.0);
                for &index in &island.candidates {
                    caps[index as usize] = most;
                }
            }
        }
        (self.islands, self.touches) = (islands, touches);
        if !caps.is_empty() {
            for (motion, &before) in world.bodies.motions.iter_mut().zip(&self.before) {
                motion.velocity = before;
            }
            self.prepare(world, candidates, dt);
            self.restitution_caps = caps;
            self.solve_rounds(&mut world.bodies, candidates, solver);
            self.islands.sort_unstable_by_key(|island| island.label);
        }
        self.breaker.end_island(start);
        total
    }

    fn prepare(&mut self, world: &World, candidates: &[ContactCandidate], dt: f64) {
        let bodies = &world.bodies;
        let thresholds = &self.thresholds;
        // Most worlds have no body that moves on a path.
        let has_driven = (0..bodies.len()).any(|row| moves_on_path(bodies, row));
        let least = candidates
            .par_iter()
            .with_min_len(SMALL_THINGS)
            .map(|candidate| {
                let acceleration = acceleration_of(bodies, candidate, dt);
                let least = least_velocity(candidate, acceleration, dt, thresholds);
                let touching_gap = thresholds.event_push_apart_gap * candidate.distance;
                let is_in_touch = candidate.approach.gap < touching_gap;
                if is_in_touch && is_at_rest(candidate.motions(bodies)) {
                    least.min(0.0)
                } else if has_driven && is_driven(bodies, candidate) {
                    driven_least(bodies, candidate, least, dt, thresholds)
                } else {
                    least
                }
            });
        least.collect_into_vec(&mut self.least);
        self.is_active.clear();
        self.is_active.resize(candidates.len(), false);
        self.is_new.clear();
        self.is_new.resize(candidates.len(), false);
        let (last, ids) = (&world.warm_start, world.bodies.ids());
        let impulses = candidates
            .par_iter()
            .with_min_len(SMALL_THINGS)
            .map(|candidate| start_impulse(last, ids, candidate));
        impulses.collect_into_vec(&mut self.impulses);
        self.warm_starts.clone_from(&self.impulses);
        self.graph.reset(bodies.len());
        self.before.clear();
        self.before
            .extend(bodies.motions.iter().map(|motion| motion.velocity));
        self.is_changed.clear();
        self.is_changed.resize(bodies.len(), true);
        self.spare.append(&mut self.islands);
    }

    /// Solves islands until no candidate violates its bound: estimates while the contact set grows, then the solution.
    fn solve_rounds(
        &mut self,
        bodies: &mut Bodies,
        candidates: &[ContactCandidate],
        solver: &SolverSettings,
    ) {
        let tolerance = self.thresholds.bound_tolerance * fastest(bodies);
        let mut effort = Effort::Estimate;
        for _ in 0..self.thresholds.fixed_rounds {
            if self.activate(bodies, candidates, tolerance) {
                self.list_islands(true);
            } else if effort == Effort::Estimate {
                effort = Effort::Solve;
                self.list_islands(false);
            } else {
                break;
            }
            if self.ranges.is_empty() {
                break;
            }
            self.solve_islands(bodies, candidates, solver, effort);
            self.squeezed = self
                .solved
                .iter()
                .find_map(|island| island.squeezed.clone());
            if self.squeezed.is_some() {
                break;
            }
            self.take_over(bodies);
        }
    }

    /// Makes contacts of the candidates that violate their bounds, or had an impulse in the last step. Returns whether
    /// there is any.
    fn activate(
        &mut self,
        bodies: &Bodies,
        candidates: &[ContactCandidate],
        tolerance: f64,
    ) -> bool {
        let (least, is_active, is_changed) = (&self.least, &self.is_active, &self.is_changed);
        let impulses = &self.impulses;
        let is_new = candidates
            .par_iter()
            .enumerate()
            .with_min_len(SMALL_THINGS)
            .map(|(index, candidate)| {
                let may_be = !is_active[index]
                    && (is_changed[candidate.a] || candidate.b.is_some_and(|b| is_changed[b]));
                let velocity = || candidate.normal_velocity(candidate.motions(bodies));
                may_be && (impulses[index][0] > 0.0 || velocity() < least[index] - tolerance)
            });
        is_new.collect_into_vec(&mut self.is_new);
        if self.squeeze.pressure().is_some() {
            include_faces(candidates, &self.is_active, &mut self.is_new);
        }
        let mut any = false;
        for (index, candidate) in candidates.iter().enumerate() {
            if self.is_new[index] {
                any = true;
                self.is_active[index] = true;
                self.graph.add(bodies, candidate, index);
            }
        }
        any
    }

    /// Lists the islands, or those with a contact that is new in this round.
    fn list_islands(&mut self, only_new: bool) {
        self.graph.sort();
        let contacts = self.graph.contacts();
        let has_new = |range: &Range<usize>| {
            let mut island = contacts[range.clone()].iter();
            island.any(|&(_, index)| self.is_new[index as usize])
        };
        self.ranges.clear();
        let islands = self.graph.islands();
        self.ranges
            .extend(islands.filter(|range| !only_new || has_new(range)));
    }

    /// Solves the islands listed.
    fn solve_islands(
        &mut self,
        bodies: &Bodies,
        candidates: &[ContactCandidate],
        solver: &SolverSettings,
        effort: Effort,
    ) {
        let mut solved = std::mem::take(&mut self.solved);
        let spare = self
            .spare
            .drain(self.spare.len().saturating_sub(self.ranges.len())..);
        solved.extend(spare);
        solved.resize_with(self.ranges.len(), Island::with_capacity);
        let solve = |(range, island): (&Range<usize>, &mut Island)| {
            let closing = self.assemble(bodies, candidates, range, island);
            self.workspaces.with(|workspace| {
                let context = SolverContext {
                    settings: solver,
                    workspace,
                };
                let around = Surroundings { bodies, candidates };
                self.solve_island(context, around, closing, effort, island);
            });
        };
        if self.ranges.len() >= self.thresholds.parallel_islands {
            self.ranges.par_iter().zip(&mut solved).for_each(solve);
        } else {
            self.ranges.iter().zip(&mut solved).for_each(solve);
        }
        self.solved = solved;
    }

    /// Solves an island, unless its rigid floes are squeezed and proved to have no admissible motion.
    fn solve_island(
        &self,
        context: SolverContext<'_>,
        around: Surroundings<'_>,
        closing: Option<Closing>,
        effort: Effort,
        island: &mut Island,
    ) {
        let pressure = self.squeeze.pressure();
        let rigid = closing.as_ref().filter(|_| pressure.is_none());
        island.squeezed = rigid.and_then(|own| find_squeezed(context, around, island, own));
        if island.squeezed.is_some() {
            return;
        }
        if let Some((closing, pressure)) = closing.as_ref().zip(pressure) {
            let least: Vec<f64> = island.bounds.iter().map(|bound| bound.least).collect();
            let step = CrushingStep {
                pressure,
                thresholds: &self.thresholds,
                closing,
                time: self.dt,
                solutions: SOLUTIONS,
            };
            solve_squeezed(context, around, island, &step, &least, effort);
            return;
        }
        let closing = closing.or_else(|| passing(&island.problem));
        if effort == Effort::Estimate || !self.settle(context, around.candidates, island) {
            let (problem, bounds) = (&mut island.problem, &island.bounds);
            solve_velocity_bounds(context, problem, bounds, effort, &mut island.report);
            let is_void = context.workspace.is_interrupted();
            if effort == Effort::Solve && rigid.is_none() && !is_void {
                self.push_lost_apart(context, around.candidates, island);
            }
        }
        if effort == Effort::Solve {
            let thresholds = &self.thresholds;
            island.squeezed = closing.and_then(|own| find_locked(around, island, &own, thresholds));
        }
    }

    /// Solves an island some of whose bodies touch without a gap, without pushing any of them apart; where they do not come to rest, they keep
    /// their velocities. Bodies that have no room for a gap, and those at rest, need none.
    fn settle(
        &self,
        context: SolverContext<'_>,
        candidates: &[ContactCandidate],
        island: &mut Island,
    ) -> bool {
        if !island.has_lost_gap(candidates, &self.thresholds) {
            return false;
        }
        let before = island.problem.bodies.clone();
        let bounds: Vec<Bound> = island
            .bounds
            .iter()
            .map(|bound| Bound {
                least: bound.least.min(0.0),
                ..*bound
            })
            .collect();
        let (problem, report) = (&mut island.problem, &mut island.report);
        // Estimates with pushes, for which there is no room, raise the impulses in every step.
        for (contact, &index) in problem.contacts.iter_mut().zip(&island.candidates) {
            contact.start = self.warm_starts[index as usize];
        }
        solve_velocity_bounds(context, problem, &bounds, Effort::Solve, report);
        let is_settled = context.workspace.is_interrupted() || island.settle(&self.thresholds);
        if !is_settled {
            island.problem.bodies = before;
        }
        is_settled
    }

    /// Pushes bodies apart, without friction, that are so close that the step would end at once, where the solution with friction could not: as the
    /// event-driven integrator does.
    fn push_lost_apart(
        &self,
        context: SolverContext<'_>,
        candidates: &[ContactCandidate],
        island: &mut Island,
    ) {
        let Island {
            problem,
            bounds,
            report,
            ..
        } = island;
        let listed = island
            .candidates
            .iter()
            .zip(&problem.contacts)
            .zip(&*bounds);
        let is_lost = listed.into_iter().any(|((&index, contact), bound)| {
            let (candidate, thresholds) = (&candidates[index as usize], &self.thresholds);
            let is_gone = candidate.approach.gap < thresholds.lost_gap * candidate.distance;
            let enough = thresholds.separation_reached_share * bound.least;
            is_gone && bound.least > 0.0 && problem.relative_velocity(contact)[0] < enough
        });
        if !is_lost {
            return;
        }
        let targets: Vec<f64> = bounds.iter().map(|bound| bound.least).collect();
        let mut pushes = Vec::new();
        report.push_gain -= push_apart(context, problem, &targets, &mut pushes);
        for (impulse, push) in report.impulses.iter_mut().zip(pushes) {
            impulse[0] += push[0];
            impulse[1] += push[1];
        }
    }

    /// Assembles the problem of an island from the velocities before; says which of its bodies close on each other.
    fn assemble(
        &self,
        bodies: &Bodies,
        candidates: &[ContactCandidate],
        range: &Range<usize>,
        island: &mut Island,
    ) -> Option<Closing> {
        let contacts = &self.graph.contacts()[range.clone()];
        island.assemble(bodies, candidates, contacts, |row| self.before[row]);
        let around = Surroundings { bodies, candidates };
        thin_out_cut(around, island, &self.thresholds);
        for (position, &index) in island.candidates.iter().enumerate() {
            let (index, candidate) = (index as usize, &candidates[index as usize]);
            let contact = &island.problem.contacts[position];
            let approach = -island.problem.relative_velocity(contact)[0];
            // Every contact of a fixed step may bear a load: it is one because its bound would be violated.
            let bears_load = true;
            let is_struck = candidate.approach.is_contact
                && approach > 0.0
                && !is_resting(bodies, candidate, approach, bears_load, &self.thresholds);
            island.bounds.push(Bound {
                least: self.least[index],
                rebound: if is_struck {
                    self.restitution_of(index, contact.restitution) * approach
                } else {
                    0.0
                },
            });
            island.problem.contacts[position].start = self.impulses[index];
        }
        let crushes = self.squeeze.pressure().is_some();
        let closing = closing(&island.problem, crushes);
        if closing.is_some() {
            island.remove_restitution();
            if crushes {
                thin_out(around, island, 0.0);
            }
        }
        if self.captures {
            island.before.clone_from(&island.problem.bodies);
        }
        closing
    }

    /// Takes over the islands that were solved, and drops those that went into them.
    fn take_over(&mut self, bodies: &mut Bodies) {
        self.is_changed.fill(false);
        for (island, range) in self.solved.iter().zip(&self.ranges) {
            island.write_back(bodies);
            // Those that were taken out of a squeezed island have no impulse.
            for &(_, index) in &self.graph.contacts()[range.clone()] {
                self.impulses[index as usize] = [0.0; 2];
            }
            for (&row, body) in island.rows.iter().zip(&island.problem.bodies) {
                self.is_changed[row as usize] |= body.inv_mass > 0.0;
            }
            for (&index, &impulse) in island.candidates.iter().zip(&island.report.impulses) {
                self.impulses[index as usize] = impulse;
            }
        }
        // The label of an island is a floe in it.
        let gone = |island: &mut Island| self.is_changed[island.label as usize];
        self.spare.extend(self.islands.extract_if(.., gone));
        self.islands.append(&mut self.solved);
    }
}
