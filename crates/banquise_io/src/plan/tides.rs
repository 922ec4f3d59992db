//! The `[[tide]]` tables.

use banquise::TidalConstituent;
use banquise::units::HOUR;

use crate::scenario::{Dimension, Problem, ProblemKind, TableReader};

/// Reads all constituents; nothing if one of them is refused.
pub(super) fn decode(root: &TableReader<'_>) -> Option<Vec<TidalConstituent>> {
    let tables = root.optional("tide").tables();
    let tides: Vec<Option<TidalConstituent>> = tables.into_iter().map(decode_tide).collect();
    tides.into_iter().collect()
}

fn decode_tide(table: TableReader<'_>) -> Option<TidalConstituent> {
    table.exclusive("constituent", "period");
    let known = TidalConstituent::KNOWN.map(|(name, hours)| (name, hours * HOUR));
    let named = table.optional("constituent").choice(&known).get();
    let period = table.optional("period").quantity(Dimension::Time);
    let period = period.positive().get();
    if !table.has("constituent") && !table.has("period") {
        let kind = ProblemKind::MissingKey {
            table: table.path().to_owned(),
            key: "constituent",
        };
        let hint = "give `constituent = \"M2\"`, or `period = \"12.42 h\"`".to_owned();
        let problem = Problem::new(kind, table.span()).with_hint(hint);
        table.problems().push(problem);
    }
    let major = table.required_like("major", "`major = \"20 cm/s\"`");
    let major = major.quantity(Dimension::Speed).non_negative().get();
    let reach = major.unwrap_or(f64::INFINITY);
    let minor = table.optional("minor").quantity(Dimension::Speed);
    let minor = minor
        .non_negative()
        .check("at most `major`", |&minor| minor <= reach)
        .or(0.0);
    let turns = [("left", 1.0), ("right", -1.0)];
    let turn = table.optional("turn").choice(&turns).or(1.0);
    let angle = |key| table.optional(key).quantity(Dimension::Angle).or(0.0);
    let (inclination, phase) = (angle("inclination"), angle("phase"));
    table.finish();
    Some(TidalConstituent {
        period: named.or(period)?,
        major: major?,
        minor: turn * minor,
        inclination,
        phase,
    })
}
