//! The ways in which a crack opens: displacements of copies of a node against the largest of them.

use banquise_geometry::DVec2;

use crate::cut::{Cut, LipPoint};
use crate::opened::{Opened, unheld};
use crate::plane::Held;

/// How a copy moves in a jump.
type Term = (usize, DVec2);

/// Jumps, by number, in the order of their places along the crack.
pub(crate) struct Jumps {
    /// The jumps in which each copy moves, and how. The largest copy of a node has none: it moves with the plate. Copies that are small beside
    /// it hardly load the plate, so that nothing cancels.
    of_copy: Vec<[Option<Term>; 2]>,
    /// The largest copy of the node of each copy.
    pub(crate) largest: Vec<u32>,
    pub(crate) count: usize,
}

impl Jumps {
    /// Each copy moves freely in the plane.
    pub(crate) fn free(opened: &Opened<'_>, held: &[Held], places: &[f64]) -> Self {
        let (mut jumps, small) = Self::none(opened, places);
        for copy in small {
            let held = held[opened.copies()[copy].node as usize];
            for (term, axis) in [DVec2::X, DVec2::Y].into_iter().enumerate() {
                jumps.add(copy, term, unheld(axis, held));
            }
        }
        jumps
    }

    /// Lips part without sliding along a direction: jumps that are zero along the crack itself are left. At a lip point, which is on an edge of
    /// the mesh, that ties the jumps of both ends of the edge, so that one motion for each chain of such edges is left.
    pub(crate) fn interlocked(
        opened: &Opened<'_>,
        held: &[Held],
        places: &[f64],
        (along, cut): (DVec2, &Cut),
    ) -> Self {
        let (mut jumps, small) = Self::none(opened, places);
        let held = |copy: usize| held[opened.copies()[copy].node as usize];
        for &copy in &small {
            jumps.add(copy, 0, unheld(along.perp(), held(copy)));
        }
        let is_free: Vec<bool> = jumps
            .of_copy
            .iter()
            .map(|terms| terms[0].is_some())
            .collect();
        for chain in Chains::new(&is_free, cut).free() {
            let number = jumps.count;
            for (copy, share) in chain {
                jumps.of_copy[copy][1] = Some((number, share * unheld(along, held(copy))));
            }
            jumps.count += 1;
        }
        jumps
    }

    /// No jumps yet, and all copies but the largest of each node, in the order of their places.
    fn none(opened: &Opened<'_>, places: &[f64]) -> (Self, Vec<usize>) {
        let copies = opened.copies();
        let mut order: Vec<usize> = (0..copies.len()).collect();
        // The largest of a node first; the first of equals.
        order.sort_by(|&a, &b| {
            let [x, y] = [&copies[a], &copies[b]];
            let by_area = y.area.total_cmp(&x.area);
            x.node.cmp(&y.node).then(by_area).then(a.cmp(&b))
        });
        let mut largest = vec![0; copies.len()];
        let mut small: Vec<usize> = Vec::with_capacity(order.len());
        for own in order.chunk_by(|&a, &b| copies[a].node == copies[b].node) {
            for &copy in own {
                largest[copy] = own[0] as u32;
            }
            small.extend_from_slice(&own[1..]);
        }
        small.sort_by(|&a, &b| places[a].total_cmp(&places[b]).then(a.cmp(&b)));
        let jumps = Self {
            of_copy: vec![[None; 2]; copies.len()],
            largest,
            count: 0,
        };
        (jumps, small)
    }

    /// A jump in which one copy moves, unless it is held.
    fn add(&mut self, copy: usize, term: usize, motion: DVec2) {
        if motion != DVec2::ZERO {
            self.of_copy[copy][term] = Some((self.count, motion));
            self.count += 1;
        }
    }

    pub(crate) fn terms(&self, copy: u32) -> impl Iterator<Item = Term> + '_ {
        let terms = self.of_copy.get(copy as usize).into_iter().flatten();
        terms.flatten().copied()
    }

    /// How far the lips part at a point in a direction, for a unit of each jump.
    pub(crate) fn at(&self, lip: &LipPoint, direction: DVec2) -> Vec<f64> {
        let mut values = vec![0.0; self.count];
        for (copy, weight) in &lip.jump {
            for (number, motion) in self.terms(*copy) {
                values[number] += weight * motion.dot(direction);
            }
        }
        values
    }
}

/// Copies whose motions along the crack are tied to each other at lip points.
struct Chains {
    /// Number of the chain of each copy, and its motion in it.
    chain: Vec<usize>,
    motion: Vec<f64>,
    is_free: Vec<bool>,
}

impl Chains {
    fn new(is_free: &[bool], cut: &Cut) -> Self {
        let mut chains = Self {
            chain: (0..is_free.len()).collect(),
            motion: vec![1.0; is_free.len()],
            is_free: is_free.to_vec(),
        };
        for lip in &cut.lips {
            let terms = lip
                .jump
                .iter()
                .map(|(copy, weight)| (*copy as usize, *weight));
            let tied: Vec<(usize, f64)> = terms.filter(|(copy, _)| is_free[*copy]).collect();
            match tied[..] {
                [a, b] => chains.tie(a, b),
                // A jump that is zero at the lip is zero. A node of three copies, which is rare, is held.
                _ => {
                    for (copy, _) in tied {
                        chains.is_free[chains.chain[copy]] = false;
                    }
                }
            }
        }
        chains
    }

    /// Ties two motions with these weights in the jump of a lip point.
    fn tie(&mut self, (a, a_weight): (usize, f64), (b, b_weight): (usize, f64)) {
        let [kept, other] = [self.chain[a], self.chain[b]];
        // Ties of a straight crack that close a ring agree with each other.
        if kept == other {
            return;
        }
        let factor = -a_weight * self.motion[a] / (b_weight * self.motion[b]);
        for (chain, motion) in self.chain.iter_mut().zip(&mut self.motion) {
            if *chain == other {
                *chain = kept;
                *motion *= factor;
            }
        }
        self.is_free[kept] &= self.is_free[other];
    }

    /// The copies of each chain that moves, with their motions, of which the largest is one.
    fn free(&self) -> Vec<Vec<(usize, f64)>> {
        let mut free = Vec::new();
        for number in (0..self.chain.len()).filter(|number| self.is_free[*number]) {
            let own = (0..self.chain.len()).filter(|copy| self.chain[*copy] == number);
            let own: Vec<(usize, f64)> = own.map(|copy| (copy, self.motion[copy])).collect();
            let largest = own
                .iter()
                .fold(0.0_f64, |most, (_, motion)| most.max(motion.abs()));
            if largest > 0.0 {
                free.push(
                    own.iter()
                        .map(|(copy, motion)| (*copy, motion / largest))
                        .collect(),
                );
            }
        }
        free
    }
}
