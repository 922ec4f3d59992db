//! Path following for friction problems with bounds on the normal impulses: Lemke's method in the space of bodies.
//!
//! ```text
//! u = W p + b + t d + ε (p − p̂)
//! ```
//!
//! with d > 0 in the normal directions. For a large t nothing touches, and p = 0 is the only solution, since impulses are bounded. From there t falls: impulses are
//! piecewise linear in t, and at each pivot one contact opens or closes, sticks or slides, reaches its bound or leaves it. t may rise between two turning points, but
//! the path cannot end at a large t again, so that it ends at t = 0, with a solution (Cottle, Pang & Stone 1992, section 4.4). ε makes the equations of redundant contacts regular.

use crate::bounded_problem::{BoundState, Normal, Regularised};
use crate::records::Tangent;
use crate::workspace::{PooledVec, SolverContext};

/// Solves a problem with regularised impulses by following the path of a covering vector. Returns the impulses at its end, `None` where rounding or a limit ends it before, and the number of pivots.
pub(crate) fn follow<'w>(
    regularised: &Regularised<'_, 'w>,
    cover: usize,
) -> (Option<PooledVec<'w, f64>>, usize) {
    let settings = &regularised.bounded.context.settings.crushing;
    let limit = settings.path_pivots_per_contact * regularised.bounded.largest.len();
    BoundedPath::new(regularised, cover).follow(limit)
}

/// Solves a problem with regularised impulses along the path from the problem that `start` solves; the results are those of [`follow`].
pub(crate) fn follow_from<'w>(
    regularised: &Regularised<'_, 'w>,
    start: &[f64],
) -> (Option<PooledVec<'w, f64>>, usize) {
    let limit = regularised.bounded.context.settings.crushing.path_pivots;
    BoundedPath::from(regularised, start).follow(limit)
}

/// What ends a piece of the path.
enum Piece {
    /// A contact reaches a limit of its state.
    Change(usize, Limit),
    /// t = 0.
    End,
    /// Nothing.
    Ray,
}

/// Condition at which a contact changes its state.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Limit {
    /// The normal velocity of a contact that is open or at its bound, or no normal impulse at a closed one.
    Normal,
    /// The largest normal impulse of a closed contact.
    Bound,
    /// The tangential impulse of a contact that sticks, against the boundary of its cone.
    Above,
    Below,
    /// The tangential velocity of a contact that slides.
    Slip,
}

const LIMITS: [Limit; 5] = [
    Limit::Normal,
    Limit::Bound,
    Limit::Above,
    Limit::Below,
    Limit::Slip,
];

/// A vector that changes linearly with t.
struct Line<'w> {
    value: PooledVec<'w, f64>,
    rate: PooledVec<'w, f64>,
}

impl Line<'_> {
    /// Value and rate of an entry.
    fn entry(&self, index: usize) -> [f64; 2] {
        [self.value[index], self.rate[index]]
    }
}

struct BoundedPath<'a, 'w> {
    regularised: &'a Regularised<'a, 'w>,
    /// d.
    cover: PooledVec<'w, f64>,
    states: Vec<BoundState>,
    impulses: Line<'w>,
    velocity: Line<'w>,
    t: f64,
    /// Direction of t: 1 or −1.
    direction: f64,
    /// The condition just reached, seen from the new state: it must not end the next piece of the path.
    entered: Option<(usize, Limit)>,
}

impl<'a, 'w> BoundedPath<'a, 'w> {
    /// A path from where all contacts are open.
    fn new(regularised: &'a Regularised<'a, 'w>, cover: usize) -> Self {
        let context = regularised.bounded.context;
        let cover = covering(context, regularised.bounded.largest.len(), cover);
        let free = &regularised.bounded.problem.free_velocity;
        let all = free.iter().zip(regularised.centre).zip(&cover);
        let reached = all
            .step_by(2)
            .map(|((free, centre), d)| (regularised.regularisation * centre - free) / d)
            .fold(0.0, f64::max);
        let nothing = || Line {
            value: context.empty(),
            rate: context.empty(),
        };
        Self {
            regularised,
            states: vec![(Normal::Open, Tangent::SlideForward); cover.len() / 2],
            cover,
            impulses: nothing(),
            velocity: nothing(),
            t: reached + 1.0,
            direction: -1.0,
            entered: None,
        }
    }

    /// A path from the problem that `start` solves, which differs from the problem itself by d.
    fn from(regularised: &'a Regularised<'a, 'w>, start: &[f64]) -> Self {
        let bounded = regularised.bounded;
        let (context, slack) = (bounded.context, bounded.context.settings.path.least_slack);
        let mut impulses = context.copied(start);
        for (contact, pair) in impulses.chunks_exact_mut(2).enumerate() {
            pair[0] = pair[0].clamp(0.0, bounded.largest[contact]);
            let cone = bounded.problem.friction[contact] * pair[0];
            pair[1] = pair[1].clamp(-cone, cone);
        }
        let velocity = regularised.velocity(&impulses);
        let mut path = Self::new(regularised, 0);
        for contact in 0..path.states.len() {
            let (n, t) = (2 * contact, 2 * contact + 1);
            let ([p, along], [u, slip]) = ([impulses[n], impulses[t]], [velocity[n], velocity[t]]);
            // Different for each contact, so that no two change their states at once.
            let slack = slack * path.cover[n];
            let (normal, change) = if p == 0.0 {
                (Normal::Open, (slack - u).max(0.0))
            } else if p == bounded.largest[contact] {
                (Normal::AtBound, (-slack - u).min(0.0))
            } else {
                (Normal::Closed, -u)
            };
            let cone = bounded.problem.friction[contact] * p;
            let (tangent, turn) = if along.abs() < cone {
                (Tangent::Stick, -slip)
            } else if along < 0.0 || cone == 0.0 && slip > 0.0 {
                (Tangent::SlideForward, (slack - slip).max(0.0))
            } else {
                (Tangent::SlideBackward, (-slack - slip).min(0.0))
            };
            path.states[contact] = (normal, tangent);
            (path.cover[n], path.cover[t]) = (change, if p == 0.0 { 0.0 } else { turn });
        }
        path.t = 1.0;
        path
    }

    /// Follows the path to its end, with so many pivots at most.
    fn follow(mut self, limit: usize) -> (Option<PooledVec<'w, f64>>, usize) {
        let context = self.regularised.bounded.context;
        for pivots in 0..limit {
            if context.must_end() || self.solve().is_none() {
                return (None, pivots);
            }
            match self.advance() {
                Piece::Change(contact, limit) => self.change(contact, limit),
                Piece::End => return (self.refined(), pivots),
                Piece::Ray => return (None, pivots),
            }
        }
        (None, limit)
    }

    /// Computes impulses and velocities of the current states; `None` where their equations are singular.
    fn solve(&mut self) -> Option<()> {
        let Regularised {
            bounded,
            regularisation,
            centre,
        } = *self.regularised;
        let (context, bodies) = (bounded.context, bounded.bodies);
        let own = self.regularised;
        let factors = bodies.factor(&own.responses(&self.states))?;
        let rates = self.states.iter().zip(self.cover.chunks_exact(2));
        let rates = context.collect(rates.flat_map(|(&(normal, tangent), d)| {
            let first = if normal == Normal::Closed { -d[0] } else { 0.0 };
            let second = if tangent == Tangent::Stick {
                -d[1]
            } else {
                0.0
            };
            [first, second]
        }));
        let solved = |right: &[f64]| {
            let mut point = own.solve(&factors, &self.states, right);
            for _ in 0..context.settings.crushing.path_refinements {
                let missing = own.missing_of(&self.states, right, &point);
                for (p, change) in
                    point
                        .iter_mut()
                        .zip(&own.solve(&factors, &self.states, &missing))
                {
                    *p += change;
                }
            }
            point
        };
        let value = solved(&own.constants(&self.states));
        let rate = solved(&rates);
        let velocity_of = |impulses: &[f64], free: &[f64], centre: Option<&[f64]>| {
            let motions = bodies.bodies(impulses);
            let all =
                (0..impulses.len() / 2).flat_map(|contact| bodies.velocity(&motions, contact));
            context.collect(all.enumerate().map(|(i, u)| {
                let from = centre.map_or(0.0, |centre| centre[i]);
                u + free[i] + regularisation * (impulses[i] - from)
            }))
        };
        self.velocity = Line {
            value: velocity_of(&value, &bounded.problem.free_velocity, Some(centre)),
            rate: velocity_of(&rate, &self.cover, None),
        };
        self.impulses = Line { value, rate };
        context.spend(60 * self.states.len());
        Some(())
    }

    /// The impulses at the end of the path, with equations that are solved to the last digits.
    fn refined(mut self) -> Option<PooledVec<'w, f64>> {
        let own = self.regularised;
        let factors = own.bounded.bodies.factor(&own.responses(&self.states))?;
        own.refine(&factors, &self.states, &mut self.impulses.value);
        Some(self.impulses.value)
    }

    /// Slack of a contact to a condition of its state at t = 0, and its rate in t.
    fn slack(&self, contact: usize, limit: Limit) -> Option<[f64; 2]> {
        let bounded = self.regularised.bounded;
        let (n, t) = (2 * contact, 2 * contact + 1);
        let (normal, tangent) = self.states[contact];
        let friction = bounded.problem.friction[contact];
        let room = |sign: f64| {
            let ([pn, n_rate], [pt, t_rate]) = (self.impulses.entry(n), self.impulses.entry(t));
            [friction * pn + sign * pt, friction * n_rate + sign * t_rate]
        };
        match (limit, normal, tangent) {
            (Limit::Normal, Normal::Closed, _) => Some(self.impulses.entry(n)),
            (Limit::Normal, Normal::Open, _) => Some(self.velocity.entry(n)),
            (Limit::Normal, Normal::AtBound, _) => Some(self.velocity.entry(n).map(|own| -own)),
            (Limit::Bound, Normal::Closed, _) => {
                let [value, rate] = self.impulses.entry(n);
                Some([bounded.largest[contact] - value, -rate])
            }
            // Without a normal impulse there is no friction, whatever the velocity.
            (_, Normal::Open, _) => None,
            (Limit::Above | Limit::Below | Limit::Slip, ..) if friction == 0.0 => None,
            (Limit::Above, _, Tangent::Stick) => Some(room(-1.0)),
            (Limit::Below, _, Tangent::Stick) => Some(room(1.0)),
            (Limit::Slip, _, Tangent::SlideForward) => Some(self.velocity.entry(t)),
            (Limit::Slip, _, Tangent::SlideBackward) => {
                Some(self.velocity.entry(t).map(|own| -own))
            }
            _ => None,
        }
    }

    /// Follows one piece of the path: moves t to the next change of state, or to the end.
    fn advance(&mut self) -> Piece {
        if let Some([_, rate]) = self
            .entered
            .and_then(|(contact, limit)| self.slack(contact, limit))
        {
            self.direction = if rate < 0.0 { -1.0 } else { 1.0 };
        }
        let (mut reach, mut piece) = if self.direction < 0.0 {
            (self.t, Piece::End)
        } else {
            (f64::INFINITY, Piece::Ray)
        };
        for contact in 0..self.states.len() {
            for limit in LIMITS {
                if self.entered == Some((contact, limit)) {
                    continue;
                }
                let Some([value, rate]) = self.slack(contact, limit) else {
                    continue;
                };
                let towards = -self.direction * rate;
                let left = (value + self.t * rate).max(0.0);
                if towards > 0.0 && left < reach * towards {
                    reach = left / towards;
                    piece = Piece::Change(contact, limit);
                }
            }
        }
        self.t += self.direction * reach;
        piece
    }

    /// Pivots: changes the state of a contact.
    fn change(&mut self, contact: usize, limit: Limit) {
        let (normal, tangent) = self.states[contact];
        let (state, entered) = match (limit, normal, tangent) {
            (Limit::Normal, Normal::Open, _) => {
                // Friction begins against the velocity.
                let [value, rate] = self.velocity.entry(2 * contact + 1);
                let slip = if value + self.t * rate > 0.0 {
                    Tangent::SlideForward
                } else {
                    Tangent::SlideBackward
                };
                ((Normal::Closed, slip), Limit::Normal)
            }
            (Limit::Normal, Normal::Closed, Tangent::Stick) => {
                ((Normal::Open, Tangent::SlideForward), Limit::Normal)
            }
            (Limit::Normal, Normal::Closed, slip) => ((Normal::Open, slip), Limit::Normal),
            (Limit::Normal, Normal::AtBound, _) => ((Normal::Closed, tangent), Limit::Bound),
            (Limit::Bound, ..) => ((Normal::AtBound, tangent), Limit::Normal),
            (Limit::Above, ..) => ((normal, Tangent::SlideBackward), Limit::Slip),
            (Limit::Below, ..) => ((normal, Tangent::SlideForward), Limit::Slip),
            (Limit::Slip, _, Tangent::SlideForward) => ((normal, Tangent::Stick), Limit::Below),
            (Limit::Slip, ..) => ((normal, Tangent::Stick), Limit::Above),
        };
        self.states[contact] = state;
        self.entered = Some((contact, entered));
    }
}

/// A covering vector: about one in the normal directions, and small in the others, with differences so that no two contacts change at once.
fn covering(context: SolverContext<'_>, contacts: usize, cover: usize) -> PooledVec<'_, f64> {
    // Multiples of the golden ratio are spread evenly.
    let spread = |index: usize| ((index + 1) as f64 * 0.618_033_988_749_894_9).fract();
    let offset = cover * 2 * contacts;
    context.collect((0..2 * contacts).map(|index| {
        let share = spread(index + offset);
        if index % 2 == 0 {
            0.5 + share
        } else {
            0.2 * (share - 0.5)
        }
    }))
}
