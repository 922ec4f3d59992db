//! The `[fracture]` table.

use banquise::{Criterion, FractureSettings};

use crate::scenario::{Dimension, TableReader};

/// Values of `[fracture]`; `None` where there is no such table, or it is not `enabled`.
pub(super) fn decode(root: &TableReader<'_>) -> Option<FractureSettings> {
    let table = root.optional("fracture").table()?;
    let default = FractureSettings::default();
    let is_enabled = table.optional("enabled").boolean().or(true);
    let criterion = table
        .optional("criterion")
        .choice(&[
            ("variational", Criterion::Variational),
            ("mohr", Criterion::Mohr),
            ("hibler", Criterion::Hibler),
            ("chord", Criterion::Chord),
        ])
        .or(default.criterion);
    let positive = |key: &'static str, dimension: Dimension, default: f64| {
        table
            .optional(key)
            .quantity(dimension)
            .positive()
            .or(default)
    };
    let given = |key: &'static str, dimension: Dimension| {
        table.optional(key).quantity(dimension).positive().get()
    };
    let settings = FractureSettings {
        criterion,
        percussion: default.percussion,
        young: positive("young", Dimension::Stress, default.young),
        poisson: table
            .optional("poisson")
            .number()
            .check("at least 0 and below 0.5", |ratio| {
                (0.0..0.5).contains(ratio)
            })
            .or(default.poisson),
        toughness: positive("toughness", Dimension::SurfaceEnergy, default.toughness),
        tensile_strength: given("tensile_strength", Dimension::Stress),
        contact_time: given("contact_time", Dimension::Time),
        indentation: given("indentation", Dimension::Length),
        smallest_size: positive("smallest_size", Dimension::Length, default.smallest_size),
        nodes: table
            .optional("nodes")
            .integer()
            .check("from 50 to 10000", |nodes| (50..=10_000).contains(nodes))
            .or(default.nodes as i64) as usize,
    };
    table.finish();
    is_enabled.then_some(settings)
}
