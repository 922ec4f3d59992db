//! Finding the floes of a picture by their brightness.
//!
//! A threshold parts ice from water, but floes that touch stay together: at the joint they are often
//! only a little darker. So distances to the rim are taken at several thresholds and averaged: the mean
//! distance is large inside a floe and small at its rim, and at a joint that is narrow, or dark, or a
//! little of both. Its basins, seen from above, are the floes: a watershed in which two basins are one
//! unless the ridge between them is clearly lower than both tops. In a scene of MODIS this finds nine floes
//! of ten that people had marked, where one threshold finds half.

use super::distance::squared_distances;
use super::mask::{opened, without_small_holes};
use super::picture::ImageError;
use super::raster::{Raster, pieces};
use super::threshold::{histogram, median_above, upper_otsu};

/// Settings of the segmentation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SegmentSettings {
    /// Ice is brighter than this, from 0 to 254; found from the picture when `None`.
    pub threshold: Option<u8>,
    /// Pixels of the smallest floe.
    pub min_pixels: usize,
}

impl Default for SegmentSettings {
    /// Smaller pieces are rarely told apart well.
    fn default() -> Self {
        Self {
            threshold: None,
            min_pixels: 50,
        }
    }
}

/// Floes found in a picture.
#[derive(Clone, Debug, PartialEq)]
pub struct Segmented {
    /// The number of the floe at each pixel, 0 for none.
    pub labels: Raster<u32>,
    /// The threshold used.
    pub threshold: u8,
}

/// Thresholds over which distances are averaged, from that of ice to the median of its brightness.
const LEVELS: u32 = 8;
/// Dark spots of fewer pixels inside ice are melt ponds or noise.
const MIN_HOLE: usize = 6;
/// Radius of the disc that must fit into a floe \[px\].
const OPENING: f64 = 2.0;

/// Two basins are one unless the ridge between them is lower than the lower top by this much \[px\] and by
/// this part of its height: the floes of scenes with hand-made labels are told apart best so.
const MIN_DEPTH: f64 = 0.5;
const MIN_DEPTH_PART: f64 = 0.2;

/// Finds the floes.
///
/// # Errors
/// When the picture has one shade only.
pub fn segment(
    brightness: &Raster<u8>,
    settings: &SegmentSettings,
) -> Result<Segmented, ImageError> {
    let counts = histogram(brightness);
    if counts.iter().filter(|&&count| count > 0).count() < 2 {
        return Err(ImageError::OneShade);
    }
    let threshold = settings.threshold.unwrap_or_else(|| upper_otsu(&counts));
    let top = median_above(&counts, threshold);
    let ice_above = |level: u8| {
        let ice = brightness.map(|value| value > level);
        without_small_holes(&ice, MIN_HOLE)
    };
    let mut mean = Raster::filled(brightness.width, brightness.height, 0.0);
    // Where there is no rim at all, the picture is one floe.
    let farthest = (brightness.width + brightness.height) as f64;
    for step in 0..LEVELS {
        let level = u32::from(threshold) + u32::from(top.saturating_sub(threshold)) * step / LEVELS;
        let distances = squared_distances(&ice_above(level as u8));
        for (sum, distance) in mean.values.iter_mut().zip(distances.values) {
            *sum += distance.sqrt().min(farthest) / f64::from(LEVELS);
        }
    }
    let ice = opened(&ice_above(threshold), OPENING);
    let basins = basins(&mean, &ice);
    let (labels, sizes) = pieces(&basins, 0);
    let is_floe = |number: u32| sizes[number as usize] >= settings.min_pixels;
    Ok(Segmented {
        labels: labels.map(|number| if is_floe(number) { number } else { 0 }),
        threshold,
    })
}

/// A basin: its top, and the basin it has become part of, if not itself.
struct Basin {
    top: f64,
    parent: usize,
}

/// The basins of `heights` within the mask, from the tops down; pixels between two basins belong to
/// none. A number for each, from 1; pixels of no basin have 0.
fn basins(heights: &Raster<f64>, mask: &Raster<bool>) -> Raster<u32> {
    const NONE: usize = usize::MAX;
    let mut order: Vec<usize> = (0..mask.values.len()).filter(|&k| mask.values[k]).collect();
    let height = |pixel: usize| heights.values[pixel];
    order.sort_by(|&p, &q| height(q).total_cmp(&height(p)).then(p.cmp(&q)));
    let mut basins: Vec<Basin> = Vec::new();
    let mut owner = Raster::filled(mask.width, mask.height, NONE);
    for pixel in order {
        let mut roots: Vec<usize> = mask
            .neighbours(pixel)
            .map(|neighbour| owner.values[neighbour])
            .filter(|&basin| basin != NONE)
            .map(|basin| root(&mut basins, basin))
            .collect();
        // The highest first.
        roots.sort_by(|&a, &b| basins[b].top.total_cmp(&basins[a].top).then(a.cmp(&b)));
        roots.dedup();
        let Some((&highest, others)) = roots.split_first() else {
            owner.values[pixel] = basins.len();
            basins.push(Basin {
                top: height(pixel),
                parent: basins.len(),
            });
            continue;
        };
        let is_shallow = |&other: &usize| {
            let top = basins[other].top;
            top - height(pixel) < MIN_DEPTH.max(MIN_DEPTH_PART * top)
        };
        if others.iter().all(is_shallow) {
            owner.values[pixel] = highest;
            for &other in others {
                basins[other].parent = highest;
            }
        }
    }
    let numbers = owner.values.iter().map(|&basin| match basin {
        NONE => 0,
        basin => root(&mut basins, basin) as u32 + 1,
    });
    Raster {
        width: mask.width,
        height: mask.height,
        values: numbers.collect(),
    }
}

/// The basin that this one has become, with the ways there made short.
fn root(basins: &mut [Basin], mut basin: usize) -> usize {
    while basins[basin].parent != basin {
        basins[basin].parent = basins[basins[basin].parent].parent;
        basin = basins[basin].parent;
    }
    basin
}
