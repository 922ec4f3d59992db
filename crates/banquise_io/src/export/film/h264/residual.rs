//! Coefficients as variable-length codes (clause 9.2).

use super::bits::Bits;
use super::tables::{CHROMA_COUNTS, CHROMA_ZEROS, COUNTS, Code, RUNS, ZEROS};
use super::transform::Block;

/// The order of coefficients: low frequencies first.
#[rustfmt::skip]
const ZIGZAG: [(usize, usize); 16] = [
    (0, 0), (0, 1), (1, 0), (2, 0), (1, 1), (0, 2), (0, 3), (1, 2),
    (2, 1), (3, 0), (3, 1), (2, 2), (1, 3), (2, 3), (3, 2), (3, 3),
];

/// The levels of a block in order; rows first.
pub(super) fn in_order(block: &Block) -> [i32; 16] {
    ZIGZAG.map(|(row, column)| block[row][column])
}

/// Which codes tell the number of coefficients.
#[derive(Debug, Clone, Copy)]
pub(super) enum Context {
    /// As many as there are in the neighbours, on average.
    Neighbors(u32),
    /// The first coefficients of a colour difference.
    ChromaMeans,
}

fn put(bits: &mut Bits, (length, code): Code) {
    bits.put(u32::from(code), u32::from(length));
}

/// Writes the levels of a block, and says how many are not zero.
pub(super) fn put_levels(bits: &mut Bits, levels: &[i32], context: Context) -> u32 {
    let places: Vec<usize> = (0..levels.len())
        .filter(|&place| levels[place] != 0)
        .collect();
    let total = places.len();
    // The last ones, three at most, if they are ±1, have codes of their own.
    let ones = places
        .iter()
        .rev()
        .take(3)
        .take_while(|&&place| levels[place].abs() == 1)
        .count();
    put_counts(bits, total, ones, context);
    if total == 0 {
        return 0;
    }
    let from_last: Vec<i32> = places.iter().rev().map(|&place| levels[place]).collect();
    for &level in &from_last[..ones] {
        bits.flag(level < 0);
    }
    put_large(bits, &from_last[ones..], total, ones);
    put_places(bits, &places, levels.len(), context);
    total as u32
}

fn put_counts(bits: &mut Bits, total: usize, ones: usize, context: Context) {
    let index = 4 * total + ones;
    match context {
        Context::ChromaMeans => put(bits, CHROMA_COUNTS[index]),
        Context::Neighbors(0..=1) => put(bits, COUNTS[0][index]),
        Context::Neighbors(2..=3) => put(bits, COUNTS[1][index]),
        Context::Neighbors(4..=7) => put(bits, COUNTS[2][index]),
        Context::Neighbors(_) if total == 0 => bits.put(3, 6),
        Context::Neighbors(_) => bits.put((4 * (total - 1) + ones) as u32, 6),
    }
}

/// Levels other than the trailing ones, the last first: a prefix of zeros, and a suffix that grows with what was seen.
fn put_large(bits: &mut Bits, levels: &[i32], total: usize, ones: usize) {
    let mut suffix = u32::from(total > 10 && ones < 3);
    for (index, &level) in levels.iter().enumerate() {
        let size = level.unsigned_abs();
        let mut code = 2 * size - 2 + u32::from(level < 0);
        if index == 0 && ones < 3 {
            // It would have been a trailing one if it were ±1.
            code -= 2;
        }
        if suffix == 0 && code < 14 {
            bits.put(1, code + 1);
        } else if suffix == 0 && code < 30 {
            bits.put(1, 15);
            bits.put(code - 14, 4);
        } else if suffix > 0 && code < 15 << suffix {
            bits.put(1, (code >> suffix) + 1);
            bits.put(code & ((1 << suffix) - 1), suffix);
        } else {
            let least = if suffix == 0 { 30 } else { 15 << suffix };
            assert!(
                code - least < 4096,
                "a level of {level} is beyond the codes of the profile"
            );
            bits.put(1, 16);
            bits.put(code - least, 12);
        }
        suffix = suffix.max(1);
        if size > 3 << (suffix - 1) && suffix < 6 {
            suffix += 1;
        }
    }
}

/// How many zeros are among the levels, and before which.
fn put_places(bits: &mut Bits, places: &[usize], length: usize, context: Context) {
    let total = places.len();
    let last = places[total - 1];
    let mut zeros = last + 1 - total;
    if total < length {
        match context {
            Context::ChromaMeans => put(bits, CHROMA_ZEROS[total - 1][zeros]),
            Context::Neighbors(_) => put(bits, ZEROS[total - 1][zeros]),
        }
    }
    for pair in places.windows(2).rev() {
        if zeros == 0 {
            break;
        }
        let run = pair[1] - pair[0] - 1;
        put(bits, RUNS[zeros.min(7) - 1][run]);
        zeros -= run;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_block_is_coded_as_in_the_literature() {
        // Richardson 2003, section 6.4.13.2, example 1: 0, 3, 0, 1, −1, −1, 0, 1, 0… with nC = 0.
        let levels = [0, 3, 0, 1, -1, -1, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0];
        let mut bits = Bits::default();
        assert_eq!(put_levels(&mut bits, &levels, Context::Neighbors(0)), 5);
        // 000010001110010111101101 and the stop bit.
        assert_eq!(
            bits.into_unit(9),
            [9, 0b0000_1000, 0b1110_0101, 0b1110_1101, 0x80]
        );
    }

    #[test]
    fn nothing_is_one_bit() {
        let mut bits = Bits::default();
        assert_eq!(put_levels(&mut bits, &[0; 15], Context::Neighbors(1)), 0);
        assert_eq!(bits.into_unit(9), [9, 0b1100_0000]);
    }
}
