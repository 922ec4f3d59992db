//! The table of a scene, in Markdown.

use std::fmt::Write;

use crate::measure::Measurement;
use crate::scene::Scene;

/// One line for each engine; times are also given over those of the first line, overlaps also over the root of the smaller floe's area,
/// residuals as the median and the largest of all steps.
pub fn of(scene: &Scene, measurements: &[Measurement]) -> String {
    let setting = &scene.setting;
    let mut text = format!(
        "`{}`: {} floes, {} steps of {} s\n\n",
        setting.name,
        scene.floes.len(),
        setting.steps,
        setting.dt
    );
    text += "| engine | ms a step | slowest | over the first | deepest overlap | energy gained | energy left | residual | largest island |\n";
    text += "|---|---|---|---|---|---|---|---|---|\n";
    let first = measurements.first().map_or(1.0, |m| m.cpu_ms_per_step);
    for m in measurements {
        let residual = m.residual.zip(m.largest_residual);
        let residual = residual.map_or("–".into(), |(median, largest)| {
            format!("{median:.0e} to {largest:.0e}")
        });
        // Writing to a string cannot fail.
        let _ = writeln!(
            text,
            "| {} | {} | {} | {} | {} | {} | {:.4} | {residual} | {} |",
            m.engine,
            digits(m.cpu_ms_per_step),
            digits(m.slowest_ms),
            digits(m.cpu_ms_per_step / first),
            overlap(m),
            energy(m.energy_gained),
            m.energy_kept,
            m.largest_island,
        );
    }
    text
}

fn overlap(m: &Measurement) -> String {
    if m.deepest_overlap_m == 0.0 {
        "none".into()
    } else {
        format!(
            "{:.3} m, {:.2} %",
            m.deepest_overlap_m,
            100.0 * m.overlap_share
        )
    }
}

fn energy(gained: f64) -> String {
    if gained == 0.0 {
        "0".into()
    } else {
        format!("{gained:.0e}")
    }
}

/// Three digits or more, without an exponent.
fn digits(value: f64) -> String {
    let decimals = match value {
        0.0..1.0 => 3,
        1.0..10.0 => 2,
        10.0..100.0 => 1,
        _ => 0,
    };
    format!("{value:.decimals$}")
}
