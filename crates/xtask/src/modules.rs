//! Arrows between the modules of a crate: imports must not go round in circles.
//!
//! Looked at are `crate::`, `super::` and `self::` paths outside tests. An ancestor of the file that imports is
//! looked through: `crate::Body` is an import of `body`, where the root says `pub use body::Body`. A module and the
//! modules inside it may know each other; siblings may do so in one direction alone.

mod paths;

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::path::{Path, PathBuf};

use paths::{Import, imports, without_tests};

/// Module by module from the root of a crate; empty for the root itself.
type ModulePath = Vec<String>;

/// One module of a crate: what its file imports.
struct Module {
    file: PathBuf,
    imports: Vec<Import>,
}

/// The place of an import: a file and a line.
type Place = (PathBuf, usize);

/// Imports between the children of one module, with an example for each arrow.
type Arrows = BTreeMap<(String, String), Place>;

/// Complains of every circle of imports among the modules of a crate, whose files are named from its `src`.
pub(crate) fn check(name: &str, files: &[(PathBuf, String)], complaints: &mut Vec<String>) {
    let arrows = arrows_by_parent(&modules(files));
    for (parent, arrows) in &arrows {
        for circle in circles(arrows) {
            complaints.push(describe(name, parent, &circle, arrows));
        }
    }
}

/// The modules of a crate from its files below `src`.
fn modules(files: &[(PathBuf, String)]) -> BTreeMap<ModulePath, Module> {
    let mut modules = BTreeMap::new();
    let mut only_for_tests = BTreeSet::new();
    for (file, text) in files {
        let path = module_path(file);
        let (text, test_modules) = without_tests(text);
        only_for_tests.extend(test_modules.into_iter().map(|name| child(&path, &name)));
        let module = Module {
            file: file.clone(),
            imports: imports(&text),
        };
        modules.insert(path, module);
    }
    modules.retain(|path, _| !only_for_tests.iter().any(|tests| path.starts_with(tests)));
    modules
}

/// `a/b.rs` and `a/b/mod.rs` are `a::b`; `lib.rs` and `main.rs` are the root.
fn module_path(file: &Path) -> ModulePath {
    let mut path: ModulePath = file
        .with_extension("")
        .components()
        .map(|part| part.as_os_str().to_string_lossy().into_owned())
        .collect();
    let is_root = path.len() == 1 && ["lib", "main"].contains(&path[0].as_str());
    if is_root || path.last().is_some_and(|last| last == "mod") {
        path.pop();
    }
    path
}

fn child(parent: &[String], name: &str) -> ModulePath {
    [parent, &[name.to_owned()]].concat()
}

/// All arrows, sorted by the module within which they go from child to child.
fn arrows_by_parent(modules: &BTreeMap<ModulePath, Module>) -> BTreeMap<ModulePath, Arrows> {
    let mut all: BTreeMap<ModulePath, Arrows> = BTreeMap::new();
    for (from, module) in modules {
        for import in &module.imports {
            let Some(to) = target(modules, from, &import.path, 0) else {
                continue;
            };
            let shared = from.iter().zip(&to).take_while(|(a, b)| a == b).count();
            // A module and those inside it may know each other.
            if let (Some(importer), Some(imported)) = (from.get(shared), to.get(shared)) {
                all.entry(from[..shared].to_vec())
                    .or_default()
                    .entry((importer.clone(), imported.clone()))
                    .or_insert_with(|| (module.file.clone(), import.line));
            }
        }
    }
    all
}

/// The module that a path written in module `from` leads to; none if it is of another crate.
fn target(
    modules: &BTreeMap<ModulePath, Module>,
    from: &[String],
    path: &[String],
    depth: usize,
) -> Option<ModulePath> {
    // Names that lead in a circle do not compile.
    if depth > 16 {
        return None;
    }
    let (mut at, mut rest) = start(modules, from, path)?;
    while let [name, after @ ..] = rest {
        let inside = child(&at, name);
        if modules.contains_key(&inside) {
            at = inside;
            rest = after;
            continue;
        }
        // What an ancestor has from elsewhere is looked up there.
        if !from.starts_with(&at) {
            return Some(at);
        }
        let mut named = modules
            .get(&at)
            .into_iter()
            .flat_map(|module| &module.imports);
        let named = named.find(|import| import.name.as_deref() == Some(name));
        return match named {
            Some(import) => {
                let found = target(modules, &at, &import.path, depth + 1)?;
                // A module under another name: go on from there.
                let is_module = modules.contains_key(&absolute(modules, &at, &import.path));
                if is_module && !after.is_empty() {
                    let path = [&["crate".to_owned()], &found[..], after].concat();
                    target(modules, from, &path, depth + 1)
                } else {
                    Some(found)
                }
            }
            None => Some(at),
        };
    }
    Some(at)
}

/// Where a path begins, and what of it is left to follow; none if it is of another crate.
fn start<'a>(
    modules: &BTreeMap<ModulePath, Module>,
    from: &[String],
    path: &'a [String],
) -> Option<(ModulePath, &'a [String])> {
    match path.first()?.as_str() {
        "crate" => Some((Vec::new(), &path[1..])),
        "self" => Some((from.to_vec(), &path[1..])),
        "super" => {
            let up = path.iter().take_while(|part| *part == "super").count();
            Some((from[..from.len().saturating_sub(up)].to_vec(), &path[up..]))
        }
        // `use contact::search` in the module that holds `contact`.
        name if modules.contains_key(&child(from, name)) => Some((from.to_vec(), path)),
        _ => None,
    }
}

fn absolute(
    modules: &BTreeMap<ModulePath, Module>,
    from: &[String],
    path: &[String],
) -> ModulePath {
    start(modules, from, path).map_or_else(Vec::new, |(at, rest)| [&at[..], rest].concat())
}

/// A shortest circle through the first module of each knot, once for each knot.
fn circles(arrows: &Arrows) -> Vec<Vec<String>> {
    let names: BTreeSet<&String> = arrows.keys().flat_map(|(from, to)| [from, to]).collect();
    let mut seen = BTreeSet::new();
    let mut circles = Vec::new();
    for name in names {
        if seen.contains(name) {
            continue;
        }
        if let Some(circle) = shortest_circle(arrows, name) {
            // The whole knot is done with: its other circles show once this one is gone.
            let back = reachable(arrows, name);
            seen.extend(
                back.iter()
                    .filter(|other| reachable(arrows, other).contains(name))
                    .cloned(),
            );
            circles.push(circle);
        }
    }
    circles
}

fn imported_by<'a>(arrows: &'a Arrows, name: &'a str) -> impl Iterator<Item = &'a String> {
    arrows
        .keys()
        .filter(move |(from, _)| from == name)
        .map(|(_, to)| to)
}

fn reachable(arrows: &Arrows, from: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let mut open = vec![from];
    while let Some(name) = open.pop() {
        for to in imported_by(arrows, name) {
            if found.insert(to.clone()) {
                open.push(to);
            }
        }
    }
    found
}

/// From `start` back to it, breadth first.
fn shortest_circle(arrows: &Arrows, start: &str) -> Option<Vec<String>> {
    let mut before: BTreeMap<&str, &str> = BTreeMap::new();
    let mut open = VecDeque::from([start]);
    while let Some(name) = open.pop_front() {
        for to in imported_by(arrows, name) {
            if to == start {
                let mut circle = vec![name.to_owned()];
                let mut at = name;
                while let Some(previous) = before.get(at) {
                    circle.push((*previous).to_owned());
                    at = previous;
                }
                circle.reverse();
                return Some(circle);
            }
            if !before.contains_key(to.as_str()) {
                before.insert(to, name);
                open.push_back(to);
            }
        }
    }
    None
}

fn describe(crate_name: &str, parent: &[String], circle: &[String], arrows: &Arrows) -> String {
    let within = if parent.is_empty() {
        format!("crates/{crate_name}")
    } else {
        format!("crates/{crate_name}, {}", parent.join("::"))
    };
    let lines = circle.iter().enumerate().map(|(index, from)| {
        let to = &circle[(index + 1) % circle.len()];
        let (file, line) = &arrows[&(from.clone(), to.clone())];
        let file = Path::new("src").join(file);
        format!("\n    {from} imports {to} ({}:{line})", file.display())
    });
    let lines: String = lines.collect();
    format!("{within}: modules import each other in a circle:{lines}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn complaints(files: &[(&str, &str)]) -> Vec<String> {
        let files: Vec<_> = files
            .iter()
            .map(|(file, text)| (PathBuf::from(file), (*text).to_owned()))
            .collect();
        let mut complaints = Vec::new();
        check("made_up", &files, &mut complaints);
        complaints
    }

    #[test]
    fn a_circle_is_named_with_a_line_for_each_arrow() {
        let found = complaints(&[
            ("lib.rs", "mod a;\nmod b;\nmod c;\n"),
            ("a.rs", "//! A.\n\nuse crate::b::Thing;\n"),
            ("b.rs", "fn f() {\n    crate::c::g();\n}\n"),
            ("c.rs", "use crate::{b, a::{Other, self}};\n"),
        ]);
        assert_eq!(
            found,
            [
                "crates/made_up: modules import each other in a circle:\n    \
              a imports b (src/a.rs:3)\n    \
              b imports c (src/b.rs:2)\n    \
              c imports a (src/c.rs:1)"
            ]
        );
    }

    #[test]
    fn names_of_the_root_belong_to_the_module_they_come_from() {
        let found = complaints(&[
            (
                "lib.rs",
                "pub mod a;\nmod b;\npub use a::{One, Two as Deux};\npub use glam::DVec2;\n",
            ),
            ("a.rs", "use crate::DVec2;\nuse crate::b::B;\n"),
            ("b/mod.rs", "mod inner;\nuse crate::DVec2;\n"),
            ("b/inner.rs", "use super::super::Deux;\n"),
        ]);
        assert_eq!(found.len(), 1, "{found:?}");
        assert!(
            found[0].contains("b imports a (src/b/inner.rs:1)"),
            "{found:?}"
        );
    }

    #[test]
    fn siblings_inside_a_module_are_looked_at_too() {
        let found = complaints(&[
            ("lib.rs", "mod a;\n"),
            (
                "a/mod.rs",
                "mod one;\nmod two;\nuse one::{One, first};\npub struct Shared;\n",
            ),
            (
                "a/one.rs",
                "use super::Shared;\nuse super::two;\nfn f() { two::g() }\n",
            ),
            ("a/two.rs", "use super::One;\nuse super::Shared;\n"),
        ]);
        assert_eq!(found.len(), 1, "{found:?}");
        assert!(found[0].starts_with("crates/made_up, a:"), "{found:?}");
    }

    #[test]
    fn tests_comments_strings_and_own_children_make_no_circle() {
        let found = complaints(&[
            ("lib.rs", "mod a;\n#[cfg(test)]\nmod checks;\nmod b;\n"),
            (
                "a.rs",
                "// use crate::b::X;\n/// [`crate::b`]\npub(in crate::b) struct Y;\nconst C: &str = \"crate::b\";\n\
                 const Q: char = '\"';\n#[cfg(test)]\nmod tests {\n    use crate::b::X;\n}\n",
            ),
            ("b/mod.rs", "mod inner;\nuse crate::a;\nuse inner::f;\n"),
            ("b/inner.rs", "use super::Own;\n"),
            ("checks.rs", "use crate::a;\nuse crate::b;\n"),
        ]);
        assert_eq!(found, Vec::<String>::new());
    }
}
