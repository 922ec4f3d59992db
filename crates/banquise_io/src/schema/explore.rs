//! Asking the parser which keys it knows, by handing it scenarios made for the purpose.
//!
//! Decoding asks for a key whether it is there or not, and says what it must be. So one parse of a short scenario shows
//! most keys. Others are asked for only if a value is there or is of some kind; hence each key found is set to values of every
//! kind, and what is asked for then is followed in the same way, until nothing new is found.

use std::collections::VecDeque;
use std::path::Path;

use super::known::{Known, Step, steps};
use crate::scenario::{Asked, Document, Entry, Expected, Node, Problems, Span, Table, Value};
use crate::{glacier, plan, specimen};

/// Whose keys are asked for.
#[derive(Debug, Clone, Copy)]
pub(super) enum Parser {
    /// A scenario of floes.
    Floes,
    /// A scenario of a glacier.
    Glacier,
    /// A scenario of a bar or a plate.
    Specimen,
}

impl Parser {
    /// Tables that a scenario cannot do without, since decoding may stop where they are missing.
    fn shortest(self) -> &'static str {
        match self {
            Self::Specimen => "",
            Self::Floes => "time = { duration = \"1 h\", step = \"1 s\" }",
            Self::Glacier => {
                "glacier = { length = \"1 km\", blocks = 10 }\ntime = { duration = \"1 h\" }"
            }
        }
    }

    fn decode(self, document: &Document, problems: &Problems) {
        // No file has a NUL in its path: what the values name is not found, whatever lies about.
        let nowhere = Path::new("\0");
        match self {
            Self::Floes => drop(plan::decode_root(document, problems, "", nowhere)),
            Self::Specimen => drop(specimen::decode_root(document, problems, "")),
            Self::Glacier => drop(glacier::decode_root(document, problems, "", nowhere)),
        }
    }
}

/// A scenario with one value put into it.
struct Probe {
    scenario: Value,
    path: Vec<Step>,
    value: Value,
}

/// All that a parser asks for.
pub(super) fn explore(parser: Parser) -> Known {
    let shortest = Document::parse("", parser.shortest(), &[]);
    let shortest = shortest.expect("the shortest scenario is TOML");
    let mut known = Known::default();
    let mut probes = VecDeque::new();
    ask(parser, &shortest, &mut known, &mut probes);
    while let Some(Probe {
        mut scenario,
        path,
        value,
    }) = probes.pop_front()
    {
        set(&mut scenario, &path, value);
        ask(
            parser,
            &Document::of_value(scenario),
            &mut known,
            &mut probes,
        );
    }
    known
}

/// Parses a scenario, adds what is asked for to what is known, and probes for each thing that is new.
fn ask(parser: Parser, document: &Document, known: &mut Known, probes: &mut VecDeque<Probe>) {
    let problems = Problems::tracing();
    parser.decode(document, &problems);
    let notes = problems.into_notes();
    known.learn_required(&notes);
    for note in notes {
        let path = steps(&note.path);
        if path.is_empty() {
            continue;
        }
        let mut probe = |value| {
            probes.push_back(Probe {
                scenario: document.root().value.clone(),
                path: path.clone(),
                value,
            });
        };
        let found = known.at(&path);
        if !found.is_probed {
            found.is_probed = true;
            any_kind().into_iter().for_each(&mut probe);
        }
        if let Asked::As(expected) = note.asked
            && !found.expected.contains(&expected)
        {
            samples(&expected).into_iter().for_each(&mut probe);
            found.expected.push(expected);
        }
    }
}

/// A value of each kind, for decoding that looks at the kind first.
fn any_kind() -> Vec<Value> {
    let empty = || Value::Table(Table::default());
    vec![
        text("x"),
        text("1 m"),
        Value::Integer(1),
        empty(),
        list([empty()]),
        list([Value::Integer(1), Value::Integer(1)]),
    ]
}

/// Good values of a kind.
fn samples(expected: &Expected) -> Vec<Value> {
    let quantity = |unit: Option<&str>| text(&format!("1 {}", unit.unwrap_or_default()));
    match expected {
        Expected::Quantity(dimension) => vec![quantity(dimension.units().next())],
        Expected::Vector(dimension) => {
            let one = quantity(dimension.units().next());
            vec![list([one.clone(), one])]
        }
        Expected::Word(words) => words.iter().map(|word| text(word)).collect(),
        Expected::Boolean => vec![Value::Boolean(true), Value::Boolean(false)],
        Expected::Number => vec![Value::Float(0.5)],
        // The others are among the values of each kind; no key depends on a date.
        Expected::Integer
        | Expected::Datetime
        | Expected::Text
        | Expected::Array
        | Expected::Table => Vec::new(),
    }
}

fn text(text: &str) -> Value {
    Value::Text {
        text: text.to_owned(),
        verbatim_at: None,
    }
}

fn list<const N: usize>(values: [Value; N]) -> Value {
    Value::Array(values.into_iter().map(node).collect())
}

fn node(value: Value) -> Node {
    let span = Span::new(0, 0, 0);
    Node { value, span }
}

/// Puts a value at a path, through tables and the first elements of lists, made where they are missing.
fn set(root: &mut Value, path: &[Step], value: Value) {
    let Some((step, rest)) = path.split_first() else {
        *root = value;
        return;
    };
    let next = match step {
        Step::Key(key) => {
            if !matches!(root, Value::Table(_)) {
                *root = Value::Table(Table::default());
            }
            let Value::Table(table) = root else {
                unreachable!("it was just made a table")
            };
            let entry = table.entries.entry(key.clone()).or_insert_with(|| Entry {
                key_span: Span::new(0, 0, 0),
                node: node(Value::Table(Table::default())),
            });
            &mut entry.node
        }
        Step::Element => {
            if !matches!(root, Value::Array(nodes) if !nodes.is_empty()) {
                *root = list([Value::Table(Table::default())]);
            }
            let Value::Array(nodes) = root else {
                unreachable!("it was just made a list")
            };
            &mut nodes[0]
        }
    };
    set(&mut next.value, rest, value);
}
