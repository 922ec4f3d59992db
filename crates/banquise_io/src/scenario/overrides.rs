//! Overrides from the command line: `--set time.duration="2 d"`, `--set floe[0].radius=3km`.

use std::ops::Range;

use toml::de::DeValue;

use super::override_error::{MAX_STEPS, OverrideError};
use super::source::Span;
use super::tree::TreeBuilder;
use super::value::{Entry, Node, Table, Value};

/// One step of a path, with its bytes in the override.
struct Step {
    target: Target,
    range: Range<usize>,
}

enum Target {
    Key(String),
    Index(usize),
}

pub(super) type Failure = (OverrideError, Range<usize>);

/// Replaces or inserts the value an override gives, so that it carries the override's place.
/// A failure comes with the bytes of the override to blame.
pub(super) fn apply_override(root: &mut Node, source: u32, given: &str) -> Result<(), Failure> {
    let (steps, after) = parse_path(given)?;
    let rest = &given[after..];
    let value_text = rest.trim();
    let start = after + (rest.len() - rest.trim_start().len());
    if value_text.is_empty() {
        return Err((OverrideError::NoValue, after - 1..after));
    }
    let mut node = root;
    let mut path = "";
    for (number, step) in steps.iter().enumerate() {
        let key_span = Span::new(source, step.range.start, step.range.end);
        let index_follows = steps
            .get(number + 1)
            .is_some_and(|next| matches!(next.target, Target::Index(_)));
        node = match &step.target {
            Target::Key(key) => step_to_key(node, key, path, placeholder(key_span, index_follows)),
            Target::Index(index) => step_to_index(node, *index, path),
        }
        .map_err(|error| (error, step.range.clone()))?;
        path = given[..step.range.end].trim_start();
    }
    *node = parse_value(value_text, source, start);
    Ok(())
}

/// What a new key holds until the next step, or the value, replaces it. Before an index it is an
/// empty array, which lets the next step say that it has no such element.
fn placeholder(key_span: Span, index_follows: bool) -> Entry {
    let value = if index_follows {
        Value::Array(Vec::new())
    } else {
        Value::Table(Table::default())
    };
    Entry {
        key_span,
        node: Node {
            value,
            span: key_span,
        },
    }
}

fn step_to_key<'n>(
    node: &'n mut Node,
    key: &str,
    path: &str,
    new: Entry,
) -> Result<&'n mut Node, OverrideError> {
    // `floe.0.radius` is another way to write `floe[0].radius`.
    if let (Value::Array(_), Ok(index)) = (&node.value, key.parse()) {
        return step_to_index(node, index, path);
    }
    let found = node.value.kind();
    match &mut node.value {
        Value::Table(table) => Ok(&mut table.entries.entry(key.to_owned()).or_insert(new).node),
        _ => Err(OverrideError::NotATable {
            path: path.to_owned(),
            key: key.to_owned(),
            found,
        }),
    }
}

fn step_to_index<'n>(
    node: &'n mut Node,
    index: usize,
    path: &str,
) -> Result<&'n mut Node, OverrideError> {
    let path = path.to_owned();
    let found = node.value.kind();
    let Value::Array(list) = &mut node.value else {
        return Err(OverrideError::NotAnArray { path, index, found });
    };
    let length = list.len();
    list.get_mut(index).ok_or(OverrideError::BeyondArray {
        path,
        index,
        length,
    })
}

/// The value as TOML, or as a bare string if it is not TOML: `2 d` needs no quotes.
fn parse_value(text: &str, source: u32, offset: usize) -> Node {
    if let Ok(parsed) = DeValue::parse(text) {
        let mut tree = TreeBuilder {
            source,
            offset,
            text,
            problems: Vec::new(),
        };
        let node = tree.node(&parsed);
        if tree.problems.is_empty() {
            return node;
        }
    }
    let value = Value::Text {
        text: text.to_owned(),
        verbatim_at: Some(offset),
    };
    Node {
        value,
        span: Span::new(source, offset, offset + text.len()),
    }
}

/// The steps of the path, and the byte after the `=`.
fn parse_path(given: &str) -> Result<(Vec<Step>, usize), Failure> {
    let mut steps = Vec::new();
    let mut at = skip_spaces(given, 0);
    let mut key_wanted = true;
    loop {
        let step = if key_wanted {
            parse_key(given, at)?
        } else {
            parse_index(given, at)?
        };
        at = skip_spaces(given, step.range.end);
        steps.push(step);
        if steps.len() > MAX_STEPS {
            return Err((OverrideError::TooDeep, 0..at));
        }
        match given[at..].chars().next() {
            Some('=') => return Ok((steps, at + 1)),
            Some('[') => key_wanted = false,
            Some('.') => {
                key_wanted = true;
                at = skip_spaces(given, at + 1);
            }
            Some(character) => {
                let end = at + character.len_utf8();
                return Err((OverrideError::BadCharacter { character }, at..end));
            }
            None => return Err((OverrideError::NoEqualSign, 0..given.len())),
        }
    }
}

/// A bare or quoted name starting at byte `at`.
fn parse_key(given: &str, at: usize) -> Result<Step, Failure> {
    let rest = &given[at..];
    let (key, end) = if let Some(quote @ ('"' | '\'')) = rest.chars().next() {
        let Some(length) = rest[1..].find(quote) else {
            return Err((OverrideError::OpenQuote, at..given.len()));
        };
        (&rest[1..=length], at + length + 2)
    } else {
        let is_bare = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
        let length = rest.find(|c| !is_bare(c)).unwrap_or(rest.len());
        (&rest[..length], at + length)
    };
    if !key.is_empty() {
        return Ok(Step {
            target: Target::Key(key.to_owned()),
            range: at..end,
        });
    }
    match rest.chars().next() {
        Some(character) if !"=.\"'".contains(character) => Err((
            OverrideError::BadCharacter { character },
            at..at + character.len_utf8(),
        )),
        None if given.trim().is_empty() => Err((OverrideError::NoEqualSign, 0..given.len())),
        _ => Err((
            OverrideError::EmptyName,
            at..end.max(at + 1).min(given.len()),
        )),
    }
}

/// `[12]` starting at byte `at`, where the bracket is.
fn parse_index(given: &str, at: usize) -> Result<Step, Failure> {
    let end = given[at..]
        .find(']')
        .map_or(given.len(), |length| at + length + 1);
    let digits = given[at..end]
        .trim_start_matches('[')
        .trim_end_matches(']')
        .trim();
    match digits.parse() {
        Ok(index) if given[..end].ends_with(']') => Ok(Step {
            target: Target::Index(index),
            range: at..end,
        }),
        _ => Err((OverrideError::BadIndex, at..end)),
    }
}

fn skip_spaces(text: &str, at: usize) -> usize {
    text.len() - text[at..].trim_start().len()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenario::{Document, ValueKind};

    const SCENARIO: &str = "[time]\nduration = \"1 d\"\n[[floe]]\nradius = \"1 m\"\n";

    fn root_after(given: &str) -> Result<Node, OverrideError> {
        let mut document = Document::parse("s", SCENARIO, &[]).unwrap();
        match apply_override(&mut document.root, 1, given) {
            Ok(()) => Ok(document.root),
            Err((error, range)) => {
                // The range must be fit to slice the text with.
                assert!(given.get(range).is_some());
                Err(error)
            }
        }
    }

    /// The node at a path of keys, with numbers for elements.
    fn at<'a>(mut node: &'a Node, path: &[&str]) -> &'a Node {
        for step in path {
            node = match &node.value {
                Value::Table(table) => &table.entries[*step].node,
                Value::Array(list) => &list[step.parse::<usize>().unwrap()],
                other => panic!("{step} in {other:?}"),
            };
        }
        node
    }

    fn text(expected: &str, verbatim_at: usize) -> Value {
        Value::Text {
            text: expected.to_owned(),
            verbatim_at: Some(verbatim_at),
        }
    }

    #[test]
    fn a_value_is_replaced_and_keeps_the_place_of_the_override() {
        let root = root_after("time.duration=\"2 d\"").unwrap();
        let node = at(&root, &["time", "duration"]);
        assert_eq!(
            (&node.value, node.span),
            (&text("2 d", 15), Span::new(1, 14, 19))
        );
    }

    #[test]
    fn what_is_not_toml_is_a_bare_string() {
        let root = root_after("time.duration = 2 d ").unwrap();
        let node = at(&root, &["time", "duration"]);
        assert_eq!(
            (&node.value, node.span),
            (&text("2 d", 16), Span::new(1, 16, 19))
        );
    }

    #[test]
    fn elements_are_reached_with_brackets_and_with_dots() {
        for given in [
            "floe[0].radius=3",
            "floe.0.radius=3",
            "floe[ 0 ] . radius = 3",
        ] {
            let root = root_after(given).unwrap();
            assert_eq!(
                at(&root, &["floe", "0", "radius"]).value,
                Value::Integer(3),
                "{given}"
            );
        }
    }

    #[test]
    fn new_tables_are_made_on_the_way() {
        let root = root_after("a.'b c'.\"d\"={ e = true }").unwrap();
        assert_eq!(
            at(&root, &["a", "b c", "d", "e"]).value,
            Value::Boolean(true)
        );
    }

    #[test]
    fn what_cannot_apply_is_named() {
        use OverrideError as E;
        assert_eq!(root_after(""), Err(E::NoEqualSign));
        assert_eq!(root_after("time"), Err(E::NoEqualSign));
        assert_eq!(root_after("a.b="), Err(E::NoValue));
        for given in ["=3", "a..b=3", "a.=3", ".a=3", "''=3"] {
            assert_eq!(root_after(given), Err(E::EmptyName), "{given}");
        }
        assert_eq!(root_after("[0]=3"), Err(E::BadCharacter { character: '[' }));
        assert_eq!(root_after("a b=3"), Err(E::BadCharacter { character: 'b' }));
        assert_eq!(root_after("\"a=3"), Err(E::OpenQuote));
        for given in ["floe[x].r=3", "floe[-1].r=3", "floe[0=3", "floe[]=3"] {
            assert_eq!(root_after(given), Err(E::BadIndex), "{given}");
        }
        assert_eq!(
            root_after(&format!("{}a=3", "a.".repeat(99_999))),
            Err(E::TooDeep)
        );
        let error = root_after("time.duration.x=3").unwrap_err();
        assert!(
            matches!(
                error,
                E::NotATable {
                    found: ValueKind::Text,
                    ..
                }
            ),
            "{error}"
        );
        let error = root_after("time[2]=3").unwrap_err();
        assert_eq!(
            error,
            E::NotAnArray {
                path: "time".into(),
                index: 2,
                found: ValueKind::Table
            }
        );
        let error = root_after("floe.1.radius=3").unwrap_err();
        assert_eq!(
            error,
            E::BeyondArray {
                path: "floe".into(),
                index: 1,
                length: 1
            }
        );
        let error = root_after("wall[0].x=3").unwrap_err();
        assert_eq!(
            error,
            E::BeyondArray {
                path: "wall".into(),
                index: 0,
                length: 0
            }
        );
    }
}
