//! Many contacts: Gauss–Seidel and Newton's method on a sequence of proximal problems.
//!
//! Instead of u = W p + b, solve u = W p + b + ε (p − p̂), where p̂ is where the last problem ended
//! (Rockafellar 1976; for contact, Acary & Brogliato 2008, section 13). A fixed point p = p̂ solves the
//! problem itself, whatever ε. A large ε makes the problem easy and the step short; it shrinks
//! where Newton's method succeeds and grows where it fails. Sweeps of Gauss–Seidel find who sticks and who
//! slides, Newton's method on sparse factors how much. Where it fails, the best point it came by is the step, or, where there is time for it, the end of
//! the path from a neighbouring problem (see `homotopy`).

use crate::block_lu::{BlockLu, Pattern};
use crate::blocks::Block;
use crate::homotopy::follow;
use crate::list::List;
use crate::local::LocalProblem;
use crate::residual::natural_residual;
use crate::single::solve_single;
use crate::states::{Normal, State, Tangent, slip_share, states_from};

/// What an iteration reached.
pub(crate) struct Reached {
    pub(crate) impulses: List<f64>,
    pub(crate) residual: f64,
}

impl Reached {
    pub(crate) fn keep_better(&mut self, impulses: &[f64], residual: f64) {
        if residual < self.residual {
            self.residual = residual;
            self.impulses.copy_from_slice(impulses);
        }
    }
}

/// The least shift, next to none: in units of the scaled operator, whose entries are of order one.
const LEAST_SHIFT: f64 = 1e-9;
/// The largest shift.
const MOST_SHIFT: f64 = 0.3;

/// How the shift changes from problem to problem: all found by trial.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Pace {
    /// The first shift far from a solution.
    first: f64,
    /// How the shift shrinks after an easy success, after a success, and in the first two successes after a failure, and how it grows after a failure.
    shrink_easy: f64,
    shrink: f64,
    shrink_failed: f64,
    grow: f64,
    /// Sweeps before Newton's method: at first, after a success, and after a failure.
    first_sweeps: usize,
    sweeps: usize,
    failed_sweeps: usize,
    /// Whether the path to a problem is followed where Newton's method fails.
    follows: bool,
}

/// For a first try, and for impulses that are known nearly: large steps, and after a success no sweeps, which would lead away
/// from where it ended.
pub(crate) const BRISK: Pace = Pace {
    first: 1e-2,
    shrink_easy: 0.01,
    shrink: 0.2,
    shrink_failed: 0.5,
    grow: 5.0,
    first_sweeps: 10,
    sweeps: 0,
    failed_sweeps: 10,
    follows: false,
};

/// For a step of given length, whose impulses are known nearly, and for what begins at the relaxation: few sweeps, and paths.
pub(crate) const FOLLOWING: Pace = Pace {
    shrink_easy: 0.03,
    first_sweeps: 5,
    failed_sweeps: 5,
    follows: true,
    ..BRISK
};

/// For whatever comes: a wall of discs that falls, say.
pub(crate) const CAREFUL: Pace = Pace {
    first: MOST_SHIFT,
    shrink_easy: 0.25,
    shrink: 0.5,
    shrink_failed: 0.5,
    grow: 1.5,
    first_sweeps: 50,
    sweeps: 50,
    failed_sweeps: 50,
    follows: true,
};

/// Successes after a failure in which the shift is not made much smaller: it would fail again.
const SUCCESSES_AFTER_FAILURE: usize = 2;
/// How often a point near a solution is improved: the shift's trace goes with the second.
const POLISHES: usize = 3;
/// Newton steps of an attempt, and of an easy one.
const NEWTON_STEPS: usize = 8;
const EASY_STEPS: usize = 2;
/// A residual that grows by more than this after the easy steps ends an attempt.
const MAX_GROWTH: f64 = 1.5;
/// The residual of a proximal problem that a point or the end of a path may have by rounding.
const MOST_ROUNDING: f64 = 1e-7;
/// Residual at which a proximal problem is solved: as a share of the tolerance, and the least.
const INNER_SHARE: f64 = 0.3;
const LEAST_INNER: f64 = 1e-11;
/// Problems without shift that bring no better residual before rounding is taken for the end.
const PATIENCE: usize = 3;

/// Newton's method from a point near a solution, again from where it ends while that helps.
pub(crate) fn polish(
    problem: &LocalProblem,
    pattern: &Pattern,
    tolerance: f64,
    near: &[f64],
) -> Reached {
    let mut best = Reached {
        impulses: List::copy_of(near),
        residual: f64::INFINITY,
    };
    for _ in 0..POLISHES {
        let plain = Shifted {
            problem,
            shift: LEAST_SHIFT,
            centre: &best.impulses,
        };
        let mut impulses = best.impulses.clone();
        let steps = plain.newton(pattern, &mut impulses, inner(tolerance), false);
        let residual = judge(problem, &impulses);
        if residual >= best.residual {
            break;
        }
        best = Reached { impulses, residual };
        if steps.is_none() || residual <= tolerance {
            break;
        }
    }
    best
}

/// Improves `best` until its residual is within `tolerance` or `max_problems` have been tried.
pub(crate) fn proximal(
    problem: &LocalProblem,
    pattern: &Pattern,
    tolerance: f64,
    (pace, max_problems): (Pace, usize),
    best: &mut Reached,
) {
    let mut centre = best.impulses.clone();
    let mut shift = pace.first;
    let mut sweeps = pace.first_sweeps;
    let mut stalled = 0;
    let mut after_failure = 0;
    for attempt in 0..max_problems {
        let mut impulses = centre.clone();
        let mut shifted = Shifted {
            problem,
            shift,
            centre: &centre,
        };
        for _ in 0..sweeps {
            shifted.sweep(&mut impulses);
        }
        let swept = judge(problem, &impulses);
        best.keep_better(&impulses, swept);
        if best.residual <= tolerance {
            return;
        }
        if attempt == 0 {
            // Near a solution, little is enough.
            shift = best.residual.clamp(LEAST_SHIFT, pace.first);
            shifted.shift = shift;
        }
        let steps = shifted.newton(pattern, &mut impulses, inner(tolerance), pace.follows);
        let residual = judge(problem, &impulses);
        let has_stalled = shift <= LEAST_SHIFT && steps.is_some() && residual > 0.5 * best.residual;
        stalled = if has_stalled { stalled + 1 } else { 0 };
        best.keep_better(&impulses, residual);
        if best.residual <= tolerance || stalled > PATIENCE {
            return;
        }
        if let Some(steps) = steps {
            let shrink = if after_failure > 0 {
                after_failure -= 1;
                pace.shrink_failed
            } else if steps <= EASY_STEPS {
                pace.shrink_easy
            } else {
                pace.shrink
            };
            shift = (shrink * shift).max(LEAST_SHIFT);
            sweeps = pace.sweeps;
        } else {
            shift = (pace.grow * shift).min(MOST_SHIFT);
            after_failure = SUCCESSES_AFTER_FAILURE;
            sweeps = pace.failed_sweeps;
        }
        centre = impulses;
    }
}

fn inner(tolerance: f64) -> f64 {
    (INNER_SHARE * tolerance).max(LEAST_INNER)
}

/// The residual of a problem itself, without a shift.
fn judge(problem: &LocalProblem, impulses: &[f64]) -> f64 {
    natural_residual(problem, impulses, &problem.velocity(impulses))
}

/// Sweeps of [`sketch`] at most, and the share of the largest impulse within which a sweep changes nothing.
const SKETCH_SWEEPS: usize = 30;
const SKETCH_TOLERANCE: f64 = 1e-6;

/// Impulses that are not a solution, but near one: some sweeps from where the last ones were.
pub(crate) fn sketch(problem: &LocalProblem, start: &[f64]) -> List<f64> {
    let mut impulses = List::copy_of(start);
    let plain = Shifted {
        problem,
        shift: 0.0,
        centre: start,
    };
    for sweep in 0..SKETCH_SWEEPS {
        let change = plain.sweep(&mut impulses);
        let largest = impulses.iter().fold(0.0, |most: f64, p| most.max(p.abs()));
        if change <= SKETCH_TOLERANCE * largest {
            // A solution that is known is better than what a sweep makes of it.
            if sweep == 0 {
                impulses.copy_from_slice(start);
            }
            break;
        }
    }
    impulses
}

/// One proximal problem: u = W p + b + ε (p − p̂).
pub(crate) struct Shifted<'a> {
    pub(crate) problem: &'a LocalProblem,
    pub(crate) shift: f64,
    pub(crate) centre: &'a [f64],
}

impl Shifted<'_> {
    pub(crate) fn velocity(&self, impulses: &[f64]) -> List<f64> {
        let mut velocity = self.problem.velocity(impulses);
        for (u, (p, centre)) in velocity.iter_mut().zip(impulses.iter().zip(self.centre)) {
            *u += self.shift * (p - centre);
        }
        velocity
    }

    /// Solves each contact in turn with the others as they are; the largest change of an impulse.
    fn sweep(&self, impulses: &mut [f64]) -> f64 {
        let problem = self.problem;
        let mut change = 0.0_f64;
        for contact in 0..problem.contact_count() {
            let (n, t) = (2 * contact, 2 * contact + 1);
            let mut free = [
                problem.free_velocity[n] - self.shift * self.centre[n],
                problem.free_velocity[t] - self.shift * self.centre[t],
            ];
            for (other, block) in problem.delassus.row(contact) {
                if other != contact {
                    let (normal, tangent) = (impulses[2 * other], impulses[2 * other + 1]);
                    free[0] += block[0][0] * normal + block[0][1] * tangent;
                    free[1] += block[1][0] * normal + block[1][1] * tangent;
                }
            }
            let mut own = *problem.delassus.diagonal(contact);
            own[0][0] += self.shift;
            own[1][1] += self.shift;
            let (friction, carried) = (problem.friction[contact], problem.carried[contact]);
            let [normal, tangent] = solve_single(own, free, friction, carried);
            let normal = normal.max(0.0);
            change = change.max((normal - impulses[n]).abs());
            change = change.max((tangent - impulses[t]).abs());
            (impulses[n], impulses[t]) = (normal, tangent);
        }
        change
    }

    /// Newton's method on what the contacts do; the number of steps where it succeeds. Where it goes round in circles, the path
    /// from a neighbouring problem may be followed. Where that fails too, the impulses are the best it came by.
    fn newton(
        &self,
        pattern: &Pattern,
        impulses: &mut List<f64>,
        tolerance: f64,
        follows: bool,
    ) -> Option<usize> {
        let start = impulses.clone();
        let mut velocity = self.velocity(impulses);
        let mut last = natural_residual(self.problem, impulses, &velocity);
        let mut least = last;
        let mut states = states_from(self.problem, impulses, &velocity);
        for step in 1..=NEWTON_STEPS {
            let factors = BlockLu::factor(pattern, |contact| self.equations(&states, contact))?;
            let mut point = factors.solve(&self.constants(&states));
            velocity = self.velocity(&point);
            let mut residual = natural_residual(self.problem, &point, &velocity);
            if residual > tolerance && residual <= MOST_ROUNDING {
                let missing = self.missing(&states, &point, &velocity);
                for (p, correction) in point.iter_mut().zip(&factors.solve(&missing)) {
                    *p += correction;
                }
                velocity = self.velocity(&point);
                residual = natural_residual(self.problem, &point, &velocity);
            }
            if residual < least {
                least = residual;
                impulses.copy_from_slice(&point);
            }
            if residual <= tolerance {
                return Some(step);
            }
            if step > EASY_STEPS && residual > MAX_GROWTH * last {
                break;
            }
            last = residual;
            let next = states_from(self.problem, &point, &velocity);
            if next == states {
                // The same equations would have the same solution: it is one, but for rounding.
                if residual <= MOST_ROUNDING {
                    return Some(step);
                }
                break;
            }
            states = next;
        }
        if !follows {
            return None;
        }
        let point = follow(self, pattern, &start)?;
        let residual = natural_residual(self.problem, &point, &self.velocity(&point));
        // What rounding left of it, the next problem takes away.
        (residual <= MOST_ROUNDING && residual < least).then(|| *impulses = point)?;
        Some(NEWTON_STEPS)
    }

    /// The two equations of a contact that does what its state says, as a row of blocks.
    pub(crate) fn equations(
        &self,
        states: &[State],
        contact: usize,
    ) -> impl Iterator<Item = (usize, Block)> {
        let (normal, tangent) = states[contact];
        let share = slip_share(self.problem, contact, tangent);
        let row = self.problem.delassus.row(contact);
        row.map(move |(other, block)| {
            let own = if other == contact { 1.0 } else { 0.0 };
            let first = match normal {
                Normal::Closed => [block[0][0] + own * self.shift, block[0][1]],
                Normal::Open => [own, 0.0],
            };
            let second = match tangent {
                Tangent::Stick => [block[1][0], block[1][1] + own * self.shift],
                Tangent::SlideForward | Tangent::SlideBackward => [-own * share, own],
            };
            (other, [first, second])
        })
    }

    /// What is missing at a point to these equations: what rounding left, where the states are right.
    fn missing(&self, states: &[State], impulses: &[f64], velocity: &[f64]) -> List<f64> {
        let problem = self.problem;
        let contacts = states.iter().enumerate();
        contacts
            .flat_map(|(contact, &(normal, tangent))| {
                let (n, t) = (2 * contact, 2 * contact + 1);
                let first = match normal {
                    Normal::Closed => velocity[n],
                    Normal::Open => impulses[n],
                };
                let second = match tangent {
                    Tangent::Stick => velocity[t],
                    Tangent::SlideForward | Tangent::SlideBackward => {
                        let share = slip_share(problem, contact, tangent);
                        impulses[t] - share * (impulses[n] + problem.carried[contact])
                    }
                };
                [-first, -second]
            })
            .collect()
    }

    /// The right-hand sides of these equations.
    fn constants(&self, states: &[State]) -> List<f64> {
        let problem = self.problem;
        let free = |i: usize| self.shift * self.centre[i] - problem.free_velocity[i];
        let contacts = states.iter().enumerate();
        contacts
            .flat_map(|(contact, &(normal, tangent))| {
                let first = match normal {
                    Normal::Closed => free(2 * contact),
                    Normal::Open => 0.0,
                };
                let second = match tangent {
                    Tangent::Stick => free(2 * contact + 1),
                    Tangent::SlideForward | Tangent::SlideBackward => {
                        slip_share(problem, contact, tangent) * problem.carried[contact]
                    }
                };
                [first, second]
            })
            .collect()
    }
}
