//! `banquise glacier iceberg`: the contact force of a capsizing iceberg.

use std::process::ExitCode;

use banquise_glacier::{Capsize, Iceberg};
use banquise_io::figure::{Axis, LineStyle, Page, Section, Series, Table, Tile, Unit};
use serde_json::json;

use super::output::{Drawn, Output, chart, csv, digits, footer, how_it_was_made, seconds, shown};
use super::{Found, find_for};
use crate::arguments::glacier::StudyArguments;
use crate::failure::Failure;

/// Widths over height that are tried.
const RATIOS: [f64; 11] = [0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.55, 0.6];
/// Added masses that are tried.
const ADDED: [f64; 4] = [0.0, 0.5, 1.0, 2.0];

pub(super) fn iceberg(arguments: &StudyArguments) -> Result<ExitCode, Failure> {
    let found = find_for(arguments, "glacier-capsize")?;
    let (Some(iceberg), Some(capsize)) = (found.plan.iceberg, &found.plan.capsize) else {
        return Err(Failure::usage(
            format!("`{}` has no iceberg", found.name),
            "choose a scenario with `kind = \"iceberg\"` in its [contact] table, such as glacier-capsize",
        ));
    };
    let output = Output::create(arguments, "glacier-iceberg")?;
    let header = [
        "time [s]",
        "force [N/m]",
        "tilt [deg]",
        "height [m]",
        "spin [rad/s]",
    ];
    let rows: Vec<Vec<f64>> = capsize
        .poses
        .iter()
        .map(|pose| {
            vec![
                pose.time,
                pose.force,
                pose.tilt.to_degrees(),
                pose.height,
                pose.spin,
            ]
        })
        .collect();
    output.write("capsize.csv", &csv(&header.map(str::to_owned), &rows))?;
    let widths = family(&RATIOS, |ratio| Iceberg {
        iceberg_width: ratio * iceberg.iceberg_height,
        ..iceberg
    });
    let masses = family(&ADDED, |added_mass| Iceberg {
        added_mass,
        ..iceberg
    });
    let (page, figures) = page(&found, arguments, &iceberg, capsize, [&widths, &masses]);
    eprintln!(
        "largest force {:.4e} N/m at {:.1} s, above half of it for {:.1} s, contact for {:.1} s",
        capsize.peak, capsize.peak_time, capsize.half_width, capsize.duration
    );
    let report = output.finish(&page, &figures)?;
    if arguments.json {
        let entry = |(key, capsize): &(f64, Capsize)| {
            json!({"value": key, "peak_n_per_m": capsize.peak, "peak_over_rho_g_h2": capsize.peak / scale(&iceberg),
                   "half_width_s": capsize.half_width, "duration_s": capsize.duration})
        };
        println!(
            "{}",
            json!({
                "directory": output.directory,
                "report": report,
                "peak_n_per_m": capsize.peak,
                "peak_over_rho_g_h2": capsize.peak / scale(&iceberg),
                "peak_time_s": capsize.peak_time,
                "half_width_s": capsize.half_width,
                "duration_s": capsize.duration,
                "width_to_height": widths.iter().map(entry).collect::<Vec<_>>(),
                "added_mass": masses.iter().map(entry).collect::<Vec<_>>(),
            })
        );
    }
    Ok(ExitCode::SUCCESS)
}

/// ρ g H² \[N/m\].
fn scale(iceberg: &Iceberg) -> f64 {
    iceberg.iceberg_density * iceberg.gravity * iceberg.iceberg_height * iceberg.iceberg_height
}

/// The capsizes of a family of icebergs; those that do not capsize are left out.
fn family(values: &[f64], change: impl Fn(f64) -> Iceberg) -> Vec<(f64, Capsize)> {
    let capsize = |&value: &f64| change(value).capsize().ok().map(|capsize| (value, capsize));
    values.iter().filter_map(capsize).collect()
}

fn page(
    found: &Found,
    arguments: &StudyArguments,
    iceberg: &Iceberg,
    capsize: &Capsize,
    [widths, masses]: [&[(f64, Capsize)]; 2],
) -> (Page, Vec<Drawn>) {
    let figures = figures(capsize, iceberg, widths, masses);
    let time = (iceberg.iceberg_height / iceberg.gravity).sqrt();
    let row = |(value, capsize): &(f64, Capsize)| {
        vec![
            digits(*value),
            format!("{:.5}", capsize.peak / scale(iceberg)),
            digits(1e-6 * capsize.peak),
            digits(capsize.half_width),
            digits(capsize.duration),
        ]
    };
    let table = |caption: &str, name: &str, family: &[(f64, Capsize)]| Table {
        caption: caption.into(),
        header: [
            name,
            "F / ρ g H²",
            "F (MN/m)",
            "Above half (s)",
            "Contact (s)",
        ]
        .map(str::to_owned)
        .into(),
        rows: family.iter().map(row).collect(),
    };
    let page = Page {
        title: format!("An iceberg of {} m capsizes", digits(iceberg.iceberg_height)),
        subtitle: format!("{}: {}", found.name, found.plan.title),
        tiles: vec![
            Tile::new("largest force", &format!("{} MN/m", digits(1e-6 * capsize.peak))),
            Tile::new("over ρ g H²", &digits(capsize.peak / scale(iceberg))),
            Tile::new("at time", &format!("{} s", digits(capsize.peak_time))),
            Tile::new("above half", &format!("{} s", digits(capsize.half_width))),
            Tile::new("contact", &format!("{} s", digits(capsize.duration))),
        ],
        sections: vec![
            Section {
                heading: "The contact force".into(),
                text: format!(
                    "A rigid rectangle turns with its upper corner on a smooth wall, its bottom swinging out to sea. Weight and buoyancy turn it, drag on the \
                     faces that move into the water slows it. The force grows slowly and is largest late, shortly before the corner leaves the wall at a \
                     tilt of {} degrees.\n\nForces go with ρ g H² and times with √(H/g) = {} s, whatever the size. On a front of 2.5 km the force is \
                     {} N; times 25 s squared this is {} kg m, and the glacial earthquakes of Greenland have 1e13 to 2e14 kg m. The source's 310.75 GN/m \
                     would be {} times this force.",
                    digits(capsize.poses[capsize.poses.len() - 1].tilt.to_degrees()),
                    digits(time),
                    digits(2500.0 * capsize.peak),
                    digits(2500.0 * 625.0 * capsize.peak),
                    digits(310.75e9 / capsize.peak),
                ),
                figures: shown(&figures, &["force", "tilt"]),
                ..Section::default()
            },
            Section {
                heading: "Other icebergs".into(),
                text: "Narrow icebergs are light, wide ones nearly stable; between them, from 0.3 to 0.4 times as wide as high, the force is largest. Added mass \
                       makes it last longer and hardly weaker."
                    .into(),
                figures: shown(&figures, &["widths", "histories"]),
                tables: vec![
                    table("Width over height, everything else as in the scenario.", "Width / height", widths),
                    table("Added mass over that of the ice.", "Added mass", masses),
                ],
                ..Section::default()
            },
            Section {
                heading: "Left out".into(),
                text: "Waves, flow around the iceberg, friction at the corner, a wall that gives way, breaking ice, and icebergs that capsize with their top out. \
                       The water is no more than buoyancy, a drag coefficient and an added mass."
                    .into(),
                ..Section::default()
            },
            how_it_was_made(found, arguments),
        ],
        footer: footer(),
    };
    (page, figures)
}

fn figures(
    capsize: &Capsize,
    iceberg: &Iceberg,
    widths: &[(f64, Capsize)],
    masses: &[(f64, Capsize)],
) -> Vec<Drawn> {
    let force = Axis::new("Force", Unit::Prefixed("N/m".into()));
    let history = |capsize: &Capsize| -> Vec<[f64; 2]> {
        capsize
            .poses
            .iter()
            .map(|pose| [pose.time, pose.force])
            .collect()
    };
    let tilt = capsize
        .poses
        .iter()
        .map(|pose| [pose.time, pose.tilt.to_degrees()]);
    let peaks = widths
        .iter()
        .map(|(ratio, capsize)| [*ratio, capsize.peak / scale(iceberg)]);
    let families = masses
        .iter()
        .map(|(mass, capsize)| Series::new(&format!("added mass {mass}"), history(capsize)));
    vec![
        Drawn::new(
            "force",
            chart(
                "Force on the front",
                seconds(),
                force.clone(),
                vec![Series::new("", history(capsize))],
            )
            .to_svg(),
            "For one metre of width, from the first touch to the last.",
        ),
        Drawn::new(
            "tilt",
            chart(
                "Tilt of the iceberg",
                seconds(),
                Axis::new("Tilt", Unit::Fixed("deg".into())),
                vec![Series::new("", tilt.collect())],
            )
            .to_svg(),
            "While the corner touches.",
        ),
        Drawn::new(
            "widths",
            chart(
                "Largest force against width",
                Axis::new("Width / height", Unit::None),
                Axis::new("Force / ρ g H²", Unit::None),
                vec![Series::new("", peaks.collect()).with_style(LineStyle::Markers)],
            )
            .to_svg(),
            "Any height.",
        ),
        Drawn::new(
            "histories",
            chart(
                "Force with added mass",
                seconds(),
                force,
                families.collect(),
            )
            .to_svg(),
            "Water that moves with the ice, as a multiple of its mass.",
        ),
    ]
}
