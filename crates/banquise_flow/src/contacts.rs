//! Contacts of discs: velocities that keep a least gap over a step (Maury 2006; Lefebvre 2007, algorithm 3.1).

use banquise_geometry::DVec2;
use banquise_solver::{
    Bound, Contact, ContactProblem, Effort, ImpactReport, SolverContext, SolverSettings,
    SolverWorkspace, Verdict, solve_velocity_bounds,
};

use crate::body::RigidMotion;
use crate::grid::Grid;

/// A disc as contacts see it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ContactDisc {
    pub(crate) position: DVec2,
    pub(crate) radius: f64,
    pub(crate) mass: f64,
    pub(crate) motion: RigidMotion,
}

/// What a projection did.
#[derive(Debug, Clone)]
pub(crate) struct Projection {
    pub(crate) motions: Vec<RigidMotion>,
    /// Candidates within reach.
    pub(crate) contacts: usize,
    pub(crate) is_solved: bool,
}

/// How much faster than the fastest disc one may become by contacts: candidates within that reach are constraints.
const REACH: f64 = 2.0;

/// Vector from one point to the nearest image of another.
fn towards(grid: &Grid, from: DVec2, to: DVec2) -> DVec2 {
    let d = to - from;
    let [wide, high] = grid.size();
    let walls = grid.edges.walls();
    let wrap = |x: f64, size: f64, is_wall: bool| {
        if is_wall {
            x
        } else {
            x - size * (x / size).round()
        }
    };
    DVec2::new(wrap(d.x, wide, walls[0]), wrap(d.y, high, walls[1]))
}

/// Pairs of discs closer than `reach`, and their gaps, in the order of their numbers.
fn close_pairs(grid: &Grid, discs: &[ContactDisc], reach: f64) -> Vec<(usize, usize, DVec2, f64)> {
    // Sorted along y, so that only discs of similar height are compared; images across a periodic edge are compared with all.
    let mut order: Vec<usize> = (0..discs.len()).collect();
    order.sort_by(|&a, &b| discs[a].position.y.total_cmp(&discs[b].position.y));
    let widest = discs.iter().fold(0.0, |r: f64, disc| r.max(disc.radius));
    let is_wall = grid.edges.walls()[1];
    let mut pairs = Vec::new();
    for (k, &a) in order.iter().enumerate() {
        for &b in &order[k + 1..] {
            let (p, q) = (&discs[a], &discs[b]);
            if is_wall && q.position.y - p.position.y > p.radius + widest + reach {
                break;
            }
            let (first, second) = (a.min(b), a.max(b));
            let d = towards(grid, discs[first].position, discs[second].position);
            let gap = d.length() - p.radius - q.radius;
            if gap < reach {
                pairs.push((first, second, d.normalize_or(DVec2::X), gap));
            }
        }
    }
    pairs.sort_by_key(|&(a, b, ..)| (a, b));
    pairs
}

/// Gaps to walls closer than `reach`: disc, normal from the wall, gap.
fn close_walls(grid: &Grid, discs: &[ContactDisc], reach: f64) -> Vec<(usize, DVec2, f64)> {
    let [wide, high] = grid.size();
    let walls = grid.edges.walls();
    let mut list = Vec::new();
    for (k, disc) in discs.iter().enumerate() {
        let (at, r) = (disc.position, disc.radius);
        for (is_wall, normal, gap) in [
            (walls[0], DVec2::X, at.x - r),
            (walls[0], DVec2::NEG_X, wide - at.x - r),
            (walls[1], DVec2::Y, at.y - r),
            (walls[1], DVec2::NEG_Y, high - at.y - r),
        ] {
            if is_wall && gap < reach {
                list.push((k, normal, gap));
            }
        }
    }
    list
}

/// Least gap between discs, and between discs and walls \[m\]; infinite for a single disc in a periodic domain.
pub(crate) fn least_gap(grid: &Grid, discs: &[ContactDisc]) -> f64 {
    let reach = discs.iter().fold(0.0, |r: f64, disc| r.max(disc.radius));
    let pairs = close_pairs(grid, discs, reach);
    let walls = close_walls(grid, discs, reach);
    let gaps = pairs.iter().map(|pair| pair.3);
    gaps.chain(walls.iter().map(|wall| wall.2))
        .fold(f64::INFINITY, f64::min)
}

/// Discs, walls as one body at rest after them, and all contacts within reach; with each contact what touches: disc and disc, or disc and wall.
pub(crate) fn contact_problem(
    grid: &Grid,
    discs: &[ContactDisc],
    least: f64,
    dt: f64,
) -> (ContactProblem, Vec<(usize, usize)>) {
    let fastest = discs
        .iter()
        .fold(0.0, |v: f64, disc| v.max(disc.motion.velocity.length()));
    let reach = least + 2.0 * REACH * dt * fastest;
    let body = |disc: &ContactDisc| banquise_solver::Body {
        inv_mass: 1.0 / disc.mass,
        // A uniform disc: ½ m r².
        inv_inertia: 2.0 / (disc.mass * disc.radius * disc.radius),
        position: disc.position,
        linear_velocity: disc.motion.velocity,
        angular_velocity: disc.motion.angular_velocity,
    };
    let mut bodies: Vec<banquise_solver::Body> = discs.iter().map(body).collect();
    // All walls are one body at rest.
    let wall = bodies.len();
    bodies.push(banquise_solver::Body {
        inv_mass: 0.0,
        inv_inertia: 0.0,
        position: DVec2::ZERO,
        linear_velocity: DVec2::ZERO,
        angular_velocity: 0.0,
    });
    let contact = |a: usize, b: usize, arms: [DVec2; 2], normal: DVec2, gap: f64| Contact {
        a,
        b,
        arms,
        normal,
        friction: 0.0,
        restitution: 0.0,
        gap,
        start: [0.0; 2],
    };
    let (mut contacts, mut keys) = (Vec::new(), Vec::new());
    for (a, b, normal, gap) in close_pairs(grid, discs, reach) {
        let arms = [normal * discs[a].radius, -normal * discs[b].radius];
        contacts.push(contact(a, b, arms, normal, gap));
        keys.push((a, b));
    }
    for (disc, normal, gap) in close_walls(grid, discs, reach) {
        let point = -normal * discs[disc].radius;
        let arms = [discs[disc].position + point, point];
        contacts.push(contact(wall, disc, arms, normal, gap));
        // Walls by the direction of their normal, after all discs.
        let side = usize::from(normal.y != 0.0) * 2 + usize::from(normal.x + normal.y < 0.0);
        keys.push((disc, discs.len() + side));
    }
    (ContactProblem { bodies, contacts }, keys)
}

impl Projection {
    /// Motions of the first bodies of a solved problem.
    pub(crate) fn of(problem: &ContactProblem, discs: usize, is_solved: bool) -> Self {
        Self {
            motions: problem.bodies[..discs]
                .iter()
                .map(|body| RigidMotion {
                    velocity: body.linear_velocity,
                    angular_velocity: body.angular_velocity,
                })
                .collect(),
            contacts: problem.contacts.len(),
            is_solved,
        }
    }
}

/// Nearest velocities, weighted by mass, with which all gaps stay at least `least` over a step.
pub(crate) fn project(grid: &Grid, discs: &[ContactDisc], least: f64, dt: f64) -> Projection {
    let (mut problem, _) = contact_problem(grid, discs, least, dt);
    let bounds: Vec<Bound> = problem
        .contacts
        .iter()
        .map(|contact| Bound {
            least: (least - contact.gap) / dt,
            rebound: 0.0,
        })
        .collect();
    let mut report = ImpactReport::default();
    if !problem.contacts.is_empty() {
        let workspace = SolverWorkspace::default();
        let context = SolverContext {
            settings: &SolverSettings::DEFAULT,
            workspace: &workspace,
        };
        solve_velocity_bounds(context, &mut problem, &bounds, Effort::Solve, &mut report);
    }
    let is_solved = problem.contacts.is_empty() || report.verdict == Verdict::Solved;
    Projection::of(&problem, discs.len(), is_solved)
}
