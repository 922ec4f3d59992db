//! Numbers of cells for which transforms are quick.

/// The least even number of cells, at least `cells`, whose prime factors are 2, 3 and 5.
pub fn transform_size(cells: usize) -> usize {
    let is_smooth = |mut n: usize| {
        for factor in [2, 3, 5] {
            while n.is_multiple_of(factor) {
                n /= factor;
            }
        }
        n == 1
    };
    let mut n = cells.max(2).next_multiple_of(2);
    while !is_smooth(n) {
        n += 2;
    }
    n
}
