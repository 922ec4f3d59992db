//! The page about a run: figures and numbers, made from its recording alone.

mod charts;
mod maps;
mod tracks;

use std::path::Path;

use crate::figure::{Details, Figure, Page, Section, Table, Tile};
use crate::recording::Recording;
use crate::zarr::ZarrError;

use tracks::Tracks;

/// Name of the page inside a run's directory.
pub const PAGE: &str = "report.html";

/// A report: its page, and the figures one by one.
pub struct Report {
    /// The page, one self-contained HTML file.
    pub html: String,
    /// The figures as (file name, SVG).
    pub figures: Vec<(&'static str, String)>,
}

/// Makes the report of the run recorded in `folder`.
///
/// # Errors
/// When the recording is missing or damaged.
pub fn report(folder: &Path) -> Result<Report, ZarrError> {
    let recording = Recording::open(folder)?;
    let tracks = Tracks::read(&recording)?;
    let figures = vec![
        ("trajectories.svg", maps::trajectories(&recording, &tracks)?),
        (
            "configuration.svg",
            maps::configurations(&recording, &tracks)?,
        ),
        ("speed.svg", charts::speed(&tracks)),
        (
            "kinetic_energy.svg",
            charts::kinetic_energy(&recording, &tracks)?,
        ),
        ("weather.svg", charts::weather(&recording, &tracks)?),
        ("work.svg", charts::work(&recording, &tracks)?),
    ];
    let html = page(&recording, &tracks, &figures).to_html();
    Ok(Report { html, figures })
}

fn page(recording: &Recording, tracks: &Tracks, figures: &[(&'static str, String)]) -> Page {
    let figure = |index: usize, caption: &str| Figure::new(figures[index].1.clone(), caption);
    let wide = |index: usize, caption: &str| Figure::wide(figures[index].1.clone(), caption);
    let drawn = tracks.bodies.len();
    let shown = if drawn < tracks.floe_count {
        format!(" Drawn: {drawn} of {} floes.", tracks.floe_count)
    } else {
        String::new()
    };
    Page {
        title: recording.text("title").to_owned(),
        subtitle: format!(
            "{}, state {}",
            recording.text("source"),
            recording.text("state_hash")
        ),
        tiles: tiles(recording, tracks),
        sections: vec![
            Section {
                heading: "Where the ice went".into(),
                text: String::new(),
                figures: vec![
                    wide(
                        0,
                        &format!("Paths of the centres of mass, and the floes at the end.{shown}"),
                    ),
                    wide(1, "The ice at chosen times, coloured by speed."),
                ],
                ..Section::default()
            },
            Section {
                heading: "Speed and energy".into(),
                figures: vec![
                    figure(2, &format!("Speed of the centres of mass.{shown}")),
                    figure(3, "Kinetic energy of all floes, translation and rotation."),
                    figure(4, "Wind and water as the ice felt them."),
                    figure(
                        5,
                        "Work of forces and contacts on the floes since the start; it adds up to the energy.",
                    ),
                ],
                tables: vec![floe_table(tracks)],
                ..Section::default()
            },
            Section {
                heading: "How it was made".into(),
                text: overrides_text(recording),
                details: vec![Details {
                    summary: "Scenario".into(),
                    text: recording.text("scenario").to_owned(),
                }],
                ..Section::default()
            },
        ],
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
    vec![
        Tile::new("floes", &tracks.floe_count.to_string()),
        Tile::new("simulated", &duration_text(end)),
        Tile::new("steps", &format!("{steps}")),
        Tile::new("records", &tracks.all_times.len().to_string()),
        Tile::new("status", recording.text("status")),
    ]
}

/// A duration in the largest unit that leaves a number of at least one.
pub(crate) fn duration_text(seconds: f64) -> String {
    let (value, unit) = match seconds {
        s if s >= 86400.0 => (s / 86400.0, "d"),
        s if s >= 3600.0 => (s / 3600.0, "h"),
        s if s >= 60.0 => (s / 60.0, "min"),
        s => (s, "s"),
    };
    let rounded = (value * 100.0).round() / 100.0;
    format!("{rounded} {unit}")
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

/// The first floes with their numbers.
fn floe_table(tracks: &Tracks) -> Table {
    const ROWS: usize = 20;
    let header = [
        "Floe",
        "Thickness (m)",
        "Area (m²)",
        "Path (km)",
        "Displacement (km)",
        "Last speed (m/s)",
    ];
    let rows = tracks.bodies.iter().take(ROWS).map(|body| {
        vec![
            body.label.clone(),
            format!("{:.2}", body.thickness),
            format!("{:.0}", body.area),
            format!("{:.2}", 1e-3 * body.path_length()),
            format!("{:.2}", 1e-3 * body.displacement()),
            format!("{:.4}", body.speeds.last().copied().unwrap_or_default()),
        ]
    });
    let more = tracks.floe_count.saturating_sub(ROWS);
    Table {
        caption: if more > 0 {
            format!("The first floes; {more} more are in the dataset.")
        } else {
            String::new()
        },
        header: header.iter().map(|&cell| cell.to_owned()).collect(),
        rows: rows.collect(),
    }
}
