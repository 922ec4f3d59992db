//! A value for each pixel.

/// Values in rows from the top, each from the left.
#[derive(Clone, Debug, PartialEq)]
pub struct Raster<T> {
    /// Pixels in a row.
    pub width: usize,
    /// Rows.
    pub height: usize,
    /// Row after row; `width` times `height` of them.
    pub values: Vec<T>,
}

impl<T: Copy> Raster<T> {
    /// A raster with one value in all pixels.
    pub fn filled(width: usize, height: usize, value: T) -> Self {
        Self {
            width,
            height,
            values: vec![value; width * height],
        }
    }

    /// Another value for each pixel.
    pub fn map<U>(&self, value: impl Fn(T) -> U) -> Raster<U> {
        Raster {
            width: self.width,
            height: self.height,
            values: self.values.iter().map(|&old| value(old)).collect(),
        }
    }

    /// The pixels that share a side with this one.
    pub(super) fn neighbours(&self, index: usize) -> impl Iterator<Item = usize> + use<T> {
        let (width, count) = (self.width, self.values.len());
        let column = index % width;
        [
            (column > 0).then(|| index - 1),
            (column + 1 < width).then(|| index + 1),
            index.checked_sub(width),
            (index + width < count).then(|| index + width),
        ]
        .into_iter()
        .flatten()
    }
}

/// The pieces of a raster: numbers from 1 for pixels connected by sides and with the same value, 0 where
/// the value is `nothing`; and how many pixels each piece has, that of 0 included.
pub(super) fn pieces<T: Copy + PartialEq>(
    raster: &Raster<T>,
    nothing: T,
) -> (Raster<u32>, Vec<usize>) {
    let mut numbers = Raster::filled(raster.width, raster.height, 0);
    let mut sizes = vec![0];
    let mut stack = Vec::new();
    for start in 0..raster.values.len() {
        let value = raster.values[start];
        if value == nothing || numbers.values[start] != 0 {
            continue;
        }
        let number = sizes.len() as u32;
        let mut size = 0;
        numbers.values[start] = number;
        stack.push(start);
        while let Some(pixel) = stack.pop() {
            size += 1;
            for next in raster.neighbours(pixel) {
                if numbers.values[next] == 0 && raster.values[next] == value {
                    numbers.values[next] = number;
                    stack.push(next);
                }
            }
        }
        sizes.push(size);
    }
    sizes[0] = raster.values.len() - sizes.iter().sum::<usize>();
    (numbers, sizes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_are_joined_by_sides_and_not_by_corners() {
        let raster = Raster {
            width: 3,
            height: 3,
            values: vec![7, 7, 0, 0, 0, 7, 5, 7, 7],
        };
        let (numbers, sizes) = pieces(&raster, 0);
        assert_eq!(numbers.values, [1, 1, 0, 0, 0, 2, 3, 2, 2]);
        assert_eq!(sizes, [3, 2, 3, 1]);
    }
}
