//! Conjugate gradients on the stiffness of a network, never assembled.

use banquise_geometry::DVec2;

/// A positive semidefinite term of a stiffness matrix.
pub(crate) enum Block {
    /// A bond: stiffness along its direction and across it.
    Pair {
        nodes: [usize; 2],
        direction: DVec2,
        along: f64,
        across: f64,
    },
    /// A torsion spring: weight × gradient gradientᵀ.
    Triple {
        nodes: [usize; 3],
        gradient: [DVec2; 3],
        weight: f64,
    },
}

impl Block {
    pub(crate) fn double(&mut self) {
        match self {
            Self::Pair { along, across, .. } => {
                *along *= 2.0;
                *across *= 2.0;
            }
            Self::Triple { weight, .. } => *weight *= 2.0,
        }
    }

    fn apply(&self, x: &[DVec2], y: &mut [DVec2]) {
        match *self {
            Self::Pair {
                nodes: [i, j],
                direction,
                along,
                across,
            } => {
                let w = x[j] - x[i];
                let force = across * w + (along - across) * direction.dot(w) * direction;
                y[i] -= force;
                y[j] += force;
            }
            Self::Triple {
                nodes,
                gradient,
                weight,
            } => {
                let pairs = nodes.into_iter().zip(gradient);
                let turn: f64 = pairs.clone().map(|(node, g)| g.dot(x[node])).sum();
                for (node, g) in pairs {
                    y[node] += weight * turn * g;
                }
            }
        }
    }

    fn add_diagonal(&self, diagonal: &mut [DVec2]) {
        match *self {
            Self::Pair {
                nodes,
                direction,
                along,
                across,
            } => {
                let own = DVec2::splat(across) + (along - across) * direction * direction;
                for node in nodes {
                    diagonal[node] += own;
                }
            }
            Self::Triple {
                nodes,
                gradient,
                weight,
            } => {
                for (node, g) in nodes.into_iter().zip(gradient) {
                    diagonal[node] += weight * g * g;
                }
            }
        }
    }
}

/// Sum of the scalar products of two lists of vectors.
pub(crate) fn dot(a: &[DVec2], b: &[DVec2]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a.dot(*b)).sum()
}

/// A constraint: how far the second of two nodes moves away from the first, along a direction.
pub(crate) struct Tie {
    pub(crate) nodes: [usize; 2],
    pub(crate) direction: DVec2,
    pub(crate) apart: f64,
}

impl Tie {
    fn of(&self, values: &[DVec2]) -> f64 {
        let [first, second] = self.nodes;
        self.direction.dot(values[second] - values[first])
    }

    /// Adds a force that pushes its nodes apart.
    fn push(&self, force: f64, values: &mut [DVec2]) {
        let [first, second] = self.nodes;
        values[first] -= force * self.direction;
        values[second] += force * self.direction;
    }
}

/// Solves (diag(inertia) + Σ blocks) x = right with x = 0 at held nodes, preconditioned by the diagonal.
pub(crate) fn conjugate_gradients(
    inertia: &[f64],
    blocks: &[Block],
    held: &[bool],
    right: &[DVec2],
    tolerance: f64,
) -> Vec<DVec2> {
    tied_gradients(inertia, blocks, held, right, &[], tolerance).0
}

/// Solves (diag(inertia) + Σ blocks) x = right with ties as well; returns the forces that keep them too, which push their nodes apart.
///
/// Projected conjugate gradients (Gould, Hribar and Nocedal 2001): what the preconditioner gives keeps all ties, so that one solve is enough for any number of them.
pub(crate) fn tied_gradients(
    inertia: &[f64],
    blocks: &[Block],
    held: &[bool],
    right: &[DVec2],
    ties: &[Tie],
    tolerance: f64,
) -> (Vec<DVec2>, Vec<f64>) {
    let n = right.len();
    let scale = inverse_diagonal(inertia, blocks, held);
    let scaled = |values: &[DVec2]| -> Vec<DVec2> {
        values.iter().zip(&scale).map(|(r, s)| *r * *s).collect()
    };
    let apply = |values: &[DVec2]| -> Vec<DVec2> {
        let masses = values.iter().zip(inertia);
        let mut image: Vec<DVec2> = masses.map(|(d, &m)| m * *d).collect();
        for block in blocks {
            block.apply(values, &mut image);
        }
        image
    };
    let projection = Projection::new(ties, &scale);
    let apart: Vec<f64> = ties.iter().map(|tie| tie.apart).collect();
    let mut start = vec![DVec2::ZERO; n];
    for (tie, force) in ties.iter().zip(projection.solve(apart)) {
        tie.push(force, &mut start);
    }
    let mut x = scaled(&start);
    let mut residual = right.to_vec();
    if !ties.is_empty() {
        for (residual, image) in residual.iter_mut().zip(apply(&x)) {
            *residual -= image;
        }
    }
    let mut forces = vec![0.0; ties.len()];
    // Takes out of the residual what forces of the ties balance.
    let mut clean = |residual: &mut Vec<DVec2>| {
        if ties.is_empty() {
            return scaled(residual);
        }
        let moved = scaled(residual);
        let taken = projection.solve(ties.iter().map(|tie| tie.of(&moved)).collect());
        for ((tie, taken), force) in ties.iter().zip(taken).zip(&mut forces) {
            tie.push(-taken, residual);
            *force -= taken;
        }
        scaled(residual)
    };
    let mut preconditioned = clean(&mut residual);
    let mut direction = preconditioned.clone();
    let mut product = dot(&residual, &preconditioned);
    let target = tolerance * tolerance * product;
    // Twice the number of unknowns: beyond it rounding rules.
    for _ in 0..4 * n {
        if product <= target || product == 0.0 {
            break;
        }
        let image = apply(&direction);
        let step = product / dot(&direction, &image);
        for node in 0..n {
            if held[node] {
                continue;
            }
            x[node] += step * direction[node];
            residual[node] -= step * image[node];
        }
        preconditioned = clean(&mut residual);
        // Held nodes have no part in the products: their scale is zero.
        let next = dot(&residual, &preconditioned);
        let ratio = next / product;
        product = next;
        for (direction, preconditioned) in direction.iter_mut().zip(&preconditioned) {
            *direction = *preconditioned + ratio * *direction;
        }
    }
    (x, forces)
}

/// One over the diagonal; zero at held nodes.
fn inverse_diagonal(inertia: &[f64], blocks: &[Block], held: &[bool]) -> Vec<DVec2> {
    let mut diagonal: Vec<DVec2> = inertia.iter().map(|&m| DVec2::splat(m)).collect();
    for block in blocks {
        block.add_diagonal(&mut diagonal);
    }
    // A direction without stiffness has no force either.
    let inverse = |d: f64| if d > 0.0 { 1.0 / d } else { 0.0 };
    let own = |(d, held): (&DVec2, &bool)| match held {
        true => DVec2::ZERO,
        false => DVec2::new(inverse(d.x), inverse(d.y)),
    };
    diagonal.iter().zip(held).map(own).collect()
}

/// The factor of how ties move each other through the preconditioner.
struct Projection {
    lower: Vec<Vec<f64>>,
}

impl Projection {
    fn new(ties: &[Tie], scale: &[DVec2]) -> Self {
        let mut lower: Vec<Vec<f64>> = Vec::with_capacity(ties.len());
        let mut unit = vec![DVec2::ZERO; scale.len()];
        for tie in ties {
            tie.push(1.0, &mut unit);
            for node in tie.nodes {
                unit[node] *= scale[node];
            }
            let mut row: Vec<f64> = ties[..=lower.len()].iter().map(|o| o.of(&unit)).collect();
            for node in tie.nodes {
                unit[node] = DVec2::ZERO;
            }
            for k in 0..lower.len() {
                let known: f64 = row[..k].iter().zip(&lower[k]).map(|(a, b)| a * b).sum();
                row[k] = (row[k] - known) / lower[k][k];
            }
            let (own, before) = row.split_last_mut().expect("a row ends with its diagonal");
            let left = *own - before.iter().map(|value| value * value).sum::<f64>();
            // Between held nodes, or where other ties say the same, it bears nothing.
            *own = if left > TIE_RANK * *own {
                left.sqrt()
            } else {
                f64::INFINITY
            };
            lower.push(row);
        }
        Self { lower }
    }

    fn solve(&self, mut values: Vec<f64>) -> Vec<f64> {
        for (k, row) in self.lower.iter().enumerate() {
            let known: f64 = row[..k].iter().zip(&values).map(|(a, b)| a * b).sum();
            values[k] = (values[k] - known) / row[k];
        }
        for k in (0..values.len()).rev() {
            values[k] /= self.lower[k][k];
            let (value, row) = (values[k], &self.lower[k]);
            for (before, factor) in values[..k].iter_mut().zip(row) {
                *before -= factor * value;
            }
        }
        values
    }
}

/// Ties whose pivot loses all but this share say what others do [–].
const TIE_RANK: f64 = 1e-12;
