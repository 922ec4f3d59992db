//! The diagnostics as JSON, units in the names.

use banquise::diagnostics::sizes::PowerLaw;
use banquise::diagnostics::windows::Window;
use serde_json::{Value, json};

use crate::recording::LineTable;

use super::{Diagnostics, Drift, Fracture, Load, Pack, SizeDistribution};

impl Diagnostics {
    /// One object, as `banquise report --json` prints it. Numbers that are not finite are null.
    pub fn to_json(&self) -> Value {
        json!({
            "energy": {
                "time_s": self.times,
                "kinetic_energy_j": self.kinetic_energy,
                "free_drift_energy_j": self.free_drift_energy,
            },
            "contact": {
                "normal_impulse": windows(&self.contact.normal_impulse, "sum_n_s", |w| w.sum),
                "collisions": windows(&self.contact.collisions, "per_hour", |w| 3600.0 * w.rate()),
                "contact_s": self.contact.sticks,
                "takeoff_s": self.contact.take_offs,
            },
            "loads": self.loads.iter().map(load).collect::<Value>(),
            "lines": self.lines.as_ref().map(|table| lines(table, &self.times)),
            "pack": self.pack.as_ref().map(pack),
            "drift": self.drift.as_ref().map(drift),
            "fracture": self.fracture.as_ref().map(fracture),
        })
    }
}

fn windows(windows: &[Window], key: &str, value: impl Fn(&Window) -> f64) -> Value {
    let column = |read: &dyn Fn(&Window) -> f64| windows.iter().map(read).collect::<Value>();
    json!({
        "start_s": column(&|window| window.start),
        "end_s": column(&|window| window.end),
        key: column(&value),
    })
}

fn load(load: &Load) -> Value {
    let (normal, tangent) = load.total();
    let peak = load.peak();
    let curve = |points: &[(f64, f64)], key: &str, count: &str| {
        let values: Value = points.iter().map(|point| point.0).collect();
        let counts: Value = points.iter().map(|point| point.1).collect();
        json!({ key: values, count: counts })
    };
    json!({
        "obstacle": load.name,
        "normal_impulse_n_s": normal,
        "tangential_impulse_n_s": tangent,
        "largest_normal_impulse_n_s": load.largest,
        "peak_normal_force_n": peak.map(|window| window.rate()),
        "peak_start_s": peak.map(|window| window.start),
        "peak_end_s": peak.map(|window| window.end),
        "normal_force": windows(&load.normal, "mean_n", Window::rate),
        "tangential_force": windows(&load.tangent, "mean_n", Window::rate),
        "exceedance": curve(&load.exceedance, "normal_force_n", "share_of_windows"),
        "peaks": curve(&load.peaks, "normal_force_n", "count"),
        "peak_pressure_pa": load.peak_pressure(),
        "pressure_pa": load.pressure,
        "pressure_exceedance": curve(&load.pressure_exceedance, "pressure_pa", "share_of_windows"),
    })
}

fn lines(table: &LineTable, times: &[f64]) -> Value {
    let line = |(index, name): (usize, &String)| {
        let peak = table.peak_of(index);
        json!({
            "line": name,
            "broken_at_s": table.break_of(index),
            "largest_recorded_tension_n": peak.map(|(_, tension)| tension),
            "largest_recorded_tension_at_s": peak.map(|(record, _)| times[record]),
        })
    };
    table.names.iter().enumerate().map(line).collect()
}

fn pack(pack: &Pack) -> Value {
    let correlations = pack.correlations.iter().map(|correlation| {
        json!({
            "time_s": correlation.time,
            "radius_m": correlation.curve.iter().map(|point| point.0).collect::<Value>(),
            "share_of_pairs": correlation.curve.iter().map(|point| point.1).collect::<Value>(),
            "slope": correlation.slope.map(|(_, _, slope)| slope),
            "slope_from_m": correlation.slope.map(|(from, _, _)| from),
            "slope_to_m": correlation.slope.map(|(_, to, _)| to),
        })
    });
    json!({
        "time_s": pack.times,
        "dispersion_m": pack.dispersion,
        "median_distance_m": pack.median_distance,
        "concentration": pack.concentration,
        "area_concentration": pack.area_concentration,
        "divergence_s-1": pack.divergence,
        "shear_s-1": pack.shear,
        "held_share_of_mass": pack.held,
        "free_drift_energy_of_others_j": pack.free_energy,
        "clusters": {
            "gap_m": pack.clusters.gap,
            "time_s": pack.clusters.times,
            "sizes": pack.clusters.sizes,
        },
        "pair_correlation": correlations.collect::<Value>(),
        "paired_floes": pack.paired,
        "sizes_m": pack.sizes,
        "size_law": pack.law.map(power_law),
    })
}

fn power_law(law: PowerLaw) -> Value {
    json!({
        "exponent": law.exponent,
        "standard_error": law.error,
        "smallest_m": law.smallest,
        "largest_m": law.largest,
        "kolmogorov_smirnov": law.misfit,
    })
}

fn fracture(fracture: &Fracture) -> Value {
    let sizes = |distribution: &SizeDistribution| {
        json!({
            "time_s": distribution.time,
            "sizes_m": distribution.sizes,
            "power_law": distribution.power_law.map(power_law),
            "log_normal": distribution.log_normal.map(|law| json!({
                "median_m": law.median,
                "median_standard_error_m": law.median_error,
                "spread": law.spread,
                "spread_standard_error": law.spread_error,
                "kolmogorov_smirnov": law.misfit,
            })),
        })
    };
    json!({
        "before": sizes(&fracture.sizes[0]),
        "after": sizes(&fracture.sizes[1]),
        "statistics": fracture.counts,
    })
}

fn drift(drift: &Drift) -> Value {
    let column = |read: fn(&Drift, usize) -> f64| {
        (0..drift.velocity.len())
            .map(|record| read(drift, record))
            .collect::<Value>()
    };
    let bands = &drift.spectrum;
    json!({
        "velocity_x_m_s-1": column(|drift, record| drift.velocity[record].x),
        "velocity_y_m_s-1": column(|drift, record| drift.velocity[record].y),
        "wind_factor": column(|drift, record| drift.response[record].map_or(f64::NAN, |r| r.factor)),
        "angle_right_of_wind_rad": column(|drift, record| drift.response[record].map_or(f64::NAN, |r| r.angle)),
        "fit": drift.fit.map(|(response, share)| json!({
            "wind_factor": response.factor,
            "angle_right_of_wind_rad": response.angle,
            "share_of_drift": share,
        })),
        "inertial_frequency_hz": drift.inertial_frequency,
        "rotary_spectrum": {
            "frequency_hz": bands.iter().map(|band| band.frequency).collect::<Value>(),
            "clockwise_m2_s-1": bands.iter().map(|band| band.clockwise).collect::<Value>(),
            "counter_clockwise_m2_s-1": bands.iter().map(|band| band.counter_clockwise).collect::<Value>(),
        },
    })
}
