//! Paths of cracks that grow: longer by a segment at either end, and from a hole on to its other side.

use std::f64::consts::{PI, TAU};

use banquise_geometry::{DVec2, distance_point_segment, math};

use crate::cut::{CrackPath, cross_segment};
use crate::mesh::TriangleMesh;

/// How far from square to the rim a crack leaves a hole at most \[rad\].
const OUT_OF_HOLE: f64 = 0.5;
/// Points of a boundary nearer than this share of a segment are the same.
const NEAR: f64 = 1e-6;

/// How a crack is grown.
#[derive(Clone, Debug, PartialEq)]
pub struct GrowthSettings {
    /// Length of a segment \[m\]. A segment ends on the edge of the mesh before it.
    pub segment: f64,
    /// Angle between directions that are tried \[rad\].
    pub angle_step: f64,
    /// Largest turn from one segment to the next \[rad\].
    pub largest_turn: f64,
    /// Distance of the boundary points from which cracks start \[m\].
    pub start_step: f64,
    /// Also starts inside triangles; both tips grow.
    pub starts_inside: bool,
    /// First segments that are solved again, of all that are ranked.
    pub resolved: usize,
    /// Segments after which growth ends.
    pub most_segments: usize,
}

impl Default for GrowthSettings {
    /// For plates of 100 m.
    fn default() -> Self {
        Self {
            segment: 12.0,
            angle_step: 0.15,
            largest_turn: 1.2,
            start_step: 5.0,
            starts_inside: false,
            resolved: 40,
            most_segments: 40,
        }
    }
}

/// A mesh in which cracks grow.
pub(crate) struct Grower<'a> {
    mesh: &'a TriangleMesh,
    is_held: &'a dyn Fn(u32) -> bool,
    /// Edges of the boundary of each hole.
    holes: Vec<Vec<[u32; 2]>>,
}

/// What is at an end of a crack.
enum End {
    Tip,
    /// The boundary of a hole, by its number.
    Hole(usize),
    /// The outer boundary.
    Outside,
}

impl<'a> Grower<'a> {
    /// Cracks do not run into edges whose nodes are both held.
    pub(crate) fn new(mesh: &'a TriangleMesh, is_held: &'a dyn Fn(u32) -> bool) -> Self {
        Self {
            mesh,
            is_held,
            holes: holes(mesh),
        }
    }

    /// Whether both ends are on the outer boundary.
    pub(crate) fn is_through(&self, path: &CrackPath) -> bool {
        let outside = |path: &CrackPath| matches!(self.end(path), End::Outside);
        outside(path) && outside(&reversed(path))
    }

    /// First segments from the boundary, and from inside where that is asked for, each with its direction.
    pub(crate) fn first_segments(&self, settings: &GrowthSettings) -> Vec<CrackPath> {
        let mut found = Vec::new();
        for (start, inward) in self.starts(settings) {
            let is_open = inward.is_some();
            let range = if is_open { 0.5 * PI - 0.1 } else { PI };
            let middle = inward.unwrap_or(DVec2::X);
            for direction in fan(middle, range, settings.angle_step) {
                found.extend(self.extended(
                    &[start],
                    [is_open, false],
                    direction,
                    settings.segment,
                ));
            }
        }
        found
    }

    /// Paths with one more segment, at either end.
    pub(crate) fn next_segments(
        &self,
        path: &CrackPath,
        settings: &GrowthSettings,
    ) -> Vec<CrackPath> {
        let mut found = self.longer(path, settings);
        found.extend(self.longer(&reversed(path), settings));
        found
    }

    /// Paths with one more segment at the last end.
    fn longer(&self, path: &CrackPath, settings: &GrowthSettings) -> Vec<CrackPath> {
        let [.., before, tip] = path.points[..] else {
            return Vec::new();
        };
        match self.end(path) {
            End::Outside => Vec::new(),
            End::Tip => fan(
                (tip - before).normalize(),
                settings.largest_turn,
                settings.angle_step,
            )
            .filter_map(|direction| {
                self.extended(&path.points, path.open_ends, direction, settings.segment)
            })
            .collect(),
            End::Hole(hole) => self.beyond_hole(path, hole, settings),
        }
    }

    /// Paths that leave a hole somewhere else on its boundary.
    fn beyond_hole(
        &self,
        path: &CrackPath,
        hole: usize,
        settings: &GrowthSettings,
    ) -> Vec<CrackPath> {
        let mut found = Vec::new();
        let Some(&tip) = path.points.last() else {
            return found;
        };
        for edge in &self.holes[hole] {
            let [a, b] = edge.map(|node| self.mesh.points()[node as usize]);
            let exit = 0.5 * (a + b);
            let inward = (b - a).normalize().perp();
            // Only what is across the hole: the way there must not run through ice.
            if (exit - tip).dot(inward) <= 0.0 || !self.is_clear(tip, exit) {
                continue;
            }
            let points = [&path.points[..], &[exit]].concat();
            for direction in fan(inward, OUT_OF_HOLE, settings.angle_step) {
                found.extend(self.extended(&points, path.open_ends, direction, settings.segment));
            }
        }
        found
    }

    /// Whether the middle and the quarters of a line are in no triangle.
    fn is_clear(&self, from: DVec2, to: DVec2) -> bool {
        [0.25, 0.5, 0.75]
            .into_iter()
            .all(|share| !self.mesh.contains(from.lerp(to, share)))
    }

    /// What is at the last end of a path.
    fn end(&self, path: &CrackPath) -> End {
        let Some(&end) = path.points.last().filter(|_| path.open_ends[1]) else {
            return End::Tip;
        };
        let near = NEAR * path.length();
        let is_on = |edges: &Vec<[u32; 2]>| {
            edges
                .iter()
                .any(|edge| self.distance(end, *edge) <= near.max(1e-9))
        };
        self.holes
            .iter()
            .position(is_on)
            .map_or(End::Outside, End::Hole)
    }

    fn distance(&self, point: DVec2, edge: [u32; 2]) -> f64 {
        let [a, b] = edge.map(|node| self.mesh.points()[node as usize]);
        distance_point_segment(point, a, b).distance
    }

    /// Points where cracks may start, with the inward normal on the boundary.
    fn starts(&self, settings: &GrowthSettings) -> Vec<(DVec2, Option<DVec2>)> {
        let mesh = self.mesh;
        let mut starts = Vec::new();
        let mut walked = 0.0;
        for edge in mesh.boundary() {
            let [a, b] = edge.map(|node| mesh.points()[node as usize]);
            walked += a.distance(b);
            // The middle of an edge: a crack that starts in a node has no edge to open.
            if walked >= settings.start_step && !edge.iter().all(|node| (self.is_held)(*node)) {
                walked = 0.0;
                starts.push((0.5 * (a + b), Some((b - a).normalize().perp())));
            }
        }
        if settings.starts_inside {
            let inner = (0..mesh.triangles().len()).map(|element| {
                let [a, b, c] = mesh.corners(element as u32);
                ((a + b + c) / 3.0, None)
            });
            starts.extend(inner.step_by(4));
        }
        starts
    }

    /// A path with one more segment, which ends on an edge of the mesh or on the boundary.
    fn extended(
        &self,
        points: &[DVec2],
        [open_start, _]: [bool; 2],
        direction: DVec2,
        length: f64,
    ) -> Option<CrackPath> {
        let mesh = self.mesh;
        let from = *points.last()?;
        let to = from + length * direction;
        let is_open = [open_start || points.len() > 1, true];
        let mut intervals: Vec<[f64; 2]> = Vec::new();
        cross_segment(mesh, [from, to], is_open, |crossing| {
            intervals.push(crossing.interval);
        });
        intervals.sort_by(|a, b| a[0].total_cmp(&b[0]));
        let near = NEAR * length;
        let start = if is_open[0] {
            0.0
        } else {
            intervals.first()?[0]
        };
        let mut end = start;
        for [enters, leaves] in intervals {
            if enters > end + near {
                break;
            }
            end = end.max(leaves);
        }
        if end <= start + near {
            return None;
        }
        let beyond = from + (end + 1e-3 * length) * direction;
        let is_through = !self.mesh.contains(beyond);
        if is_through && self.is_gripped(from + end * direction) {
            return None;
        }
        let mut path: Vec<DVec2> = points.to_vec();
        if !is_open[0] {
            path = vec![from + start * direction];
        }
        path.push(from + end * direction);
        Some(CrackPath {
            points: path,
            open_ends: [open_start, is_through],
        })
    }

    /// Whether a point of the boundary is on an edge that is held. Cracks do not run into grips.
    fn is_gripped(&self, point: DVec2) -> bool {
        let boundary = self.mesh.boundary().iter();
        let nearest = boundary.min_by(|a, b| {
            self.distance(point, **a)
                .total_cmp(&self.distance(point, **b))
        });
        nearest.is_some_and(|edge| edge.iter().all(|node| (self.is_held)(*node)))
    }
}

/// A path from its other end.
fn reversed(path: &CrackPath) -> CrackPath {
    CrackPath {
        points: path.points.iter().rev().copied().collect(),
        open_ends: [path.open_ends[1], path.open_ends[0]],
    }
}

/// The boundary of each hole: rings of edges with the plate to their left that go clockwise.
pub(crate) fn holes(mesh: &TriangleMesh) -> Vec<Vec<[u32; 2]>> {
    let mut next = vec![None; mesh.points().len()];
    for edge in mesh.boundary() {
        next[edge[0] as usize] = Some(edge[1]);
    }
    let mut holes = Vec::new();
    for first in 0..next.len() {
        let (mut ring, mut node, mut twice_area) = (Vec::new(), first, 0.0);
        while let Some(other) = next[node].take() {
            let [a, b] = [node as u32, other].map(|node| mesh.points()[node as usize]);
            twice_area += a.perp_dot(b);
            ring.push([node as u32, other]);
            node = other as usize;
        }
        if twice_area < 0.0 {
            holes.push(ring);
        }
    }
    holes
}

/// Directions about a middle one, at most `range` away from it.
fn fan(middle: DVec2, range: f64, step: f64) -> impl Iterator<Item = DVec2> {
    let count = (range.min(TAU) / step) as i32;
    (-count..=count).map(move |k| {
        let (sin, cos) = math::sin_cos(f64::from(k) * step);
        DVec2::new(cos, sin).rotate(middle)
    })
}
