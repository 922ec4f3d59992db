//! The messages a user meets, word for word. Read them as one: what, where, which value, what to do.

use std::fmt::Write as _;

use banquise_io::scenario::{
    CsvError, Dimension, Document, Problem, ProblemKind, Problems, ScenarioError, SeriesColumns,
    TableReader, read_series,
};
use insta::assert_snapshot;

/// Decodes a small scenario of the shape the program uses, and gives what is wrong with it.
fn decode(document: Document) -> Result<(), ScenarioError> {
    let problems = Problems::default();
    let root = TableReader::root(&document, &problems);
    if let Some(time) = root.required("time").table() {
        time.required("duration")
            .quantity(Dimension::Time)
            .positive()
            .get();
        time.optional("step")
            .quantity(Dimension::Time)
            .positive()
            .get();
        time.optional("start").datetime().get();
        time.optional("integrator")
            .choice(&[("event", 0), ("stepping", 1)])
            .get();
        time.finish();
    }
    for floe in root.optional("floe").tables() {
        floe.exclusive("radius", "outline");
        floe.optional("radius")
            .quantity(Dimension::Length)
            .positive()
            .get();
        for point in floe.optional("outline").array() {
            point.vector(Dimension::Length).get();
        }
        floe.optional("position").vector(Dimension::Length).get();
        floe.optional("fixed").boolean().get();
        floe.optional("concentration").number().fraction().get();
        floe.finish();
    }
    root.optional("latitude")
        .quantity(Dimension::Latitude)
        .get();
    root.optional("seed").integer().non_negative().get();
    root.finish();
    document.conclude((), problems)
}

/// All messages, without colour.
fn messages(text: &str, overrides: &[&str]) -> String {
    let overrides: Vec<String> = overrides.iter().map(ToString::to_string).collect();
    let outcome = Document::parse("drift.toml", text, &overrides).and_then(decode);
    outcome.expect_err("the document is wrong").render(false)
}

const GOOD: &str = "[time]\nduration = \"2 d\"\n";

/// A good document, to which each test adds its fault.
fn with(more: &str) -> String {
    messages(&format!("{more}\n{GOOD}"), &[])
}

#[test]
fn a_good_document_is_accepted() {
    let text =
        "latitude = '81 degN'\nseed = 3\n[time]\nduration = '2 d'\n[[floe]]\nradius = '1 km'";
    let document = Document::parse("drift.toml", text, &["floe[0].fixed=true".into()]);
    assert!(document.and_then(decode).is_ok());
}

#[test]
fn syntax() {
    assert_snapshot!(
        "unquoted_quantity",
        messages("[time]\nduration = 2 d\n", &[])
    );
    assert_snapshot!(
        "value_missing",
        messages("[time]\nduration =\nstep = \"1 s\"\n", &[])
    );
    assert_snapshot!("no_equal_sign", messages("[time]\nduration \"2 d\"\n", &[]));
    assert_snapshot!(
        "open_string",
        messages("[time]\nduration = \"2 d\nstep = \"1 s\"\n", &[])
    );
    assert_snapshot!("open_header", messages("[time\nduration = \"2 d\"\n", &[]));
    assert_snapshot!(
        "key_twice",
        messages("[time]\nstep = \"1 s\"\nstep = \"2 s\"\n", &[])
    );
    assert_snapshot!("table_twice", messages("[floe]\n[floe]\n", &[]));
    assert_snapshot!(
        "too_deep",
        messages(&format!("a = {}", "[".repeat(500)), &[])
    );
    assert_snapshot!(
        "huge_integer",
        messages("seed = 123456789012345678901\n", &[])
    );
}

#[test]
fn keys() {
    assert_snapshot!(
        "unknown_key",
        messages("[time]\ndurration = \"2 d\"\n", &[])
    );
    assert_snapshot!("unknown_key_unlike_any", with("[[floe]]\ncolour = \"red\""));
    assert_snapshot!("missing_table", messages("seed = 1\n", &[]));
    assert_snapshot!("empty_file", messages("", &[]));
    let both = "[[floe]]\nradius = \"1 m\"\nfixed = true\noutline = []";
    assert_snapshot!("conflict", with(both));
}

#[test]
fn values() {
    assert_snapshot!("wrong_type", with("[[floe]]\nfixed = \"yes\""));
    assert_snapshot!("table_for_array", with("[floe]\nradius = \"1 m\""));
    assert_snapshot!(
        "vector_length",
        with("[[floe]]\nposition = [\"1 m\", \"2 m\", \"3 m\"]")
    );
    assert_snapshot!("vector_element", with("[[floe]]\noutline = [[\"1 m\", 2]]"));
    assert_snapshot!(
        "out_of_range",
        messages("[time]\nduration = \"-2 d\"\n", &[])
    );
    assert_snapshot!("fraction", with("[[floe]]\nconcentration = 80"));
    assert_snapshot!(
        "choice",
        messages(&format!("{GOOD}integrator = \"steping\"\n"), &[])
    );
    assert_snapshot!(
        "date",
        messages(&format!("{GOOD}start = \"March 2014\"\n"), &[])
    );
}

#[test]
fn quantities() {
    assert_snapshot!("bare_number", messages("[time]\nduration = 12\n", &[]));
    assert_snapshot!("no_unit", messages("[time]\nduration = \"12\"\n", &[]));
    assert_snapshot!("unknown_unit", with("[[floe]]\nradius = \"3 Km\""));
    assert_snapshot!("wrong_dimension", with("[[floe]]\nradius = \"3 h\""));
    assert_snapshot!("no_number", with("[[floe]]\nradius = \"large\""));
    assert_snapshot!("decimal_comma", with("[[floe]]\nradius = \"3,5 km\""));
    assert_snapshot!("beyond_pole", with("latitude = \"120 degN\""));
    assert_snapshot!(
        "escaped_string",
        with("[[floe]]\nradius = \"3\\u0020parsec\"")
    );
}

#[test]
fn overrides() {
    assert_snapshot!(
        "override_value",
        messages(GOOD, &["time.duration=2 parsecs"])
    );
    assert_snapshot!(
        "override_through_string",
        messages(GOOD, &["time.duration.x=2"])
    );
    assert_snapshot!(
        "override_beyond_array",
        messages(GOOD, &["floe[3].radius=\"3 km\""])
    );
    assert_snapshot!("override_without_equal", messages(GOOD, &["time.duration"]));
    assert_snapshot!("override_empty_path", messages(GOOD, &["=3"]));
    assert_snapshot!("override_unknown_key", messages(GOOD, &["time.dt=1 s"]));
    let conflict = format!("{GOOD}[[floe]]\nradius = \"1 m\"\n");
    assert_snapshot!(
        "override_conflict",
        messages(&conflict, &["floe[0].outline=[]"])
    );
}

#[test]
fn several_problems_are_shown_in_the_order_of_the_text() {
    let text = "[time]\nduration = \"2 m\"\n[[floe]]\nradius = 3\nfixd = true\n";
    assert_snapshot!("several", messages(text, &["seed=-1"]));
    let many = with(&format!("[[floe]]\noutline = [{}]", "true, ".repeat(30)));
    assert_eq!(many.matches("error:").count(), 20);
    assert!(
        many.ends_with("note: the first 20 problems are shown; there are more"),
        "{many}"
    );
}

#[test]
fn long_lines_are_cut() {
    let points = "[\"1 m\", \"2 m\"], ".repeat(5000);
    let text = with(&format!(
        "[[floe]]\noutline = [{points}[\"1 m\", \"2 s\"], {points}]"
    ));
    assert_snapshot!("long_line", text);
    assert_snapshot!("long_key", with(&format!("{} = 1", "k".repeat(100_000))));
}

#[test]
fn files() {
    let error = Document::read("no/such/drift.toml".as_ref(), &[]).unwrap_err();
    assert_snapshot!("no_file", error.render(false));
    let latin1 = b"# d\xe9rive\n[time]\n";
    let error = Document::from_bytes("drift.toml", latin1, &[]).unwrap_err();
    assert_snapshot!("not_utf8", error.render(false));
    let picture = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR";
    let error = Document::from_bytes("drift.png", picture, &[]).unwrap_err();
    assert_snapshot!("picture", error.render(false));
    assert_snapshot!(
        "control_characters",
        messages("\u{1b}[31m\u{0}\u{8}\n", &[])
    );
}

#[test]
fn refusals_of_other_parts_are_shown_at_the_value() {
    let document = Document::parse("drift.toml", "wind = \"wind.csv\"\n", &[]).unwrap();
    let problems = Problems::default();
    let root = TableReader::root(&document, &problems);
    let path = root.required("wind").path().spanned().unwrap();
    let error: CsvError =
        read_series("time_s,u_mps,v_mps\n0,1,2,3\n", &SeriesColumns::default()).unwrap_err();
    let hint = Some("each row has as many fields as the header".to_owned());
    let kind = ProblemKind::Rejected {
        what: "the wind series",
        hint,
        source: Box::new(error),
    };
    problems.push(Problem::new(kind, path.span));
    let error = document.conclude((), problems).unwrap_err();
    assert_snapshot!("rejected", error.render(false));
}

#[test]
fn colour_adds_only_escape_codes() {
    let error = Document::parse("drift.toml", "a =", &[]).unwrap_err();
    let mut plain = String::new();
    let mut rest = error.render(true);
    assert!(rest.contains('\u{1b}'));
    while let Some(at) = rest.find('\u{1b}') {
        let end = at + rest[at..].find('m').expect("an escape code ends with m");
        write!(plain, "{}", &rest[..at]).unwrap();
        rest = rest[end + 1..].to_owned();
    }
    assert_eq!(plain + &rest, error.render(false));
}
