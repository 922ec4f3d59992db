//! Judges answers from the problem and the answer alone. It shares no code with the solvers, and has exact arithmetic of its own.

use banquise_solver::{Body, Certificate, Contact, ContactProblem};
use glam::DVec2;

use crate::expansion::Exact;

fn ends(contact: &Contact) -> [(usize, DVec2, f64); 2] {
    [
        (contact.a, contact.arms[0], -1.0),
        (contact.b, contact.arms[1], 1.0),
    ]
}

/// The normal velocity of a contact, of the bodies for which `linear` and `angular` say so.
fn normal_velocity(
    bodies: &[Body],
    contact: &Contact,
    counts: impl Fn(&Body) -> [bool; 2],
) -> Exact {
    let (n, mut sum) = (contact.normal, Exact::default());
    for (row, arm, sign) in ends(contact) {
        let body = &bodies[row];
        let (v, omega) = (body.linear_velocity, body.angular_velocity);
        let [linear, angular] = counts(body);
        if linear {
            sum.add(&Exact::product(&[sign, n.x, v.x]));
            sum.add(&Exact::product(&[sign, n.y, v.y]));
        }
        if angular {
            sum.add(&Exact::product(&[sign, omega, arm.x, n.y]));
            sum.add(&Exact::product(&[-sign, omega, arm.y, n.x]));
        }
    }
    sum
}

/// Whether a kinematic certificate proves that velocities within the bounds `least` are a million times the closing speed or more.
pub(crate) fn proves_infeasible(
    problem: &ContactProblem,
    least: &[f64],
    certificate: &Certificate,
) -> bool {
    let multipliers = &certificate.multipliers;
    if multipliers.len() != problem.contacts.len()
        || multipliers.iter().any(|m| m.is_nan() || *m < 0.0)
    {
        return false;
    }
    let mut work = Exact::default();
    let mut closing_speed = 0.0_f64;
    let mut loads =
        vec![[Exact::default(), Exact::default(), Exact::default()]; problem.bodies.len()];
    let mut reaches = vec![0.0_f64; problem.bodies.len()];
    for ((contact, &multiplier), &least) in problem.contacts.iter().zip(multipliers).zip(least) {
        for (row, arm, sign) in ends(contact) {
            reaches[row] = reaches[row].max(arm.length());
            let (n, body) = (contact.normal, &problem.bodies[row]);
            let [x, y, torque] = &mut loads[row];
            let factor = sign * multiplier;
            if body.inv_mass > 0.0 {
                x.add(&Exact::product(&[factor, n.x]));
                y.add(&Exact::product(&[factor, n.y]));
            }
            if body.inv_inertia > 0.0 {
                torque.add(&Exact::product(&[factor, arm.x, n.y]));
                torque.add(&Exact::product(&[-factor, arm.y, n.x]));
            }
        }
        if multiplier > 0.0 {
            let prescribed = |body: &Body| [body.inv_mass == 0.0, body.inv_inertia == 0.0];
            let imposed = normal_velocity(&problem.bodies, contact, prescribed);
            let imposed = imposed.minus(&Exact::of(least));
            closing_speed = closing_speed.max(imposed.value().abs());
            work.add(&imposed.times(multiplier));
        }
    }
    let load = |(load, reach): (&[Exact; 3], &f64)| {
        let [x, y, torque] = load.each_ref().map(Exact::value);
        let torque = if *reach > 0.0 {
            torque.abs() / reach
        } else {
            0.0
        };
        DVec2::new(x, y).length() + torque
    };
    let load: f64 = loads.iter().zip(&reaches).map(load).sum();
    // Of what is rounded at the end, a part in a million million is more than enough.
    let needed = 1e6 * closing_speed * load * (1.0 + 1e-12);
    work.value() < 0.0 && -work.value() >= needed
}
