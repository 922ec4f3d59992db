//! Solver settings with one constant scaled, and what that changes; shared by the tests and the sensitivity example.

use banquise_solver::{Constant, ContactProblem, Row, SolverSettings, Table};

use crate::corpus_reader::{Outcome, Stored, solve};

/// The factors by which a constant is scaled.
const FACTORS: [(&str, f64); 2] = [("3", 3.0), ("1/3", 1.0 / 3.0)];
/// A velocity that changes by more than this share of the fastest contact is another solution, not rounding of residuals.
const SAME: f64 = 1e-6;

/// What a change of settings changes.
pub(crate) struct Comparison {
    /// Problems solved.
    pub(crate) solved: usize,
    /// Largest change of a post-impact velocity, as a share of the fastest contact.
    pub(crate) largest_change: f64,
    /// The problem with that change.
    pub(crate) most_changed: String,
    /// Problems of which a velocity changes by more than 1e-6: those with another solution of the same friction problems, and
    /// those in which restitution was full in one case and reduced in the other.
    pub(crate) other_solution: usize,
    pub(crate) other_restitution: usize,
    /// Work as a share of that of the defaults.
    pub(crate) work: f64,
}

/// Settings with each constant scaled in turn, with its name and the factor.
pub(crate) fn variations() -> Vec<(String, &'static str, SolverSettings)> {
    let mut names = Vec::new();
    let mut defaults = SolverSettings::DEFAULT;
    defaults.visit(|name, _| names.push(name.to_owned()));
    let scaled = |wanted: &str, factor: f64| {
        let mut settings = SolverSettings::DEFAULT;
        settings.visit(|name, constant| {
            if name == wanted {
                scale(constant, factor);
            }
        });
        settings
    };
    let both =
        |name: String| FACTORS.map(|(text, factor)| (name.clone(), text, scaled(&name, factor)));
    names.into_iter().flat_map(both).collect()
}

fn scale(constant: Constant<'_>, factor: f64) {
    match constant {
        Constant::Number(value) => *value *= factor,
        Constant::Limit(value) => *value = scaled_limit(*value, factor),
    }
}

fn scaled_limit(limit: usize, factor: f64) -> usize {
    (limit as f64 * factor).round() as usize
}

/// Settings with the iteration limit of each row of the policy scaled in turn.
pub(crate) fn row_variations() -> Vec<(String, &'static str, SolverSettings)> {
    let mut all = Vec::new();
    for (table, rows) in SolverSettings::DEFAULT.policy.tables() {
        for (index, row) in rows.iter().enumerate().filter(|(_, row)| row.limit > 1) {
            for (text, factor) in FACTORS {
                let mut changed = rows.to_vec();
                changed[index].limit = scaled_limit(row.limit, factor).max(1);
                let mut settings = SolverSettings::DEFAULT;
                // Tables are static; a few small ones leak in a program that soon ends.
                let changed: &'static [Row] = changed.leak();
                match table {
                    Table::Event => settings.policy.event = changed,
                    Table::Decompression => settings.policy.decompression = changed,
                    Table::FixedStep => settings.policy.fixed_step = changed,
                    Table::Feasibility => settings.policy.feasibility = changed,
                }
                let [least, largest] = row.contacts;
                let largest = if largest == usize::MAX {
                    String::new()
                } else {
                    largest.to_string()
                };
                let row = row.attempt.name();
                let name = format!("{}: {row}, {least}–{largest} contacts", table.name());
                all.push((name, text, settings));
            }
        }
    }
    all
}

/// All problems with the defaults.
pub(crate) fn reference(problems: &[Stored]) -> Vec<Outcome> {
    let defaults = SolverSettings::DEFAULT;
    problems
        .iter()
        .map(|stored| solve(stored, &defaults))
        .collect()
}

/// All problems with other settings, compared with the reference.
pub(crate) fn compare(
    problems: &[Stored],
    reference: &[Outcome],
    settings: &SolverSettings,
) -> Comparison {
    let mut comparison = Comparison {
        solved: 0,
        largest_change: 0.0,
        most_changed: String::new(),
        other_solution: 0,
        other_restitution: 0,
        work: 0.0,
    };
    let mut reference_work = 0.0;
    for (stored, expected) in problems.iter().zip(reference) {
        let outcome = solve(stored, settings);
        comparison.solved += usize::from(outcome.report.unsolved == 0);
        let change = change(stored, expected, &outcome);
        if change > comparison.largest_change {
            comparison.largest_change = change;
            comparison.most_changed.clone_from(&stored.name);
        }
        let has_other_restitution = outcome.report.reductions != expected.report.reductions
            || outcome.report.reflections != expected.report.reflections;
        if change > SAME && has_other_restitution {
            comparison.other_restitution += 1;
        } else if change > SAME {
            comparison.other_solution += 1;
        }
        comparison.work += work(stored, &outcome);
        reference_work += work(stored, expected);
    }
    comparison.work /= reference_work;
    comparison
}

/// The largest change of a velocity at a contact, as a share of the fastest contact.
fn change(stored: &Stored, one: &Outcome, other: &Outcome) -> f64 {
    let mut problem = stored.problem.clone();
    let fastest = |problem: &ContactProblem| {
        let contacts = problem.contacts.iter();
        let velocities = contacts.flat_map(|contact| problem.relative_velocity(contact));
        velocities.fold(0.0, |most: f64, u| most.max(u.abs()))
    };
    // Before and after: in a fixed step bodies at rest may be pushed apart.
    let before = fastest(&problem);
    problem.bodies.clone_from(&one.bodies);
    let scale = before.max(fastest(&problem)).max(f64::MIN_POSITIVE);
    for (body, other) in problem.bodies.iter_mut().zip(&other.bodies) {
        body.linear_velocity -= other.linear_velocity;
        body.angular_velocity -= other.angular_velocity;
    }
    fastest(&problem) / scale
}

/// Sweeps, factorisations and pivots, in terms of what they cost: one block operation for each contact they go through.
fn work(stored: &Stored, outcome: &Outcome) -> f64 {
    let count = stored.problem.contacts.len() as f64;
    let work = &outcome.work;
    let steps = work.sweeps + 4 * work.factorisations + outcome.report.pivots;
    // At least one: problems in closed form have a cost too.
    count * (1.0 + steps as f64)
}
