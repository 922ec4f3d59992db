//! The rims of labelled floes as outlines.
//!
//! A floe is what a label covers, joined by the sides of pixels. Its outline goes through the middle of
//! every pixel side on its rim, so corners of pixels are cut: each outline has half a pixel less area
//! than its floe has pixels, whatever its shape, and never touches itself.

use banquise_geometry::{DVec2, Outline};

use super::picture::ImageError;
use super::raster::{Raster, pieces};

/// Two labels side by side are parted by a lead of this width \[px\], half of it from each.
const LEAD: f64 = 0.1;

/// A floe of a picture.
#[derive(Clone, Debug, PartialEq)]
pub struct TracedFloe {
    /// Its label.
    pub label: u32,
    /// Its outline \[m\], in place: x to the right and y up from the centre of the picture.
    pub outline: Outline,
    /// Whether the edge of the picture cuts it.
    pub is_cut: bool,
}

/// The floes of a picture, and what was left out.
#[derive(Clone, Debug, PartialEq)]
pub struct Tracing {
    /// In the order of their labels.
    pub floes: Vec<TracedFloe>,
    /// Pixels left out because their label has a larger piece elsewhere.
    pub stray_pixels: usize,
    /// Labels left out because they have too few pixels.
    pub too_small: usize,
    /// Labels left out because another floe is all around them.
    pub enclosed: usize,
}

/// The piece that stands for a label.
struct Piece {
    label: u32,
    number: u32,
    /// The first pixel of its lowest row.
    start: usize,
}

/// Traces the floes of at least `min_pixels` pixels; a pixel is `pixel_size` wide \[m\]. Label 0 is water.
/// Holes of a floe are ice.
///
/// # Errors
/// When there is no floe, or when pixels are too small or too large.
pub fn trace(
    labels: &Raster<u32>,
    pixel_size: f64,
    min_pixels: usize,
) -> Result<Tracing, ImageError> {
    let (numbers, sizes) = pieces(labels, 0);
    let (kept, stray_pixels) = largest_pieces(labels, &numbers, &sizes);
    let count = kept.len();
    let kept: Vec<Piece> = kept
        .into_iter()
        .filter(|piece| sizes[piece.number as usize] >= min_pixels.max(1))
        .collect();
    let too_small = count - kept.len();
    let mut floes: Vec<(usize, TracedFloe)> = Vec::new();
    for piece in &kept {
        let (ring, is_cut) = walk(labels, &numbers, piece);
        let ring: Vec<DVec2> = ring.into_iter().map(|point| pixel_size * point).collect();
        // Only the size of a pixel can spoil it.
        let outline = Outline::from_ring(&ring).map_err(ImageError::PixelSize)?;
        let label = piece.label;
        floes.push((
            piece.start,
            TracedFloe {
                label,
                outline,
                is_cut,
            },
        ));
    }
    let is_enclosed: Vec<bool> = floes
        .iter()
        .map(|(start, floe)| {
            let point = pixel_size * center(labels, *start);
            floes
                .iter()
                .any(|(_, other)| other.label != floe.label && other.outline.contains(point))
        })
        .collect();
    let enclosed = is_enclosed.iter().filter(|&&is| is).count();
    let floes: Vec<TracedFloe> = floes
        .into_iter()
        .zip(is_enclosed)
        .filter(|(_, is_enclosed)| !is_enclosed)
        .map(|((_, floe), _)| floe)
        .collect();
    if floes.is_empty() {
        return Err(ImageError::NoFloe);
    }
    Ok(Tracing {
        floes,
        stray_pixels,
        too_small,
        enclosed,
    })
}

/// The largest piece of each label, in the order of labels, and how many pixels the others have.
fn largest_pieces(
    labels: &Raster<u32>,
    numbers: &Raster<u32>,
    sizes: &[usize],
) -> (Vec<Piece>, usize) {
    let mut starts = vec![None; sizes.len()];
    for (pixel, &number) in numbers.values.iter().enumerate() {
        // The last row wins, and in it the first pixel.
        let start: &mut Option<usize> = &mut starts[number as usize];
        let width = labels.width;
        if start.is_none_or(|start| start / width < pixel / width) {
            *start = Some(pixel);
        }
    }
    let mut all: Vec<Piece> = (1..sizes.len())
        .filter_map(|number| {
            let start = starts[number]?;
            Some(Piece {
                label: labels.values[start],
                number: number as u32,
                start,
            })
        })
        .collect();
    let size = |piece: &Piece| sizes[piece.number as usize];
    all.sort_by(|p, q| {
        let sizes = size(q).cmp(&size(p));
        p.label
            .cmp(&q.label)
            .then(sizes)
            .then(p.number.cmp(&q.number))
    });
    let total: usize = all.iter().map(size).sum();
    all.dedup_by_key(|piece| piece.label);
    let kept: usize = all.iter().map(size).sum();
    (all, total - kept)
}

/// The centre of a pixel, from the centre of the picture, y up \[px\].
fn center(labels: &Raster<u32>, pixel: usize) -> DVec2 {
    let (column, row) = (pixel % labels.width, pixel / labels.width);
    DVec2::new(
        column as f64 + 0.5 - 0.5 * labels.width as f64,
        0.5 * labels.height as f64 - row as f64 - 0.5,
    )
}

/// Steps on the picture, y up: east, north, west, south.
const STEPS: [(isize, isize); 4] = [(1, 0), (0, 1), (-1, 0), (0, -1)];

/// Walks counter-clockwise round a piece, along the sides of its pixels, and lists the middles of these
/// sides \[px\]; says whether the edge of the picture is among them.
fn walk(labels: &Raster<u32>, numbers: &Raster<u32>, piece: &Piece) -> (Vec<DVec2>, bool) {
    let neighbour = |pixel: usize, direction: usize| -> Option<usize> {
        let (dx, dy) = STEPS[direction % 4];
        let column = (pixel % labels.width).checked_add_signed(dx)?;
        let row = (pixel / labels.width).checked_add_signed(-dy)?;
        (column < labels.width && row < labels.height).then(|| row * labels.width + column)
    };
    let is_inside = |pixel: usize| numbers.values[pixel] == piece.number;
    let mut ring = Vec::new();
    let mut is_cut = false;
    // The side below the lowest row is on the outer rim.
    let start = (piece.start, 3);
    let (mut pixel, mut outward) = start;
    loop {
        let beyond = neighbour(pixel, outward);
        is_cut |= beyond.is_none();
        let is_joint = beyond.is_some_and(|beyond| labels.values[beyond] != 0);
        let reach = if is_joint { 0.5 - 0.5 * LEAD } else { 0.5 };
        let (dx, dy) = STEPS[outward];
        ring.push(center(labels, pixel) + reach * DVec2::new(dx as f64, dy as f64));
        // Ahead, with the floe on the left.
        let ahead = neighbour(pixel, outward + 1).filter(|&next| is_inside(next));
        let across = ahead.and_then(|next| neighbour(next, outward));
        (pixel, outward) = match (ahead, across.filter(|&next| is_inside(next))) {
            (None, _) => (pixel, (outward + 1) % 4),
            (Some(next), None) => (next, outward),
            (Some(_), Some(next)) => (next, (outward + 3) % 4),
        };
        if (pixel, outward) == start {
            return (ring, is_cut);
        }
    }
}
