//! Contacts of bodies: velocities that keep a least gap over a step (Maury 2006; Lefebvre 2007, algorithm 3.1).

use banquise_geometry::{Approach, ContactShape, DVec2, Pose, Rotation, approaches};
use banquise_solver::{
    Bound, BoundKind, Contact, ContactProblem, ConvexBound, Effort, ImpactReport, ProjectionReport,
    ProjectionSettings, SolverContext, SolverSettings, SolverWorkspace, Verdict,
    project_velocities, solve_velocity_bounds,
};

use crate::body::RigidMotion;
use crate::grid::Grid;

/// How bodies touch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ContactLaw {
    /// They do not come closer than a least gap.
    Dry,
    /// And part only when they were pulled as much as they were pushed: discs without friction.
    Gluey,
}

/// A body as contacts see it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ContactBody<'a> {
    /// Place of the centroid.
    pub(crate) pose: Pose,
    /// Reach from the centroid; of a disc its radius.
    pub(crate) radius: f64,
    pub(crate) mass: f64,
    pub(crate) inertia: f64,
    pub(crate) motion: RigidMotion,
    /// The shape about its centroid; gaps of discs to discs need none.
    pub(crate) shape: Option<&'a ContactShape>,
}

impl ContactBody<'_> {
    /// A uniform disc among discs.
    pub(crate) fn disc(position: DVec2, radius: f64, mass: f64, motion: RigidMotion) -> Self {
        Self {
            pose: Pose {
                position,
                rotation: Rotation::IDENTITY,
            },
            radius,
            mass,
            inertia: 0.5 * mass * radius * radius,
            motion,
            shape: None,
        }
    }

    pub(crate) fn is_disc(&self) -> bool {
        self.shape.is_none_or(ContactShape::is_disc)
    }

    /// Largest speed of a point of the body.
    fn speed(&self) -> f64 {
        let turning = if self.is_disc() {
            0.0
        } else {
            self.radius * self.motion.angular_velocity.abs()
        };
        self.motion.velocity.length() + turning
    }

    /// The body after a step.
    fn moved(&self, motion: &RigidMotion, dt: f64) -> Self {
        Self {
            pose: Pose {
                position: self.pose.position + dt * motion.velocity,
                rotation: self.pose.rotation.turned_by(dt * motion.angular_velocity),
            },
            ..*self
        }
    }
}

/// Two places that are close: of two bodies, or of a body and a wall.
#[derive(Debug, Clone, Copy)]
struct Near {
    a: usize,
    b: usize,
    /// From the centroids.
    arms: [DVec2; 2],
    /// From a to b; from the wall into the fluid.
    normal: DVec2,
    gap: f64,
    /// Whether they can push each other there.
    is_contact: bool,
}

/// What a projection did.
#[derive(Debug, Clone)]
pub(crate) struct Projection {
    pub(crate) motions: Vec<RigidMotion>,
    /// Candidates within reach.
    pub(crate) contacts: usize,
    pub(crate) is_solved: bool,
}

/// How much faster than the fastest body one may become by contacts: candidates within that reach are constraints.
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

/// Places of pairs of bodies closer than `reach`, in the order of their numbers. Of periodic images the nearest counts.
fn close_pairs(grid: &Grid, bodies: &[ContactBody<'_>], reach: f64) -> Vec<Near> {
    // Sorted along y, so that only bodies of similar height are compared; images across a periodic edge are compared with all.
    let mut order: Vec<usize> = (0..bodies.len()).collect();
    let height = |k: usize| bodies[k].pose.position.y;
    order.sort_by(|&a, &b| height(a).total_cmp(&height(b)));
    let widest = bodies.iter().fold(0.0, |r: f64, body| r.max(body.radius));
    let is_wall = grid.edges.walls()[1];
    let mut pairs = Vec::new();
    let mut found = Vec::new();
    for (k, &a) in order.iter().enumerate() {
        for &b in &order[k + 1..] {
            if is_wall && height(b) - height(a) > bodies[a].radius + widest + reach {
                break;
            }
            let (first, second) = (a.min(b), a.max(b));
            let (p, q) = (&bodies[first], &bodies[second]);
            let d = towards(grid, p.pose.position, q.pose.position);
            let gap = d.length() - p.radius - q.radius;
            if gap >= reach {
                continue;
            }
            match (p.shape, q.shape) {
                (Some(one), Some(other)) if !(p.is_disc() && q.is_disc()) => {
                    let image = Pose {
                        position: p.pose.position + d,
                        ..q.pose
                    };
                    approaches(one, p.pose, other, image, reach, &mut found);
                    let near = |place: &Approach| Near {
                        a: first,
                        b: second,
                        arms: [
                            place.point_a - p.pose.position,
                            place.point_b - image.position,
                        ],
                        normal: place.normal,
                        gap: place.gap,
                        is_contact: place.is_contact,
                    };
                    pairs.extend(found.iter().map(near));
                }
                _ => {
                    let normal = d.normalize_or(DVec2::X);
                    pairs.push(Near {
                        a: first,
                        b: second,
                        arms: [normal * p.radius, -normal * q.radius],
                        normal,
                        gap,
                        is_contact: true,
                    });
                }
            }
        }
    }
    pairs.sort_by_key(|near| (near.a, near.b));
    pairs
}

/// Places of bodies closer than `reach` to walls: walls are one body at rest at the origin, numbered after all others.
fn close_walls(grid: &Grid, bodies: &[ContactBody<'_>], reach: f64) -> Vec<Near> {
    let [wide, high] = grid.size();
    let walls = grid.edges.walls();
    let sides = [
        (walls[0], DVec2::X, 0.0),
        (walls[0], DVec2::NEG_X, wide),
        (walls[1], DVec2::Y, 0.0),
        (walls[1], DVec2::NEG_Y, high),
    ];
    let mut list = Vec::new();
    for (k, body) in bodies.iter().enumerate() {
        for (_, normal, at) in sides.into_iter().filter(|side| side.0) {
            let middle = (body.pose.position * normal.abs()).element_sum();
            let distance = (middle - at).abs();
            if distance - body.radius >= reach {
                continue;
            }
            let mut add = |arm: DVec2| {
                let gap = distance + arm.dot(normal);
                if gap < reach {
                    list.push(Near {
                        a: bodies.len(),
                        b: k,
                        arms: [body.pose.position + arm, arm],
                        normal,
                        gap,
                        is_contact: true,
                    });
                }
            };
            match body.shape {
                Some(shape) if !shape.is_disc() => {
                    for vertex in 0..shape.vertex_count() {
                        add(body.pose.rotation.rotate(shape.vertex(vertex)));
                    }
                }
                _ => add(-normal * body.radius),
            }
        }
    }
    list
}

/// Least gap between bodies, and between bodies and walls \[m\]; infinite for a single body in a periodic domain.
pub(crate) fn least_gap(grid: &Grid, bodies: &[ContactBody<'_>]) -> f64 {
    let reach = bodies.iter().fold(0.0, |r: f64, body| r.max(body.radius));
    let pairs = close_pairs(grid, bodies, reach);
    let walls = close_walls(grid, bodies, reach);
    let gaps = pairs.iter().chain(&walls).map(|near| near.gap);
    gaps.fold(f64::INFINITY, f64::min)
}

/// Bodies, walls as one body at rest after them, and all contacts within reach; with each contact what touches: body and body, or body and wall.
pub(crate) fn contact_problem(
    grid: &Grid,
    bodies: &[ContactBody<'_>],
    least: f64,
    dt: f64,
) -> (ContactProblem, Vec<(usize, usize)>) {
    let fastest = bodies.iter().fold(0.0, |v: f64, body| v.max(body.speed()));
    let reach = least + 2.0 * REACH * dt * fastest;
    let of_body = |body: &ContactBody<'_>| banquise_solver::Body {
        inv_mass: 1.0 / body.mass,
        inv_inertia: 1.0 / body.inertia,
        position: body.pose.position,
        linear_velocity: body.motion.velocity,
        angular_velocity: body.motion.angular_velocity,
    };
    let mut list: Vec<banquise_solver::Body> = bodies.iter().map(of_body).collect();
    list.push(banquise_solver::Body {
        inv_mass: 0.0,
        inv_inertia: 0.0,
        position: DVec2::ZERO,
        linear_velocity: DVec2::ZERO,
        angular_velocity: 0.0,
    });
    let (mut contacts, mut keys) = (Vec::new(), Vec::new());
    let pairs = close_pairs(grid, bodies, reach);
    let walls = close_walls(grid, bodies, reach);
    let is_held = |body: usize| bodies.get(body).is_none_or(|body| body.mass.is_infinite());
    for near in pairs.iter().chain(&walls) {
        if !near.is_contact || (is_held(near.a) && is_held(near.b)) {
            continue;
        }
        contacts.push(Contact {
            a: near.a,
            b: near.b,
            arms: near.arms,
            normal: near.normal,
            friction: 0.0,
            restitution: 0.0,
            gap: near.gap,
            start: [0.0; 2],
        });
        keys.push(if near.a == bodies.len() {
            // Walls by the direction of their normal, after all bodies.
            let normal = near.normal;
            let side = usize::from(normal.y != 0.0) * 2 + usize::from(normal.x + normal.y < 0.0);
            (near.b, bodies.len() + side)
        } else {
            (near.a, near.b)
        });
    }
    let problem = ContactProblem {
        bodies: list,
        contacts,
    };
    (problem, keys)
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

/// Rounds in which bounds of polygons are corrected for their turning. Three suffice in all runs so far.
const ROUNDS: usize = 5;
/// Share of the least gap by which turning may undercut it after these.
const UNDERCUT: f64 = 1e-3;

/// Nearest velocities, weighted by mass, with which all gaps stay at least `least` over a step, with Coulomb's friction where its coefficient is not zero.
///
/// For discs the linear bounds of the step are on the safe side. Corners that turn leave them by some ½ r (ω Δt)², so that for polygons the gaps after the step are
/// looked at, and where one is too small, the bounds of that pair are raised by what is missing.
pub(crate) fn project(
    grid: &Grid,
    bodies: &[ContactBody<'_>],
    least: f64,
    friction: f64,
    dt: f64,
) -> Projection {
    let (mut start, keys) = contact_problem(grid, bodies, least, dt);
    for contact in &mut start.contacts {
        contact.friction = friction;
    }
    if start.contacts.is_empty() {
        return Projection::of(&start, bodies.len(), true);
    }
    let mut missing = vec![0.0; keys.len()];
    let are_discs = bodies.iter().all(ContactBody::is_disc);
    for round in 1.. {
        let mut problem = start.clone();
        let is_solved = solve(&mut problem, &missing, least, dt);
        let found = Projection::of(&problem, bodies.len(), is_solved);
        if are_discs || !is_solved || round == ROUNDS {
            return found;
        }
        let moved: Vec<ContactBody<'_>> = bodies
            .iter()
            .zip(&found.motions)
            .map(|(body, motion)| body.moved(motion, dt))
            .collect();
        let pairs = close_pairs(grid, &moved, least);
        let walls = close_walls(grid, &moved, least);
        let mut is_enough = true;
        for (missing, contact) in missing.iter_mut().zip(&start.contacts) {
            let places = pairs.iter().chain(&walls);
            let lack = places
                .filter(|near| (near.a, near.b) == (contact.a, contact.b))
                .fold(0.0, |lack: f64, near| lack.max(least - near.gap));
            *missing += lack / dt;
            is_enough &= lack <= UNDERCUT * least;
        }
        if is_enough {
            return found;
        }
    }
    unreachable!("the last round returns")
}

/// Solves for velocities that keep the gaps; `missing` is what bounds of contacts are raised by.
///
/// Without friction this is a convex projection, which Newton's method solves. The general solver of contacts, which allows for friction, is the second choice: it left some
/// piles of 2,000 contacts unsolved.
fn solve(problem: &mut ContactProblem, missing: &[f64], least: f64, dt: f64) -> bool {
    let workspace = SolverWorkspace::default();
    let context = SolverContext {
        settings: &SolverSettings::DEFAULT,
        workspace: &workspace,
    };
    let contacts = problem.contacts.iter().zip(missing);
    let least: Vec<f64> = contacts
        .map(|(contact, missing)| (least - contact.gap) / dt + missing)
        .collect();
    if problem
        .contacts
        .iter()
        .all(|contact| contact.friction == 0.0)
        && solve_convex(context, problem, &least)
    {
        return true;
    }
    let bounds = least.iter().map(|&least| Bound {
        least,
        rebound: 0.0,
    });
    let bounds: Vec<Bound> = bounds.collect();
    let mut report = ImpactReport::default();
    solve_velocity_bounds(context, problem, &bounds, Effort::Solve, &mut report);
    report.verdict == Verdict::Solved
}

/// Solves without friction, and leaves the problem as it is if that does not succeed.
fn solve_convex(context: SolverContext<'_>, problem: &mut ContactProblem, least: &[f64]) -> bool {
    let bounds = least.iter().map(|&least| ConvexBound {
        least,
        kind: BoundKind::AtLeast,
        compliance: 0.0,
    });
    let bounds: Vec<ConvexBound> = bounds.collect();
    let mut projected = problem.clone();
    let mut report = ProjectionReport::default();
    let settings = &ProjectionSettings::DEFAULT;
    project_velocities(context, &mut projected, &bounds, settings, &mut report);
    let is_solved = report.is_solved && !report.is_regularised;
    if is_solved {
        *problem = projected;
    }
    is_solved
}
