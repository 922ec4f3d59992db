//! `banquise study`: the tests of a published study, run and compared.

mod basin;
pub(crate) mod channel;
mod channel_figures;
pub(crate) mod drift_week;
mod store;
mod week_figures;

use std::ops::ControlFlow;
use std::path::Path;
use std::process::ExitCode;

use banquise::{NoTimer, Simulation};
use banquise_io::builtin;
use banquise_io::figure::{Figure, Page, Section, Table};
use banquise_io::plan::PreparedRun;
use banquise_io::scenario::suggest;
use serde_json::{Value, json};

use crate::VERSION;
use crate::arguments::StudyArguments;
use crate::directories::output_directory;
use crate::failure::Failure;
use crate::scenarios::find;
use crate::threads::use_threads;
use banquise_io::whole_file::write_whole;
use store::{Key, Store, is_begun};

/// Comparison of the members of a study.
struct Comparison {
    title: String,
    /// How the numbers of the tables are meant.
    text: String,
    tables: Vec<Table>,
    /// With their names.
    figures: Vec<(&'static str, Figure)>,
    /// One value for each run.
    json: Vec<Value>,
}

pub(crate) fn study(arguments: &StudyArguments) -> Result<ExitCode, Failure> {
    use_threads(arguments.threads)?;
    // Nothing is written for overrides that are refused: the first plan shows them.
    let set = &arguments.set;
    let (directory, comparison) = match arguments.study.as_str() {
        "channel" => {
            let tests = chosen(&channel::TESTS, |test| test.number, &arguments.test)?;
            channel::prepare(tests[0], 1, set)?;
            let store = open(arguments)?;
            let keys = keys(
                tests.iter().map(|test| test.number),
                arguments.seeds.unwrap_or(10),
            );
            let test = |number: u8| &channel::TESTS[usize::from(number) - 1];
            let runs = store.complete(
                &keys,
                |(number, seed)| channel::overrides(test(number), seed, set),
                |(number, seed)| channel::run(test(number), seed, set),
            )?;
            let Some(runs) = runs else {
                return Ok(not_all(&store.directory));
            };
            (store.directory, channel_figures::compare(&tests, &runs))
        }
        "drift-week" => {
            let tests = chosen(&drift_week::TESTS, |test| test.number, &arguments.test)?;
            drift_week::prepare(*tests[0], 1, set)?;
            let store = open(arguments)?;
            let keys = keys(
                tests.iter().map(|test| test.number),
                arguments.seeds.unwrap_or(1),
            );
            let test = |number: u8| drift_week::TESTS[usize::from(number) - 1];
            let runs = store.complete(
                &keys,
                |(number, seed)| drift_week::overrides(test(number), seed, set),
                |(number, seed)| drift_week::run(test(number), seed, set),
            )?;
            let Some(runs) = runs else {
                return Ok(not_all(&store.directory));
            };
            (store.directory, week_figures::compare(&runs))
        }
        "basin" => {
            refuse_choices(arguments)?;
            let comparison = basin::compare()?;
            let directory = output_directory(arguments.out.as_deref(), "study-basin")?;
            (directory, comparison)
        }
        other => {
            return Err(Failure::usage(
                format!("there is no study `{other}`"),
                suggest(
                    other,
                    "the studies are",
                    &["basin", "channel", "drift-week"],
                ),
            ));
        }
    };
    write(&directory, &comparison, set)?;
    if arguments.json {
        println!("{}", Value::Array(comparison.json));
    } else {
        comparison.tables.iter().for_each(print_table);
    }
    eprintln!("study: {}", directory.join("study.html").display());
    Ok(ExitCode::SUCCESS)
}

/// The basin has seven filmed collisions, and nothing to choose.
fn refuse_choices(arguments: &StudyArguments) -> Result<(), Failure> {
    let given = !arguments.test.is_empty()
        || arguments.seeds.is_some()
        || arguments.resume
        || arguments.shard.is_some()
        || !arguments.set.is_empty();
    if given {
        return Err(Failure::usage(
            "the study `basin` has no tests, packs or settings to choose",
            "leave out --test, --seeds, --set, --resume and --shard",
        ));
    }
    Ok(())
}

/// The members of the study, those that are there already among them.
fn open(arguments: &StudyArguments) -> Result<Store<'_>, Failure> {
    let name = &arguments.study;
    let directory = match &arguments.out {
        // Processes that share the runs share the folder.
        Some(directory)
            if (arguments.resume || arguments.shard.is_some()) && is_begun(directory) =>
        {
            directory.clone()
        }
        asked => output_directory(asked.as_deref(), &format!("study-{name}"))?,
    };
    Ok(Store {
        directory,
        scenario: [name, builtin::find(name).map_or("", |builtin| builtin.text)],
        threads: arguments.threads,
        shard: arguments.shard,
    })
}

/// Other processes have runs to make.
fn not_all(directory: &Path) -> ExitCode {
    eprintln!(
        "other runs of the study are missing: the last process of {} makes its page",
        directory.display()
    );
    ExitCode::SUCCESS
}

/// Tests by packs of seeds 1 to `seeds`.
fn keys(tests: impl Iterator<Item = u8>, seeds: u64) -> Vec<Key> {
    tests
        .flat_map(|test| (1..=seeds).map(move |seed| (test, seed)))
        .collect()
}

/// The tests of these numbers; all if none is given.
fn chosen<'a, T>(
    tests: &'a [T],
    number: impl Fn(&T) -> u8,
    numbers: &[u8],
) -> Result<Vec<&'a T>, Failure> {
    if numbers.is_empty() {
        return Ok(tests.iter().collect());
    }
    let find = |wanted: &u8| {
        let found = tests.iter().find(|test| number(test) == *wanted);
        found.ok_or_else(|| {
            Failure::usage(
                format!("there is no test {wanted} in this study"),
                format!("its tests are 1 to {}", tests.len()),
            )
        })
    };
    let mut numbers = numbers.to_vec();
    numbers.sort_unstable();
    numbers.dedup();
    numbers.iter().map(find).collect()
}

/// A built-in scenario, ready to run. Its snapshots are not looked at, and may lie beyond a shorter run.
fn run_of(scenario: &str, overrides: &[String]) -> Result<PreparedRun, Failure> {
    let mut all = overrides.to_vec();
    all.push("report.snapshots=[]".into());
    Ok(find(scenario, &all)?.run)
}

fn advance(simulation: &mut Simulation, time: f64) -> Result<(), Failure> {
    simulation
        .advance_to(time, &mut NoTimer, &mut |_, _| ControlFlow::Continue(()))
        .map(|_| ())
        .map_err(Failure::Step)
}

/// Writes numbers, figures and the page.
fn write(directory: &Path, comparison: &Comparison, overrides: &[String]) -> Result<(), Failure> {
    let file = |name: &str, text: String| {
        let path = directory.join(name);
        write_whole(&path, text).map_err(|error| Failure::file(&path, &error))
    };
    let numbers = json!({
        "title": comparison.title,
        "version": VERSION,
        "overrides": overrides,
        "runs": comparison.json,
    });
    file("study.json", numbers.to_string())?;
    for (name, figure) in &comparison.figures {
        file(&format!("{name}.svg"), figure.svg.clone())?;
    }
    let figures = comparison.figures.iter().map(|(_, figure)| figure.clone());
    let page = Page {
        title: comparison.title.clone(),
        subtitle: overrides.join(", "),
        sections: vec![
            Section {
                heading: "Comparison".into(),
                text: comparison.text.clone(),
                tables: comparison.tables.clone(),
                ..Section::default()
            },
            Section {
                heading: "Figures".into(),
                figures: figures.collect(),
                ..Section::default()
            },
        ],
        footer: format!("banquise {VERSION}"),
        ..Page::default()
    };
    file("study.html", page.to_html())
}

fn print_table(table: &Table) {
    let width = |column: usize| {
        let cells = table.rows.iter().map(|row| row[column].chars().count());
        let header = table.header[column].chars().count();
        cells.fold(header, usize::max)
    };
    if !table.caption.is_empty() {
        println!("{}", table.caption);
    }
    for row in std::iter::once(&table.header).chain(&table.rows) {
        let cells = row.iter().enumerate();
        let line: Vec<String> = cells
            .map(|(column, cell)| format!("{cell:>width$}", width = width(column)))
            .collect();
        println!("{}", line.join("  "));
    }
}

/// A table of these columns.
fn table<const N: usize>(caption: &str, header: [&str; N], rows: Vec<[String; N]>) -> Table {
    Table {
        caption: caption.into(),
        header: header.map(Into::into).to_vec(),
        rows: rows.into_iter().map(Into::into).collect(),
    }
}
