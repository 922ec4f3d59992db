//! Joints between bodies: their energy, the clusters of floes that they freeze together, and what becomes of them when bodies change.

use banquise_geometry::{DVec2, Shape};

use super::World;
use crate::bond::{Bond, BondStress, Strain};
use crate::id::BodyId;

/// A joint and one of its two bodies, with the place of the joint in the world.
pub(super) struct Held {
    bond: Bond,
    side: usize,
    anchor: DVec2,
    normal: DVec2,
}

impl World {
    /// Joints between bodies that are frozen together, in the order of their ids.
    pub fn bonds(&self) -> &[Bond] {
        &self.bonds
    }

    /// Stresses of the joints, in the same order.
    pub fn bond_stresses(&self) -> impl Iterator<Item = BondStress> + '_ {
        let bonds = self.bonds.iter();
        bonds.map(|bond| bond.stress(&self.strain_of(bond)))
    }

    /// Elastic energy of all joints \[J\].
    pub fn bond_energy(&self) -> f64 {
        let bonds = self.bonds.iter();
        bonds.map(|bond| bond.energy(&self.strain_of(bond))).sum()
    }

    pub(crate) fn strain_of(&self, bond: &Bond) -> Strain {
        let poses = bond.bodies.map(|id| {
            let row = self.row_of(id);
            self.bodies.motions[row].pose
        });
        bond.strain(poses, &self.domain)
    }

    /// For each row, the smallest row of a floe that it is frozen to, directly or by others; its own where it is frozen to none. Obstacles do not connect.
    pub fn frozen_clusters(&self) -> Vec<usize> {
        let mut labels: Vec<usize> = (0..self.bodies.len()).collect();
        let root = |labels: &[usize], mut row: usize| {
            while labels[row] != row {
                row = labels[row];
            }
            row
        };
        for bond in &self.bonds {
            let [a, b] = bond.bodies.map(|id| self.row_of(id));
            if self.bodies.is_floe(a) && self.bodies.is_floe(b) {
                let (a, b) = (root(&labels, a), root(&labels, b));
                labels[a.max(b)] = a.min(b);
            }
        }
        // A label is never larger than its row: those before it are final.
        for row in 0..labels.len() {
            labels[row] = labels[labels[row]];
        }
        labels
    }

    /// Numbers of floes and areas \[m²\] of the clusters of floes that are frozen together; a floe alone is one of them.
    pub fn cluster_sizes(&self) -> Vec<(usize, f64)> {
        let labels = self.frozen_clusters();
        let mut sizes = vec![(0, 0.0); labels.len()];
        for row in self.floe_rows() {
            let (floes, area) = &mut sizes[labels[row]];
            *floes += 1;
            *area += self.bodies.areas()[row];
        }
        sizes.retain(|&(floes, _)| floes > 0);
        sizes
    }

    /// Breaks all joints of a set of bodies that go; their ids are in order.
    pub(super) fn drop_bonds(&mut self, gone: &[BodyId]) {
        let goes = |bond: &Bond| bond.bodies.iter().any(|id| gone.binary_search(id).is_ok());
        let lost = self.bonds.iter().filter(|bond| goes(bond));
        let energy: f64 = lost.map(|bond| bond.energy(&self.strain_of(bond))).sum();
        self.budget.contact.bond_broken += energy;
        self.bonds.retain(|bond| !goes(bond));
        self.contact_ages
            .retain(|(pair, _)| pair.iter().all(|id| gone.binary_search(id).is_err()));
    }

    /// The joints of a body, before its shape or its frame changes.
    pub(super) fn held_bonds(&self, id: BodyId) -> Vec<Held> {
        let pose = self.bodies.motions[self.row_of(id)].pose;
        let own = self.bonds.iter().filter_map(|bond| {
            let side = bond.bodies.iter().position(|&other| other == id)?;
            Some(Held {
                bond: *bond,
                side,
                anchor: pose.world_from_body(bond.anchors[side]),
                normal: pose.rotation.rotate(bond.normals[side]),
            })
        });
        own.collect()
    }

    /// Gives joints to those of the bodies that took the place of theirs which are closest to them.
    pub(super) fn hand_on_bonds(&mut self, id: BodyId, held: Vec<Held>, heirs: &[BodyId]) {
        self.bonds.retain(|bond| !bond.bodies.contains(&id));
        self.contact_ages.retain(|(pair, _)| !pair.contains(&id));
        for Held {
            mut bond,
            side,
            anchor,
            normal,
        } in held
        {
            let distance = |heir: &BodyId| self.distance_to(*heir, anchor);
            let closest = heirs
                .iter()
                .min_by(|x, y| distance(x).total_cmp(&distance(y)));
            let Some(&heir) = closest else { continue };
            let pose = self.bodies.motions[self.row_of(heir)].pose;
            bond.bodies[side] = heir;
            let arm = self.domain.nearest_image(anchor - pose.position);
            bond.anchors[side] = pose.rotation.inverse_rotate(arm);
            bond.normals[side] = pose.rotation.inverse_rotate(normal);
            self.bonds.push(bond.ordered());
        }
        self.bonds.sort_by_key(|bond| bond.bodies);
    }

    /// Distance of a body from a point \[m\]; zero inside.
    fn distance_to(&self, id: BodyId, point: DVec2) -> f64 {
        let row = self.row_of(id);
        let pose = self.bodies.motions[row].pose;
        let point = self.domain.nearest_image(point - pose.position);
        let point = pose.rotation.inverse_rotate(point);
        match &self.bodies.shapes()[row] {
            Shape::Outline(outline) if outline.contains(point) => 0.0,
            Shape::Outline(outline) => outline.distance_to_point(point),
            Shape::Disc(disc) => (point.distance(disc.center()) - disc.radius()).max(0.0),
        }
    }
}
