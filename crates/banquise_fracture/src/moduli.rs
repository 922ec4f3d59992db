//! Elastic moduli of Delaunay lattices on a torus, affine and relaxed.
//!
//! The energy for a unit area of a lattice under a mean strain e is ½ (λ tr² e + 2μ e:e). Dilation and shear give
//! λ + μ and μ. In the affine motion nodes follow the strain, which bounds the moduli from above; relaxed, they
//! move until forces balance.

use banquise_geometry::DVec2;

use crate::error::{FractureError, positive, within};
use crate::lattice::{Triangle, triangles};
use crate::random::unit;
use crate::sparse::{Block, conjugate_gradients, dot};

/// Lamé constants of a lattice in the plane, over k.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Moduli {
    /// λ.
    pub lambda: f64,
    /// μ.
    pub mu: f64,
}

impl Moduli {
    /// Young's modulus in the plane, 4μ(λ+μ)/(λ+2μ).
    pub fn young(self) -> f64 {
        4.0 * self.mu * (self.lambda + self.mu) / (self.lambda + 2.0 * self.mu)
    }

    /// Poisson's ratio in the plane, λ/(λ+2μ).
    pub fn poisson(self) -> f64 {
        self.lambda / (self.lambda + 2.0 * self.mu)
    }
}

/// Springs of a Delaunay lattice.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Springs {
    /// k/sin θ on each side of each triangle and torsion G \|a\|\|b\|/sin θ on each angle, with this G/k.
    Weighted {
        /// G over k.
        torsion: f64,
    },
    /// One stiffness k on every edge.
    Uniform,
}

/// Residual of the relaxation, relative.
const TOLERANCE: f64 = 1e-8;

/// Affine and relaxed moduli of the lattice of `points` random points on a torus.
///
/// # Errors
/// A number of points or a torsion outside its range.
pub fn delaunay_moduli(
    springs: Springs,
    points: usize,
    seed: u64,
) -> Result<[Moduli; 2], FractureError> {
    within(
        "points",
        "between 50 and 1000000",
        50.0..=1e6,
        points as f64,
    )?;
    if let Springs::Weighted { torsion } = springs
        && torsion != 0.0
    {
        positive("torsion over k", torsion)?;
    }
    let torus = Torus::new(points, seed)?;
    let terms = torus.terms(springs);
    let blocks: Vec<Block> = terms.iter().map(|term| term.block(&torus)).collect();
    let energy = |strain: [DVec2; 2]| torus.energies(&terms, &blocks, strain);
    // Dilation e = I: ½(4λ + 4μ). Shear e = ½(xy + yx): ½ μ; both shears are averaged.
    let dilation = energy([DVec2::X, DVec2::Y]);
    let shear = energy([0.5 * DVec2::Y, 0.5 * DVec2::X]);
    let pure = energy([0.5 * DVec2::X, -0.5 * DVec2::Y]);
    Ok([0, 1].map(|i| {
        let mu = shear[i] + pure[i];
        Moduli {
            lambda: 0.5 * dilation[i] - mu,
            mu,
        }
    }))
}

/// Random points on a torus of unit density and their triangles; nodes are counted beyond the edge.
struct Torus {
    side: f64,
    /// The points, then copies of those near the edges.
    places: Vec<DVec2>,
    /// The point that each place is a copy of.
    point: Vec<usize>,
    points: usize,
    triangles: Vec<[usize; 3]>,
}

/// Width of the copies around the torus, in spacings: no Delaunay triangle of Poisson points is so large.
const MARGIN: f64 = 6.0;

impl Torus {
    fn new(points: usize, seed: u64) -> Result<Self, FractureError> {
        let side = (points as f64).sqrt();
        let inside: Vec<DVec2> = (0..points as u64)
            .map(|i| side * DVec2::new(unit(seed, 2 * i), unit(seed, 2 * i + 1)))
            .collect();
        let mut places = inside.clone();
        let mut point: Vec<usize> = (0..points).collect();
        for (x, y) in (-1..=1).flat_map(|x| (-1..=1).map(move |y| (x, y))) {
            let shift = side * DVec2::new(f64::from(x), f64::from(y));
            for (index, place) in inside.iter().map(|place| *place + shift).enumerate() {
                let near = |v: f64| v > -MARGIN && v < side + MARGIN;
                if (x, y) != (0, 0) && near(place.x) && near(place.y) {
                    places.push(place);
                    point.push(index);
                }
            }
        }
        // A triangle belongs to the torus if its centroid does.
        let is_inside = |t: &[usize; 3]| {
            let centre = (places[t[0]] + places[t[1]] + places[t[2]]) / 3.0;
            (0.0..side).contains(&centre.x) && (0.0..side).contains(&centre.y)
        };
        let triangles = triangles(&places)?.into_iter().filter(is_inside).collect();
        Ok(Self {
            side,
            places,
            point,
            points,
            triangles,
        })
    }

    fn terms(&self, springs: Springs) -> Vec<Term> {
        let mut terms = Vec::new();
        for &triangle in &self.triangles {
            let shape = Triangle::new(&self.places, triangle);
            for apex in 0..3 {
                let [p, a, b] = [apex, (apex + 1) % 3, (apex + 2) % 3].map(|i| triangle[i]);
                match springs {
                    // Each edge is a side of two triangles.
                    Springs::Uniform => terms.push(Term::Spring([a, b], 0.5)),
                    Springs::Weighted { torsion } => {
                        let sine = shape.sine(apex);
                        terms.push(Term::Spring([a, b], 1.0 / sine));
                        if torsion > 0.0 {
                            let weight = torsion * shape.arms(apex) / sine;
                            terms.push(Term::Torsion([p, a, b], weight));
                        }
                    }
                }
            }
        }
        terms
    }

    /// Affine and relaxed energy for a unit area under the strain with these columns.
    fn energies(&self, terms: &[Term], blocks: &[Block], strain: [DVec2; 2]) -> [f64; 2] {
        let affine = |place: DVec2| place.x * strain[0] + place.y * strain[1];
        let mut load = vec![DVec2::ZERO; self.points];
        let mut energy = 0.0;
        for term in terms {
            let (stretch, weight) = term.stretch(self, affine);
            energy += 0.5 * weight * stretch * stretch;
            for (node, gradient) in term.gradient(self) {
                load[self.point[node]] -= weight * stretch * gradient;
            }
        }
        let free = vec![false; self.points];
        let inertia = vec![0.0; self.points];
        let moved = conjugate_gradients(&inertia, blocks, &free, &load, TOLERANCE);
        let area = self.side * self.side;
        [energy / area, (energy - 0.5 * dot(&load, &moved)) / area]
    }
}

/// A linear spring or torsion spring between places, with its stiffness.
enum Term {
    Spring([usize; 2], f64),
    Torsion([usize; 3], f64),
}

impl Term {
    fn gradient(&self, torus: &Torus) -> Vec<(usize, DVec2)> {
        match *self {
            Self::Spring([a, b], _) => {
                let direction = (torus.places[b] - torus.places[a]).normalize();
                vec![(a, -direction), (b, direction)]
            }
            Self::Torsion([p, a, b], _) => {
                let (to_a, to_b) = (
                    torus.places[a] - torus.places[p],
                    torus.places[b] - torus.places[p],
                );
                let first = -to_a.perp() / to_a.length_squared();
                let second = to_b.perp() / to_b.length_squared();
                vec![(p, -first - second), (a, first), (b, second)]
            }
        }
    }

    fn stretch(&self, torus: &Torus, motion: impl Fn(DVec2) -> DVec2) -> (f64, f64) {
        let gradient = self.gradient(torus).into_iter();
        let stretch = gradient.map(|(node, g)| g.dot(motion(torus.places[node])));
        let (Self::Spring(_, weight) | Self::Torsion(_, weight)) = *self;
        (stretch.sum(), weight)
    }

    /// Its part of the stiffness between points of the torus.
    fn block(&self, torus: &Torus) -> Block {
        let gradient = self.gradient(torus);
        match *self {
            Self::Spring(nodes, weight) => Block::Pair {
                nodes: nodes.map(|node| torus.point[node]),
                direction: gradient[1].1,
                along: weight,
                across: 0.0,
            },
            Self::Torsion(nodes, weight) => Block::Triple {
                nodes: nodes.map(|node| torus.point[node]),
                gradient: [gradient[0].1, gradient[1].1, gradient[2].1],
                weight,
            },
        }
    }
}
