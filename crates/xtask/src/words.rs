//! Words that the code and the book do not use: private words for things that have a name in the literature, words
//! for people where bodies are meant, and first lines of doc comments that make no sense in an index.

use std::path::Path;

/// Folders and files that are read, from the root of the workspace.
pub(crate) const READ: [&str; 10] = [
    "crates",
    "benches",
    "docs/src",
    "examples",
    "fuzz",
    "scenarios",
    "tests",
    "ARCHITECTURE.md",
    "CONTRIBUTING.md",
    "README.md",
];

/// Ends of the names of files that are read.
const READ_TYPES: [&str; 8] = ["css", "html", "js", "md", "py", "pyi", "rs", "toml"];

/// This file, which must name the words.
const TABLE: &str = "crates/xtask/src/words.rs";

/// Phrases that are refused in prose, messages and names, with what to write. Case does not matter, and a phrase may go
/// on in the next line.
const REFUSED: [(&str, &str); 24] = [
    (
        "nobody",
        "no body, no contact, or a sentence about the thing",
    ),
    ("anybody", "any body"),
    ("somebody", "a body, a user, a reader"),
    ("everybody", "all bodies"),
    (
        "whom",
        "pairs, contact graph, or a sentence about the bodies",
    ),
    ("idem", "the sentence itself"),
    ("steps of given length", "fixed steps"),
    ("step of given length", "fixed step"),
    ("given step", "fixed step"),
    ("given steps", "fixed steps"),
    (
        "order of elimination",
        "elimination ordering, minimum degree ordering",
    ),
    ("looks at pairs", "queries pairs"),
    ("search of boxes", "broad phase"),
    ("patience", "iteration limit, timeout"),
    ("boldness", "centering exponent"),
    ("wandering paths", "turning points"),
    ("in its own time", "local time stepping"),
    ("in their own time", "local time stepping"),
    ("known nearly", "warm start"),
    ("second phase", "decompression phase"),
    ("given back", "restitution"),
    ("gives back", "restitution"),
    ("what forces did", "momentum and energy budget"),
    ("tests of a study", "members of an ensemble"),
];

/// Starts of a doc comment whose first line does not stand alone.
const REFUSED_STARTS: [&str; 4] = ["the same", "see above", "idem", "as above"];

/// Whether a file of these folders is read; its path counts from the root.
pub(crate) fn is_read(file: &Path) -> bool {
    let extension = file.extension().and_then(|extension| extension.to_str());
    extension.is_some_and(|extension| READ_TYPES.contains(&extension)) && file != Path::new(TABLE)
}

/// Adds a complaint for each refused phrase in the text of a file.
pub(crate) fn check(file: &Path, text: &str, complaints: &mut Vec<String>) {
    let words: Vec<(usize, String)> = text
        .lines()
        .enumerate()
        .flat_map(|(index, line)| words_of(line).map(move |word| (index + 1, word)))
        .collect();
    for (phrase, instead) in REFUSED {
        let phrase_words: Vec<&str> = phrase.split(' ').collect();
        for window in words.windows(phrase_words.len()) {
            if window.iter().map(|(_, word)| word).eq(&phrase_words) {
                let (file, line) = (file.display(), window[0].0);
                complaints.push(format!("{file}:{line}: \"{phrase}\"; write: {instead}"));
            }
        }
    }
    let mut was_doc = false;
    for (index, line) in text.lines().enumerate() {
        let doc = doc_text(line);
        if let Some(first_line) = doc.filter(|_| !was_doc) {
            let first_words: Vec<String> = words_of(first_line)
                .filter(|word| !word.is_empty())
                .take(2)
                .collect();
            let start = first_words.join(" ");
            let refused = REFUSED_STARTS.iter().find(|refused| {
                start == **refused || first_words.first().is_some_and(|first| first == *refused)
            });
            if let Some(refused) = refused {
                let (file, line) = (file.display(), index + 1);
                complaints.push(format!(
                    "{file}:{line}: a doc comment starts with \"{refused}\"; its first line must stand alone in an index"
                ));
            }
        }
        was_doc = doc.is_some();
    }
}

/// The words of a line in lower case, without the marks of a comment; an underscore ends a word, so that names are read
/// too. Punctuation is an empty word, so that no phrase goes across it.
fn words_of(line: &str) -> impl Iterator<Item = String> {
    let text = line.trim_start().trim_start_matches(['/', '!', '*', '#']);
    text.split([' ', '_', '-', '\\'])
        .flat_map(|part| part.split_inclusive(|letter: char| !letter.is_alphanumeric()))
        .flat_map(|part| {
            let word = part.trim_end_matches(|letter: char| !letter.is_alphanumeric());
            let end = (word.len() < part.len()).then(String::new);
            let word = (!word.is_empty()).then(|| word.to_lowercase());
            word.into_iter().chain(end)
        })
}

/// Text of a line of a doc comment of Rust, `JavaScript` or Python.
fn doc_text(line: &str) -> Option<&str> {
    const MARKS: [&str; 4] = ["///", "//!", "/**", "\"\"\""];
    let line = line.trim_start();
    MARKS.iter().find_map(|mark| line.strip_prefix(mark))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn complaints(text: &str) -> Vec<String> {
        let mut complaints = Vec::new();
        check(Path::new("crates/a/src/lib.rs"), text, &mut complaints);
        complaints
    }

    #[test]
    fn every_refused_phrase_is_found() {
        for (phrase, instead) in REFUSED {
            let found = complaints(&format!("// One {phrase} more.\n"));
            let expected = format!("crates/a/src/lib.rs:1: \"{phrase}\"; write: {instead}");
            assert!(found.contains(&expected), "{phrase}: {found:?}");
        }
    }

    #[test]
    fn phrases_are_found_across_lines_in_names_and_in_any_case() {
        assert_eq!(
            complaints("/// Takes steps of\n/// given length.\n").len(),
            1
        );
        assert_eq!(complaints("fn floes_that_touch_nobody() {}\n").len(), 1);
        assert_eq!(complaints("const PATIENCE: usize = 3;\n").len(), 1);
        assert_eq!(complaints("/// The patient runs.\n"), [""; 0]);
        assert_eq!(complaints("let path = given[step.end];\n"), [""; 0]);
    }

    #[test]
    fn every_refused_start_is_found_in_first_lines_alone() {
        for start in REFUSED_STARTS {
            for mark in ["///", "//!", "/**", "    \"\"\""] {
                let found = complaints(&format!("{mark} {start} for b.\n"));
                let is_start = |complaint: &&String| complaint.contains("starts with");
                assert_eq!(found.iter().filter(is_start).count(), 1, "{mark} {start}");
            }
        }
        assert_eq!(
            complaints("/// Two contacts of\n/// the same pair.\n"),
            [""; 0]
        );
        assert_eq!(complaints("// The same for b.\n"), [""; 0]);
    }

    #[test]
    fn code_and_book_are_read_and_the_table_is_not() {
        for file in [
            "crates/a/src/lib.rs",
            "docs/src/introduction.md",
            "README.md",
            "tests/python/test_a.py",
        ] {
            assert!(is_read(Path::new(file)), "{file}");
        }
        for file in [TABLE, "crates/a/Cargo.lock", "docs/src/film.png"] {
            assert!(!is_read(Path::new(file)), "{file}");
        }
    }
}
