//! Whatever is thrown at the readers, they answer, and the answer can be shown.

use banquise_io::scenario::{
    Dimension, Document, Problems, ScenarioError, SeriesColumns, TableReader, parse_quantity,
    read_series,
};
use proptest::prelude::*;

const GOOD: &str = "seed = 3\n[time]\nduration = \"2 d\"\nstart = 2014-03-01T00:00:00Z\n\
    [[floe]]\nradius = \"1 km\"\noutline = [[\"1 m\", '''2 m'''], [0x1f, 1e3]]\nx = { a.b = true }\n";

/// The ways to ask for a value, all tried on every value.
fn read_everything(reader: &TableReader<'_>) {
    for (_, field) in reader.entries() {
        for dimension in [Dimension::Length, Dimension::Time, Dimension::Latitude] {
            field.clone().quantity(dimension).positive().spanned();
            field.clone().vector(dimension).get();
        }
        field.clone().number().fraction().get();
        field.clone().integer().positive().get();
        field.clone().boolean().get();
        field.clone().datetime().get();
        field.clone().path().get();
        field.clone().choice(&[("a", 1), ("b", 2)]).get();
        for table in field.clone().tables() {
            read_everything(&table);
        }
        if let Some(table) = field.clone().table() {
            read_everything(&table);
        }
        if let Some(table) = field.table() {
            table.finish();
        }
    }
    assert!(reader.required("time").table().is_some() || !reader.problems().is_empty());
}

fn show(outcome: Result<Document, ScenarioError>) {
    let outcome = outcome.and_then(|document| {
        let problems = Problems::default();
        let root = TableReader::root(&document, &problems);
        read_everything(&root);
        document.conclude((), problems)
    });
    if let Err(error) = outcome {
        assert!(!error.problems.is_empty());
        assert!(error.render(false).starts_with("error: "));
        assert!(!error.render(true).is_empty());
    }
}

proptest! {
    #![proptest_config(crate::config(256))]

    #[test]
    fn any_bytes_are_answered(bytes in proptest::collection::vec(any::<u8>(), 0..300)) {
        show(Document::from_bytes("x", &bytes, &[]));
        let text = String::from_utf8_lossy(&bytes);
        show(Document::parse("x", &text, &[]));
    }

    #[test]
    fn mutated_scenarios_are_answered(
        at in 0..GOOD.len(),
        removed in 0..40usize,
        inserted in "[\\[\\]{}=\"'.,# a-f0-9\n\\PC]{0,8}",
    ) {
        let end = (at + removed).min(GOOD.len());
        show(Document::parse("x", &format!("{}{inserted}{}", &GOOD[..at], &GOOD[end..]), &[]));
    }

    #[test]
    fn any_override_is_answered(
        free in any::<String>(),
        shaped in "(time|floe|x|\"q\")([.\\[ ](0|1|a|radius|\\])\\]?){0,3} ?=?[^\n]{0,6}",
    ) {
        show(Document::parse("x", GOOD, &[free, shaped]));
    }

    #[test]
    fn any_csv_is_answered(
        free in any::<String>(),
        rows in "([0-9.eE+-]{0,4},){0,3}[a-z0-9\"\n,]{0,20}",
    ) {
        let columns = SeriesColumns::default();
        for text in [free, format!("time_s,u_mps,v_mps\n{rows}")] {
            match read_series(&text, &columns) {
                Ok(samples) => prop_assert!(samples.is_sorted_by(|a, b| a.time < b.time)),
                Err(error) => prop_assert!(!error.to_string().is_empty()),
            }
        }
    }

    #[test]
    fn any_text_is_a_quantity_or_is_refused_at_a_place(text in "[-+]?[0-9_.eE]{0,6}\\PC{0,6}") {
        if let Err(error) = parse_quantity(&text, Dimension::Speed) {
            prop_assert!(text.get(error.range.clone()).is_some(), "{error:?}");
            prop_assert!(!error.hint().is_empty());
        }
    }

    #[test]
    fn a_number_survives_its_unit(value in -1e9..1e9f64, number in 0..13usize) {
        let dimension = ALL[number];
        for unit in dimension.units() {
            let value = if dimension == Dimension::Latitude { value / 1e9 * 90.0 } else { value };
            let one = parse_quantity(&format!("1 {unit}"), dimension).unwrap();
            let read = parse_quantity(&format!("{value} {unit}"), dimension).unwrap();
            // Two roundings on each side.
            prop_assert!((read - value * one).abs() <= 4.0 * f64::EPSILON * read.abs(), "{unit}");
            let again = parse_quantity(&format!("{value:e} {unit}"), dimension).unwrap();
            prop_assert_eq!(read.to_bits(), again.to_bits());
        }
    }
}

const ALL: [Dimension; 13] = [
    Dimension::Length,
    Dimension::Area,
    Dimension::Time,
    Dimension::Speed,
    Dimension::Acceleration,
    Dimension::Angle,
    Dimension::Latitude,
    Dimension::AngularVelocity,
    Dimension::Rate,
    Dimension::Mass,
    Dimension::Density,
    Dimension::Force,
    Dimension::Stress,
];

#[test]
fn megabytes_of_garbage_are_answered() {
    let size = 2 << 20;
    for unit in [
        "x", "[", "a=", "\"", "x y\n", "a.", "\u{0}", "é", "[[a]]\n", "a=[1,",
    ] {
        show(Document::parse("x", &unit.repeat(size / unit.len()), &[]));
    }
    show(Document::from_bytes("x", &vec![0xff; size], &[]));
    show(Document::parse(
        "x",
        "",
        &["a.".repeat(size), "a[0]".repeat(size)],
    ));
}
