//! Films of fluid between discs: tangential lubrication of contacts that stick, and the explicit force of normal lubrication as a comparator.
//!
//! A contact that remembers γ < 0 resists sliding and rolling with the strength S = −γ/(6 π R²) \[Pa s\], which stands for η ln(1/q): it dissipates π R S (2 (u₁ − u₂)² + (24/5) K² R²), with the
//! velocities of the rims uᵢ = Uᵢ + aᵢ, those of the centres Uᵢ, 1/R = 1/r₁ + 1/r₂ and K = (u₁ + u₂)/(2R) − U₁/r₁ − U₂/r₂ (Reynolds; Goldman, Cox & Brenner 1967 for a plane; Lefebvre 2007,
//! section 4.4.2). Contacts act one after the other, each implicitly: it takes energy whatever the step.
//!
//! The explicit force is −6 π η R² u/q at a gap q, and that of the cut-off gap below it.

use std::f64::consts::PI;

use banquise_geometry::DVec2;

use super::candidate::ContactCandidate;
use crate::body::Bodies;
use crate::budget::{Account, ContactBudget};

/// The explicit force of normal lubrication between discs.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LubricationForce {
    /// Viscosity η of the fluid \[Pa s\].
    pub viscosity: f64,
    /// Gap below which the force grows no more \[m\].
    pub cutoff: f64,
    /// Gap at which it begins \[m\].
    pub reference_gap: f64,
}

/// One body of a contact, along its tangent.
struct End {
    row: Option<usize>,
    /// 1/r, zero for anything flat.
    curvature: f64,
    /// Inverse masses of the velocity of the centre and of the rim by rotation \[1/kg\].
    inverse: [f64; 2],
    /// These velocities [m/s].
    velocities: [f64; 2],
    /// Rate of turning for a unit of the rim's velocity [1/m].
    turn: f64,
}

impl End {
    fn of(bodies: &Bodies, row: Option<usize>, arm: DVec2, tangent: DVec2) -> Self {
        let Some(row) = row else {
            return Self {
                row,
                curvature: 0.0,
                inverse: [0.0; 2],
                velocities: [0.0; 2],
                turn: 0.0,
            };
        };
        let velocity = bodies.motions[row].velocity;
        // Rim velocity for a unit rate of turning: a lever.
        let lever = arm.perp().dot(tangent);
        Self {
            row: Some(row),
            curvature: if bodies.contact_shapes[row].is_disc() {
                1.0 / bodies.radii[row]
            } else {
                0.0
            },
            inverse: [
                bodies.inv_masses[row],
                lever * lever * bodies.inv_inertias[row],
            ],
            velocities: [velocity.linear.dot(tangent), lever * velocity.angular],
            turn: if lever == 0.0 { 0.0 } else { 1.0 / lever },
        }
    }

    /// Adds impulses along the tangent: at the centre, and at the rim.
    fn push(&self, bodies: &mut Bodies, impulses: [f64; 2], tangent: DVec2) {
        if let Some(row) = self.row {
            let velocity = &mut bodies.motions[row].velocity;
            velocity.linear += self.inverse[0] * impulses[0] * tangent;
            velocity.angular += self.inverse[1] * impulses[1] * self.turn;
        }
    }
}

/// Lets the films of all contacts of discs that stick act for `dt` \[s\], one after the other.
pub(super) fn slide_all(
    bodies: &mut Bodies,
    candidates: &[ContactCandidate],
    memories: impl Iterator<Item = f64>,
    dt: f64,
    budget: &mut ContactBudget,
) {
    for (candidate, memory) in candidates.iter().zip(memories) {
        let is_disc = |row: usize| bodies.contact_shapes[row].is_disc();
        if memory < 0.0 && (is_disc(candidate.a) || candidate.b.is_some_and(is_disc)) {
            slide(bodies, candidate, memory, dt, budget);
        }
    }
}

/// Lets the film of a contact with the memory γ/R \[N s\] act for `dt` \[s\].
fn slide(
    bodies: &mut Bodies,
    candidate: &ContactCandidate,
    memory: f64,
    dt: f64,
    budget: &mut ContactBudget,
) {
    let approach = &candidate.approach;
    let tangent = approach.normal.perp();
    let point = 0.5 * (approach.point_a + approach.point_b);
    let arm = |row: usize, offset: DVec2| point - bodies.motions[row].pose.position - offset;
    let arms = [
        arm(candidate.a, DVec2::ZERO),
        candidate
            .b
            .map_or(DVec2::ZERO, |b| arm(b, candidate.offset)),
    ];
    let ends = [
        End::of(bodies, Some(candidate.a), arms[0], tangent),
        End::of(bodies, candidate.b, arms[1], tangent),
    ];
    let reduced = 1.0 / (ends[0].curvature + ends[1].curvature);
    let film = dt * PI * reduced * -memory / (6.0 * PI * reduced * reduced);
    let weights = [2.0 * film, 4.8 * film];
    let share = |end: &End| [0.5 - reduced * end.curvature, 0.5];
    let along = [
        [1.0, 1.0, -1.0, -1.0],
        [share(&ends[0])[0], 0.5, share(&ends[1])[0], 0.5],
    ];
    let flat = |values: [[f64; 2]; 2]| [values[0][0], values[0][1], values[1][0], values[1][1]];
    let velocities = flat([ends[0].velocities, ends[1].velocities]);
    let inverse = flat([ends[0].inverse, ends[1].inverse]);
    let product = |x: &[f64; 4], y: &[f64; 4]| -> f64 { x.iter().zip(y).map(|(x, y)| x * y).sum() };
    let moved = along.map(|own| [0, 1, 2, 3].map(|index| inverse[index] * own[index]));
    // (1 + A C) y = y₀ for the rates along both directions at the end of the step.
    let entry = |r: usize, c: usize| {
        f64::from(u8::from(r == c)) + product(&along[r], &moved[c]) * weights[c]
    };
    let (start, determinant) = (
        along.map(|own| product(&own, &velocities)),
        entry(0, 0) * entry(1, 1) - entry(0, 1) * entry(1, 0),
    );
    let rates = [
        (entry(1, 1) * start[0] - entry(0, 1) * start[1]) / determinant,
        (entry(0, 0) * start[1] - entry(1, 0) * start[0]) / determinant,
    ];
    let impulses = [0, 1, 2, 3].map(|index| {
        -(weights[0] * rates[0] * along[0][index] + weights[1] * rates[1] * along[1][index])
    });
    let means: f64 = (0..4)
        .map(|i| impulses[i] * (velocities[i] + 0.5 * inverse[i] * impulses[i]))
        .sum();
    for (number, end) in ends.iter().enumerate() {
        let own = [impulses[2 * number], impulses[2 * number + 1]];
        end.push(bodies, own, tangent);
        if end.inverse == [0.0; 2] {
            // A fixed body gives the impulse to the other, and its motion does work.
            let given = own[0] * end.velocities[0] + own[1] * end.velocities[1];
            budget.add_fixed(&Account {
                work: -given,
                impulse: -own[0] * tangent,
            });
        }
    }
    budget.tangent_loss -= means;
}

/// Applies the explicit force to all pairs for `dt` \[s\], with the velocities before it.
pub(super) fn lubricate(
    bodies: &mut Bodies,
    candidates: &[ContactCandidate],
    force: &LubricationForce,
    dt: f64,
    budget: &mut ContactBudget,
) {
    let mut changes: Vec<(usize, DVec2)> = Vec::new();
    for candidate in candidates {
        let approach = &candidate.approach;
        let curvature = |row: usize| {
            let is_disc = bodies.contact_shapes[row].is_disc();
            if is_disc {
                1.0 / bodies.radii[row]
            } else {
                0.0
            }
        };
        // Discs, and what is fixed: a polygon that turns would need a torque.
        let is_plain = |row: usize| bodies.contact_shapes[row].is_disc() || !bodies.is_floe(row);
        let sum = curvature(candidate.a) + candidate.b.map_or(0.0, curvature);
        let is_lubricated = approach.is_contact
            && approach.gap < force.reference_gap
            && sum > 0.0
            && is_plain(candidate.a)
            && candidate.b.is_none_or(is_plain);
        if !is_lubricated {
            continue;
        }
        let speed = candidate.normal_velocity(candidate.motions(bodies));
        let gap = approach.gap.max(force.cutoff);
        let impulse = -6.0 * PI * force.viscosity * dt * speed / (sum * sum * gap);
        let ends = [(Some(candidate.a), -impulse), (candidate.b, impulse)];
        for (row, own) in ends {
            let given = own * approach.normal;
            match row.filter(|&row| bodies.inv_masses[row] > 0.0) {
                Some(row) => changes.push((row, bodies.inv_masses[row] * given)),
                None => {
                    let moved = row.map_or(DVec2::ZERO, |row| bodies.motions[row].velocity.linear);
                    budget.add_fixed(&Account {
                        work: -given.dot(moved),
                        impulse: -given,
                    });
                    budget.normal_loss -= given.dot(moved);
                }
            }
        }
    }
    for (row, change) in changes {
        let velocity = &mut bodies.motions[row].velocity.linear;
        let mean = *velocity + 0.5 * change;
        budget.normal_loss -= change.dot(mean) / bodies.inv_masses[row];
        *velocity += change;
    }
}
