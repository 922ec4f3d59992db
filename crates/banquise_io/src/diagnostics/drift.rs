//! Drift of the pack as a whole against the wind.

use banquise::diagnostics::energy::{common_energy, free_drift};
use banquise::diagnostics::response::{Response, fit_response, response};
use banquise::diagnostics::spectrum::{Band, rotary_spectrum};
use banquise_geometry::DVec2;

use super::floes::Floes;
use crate::recording::Recording;
use crate::zarr::ZarrError;

/// The drift of all floes together, record by record.
#[derive(Debug, Clone, PartialEq)]
pub struct Drift {
    /// Velocity of the centre of mass [m/s].
    pub velocity: Vec<DVec2>,
    /// Wind [m/s].
    pub wind: Vec<DVec2>,
    /// Velocity of free drift, without Coriolis [m/s]; empty without drag, and where the weather
    /// differs from place to place.
    pub free: Vec<DVec2>,
    /// Drift against the wind; none in a calm.
    pub response: Vec<Option<Response>>,
    /// The response that fits the whole run, and the share of the drift it accounts for.
    pub fit: Option<(Response, f64)>,
    /// Rotary spectrum of the velocity; empty where records are not evenly spaced.
    pub spectrum: Vec<Band>,
    /// Coriolis parameter over 2π [1/s]: clockwise in the north, where it is positive.
    pub inertial_frequency: f64,
}

impl Drift {
    pub(super) fn of(
        recording: &Recording,
        times: &[f64],
        floes: &Floes<'_>,
        masses: &[f64],
    ) -> Result<Option<Self>, ZarrError> {
        if floes.count() == 0 {
            return Ok(None);
        }
        let vectors = |name: &str| -> Result<Vec<DVec2>, ZarrError> {
            let x = recording.series(&format!("{name}_x"))?;
            let y = recording.series(&format!("{name}_y"))?;
            Ok(x.into_iter()
                .zip(y)
                .map(|(x, y)| DVec2::new(x, y))
                .collect())
        };
        let momentum = vectors("momentum")?;
        let both = momentum.into_iter().zip(masses);
        let velocity: Vec<DVec2> = both.map(|(p, &mass)| p / mass).collect();
        let (wind, water) = (vectors("wind")?, vectors("water")?);
        let pairs = velocity.iter().zip(&wind);
        // Where the weather differs from place to place, no one free drift is that of all floes.
        let nansen = recording.number("nansen_number");
        let nansen = nansen.filter(|_| !recording.weather_differs());
        let free = nansen.map_or(Vec::new(), |nansen| {
            let both = wind.iter().zip(&water);
            both.map(|(&wind, &water)| free_drift(nansen, wind, water))
                .collect()
        });
        // Where no floe is in the world for a while, there is no drift and no spectrum.
        let is_whole = velocity.iter().all(|velocity| velocity.is_finite());
        let even = even_interval(times).filter(|_| is_whole);
        let spectrum = even.map_or(Vec::new(), |(interval, count)| {
            rotary_spectrum(&velocity[..count], interval)
        });
        let parameter = recording.number("coriolis_parameter_s-1");
        let (drifting, over_them): (Vec<DVec2>, Vec<DVec2>) = velocity
            .iter()
            .zip(&wind)
            .filter(|(velocity, _)| velocity.is_finite())
            .unzip();
        Ok(Some(Self {
            response: pairs.map(|(&ice, &wind)| response(ice, wind)).collect(),
            fit: fit_response(&drifting, &over_them),
            spectrum,
            inertial_frequency: parameter.unwrap_or_default() / std::f64::consts::TAU,
            free,
            velocity,
            wind,
        }))
    }

    /// Kinetic energy of the masses of the records \[kg\] in free drift \[J\]; empty where free drift is rest, or not
    /// known.
    pub(super) fn free_energy(&self, masses: &[f64]) -> Vec<f64> {
        if self.free.iter().all(|velocity| *velocity == DVec2::ZERO) {
            return Vec::new();
        }
        let energy = |(&velocity, &mass)| common_energy(std::iter::once(mass), velocity);
        self.free.iter().zip(masses).map(energy).collect()
    }
}

/// The interval between records \[s\], and how many of them are evenly spaced: all, or all but the last.
fn even_interval(times: &[f64]) -> Option<(f64, usize)> {
    const INTERVAL_ROUNDING: f64 = 1e-6;
    let interval = times.get(1)? - times.first()?;
    let is_even =
        |pair: &[f64]| (pair[1] - pair[0] - interval).abs() <= INTERVAL_ROUNDING * interval;
    let even = 1 + times.windows(2).take_while(|pair| is_even(pair)).count();
    (interval > 0.0 && even + 1 >= times.len()).then_some((interval, even))
}

#[cfg(test)]
mod tests {
    use super::even_interval;

    #[test]
    fn a_last_record_out_of_step_is_left_out() {
        assert_eq!(even_interval(&[0.0, 2.0, 4.0, 6.0]), Some((2.0, 4)));
        assert_eq!(even_interval(&[0.0, 2.0, 4.0, 5.0]), Some((2.0, 3)));
        assert_eq!(even_interval(&[0.0, 2.0, 5.0, 7.0]), None);
        assert_eq!(even_interval(&[0.0]), None);
    }
}
