//! The 4×4 transform with its quantisation, and back, to the bit as every decoder does it (clause 8.5).

use super::QP;

/// A block of 4×4 numbers, row by row.
pub(super) type Block = [[i32; 4]; 4];

/// Factors of quantisation for QP mod 6: at even places, at odd places, elsewhere.
const QUANTISE: [[i32; 3]; 6] = [
    [13107, 5243, 8066],
    [11916, 4660, 7490],
    [10082, 4194, 6554],
    [9362, 3647, 5825],
    [8192, 3355, 5243],
    [7282, 2893, 4559],
];
/// Factors of the way back (table 8-15 and equation 8-314).
const SCALE: [[i32; 3]; 6] = [
    [10, 16, 13],
    [11, 18, 14],
    [13, 20, 16],
    [14, 23, 18],
    [16, 25, 20],
    [18, 29, 23],
];

const SHIFT: u32 = 15 + QP / 6;

fn kind(row: usize, column: usize) -> usize {
    match (row % 2, column % 2) {
        (0, 0) => 0,
        (1, 1) => 1,
        _ => 2,
    }
}

fn quantise(value: i32, factor: i32, shift: u32) -> i32 {
    // A third of a step, as is usual for blocks predicted within a frame: what is small becomes nothing.
    let rounding = (1_i64 << shift) / 3;
    let level = (i64::from(value.abs()) * i64::from(factor) + rounding) >> shift;
    level as i32 * value.signum()
}

/// The transform of a block of differences.
pub(super) fn forward(block: &Block) -> Block {
    let turn = |[a, b, c, d]: [i32; 4]| {
        let (p, q, r, s) = (a + d, b + c, b - c, a - d);
        [p + q, 2 * s + r, p - q, s - 2 * r]
    };
    transposed(&transposed(&block.map(turn)).map(turn))
}

/// Levels of all coefficients of a transformed block but the first, which is treated apart.
pub(super) fn quantise_others(block: &Block) -> Block {
    let factors = QUANTISE[(QP % 6) as usize];
    let mut levels: Block = std::array::from_fn(|row| {
        std::array::from_fn(|column| {
            quantise(block[row][column], factors[kind(row, column)], SHIFT)
        })
    });
    levels[0][0] = 0;
    levels
}

/// Levels of the first coefficients of the 16 blocks of brightness, which are transformed once more.
pub(super) fn quantise_luma_means(means: &Block) -> Block {
    let factor = QUANTISE[(QP % 6) as usize][0];
    hadamard(means).map(|row| row.map(|value| quantise((value + 1) >> 1, factor, SHIFT + 1)))
}

/// Levels of the first coefficients of the four blocks of a colour difference.
pub(super) fn quantise_chroma_means(means: [i32; 4]) -> [i32; 4] {
    let factor = QUANTISE[(QP % 6) as usize][0];
    hadamard_of_four(means).map(|value| quantise(value, factor, SHIFT + 1))
}

/// First coefficients of the 16 blocks from their levels (equations 8-320 to 8-322).
pub(super) fn restore_luma_means(levels: &Block) -> Block {
    let scale = 16 * SCALE[(QP % 6) as usize][0];
    let shift = 6 - QP / 6;
    hadamard(levels).map(|row| row.map(|value| (value * scale + (1 << (shift - 1))) >> shift))
}

/// First coefficients of the four blocks of a colour difference from their levels (equation 8-330).
pub(super) fn restore_chroma_means(levels: [i32; 4]) -> [i32; 4] {
    let scale = 16 * SCALE[(QP % 6) as usize][0];
    hadamard_of_four(levels).map(|value| ((value * scale) << (QP / 6)) >> 5)
}

/// The differences of a block from its levels and its first coefficient.
pub(super) fn inverse(levels: &Block, mean: i32) -> Block {
    let scales = SCALE[(QP % 6) as usize];
    let mut block: Block = std::array::from_fn(|row| {
        std::array::from_fn(|column| (levels[row][column] * scales[kind(row, column)]) << (QP / 6))
    });
    block[0][0] = mean;
    let turn = |[a, b, c, d]: [i32; 4]| {
        let (p, q, r, s) = (a + c, a - c, (b >> 1) - d, b + (d >> 1));
        [p + s, q + r, q - r, p - s]
    };
    let turned = transposed(&transposed(&block.map(turn)).map(turn));
    turned.map(|row| row.map(|value| (value + 32) >> 6))
}

fn hadamard(block: &Block) -> Block {
    let turn = |[a, b, c, d]: [i32; 4]| {
        let (p, q, r, s) = (a + d, b + c, b - c, a - d);
        [p + q, s + r, p - q, s - r]
    };
    transposed(&transposed(&block.map(turn)).map(turn))
}

fn hadamard_of_four([a, b, c, d]: [i32; 4]) -> [i32; 4] {
    [a + b + c + d, a - b + c - d, a + b - c - d, a - b - c + d]
}

fn transposed(block: &Block) -> Block {
    std::array::from_fn(|row| std::array::from_fn(|column| block[column][row]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_block_comes_back_but_for_the_quantisation() {
        let block: Block = std::array::from_fn(|row| {
            std::array::from_fn(|column| ((row * 37 + column * 91) % 120) as i32 - 60)
        });
        let turned = forward(&block);
        let levels = quantise_others(&turned);
        // The first coefficient as the way through the means of a flat neighbourhood gives it: 16 times a step of the mean.
        let back = inverse(&levels, turned[0][0] * 4);
        for (row, restored) in block.iter().flatten().zip(back.iter().flatten()) {
            assert!((row - restored).abs() <= 8, "{row} became {restored}");
        }
    }

    #[test]
    fn flat_blocks_come_back_through_their_means() {
        for value in [-200, -31, 0, 7, 100] {
            let turned = forward(&[[value; 4]; 4]);
            assert_eq!(turned[0][0], 16 * value);
            let levels = quantise_luma_means(&[[16 * value; 4]; 4]);
            let means = restore_luma_means(&levels);
            let back = inverse(&[[0; 4]; 4], means[2][3])[1][1];
            assert!((back - value).abs() <= 1, "{value} became {back}");
            let means = restore_chroma_means(quantise_chroma_means([16 * value; 4]));
            let back = inverse(&[[0; 4]; 4], means[1])[1][1];
            assert!((back - value).abs() <= 2, "{value} became {back}");
        }
    }
}
