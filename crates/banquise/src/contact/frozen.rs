//! Floes that are frozen together, as fracture sees them.
//!
//! Contacts strike and press as in other fixed steps, without restitution. Joints strike nothing: they bear loads, of pull too, and hand on the blows of their island. Of their impulses, load is what their strain
//! gave at the start of the step; the rest is the blow's. What is frozen together does not strike each other.

use banquise_solver::Contact;

use super::candidate::ContactCandidate;
use super::island::Island;
use super::log::approach_speed;
use super::place::{Place, Role};
use super::row_impulses::contact_impulses;
use super::rules::is_resting;
use super::settings::ContactThresholds;
use super::struck::{ContactEffect, SolvedIsland, hand_on, leave_rounding_out};
use crate::body::Bodies;
use crate::bond::Bond;
use crate::fracture::{Breaker, Touch};
use crate::motion::Velocity;

/// State before a step, as fracture needs it.
pub(super) struct BeforeStep<'a> {
    pub(super) bodies: &'a Bodies,
    pub(super) bonds: &'a [Bond],
    pub(super) is_broken: &'a [bool],
    pub(super) rows: &'a [ContactCandidate],
    pub(super) places: &'a [Place],
    /// Velocities of bodies, by row.
    pub(super) velocities: &'a [Velocity],
    pub(super) thresholds: &'a ContactThresholds,
}

impl BeforeStep<'_> {
    /// Decides which floes break under the impulses of the step: islands, each with the impulses of its rows. Returns the energy of the cracks of struck floes \[J\].
    pub(super) fn break_floes<'a>(
        &self,
        islands: impl Iterator<Item = (&'a Island, &'a [f64])>,
        breaker: &mut Breaker,
        touches: &mut Vec<Touch>,
    ) -> f64 {
        let start = breaker.start();
        let mut spent = 0.0;
        for (island, of_rows) in islands {
            let impulses = contact_impulses(island, self.places, of_rows);
            let contacts = island.problem.contacts.iter().zip(&island.candidates);
            let effects = contacts.zip(impulses.iter().zip(of_rows));
            let effect = |((contact, &index), (&of_contact, &of_row))| {
                self.effect(contact, index as usize, of_contact, of_row)
            };
            let mut effects: Vec<ContactEffect> = effects.map(effect).collect();
            leave_rounding_out(&mut effects, self.thresholds);
            hand_on(&mut effects);
            let solved = SolvedIsland {
                bodies: self.bodies,
                candidates: self.rows,
                island,
                effects: &effects,
                crushing_time: None,
            };
            spent += solved.break_floes(breaker, touches);
            for blow in effects.iter().filter(|effect| effect.is_struck) {
                breaker.report().add_blow(blow.speed, blow.restitution);
            }
        }
        breaker.end_island(start);
        spent
    }

    /// What happens at a row, given its impulse along normal and tangent if it is a contact, and its own \[N s\].
    fn effect(
        &self,
        contact: &Contact,
        index: usize,
        of_contact: [f64; 2],
        of_row: f64,
    ) -> ContactEffect {
        let place = &self.places[index];
        match place.role {
            Role::Contact => self.effect_of_contact(contact, index, of_contact),
            // It is in the impulse of its contact.
            Role::Friction { .. } | Role::Stick { .. } => ContactEffect::default(),
            Role::Bond {
                number, is_shear, ..
            } => ContactEffect {
                impulse: [of_row, 0.0],
                before: place.held,
                // Each of its two points stands for half of it.
                width: self.bonds[number as usize].width() * if is_shear { 1.0 } else { 0.5 },
                is_joint: true,
                ..ContactEffect::default()
            },
        }
    }

    fn effect_of_contact(
        &self,
        contact: &Contact,
        index: usize,
        impulse: [f64; 2],
    ) -> ContactEffect {
        let (candidate, place) = (&self.rows[index], &self.places[index]);
        let approach = approach_speed(candidate, contact, |row| self.velocities[row]);
        let is_frozen = place.bond.is_some_and(|own| !self.is_broken[own as usize]);
        let is_struck = impulse[0] > 0.0
            && approach > 0.0
            && !is_frozen
            && !is_resting(self.bodies, candidate, approach, true, self.thresholds);
        ContactEffect {
            is_struck,
            speed: approach,
            energy: 0.5 * impulse[0] * approach,
            compression: impulse,
            impulse,
            before: place.last,
            ..ContactEffect::default()
        }
    }
}
