//! Broad phase: pairs of overlapping boxes, by a bounding-volume hierarchy of fat boxes.
//!
//! Fat boxes, with a margin beyond those of the search, are put into the hierarchy once, and their pairs are reused as long as every
//! box stays within its fat one. The pairs of a step are those of them whose boxes overlap now: identical, and in the
//! same order, to a query of all boxes.

use banquise_geometry::{Aabb, Bvh, DVec2, PeriodicPair};
use rayon::prelude::*;

use super::settings::ContactThresholds;
use crate::chunks::{CHUNK, SMALL_THINGS, are_worth_sharing, is_worth_sharing};
use crate::domain::Domain;
use crate::id::BodyId;
use crate::motion::Motion;
use crate::world::World;

/// Bound of the relative rounding error of a translated box: 45 ε, where a few ε would be enough.
const TRANSLATION_ROUNDING: f64 = 1e-14;

/// The boxes of all bodies, grown by the margins that they may move by.
pub(super) struct SweptBoxes<'a> {
    pub(super) boxes: &'a [Aabb],
    pub(super) margins: &'a [f64],
    pub(super) thresholds: &'a ContactThresholds,
}

/// Fat boxes and their pairs.
#[derive(Debug, Clone, Default)]
pub(super) struct BroadPhase {
    /// Bodies of the boxes.
    ids: Vec<BodyId>,
    /// Fat boxes in the unwrapped plane, less the drift of the pack.
    fat: Vec<Aabb>,
    /// Centre of the pack when the fat boxes were built \[m\].
    center: DVec2,
    /// Pairs of fat boxes; their offsets are those of unwrapped positions.
    candidates: Vec<Candidate>,
    bvh: Bvh,
    /// Pairs by chunks of their first boxes.
    found: Vec<Vec<PeriodicPair>>,
}

#[derive(Debug, Clone, Copy)]
struct Candidate {
    a: u32,
    b: u32,
    /// Periodic cells between the unwrapped positions of the two.
    cells: [i32; 2],
}

/// Two bodies whose boxes overlap.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct BoxPair {
    pub(super) a: usize,
    pub(super) b: usize,
    /// To be added to the position of `b` \[m\].
    pub(super) offset: DVec2,
    /// Periodic cells between the two; unlike the offset, wrapping bodies back into the cell does not change it.
    pub(super) cells: [i32; 2],
}

impl BroadPhase {
    /// Lists the pairs of bodies whose boxes overlap, in order.
    pub(super) fn pairs(&mut self, world: &World, swept: &SweptBoxes<'_>, out: &mut Vec<BoxPair>) {
        let boxes = swept.boxes;
        let size = match world.domain {
            Domain::Periodic(cell) => cell.size(),
            Domain::Free | Domain::Bounded(_) => DVec2::ZERO,
        };
        let motions = &world.bodies.motions;
        let center = center_of(motions, size);
        let are_same = self.ids == world.bodies.ids();
        if !are_same || !self.holds(motions, size, boxes, center) {
            self.build(world, swept, size, center);
        }
        out.clear();
        let overlapping = |&Candidate { a, b, cells }: &Candidate| {
            let (a, b) = (a as usize, b as usize);
            let (winding_a, winding_b) = (motions[a].winding, motions[b].winding);
            let shift = [0, 1].map(|axis| cells[axis] + winding_b[axis] - winding_a[axis]);
            if shift.iter().any(|cells| cells.abs() > 1) {
                return None;
            }
            let offset = size * DVec2::new(f64::from(shift[0]), f64::from(shift[1]));
            let overlap = boxes[a].overlaps(&boxes[b].translated(offset));
            overlap.then_some(BoxPair {
                a,
                b,
                offset,
                cells,
            })
        };
        if are_worth_sharing(self.candidates.len()) {
            let candidates = self.candidates.par_iter().with_min_len(SMALL_THINGS);
            out.par_extend(candidates.filter_map(overlapping));
        } else {
            out.extend(self.candidates.iter().filter_map(overlapping));
        }
        if size != DVec2::ZERO {
            // Two images of one body are in the order of where they are now.
            out.sort_unstable_by(|p, q| {
                let offsets = p.offset.x.total_cmp(&q.offset.x);
                (p.a, p.b)
                    .cmp(&(q.a, q.b))
                    .then(offsets)
                    .then(p.offset.y.total_cmp(&q.offset.y))
            });
        }
    }

    /// Whether every box is within its fat one.
    fn holds(&self, motions: &[Motion], size: DVec2, boxes: &[Aabb], center: DVec2) -> bool {
        let drift = center - self.center;
        if self.fat.len() != boxes.len() {
            return false;
        }
        let all = boxes.par_iter().zip(motions).zip(&self.fat);
        all.with_min_len(SMALL_THINGS).all(|((aabb, motion), fat)| {
            let moved = cells_of(motion, size) - drift;
            let rounding =
                TRANSLATION_ROUNDING * (moved.abs() + aabb.min.abs().max(aabb.max.abs()));
            let aabb = aabb.translated(moved);
            fat.min.cmple(aabb.min - rounding).all() && (aabb.max + rounding).cmple(fat.max).all()
        })
    }

    /// Finds the pairs of fat boxes, in order; the domain is not periodic where the size of the cell is zero.
    fn find_pairs(&mut self, size: DVec2) {
        let (bvh, count) = (&self.bvh, self.fat.len());
        let chunk = if is_worth_sharing(count) {
            CHUNK
        } else {
            count.max(1)
        };
        self.found.resize_with(count.div_ceil(chunk), Vec::new);
        let chunks = self.found.par_iter_mut().enumerate();
        chunks.for_each(|(number, found)| {
            let start = number * chunk;
            found.clear();
            bvh.add_pairs_periodic(start..count.min(start + chunk), size, found);
        });
    }

    fn build(&mut self, world: &World, swept: &SweptBoxes<'_>, size: DVec2, center: DVec2) {
        let &SweptBoxes {
            boxes,
            margins,
            thresholds,
        } = swept;
        let bodies = &world.bodies;
        self.ids.clear();
        self.ids.extend_from_slice(bodies.ids());
        self.center = center;
        self.fat.clear();
        self.fat.extend((0..boxes.len()).map(|row| {
            let extra = thresholds.fat_box_radius_share * bodies.radii[row]
                + thresholds.fat_box_margins * margins[row];
            boxes[row].grown(extra)
        }));
        self.bvh.build(&self.fat);
        let motions = &bodies.motions;
        let one_moves = |a: u32, b: u32| bodies.is_floe(a as usize) || bodies.is_floe(b as usize);
        self.find_pairs(size);
        self.candidates.clear();
        let pairs = self.found.iter().flatten();
        let pairs = pairs.filter(|pair| one_moves(pair.a, pair.b));
        self.candidates.extend(pairs.map(|pair| {
            let (a, b) = (motions[pair.a as usize], motions[pair.b as usize]);
            let cells = |axis: usize| {
                let offset = pair.offset[axis];
                let shift = i32::from(offset > 0.0) - i32::from(offset < 0.0);
                shift + a.winding[axis] - b.winding[axis]
            };
            Candidate {
                a: pair.a,
                b: pair.b,
                cells: [cells(0), cells(1)],
            }
        }));
        let is_wide = |aabb: &Aabb| (aabb.max - aabb.min).cmpgt(0.5 * size).any();
        if size != DVec2::ZERO && self.fat.iter().any(is_wide) {
            // Boxes so wide that a body may touch images other than the nearest: the pairs are not reused.
            self.fat.clear();
        }
        for (fat, motion) in self.fat.iter_mut().zip(motions) {
            *fat = fat.translated(cells_of(motion, size));
        }
    }
}

/// Unwrapped less wrapped position of a body in the periodic cell \[m\].
fn cells_of(motion: &Motion, size: DVec2) -> DVec2 {
    let [columns, rows] = motion.winding;
    size * DVec2::new(f64::from(columns), f64::from(rows))
}

/// Mean unwrapped position of the bodies \[m\].
fn center_of(motions: &[Motion], size: DVec2) -> DVec2 {
    let sum: DVec2 = motions
        .iter()
        .map(|motion| motion.pose.position + cells_of(motion, size))
        .sum();
    sum / (motions.len().max(1) as f64)
}

#[cfg(test)]
mod tests {
    use banquise_geometry::{Disc, Pose, Rotation, Shape};

    use super::*;
    use crate::body::{BodyKind, BodySpec, Thickness};
    use crate::domain::Rectangle;
    use crate::material::Material;
    use crate::motion::Velocity;

    fn world(domain: Domain) -> World {
        let mut world = World::new(domain, 1);
        for index in 0..80 {
            let place = DVec2::new(f64::from(index % 9), f64::from(index / 9));
            let spec = BodySpec {
                name: String::new(),
                kind: BodyKind::Floe,
                shape: Shape::Disc(Disc::try_new(4.0 + 0.05 * f64::from(index)).unwrap()),
                pose: Pose {
                    position: 11.0 * place,
                    rotation: Rotation::IDENTITY,
                },
                velocity: Velocity::REST,
                thickness: Thickness::Uniform(1.0),
                material: Material::default(),
                mass: None,
                inertia: None,
            };
            world.add(spec).unwrap();
        }
        world
    }

    #[test]
    fn kept_boxes_give_the_pairs_of_fresh_ones() {
        let cell = Rectangle {
            min: DVec2::ZERO,
            max: DVec2::splat(100.0),
        };
        for domain in [Domain::Free, Domain::Periodic(cell)] {
            let mut world = world(domain);
            let mut kept = BroadPhase::default();
            let (mut pairs, mut fresh_pairs) = (Vec::new(), Vec::new());
            let (mut builds, mut crossed) = (0, 0);
            for step in 0..400 {
                for (row, motion) in world.bodies.motions.iter_mut().enumerate() {
                    // All drift, and each a little on its own.
                    let phase = (7 * row + step) as f64;
                    let own =
                        DVec2::new((0.1 * phase).fract() - 0.45, (0.17 * phase).fract() - 0.5);
                    let moved = motion.pose.position + DVec2::new(1.0, 0.7) + 0.05 * own;
                    let (position, cells) = domain.wrap(moved);
                    motion.pose.position = position;
                    motion.winding[0] += cells[0];
                    motion.winding[1] += cells[1];
                    crossed += usize::from(cells != [0, 0]);
                }
                let bodies = &world.bodies;
                let boxes: Vec<Aabb> = (0..bodies.len())
                    .map(|row| {
                        bodies.contact_shapes[row]
                            .aabb(bodies.motions[row].pose)
                            .grown(0.3)
                    })
                    .collect();
                let margins = vec![0.3; boxes.len()];
                let swept = SweptBoxes {
                    boxes: &boxes,
                    margins: &margins,
                    thresholds: &ContactThresholds::default(),
                };
                let center = kept.center;
                kept.pairs(&world, &swept, &mut pairs);
                builds += usize::from(kept.center != center);
                let mut fresh = BroadPhase::default();
                fresh.pairs(&world, &swept, &mut fresh_pairs);
                assert_eq!(pairs, fresh_pairs, "step {step}");
                assert!(pairs.len() > 60, "{}", pairs.len());
            }
            assert!(builds < 100, "{builds} builds");
            assert!((crossed > 0) == matches!(domain, Domain::Periodic(_)));
        }
    }
}
