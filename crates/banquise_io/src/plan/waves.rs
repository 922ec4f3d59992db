//! The `[waves]` table.

use std::f64::consts::TAU;

use banquise::{Attenuation, Jonswap, WaveComponent, Waves};
use banquise_geometry::{DVec2, math};

use super::PlanError;
use crate::scenario::{Dimension, ProblemKind, TableReader};

/// Largest steepness ka of waves that do not break (Stokes): 0.44; the model holds to second order in it.
const STEEPEST: f64 = 0.44;

/// Reads the waves; nothing if they are refused, and none where the table is absent.
#[expect(
    clippy::option_option,
    reason = "refused, absent, present: three answers"
)]
pub(super) fn decode(
    root: &TableReader<'_>,
    seed: u64,
    step: Option<f64>,
    has_drag: bool,
) -> Option<Option<Waves>> {
    let field = root.optional("waves");
    if !field.is_present() {
        return Some(None);
    }
    let table = field.table()?;
    let components = decode_components(&table, seed);
    let added_mass = table.optional("added_mass").number().non_negative();
    let added_mass = added_mass.or(banquise::ADDED_MASS);
    let attenuation = table.optional("attenuation").table().and_then(|table| {
        let rate = table.required_like("rate", "`rate = \"1e-4 /m\"`");
        let rate = rate.quantity(Dimension::PerLength).positive().get();
        let edge = table.optional("edge").vector(Dimension::Length);
        let edge = DVec2::from(edge.or([0.0, 0.0]));
        table.finish();
        Some(Attenuation { rate: rate?, edge })
    });
    let span = table.span();
    let problems = table.problems();
    if !has_drag && attenuation.is_some() {
        let kind = ProblemKind::Conflict {
            first: "drag.enabled = false".to_owned(),
            second: "waves.attenuation".to_owned(),
        };
        let hint =
            "the force of waves that are attenuated needs the density of the water".to_owned();
        problems.push(crate::scenario::Problem::new(kind, span).with_hint(hint));
    }
    let ramp = table.optional("ramp").quantity(Dimension::Time);
    let ramp = ramp.non_negative().get();
    table.finish();
    let mut waves = Waves {
        components: components?,
        added_mass,
        attenuation,
        ramp: 0.0,
    };
    waves.ramp = ramp.unwrap_or(banquise::RAMP_PERIODS * waves.main_period());
    let limit = waves.resolving_step();
    if let Some(step) = step.filter(|&step| step > limit) {
        let error = PlanError::UnresolvedWaves { step, limit };
        problems.push(error.at("this sea", span));
    }
    let steepness = waves
        .components
        .iter()
        .map(|own| own.wavenumber() * own.amplitude);
    let steepness = steepness.fold(0.0, f64::max);
    if steepness > STEEPEST {
        let error = PlanError::BreakingWaves { steepness };
        problems.push(error.at("this sea", span));
    }
    Some(Some(waves))
}

fn decode_components(table: &TableReader<'_>, seed: u64) -> Option<Vec<WaveComponent>> {
    table.exclusive("amplitude", "significant_height");
    table.exclusive("period", "peak_period");
    table.exclusive("phase", "significant_height");
    let toward = table.required_like("toward", "a compass bearing, `toward = \"90 deg\"`");
    let toward = toward.quantity(Dimension::Angle).get();
    let direction = toward.map(|toward| {
        let (sin, cos) = math::sin_cos(toward);
        DVec2::new(sin, cos)
    });
    if table.has("significant_height") {
        let height = table.optional("significant_height");
        let height = height.quantity(Dimension::Length).positive().get();
        let period = table.required_like("peak_period", "`peak_period = \"8 s\"`");
        let period = period.quantity(Dimension::Time).positive().get();
        let enhancement = table.optional("peak_enhancement").number();
        let enhancement = enhancement.check("at least 1", |&own| own >= 1.0).or(3.3);
        let count = table.optional("components").integer();
        let count = count.check("from 1 to 10000", |own| (1..=10_000).contains(own));
        let count = count.or(100);
        let sea = Jonswap {
            significant_height: height?,
            peak_period: period?,
            peak_enhancement: enhancement,
            direction: direction?,
            components: count as usize,
        };
        return Some(sea.components(seed));
    }
    let example = "`amplitude = \"0.5 m\"`, or `significant_height = \"1 m\"` for a random sea";
    let amplitude = table.required_like("amplitude", example);
    let amplitude = amplitude.quantity(Dimension::Length).positive().get();
    let period = table.required_like("period", "`period = \"8 s\"`");
    let period = period.quantity(Dimension::Time).positive().get();
    let phase = table.optional("phase").quantity(Dimension::Angle).or(0.0);
    Some(vec![WaveComponent {
        amplitude: amplitude?,
        angular_frequency: TAU / period?,
        direction: direction?,
        phase,
    }])
}
