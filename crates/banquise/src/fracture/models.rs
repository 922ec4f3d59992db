//! Elastic models of floes, kept while their shapes last.

use std::collections::BTreeMap;

use banquise_fem::FloeModel;
use banquise_geometry::{polygon_of, shortest_cut};

use super::settings::FractureSettings;
use crate::body::Bodies;
use crate::id::BodyId;

/// Models kept at once: some hundred kilobytes each.
const MAX_MODELS: usize = 200;

/// A floe in one of its shapes.
type Key = (BodyId, u32);

/// Elastic models and least energies of floes, by body and version of its shape. All of it follows from shape, thickness and settings: it can be
/// dropped at any time without changing a bit.
#[derive(Debug, Clone, Default)]
pub(super) struct Models {
    least_energies: BTreeMap<Key, f64>,
    elastic: BTreeMap<Key, Option<FloeModel>>,
    /// Models in the order in which they were made.
    order: Vec<Key>,
}

impl Models {
    /// `G_c` h ℓ \[J\] of a floe, with ℓ the shortest cut that leaves two allowed pieces; infinite where there is none.
    pub(super) fn least_energy(
        &mut self,
        bodies: &Bodies,
        row: usize,
        settings: &FractureSettings,
    ) -> f64 {
        let key = (bodies.ids()[row], bodies.shape_versions()[row]);
        *self.least_energies.entry(key).or_insert_with(|| {
            let area = bodies.areas()[row];
            if area < 2.0 * settings.smallest_area() {
                return f64::INFINITY;
            }
            let polygon = polygon_of(&bodies.shapes()[row]);
            let cut = shortest_cut(&polygon, settings.smallest_area());
            let thickness = bodies.mean_thicknesses()[row];
            cut.map_or(f64::INFINITY, |cut| settings.toughness * thickness * cut)
        })
    }

    /// The elastic model of a floe; `None` where its outline cannot be meshed.
    pub(super) fn of(
        &mut self,
        bodies: &Bodies,
        row: usize,
        settings: &FractureSettings,
    ) -> Option<&FloeModel> {
        let key = (bodies.ids()[row], bodies.shape_versions()[row]);
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
        self.order.retain(is_there);
    }
}
