//! The part of an outline inside a box.

use crate::{Aabb, DVec2, GeometryError, Outline};

impl Outline {
    /// The parts of the outline inside a box: none, one or several.
    ///
    /// The outline is cut along the four sides of the box, one after the other. Where it leaves a side
    /// and comes back, the part between follows the side.
    ///
    /// # Errors
    /// If rounding spoils a part, which takes a vertex within round-off of a side.
    pub fn clipped(&self, window: &Aabb) -> Result<Vec<Self>, GeometryError> {
        let around = Aabb::of_points(self.vertices().iter().copied());
        if window.contains(around.min) && window.contains(around.max) {
            return Ok(vec![self.clone()]);
        }
        if !window.overlaps(&around) {
            return Ok(Vec::new());
        }
        let mut rings = vec![self.vertices().to_vec()];
        for side in [
            Side {
                axis: 0,
                sign: 1.0,
                at: window.min.x,
            },
            Side {
                axis: 0,
                sign: -1.0,
                at: window.max.x,
            },
            Side {
                axis: 1,
                sign: 1.0,
                at: window.min.y,
            },
            Side {
                axis: 1,
                sign: -1.0,
                at: window.max.y,
            },
        ] {
            rings = rings.iter().flat_map(|ring| side.cut(ring)).collect();
        }
        rings
            .iter()
            .map(|ring| Self::from_ring(ring))
            // A vertex that only touches the box leaves a ring without an inside.
            .filter(|part| !matches!(part, Err(GeometryError::TooFewVertices { .. })))
            .collect()
    }
}

/// A line along an axis, and which side of it is kept.
#[derive(Clone, Copy)]
struct Side {
    axis: usize,
    sign: f64,
    at: f64,
}

/// Vertices on the side that is kept, from where the boundary comes to where it leaves.
struct Chain {
    points: Vec<DVec2>,
    /// Where along the line it comes and where it leaves \[m\].
    ends: [f64; 2],
}

impl Side {
    fn keeps(self, point: DVec2) -> bool {
        self.sign * (point[self.axis] - self.at) > 0.0
    }

    /// The simple polygons on the side that is kept. Points on the line are not kept, so that
    /// an edge along it leaves nothing behind.
    fn cut(self, ring: &[DVec2]) -> Vec<Vec<DVec2>> {
        let count = ring.len();
        let is_entry = |k: &usize| !self.keeps(ring[*k]) && self.keeps(ring[(k + 1) % count]);
        let Some(start) = (0..count).find(is_entry) else {
            let is_kept = ring.first().is_some_and(|&point| self.keeps(point));
            return if is_kept {
                vec![ring.to_vec()]
            } else {
                Vec::new()
            };
        };
        let mut chains: Vec<Chain> = Vec::new();
        for step in 0..count {
            let (from, to) = (
                ring[(start + step) % count],
                ring[(start + step + 1) % count],
            );
            match (self.keeps(from), self.keeps(to)) {
                (false, true) => {
                    let point = self.crossing(from, to);
                    let end = point[1 - self.axis];
                    chains.push(Chain {
                        points: vec![point, to],
                        ends: [end, end],
                    });
                }
                (true, kept) => {
                    let chain = chains.last_mut().expect("the walk starts at an entry");
                    let point = if kept { to } else { self.crossing(from, to) };
                    chain.points.push(point);
                    chain.ends[1] = point[1 - self.axis];
                }
                (false, false) => {}
            }
        }
        joined(&chains)
    }

    /// Where the edge from one side to the other crosses the line.
    fn crossing(self, from: DVec2, to: DVec2) -> DVec2 {
        let part = (self.at - from[self.axis]) / (to[self.axis] - from[self.axis]);
        let mut point = from + part * (to - from);
        point[self.axis] = self.at;
        point
    }
}

/// Joins chains along the line: sorted by their place on it, the ends of chains are, two by two, the ends
/// of the parts of the line inside the polygon.
fn joined(chains: &[Chain]) -> Vec<Vec<DVec2>> {
    let mut ends: Vec<(usize, usize)> = (0..chains.len())
        .flat_map(|chain| [(chain, 0), (chain, 1)])
        .collect();
    let place = |&(chain, end): &(usize, usize)| chains[chain].ends[end];
    ends.sort_by(|p, q| place(p).total_cmp(&place(q)).then(p.cmp(q)));
    // Where a vertex on the line ends one chain and starts the next, either may come first.
    for k in (0..ends.len().saturating_sub(2)).step_by(2) {
        if ends[k].1 == ends[k + 1].1 && place(&ends[k + 1]) == place(&ends[k + 2]) {
            ends.swap(k + 1, k + 2);
        }
    }
    let mut next = vec![None; chains.len()];
    for pair in ends.chunks(2) {
        for (from, to) in [(pair[0], pair[1]), (pair[1], pair[0])] {
            if from.1 == 1 {
                next[from.0] = Some(to.0);
            }
        }
    }
    let mut rings = Vec::new();
    for start in 0..chains.len() {
        let mut ring = Vec::new();
        let mut chain = start;
        while let Some(follower) = next[chain].take() {
            ring.extend_from_slice(&chains[chain].points);
            chain = follower;
        }
        if !ring.is_empty() {
            rings.push(ring);
        }
    }
    rings
}
