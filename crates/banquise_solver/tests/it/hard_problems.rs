//! Random problems that are hard for plain numbers, shared by the tests and by the example `verdicts`: mass ratios to 1e10, ten copies of each contact, chains of fifty
//! bodies, moving obstacles, and problems that are built to have no solution.

use banquise_solver::{Body, Contact, ContactProblem, ImpactSettings, Mode};
use glam::DVec2;

/// A small generator with a fixed sequence for each seed: `SplitMix64` (Steele, Lea, Flood 2014).
pub(crate) struct Numbers(pub(crate) u64);

impl Numbers {
    pub(crate) fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^= z >> 31;
        (z >> 11) as f64 / (1_u64 << 53) as f64
    }

    pub(crate) fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.next()
    }

    pub(crate) fn below(&mut self, limit: usize) -> usize {
        ((self.next() * limit as f64) as usize).min(limit - 1)
    }

    pub(crate) fn pick(&mut self, values: &[f64]) -> f64 {
        values[self.below(values.len())]
    }

    fn vector(&mut self, size: f64) -> DVec2 {
        DVec2::new(self.between(-size, size), self.between(-size, size))
    }

    fn direction(&mut self) -> DVec2 {
        DVec2::from_angle(self.between(0.0, std::f64::consts::TAU))
    }

    /// From 1 to 1e10, evenly in its logarithm, or one of both ends.
    fn mass(&mut self) -> f64 {
        match self.below(3) {
            0 => 1.0,
            1 => 1e10,
            _ => 10_f64.powf(self.between(0.0, 10.0)),
        }
    }

    fn body(&mut self, mass: f64, position: DVec2) -> Body {
        Body {
            inv_mass: 1.0 / mass,
            inv_inertia: 1.0 / (mass * self.between(0.1, 1.0)),
            position,
            linear_velocity: self.vector(1.0),
            angular_velocity: self.between(-1.0, 1.0),
        }
    }

    fn wall(&mut self, position: DVec2) -> Body {
        Body {
            inv_mass: 0.0,
            inv_inertia: 0.0,
            ..self.body(1.0, position)
        }
    }

    fn contact(&mut self, bodies: &[Body], ends: [usize; 2], at: DVec2, normal: DVec2) -> Contact {
        let [a, b] = ends;
        Contact {
            a,
            b,
            arms: [at - bodies[a].position, at - bodies[b].position],
            normal,
            friction: self.pick(&[0.0, 0.1, 0.3, 0.7, 1.0]),
            restitution: 0.0,
            gap: 0.0,
            start: [0.0; 2],
        }
    }
}

/// A problem of the class of an index, with the settings of its solution.
pub(crate) fn hard_problem(
    numbers: &mut Numbers,
    index: usize,
) -> (ContactProblem, ImpactSettings) {
    let mut problem = match index % 8 {
        0 | 1 => stack(numbers),
        2 => copied(cluster(numbers, 7)),
        3 if index % 40 == 3 => chain(numbers, 50),
        3 => chain(numbers, 12),
        4 | 5 => cluster(numbers, 24),
        6 => moving_obstacles(numbers, 6),
        _ => moving_obstacles(numbers, 16),
    };
    let (mixed, common) = (numbers.next() < 0.3, numbers.pick(&[0.0, 0.0, 0.4, 1.0]));
    for contact in &mut problem.contacts {
        contact.restitution = if mixed { numbers.next() } else { common };
    }
    let mode = if numbers.next() < 0.5 {
        Mode::Active
    } else {
        Mode::Simultaneous
    };
    let settings = ImpactSettings {
        mode,
        ..ImpactSettings::default()
    };
    (problem, settings)
}

/// Bodies on the ground and on each other, with one to three contacts between two.
fn stack(numbers: &mut Numbers) -> ContactProblem {
    let count = 2 + numbers.below(8);
    let mut bodies = vec![numbers.wall(DVec2::NEG_Y)];
    (bodies[0].linear_velocity, bodies[0].angular_velocity) = (DVec2::ZERO, 0.0);
    let mut contacts = Vec::new();
    for index in 0..count {
        let mass = numbers.mass();
        let mut body = numbers.body(mass, DVec2::new(0.0, 1.0 + 2.0 * index as f64));
        body.linear_velocity = DVec2::new(numbers.between(-0.1, 0.1), -1.0);
        body.angular_velocity *= numbers.pick(&[0.0, 0.1]);
        bodies.push(body);
        let places: &[f64] = match numbers.below(3) {
            0 => &[0.0],
            1 => &[-0.7, 0.7],
            _ => &[-0.7, 0.1, 0.7],
        };
        for &x in places {
            let tilt = numbers.pick(&[0.0, 0.0, 1.0]) * numbers.between(-0.05, 0.05);
            let normal = DVec2::from_angle(tilt).rotate(DVec2::Y);
            let at = DVec2::new(x, 2.0 * index as f64);
            contacts.push(numbers.contact(&bodies, [index, index + 1], at, normal));
        }
    }
    ContactProblem { bodies, contacts }
}

/// Bodies in a row, pushed together.
fn chain(numbers: &mut Numbers, count: usize) -> ContactProblem {
    let mut bodies = Vec::new();
    for index in 0..count {
        let mass = numbers.mass();
        let y = numbers.between(-0.2, 0.2);
        bodies.push(numbers.body(mass, DVec2::new(2.0 * index as f64, y)));
    }
    if numbers.next() < 0.5 {
        bodies[count - 1] = numbers.wall(bodies[count - 1].position);
        bodies[count - 1].linear_velocity = DVec2::ZERO;
        bodies[count - 1].angular_velocity = 0.0;
    }
    bodies[0].linear_velocity = DVec2::X;
    let mut contacts = Vec::new();
    for index in 0..count - 1 {
        let (a, b) = (bodies[index].position, bodies[index + 1].position);
        let normal = (b - a).normalize();
        let at = 0.5 * (a + b);
        contacts.push(numbers.contact(&bodies, [index, index + 1], at, normal));
    }
    ContactProblem { bodies, contacts }
}

/// Bodies anywhere, with contacts in any direction; half of them with one that is fixed.
fn cluster(numbers: &mut Numbers, contact_count: usize) -> ContactProblem {
    let count = 2 + numbers.below(contact_count.min(8));
    let mut bodies = Vec::new();
    for index in 0..count {
        let mass = numbers.mass();
        let y = numbers.between(-0.5, 0.5);
        bodies.push(numbers.body(mass, DVec2::new(2.0 * index as f64, y)));
    }
    if numbers.next() < 0.5 {
        bodies[0] = numbers.wall(bodies[0].position);
        (bodies[0].linear_velocity, bodies[0].angular_velocity) = (DVec2::ZERO, 0.0);
    }
    let mut contacts = Vec::new();
    let wanted = 1 + numbers.below(contact_count);
    while contacts.len() < wanted {
        let (a, b) = (numbers.below(count), numbers.below(count));
        if a != b {
            let between = bodies[b].position - bodies[a].position;
            let tilt = numbers.between(-0.7, 0.7);
            let normal = DVec2::from_angle(tilt).rotate(between.normalize());
            let at = bodies[a].position + numbers.between(0.3, 0.7) * between;
            contacts.push(numbers.contact(&bodies, [a, b], at, normal));
        }
    }
    ContactProblem { bodies, contacts }
}

/// Ten copies of each contact.
fn copied(mut problem: ContactProblem) -> ContactProblem {
    let contacts = problem.contacts.iter();
    problem.contacts = contacts.flat_map(|contact| [*contact; 10]).collect();
    problem
}

/// Bodies anywhere between two that move on a path of their own.
fn moving_obstacles(numbers: &mut Numbers, contact_count: usize) -> ContactProblem {
    let mut bodies = vec![];
    for _ in 0..2 {
        let position = numbers.vector(3.0);
        bodies.push(numbers.wall(position));
    }
    let count = 3 + numbers.below(3);
    while bodies.len() < count {
        let mass = 10_f64.powf(numbers.between(0.0, 4.0));
        let position = numbers.vector(3.0);
        bodies.push(numbers.body(mass, position));
    }
    let mut contacts = Vec::new();
    let wanted = 1 + numbers.below(contact_count);
    while contacts.len() < wanted {
        let (a, b) = (numbers.below(count), numbers.below(count));
        if a != b && a.max(b) > 1 {
            let (at, normal) = (numbers.vector(5.0), numbers.direction());
            let mut contact = numbers.contact(&bodies, [a, b], at, normal);
            contact.friction = numbers.pick(&[0.0, 0.1, 0.5, 1.0, 5.0]);
            contacts.push(contact);
        }
    }
    ContactProblem { bodies, contacts }
}

/// A chain of bodies. Each is pushed by the one before it and by walls, and hands on the sum of the forces along their line of action to
/// the next one, the last to a wall: λ is known, and the last wall closes by as much as makes λ·w negative.
pub(crate) fn infeasible_problem(numbers: &mut Numbers, length: usize) -> ContactProblem {
    let mut bodies = Vec::new();
    for _ in 0..length {
        let (mass, position) = (numbers.mass(), numbers.vector(3.0));
        bodies.push(numbers.body(mass, position));
    }
    let mut contacts = Vec::new();
    let mut multipliers = Vec::new();
    // Force on the body at hand, and its torque about the origin.
    let (mut force, mut torque) = (DVec2::ZERO, 0.0);
    for row in 0..length {
        let pushes = numbers.below(3) + usize::from(row == 0);
        for _ in 0..pushes {
            let position = numbers.vector(3.0);
            bodies.push(numbers.wall(position));
            let (n, size) = (numbers.direction(), numbers.between(0.5, 2.0));
            let at = bodies[row].position + numbers.direction();
            let ends = [bodies.len() - 1, row];
            contacts.push(numbers.contact(&bodies, ends, at, n));
            multipliers.push(size);
            force += size * n;
            torque += size * at.perp_dot(n);
        }
        let next = if row + 1 < length {
            row + 1
        } else {
            let position = numbers.vector(3.0);
            bodies.push(numbers.wall(position));
            bodies.len() - 1
        };
        let size = force.length();
        let n = force / size;
        // The line of action, at its point closest to the origin and somewhere along it.
        let at = -torque / size * n.perp() + numbers.between(-1.0, 1.0) * n;
        contacts.push(numbers.contact(&bodies, [row, next], at, n));
        multipliers.push(size);
    }
    let mut still = bodies.clone();
    for body in still.iter_mut().filter(|body| body.inv_mass > 0.0) {
        (body.linear_velocity, body.angular_velocity) = (DVec2::ZERO, 0.0);
    }
    let still = ContactProblem {
        bodies: still,
        contacts: Vec::new(),
    };
    let imposed = contacts.iter().map(|c| still.relative_velocity(c)[0]);
    let work: f64 = imposed.zip(&multipliers).map(|(w, m)| w * m).sum();
    let (last, n) = (bodies.len() - 1, contacts[contacts.len() - 1].normal);
    let surplus = work + numbers.between(0.01, 1.0);
    bodies[last].linear_velocity -= surplus / multipliers[multipliers.len() - 1] * n;
    // Others that change nothing of it.
    for _ in 0..numbers.below(2 * length) {
        let (a, b) = (numbers.below(length), numbers.below(bodies.len()));
        if a != b {
            let at = bodies[a].position + numbers.direction();
            let n = numbers.direction();
            contacts.push(numbers.contact(&bodies, [a, b], at, n));
        }
    }
    ContactProblem { bodies, contacts }
}

/// A wedge between two walls that close on it, narrower than friction lets slide. It cannot turn, or has a flat side along each wall and turns as little; a
/// body on the way out may be pushed too.
pub(crate) fn locked_problem(numbers: &mut Numbers, index: usize) -> ContactProblem {
    let friction = numbers.between(0.3, 1.0);
    let half_angle = numbers.between(0.1, 0.8) * friction.atan();
    let (frame, turn) = (numbers.direction(), numbers.vector(3.0));
    let placed = |x: f64, y: f64| turn + frame.rotate(DVec2::new(x, y));
    let mass = 10_f64.powf(numbers.between(0.0, 6.0));
    let mut wedge = numbers.body(mass, placed(0.0, 0.0));
    wedge.linear_velocity = frame.rotate(DVec2::new(0.0, numbers.between(-0.5, 0.05)));
    wedge.angular_velocity = 0.0;
    wedge.inv_inertia = 0.0;
    let mut bodies = vec![wedge];
    for side in [-1.0, 1.0] {
        let mut wall = numbers.wall(placed(side, 0.0));
        let closing = numbers.between(0.5, 1.0);
        wall.linear_velocity = frame.rotate(DVec2::new(-side * closing, 0.0));
        wall.angular_velocity = 0.0;
        bodies.push(wall);
    }
    let places: &[f64] = if index.is_multiple_of(2) {
        &[0.0]
    } else {
        &[-0.3, 0.3]
    };
    let mut contacts = Vec::new();
    for (wall, side) in [(1, -1.0), (2, 1.0)] {
        // Without friction the wedge is pressed out along +y.
        let (sine, cosine) = (half_angle.sin(), half_angle.cos());
        let normal = frame.rotate(DVec2::new(-side * cosine, sine));
        for &y in places {
            let at = placed(side * (0.3 + y * sine / cosine), y);
            let mut contact = numbers.contact(&bodies, [wall, 0], at, normal);
            contact.friction = friction;
            contacts.push(contact);
        }
    }
    ContactProblem { bodies, contacts }
}
