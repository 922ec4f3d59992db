//! Contact of the laws other than Coulomb's, in fixed steps: inelastic, gluey, rough and bonded.
//!
//! The velocities of a step are those nearest to the present ones with D + Δt G·V ≥ 0 at every contact (Maury 2006). A contact with a memory was pushed by −γ/R \[N s\] and can be pulled by as much: D + Δt G·V = 0 as long as its impulse is more than γ/R, and the rest of a pull acts within the same step. So the velocity at
//! take-off is corrected (Lefebvre 2007, algorithm 4.1) for all contacts of an island together. After the step γ/R is less by the impulse, and at least that of the roughness.
//!
//! D is the gap of discs, which never overlap by more than the tolerance: their distance is convex. Polygons that turn may come closer than D says by ½ ω² Δt², to discs too: for them D is the gap less the kept gap of fixed steps.
//!
//! A contact is known by its bodies and its vertex. When it vanishes, because a vertex slid off an edge, its memory goes to the contact of the same pair with the smallest gap; where there is none, it is lost.
//!
//! Friction acts in solid contact alone: its bound is μ times the push that exceeds what the memory takes up, all of it where contacts have none. Joints act beside contacts.

use std::ops::Range;

use banquise_solver::{ConvexBound, ProjectionReport, SolverContext, project_velocities};
use rayon::prelude::*;

use super::bonding;
use super::candidate::ContactCandidate;
use super::films;
use super::frozen::BeforeStep;
use super::island::Island;
use super::islands::ContactGraph;
use super::law::{BondSettings, SolidContact};
use super::load::StepLoads;
use super::log::StepLog;
use super::place::{Place, Role, has_disc, room};
use super::report::ContactReport;
use super::row_impulses::{contact_impulses, note_loads};
use super::settings::ContactSettings;
use super::solid;
use super::spin::spin_velocity;
use super::struck::book_cracks;
use super::touching::{count_struck, list_struck};
use super::warm_start::{ImpulseRecord, contact_key, start_impulse};
use super::workspaces::ThreadWorkspaces;
use crate::body::Bodies;
use crate::budget::ContactBudget;
use crate::chunks::SMALL_THINGS;
use crate::contact_state::{ContactKey, Touched};
use crate::fracture::{Breaker, Touch};
use crate::id::BodyId;
use crate::motion::Velocity;
use crate::world::World;

/// Scratch buffers of a step.
#[derive(Debug, Clone, Default)]
pub(crate) struct GlueyScratch {
    /// What is known of each candidate, then of friction, then of joints.
    places: Vec<Place>,
    /// Candidates, friction and joints, where there are more than candidates; else empty.
    rows: Vec<ContactCandidate>,
    /// The first row of a joint, and which joints broke in this step.
    first_bond: usize,
    is_broken: Vec<bool>,
    /// Energy of the joints at the start of the step, and what they took in it \[J\].
    bond_energy: f64,
    bond_taken: f64,
    /// Contacts by their keys, for memories.
    keys: Vec<(ContactKey, u32)>,
    graph: ContactGraph,
    before: Vec<Velocity>,
    islands: Vec<Solved>,
    is_solved: Vec<bool>,
    loads: StepLoads,
    pub(crate) log: StepLog,
    /// Pairs with impulses in this step.
    struck: Vec<(BodyId, Touched)>,
    /// Sum of all impulses of the step without their signs, those along tangents and of joints too [N s].
    pub(crate) turnover: f64,
    record: ImpulseRecord,
    memories: Vec<(ContactKey, f64)>,
    pub(crate) polygons: Vec<ContactCandidate>,
    touches: Vec<Touch>,
    pub(crate) workspaces: ThreadWorkspaces,
}

/// An island and its solution.
#[derive(Debug, Clone)]
struct Solved {
    island: Island,
    report: ProjectionReport,
}

/// A normal velocity this close to its bound does not violate it, as a share of the largest violation in the step [–]: that of the solver's tolerance.
const BOUND_TOLERANCE: f64 = 1e-10;

/// Changes velocities so that they can be kept for `dt` \[s\].
pub(crate) fn solve_convex_step(
    world: &mut World,
    candidates: &[ContactCandidate],
    dt: f64,
    settings: &ContactSettings,
    scratch: &mut GlueyScratch,
    breaker: &mut Breaker,
) -> (ContactBudget, ContactReport) {
    scratch.log.begin(settings.log.is_some(), world.clock.time);
    let mut report = ContactReport {
        contacts: candidates.iter().filter(|own| own.is_contact()).count() as u64,
        ..ContactReport::default()
    };
    let mut budget = ContactBudget::default();
    let bonds = settings.law.bonds();
    if let Some(bonds) = &bonds {
        report.bonds_formed = bonding::freeze(world, candidates, bonds);
    }
    scratch.prepare(world, candidates, dt, settings);
    scratch.lubricate(&mut world.bodies, candidates, dt, settings, &mut budget);
    let extended = std::mem::take(&mut scratch.rows);
    let rows = if extended.is_empty() {
        candidates
    } else {
        &extended
    };
    scratch.solve(&mut world.bodies, rows, settings);
    if let Some(bonds) = &bonds {
        while scratch.break_bonds(world, dt, bonds) {
            scratch.solve(&mut world.bodies, rows, settings);
        }
    }
    let cracks = scratch.break_floes(world, rows, settings, breaker);
    if bonds.is_some() {
        scratch.drop_broken(world, &mut budget, &mut report);
    }
    scratch.loads.clear();
    scratch.turnover = 0.0;
    report.islands = scratch.islands.len() as u64;
    for Solved {
        island,
        report: own,
    } in &scratch.islands
    {
        report.impacts += 1;
        report.impact_contacts += own.impulses.len() as u64;
        report.rounds += own.iterations;
        report.largest = report.largest.max(own.impulses.len());
        report.residual = report.residual.max(own.residual);
        report.unsolved += u64::from(!own.is_solved);
        report.regularised += u64::from(own.is_regularised);
        report.gap_drift = report.gap_drift.max(own.drift * dt);
        let places = &scratch.places;
        let contacts = contact_impulses(island, places, &own.impulses);
        scratch.turnover += own.impulses.iter().map(|p| p.abs()).sum::<f64>();
        report.normal_impulse += contacts.iter().map(|p| p[0].abs()).sum::<f64>();
        let taken_by = |is_of: fn(Role) -> bool| -> f64 {
            let losses = island.candidates.iter().zip(&own.losses);
            let losses = losses.filter(|(index, _)| is_of(places[**index as usize].role));
            losses.map(|(_, loss)| loss).sum()
        };
        budget.normal_loss += taken_by(|role| role == Role::Contact);
        if !extended.is_empty() {
            scratch.bond_taken += taken_by(|role| matches!(role, Role::Bond { .. }));
            budget.tangent_loss +=
                taken_by(|role| matches!(role, Role::Friction { .. } | Role::Stick { .. }));
        }
        note_loads(&mut scratch.loads, island, rows, places, &own.impulses);
        let impulses: Vec<[f64; 2]> = own.impulses.iter().map(|&p| [p, 0.0]).collect();
        let (ids, before, log) = (world.bodies.ids(), &scratch.before, &mut scratch.log);
        log.note(ids, island, rows, &contacts, |row| before[row]);
        list_struck(ids, island, rows, &contacts, &mut scratch.struck);
        budget.add_fixed(&island.account_of_fixed(&impulses));
    }
    let normal_loss = budget.normal_loss;
    book_cracks(&mut budget, cracks, normal_loss);
    let (gap, struck) = (settings.thresholds.separated_gap, &mut scratch.struck);
    report.collisions = count_struck(world, candidates, gap, struck, &mut scratch.log);
    scratch.log.mark_collisions(world.bodies.ids(), candidates);
    scratch.loads.drop_pulls();
    scratch.loads.add_to(world);
    scratch.remember(world, candidates, settings, &mut report);
    if let Some(healing) = bonds.and_then(|bonds| bonds.healing) {
        world.contact_ages = bonding::aged(world, candidates, healing);
    }
    scratch.rows = extended;
    (budget, report)
}

/// Books what joints took in a step of `dt` \[s\], now that bodies have moved: what they hold more, and what damping took. Contacts at rest are older by as much.
pub(crate) fn settle_bonds(
    world: &mut World,
    dt: f64,
    scratch: &GlueyScratch,
    budget: &mut ContactBudget,
) {
    if scratch.is_broken.is_empty() && world.contact_ages.is_empty() {
        return;
    }
    let held = scratch.bond_energy - budget.bond_broken;
    budget.bond_stored = world.bond_energy() - held;
    budget.bond_loss = scratch.bond_taken - budget.bond_stored;
    for (_, age) in &mut world.contact_ages {
        *age += dt;
    }
}

/// The joint of the two bodies of a candidate.
fn bond_of(world: &World, candidate: &ContactCandidate) -> Option<u32> {
    let ids = world.bodies.ids();
    let (first, second) = (ids[candidate.a], ids[candidate.b?]);
    if world.bonds.is_empty() {
        return None;
    }
    bonding::bond_of(&world.bonds, [first.min(second), first.max(second)])
}

impl GlueyScratch {
    /// Finds bounds, memories and last impulses of all candidates.
    fn prepare(
        &mut self,
        world: &World,
        candidates: &[ContactCandidate],
        dt: f64,
        settings: &ContactSettings,
    ) {
        let (bodies, ids) = (&world.bodies, world.bodies.ids());
        let ahead = world.rows_ahead();
        let place_of = |candidate: &ContactCandidate| {
            // A vertex near a disc is the disc's own contact, seen from the other side.
            let is_own = candidate.approach.is_contact || !has_disc(bodies, candidate);
            let last = start_impulse(&world.warm_start, ids, candidate)[0];
            let bond = bond_of(world, candidate);
            let mut room = room(bodies, candidate, &ahead, dt, settings);
            if bond.is_some() {
                // What is frozen together is not pushed apart, and its joint is elastic until the gap is closed.
                room = room.max(0.5 * candidate.approach.gap);
            }
            let (least, start) = if is_own {
                let spin = spin_velocity(bodies, candidate, &ahead);
                (spin - room / dt, last)
            } else {
                (f64::NEG_INFINITY, 0.0)
            };
            Place {
                bond,
                last,
                ..Place::new(Role::Contact, least, start)
            }
        };
        let all = candidates.par_iter().with_min_len(SMALL_THINGS);
        all.map(place_of).collect_into_vec(&mut self.places);
        if settings.law.has_memory() {
            self.hand_out(world, candidates);
        }
        self.extend(world, candidates, dt, settings);
        self.graph.reset(bodies.len());
    }

    /// Lets films act, and notes the velocities from which the projection starts.
    fn lubricate(
        &mut self,
        bodies: &mut Bodies,
        candidates: &[ContactCandidate],
        dt: f64,
        settings: &ContactSettings,
        budget: &mut ContactBudget,
    ) {
        if settings.tangential_lubrication {
            let memories = self.places.iter().map(|place| place.memory);
            films::slide_all(bodies, candidates, memories, dt, budget);
        }
        if let Some(force) = &settings.lubrication_force {
            films::lubricate(bodies, candidates, force, dt, budget);
        }
        self.before.clear();
        let motions = bodies.motions.iter();
        self.before.extend(motions.map(|motion| motion.velocity));
    }

    /// Adds the rows of friction and joints.
    fn extend(
        &mut self,
        world: &World,
        candidates: &[ContactCandidate],
        dt: f64,
        settings: &ContactSettings,
    ) {
        self.rows.clear();
        self.is_broken.clear();
        self.is_broken.resize(world.bonds.len(), false);
        (self.bond_energy, self.bond_taken) = (world.bond_energy(), 0.0);
        if settings.solid_contact() == SolidContact::Smooth && world.bonds.is_empty() {
            return;
        }
        self.rows.extend_from_slice(candidates);
        solid::add_rows(world, settings, &mut self.rows, &mut self.places);
        self.first_bond = self.rows.len();
        bonding::add_rows(world, dt, &mut self.rows, &mut self.places);
    }

    /// Marks joints that break under the impulses of the step, and puts everything back to before it was solved. Says whether there are any.
    fn break_bonds(&mut self, world: &mut World, dt: f64, settings: &BondSettings) -> bool {
        let (first, places) = (self.first_bond, &self.places);
        let impulses = |number: usize| {
            [0, 1, 2].map(|row| places[first + bonding::ROWS * number + row].impulse)
        };
        let broken = bonding::breaking(world, impulses, &self.is_broken, dt, settings);
        for &number in &broken {
            self.is_broken[number] = true;
        }
        if broken.is_empty() {
            return false;
        }
        for place in &mut self.places {
            (place.is_active, place.is_new) = (false, false);
        }
        for (motion, &velocity) in world.bodies.motions.iter_mut().zip(&self.before) {
            motion.velocity = velocity;
        }
        self.graph.reset(world.bodies.len());
        true
    }

    /// Decides which floes break, where they can; returns the energy of the cracks of struck floes \[J\].
    fn break_floes(
        &mut self,
        world: &World,
        rows: &[ContactCandidate],
        settings: &ContactSettings,
        breaker: &mut Breaker,
    ) -> f64 {
        if !breaker.is_on() {
            return 0.0;
        }
        let before = BeforeStep {
            bodies: &world.bodies,
            bonds: &world.bonds,
            is_broken: &self.is_broken,
            rows,
            places: &self.places,
            velocities: &self.before,
            thresholds: &settings.thresholds,
        };
        let islands = self.islands.iter();
        let islands = islands.map(|own| (&own.island, &own.report.impulses[..]));
        before.break_floes(islands, breaker, &mut self.touches)
    }

    /// Takes the joints that broke out of the world.
    fn drop_broken(
        &self,
        world: &mut World,
        budget: &mut ContactBudget,
        report: &mut ContactReport,
    ) {
        let bonds = world.bonds.iter().zip(&self.is_broken);
        let broken = bonds.filter(|(_, is_broken)| **is_broken);
        let energies = broken.map(|(bond, _)| bond.energy(&world.strain_of(bond)));
        budget.bond_broken = energies.sum();
        let before = world.bonds.len();
        let mut marks = self.is_broken.iter();
        world
            .bonds
            .retain(|_| marks.next().is_none_or(|mark| !mark));
        report.bonds_broken = (before - world.bonds.len()) as u64;
    }

    /// Gives the contacts their memories. That of a contact that has vanished goes to the closest one of the pair.
    fn hand_out(&mut self, world: &World, candidates: &[ContactCandidate]) {
        let ids = world.bodies.ids();
        self.keys.clear();
        for (index, candidate) in candidates.iter().enumerate() {
            if candidate.approach.is_contact {
                self.keys.push((contact_key(ids, candidate), index as u32));
            }
        }
        self.keys.sort_unstable();
        for &(key, memory) in &world.adhesion {
            let start = self.keys.partition_point(|&(other, _)| other < key);
            let own = self.keys.get(start).filter(|(other, _)| *other == key);
            let pair = (key.body(), key.other());
            // Keys begin with the pair: its contacts are before and after.
            let is_of_pair =
                |(other, _): &&(ContactKey, u32)| (other.body(), other.other()) == pair;
            let gap = |&&(_, index): &&(ContactKey, u32)| candidates[index as usize].approach.gap;
            let closest = || {
                let before = self.keys[..start].iter().rev().take_while(is_of_pair);
                let after = self.keys[start..].iter().take_while(is_of_pair);
                before.chain(after).min_by(|x, y| gap(x).total_cmp(&gap(y)))
            };
            if let Some(&(_, index)) = own.or_else(closest) {
                self.places[index as usize].memory += memory;
            }
        }
    }

    /// Solves islands until no candidate violates its bound.
    fn solve(
        &mut self,
        bodies: &mut Bodies,
        candidates: &[ContactCandidate],
        settings: &ContactSettings,
    ) {
        self.islands.clear();
        let mut tolerance = None;
        for _ in 0..settings.thresholds.fixed_rounds {
            if !self.activate(bodies, candidates, &mut tolerance) {
                break;
            }
            self.graph.sort();
            let has_new = |range: &Range<usize>| {
                let mut contacts = self.graph.contacts()[range.clone()].iter();
                contacts.any(|&(_, index)| self.places[index as usize].is_new)
            };
            let ranges: Vec<Range<usize>> = self.graph.islands().filter(has_new).collect();
            let solve =
                |range: &Range<usize>| self.solve_island(bodies, candidates, range, settings);
            let solved: Vec<Solved> = if ranges.len() >= settings.thresholds.parallel_islands {
                ranges.par_iter().map(solve).collect()
            } else {
                ranges.iter().map(solve).collect()
            };
            self.take_over(bodies, solved);
        }
        self.islands
            .sort_unstable_by_key(|solved| solved.island.label);
    }

    /// Makes contacts of the candidates that violate their bounds, have a memory, or had an impulse in the last step. Says whether there is any.
    fn activate(
        &mut self,
        bodies: &Bodies,
        candidates: &[ContactCandidate],
        tolerance: &mut Option<f64>,
    ) -> bool {
        let velocities = candidates.par_iter().with_min_len(SMALL_THINGS);
        let beyond: Vec<f64> = velocities
            .zip(&self.places)
            .map(|(candidate, place)| {
                if place.role == Role::Contact {
                    place.least - candidate.normal_velocity(candidate.motions(bodies))
                } else {
                    f64::NEG_INFINITY
                }
            })
            .collect();
        let largest = || beyond.iter().copied().fold(0.0, f64::max);
        let tolerance = *tolerance.get_or_insert_with(|| BOUND_TOLERANCE * largest());
        let mut any = false;
        for (index, &beyond) in beyond.iter().enumerate() {
            let is_wanted = beyond > tolerance || self.is_wanted(index);
            let place = &mut self.places[index];
            place.is_new = !place.is_active && is_wanted;
            if place.is_new {
                any = true;
                place.is_active = true;
                self.graph.add(bodies, &candidates[index], index);
            }
        }
        any
    }

    /// Whether a row acts though its bound is not violated.
    fn is_wanted(&self, index: usize) -> bool {
        let place = &self.places[index];
        let is_whole = |number: u32| !self.is_broken[number as usize];
        match place.role {
            Role::Contact => place.memory < 0.0 || place.impulse != 0.0,
            // Rows of friction come after their contacts.
            Role::Friction { of, .. } => {
                self.places[of as usize].is_active && !place.bond.is_some_and(is_whole)
            }
            Role::Stick { .. } => true,
            Role::Bond { number, .. } => is_whole(number),
        }
    }

    fn solve_island(
        &self,
        bodies: &Bodies,
        candidates: &[ContactCandidate],
        range: &Range<usize>,
        settings: &ContactSettings,
    ) -> Solved {
        let mut island = Island::with_capacity();
        let contacts = &self.graph.contacts()[range.clone()];
        island.assemble(bodies, candidates, contacts, |row| self.before[row]);
        let places = island.candidates.iter();
        let places: Vec<&Place> = places.map(|&index| &self.places[index as usize]).collect();
        for (contact, place) in island.problem.contacts.iter_mut().zip(&places) {
            contact.start = [place.impulse, 0.0];
        }
        let place_of = |index: u32| {
            let found = island.candidates.binary_search(&index);
            found.expect("friction and its contact are in one island")
        };
        let bounds: Vec<ConvexBound> = places.iter().map(|place| place.bound(place_of)).collect();
        let mut report = ProjectionReport::default();
        self.workspaces.with(|workspace| {
            let context = SolverContext {
                settings: &settings.solver,
                workspace,
            };
            let problem = &mut island.problem;
            project_velocities(context, problem, &bounds, &settings.projection, &mut report);
        });
        Solved { island, report }
    }

    /// Takes over islands that were solved, and drops those that went into them.
    fn take_over(&mut self, bodies: &mut Bodies, solved: Vec<Solved>) {
        self.is_solved.clear();
        self.is_solved.resize(bodies.len(), false);
        for Solved { island, report } in &solved {
            island.write_back(bodies);
            for (&row, body) in island.rows.iter().zip(&island.problem.bodies) {
                self.is_solved[row as usize] |= body.inv_mass > 0.0;
            }
            for (&index, &impulse) in island.candidates.iter().zip(&report.impulses) {
                self.places[index as usize].impulse = impulse;
            }
        }
        // The label of an island is a floe in it.
        let is_solved = &self.is_solved;
        self.islands
            .retain(|own| !is_solved[own.island.label as usize]);
        self.islands.extend(solved);
    }

    /// Stores impulses and memories for the next step, and counts contacts that stick and take off.
    fn remember(
        &mut self,
        world: &mut World,
        candidates: &[ContactCandidate],
        settings: &ContactSettings,
        report: &mut ContactReport,
    ) {
        self.record.clear();
        self.memories.clear();
        let (bodies, ids) = (&world.bodies, world.bodies.ids());
        let active = self.places.iter().zip(candidates);
        for (place, candidate) in active.filter(|(place, _)| place.is_active) {
            let tangent = match place.friction {
                0 => 0.0,
                row => self.places[row as usize].impulse,
            };
            self.record.add(ids, candidate, [place.impulse, tangent]);
            let mut memory = 0.0;
            if candidate.approach.is_contact && settings.law.has_memory() {
                let radius = |row: usize| bodies.radii[row];
                let other = candidate.b.map_or(f64::INFINITY, radius);
                let largest = settings.law.largest_memory([radius(candidate.a), other]);
                memory = (place.memory - place.impulse).min(0.0).max(-largest);
            }
            if memory < 0.0 {
                self.memories.push((contact_key(ids, candidate), memory));
            }
            let was_held = place.memory < 0.0 || place.last > 0.0;
            let is_held = memory < 0.0 || place.impulse > 0.0;
            report.sticks += u64::from(is_held && !was_held);
            report.take_offs += u64::from(was_held && !is_held);
        }
        self.memories.sort_unstable_by_key(|&(key, _)| key);
        world.adhesion.clear();
        for same in self.memories.chunk_by(|x, y| x.0 == y.0) {
            // A vertex in a bay touches at two places, which are one contact to the next step.
            let sum = same.iter().map(|&(_, memory)| memory).sum();
            world.adhesion.push((same[0].0, sum));
        }
        self.record.store(&mut world.warm_start);
    }
}
