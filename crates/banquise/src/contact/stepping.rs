//! Velocities that can be kept for a step of given length.
//!
//! A vertex in front of the line through its foot on another body stays there for a time Δt if
//!
//! ```text
//! D + Δt u − ½ α Δt² ≥ 0
//! ```
//!
//! with D the gap less a margin, u the normal velocity and α the bound of its acceleration (see `safe_time`). Where
//! the velocities at hand do not do, impulses with friction change them: all contacts of bodies so
//! joined are one problem. Bodies that such an impulse drives onto something else join, and it is solved again.
//! What is struck within the step leaves with the velocity that restitution gives back.

use std::ops::Range;

use banquise_geometry::DVec2;
use banquise_solver::{
    Body, Bound, Contact, ContactProblem, Effort, ImpactReport, ImpactSettings, SolverContext,
    SolverSettings, solve_velocity_bounds,
};
use rayon::prelude::*;

use super::budget::{ContactBudget, ContactReport};
use super::capture::{Capture, CapturedImpact};
use super::collide::{account_of_fixed, contact_between, is_pressed, kicks, normal_velocity};
use super::islands::IslandLabels;
use super::last_impulses::{ContactKey, last_impulse};
use super::load::StepLoads;
use super::safe_time::acceleration_of;
use super::search::{MAX_PARTING_SPEED, Near};
use super::touching::{Touched, count_collisions};
use super::workspaces::ThreadWorkspaces;
use crate::body::{Bodies, BodyId, Velocity};
use crate::chunks::SMALL_THINGS;
use crate::world::{Clock, World};

/// The gap kept, as a share of the collision distance.
const FLOOR: f64 = 0.5;
/// What may be kept beside it for the bodies' turning, as a share of the same.
const MAX_TURNING: f64 = 0.4;
/// Bodies closer than this share part again.
const PARTING_GAP: f64 = 0.25;
/// Rounds in which bodies may join; more are not seen, and the step would be shortened.
const MAX_ROUNDS: usize = 30;
/// A normal velocity this close to its bound is within it, as a share of the fastest body's.
const ROUNDING: f64 = 1e-7;
/// Islands from which threads are worth waking.
const MANY_ISLANDS: usize = 16;

/// Room to work in.
#[derive(Debug, Clone, Default)]
pub(crate) struct SteppingScratch {
    /// Of everything near: the least normal velocity, whether it is a contact of the step, whether it became one in this
    /// round, and its impulse so far.
    least: Vec<f64>,
    is_active: Vec<bool>,
    is_new: Vec<bool>,
    impulses: Vec<[f64; 2]>,
    /// The contacts with the label of their island, its smallest row; in order.
    contacts: Vec<(u32, u32)>,
    labels: IslandLabels,
    /// Of every body: the velocity before, and whether it changed in this round.
    before: Vec<Velocity>,
    is_changed: Vec<bool>,
    loads: StepLoads,
    touching: Vec<(BodyId, Touched)>,
    /// The islands to solve, as ranges of the list of contacts.
    ranges: Vec<Range<usize>>,
    /// Islands of the step, those of the last round, and room for others.
    islands: Vec<Island>,
    solved: Vec<Island>,
    spare: Vec<Island>,
    pub(crate) workspaces: ThreadWorkspaces,
    /// Whether islands keep their bodies as they were before.
    captures: bool,
}

/// Room for contacts of a new island: more than most have, so that it seldom has to grow.
const ROOM: usize = 16;

/// Bodies joined by contacts, with their velocities after.
#[derive(Debug, Clone)]
struct Island {
    label: u32,
    /// The rows of its bodies; walls come after them in the problem.
    rows: Vec<u32>,
    /// What is near, for each contact.
    contacts: Vec<u32>,
    bounds: Vec<Bound>,
    problem: ContactProblem,
    report: ImpactReport,
    /// The bodies before it, where problems are captured.
    before: Vec<Body>,
}

impl Island {
    fn empty() -> Self {
        Self {
            label: 0,
            rows: Vec::with_capacity(ROOM),
            contacts: Vec::with_capacity(ROOM),
            bounds: Vec::with_capacity(ROOM),
            problem: ContactProblem {
                bodies: Vec::with_capacity(ROOM),
                contacts: Vec::with_capacity(ROOM),
            },
            report: ImpactReport {
                impulses: Vec::with_capacity(ROOM),
                ..ImpactReport::default()
            },
            before: Vec::new(),
        }
    }

    fn captured(&self, clock: Clock) -> CapturedImpact {
        CapturedImpact {
            clock,
            before: ContactProblem {
                bodies: self.before.clone(),
                contacts: self.problem.contacts.clone(),
            },
            bounds: Some(self.bounds.clone()),
            after: self.problem.bodies.clone(),
            settings: ImpactSettings::default(),
            report: self.report.clone(),
        }
    }
}

/// Changes velocities so that they can be kept for `dt` \[s\].
pub(crate) fn keep_apart(
    world: &mut World,
    near: &[Near],
    dt: f64,
    scratch: &mut SteppingScratch,
    (solver, capture): (&SolverSettings, Capture),
    captured: &mut Vec<CapturedImpact>,
) -> (ContactBudget, ContactReport) {
    captured.clear();
    scratch.captures = capture != Capture::Nothing;
    let mut report = ContactReport {
        collisions: count_collisions(world, near, &mut scratch.touching),
        contacts: near
            .par_iter()
            .with_min_len(SMALL_THINGS)
            .filter(|near| near.is_contact())
            .count() as u64,
        ..ContactReport::default()
    };
    scratch.prepare(world, near, dt);
    let rounding = ROUNDING * fastest(&world.bodies);
    let mut effort = Effort::Estimate;
    for _ in 0..MAX_ROUNDS {
        if scratch.activate(&world.bodies, near, rounding) {
            scratch.list_islands(true);
        } else if effort == Effort::Estimate {
            effort = Effort::Solve;
            scratch.list_islands(false);
        } else {
            break;
        }
        if scratch.ranges.is_empty() {
            break;
        }
        scratch.solve_islands(&world.bodies, near, solver, effort);
        scratch.take_over(&mut world.bodies);
    }
    scratch.islands.sort_unstable_by_key(|island| island.label);
    let mut budget = ContactBudget::default();
    scratch.loads.clear();
    report.islands = scratch.islands.len() as u64;
    for island in &scratch.islands {
        if capture.keeps(&island.report) {
            captured.push(island.captured(world.clock));
        }
        report.add_impact(&island.report);
        budget.normal_loss += island.report.normal_loss;
        budget.tangent_loss += island.report.tangent_loss;
        let near = island.contacts.iter().map(|&index| &near[index as usize]);
        let impulses = &island.report.impulses;
        scratch.loads.note(&island.problem, near, impulses);
        budget.add_fixed(&account_of_fixed(&island.problem, impulses));
    }
    scratch.loads.add_to(&mut world.loads);
    let last = &mut world.last_impulses;
    last.clear();
    for &(_, index) in &scratch.contacts {
        let index = index as usize;
        last.push((ContactKey::of(&near[index]), scratch.impulses[index]));
    }
    last.sort_unstable_by_key(|&(key, _)| key);
    (budget, report)
}

fn fastest(bodies: &Bodies) -> f64 {
    let speeds = bodies.motions.iter().zip(&bodies.radii);
    speeds.fold(0.0, |fastest, (motion, radius)| {
        let velocity = motion.velocity;
        fastest.max(velocity.linear.length() + velocity.angular.abs() * radius)
    })
}

/// The least normal velocity with which a gap is kept for `dt`.
fn least_velocity(bodies: &Bodies, near: &Near, dt: f64) -> f64 {
    let (gap, distance) = (near.approach.gap, near.distance);
    if gap < PARTING_GAP * distance {
        return ((PARTING_GAP * distance - gap) / dt).min(MAX_PARTING_SPEED);
    }
    let turning = (0.5 * acceleration_of(bodies, near, dt) * dt * dt).min(MAX_TURNING * distance);
    -(gap - FLOOR * distance - turning).max(0.0) / dt
}

impl SteppingScratch {
    fn prepare(&mut self, world: &World, near: &[Near], dt: f64) {
        let bodies = &world.bodies;
        let least = near
            .par_iter()
            .with_min_len(SMALL_THINGS)
            .map(|near| least_velocity(bodies, near, dt));
        least.collect_into_vec(&mut self.least);
        self.is_active.clear();
        self.is_active.resize(near.len(), false);
        self.is_new.clear();
        self.is_new.resize(near.len(), false);
        let last = &world.last_impulses;
        let impulses = near
            .par_iter()
            .with_min_len(SMALL_THINGS)
            .map(|near| last_impulse(last, near));
        impulses.collect_into_vec(&mut self.impulses);
        self.contacts.clear();
        self.labels.reset(bodies.len());
        self.before.clear();
        self.before
            .extend(bodies.motions.iter().map(|motion| motion.velocity));
        self.is_changed.clear();
        self.is_changed.resize(bodies.len(), true);
        self.spare.append(&mut self.islands);
    }

    /// Finds what becomes a contact: what is not within its bound, or pushed in the last step. Whether there is any.
    fn activate(&mut self, bodies: &Bodies, near: &[Near], rounding: f64) -> bool {
        let (least, is_active, is_changed) = (&self.least, &self.is_active, &self.is_changed);
        let impulses = &self.impulses;
        let is_new = near
            .par_iter()
            .enumerate()
            .with_min_len(SMALL_THINGS)
            .map(|(index, near)| {
                let may_be = !is_active[index]
                    && (is_changed[near.a] || near.b.is_some_and(|b| is_changed[b]));
                may_be
                    && (impulses[index][0] > 0.0
                        || normal_velocity(bodies, near) < least[index] - rounding)
            });
        is_new.collect_into_vec(&mut self.is_new);
        let mut any = false;
        for (index, near) in near.iter().enumerate() {
            if self.is_new[index] {
                any = true;
                self.is_active[index] = true;
                let floe = self.labels.join(bodies, near);
                self.contacts.push((floe, index as u32));
            }
        }
        any
    }

    /// Lists the islands, or those that somebody joined in this round.
    fn list_islands(&mut self, only_new: bool) {
        for (label, _) in &mut self.contacts {
            *label = self.labels.label(*label);
        }
        self.contacts.sort_unstable();
        let mut end = 0;
        let islands = self.contacts.chunk_by(|x, y| x.0 == y.0).map(|island| {
            end += island.len();
            (end - island.len()..end, island)
        });
        let is_new =
            |island: &[(u32, u32)]| island.iter().any(|&(_, index)| self.is_new[index as usize]);
        let joined = islands.filter(|(_, island)| !only_new || is_new(island));
        self.ranges.clear();
        self.ranges.extend(joined.map(|(range, _)| range));
    }

    /// Solves the islands listed.
    fn solve_islands(
        &mut self,
        bodies: &Bodies,
        near: &[Near],
        solver: &SolverSettings,
        effort: Effort,
    ) {
        self.workspaces.prepare();
        let mut solved = std::mem::take(&mut self.solved);
        let spare = self
            .spare
            .drain(self.spare.len().saturating_sub(self.ranges.len())..);
        solved.extend(spare);
        solved.resize_with(self.ranges.len(), Island::empty);
        let solve = |(range, island): (&Range<usize>, &mut Island)| {
            self.assemble(bodies, near, range, island);
            let Island {
                problem,
                bounds,
                report,
                ..
            } = island;
            self.workspaces.with(|workspace| {
                let context = SolverContext {
                    settings: solver,
                    workspace,
                };
                solve_velocity_bounds(context, problem, bounds, effort, report);
            });
        };
        if self.ranges.len() >= MANY_ISLANDS {
            self.ranges.par_iter().zip(&mut solved).for_each(solve);
        } else {
            self.ranges.iter().zip(&mut solved).for_each(solve);
        }
        self.solved = solved;
    }

    /// Assembles the problem of an island from the velocities before.
    fn assemble(&self, bodies: &Bodies, near: &[Near], range: &Range<usize>, island: &mut Island) {
        let listed = &self.contacts[range.clone()];
        let Island {
            label,
            rows,
            contacts,
            bounds,
            problem,
            before,
            ..
        } = island;
        *label = listed[0].0;
        contacts.clear();
        contacts.extend(listed.iter().map(|&(_, index)| index));
        let nears = contacts.iter().map(|&index| &near[index as usize]);
        let both = nears.flat_map(|near| [Some(near.a), near.b]).flatten();
        rows.clear();
        rows.extend(both.map(|row| row as u32));
        rows.sort_unstable();
        rows.dedup();
        problem.bodies.clear();
        let bodies_of = rows.iter().map(|&row| self.body(bodies, row as usize));
        problem.bodies.extend(bodies_of);
        problem.contacts.clear();
        bounds.clear();
        for &index in &*contacts {
            let near = &near[index as usize];
            let contact = contact_of(bodies, near, rows, &mut problem.bodies);
            let approach = -problem.relative_velocity(&contact)[0];
            let is_struck = near.approach.is_contact && is_struck(bodies, near, approach);
            bounds.push(Bound {
                least: self.least[index as usize],
                rebound: if is_struck {
                    contact.restitution * approach
                } else {
                    0.0
                },
            });
            problem.contacts.push(Contact {
                start: self.impulses[index as usize],
                ..contact
            });
        }
        if self.captures {
            before.clone_from(&problem.bodies);
        }
    }

    fn body(&self, bodies: &Bodies, row: usize) -> Body {
        Body {
            inv_mass: bodies.inv_masses[row],
            inv_inertia: bodies.inv_inertias[row],
            position: bodies.motions[row].pose.position,
            linear_velocity: self.before[row].linear,
            angular_velocity: self.before[row].angular,
        }
    }

    /// Takes over the islands that were solved, and forgets those that went into them.
    fn take_over(&mut self, bodies: &mut Bodies) {
        self.is_changed.fill(false);
        for island in &self.solved {
            for (&row, body) in island.rows.iter().zip(&island.problem.bodies) {
                if body.inv_mass > 0.0 {
                    self.is_changed[row as usize] = true;
                    bodies.motions[row as usize].velocity = Velocity {
                        linear: body.linear_velocity,
                        angular: body.angular_velocity,
                    };
                }
            }
            for (&index, &impulse) in island.contacts.iter().zip(&island.report.impulses) {
                self.impulses[index as usize] = impulse;
            }
        }
        // The label of an island is a floe in it.
        let is_changed = &self.is_changed;
        let gone = |island: &mut Island| is_changed[island.label as usize];
        self.spare.extend(self.islands.extract_if(.., gone));
        self.islands.append(&mut self.solved);
    }
}

/// Whether bodies that approached before the step's impulses are struck, not pressed. In a jam, what forces give to a floe in a step is handed on to others: an
/// approach no faster than that is no impact, whatever its direction.
fn is_struck(bodies: &Bodies, near: &Near, approach: f64) -> bool {
    let [given_to_a, given_to_b] = kicks(bodies, near);
    approach > given_to_a.length() + given_to_b.length() && !is_pressed(bodies, near, approach)
}

/// A contact of the problem; a wall enters it as a body.
fn contact_of(bodies: &Bodies, near: &Near, rows: &[u32], all: &mut Vec<Body>) -> Contact {
    let place = |row: usize| {
        rows.binary_search(&(row as u32))
            .expect("the row of a contact is listed")
    };
    let approach = &near.approach;
    let a = place(near.a);
    let b = near.b.map_or_else(
        || {
            all.push(Body {
                inv_mass: 0.0,
                inv_inertia: 0.0,
                position: approach.point_b,
                linear_velocity: DVec2::ZERO,
                angular_velocity: 0.0,
            });
            all.len() - 1
        },
        place,
    );
    contact_between(bodies, near, [a, b], [all[a].position, all[b].position])
}
