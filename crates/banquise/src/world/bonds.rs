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
    /// Its elastic energy \[J\].
    energy: f64,
}

/// A part of the width of a joint, from one distance from its centre to another \[m\], and the body that gets it.
#[derive(Debug, Clone, Copy)]
struct Part {
    heir: BodyId,
    from: f64,
    to: f64,
}

impl Part {
    fn width(&self) -> f64 {
        self.to - self.from
    }
}

/// Strips into which a joint is divided to find where it passes from one body to another: a piece that faces less of it than that may be missed.
const STRIPS: u32 = 64;
/// Halvings that find such a place within a strip: to the rounding of numbers.
const HALVINGS: usize = 50;

/// The runs of one value of `at` between two places.
fn runs<T: PartialEq>(from: f64, to: f64, at: impl Fn(f64) -> T) -> Vec<[f64; 2]> {
    let step = (to - from) / f64::from(STRIPS);
    let middle = |strip: u32| from + (f64::from(strip) + 0.5) * step;
    let mut found = Vec::new();
    let mut start = from;
    for strip in 1..STRIPS {
        let [mut low, mut high] = [middle(strip - 1), middle(strip)];
        let before = at(low);
        if before == at(high) {
            continue;
        }
        for _ in 0..HALVINGS {
            let half = 0.5 * (low + high);
            if at(half) == before {
                low = half;
            } else {
                high = half;
            }
        }
        found.push([start, low]);
        start = low;
    }
    found.push([start, to]);
    found
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
                energy: bond.energy(&self.strain_of(bond)),
            })
        });
        own.collect()
    }

    /// Gives joints to the bodies that took the place of theirs: each part of the width goes to the body that is closest to it, as a joint of its own. So a crack cuts a joint where it meets
    /// it, and the parts hold together what the whole did. A part that is too narrow to form is lost, and so is all but the widest part between two bodies: the energy is booked as that of a joint that broke.
    pub(super) fn hand_on_bonds(&mut self, id: BodyId, held: Vec<Held>, heirs: &[BodyId]) {
        self.bonds.retain(|bond| !bond.bodies.contains(&id));
        self.contact_ages.retain(|(pair, _)| !pair.contains(&id));
        for held in held {
            let mut left = held.energy;
            for part in self.parts_of(&held, heirs) {
                let bond = self.part_of(&held, part);
                if heirs.len() != 1 {
                    left -= bond.energy(&self.strain_of(&bond));
                }
                self.bonds.push(bond);
            }
            if heirs.len() != 1 {
                self.budget.contact.bond_broken += left;
            }
        }
        self.bonds.sort_by_key(|bond| bond.bodies);
    }

    /// The parts of the width of a joint that go to each of the bodies which took the place of one of its own.
    fn parts_of(&self, held: &Held, heirs: &[BodyId]) -> Vec<Part> {
        let (bond, along) = (&held.bond, held.normal.perp());
        let half = 0.5 * bond.width;
        if let &[heir] = heirs {
            let (from, to) = (-half, half);
            return vec![Part { heir, from, to }];
        }
        let heir_at = |place: f64| {
            let point = held.anchor + place * along;
            let distances = heirs
                .iter()
                .map(|&heir| (self.distance_to(heir, point), heir));
            distances
                .min_by(|x, y| x.0.total_cmp(&y.0))
                .map(|own| own.1)
        };
        let mut parts: Vec<Part> = Vec::new();
        for [from, to] in runs(-half, half, heir_at) {
            let Some(heir) = heir_at(0.5 * (from + to)) else {
                continue;
            };
            let own = self.bodies.collision_distances[self.row_of(heir)];
            let other = self.row_of(bond.bodies[1 - held.side]);
            let least = own.min(self.bodies.collision_distances[other]);
            if to - from >= least.min(bond.width) {
                parts.push(Part { heir, from, to });
            }
        }
        parts.sort_by(|x, y| x.heir.cmp(&y.heir).then(y.width().total_cmp(&x.width())));
        parts.dedup_by_key(|part| part.heir);
        parts
    }

    /// A part of a joint, of a body that took the place of one of its own.
    fn part_of(&self, held: &Held, part: Part) -> Bond {
        let (mut bond, side) = (held.bond, held.side);
        let place = 0.5 * (part.from + part.to);
        bond.width = part.width();
        for own in [0, 1] {
            let along = bond.normals[own].perp();
            bond.anchors[own] += place * along;
        }
        let pose = self.bodies.motions[self.row_of(part.heir)].pose;
        let anchor = held.anchor + place * held.normal.perp();
        bond.bodies[side] = part.heir;
        let arm = self.domain.nearest_image(anchor - pose.position);
        bond.anchors[side] = pose.rotation.inverse_rotate(arm);
        bond.normals[side] = pose.rotation.inverse_rotate(held.normal);
        bond.ordered()
    }

    /// Distance of a body from a point \[m\]; zero inside.
    pub(super) fn distance_to(&self, id: BodyId, point: DVec2) -> f64 {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_end_where_the_value_changes() {
        let at = |place: f64| u32::from(place > -0.3) + u32::from(place > 0.123);
        let found = runs(-1.0, 1.0, at);
        assert_eq!(found.len(), 3);
        let ends = found
            .iter()
            .flatten()
            .zip([-1.0, -0.3, -0.3, 0.123, 0.123, 1.0]);
        for (found, expected) in ends {
            assert!((found - expected).abs() < 1e-14, "{found}");
        }
    }
}
