//! The log of collisions: one row for each contact that passed on an impulse, and one for each pair that came into contact.
//!
//! Rows are made within a step, contact by contact in the order of the islands, and thinned after it. What is left out is counted, so that the log and what it
//! lacks always add up to the statistics of contacts.

use banquise_geometry::DVec2;
use banquise_solver::Contact;

use super::candidate::ContactCandidate;
use super::island::Island;
use super::settings::CollisionLogSettings;
use crate::contact_state::Touched;
use crate::id::BodyId;
use crate::motion::Velocity;
use crate::stored::stored_structs;

/// One contact of a solved impact.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Collision {
    /// When \[s\].
    pub time: f64,
    /// The body with the lower id, or the one at a wall.
    pub body: BodyId,
    /// What it touches.
    pub other: Touched,
    /// Where \[m\].
    pub point: DVec2,
    /// Normal of the contact, from the body to the other.
    pub normal: DVec2,
    /// Normal speed with which the two approached before the impact [m/s]; negative where they separated.
    pub approach_speed: f64,
    /// Normal impulse, positive in compression [N s].
    pub normal_impulse: f64,
    /// Friction impulse on the other, along the normal turned by 90° to the left [N s].
    pub tangent_impulse: f64,
    /// Whether this contact counts as a collision: the strongest of a pair that was apart before. A contact that lasts has a row in every step.
    pub is_collision: bool,
}

/// Whether the settings want a row.
fn is_wanted(settings: &CollisionLogSettings, row: &Collision) -> bool {
    (settings.sustained || row.is_collision)
        && row.approach_speed >= settings.min_approach_speed
        && row.normal_impulse.abs() >= settings.min_impulse
}

/// Rows of the log since the start, kept and left out.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct CollisionLogCounts {
    /// Rows that the settings leave, before every so many are kept.
    pub wanted: u64,
    /// Rows in the log.
    pub kept: u64,
    /// Rows that are left out, the collisions among them, and their normal impulses [N s].
    pub left_out: u64,
    /// Collisions among the rows that are left out.
    pub left_out_collisions: u64,
    /// Sum of the normal impulses of the rows that are left out [N s].
    pub left_out_impulse: f64,
}

/// The log of a run: its counts, and the rows that wait to be written.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct CollisionLog {
    counts: CollisionLogCounts,
    waiting: Vec<Collision>,
}

impl CollisionLog {
    /// Adds the rows of a step.
    pub(crate) fn add(&mut self, rows: &[Collision], settings: &CollisionLogSettings) {
        let counts = &mut self.counts;
        for row in rows {
            let is_wanted = is_wanted(settings, row);
            let is_due = counts.wanted.is_multiple_of(settings.every);
            counts.wanted += u64::from(is_wanted);
            if is_wanted && is_due && counts.kept < settings.max_rows {
                counts.kept += 1;
                self.waiting.push(*row);
            } else {
                counts.left_out += 1;
                counts.left_out_collisions += u64::from(row.is_collision);
                counts.left_out_impulse += row.normal_impulse.abs();
            }
        }
    }

    /// Rows since the start, kept and left out.
    pub fn counts(&self) -> &CollisionLogCounts {
        &self.counts
    }

    /// The rows that wait. The first of them has the number `counts().kept − waiting().len()`, from 0.
    pub fn waiting(&self) -> &[Collision] {
        &self.waiting
    }

    /// Drops the rows that wait, once they are written.
    pub fn drop_waiting(&mut self) {
        self.waiting.clear();
    }
}

/// Rows of one step, as contacts are solved.
#[derive(Debug, Clone, Default)]
pub(crate) struct StepLog {
    is_on: bool,
    /// Time of what is being solved \[s\].
    time: f64,
    rows: Vec<Collision>,
    /// Pairs that came into contact, and the row from which on their contacts are looked for.
    new_pairs: Vec<(BodyId, Touched)>,
    start: usize,
    /// Touching pairs, as they are counted; empty between two counts.
    pub(super) touching: Vec<(BodyId, Touched)>,
}

impl StepLog {
    /// Begins a step at a time \[s\].
    pub(crate) fn begin(&mut self, is_on: bool, time: f64) {
        (self.is_on, self.time) = (is_on, time);
        self.rows.clear();
        self.new_pairs.clear();
        self.start = 0;
    }

    /// Sets the time of what is solved next \[s\].
    pub(crate) fn set_time(&mut self, time: f64) {
        self.time = time;
    }

    pub(super) fn is_on(&self) -> bool {
        self.is_on
    }

    /// The rows of the step.
    pub(crate) fn take(&mut self) -> Vec<Collision> {
        std::mem::take(&mut self.rows)
    }

    /// Adds the contacts of a solved island; `velocity_of` gives the velocities of bodies before, by row.
    pub(super) fn note(
        &mut self,
        ids: &[BodyId],
        island: &Island,
        candidates: &[ContactCandidate],
        impulses: &[[f64; 2]],
        velocity_of: impl Fn(usize) -> Velocity,
    ) {
        if !self.is_on {
            return;
        }
        let contacts = island.problem.contacts.iter().zip(&island.candidates);
        for ((contact, &index), &[normal, tangent]) in contacts.zip(impulses) {
            if [normal, tangent] == [0.0; 2] {
                continue;
            }
            let candidate = &candidates[index as usize];
            let (body, other) = candidate.touching_pair(ids);
            self.rows.push(Collision {
                time: self.time,
                body,
                other,
                point: island.problem.bodies[contact.a].position + contact.arms[0],
                normal: contact.normal,
                approach_speed: approach_speed(candidate, contact, &velocity_of),
                normal_impulse: normal,
                tangent_impulse: tangent,
                is_collision: false,
            });
        }
    }

    /// Notes a pair that came into contact.
    pub(super) fn note_pair(&mut self, pair: (BodyId, Touched)) {
        if self.is_on {
            self.new_pairs.push(pair);
        }
    }

    /// Marks the contact with the largest normal impulse of each new pair as a collision. A pair that touched without an impulse gets a row with none.
    pub(crate) fn mark_collisions(&mut self, ids: &[BodyId], candidates: &[ContactCandidate]) {
        if !self.is_on {
            return;
        }
        self.new_pairs.sort_unstable();
        let mut strongest: Vec<Option<usize>> = vec![None; self.new_pairs.len()];
        for (index, row) in self.rows.iter().enumerate().skip(self.start) {
            if let Ok(place) = self.new_pairs.binary_search(&(row.body, row.other)) {
                let impulse = |row: usize| self.rows[row].normal_impulse.abs();
                let known = strongest[place].filter(|&own| impulse(own) >= impulse(index));
                strongest[place] = known.or(Some(index));
            }
        }
        for &row in strongest.iter().flatten() {
            self.rows[row].is_collision = true;
        }
        let mut found = strongest.iter();
        self.new_pairs
            .retain(|_| found.next().is_none_or(Option::is_none));
        for &pair in &self.new_pairs {
            let mut of_pair = candidates
                .iter()
                .filter(|own| own.touching_pair(ids) == pair);
            let contact = of_pair.find(|own| own.is_contact());
            let Some(candidate) = contact else { continue };
            let approach = &candidate.approach;
            self.rows.push(Collision {
                time: self.time,
                body: pair.0,
                other: pair.1,
                point: 0.5 * (approach.point_a + approach.point_b),
                normal: approach.normal,
                approach_speed: 0.0,
                normal_impulse: 0.0,
                tangent_impulse: 0.0,
                is_collision: true,
            });
        }
        self.new_pairs.clear();
        self.start = self.rows.len();
    }
}

/// Approach speed at a contact with these velocities of bodies, by row [m/s].
pub(super) fn approach_speed(
    candidate: &ContactCandidate,
    contact: &Contact,
    velocity_of: impl Fn(usize) -> Velocity,
) -> f64 {
    let velocity_a = velocity_of(candidate.a).at(contact.arms[0]);
    let other = candidate.b.map(|b| velocity_of(b).at(contact.arms[1]));
    (velocity_a - other.unwrap_or(DVec2::ZERO)).dot(contact.normal)
}

stored_structs! {
    Collision {
        time, body, other, point, normal, approach_speed, normal_impulse, tangent_impulse, is_collision,
    }
    CollisionLogCounts { wanted, kept, left_out, left_out_collisions, left_out_impulse }
    CollisionLog { counts, waiting }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(speed: f64, impulse: f64, is_collision: bool) -> Collision {
        Collision {
            time: 0.0,
            body: BodyId(0),
            other: Touched::Body(BodyId(1)),
            point: DVec2::ZERO,
            normal: DVec2::X,
            approach_speed: speed,
            normal_impulse: impulse,
            tangent_impulse: 0.0,
            is_collision,
        }
    }

    #[test]
    fn what_is_left_out_is_counted_whatever_the_settings() {
        let rows: Vec<Collision> = (0..100)
            .map(|k| row(0.01 * f64::from(k), f64::from(k), k % 3 == 0))
            .collect();
        let whole = CollisionLogSettings::default();
        let thinned = [
            whole,
            CollisionLogSettings { every: 7, ..whole },
            CollisionLogSettings {
                min_approach_speed: 0.5,
                min_impulse: 60.0,
                ..whole
            },
            CollisionLogSettings {
                sustained: false,
                max_rows: 5,
                ..whole
            },
        ];
        for (settings, kept) in thinned.iter().zip([100, 15, 40, 5]) {
            let mut log = CollisionLog::default();
            for part in rows.chunks(9) {
                log.add(part, settings);
            }
            let counts = log.counts();
            assert_eq!(counts.kept, kept);
            assert_eq!(log.waiting().len() as u64, kept);
            assert_eq!(counts.kept + counts.left_out, 100);
            let collisions = log.waiting().iter().filter(|row| row.is_collision).count() as u64;
            assert_eq!(collisions + counts.left_out_collisions, 34);
            let impulse: f64 = log.waiting().iter().map(|row| row.normal_impulse).sum();
            assert_eq!(impulse + counts.left_out_impulse, 4950.0);
        }
    }
}
