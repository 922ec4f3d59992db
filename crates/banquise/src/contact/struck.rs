//! Floes that are struck and pressed, as fracture sees them.

use banquise_geometry::DVec2;
use banquise_solver::Contact;

use super::candidate::ContactCandidate;
use super::island::Island;
use crate::body::Bodies;
use crate::budget::ContactBudget;
use crate::fracture::Touch;
use crate::motion::Velocity;

/// A contact whose bodies strike each other within the step.
pub(super) struct Blow {
    /// ½ pₙ|uₙ⁻| with the impulse of its compression phase \[J\].
    pub(super) energy: f64,
    /// Impact speed [m/s].
    pub(super) speed: f64,
    /// Restitution coefficient [–].
    pub(super) restitution: f64,
}

/// Approach speed at a contact with these velocities of bodies, by row [m/s].
pub(super) fn approach_before(
    before: &[Velocity],
    candidate: &ContactCandidate,
    contact: &Contact,
) -> f64 {
    let velocity_a = before[candidate.a].at(contact.arms[0]);
    let other = candidate.b.map(|b| before[b].at(contact.arms[1]));
    (velocity_a - other.unwrap_or(DVec2::ZERO)).dot(contact.normal)
}

/// The touches of an impulse, normal and tangential, at a contact of an island: one for each floe.
pub(super) fn touches_of(
    bodies: &Bodies,
    island: &Island,
    candidates: &[ContactCandidate],
    contact: usize,
    impulse: [f64; 2],
) -> impl Iterator<Item = Touch> {
    let candidate = &candidates[island.candidates[contact] as usize];
    let own = &island.problem.contacts[contact];
    let vector = impulse[0] * own.normal + impulse[1] * own.tangent();
    let ends = [
        (Some(candidate.a), own.arms[0], -vector),
        (candidate.b, own.arms[1], vector),
    ];
    let touch = |(row, arm, impulse): (Option<usize>, DVec2, DVec2)| {
        let row = row.filter(|&row| bodies.is_floe(row))?;
        let rotation = bodies.motions[row].pose.rotation;
        Some(Touch {
            row,
            point: rotation.inverse_rotate(arm),
            impulse: rotation.inverse_rotate(impulse),
        })
    };
    ends.map(touch).into_iter().flatten()
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
