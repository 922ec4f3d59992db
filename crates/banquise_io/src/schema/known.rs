//! What was learnt of the values of a scenario.

use std::collections::{BTreeMap, BTreeSet};

use crate::scenario::{Asked, Expected, Note};

/// What is known of the value at one path.
#[derive(Debug, Default)]
pub(super) struct Known {
    /// What it may be.
    pub(super) expected: Vec<Expected>,
    /// If it is a table: its keys.
    pub(super) keys: BTreeMap<String, Self>,
    /// If it is a list: its elements, which are all alike.
    pub(super) element: Option<Box<Self>>,
    /// Keys that every parse required which opened this table; nothing before the first one.
    required: Option<BTreeSet<String>>,
    /// Whether values of all kinds were tried here.
    pub(super) is_probed: bool,
}

/// One step of a path.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Step {
    /// To the value of a key.
    Key(String),
    /// To the elements of a list.
    Element,
}

/// The steps of a path like `floe[0].disc`.
pub(super) fn steps(path: &str) -> Vec<Step> {
    let mut steps = Vec::new();
    for part in path.split('.').filter(|part| !part.is_empty()) {
        let mut names = part.split('[');
        steps.extend(names.next().map(|key| Step::Key(key.to_owned())));
        steps.extend(names.map(|_| Step::Element));
    }
    steps
}

impl Known {
    /// The keys that must be there, whatever the other values are.
    pub(super) fn required(&self) -> Vec<&str> {
        self.required.iter().flatten().map(String::as_str).collect()
    }

    /// What is known at a path, made where nothing is known yet.
    pub(super) fn at(&mut self, path: &[Step]) -> &mut Self {
        path.iter().fold(self, |known, step| match step {
            Step::Key(key) => known.keys.entry(key.clone()).or_default(),
            Step::Element => known.element.get_or_insert_default(),
        })
    }

    /// Adds what one parse required: a key that another one did not require is not.
    pub(super) fn learn_required(&mut self, notes: &[Note]) {
        let mut opened: BTreeMap<Vec<Step>, BTreeSet<String>> = BTreeMap::new();
        for note in notes {
            let mut path = steps(&note.path);
            match note.asked {
                Asked::Opened => {
                    opened.entry(path).or_default();
                }
                Asked::Required => {
                    if let Some(Step::Key(key)) = path.pop() {
                        opened.entry(path).or_default().insert(key);
                    }
                }
                Asked::Key | Asked::As(_) => {}
            }
        }
        for (path, keys) in opened {
            let required = &mut self.at(&path).required;
            match required {
                Some(known) => known.retain(|key| keys.contains(key)),
                None => *required = Some(keys),
            }
        }
    }
}
