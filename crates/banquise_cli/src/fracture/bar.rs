//! `banquise fracture bar`: a bar struck by another.

use std::process::ExitCode;

use banquise_fracture::bar::{BarImpact, BarResult, Which};
use serde_json::{Value, json};

use super::ice;
use crate::arguments::fracture::BarArguments;
use crate::failure::Failure;

pub(super) fn bar(arguments: &BarArguments) -> Result<ExitCode, Failure> {
    let impact = BarImpact {
        ice: ice(&arguments.ice),
        striker_length: arguments.striker_length,
        length: arguments.length,
        speed: arguments.speed,
        nodes: arguments.nodes,
        damping: arguments.ice.damping,
        breaks: arguments.ice.breaks,
    };
    // Which bonds break depends on the spacing: there is nothing to extrapolate to.
    let single = arguments.single || impact.breaks || !impact.can_extrapolate();
    let result = if single {
        impact.run()?
    } else {
        impact.extrapolated()?
    };
    let exact = impact.exact();
    print_lines(&result, &exact);
    if arguments.json {
        let mut numbers = numbers(&result);
        numbers["exact"] = self::numbers(&exact);
        numbers["nodes"] = json!(impact.nodes);
        numbers["extrapolated"] = json!(!single);
        numbers["wave_speed_m_per_s"] = json!(impact.ice.bar_speed());
        numbers["highest_tension_pa"] = json!(result.highest_tension);
        numbers["energy_error"] = json!(result.energy_error);
        numbers["breaks"] = result
            .broken
            .iter()
            .map(|b| json!({"time_s": b.time, "from_rear_m": b.from_rear, "bar": name(b.bar)}))
            .collect();
        println!("{numbers}");
    }
    Ok(ExitCode::SUCCESS)
}

pub(super) fn name(bar: Which) -> &'static str {
    match bar {
        Which::Striker => "striker",
        Which::Target => "target",
    }
}

pub(super) fn numbers(result: &BarResult) -> Value {
    let tension = result.first_tension;
    json!({
        "contact_time_s": result.contact_time,
        "stress_pa": result.stress,
        "first_tension_s": tension.map(|t| t.time),
        "from_rear_m": tension.map(|t| t.from_rear),
        "tension_in": tension.map(|t| name(t.bar)),
        "restitution": result.restitution,
        "impulse_pa_s": result.impulse,
    })
}

fn print_lines(result: &BarResult, exact: &BarResult) {
    eprintln!(
        "contact for {:.3} ms (continuum {:.3} ms) at {:.2} kPa ({:.2} kPa), restitution {:.4} ({:.4})",
        1e3 * result.contact_time,
        1e3 * exact.contact_time,
        1e-3 * result.stress,
        1e-3 * exact.stress,
        result.restitution,
        exact.restitution,
    );
    match (result.first_tension, exact.first_tension) {
        (Some(tension), Some(plane)) => eprintln!(
            "first tension in the {} after {:.3} ms ({:.3} ms), {:.2} m from its rear ({:.2} m)",
            name(tension.bar),
            1e3 * tension.time,
            1e3 * plane.time,
            tension.from_rear,
            plane.from_rear,
        ),
        (Some(tension), None) => eprintln!(
            "tension in the {} after {:.3} ms, {:.2} m from its rear; none in the continuum",
            name(tension.bar),
            1e3 * tension.time,
            tension.from_rear,
        ),
        (None, _) => eprintln!("no tension of half the amplitude of the wave"),
    }
    if let Some(first) = result.broken.first() {
        eprintln!(
            "{} bonds broke, the first after {:.3} ms, {:.2} m from the rear of the {}",
            result.broken.len(),
            1e3 * first.time,
            first.from_rear,
            name(first.bar),
        );
    }
}
