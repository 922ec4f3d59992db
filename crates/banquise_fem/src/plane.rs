//! The stiffness of a meshed plate, and its solution under loads and held nodes.

use banquise_geometry::DVec2;

use crate::cholesky::{Block, Factor, LowerRows};
use crate::elasticity::{Elasticity, Element, Tensor};
use crate::mesh::TriangleMesh;
use crate::ordering::nested_dissection;

/// Which components of a node's displacement are given.
pub(crate) type Held = [bool; 2];

/// Linear triangles in plane stress, with their stiffness matrix and elimination order.
#[derive(Clone, Debug)]
pub(crate) struct Plane {
    mesh: TriangleMesh,
    elasticity: Elasticity,
    thickness: f64,
    elements: Vec<Element>,
    /// Area that belongs to each node \[m²\]: a third of its triangles.
    node_area: Vec<f64>,
    /// Row `i` of the stiffness matrix: `start[i]..start[i + 1]`, all columns, sorted.
    start: Vec<u32>,
    columns: Vec<u32>,
    blocks: Vec<Block>,
    order: Vec<u32>,
    position: Vec<u32>,
}

impl Plane {
    pub(crate) fn new(mesh: TriangleMesh, thickness: f64, elasticity: &Elasticity) -> Self {
        let count = mesh.points().len();
        let elements: Vec<Element> = (0..mesh.triangles().len())
            .map(|element| Element::new(mesh.corners(element as u32)))
            .collect();
        let mut node_area = vec![0.0; count];
        for (element, nodes) in elements.iter().zip(mesh.triangles()) {
            for node in nodes {
                node_area[*node as usize] += element.area / 3.0;
            }
        }
        let (start, columns) = adjacency(&mesh);
        let order = nested_dissection(mesh.points(), &start, &columns);
        let mut position = vec![0; count];
        for (place, node) in order.iter().enumerate() {
            position[*node as usize] = place as u32;
        }
        let mut plane = Self {
            blocks: vec![[0.0; 4]; columns.len()],
            mesh,
            elasticity: elasticity.clone(),
            thickness,
            elements,
            node_area,
            start,
            columns,
            order,
            position,
        };
        plane.assemble(|_| 1.0);
        plane
    }

    /// Sums up the stiffness matrix, with this share of the stiffness of each triangle.
    fn assemble(&mut self, share: impl Fn(usize) -> f64) {
        self.blocks.fill([0.0; 4]);
        let triangles = self.mesh.triangles().iter();
        for (number, (element, nodes)) in self.elements.iter().zip(triangles).enumerate() {
            let thickness = share(number) * self.thickness;
            for (a, &row) in nodes.iter().enumerate() {
                let range =
                    self.start[row as usize] as usize..self.start[row as usize + 1] as usize;
                for (b, column) in nodes.iter().enumerate() {
                    let place = self.columns[range.clone()].binary_search(column);
                    let place = range.start + place.expect("corners of a triangle are adjacent");
                    let stiffness = element.stiffness(a, b, &self.elasticity);
                    for (target, value) in self.blocks[place].iter_mut().zip(stiffness) {
                        *target += thickness * value;
                    }
                }
            }
        }
    }

    /// A copy of the plate with a share of the stiffness of each triangle.
    pub(crate) fn weakened(&self, shares: &[f64]) -> Self {
        let mut weak = self.clone();
        weak.assemble(|element| shares[element]);
        weak
    }

    /// Elastic energy density of each triangle \[J/m³\], with all its stiffness.
    pub(crate) fn energy_densities(&self, displacement: &[DVec2]) -> Vec<f64> {
        (0..self.elements.len() as u32)
            .map(|element| {
                let strain = self.strain(element, displacement);
                let stress = self.elasticity.stress(strain);
                0.5 * strain.iter().zip(stress).map(|(a, b)| a * b).sum::<f64>()
            })
            .collect()
    }

    /// The mesh.
    pub(crate) fn mesh(&self) -> &TriangleMesh {
        &self.mesh
    }

    pub(crate) fn elasticity(&self) -> &Elasticity {
        &self.elasticity
    }

    pub(crate) fn thickness(&self) -> f64 {
        self.thickness
    }

    /// `G_c` h L \[J\].
    pub(crate) fn surface_energy(&self, length: f64) -> f64 {
        self.elasticity.toughness * self.thickness * length
    }

    pub(crate) fn element(&self, element: u32) -> &Element {
        &self.elements[element as usize]
    }

    pub(crate) fn node_area(&self) -> &[f64] {
        &self.node_area
    }

    /// Place of each node in elimination order.
    pub(crate) fn position(&self) -> &[u32] {
        &self.position
    }

    pub(crate) fn node_count(&self) -> usize {
        self.order.len()
    }

    /// Blocks of the stiffness matrix.
    pub(crate) fn block_count(&self) -> usize {
        self.blocks.len()
    }

    /// Columns and blocks of a row of the stiffness matrix.
    pub(crate) fn row(&self, node: u32) -> impl Iterator<Item = (u32, Block)> + '_ {
        let range = self.start[node as usize] as usize..self.start[node as usize + 1] as usize;
        self.columns[range.clone()]
            .iter()
            .copied()
            .zip(self.blocks[range].iter().copied())
    }

    /// The factor of the stiffness matrix with these components held.
    pub(crate) fn factor(&self, held: &[Held]) -> Option<Factor> {
        let mut rows = LowerRows::with_capacity(self.node_count(), self.block_count());
        for (k, &node) in self.order.iter().enumerate() {
            let mut diagonal = [0.0; 4];
            for (other, block) in self.row(node) {
                let column = self.position[other as usize];
                let masked = masked(block, held[node as usize], held[other as usize]);
                match (column as usize).cmp(&k) {
                    std::cmp::Ordering::Less => rows.push(column, masked),
                    std::cmp::Ordering::Equal => diagonal = with_unit(masked, held[node as usize]),
                    std::cmp::Ordering::Greater => {}
                }
            }
            rows.push(k as u32, diagonal);
            rows.end_row();
        }
        Factor::new(&rows)
    }

    /// K u.
    pub(crate) fn forces(&self, displacement: &[DVec2]) -> Vec<DVec2> {
        (0..self.node_count() as u32)
            .map(|node| {
                self.row(node)
                    .fold(DVec2::ZERO, |sum, (other, [a, b, c, d])| {
                        let u = displacement[other as usize];
                        sum + DVec2::new(a * u.x + b * u.y, c * u.x + d * u.y)
                    })
            })
            .collect()
    }

    /// Displacements under nodal forces, with the held components given by `prescribed`.
    pub(crate) fn solve(
        &self,
        factor: &Factor,
        held: &[Held],
        forces: &[DVec2],
        prescribed: Option<&[DVec2]>,
    ) -> Vec<DVec2> {
        let pull = prescribed.map(|displacement| self.forces(displacement));
        let mut x: Vec<[f64; 2]> = Vec::with_capacity(self.node_count());
        for &node in &self.order {
            let node = node as usize;
            let right = forces[node] - pull.as_ref().map_or(DVec2::ZERO, |pull| pull[node]);
            let [x_held, y_held] = held[node];
            x.push([
                if x_held { 0.0 } else { right.x },
                if y_held { 0.0 } else { right.y },
            ]);
        }
        factor.solve(&mut x);
        let mut displacement = vec![DVec2::ZERO; self.node_count()];
        for (&node, [ux, uy]) in self.order.iter().zip(x) {
            let given = prescribed.map_or(DVec2::ZERO, |given| given[node as usize]);
            displacement[node as usize] = DVec2::new(ux, uy) + given;
        }
        displacement
    }

    /// Elastic energy \[J\] of displacements.
    pub(crate) fn energy(&self, displacement: &[DVec2]) -> f64 {
        let densities = self.energy_densities(displacement).into_iter();
        densities
            .zip(&self.elements)
            .map(|(density, element)| self.thickness * element.area * density)
            .sum()
    }

    pub(crate) fn strain(&self, element: u32, displacement: &[DVec2]) -> Tensor {
        let nodes = self.mesh.triangles()[element as usize];
        self.elements[element as usize].strain(nodes.map(|node| displacement[node as usize]))
    }

    /// Stress of each triangle \[Pa\], for pictures: the mean over its corners of what the triangles about each have, weighted by area. Beside a force,
    /// the stress of single linear triangles jumps from one to the next.
    pub(crate) fn smooth_stresses(&self, displacement: &[DVec2]) -> Vec<Tensor> {
        let mut sums = vec![[0.0; 3]; self.node_count()];
        let stresses = self.stresses(displacement);
        let triangles = self.mesh.triangles();
        for ((stress, element), nodes) in stresses.iter().zip(&self.elements).zip(triangles) {
            for node in nodes {
                let sum = &mut sums[*node as usize];
                for (sum, part) in sum.iter_mut().zip(stress) {
                    *sum += element.area / 3.0 * part;
                }
            }
        }
        let at = |node: u32, part: usize| sums[node as usize][part] / self.node_area[node as usize];
        triangles
            .iter()
            .map(|nodes| {
                [0, 1, 2].map(|part| nodes.iter().map(|node| at(*node, part)).sum::<f64>() / 3.0)
            })
            .collect()
    }

    /// Stress of each triangle \[Pa\].
    pub(crate) fn stresses(&self, displacement: &[DVec2]) -> Vec<Tensor> {
        (0..self.elements.len() as u32)
            .map(|element| self.elasticity.stress(self.strain(element, displacement)))
            .collect()
    }
}

/// A block without the rows and columns that are held.
pub(crate) fn masked([a, b, c, d]: Block, row: Held, column: Held) -> Block {
    let keep = |value: f64, i: usize, j: usize| if row[i] || column[j] { 0.0 } else { value };
    [keep(a, 0, 0), keep(b, 0, 1), keep(c, 1, 0), keep(d, 1, 1)]
}

/// A diagonal block with ones where the node is held.
pub(crate) fn with_unit(mut block: Block, held: Held) -> Block {
    if held[0] {
        block[0] = 1.0;
    }
    if held[1] {
        block[3] = 1.0;
    }
    block
}

/// Rows of the graph of nodes that share a triangle, each with itself, sorted.
fn adjacency(mesh: &TriangleMesh) -> (Vec<u32>, Vec<u32>) {
    let mut start = vec![0_u32];
    let mut columns = Vec::new();
    let mut row: Vec<u32> = Vec::new();
    for node in 0..mesh.points().len() as u32 {
        row.clear();
        row.push(node);
        for &element in mesh.incident(node) {
            row.extend(mesh.triangles()[element as usize]);
        }
        row.sort_unstable();
        row.dedup();
        columns.extend_from_slice(&row);
        start.push(columns.len() as u32);
    }
    (start, columns)
}
