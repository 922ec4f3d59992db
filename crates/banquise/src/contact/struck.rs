//! Floes that are struck and pressed, as fracture sees them.
//!
//! A contact is struck where its bodies approach faster than forces explain. All other contacts with an impulse are sustained: they bear a load. In an
//! island without a struck contact, all of an impulse is load, gathered since forces last acted. In one with a struck contact the blow passes through sustained
//! contacts too; of their impulses, load is what they bore in the last step, and the rest is the blow's.

use banquise_geometry::DVec2;

use super::candidate::ContactCandidate;
use super::island::Island;
use super::log::approach_speed;
use super::rules::is_resting;
use super::settings::ContactThresholds;
use crate::body::Bodies;
use crate::budget::ContactBudget;
use crate::fracture::{Breaker, Touch};
use crate::motion::Velocity;

/// What happens at a contact of a solved island. Impulses are normal and tangential [N s].
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(super) struct ContactEffect {
    /// Whether it is struck, and has an impulse.
    pub(super) is_struck: bool,
    /// Impact speed [m/s].
    pub(super) speed: f64,
    /// Restitution coefficient [–].
    pub(super) restitution: f64,
    /// ½ pₙ|uₙ⁻| with the impulse of the compression phase \[J\].
    pub(super) energy: f64,
    /// Impulse of the compression phase.
    pub(super) compression: [f64; 2],
    /// The whole impulse.
    pub(super) impulse: [f64; 2],
    /// Normal impulse in the last step; of a joint, what it held at the start of the step.
    pub(super) before: f64,
    /// Whether it is a point of a joint, which can pull.
    pub(super) is_joint: bool,
    /// Width over which a joint acts there \[m\].
    pub(super) width: f64,
}

impl ContactEffect {
    /// Whether it does anything to its bodies.
    fn acts(&self) -> bool {
        self.impulse[0] > 0.0 || self.is_joint && self.impulse[0] != 0.0
    }

    /// The parts of the impulse that belong to a blow, and to a load.
    fn parts(&self, has_blow: bool) -> [[f64; 2]; 2] {
        if !has_blow {
            return [[0.0; 2], self.impulse];
        }
        if self.is_struck {
            return [self.compression, [0.0; 2]];
        }
        // A joint may have held what is opposite to its impulse.
        let share = (self.before / self.impulse[0]).clamp(0.0, 1.0);
        [
            self.compression.map(|part| (1.0 - share) * part),
            self.impulse.map(|part| share * part),
        ]
    }
}

/// Leaves out of the blows of an island what approaches more slowly than rounding, beside its fastest contact: bodies behind one that is pressed rest on each other with
/// speeds of 1e-16 m/s, which no force on them explains.
pub(super) fn leave_rounding_out(effects: &mut [ContactEffect], thresholds: &ContactThresholds) {
    let speeds = effects.iter().map(|effect| effect.speed);
    let least = thresholds.bound_tolerance * speeds.fold(0.0, f64::max);
    for effect in effects {
        effect.is_struck &= effect.speed > least;
    }
}

/// Gives the impulses of contacts that are not struck the compression phase of the blows in their island, which they hand on; all of them is compression where there is
/// no blow.
pub(super) fn hand_on(effects: &mut [ContactEffect]) {
    let struck = effects.iter().filter(|effect| effect.is_struck);
    let (compression, impulse) = struck.fold((0.0, 0.0), |(phase, all), effect| {
        (phase + effect.compression[0], all + effect.impulse[0])
    });
    let share = if impulse > 0.0 {
        compression / impulse
    } else {
        1.0
    };
    for effect in effects.iter_mut().filter(|effect| !effect.is_struck) {
        effect.compression = effect.impulse.map(|part| part * share);
    }
}

/// State before a fixed step, as fracture needs it.
pub(super) struct BeforeFixedStep<'a> {
    pub(super) bodies: &'a Bodies,
    pub(super) candidates: &'a [ContactCandidate],
    /// Velocities of bodies, by row.
    pub(super) velocities: &'a [Velocity],
    /// Impulses of candidates in the last step [N s].
    pub(super) impulses: &'a [[f64; 2]],
    pub(super) thresholds: &'a ContactThresholds,
}

impl BeforeFixedStep<'_> {
    /// What happens at the contacts of a solved island. A contact whose bodies approach faster than forces explain is struck, even where it is solved before they
    /// are close enough for restitution.
    pub(super) fn effects_on(&self, island: &Island) -> Vec<ContactEffect> {
        let effect = |(contact, &impulse): (usize, &[f64; 2])| {
            let index = island.candidates[contact] as usize;
            let candidate = &self.candidates[index];
            let geometry = &island.problem.contacts[contact];
            let approach = approach_speed(candidate, geometry, |row| self.velocities[row]);
            let is_struck = island.crushing.is_empty()
                && impulse[0] > 0.0
                && approach > 0.0
                && !is_resting(self.bodies, candidate, approach, true, self.thresholds);
            let rebound = island.bounds.get(contact).map(|bound| bound.rebound);
            let restitution = rebound.unwrap_or_default() / approach;
            // Poisson's law: the decompression phase has that share of the impulse.
            let compression = impulse.map(|part| part / (1.0 + restitution));
            ContactEffect {
                is_struck,
                speed: approach,
                restitution,
                energy: 0.5 * compression[0] * approach,
                compression,
                impulse,
                before: self.impulses[index][0],
                ..ContactEffect::default()
            }
        };
        let impulses = island.report.impulses.iter();
        let mut effects: Vec<ContactEffect> = impulses.enumerate().map(effect).collect();
        leave_rounding_out(&mut effects, self.thresholds);
        hand_on(&mut effects);
        effects
    }
}

/// An end of a contact: its body and the other, the arm \[m\], and the sign of the impulse.
type End = (Option<usize>, Option<usize>, DVec2, f64);

/// A solved island with what happened at each of its contacts.
#[derive(Clone, Copy)]
pub(super) struct SolvedIsland<'a> {
    pub(super) bodies: &'a Bodies,
    pub(super) candidates: &'a [ContactCandidate],
    pub(super) island: &'a Island,
    pub(super) effects: &'a [ContactEffect],
    /// Time for which crushing contacts were solved \[s\]; `None` where ice is not crushed.
    pub(super) crushing_time: Option<f64>,
}

impl SolvedIsland<'_> {
    /// Energy of the compression phase of its blows \[J\].
    pub(super) fn energy(&self) -> f64 {
        let struck = self.effects.iter().filter(|effect| effect.is_struck);
        struck.map(|effect| effect.energy).sum()
    }

    /// Tells fracture what presses floes, and which are struck. Returns the energy that cracks take of the blows \[J\].
    pub(super) fn break_floes(&self, breaker: &mut Breaker, touches: &mut Vec<Touch>) -> f64 {
        let start = breaker.start();
        breaker.next_island(self.bodies, self.effects.len());
        let has_blow = self.effects.iter().any(|effect| effect.is_struck);
        let energy = self.energy();
        let can_break = has_blow && self.has_energy(breaker, energy);
        breaker.end_bound(start);
        touches.clear();
        for (contact, effect) in self.effects.iter().enumerate() {
            // Struck contacts of blows that break nothing are no load either.
            if !effect.acts() || effect.is_struck && !can_break {
                continue;
            }
            let [blow, load] = effect.parts(has_blow);
            for touch in self.touches_of(contact, blow, load) {
                breaker.press(self.bodies, touch);
                if can_break {
                    touches.push(touch);
                }
            }
        }
        if touches.is_empty() {
            return 0.0;
        }
        // The forces on one floe keep the order of the contacts.
        touches.sort_by_key(|touch| touch.row);
        breaker.strike(self.bodies, touches, energy)
    }

    /// Whether blows with this energy \[J\] suffice for the shortest crack of any floe that they reach.
    fn has_energy(&self, breaker: &mut Breaker, energy: f64) -> bool {
        let mut has_energy = false;
        for (effect, &index) in self.effects.iter().zip(&self.island.candidates) {
            if effect.acts() {
                let candidate = &self.candidates[index as usize];
                for row in std::iter::once(candidate.a).chain(candidate.b) {
                    if self.bodies.is_floe(row) {
                        has_energy |= breaker.has_energy(self.bodies, row, energy);
                    }
                }
            }
        }
        has_energy
    }

    /// What a contact does to each floe at it.
    fn touches_of(
        &self,
        contact: usize,
        blow: [f64; 2],
        load: [f64; 2],
    ) -> impl Iterator<Item = Touch> {
        let candidate = &self.candidates[self.island.candidates[contact] as usize];
        let own = &self.island.problem.contacts[contact];
        let vector = |[normal, tangent]: [f64; 2]| normal * own.normal + tangent * own.tangent();
        let (blow, load) = (vector(blow), vector(load));
        let times = &self.bodies.force_times;
        let time = self.crushing_time.unwrap_or_else(|| {
            let other = candidate.b.map_or(0.0, |b| times[b]);
            times[candidate.a].max(other)
        });
        let ends = [
            (Some(candidate.a), candidate.b, own.arms[0], -1.0),
            (candidate.b, Some(candidate.a), own.arms[1], 1.0),
        ];
        let bodies = self.bodies;
        let touch = move |(row, striker, arm, sign): End| {
            let row = row.filter(|&row| bodies.is_floe(row))?;
            let rotation = bodies.motions[row].pose.rotation;
            Some(Touch {
                row,
                point: rotation.inverse_rotate(arm),
                blow: rotation.inverse_rotate(sign * blow),
                pressing: rotation.inverse_rotate(sign * load),
                time,
                width: self.effects[contact].width,
                striker_mass: striker.map_or(f64::INFINITY, |row| bodies.masses()[row]),
            })
        };
        ends.map(touch).into_iter().flatten()
    }
}

/// The restitution that is left of a blow with this energy of compression when cracks take some of it \[J\]: √(1 − `G_c` h L/`E_c`).
pub(super) fn left_restitution(spent: f64, energy: f64) -> f64 {
    (1.0 - spent / energy).max(0.0).sqrt()
}

/// Books the energy of cracks \[J\] as lost to fracture instead of to restitution. What the impact did not lose of it is elastic energy.
pub(super) fn book_cracks(budget: &mut ContactBudget, spent: f64, normal_loss: f64) {
    let taken = spent.min(normal_loss.max(0.0));
    budget.fracture_loss += taken;
    budget.normal_loss -= taken;
    budget.fracture_strain += spent - taken;
}
