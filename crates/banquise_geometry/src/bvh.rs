//! Bounding-volume hierarchy: finds which of many boxes overlap.
//!
//! A binary tree over the boxes, cut at the median of their centres along the longer side, so its
//! depth is the logarithm of their number whatever their sizes and places: floes of 10 m and of
//! 10 km go in the same tree. Nodes are stored in the order of a walk down the tree, each with the
//! index of the node to go on with when its box is missed, so a search needs no stack. Everything
//! is in arrays that are kept from one build to the next.

use std::ops::Range;

use crate::{Aabb, DVec2};

/// Boxes in a leaf: fewer make more nodes to visit, more make more boxes to compare.
const LEAF_SIZE: usize = 4;

/// A tree over boxes, to find those that overlap.
///
/// ```
/// use banquise_geometry::{Aabb, Bvh, DVec2};
///
/// let boxes = [0.0, 0.5, 3.0].map(|x| Aabb { min: DVec2::new(x, 0.0), max: DVec2::new(x + 1.0, 1.0) });
/// let mut bvh = Bvh::default();
/// bvh.build(&boxes);
/// let mut pairs = Vec::new();
/// bvh.pairs(&mut pairs);
/// assert_eq!(pairs, [(0, 1)]);
/// ```
#[derive(Clone, Debug, Default)]
pub struct Bvh {
    nodes: Vec<Node>,
    /// Indices of the boxes, in the order of the leaves.
    order: Vec<u32>,
    boxes: Vec<Aabb>,
}

#[derive(Clone, Copy, Debug)]
struct Node {
    aabb: Aabb,
    /// Where to go on when the box is missed: the node after the last one below this.
    skip: u32,
    /// For a leaf, where its boxes start and how many there are; none for an inner node.
    first: u32,
    count: u32,
    /// Largest index of a box below: pairs are sought upwards only.
    largest: u32,
}

/// Two boxes that overlap when one of them is moved to one of its periodic images.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PeriodicPair {
    /// The smaller index.
    pub a: u32,
    /// The larger index.
    pub b: u32,
    /// To be added to the positions of `b` \[m\].
    pub offset: DVec2,
}

impl Bvh {
    /// Builds the tree of these boxes, which are referred to by their indices.
    pub fn build(&mut self, boxes: &[Aabb]) {
        self.boxes.clear();
        self.boxes.extend_from_slice(boxes);
        self.order.clear();
        self.order.extend(0..boxes.len() as u32);
        self.nodes.clear();
        if !boxes.is_empty() {
            self.grow(0, boxes.len());
        }
    }

    /// Memory of the arrays \[bytes\].
    pub(crate) fn memory(&self) -> usize {
        size_of_val(&self.nodes[..]) + size_of_val(&self.order[..]) + size_of_val(&self.boxes[..])
    }

    /// Adds the nodes over `order[first..end]`; as deep as the tree.
    fn grow(&mut self, first: usize, end: usize) {
        let index = self.nodes.len();
        let items = &mut self.order[first..end];
        let aabb = items.iter().fold(Aabb::EMPTY, |aabb, &item| {
            aabb.union(&self.boxes[item as usize])
        });
        let is_leaf = end - first <= LEAF_SIZE;
        self.nodes.push(Node {
            aabb,
            skip: 0,
            first: first as u32,
            count: if is_leaf { (end - first) as u32 } else { 0 },
            largest: items.iter().copied().max().unwrap_or(0),
        });
        if !is_leaf {
            let middle = usize::midpoint(first, end);
            split_at_median(&self.boxes, items);
            self.grow(first, middle);
            self.grow(middle, end);
        }
        self.nodes[index].skip = self.nodes.len() as u32;
    }

    /// Finds all pairs `(i, j)`, `i < j`, of boxes that overlap, in increasing order.
    pub fn pairs(&self, out: &mut Vec<(u32, u32)>) {
        out.clear();
        for (i, aabb) in self.boxes.iter().enumerate() {
            let (i, start) = (i as u32, out.len());
            self.search(aabb, DVec2::ZERO, i + 1, |j| out.push((i, j)));
            out[start..].sort_unstable();
        }
    }

    /// Finds all boxes that overlap this one, in increasing order.
    pub fn query(&self, aabb: &Aabb, out: &mut Vec<u32>) {
        out.clear();
        self.search(aabb, DVec2::ZERO, 0, |j| out.push(j));
        out.sort_unstable();
    }

    /// Calls `found` with each box that overlaps this one, in the order of the tree.
    pub(crate) fn visit(&self, aabb: &Aabb, found: impl FnMut(u32)) {
        self.search(aabb, DVec2::ZERO, 0, found);
    }

    /// Finds all pairs of boxes that overlap in a periodic cell of this size \[m\], each with the
    /// place of its second box: offsets of -1, 0 and 1 cell along each axis are tried.
    ///
    /// Each pair comes once for each offset at which it overlaps, in the order of its indices and
    /// then of its offsets. No box is paired with its own images. An axis whose size is not
    /// positive and finite is not periodic.
    pub fn pairs_periodic(&self, cell_size: DVec2, out: &mut Vec<PeriodicPair>) {
        out.clear();
        self.add_pairs_periodic(0..self.boxes.len(), cell_size, out);
    }

    /// Adds the pairs whose first box is one of these. Those of ranges that follow each other are, put together, those of
    /// [`Bvh::pairs_periodic`]: threads can share the work.
    pub fn add_pairs_periodic(
        &self,
        firsts: Range<usize>,
        cell_size: DVec2,
        out: &mut Vec<PeriodicPair>,
    ) {
        for i in firsts {
            let (aabb, a, start) = (&self.boxes[i], i as u32, out.len());
            for &x in shifts(cell_size.x) {
                for &y in shifts(cell_size.y) {
                    // Not the product with the cell size where it may be infinite.
                    let along =
                        |shift: f64, size: f64| if shift == 0.0 { 0.0 } else { shift * size };
                    let offset = DVec2::new(along(x, cell_size.x), along(y, cell_size.y));
                    self.search(aabb, offset, a + 1, |b| {
                        out.push(PeriodicPair { a, b, offset });
                    });
                }
            }
            out[start..].sort_unstable_by(|p, q| {
                let offsets = p.offset.x.total_cmp(&q.offset.x);
                p.b.cmp(&q.b)
                    .then(offsets)
                    .then(p.offset.y.total_cmp(&q.offset.y))
            });
        }
    }

    /// Calls `found` with each box of at least this index that overlaps `aabb` once moved by
    /// `offset`. Moving rounds, but a box inside another stays inside it, so nothing is missed.
    fn search(&self, aabb: &Aabb, offset: DVec2, lowest: u32, mut found: impl FnMut(u32)) {
        let mut index = 0;
        while let Some(node) = self.nodes.get(index) {
            if node.largest < lowest || !aabb.overlaps(&node.aabb.translated(offset)) {
                index = node.skip as usize;
                continue;
            }
            let leaf = node.first as usize..(node.first + node.count) as usize;
            for &item in &self.order[leaf] {
                let moved = self.boxes[item as usize].translated(offset);
                if item >= lowest && aabb.overlaps(&moved) {
                    found(item);
                }
            }
            index += 1;
        }
    }
}

/// Cells to move by along an axis of this size.
fn shifts(size: f64) -> &'static [f64] {
    if size > 0.0 && size.is_finite() {
        &[-1.0, 0.0, 1.0]
    } else {
        &[0.0]
    }
}

/// Puts the half of the boxes with the smaller centres first, along the axis on which the centres
/// spread more; equal centres in the order of their indices.
fn split_at_median(boxes: &[Aabb], items: &mut [u32]) {
    let center = |item: &u32| boxes[*item as usize].center();
    let spread = Aabb::of_points(items.iter().map(center));
    let size = spread.max - spread.min;
    let middle = items.len() / 2;
    if size.x >= size.y {
        items.select_nth_unstable_by(middle, |i, j| {
            center(i).x.total_cmp(&center(j).x).then(i.cmp(j))
        });
    } else {
        items.select_nth_unstable_by(middle, |i, j| {
            center(i).y.total_cmp(&center(j).y).then(i.cmp(j))
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn square(x: f64, y: f64, side: f64) -> Aabb {
        let min = DVec2::new(x, y);
        Aabb {
            min,
            max: min + DVec2::splat(side),
        }
    }

    #[test]
    fn nothing_and_one_box_have_no_pairs() {
        let mut bvh = Bvh::default();
        let (mut pairs, mut hits, mut images) = (vec![(7, 7)], vec![7], Vec::new());
        for boxes in [&[][..], &[square(0.0, 0.0, 30.0)]] {
            bvh.build(boxes);
            bvh.pairs(&mut pairs);
            assert!(pairs.is_empty());
            bvh.pairs_periodic(DVec2::splat(10.0), &mut images);
            assert!(images.is_empty());
            bvh.query(&square(1.0, 1.0, 1.0), &mut hits);
            assert_eq!(hits.len(), boxes.len());
        }
    }

    #[test]
    fn a_row_of_touching_boxes_pairs_neighbours() {
        let boxes: Vec<Aabb> = (0..100).map(|k| square(f64::from(k), 0.0, 1.0)).collect();
        let mut bvh = Bvh::default();
        bvh.build(&boxes);
        let mut pairs = Vec::new();
        bvh.pairs(&mut pairs);
        assert_eq!(pairs, (0..99).map(|k| (k, k + 1)).collect::<Vec<_>>());
    }

    #[test]
    fn boxes_meet_across_the_edges_of_the_cell_once() {
        let mut bvh = Bvh::default();
        bvh.build(&[square(0.0, 0.0, 1.0), square(9.5, 9.5, 1.0)]);
        let mut pairs = Vec::new();
        bvh.pairs_periodic(DVec2::splat(10.0), &mut pairs);
        let offset = DVec2::splat(-10.0);
        assert_eq!(pairs, [PeriodicPair { a: 0, b: 1, offset }]);
        // Periodic along x only: the corners no longer meet.
        for flat in [f64::INFINITY, 0.0, f64::NAN] {
            bvh.pairs_periodic(DVec2::new(10.0, flat), &mut pairs);
            assert!(pairs.is_empty());
        }
    }
}
