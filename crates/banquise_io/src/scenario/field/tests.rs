//! Each getter with what it takes, what it refuses and what it says.

use super::*;
use crate::scenario::Document;
use crate::scenario::TableReader;

/// What `read` makes of the value of `a`, and the messages.
fn read<T>(value: &str, read: impl Fn(Field<'_>) -> T) -> (T, Vec<String>) {
    let document = Document::parse("s", &format!("a = {value}"), &[]).unwrap();
    let problems = Problems::default();
    let result = read(TableReader::root(&document, &problems).optional("a"));
    let messages = problems
        .into_list()
        .iter()
        .map(|problem| problem.kind.to_string())
        .collect();
    (result, messages)
}

/// The value read, which must raise no problem.
fn good<T>(value: &str, decode: impl Fn(Field<'_>) -> Option<T>) -> T {
    let (result, messages) = read(value, decode);
    assert!(messages.is_empty(), "{messages:?}");
    result.unwrap()
}

/// The one message that reading raises.
fn bad<T>(value: &str, decode: impl Fn(Field<'_>) -> Option<T>) -> String {
    let (result, messages) = read(value, decode);
    assert!(result.is_none());
    assert_eq!(messages.len(), 1, "{messages:?}");
    messages[0].clone()
}

#[test]
fn good_values_are_read() {
    assert_eq!(
        good("\"2 km\"", |a| a
            .quantity(Dimension::Length)
            .positive()
            .get()),
        2000.0
    );
    assert_eq!(good("3", |a| a.number().non_negative().get()), 3.0);
    assert_eq!(good("0.25", |a| a.number().fraction().get()), 0.25);
    assert_eq!(good("-7", |a| a.integer().get()), -7);
    assert!(good("true", |a| a.boolean().get()));
    assert_eq!(good("\"x\"", |a| a.text().get().map(str::to_owned)), "x");
    assert_eq!(
        good("\"w/u.csv\"", |a| a.path().get()),
        PathBuf::from("w/u.csv")
    );
    assert_eq!(
        good("2014-03-01", |a| a.datetime().get()).to_string(),
        "2014-03-01"
    );
    assert_eq!(
        good("\"event\"", |a| a
            .choice(&[("event", 1), ("stepping", 2)])
            .get()),
        1
    );
    let pair = good("[\"1 m\", \"2 km\"]", |a| a.vector(Dimension::Length).get());
    assert_eq!(pair, [1.0, 2000.0]);
    let list: Vec<i64> = good("[1, 2]", |a| {
        a.array()
            .into_iter()
            .map(|item| item.integer().get())
            .collect()
    });
    assert_eq!(list, [1, 2]);
}

#[test]
fn a_value_comes_with_its_place() {
    let spanned = good("  \"2 km\"", |a| a.quantity(Dimension::Length).spanned());
    assert_eq!(spanned.span, Span::new(0, 6, 12));
}

#[test]
fn absent_values_read_as_nothing_without_a_report() {
    let document = Document::parse("s", "", &[]).unwrap();
    let problems = Problems::default();
    let root = TableReader::root(&document, &problems);
    assert_eq!(root.optional("a").quantity(Dimension::Length).or(5.0), 5.0);
    assert_eq!(root.optional("a").vector(Dimension::Length).get(), None);
    assert!(root.optional("a").table().is_none());
    assert!(root.optional("a").tables().is_empty());
    assert!(problems.is_empty());
}

#[test]
fn wrong_kinds_are_named() {
    assert_eq!(
        bad("\"3\"", |a| a.number().get()),
        "`a` must be a number, not a string"
    );
    assert_eq!(
        bad("3.5", |a| a.integer().get()),
        "`a` must be an integer, not a decimal number"
    );
    assert_eq!(
        bad("1", |a| a.boolean().get()),
        "`a` must be `true` or `false`, not an integer"
    );
    assert_eq!(
        bad("1", |a| a.table().map(drop)),
        "`a` must be a table, not an integer"
    );
    assert_eq!(
        bad("[true]", |a| a.tables().into_iter().next().map(drop)),
        "`a[0]` must be a table, not a boolean"
    );
}

#[test]
fn wrong_values_are_named() {
    let length = |a: Field<'_>| a.quantity(Dimension::Length).positive().get();
    assert_eq!(
        bad("\"-3 m\"", length),
        "`a` must be positive, but is `-3 m`"
    );
    assert_eq!(
        bad("3", length),
        "`a` must be a length, but `3` has no unit"
    );
    assert_eq!(
        bad("inf", |a| a.number().get()),
        "`a` must be a finite number, but is `inf`"
    );
    assert_eq!(
        bad("1.5", |a| a.number().fraction().get()),
        "`a` must be between 0 and 1, but is `1.5`"
    );
    assert_eq!(
        bad("\"\"", |a| a.path().get()),
        "`a` must be the path of a file, but is ``"
    );
    let vector = |a: Field<'_>| a.vector(Dimension::Length).get();
    assert_eq!(bad("[]", vector), "`a` must have 2 elements, not 0");
    assert_eq!(bad("[\"1 m\"]", vector), "`a` must have 2 elements, not 1");
    assert_eq!(
        bad("[\"1 m\", \"2 s\"]", vector),
        "`a[1]` must be a length, but `2 s` is a duration, because of its unit `s`"
    );
}
