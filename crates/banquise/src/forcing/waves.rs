//! Waves, in the plane, for floes that are small against the wavelength.
//!
//! ```text
//! (1 + Cₘ) m dV/dt = −m g ∇η + Cₘ m ∂u/∂t + drag + ½ α E A d
//! ```
//!
//! (Shen and Zhong 2001, doi 10.3189/172756401781818905; Grotmaack and Meylan 2006, doi 10.1061/(ASCE)0733-950X(2006)132:1(69)). η is the elevation of the
//! surface, u the orbital velocity in deep water, and the drag sees it at the moving surface, (1 + kη) u, to second order in the slope. A sea is a sum of
//! components, each
//!
//! ```text
//! η = a cos(k d·x − ω t + φ)    u = ω η d    ω² = g k
//! ```
//!
//! From an edge on, ice takes their energy E = ½ ρ g a² at a rate α, so that a falls as exp(−½ α s) with the distance s. Momentum that the waves lose goes to the
//! ice: a mean force ½ α E for each unit of area, along the waves (Longuet-Higgins and Stewart 1964, deep water).
//!
//! Amplitudes grow from zero over a ramp at the start, over which r'(t) u is left out of ∂u/∂t.
//!
//! Neglected: rotation by waves, the added mass in impacts and of spin, scattering, and the finite size of floes.

use std::f64::consts::{PI, TAU};

use banquise_geometry::{DVec2, math};

use crate::random::{Purpose, Stream};

/// Acceleration of gravity [m/s²].
const GRAVITY: f64 = 9.81;

/// One component of the sea.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct WaveComponent {
    /// Amplitude a \[m\].
    pub amplitude: f64,
    /// Angular frequency ω [rad/s].
    pub angular_frequency: f64,
    /// Direction d in which it goes: a unit vector.
    pub direction: DVec2,
    /// Phase φ \[rad\].
    pub phase: f64,
}

/// Ice that takes energy from waves.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Attenuation {
    /// Rate α at which energy is lost along the waves [1/m].
    pub rate: f64,
    /// A point of the ice edge, which lies across the waves \[m\].
    pub edge: DVec2,
}

/// A sea of waves.
#[derive(Debug, Clone, PartialEq)]
pub struct Waves {
    /// Its components.
    pub components: Vec<WaveComponent>,
    /// Added mass Cₘ as a share of the mass of a floe [–].
    pub added_mass: f64,
    /// Ice that takes energy from the waves.
    pub attenuation: Option<Attenuation>,
    /// Time T from the start in which amplitudes grow from zero, for a floe at rest in waves of full amplitude keeps the difference from the orbital velocity for
    /// hours: quadratic drag removes it as 1/t \[s\].
    pub ramp: f64,
}

/// Periods of the largest component in which waves grow, unless told otherwise [–]. A half-cosine over five leaves 0.5 % of the orbital velocity as drift.
pub const RAMP_PERIODS: f64 = 5.0;

/// Added mass of a thin disc that surges [–]: small, since it has little draught. Shen and Zhong (2001) take 0.1.
pub const ADDED_MASS: f64 = 0.1;

/// Settings of a sea with the spectrum of JONSWAP (Hasselmann and others 1973).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Jonswap {
    /// Significant height, four times the standard deviation of the elevation \[m\].
    pub significant_height: f64,
    /// Period of the peak of the spectrum \[s\].
    pub peak_period: f64,
    /// Peak enhancement γ [–]: 3.3 on average, 1 for the spectrum of Pierson and Moskowitz.
    pub peak_enhancement: f64,
    /// Direction in which the waves go.
    pub direction: DVec2,
    /// Number of components.
    pub components: usize,
}

/// Band of the spectrum, as multiples of the frequency of the peak [–]: it holds more than 98 % of the energy.
const BAND: [f64; 2] = [0.5, 3.0];

impl Jonswap {
    /// Components with random phases, and frequencies at random within equal bands, so that the sea does not repeat. Their energy is exactly that of the
    /// significant height.
    pub fn components(&self, seed: u64) -> Vec<WaveComponent> {
        let stream = Stream::new(seed, Purpose::Wave);
        let peak = TAU / self.peak_period;
        let width = (BAND[1] - BAND[0]) * peak / self.components as f64;
        let mut sea: Vec<WaveComponent> = (0..self.components)
            .map(|number| {
                let place = number as f64 + stream.unit(number as u64, 0);
                let frequency = BAND[0] * peak + width * place;
                WaveComponent {
                    amplitude: self.density(frequency / peak).sqrt(),
                    angular_frequency: frequency,
                    direction: self.direction,
                    phase: TAU * stream.unit(number as u64, 1),
                }
            })
            .collect();
        let variances = sea.iter().map(|own| 0.5 * own.amplitude * own.amplitude);
        let variance: f64 = variances.sum();
        let scale = 0.25 * self.significant_height / variance.sqrt();
        for own in &mut sea {
            own.amplitude *= scale;
        }
        sea
    }

    /// Spectral density at a multiple of the peak frequency, but for a factor.
    fn density(&self, multiple: f64) -> f64 {
        let width = if multiple <= 1.0 { 0.07 } else { 0.09 };
        let offset = (multiple - 1.0) / width;
        let enhancement = math::pow(self.peak_enhancement, math::exp(-0.5 * offset * offset));
        math::pow(multiple, -5.0) * math::exp(-1.25 * math::pow(multiple, -4.0)) * enhancement
    }
}

/// The sea at a place and time.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct SeaState {
    /// Elevation η of the surface \[m\].
    pub elevation: f64,
    /// Velocity of the water at the moving surface, (1 + kη) u [m/s].
    pub velocity: DVec2,
    /// Acceleration ∂u/∂t of the water, which in deep water is −g∇η [m/s²].
    pub acceleration: DVec2,
    /// ½ α Σ ½ g a² d [m³/s² / m]: the mean force on ice, by area and density of the water.
    pub mean_force: DVec2,
}

impl WaveComponent {
    /// Wavenumber k = ω²/g in deep water [1/m].
    pub fn wavenumber(&self) -> f64 {
        self.angular_frequency * self.angular_frequency / GRAVITY
    }

    /// Amplitude at a point, less than the given one within ice that attenuates \[m\].
    fn amplitude_at(&self, point: DVec2, attenuation: Option<Attenuation>) -> f64 {
        let Some(Attenuation { rate, edge }) = attenuation else {
            return self.amplitude;
        };
        let depth = (point - edge).dot(self.direction).max(0.0);
        self.amplitude * math::exp(-0.5 * rate * depth)
    }
}

impl Waves {
    /// The sea at a point \[m\] and time \[s\].
    pub fn at(&self, point: DVec2, time: f64) -> SeaState {
        let mut sea = SeaState::default();
        let (mut velocity, mut curved) = (DVec2::ZERO, 0.0);
        let grown = self.grown(time);
        for own in &self.components {
            let amplitude = grown * own.amplitude_at(point, self.attenuation);
            let (wavenumber, frequency) = (own.wavenumber(), own.angular_frequency);
            let phase = wavenumber * own.direction.dot(point) - frequency * time + own.phase;
            let (sin, cos) = math::sin_cos(phase);
            sea.elevation += amplitude * cos;
            curved += wavenumber * amplitude * cos;
            velocity += frequency * amplitude * cos * own.direction;
            sea.acceleration += frequency * frequency * amplitude * sin * own.direction;
            if let Some(Attenuation { rate, edge }) = self.attenuation
                && (point - edge).dot(own.direction) >= 0.0
            {
                sea.mean_force += 0.25 * rate * GRAVITY * amplitude * amplitude * own.direction;
            }
        }
        sea.velocity = (1.0 + curved) * velocity;
        sea
    }

    /// Share of their amplitudes that waves have at a time \[s\].
    fn grown(&self, time: f64) -> f64 {
        if time < self.ramp {
            0.5 - 0.5 * math::cos(PI * time / self.ramp)
        } else {
            1.0
        }
    }

    /// Period of the component with most energy \[s\].
    pub fn main_period(&self) -> f64 {
        let largest = |x: &&WaveComponent, y: &&WaveComponent| x.amplitude.total_cmp(&y.amplitude);
        let main = self.components.iter().max_by(largest);
        main.map_or(f64::INFINITY, |own| TAU / own.angular_frequency)
    }

    /// A bound on the speed of the water [m/s]: the sum of all components, or four standard deviations where there are many.
    pub fn max_speed(&self) -> f64 {
        let speeds = self.components.iter();
        let speeds = speeds.map(|own| own.amplitude * own.angular_frequency);
        let (sum, squares) = speeds.fold((0.0, 0.0), |(sum, squares), speed| {
            (sum + speed, squares + 0.5 * speed * speed)
        });
        sum.min(4.0 * f64::sqrt(squares))
    }

    /// The longest step that resolves the waves \[s\]: a twentieth of the period of the component with most energy.
    pub fn resolving_step(&self) -> f64 {
        self.main_period() / RESOLUTION
    }

    /// Significant bending strain of ice that follows the surface at a point, ½ h Σ k² a [–], for thickness h \[m\] (Dumont and others 2011, doi
    /// 10.1029/2010JC006682): what a law of breaking by waves compares with the flexural strength over the elastic modulus.
    pub fn bending_strain(&self, point: DVec2, thickness: f64) -> f64 {
        let curvatures = self.components.iter().map(|own| {
            let wavenumber = own.wavenumber();
            wavenumber * wavenumber * own.amplitude_at(point, self.attenuation)
        });
        let (sum, squares) = curvatures.fold((0.0, 0.0), |(sum, squares): (f64, f64), own| {
            (sum + own, squares + 0.5 * own * own)
        });
        // Crests of many components do not meet: twice the standard deviation is the significant amplitude.
        0.5 * thickness * sum.min(2.0 * squares.sqrt())
    }
}

/// Steps in the period of the waves that are largest.
const RESOLUTION: f64 = 20.0;

#[cfg(test)]
mod tests {
    use super::*;

    fn regular(amplitude: f64, period: f64) -> Waves {
        Waves {
            components: vec![WaveComponent {
                amplitude,
                angular_frequency: TAU / period,
                direction: DVec2::X,
                phase: 0.0,
            }],
            added_mass: 0.0,
            attenuation: None,
            ramp: 0.0,
        }
    }

    #[test]
    fn acceleration_is_the_slope_and_the_change_of_the_velocity() {
        let waves = regular(0.3, 6.0);
        let h = 1e-4;
        for k in 0..20 {
            let (x, t) = (3.7 * f64::from(k), 0.31 * f64::from(k));
            let elevation = |x: f64| waves.at(DVec2::new(x, 5.0), t).elevation;
            let slope = (elevation(x + h) - elevation(x - h)) / (2.0 * h);
            let state = waves.at(DVec2::new(x, 5.0), t);
            // Central differences over 2e-4 m.
            assert!((state.acceleration.x + GRAVITY * slope).abs() < 1e-7);
            assert_eq!(state.velocity.y, 0.0);
        }
    }

    #[test]
    fn waves_grow_over_their_ramp() {
        let full = regular(0.3, 6.0);
        let waves = Waves {
            ramp: 30.0,
            ..full.clone()
        };
        let elevation = |waves: &Waves, time: f64| waves.at(DVec2::ZERO, time).elevation;
        assert_eq!(elevation(&waves, 0.0), 0.0);
        assert!((elevation(&waves, 15.0) - 0.5 * elevation(&full, 15.0)).abs() < 1e-15);
        assert_eq!(elevation(&waves, 31.0), elevation(&full, 31.0));
    }

    #[test]
    fn a_jonswap_sea_has_its_height_whatever_the_seed() {
        let settings = Jonswap {
            significant_height: 2.5,
            peak_period: 9.0,
            peak_enhancement: 3.3,
            direction: DVec2::Y,
            components: 200,
        };
        for seed in 0..5 {
            let sea = settings.components(seed);
            let variance: f64 = sea.iter().map(|own| 0.5 * own.amplitude.powi(2)).sum();
            assert!((4.0 * variance.sqrt() - 2.5).abs() < 1e-12);
            let main = sea
                .iter()
                .max_by(|x, y| x.amplitude.total_cmp(&y.amplitude))
                .unwrap();
            // The peak, within the width of a band.
            assert!((TAU / main.angular_frequency - 9.0).abs() < 0.3);
        }
        assert_eq!(settings.components(1), settings.components(1));
        assert_ne!(settings.components(1), settings.components(2));
    }

    #[test]
    fn the_share_of_energy_below_the_peak_is_that_of_the_spectrum() {
        // Without enhancement ∫ x⁻⁵ exp(−1.25 x⁻⁴) dx = exp(−1.25 x⁻⁴)/5.
        let settings = Jonswap {
            significant_height: 1.0,
            peak_period: 10.0,
            peak_enhancement: 1.0,
            direction: DVec2::X,
            components: 4000,
        };
        let sea = settings.components(3);
        let energy = |own: &WaveComponent| 0.5 * own.amplitude * own.amplitude;
        let all: f64 = sea.iter().map(energy).sum();
        let slow = sea.iter().filter(|own| own.angular_frequency < TAU / 10.0);
        let below: f64 = slow.map(energy).sum();
        let integral = |x: f64| math::exp(-1.25 * x.powi(-4));
        let expected = (integral(1.0) - integral(0.5)) / (integral(3.0) - integral(0.5));
        // Frequencies at random within bands: a few parts in a thousand.
        assert!((below / all - expected).abs() < 3e-3, "{below} {expected}");
    }

    #[test]
    fn energy_falls_at_its_rate_and_momentum_goes_to_the_ice() {
        let waves = Waves {
            attenuation: Some(Attenuation {
                rate: 1e-3,
                edge: DVec2::new(100.0, 0.0),
            }),
            ..regular(0.4, 8.0)
        };
        let largest = |x: f64| {
            let times = (0..800).map(|k| 0.01 * f64::from(k));
            let elevations = times.map(|t| waves.at(DVec2::new(x, 0.0), t).elevation);
            elevations.fold(0.0, f64::max)
        };
        assert!((largest(0.0) - 0.4).abs() < 1e-5);
        // A kilometre: energy by e, amplitude by √e.
        assert!((largest(1100.0) - 0.4 * math::exp(-0.5)).abs() < 1e-5);
        let force = waves.at(DVec2::new(1100.0, 0.0), 0.0).mean_force.x;
        let energy = 0.5 * GRAVITY * 0.4 * 0.4 * math::exp(-1.0);
        assert!((force - 0.5 * 1e-3 * energy).abs() < 1e-12);
        assert_eq!(waves.at(DVec2::ZERO, 0.0).mean_force, DVec2::ZERO);
    }

    #[test]
    fn the_bending_strain_is_that_of_the_curvature() {
        let waves = regular(0.5, 10.0);
        let wavenumber = waves.components[0].wavenumber();
        let strain = waves.bending_strain(DVec2::ZERO, 2.0);
        assert!((strain - wavenumber * wavenumber * 0.5).abs() < 1e-15);
    }
}
