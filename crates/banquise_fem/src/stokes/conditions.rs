//! Which velocities are unknown: every velocity of a node is given, or a combination of unknowns.

use banquise_geometry::DVec2;

use super::element::{Element, Geometry};
use super::mesh::FlowMesh;
use super::multifrontal::Group;

/// What is asked for on an edge of the boundary.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Edge {
    /// The velocity is given (by the load).
    Velocity,
    /// No stress.
    Free,
    /// No flow through the edge; along it the stress is μ/length times the velocity (Navier). An infinite length is a plane of symmetry or an axis.
    Slip {
        /// Slip length \[m\].
        length: f64,
    },
    /// Periodic: what holds on the edge that lies farther by this much holds here.
    Periodic {
        /// From this edge to the other one \[m\].
        shift: DVec2,
    },
}

/// A body that does not deform: the limit of an infinite viscosity in its triangles.
#[derive(Clone, Debug, PartialEq)]
pub struct RigidBody {
    /// The point whose velocity is that of the body, and about which it turns \[m\].
    pub centre: DVec2,
    /// Whether it moves along x, along y, and turns.
    pub motions: [bool; 3],
    /// Its triangles.
    pub elements: Vec<u32>,
}

/// What a node does.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Rule {
    Free,
    /// Given by the load.
    Given,
    /// At rest: edges of two directions let nothing through.
    Held,
    /// Moves along a direction only.
    Along(DVec2),
    Rigid(u32),
}

/// A velocity component or a pressure: unknowns with factors.
pub(super) type Combination = Vec<(u32, f64)>;

/// Unknowns of a flow problem.
#[derive(Clone, Debug)]
pub(super) struct Unknowns {
    /// For each node both components.
    pub(super) velocities: Vec<[Combination; 2]>,
    pub(super) is_given: Vec<bool>,
    /// Unknown of the pressure at each corner.
    pub(super) pressures: Vec<u32>,
    /// Unknowns of each body; `None` where it does not move.
    pub(super) bodies: Vec<[Option<u32>; 3]>,
    pub(super) groups: Vec<Group>,
    pub(super) is_pressure: Vec<bool>,
    /// Edges on which the fluid slips with friction: triangle, corner that they face, slip length.
    pub(super) slipping: Vec<(u32, u8, f64)>,
    /// Whether a triangle is inside a rigid body.
    pub(super) is_rigid: Vec<bool>,
}

/// Numbers of the nodes of a triangle: corners, then the middles of the edges that face them.
pub(super) fn element_nodes(mesh: &FlowMesh, element: Element, triangle: u32) -> ([u32; 6], usize) {
    let corners = mesh.triangles[triangle as usize];
    let sides = mesh.sides[triangle as usize].map(|side| side + mesh.points.len() as u32);
    let nodes = [
        corners[0], corners[1], corners[2], sides[0], sides[1], sides[2],
    ];
    (nodes, element.nodes())
}

/// Places of all nodes.
pub(super) fn node_points(mesh: &FlowMesh, element: Element) -> Vec<DVec2> {
    let mut points = mesh.points.clone();
    if element == Element::TaylorHood {
        let middle =
            |ends: &[u32; 2]| 0.5 * (mesh.points[ends[0] as usize] + mesh.points[ends[1] as usize]);
        points.extend(mesh.edges.iter().map(middle));
    }
    points
}

/// Nodes on a boundary edge: its ends, and its middle where velocities are quadratic.
fn edge_nodes(mesh: &FlowMesh, element: Element, (triangle, corner): (u32, u8)) -> Vec<u32> {
    let (nodes, count) = element_nodes(mesh, element, triangle);
    let corner = corner as usize;
    let mut list = vec![nodes[(corner + 1) % 3], nodes[(corner + 2) % 3]];
    if count == 6 {
        list.push(nodes[3 + corner]);
    }
    list
}

/// Directions closer than this are one: a straight side has normals that differ by rounding.
const PARALLEL: f64 = 1e-6;

/// Rules of the boundary, and for each node the one it repeats.
struct Boundary {
    rules: Vec<Rule>,
    alias: Vec<u32>,
    slipping: Vec<(u32, u8, f64)>,
}

impl Boundary {
    fn new(
        mesh: &FlowMesh,
        element: Element,
        points: &[DVec2],
        condition: &dyn Fn(DVec2, DVec2) -> Edge,
    ) -> Self {
        let mut rules = vec![Rule::Free; points.len()];
        let mut alias: Vec<u32> = (0..points.len() as u32).collect();
        let mut slipping = Vec::new();
        let mut shifts: Vec<(u32, DVec2)> = Vec::new();
        for &edge in &mesh.boundary {
            let (middle, normal) = mesh.boundary_edge(edge);
            let nodes = edge_nodes(mesh, element, edge);
            match condition(middle, normal) {
                Edge::Free => {}
                Edge::Velocity => nodes.iter().for_each(|k| rules[*k as usize] = Rule::Given),
                Edge::Slip { length } => {
                    if length.is_finite() {
                        slipping.push((edge.0, edge.1, length));
                    }
                    let along = normal.perp();
                    for k in nodes {
                        let rule = &mut rules[k as usize];
                        *rule = match *rule {
                            Rule::Along(other) if other.perp_dot(along).abs() > PARALLEL => {
                                Rule::Held
                            }
                            Rule::Free => Rule::Along(along),
                            kept => kept,
                        };
                    }
                }
                Edge::Periodic { shift } => shifts.extend(nodes.iter().map(|k| (*k, shift))),
            }
        }
        if !shifts.is_empty() {
            let mut sorted: Vec<u32> = (0..points.len() as u32).collect();
            sorted.sort_by(|a, b| points[*a as usize].x.total_cmp(&points[*b as usize].x));
            for (k, shift) in shifts {
                let target = points[k as usize] + shift;
                let reach = 1e-9 * (1.0 + shift.length());
                let from = sorted.partition_point(|n| points[*n as usize].x < target.x - reach);
                let partner = sorted[from..]
                    .iter()
                    .take_while(|n| points[**n as usize].x <= target.x + reach)
                    .find(|n| points[**n as usize].distance(target) <= reach);
                if let Some(&partner) = partner {
                    alias[k as usize] = partner;
                }
            }
        }
        Self {
            rules,
            alias,
            slipping,
        }
    }

    /// The node at the end of a chain of repetitions; a corner repeats a corner that repeats another.
    fn root(&self, node: u32) -> u32 {
        let mut at = node;
        for _ in 0..4 {
            at = self.alias[at as usize];
        }
        at
    }
}

impl Unknowns {
    pub(super) fn new(
        mesh: &FlowMesh,
        element: Element,
        geometry: Geometry,
        condition: &dyn Fn(DVec2, DVec2) -> Edge,
        bodies: &[RigidBody],
    ) -> Self {
        let points = node_points(mesh, element);
        let mut boundary = Boundary::new(mesh, element, &points, condition);
        let mut is_rigid = vec![false; mesh.triangles.len()];
        for (body, rigid) in bodies.iter().enumerate() {
            for &triangle in &rigid.elements {
                is_rigid[triangle as usize] = true;
                let (nodes, count) = element_nodes(mesh, element, triangle);
                for &node in &nodes[..count] {
                    boundary.rules[node as usize] = Rule::Rigid(body as u32);
                }
            }
        }
        let mut unknowns = Self {
            velocities: vec![[Vec::new(), Vec::new()]; points.len()],
            is_given: boundary
                .rules
                .iter()
                .map(|rule| *rule == Rule::Given)
                .collect(),
            pressures: vec![0; mesh.points.len()],
            bodies: Vec::new(),
            groups: Vec::new(),
            is_pressure: Vec::new(),
            slipping: boundary.slipping.clone(),
            is_rigid,
        };
        for body in bodies {
            unknowns.add_body(body, geometry);
        }
        for node in 0..points.len() as u32 {
            if boundary.root(node) == node {
                unknowns.add_node(
                    node,
                    points[node as usize],
                    boundary.rules[node as usize],
                    bodies,
                );
            }
        }
        for node in 0..points.len() as u32 {
            let root = boundary.root(node) as usize;
            if root != node as usize {
                let same = unknowns.velocities[root].clone();
                unknowns.velocities[node as usize].clone_from(&same);
                unknowns.is_given[node as usize] = unknowns.is_given[root];
                if (node as usize) < mesh.points.len() {
                    unknowns.pressures[node as usize] = unknowns.pressures[root];
                }
            }
        }
        unknowns
    }

    fn new_unknown(&mut self, is_pressure: bool) -> u32 {
        self.is_pressure.push(is_pressure);
        self.is_pressure.len() as u32 - 1
    }

    fn add_body(&mut self, body: &RigidBody, geometry: Geometry) {
        let mut motions = body.motions;
        if geometry == Geometry::Axisymmetric {
            motions = [false, motions[1], false];
        }
        let own = motions.map(|moves| moves.then(|| self.new_unknown(false)));
        self.groups.push(Group {
            at: body.centre,
            unknowns: own.into_iter().flatten().collect(),
            is_last: true,
        });
        self.bodies.push(own);
    }

    fn add_node(&mut self, node: u32, at: DVec2, rule: Rule, bodies: &[RigidBody]) {
        let mut own = Vec::new();
        match rule {
            Rule::Given | Rule::Held => {}
            Rule::Free => {
                own = vec![self.new_unknown(false), self.new_unknown(false)];
                self.velocities[node as usize] = [vec![(own[0], 1.0)], vec![(own[1], 1.0)]];
            }
            Rule::Along(direction) => {
                own = vec![self.new_unknown(false)];
                self.velocities[node as usize] = direction.to_array().map(|c| vec![(own[0], c)]);
            }
            Rule::Rigid(body) => {
                let arm = at - bodies[body as usize].centre;
                let [x, y, turn] = self.bodies[body as usize];
                let part = |unknown: Option<u32>, factor: f64| unknown.map(|u| (u, factor));
                self.velocities[node as usize] = [
                    [part(x, 1.0), part(turn, -arm.y)]
                        .into_iter()
                        .flatten()
                        .collect(),
                    [part(y, 1.0), part(turn, arm.x)]
                        .into_iter()
                        .flatten()
                        .collect(),
                ];
            }
        }
        if (node as usize) < self.pressures.len() {
            let pressure = self.new_unknown(true);
            self.pressures[node as usize] = pressure;
            own.push(pressure);
        }
        self.groups.push(Group {
            at,
            unknowns: own,
            is_last: false,
        });
    }
}
