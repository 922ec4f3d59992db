//! One island: assembly of its contact problem from the candidates, and its solution written back.

use banquise_geometry::DVec2;
use banquise_solver::{
    Body, Bound, Contact, ContactProblem, Crushing, ImpactReport, ImpactSettings,
};

use super::candidate::ContactCandidate;
use super::capture::CapturedImpact;
use super::settings::ContactThresholds;
use crate::body::Bodies;
use crate::budget::Account;
use crate::error::SqueezeCause;
use crate::motion::Velocity;
use crate::world::Clock;

/// Floes connected by contacts, with their contact problem and its solution.
#[derive(Debug, Clone, Default)]
pub(super) struct Island {
    /// The smallest row of a floe in it.
    pub(super) label: u32,
    /// The rows of its bodies, ascending; walls come after them in the problem.
    pub(super) rows: Vec<u32>,
    /// The candidate of each contact.
    pub(super) candidates: Vec<u32>,
    /// Bounds on the normal velocities of the contacts, in a fixed step.
    pub(super) bounds: Vec<Bound>,
    /// Crushing strength of the contacts of a squeezed island; empty where ice is not crushed. With each, the
    /// area over which ice is crushed \[m²\].
    pub(super) crushing: Vec<Crushing>,
    pub(super) crushing_areas: Vec<f64>,
    /// Set where its rigid floes are squeezed without an admissible motion.
    pub(super) squeezed: Option<SqueezedIsland>,
    pub(super) problem: ContactProblem,
    pub(super) report: ImpactReport,
    /// The bodies before it was solved, where problems are captured.
    pub(super) before: Vec<Body>,
}

/// A squeezed island whose rigid floes have no admissible motion.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct SqueezedIsland {
    pub(crate) floes: usize,
    pub(crate) body: String,
    pub(crate) between: [String; 2],
    pub(crate) speed: f64,
    pub(crate) place: DVec2,
    pub(crate) cause: SqueezeCause,
}

/// Capacity of the buffers of a new island: more than most need, so that they seldom grow.
const CAPACITY: usize = 16;

/// Speed below which a body is at rest after contact [m/s, rad/s]: since the formation of the Earth it would not have moved by the rounding of a
/// position. Without such a limit every step leaves a share of the rounding of the last, until numbers underflow and solvers fail.
const REST_SPEED: f64 = 1e-30;

impl Island {
    /// An island with buffers for a few contacts.
    pub(super) fn with_capacity() -> Self {
        Self {
            label: 0,
            rows: Vec::with_capacity(CAPACITY),
            candidates: Vec::with_capacity(CAPACITY),
            bounds: Vec::with_capacity(CAPACITY),
            crushing: Vec::new(),
            crushing_areas: Vec::new(),
            squeezed: None,
            problem: ContactProblem {
                bodies: Vec::with_capacity(CAPACITY),
                contacts: Vec::with_capacity(CAPACITY),
            },
            report: ImpactReport {
                impulses: Vec::with_capacity(CAPACITY),
                compression: Vec::with_capacity(CAPACITY),
                ..ImpactReport::default()
            },
            before: Vec::new(),
        }
    }

    /// Assembles the problem of an island from its contacts, (label, candidate) each. Bodies have the velocities that
    /// `velocity_of` gives for their rows.
    pub(super) fn assemble(
        &mut self,
        bodies: &Bodies,
        all: &[ContactCandidate],
        contacts: &[(u32, u32)],
        velocity_of: impl Fn(usize) -> Velocity,
    ) {
        self.label = contacts[0].0;
        self.candidates.clear();
        self.candidates
            .extend(contacts.iter().map(|&(_, index)| index));
        let listed = self.candidates.iter().map(|&index| &all[index as usize]);
        let both = listed.flat_map(|candidate| [Some(candidate.a), candidate.b]);
        self.rows.clear();
        self.rows.extend(both.flatten().map(|row| row as u32));
        self.rows.sort_unstable();
        self.rows.dedup();
        let Self {
            rows,
            candidates,
            bounds,
            crushing,
            problem,
            ..
        } = self;
        problem.bodies.clear();
        problem.contacts.clear();
        bounds.clear();
        crushing.clear();
        problem.bodies.extend(rows.iter().map(|&row| {
            let row = row as usize;
            let velocity = velocity_of(row);
            Body {
                inv_mass: bodies.inv_masses[row],
                inv_inertia: bodies.inv_inertias[row],
                position: bodies.motions[row].pose.position,
                linear_velocity: velocity.linear,
                angular_velocity: velocity.angular,
            }
        }));
        for &index in &*candidates {
            let contact = contact_of(bodies, &all[index as usize], rows, &mut problem.bodies);
            problem.contacts.push(contact);
        }
    }

    /// Removes restitution: squeezed floes are in sustained contact.
    pub(super) fn remove_restitution(&mut self) {
        let contacts = self.problem.contacts.iter_mut();
        contacts.for_each(|contact| contact.restitution = 0.0);
        self.bounds.iter_mut().for_each(|bound| bound.rebound = 0.0);
    }

    /// Keeps the contacts that are marked.
    pub(super) fn retain_contacts(&mut self, keep: &[bool]) {
        fn retain<T>(column: &mut Vec<T>, keep: &[bool]) {
            let mut marks = keep.iter();
            column.retain(|_| marks.next().is_none_or(|&mark| mark));
        }
        retain(&mut self.candidates, keep);
        retain(&mut self.problem.contacts, keep);
        retain(&mut self.bounds, keep);
    }

    /// Whether some of its bodies touch without a gap.
    pub(super) fn has_lost_gap(
        &self,
        all: &[ContactCandidate],
        thresholds: &ContactThresholds,
    ) -> bool {
        self.candidates.iter().any(|&index| {
            let candidate = &all[index as usize];
            candidate.approach.gap < thresholds.lost_gap * candidate.distance
        })
    }

    /// Gives all floes the velocity of the obstacles that they touch, zero where these do not move, if the solution differs from it by rounding alone; says whether
    /// it does. Where bodies touch without a gap, such velocities would close it, and the step would have no length: ice that fills a box is an example.
    pub(super) fn settle(&mut self, thresholds: &ContactThresholds) -> bool {
        let Self {
            problem, report, ..
        } = self;
        let turnover = problem.turnover(&report.impulses);
        let share = thresholds.settled_share;
        let mut prescribed = problem.bodies.iter().filter(|body| body.inv_mass == 0.0);
        let frame = prescribed
            .next()
            .map_or(DVec2::ZERO, |body| body.linear_velocity);
        let rests = |(body, [linear, angular]): (&Body, &[f64; 2])| {
            (body.linear_velocity - frame).length() <= share * linear * body.inv_mass
                && body.angular_velocity.abs() <= share * angular * body.inv_inertia
        };
        let is_settled = problem.bodies.iter().zip(&turnover).all(rests);
        if is_settled {
            for body in &mut problem.bodies {
                (body.linear_velocity, body.angular_velocity) = (frame, 0.0);
            }
        }
        is_settled
    }

    /// Writes the velocities of the solution to the floes. One that is slower than `REST_SPEED` is at rest.
    pub(super) fn write_back(&self, bodies: &mut Bodies) {
        for (&row, body) in self.rows.iter().zip(&self.problem.bodies) {
            if body.inv_mass > 0.0 {
                let (linear, angular) = (body.linear_velocity, body.angular_velocity);
                let speed = linear.abs().max_element().max(angular.abs());
                bodies.motions[row as usize].velocity = if speed < REST_SPEED {
                    Velocity::REST
                } else {
                    Velocity { linear, angular }
                };
            }
        }
    }

    /// The problem with its solution, as a run captures it.
    pub(super) fn captured(&self, clock: Clock, settings: &ImpactSettings) -> CapturedImpact {
        CapturedImpact {
            clock,
            before: ContactProblem {
                bodies: self.before.clone(),
                contacts: self.problem.contacts.clone(),
            },
            bounds: (!self.bounds.is_empty()).then(|| self.bounds.clone()),
            crushing: (!self.crushing.is_empty()).then(|| self.crushing.clone()),
            after: self.problem.bodies.clone(),
            settings: *settings,
            report: self.report.clone(),
        }
    }

    /// Impulse and work of fixed and kinematic bodies on the others by these impulses.
    pub(super) fn account_of_fixed(&self, impulses: &[[f64; 2]]) -> Account {
        let mut account = Account::default();
        for (contact, impulse) in self.problem.contacts.iter().zip(impulses) {
            let vector = impulse[0] * contact.normal + impulse[1] * contact.tangent();
            let [arm_a, arm_b] = contact.arms;
            for (row, arm, given) in [(contact.a, arm_a, vector), (contact.b, arm_b, -vector)] {
                let body = &self.problem.bodies[row];
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
}

/// A contact of the problem; a wall enters it as a body.
fn contact_of(
    bodies: &Bodies,
    candidate: &ContactCandidate,
    rows: &[u32],
    all: &mut Vec<Body>,
) -> Contact {
    let place = |row: usize| {
        rows.binary_search(&(row as u32))
            .expect("the row of a contact is listed")
    };
    let approach = &candidate.approach;
    let a = place(candidate.a);
    let b = candidate.b.map_or_else(
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
    // One point for both lever arms, or angular momentum is not kept (specification E-24).
    let point = 0.5 * (approach.point_a + approach.point_b);
    let material = bodies.materials()[candidate.a];
    let material = candidate
        .b
        .map_or(material, |b| material.with(bodies.materials()[b]));
    Contact {
        a,
        b,
        arms: [
            point - all[a].position,
            point - all[b].position - candidate.offset,
        ],
        normal: approach.normal,
        friction: material.friction,
        restitution: material.restitution,
        gap: approach.gap,
        start: [0.0; 2],
    }
}
