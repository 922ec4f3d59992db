//! `banquise shapes`: a shape library from outlines and pictures.

use std::fs;
use std::path::Path;
use std::process::ExitCode;

use banquise_geometry::{DVec2, Outline};
use banquise_io::figure::{ContactSheet, Overlay, SheetTile};
use banquise_io::image::{Image, SegmentSettings};
use banquise_io::scenario::{Dimension, parse_quantity};
use banquise_io::shapes::{Coordinates, ImportError, ImportSettings, ShapeLibrary, import};
use serde_json::json;

use crate::arguments::ShapesArguments;
use crate::failure::Failure;
use banquise_io::whole_file::write_whole;

pub(crate) fn shapes(arguments: &ShapesArguments) -> Result<ExitCode, Failure> {
    let settings = settings(arguments)?;
    let stem = arguments.out.file_stem().unwrap_or_default();
    let name = arguments.name.clone();
    let mut library = ShapeLibrary {
        name: name.unwrap_or_else(|| stem.to_string_lossy().into_owned()),
        outlines: Vec::new(),
    };
    let mut notes = Vec::new();
    for input in &arguments.inputs {
        let refused = |error: ImportError| {
            let hint = error
                .hint()
                .replace("`unit`", "`--unit`")
                .replace("say `coordinates`", "say `--coordinates`");
            Failure::usage(format!("{}: {error}", input.display()), hint)
        };
        let imported = import(input, &settings).map_err(refused)?;
        let simple = imported.simplified(arguments.vertices as usize);
        library.outlines.extend(simple);
        let said = imported.notes.into_iter();
        notes.extend(said.map(|note| format!("{}: {note}", input.display())));
    }
    let overlay = overlay(arguments, &settings, &library.outlines)?;
    write(arguments, &library, overlay)?;
    for note in notes {
        eprintln!("{note}");
    }
    report(arguments, &library);
    Ok(ExitCode::SUCCESS)
}

fn settings(arguments: &ShapesArguments) -> Result<ImportSettings, Failure> {
    let unit = arguments.unit.as_deref().map(parse_length).transpose()?;
    let coordinates = match arguments.coordinates.as_deref() {
        None => None,
        Some("metres") => Some(Coordinates::Metres),
        Some("degrees") => Some(Coordinates::Degrees(None)),
        Some(other) => {
            return Err(Failure::usage(
                format!("`--coordinates` cannot be `{other}`"),
                "it can be `metres` or `degrees`",
            ));
        }
    };
    Ok(ImportSettings {
        unit,
        coordinates,
        is_labels: arguments.labels,
        segment: SegmentSettings {
            threshold: arguments.threshold,
            min_pixels: arguments.min_pixels,
        },
        only_whole: arguments.whole,
    })
}

fn parse_length(text: &str) -> Result<f64, Failure> {
    let length = parse_quantity(text, Dimension::Length)
        .map_err(|error| Failure::usage(format!("`--unit`: `{text}` {error}"), error.hint()))?;
    if length > 0.0 {
        Ok(length)
    } else {
        Err(Failure::usage(
            format!("`--unit` must be positive, but is `{text}`"),
            "give the length of a pixel, like --unit \"250 m\"",
        ))
    }
}

/// The outlines on their picture, where that was asked for.
fn overlay(
    arguments: &ShapesArguments,
    settings: &ImportSettings,
    outlines: &[Outline],
) -> Result<Option<String>, Failure> {
    if arguments.overlay.is_none() {
        return Ok(None);
    }
    let not_one = || {
        Failure::usage(
            "`--overlay` needs one picture",
            "give one PNG file as input",
        )
    };
    let [input] = &arguments.inputs[..] else {
        return Err(not_one());
    };
    let png = fs::read(input).map_err(|error| Failure::file(input, &error))?;
    let size = Image::from_png(&png).map_err(|_error| not_one())?.size();
    let overlay = Overlay {
        title: format!("{}: {} floes", file_name(input), outlines.len()),
        size: size.map(|side| side as f64 * settings.unit.unwrap_or(1.0)),
        outlines: outlines.iter().map(points).collect(),
        png,
    };
    Ok(Some(overlay.to_svg()))
}

fn file_name(path: &Path) -> String {
    path.file_name()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned()
}

fn points(outline: &Outline) -> Vec<[f64; 2]> {
    outline.vertices().iter().map(DVec2::to_array).collect()
}

fn write(
    arguments: &ShapesArguments,
    library: &ShapeLibrary,
    overlay: Option<String>,
) -> Result<(), Failure> {
    let output = &arguments.out;
    library
        .write(output)
        .map_err(|error| Failure::usage(format!("{}: {error}", output.display()), error.hint()))?;
    let tile = |(index, outline): (usize, &Outline)| SheetTile {
        outline: points(outline),
        caption: format!("{} · {}", index + 1, area_text(outline.area())),
    };
    let sheet = ContactSheet {
        title: format!("{}: {} outlines", library.name, library.outlines.len()),
        tiles: library.outlines.iter().enumerate().map(tile).collect(),
        ..ContactSheet::default()
    };
    let mut files = vec![(output.with_extension("svg"), sheet.to_svg())];
    files.extend(arguments.overlay.clone().zip(overlay));
    for (path, svg) in files {
        write_whole(&path, svg).map_err(|error| Failure::file(&path, &error))?;
    }
    Ok(())
}

/// An area with three digits.
fn area_text(area: f64) -> String {
    let (value, unit) = if area >= 1e4 {
        (area / 1e6, "km²")
    } else {
        (area, "m²")
    };
    let decimals = match value {
        100.0.. => 0,
        10.0.. => 1,
        1.0.. => 2,
        _ => 3,
    };
    format!("{value:.decimals$} {unit}")
}

fn report(arguments: &ShapesArguments, library: &ShapeLibrary) {
    let outlines = &library.outlines;
    let mean = |value: fn(&Outline) -> f64| {
        outlines.iter().map(value).sum::<f64>() / outlines.len() as f64
    };
    let area: f64 = outlines.iter().map(Outline::area).sum();
    let count = |outline: &Outline| outline.vertices().len();
    let convexity = |outline: &Outline| outline.area() / outline.convex_hull().area();
    let over_budget = outlines
        .iter()
        .filter(|outline| count(outline) > arguments.vertices as usize)
        .count();
    if over_budget > 0 {
        eprintln!("{over_budget} outlines have more vertices: others are too close to them");
    }
    eprintln!("library: {}", arguments.out.display());
    eprintln!(
        "contact sheet: {}",
        arguments.out.with_extension("svg").display()
    );
    if arguments.json {
        let summary = json!({
            "name": library.name,
            "outlines": outlines.len(),
            "area_m2": area,
            "mean_vertices": mean(|outline| outline.vertices().len() as f64),
            "max_vertices": outlines.iter().map(count).max(),
            "mean_roundness": mean(Outline::roundness),
            "mean_convexity": mean(convexity),
            "over_budget": over_budget,
        });
        println!("{summary}");
    } else {
        eprintln!("{} outlines, {} in all", outlines.len(), area_text(area));
    }
}
