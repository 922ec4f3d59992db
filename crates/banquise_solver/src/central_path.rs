//! The central path of Coulomb's law, followed by its arc length past turning points.
//!
//! The interior-point method of [`crate::interior`] lowers the barrier parameter ν in every step. Coulomb's law is not the optimality condition of a
//! minimum, and along its central path ν itself has turning points: wherever, as the law sharpens, part of a jam loses its equilibrium and slips
//! to another. There that method stalls. Here ν is an unknown as the others, and the path is followed by its arc length (pseudo-arclength continuation:
//! Keller 1977; Allgower & Georg 1990, chapter 2). The points of the path satisfy
//!
//! ```text
//! W p + b − Σ gₖ fₖ = ν r,   sₖ = aₖ·p + oₖ,   sₖ fₖ = ν cₖ
//! ```
//!
//! with slack s and multiplier f of each face k of the friction cones, direction g in which the multiplier acts (see `dilation`), and r and c such that the
//! start is on the path. Along a path the sign of dν times that of the determinant of the linear system does not change (Allgower & Georg, chapter 2): it tells in
//! which direction to go on. Normal components of r are so low that no impulses which the bodies balance among each other, whatever their size,
//! stay on the path: it is bounded, and ends at ν = 0.

use crate::block_lu::{BlockLu, Pattern};
use crate::central_start::{Start, dilation};
use crate::interior::equations;
use crate::iterate::{Iterate, StopRule};
use crate::local::LocalProblem;
use crate::proximal::{polish, proximal};
use crate::records::{Block, Face};
use crate::residual::scaled_residual;
use crate::settings::CentralPathSettings;
use crate::workspace::{PooledVec, SolverContext};

/// Where a path starts.
#[derive(Clone, Copy)]
pub(crate) enum Origin<'a> {
    /// At normal impulses of one, on the path of the convex relaxation, which turns into that of Coulomb's law around this barrier parameter.
    Relaxation { coulomb_below: f64 },
    /// Near these impulses, on the path of Coulomb's law.
    Impulses(&'a [f64]),
}

/// The best impulses of one path: those of its points are improved by the proximal point method, until a point is within the tolerance.
pub(crate) fn solve<'w>(
    context: SolverContext<'w>,
    problem: &LocalProblem<'w>,
    pattern: &Pattern<'w>,
    origin: Origin<'_>,
    stop: StopRule,
) -> Iterate<'w> {
    let settings = context.settings;
    let StopRule { tolerance, limit } = stop;
    let until = |limit| StopRule { tolerance, limit };
    let mut best = Iterate {
        impulses: context.filled(0.0, 2 * problem.contact_count()),
        residual: f64::INFINITY,
    };
    follow(context, problem, pattern, origin, limit, |point| {
        let near = until(settings.proximal.polishes);
        let found = polish(context, problem, pattern, near, point);
        best.keep_better(&found.impulses, found.residual);
        if best.residual > tolerance {
            let mut iterate = Iterate {
                impulses: context.copied(point),
                residual: scaled_residual(context, problem, point),
            };
            let far = until(settings.central_path.problems);
            proximal(
                context,
                problem,
                pattern,
                &settings.following,
                far,
                &mut iterate,
            );
            best.keep_better(&iterate.impulses, iterate.residual);
        }
        best.residual <= tolerance
    });
    best
}

/// Follows the path. Once the barrier parameter is small, its points are passed to the judge until one is accepted.
fn follow<'w>(
    context: SolverContext<'w>,
    problem: &LocalProblem<'w>,
    pattern: &Pattern<'w>,
    origin: Origin<'_>,
    max_steps: usize,
    mut is_solution: impl FnMut(&[f64]) -> bool,
) {
    let settings = &context.settings.central_path;
    let (coulomb_below, start) = match origin {
        Origin::Relaxation { coulomb_below } => {
            let start = Start::of_relaxation(context, problem, coulomb_below);
            (coulomb_below, start)
        }
        Origin::Impulses(impulses) => (f64::INFINITY, Start::near(context, problem, impulses)),
    };
    let path = CentralPath {
        context,
        problem,
        pattern,
        coulomb_below,
        start,
    };
    let Some(mut walk) = path.walk() else {
        return;
    };
    let mut judged_at = settings.first_judged;
    while walk.steps < max_steps && !context.must_end() {
        let barrier = walk.at.point.barrier;
        if barrier <= judged_at {
            if is_solution(&walk.at.point.impulses) || barrier <= settings.final_barrier {
                return;
            }
            judged_at = settings.next_judged * barrier;
        }
        if !walk.step(&path) {
            return;
        }
    }
}

/// A point near the path.
#[derive(Clone)]
struct Point<'w> {
    impulses: PooledVec<'w, f64>,
    faces: PooledVec<'w, Face>,
    barrier: f64,
}

/// The linear system at a point.
#[derive(Clone)]
struct Local<'w> {
    /// Change of the impulses towards the path at the same barrier parameter, and that along the path for a unit of it.
    correction: PooledVec<'w, f64>,
    tangent: PooledVec<'w, f64>,
    /// Both changes for the larger variable of each face.
    face_changes: PooledVec<'w, [f64; 2]>,
    /// Change of the barrier parameter that makes the correction the shortest.
    back: f64,
    /// Whether the barrier parameter falls along the path: −1, or 1.
    direction: f64,
    /// The largest relative change for a unit of the barrier parameter.
    rate: f64,
    /// The largest relative change of the correction: the distance from the path.
    size: f64,
}

/// A point that was accepted, with its linear system.
#[derive(Clone)]
struct Accepted<'w> {
    point: Point<'w>,
    local: Local<'w>,
}

/// Where a path has got to, and how it goes on.
struct Walk<'w> {
    at: Accepted<'w>,
    /// The last point on the path but for rounding, to which a walk returns that has lost the path.
    anchor: Accepted<'w>,
    /// Length of the next step: the largest relative change of a slack or multiplier that vanishes.
    length: f64,
    /// Steps still to be made near the path, and how often it was lost since the last anchor.
    careful_steps: usize,
    losses: i32,
    /// Linear systems so far.
    steps: usize,
}

impl<'w> Walk<'w> {
    /// Makes one step, or tries to; returns whether the walk can go on.
    fn step(&mut self, path: &CentralPath<'_, 'w>) -> bool {
        let settings = path.settings();
        let accepted = if self.careful_steps > 0 {
            settings.accepted_near
        } else {
            settings.accepted
        };
        let found = path.advance(&self.at, self.length, accepted, &mut self.steps);
        if let Some((next, first)) = found {
            if first < settings.easy {
                let longer = 1.0 - settings.margin_shrink * (1.0 - self.length);
                self.length = longer.min(2.0 * self.length).min(settings.most_length);
            } else if first > settings.hard.min(accepted) {
                self.length *= settings.shrink;
            }
            self.careful_steps = self.careful_steps.saturating_sub(1);
            if next.local.size <= settings.on_path {
                self.anchor = next.clone();
                if self.careful_steps == 0 {
                    self.losses = 0;
                }
            }
            self.at = next;
            return true;
        }
        self.length *= settings.retreat;
        if self.at.local.size > settings.on_path || self.length < settings.least_length {
            // The point is beside the path, or on another.
            self.losses += 1;
            self.at = self.anchor.clone();
            self.length = settings.first_length * settings.retreat.powi(self.losses);
            self.careful_steps = settings.careful_steps;
        }
        self.losses <= settings.most_losses as i32
    }
}

struct CentralPath<'a, 'w> {
    context: SolverContext<'w>,
    problem: &'a LocalProblem<'w>,
    pattern: &'a Pattern<'w>,
    /// The barrier parameter at which half of the multiplier of a flank acts along the normal.
    coulomb_below: f64,
    start: Start<'w>,
}

impl<'w> CentralPath<'_, 'w> {
    fn settings(&self) -> &'w CentralPathSettings {
        &self.context.settings.central_path
    }

    /// A walk at its start.
    fn walk(&self) -> Option<Walk<'w>> {
        let point = Point {
            impulses: self.start.impulses.clone(),
            faces: self.start.faces.clone(),
            barrier: self.start.barrier,
        };
        let local = self.linearise(&point)?;
        let at = Accepted { point, local };
        Some(Walk {
            anchor: at.clone(),
            at,
            length: self.settings().first_length,
            careful_steps: 0,
            losses: 0,
            steps: 1,
        })
    }

    /// Advances along the tangent, then corrects until the point is within `accepted` of the path; also returns the size of the first correction. `None` where the
    /// corrections do not contract.
    fn advance(
        &self,
        at: &Accepted<'w>,
        length: f64,
        accepted: f64,
        steps: &mut usize,
    ) -> Option<(Accepted<'w>, f64)> {
        let (settings, local) = (self.settings(), &at.local);
        let along = local.direction * length / local.rate;
        let mut point = self.step(&at.point, local, along);
        let mut first = None;
        let mut limit = settings.hopeless;
        for _ in 0..=settings.corrections {
            *steps += 1;
            let local = self.linearise(&point)?;
            let size = local.size;
            let first = *first.get_or_insert(size);
            if size <= accepted {
                return Some((Accepted { point, local }, first));
            }
            if size > limit {
                return None;
            }
            limit = settings.contraction * size;
            point = self.step(&point, &local, 0.0);
        }
        None
    }

    /// The linear system at a point; `None` where it is singular, or the work must end.
    fn linearise(&self, point: &Point<'w>) -> Option<Local<'w>> {
        let (context, problem) = (self.context, self.problem);
        if context.must_end() {
            return None;
        }
        let [dilation, slope] = dilation(self.coulomb_below, point.barrier);
        let weights = self.weights(point, dilation);
        let factors = BlockLu::factor(self.pattern, |contact| {
            equations(problem, &weights, contact)
        })?;
        let correction = factors.solve(&self.right_side(point, dilation));
        let tangent = factors.solve(&self.right_side_along(point, dilation, slope));
        let direction = -factors.determinant_sign();
        let mut face_changes = context.with_capacity(point.faces.len());
        let (mut rise, mut fall) = (0.0_f64, 0.0_f64);
        let (mut mixed, mut square) = (0.0, 1.0 / (point.barrier * point.barrier));
        for face in &point.faces {
            let slack = face.slack_of(&tangent);
            let force = (face.share - face.force * slack) / face.slack;
            let [along, own] = face.larger([slack, force]);
            let slack = face.slack_of(&correction) - point.slack_error(face);
            let force = (-point.product_error(face) - face.force * slack) / face.slack;
            let [towards, _] = face.larger([slack, force]);
            face_changes.push([towards, along]);
            let relative = along / own;
            rise = rise.max(direction * relative);
            fall = fall.max(-direction * relative);
            mixed += towards / own * relative;
            square += relative * relative;
        }
        let growth = self.settings().growth;
        let rate = fall.max(rise / growth).max(1.0 / point.barrier);
        let back = -mixed / square;
        let mut size = (back / point.barrier).abs();
        for (face, [towards, along]) in point.faces.iter().zip(&face_changes) {
            let [change, own] = face.larger([towards + back * along; 2]);
            size = size.max((change / own).abs());
        }
        (size.is_finite() && rate.is_finite()).then_some(Local {
            correction,
            tangent,
            face_changes,
            back,
            direction,
            rate,
            size,
        })
    }

    /// The point after the correction and an advance of the barrier parameter along the tangent. Of a slack and its multiplier the larger changes
    /// linearly, and the other follows from their product: a contact that changes its state crosses the corner of the hyperbola in few steps.
    fn step(&self, point: &Point<'w>, local: &Local<'w>, advance: f64) -> Point<'w> {
        let reach = self.settings().boundary_share;
        let change = local.back + advance;
        let limit = |own: f64, change: f64| {
            if change < 0.0 {
                -reach * own / change
            } else {
                1.0
            }
        };
        let mut length = limit(point.barrier, change).min(1.0);
        for (face, [towards, along]) in point.faces.iter().zip(&local.face_changes) {
            let [own_change, own] = face.larger([towards + change * along; 2]);
            length = length.min(limit(own, own_change));
        }
        let barrier = point.barrier + length * change;
        let faces = point.faces.iter().zip(&local.face_changes);
        let faces = faces.map(|(face, [towards, along])| {
            let change = length * (towards + change * along);
            let mut next = *face;
            if face.is_loose() {
                next.slack += change;
                next.force = barrier * face.share / next.slack;
            } else {
                next.force += change;
                next.slack = barrier * face.share / next.force;
            }
            next
        });
        let impulses = point.impulses.iter();
        let changes = local.correction.iter().zip(&local.tangent);
        let impulses = impulses
            .zip(changes)
            .map(|(p, (towards, along))| p + length * (towards + change * along));
        Point {
            impulses: self.context.collect(impulses),
            faces: self.context.collect(faces),
            barrier,
        }
    }

    /// Contributions of the faces to the diagonal blocks.
    fn weights(&self, point: &Point<'_>, dilation: f64) -> PooledVec<'w, Block> {
        let own = self.settings().regularisation;
        let blocks = self.problem.contact_count();
        let mut weights = self.context.filled([[own, 0.0], [0.0, own]], blocks);
        for face in &point.faces {
            let push = face.push(dilation);
            let (weight, own) = (face.force / face.slack, &mut weights[face.contact]);
            for (row, entries) in own.iter_mut().enumerate() {
                for (column, entry) in entries.iter_mut().enumerate() {
                    *entry += weight * push[row] * face.along[column];
                }
            }
        }
        weights
    }

    /// Right-hand side of the correction: the residuals of all three equations.
    fn right_side(&self, point: &Point<'_>, dilation: f64) -> PooledVec<'w, f64> {
        let mut right = self.problem.velocity(self.context, &point.impulses);
        for (value, shift) in right.iter_mut().zip(&self.start.shift) {
            *value = point.barrier * shift - *value;
        }
        for face in &point.faces {
            let push = face.push(dilation);
            let missing = face.force * point.slack_error(face) - point.product_error(face);
            for (part, push) in push.into_iter().enumerate() {
                right[2 * face.contact + part] += push * (face.force + missing / face.slack);
            }
        }
        self.without_unknowns_of_smooth_contacts(&mut right);
        right
    }

    /// Right-hand side of the tangent.
    fn right_side_along(&self, point: &Point<'_>, dilation: f64, slope: f64) -> PooledVec<'w, f64> {
        let mut right = self.start.shift.clone();
        for face in &point.faces {
            let push = face.push(dilation);
            for (part, push) in push.into_iter().enumerate() {
                right[2 * face.contact + part] += push * face.share / face.slack;
            }
            if face.along[1] != 0.0 {
                right[2 * face.contact] += slope * face.along[0] * face.force;
            }
        }
        self.without_unknowns_of_smooth_contacts(&mut right);
        right
    }

    fn without_unknowns_of_smooth_contacts(&self, right: &mut [f64]) {
        for (contact, friction) in self.problem.friction.iter().enumerate() {
            if *friction <= 0.0 {
                right[2 * contact + 1] = 0.0;
            }
        }
    }
}

impl Point<'_> {
    /// What the slack is too large by.
    fn slack_error(&self, face: &Face) -> f64 {
        face.slack - face.slack_of(&self.impulses) - face.offset
    }

    /// What the product of slack and multiplier is too large by.
    fn product_error(&self, face: &Face) -> f64 {
        face.slack * face.force - self.barrier * face.share
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::interior::tests::column;
    use crate::settings::SolverSettings;
    use crate::workspace::SolverWorkspace;

    /// Columns of discs with mass ratios, with and without friction, with and without prior impulses.
    #[test]
    fn the_path_leads_to_coulombs_law() {
        let (settings, workspace) = (SolverSettings::DEFAULT, SolverWorkspace::default());
        let context = SolverContext {
            settings: &settings,
            workspace: &workspace,
        };
        for (count, ratio) in [(1, 1.0), (5, 1.0), (12, 0.3), (12, 3.0), (100, 1.0)] {
            let problem = column(context, count, ratio);
            let pattern = Pattern::of(context, &problem.delassus);
            let zero = context.filled(0.0, 2 * count);
            let relaxations = settings.central_paths;
            let relaxations = relaxations.map(|coulomb_below| Origin::Relaxation { coulomb_below });
            for origin in relaxations.into_iter().chain([Origin::Impulses(&zero)]) {
                let stop = StopRule {
                    tolerance: 1e-10,
                    limit: 300,
                };
                let best = solve(context, &problem, &pattern, origin, stop).residual;
                assert!(best <= 1e-10, "{count} × {ratio}: {best:e}");
            }
        }
    }
}
