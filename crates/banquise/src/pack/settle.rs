//! Position-based dynamics (Müller et al. 2007, doi:10.1016/j.jvcir.2007.01.005): overlapping floes are moved and turned until
//! all gaps are kept.
//!
//! Each vertex nearer than the gap to another floe is a constraint; in each round all constraints are satisfied one after the
//! other by the smallest motion of both floes.

use banquise_geometry::predicates::segments_intersect;
use banquise_geometry::{Aabb, Bvh, DVec2, Outline, PeriodicPair, Pose};

use super::region::Region;

/// A floe to be placed.
#[derive(Clone, Debug)]
pub(super) struct Piece {
    /// Outline about its centroid \[m\].
    pub(super) outline: Outline,
    pub(super) pose: Pose,
    /// Whether it may move.
    pub(super) is_free: bool,
}

/// Constraints aim this much beyond the gap, so that they are met in a finite time.
const AIM: f64 = 1.5;
/// Motion of a constraint over what it needs: a little more is quicker.
const OVERSHOOT: f64 = 1.2;
/// How far pieces that cross are moved apart, over the width of the smaller one.
const UNCROSSING: f64 = 0.1;

/// Pieces with their vertices in place.
pub(super) struct Settling<'a> {
    region: &'a Region,
    gap: f64,
    pub(super) pieces: Vec<Piece>,
    placed: Vec<Vec<DVec2>>,
    /// Inverses of mass and inertia, in units of their own.
    mobility: Vec<(f64, f64)>,
    pairs: Vec<PeriodicPair>,
    /// How far each piece may move before pairs are sought again \[m\].
    margin: f64,
    moved: f64,
    bvh: Bvh,
    /// Pieces that may move and were found too close to something.
    is_stuck: Vec<bool>,
}

/// Violated constraints.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Trouble {
    /// Constraints not met, or pieces that do not meet them.
    pub(super) count: usize,
    /// Largest violation \[m\].
    pub(super) worst: f64,
}

impl<'a> Settling<'a> {
    pub(super) fn new(region: &'a Region, gap: f64, pieces: Vec<Piece>) -> Self {
        let placed = pieces.iter().map(placed).collect();
        let mobility = pieces.iter().map(mobility).collect();
        let smallest = pieces
            .iter()
            .map(|piece| piece.outline.area())
            .fold(f64::INFINITY, f64::min);
        let mut settling = Self {
            region,
            gap,
            is_stuck: vec![false; pieces.len()],
            pieces,
            placed,
            mobility,
            pairs: Vec::new(),
            margin: 0.2 * smallest.sqrt() + gap,
            moved: f64::INFINITY,
            bvh: Bvh::default(),
        };
        settling.find_pairs();
        settling
    }

    /// Brings pieces back into a periodic cell, since only the images next to it are looked at, and
    /// lists the pairs that are close.
    fn find_pairs(&mut self) {
        for (piece, vertices) in self.pieces.iter_mut().zip(&mut self.placed) {
            piece.pose.position = self.region.wrapped(piece.pose.position);
            *vertices = placed(piece);
        }
        let reach = DVec2::splat(0.5 * (AIM * self.gap + self.margin));
        let boxes: Vec<Aabb> = self
            .placed
            .iter()
            .map(|vertices| {
                let aabb = Aabb::of_points(vertices.iter().copied());
                Aabb {
                    min: aabb.min - reach,
                    max: aabb.max + reach,
                }
            })
            .collect();
        self.bvh.build(&boxes);
        self.bvh.pairs_periodic(
            self.region.period().unwrap_or(DVec2::INFINITY),
            &mut self.pairs,
        );
        self.moved = 0.0;
    }

    /// One round over all constraints; returns the violations met.
    pub(super) fn round(&mut self) -> Trouble {
        if self.moved > 0.5 * self.margin {
            self.find_pairs();
        }
        let mut trouble = Trouble::default();
        let mut largest = 0.0_f64;
        for k in 0..self.pairs.len() {
            let PeriodicPair { a, b, offset } = self.pairs[k];
            for (a, b, offset) in [(a, b, offset), (b, a, -offset)] {
                largest = largest.max(self.part(a as usize, b as usize, offset, &mut trouble));
            }
        }
        for a in 0..self.pieces.len() {
            largest = largest.max(self.keep_inside(a, &mut trouble));
        }
        self.moved += largest;
        trouble
    }

    /// Violations of the present positions: a round without violations may have moved a piece
    /// towards one that was checked before.
    ///
    /// Counts pieces.
    pub(super) fn trouble(&mut self) -> Trouble {
        self.find_pairs();
        self.is_stuck.fill(false);
        let mobility = std::mem::replace(&mut self.mobility, vec![(0.0, 0.0); self.pieces.len()]);
        let trouble = self.round();
        self.mobility = mobility;
        let count = self.is_stuck.iter().filter(|stuck| **stuck).count();
        Trouble { count, ..trouble }
    }

    /// Moves pieces apart whose edges cross though no vertex of one is in the other, as two thin spikes may; how many pairs do.
    pub(super) fn uncross(&mut self) -> usize {
        let mut count = 0;
        for k in 0..self.pairs.len() {
            let PeriodicPair { a, b, offset } = self.pairs[k];
            let (a, b) = (a as usize, b as usize);
            let can_move = self.pieces[a].is_free || self.pieces[b].is_free;
            if can_move && cross(&self.placed[a], &self.placed[b], offset) {
                count += 1;
                let apart = self.pieces[a].pose.position - self.pieces[b].pose.position - offset;
                let smaller = self.pieces[a]
                    .outline
                    .area()
                    .min(self.pieces[b].outline.area());
                let step = UNCROSSING * smaller.sqrt() * apart.normalize_or(DVec2::X);
                self.shift(a, step, 0.0);
                self.shift(b, -step, 0.0);
                self.moved = f64::INFINITY;
            }
        }
        count
    }

    fn note(&mut self, pieces: &[usize], missing: f64, trouble: &mut Trouble) {
        if missing > 0.0 {
            trouble.count += 1;
            trouble.worst = trouble.worst.max(missing);
            for &piece in pieces {
                self.is_stuck[piece] = self.pieces[piece].is_free;
            }
        }
    }

    /// Frees the vertices of A from B moved by `offset`; the longest way anything moved.
    fn part(&mut self, a: usize, b: usize, offset: DVec2, trouble: &mut Trouble) -> f64 {
        if !(self.pieces[a].is_free || self.pieces[b].is_free) {
            return 0.0;
        }
        let aim = AIM * self.gap;
        let zone = Aabb::of_points(self.placed[b].iter().map(|&vertex| vertex + offset));
        let (min, max) = (zone.min - DVec2::splat(aim), zone.max + DVec2::splat(aim));
        let mut longest = 0.0_f64;
        for k in 0..self.placed[a].len() {
            let vertex = self.placed[a][k];
            if vertex.cmplt(min).any() || vertex.cmpgt(max).any() {
                continue;
            }
            let near = nearest_on(&self.placed[b], vertex - offset);
            if near.distance < aim {
                self.note(&[a, b], self.gap - near.distance, trouble);
                let touch = Touch {
                    at_a: vertex,
                    at_b: near.point + offset,
                    normal: near.normal,
                    depth: aim - near.distance,
                };
                longest = longest.max(self.correct([a, b], offset, &touch));
            }
        }
        longest
    }

    /// Moves A along the normal and B against it, by the depth where they touch.
    fn correct(&mut self, [a, b]: [usize; 2], offset: DVec2, touch: &Touch) -> f64 {
        let normal = touch.normal;
        let arm_a = touch.at_a - self.pieces[a].pose.position;
        let arm_b = touch.at_b - self.pieces[b].pose.position - offset;
        let (turn_a, turn_b) = (arm_a.perp_dot(normal), arm_b.perp_dot(normal));
        let ((mass_a, inertia_a), (mass_b, inertia_b)) = (self.mobility[a], self.mobility[b]);
        let ease = mass_a + inertia_a * turn_a * turn_a + mass_b + inertia_b * turn_b * turn_b;
        if ease <= 0.0 {
            return 0.0;
        }
        let push = OVERSHOOT * touch.depth / ease;
        let moved_a = self.shift(a, push * mass_a * normal, push * inertia_a * turn_a);
        let moved_b = self.shift(b, -push * mass_b * normal, -push * inertia_b * turn_b);
        moved_a.max(moved_b)
    }

    fn shift(&mut self, index: usize, step: DVec2, turn: f64) -> f64 {
        let piece = &mut self.pieces[index];
        if !piece.is_free {
            return 0.0;
        }
        piece.pose.position += step;
        piece.pose.rotation = piece.pose.rotation.turned_by(turn);
        for (vertex, own) in self.placed[index].iter_mut().zip(piece.outline.vertices()) {
            *vertex = piece.pose.world_from_body(*own);
        }
        step.length() + turn.abs() * piece.outline.area().sqrt()
    }

    /// Brings a piece back into a polygon.
    fn keep_inside(&mut self, a: usize, trouble: &mut Trouble) -> f64 {
        if self.region.period().is_some() || !self.pieces[a].is_free {
            return 0.0;
        }
        let aim = AIM * self.gap;
        let border = self.region.outline();
        let mut longest = 0.0_f64;
        for k in 0..self.placed[a].len() {
            let vertex = self.placed[a][k];
            let near = nearest_on(border.vertices(), vertex);
            if near.distance > -aim {
                self.note(&[a], self.gap + near.distance, trouble);
                let depth = aim + near.distance;
                longest = longest.max(self.correct_alone(a, vertex, -near.normal, depth));
            }
        }
        // Corners of the region that jut in.
        for &corner in border.vertices() {
            let near = nearest_on(&self.placed[a], corner);
            if near.distance < aim {
                self.note(&[a], self.gap - near.distance, trouble);
                let depth = aim - near.distance;
                longest = longest.max(self.correct_alone(a, near.point, -near.normal, depth));
            }
        }
        longest
    }

    fn correct_alone(&mut self, a: usize, at: DVec2, normal: DVec2, depth: f64) -> f64 {
        let turn = (at - self.pieces[a].pose.position).perp_dot(normal);
        let (mass, inertia) = self.mobility[a];
        if mass <= 0.0 {
            return 0.0;
        }
        let push = OVERSHOOT * depth / (mass + inertia * turn * turn);
        self.shift(a, push * mass * normal, push * inertia * turn)
    }
}

/// Where two pieces are too close.
struct Touch {
    at_a: DVec2,
    at_b: DVec2,
    /// From B to A.
    normal: DVec2,
    depth: f64,
}

/// Whether edges of two polygons cross, the second one moved by `offset`.
fn cross(first: &[DVec2], second: &[DVec2], offset: DVec2) -> bool {
    let edges = |polygon: &[DVec2]| -> Vec<[DVec2; 2]> {
        let next = polygon.iter().cycle().skip(1);
        polygon.iter().zip(next).map(|(&a, &b)| [a, b]).collect()
    };
    let second = edges(second);
    edges(first).iter().any(|&[a, b]| {
        let crosses = |&[c, d]: &[DVec2; 2]| segments_intersect(a, b, c + offset, d + offset);
        second.iter().any(crosses)
    })
}

fn placed(piece: &Piece) -> Vec<DVec2> {
    let vertices = piece.outline.vertices().iter();
    vertices
        .map(|&vertex| piece.pose.world_from_body(vertex))
        .collect()
}

/// Large pieces move less, but not as much less as their mass would have it: they must give way too.
fn mobility(piece: &Piece) -> (f64, f64) {
    if !piece.is_free {
        return (0.0, 0.0);
    }
    let area = piece.outline.area();
    let mass = area.sqrt();
    (
        1.0 / mass,
        1.0 / (mass * piece.outline.second_moment() / area),
    )
}

/// Where a polygon is nearest to a point.
struct Nearest {
    /// Negative inside \[m\].
    distance: f64,
    point: DVec2,
    /// Outward.
    normal: DVec2,
}

fn nearest_on(polygon: &[DVec2], point: DVec2) -> Nearest {
    let mut best = (f64::INFINITY, DVec2::ZERO, DVec2::X);
    let mut is_inside = false;
    let mut a = polygon[polygon.len() - 1];
    for &b in polygon {
        let along = b - a;
        let from = point - a;
        let parameter = (from.dot(along) / along.length_squared()).clamp(0.0, 1.0);
        let foot = from - parameter * along;
        let distance_sq = foot.length_squared();
        if distance_sq < best.0 {
            best = (distance_sq, a + parameter * along, along);
        }
        if (a.y > point.y) != (b.y > point.y) && (from.perp_dot(along) < 0.0) == (b.y > a.y) {
            is_inside = !is_inside;
        }
        a = b;
    }
    let (distance_sq, foot, along) = best;
    let distance = distance_sq.sqrt();
    let outward = -along.perp().normalize_or_zero();
    let away = if is_inside {
        foot - point
    } else {
        point - foot
    };
    Nearest {
        distance: if is_inside { -distance } else { distance },
        point: foot,
        normal: if distance > 1e-9 * along.length() {
            away / distance
        } else {
            outward
        },
    }
}
