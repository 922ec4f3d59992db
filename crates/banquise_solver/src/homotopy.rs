//! Path following (homotopy) from a neighbouring problem that the start solves to the problem itself.
//!
//! Any impulses within their cones solve some problem: that of other free velocities b₀. Along b₀ + τ (b − b₀) from τ = 0
//! to 1 the impulses are piecewise linear: at each pivot a contact opens or closes, sticks or slides, and one equation is exchanged for
//! another. τ may decrease between two turning points. This is parametric Lemke pivoting from an arbitrary start (Cottle, Pang & Stone
//! 1992, section 4.5), on sparse factors: after a warm start few contacts change their state.

use crate::block_lu::{BlockLu, Pattern};
use crate::local::LocalProblem;
use crate::proximal_problem::ProximalProblem;
use crate::records::{Normal, State, Tangent, Update};
use crate::states::slip_share;
use crate::workspace::{PooledVec, SolverContext};

/// Follows the path from the problem solved by `start` to the problem itself. Returns the impulses at its end; `None` where a limit ends it before.
pub(crate) fn follow<'w>(
    regularised: &ProximalProblem<'_, 'w>,
    pattern: &Pattern<'w>,
    start: &[f64],
) -> Option<PooledVec<'w, f64>> {
    let (context, settings) = (regularised.context, &regularised.context.settings.path);
    let mut path = HomotopyPath::from(regularised, start);
    let rates = path.free.rate.iter();
    let length = rates.fold(0.0, |most: f64, rate| most.max(rate.abs()));
    let mut changes = 0;
    while changes < settings.max_changes {
        let states = path.states.clone();
        let factors = BlockLu::factor(pattern, |contact| regularised.equations(&states, contact))?;
        path.refresh(&factors);
        path.updates.clear();
        path.responses.clear();
        for _ in 0..settings.changes_per_factorisation {
            let Some((contact, limit)) = path.advance()? else {
                return Some(path.impulses.at(context, path.tau));
            };
            if (1.0 - path.tau) * length <= settings.end_distance {
                return Some(path.impulses.at(context, path.tau));
            }
            if path.tau < -settings.max_backtrack {
                return None;
            }
            if context.must_end() {
                return None;
            }
            path.change(contact, limit, &factors)?;
            changes += 1;
        }
    }
    None
}

/// Friction limit μ (pₙ + c) of a contact.
fn bound_of(problem: &LocalProblem<'_>, contact: usize, normal: f64) -> f64 {
    // The prior normal impulse may be a rounding below zero.
    (problem.friction[contact] * (normal + problem.prior_normal_impulse[contact])).max(0.0)
}

/// Whether an equation, or an unknown, is the normal one of its contact.
fn is_normal(index: usize) -> bool {
    index.is_multiple_of(2)
}

/// Condition at which a contact changes its state.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Limit {
    /// The normal impulse of a closed contact, or the velocity of an open one.
    Normal,
    /// The tangential impulse of a contact that sticks, against the boundary of its cone.
    Above,
    Below,
    /// The velocity of a contact that slides.
    Slip,
}

/// A vector that changes linearly with τ.
struct Line<'w> {
    value: PooledVec<'w, f64>,
    rate: PooledVec<'w, f64>,
}

impl<'w> Line<'w> {
    fn at(&self, context: SolverContext<'w>, tau: f64) -> PooledVec<'w, f64> {
        let entries = self.value.iter().zip(&self.rate);
        context.collect(entries.map(|(value, rate)| value + tau * rate))
    }

    /// Value and rate of an entry.
    fn entry(&self, index: usize) -> [f64; 2] {
        [self.value[index], self.rate[index]]
    }

    fn add(&mut self, direction: &[f64], [value, rate]: [f64; 2]) {
        for (entry, along) in self.value.iter_mut().zip(direction) {
            *entry += value * along;
        }
        for (entry, along) in self.rate.iter_mut().zip(direction) {
            *entry += rate * along;
        }
    }
}

struct HomotopyPath<'a, 'w> {
    regularised: &'a ProximalProblem<'a, 'w>,
    /// The equations exchanged since the last factorisation, and what a unit on the right-hand side of each did before, one
    /// after the other.
    updates: PooledVec<'w, Update>,
    responses: PooledVec<'w, f64>,
    states: PooledVec<'w, State>,
    /// Free velocities.
    free: Line<'w>,
    impulses: Line<'w>,
    velocity: Line<'w>,
    tau: f64,
    /// The condition just reached, seen from the new state: it must not end the next piece of the path.
    entered: Option<(usize, Limit)>,
    /// Direction of τ: 1 or −1.
    direction: f64,
}

impl<'a, 'w> HomotopyPath<'a, 'w> {
    /// Starts a path at the problem that `start`, projected on its cones, solves.
    fn from(regularised: &'a ProximalProblem<'a, 'w>, start: &[f64]) -> Self {
        let (context, problem) = (regularised.context, regularised.problem);
        let settings = &context.settings.path;
        let rounding = settings.impulse_rounding;
        let mut impulses = context.copied(start);
        for (contact, pair) in impulses.chunks_exact_mut(2).enumerate() {
            pair[0] = if pair[0] > rounding { pair[0] } else { 0.0 };
            let bound = bound_of(problem, contact, pair[0]);
            pair[1] = pair[1].clamp(-bound, bound);
        }
        let velocity = regularised.velocity(&impulses);
        let mut free = problem.free_velocity.clone();
        let mut states = context.with_capacity(problem.contact_count());
        for contact in 0..problem.contact_count() {
            let (n, t) = (2 * contact, 2 * contact + 1);
            let bound = bound_of(problem, contact, impulses[n]);
            let normal = if impulses[n] > 0.0 {
                free[n] -= velocity[n];
                Normal::Closed
            } else {
                free[n] += (settings.least_slack - velocity[n]).max(0.0);
                Normal::Open
            };
            let tangent = if impulses[t].abs() < (1.0 - rounding) * bound {
                free[t] -= velocity[t];
                Tangent::Stick
            } else if impulses[t] < 0.0 || bound == 0.0 && velocity[t] > 0.0 {
                free[t] += (settings.least_slack - velocity[t]).max(0.0);
                Tangent::SlideForward
            } else {
                free[t] -= (settings.least_slack + velocity[t]).max(0.0);
                Tangent::SlideBackward
            };
            states.push((normal, tangent));
        }
        let rate = problem.free_velocity.iter().zip(&free);
        let rate = context.collect(rate.map(|(to, from)| to - from));
        let nothing = || Line {
            value: context.empty(),
            rate: context.empty(),
        };
        Self {
            regularised,
            updates: context.with_capacity(settings.changes_per_factorisation),
            responses: context.with_capacity(settings.changes_per_factorisation * impulses.len()),
            states,
            free: Line { value: free, rate },
            impulses: nothing(),
            velocity: nothing(),
            tau: 0.0,
            entered: None,
            direction: 1.0,
        }
    }

    /// Computes impulses and velocities of the current states from fresh factors.
    fn refresh(&mut self, factors: &BlockLu<'_, 'w>) {
        let ProximalProblem {
            context,
            problem,
            regularisation,
            centre,
        } = *self.regularised;
        let equations = 0..2 * problem.contact_count();
        let right = context.collect(equations.map(|equation| self.right_side(equation)));
        let side = |part: usize| context.collect(right.iter().map(|side: &[f64; 2]| side[part]));
        self.impulses = Line {
            value: factors.solve(&side(0)),
            rate: factors.solve(&side(1)),
        };
        let mut value = problem
            .delassus
            .affine(context, &self.impulses.value, &self.free.value);
        for (u, (p, centre)) in value.iter_mut().zip(self.impulses.value.iter().zip(centre)) {
            *u += regularisation * (p - centre);
        }
        let mut rate = problem
            .delassus
            .affine(context, &self.impulses.rate, &self.free.rate);
        for (u, p) in rate.iter_mut().zip(&self.impulses.rate) {
            *u += regularisation * p;
        }
        self.velocity = Line { value, rate };
    }

    /// The right-hand side of an equation, and its rate.
    fn right_side(&self, equation: usize) -> [f64; 2] {
        let ProximalProblem {
            problem,
            regularisation,
            centre,
            ..
        } = *self.regularised;
        let contact = equation / 2;
        let (normal, tangent) = self.states[contact];
        let is_velocity = if is_normal(equation) {
            normal == Normal::Closed
        } else {
            tangent == Tangent::Stick
        };
        if is_velocity {
            let [value, rate] = self.free.entry(equation);
            [regularisation * centre[equation] - value, -rate]
        } else if is_normal(equation) {
            [0.0; 2]
        } else {
            [
                slip_share(problem, contact, tangent) * problem.prior_normal_impulse[contact],
                0.0,
            ]
        }
    }

    /// Slack of a contact to a condition of its state at τ = 0, and its rate in τ.
    fn slack(&self, contact: usize, limit: Limit) -> Option<[f64; 2]> {
        let problem = self.regularised.problem;
        let (n, t) = (2 * contact, 2 * contact + 1);
        let (normal, tangent) = self.states[contact];
        let prior_normal_impulse = problem.prior_normal_impulse[contact];
        let room = |sign: f64| {
            let ([pn, n_rate], [pt, t_rate]) = (self.impulses.entry(n), self.impulses.entry(t));
            let friction = problem.friction[contact];
            [
                friction * (pn + prior_normal_impulse) + sign * pt,
                friction * n_rate + sign * t_rate,
            ]
        };
        match (limit, normal, tangent) {
            (Limit::Normal, Normal::Closed, _) => Some(self.impulses.entry(n)),
            (Limit::Normal, Normal::Open, _) => Some(self.velocity.entry(n)),
            // Without a normal impulse there is no friction, whatever the velocity.
            (_, Normal::Open, _) if prior_normal_impulse <= 0.0 => None,
            (Limit::Above, _, Tangent::Stick) => Some(room(-1.0)),
            (Limit::Below, _, Tangent::Stick) => Some(room(1.0)),
            (Limit::Slip, _, Tangent::SlideForward) => Some(self.velocity.entry(t)),
            (Limit::Slip, _, Tangent::SlideBackward) => {
                Some(self.velocity.entry(t).map(|entry| -entry))
            }
            _ => None,
        }
    }

    /// Advances τ to the next change of state, or to the end. `None` where there is neither.
    #[expect(
        clippy::option_option,
        reason = "a path ends, at a limit or at the problem"
    )]
    fn advance(&mut self) -> Option<Option<(usize, Limit)>> {
        if let Some((contact, limit)) = self.entered {
            let [_, rate] = self.slack(contact, limit)?;
            self.direction = if rate < 0.0 { -1.0 } else { 1.0 };
        }
        let mut reach = if self.direction > 0.0 {
            1.0 - self.tau
        } else {
            f64::INFINITY
        };
        let mut reached = None;
        for contact in 0..self.states.len() {
            for limit in [Limit::Normal, Limit::Above, Limit::Below, Limit::Slip] {
                if self.entered == Some((contact, limit)) {
                    continue;
                }
                let Some([value, rate]) = self.slack(contact, limit) else {
                    continue;
                };
                let towards = -self.direction * rate;
                let left = (value + self.tau * rate).max(0.0);
                if towards > 0.0 && left < reach * towards {
                    reach = left / towards;
                    reached = Some((contact, limit));
                }
            }
        }
        if !reach.is_finite() {
            return None;
        }
        self.tau += self.direction * reach;
        Some(reached)
    }

    /// Pivots: exchanges the equation of a contact that changes its state. `None` where the new system is singular.
    fn change(&mut self, contact: usize, limit: Limit, factors: &BlockLu<'_, 'w>) -> Option<()> {
        let problem = self.regularised.problem;
        let (normal, tangent) = self.states[contact];
        let has_carried = problem.prior_normal_impulse[contact] > 0.0;
        let [value, rate] = self.velocity.entry(2 * contact + 1);
        let slip = if value + self.tau * rate > 0.0 {
            Tangent::SlideForward
        } else {
            Tangent::SlideBackward
        };
        let is_free_to_slip = !has_carried && (normal == Normal::Open || tangent == Tangent::Stick);
        let (state, entered) = match (limit, normal, tangent) {
            (Limit::Normal, ..) => {
                let after = match normal {
                    Normal::Closed => Normal::Open,
                    Normal::Open => Normal::Closed,
                };
                if is_free_to_slip {
                    // The normal impulse is zero, and so is friction: the sign of its growth follows from the velocity.
                    self.exchange(2 * contact + 1, (normal, slip), factors)?;
                    ((after, slip), Limit::Normal)
                } else {
                    ((after, tangent), Limit::Normal)
                }
            }
            (Limit::Above, ..) => ((normal, Tangent::SlideBackward), Limit::Slip),
            (Limit::Below, ..) => ((normal, Tangent::SlideForward), Limit::Slip),
            (Limit::Slip, _, Tangent::SlideForward) => ((normal, Tangent::Stick), Limit::Below),
            (Limit::Slip, ..) => ((normal, Tangent::Stick), Limit::Above),
        };
        let equation = 2 * contact + usize::from(limit != Limit::Normal);
        self.exchange(equation, state, factors)?;
        self.entered = Some((contact, entered));
        Some(())
    }

    /// Exchanges one equation by a rank-one update: impulses move along the response to it alone.
    fn exchange(&mut self, equation: usize, state: State, factors: &BlockLu<'_, 'w>) -> Option<()> {
        let ProximalProblem {
            context,
            problem,
            regularisation,
            ..
        } = *self.regularised;
        let contact = equation / 2;
        let mut response = factors.solve_unit(equation);
        let earlier = self.responses.chunks_exact(response.len());
        for (update, earlier) in self.updates.iter().zip(earlier) {
            let [before, after] = update
                .states
                .map(|state| self.left_side(update.equation, state, &response));
            let share = (before - after) / update.pivot;
            for (entry, along) in response.iter_mut().zip(earlier) {
                *entry += share * along;
            }
        }
        let before = std::mem::replace(&mut self.states[contact], state);
        let pivot = self.left_side(equation, state, &response);
        if pivot == 0.0 || !pivot.is_finite() {
            return None;
        }
        let right = self.right_side(equation);
        let moves = [
            (right[0] - self.left_side(equation, state, &self.impulses.value)) / pivot,
            (right[1] - self.left_side(equation, state, &self.impulses.rate)) / pivot,
        ];
        let nothing = context.filled(0.0, response.len());
        let mut velocity = problem.delassus.affine(context, &response, &nothing);
        for (u, p) in velocity.iter_mut().zip(&response) {
            *u += regularisation * p;
        }
        self.impulses.add(&response, moves);
        self.velocity.add(&velocity, moves);
        self.responses.extend_from_slice(&response);
        self.updates.push(Update {
            equation,
            states: [before, state],
            pivot,
        });
        Some(())
    }

    /// The left-hand side of an equation in a state.
    fn left_side(&self, equation: usize, (normal, tangent): State, impulses: &[f64]) -> f64 {
        let ProximalProblem {
            problem,
            regularisation,
            ..
        } = *self.regularised;
        let contact = equation / 2;
        if is_normal(equation) && normal == Normal::Open {
            return impulses[equation];
        }
        if !is_normal(equation) && tangent != Tangent::Stick {
            let share = slip_share(problem, contact, tangent);
            return impulses[equation] - share * impulses[2 * contact];
        }
        let row = problem.delassus.row(contact);
        row.fold(
            regularisation * impulses[equation],
            |sum, (other, block)| {
                let [normal, tangent] = block[equation % 2];
                sum + normal * impulses[2 * other] + tangent * impulses[2 * other + 1]
            },
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::interior::tests::column;
    use crate::residual::scaled_residual;
    use crate::settings::SolverSettings;
    use crate::workspace::SolverWorkspace;

    /// Regularisation of the problems below: they are regular, and need next to none.
    const REGULARISATION: f64 = 1e-12;

    #[test]
    fn the_path_leads_to_a_solution_from_anywhere() {
        let (settings, workspace) = (SolverSettings::DEFAULT, SolverWorkspace::default());
        let context = SolverContext {
            settings: &settings,
            workspace: &workspace,
        };
        for (count, ratio) in [(1, 1.0), (3, 30.0), (8, 0.3), (20, 1.0)] {
            let problem = column(context, count, ratio);
            let pattern = Pattern::of(context, &problem.delassus);
            let pushed = [1.0, 0.3].repeat(count);
            let pulled = [-1.0, 5.0].repeat(count);
            for start in [vec![0.0; 2 * count], pushed, pulled] {
                let regularised = ProximalProblem {
                    context,
                    problem: &problem,
                    regularisation: REGULARISATION,
                    centre: &start,
                };
                let impulses = follow(&regularised, &pattern, &start).unwrap();
                let residual = scaled_residual(context, &problem, &impulses);
                // Rounding errors of the updates: Newton's method improves the point.
                assert!(residual < 1e-7, "{count} × {ratio}: {residual}");
            }
        }
    }

    #[test]
    fn a_solution_is_its_own_path() {
        let (settings, workspace) = (SolverSettings::DEFAULT, SolverWorkspace::default());
        let context = SolverContext {
            settings: &settings,
            workspace: &workspace,
        };
        let problem = column(context, 12, 1.0);
        let pattern = Pattern::of(context, &problem.delassus);
        let none = vec![0.0; 24];
        let regularised = |centre| ProximalProblem {
            context,
            problem: &problem,
            regularisation: REGULARISATION,
            centre,
        };
        let solution = follow(&regularised(&none), &pattern, &none).unwrap();
        let again = follow(&regularised(&solution), &pattern, &solution).unwrap();
        for (first, second) in solution.iter().zip(&again) {
            assert!(
                (first - second).abs() < 1e-8 * first.abs().max(1.0),
                "{first} {second}"
            );
        }
    }
}
