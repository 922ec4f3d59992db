//! The variable-length codes of coefficients (tables 9-5 and 9-7 to 9-10): lengths and bits.

/// A code: how many bits, and which.
pub(super) type Code = (u8, u8);

const fn zip<const N: usize>(lengths: [u8; N], bits: [u8; N]) -> [Code; N] {
    let mut codes = [(0, 0); N];
    let mut index = 0;
    while index < N {
        codes[index] = (lengths[index], bits[index]);
        index += 1;
    }
    codes
}

/// Codes for the numbers of coefficients and of trailing ones, at 4 × coefficients + ones; for few, some and many
/// coefficients in the neighbours.
#[rustfmt::skip] // as the tables are printed
pub(super) const COUNTS: [[Code; 68]; 3] = [
    zip([
         1, 0, 0, 0,
         6, 2, 0, 0,   8, 6, 3, 0,   9, 8, 7, 5,  10, 9, 8, 6,
        11,10, 9, 7,  13,11,10, 8,  13,13,11, 9,  13,13,13,10,
        14,14,13,11,  14,14,14,13,  15,15,14,14,  15,15,15,14,
        16,15,15,15,  16,16,16,15,  16,16,16,16,  16,16,16,16,
    ], [
         1, 0, 0, 0,
         5, 1, 0, 0,   7, 4, 1, 0,   7, 6, 5, 3,   7, 6, 5, 3,
         7, 6, 5, 4,  15, 6, 5, 4,  11,14, 5, 4,   8,10,13, 4,
        15,14, 9, 4,  11,10,13,12,  15,14, 9,12,  11,10,13, 8,
        15, 1, 9,12,  11,14,13, 8,   7,10, 9,12,   4, 6, 5, 8,
    ]),
    zip([
         2, 0, 0, 0,
         6, 2, 0, 0,   6, 5, 3, 0,   7, 6, 6, 4,   8, 6, 6, 4,
         8, 7, 7, 5,   9, 8, 8, 6,  11, 9, 9, 6,  11,11,11, 7,
        12,11,11, 9,  12,12,12,11,  12,12,12,11,  13,13,13,12,
        13,13,13,13,  13,14,13,13,  14,14,14,13,  14,14,14,14,
    ], [
         3, 0, 0, 0,
        11, 2, 0, 0,   7, 7, 3, 0,   7,10, 9, 5,   7, 6, 5, 4,
         4, 6, 5, 6,   7, 6, 5, 8,  15, 6, 5, 4,  11,14,13, 4,
        15,10, 9, 4,  11,14,13,12,   8,10, 9, 8,  15,14,13,12,
        11,10, 9,12,   7,11, 6, 8,   9, 8,10, 1,   7, 6, 5, 4,
    ]),
    zip([
         4, 0, 0, 0,
         6, 4, 0, 0,   6, 5, 4, 0,   6, 5, 5, 4,   7, 5, 5, 4,
         7, 5, 5, 4,   7, 6, 6, 4,   7, 6, 6, 4,   8, 7, 7, 5,
         8, 8, 7, 6,   9, 8, 8, 7,   9, 9, 8, 8,   9, 9, 9, 8,
        10, 9, 9, 9,  10,10,10,10,  10,10,10,10,  10,10,10,10,
    ], [
        15, 0, 0, 0,
        15,14, 0, 0,  11,15,13, 0,   8,12,14,12,  15,10,11,11,
        11, 8, 9,10,   9,14,13, 9,   8,10, 9, 8,  15,14,13,13,
        11,14,10,12,  15,10,13,12,  11,14, 9,12,   8,10,13, 8,
        13, 7, 9,12,   9,12,11,10,   5, 8, 7, 6,   1, 4, 3, 2,
    ]),
];

/// Codes for the counts of the first coefficients of a colour difference.
#[rustfmt::skip]
pub(super) const CHROMA_COUNTS: [Code; 20] = zip(
    [2, 0, 0, 0,  6, 1, 0, 0,  6, 6, 3, 0,  6, 7, 7, 6,  6, 8, 8, 7],
    [1, 0, 0, 0,  7, 1, 0, 0,  4, 6, 1, 0,  3, 3, 2, 5,  2, 3, 2, 0],
);

/// Codes for the number of zeros before the last coefficient, by the number of coefficients from 1.
#[rustfmt::skip]
pub(super) const ZEROS: [&[Code]; 15] = [
    &zip([1,3,3,4,4,5,5,6,6,7,7,8,8,9,9,9], [1,3,2,3,2,3,2,3,2,3,2,3,2,3,2,1]),
    &zip([3,3,3,3,3,4,4,4,4,5,5,6,6,6,6], [7,6,5,4,3,5,4,3,2,3,2,3,2,1,0]),
    &zip([4,3,3,3,4,4,3,3,4,5,5,6,5,6], [5,7,6,5,4,3,4,3,2,3,2,1,1,0]),
    &zip([5,3,4,4,3,3,3,4,3,4,5,5,5], [3,7,5,4,6,5,4,3,3,2,2,1,0]),
    &zip([4,4,4,3,3,3,3,3,4,5,4,5], [5,4,3,7,6,5,4,3,2,1,1,0]),
    &zip([6,5,3,3,3,3,3,3,4,3,6], [1,1,7,6,5,4,3,2,1,1,0]),
    &zip([6,5,3,3,3,2,3,4,3,6], [1,1,5,4,3,3,2,1,1,0]),
    &zip([6,4,5,3,2,2,3,3,6], [1,1,1,3,3,2,2,1,0]),
    &zip([6,6,4,2,2,3,2,5], [1,0,1,3,2,1,1,1]),
    &zip([5,5,3,2,2,2,4], [1,0,1,3,2,1,1]),
    &zip([4,4,3,3,1,3], [0,1,1,2,1,3]),
    &zip([4,4,2,1,3], [0,1,1,1,1]),
    &zip([3,3,1,2], [0,1,1,1]),
    &zip([2,2,1], [0,1,1]),
    &zip([1,1], [0,1]),
];

/// Codes for the number of zeros before the last of the first coefficients of a colour difference.
pub(super) const CHROMA_ZEROS: [&[Code]; 3] = [
    &zip([1, 2, 3, 3], [1, 1, 1, 0]),
    &zip([1, 2, 2], [1, 1, 0]),
    &zip([1, 1], [1, 0]),
];

/// Codes for the zeros before one coefficient, by the zeros that are left from 1; for more than six they are one table.
pub(super) const RUNS: [&[Code]; 7] = [
    &zip([1, 1], [1, 0]),
    &zip([1, 2, 2], [1, 1, 0]),
    &zip([2, 2, 2, 2], [3, 2, 1, 0]),
    &zip([2, 2, 2, 3, 3], [3, 2, 1, 1, 0]),
    &zip([2, 2, 3, 3, 3, 3], [3, 2, 3, 2, 1, 0]),
    &zip([2, 3, 3, 3, 3, 3, 3], [3, 0, 1, 3, 2, 5, 4]),
    &zip(
        [3, 3, 3, 3, 3, 3, 3, 4, 5, 6, 7, 8, 9, 10, 11],
        [7, 6, 5, 4, 3, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1],
    ),
];

#[cfg(test)]
mod tests {
    use super::*;

    /// No code begins another one.
    fn check(codes: &[Code], name: &str) {
        let used: Vec<&Code> = codes.iter().filter(|(length, _)| *length > 0).collect();
        for (index, (length, bits)) in used.iter().enumerate() {
            assert!(
                u32::from(*bits) < 1 << length,
                "{name}: {bits} in {length} bits"
            );
            for (other_length, other) in &used[index + 1..] {
                let common = (*length).min(*other_length);
                let start = |bits: u8, length: u8| u32::from(bits) >> (length - common);
                assert_ne!(
                    start(*bits, *length),
                    start(*other, *other_length),
                    "{name}: {bits} and {other}"
                );
            }
        }
    }

    #[test]
    fn codes_can_be_told_apart() {
        for (index, table) in COUNTS.iter().enumerate() {
            check(table, &format!("counts {index}"));
        }
        check(&CHROMA_COUNTS, "counts of colours");
        let others = ZEROS.iter().chain(&CHROMA_ZEROS).chain(&RUNS);
        for (index, table) in others.enumerate() {
            check(table, &format!("table {index}"));
        }
        for (index, table) in ZEROS.iter().enumerate() {
            assert_eq!(table.len(), 16 - index);
        }
    }
}
