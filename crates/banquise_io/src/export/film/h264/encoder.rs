//! Macroblocks, one after the other.

use super::SIDE;
use super::bits::Bits;
use super::headers::{Format, slice_header};
use super::planes::Planes;
use super::predict::{Neighbors, predict_chroma, predict_luma};
use super::residual::{Context, in_order, put_levels};
use super::transform::{
    Block, forward, inverse, quantise_chroma_means, quantise_luma_means, quantise_others,
    restore_chroma_means, restore_luma_means,
};

/// Seconds between frames that stand alone, where a player may start.
const STANDS_ALONE_EVERY: u32 = 5;

/// The place of a square of 16 by 16 pixels, counted in such squares.
#[derive(Clone, Copy)]
struct Macroblock {
    column: usize,
    row: usize,
}

/// Codes one frame after the other.
pub(in crate::export::film) struct Encoder {
    format: Format,
    /// The frame before, as it was given.
    before: Option<Planes>,
    /// What a player sees.
    shown: Planes,
    /// Coefficients of each block of brightness, and of each colour difference, that are not zero.
    counts: [Counts; 3],
    frame: u32,
}

/// Numbers of coefficients of the 4×4 blocks of a plane.
struct Counts {
    width: usize,
    counts: Vec<u32>,
}

impl Counts {
    fn new(width: usize, height: usize) -> Self {
        Self {
            width,
            counts: vec![0; width * height],
        }
    }

    /// How many there are in the neighbours, on average.
    fn context(&self, x: usize, y: usize) -> Context {
        let at = |x: usize, y: usize| self.counts[y * self.width + x];
        let left = (x > 0).then(|| at(x - 1, y));
        let above = (y > 0).then(|| at(x, y - 1));
        Context::Neighbors(match (left, above) {
            (Some(left), Some(above)) => (left + above).div_ceil(2),
            (Some(one), None) | (None, Some(one)) => one,
            (None, None) => 0,
        })
    }

    fn set(&mut self, x: usize, y: usize, count: u32) {
        self.counts[y * self.width + x] = count;
    }
}

/// Order of the blocks of a macroblock, by column and row: four quarters, each of four.
#[rustfmt::skip]
const BLOCKS: [(usize, usize); 16] = [
    (0, 0), (1, 0), (0, 1), (1, 1),  (2, 0), (3, 0), (2, 1), (3, 1),
    (0, 2), (1, 2), (0, 3), (1, 3),  (2, 2), (3, 2), (2, 3), (3, 3),
];

/// A coded square of 4×4 blocks: N is how many in a row.
struct Coded<const N: usize> {
    /// Levels of the first coefficients, and of the others of each block.
    others: [[Block; N]; N],
    has_others: bool,
}

impl<const N: usize> Coded<N> {
    /// Transforms differences; gives the first coefficients as well.
    fn of<const SIDE: usize>(differences: &[[i32; SIDE]; SIDE]) -> (Self, [[i32; N]; N]) {
        let turned: [[Block; N]; N] = std::array::from_fn(|row| {
            std::array::from_fn(|column| {
                forward(&std::array::from_fn(|y| {
                    std::array::from_fn(|x| differences[4 * row + y][4 * column + x])
                }))
            })
        });
        let others = turned.map(|row| row.map(|block| quantise_others(&block)));
        let has_others = others
            .iter()
            .flatten()
            .flatten()
            .flatten()
            .any(|&level| level != 0);
        (
            Self { others, has_others },
            turned.map(|row| row.map(|block| block[0][0])),
        )
    }

    /// What a player makes of it.
    fn restored<const SIDE: usize>(
        &self,
        means: &[[i32; N]; N],
        prediction: &[[i32; SIDE]; SIDE],
    ) -> [[i32; SIDE]; SIDE] {
        let mut result = *prediction;
        for (row, blocks) in self.others.iter().enumerate() {
            for (column, levels) in blocks.iter().enumerate() {
                let block = inverse(levels, means[row][column]);
                for (y, values) in block.iter().enumerate() {
                    for (x, value) in values.iter().enumerate() {
                        result[4 * row + y][4 * column + x] += value;
                    }
                }
            }
        }
        result
    }
}

fn difference<const N: usize>(wanted: &[[i32; N]; N], prediction: &[[i32; N]; N]) -> [[i32; N]; N] {
    std::array::from_fn(|y| std::array::from_fn(|x| wanted[y][x] - prediction[y][x]))
}

impl Encoder {
    pub(in crate::export::film) fn new(format: Format) -> Self {
        let (columns, rows) = (format.columns(), format.rows());
        let half = || Counts::new(2 * columns, 2 * rows);
        Self {
            format,
            before: None,
            shown: Planes::new(format),
            counts: [Counts::new(4 * columns, 4 * rows), half(), half()],
            frame: 0,
        }
    }

    /// Codes a frame as one unit of the stream, and says whether it stands alone.
    pub(in crate::export::film) fn encode(&mut self, picture: Planes) -> (Vec<u8>, bool) {
        let every = STANDS_ALONE_EVERY * self.format.frames_per_second;
        let number = self.frame % every;
        let stands_alone = number == 0;
        let mut bits = slice_header(stands_alone, number % 256, self.frame / every);
        let before = self.before.take().filter(|_| !stands_alone);
        let mut skipped = 0;
        for row in 0..self.format.rows() {
            for column in 0..self.format.columns() {
                let is_same = |before: &Planes| picture.same_macroblock(before, column, row);
                let place = Macroblock { column, row };
                if before.as_ref().is_some_and(is_same) {
                    skipped += 1;
                    self.forget_counts(place);
                    continue;
                }
                if !stands_alone {
                    bits.unsigned(skipped);
                    skipped = 0;
                }
                self.put_macroblock(&mut bits, &picture, place, stands_alone);
            }
        }
        if skipped > 0 {
            bits.unsigned(skipped);
        }
        self.before = Some(picture);
        self.frame += 1;
        (
            bits.into_unit(if stands_alone { 0x65 } else { 0x41 }),
            stands_alone,
        )
    }

    /// A macroblock that is not coded has no coefficients.
    fn forget_counts(&mut self, Macroblock { column, row }: Macroblock) {
        for (counts, side) in self.counts.iter_mut().zip([4, 2, 2]) {
            for y in 0..side {
                for x in 0..side {
                    counts.set(side * column + x, side * row + y, 0);
                }
            }
        }
    }

    fn put_macroblock(
        &mut self,
        bits: &mut Bits,
        picture: &Planes,
        place: Macroblock,
        stands_alone: bool,
    ) {
        let Macroblock { column, row } = place;
        self.forget_counts(place);
        let (x, y) = (column * SIDE, row * SIDE);
        let wanted = picture.luma.block::<16>(x, y);
        let (luma_mode, prediction) = predict_luma(&Neighbors::of(&self.shown.luma, x, y), &wanted);
        let (luma, means) = Coded::<4>::of(&difference(&wanted, &prediction));
        let luma_means = quantise_luma_means(&means);
        let restored = luma.restored(&restore_luma_means(&luma_means), &prediction);
        self.shown.luma.put(x, y, &restored);

        let (x, y) = (x / 2, y / 2);
        let wanted = [0, 1].map(|k| picture.chroma[k].block::<8>(x, y));
        let neighbors = [0, 1].map(|k| Neighbors::of(&self.shown.chroma[k], x, y));
        let (chroma_mode, predictions) = predict_chroma(&neighbors, &wanted);
        let mut chroma_means = [[0; 4]; 2];
        let chroma: [Coded<2>; 2] = [0, 1].map(|k| {
            let (coded, [[a, b], [c, d]]) =
                Coded::<2>::of(&difference(&wanted[k], &predictions[k]));
            chroma_means[k] = quantise_chroma_means([a, b, c, d]);
            let [a, b, c, d] = restore_chroma_means(chroma_means[k]);
            let restored = coded.restored(&[[a, b], [c, d]], &predictions[k]);
            self.shown.chroma[k].put(x, y, &restored);
            coded
        });

        let has_chroma_means = chroma_means.iter().flatten().any(|&level| level != 0);
        let chroma_pattern = match (
            chroma.iter().any(|coded| coded.has_others),
            has_chroma_means,
        ) {
            (true, _) => 2,
            (false, true) => 1,
            (false, false) => 0,
        };
        let kind = 1 + luma_mode + 4 * chroma_pattern + 12 * u32::from(luma.has_others);
        bits.unsigned(if stands_alone { kind } else { kind + 5 });
        bits.unsigned(chroma_mode);
        bits.signed(0);
        self.put_luma(bits, &luma_means, &luma, place);
        if chroma_pattern > 0 {
            for means in &chroma_means {
                put_levels(bits, means, Context::ChromaMeans);
            }
        }
        if chroma_pattern == 2 {
            self.put_chroma(bits, &chroma, place);
        }
    }

    fn put_luma(&mut self, bits: &mut Bits, means: &Block, luma: &Coded<4>, place: Macroblock) {
        let counts = &mut self.counts[0];
        let (x, y) = (4 * place.column, 4 * place.row);
        put_levels(bits, &in_order(means), counts.context(x, y));
        if !luma.has_others {
            return;
        }
        for (i, j) in BLOCKS {
            let levels = in_order(&luma.others[j][i]);
            let context = counts.context(x + i, y + j);
            let count = put_levels(bits, &levels[1..], context);
            counts.set(x + i, y + j, count);
        }
    }

    fn put_chroma(&mut self, bits: &mut Bits, chroma: &[Coded<2>; 2], place: Macroblock) {
        for (coded, counts) in chroma.iter().zip(&mut self.counts[1..]) {
            for (i, j) in [(0, 0), (1, 0), (0, 1), (1, 1)] {
                let (x, y) = (2 * place.column + i, 2 * place.row + j);
                let levels = in_order(&coded.others[j][i]);
                let count = put_levels(bits, &levels[1..], counts.context(x, y));
                counts.set(x, y, count);
            }
        }
    }
}
