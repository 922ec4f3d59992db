//! What the neighbours above and to the left tell of a macroblock (clauses 8.3.3 and 8.3.4).

use super::planes::Plane;

/// Neighbours of a block of side N that are coded already.
pub(super) struct Neighbors<const N: usize> {
    above: Option<[i32; N]>,
    left: Option<[i32; N]>,
}

impl<const N: usize> Neighbors<N> {
    pub(super) fn of(plane: &Plane, x: usize, y: usize) -> Self {
        let value = |x: usize, y: usize| i32::from(plane.at(x, y));
        Self {
            above: (y > 0).then(|| std::array::from_fn(|k| value(x + k, y - 1))),
            left: (x > 0).then(|| std::array::from_fn(|k| value(x - 1, y + k))),
        }
    }

    fn vertical(&self) -> Option<[[i32; N]; N]> {
        self.above.map(|above| [above; N])
    }

    fn horizontal(&self) -> Option<[[i32; N]; N]> {
        self.left.map(|left| left.map(|value| [value; N]))
    }
}

/// Mean of what there is, rounded; the middle of the range where there is nothing.
fn mean(lists: [Option<&[i32]>; 2]) -> i32 {
    let known = lists.into_iter().flatten();
    let (sum, count) = known.fold((0, 0), |(sum, count), list| {
        (sum + list.iter().sum::<i32>(), count + list.len() as i32)
    });
    if count == 0 {
        128
    } else {
        (sum + count / 2) / count
    }
}

/// The best of the predictions of brightness: its number (0 vertical, 1 horizontal, 2 mean) and values.
pub(super) fn predict_luma(
    neighbors: &Neighbors<16>,
    wanted: &[[i32; 16]; 16],
) -> (u32, [[i32; 16]; 16]) {
    let lists = [neighbors.above.as_ref(), neighbors.left.as_ref()];
    let flat = [[mean(lists.map(|list| list.map(|list| &list[..]))); 16]; 16];
    let candidates = [
        (2, Some(flat)),
        (0, neighbors.vertical()),
        (1, neighbors.horizontal()),
    ];
    best(candidates, |prediction| distance(wanted, prediction))
}

/// The best of the predictions of both colour differences: its number (0 mean, 1 horizontal, 2 vertical) and values.
pub(super) fn predict_chroma(
    neighbors: &[Neighbors<8>; 2],
    wanted: &[[[i32; 8]; 8]; 2],
) -> (u32, [[[i32; 8]; 8]; 2]) {
    let [first, second] = neighbors;
    let pair = |a: Option<[[i32; 8]; 8]>, b: Option<[[i32; 8]; 8]>| Some([a?, b?]);
    let candidates = [
        (0, Some([chroma_mean(first), chroma_mean(second)])),
        (1, pair(first.horizontal(), second.horizontal())),
        (2, pair(first.vertical(), second.vertical())),
    ];
    best(candidates, |[a, b]| {
        distance(&wanted[0], a) + distance(&wanted[1], b)
    })
}

/// Each quarter has the mean of the neighbours it touches; where it touches both or none, of both.
fn chroma_mean(neighbors: &Neighbors<8>) -> [[i32; 8]; 8] {
    let above = |x: usize| neighbors.above.as_ref().map(|list| &list[x..x + 4]);
    let left = |y: usize| neighbors.left.as_ref().map(|list| &list[y..y + 4]);
    let quarter = |x: usize, y: usize| match (x, y) {
        (4, 0) if neighbors.above.is_some() => mean([above(4), None]),
        (0, 4) if neighbors.left.is_some() => mean([None, left(4)]),
        _ => mean([above(x), left(y)]),
    };
    let quarters = [
        [quarter(0, 0), quarter(4, 0)],
        [quarter(0, 4), quarter(4, 4)],
    ];
    std::array::from_fn(|y| std::array::from_fn(|x| quarters[y / 4][x / 4]))
}

fn distance<const N: usize>(a: &[[i32; N]; N], b: &[[i32; N]; N]) -> i32 {
    let pairs = a.iter().flatten().zip(b.iter().flatten());
    pairs.map(|(x, y)| (x - y).abs()).sum()
}

/// The first of the candidates with the least cost.
fn best<T, const K: usize>(
    candidates: [(u32, Option<T>); K],
    cost: impl Fn(&T) -> i32,
) -> (u32, T) {
    let known = candidates
        .into_iter()
        .filter_map(|(number, candidate)| Some((number, candidate?)));
    known
        .min_by_key(|(_, candidate)| cost(candidate))
        .expect("the mean is always known")
}
