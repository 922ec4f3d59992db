//! Cleaning a mask: small holes filled, thin parts opened.

use super::distance::squared_distances;
use super::raster::{Raster, pieces};

/// The mask with its holes of fewer than `min_pixels` pixels filled.
pub(super) fn without_small_holes(mask: &Raster<bool>, min_pixels: usize) -> Raster<bool> {
    let (numbers, sizes) = pieces(&mask.map(|is_inside| !is_inside), false);
    numbers.map(|number| number == 0 || sizes[number as usize] < min_pixels)
}

/// The mask without the parts in which no disc of this radius \[px\] fits: what a disc inside the mask
/// can cover.
pub(super) fn opened(mask: &Raster<bool>, radius: f64) -> Raster<bool> {
    let reach = radius * radius;
    let centers = squared_distances(mask).map(|distance| distance > reach);
    let from_centers = squared_distances(&centers.map(|is_center| !is_center));
    from_centers.map(|distance| distance <= reach)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mask(rows: &[&str]) -> Raster<bool> {
        Raster {
            width: rows[0].len(),
            height: rows.len(),
            values: rows.concat().chars().map(|c| c == '#').collect(),
        }
    }

    #[test]
    fn opening_cuts_bridges_and_keeps_what_is_wide() {
        let before = mask(&[
            ".........",
            ".###.....",
            ".#######.",
            ".###.###.",
            ".....###.",
            ".........",
        ]);
        let after = mask(&[
            ".........",
            "..##.....",
            ".####.#..",
            "..##.###.",
            "......#..",
            ".........",
        ]);
        assert_eq!(opened(&before, 1.0), after);
    }

    #[test]
    fn small_holes_are_filled_and_bays_are_not() {
        let before = mask(&["#####", "#.##.", "####.", "##..#", "#####"]);
        let after = mask(&["#####", "####.", "####.", "##..#", "#####"]);
        assert_eq!(without_small_holes(&before, 2), after);
    }
}
