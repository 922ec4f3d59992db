//! House rules a compiler does not know: arrows between crates and between their modules, paths named in documents,
//! symbols and dependencies with their line in the book, sizes of files, words.

use std::fs;
use std::path::{Path, PathBuf};

use crate::{modules, words};

/// Allowed dependencies between our crates. Arrows point one way.
const ARROWS: [(&str, &[&str]); 13] = [
    ("banquise_geometry", &[]),
    ("banquise_solver", &[]),
    ("banquise_fem", &["banquise_geometry"]),
    (
        "banquise",
        &["banquise_fem", "banquise_geometry", "banquise_solver"],
    ),
    ("banquise_glacier", &["banquise_geometry"]),
    ("banquise_fracture", &["banquise_geometry"]),
    (
        "banquise_flow",
        &["banquise_fem", "banquise_geometry", "banquise_solver"],
    ),
    ("banquise_suspension", &["banquise_geometry"]),
    (
        "banquise_io",
        &[
            "banquise",
            "banquise_geometry",
            "banquise_glacier",
            "banquise_solver",
        ],
    ),
    (
        "banquise_viewer",
        &["banquise_io", "banquise", "banquise_geometry"],
    ),
    (
        "banquise_cli",
        &[
            "banquise_viewer",
            "banquise_io",
            "banquise",
            "banquise_fem",
            "banquise_flow",
            "banquise_fracture",
            "banquise_geometry",
            "banquise_glacier",
            "banquise_solver",
            "banquise_suspension",
        ],
    ),
    (
        "banquise_python",
        &[
            "banquise_io",
            "banquise",
            "banquise_geometry",
            "banquise_solver",
        ],
    ),
    ("xtask", &[]),
];

/// Files whose `f64` fields are physical settings: each needs a symbol and a unit.
const PHYSICS_SETTINGS: [&str; 14] = [
    "crates/banquise/src/forcing/drag.rs",
    "crates/banquise/src/forcing/ocean_grid.rs",
    "crates/banquise/src/forcing/slab_ocean.rs",
    "crates/banquise/src/forcing/tide.rs",
    "crates/banquise/src/forcing/waves.rs",
    "crates/banquise/src/line.rs",
    "crates/banquise/src/fracture/settings.rs",
    "crates/banquise_fem/src/elasticity.rs",
    "crates/banquise_fem/src/percussion.rs",
    "crates/banquise_fracture/src/ice.rs",
    "crates/banquise_glacier/src/bed.rs",
    "crates/banquise_glacier/src/chain.rs",
    "crates/banquise_glacier/src/iceberg.rs",
    "crates/banquise/src/material.rs",
];

/// Workspaces of their own: what is in them is not built by the others, but the rules hold.
const OTHER_WORKSPACES: [&str; 2] = ["fuzz", "benches/compare"];

/// Lines of code, tests left out, beyond which a file is too big.
const MAX_CODE_LINES: usize = 600;

/// Checks all rules and lists every complaint.
pub(crate) fn check(root: &Path) -> Result<(), String> {
    let mut complaints = Vec::new();
    check_arrows(root, &mut complaints);
    check_named_paths(root, &mut complaints);
    check_symbols(root, &mut complaints);
    check_dependencies(root, &mut complaints);
    check_sizes(root, &mut complaints);
    check_modules(root, &mut complaints);
    check_words(root, &mut complaints);
    if complaints.is_empty() {
        Ok(())
    } else {
        Err(format!("tidy:\n  {}", complaints.join("\n  ")))
    }
}

fn read(path: &Path, complaints: &mut Vec<String>) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| {
        complaints.push(format!("{}: {error}", path.display()));
        String::new()
    })
}

fn check_arrows(root: &Path, complaints: &mut Vec<String>) {
    for folder in folders(&root.join("crates")) {
        let name = folder
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        let manifest = read(&folder.join("Cargo.toml"), complaints);
        let Some((_, allowed)) = ARROWS.iter().find(|(crate_name, _)| *crate_name == name) else {
            complaints.push(format!("crates/{name} has no line in the table of arrows"));
            continue;
        };
        let used = section(&manifest, "dependencies").map(dependency_name);
        for dependency in used.filter(|dependency| dependency.starts_with("banquise")) {
            if !allowed.contains(&dependency) {
                complaints.push(format!("crates/{name} must not depend on {dependency}"));
            }
        }
    }
}

/// The lines of one `[section]` of a manifest that set something.
fn section<'a>(manifest: &'a str, name: &str) -> impl Iterator<Item = &'a str> {
    let header = format!("[{name}]");
    manifest
        .lines()
        .skip_while(move |line| *line != header)
        .skip(1)
        .take_while(|line| !line.starts_with('['))
        .filter(|line| line.contains('=') && !line.starts_with('#'))
}

fn dependency_name(line: &str) -> &str {
    line.split(['.', ' ', '=']).next().unwrap_or_default()
}

/// Every back-ticked word with a slash in these documents is a path, and must exist.
fn check_named_paths(root: &Path, complaints: &mut Vec<String>) {
    for document in ["ARCHITECTURE.md", "README.md", "CONTRIBUTING.md"] {
        let text = read(&root.join(document), complaints);
        for word in text.split('`').skip(1).step_by(2) {
            let is_path = word.contains('/') && !word.contains([' ', '$', '<', '*', ':']);
            let is_made = word.starts_with("runs/") || word.starts_with("target/");
            if is_path && !is_made && !root.join(word).exists() {
                complaints.push(format!("{document} names `{word}`, which does not exist"));
            }
        }
    }
}

fn check_symbols(root: &Path, complaints: &mut Vec<String>) {
    let symbols = read(&root.join("docs/src/appendix/symbols.md"), complaints);
    for file in PHYSICS_SETTINGS {
        let text = read(&root.join(file), complaints);
        let mut comment = "";
        for line in text.lines().map(str::trim) {
            if let Some(field) = line
                .strip_prefix("pub ")
                .and_then(|l| l.strip_suffix(": f64,"))
            {
                if !symbols.contains(&format!("`{field}`")) {
                    complaints.push(format!("{file}: `{field}` is not in the table of symbols"));
                }
                if !comment.contains('[') {
                    complaints.push(format!("{file}: `{field}` has no unit in its comment"));
                }
            }
            comment = line;
        }
    }
}

fn check_dependencies(root: &Path, complaints: &mut Vec<String>) {
    let manifest = read(&root.join("Cargo.toml"), complaints);
    let table = read(&root.join("docs/src/appendix/dependencies.md"), complaints);
    let mut manifests = vec![(manifest, "workspace.dependencies")];
    for workspace in OTHER_WORKSPACES {
        let manifest = root.join(workspace).join("Cargo.toml");
        manifests.push((read(&manifest, complaints), "dependencies"));
    }
    for (manifest, header) in &manifests {
        let names = section(manifest, header).map(dependency_name);
        for name in names.filter(|name| !name.starts_with("banquise")) {
            if !table.contains(&format!("`{name}`")) {
                complaints.push(format!(
                    "dependency `{name}` has no line in the book's table"
                ));
            }
        }
    }
}

fn check_sizes(root: &Path, complaints: &mut Vec<String>) {
    let others = OTHER_WORKSPACES
        .iter()
        .flat_map(|workspace| rust_files(&root.join(workspace)));
    for file in rust_files(&root.join("crates")).into_iter().chain(others) {
        let text = read(&file, complaints);
        let lines = text
            .lines()
            .take_while(|line| *line != "#[cfg(test)]")
            .count();
        if lines > MAX_CODE_LINES {
            let name = file.strip_prefix(root).unwrap_or(&file).display();
            complaints.push(format!(
                "{name} has {lines} lines of code, more than {MAX_CODE_LINES}"
            ));
        }
    }
}

/// Imports between the modules of each crate go one way.
fn check_modules(root: &Path, complaints: &mut Vec<String>) {
    for folder in folders(&root.join("crates")) {
        let name = folder.file_name().unwrap_or_default().to_string_lossy();
        let source = folder.join("src");
        let files: Vec<_> = rust_files(&source)
            .into_iter()
            .map(|file| {
                let text = read(&file, complaints);
                let file = file.strip_prefix(&source).unwrap_or(&file).to_path_buf();
                (file, text)
            })
            .collect();
        modules::check(&name, &files, complaints);
    }
}

/// Code, book and messages say things in the words of the field.
fn check_words(root: &Path, complaints: &mut Vec<String>) {
    let all = words::READ.iter().map(|start| root.join(start));
    for file in all.flat_map(|path| files(&path)) {
        let name = file.strip_prefix(root).unwrap_or(&file);
        if words::is_read(name) {
            words::check(name, &read(&file, complaints), complaints);
        }
    }
}

fn entries(folder: &Path) -> Vec<PathBuf> {
    let mut paths: Vec<_> = fs::read_dir(folder)
        .into_iter()
        .flatten()
        .flatten()
        .map(|entry| entry.path())
        .collect();
    paths.sort();
    paths
}

fn folders(folder: &Path) -> impl Iterator<Item = PathBuf> {
    entries(folder).into_iter().filter(|path| path.is_dir())
}

fn rust_files(folder: &Path) -> Vec<PathBuf> {
    let mut files = files(folder);
    files.retain(|path| path.extension().is_some_and(|extension| extension == "rs"));
    files
}

/// All files in a folder and its folders; of a file, itself.
fn files(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    if folder.is_file() {
        files.push(folder.to_path_buf());
    }
    for path in entries(folder) {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if path.is_dir() {
            // What was built or downloaded there is not ours.
            if name != "target" && !name.starts_with('.') {
                files.extend(self::files(&path));
            }
        } else {
            files.push(path);
        }
    }
    files
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_section_ends_at_the_next_header() {
        let manifest =
            "[dependencies]\nbanquise.workspace = true\nglam = \"1\"\n\n[lints]\nx = 1\n";
        let names: Vec<_> = section(manifest, "dependencies")
            .map(dependency_name)
            .collect();
        assert_eq!(names, ["banquise", "glam"]);
    }
}
