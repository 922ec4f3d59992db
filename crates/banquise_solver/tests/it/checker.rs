//! Judges answers from the problem and the answer alone. It shares no code with the solvers, and has exact arithmetic of its own.

use banquise_solver::{Body, Certificate, Contact, ContactProblem, ContactState, LockingNode};
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

/// What is wrong with impulses and velocities that are said to solve a problem; `None` if nothing.
pub(crate) fn fault(
    before: &ContactProblem,
    after: &[Body],
    impulses: &[[f64; 2]],
    least: &[f64],
) -> Option<String> {
    let all = |_: &Body| [true, true];
    let tangential = |contact: &Contact| Contact {
        normal: contact.normal.perp(),
        ..*contact
    };
    let speeds = before.contacts.iter().map(|contact| {
        let normal = normal_velocity(&before.bodies, contact, all).value();
        let tangent = normal_velocity(&before.bodies, &tangential(contact), all).value();
        DVec2::new(normal, tangent).length()
    });
    let impact_speed = speeds.fold(0.0, f64::max);
    let largest = impulses.iter().map(|p| p[0].abs()).fold(0.0, f64::max);
    for (index, contact) in before.contacts.iter().enumerate() {
        let [normal, tangent] = impulses[index];
        // The tolerance of a friction problem in plain numbers.
        let rounding = 1e-9 * largest;
        if normal < -rounding || tangent.abs() > contact.friction * normal + rounding {
            return Some(format!(
                "contact {index}: {normal}, {tangent} is outside the cone"
            ));
        }
        let approach = least[index] - normal_velocity(after, contact, all).value();
        let size = |bodies: &[Body]| -> f64 {
            let end = |(row, arm, _): (usize, DVec2, f64)| {
                let body: &Body = &bodies[row];
                body.linear_velocity.length() + body.angular_velocity.abs() * arm.length()
            };
            ends(contact).map(end).into_iter().sum()
        };
        // Data and answer are rounded numbers, in sums of six products of three of them.
        let rounding = 4.0 * f64::EPSILON * size(&before.bodies).max(size(after));
        if approach.is_nan() || approach > rounding.max(1e-9 * impact_speed) {
            return Some(format!(
                "contact {index} approaches at {approach:e}, impact speed {impact_speed:e}"
            ));
        }
    }
    unbalanced(before, after, impulses)
}

/// The body that does not get what contacts give.
fn unbalanced(before: &ContactProblem, after: &[Body], impulses: &[[f64; 2]]) -> Option<String> {
    let mut given = vec![[0.0; 3]; after.len()];
    let mut sizes = vec![[0.0; 3]; after.len()];
    for (contact, [normal, tangent]) in before.contacts.iter().zip(impulses) {
        let vector = *normal * contact.normal + *tangent * contact.normal.perp();
        for (row, arm, sign) in ends(contact) {
            let parts = [vector.x, vector.y, arm.perp_dot(vector)];
            let whole = normal.abs() + tangent.abs();
            let largest = [whole, whole, whole * arm.length()];
            for part in 0..3 {
                given[row][part] += sign * parts[part];
                sizes[row][part] += largest[part];
            }
        }
    }
    for (row, (start, end)) in before.bodies.iter().zip(after).enumerate() {
        let change = end.linear_velocity - start.linear_velocity;
        let speed = start.linear_velocity.length() + end.linear_velocity.length();
        let turn = [start, end].map(|body| body.angular_velocity);
        for (part, change, inverse, size) in [
            (0, change.x, start.inv_mass, speed),
            (1, change.y, start.inv_mass, speed),
            (
                2,
                turn[1] - turn[0],
                start.inv_inertia,
                turn[0].abs() + turn[1].abs(),
            ),
        ] {
            let error = (change - inverse * given[row][part]).abs();
            let allowed = 1e-13 * (size + inverse * sizes[row][part]);
            if error.is_nan() || error > allowed {
                return Some(format!("body {row} gets {error:e} more than contacts give"));
            }
        }
    }
    None
}

/// Whether a tree of states proves that the friction problem of all contacts has no solution.
pub(crate) fn proves_locked(
    problem: &ContactProblem,
    least: &[f64],
    nodes: &[LockingNode],
) -> bool {
    let mut states = vec![None; problem.contacts.len()];
    is_closed(problem, least, nodes, 0, &mut states)
}

fn is_closed(
    problem: &ContactProblem,
    least: &[f64],
    nodes: &[LockingNode],
    place: usize,
    states: &mut [Option<ContactState>],
) -> bool {
    match &nodes[place] {
        LockingNode::Branch { contact, children } => {
            assert!(states[*contact].is_none() && children.iter().all(|child| *child > place));
            let states_in_order = [
                ContactState::Open,
                ContactState::Stick,
                ContactState::SlideForward,
                ContactState::SlideBackward,
            ];
            let closed = children.iter().zip(states_in_order).all(|(&child, state)| {
                states[*contact] = Some(state);
                is_closed(problem, least, nodes, child, states)
            });
            states[*contact] = None;
            closed
        }
        LockingNode::Leaf {
            multipliers,
            momentum_of,
        } => leaf_is_infeasible(problem, least, states, multipliers, momentum_of),
    }
}

/// Exactly: λ·u ≥ 0 for what the states allow; λ·b < 0; (W λ)·p at most rounding for impulses within the cones.
fn leaf_is_infeasible(
    problem: &ContactProblem,
    least: &[f64],
    states: &[Option<ContactState>],
    multipliers: &[[f64; 2]],
    momentum_of: &[usize],
) -> bool {
    let mut loads =
        vec![[Exact::default(), Exact::default(), Exact::default()]; problem.bodies.len()];
    let mut reaches = vec![0.0_f64; problem.bodies.len()];
    let (mut work, mut closing_speed) = (Exact::default(), 0.0_f64);
    for (index, contact) in problem.contacts.iter().enumerate() {
        let [normal, tangent] = multipliers[index];
        let is_allowed = match states[index] {
            None | Some(ContactState::Open) => normal >= 0.0 && tangent == 0.0,
            Some(ContactState::Stick) => true,
            Some(ContactState::SlideForward) => tangent >= 0.0,
            Some(ContactState::SlideBackward) => tangent <= 0.0,
        };
        if !is_allowed {
            return false;
        }
        let prescribed = |body: &Body| [body.inv_mass == 0.0, body.inv_inertia == 0.0];
        let imposed = normal_velocity(&problem.bodies, contact, prescribed);
        let imposed = imposed.minus(&Exact::of(least[index]));
        closing_speed = closing_speed.max(imposed.value().abs());
        work.add(&Exact::product(&[-1.0, normal, least[index]]));
        for (multiplier, vector) in [(normal, contact.normal), (tangent, contact.normal.perp())] {
            for (row, arm, sign) in ends(contact) {
                reaches[row] = reaches[row].max(arm.length());
                let body = &problem.bodies[row];
                let [x, y, torque] = &mut loads[row];
                let parts = [
                    Exact::product(&[sign, multiplier, vector.x]),
                    Exact::product(&[sign, multiplier, vector.y]),
                ];
                let mut turn = Exact::product(&[sign, multiplier, arm.x, vector.y]);
                turn.add(&Exact::product(&[-sign, multiplier, arm.y, vector.x]));
                let is_known = momentum_of.contains(&row);
                if is_known || body.inv_mass == 0.0 {
                    work.add(&parts[0].times(body.linear_velocity.x));
                    work.add(&parts[1].times(body.linear_velocity.y));
                }
                if is_known || body.inv_inertia == 0.0 {
                    work.add(&turn.times(body.angular_velocity));
                }
                x.add(&parts[0]);
                y.add(&parts[1]);
                torque.add(&turn);
            }
        }
    }
    let mut load = 0.0;
    let mut mass = 0.0;
    for (row, body) in problem.bodies.iter().enumerate() {
        let [x, y, torque] = loads[row].each_ref().map(Exact::value);
        let is_known = momentum_of.contains(&row);
        if body.inv_mass > 0.0 {
            mass += 1.0 / body.inv_mass;
            load += if is_known {
                0.0
            } else {
                DVec2::new(x, y).length()
            };
        }
        if body.inv_inertia > 0.0 && reaches[row] > 0.0 {
            load += if is_known {
                0.0
            } else {
                torque.abs() / reaches[row]
            };
        }
    }
    let mut excess = 0.0;
    for (index, contact) in problem.contacts.iter().enumerate() {
        let tangents = match states[index] {
            Some(ContactState::Open) => vec![],
            Some(ContactState::SlideForward) => vec![-contact.friction],
            Some(ContactState::SlideBackward) => vec![contact.friction],
            Some(ContactState::Stick) | None => vec![contact.friction, -contact.friction],
        };
        let mut worst = 0.0_f64;
        for tangent in tangents {
            let mut response = Exact::default();
            for (row, arm, sign) in ends(contact) {
                if !momentum_of.contains(&row) {
                    continue;
                }
                let body = &problem.bodies[row];
                let [x, y, torque] = &loads[row];
                for (part, vector) in [(1.0, contact.normal), (tangent, contact.normal.perp())] {
                    let linear = |load: &Exact, along: f64| {
                        load.times(body.inv_mass).times(along).times(sign * part)
                    };
                    response.add(&linear(x, vector.x));
                    response.add(&linear(y, vector.y));
                    let turned = torque.times(body.inv_inertia).times(sign * part);
                    response.add(&turned.times(arm.x).times(vector.y));
                    response.add(&turned.times(-arm.y).times(vector.x));
                }
            }
            worst = worst.max(response.value());
        }
        excess += worst;
    }
    // Speeds up to a million times the closing speed, and impulses up to what gives all bodies such a speed.
    let bound = 1e6 * closing_speed * (load + mass * excess) * (1.0 + 1e-12);
    work.value() < 0.0 && -work.value() >= bound
}
