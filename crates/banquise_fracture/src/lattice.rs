//! Floes as lattices of springs: square, triangular, and Delaunay triangulations of random points.
//!
//! | lattice | springs | plane-stress limit |
//! |---|---|---|
//! | square, spacing a | k on sides, torsion κ = G a² on the corners of cells | ν = 0; isotropic where k = 8 G |
//! | triangular, spacing a | k | E t = (2/√3) k, ν = 1/3 |
//! | Delaunay | k/sin θ on each side of each triangle, torsion G \|a\|\|b\|/sin θ on each angle | E t = 3.19 k, ν = 0.295 at G = 0.04 k |
//!
//! θ is the angle opposite to a side. The last line is a measurement on relaxed lattices (`moduli`); the
//! values printed in the source are half as large and have the signs of the torsion terms exchanged.

use banquise_geometry::DVec2;
use spade::{DelaunayTriangulation, Point2, Triangulation};

use crate::error::{FractureError, positive, within};
use crate::ice::Ice;
use crate::network::{Bond, Corner, Network};
use crate::random::unit;

/// Kind of a lattice.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Squares with torsion springs in their corners.
    Square,
    /// Equilateral triangles.
    Triangular,
    /// The Delaunay triangulation of random points.
    Delaunay,
}

/// A square floe as a lattice.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Lattice {
    /// Kind of the lattice.
    pub kind: Kind,
    /// The ice. The Poisson's ratio of square and triangular lattices is theirs, 0 and 1/3.
    pub ice: Ice,
    /// Side of the floe \[m\].
    pub side: f64,
    /// Thickness \[m\].
    pub thickness: f64,
    /// Spacing of the nodes; of random points, the square root of the area for each \[m\].
    pub spacing: f64,
    /// Dashpots, μ over √(k m) of the lattice's k and mean mass \[1\].
    pub damping: f64,
    /// Number of the draw of random points.
    pub seed: u64,
}

/// Young's modulus × thickness of a relaxed Delaunay lattice over k, at [`DELAUNAY_TORSION`].
pub const DELAUNAY_YOUNG: f64 = 3.19;
/// Torsion G over k that gives a Delaunay lattice ν = 0.295.
pub const DELAUNAY_TORSION: f64 = 0.04;
/// Bonds cut by a unit of crack in a triangular lattice of unit spacing, mean over directions: 12/(√3 π).
pub const CUT_BONDS: f64 = 2.205_315_581_8;
/// Nodes of a lattice, at most.
const MAX_NODES: f64 = 250_000.0;

impl Lattice {
    /// Its network, centred on the origin.
    ///
    /// # Errors
    /// A length, constant or spacing outside its range.
    pub fn network(&self) -> Result<Network, FractureError> {
        self.ice.check()?;
        positive("side of the floe (m)", self.side)?;
        positive("thickness (m)", self.thickness)?;
        positive("spacing (m)", self.spacing)?;
        within("damping", "between 0 and 2", 0.0..=2.0, self.damping)?;
        let cells = self.side / self.spacing;
        within(
            "side over spacing",
            "between 2 and 500",
            2.0..=MAX_NODES.sqrt(),
            cells,
        )?;
        let mut network = match self.kind {
            Kind::Square => self.square(),
            Kind::Triangular => self.triangular(),
            Kind::Delaunay => self.delaunay()?,
        };
        merge_sides(&mut network);
        join_corners(&mut network);
        let mass = network.masses.iter().sum::<f64>() / network.masses.len() as f64;
        let dashpot = self.damping * (self.stiffness() * mass).sqrt();
        for bond in &mut network.bonds {
            bond.dashpot = dashpot;
        }
        network.check()?;
        Ok(network)
    }

    /// Stiffness k of the lattice \[N m⁻¹\], from E t.
    pub fn stiffness(&self) -> f64 {
        let membrane = self.ice.young * self.thickness;
        match self.kind {
            Kind::Square => membrane,
            Kind::Triangular => 0.5 * 3.0_f64.sqrt() * membrane,
            Kind::Delaunay => membrane / DELAUNAY_YOUNG,
        }
    }

    fn density(&self) -> f64 {
        self.ice.density * self.thickness
    }

    /// Crack energy for a unit of length \[J m⁻¹\].
    fn toughness(&self) -> f64 {
        self.ice.fracture_energy * self.thickness
    }

    fn square(&self) -> Network {
        let cells = (self.side / self.spacing).round() as usize;
        let a = self.side / cells as f64;
        let mut network = Network::default();
        let place = |i: usize| a * i as f64 - 0.5 * self.side;
        let at = |i: usize, j: usize| j * (cells + 1) + i;
        for (j, i) in (0..=cells).flat_map(|j| (0..=cells).map(move |i| (j, i))) {
            network.add_node(DVec2::new(place(i), place(j)), 0.0);
        }
        let mut faces = Vec::new();
        for (j, i) in (0..cells).flat_map(|j| (0..cells).map(move |i| (j, i))) {
            faces.push(vec![at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)]);
        }
        let k = self.stiffness();
        // Each cell brings half of the spring on its sides: those of the boundary have half the stiffness.
        let torsion = k / 8.0 * a * a;
        for face in &faces {
            let mass = self.density() * a * a / 4.0;
            for corner in 0..4 {
                let [before, apex, after] =
                    [face[(corner + 3) % 4], face[corner], face[(corner + 1) % 4]];
                network.masses[apex] += mass;
                add_side(
                    &mut network,
                    apex,
                    after,
                    0.5 * k,
                    0.5 * self.toughness() * a,
                );
                network
                    .corners
                    .push(corner_of(apex, after, before, torsion));
            }
        }
        network
    }

    fn triangular(&self) -> Network {
        let a = self.spacing;
        let height = 0.5 * 3.0_f64.sqrt() * a;
        let rows = (self.side / height).round() as usize;
        let columns = (self.side / a).round() as usize;
        let mut network = Network::default();
        let at = |row: usize, column: usize| row * (columns + 1) + column;
        for (row, column) in (0..=rows).flat_map(|r| (0..=columns).map(move |c| (r, c))) {
            let shift = if row % 2 == 0 { 0.0 } else { 0.5 * a };
            let corner = DVec2::new(columns as f64 * a + 0.5 * a, rows as f64 * height);
            let place = DVec2::new(column as f64 * a + shift, row as f64 * height);
            network.add_node(place - 0.5 * corner, 0.0);
        }
        // Each triangle brings half of the spring on its sides: those of the boundary have half the stiffness.
        let k = 0.5 * self.stiffness();
        let energy = 0.5 * self.toughness() * a / CUT_BONDS;
        let mass = self.density() * 0.5 * a * height / 3.0;
        for (row, column) in (0..rows).flat_map(|r| (0..columns).map(move |c| (r, c))) {
            let (s, e) = (at(row, column), at(row, column + 1));
            let (n, ne) = (at(row + 1, column), at(row + 1, column + 1));
            let triangles = if row % 2 == 0 {
                [[s, e, n], [e, ne, n]]
            } else {
                [[s, e, ne], [s, ne, n]]
            };
            for triangle in triangles {
                for side in 0..3 {
                    network.masses[triangle[side]] += mass;
                    add_side(
                        &mut network,
                        triangle[side],
                        triangle[(side + 1) % 3],
                        k,
                        energy,
                    );
                }
            }
        }
        network
    }

    /// Points on the boundary at regular spacing, the corners first, and random points of this draw inside.
    ///
    /// Without points on the boundary its triangles would be slivers of the length of a side.
    fn points(&self) -> Vec<DVec2> {
        let half = 0.5 * self.side;
        let corners = [[-half, -half], [half, -half], [half, half], [-half, half]].map(DVec2::from);
        let mut points = corners.to_vec();
        let cells = (self.side / self.spacing).round().max(1.0) as usize;
        for side in 0..4 {
            let (from, to) = (corners[side], corners[(side + 1) % 4]);
            points.extend((1..cells).map(|i| from + (to - from) * (i as f64 / cells as f64)));
        }
        // A point of the boundary stands for half a cell, one of a corner for a quarter.
        let count = (cells - 1) * (cells - 1);
        points.extend((0..count as u64).map(|point| {
            let random = DVec2::new(unit(self.seed, 2 * point), unit(self.seed, 2 * point + 1));
            self.side * random - DVec2::splat(half)
        }));
        points
    }

    fn delaunay(&self) -> Result<Network, FractureError> {
        let mut network = Network::default();
        for point in self.points() {
            network.add_node(point, 0.0);
        }
        let k = self.stiffness();
        for triangle in triangles(&network.places)? {
            let sides = Triangle::new(&network.places, triangle);
            let circle = sides.circumcentre();
            for side in 0..3 {
                let [apex, a, b] = [side, (side + 1) % 3, (side + 2) % 3].map(|i| triangle[i]);
                network.masses[apex] += self.density() * sides.area() / 3.0;
                // Half of the dual edge is from the circumcentre to the middle of the side.
                let middle = 0.5 * (network.places[a] + network.places[b]);
                let dual = (middle - circle).length();
                let sine = sides.sine(side);
                add_side(&mut network, a, b, k / sine, self.toughness() * dual);
                let torsion = DELAUNAY_TORSION * k * sides.arms(side) / sine;
                network.corners.push(corner_of(apex, a, b, torsion));
            }
        }
        Ok(network)
    }
}

/// Adds a spring between two nodes; [`merge_sides`] joins those of neighbouring cells.
fn add_side(network: &mut Network, a: usize, b: usize, stiffness: f64, energy: f64) {
    network.bonds.push(Bond {
        nodes: [a.min(b), a.max(b)],
        stiffness,
        dashpot: 0.0,
        surface_energy: energy,
        intact: true,
    });
}

/// Makes one bond of all springs between the same nodes, in the order of the nodes.
fn merge_sides(network: &mut Network) {
    network.bonds.sort_by_key(|bond| bond.nodes);
    network.bonds.dedup_by(|next, kept| {
        let is_same = next.nodes == kept.nodes;
        if is_same {
            kept.stiffness += next.stiffness;
            kept.surface_energy += next.surface_energy;
        }
        is_same
    });
}

/// A torsion spring whose bonds are not known yet.
fn corner_of(apex: usize, first: usize, second: usize, stiffness: f64) -> Corner {
    Corner {
        nodes: [apex, first, second],
        stiffness,
        bonds: [usize::MAX; 2],
    }
}

/// Finds the bonds, which are in the order of their nodes, along the sides of torsion springs.
fn join_corners(network: &mut Network) {
    for corner in &mut network.corners {
        let [apex, first, second] = corner.nodes;
        corner.bonds = [first, second].map(|node| {
            let nodes = [apex.min(node), apex.max(node)];
            let found = network
                .bonds
                .binary_search_by_key(&nodes, |bond| bond.nodes);
            found.expect("a corner lies between bonds")
        });
    }
}

/// Delaunay triangles of points, counter-clockwise.
pub(crate) fn triangles(points: &[DVec2]) -> Result<Vec<[usize; 3]>, FractureError> {
    let vertices = points.iter().map(|p| Point2::new(p.x, p.y)).collect();
    let refused = |error: spade::InsertionError| FractureError::Triangulation {
        problem: error.to_string(),
    };
    let triangulation: DelaunayTriangulation<Point2<f64>> =
        DelaunayTriangulation::bulk_load_stable(vertices).map_err(refused)?;
    let faces = triangulation.inner_faces();
    Ok(faces
        .map(|face| face.vertices().map(|v| v.index()))
        .collect())
}

/// A triangle of the lattice.
pub(crate) struct Triangle {
    places: [DVec2; 3],
}

impl Triangle {
    pub(crate) fn new(places: &[DVec2], nodes: [usize; 3]) -> Self {
        Self {
            places: nodes.map(|node| places[node]),
        }
    }

    fn edges(&self, apex: usize) -> [DVec2; 2] {
        let [p, a, b] = [apex, (apex + 1) % 3, (apex + 2) % 3].map(|i| self.places[i]);
        [a - p, b - p]
    }

    pub(crate) fn area(&self) -> f64 {
        let [a, b] = self.edges(0);
        0.5 * a.perp_dot(b).abs()
    }

    /// Product of the lengths of the sides at a vertex \[m²\].
    pub(crate) fn arms(&self, apex: usize) -> f64 {
        let [a, b] = self.edges(apex);
        a.length() * b.length()
    }

    /// Sine of the angle at a vertex, which is opposite to the side between the other two.
    pub(crate) fn sine(&self, apex: usize) -> f64 {
        2.0 * self.area() / self.arms(apex)
    }

    fn circumcentre(&self) -> DVec2 {
        let [a, b] = self.edges(0);
        let twice = 2.0 * a.perp_dot(b);
        let weighted = b * a.length_squared() - a * b.length_squared();
        self.places[0] - weighted.perp() / twice
    }
}
