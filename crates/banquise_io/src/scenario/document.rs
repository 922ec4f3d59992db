//! A scenario: its texts and the tree of its values, overrides included.

use std::path::Path;

use toml::de::DeTable;

use super::input::ScenarioInput;
use super::overrides::apply_override;
use super::problem::{Problem, ProblemKind};
use super::problems::Problems;
use super::render::ScenarioError;
use super::source::{Sources, Span};
use super::tree::TreeBuilder;
use super::value::{Node, Value};

/// After a slip the parser may stumble on every following line, which teaches nothing.
const MAX_SYNTAX_PROBLEMS: usize = 5;

/// A parsed scenario: its texts and its tree, overrides included.
#[derive(Debug)]
pub struct Document {
    pub(super) sources: Sources,
    pub(super) root: Node,
}

impl Document {
    /// Reads a scenario file and lays each override (`key=value`) over it.
    ///
    /// # Errors
    ///
    /// The file cannot be read, is not UTF-8, is not TOML, or an override does not apply.
    pub fn read(path: &Path, overrides: &[String]) -> Result<Self, ScenarioError> {
        Self::of(&ScenarioInput::read(path)?, overrides)
    }

    /// Parses a scenario that was read, and lays each override (`key=value`) over it.
    ///
    /// # Errors
    ///
    /// It is not UTF-8 or not TOML, or an override does not apply.
    pub fn of(input: &ScenarioInput, overrides: &[String]) -> Result<Self, ScenarioError> {
        Self::from_bytes(&input.label, &input.bytes, overrides)
    }

    /// Parses a scenario from the bytes of a file called `name`.
    ///
    /// # Errors
    ///
    /// The bytes are not UTF-8 or not TOML, or an override does not apply.
    pub fn from_bytes(
        name: &str,
        bytes: &[u8],
        overrides: &[String],
    ) -> Result<Self, ScenarioError> {
        let error = match str::from_utf8(bytes) {
            Ok(text) => return Self::parse(name, text, overrides),
            Err(error) => error,
        };
        let byte = error.valid_up_to();
        // Show the good text and what follows it, but not megabytes of a picture.
        let shown = &bytes[..bytes.len().min(byte + 64)];
        let mut sources = Sources::default();
        let source = sources.add(name, &String::from_utf8_lossy(shown));
        let span = Span::new(source, byte, byte + char::REPLACEMENT_CHARACTER.len_utf8());
        let kind = ProblemKind::NotUtf8 {
            byte,
            value: bytes[byte],
        };
        Err(ScenarioError::new(sources, vec![Problem::new(kind, span)]))
    }

    /// Parses a scenario from the text of a file called `name`.
    ///
    /// # Errors
    ///
    /// The text is not TOML, or an override does not apply.
    pub fn parse(name: &str, text: &str, overrides: &[String]) -> Result<Self, ScenarioError> {
        let mut sources = Sources::default();
        let source = sources.add(name, text);
        let (table, errors) = DeTable::parse_recoverable(text);
        let mut problems = syntax_problems(source, text, &errors);
        let mut tree = TreeBuilder {
            source,
            offset: 0,
            text,
            problems: Vec::new(),
        };
        let value = Value::Table(tree.table(table.get_ref()));
        problems.append(&mut tree.problems);
        let mut root = Node {
            value,
            span: Span::new(source, 0, 0),
        };
        for given in overrides {
            let source = sources.add("--set", given);
            if let Err((error, range)) = apply_override(&mut root, source, given) {
                let span = Span::new(source, range.start, range.end);
                problems.push(Problem::new(ProblemKind::Override(error), span));
            }
        }
        if problems.is_empty() {
            Ok(Self { sources, root })
        } else {
            Err(ScenarioError::new(sources, problems))
        }
    }

    /// A document of these values, which no text says.
    pub(crate) fn of_value(value: Value) -> Self {
        let span = Span::new(0, 0, 0);
        Self {
            sources: Sources::default(),
            root: Node { value, span },
        }
    }

    /// The texts the document was made from.
    pub fn sources(&self) -> &Sources {
        &self.sources
    }

    /// The root table, as a node.
    pub fn root(&self) -> &Node {
        &self.root
    }

    /// The decoded value if decoding met no problem, else all the problems with the texts.
    ///
    /// # Errors
    ///
    /// `problems` is not empty.
    pub fn conclude<T>(self, decoded: T, problems: Problems) -> Result<T, ScenarioError> {
        let list = problems.into_list();
        if list.is_empty() {
            Ok(decoded)
        } else {
            Err(ScenarioError::new(self.sources, list))
        }
    }
}

/// The first problems of the parser in the order of the text, one to a line.
fn syntax_problems(source: u32, text: &str, errors: &[toml::de::Error]) -> Vec<Problem> {
    let mut found: Vec<(Span, String)> = errors
        .iter()
        .map(|error| {
            // The parser gives no place when the nesting is too deep.
            let range = error.span().unwrap_or(0..0);
            let span = Span::new(
                source,
                range.start.min(text.len()),
                range.end.min(text.len()),
            );
            (span, error.message().to_owned())
        })
        .collect();
    found.sort_by_key(|(span, _)| span.start);
    let mut problems: Vec<Problem> = Vec::new();
    let mut line_end = 0;
    for (span, message) in found {
        if problems.len() == MAX_SYNTAX_PROBLEMS || (!problems.is_empty() && span.start <= line_end)
        {
            continue;
        }
        line_end = text.as_bytes()[span.start..]
            .iter()
            .position(|&byte| byte == b'\n')
            .map_or(text.len(), |length| span.start + length);
        problems.push(Problem::new(ProblemKind::syntax(&message, span), span));
    }
    problems
}

#[cfg(test)]
mod tests {
    use super::super::value::Entry;
    use super::*;

    fn lookup<'a>(document: &'a Document, key: &str) -> &'a Entry {
        let Value::Table(table) = &document.root.value else {
            panic!("the root is a table")
        };
        &table.entries[key]
    }

    #[test]
    fn keys_and_values_know_their_places() {
        let text = "a = 0x1_0\nb = \"x y\"\n[t]\nc = [1.5, true]\n";
        let document = Document::parse("s", text, &[]).unwrap();
        let a = lookup(&document, "a");
        assert_eq!(
            (a.key_span, a.node.span),
            (Span::new(0, 0, 1), Span::new(0, 4, 9))
        );
        assert_eq!(a.node.value, Value::Integer(16));
        let b = lookup(&document, "b");
        assert_eq!(
            b.node.value,
            Value::Text {
                text: "x y".into(),
                verbatim_at: Some(15)
            }
        );
        let t = &lookup(&document, "t").node;
        assert_eq!(&text[t.span.start..t.span.end], "[t]");
        let Value::Table(table) = &t.value else {
            panic!("t is a table")
        };
        let Value::Array(list) = &table.entries["c"].node.value else {
            panic!("c is an array")
        };
        assert_eq!(list[0].value, Value::Float(1.5));
        assert_eq!(list[1].value, Value::Boolean(true));
    }

    #[test]
    fn escaped_strings_are_not_verbatim() {
        let document = Document::parse("s", "a = \"x\\ty\"", &[]).unwrap();
        let expected = Value::Text {
            text: "x\ty".into(),
            verbatim_at: None,
        };
        assert_eq!(lookup(&document, "a").node.value, expected);
    }

    #[test]
    fn a_byte_order_mark_is_accepted() {
        assert!(Document::parse("s", "\u{feff}a = 1\r\nb = 2\r\n", &[]).is_ok());
    }

    #[test]
    fn integers_beyond_64_bits_are_reported() {
        let error = Document::parse("s", "a = 99999999999999999999", &[]).unwrap_err();
        assert!(matches!(
            error.problems[0].kind,
            ProblemKind::IntegerTooLarge { .. }
        ));
    }

    #[test]
    fn a_missing_file_and_a_folder_are_different_errors() {
        let folder = tempfile::tempdir().unwrap();
        let missing = Document::read(&folder.path().join("none.toml"), &[]).unwrap_err();
        assert!(matches!(
            missing.problems[0].kind,
            ProblemKind::FileNotFound { .. }
        ));
        let unreadable = Document::read(folder.path(), &[]).unwrap_err();
        assert!(matches!(
            unreadable.problems[0].kind,
            ProblemKind::FileUnreadable { .. }
        ));
    }
}
