//! A direct solver for symmetric systems that are sums over elements: multifrontal `LDLᵀ` with pivots on the diagonal.
//!
//! The matrices are quasi-definite, \[A Bᵀ; B −C\] with A and C positive definite, which have such factors in every order (Vanderbei 1995). Unknowns are ordered by nested
//! dissection of their places, and in each part those of A before those of C, so that pivots are not small. The analysis depends on which unknowns elements have, not
//! on their matrices, and is made once.

use banquise_geometry::DVec2;

/// Parts of at most this many groups are not divided.
const LEAF: usize = 12;
/// Columns of a front that are eliminated together.
const BLOCK: usize = 32;

/// Unknowns at one place.
#[derive(Clone, Debug, Default)]
pub(super) struct Group {
    pub(super) at: DVec2,
    pub(super) unknowns: Vec<u32>,
    /// Eliminated after all others: it is coupled with too many of them.
    pub(super) is_last: bool,
}

/// A dense part of the factor: columns that are eliminated together.
#[derive(Clone, Debug, Default)]
struct Supernode {
    /// Columns `first..end`, in elimination order.
    first: u32,
    end: u32,
    /// Later rows with entries in these columns, ascending.
    rows: Vec<u32>,
    children: Vec<u32>,
    elements: Vec<u32>,
}

impl Supernode {
    fn columns(&self) -> usize {
        (self.end - self.first) as usize
    }
}

/// Elimination order and pattern of the factor.
#[derive(Clone, Debug)]
pub(super) struct Analysis {
    nodes: Vec<Supernode>,
    /// Place of each unknown in the elimination order.
    place: Vec<u32>,
}

/// Neighbours of groups: those that share an element.
struct Graph<'a> {
    groups: &'a [Group],
    start: Vec<u32>,
    members: Vec<u32>,
}

impl<'a> Graph<'a> {
    fn new(groups: &'a [Group], unknowns: usize, elements: &[Vec<u32>]) -> Self {
        let mut owner = vec![0_u32; unknowns];
        for (k, group) in groups.iter().enumerate() {
            for &unknown in &group.unknowns {
                owner[unknown as usize] = k as u32;
            }
        }
        let mut pairs = Vec::new();
        let mut list: Vec<u32> = Vec::new();
        for element in elements {
            list.clear();
            list.extend(element.iter().map(|&unknown| owner[unknown as usize]));
            list.sort_unstable();
            list.dedup();
            list.retain(|&k| !groups[k as usize].is_last);
            for &a in &list {
                pairs.extend(list.iter().filter(|&&b| b != a).map(|&b| (a, b)));
            }
        }
        pairs.sort_unstable();
        pairs.dedup();
        let mut start = vec![0_u32; groups.len() + 1];
        for (a, _) in &pairs {
            start[*a as usize + 1] += 1;
        }
        for k in 0..groups.len() {
            start[k + 1] += start[k];
        }
        let members = pairs.into_iter().map(|(_, b)| b).collect();
        Self {
            groups,
            start,
            members,
        }
    }

    fn neighbours(&self, k: u32) -> &[u32] {
        let range = self.start[k as usize] as usize..self.start[k as usize + 1] as usize;
        &self.members[range]
    }
}

/// Parts, separators after what they separate.
struct Dissection<'a> {
    graph: Graph<'a>,
    side: Vec<u32>,
    mark: u32,
    /// Groups and children of each part.
    parts: Vec<(Vec<u32>, Vec<u32>)>,
}

impl Dissection<'_> {
    fn divide(&mut self, mut list: Vec<u32>) -> u32 {
        if list.len() <= LEAF {
            self.parts.push((list, Vec::new()));
            return self.parts.len() as u32 - 1;
        }
        let groups = self.graph.groups;
        let place = |k: u32| groups[k as usize].at;
        let low = list.iter().fold(DVec2::INFINITY, |a, k| a.min(place(*k)));
        let high = list
            .iter()
            .fold(DVec2::NEG_INFINITY, |a, k| a.max(place(*k)));
        let is_wide = high.x - low.x >= high.y - low.y;
        let key = |k: u32| if is_wide { place(k).x } else { place(k).y };
        // Ties by number: the order must not depend on the sorting algorithm.
        list.sort_unstable_by(|a, b| key(*a).total_cmp(&key(*b)).then(a.cmp(b)));
        let upper = list.split_off(list.len() / 2);
        self.mark += 1;
        for k in &upper {
            self.side[*k as usize] = self.mark;
        }
        let touches = |k: &u32| {
            let mut neighbours = self.graph.neighbours(*k).iter();
            neighbours.any(|other| self.side[*other as usize] == self.mark)
        };
        let (separator, lower): (Vec<u32>, Vec<u32>) = list.iter().partition(|k| touches(k));
        let children = vec![self.divide(lower), self.divide(upper)];
        self.parts.push((separator, children));
        self.parts.len() as u32 - 1
    }
}

impl Analysis {
    /// `is_negative` marks the unknowns of C; `elements` has the unknowns of each element.
    pub(super) fn new(groups: &[Group], is_negative: &[bool], elements: &[Vec<u32>]) -> Self {
        let unknowns = is_negative.len();
        let mut dissection = Dissection {
            graph: Graph::new(groups, unknowns, elements),
            side: vec![0; groups.len()],
            mark: 0,
            parts: Vec::new(),
        };
        let (last, rest): (Vec<u32>, Vec<u32>) =
            (0..groups.len() as u32).partition(|k| groups[*k as usize].is_last);
        let root = dissection.divide(rest);
        dissection.parts.push((last, vec![root]));
        let mut place = vec![0_u32; unknowns];
        let mut nodes = Vec::with_capacity(dissection.parts.len());
        let mut next = 0;
        let mut owner = Vec::with_capacity(unknowns);
        for (members, children) in dissection.parts {
            let first = next;
            let mut list: Vec<u32> = members
                .iter()
                .flat_map(|k| groups[*k as usize].unknowns.iter().copied())
                .collect();
            list.sort_by_key(|&unknown| is_negative[unknown as usize]);
            for unknown in list {
                place[unknown as usize] = next;
                owner.push(nodes.len() as u32);
                next += 1;
            }
            nodes.push(Supernode {
                first,
                end: next,
                children,
                ..Supernode::default()
            });
        }
        assert_eq!(next as usize, unknowns, "every unknown has one group");
        for (k, element) in elements.iter().enumerate() {
            if let Some(least) = element.iter().map(|&u| place[u as usize]).min() {
                nodes[owner[least as usize] as usize]
                    .elements
                    .push(k as u32);
            }
        }
        let mut analysis = Self { nodes, place };
        analysis.find_rows(elements);
        analysis
    }

    fn find_rows(&mut self, elements: &[Vec<u32>]) {
        for k in 0..self.nodes.len() {
            let node = &self.nodes[k];
            let of_elements = node.elements.iter().flat_map(|&e| {
                let unknowns = elements[e as usize].iter();
                unknowns.map(|&u| self.place[u as usize])
            });
            let of_children = node
                .children
                .iter()
                .flat_map(|&c| self.nodes[c as usize].rows.iter().copied());
            let mut rows: Vec<u32> = of_elements
                .chain(of_children)
                .filter(|&row| row >= node.end)
                .collect();
            rows.sort_unstable();
            rows.dedup();
            self.nodes[k].rows = rows;
        }
    }

    /// Numbers in the factor.
    pub(super) fn fill(&self) -> usize {
        let entries = |node: &Supernode| node.columns() * (node.columns() + node.rows.len());
        self.nodes.iter().map(entries).sum()
    }
}

/// L and D.
#[derive(Clone, Debug)]
pub(super) struct Factor {
    /// For each part its columns of L, by columns.
    panels: Vec<Vec<f64>>,
    pivots: Vec<f64>,
}

impl Factor {
    /// Factorises; `matrix(e, out)` gives the matrix of an element by rows, in the order of its unknowns.
    ///
    /// `None` if a pivot is zero or not a number.
    pub(super) fn new(
        analysis: &Analysis,
        elements: &[Vec<u32>],
        mut matrix: impl FnMut(u32, &mut Vec<f64>),
    ) -> Option<Self> {
        let mut pivots = Vec::with_capacity(analysis.place.len());
        let mut panels = Vec::with_capacity(analysis.nodes.len());
        let mut updates: Vec<Vec<f64>> = vec![Vec::new(); analysis.nodes.len()];
        let mut local = vec![0_u32; analysis.place.len()];
        let (mut values, mut places) = (Vec::new(), Vec::new());
        for (k, node) in analysis.nodes.iter().enumerate() {
            let columns = node.columns();
            let size = columns + node.rows.len();
            for row in node.first..node.end {
                local[row as usize] = row - node.first;
            }
            for (i, &row) in node.rows.iter().enumerate() {
                local[row as usize] = (columns + i) as u32;
            }
            let mut front = vec![0.0; size * size];
            let mut add = |places: &[u32], values: &[f64]| {
                let n = places.len();
                for (i, &a) in places.iter().enumerate() {
                    for (j, &b) in places.iter().enumerate().take(i + 1) {
                        let (row, column) = (a.max(b) as usize, a.min(b) as usize);
                        front[column * size + row] += values[i * n + j];
                    }
                }
            };
            for &element in &node.elements {
                matrix(element, &mut values);
                places.clear();
                let unknowns = elements[element as usize].iter();
                places.extend(unknowns.map(|&u| local[analysis.place[u as usize] as usize]));
                add(&places, &values);
            }
            for &child in &node.children {
                let update = std::mem::take(&mut updates[child as usize]);
                places.clear();
                let rows = analysis.nodes[child as usize].rows.iter();
                places.extend(rows.map(|&row| local[row as usize]));
                add(&places, &update);
            }
            eliminate(&mut front, size, columns, &mut pivots)?;
            let rest = size - columns;
            let mut update = vec![0.0; rest * rest];
            for column in 0..rest {
                for row in column..rest {
                    update[row * rest + column] = front[(columns + column) * size + columns + row];
                }
            }
            updates[k] = update;
            front.truncate(columns * size);
            front.shrink_to_fit();
            panels.push(front);
        }
        Some(Self { panels, pivots })
    }

    /// Numbers of negative pivots.
    pub(super) fn negative(&self) -> usize {
        self.pivots.iter().filter(|d| **d < 0.0).count()
    }

    /// Solves in place.
    pub(super) fn solve(&self, analysis: &Analysis, values: &mut [f64]) {
        let mut x = vec![0.0; values.len()];
        for (value, &place) in values.iter().zip(&analysis.place) {
            x[place as usize] = *value;
        }
        for (node, panel) in analysis.nodes.iter().zip(&self.panels) {
            let size = node.columns() + node.rows.len();
            for k in 0..node.columns() {
                let column = &panel[k * size..(k + 1) * size];
                let first = node.first as usize;
                let value = x[first + k];
                for (i, l) in column.iter().enumerate().take(node.columns()).skip(k + 1) {
                    x[first + i] -= l * value;
                }
                for (&row, l) in node.rows.iter().zip(&column[node.columns()..]) {
                    x[row as usize] -= l * value;
                }
            }
        }
        for (x, d) in x.iter_mut().zip(&self.pivots) {
            *x /= d;
        }
        for (node, panel) in analysis.nodes.iter().zip(&self.panels).rev() {
            let size = node.columns() + node.rows.len();
            for k in (0..node.columns()).rev() {
                let column = &panel[k * size..(k + 1) * size];
                let first = node.first as usize;
                let mut value = x[first + k];
                for (i, l) in column.iter().enumerate().take(node.columns()).skip(k + 1) {
                    value -= l * x[first + i];
                }
                for (&row, l) in node.rows.iter().zip(&column[node.columns()..]) {
                    value -= l * x[row as usize];
                }
                x[first + k] = value;
            }
        }
        for (value, &place) in values.iter_mut().zip(&analysis.place) {
            *value = x[place as usize];
        }
    }
}

/// Eliminates the first columns of a dense symmetric matrix; its lower triangle is stored by columns.
fn eliminate(front: &mut [f64], size: usize, columns: usize, pivots: &mut Vec<f64>) -> Option<()> {
    let base = pivots.len();
    for begin in (0..columns).step_by(BLOCK) {
        let end = (begin + BLOCK).min(columns);
        for k in begin..end {
            let (before, rest) = front.split_at_mut(k * size);
            let current = &mut rest[k..size];
            for j in begin..k {
                let column = &before[j * size + k..(j + 1) * size];
                let weight = column[0] * pivots[base + j];
                if weight != 0.0 {
                    for (x, l) in current.iter_mut().zip(column) {
                        *x -= weight * l;
                    }
                }
            }
            let pivot = current[0];
            if pivot == 0.0 || !pivot.is_finite() {
                return None;
            }
            pivots.push(pivot);
            let inverse = 1.0 / pivot;
            current[1..].iter_mut().for_each(|x| *x *= inverse);
        }
        let (done, rest) = front.split_at_mut(end * size);
        update(
            &done[begin * size..],
            rest,
            size,
            [begin, end],
            &pivots[base..],
        );
    }
    Some(())
}

/// Subtracts what the columns `begin..end`, stored in `done`, contribute to all later columns.
fn update(done: &[f64], rest: &mut [f64], size: usize, [begin, end]: [usize; 2], d: &[f64]) {
    for (k, column) in rest.chunks_exact_mut(size).enumerate() {
        let row = end + k;
        let target = &mut column[row..];
        let mut p = begin;
        while p + 4 <= end {
            let at = |q: usize| &done[(p - begin + q) * size + row..(p - begin + q + 1) * size];
            let [a, b, c, e] = [at(0), at(1), at(2), at(3)];
            let w = [
                a[0] * d[p],
                b[0] * d[p + 1],
                c[0] * d[p + 2],
                e[0] * d[p + 3],
            ];
            let lines = a.iter().zip(b).zip(c.iter().zip(e));
            for (x, ((a, b), (c, e))) in target.iter_mut().zip(lines) {
                *x -= (w[0] * a + w[1] * b) + (w[2] * c + w[3] * e);
            }
            p += 4;
        }
        for q in p..end {
            let line = &done[(q - begin) * size + row..(q - begin + 1) * size];
            let weight = line[0] * d[q];
            for (x, l) in target.iter_mut().zip(line) {
                *x -= weight * l;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A grid of elements of four corners, each corner with two velocities and a pressure.
    fn example(n: usize) -> (Vec<Group>, Vec<bool>, Vec<Vec<u32>>) {
        let node = |i: usize, j: usize| (j * (n + 1) + i) as u32;
        let groups = (0..(n + 1) * (n + 1))
            .map(|k| Group {
                at: DVec2::new((k % (n + 1)) as f64, (k / (n + 1)) as f64),
                unknowns: vec![3 * k as u32, 3 * k as u32 + 1, 3 * k as u32 + 2],
                is_last: k == 7,
            })
            .collect::<Vec<_>>();
        let is_negative = (0..3 * groups.len()).map(|k| k % 3 == 2).collect();
        let mut elements = Vec::new();
        for j in 0..n {
            for i in 0..n {
                let corners = [
                    node(i, j),
                    node(i + 1, j),
                    node(i, j + 1),
                    node(i + 1, j + 1),
                ];
                elements.push(
                    corners
                        .iter()
                        .flat_map(|c| [3 * c, 3 * c + 1, 3 * c + 2])
                        .collect(),
                );
            }
        }
        (groups, is_negative, elements)
    }

    fn matrix(element: u32, out: &mut Vec<f64>) {
        out.clear();
        for i in 0..12_usize {
            for j in 0..12_usize {
                let (a, b) = (i.max(j), i.min(j));
                let value = 0.1 + ((a * 7 + b * 3 + element as usize) % 11) as f64 / 11.0;
                let is_pressure = i % 3 == 2;
                out.push(match (i == j, is_pressure, j % 3 == 2) {
                    (true, false, _) => 9.0,
                    (true, true, _) => -0.5,
                    (false, true, true) => 0.0,
                    _ => 0.3 * value,
                });
            }
        }
    }

    #[test]
    fn a_saddle_point_is_solved_and_has_one_negative_pivot_for_each_pressure() {
        let (groups, is_negative, elements) = example(9);
        let analysis = Analysis::new(&groups, &is_negative, &elements);
        let factor = Factor::new(&analysis, &elements, matrix).unwrap();
        let n = is_negative.len();
        assert_eq!(factor.negative(), groups.len());
        assert!(analysis.fill() < n * n / 2);
        let right: Vec<f64> = (0..n).map(|k| ((k * 5) % 13) as f64 - 6.0).collect();
        let mut x = right.clone();
        factor.solve(&analysis, &mut x);
        let (mut product, mut values) = (vec![0.0; n], Vec::new());
        for (e, unknowns) in elements.iter().enumerate() {
            matrix(e as u32, &mut values);
            for (i, &a) in unknowns.iter().enumerate() {
                for (j, &b) in unknowns.iter().enumerate() {
                    product[a as usize] += values[i * 12 + j] * x[b as usize];
                }
            }
        }
        for (a, b) in product.iter().zip(&right) {
            assert!((a - b).abs() < 1e-10, "{a} {b}");
        }
    }
}
