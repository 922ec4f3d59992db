//! Nested dissection by coordinates: an elimination order with little fill-in.

use banquise_geometry::DVec2;

/// Parts of at most this many nodes are not divided: separators of less are as large as the parts.
const LEAF: usize = 8;

/// Nodes in elimination order, separators after the parts they separate.
///
/// `start` and `columns` are the rows of the adjacency graph.
pub(crate) fn nested_dissection(points: &[DVec2], start: &[u32], columns: &[u32]) -> Vec<u32> {
    let mut order = Vec::with_capacity(points.len());
    let mut side = vec![0_u32; points.len()];
    let nodes: Vec<u32> = (0..points.len() as u32).collect();
    let graph = Graph {
        points,
        start,
        columns,
    };
    let mut mark = 0;
    dissect(&graph, nodes, &mut side, &mut mark, &mut order);
    order
}

struct Graph<'a> {
    points: &'a [DVec2],
    start: &'a [u32],
    columns: &'a [u32],
}

fn dissect(
    graph: &Graph<'_>,
    mut nodes: Vec<u32>,
    side: &mut [u32],
    mark: &mut u32,
    order: &mut Vec<u32>,
) {
    if nodes.len() <= LEAF {
        order.extend(nodes);
        return;
    }
    let place = |node: u32| graph.points[node as usize];
    let low = nodes.iter().fold(DVec2::INFINITY, |a, n| a.min(place(*n)));
    let high = nodes
        .iter()
        .fold(DVec2::NEG_INFINITY, |a, n| a.max(place(*n)));
    let is_wide = high.x - low.x >= high.y - low.y;
    let key = |node: u32| {
        if is_wide {
            place(node).x
        } else {
            place(node).y
        }
    };
    // Ties by the node's number: the order must not depend on the sorting algorithm.
    nodes.sort_unstable_by(|a, b| key(*a).total_cmp(&key(*b)).then(a.cmp(b)));
    let upper = nodes.split_off(nodes.len() / 2);
    *mark += 1;
    for node in &upper {
        side[*node as usize] = *mark;
    }
    let touches_upper = |node: &u32| {
        let row = graph.start[*node as usize] as usize..graph.start[*node as usize + 1] as usize;
        graph.columns[row]
            .iter()
            .any(|other| side[*other as usize] == *mark)
    };
    let (separator, lower): (Vec<u32>, Vec<u32>) =
        nodes.iter().partition(|node| touches_upper(node));
    dissect(graph, lower, side, mark, order);
    dissect(graph, upper, side, mark, order);
    order.extend(separator);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_node_comes_once_and_a_separator_last() {
        // A grid of 9 × 9 with edges along rows and columns.
        let (mut points, mut start, mut columns) = (Vec::new(), vec![0_u32], Vec::new());
        for y in 0..9_i32 {
            for x in 0..9_i32 {
                points.push(DVec2::new(f64::from(x), f64::from(y)));
                for [i, j] in [[x + 1, y], [x - 1, y], [x, y + 1], [x, y - 1]] {
                    if (0..9).contains(&i) && (0..9).contains(&j) {
                        columns.push((9 * j + i) as u32);
                    }
                }
                start.push(columns.len() as u32);
            }
        }
        let order = nested_dissection(&points, &start, &columns);
        let mut sorted = order.clone();
        sorted.sort_unstable();
        assert_eq!(sorted, (0..81).collect::<Vec<u32>>());
        let last: Vec<f64> = order[72..].iter().map(|n| points[*n as usize].x).collect();
        assert!(last.iter().all(|x| (3.0..=4.0).contains(x)), "{last:?}");
    }
}
