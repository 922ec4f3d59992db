//! Diagnostics of fracture: floe sizes before and after, restitution by impact speed, and what the bounds let through.

use banquise::diagnostics::sizes::{LogNormal, PowerLaw, fit_log_normal, fit_truncated_power_law};
use banquise_geometry::Shape;
use serde_json::Value;

use super::floes::Floes;
use crate::recording::Recording;
use crate::zarr::ZarrError;

/// Fewer different sizes have no law.
const MIN_SIZES: usize = 10;

/// Fracture in a run.
#[derive(Debug, Clone, PartialEq)]
pub struct Fracture {
    /// Floe sizes in the first record, and in the last.
    pub sizes: [SizeDistribution; 2],
    /// Mean restitution of blows by impact speed.
    pub restitution: Vec<RestitutionAtSpeed>,
    /// Counts of the bounds, as `run --json` has them; null in a run that did not end.
    pub counts: Value,
}

/// Floe sizes at one time, with the laws that are most likely.
#[derive(Debug, Clone, PartialEq)]
pub struct SizeDistribution {
    /// When \[s\].
    pub time: f64,
    /// Mean caliper diameters, sorted \[m\].
    pub sizes: Vec<f64>,
    /// The power law between the smallest and the largest.
    pub power_law: Option<PowerLaw>,
    /// The log-normal law.
    pub log_normal: Option<LogNormal>,
}

/// Blows in one bin of impact speeds.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RestitutionAtSpeed {
    /// Ends of the bin [m/s].
    pub speeds: [f64; 2],
    /// Number of blows.
    pub blows: f64,
    /// Their mean restitution, lowered where floes broke [–].
    pub mean: f64,
}

impl SizeDistribution {
    pub(super) fn of(time: f64, shapes: &[Shape]) -> Self {
        let mut sizes: Vec<f64> = shapes.iter().map(Shape::mean_caliper_diameter).collect();
        sizes.sort_by(f64::total_cmp);
        let different = sizes.chunk_by(|a, b| a == b).count();
        let has_law = different >= MIN_SIZES;
        Self {
            time,
            power_law: match sizes[..] {
                [smallest, .., largest] if has_law => {
                    fit_truncated_power_law(&sizes, smallest, largest)
                }
                _ => None,
            },
            log_normal: has_law.then(|| fit_log_normal(&sizes)).flatten(),
            sizes,
        }
    }
}

impl Fracture {
    /// Measures a recording; `None` where no floe broke.
    pub(super) fn of(
        recording: &Recording,
        times: &[f64],
        floes: &Floes<'_>,
    ) -> Result<Option<Self>, ZarrError> {
        let energies = ["energy_lost_fracture", "energy_fracture_strain"];
        let has_all = energies.iter().all(|name| recording.has(name));
        if !recording.has_exchange() || !has_all || !floes.have_shapes() || times.is_empty() {
            return Ok(None);
        }
        let mut energy = 0.0;
        for name in energies {
            energy += recording.series(name)?.last().copied().unwrap_or_default();
        }
        let replaced = recording.series("floes_replaced")?;
        let statistics = recording.value("fracture_statistics");
        // Cracks of other criteria cost no energy.
        let is_broken = energy > 0.0
            || statistics["pieces"]
                .as_f64()
                .is_some_and(|count| count > 0.0);
        if !is_broken || replaced.last().is_none_or(|&count| count == 0.0) {
            return Ok(None);
        }
        let mut sizes = Vec::with_capacity(2);
        for record in [0, times.len() - 1] {
            let Some(state) = floes.at(record, times[record])? else {
                return Ok(None);
            };
            sizes.push(SizeDistribution::of(times[record], &floes.shapes(&state)));
        }
        let Ok(sizes) = sizes.try_into() else {
            return Ok(None);
        };
        let bins = statistics["restitution"].as_array();
        let bins = bins.into_iter().flatten().filter_map(|bin| {
            let number = |value: &Value| value.as_f64();
            Some(RestitutionAtSpeed {
                speeds: [number(&bin["speed_m_s"][0])?, number(&bin["speed_m_s"][1])?],
                blows: number(&bin["blows"])?,
                mean: number(&bin["mean_restitution"])?,
            })
        });
        Ok(Some(Self {
            sizes,
            restitution: bins.collect(),
            counts: statistics.clone(),
        }))
    }
}
