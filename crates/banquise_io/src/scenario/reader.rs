//! A cursor over one table: what decoding asks for, and in the end what it did not ask for.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use super::document::Document;
use super::field::{Field, Name};
use super::problem::{Problem, ProblemKind};
use super::problems::Problems;
use super::source::{Span, Spanned};
use super::suggest::nearest;
use super::trace::{Asked, Expected};
use super::value::{Node, Table, Value};

/// Reads the keys of one table and remembers which were asked for.
///
/// A getter that fails reports to the shared [`Problems`] and gives nothing, so that decoding goes
/// on and finds the other problems. Call [`TableReader::finish`] when all keys have been read.
#[derive(Debug)]
#[must_use = "call `finish` to report unknown keys"]
pub struct TableReader<'a> {
    path: Rc<str>,
    table: &'a Table,
    span: Span,
    problems: &'a Problems,
    asked: RefCell<Vec<&'static str>>,
    /// Set once all keys have been handed out by [`TableReader::entries`].
    any_key: Cell<bool>,
}

impl<'a> TableReader<'a> {
    /// A reader of the top level of a document.
    pub fn root(document: &'a Document, problems: &'a Problems) -> Self {
        Self::open(&document.root, Rc::from(""), problems)
            .expect("the root of a document is a table by construction")
    }

    /// A reader of that node, if it is a table.
    pub(super) fn open(node: &'a Node, path: Rc<str>, problems: &'a Problems) -> Option<Self> {
        let Value::Table(table) = &node.value else {
            return None;
        };
        problems.note(|| path.to_string(), Asked::Opened);
        Some(Self {
            path,
            table,
            span: node.span,
            problems,
            asked: RefCell::default(),
            any_key: Cell::new(false),
        })
    }

    /// The path of this table, such as `floe[0]`; empty for the root.
    pub fn path(&self) -> &str {
        &self.path
    }

    /// Where this table is: its header, or its braces.
    pub fn span(&self) -> Span {
        self.span
    }

    /// The collector, to report what the readers cannot know.
    pub fn problems(&self) -> &'a Problems {
        self.problems
    }

    /// Whether the key is there. This does not count as reading it.
    pub fn has(&self, key: &str) -> bool {
        self.note(key, Asked::Key);
        self.table.entries.contains_key(key)
    }

    /// The value of a key that may be left out.
    pub fn optional(&self, key: &'static str) -> Field<'a> {
        self.asked.borrow_mut().push(key);
        self.note(key, Asked::Key);
        let node = self.table.entries.get(key).map(|entry| &entry.node);
        self.field(key, node)
    }

    /// The value of a key that must be there; its absence is reported.
    pub fn required(&self, key: &'static str) -> Field<'a> {
        self.note(key, Asked::Required);
        if !self.has(key) {
            let kind = ProblemKind::MissingKey {
                table: self.path.to_string(),
                key,
            };
            self.problems.push(Problem::new(kind, self.span));
        }
        self.optional(key)
    }

    /// Reads a required key; where it is missing, the hint shows how to write it.
    pub fn required_like(&self, key: &'static str, example: &str) -> Field<'a> {
        self.note(key, Asked::Required);
        if !self.has(key) {
            let kind = ProblemKind::MissingKey {
                table: self.path.to_string(),
                key,
            };
            let problem = Problem::new(kind, self.span);
            self.problems
                .push(problem.with_hint(format!("add {example}")));
        }
        self.optional(key)
    }

    /// All keys with their values, for a table whose keys are names the user chose.
    pub fn entries(&self) -> Vec<(Spanned<&'a str>, Field<'a>)> {
        self.any_key.set(true);
        let entries = self.table.entries.iter();
        entries
            .map(|(key, entry)| {
                let name = Spanned {
                    value: key.as_str(),
                    span: entry.key_span,
                };
                (name, self.field(key, Some(&entry.node)))
            })
            .collect()
    }

    /// Reports a conflict if both keys are there. Both count as read.
    pub fn exclusive(&self, first: &'static str, second: &'static str) {
        self.asked.borrow_mut().extend([first, second]);
        self.note(first, Asked::Key);
        self.note(second, Asked::Key);
        let entries = &self.table.entries;
        if let (Some(a), Some(b)) = (entries.get(first), entries.get(second)) {
            let kind = ProblemKind::Conflict {
                first: self.field(first, None).key_path(),
                second: self.field(second, None).key_path(),
            };
            let problem = Problem::new(kind, b.key_span).with_related(a.key_span, "the other one");
            self.problems.push(problem);
        }
    }

    /// Reports every key that was not asked for; after [`TableReader::entries`] there is none.
    pub fn finish(self) {
        if self.any_key.get() {
            return;
        }
        let mut known = self.asked.into_inner();
        known.sort_unstable();
        known.dedup();
        let entries = &self.table.entries;
        for (key, entry) in entries {
            if known.binary_search(&key.as_str()).is_ok() {
                continue;
            }
            // A key that is already there is not the one that was mistyped, unless an override
            // means to replace it.
            let source = entry.key_span.source;
            let absent = known.iter().copied().filter(|known| {
                entries
                    .get(*known)
                    .is_none_or(|entry| entry.key_span.source != source)
            });
            let kind = ProblemKind::UnknownKey {
                table: self.path.to_string(),
                key: key.clone(),
                suggestion: nearest(key, absent),
                known: known.clone(),
            };
            self.problems.push(Problem::new(kind, entry.key_span));
        }
    }

    fn note(&self, key: &str, asked: Asked) {
        let path = || match &*self.path {
            "" => key.to_owned(),
            table => format!("{table}.{key}"),
        };
        self.problems.note(path, asked);
    }

    fn field(&self, key: &'a str, node: Option<&'a Node>) -> Field<'a> {
        Field::new(Rc::clone(&self.path), Name::Key(key), node, self.problems)
    }
}

/// Tables inside of tables: a value that is a table has a reader of its own.
impl<'a> Field<'a> {
    /// A table.
    pub fn table(self) -> Option<TableReader<'a>> {
        self.note(Expected::Table);
        let node = self.node()?;
        let reader = TableReader::open(node, Rc::from(self.key_path()), self.problems());
        reader.or_else(|| self.report_type("a table"))
    }

    /// The tables of an array of tables, such as the `[[floe]]`s; none if it is absent.
    pub fn tables(self) -> Vec<TableReader<'a>> {
        let elements = self.list("an array of tables");
        elements.into_iter().filter_map(Self::table).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::super::problems::MAX_PROBLEMS;
    use super::*;

    /// The messages of the problems that `decode` meets.
    fn messages(text: &str, decode: impl Fn(TableReader<'_>)) -> Vec<String> {
        let document = Document::parse("s", text, &[]).unwrap();
        let problems = Problems::default();
        decode(TableReader::root(&document, &problems));
        problems
            .into_list()
            .iter()
            .map(|problem| problem.kind.to_string())
            .collect()
    }

    #[test]
    fn keys_not_asked_for_are_reported_with_a_suggestion() {
        let document = Document::parse("s", "duraton = 1\nstep = 2\nstpe = 3", &[]).unwrap();
        let problems = Problems::default();
        let root = TableReader::root(&document, &problems);
        assert_eq!(root.optional("duration").integer().get(), None);
        assert_eq!(root.required("step").integer().get(), Some(2));
        root.finish();
        let suggestions: Vec<_> = problems
            .into_list()
            .into_iter()
            .map(|problem| match problem.kind {
                ProblemKind::UnknownKey {
                    key, suggestion, ..
                } => (key, suggestion),
                other => panic!("{other}"),
            })
            .collect();
        // `step` is there already, so `stpe` is not a slip for it.
        let expected = [
            ("duraton".to_owned(), Some("duration")),
            ("stpe".to_owned(), None),
        ];
        assert_eq!(suggestions, expected);
    }

    #[test]
    fn missing_keys_name_their_table() {
        let found = messages("[time]", |root| {
            root.required("time")
                .table()
                .unwrap()
                .required("step")
                .integer()
                .get();
            root.required("domain").table();
        });
        assert_eq!(
            found,
            [
                "the key `step` is missing in `time`",
                "the key `domain` is missing at the top level"
            ]
        );
    }

    #[test]
    fn exclusive_keys_conflict_only_together() {
        let decode = |root: TableReader<'_>| root.exclusive("radius", "outline");
        assert!(messages("radius = 1", decode).is_empty());
        let found = messages("radius = 1\noutline = 2", decode);
        assert_eq!(found, ["`radius` and `outline` cannot both be given"]);
    }

    #[test]
    fn user_chosen_names_are_listed_in_order() {
        let document = Document::parse("s", "thin = 1\nthick = 2", &[]).unwrap();
        let problems = Problems::default();
        let root = TableReader::root(&document, &problems);
        let named: Vec<_> = root
            .entries()
            .into_iter()
            .map(|(name, field)| (name.value, field.integer().get()))
            .collect();
        assert_eq!(named, [("thick", Some(2)), ("thin", Some(1))]);
    }

    #[test]
    fn a_flood_of_problems_is_bounded() {
        let text = format!("a = [{}]", "true, ".repeat(5000));
        let found = messages(&text, |root| {
            for item in root.required("a").array() {
                item.integer();
            }
        });
        assert_eq!(found.len(), MAX_PROBLEMS);
    }
}
