//! Brightness and colour differences of a picture, colours at half the resolution (ITU-R BT.709, limited range).

use super::SIDE;
use super::headers::Format;

/// One plane of numbers.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Plane {
    pub(super) width: usize,
    pub(super) values: Vec<u8>,
}

impl Plane {
    fn new(width: usize, height: usize) -> Self {
        Self {
            width,
            values: vec![0; width * height],
        }
    }

    pub(super) fn at(&self, x: usize, y: usize) -> u8 {
        self.values[y * self.width + x]
    }

    /// A square block as a list of rows.
    pub(super) fn block<const N: usize>(&self, x: usize, y: usize) -> [[i32; N]; N] {
        std::array::from_fn(|row| {
            std::array::from_fn(|column| i32::from(self.at(x + column, y + row)))
        })
    }

    pub(super) fn put<const N: usize>(&mut self, x: usize, y: usize, block: &[[i32; N]; N]) {
        for (row, values) in block.iter().enumerate() {
            let start = (y + row) * self.width + x;
            for (place, &value) in self.values[start..start + N].iter_mut().zip(values) {
                *place = value.clamp(0, 255) as u8;
            }
        }
    }

    fn same_block(&self, other: &Self, x: usize, y: usize, side: usize) -> bool {
        (y..y + side).all(|row| {
            let range = row * self.width + x..row * self.width + x + side;
            self.values[range.clone()] == other.values[range]
        })
    }
}

/// A picture in whole macroblocks.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::export::film) struct Planes {
    pub(super) luma: Plane,
    pub(super) chroma: [Plane; 2],
}

impl Planes {
    pub(super) fn new(format: Format) -> Self {
        let (width, height) = (format.columns() * SIDE, format.rows() * SIDE);
        let half = || Plane::new(width / 2, height / 2);
        Self {
            luma: Plane::new(width, height),
            chroma: [half(), half()],
        }
    }

    /// From red, green and blue of all pixels; the last row and column go on to the end of the macroblocks.
    pub(in crate::export::film) fn from_rgb(format: Format, rgb: &[u8]) -> Self {
        let mut planes = Self::new(format);
        let pixels = rgb.as_chunks::<3>().0;
        let pixel = |x: usize, y: usize| {
            let (x, y) = (x.min(format.width - 1), y.min(format.height - 1));
            pixels[y * format.width + x].map(f32::from)
        };
        let (width, height) = (
            planes.luma.width,
            planes.luma.values.len() / planes.luma.width,
        );
        for y in 0..height {
            for x in 0..width {
                planes.luma.values[y * width + x] =
                    (16.0 + brightness(pixel(x, y)) * (219.0 / 255.0)).round() as u8;
            }
        }
        for y in 0..height / 2 {
            for x in 0..width / 2 {
                let corners =
                    [(0, 0), (1, 0), (0, 1), (1, 1)].map(|(i, j)| pixel(2 * x + i, 2 * y + j));
                let mean =
                    [0, 1, 2].map(|k| corners.iter().map(|corner| corner[k]).sum::<f32>() / 4.0);
                let [red, _, blue] = mean;
                let bright = brightness(mean);
                let differences = [(blue - bright) / 1.8556, (red - bright) / 1.5748];
                for (plane, difference) in planes.chroma.iter_mut().zip(differences) {
                    plane.values[y * (width / 2) + x] =
                        (128.0 + difference * (224.0 / 255.0)).round() as u8;
                }
            }
        }
        planes
    }

    /// Whether a macroblock is the same in both.
    pub(super) fn same_macroblock(&self, other: &Self, column: usize, row: usize) -> bool {
        let (x, y) = (column * SIDE, row * SIDE);
        let same = |a: &Plane, b: &Plane| a.same_block(b, x / 2, y / 2, SIDE / 2);
        self.luma.same_block(&other.luma, x, y, SIDE)
            && same(&self.chroma[0], &other.chroma[0])
            && same(&self.chroma[1], &other.chroma[1])
    }
}

fn brightness([red, green, blue]: [f32; 3]) -> f32 {
    0.2126 * red + 0.7152 * green + 0.0722 * blue
}
