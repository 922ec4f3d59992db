//! Impacts of the event-driven integrator: contacts grouped into islands, each solved on its own.

use banquise_solver::{Effort, Mode, SolverContext, push_apart, solve_impact_into};

use super::candidate::ContactCandidate;
use super::capture::{Capture, CapturedImpact};
use super::crush::{CrushingStep, list_crushed, solve_squeezed};
use super::island::{Island, SqueezedIsland};
use super::islands::ContactGraph;
use super::load::StepLoads;
use super::log::StepLog;
use super::pair::Pair;
use super::report::ContactReport;
use super::rules::{event_separation_velocity, is_at_rest, is_resting};
use super::settings::{ContactSettings, ContactThresholds, CrushingPressure};
use super::squeeze::{
    Closing, CrushedPair, Surroundings, closing, find_locked, find_squeezed, passing, thin_out,
    thin_out_cut,
};
use super::struck::{
    ContactEffect, SolvedIsland, book_cracks, leave_rounding_out, left_restitution,
};
use super::touching::count_collisions;
use super::warm_start::{ImpulseRecord, find_loaded, start_impulse};
use super::workspaces::Workspace;
use crate::body::Bodies;
use crate::budget::ContactBudget;
use crate::contact_state::ContactKey;
use crate::fracture::{Breaker, Touch};
use crate::world::World;

/// Scratch buffers for impacts.
#[derive(Debug, Clone, Default)]
pub(crate) struct CollideScratch {
    graph: ContactGraph,
    island: Island,
    pub(crate) workspace: Workspace,
    /// Separation velocities of contacts that are too close, and the impulses that give them.
    targets: Vec<f64>,
    pushes: Vec<[f64; 2]>,
    /// Which floes bore a load in the last step.
    is_loaded: Vec<bool>,
    impulses: ImpulseRecord,
    loads: StepLoads,
    pub(crate) log: StepLog,
    /// Solutions at most of contacts that crush.
    pub(crate) solutions: usize,
    /// Pairs that crush each other until the end of the step.
    pub(crate) crushed: Vec<CrushedPair>,
    /// Which bodies are in squeezed islands whose ice is crushed until the end of the step; empty where none is.
    pub(crate) is_held: Vec<bool>,
    /// Set where a squeezed island was found within a step that may end there: it is not solved.
    pub(crate) must_end: bool,
    /// Squeezed floes without an admissible motion: the step fails.
    pub(crate) squeezed: Option<SqueezedIsland>,
    /// Contact problems of the step, where they are asked for.
    pub(crate) captured: Vec<CapturedImpact>,
    /// Fracture of the floes that are struck and pressed.
    pub(crate) breaker: Breaker,
    /// What happens at the contacts of an island, where floes can break.
    effects: Vec<ContactEffect>,
    touches: Vec<Touch>,
}

/// How the contacts of an island move.
struct Movement {
    contacts: usize,
    /// Contacts whose bodies approach, and those of them that are at rest under forces.
    approaching: usize,
    resting: usize,
    /// Whether bodies are so close that they must be pushed apart.
    is_too_close: bool,
    /// Kinematic bodies that close on each other: the island is squeezed.
    closing: Option<Closing>,
    /// Time for which its contacts were solved \[s\], where they crush ice and floes can break.
    crushing_time: Option<f64>,
}

impl Movement {
    fn has_impact(&self) -> bool {
        self.approaching > 0
    }

    /// Whether all that approach are at rest against each other under forces.
    fn all_resting(&self) -> bool {
        self.resting == self.approaching
    }

    /// Whether most of many contacts are: then an impact is solved with all contacts at once.
    fn is_jammed(&self, thresholds: &ContactThresholds) -> bool {
        self.contacts > thresholds.jam_contacts && 2 * self.resting > self.approaching
    }
}

/// Solves all impacts for the post-impact velocities of floes. Contacts that crush are solved for the next `time` \[s\].
pub(crate) fn collide(
    world: &mut World,
    candidates: &[ContactCandidate],
    time: f64,
    settings: &ContactSettings,
    scratch: &mut CollideScratch,
) -> (ContactBudget, ContactReport) {
    scratch.captured.clear();
    scratch.crushed.clear();
    scratch.is_held.clear();
    scratch.squeezed = None;
    scratch.impulses.clear();
    find_loaded(&world.warm_start, &world.bodies, &mut scratch.is_loaded);
    let separated_gap = settings.thresholds.separated_gap;
    scratch.log.begin(settings.log.is_some(), world.clock.time);
    let collisions = count_collisions(world, candidates, separated_gap, &mut scratch.log);
    let (budget, mut report) = collide_islands(world, candidates, time, false, settings, scratch);
    report.collisions = collisions;
    scratch.log.mark_collisions(world.bodies.ids(), candidates);
    (budget, report)
}

/// Solves the impacts among the candidates, and the contacts of squeezed floes for the next `time` \[s\]; where the step may end here instead, it must end
/// if ice would be crushed.
pub(crate) fn collide_islands(
    world: &mut World,
    candidates: &[ContactCandidate],
    time: f64,
    may_end: bool,
    settings: &ContactSettings,
    scratch: &mut CollideScratch,
) -> (ContactBudget, ContactReport) {
    let mut budget = ContactBudget::default();
    let mut report = ContactReport::default();
    scratch.must_end = false;
    let mut graph = std::mem::take(&mut scratch.graph);
    let mut island = std::mem::take(&mut scratch.island);
    graph.reset(world.bodies.len());
    for (index, candidate) in candidates.iter().enumerate() {
        if candidate.is_contact() {
            graph.add(&world.bodies, candidate, index);
        }
    }
    graph.sort();
    report.contacts = graph.contacts().len() as u64;
    scratch.loads.clear();
    for range in graph.islands() {
        report.islands += 1;
        let contacts = &graph.contacts()[range];
        let mut movement = scratch.movement(&world.bodies, candidates, contacts, settings);
        if !movement.has_impact() && !movement.is_too_close {
            continue;
        }
        let bodies = &world.bodies;
        island.assemble(bodies, candidates, contacts, |row| {
            bodies.motions[row].velocity
        });
        let around = Surroundings { bodies, candidates };
        thin_out_cut(around, &mut island, &settings.thresholds);
        scratch.prepare(
            world,
            candidates,
            &movement,
            &settings.thresholds,
            &mut island,
        );
        let pressure = settings.squeeze.pressure();
        movement.closing = closing(&island.problem, pressure.is_some());
        if movement.closing.is_some() {
            island.remove_restitution();
        }
        let around = Surroundings {
            bodies: &world.bodies,
            candidates,
        };
        let crush = movement.closing.zip(pressure);
        if may_end && crush.is_some() {
            scratch.must_end = true;
            continue;
        }
        let mut spent = 0.0;
        if let Some((closing, pressure)) = crush {
            scratch.crush(around, (pressure, &closing, time), settings, &mut island);
            if settings.capture.keeps(&island.report) {
                let captured = island.captured(world.clock, &settings.impact());
                scratch.captured.push(captured);
            }
        } else if movement.has_impact() {
            scratch.solve_rigid(world, around, &movement, settings, &mut island);
            if scratch.squeezed.is_some() {
                break;
            }
        }
        let has_impulses = movement.has_impact() || crush.is_some();
        if scratch.breaker.is_on() && has_impulses {
            movement.crushing_time = crush.map(|_| time);
            spent = scratch.break_floes(world, candidates, &movement, settings, &mut island);
        }
        if has_impulses {
            report.add_impact(&island.report);
            report.pressed += u64::from(movement.all_resting());
            budget.normal_loss += island.report.normal_loss;
            budget.tangent_loss += island.report.tangent_loss;
            book_cracks(&mut budget, spent, island.report.normal_loss);
            budget.crushing_loss += island.crushing.iter().map(|own| own.energy).sum::<f64>();
            scratch.note_impulses(world, candidates, &island, time);
            budget.add_fixed(&island.account_of_fixed(&island.report.impulses));
        }
        let thresholds = &settings.thresholds;
        let is_settled = movement.has_impact()
            && island.has_lost_gap(candidates, thresholds)
            && island.settle(thresholds);
        if movement.is_too_close
            && !is_settled
            && crush.is_none()
            && let Some(loss) = scratch.push_apart(&mut island, candidates, settings)
        {
            report.pushed_apart += 1;
            budget.push_gain -= loss;
            scratch
                .loads
                .note(&island, candidates, &scratch.pushes, time);
            budget.add_fixed(&island.account_of_fixed(&scratch.pushes));
        }
        island.write_back(&mut world.bodies);
    }
    scratch.loads.add_to(world);
    (scratch.graph, scratch.island) = (graph, island);
    (budget, report)
}

impl CollideScratch {
    /// Adds the impulses of a solved island to loads, log and warm start, before its velocities are written back.
    fn note_impulses(
        &mut self,
        world: &World,
        candidates: &[ContactCandidate],
        island: &Island,
        time: f64,
    ) {
        let (bodies, impulses) = (&world.bodies, &island.report.impulses);
        self.loads.note(island, candidates, impulses, time);
        let velocity_of = |row: usize| bodies.motions[row].velocity;
        self.log
            .note(bodies.ids(), island, candidates, impulses, velocity_of);
        for (&index, &impulse) in island.candidates.iter().zip(impulses) {
            self.impulses
                .add(bodies.ids(), &candidates[index as usize], impulse);
        }
    }

    /// Whether a pair is being crushed until the end of the step.
    pub(crate) fn is_crushed(&self, pair: &Pair) -> bool {
        let mut crushed = self.crushed.iter();
        crushed.any(|known| known.is_of(pair.a, pair.b, pair.offset))
    }

    /// Pushes the bodies of an island apart where they are too close, if they do not separate already; returns the kinetic
    /// energy lost.
    fn push_apart(
        &mut self,
        island: &mut Island,
        candidates: &[ContactCandidate],
        settings: &ContactSettings,
    ) -> Option<f64> {
        let thresholds = &settings.thresholds;
        let listed = island.candidates.iter();
        self.targets.clear();
        self.targets.extend(
            listed.map(|&index| event_separation_velocity(&candidates[index as usize], thresholds)),
        );
        let problem = &mut island.problem;
        let mut contacts = problem.contacts.iter().zip(&self.targets);
        let is_slow = contacts.any(|(contact, &target)| {
            // Post-impact velocities have rounding errors; a push for these would be a push at every step.
            let enough = thresholds.separation_reached_share * target;
            target > 0.0 && problem.relative_velocity(contact)[0] < enough
        });
        let context = SolverContext {
            settings: &settings.solver,
            workspace: self.workspace.get(),
        };
        is_slow.then(|| push_apart(context, problem, &self.targets, &mut self.pushes))
    }

    /// Movement of the contacts of an island, given as (label, candidate).
    fn movement(
        &self,
        bodies: &Bodies,
        candidates: &[ContactCandidate],
        contacts: &[(u32, u32)],
        settings: &ContactSettings,
    ) -> Movement {
        let thresholds = &settings.thresholds;
        let (mut approaching, mut resting, mut is_too_close) = (0, 0, false);
        for &(_, index) in contacts {
            let candidate = &candidates[index as usize];
            let velocity = candidate.normal_velocity(candidate.motions(bodies));
            if velocity < -settings.slack_velocity {
                approaching += 1;
                let is_resting = self.is_resting(bodies, candidate, -velocity, thresholds);
                resting += usize::from(is_resting);
            }
            is_too_close |= !is_at_rest(candidate.motions(bodies))
                && velocity < event_separation_velocity(candidate, thresholds);
        }
        Movement {
            contacts: contacts.len(),
            approaching,
            resting,
            is_too_close,
            closing: None,
            crushing_time: None,
        }
    }

    fn is_resting(
        &self,
        bodies: &Bodies,
        candidate: &ContactCandidate,
        approach: f64,
        thresholds: &ContactThresholds,
    ) -> bool {
        let is_loaded = |row: usize| self.is_loaded[row];
        let bears_load = is_loaded(candidate.a) || candidate.b.is_some_and(is_loaded);
        is_resting(bodies, candidate, approach, bears_load, thresholds)
    }

    /// Sets the warm start of the contacts of an island, and removes restitution where bodies are at rest.
    fn prepare(
        &self,
        world: &World,
        candidates: &[ContactCandidate],
        movement: &Movement,
        thresholds: &ContactThresholds,
        island: &mut Island,
    ) {
        let bodies = &world.bodies;
        let listed = island.problem.contacts.iter_mut().zip(&island.candidates);
        for (contact, &index) in listed {
            let candidate = &candidates[index as usize];
            contact.start = start_impulse(&world.warm_start, bodies.ids(), candidate);
            let approach = -candidate.normal_velocity(candidate.motions(bodies));
            if movement.all_resting() || self.is_resting(bodies, candidate, approach, thresholds) {
                contact.restitution = 0.0;
            }
        }
    }

    /// Solves the contacts of a squeezed island, whose floes are crushed, for a time \[s\] in which bodies close on it.
    fn crush(
        &mut self,
        around: Surroundings<'_>,
        (pressure, closing, time): (CrushingPressure, &Closing, f64),
        settings: &ContactSettings,
        island: &mut Island,
    ) {
        let thresholds = &settings.thresholds;
        let step = CrushingStep {
            pressure,
            thresholds,
            closing,
            time,
            solutions: self.solutions,
        };
        let candidates = around.candidates;
        thin_out(around, island, 0.0);
        let targets: Vec<f64> = island
            .candidates
            .iter()
            .map(|&index| event_separation_velocity(&candidates[index as usize], thresholds))
            .collect();
        if settings.capture != Capture::Nothing {
            island.before.clone_from(&island.problem.bodies);
        }
        let context = SolverContext {
            settings: &settings.solver,
            workspace: self.workspace.get(),
        };
        solve_squeezed(context, around, island, &step, &targets, Effort::Solve);
        self.is_held.resize(around.bodies.len(), false);
        for &row in &island.rows {
            self.is_held[row as usize] |= around.bodies.is_floe(row as usize);
        }
        list_crushed(candidates, island, step.time, thresholds, &mut self.crushed);
    }

    /// Solves the impact of rigid floes, unless bodies that close on each other squeeze them.
    fn solve_rigid(
        &mut self,
        world: &World,
        around: Surroundings<'_>,
        movement: &Movement,
        settings: &ContactSettings,
        island: &mut Island,
    ) {
        let closing = movement.closing;
        let context = SolverContext {
            settings: &settings.solver,
            workspace: self.workspace.get(),
        };
        self.squeezed = closing.and_then(|own| find_squeezed(context, around, island, &own));
        if self.squeezed.is_none() {
            let closing = closing.or_else(|| passing(&island.problem));
            self.solve(world, movement, settings, island);
            let thresholds = &settings.thresholds;
            self.squeezed = closing.and_then(|own| find_locked(around, island, &own, thresholds));
        }
    }

    /// Solves the impact of an island, with all contacts at once where it is a sustained contact.
    fn solve(
        &mut self,
        world: &World,
        movement: &Movement,
        settings: &ContactSettings,
        island: &mut Island,
    ) {
        let mut impact_settings = settings.impact();
        let is_sustained = movement.closing.is_some();
        if is_sustained || movement.all_resting() || movement.is_jammed(&settings.thresholds) {
            // Forces act on all contacts at once: no impulse travels from contact to contact.
            impact_settings.mode = Mode::Simultaneous;
        }
        if settings.capture != Capture::Nothing || self.breaker.is_on() {
            island.before.clone_from(&island.problem.bodies);
        }
        let context = SolverContext {
            settings: &settings.solver,
            workspace: self.workspace.get(),
        };
        let Island {
            problem, report, ..
        } = island;
        solve_impact_into(context, problem, &impact_settings, report);
        if settings.capture.keeps(&island.report) {
            self.captured
                .push(island.captured(world.clock, &impact_settings));
        }
    }

    /// Decides which floes of a solved island break, and solves its impact again where that lowers its restitution. Returns the energy of the cracks \[J\].
    fn break_floes(
        &mut self,
        world: &World,
        candidates: &[ContactCandidate],
        movement: &Movement,
        settings: &ContactSettings,
        island: &mut Island,
    ) -> f64 {
        let bodies = &world.bodies;
        let start = self.breaker.start();
        let mut effects = std::mem::take(&mut self.effects);
        let is_sustained = movement.closing.is_some() || movement.all_resting();
        effects.clear();
        for (contact, &index) in island.candidates.iter().enumerate() {
            let candidate = &candidates[index as usize];
            let impulse = island.report.impulses[contact];
            let phase = island.report.compression.get(contact);
            let approach = -candidate.normal_velocity(candidate.motions(bodies));
            let is_struck = !is_sustained
                && impulse[0] > 0.0
                && !self.is_resting(bodies, candidate, approach, &settings.thresholds);
            effects.push(ContactEffect {
                is_struck,
                speed: approach,
                restitution: 0.0,
                energy: phase.map_or(0.0, |phase| phase.energy),
                compression: phase.map_or(impulse, |phase| phase.impulse),
                impulse,
                before: island.problem.contacts[contact].start[0],
                ..ContactEffect::default()
            });
        }
        leave_rounding_out(&mut effects, &settings.thresholds);
        let solved = SolvedIsland {
            bodies,
            candidates,
            island,
            effects: &effects,
            crushing_time: movement.crushing_time,
        };
        let energy = solved.energy();
        let spent = solved.break_floes(&mut self.breaker, &mut self.touches);
        if spent > 0.0 {
            self.lower_restitution(world, movement, settings, island, (spent, energy));
        }
        for (effect, contact) in effects.iter().zip(&island.problem.contacts) {
            if effect.is_struck && effect.speed > 0.0 {
                let report = self.breaker.report();
                report.add_blow(effect.speed, contact.restitution);
            }
        }
        self.effects = effects;
        self.breaker.end_island(start);
        spent
    }

    /// Solves an impact again with less restitution, where cracks take more of its energy of compression than (1 − ε²) of it. What its normal impulses do not lose even then, since
    /// several contacts or friction give it back, is booked as elastic energy.
    fn lower_restitution(
        &mut self,
        world: &World,
        movement: &Movement,
        settings: &ContactSettings,
        island: &mut Island,
        (spent, energy): (f64, f64),
    ) {
        let most = left_restitution(spent, energy);
        let contacts = &mut island.problem.contacts;
        if contacts.iter().all(|contact| contact.restitution <= most) {
            return;
        }
        self.breaker.report().lowered += 1;
        for contact in contacts {
            contact.restitution = contact.restitution.min(most);
        }
        island.problem.bodies.clone_from(&island.before);
        self.solve(world, movement, settings, island);
    }

    /// Stores the impulses of the step for the warm start of the next one.
    pub(crate) fn store_impulses(&mut self, warm_start: &mut Vec<(ContactKey, [f64; 2])>) {
        self.impulses.store(warm_start);
    }
}
