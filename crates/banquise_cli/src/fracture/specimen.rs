//! `banquise run` of a scenario of a bar or a plate: tables, figures and a report.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use banquise_io::figure::{Details, Figure, Page, Section};
use banquise_io::report::PAGE;
use banquise_io::scenario::ScenarioInput;
use banquise_io::specimen::{Specimen, SpecimenPlan};
use serde_json::json;

use super::told::{Drawn, Told};
use super::{bar_page, plate_page};
use crate::VERSION;
use crate::arguments::RunArguments;
use crate::directories::output_directory;
use crate::failure::Failure;
use crate::report::open_page;
use banquise_io::whole_file::write_whole;

/// Runs a scenario of a bar or a plate.
pub(crate) fn run(arguments: &RunArguments, input: &ScenarioInput) -> Result<ExitCode, Failure> {
    refuse_options(arguments)?;
    let plan = SpecimenPlan::of(input, &arguments.set)?;
    let told = match &plan.specimen {
        Specimen::Bar(bar) => bar_page::run(bar)?,
        Specimen::Plate(plate) => plate_page::run(plate)?,
    };
    let directory = output_directory(arguments.out.as_deref(), &input.name)?;
    let page = page(&plan, &told, arguments, input);
    for figure in &told.figures {
        write(&directory, figure.file, &figure.svg)?;
    }
    let (file, header, rows) = &told.csv;
    write(&directory, file, &csv(header, rows))?;
    let report = write(&directory, PAGE, &page.to_html())?;
    eprintln!("{}", told.happened);
    eprintln!("{}", told.trust);
    eprintln!("report: {}", report.display());
    if arguments.open {
        open_page(&report);
    }
    if arguments.json {
        let mut summary = told.json;
        summary["status"] = json!("complete");
        summary["directory"] = json!(directory);
        summary["report"] = json!(report);
        println!("{summary}");
    }
    Ok(ExitCode::SUCCESS)
}

/// `banquise check` of a bar or a plate.
pub(crate) fn check(input: &ScenarioInput, overrides: &[String]) -> Result<ExitCode, Failure> {
    let plan = SpecimenPlan::of(input, overrides)?;
    let what = match &plan.specimen {
        Specimen::Bar(bar) => bar_page::check(bar)?,
        Specimen::Plate(plate) => plate_page::check(plate)?,
    };
    eprintln!("{}: {what}", plan.title);
    Ok(ExitCode::SUCCESS)
}

/// A specimen has no steps of a pack, no contact problems to store and no checkpoints.
fn refuse_options(arguments: &RunArguments) -> Result<(), Failure> {
    let given = [
        ("--steps", arguments.steps),
        ("--capture", arguments.capture.is_some()),
        (
            "--checkpoint-every-simulated",
            arguments.checkpoint.checkpoint_every_simulated.is_some(),
        ),
        ("--wall-time", arguments.checkpoint.wall_time.is_some()),
    ];
    match given.into_iter().find(|(_, is_given)| *is_given) {
        Some((option, _)) => Err(Failure::usage(
            format!("`{option}` means nothing to a bar or a plate"),
            "leave it out; it is for scenarios of floes",
        )),
        None => Ok(()),
    }
}

fn page(plan: &SpecimenPlan, told: &Told, arguments: &RunArguments, input: &ScenarioInput) -> Page {
    let figure = |drawn: &Drawn| Figure::new(drawn.svg.clone(), &drawn.caption);
    let overrides = if arguments.set.is_empty() {
        String::new()
    } else {
        format!(
            "With these values in place of the file's: {}.",
            arguments.set.join(", ")
        )
    };
    Page {
        title: plan.title.clone(),
        subtitle: plan.summary.clone(),
        tiles: told.tiles.clone(),
        sections: vec![
            Section {
                heading: "What happened".into(),
                text: told.happened.clone(),
                figures: told.figures.iter().map(figure).collect(),
                tables: vec![told.table.clone()],
                ..Section::default()
            },
            Section {
                heading: "How far to trust it".into(),
                text: told.trust.clone(),
                ..Section::default()
            },
            Section {
                heading: "How it was made".into(),
                text: overrides,
                details: vec![Details {
                    summary: "Scenario".into(),
                    text: String::from_utf8_lossy(&input.bytes).into_owned(),
                }],
                ..Section::default()
            },
        ],
        footer: format!("banquise {VERSION}."),
    }
}

fn write(directory: &Path, name: &str, text: &str) -> Result<PathBuf, Failure> {
    let path = directory.join(name);
    write_whole(&path, text).map_err(|error| Failure::file(&path, &error))?;
    Ok(path)
}

/// A table as CSV; every number reads back exactly.
fn csv(header: &str, rows: &[Vec<f64>]) -> String {
    let mut text = format!("{header}\n");
    for row in rows {
        let cells: Vec<String> = row.iter().map(|value| format!("{value:?}")).collect();
        text += &cells.join(",");
        text.push('\n');
    }
    text
}
