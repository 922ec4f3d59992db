//! A run: steps, impacts, sustained contact, bonds that break, budgets.
//!
//! Impacts are events: the step is cut where a gap closes, and the law of percussion changes velocities there.
//! Under complementarity a rebound that would return within one step passes into sustained contact, in which
//! the contact force is complementary to the relative acceleration. An infinite sequence of
//! impacts in finite time (Zeno) thus ends after finitely many.

mod explicit;
mod implicit;

use banquise_geometry::DVec2;

use crate::budget::Budget;
use crate::contact::{Contact, ContactStatus, Percussion, strike};
use crate::error::{FractureError, positive, within};
use crate::network::{Bond, Network};

pub use implicit::equilibrium;

/// Time integration between events.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Integrator {
    /// Velocity Verlet with lagged dashpots; its step is bounded ([`Network::stable_step`]).
    Symplectic,
    /// Energy–momentum method: implicit midpoint with discrete gradients, whose budgets close to rounding.
    Implicit,
}

/// When a bond breaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BreakRule {
    /// No bond breaks.
    Never,
    /// ½ k δ² reaches the surface energy of the bond, in tension.
    Tension,
    /// ½ k δ² reaches the surface energy of the bond, in tension or in compression.
    EitherSign,
}

/// How a run is made.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RunSettings {
    /// Time integration.
    pub integrator: Integrator,
    /// Step \[s\].
    pub dt: f64,
    /// When bonds break.
    pub breaking: BreakRule,
}

/// What happened, and when.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Happening {
    /// Two nodes met.
    Impact {
        /// The contact.
        contact: usize,
        /// Approach speed \[m s⁻¹\].
        speed: f64,
        /// Whether they stay together.
        stays: bool,
    },
    /// Nodes that pressed on each other part.
    Release {
        /// The contact.
        contact: usize,
    },
    /// A bond broke.
    Break {
        /// The bond.
        bond: usize,
        /// Elastic energy it held \[J\].
        energy: f64,
        /// Whether it was in tension.
        tension: bool,
    },
}

/// An event of a run.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Event {
    /// Time \[s\].
    pub time: f64,
    /// What happened.
    pub what: Happening,
    /// Kinetic and elastic energy after it \[J\].
    pub energy: f64,
}

/// Displacements and velocities at a time.
#[derive(Debug, Clone, PartialEq)]
pub struct State {
    /// Time \[s\].
    pub time: f64,
    /// Displacements from the reference \[m\].
    pub displacement: Vec<DVec2>,
    /// Velocities \[m s⁻¹\].
    pub velocity: Vec<DVec2>,
}

/// Networks in motion.
#[derive(Debug, Clone)]
pub struct Run {
    pub(crate) network: Network,
    pub(crate) contacts: Vec<Contact>,
    pub(crate) state: State,
    pub(crate) settings: RunSettings,
    pub(crate) budget: Budget,
    /// Contact forces of the last step \[N\].
    pub(crate) forces: Vec<f64>,
    /// Accelerations of the symplectic method at the present state, if known.
    pub(crate) acceleration: Option<Vec<DVec2>>,
    /// Gaps below this are closed \[m\].
    pub(crate) gap_tolerance: f64,
    events: Vec<Event>,
    /// Steps in a row with many events.
    crowded: u32,
    /// Before the impacts at the start \[kg m s⁻¹\].
    initial_momentum: DVec2,
}

/// Events within one step beyond which the run stops.
const MAX_EVENTS: u32 = 10_000;
/// Events within each of so many steps in a row beyond which it stops too: impacts accumulate, and end within a step by the rounding of its time alone.
const CROWD: u32 = 200;
const MAX_CROWDED: u32 = 10;
/// Gaps below this part of the size of the network are closed: some hundred roundings of a position.
const CLOSED_GAP: f64 = 1e-14;

/// How a trial step ended.
pub(crate) enum Trial {
    /// The step was made, over this time.
    Made,
    /// The step was made up to the moment at which this contact closes.
    Closed(usize),
}

impl Run {
    /// Starts a run, with the network without stress and these velocities.
    ///
    /// # Errors
    /// Values outside their range, or an explicit step beyond the stable one.
    pub fn try_new(
        network: Network,
        contacts: Vec<Contact>,
        velocity: Vec<DVec2>,
        settings: RunSettings,
    ) -> Result<Self, FractureError> {
        network.check()?;
        positive("step (s)", settings.dt)?;
        for contact in &contacts {
            if let Percussion::Impulse { restitution, .. }
            | Percussion::Complementarity { restitution } = contact.law
            {
                within("restitution", "between 0 and 1", 0.0..=1.0, restitution)?;
            }
            within("gap (m)", "zero or more", 0.0..=f64::MAX, contact.gap)?;
        }
        let limit = network.stable_step();
        if settings.integrator == Integrator::Symplectic && settings.dt > limit {
            return Err(FractureError::StepTooLong {
                dt: settings.dt,
                limit,
            });
        }
        let low = network.places.iter().copied().reduce(DVec2::min);
        let high = network.places.iter().copied().reduce(DVec2::max);
        let size = (high.unwrap_or_default() - low.unwrap_or_default()).length();
        let state = State {
            time: 0.0,
            displacement: vec![DVec2::ZERO; network.places.len()],
            velocity,
        };
        let mut run = Self {
            forces: vec![0.0; contacts.len()],
            network,
            contacts,
            state,
            settings,
            budget: Budget::default(),
            acceleration: None,
            gap_tolerance: CLOSED_GAP * size,
            events: Vec::new(),
            crowded: 0,
            initial_momentum: DVec2::ZERO,
        };
        run.check_finite()?;
        run.budget.initial = run.energy();
        run.initial_momentum = run.momentum();
        run.resolve_impacts()?;
        run.measure();
        Ok(run)
    }

    /// Displacements, velocities, time.
    pub fn state(&self) -> &State {
        &self.state
    }

    /// The network, with its broken bonds.
    pub fn network(&self) -> &Network {
        &self.network
    }

    /// Contacts: those given, then the lips of broken bonds.
    pub fn contacts(&self) -> &[Contact] {
        &self.contacts
    }

    /// How the run is made.
    pub fn settings(&self) -> &RunSettings {
        &self.settings
    }

    /// Forces of the contacts in the last step \[N\].
    pub fn contact_forces(&self) -> &[f64] {
        &self.forces
    }

    /// Budgets.
    pub fn budget(&self) -> &Budget {
        &self.budget
    }

    /// Events so far.
    pub fn events(&self) -> &[Event] {
        &self.events
    }

    /// Total momentum before the impacts at the start \[kg m s⁻¹\].
    pub fn initial_momentum(&self) -> DVec2 {
        self.initial_momentum
    }

    /// Total momentum \[kg m s⁻¹\].
    pub fn momentum(&self) -> DVec2 {
        let pairs = self.network.masses.iter().zip(&self.state.velocity);
        pairs.map(|(&mass, &velocity)| mass * velocity).sum()
    }

    /// Kinetic and elastic energy \[J\].
    pub fn energy(&self) -> f64 {
        self.kinetic() + self.network.elastic_energy(&self.state.displacement)
    }

    fn kinetic(&self) -> f64 {
        let pairs = self.network.masses.iter().zip(&self.state.velocity);
        pairs
            .map(|(&mass, velocity)| 0.5 * mass * velocity.length_squared())
            .sum()
    }

    /// Runs until a time.
    ///
    /// # Errors
    /// What [`Self::step`] says.
    pub fn run_until(&mut self, end: f64) -> Result<(), FractureError> {
        while self.state.time < end {
            self.step_by(self.settings.dt.min(end - self.state.time))?;
        }
        Ok(())
    }

    /// Makes one step of the settings' length.
    ///
    /// # Errors
    /// Newton's method does not converge, impacts accumulate, or a velocity is not finite.
    pub fn step(&mut self) -> Result<(), FractureError> {
        self.step_by(self.settings.dt)
    }

    fn step_by(&mut self, dt: f64) -> Result<(), FractureError> {
        let end = self.state.time + dt;
        let mut events = 0;
        // What remains below one rounding of the time is no step.
        while end - self.state.time > 4.0 * f64::EPSILON * end {
            let rest = end - self.state.time;
            let trial = match self.settings.integrator {
                Integrator::Symplectic => explicit::advance(self, rest)?,
                Integrator::Implicit => implicit::advance(self, rest)?,
            };
            self.check_finite()?;
            if let Trial::Closed(contact) = trial {
                self.close_gently(contact);
                self.resolve_impacts()?;
            }
            self.break_bonds();
            events += 1;
            if events > MAX_EVENTS {
                return Err(FractureError::TooManyEvents {
                    time: self.state.time,
                    count: MAX_EVENTS,
                });
            }
        }
        self.state.time = end;
        self.measure();
        self.crowded = if events > CROWD { self.crowded + 1 } else { 0 };
        if self.crowded > MAX_CROWDED {
            return Err(FractureError::TooManyEvents {
                time: self.state.time,
                count: CROWD,
            });
        }
        Ok(())
    }

    fn measure(&mut self) {
        self.budget.kinetic = self.kinetic();
        self.budget.elastic = self.network.elastic_energy(&self.state.displacement);
    }

    fn check_finite(&self) -> Result<(), FractureError> {
        match self.state.velocity.iter().position(|v| !v.is_finite()) {
            Some(node) => Err(FractureError::NonFinite {
                time: self.state.time,
                node,
            }),
            None => Ok(()),
        }
    }

    pub(crate) fn record(&mut self, what: Happening) {
        self.events.push(Event {
            time: self.state.time,
            what,
            energy: self.energy(),
        });
    }

    pub(crate) fn release(&mut self, contact: usize) {
        self.contacts[contact].status = ContactStatus::Open;
        self.forces[contact] = 0.0;
        self.acceleration = None;
        self.record(Happening::Release { contact });
    }

    /// Nodes that come together without speed press on each other from then on.
    fn close_gently(&mut self, index: usize) {
        let contact = &self.contacts[index];
        let approach = -contact.relative(&self.state.velocity);
        let is_gentle = approach <= 4.0 * f64::EPSILON * self.speed_at(contact);
        if is_gentle && matches!(contact.law, Percussion::Complementarity { .. }) {
            self.contacts[index].status = ContactStatus::Sustained;
            self.acceleration = None;
        }
    }

    /// Applies the laws of percussion until no closed contact approaches.
    fn resolve_impacts(&mut self) -> Result<(), FractureError> {
        for _ in 0..MAX_EVENTS {
            let mut worst = None;
            for (index, contact) in self.contacts.iter().enumerate() {
                let approach = -contact.relative(&self.state.velocity);
                let touches = contact.is_closed()
                    || contact.gap_at(&self.state.displacement) <= self.gap_tolerance;
                // A merged or sustained contact is disturbed by an impact on one of its nodes.
                let rounding = 4.0 * f64::EPSILON * self.speed_at(contact);
                let is_disturbed = match contact.status {
                    ContactStatus::Merged => approach.abs() > rounding,
                    ContactStatus::Open | ContactStatus::Sustained => approach > rounding,
                };
                if touches && is_disturbed && worst.is_none_or(|(_, a)| approach.abs() > a) {
                    worst = Some((index, approach.abs()));
                }
            }
            match worst {
                Some((contact, _)) => self.resolve(contact),
                None => return Ok(()),
            }
        }
        Err(FractureError::TooManyEvents {
            time: self.state.time,
            count: MAX_EVENTS,
        })
    }

    pub(crate) fn speed_at(&self, contact: &Contact) -> f64 {
        let [a, b] = contact.nodes.map(|node| self.state.velocity[node].length());
        a.max(b)
    }

    /// One impact.
    fn resolve(&mut self, index: usize) {
        let contact = self.contacts[index].clone();
        let approach = -contact.relative(&self.state.velocity);
        let before = self.kinetic();
        let was_closed = contact.is_closed();
        let stays = match contact.law {
            _ if was_closed => {
                self.push(&contact, 0.0, [0.0; 2]);
                true
            }
            Percussion::Merge { wall } => {
                self.push(&contact, 0.0, [0.0; 2]);
                if wall {
                    self.stop(&contact);
                }
                self.contacts[index].status = ContactStatus::Merged;
                true
            }
            Percussion::Impulse {
                restitution,
                duration,
            } => {
                let springs = contact
                    .nodes
                    .map(|node| duration * contact.normal.dot(self.spring_force(node)));
                self.push(&contact, restitution, springs);
                self.budget.external_impulse += (springs[0] + springs[1]) * contact.normal;
                false
            }
            Percussion::Complementarity { restitution } => {
                self.push(&contact, 0.0, [0.0; 2]);
                let pressing = -self.free_acceleration(&contact);
                // Time of flight until the next impact: 2 ε u/a.
                let flight = 2.0 * restitution * approach;
                let stays = flight <= pressing * self.settings.dt;
                if stays {
                    self.contacts[index].status = ContactStatus::Sustained;
                } else {
                    let [m, other] = contact.nodes.map(|node| self.inverse_mass(node));
                    let impulse = restitution * approach / (m + other);
                    self.kick(&contact, impulse);
                }
                stays
            }
        };
        self.acceleration = None;
        self.budget.impacts += before - self.kinetic();
        if !was_closed {
            let speed = approach;
            self.record(Happening::Impact {
                contact: index,
                speed,
                stays,
            });
        }
    }

    pub(crate) fn inverse_mass(&self, node: usize) -> f64 {
        if self.network.pinned[node] {
            0.0
        } else {
            1.0 / self.network.masses[node]
        }
    }

    /// Gives both nodes the velocities of the impulse law.
    fn push(&mut self, contact: &Contact, restitution: f64, springs: [f64; 2]) {
        let mass = |node: usize| {
            if self.network.pinned[node] {
                f64::INFINITY
            } else {
                self.network.masses[node]
            }
        };
        let masses = contact.nodes.map(mass);
        let along = contact
            .nodes
            .map(|node| contact.normal.dot(self.state.velocity[node]));
        let struck = strike(masses, along, restitution, springs);
        for (side, &node) in contact.nodes.iter().enumerate() {
            let change = struck.velocities[side] - along[side];
            self.state.velocity[node] += change * contact.normal;
            if self.network.pinned[node] {
                let sign = if side == 0 { 1.0 } else { -1.0 };
                self.budget.external_impulse += sign * struck.impulse * contact.normal;
            }
        }
    }

    /// Pushes both nodes of a contact apart.
    fn kick(&mut self, contact: &Contact, impulse: f64) {
        for (node, sign) in contact.nodes.into_iter().zip([-1.0, 1.0]) {
            let inverse = self.inverse_mass(node);
            self.state.velocity[node] += sign * impulse * inverse * contact.normal;
            if self.network.pinned[node] {
                self.budget.external_impulse -= sign * impulse * contact.normal;
            }
        }
    }

    /// A wall takes the normal momentum of both nodes.
    fn stop(&mut self, contact: &Contact) {
        for node in contact.nodes {
            let along = contact.normal.dot(self.state.velocity[node]);
            self.state.velocity[node] -= along * contact.normal;
            self.budget.external_impulse -= self.network.masses[node] * along * contact.normal;
        }
    }

    /// Force of springs, without dashpots, on a node \[N\].
    fn spring_force(&self, node: usize) -> DVec2 {
        let mut force = DVec2::ZERO;
        for bond in self.network.bonds.iter().filter(|bond| bond.intact) {
            if let Some(side) = bond.nodes.iter().position(|&n| n == node) {
                let (pull, direction) = self.pull(bond, false);
                force += if side == 0 { pull } else { -pull } * direction;
            }
        }
        force
    }

    /// Tension of a bond \[N\] and its direction.
    pub(crate) fn pull(&self, bond: &Bond, with_dashpot: bool) -> (f64, DVec2) {
        let [i, j] = bond.nodes;
        let State {
            displacement,
            velocity,
            ..
        } = &self.state;
        let d = self.network.reference(bond) + displacement[j] - displacement[i];
        let direction = d / d.length();
        let mut pull = bond.stiffness * self.network.elongation(bond, displacement);
        if with_dashpot {
            pull += bond.dashpot * direction.dot(velocity[j] - velocity[i]);
        }
        (pull, direction)
    }

    /// Relative normal acceleration of a contact without its own force \[m s⁻²\].
    fn free_acceleration(&self, contact: &Contact) -> f64 {
        let forces = explicit::forces(self, &self.state.velocity);
        let [a, b] = contact
            .nodes
            .map(|node| self.inverse_mass(node) * contact.normal.dot(forces[node]));
        b - a
    }

    /// Breaks every bond that holds more than its surface energy.
    fn break_bonds(&mut self) {
        if self.settings.breaking == BreakRule::Never {
            return;
        }
        for index in 0..self.network.bonds.len() {
            let bond = &self.network.bonds[index];
            if !bond.intact {
                continue;
            }
            let elongation = self.network.elongation(bond, &self.state.displacement);
            let energy = 0.5 * bond.stiffness * elongation * elongation;
            let may_break = elongation > 0.0 || self.settings.breaking == BreakRule::EitherSign;
            if may_break && energy >= bond.surface_energy {
                self.break_bond(index);
            }
        }
    }

    /// Takes a bond away with the torsion springs on it; its nodes become the lips of a crack.
    fn break_bond(&mut self, index: usize) {
        let bond = self.network.bonds[index].clone();
        let elongation = self.network.elongation(&bond, &self.state.displacement);
        let (_, direction) = self.pull(&bond, false);
        let before = self.network.elastic_energy(&self.state.displacement);
        self.network.bonds[index].intact = false;
        self.network.corners.retain(|c| !c.bonds.contains(&index));
        let energy = before - self.network.elastic_energy(&self.state.displacement);
        self.budget.broken += energy;
        self.budget.surface += bond.surface_energy;
        self.acceleration = None;
        // The lips touch at the rest length of the bond. Those of a bond broken in compression start at contact.
        let [i, j] = bond.nodes;
        let relative = direction.dot(self.state.displacement[j] - self.state.displacement[i]);
        let gap = elongation.max(0.0) - relative;
        let law = Percussion::default();
        self.contacts
            .push(Contact::new(bond.nodes, direction, gap, law));
        self.forces.push(0.0);
        self.record(Happening::Break {
            bond: index,
            energy,
            tension: elongation > 0.0,
        });
    }
}
