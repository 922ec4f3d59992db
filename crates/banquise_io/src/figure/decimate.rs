//! Fewer points, same picture. All lengths are pixels of the finished figure.

/// Splits `points` where one of them is missing.
pub(super) fn runs(points: &[Option<[f64; 2]>]) -> Vec<Vec<[f64; 2]>> {
    points
        .split(Option::is_none)
        .map(|run| run.iter().copied().flatten().collect::<Vec<_>>())
        .filter(|run| !run.is_empty())
        .collect()
}

/// Of each stretch of consecutive points in one pixel column, keeps the first, the lowest, the
/// highest and the last, in their order: no peak is lost however short it is.
pub(super) fn column_extrema(points: &[[f64; 2]], column_width: f64) -> Vec<[f64; 2]> {
    let column_of = |point: &[f64; 2]| (point[0] / column_width).floor();
    let mut kept = Vec::new();
    for stretch in points.chunk_by(|a, b| column_of(a) == column_of(b)) {
        let by_height = |a: &usize, b: &usize| stretch[*a][1].total_cmp(&stretch[*b][1]);
        let lowest = (0..stretch.len()).min_by(by_height).unwrap_or(0);
        let highest = (0..stretch.len()).max_by(by_height).unwrap_or(0);
        let mut indices = [
            0,
            lowest.min(highest),
            lowest.max(highest),
            stretch.len() - 1,
        ]
        .to_vec();
        indices.dedup();
        kept.extend(indices.into_iter().map(|index| stretch[index]));
    }
    kept
}

/// Drops points closer than `distance` to the last one kept; both ends stay.
pub(super) fn thin(points: &[[f64; 2]], distance: f64) -> Vec<[f64; 2]> {
    let mut kept: Vec<[f64; 2]> = Vec::new();
    for (index, point) in points.iter().enumerate() {
        let is_end = index + 1 == points.len();
        if is_end
            || kept
                .last()
                .is_none_or(|last| separation_sq(*last, *point) >= distance * distance)
        {
            kept.push(*point);
        }
    }
    kept
}

/// Drops points that lie within `tolerance` of the line drawn without them
/// (Douglas & Peucker 1973, doi:10.3138/FM57-6770-U75U-7727); both ends stay.
pub(super) fn simplify(points: &[[f64; 2]], tolerance: f64) -> Vec<[f64; 2]> {
    if points.len() < 3 {
        return points.to_vec();
    }
    let mut is_kept = vec![false; points.len()];
    is_kept[0] = true;
    is_kept[points.len() - 1] = true;
    // A list of open stretches instead of recursion: a long track would exhaust the stack.
    let mut stretches = vec![(0, points.len() - 1)];
    while let Some((first, last)) = stretches.pop() {
        let offset_sq =
            |index: &usize| segment_offset_sq(points[*index], points[first], points[last]);
        let farthest = (first + 1..last).max_by(|a, b| offset_sq(a).total_cmp(&offset_sq(b)));
        if let Some(middle) = farthest
            && offset_sq(&middle) > tolerance * tolerance
        {
            is_kept[middle] = true;
            stretches.push((first, middle));
            stretches.push((middle, last));
        }
    }
    let pairs = points.iter().zip(is_kept);
    pairs
        .filter(|(_, is_kept)| *is_kept)
        .map(|(point, _)| *point)
        .collect()
}

fn separation_sq(a: [f64; 2], b: [f64; 2]) -> f64 {
    let [dx, dy] = [b[0] - a[0], b[1] - a[1]];
    dx * dx + dy * dy
}

fn segment_offset_sq(point: [f64; 2], start: [f64; 2], end: [f64; 2]) -> f64 {
    let length_sq = separation_sq(start, end);
    if length_sq == 0.0 {
        return separation_sq(start, point);
    }
    let along =
        (point[0] - start[0]) * (end[0] - start[0]) + (point[1] - start[1]) * (end[1] - start[1]);
    let fraction = (along / length_sq).clamp(0.0, 1.0);
    let foot = [0, 1].map(|k| start[k] + fraction * (end[k] - start[k]));
    separation_sq(foot, point)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn extrema_survive_decimation() {
        let mut points: Vec<[f64; 2]> =
            (0..100_000).map(|i| [f64::from(i) * 0.005, 10.0]).collect();
        points[51_234][1] = 99.0;
        points[51_235][1] = -99.0;
        let kept = column_extrema(&points, 1.0);
        assert!(kept.len() < 2100, "{}", kept.len());
        assert!(kept.iter().any(|p| p[1] == 99.0) && kept.iter().any(|p| p[1] == -99.0));
        assert_eq!((kept[0], kept[kept.len() - 1]), (points[0], points[99_999]));
    }

    #[test]
    fn missing_points_split_the_line() {
        let split = runs(&[
            None,
            Some([0.0; 2]),
            Some([1.0; 2]),
            None,
            None,
            Some([2.0; 2]),
        ]);
        assert_eq!(split, [vec![[0.0; 2], [1.0; 2]], vec![[2.0; 2]]]);
    }

    #[test]
    fn straight_lines_lose_their_middle_and_corners_stay() {
        let line: Vec<[f64; 2]> = (0..50).map(|i| [f64::from(i), 0.0]).collect();
        assert_eq!(simplify(&line, 0.1).len(), 2);
        let corner = [[0.0, 0.0], [5.0, 0.0], [10.0, 0.0], [10.0, 10.0]];
        assert_eq!(
            simplify(&corner, 0.1),
            [[0.0, 0.0], [10.0, 0.0], [10.0, 10.0]]
        );
        assert_eq!(
            simplify(&[[0.0, 0.0], [5.0, 5.0], [0.0, 0.0]], 0.1).len(),
            3
        );
    }

    #[test]
    fn thinning_keeps_both_ends() {
        let points: Vec<[f64; 2]> = (0..=100).map(|i| [f64::from(i) * 0.01, 0.0]).collect();
        let kept = thin(&points, 0.3);
        assert_eq!((kept[0], kept[kept.len() - 1]), (points[0], points[100]));
        assert!(kept.len() < 7);
    }
}
