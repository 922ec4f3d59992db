//! Fields with a closed form, in `[wind]` and `[current]`.

use std::f64::consts::TAU;

use banquise::Pattern;
use banquise_geometry::{DVec2, math};

use super::weather_values::decode_vector;
use crate::scenario::{Dimension, Field, Problem, ProblemKind, TableReader, Value};

/// The keys of patterns.
pub(super) const KEYS: [&str; 4] = ["shear", "convergence", "vortex", "inertial"];

/// Reads all patterns of a table; nothing if one of them is refused.
pub(super) fn decode(table: &TableReader<'_>) -> Option<Vec<Pattern>> {
    let decoders = [
        decode_shear,
        decode_convergence,
        decode_vortex,
        decode_inertial,
    ];
    let mut patterns = Vec::new();
    for (key, decode) in KEYS.into_iter().zip(decoders) {
        for table in one_or_more(table.optional(key)) {
            patterns.push(decode(&table));
            table.finish();
        }
    }
    patterns.into_iter().collect()
}

/// A table, or an array of tables.
fn one_or_more(field: Field<'_>) -> Vec<TableReader<'_>> {
    match field.node().map(|node| &node.value) {
        Some(Value::Array(_)) => field.tables(),
        Some(_) => field.table().into_iter().collect(),
        None => Vec::new(),
    }
}

fn point(table: &TableReader<'_>, key: &'static str) -> DVec2 {
    let point = table.optional(key).vector(Dimension::Length);
    DVec2::from(point.or([0.0, 0.0]))
}

fn rate(table: &TableReader<'_>, example: &str) -> Option<f64> {
    let rate = table.required_like("rate", example);
    rate.quantity(Dimension::Rate).get()
}

fn decode_shear(table: &TableReader<'_>) -> Option<Pattern> {
    let through = point(table, "through");
    let toward = table.required_like("toward", "a compass bearing, `toward = \"90 deg\"`");
    let toward = toward.quantity(Dimension::Angle).get();
    let rate = rate(table, "`rate = \"1e-5 /s\"`");
    let (sin, cos) = math::sin_cos(toward?);
    Some(Pattern::Shear {
        through,
        direction: DVec2::new(sin, cos),
        rate: rate?,
    })
}

fn decode_convergence(table: &TableReader<'_>) -> Option<Pattern> {
    Some(Pattern::Convergence {
        center: point(table, "center"),
        rate: rate(
            table,
            "`rate = \"1e-6 /s\"`; a negative one is a divergence",
        )?,
    })
}

fn decode_vortex(table: &TableReader<'_>) -> Option<Pattern> {
    let center = point(table, "center");
    let radius = table.required_like("radius", "`radius = \"10 km\"`");
    let radius = radius.quantity(Dimension::Length).positive().get();
    let speed = table.required_like("speed", "`speed = \"0.3 m/s\"`");
    let speed = speed.quantity(Dimension::Speed).non_negative().get();
    let turns = [("left", 1.0), ("right", -1.0)];
    let turn = table.optional("turn").choice(&turns).or(1.0);
    Some(Pattern::Vortex {
        center,
        radius: radius?,
        speed: turn * speed?,
    })
}

/// A vector at time zero, and how it turns: a `period`, or the inertial one of a latitude.
fn decode_inertial(table: &TableReader<'_>) -> Option<Pattern> {
    table.exclusive("period", "latitude");
    let velocity = decode_vector(table);
    let period = table.optional("period").quantity(Dimension::Time);
    let period = period.positive().get();
    let latitude = table.optional("latitude");
    let latitude = latitude.quantity(Dimension::Latitude).get();
    if !table.has("period") && !table.has("latitude") {
        let kind = ProblemKind::MissingKey {
            table: table.path().to_owned(),
            key: "period",
        };
        let hint = "give `period = \"12 h\"`, or `latitude = \"81 degN\"`".to_owned();
        let problem = Problem::new(kind, table.span()).with_hint(hint);
        table.problems().push(problem);
    }
    let rate = match (period, latitude) {
        (Some(period), _) => TAU / period,
        (None, latitude) => banquise::Coriolis::Latitude(latitude?).parameter_at(0.0),
    };
    Some(Pattern::Inertial {
        velocity: velocity?,
        rate,
    })
}
