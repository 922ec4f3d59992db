//! The page about a run: figures and numbers, made from its recording alone.

mod chains;
mod chapter;
mod charts;
mod contacts;
mod cracks;
mod findings;
mod floe_table;
mod fracture;
mod frozen;
mod maps;
mod ocean;
mod pack;
mod tracks;
mod words;

use std::path::Path;

use crate::diagnostics::Diagnostics;
use crate::figure::{Details, Page, Section, Tile};
use crate::recording::Recording;
use crate::zarr::ZarrError;

use chapter::{Chapter, Drawing};
use floe_table::floe_table;
use tracks::Tracks;

pub use findings::Findings;
pub(crate) use words::duration_text;

/// Name of the page inside a run's directory.
pub const PAGE: &str = "report.html";

/// A report: its page, and the figures one by one.
pub struct Report {
    /// The page, one self-contained HTML file.
    pub html: String,
    /// The figures as (file name, SVG).
    pub figures: Vec<(&'static str, String)>,
    /// The numbers behind them.
    pub diagnostics: Diagnostics,
    /// What happened, in words.
    pub findings: Findings,
}

/// Makes the report of the run recorded in `folder`.
///
/// # Errors
/// When the recording is missing or damaged.
pub fn report(folder: &Path) -> Result<Report, ZarrError> {
    let recording = Recording::open(folder)?;
    let tracks = Tracks::read(&recording)?;
    let diagnostics = Diagnostics::of(&recording)?;
    let mut chapters = vec![
        places(&recording, &tracks)?,
        speed_and_energy(&recording, &tracks, &diagnostics)?,
    ];
    chapters.extend(ocean::ocean(&recording, &tracks)?);
    let chains = chains::force_chains(&recording, &tracks)?;
    let thinned = chains::thinned(&recording, chains.is_some());
    chapters.extend(contacts::contacts(&diagnostics, chains));
    chapters.extend(frozen::frozen(&recording, &tracks.all_times)?);
    chapters.extend(contacts::loads(&diagnostics));
    let cracks = cracks::cracks(&recording, &tracks)?;
    chapters.extend(fracture::fracture(&diagnostics, cracks));
    chapters.extend(pack::pack(&diagnostics));
    chapters.extend(pack::drift(&diagnostics));
    let findings = Findings::of(&recording, &tracks, &diagnostics, thinned)?;
    let html = page(&recording, &tracks, &findings, &chapters).to_html();
    let drawings = chapters.into_iter().flat_map(|chapter| chapter.drawings);
    let figures = drawings.map(|drawing| (drawing.file, drawing.svg));
    Ok(Report {
        html,
        figures: figures.collect(),
        diagnostics,
        findings,
    })
}

fn places(recording: &Recording, tracks: &Tracks) -> Result<Chapter, ZarrError> {
    let moving = if tracks.obstacle_paths.is_empty() {
        ""
    } else {
        " Paths of moving obstacles are orange."
    };
    let paths = format!(
        "Paths of the centres of mass, from a ring at the start to an arrow at the end, and the floes at the end.{moving}"
    );
    Ok(Chapter {
        heading: "Where the ice went",
        drawings: vec![
            Drawing::wide(
                "trajectories.svg",
                maps::trajectories(recording, tracks)?,
                format!("{paths}{}", shown(tracks)),
            ),
            Drawing::wide(
                "configuration.svg",
                maps::configurations(recording, tracks)?,
                maps::configuration_caption(recording),
            ),
        ],
        ..Chapter::default()
    })
}

fn speed_and_energy(
    recording: &Recording,
    tracks: &Tracks,
    diagnostics: &Diagnostics,
) -> Result<Chapter, ZarrError> {
    let exchange = charts::exchange(recording, tracks)?.map(|svg| {
        let caption = "Floes that came and went since the start.";
        Drawing::new("exchange.svg", svg, caption.into())
    });
    let crushed = charts::crushed(recording, tracks)?.map(|svg| {
        let caption = "Mass of the ice that was cut off floes since the start.";
        Drawing::new("crushed.svg", svg, caption.into())
    });
    let mut drawings = vec![
        Drawing::new(
            "speed.svg",
            charts::speed(tracks),
            format!(
                "Speed of the centres of mass, a line for each floe.{}",
                shown(tracks)
            ),
        ),
        Drawing::new(
            "kinetic_energy.svg",
            charts::kinetic_energy(diagnostics),
            energy_caption(diagnostics).into(),
        ),
    ];
    let flows = [
        ("wind.svg", ("Wind", "wind")),
        ("water.svg", ("Velocity of the water", "water")),
    ];
    for (file, flow) in flows {
        let svg = charts::flow(recording, tracks, flow)?;
        drawings.extend(svg.map(|svg| Drawing::new(file, svg, flow_caption(recording).into())));
    }
    drawings.extend(charts::work(recording, tracks)?.map(|svg| {
        let caption =
            "Work of forces and contacts on the floes since the start; it adds up to the energy.";
        Drawing::new("work.svg", svg, caption.into())
    }));
    drawings.extend(charts::tension(recording, tracks)?.map(|svg| {
        let caption = "Tension of springs and lines. The curve of a line ends where it broke.";
        Drawing::new("tension.svg", svg, caption.into())
    }));
    drawings.extend(exchange.into_iter().chain(crushed));
    Ok(Chapter {
        heading: "Speed and energy",
        drawings,
        tables: vec![floe_table(tracks)],
        ..Chapter::default()
    })
}

fn energy_caption(diagnostics: &Diagnostics) -> &'static str {
    if diagnostics.free_drift_energy.is_empty() {
        "Kinetic energy of all floes, translation and rotation."
    } else {
        "Kinetic energy of all floes, translation and rotation; and if they went at the speed at which wind and \
         water balance. A floe slower than a tenth of that is held."
    }
}

fn flow_caption(recording: &Recording) -> &'static str {
    if recording.weather_differs() {
        "Velocity at the centre of mass of all floes, or the mean of the ocean cells: it differs from place to place."
    } else {
        "Velocity, the same everywhere."
    }
}

/// How many of the floes are drawn, where not all are.
fn shown(tracks: &Tracks) -> String {
    let drawn = tracks.bodies.len();
    if drawn < tracks.floe_count {
        format!(" Drawn: {drawn} of {} floes.", tracks.floe_count)
    } else {
        String::new()
    }
}

fn page(recording: &Recording, tracks: &Tracks, findings: &Findings, chapters: &[Chapter]) -> Page {
    let prose = |heading: &str, sentences: &[String]| Section {
        heading: heading.into(),
        text: sentences.join(" "),
        ..Section::default()
    };
    let mut sections = vec![
        prose("What happened", &findings.happened),
        prose("How far to trust it", &findings.trust),
    ];
    sections.extend(chapters.iter().map(Chapter::section));
    sections.push(Section {
        heading: "How it was made".into(),
        text: overrides_text(recording),
        details: vec![Details {
            summary: "Scenario".into(),
            text: recording.text("scenario").to_owned(),
        }],
        ..Section::default()
    });
    Page {
        title: recording.text("title").to_owned(),
        subtitle: match recording.text("state_hash") {
            // A run that goes on, or was interrupted within a step, has no last state.
            "" => recording.text("source").to_owned(),
            hash => format!("{}, state {hash}", recording.text("source")),
        },
        tiles: tiles(recording, tracks),
        sections,
        footer: format!(
            "Scenario {}, {}.",
            recording.text("scenario_hash"),
            recording.text("source")
        ),
    }
}

fn tiles(recording: &Recording, tracks: &Tracks) -> Vec<Tile> {
    let end = tracks.all_times.last().copied().unwrap_or_default();
    let steps = recording.number("steps").unwrap_or_default();
    let came_or_went = (0..tracks.table.len())
        .any(|row| tracks.table.born[row] > 0.0 || tracks.table.gone[row].is_finite());
    let all = tracks.floe_count.to_string();
    let mut tiles = if came_or_went {
        let left = tracks.last_count.to_string();
        vec![
            Tile::new("floes at the end", &left),
            Tile::new("floes in all", &all),
        ]
    } else {
        vec![Tile::new("floes", &all)]
    };
    tiles.extend([
        Tile::new("simulated", &duration_text(end)),
        Tile::new("steps", &format!("{steps}")),
        Tile::new("records", &tracks.all_times.len().to_string()),
        Tile::new("status", recording.text("status")),
    ]);
    tiles
}

fn overrides_text(recording: &Recording) -> String {
    let overrides = recording.texts("scenario_overrides");
    if overrides.is_empty() {
        return String::new();
    }
    format!(
        "With these values in place of the file's: {}.",
        overrides.join(", ")
    )
}
