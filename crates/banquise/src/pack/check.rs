//! Final check of a pack: exact tests, independent of how it was made.

use banquise_geometry::{
    Aabb, Bvh, DVec2, Outline, Pose, Rotation, Shape, distance_outline_outline,
    distance_segment_segment, shapes_overlap,
};
use rayon::prelude::*;

use super::region::Region;

/// The shortest distance between two floes, a floe and a fixed outline, or a floe and the border of
/// the region, as far as it is less than `reach` \[m\]; nothing if any overlap or stick out.
pub(super) fn shortest_gap(
    region: &Region,
    floes: &[Outline],
    fixed: &[Outline],
    reach: f64,
) -> Option<f64> {
    let all: Vec<&Outline> = fixed.iter().chain(floes).collect();
    let half = DVec2::splat(0.5 * reach);
    let boxes: Vec<Aabb> = all
        .iter()
        .map(|outline| {
            let aabb = Aabb::of_points(outline.vertices().iter().copied());
            Aabb {
                min: aabb.min - half,
                max: aabb.max + half,
            }
        })
        .collect();
    let mut bvh = Bvh::default();
    bvh.build(&boxes);
    let mut pairs = Vec::new();
    bvh.pairs_periodic(region.period().unwrap_or(DVec2::INFINITY), &mut pairs);
    pairs.retain(|pair| pair.b as usize >= fixed.len());
    let gaps = pairs.par_iter().map(|pair| {
        let (a, b) = (all[pair.a as usize], all[pair.b as usize]);
        gap(a, b, pair.offset)
    });
    let between = gaps.try_reduce(|| reach, |a, b| Some(a.min(b)))?;
    let to_border = floes
        .par_iter()
        .map(|floe| gap_to_border(region, floe))
        .try_reduce(|| reach, |a, b| Some(a.min(b)))?;
    Some(between.min(to_border))
}

fn gap(a: &Outline, b: &Outline, offset: DVec2) -> Option<f64> {
    let at = |position| Pose {
        position,
        rotation: Rotation::IDENTITY,
    };
    let (first, second) = (Shape::Outline(a.clone()), Shape::Outline(b.clone()));
    if shapes_overlap(&first, at(DVec2::ZERO), &second, at(offset)) {
        return None;
    }
    Some(distance_outline_outline(a, &b.translated(offset).ok()?))
}

fn gap_to_border(region: &Region, floe: &Outline) -> Option<f64> {
    if region.period().is_some() {
        return Some(f64::INFINITY);
    }
    let border = region.outline();
    if !floe
        .vertices()
        .iter()
        .all(|&vertex| border.contains(vertex))
    {
        return None;
    }
    let mut shortest = f64::INFINITY;
    for (a, b) in floe.edges() {
        for (c, d) in border.edges() {
            shortest = shortest.min(distance_segment_segment(a, b, c, d));
        }
    }
    (shortest > 0.0).then_some(shortest)
}
