//! The complete state of the simulation: what a checkpoint must hold and a hash must cover.

mod bonds;
mod breakage;
mod contact_impulses;
mod hash;
mod lines;
mod stored;

use banquise_geometry::{DVec2, Outline, Shape, SplitPiece};

use crate::body::{Bodies, BodyKind, BodySpec, Life};
use crate::bond::Bond;
use crate::budget::{Budget, ExchangeBudget, Flux};
use crate::contact_state::{ContactKey, ContactLoad, Touched};
use crate::domain::Domain;
use crate::error::BodyError;
use crate::id::BodyId;
use crate::line::Line;
use crate::motion::Motion;
use crate::path::BodyPath;
use crate::source::Source;

pub use breakage::{Breakage, BreakingForce};
pub use contact_impulses::ContactImpulse;

/// Simulated time.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Clock {
    /// Time since the start of the run \[s\].
    pub time: f64,
    /// Steps taken.
    pub step: u64,
}

/// Reason why a body is no longer in the world.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fate {
    /// The body left over an open edge.
    Left,
    /// Pieces took its place.
    Replaced,
    /// The user removed the body.
    Removed,
    /// All of the body was crushed.
    Crushed,
}

/// A body that is no longer in the world.
#[derive(Debug, Clone, PartialEq)]
pub struct Gone {
    /// Its id.
    pub id: BodyId,
    /// Time at which it was removed \[s\].
    pub time: f64,
    /// Reason of its removal.
    pub fate: Fate,
    /// Its origin.
    pub life: Life,
    /// Contact loads on it until then.
    pub load: ContactLoad,
    /// How it broke, where it did.
    pub breakage: Option<Breakage>,
}

/// The state of a simulation: bodies, domain, clock, ocean layer and budgets.
#[derive(Debug, Clone)]
pub struct World {
    /// Floes and obstacles.
    pub bodies: Bodies,
    /// Edges of the domain.
    pub domain: Domain,
    /// Simulated time.
    pub clock: Clock,
    /// Seed of all randomness.
    pub seed: u64,
    /// Velocities of the cells of the ocean layer, where it is coupled to the ice [m/s]; at least one.
    pub ocean_velocities: Vec<DVec2>,
    /// Momentum and energy budget of the floes so far.
    pub budget: Budget,
    /// Contact loads on the walls in the west, east, south and north so far.
    pub wall_loads: [ContactLoad; 4],
    /// Pairs that touched at the last step, in order.
    pub touching: Vec<(BodyId, Touched)>,
    /// Impulses of the last step, for the warm start of the next. In the order of their keys.
    pub(crate) warm_start: Vec<(ContactKey, [f64; 2])>,
    /// Memories of contacts that stick, γ/R \[N s\]: the impulse by which bodies were pushed together and not yet pulled apart, negative. In the order of their keys.
    pub(crate) adhesion: Vec<(ContactKey, f64)>,
    /// Joints between bodies that are frozen together, in the order of their ids.
    pub(crate) bonds: Vec<Bond>,
    /// Pairs that touch at rest and are not frozen together, and for how long \[s\], in the order of their ids. Only where joints heal.
    pub(crate) contact_ages: Vec<([BodyId; 2], f64)>,
    /// Sources at which floes enter.
    pub sources: Vec<Source>,
    /// Springs, dampers and mooring lines.
    pub lines: Vec<Line>,
    /// Bodies that are no longer in the world, in the order of their removal.
    gone: Vec<Gone>,
}

impl World {
    /// An empty world at time zero.
    pub fn new(domain: Domain, seed: u64) -> Self {
        Self {
            bodies: Bodies::default(),
            domain,
            clock: Clock::default(),
            seed,
            ocean_velocities: vec![DVec2::ZERO],
            budget: Budget::default(),
            wall_loads: [ContactLoad::default(); 4],
            touching: Vec::new(),
            warm_start: Vec::new(),
            adhesion: Vec::new(),
            bonds: Vec::new(),
            contact_ages: Vec::new(),
            sources: Vec::new(),
            lines: Vec::new(),
            gone: Vec::new(),
        }
    }

    /// Adds a body and returns its id. After the first step, a floe that is added is booked as entered.
    ///
    /// # Errors
    /// When the body is not a usable one, or wider than a periodic cell.
    pub fn add(&mut self, spec: BodySpec) -> Result<BodyId, BodyError> {
        self.check_width(&spec.shape)?;
        let id = self.bodies.insert(spec, self.clock.time)?;
        let row = self.bodies.len() - 1;
        self.wrap(row);
        let flux = self.flux_of(row);
        self.book(|exchange| &mut exchange.entered, flux);
        Ok(id)
    }

    /// Removes a body from the world.
    ///
    /// # Errors
    /// When there is no such body.
    pub fn remove(&mut self, id: BodyId) -> Result<(), BodyError> {
        let row = self.bodies.row_of(id).ok_or(BodyError::Unknown { id })?;
        let flux = self.flux_of(row);
        self.book(|exchange| &mut exchange.left, flux);
        self.depart(&[id], Fate::Removed);
        Ok(())
    }

    /// Replaces a body by pieces. Either all pieces enter and the body goes, or nothing changes. What they
    /// have more or less than the body of mass, momentum and energy is booked.
    ///
    /// # Errors
    /// When there is no such body, or a piece is not a usable body.
    pub fn replace(&mut self, id: BodyId, pieces: Vec<BodySpec>) -> Result<Vec<BodyId>, BodyError> {
        let row = self.bodies.row_of(id).ok_or(BodyError::Unknown { id })?;
        for piece in &pieces {
            self.check_width(&piece.shape)?;
        }
        let replaced = self.flux_of(row);
        let gone = self.gone(row, Fate::Replaced);
        let held = self.held_bonds(id);
        let lines = self.hold_lines(id);
        let ids = self.bodies.replace(id, pieces, self.clock.time)?;
        self.hand_on(gone, replaced, &ids);
        self.hand_on_bonds(id, held, &ids);
        self.fasten(lines, &ids);
        Ok(ids)
    }

    /// Splits a floe into pieces of ice given in its own frame, which add up to it: mass, momentum, angular momentum and kinetic energy stay as they are. Either
    /// all pieces enter and the floe goes, or nothing changes.
    ///
    /// # Errors
    /// When there is no such floe, or a piece is not a usable body.
    pub fn split(&mut self, id: BodyId, pieces: &[SplitPiece]) -> Result<Vec<BodyId>, BodyError> {
        let row = self.bodies.row_of(id).ok_or(BodyError::Unknown { id })?;
        let replaced = self.flux_of(row);
        let mut gone = self.gone(row, Fate::Replaced);
        gone.breakage = Some(Breakage::new(self.bodies.motions[row].pose, pieces));
        let held = self.held_bonds(id);
        let lines = self.hold_lines(id);
        let ids = self.bodies.split(row, pieces, self.clock.time)?;
        self.hand_on(gone, replaced, &ids);
        self.hand_on_bonds(id, held, &ids);
        self.fasten(lines, &ids);
        Ok(ids)
    }

    /// Notes the forces under which the floe broke that was split last.
    pub(crate) fn note_breaking_forces(&mut self, forces: Vec<BreakingForce>) {
        let last = self.gone.last_mut();
        if let Some(breakage) = last.and_then(|gone| gone.breakage.as_mut()) {
            breakage.forces = forces;
        }
    }

    /// Books a body that was replaced by pieces, and hands on its contacts to them.
    fn hand_on(&mut self, gone: Gone, replaced: Flux, ids: &[BodyId]) {
        let id = gone.id;
        self.gone.push(gone);
        self.book(|exchange| &mut exchange.replaced, replaced);
        for &piece in ids {
            let row = self.row_of(piece);
            self.wrap(row);
            let flux = self.flux_of(row);
            self.book(|exchange| &mut exchange.pieces, flux);
        }
        self.hand_on_touching(id, ids);
        self.forget_contacts(&[id]);
    }

    /// Cuts a floe back to a shape given in its own frame as it is now; it keeps its id, and each point of what remains its place
    /// and velocity: see [`Bodies::reshape`]. What is cut off is booked as crushed.
    ///
    /// # Errors
    /// When there is no such floe, or what remains is not a usable body.
    pub fn reshape(&mut self, id: BodyId, shape: Shape) -> Result<(), BodyError> {
        let row = self.bodies.row_of(id).ok_or(BodyError::Unknown { id })?;
        self.check_width(&shape)?;
        let before = self.flux_of(row);
        let held = self.held_bonds(id);
        let lines = self.hold_lines(id);
        self.bodies.reshape(row, shape)?;
        self.fasten(lines, &[id]);
        self.wrap(row);
        self.hand_on_bonds(id, held, &[id]);
        let after = Flux {
            floes: 0,
            ..self.flux_of(row)
        };
        self.book(|exchange| &mut exchange.crushed, before.since(&after));
        self.forget_vertices(id);
        Ok(())
    }

    /// Cuts a floe back to outlines given in its own frame, the largest first: it keeps its id and the first of them, and others are new
    /// floes. Without any, or where what is left is not a usable body, all of it is crushed. What is crushed is booked.
    pub(crate) fn crush(&mut self, id: BodyId, outlines: Vec<Outline>) {
        let row = self.row_of(id);
        let before = self.flux_of(row);
        let held = self.held_bonds(id);
        let lines = self.hold_lines(id);
        let mut outlines = outlines.into_iter().map(Shape::Outline);
        let largest = outlines.next();
        let others: Vec<BodySpec> = outlines
            .map(|shape| self.bodies.piece(row, shape))
            .collect();
        if largest.is_none_or(|shape| self.bodies.reshape(row, shape).is_err()) {
            self.book(|exchange| &mut exchange.crushed, before);
            self.depart(&[id], Fate::Crushed);
            return;
        }
        let mut left = self.flux_of(row);
        let mut parts = vec![id];
        for piece in others {
            // A piece that is not a usable body is crushed too.
            if self
                .bodies
                .insert_piece(row, piece, self.clock.time)
                .is_err()
            {
                continue;
            }
            let last = self.bodies.len() - 1;
            parts.push(self.bodies.ids()[last]);
            self.wrap(last);
            let flux = self.flux_of(last);
            left += flux;
            self.book(|exchange| &mut exchange.pieces, flux);
            let taken = Flux { floes: 0, ..flux };
            self.book(|exchange| &mut exchange.replaced, taken);
        }
        self.fasten(lines, &parts);
        self.wrap(row);
        self.hand_on_bonds(id, held, &[id]);
        self.forget_vertices(id);
        left.floes = 0;
        self.book(|exchange| &mut exchange.crushed, before.since(&left));
    }

    /// Removes floes that left over an open edge; their ids are in order.
    pub(crate) fn leave(&mut self, ids: &[BodyId]) {
        for &id in ids {
            let flux = self.flux_of(self.row_of(id));
            self.book(|exchange| &mut exchange.left, flux);
        }
        self.depart(ids, Fate::Left);
    }

    /// Bodies that are no longer in the world, in the order of their removal.
    pub fn gone_bodies(&self) -> &[Gone] {
        &self.gone
    }

    fn depart(&mut self, ids: &[BodyId], fate: Fate) {
        for &id in ids {
            let gone = self.gone(self.row_of(id), fate);
            self.gone.push(gone);
        }
        self.drop_bonds(ids);
        self.bodies.remove(ids);
        self.forget_contacts(ids);
        self.break_lines_of(ids);
    }

    fn gone(&self, row: usize, fate: Fate) -> Gone {
        Gone {
            id: self.bodies.ids()[row],
            time: self.clock.time,
            fate,
            life: self.bodies.lives()[row],
            load: self.bodies.contact_loads[row],
            breakage: None,
        }
    }

    /// The row of a body that is known to be there.
    pub(crate) fn row_of(&self, id: BodyId) -> usize {
        self.bodies
            .row_of(id)
            .unwrap_or_else(|| panic!("{id} is in the world"))
    }

    /// Drops touching pairs, warm-start impulses and memories of removed bodies.
    fn forget_contacts(&mut self, gone: &[BodyId]) {
        let is_gone = |id: BodyId| gone.binary_search(&id).is_ok();
        let involves = |id: BodyId, other: Touched| {
            is_gone(id) || matches!(other, Touched::Body(other) if is_gone(other))
        };
        self.touching.retain(|&(id, other)| !involves(id, other));
        self.warm_start
            .retain(|&(key, _)| !involves(key.body(), key.other()));
        self.adhesion
            .retain(|&(key, _)| !involves(key.body(), key.other()));
    }

    /// Drops warm-start impulses and memories of a body whose vertices were renumbered. Its touching pairs stay.
    fn forget_vertices(&mut self, id: BodyId) {
        let is_kept = |key: ContactKey| {
            if key.is_vertex_of_other() {
                key.other() != Touched::Body(id)
            } else {
                key.body() != id
            }
        };
        self.warm_start.retain(|&(key, _)| is_kept(key));
        self.adhesion.retain(|&(key, _)| is_kept(key));
    }

    /// Lists the pieces of a body as touching each other and all that the body touched, so that contacts between them are not counted as collisions.
    fn hand_on_touching(&mut self, id: BodyId, pieces: &[BodyId]) {
        let mut handed_on = Vec::new();
        for (number, &piece) in pieces.iter().enumerate() {
            let others = pieces[number + 1..].iter();
            handed_on.extend(others.map(|&other| (piece, Touched::Body(other))));
            for &(first, second) in &self.touching {
                if first == id {
                    handed_on.push(match second {
                        Touched::Body(second) => in_order(piece, second),
                        Touched::Wall(_) => (piece, second),
                    });
                } else if second == Touched::Body(id) {
                    handed_on.push(in_order(first, piece));
                }
            }
        }
        self.touching.append(&mut handed_on);
        self.touching.sort_unstable();
        self.touching.dedup();
    }

    fn check_width(&self, shape: &Shape) -> Result<(), BodyError> {
        if let Domain::Periodic(cell) = self.domain {
            let span = 2.0 * shape.enclosing_circle().radius;
            let cell = cell.size().min_element();
            if span >= cell {
                return Err(BodyError::WiderThanCell { span, cell });
            }
        }
        Ok(())
    }

    /// Wraps a new body into the periodic cell.
    fn wrap(&mut self, row: usize) {
        let motion = &mut self.bodies.motions[row];
        let (position, crossed) = self.domain.wrap(motion.pose.position);
        motion.pose.position = position;
        motion.winding[0] += crossed[0];
        motion.winding[1] += crossed[1];
    }

    /// Books mass, momentum and energy of floes. Before the first step a world is being set up, and nothing is booked.
    fn book(&mut self, account: fn(&mut ExchangeBudget) -> &mut Flux, flux: Flux) {
        if self.clock.step > 0 {
            *account(&mut self.budget.exchange) += flux;
        }
    }

    /// Mass, momentum and energy of a body; zero for an obstacle.
    fn flux_of(&self, row: usize) -> Flux {
        if !self.bodies.is_floe(row) {
            return Flux::default();
        }
        let mass = self.bodies.masses()[row];
        Flux {
            floes: 1,
            mass,
            momentum: mass * self.bodies.motions[row].velocity.linear,
            energy: self.kinetic_energy_of(row),
        }
    }

    /// Adds an obstacle that follows a path, which is that of the origin of the shape's frame; its centre
    /// goes straight between the waypoints. Pose and velocity of the body are those of the path now.
    ///
    /// # Errors
    /// When the body is not a usable one, or wider than a periodic cell.
    pub fn add_on_path(&mut self, spec: BodySpec, path: &BodyPath) -> Result<BodyId, BodyError> {
        let path = path.of_point(spec.shape.centroid());
        let id = self.add(BodySpec {
            kind: BodyKind::Obstacle,
            ..spec
        })?;
        self.bodies.paths.push((id, path));
        self.follow_paths(self.clock.time);
        Ok(id)
    }

    /// Moves the clock by a step of `dt` \[s\].
    pub(crate) fn advance_clock(&mut self, dt: f64) {
        self.clock.time += dt;
        self.clock.step += 1;
    }

    /// Sets moving obstacles to the poses and velocities of their paths at a time \[s\].
    pub(crate) fn follow_paths(&mut self, time: f64) {
        for number in 0..self.bodies.paths.len() {
            let (id, path) = &self.bodies.paths[number];
            let (mut pose, velocity) = path.at(time);
            let winding;
            (pose.position, winding) = self.domain.wrap(pose.position);
            let row = self.row_of(*id);
            self.bodies.motions[row] = Motion {
                pose,
                velocity,
                winding,
            };
        }
    }

    /// Whether spinning obstacles are, in a step, where they will be at its end (Lefebvre 2007, section 5.2.4): where all floes are discs, whose distances have a sign. A polygon may not be overlapped.
    fn spins_ahead(&self) -> bool {
        let mut rows = self.floe_rows();
        rows.all(|row| self.bodies.contact_shapes[row].is_disc())
    }

    /// Gives spinning obstacles the velocities that lead to where they are at the end of a step of `dt` \[s\]; where all floes are discs, brings them there.
    pub(crate) fn aim_spins(&mut self, dt: f64) {
        if self.bodies.paths.is_empty() {
            return;
        }
        let time = self.clock.time;
        let seen = if self.spins_ahead() { time + dt } else { time };
        for number in 0..self.bodies.paths.len() {
            let (id, path) = &self.bodies.paths[number];
            if path.spin().is_some() {
                let (mut pose, velocity) = (path.at(seen).0, path.velocity_over(time, dt));
                let winding;
                (pose.position, winding) = self.domain.wrap(pose.position);
                let row = self.row_of(*id);
                self.bodies.motions[row] = Motion {
                    pose,
                    velocity,
                    winding,
                };
            }
        }
    }

    /// Rows of obstacles that spin and are where they will be at the end of the step, ascending.
    pub(crate) fn rows_ahead(&self) -> Vec<usize> {
        if self.bodies.paths.is_empty() || !self.spins_ahead() {
            return Vec::new();
        }
        let paths = self.bodies.paths.iter();
        let spinning = paths.filter(|(_, path)| path.spin().is_some());
        let mut rows: Vec<usize> = spinning.map(|(id, _)| self.row_of(*id)).collect();
        rows.sort_unstable();
        rows
    }

    /// `max_dt` \[s\], or less where an obstacle changes its velocity before.
    pub(crate) fn until_next_waypoint(&self, max_dt: f64) -> f64 {
        let time = self.clock.time;
        let paths = self.bodies.paths.iter();
        paths.fold(max_dt, |dt, (_, path)| {
            dt.min(path.next_change(time) - time)
        })
    }

    /// Centre of mass of all floes, not brought back into the periodic cell \[m\]; the origin where there
    /// are none.
    pub fn floe_center(&self) -> DVec2 {
        let (mut moment, mut mass) = (DVec2::ZERO, 0.0);
        for row in self.floe_rows() {
            let row_mass = self.bodies.masses()[row];
            mass += row_mass;
            moment += row_mass * self.unwrapped_position(row);
        }
        if mass > 0.0 {
            moment / mass
        } else {
            DVec2::ZERO
        }
    }

    /// Unwrapped position of a body, not brought back into the periodic cell \[m\].
    pub fn unwrapped_position(&self, row: usize) -> DVec2 {
        let Motion {
            pose,
            winding: [columns, rows],
            ..
        } = self.bodies.motions[row];
        match self.domain {
            Domain::Periodic(cell) => {
                pose.position + cell.size() * DVec2::new(f64::from(columns), f64::from(rows))
            }
            Domain::Free | Domain::Bounded(_) => pose.position,
        }
    }

    /// Velocity of the ocean layer, where it is coupled to the ice [m/s]: the mean of its cells, which have equal areas.
    pub fn ocean_velocity(&self) -> DVec2 {
        match &self.ocean_velocities[..] {
            [velocity] => *velocity,
            velocities => velocities.iter().sum::<DVec2>() / velocities.len() as f64,
        }
    }

    /// Kinetic energy of the floes, translation and rotation \[J\].
    pub fn kinetic_energy(&self) -> f64 {
        self.floe_rows()
            .map(|row| self.kinetic_energy_of(row))
            .sum()
    }

    /// Linear momentum of the floes [kg m/s].
    pub fn momentum(&self) -> DVec2 {
        let bodies = &self.bodies;
        self.floe_rows()
            .map(|row| bodies.masses()[row] * bodies.motions[row].velocity.linear)
            .sum()
    }

    /// Rows of the bodies that move.
    pub fn floe_rows(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.bodies.len()).filter(|&row| self.bodies.is_floe(row))
    }

    fn kinetic_energy_of(&self, row: usize) -> f64 {
        let velocity = self.bodies.motions[row].velocity;
        0.5 * self.bodies.masses()[row] * velocity.linear.length_squared()
            + 0.5 * self.bodies.inertias()[row] * velocity.angular * velocity.angular
    }
}

fn in_order(first: BodyId, second: BodyId) -> (BodyId, Touched) {
    (first.min(second), Touched::Body(first.max(second)))
}
