//! First places: discs of the floes' sizes strewn over the region and pushed apart.

use std::f64::consts::PI;

use banquise_geometry::{Aabb, Bvh, DVec2};

use super::region::Region;
use crate::random::{Purpose, Stream};

/// Places tried for each disc.
const CANDIDATES: u64 = 24;
/// Draws for a point inside the region before it is taken for empty.
const MAX_DRAWS: u64 = 10_000;
/// Rounds of pushing.
const ROUNDS: usize = 200;
/// Share of the region that the discs cover while they are pushed: more would not come apart.
const COVER: f64 = 0.78;
/// Area of a disc over that of its floe, at most: a little room for corners.
const ROOM: f64 = 1.2;

/// A disc to be placed, or one that stays.
#[derive(Clone, Copy, Debug)]
pub(super) struct Site {
    /// Area of the floe \[m²\].
    pub(super) area: f64,
    /// Where it stays, if it does \[m\].
    pub(super) position: DVec2,
    pub(super) is_fixed: bool,
}

/// Centres for all sites; those that are fixed come first.
pub(super) fn strew(region: &Region, sites: &[Site], seed: u64) -> Vec<DVec2> {
    let total: f64 = sites.iter().map(|site| site.area).sum();
    let scale = (COVER * region.area() / total).min(ROOM);
    let radii: Vec<f64> = sites
        .iter()
        .map(|site| (scale * site.area / PI).sqrt())
        .collect();
    let mut centers = Vec::with_capacity(sites.len());
    let stream = Stream::new(seed, Purpose::Place);
    for (index, site) in sites.iter().enumerate() {
        let center = if site.is_fixed {
            site.position
        } else {
            good_place(region, &centers, &radii, stream, index)
        };
        centers.push(center);
    }
    let fixed = sites.iter().filter(|site| site.is_fixed).count();
    push_apart(region, &mut centers, &radii, fixed);
    centers
}

/// The first of some random places with room, or else the roomiest.
fn good_place(
    region: &Region,
    centers: &[DVec2],
    radii: &[f64],
    stream: Stream,
    index: usize,
) -> DVec2 {
    let (min, max) = region.bounds();
    let mut best = (f64::NEG_INFINITY, region.outline().centroid());
    let mut found = 0;
    for draw in 0..MAX_DRAWS {
        let point = min + (max - min) * stream.point(index as u64, draw);
        if !region.outline().contains(point) {
            continue;
        }
        let border = match region.period() {
            Some(_) => f64::INFINITY,
            None => region.distance_to_border(point) - radii[index],
        };
        let room = centers
            .iter()
            .zip(radii)
            .fold(border, |room, (center, radius)| {
                room.min(region.nearest(point - *center).length() - radius - radii[index])
            });
        if room > best.0 {
            best = (room, point);
        }
        found += 1;
        if found == CANDIDATES || room > 0.0 {
            break;
        }
    }
    best.1
}

/// Moves discs off each other and off the border, small ones more than large ones.
fn push_apart(region: &Region, centers: &mut [DVec2], radii: &[f64], given: usize) {
    let mut bvh = Bvh::default();
    let (mut pairs, mut boxes) = (Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        boxes.clear();
        boxes.extend(centers.iter().zip(radii).map(|(&center, &radius)| Aabb {
            min: center - DVec2::splat(radius),
            max: center + DVec2::splat(radius),
        }));
        bvh.build(&boxes);
        bvh.pairs_periodic(region.period().unwrap_or(DVec2::INFINITY), &mut pairs);
        let mut is_still = true;
        for pair in &pairs {
            let (a, b) = (pair.a as usize, pair.b as usize);
            let apart = centers[b] + pair.offset - centers[a];
            let overlap = radii[a] + radii[b] - apart.length();
            if overlap > 1e-3 * radii[a].min(radii[b]) {
                is_still = false;
                let direction = apart.try_normalize().unwrap_or(DVec2::X);
                let share = if a < given {
                    1.0
                } else {
                    radii[a] / (radii[a] + radii[b])
                };
                if a >= given {
                    centers[a] -= (1.0 - share) * overlap * direction;
                }
                if b >= given {
                    centers[b] += share * overlap * direction;
                }
            }
        }
        for (center, radius) in centers.iter_mut().zip(radii).skip(given) {
            *center = kept_inside(region, *center, *radius);
        }
        if is_still {
            break;
        }
    }
}

/// The point moved inside by this depth, as far as one step can.
fn kept_inside(region: &Region, point: DVec2, depth: f64) -> DVec2 {
    if region.period().is_some() {
        return region.wrapped(point);
    }
    if region.holds(point, depth) {
        return point;
    }
    let nearest = region
        .outline()
        .edges()
        .map(|(a, b)| banquise_geometry::distance_point_segment(point, a, b))
        .min_by(|p, q| p.distance.total_cmp(&q.distance))
        .expect("an outline has edges");
    let is_inside = region.outline().contains(point);
    let outward = if is_inside {
        nearest.point - point
    } else {
        point - nearest.point
    };
    let inward = -outward.try_normalize().unwrap_or(DVec2::X);
    let moved = nearest.point + depth * inward;
    if region.outline().contains(moved) {
        return moved;
    }
    // A narrow place: half way is better than out of it.
    let middle = nearest.point + 0.1 * depth * inward;
    if region.outline().contains(middle) {
        middle
    } else {
        point
    }
}
