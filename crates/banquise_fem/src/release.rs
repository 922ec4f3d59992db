//! The energy that a crack releases.
//!
//! With u the displacements before, the plate with the crack finds u + w: w vanishes where displacements are held, the lips do not overlap, and
//! Π = E − W is least. w is a displacement c of the whole plate and jumps a of the copies of cut nodes: with K the stiffness of the plate, B and C
//! that of jumps against it and among each other, c = −K⁻¹(B a + M μ), where M μ are forces that keep pieces from moving as rigid bodies. The factor of K, which no
//! crack changes, leaves a small dense system for a.

use banquise_geometry::DVec2;

use crate::cholesky::{Factor, Lanes, WIDTH};
use crate::cut::{CrackPath, Cut, LipPoint, Part};
use crate::dense::{Dense, DenseFactor, dot};
use crate::jumps::Jumps;
use crate::lips::{Column, Lips, Loaded};
use crate::opened::{Opened, Relief, RigidMotions, unheld};
use crate::plane::{Held, Plane};

/// A plate in equilibrium, ready to be cut.
pub(crate) struct Strained<'a> {
    pub plane: &'a Plane,
    /// The factor of its stiffness with these components held, and as many others as hold it in place.
    pub factor: &'a Factor,
    pub displacement: &'a [DVec2],
    /// Components of displacement that a crack does not change.
    pub held: &'a [Held],
    /// Body force on each node for a unit of area \[N/m²\]: drag and inertia.
    pub body_force: &'a [DVec2],
    pub relief: Relief,
    pub lips: Lips,
}

/// What a crack does.
#[derive(Clone, Debug, PartialEq)]
pub struct Release {
    /// Drop of Π \[J\].
    pub energy: f64,
    /// Lip points that touch.
    pub closed: usize,
    /// All lip points.
    pub lips: usize,
    /// Pieces of the plate.
    pub pieces: usize,
}

/// Share of the compliance that makes constraints of tiny pieces, all of whose nodes are copies, soft instead of singular.
const SOFTNESS: f64 = 1e-9;

/// Stiffness against the motions of a piece that grips leave free, as a share of that of jumps: so soft that it slides along its lips, as it may, and stiff enough
/// for a factor.
const FREE_STIFFNESS: f64 = 1e-5;

impl Strained<'_> {
    /// The drop of Π that the crack brings; `None` if it cuts no triangle or a triangle twice.
    pub(crate) fn release(&self, path: &CrackPath) -> Option<Release> {
        let cut = Cut::new(self.plane.mesh(), path)?;
        let along = (*path.points.last()? - path.points[0]).normalize();
        let opened = Opened::new(self.plane, self.held, &cut);
        let point = |node: u32| self.plane.mesh().points()[node as usize];
        let places: Vec<f64> = cut
            .copies
            .iter()
            .map(|node| along.dot(point(*node)))
            .collect();
        let jumps = match self.lips {
            Lips::Interlocked => Jumps::interlocked(&opened, self.held, &places, (along, &cut)),
            Lips::Rough | Lips::Smooth => Jumps::free(&opened, self.held, &places),
        };
        let compliance = self.stiffness(&cut, &opened, &jumps)?.cholesky()?;
        let mut load = self.unbalanced(&cut, &jumps);
        compliance.forward(&mut load, 0);
        let columns = |direction: &dyn Fn(&LipPoint) -> DVec2| -> Vec<Column> {
            let column = |lip| column(jumps.at(lip, direction(lip)), &compliance);
            cut.lips.iter().map(column).collect()
        };
        let across = columns(&|lip| lip.normal);
        let loaded = Loaded { load: &load };
        let closed = match self.lips {
            Lips::Interlocked | Lips::Smooth => loaded.close_smooth(&across)?,
            Lips::Rough => loaded.close_rough(&across, || columns(&|lip| lip.normal.perp()))?,
        };
        Some(Release {
            energy: (closed.free - closed.lost).max(0.0),
            closed: closed.points,
            lips: cut.lips.len(),
            pieces: opened.piece_count,
        })
    }

    /// The stiffness of jumps, with the plate free to follow.
    fn stiffness(&self, cut: &Cut, opened: &Opened<'_>, jumps: &Jumps) -> Option<Dense> {
        let pieces = opened.rigid_motions(self.relief);
        if self.relief == Relief::Grips {
            let mut sides = RightSides::new(self.plane.node_count(), jumps.count);
            let mut stiffness = self.assemble(cut, jumps, &mut sides);
            stiffness.subtract(&sides.products(self.factor));
            stiffen(&mut stiffness, &slides(opened, jumps, &pieces));
            return Some(stiffness);
        }
        let modes = 3 * pieces.len();
        let mut sides = RightSides::new(self.plane.node_count(), jumps.count + modes);
        let mut stiffness = self.assemble(cut, jumps, &mut sides);
        // Inertia of rigid motions on the jumps themselves.
        let mut on_jumps = vec![vec![0.0; jumps.count]; modes];
        let mut weight = 0.0;
        for row in &opened.rows {
            let place = self.plane.position()[row.node as usize];
            let motions = opened.motions_at(row, &pieces).into_iter();
            for (mode, motion) in (3 * row.piece as usize..).zip(motions) {
                let force = row.area * unheld(motion, self.held[row.node as usize]);
                weight += force.length_squared();
                sides.add(place, jumps.count + mode, force);
                for (number, motion) in jumps.terms(row.copy) {
                    on_jumps[mode][number] += force.dot(motion);
                }
            }
        }
        let products = sides.products(self.factor);
        stiffness.subtract(&products);
        let softness = SOFTNESS * weight / largest_diagonal(&stiffness);
        if weight > 0.0 {
            constrain(&mut stiffness, &products, &on_jumps, softness)?;
        }
        Some(stiffness)
    }

    /// C, and the right-hand sides B.
    fn assemble(&self, cut: &Cut, jumps: &Jumps, sides: &mut RightSides) -> Dense {
        let plane = self.plane;
        let mut stiffness = Dense::zero(jumps.count);
        for zone in &cut.zone {
            let element = plane.element(zone.element);
            let nodes = plane.mesh().triangles()[zone.element as usize];
            for part in zone.parts.iter().filter(|part| part.share > 0.0) {
                let scale = part.share * plane.thickness();
                for (b, copy) in part.copies.iter().enumerate() {
                    for (number, motion) in jumps.terms(*copy) {
                        let strain = element.strain_of(b, motion);
                        let stress = plane.elasticity().stress(strain);
                        for (a, node) in nodes.into_iter().enumerate() {
                            let force = scale * element.force(a, stress);
                            for (other, direction) in jumps.terms(part.copies[a]) {
                                if other >= number {
                                    *stiffness.at_mut(other, number) += force.dot(direction);
                                }
                            }
                            let force = unheld(force, self.held[node as usize]);
                            sides.add(plane.position()[node as usize], number, force);
                        }
                    }
                }
            }
        }
        stiffness
    }

    /// Forces that the parts of cut triangles no longer balance, on the jumps.
    fn unbalanced(&self, cut: &Cut, jumps: &Jumps) -> Vec<f64> {
        let plane = self.plane;
        let mut load = vec![0.0; jumps.count];
        for zone in &cut.zone {
            let strain = plane.strain(zone.element, self.displacement);
            let stress = plane.elasticity().stress(strain);
            let element = plane.element(zone.element);
            let nodes = plane.mesh().triangles()[zone.element as usize];
            let force = |part: &Part, corner: usize| {
                let body = self.body_force[nodes[corner] as usize];
                body * part.weights[corner] * element.area
                    - part.share * plane.thickness() * element.force(corner, stress)
            };
            for part in zone.parts.iter().filter(|part| part.share > 0.0) {
                for (corner, copy) in part.copies.iter().enumerate() {
                    for (number, motion) in jumps.terms(*copy) {
                        load[number] += force(part, corner).dot(motion);
                    }
                }
            }
        }
        load
    }
}

/// Adds the stiffness of constraints on rigid motion to that of jumps: Eᵀ(MᵀK⁻¹M + s)⁻¹E with E = MᵀK⁻¹B − M on the jumps, and s the softness.
fn constrain(
    stiffness: &mut Dense,
    products: &Dense,
    on_jumps: &[Vec<f64>],
    softness: f64,
) -> Option<()> {
    let jumps = stiffness.size();
    let modes: Vec<usize> = (jumps..products.size()).collect();
    let mut compliance = products.restricted(&modes);
    for mode in 0..modes.len() {
        *compliance.at_mut(mode, mode) += softness;
    }
    let factor = compliance.cholesky()?;
    let constraint = |jump: usize| {
        let own = modes.iter().zip(on_jumps);
        let mut forces: Vec<f64> = own
            .map(|(mode, on)| products.at(*mode, jump) - on[jump])
            .collect();
        factor.forward(&mut forces, 0);
        forces
    };
    let forces: Vec<Vec<f64>> = (0..jumps).map(constraint).collect();
    for i in 0..jumps {
        for (value, other) in stiffness.row_mut(i)[..=i].iter_mut().zip(&forces) {
            *value += dot(&forces[i], other);
        }
    }
    Some(())
}

/// The jumps in which a piece moves as a rigid body, for each of its motions.
fn slides(opened: &Opened<'_>, jumps: &Jumps, pieces: &[RigidMotions]) -> Vec<Vec<f64>> {
    let mut slides = vec![vec![0.0; jumps.count]; 3 * pieces.len()];
    for (copy, row) in opened.copies().iter().enumerate() {
        // A copy moves with its piece against the largest, and the other way round.
        let largest = &opened.copies()[jumps.largest[copy] as usize];
        for (row, sign) in [(row, 1.0), (largest, -1.0)] {
            let motions = opened.motions_at(row, pieces).into_iter();
            for (mode, rigid) in (3 * row.piece as usize..).zip(motions) {
                for (number, motion) in jumps.terms(copy as u32) {
                    slides[mode][number] += sign * rigid.dot(motion);
                }
            }
        }
    }
    slides
}

/// Resists some motions a little.
fn stiffen(stiffness: &mut Dense, motions: &[Vec<f64>]) {
    let share = FREE_STIFFNESS * largest_diagonal(stiffness);
    for motion in motions {
        let square = dot(motion, motion);
        for i in (0..motion.len()).filter(|i| motion[*i] != 0.0) {
            for (value, other) in stiffness.row_mut(i)[..=i].iter_mut().zip(motion) {
                *value += share / square * motion[i] * other;
            }
        }
    }
}

fn largest_diagonal(matrix: &Dense) -> f64 {
    let diagonal = (0..matrix.size()).map(|i| matrix.at(i, i));
    diagonal.fold(f64::MIN_POSITIVE, f64::max)
}

/// L⁻¹ of what the lips part for a unit of each jump, with L the factor of their stiffness.
fn column(mut values: Vec<f64>, compliance: &DenseFactor) -> Column {
    let first = values.iter().take_while(|value| **value == 0.0).count();
    compliance.forward(&mut values, first);
    Column { values, first }
}

/// Forces on the plate, some columns at a time.
struct RightSides {
    count: usize,
    panels: Vec<Panel>,
}

/// Columns that are solved for together, by row of the factor.
struct Panel {
    values: Vec<Lanes>,
    is_reached: Vec<bool>,
    /// Rows that are not zero, once solved for.
    rows: Vec<u32>,
}

impl RightSides {
    fn new(rows: usize, count: usize) -> Self {
        let panel = |_| Panel {
            values: vec![[[0.0; WIDTH]; 2]; rows],
            is_reached: vec![false; rows],
            rows: Vec::new(),
        };
        Self {
            count,
            panels: (0..count.div_ceil(WIDTH)).map(panel).collect(),
        }
    }

    fn add(&mut self, place: u32, column: usize, force: DVec2) {
        let panel = &mut self.panels[column / WIDTH];
        panel.is_reached[place as usize] = true;
        let [x, y] = &mut panel.values[place as usize];
        x[column % WIDTH] += force.x;
        y[column % WIDTH] += force.y;
    }

    /// Products of columns with K⁻¹ between.
    fn products(mut self, factor: &Factor) -> Dense {
        let mut products = Dense::zero(self.count);
        for panel in &mut self.panels {
            factor.forward(&mut panel.values, &mut panel.is_reached);
            let reached = (0..)
                .zip(&panel.is_reached)
                .filter(|(_, is_reached)| **is_reached);
            panel.rows = reached.map(|(row, _)| row).collect();
        }
        for (i, a) in self.panels.iter().enumerate() {
            for (j, b) in self.panels[..=i].iter().enumerate() {
                let block = a.products(b);
                for (row, values) in (i * WIDTH..self.count).zip(block) {
                    let end = self.count.min((j + 1) * WIDTH);
                    let target = &mut products.row_mut(row)[j * WIDTH..end];
                    target.copy_from_slice(&values[..end - j * WIDTH]);
                }
            }
        }
        products
    }
}

const HALF: usize = WIDTH / 2;

impl Panel {
    fn products(&self, other: &Self) -> [[f64; WIDTH]; WIDTH] {
        let mut products = [[0.0; WIDTH]; WIDTH];
        let rows = self.rows.iter().map(|row| *row as usize);
        let rows: Vec<usize> = rows.filter(|row| other.is_reached[*row]).collect();
        // Quarters, which registers hold.
        for (p, q) in [(0, 0), (0, HALF), (HALF, 0), (HALF, HALF)] {
            let mut sums = [[0.0; HALF]; HALF];
            for &row in &rows {
                for (x, y) in self.values[row].iter().zip(&other.values[row]) {
                    for i in 0..HALF {
                        for j in 0..HALF {
                            sums[i][j] += x[p + i] * y[q + j];
                        }
                    }
                }
            }
            for (i, line) in sums.iter().enumerate() {
                products[p + i][q..q + HALF].copy_from_slice(line);
            }
        }
        products
    }
}
