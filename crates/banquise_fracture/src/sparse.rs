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

/// Solves (diag(inertia) + Σ blocks) x = right with x = 0 at held nodes, preconditioned by the diagonal.
pub(crate) fn conjugate_gradients(
    inertia: &[f64],
    blocks: &[Block],
    held: &[bool],
    right: &[DVec2],
    tolerance: f64,
) -> Vec<DVec2> {
    let n = right.len();
    let mut diagonal: Vec<DVec2> = inertia.iter().map(|&m| DVec2::splat(m)).collect();
    for block in blocks {
        block.add_diagonal(&mut diagonal);
    }
    // A direction without stiffness has no force either.
    let inverse = |d: f64| if d > 0.0 { 1.0 / d } else { 0.0 };
    let scale: Vec<DVec2> = diagonal
        .iter()
        .zip(held)
        .map(|(d, held)| {
            if *held {
                DVec2::ZERO
            } else {
                DVec2::new(inverse(d.x), inverse(d.y))
            }
        })
        .collect();
    let mut x = vec![DVec2::ZERO; n];
    let mut residual = right.to_vec();
    let mut preconditioned: Vec<DVec2> =
        residual.iter().zip(&scale).map(|(r, s)| *r * *s).collect();
    let mut direction = preconditioned.clone();
    let mut product = dot(&residual, &preconditioned);
    let target = tolerance * tolerance * product;
    // Twice the number of unknowns: beyond it rounding rules.
    for _ in 0..4 * n {
        if product <= target || product == 0.0 {
            break;
        }
        let mut image: Vec<DVec2> = direction
            .iter()
            .zip(inertia)
            .map(|(d, &m)| m * *d)
            .collect();
        for block in blocks {
            block.apply(&direction, &mut image);
        }
        let step = product / dot(&direction, &image);
        for node in 0..n {
            if held[node] {
                continue;
            }
            x[node] += step * direction[node];
            residual[node] -= step * image[node];
            preconditioned[node] = residual[node] * scale[node];
        }
        // Held nodes have no part in the products: their scale is zero.
        let next = residual
            .iter()
            .zip(&preconditioned)
            .map(|(r, p)| r.dot(*p))
            .sum::<f64>();
        let ratio = next / product;
        product = next;
        for (direction, preconditioned) in direction.iter_mut().zip(&preconditioned) {
            *direction = *preconditioned + ratio * *direction;
        }
    }
    x
}
