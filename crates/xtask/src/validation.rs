//! The book's page of validations, from what `banquise verify --json` prints.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::Value;

const HEAD: &str = "\
# Validation

`banquise verify` runs these cases and prints every check; `cargo xtask validation` writes this page from its output: of each case the passed check
with the least margin to its tolerance, and every check that fails. References are in `validation`, the measuring code in
`crates/banquise_cli/src/verify`.
";

/// Runs the released command and writes the page.
pub(crate) fn write_page(root: &Path, command: &Path) -> Result<(), String> {
    let output = Command::new(command)
        .args(["verify", "--json"])
        .output()
        .map_err(|error| format!("{}: {error}", command.display()))?;
    let checks: Vec<Value> =
        serde_json::from_slice(&output.stdout).map_err(|error| format!("verify: {error}"))?;
    let text = |value: &Value, key: &str| value[key].as_str().unwrap_or_default().to_owned();
    let mut page = HEAD.to_owned();
    let passed = checks.iter().filter(|check| check["pass"] == true).count();
    writeln!(page, "\n{passed} of {} checks passed.", checks.len()).map_err(in_memory)?;
    for group in checks.chunk_by(|a, b| a["case"] == b["case"]) {
        let case = text(&group[0], "case");
        let reference = format!("validation/{case}/reference.toml");
        let toml = fs::read_to_string(root.join(&reference))
            .map_err(|error| format!("{reference}: {error}"))?;
        writeln!(page, "\n## {case}: {}\n", quoted(&toml, "title")).map_err(in_memory)?;
        let source = quoted(&toml, "source");
        match quoted(&toml, "scenario") {
            "none" => writeln!(page, "{source}.\n"),
            scenario => writeln!(page, "Scenario `{scenario}`. {source}.\n"),
        }
        .map_err(in_memory)?;
        writeln!(page, "{}\n", note(&toml)).map_err(in_memory)?;
        let described = |check: &Value| {
            let number = |key: &str| shown(check[key].as_f64().unwrap_or(f64::NAN));
            format!(
                "{}: expected {} ± {}, measured {}",
                text(check, "check"),
                number("expected"),
                number("tolerance"),
                number("measured"),
            )
        };
        for check in group.iter().filter(|check| check["pass"] != true) {
            writeln!(page, "**Fails**: {}.\n", described(check)).map_err(in_memory)?;
        }
        let passed = group.iter().filter(|check| check["pass"] == true);
        let count = passed.clone().count();
        let closest = passed.max_by(|a, b| used_tolerance(a).total_cmp(&used_tolerance(b)));
        if let Some(check) = closest {
            writeln!(
                page,
                "{count} checks passed; least margin: {}.",
                described(check)
            )
            .map_err(in_memory)?;
        }
    }
    let path = root.join("docs/src/appendix/validation.md");
    fs::write(&path, page).map_err(|error| format!("{}: {error}", path.display()))
}

/// The share of its tolerance that a check uses: 0 for an exact result, 1 at the limit.
fn used_tolerance(check: &Value) -> f64 {
    let number = |key: &str| check[key].as_f64().unwrap_or(f64::NAN);
    let difference = (number("measured") - number("expected")).abs();
    if difference == 0.0 {
        0.0
    } else {
        difference / number("tolerance")
    }
}

/// Writing to a string cannot fail, but its type does not know.
fn in_memory(error: std::fmt::Error) -> String {
    error.to_string()
}

/// The text between the quotes of `key = "…"`.
fn quoted<'a>(toml: &'a str, key: &str) -> &'a str {
    let line = toml
        .lines()
        .find(|line| line.starts_with(&format!("{key} = ")));
    line.and_then(|line| line.split('"').nth(1))
        .unwrap_or_default()
}

/// The text between the triple quotes.
fn note(toml: &str) -> &str {
    toml.split("\"\"\"").nth(1).unwrap_or_default().trim()
}

/// Six digits at most, with an exponent where the number needs one; rounding errors have three.
fn shown(value: f64) -> String {
    let magnitude = value.abs();
    if value == 0.0 || (1e-3..1e6).contains(&magnitude) {
        let text = format!("{value:.6}");
        text.trim_end_matches('0').trim_end_matches('.').to_owned()
    } else if magnitude < 1e-9 {
        format!("{value:.2e}")
    } else {
        let text = format!("{value:.5e}");
        let (digits, exponent) = text.split_once('e').unwrap_or((&text, "0"));
        let digits = digits.trim_end_matches('0').trim_end_matches('.');
        format!("{digits}e{exponent}")
    }
}
