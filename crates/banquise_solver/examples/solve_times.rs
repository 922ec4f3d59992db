//! How long contact problems take, by number of contacts: the whole cascade, Lemke's method with an
//! updated inverse, and the full tableau of the textbooks for comparison.
//!
//! `cargo run --release -p banquise_solver --example solve_times`

#![expect(clippy::print_stdout, reason = "a program that prints a table")]

use std::time::Instant;

use banquise_solver::lcp::{Lcp, LcpStatus, lemke};
use banquise_solver::{
    Body, Contact, ContactProblem, LocalProblem, SolverContext, SolverSettings, SolverWorkspace,
    friction_lcp, impulses_from_lcp, residual, solve_local,
};
use glam::DVec2;

/// Problems timed for each size; the middle one is reported.
const REPEATS: u64 = 3;
/// Contacts up to which pivoting alone is timed too, and up to which the tableau is: more would take
/// minutes.
const LARGEST_ALONE: usize = 300;
const LARGEST_TABLEAU: usize = 100;

fn main() {
    println!(
        "contacts  cascade ms  method               residual  | Lemke ms  pivots  residual  | tableau ms"
    );
    for contacts in [1, 2, 5, 10, 25, 30, 50, 100, 300, 1000] {
        let mut rows: Vec<Row> = (0..REPEATS).map(|seed| measure(contacts, seed)).collect();
        rows.sort_by(|a, b| a.cascade.total_cmp(&b.cascade));
        let row = &rows[rows.len() / 2];
        println!(
            "{contacts:8}  {:10.4}  {:20} {:8.1e}  | {}",
            row.cascade, row.method, row.residual, row.lemke
        );
    }
}

struct Row {
    cascade: f64,
    method: &'static str,
    residual: f64,
    lemke: String,
}

fn measure(contacts: usize, seed: u64) -> Row {
    let context = SolverContext {
        settings: &SolverSettings::DEFAULT,
        workspace: &SolverWorkspace::default(),
    };
    let problem = pile(contacts, seed);
    let all: Vec<usize> = (0..problem.contacts.len()).collect();
    let local = LocalProblem::of(context, &problem, &all);
    let start = Instant::now();
    let solution = solve_local(&local);
    let cascade = 1e3 * start.elapsed().as_secs_f64();
    let mut lemke_text = String::new();
    if contacts <= LARGEST_ALONE {
        let lcp = friction_lcp(context, &local.in_own_units(context));
        let start = Instant::now();
        let found = lemke(&lcp);
        let time = 1e3 * start.elapsed().as_secs_f64();
        let judged = residual(
            &local.in_own_units(context),
            &impulses_from_lcp(context, &found.z),
        );
        lemke_text = format!("{time:8.3} {:7} {judged:9.1e} ", found.pivots);
        if found.status != LcpStatus::Solved {
            lemke_text.push('!');
        }
        if contacts <= LARGEST_TABLEAU {
            let start = Instant::now();
            let pivots = tableau(&lcp);
            let time = 1e3 * start.elapsed().as_secs_f64();
            lemke_text = format!("{lemke_text} | {time:8.3} ({pivots} pivots)");
        }
    }
    Row {
        cascade,
        method: solution.method.name(),
        residual: solution.residual,
        lemke: lemke_text,
    }
}

/// Numbers between 0 and 1, the same for each seed by a fixed recipe.
struct Random(u64);

impl Random {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        (z ^ (z >> 31)) as f64 / u64::MAX as f64
    }
}

/// Discs on a disturbed triangular lattice, falling on a floor: about two contacts a disc.
fn pile(contacts: usize, seed: u64) -> ContactProblem {
    let mut random = Random(1000 * contacts as u64 + seed);
    let floor = Body {
        inv_mass: 0.0,
        inv_inertia: 0.0,
        position: DVec2::ZERO,
        linear_velocity: DVec2::ZERO,
        angular_velocity: 0.0,
    };
    let mut problem = ContactProblem {
        bodies: vec![floor],
        contacts: Vec::new(),
    };
    let columns = ((contacts as f64 / 2.0).sqrt().ceil() as usize).max(1);
    let mut row = 0;
    while problem.contacts.len() < contacts {
        for column in 0..columns {
            let x = column as f64 * 2.0 + f64::from(row % 2);
            let y = 1.0 + f64::from(row) * 3.0_f64.sqrt();
            let index = problem.bodies.len();
            problem.bodies.push(Body {
                inv_mass: 1.0,
                inv_inertia: 2.0,
                position: DVec2::new(x, y),
                linear_velocity: DVec2::new(
                    0.1 * (random.next() - 0.5),
                    -1.0 + 0.1 * random.next(),
                ),
                angular_velocity: 0.1 * (random.next() - 0.5),
            });
            let below = if row == 0 {
                vec![0]
            } else {
                neighbours(&problem, index)
            };
            for other in below {
                if problem.contacts.len() < contacts {
                    let contact = contact(&problem, other, index);
                    problem.contacts.push(contact);
                }
            }
        }
        row += 1;
    }
    problem
}

/// The discs of the row below that touch this one.
fn neighbours(problem: &ContactProblem, index: usize) -> Vec<usize> {
    let position = problem.bodies[index].position;
    (1..index)
        .filter(|&other| {
            let apart = position - problem.bodies[other].position;
            apart.length() < 2.01 && apart.y > 0.1
        })
        .collect()
}

fn contact(problem: &ContactProblem, a: usize, b: usize) -> Contact {
    let (first, second) = (problem.bodies[a].position, problem.bodies[b].position);
    let normal = if a == 0 {
        DVec2::Y
    } else {
        (second - first).normalize()
    };
    let point = second - normal;
    Contact {
        a,
        b,
        arms: [point - first, point - second],
        normal,
        friction: 0.7,
        restitution: 0.4,
        gap: 0.0,
        start: [0.0; 2],
    }
}

/// Lemke's method on the full tableau, as in the textbooks, with ties broken by the first row.
fn tableau(lcp: &Lcp<'_>) -> usize {
    let n = lcp.size();
    let width = 2 * n + 2;
    let mut rows: Vec<Vec<f64>> = (0..n)
        .map(|i| {
            let mut row = vec![0.0; width];
            row[i] = 1.0;
            for j in 0..n {
                row[n + j] = -lcp.matrix.get(i, j);
            }
            row[2 * n] = -1.0;
            row[2 * n + 1] = lcp.constant[i];
            row
        })
        .collect();
    let mut basis: Vec<usize> = (0..n).collect();
    let Some(mut leaving) = (0..n).min_by(|&a, &b| lcp.constant[a].total_cmp(&lcp.constant[b]))
    else {
        return 0;
    };
    let mut entering = 2 * n;
    for pivots in 1..20 * n {
        let left = basis[leaving];
        basis[leaving] = entering;
        let factor = 1.0 / rows[leaving][entering];
        for value in &mut rows[leaving] {
            *value *= factor;
        }
        let pivot = rows[leaving].clone();
        for (index, row) in rows.iter_mut().enumerate() {
            let factor = row[entering];
            if index != leaving && factor != 0.0 {
                for (value, p) in row.iter_mut().zip(&pivot) {
                    *value -= factor * p;
                }
            }
        }
        if left == 2 * n {
            return pivots;
        }
        entering = if left < n { left + n } else { left - n };
        let next = (0..n)
            .filter(|&i| rows[i][entering] > 1e-11)
            .min_by(|&a, &b| {
                let ratio = |i: usize| rows[i][2 * n + 1] / rows[i][entering];
                ratio(a)
                    .total_cmp(&ratio(b))
                    .then((basis[b] == 2 * n).cmp(&(basis[a] == 2 * n)))
            });
        match next {
            Some(row) => leaving = row,
            None => return pivots,
        }
    }
    20 * n
}
