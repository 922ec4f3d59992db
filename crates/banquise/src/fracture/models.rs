//! Elastic models of floes, and the bounds on their energies, kept while their shapes last.

use std::collections::BTreeMap;

use banquise_fem::{FloeModel, Load};
use banquise_geometry::{polygon_of, shortest_cut};

use super::settings::{Criterion, FractureSettings};
use super::times::FractureTimes;
use crate::body::Bodies;
use crate::id::BodyId;

/// Models kept at once: some hundred kilobytes each.
const MAX_MODELS: usize = 500;
/// Rejections of a floe by its elastic energy before its compliance is found, which then rejects gentle blows without a model.
const REJECTIONS: u32 = 1;
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
            // Other criteria know no energy of cracks.
            let toughness = match settings.criterion {
                Criterion::Variational => settings.toughness,
                Criterion::Mohr | Criterion::Hibler | Criterion::Chord => 0.0,
            };
            cut.map_or(f64::INFINITY, |cut| toughness * thickness * cut)
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
            let compliance = model.largest_compliance();
            times.add_outline_bound(start);
            self.compliances.insert(key, compliance);
            // Gentle blows need no model any more; one that passes the bound makes it again, and then it stays.
            self.elastic.remove(&key);
            self.order.retain(|known| *known != key);
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

#[cfg(test)]
mod tests {
    use banquise_fem::{ContactForce, CrackSettings};
    use banquise_geometry::{Outline, math};

    use super::*;
    use crate::pack::builtin_shapes;
    use crate::random::{Purpose, Stream};

    /// A blow with one to three contacts, strong enough to break every other floe.
    fn random_load(outline: &Outline, seed: u64, blow: u64) -> Load {
        let random = Stream::new(seed, Purpose::Place);
        let vertices = outline.vertices();
        // Every other contact is as wide as that of a calibrated blow.
        let radius = [2.0, 0.1 * outline.area().sqrt()][(blow % 2) as usize];
        let count = 1 + random.index(3, blow, 0) as u64;
        let contacts = (0..count).map(|contact| {
            let draw = |number: u64| random.unit(blow, 10 * contact + number);
            let edge = random.index(vertices.len(), blow, 10 * contact + 1);
            let (a, b) = (vertices[edge], vertices[(edge + 1) % vertices.len()]);
            let point = a + (b - a) * draw(2);
            let strength = 2e6 * math::pow(40.0, draw(3));
            let (sin, cos) = math::sin_cos(1.5 * (draw(4) - 0.5));
            let inward = (b - a).perp().normalize();
            ContactForce {
                point,
                force: strength * (cos * inward + sin * inward.perp()),
                radius,
            }
        });
        Load {
            contacts: contacts.collect(),
            ..Load::default()
        }
    }

    /// No blow that the full test breaks is rejected by a bound: the crack is no shorter than the shortest cut, and the elastic energy and its bound by the
    /// compliance are no less than what that costs.
    fn check_blows(count: u64, seed: u64, nodes: usize) -> usize {
        let settings = FractureSettings {
            nodes,
            smallest_size: 15.0,
            ..FractureSettings::default()
        };
        let shapes = builtin_shapes();
        let mut broken = 0;
        for blow in 0..count {
            let random = Stream::new(seed, Purpose::Shape);
            let shape = random.index(shapes.len(), blow, 0);
            let outline = shapes[shape]
                .scaled(random.between(60.0, 200.0, blow, 1))
                .unwrap();
            let thickness = random.between(0.3, 2.3, blow, 2);
            let polygon = outline.vertices();
            let (elasticity, mesh) = (settings.elasticity(), settings.mesh());
            let Ok(model) = FloeModel::new(polygon, thickness, &elasticity, &mesh) else {
                continue;
            };
            let load = random_load(&outline, seed, blow);
            let energy = model.strain_energy(&load);
            let force: f64 = load.contacts.iter().map(|own| own.force.length()).sum();
            if blow % 8 == 0 {
                let bound = 0.5 * model.largest_compliance() * force * force;
                assert!(
                    energy <= bound * COMPLIANCE_MARGIN,
                    "{energy} J of {bound} J"
                );
            }
            let whole_search = CrackSettings {
                gives_up: false,
                ..settings.crack()
            };
            let Some(crack) = model.crack(&load, &whole_search) else {
                continue;
            };
            broken += 1;
            let same = model.crack(&load, &settings.crack());
            assert_eq!(same.as_ref(), Some(&crack), "blow {blow} was given up");
            let cut = shortest_cut(polygon, settings.smallest_area()).unwrap();
            assert!(
                crack.length >= cut,
                "{} m, the shortest cut {cut} m",
                crack.length
            );
            let least = settings.toughness * thickness * cut;
            assert!(energy >= least, "{energy} J for {least} J");
        }
        broken
    }

    /// `BANQUISE_BLOWS` sets the number of blows, `BANQUISE_BLOWS_SEED` which: 10,000 take minutes.
    #[test]
    fn no_blow_that_breaks_a_floe_is_rejected_by_a_bound() {
        let asked = |name: &str, default: u64| {
            let text = std::env::var(name).ok();
            text.map_or(default, |text| text.parse().unwrap())
        };
        let (blows, seed) = (
            asked("BANQUISE_BLOWS", 300),
            asked("BANQUISE_BLOWS_SEED", 7),
        );
        for nodes in [100, 150] {
            let broken = check_blows(blows, seed, nodes);
            println!("{broken} of {blows} broke, {nodes} nodes");
            assert!(5 * broken > blows as usize, "{broken} of {blows} broke");
        }
    }
}
