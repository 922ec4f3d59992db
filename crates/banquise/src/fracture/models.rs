//! Elastic models of floes, and the bounds on their energies, kept while their shapes last.

use std::collections::BTreeMap;

use banquise_fem::{ContactForce, FloeModel, Load};
use banquise_geometry::{DVec2, polygon_of, shortest_cut};

use super::settings::FractureSettings;
use super::times::FractureTimes;
use crate::body::Bodies;
use crate::id::BodyId;

/// Models kept at once: some hundred kilobytes each.
const MAX_MODELS: usize = 500;
/// Rejections of a floe by its elastic energy before its compliance is found, which takes the time of some ten decisions.
const REJECTIONS: u32 = 2;
/// Margin for rounding of the bound by the compliance [–].
const COMPLIANCE_MARGIN: f64 = 1.0 + 1e-6;

/// A floe in one of its shapes.
pub(super) type Key = (BodyId, u32);

/// The key of the floe in a row.
pub(super) fn key_of(bodies: &Bodies, row: usize) -> Key {
    (bodies.ids()[row], bodies.shape_versions()[row])
}

/// Elastic models and bounds of floes, by body and version of its shape. All of it follows from shape, thickness and settings: it can be
/// dropped at any time without changing a bit.
#[derive(Debug, Clone, Default)]
pub(super) struct Models {
    least_energies: BTreeMap<Key, f64>,
    /// The least energies that were asked for last, by row: most contacts find theirs here.
    by_row: Vec<Option<(Key, f64)>>,
    elastic: BTreeMap<Key, Option<FloeModel>>,
    /// Models in the order in which they were made.
    order: Vec<Key>,
    /// How often floes were rejected by their elastic energy.
    rejections: BTreeMap<Key, u32>,
    compliances: BTreeMap<Key, f64>,
}

impl Models {
    /// `G_c` h ℓ \[J\] of a floe, with ℓ the shortest cut that leaves two allowed pieces; infinite where there is none.
    pub(super) fn least_energy(
        &mut self,
        bodies: &Bodies,
        row: usize,
        settings: &FractureSettings,
        times: &mut FractureTimes,
    ) -> f64 {
        let key = key_of(bodies, row);
        if self.by_row.len() < bodies.len() {
            self.by_row.resize(bodies.len(), None);
        }
        if let Some((known, energy)) = self.by_row[row]
            && known == key
        {
            return energy;
        }
        let energy = *self.least_energies.entry(key).or_insert_with(|| {
            let start = times.now();
            let area = bodies.areas()[row];
            if area < 2.0 * settings.smallest_area() {
                return f64::INFINITY;
            }
            let polygon = polygon_of(&bodies.shapes()[row]);
            let cut = shortest_cut(&polygon, settings.smallest_area());
            let thickness = bodies.mean_thicknesses()[row];
            times.add_outline_bound(start);
            cut.map_or(f64::INFINITY, |cut| settings.toughness * thickness * cut)
        });
        self.by_row[row] = Some((key, energy));
        energy
    }

    /// Whether a floe was looked at before in its present shape.
    pub(super) fn knows(&self, key: Key) -> bool {
        self.elastic.contains_key(&key) || self.compliances.contains_key(&key)
    }

    /// Whether the elastic energy of a floe under a load suffices for its least energy \[J\].
    pub(super) fn has_strain(
        &mut self,
        bodies: &Bodies,
        row: usize,
        load: &Load,
        settings: &FractureSettings,
        times: &mut FractureTimes,
    ) -> bool {
        let least = self.least_energy(bodies, row, settings, times);
        let key = key_of(bodies, row);
        if let Some(&compliance) = self.compliances.get(&key) {
            let force: f64 = load.contacts.iter().map(|own| own.force.length()).sum();
            if 0.5 * compliance * force * force * COMPLIANCE_MARGIN < least {
                return false;
            }
        }
        let Some(model) = self.of(bodies, row, settings) else {
            return false;
        };
        if model.strain_energy(load) >= least {
            return true;
        }
        let count = self.rejections.entry(key).or_default();
        *count += 1;
        if *count == REJECTIONS
            && let Some(model) = self.of(bodies, row, settings)
        {
            let start = times.now();
            let compliance = largest_compliance(model);
            times.add_outline_bound(start);
            self.compliances.insert(key, compliance);
        }
        false
    }

    /// The elastic model of a floe; `None` where its outline cannot be meshed.
    pub(super) fn of(
        &mut self,
        bodies: &Bodies,
        row: usize,
        settings: &FractureSettings,
    ) -> Option<&FloeModel> {
        let key = key_of(bodies, row);
        if !self.elastic.contains_key(&key) {
            if self.order.len() >= MAX_MODELS {
                let oldest = self.order.remove(0);
                self.elastic.remove(&oldest);
            }
            let polygon = polygon_of(&bodies.shapes()[row]);
            let thickness = bodies.mean_thicknesses()[row];
            let (elasticity, mesh) = (settings.elasticity(), settings.mesh());
            let model = FloeModel::new(&polygon, thickness, &elasticity, &mesh).ok();
            self.elastic.insert(key, model);
            self.order.push(key);
        }
        self.elastic.get(&key)?.as_ref()
    }

    /// Drops what belongs to floes that are gone or have another shape.
    pub(super) fn drop_stale(&mut self, bodies: &Bodies) {
        let is_there = |&(id, version): &Key| {
            let row = bodies.row_of(id);
            row.is_some_and(|row| bodies.shape_versions()[row] == version)
        };
        self.least_energies.retain(|key, _| is_there(key));
        self.elastic.retain(|key, _| is_there(key));
        self.rejections.retain(|key, _| is_there(key));
        self.compliances.retain(|key, _| is_there(key));
        self.order.retain(is_there);
    }
}

/// The largest compliance c [m/N] of a floe under a force at its boundary. Its elastic energy under any forces is at most ½ c (Σ|F|)²: the
/// root of the energy is a norm of the load, and a contact spreads its force over nodes with weights whose sum is one.
fn largest_compliance(model: &FloeModel) -> f64 {
    let mesh = model.mesh();
    let energy = |point: DVec2, force: DVec2| {
        let contact = ContactForce {
            point,
            force,
            radius: 0.0,
        };
        model.strain_energy(&Load {
            contacts: vec![contact],
            ..Load::default()
        })
    };
    let compliance = |&[node, _]: &[u32; 2]| {
        let point = mesh.points()[node as usize];
        // The larger eigenvalue of the compliance of a node is at most the sum of both.
        2.0 * (energy(point, DVec2::X) + energy(point, DVec2::Y))
    };
    mesh.boundary().iter().map(compliance).fold(0.0, f64::max)
}
