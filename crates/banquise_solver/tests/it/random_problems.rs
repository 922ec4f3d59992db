//! Random contact problems, by the hundred thousand: every one solved, energy never up.

use banquise_solver::{
    Body, Cone, Contact, ContactProblem, ImpactErrors, ImpactReport, ImpactSettings, Method, Mode,
    RowCounts, SolverContext, SolverSettings, SolverWorkspace, impact_errors, solve_impact_into,
};
use glam::DVec2;

/// A small generator with a fixed sequence for each seed.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn next(&mut self) -> f64 {
        // SplitMix64 (Steele, Lea, Flood 2014).
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

    fn pick(&mut self, values: &[f64]) -> f64 {
        values[self.below(values.len())]
    }
}

fn body(random: &mut Random, mass: f64, position: DVec2) -> Body {
    let radius = random.between(0.3, 1.0);
    Body {
        inv_mass: 1.0 / mass,
        inv_inertia: 1.0 / (0.5 * mass * radius * radius),
        position,
        linear_velocity: DVec2::new(random.between(-1.0, 1.0), random.between(-1.0, 1.0)),
        angular_velocity: random.between(-1.0, 1.0),
    }
}

fn contact_at(bodies: &[Body], a: usize, b: usize, point: DVec2, normal: DVec2) -> Contact {
    Contact {
        a,
        b,
        arms: [point - bodies[a].position, point - bodies[b].position],
        normal,
        friction: 0.0,
        restitution: 0.0,
        gap: 0.0,
        start: [0.0; 2],
    }
}

/// Chains, stacks, wedges and clusters, some of them pinned, with redundant contacts.
fn random_problem(random: &mut Random, max_contacts: usize) -> ContactProblem {
    let wanted = 1 + random.below(max_contacts);
    let body_count = 2 + random.below(wanted.min(20));
    let heavy = random.pick(&[1.0, 1.0, 10.0, 1e3, 1e6]);
    let unit = random.pick(&[1e-3, 1.0, 1e9]);
    let mut bodies: Vec<Body> = (0..body_count)
        .map(|index| {
            let mass = unit * if random.next() < 0.3 { heavy } else { 1.0 };
            let y = random.between(-0.5, 0.5);
            body(random, mass, DVec2::new(2.0 * index as f64, y))
        })
        .collect();
    if random.next() < 0.5 {
        let pinned = &mut bodies[0];
        (pinned.inv_mass, pinned.inv_inertia) = (0.0, 0.0);
        (pinned.linear_velocity, pinned.angular_velocity) = (DVec2::ZERO, 0.0);
    }
    let mut contacts = Vec::new();
    while contacts.len() < wanted {
        let a = random.below(body_count);
        let b = if random.next() < 0.6 {
            (a + 1) % body_count
        } else {
            random.below(body_count)
        };
        if a == b {
            continue;
        }
        let between = bodies[b].position - bodies[a].position;
        let tilt = random.between(-0.7, 0.7);
        let normal = DVec2::from_angle(tilt).rotate(between.normalize());
        let point = bodies[a].position + random.between(0.3, 0.7) * between;
        contacts.push(contact_at(&bodies, a, b, point, normal));
        // A flat side: a second and a third point with the same normal.
        for _ in 0..random.below(3) {
            if contacts.len() < wanted {
                let along = random.between(-1.0, 1.0) * normal.perp();
                contacts.push(contact_at(&bodies, a, b, point + along, normal));
            }
        }
    }
    let (mixed, e) = (random.next() < 0.5, random.pick(&[0.0, 0.35, 0.6, 1.0]));
    let friction = random.pick(&[0.0, 0.3, 0.7, 1.0, 2.0]);
    for contact in &mut contacts {
        contact.restitution = if mixed { random.next() } else { e };
        contact.friction = if mixed {
            random.between(0.0, 2.0)
        } else {
            friction
        };
    }
    ContactProblem { bodies, contacts }
}

fn momentum(problem: &ContactProblem) -> (DVec2, f64) {
    let mut linear = DVec2::ZERO;
    let mut angular = 0.0;
    for body in problem.bodies.iter().filter(|body| body.inv_mass > 0.0) {
        let p = body.linear_velocity / body.inv_mass;
        linear += p;
        angular += body.position.perp_dot(p) + body.angular_velocity / body.inv_inertia;
    }
    (linear, angular)
}

#[derive(Default)]
struct Tally {
    problems: u64,
    contacts: u64,
    methods: [u64; Method::ALL.len()],
    unsolved: u64,
    reflections: u64,
    reductions: u64,
    gave_up: u64,
    worst_residual: f64,
    worst_energy: f64,
    worst_approach: f64,
    worst_momentum: f64,
    /// Errors by the judge of the library.
    judged: ImpactErrors,
}

impl Tally {
    fn add(&mut self, before: &ContactProblem, after: &ContactProblem, report: &ImpactReport) {
        self.problems += 1;
        self.contacts += before.contacts.len() as u64;
        for (sum, count) in self.methods.iter_mut().zip(report.methods) {
            *sum += count;
        }
        self.unsolved += report.unsolved;
        self.reflections += report.reflections;
        self.reductions += report.reductions;
        self.gave_up += u64::from(report.gave_up);
        self.worst_residual = self.worst_residual.max(report.residual);
        let errors = impact_errors(before, &after.bodies, report);
        let judged = &mut self.judged;
        judged.complementarity = judged.complementarity.max(errors.complementarity);
        judged.cone = judged.cone.max(errors.cone);
        judged.approach = judged.approach.max(errors.approach);
        judged.energy = judged.energy.max(errors.energy);
        judged.momentum = judged.momentum.max(errors.momentum);
        let energy = before.kinetic_energy();
        if energy > 0.0 {
            self.worst_energy = self.worst_energy.max(after.kinetic_energy() / energy - 1.0);
        }
        let speed = |c: &Contact| {
            before
                .relative_velocity(c)
                .map(f64::abs)
                .into_iter()
                .fold(0.0, f64::max)
        };
        let fastest = before
            .contacts
            .iter()
            .map(speed)
            .fold(f64::MIN_POSITIVE, f64::max);
        for contact in &after.contacts {
            let approach = -after.relative_velocity(contact)[0] / fastest;
            self.worst_approach = self.worst_approach.max(approach);
        }
        if before.bodies[0].inv_mass > 0.0 {
            let (linear, angular) = momentum(before);
            let (linear_after, angular_after) = momentum(after);
            let scale = before
                .bodies
                .iter()
                .map(|b| {
                    (b.linear_velocity.length() + 1.0) * (b.position.length() + 1.0) / b.inv_mass
                })
                .sum::<f64>();
            let error = (linear_after - linear)
                .length()
                .max((angular_after - angular).abs());
            self.worst_momentum = self.worst_momentum.max(error / scale);
        }
    }

    fn print(&self, name: &str) {
        println!(
            "{name}: {} problems, {} contacts, methods {:?}, unsolved {}, reflections {}, reductions {}, \
             gave up {}, residual {:.1e}, energy {:.1e}, approach {:.1e}, momentum {:.1e}, {:?}",
            self.problems,
            self.contacts,
            self.methods,
            self.unsolved,
            self.reflections,
            self.reductions,
            self.gave_up,
            self.worst_residual,
            self.worst_energy,
            self.worst_approach,
            self.worst_momentum,
            self.judged
        );
    }
}

/// Which rows of the policy were tried and taken.
fn print_rows(counts: &RowCounts) {
    for (table, rows) in SolverSettings::DEFAULT.policy.tables() {
        for (index, row) in rows.iter().enumerate() {
            let tried = counts.tried[table as usize][index];
            let taken = counts.taken[table as usize][index];
            if tried > 0 {
                let (table, attempt) = (table.name(), row.attempt.name());
                println!("{table} {attempt} {:?}: {tried} {taken}", row.contacts);
            }
        }
    }
}

fn run(
    name: &str,
    seed: u64,
    count: usize,
    max_contacts: usize,
    settings: ImpactSettings,
) -> Tally {
    let mut random = Random(seed);
    let mut tally = Tally::default();
    let workspace = SolverWorkspace::default();
    let context = SolverContext {
        settings: &SolverSettings::DEFAULT,
        workspace: &workspace,
    };
    let mut report = ImpactReport::default();
    for _ in 0..count {
        let before = random_problem(&mut random, max_contacts);
        let mut after = before.clone();
        solve_impact_into(context, &mut after, &settings, &mut report);
        tally.add(&before, &after, &report);
    }
    tally.print(name);
    print_rows(&workspace.take_statistics().rows);
    tally
}

/// The claims made of every problem.
fn check(tally: &Tally) {
    assert_eq!(tally.unsolved, 0);
    assert!(tally.worst_residual <= 1e-9);
    assert!(tally.worst_energy <= 1e-12);
    assert!(tally.worst_momentum <= 1e-12);
    // Velocities and impulses follow from scaled residuals of 1e-9 through mass ratios of 1e6.
    assert!(tally.worst_approach <= 1e-6);
    assert!(tally.judged.approach <= 1e-6);
    assert!(tally.judged.cone <= 1e-6);
    assert!(tally.judged.energy <= 1e-12);
    assert!(tally.judged.momentum <= 1e-12);
}

#[test]
fn fifty_thousand_problems_solved_together() {
    let settings = ImpactSettings {
        mode: Mode::Simultaneous,
        cone: Cone::Full,
        slack_velocity: 0.0,
    };
    check(&run("simultaneous, up to 4", 1, 40_000, 4, settings));
    check(&run("simultaneous, up to 12", 2, 8_000, 12, settings));
    check(&run("simultaneous, up to 40", 3, 2_000, 40, settings));
}

#[test]
fn the_literal_cone_never_adds_energy_either() {
    let settings = ImpactSettings {
        mode: Mode::Simultaneous,
        cone: Cone::Literal,
        slack_velocity: 0.0,
    };
    check(&run("literal cone, up to 12", 7, 8_000, 12, settings));
}

#[test]
fn fifty_thousand_problems_solved_by_active_contacts() {
    let settings = ImpactSettings {
        mode: Mode::Active,
        cone: Cone::Full,
        slack_velocity: 0.0,
    };
    check(&run("active, up to 4", 4, 40_000, 4, settings));
    check(&run("active, up to 12", 5, 8_000, 12, settings));
    check(&run("active, up to 40", 6, 2_000, 40, settings));
}
