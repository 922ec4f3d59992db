//! Exact Euclidean distance transform: distance of each pixel from the nearest one outside.

use super::raster::Raster;

/// Squared distance from the centre of each pixel of the mask to that of the nearest pixel outside it,
/// in pixels; 0 outside, infinite where there is no outside. Beyond the edge of the picture is not
/// outside: a floe cut by the edge goes on there.
///
/// The lower envelope of parabolas, first down the columns, then along the rows (Felzenszwalb &
/// Huttenlocher 2012, doi:10.4086/toc.2012.v008a019).
pub(super) fn squared_distances(mask: &Raster<bool>) -> Raster<f64> {
    let (width, height) = (mask.width, mask.height);
    let mut distances = mask.map(|is_inside| if is_inside { f64::INFINITY } else { 0.0 });
    let mut envelope = Envelope::default();
    let mut line = Vec::new();
    for column in 0..width {
        line.clear();
        line.extend((0..height).map(|row| distances.values[row * width + column]));
        envelope.transform(&mut line);
        for (row, &value) in line.iter().enumerate() {
            distances.values[row * width + column] = value;
        }
    }
    for row in distances.values.chunks_mut(width.max(1)) {
        envelope.transform(row);
    }
    distances
}

/// Room for the parabolas of one line.
#[derive(Default)]
struct Envelope {
    /// Where the parabolas of the envelope have their feet, and their values there.
    feet: Vec<(f64, f64)>,
    /// Where each of them takes over from the one before.
    starts: Vec<f64>,
}

impl Envelope {
    /// Replaces each value f(x) by the least of f(y) + (x - y)².
    fn transform(&mut self, line: &mut [f64]) {
        self.feet.clear();
        self.starts.clear();
        for (x, &value) in line.iter().enumerate() {
            if value == f64::INFINITY {
                continue;
            }
            let x = x as f64;
            let mut start = f64::NEG_INFINITY;
            while let Some(&(foot, least)) = self.feet.last() {
                start = (value + x * x - least - foot * foot) / (2.0 * (x - foot));
                if start > self.starts[self.starts.len() - 1] {
                    break;
                }
                self.feet.pop();
                self.starts.pop();
                start = f64::NEG_INFINITY;
            }
            self.feet.push((x, value));
            self.starts.push(start);
        }
        let mut current = 0;
        for (x, value) in line.iter_mut().enumerate() {
            let x = x as f64;
            while self.starts.get(current + 1).is_some_and(|&start| start < x) {
                current += 1;
            }
            if let Some((foot, least)) = self.feet.get(current) {
                *value = least + (x - foot) * (x - foot);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances_are_those_of_brute_force() {
        let (width, height) = (23, 17);
        // Some pixels outside, scattered without a pattern.
        for spread in [3_usize, 11, 40, 1000] {
            let is_inside = |k: usize| !(k * 7919 + 13).is_multiple_of(spread);
            let mask = Raster {
                width,
                height,
                values: (0..width * height).map(is_inside).collect(),
            };
            let distances = squared_distances(&mask);
            for (pixel, &found) in distances.values.iter().enumerate() {
                let outside = (0..width * height).filter(|&other| !mask.values[other]);
                let expected = outside.map(|other| {
                    let dx = (pixel % width).abs_diff(other % width);
                    let dy = (pixel / width).abs_diff(other / width);
                    (dx * dx + dy * dy) as f64
                });
                assert_eq!(found, expected.fold(f64::INFINITY, f64::min));
            }
        }
    }
}
