//! Choosing some of many records or floes.

/// At most `limit` of the indices below `count`, evenly, the first and the last among them.
pub(crate) fn spread(count: usize, limit: usize) -> impl Iterator<Item = usize> {
    let taken = count.min(limit);
    (0..taken).map(move |i| {
        if taken < 2 {
            0
        } else {
            i * (count - 1) / (taken - 1)
        }
    })
}

/// The index of the time nearest to one, among growing times.
pub(crate) fn nearest(times: &[f64], time: f64) -> Option<usize> {
    let after = times.partition_point(|&t| t < time);
    let candidates = [after.checked_sub(1), Some(after)].into_iter().flatten();
    candidates
        .filter(|&record| record < times.len())
        .min_by(|&a, &b| {
            let distance = |record: usize| (times[record] - time).abs();
            distance(a).total_cmp(&distance(b))
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spread_keeps_both_ends_and_the_limit() {
        assert_eq!(spread(5, 10).collect::<Vec<_>>(), [0, 1, 2, 3, 4]);
        assert_eq!(spread(0, 10).count(), 0);
        assert_eq!(spread(1, 10).collect::<Vec<_>>(), [0]);
        let many: Vec<usize> = spread(1000, 7).collect();
        assert_eq!((many.len(), many[0], many[6]), (7, 0, 999));
    }

    #[test]
    fn the_nearest_time_may_be_before_or_after() {
        let times = [0.0, 10.0, 20.0];
        let found: Vec<_> = [-5.0, 4.0, 6.0, 99.0]
            .map(|time| nearest(&times, time))
            .to_vec();
        assert_eq!(found, [Some(0), Some(0), Some(1), Some(2)]);
        assert_eq!(nearest(&[], 1.0), None);
    }
}
