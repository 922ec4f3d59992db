//! Impacts: contacts grouped into islands, each solved on its own.

use banquise_geometry::DVec2;
use banquise_solver::{
    Body, Contact, ContactProblem, ImpactReport, Mode, SolverContext, SolverSettings,
    SolverWorkspace, push_apart, solve_impact_into,
};

use super::budget::{ContactBudget, ContactReport};
use super::capture::{Capture, CapturedImpact};
use super::islands::IslandLabels;
use super::last_impulses::{ContactKey, find_loaded, last_impulse};
use super::load::StepLoads;
use super::search::Near;
use super::settings::ContactSettings;
use super::touching::{Touched, count_collisions};
use crate::body::{Bodies, BodyId, Motion, Velocity};
use crate::budget::Account;
use crate::world::{Clock, World};

/// Contacts of an island beyond which a blow among floes pressed together is solved with all of them at once: handed on
/// from contact to contact it goes round between floes at rest for ever, in 677 of 683 such islands of a pack.
const MANY_IN_A_JAM: usize = 20;

/// Room for the impacts.
#[derive(Debug, Clone, Default)]
pub(crate) struct CollideScratch {
    /// Index into the list of near things, with the island's label: the smallest row in it.
    contacts: Vec<(usize, usize)>,
    labels: IslandLabels,
    /// Row of each body of the problem at hand, and where each row is in it.
    rows: Vec<usize>,
    positions: Vec<usize>,
    problem: ContactProblem,
    report: ImpactReport,
    pub(crate) workspace: SolverWorkspace,
    /// Separation velocities of contacts that are too close, and the impulses that give them.
    targets: Vec<f64>,
    pushes: Vec<[f64; 2]>,
    /// Which floes bore a load in the last step.
    is_loaded: Vec<bool>,
    /// Impulses of this step.
    impulses: Vec<(ContactKey, usize, [f64; 2])>,
    loads: StepLoads,
    touching: Vec<(BodyId, Touched)>,
    /// Suspicious impacts of the step, where they are asked for.
    pub(crate) captured: Vec<CapturedImpact>,
}

/// Solves all impacts: gives floes that meet the velocities they leave with.
pub(crate) fn collide(
    world: &mut World,
    near: &[Near],
    settings: &ContactSettings,
    scratch: &mut CollideScratch,
) -> (ContactBudget, ContactReport) {
    scratch.captured.clear();
    scratch.impulses.clear();
    find_loaded(&world.last_impulses, &world.bodies, &mut scratch.is_loaded);
    let collisions = count_collisions(world, near, &mut scratch.touching);
    let (budget, mut report) = collide_islands(world, near, settings, scratch);
    report.collisions = collisions;
    (budget, report)
}

/// Solves the impacts among what is near.
pub(crate) fn collide_islands(
    world: &mut World,
    near: &[Near],
    settings: &ContactSettings,
    scratch: &mut CollideScratch,
) -> (ContactBudget, ContactReport) {
    let mut budget = ContactBudget::default();
    let mut report = ContactReport::default();
    scratch.find_islands(world, near);
    report.contacts = scratch.contacts.len() as u64;
    scratch.loads.clear();
    let mut start = 0;
    while start < scratch.contacts.len() {
        let label = scratch.contacts[start].1;
        let same = scratch.contacts[start..]
            .iter()
            .take_while(|contact| contact.1 == label);
        let end = start + same.count();
        report.islands += 1;
        let contacts = &scratch.contacts[start..end];
        let velocity_of = |index: usize| normal_velocity(&world.bodies, &near[index]);
        let (mut approaching, mut at_rest) = (0, 0);
        for &(index, _) in contacts {
            let velocity = velocity_of(index);
            if velocity < -settings.slack_velocity {
                approaching += 1;
                at_rest += usize::from(is_at_rest(
                    &world.bodies,
                    &near[index],
                    -velocity,
                    &scratch.is_loaded,
                ));
            }
        }
        let approaches = approaching > 0;
        let all_at_rest = at_rest == approaching;
        let is_jam = contacts.len() > MANY_IN_A_JAM && 2 * at_rest > approaching;
        let is_too_close = contacts
            .iter()
            .any(|&(index, _)| velocity_of(index) < near[index].parting_velocity());
        if approaches || is_too_close {
            scratch.assemble(world, near, start..end, all_at_rest);
        }
        if approaches {
            let mut impact = std::mem::take(&mut scratch.report);
            scratch.solve(world.clock, settings, all_at_rest || is_jam, &mut impact);
            report.add_impact(&impact);
            report.pressed += u64::from(all_at_rest);
            budget.normal_loss += impact.normal_loss;
            budget.tangent_loss += impact.tangent_loss;
            budget.add_fixed(&scratch.note_loads(near, start..end, &impact.impulses));
            scratch.keep_impulses(near, start..end, &impact.impulses);
            scratch.report = impact;
        }
        if is_too_close && let Some(loss) = scratch.push_apart(near, start..end, &settings.solver) {
            report.partings += 1;
            budget.normal_loss += loss;
            let pushes = std::mem::take(&mut scratch.pushes);
            budget.add_fixed(&scratch.note_loads(near, start..end, &pushes));
            scratch.pushes = pushes;
        }
        if approaches || is_too_close {
            scratch.write_back(world);
        }
        start = end;
    }
    scratch.loads.add_to(&mut world.loads);
    (budget, report)
}

pub(super) fn normal_velocity(bodies: &Bodies, near: &Near) -> f64 {
    let motions = &bodies.motions;
    normal_velocity_of(near, (&motions[near.a], near.b.map(|b| &motions[b])))
}

/// Whether bodies that move like this meet here: they are in contact, and approach or are too close.
pub(crate) fn is_met(
    near: &Near,
    motions: (&Motion, Option<&Motion>),
    settings: &ContactSettings,
) -> bool {
    let velocity = || normal_velocity_of(near, motions);
    near.is_contact()
        && (velocity() < -settings.slack_velocity || velocity() < near.parting_velocity())
}

fn normal_velocity_of(near: &Near, (a, b): (&Motion, Option<&Motion>)) -> f64 {
    let approach = &near.approach;
    let velocity_a = a.velocity.at(approach.point_a - a.pose.position);
    let velocity_b = b.map_or(DVec2::ZERO, |b| {
        b.velocity
            .at(approach.point_b - b.pose.position - near.offset)
    });
    (velocity_b - velocity_a).dot(approach.normal)
}

/// Whether bodies that approach are pressed together by forces, not struck: the forces of the last step gave
/// at least half of the approach. Bodies that rest on each other approach at every step by what
/// forces gave them; it is no impact, and restitution would make them tremble.
pub(super) fn is_pressed(bodies: &Bodies, near: &Near, approach: f64) -> bool {
    let [given_to_a, given_to_b] = kicks(bodies, near);
    let given = (given_to_a - given_to_b).dot(near.approach.normal);
    approach > 0.0 && given >= 0.5 * approach
}

/// Whether bodies are at rest against each other under forces, not struck: pressed together here, or one of them bore a load in
/// the last step and they move, either way, no faster than what forces gave them in it. Loads are handed on in a jam: contacts that no force presses
/// bear them too, and restitution would give back a share of the load.
fn is_at_rest(bodies: &Bodies, near: &Near, approach: f64, is_loaded: &[bool]) -> bool {
    let given = kicks(bodies, near).map(DVec2::length).iter().sum();
    let bears_load = || is_loaded[near.a] || near.b.is_some_and(|b| is_loaded[b]);
    is_pressed(bodies, near, approach) || approach.abs() <= given && bears_load()
}

/// What the forces of the last step gave to the bodies where they are near each other \[m/s\].
pub(super) fn kicks(bodies: &Bodies, near: &Near) -> [DVec2; 2] {
    let approach = &near.approach;
    let kick =
        |row: usize, point: DVec2| bodies.kicks[row].at(point - bodies.motions[row].pose.position);
    let given_to_b = near
        .b
        .map_or(DVec2::ZERO, |b| kick(b, approach.point_b - near.offset));
    [kick(near.a, approach.point_a), given_to_b]
}

/// What bodies that no force moves gave to the others: impulse, and work where they are on their way.
pub(super) fn account_of_fixed(problem: &ContactProblem, impulses: &[[f64; 2]]) -> Account {
    let mut account = Account::default();
    for (contact, impulse) in problem.contacts.iter().zip(impulses) {
        let vector = impulse[0] * contact.normal + impulse[1] * contact.tangent();
        let [arm_a, arm_b] = contact.arms;
        for (row, arm, given) in [(contact.a, arm_a, vector), (contact.b, arm_b, -vector)] {
            let body = &problem.bodies[row];
            if body.inv_mass == 0.0 {
                let velocity = body.linear_velocity + body.angular_velocity * arm.perp();
                account.impulse += given;
                account.work += given.dot(velocity);
                break;
            }
        }
    }
    account
}

/// The contact of two bodies with these rows in a problem, and these centres.
pub(super) fn contact_between(
    bodies: &Bodies,
    near: &Near,
    [a, b]: [usize; 2],
    [center_a, center_b]: [DVec2; 2],
) -> Contact {
    let approach = &near.approach;
    // One point for both lever arms, or angular momentum is not kept (specification E-24).
    let point = 0.5 * (approach.point_a + approach.point_b);
    let material = bodies.materials()[near.a];
    let material = near
        .b
        .map_or(material, |b| material.with(bodies.materials()[b]));
    Contact {
        a,
        b,
        arms: [point - center_a, point - center_b - near.offset],
        normal: approach.normal,
        friction: material.friction,
        restitution: material.restitution,
        gap: approach.gap,
        start: [0.0; 2],
    }
}

/// No place in the problem at hand.
const NOWHERE: usize = usize::MAX;

impl CollideScratch {
    /// Makes the bodies of the problem at hand part where they are too close, if they do not already.
    fn push_apart(
        &mut self,
        near: &[Near],
        range: std::ops::Range<usize>,
        settings: &SolverSettings,
    ) -> Option<f64> {
        let contacts = self.contacts[range].iter();
        let targets = contacts.map(|&(index, _)| near[index].parting_velocity());
        self.targets.clear();
        self.targets.extend(targets);
        let problem = &mut self.problem;
        let is_slow = problem
            .contacts
            .iter()
            .zip(&self.targets)
            .any(|(contact, &target)| {
                target > 0.0 && problem.relative_velocity(contact)[0] < 0.999 * target
            });
        let context = SolverContext {
            settings,
            workspace: &self.workspace,
        };
        is_slow.then(|| push_apart(context, problem, &self.targets, &mut self.pushes))
    }

    /// Notes the loads, and says what the bodies that no force moves gave.
    fn note_loads(
        &mut self,
        near: &[Near],
        range: std::ops::Range<usize>,
        impulses: &[[f64; 2]],
    ) -> Account {
        let contacts = self.contacts[range].iter();
        let near = contacts.map(|&(index, _)| &near[index]);
        self.loads.note(&self.problem, near, impulses);
        account_of_fixed(&self.problem, impulses)
    }

    fn keep_impulses(
        &mut self,
        near: &[Near],
        range: std::ops::Range<usize>,
        impulses: &[[f64; 2]],
    ) {
        for (&(index, _), &impulse) in self.contacts[range].iter().zip(impulses) {
            let number = self.impulses.len();
            let key = ContactKey::of(&near[index]);
            self.impulses.push((key, number, impulse));
        }
    }

    /// The impulses of the step, for the next one; of a contact that was solved more than once, those of the last time.
    pub(crate) fn take_impulses(&mut self, last: &mut Vec<(ContactKey, [f64; 2])>) {
        self.impulses
            .sort_unstable_by_key(|&(key, number, _)| (key, number));
        last.clear();
        for same in self.impulses.chunk_by(|x, y| x.0 == y.0) {
            let (key, _, impulse) = same[same.len() - 1];
            last.push((key, impulse));
        }
    }

    /// Solves the problem at hand.
    fn solve(
        &mut self,
        clock: Clock,
        settings: &ContactSettings,
        all_together: bool,
        report: &mut ImpactReport,
    ) {
        let mut impact_settings = settings.impact();
        if all_together {
            // Forces act everywhere at once; there is nothing to hand on from contact to contact.
            impact_settings.mode = Mode::Simultaneous;
        }
        let before = (settings.capture != Capture::Nothing).then(|| self.problem.clone());
        let context = SolverContext {
            settings: &settings.solver,
            workspace: &self.workspace,
        };
        solve_impact_into(context, &mut self.problem, &impact_settings, report);
        if let Some(before) = before
            && settings.capture.keeps(report)
        {
            self.captured.push(CapturedImpact {
                clock,
                before,
                bounds: None,
                after: self.problem.bodies.clone(),
                settings: impact_settings,
                report: report.clone(),
            });
        }
    }

    /// Lists the contacts by islands: floes joined by contacts. Obstacles and walls join nobody.
    fn find_islands(&mut self, world: &World, near: &[Near]) {
        let bodies = &world.bodies;
        self.labels.reset(bodies.len());
        self.contacts.clear();
        for (index, near) in near
            .iter()
            .enumerate()
            .filter(|(_, near)| near.is_contact())
        {
            let floe = self.labels.join(bodies, near);
            self.contacts.push((index, floe as usize));
        }
        for (_, floe) in &mut self.contacts {
            *floe = self.labels.label(*floe as u32) as usize;
        }
        self.contacts
            .sort_unstable_by_key(|&(index, label)| (label, index));
    }

    fn assemble(
        &mut self,
        world: &World,
        near: &[Near],
        range: std::ops::Range<usize>,
        all_at_rest: bool,
    ) {
        let bodies = &world.bodies;
        self.positions.resize(bodies.len(), NOWHERE);
        self.rows.clear();
        self.problem.bodies.clear();
        self.problem.contacts.clear();
        for position in range {
            let near = &near[self.contacts[position].0];
            let mut contact = self.contact_of(bodies, near);
            contact.start = last_impulse(&world.last_impulses, near);
            if all_at_rest
                || is_at_rest(
                    bodies,
                    near,
                    -normal_velocity(bodies, near),
                    &self.is_loaded,
                )
            {
                contact.restitution = 0.0;
            }
            self.problem.contacts.push(contact);
        }
        for &row in self.rows.iter().filter(|&&row| row != NOWHERE) {
            self.positions[row] = NOWHERE;
        }
    }

    fn contact_of(&mut self, bodies: &Bodies, near: &Near) -> Contact {
        let a = self.place(bodies, near.a);
        let b = match near.b {
            Some(b) => self.place(bodies, b),
            None => self.place_wall(near.approach.point_b),
        };
        let positions = [a, b].map(|row| self.problem.bodies[row].position);
        contact_between(bodies, near, [a, b], positions)
    }

    /// Where a body is in the problem; it enters if it is not in it yet.
    fn place(&mut self, bodies: &Bodies, row: usize) -> usize {
        if self.positions[row] != NOWHERE {
            return self.positions[row];
        }
        let motion = bodies.motions[row];
        self.positions[row] = self.rows.len();
        self.rows.push(row);
        self.problem.bodies.push(Body {
            inv_mass: bodies.inv_masses[row],
            inv_inertia: bodies.inv_inertias[row],
            position: motion.pose.position,
            linear_velocity: motion.velocity.linear,
            angular_velocity: motion.velocity.angular,
        });
        self.positions[row]
    }

    fn place_wall(&mut self, position: DVec2) -> usize {
        self.rows.push(NOWHERE);
        self.problem.bodies.push(Body {
            inv_mass: 0.0,
            inv_inertia: 0.0,
            position,
            linear_velocity: DVec2::ZERO,
            angular_velocity: 0.0,
        });
        self.rows.len() - 1
    }

    fn write_back(&self, world: &mut World) {
        for (&row, body) in self.rows.iter().zip(&self.problem.bodies) {
            if row != NOWHERE && body.inv_mass > 0.0 {
                world.bodies.motions[row].velocity = Velocity {
                    linear: body.linear_velocity,
                    angular: body.angular_velocity,
                };
            }
        }
    }
}
