//! A study: the file that says which members there are, and what is measured of them.

use std::path::Path;

use serde::{Deserialize, Serialize};

use super::MAX_MEMBERS;
use super::csv::parse_csv;
use super::design::{Factor, Range, latin_hypercube, product, product_len};
use super::measures::{self, Measure};
use super::members::member_id;
use super::parameter::{Values, read_values, split_quantity};
use crate::builtin;
use crate::scenario::{
    Dimension, Document, Field, Node, Problem, ProblemKind, Problems, ScenarioError, ScenarioInput,
    Sources, TableReader, Value, read_bounded, suggest,
};

/// A study: one scenario and the members that differ in some of its keys.
#[derive(Debug, Clone)]
pub struct Study {
    /// Title of the page.
    pub title: String,
    /// Name of its folder.
    pub name: String,
    /// The scenario.
    pub scenario: ScenarioInput,
    /// Keys that differ.
    pub parameters: Vec<String>,
    /// The members, each once.
    pub members: Vec<Member>,
    /// What is measured at each record.
    pub measures: Vec<Measure>,
    /// Numbers of the table.
    pub outcomes: Vec<OutcomeSpec>,
    /// Two parameters and the outcome that is drawn over them.
    pub map: Option<[String; 3]>,
}

/// One run of a study.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Member {
    /// Hash of its scenario, and name of its folder.
    pub id: String,
    /// Values of the parameters as TOML; empty where the scenario's own holds.
    pub values: Vec<String>,
    /// All overrides laid over the scenario.
    pub overrides: Vec<String>,
}

/// A number of the table, taken from a curve.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct OutcomeSpec {
    /// Its name.
    pub name: String,
    /// The measure it is taken from.
    pub measure: String,
    /// How it is taken.
    pub take: Statistic,
    /// From this time on \[s\].
    pub from: f64,
    /// Up to this time \[s\]; `None` for the end.
    pub to: Option<f64>,
}

/// How a number is taken from a curve.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Statistic {
    /// The first value.
    First,
    /// The last value.
    Last,
    /// The mean of the records.
    Mean,
    /// The smallest.
    Min,
    /// The largest.
    Max,
    /// The last minus the first.
    Change,
}

const STATISTICS: &[(&str, Statistic)] = &[
    ("first", Statistic::First),
    ("last", Statistic::Last),
    ("mean", Statistic::Mean),
    ("min", Statistic::Min),
    ("max", Statistic::Max),
    ("change", Statistic::Change),
];

impl OutcomeSpec {
    /// The number of a curve; not a number where no record is in the time.
    pub fn of(&self, times: &[f64], values: &[f64]) -> f64 {
        let slack = 1e-9 * times.last().copied().unwrap_or_default();
        let to = self.to.unwrap_or(f64::INFINITY);
        let inside = |time: f64| time >= self.from - slack && time <= to + slack;
        let pairs = times.iter().zip(values);
        let taken: Vec<f64> = pairs
            .filter(|(time, _)| inside(**time))
            .map(|(_, value)| *value)
            .collect();
        let (Some(&first), Some(&last)) = (taken.first(), taken.last()) else {
            return f64::NAN;
        };
        match self.take {
            Statistic::First => first,
            Statistic::Last => last,
            Statistic::Change => last - first,
            Statistic::Mean => taken.iter().sum::<f64>() / taken.len() as f64,
            Statistic::Min => taken.iter().copied().fold(f64::INFINITY, f64::min),
            Statistic::Max => taken.iter().copied().fold(f64::NEG_INFINITY, f64::max),
        }
    }
}

/// A value that the study cannot take.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
struct Refused(String);

impl Study {
    /// Reads a study file, or a built-in study by its name, with further overrides for all members.
    ///
    /// # Errors
    /// All problems of the file, with their places.
    pub fn read(path: &Path, overrides: &[String]) -> Result<Self, ScenarioError> {
        let found = path.to_str().and_then(builtin::find_study);
        let input = match found {
            Some(found) => ScenarioInput::of_text(found.name, found.text, Path::new("")),
            None => ScenarioInput::read(path)?,
        };
        Self::of(&input, overrides)
    }

    /// Decodes a study that was read.
    ///
    /// # Errors
    /// All problems of the text, with their places.
    pub fn of(input: &ScenarioInput, overrides: &[String]) -> Result<Self, ScenarioError> {
        let document = Document::of(input, &[])?;
        let problems = Problems::default();
        let study = decode(&document, &problems, input, overrides);
        let study = document.conclude(study, problems)?;
        Ok(study.expect("a study without a problem is decoded"))
    }
}

fn decode(
    document: &Document,
    problems: &Problems,
    input: &ScenarioInput,
    overrides: &[String],
) -> Option<Study> {
    let root = TableReader::root(document, problems);
    let title = root.optional("title").text().or(&input.name).to_owned();
    let example = "`scenario = \"drift\"`, a built-in scenario or a file";
    let scenario = decode_scenario(root.required_like("scenario", example), &input.folder);
    let mut common = Vec::new();
    for field in root.optional("set").array() {
        common.extend(field.text().get().map(ToOwned::to_owned));
    }
    common.extend_from_slice(overrides);
    let mut factors = Vec::new();
    decode_grid(root.optional("grid"), document.sources(), &mut factors);
    factors.extend(decode_hypercube(
        root.optional("latin_hypercube"),
        document.sources(),
    ));
    factors.extend(decode_csv(root.optional("csv"), &input.folder));
    factors.extend(decode_seeds(root.optional("seeds")));
    let measures = decode_measures(root.optional("measures"));
    let outcomes = decode_outcomes(root.optional("outcome"), measures.as_deref());
    let parameters = parameters_of(&factors, &root);
    let map = decode_map(root.optional("map"), &factors, &outcomes);
    let members = product_len(&factors);
    if members.is_none() {
        problems.push(Problem::new(
            ProblemKind::TooMany {
                what: "members",
                count: factors
                    .iter()
                    .fold(1, |all, f| all.saturating_mul(f.rows.len())),
                limit: MAX_MEMBERS,
            },
            root.span(),
        ));
    }
    root.finish();
    members?;
    if !problems.is_empty() {
        return None;
    }
    let (scenario, measures) = (scenario?, measures?);
    let members = members_of(
        &scenario,
        &common,
        &parameters,
        product(&factors),
        &measures,
    );
    Some(Study {
        title,
        name: input.name.clone(),
        scenario,
        parameters,
        members,
        measures,
        outcomes,
        map,
    })
}

/// The members, each once: the same values twice are one member.
fn members_of(
    scenario: &ScenarioInput,
    common: &[String],
    parameters: &[String],
    rows: Vec<Vec<String>>,
    measures: &[Measure],
) -> Vec<Member> {
    let names: Vec<&str> = measures.iter().map(|m| m.name.as_str()).collect();
    let mut seen = std::collections::BTreeSet::new();
    let member = |values: Vec<String>| {
        let given = parameters.iter().zip(&values);
        let given = given.filter(|(_, value)| !value.is_empty());
        let mut overrides = common.to_vec();
        overrides.extend(given.map(|(key, value)| format!("{key}={value}")));
        Member {
            id: member_id(&scenario.bytes, &overrides, &names),
            values,
            overrides,
        }
    };
    let members = rows.into_iter().map(member);
    members
        .filter(|member| seen.insert(member.id.clone()))
        .collect()
}

fn decode_scenario(field: Field<'_>, folder: &Path) -> Option<ScenarioInput> {
    let shown = field.node()?.span;
    let problems = field.problems();
    let name = field.text().get()?;
    if let Some(found) = builtin::find(name) {
        return Some(ScenarioInput::of_text(
            found.name,
            found.text,
            Path::new(""),
        ));
    }
    match ScenarioInput::read(&folder.join(name)) {
        Ok(input) => Some(input),
        Err(_) => {
            let names: Vec<&str> = builtin::SCENARIOS.iter().map(|found| found.name).collect();
            let kind = ProblemKind::FileNotFound { path: name.into() };
            let hint = suggest(
                name,
                "a file beside the study, or a built-in scenario:",
                &names,
            );
            problems.push(Problem::new(kind, shown).with_hint(hint));
            None
        }
    }
}

/// The text of a value as it is written.
fn written<'a>(node: &Node, sources: &'a Sources) -> &'a str {
    let source = sources.get(node.span.source);
    let text = source.map_or("", |source| source.text.as_str());
    text.get(node.span.start..node.span.end).unwrap_or_default()
}

/// Tables inside of `[grid]` are parts of keys, and arrays are values: `wind.speed = ["5 m/s", "10 m/s"]`.
fn decode_grid(field: Field<'_>, sources: &Sources, factors: &mut Vec<Factor>) {
    if let Some(table) = field.table() {
        grid_of(&table, "", sources, factors);
    }
}

fn grid_of(table: &TableReader<'_>, path: &str, sources: &Sources, factors: &mut Vec<Factor>) {
    for (name, field) in table.entries() {
        let key = match path {
            "" => name.value.to_owned(),
            path => format!("{path}.{}", name.value),
        };
        let is_table = field
            .node()
            .is_some_and(|node| matches!(node.value, Value::Table(_)));
        if is_table {
            if let Some(inner) = field.table() {
                grid_of(&inner, &key, sources, factors);
            }
            continue;
        }
        let refused = field.node().map(|node| node.span);
        let problems = table.problems();
        let values: Vec<String> = field
            .array()
            .iter()
            .filter_map(Field::node)
            .map(|node| written(node, sources).to_owned())
            .collect();
        if let (true, Some(span)) = (values.is_empty() && problems.is_empty(), refused) {
            let kind = ProblemKind::OutOfRange {
                key: format!("grid.{key}"),
                value: "[]".into(),
                requirement: "a list of at least one value",
            };
            problems.push(Problem::new(kind, span));
        }
        factors.push(Factor::of_values(&key, values));
    }
}

fn decode_hypercube(field: Field<'_>, sources: &Sources) -> Option<Factor> {
    let table = field.table()?;
    let members = table.required("members").integer().positive();
    let members = members.check("at most 100000", |&count| count <= MAX_MEMBERS as i64);
    let members = members.get();
    let seed = table.optional("seed").integer().non_negative().or(1);
    let example = "`ranges = { \"contact.friction\" = { from = 0.1, to = 0.9 } }`";
    let ranges = table.required_like("ranges", example).table();
    let mut read = Vec::new();
    for (name, field) in ranges.iter().flat_map(TableReader::entries) {
        read.extend(decode_range(name.value, field, sources));
    }
    table.finish();
    Some(latin_hypercube(&read, members? as usize, seed as u64))
}

fn decode_range(key: &str, field: Field<'_>, sources: &Sources) -> Option<Range> {
    let table = field.table()?;
    let ends = [table.required("from"), table.required("to")];
    let scale = [("linear", false), ("log", true)];
    let is_log = table.optional("scale").choice(&scale).or(false);
    let [from, to] = ends.each_ref().map(|field| {
        let text = written(field.node()?, sources);
        split_quantity(text)
    });
    let refuse = |text: &str| {
        let kind = ProblemKind::Rejected {
            what: "the range",
            hint: Some(
                "write two numbers of one unit: { from = \"5 m/s\", to = \"15 m/s\" }".into(),
            ),
            source: Box::new(Refused(text.into())),
        };
        ends[1].report(kind);
    };
    let range = match (from, to) {
        (Some((_, a)), Some((_, b))) if a != b => {
            refuse("its ends have different units");
            None
        }
        (Some((from, _)), Some((to, _))) if from > to || (is_log && from <= 0.0) => {
            refuse(if from > to {
                "it ends before it begins"
            } else {
                "a logarithmic scale has no zero"
            });
            None
        }
        (Some((from, unit)), Some((to, _))) => Some(Range {
            key: key.to_owned(),
            from,
            to,
            unit,
            is_log,
        }),
        _ => {
            refuse("its ends must be numbers, with or without a unit");
            None
        }
    };
    table.finish();
    range
}

/// A file beside the study; a text of several lines is the table itself.
fn decode_csv(field: Field<'_>, folder: &Path) -> Option<Factor> {
    let node = field.node()?;
    let (span, problems) = (node.span, field.problems());
    let inline = match &node.value {
        Value::Text { text, .. } if text.contains('\n') => Some(text.as_str()),
        _ => None,
    };
    let path = field.path().get()?;
    let shown = inline.map_or_else(|| path.display().to_string(), |_| "csv".to_owned());
    let refuse = |source: Box<dyn std::error::Error + Send + Sync>| {
        let kind = ProblemKind::FileRejected {
            path: shown.clone(),
            hint: "write keys of the scenario in the first line, and a member in each other line",
            source,
        };
        problems.push(Problem::new(kind, span));
        None
    };
    let text = match inline {
        Some(text) => text.to_owned(),
        None => match read_bounded(&folder.join(&path)) {
            Ok(Some(bytes)) => String::from_utf8_lossy(&bytes).into_owned(),
            Ok(None) => return refuse(Box::new(Refused("it is too large".into()))),
            Err(error) => return refuse(Box::new(error)),
        },
    };
    match parse_csv(&text) {
        Ok(table) if table.rows.is_empty() => refuse(Box::new(Refused("it has no row".into()))),
        Ok(table) => Some(Factor {
            keys: table.header,
            rows: table.rows,
        }),
        Err(error) => refuse(Box::new(error)),
    }
}

/// `seeds = 10` are 1 to 10; `seeds = [3, 5]` are these.
fn decode_seeds(field: Field<'_>) -> Option<Factor> {
    let node = field.node()?;
    let seeds: Vec<i64> = if let Value::Array(_) = node.value {
        let elements = field.array().into_iter();
        elements
            .filter_map(|field| field.integer().non_negative().get())
            .collect()
    } else {
        let count = field.integer().positive();
        let count = count.check("at most 100000", |&count| count <= MAX_MEMBERS as i64);
        (1..=count.get()?).collect()
    };
    let texts = seeds.iter().map(ToString::to_string).collect();
    Some(Factor::of_values("seed", texts))
}

fn decode_measures(field: Field<'_>) -> Option<Vec<Measure>> {
    if !field.is_present() {
        return Some(
            measures::DEFAULT
                .iter()
                .filter_map(|name| measures::find(name))
                .collect(),
        );
    }
    let mut found: Vec<Measure> = Vec::new();
    for field in field.array() {
        let (span, problems) = (field.node()?.span, field.problems());
        let name = field.text().get()?;
        match measures::find(name) {
            Some(measure) if !found.contains(&measure) => found.push(measure),
            Some(_) => {}
            None => {
                let kind = ProblemKind::UnknownChoice {
                    key: "measures".into(),
                    value: name.into(),
                    choices: measures::names(),
                };
                let hint = suggest(name, "measures are", &measures::names());
                problems.push(Problem::new(kind, span).with_hint(hint));
            }
        }
    }
    Some(found)
}

fn decode_outcomes(field: Field<'_>, measures: Option<&[Measure]>) -> Vec<OutcomeSpec> {
    let measures = measures.unwrap_or_default();
    if !field.is_present() {
        let last = |measure: &Measure| OutcomeSpec {
            name: measure.name.clone(),
            measure: measure.name.clone(),
            take: Statistic::Last,
            from: 0.0,
            to: None,
        };
        return measures.iter().map(last).collect();
    }
    field
        .tables()
        .into_iter()
        .filter_map(|table| {
            let field = table.required("measure");
            let (span, problems) = (field.node()?.span, field.problems());
            let measure = field.text().get()?.to_owned();
            if !measures.iter().any(|known| known.name == measure) {
                let names: Vec<&str> = measures.iter().map(|m| m.name.as_str()).collect();
                let kind = ProblemKind::Rejected {
                    what: "the outcome",
                    hint: Some(suggest(&measure, "the measures of the study are", &names)),
                    source: Box::new(Refused(format!("`{measure}` is not measured"))),
                };
                problems.push(Problem::new(kind, span));
            }
            let name = table.optional("name").text().or(&measure).to_owned();
            let take = table.optional("take").choice(STATISTICS);
            let outcome = OutcomeSpec {
                name,
                take: take.or(Statistic::Last),
                from: table.optional("from").quantity(Dimension::Time).or(0.0),
                to: table.optional("to").quantity(Dimension::Time).get(),
                measure,
            };
            table.finish();
            Some(outcome)
        })
        .collect()
}

/// The keys of all factors; one that is there twice is reported.
fn parameters_of(factors: &[Factor], root: &TableReader<'_>) -> Vec<String> {
    let mut keys: Vec<String> = Vec::new();
    for key in factors.iter().flat_map(|factor| &factor.keys) {
        if keys.contains(key) {
            let kind = ProblemKind::Rejected {
                what: "the study",
                hint: Some("vary each key in one of grid, latin_hypercube, csv and seeds".into()),
                source: Box::new(Refused(format!("`{key}` is varied twice"))),
            };
            root.problems().push(Problem::new(kind, root.span()));
        }
        keys.push(key.clone());
    }
    keys
}

fn decode_map(
    field: Field<'_>,
    factors: &[Factor],
    outcomes: &[OutcomeSpec],
) -> Option<[String; 3]> {
    let table = field.table()?;
    let outcome_names: Vec<&str> = outcomes.iter().map(|o| o.name.as_str()).collect();
    let keys = factors.iter().flat_map(|factor| &factor.keys);
    let parameter_names: Vec<&str> = keys.map(String::as_str).collect();
    let read = |field: Field<'_>, names: &[&str]| {
        let (span, problems) = (field.node()?.span, field.problems());
        let name = field.text().get()?;
        let refuse = |cause: String, hint: String| {
            let kind = ProblemKind::Rejected {
                what: "the map",
                hint: Some(hint),
                source: Box::new(Refused(cause)),
            };
            problems.push(Problem::new(kind, span));
        };
        if !names.contains(&name) {
            let hint = suggest(name, "there are", names);
            refuse(format!("there is no `{name}` in the study"), hint);
            return None;
        }
        if has_labels(factors, name) {
            let hint = "an axis has a parameter whose values are numbers, all with the same unit";
            refuse(
                format!("the values of `{name}` are no numbers"),
                hint.into(),
            );
            return None;
        }
        Some(name.to_owned())
    };
    let x = read(table.required("x"), &parameter_names);
    let y = read(table.required("y"), &parameter_names);
    let outcome = read(table.required("outcome"), &outcome_names);
    table.finish();
    Some([x?, y?, outcome?])
}

/// Whether values of a parameter are no numbers.
fn has_labels(factors: &[Factor], key: &str) -> bool {
    factors.iter().any(|factor| {
        let Some(column) = factor.keys.iter().position(|own| own == key) else {
            return false;
        };
        let texts: Vec<&str> = factor.rows.iter().map(|row| row[column].as_str()).collect();
        matches!(read_values(&texts), Values::Labels(..))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn study(text: &str) -> Result<Study, String> {
        let input = ScenarioInput::of_text("s", text, Path::new(""));
        Study::of(&input, &[]).map_err(|error| error.render(false))
    }

    #[test]
    fn built_in_studies_are_read_and_have_members() {
        for (name, members) in [
            ("paper-week", 6),
            ("channel", 50),
            ("channel-chaos", 40),
            ("basin", 63),
            ("drift-week", 13),
        ] {
            let study = Study::read(Path::new(name), &[]).unwrap();
            assert_eq!(study.members.len(), members, "{name}");
        }
    }

    #[test]
    fn a_table_may_stand_in_the_study() {
        let text = "scenario = \"drift\"\ncsv = \"\"\"\nwind.speed,seed\n5 m/s,2\n,3\n\"\"\"\n";
        let read = study(text).unwrap();
        assert_eq!(read.parameters, ["wind.speed", "seed"]);
        assert_eq!(read.members[1].overrides, ["seed=3"]);
        let ragged = study(&text.replace(",3", "3")).unwrap_err();
        assert!(
            ragged.contains("`csv`") && ragged.contains("line 3 has 1 cells"),
            "{ragged}"
        );
    }

    #[test]
    fn a_grid_has_any_key_and_any_value() {
        let text = "scenario = \"drift\"\nseeds = [4, 5]\n[grid]\nwind.speed = [\"5 m/s\", \"7 m/s\"]\n\
                    \"floe[0].thickness\" = [\"1 m\"]\ncontact = [{friction = 0.1}, {friction = 0.2}]\n";
        let study = study(text).unwrap();
        assert_eq!(
            study.parameters,
            ["contact", "floe[0].thickness", "wind.speed", "seed"]
        );
        assert_eq!(study.members.len(), 8);
        let overrides = &study.members[3].overrides;
        assert_eq!(
            *overrides,
            [
                "contact={friction = 0.1}",
                "floe[0].thickness=\"1 m\"",
                "wind.speed=\"7 m/s\"",
                "seed=5"
            ]
        );
    }

    #[test]
    fn the_same_values_twice_are_one_member() {
        let study = study("scenario = \"drift\"\nseeds = [1, 1, 2]").unwrap();
        assert_eq!(study.members.len(), 2);
    }

    #[test]
    fn what_is_wrong_is_told_with_its_place() {
        for (text, wanted) in [
            ("", "`scenario` is missing"),
            ("scenario = \"dirft\"", "there is no file `dirft`"),
            ("scenario = \"drift\"\nseeds = 0", "must be positive"),
            ("scenario = \"drift\"\nseed = 3", "unknown key `seed`"),
            (
                "scenario = \"drift\"\nmeasures = [\"speed\"]",
                "cannot be `speed`",
            ),
            (
                "scenario = \"drift\"\n[grid]\nseed = [1]\n[latin_hypercube]\nmembers = 3\nranges = {seed = {from = 1, to = 2}}",
                "varied twice",
            ),
            ("scenario = \"drift\"\n[grid]\na = 3", "must be an array"),
            (
                "scenario = \"drift\"\n[latin_hypercube]\nmembers = 3\nranges = {a = {from = \"1 m\", to = \"2 s\"}}",
                "different units",
            ),
            (
                "scenario = \"drift\"\nseeds = 50000\n[grid]\na = [1, 2, 3]",
                "too many",
            ),
            (
                "scenario = \"drift\"\n[[outcome]]\nmeasure = \"held_mass\"",
                "is not measured",
            ),
            (
                "scenario = \"drift\"\nseeds = 2\n[grid]\nwind.velocity = [[\"1 m/s\", \"0 m/s\"]]\n[map]\nx = \"seed\"\ny = \"wind.velocity\"\noutcome = \"kinetic_energy\"",
                "the values of `wind.velocity` are no numbers",
            ),
            (
                "scenario = \"drift\"\ncsv = \"nothing.csv\"",
                "`nothing.csv` is refused",
            ),
        ] {
            let error = study(text).expect_err(wanted);
            assert!(error.contains(wanted), "{error}");
        }
    }

    #[test]
    fn outcomes_are_taken_within_their_time() {
        let outcome = |take, from, to| OutcomeSpec {
            name: String::new(),
            measure: String::new(),
            take,
            from,
            to,
        };
        let (times, values) = ([0.0, 1.0, 2.0, 3.0], [5.0, 1.0, 2.0, 9.0]);
        let of = |take, from, to| outcome(take, from, to).of(&times, &values);
        assert_eq!(of(Statistic::Last, 0.0, None), 9.0);
        assert_eq!(of(Statistic::Mean, 1.0, Some(2.0)), 1.5);
        assert_eq!(of(Statistic::Min, 2.0, None), 2.0);
        assert_eq!(of(Statistic::Change, 0.0, Some(2.0)), -3.0);
        assert!(of(Statistic::First, 4.0, None).is_nan());
    }
}
