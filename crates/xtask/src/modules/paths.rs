//! Paths to modules in the text of a Rust file. No full parser: what is not a path is not looked at.

/// One path that the file names: `["crate", "body", "Body"]`.
#[derive(Debug, PartialEq)]
pub(super) struct Import {
    pub(super) path: Vec<String>,
    /// The name it has in this module, where it is in a `use`.
    pub(super) name: Option<String>,
    pub(super) line: usize,
}

/// The text without comments, literals and what is only for tests, with its lines kept; and the modules that are
/// only for tests and have files of their own.
pub(super) fn without_tests(text: &str) -> (String, Vec<String>) {
    const MARK: &str = "#[cfg(test)]";
    let mut text = without_comments_and_literals(text);
    let mut test_modules = Vec::new();
    while let Some(start) = text.find(MARK) {
        let after = start + MARK.len();
        let end = item_end(&text[after..]) + after;
        let item: Vec<&str> = text[after..end].split_whitespace().collect();
        if let ["mod", name] = item[..]
            && let Some(name) = name.strip_suffix(';')
        {
            test_modules.push(name.to_owned());
        }
        let blank = blanked(&text[start..end]);
        text.replace_range(start..end, &blank);
    }
    (text, test_modules)
}

/// Where the first item of a text ends: at a semicolon, or with the block that it has.
fn item_end(text: &str) -> usize {
    let mut depth = 0_usize;
    for (index, byte) in text.bytes().enumerate() {
        match byte {
            b';' if depth == 0 => return index + 1,
            b'{' => depth += 1,
            b'}' if depth <= 1 => return index + 1,
            b'}' => depth -= 1,
            _ => {}
        }
    }
    text.len()
}

/// As many bytes of blanks, the ends of lines kept.
fn blanked(text: &str) -> String {
    text.bytes()
        .map(|byte| if byte == b'\n' { '\n' } else { ' ' })
        .collect()
}

fn without_comments_and_literals(text: &str) -> String {
    let mut kept = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let skipped = if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if rest.starts_with("/*") {
            rest.find("*/").map_or(rest.len(), |end| end + 2)
        } else if first == '"' {
            string_length(rest)
        } else if rest.starts_with("r\"") || rest.starts_with("r#\"") {
            raw_string_length(rest)
        } else if first == '\'' {
            character_length(rest)
        } else {
            0
        };
        if skipped == 0 {
            kept.push(first);
            rest = &rest[first.len_utf8()..];
        } else {
            kept.push_str(&blanked(&rest[..skipped]));
            rest = &rest[skipped..];
        }
    }
    kept
}

fn string_length(text: &str) -> usize {
    let mut is_escaped = false;
    for (index, byte) in text.bytes().enumerate().skip(1) {
        match byte {
            _ if is_escaped => is_escaped = false,
            b'\\' => is_escaped = true,
            b'"' => return index + 1,
            _ => {}
        }
    }
    text.len()
}

fn raw_string_length(text: &str) -> usize {
    let end = if text.starts_with("r#") { "\"#" } else { "\"" };
    let open = 1 + end.len();
    text[open..]
        .find(end)
        .map_or(text.len(), |at| open + at + end.len())
}

/// Of `'x'` or `'\n'`; nothing for a lifetime.
fn character_length(text: &str) -> usize {
    let mut characters = text.char_indices().skip(1);
    match characters.next() {
        Some((_, '\\')) => text[3..].find('\'').map_or(0, |end| end + 4),
        Some(_) => match characters.next() {
            Some((at, '\'')) => at + 1,
            _ => 0,
        },
        None => 0,
    }
}

/// All paths that begin with `crate`, `super` or `self`, and all that are in a `use`.
pub(super) fn imports(text: &str) -> Vec<Import> {
    let tokens = tokens(text);
    let word = |index: usize| tokens.get(index).map_or("", |(word, _)| *word);
    let mut found = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        let is_use = word(at) == "use";
        let follows_path = at > 0 && ["::", "in"].contains(&word(at - 1));
        let is_inline =
            ["crate", "super", "self"].contains(&word(at)) && word(at + 1) == "::" && !follows_path;
        if is_use || is_inline {
            let mut tree = Tree {
                tokens: &tokens,
                at: at + usize::from(is_use),
                is_use,
                found: &mut found,
            };
            tree.read(&[]);
            at = tree.at;
        } else {
            at += 1;
        }
    }
    found
}

/// Words and marks with their lines; `::` is one.
fn tokens(text: &str) -> Vec<(&str, usize)> {
    let mut tokens = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let mut rest = line.trim_start();
        while let Some(first) = rest.chars().next() {
            let is_part = |c: char| c.is_alphanumeric() || c == '_';
            let length = if is_part(first) {
                rest.find(|c| !is_part(c)).unwrap_or(rest.len())
            } else if rest.starts_with("::") {
                2
            } else {
                first.len_utf8()
            };
            tokens.push((&rest[..length], index + 1));
            rest = rest[length..].trim_start();
        }
    }
    tokens
}

/// Reads `a::{b, c::d as e}` from tokens.
struct Tree<'a> {
    tokens: &'a [(&'a str, usize)],
    at: usize,
    is_use: bool,
    found: &'a mut Vec<Import>,
}

impl Tree<'_> {
    fn word(&self) -> &str {
        self.tokens.get(self.at).map_or("", |(word, _)| word)
    }

    fn read(&mut self, before: &[String]) {
        let mut path = before.to_vec();
        loop {
            match self.word() {
                "{" => return self.read_branches(&path),
                word => path.push(word.to_owned()),
            }
            let line = self.tokens.get(self.at).map_or(0, |(_, line)| *line);
            self.at += 1;
            if self.word() == "::" {
                self.at += 1;
                continue;
            }
            // `a::{self}` is `a`.
            if path.len() > 1 && path.last().is_some_and(|last| last == "self") {
                path.pop();
            }
            let mut name = path.last().cloned();
            if self.word() == "as" {
                self.at += 1;
                name = Some(self.word().to_owned());
                self.at += 1;
            }
            let name = name.filter(|_| self.is_use);
            self.found.push(Import { path, name, line });
            return;
        }
    }

    fn read_branches(&mut self, before: &[String]) {
        self.at += 1;
        while !["}", ""].contains(&self.word()) {
            self.read(before);
            if self.word() == "," {
                self.at += 1;
            }
        }
        self.at += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tree_of_imports_is_taken_apart() {
        let found =
            imports("use crate::{\n    a::{self, B as C},\n    d,\n};\nfn f(x: crate::e::F) {}\n");
        let paths: Vec<_> = found.iter().map(|import| import.path.join("::")).collect();
        assert_eq!(
            paths,
            ["crate::a", "crate::a::B", "crate::d", "crate::e::F"]
        );
        let names: Vec<_> = found.iter().map(|import| import.name.as_deref()).collect();
        assert_eq!(names, [Some("a"), Some("C"), Some("d"), None]);
        assert_eq!(found[1].line, 2);
    }

    #[test]
    fn literals_and_lifetimes_are_told_apart() {
        let text = "let a = ('\"', '\\'', \"x\\\"y\", r#\"z\"z\"#); fn f<'a>(b: &'a str) {}";
        let kept = without_comments_and_literals(text);
        assert_eq!(kept.len(), text.len());
        assert!(
            !kept.contains(['x', 'y', 'z']) && kept.contains("b: &'a str"),
            "{kept}"
        );
    }
}
