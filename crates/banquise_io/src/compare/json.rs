//! The comparison as JSON, units in the names.

use serde_json::{Value, json};

use super::{Comparison, Measures, SEPARATION_DAYS};

impl Comparison {
    /// One object, as `banquise compare --json` prints it. Numbers that are not finite are null.
    pub fn to_json(&self) -> Value {
        let separations = SEPARATION_DAYS.iter().zip(self.separations);
        let separations: Vec<Value> = separations
            .map(|(days, meters)| json!({ "days": days, "separation_m": meters }))
            .collect();
        json!({
            "values": self.values,
            "skill_r2": self.skill,
            "inertial_ratio": self.modelled.inertial / self.observed.inertial,
            "separation": separations,
            "observed": measures(&self.observed),
            "modelled": measures(&self.modelled),
        })
    }
}

fn measures(measures: &Measures) -> Value {
    let wind = measures.wind.map(|(response, constant, share)| {
        json!({
            "wind_factor": response.factor,
            // Counter-clockwise positive, as in complex regressions.
            "turning_deg": -response.angle.to_degrees(),
            "constant_mps": [constant.x, constant.y],
            "r2": share,
        })
    });
    let dispersion = measures.dispersion.iter();
    json!({
        "wind": wind,
        "inertial_amplitude_mps": measures.inertial,
        "speed_quantiles_mps": measures.speeds,
        "dispersion": dispersion.map(|(lag, variance)| json!({ "lag_s": lag, "variance_m2": variance })).collect::<Value>(),
        "spectrum": {
            "frequency_per_s": measures.spectrum.iter().map(|band| band.frequency).collect::<Value>(),
            "clockwise_m2_per_s": measures.spectrum.iter().map(|band| band.clockwise).collect::<Value>(),
            "counter_clockwise_m2_per_s": measures.spectrum.iter().map(|band| band.counter_clockwise).collect::<Value>(),
        },
    })
}
