//! The largest step for which explicit drag is stable.
//!
//! Linear drag: the time in which a floe takes on the velocity of the water, σ / ρₒ κ; it then never overshoots.
//!
//! Quadratic drag: Rabatel 2015, section 2.1.2, eqs 2.1.3 to 2.1.5, with two corrections: the source leaves the
//! thickness out (its numbers hold for 1 m), so ρ is read as ρh, the mass per unit area; and its
//! bound is evaluated at twice the largest drift speed, which is what reproduces its printed
//! 28.8 s, where its text says once.

use super::DragSettings;
use crate::body::Bodies;

/// Inputs of the stability bound.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct StabilityInputs {
    /// Mass per unit area of the lightest floe [kg/m²].
    pub min_areal_density: f64,
    /// Largest wind speed of the run [m/s].
    pub max_wind: f64,
    /// Largest current speed of the run [m/s].
    pub max_current: f64,
    /// Largest speed of any point of a floe at the start [m/s].
    pub max_initial_speed: f64,
}

/// The source's safety factor on the bound for a varying forcing.
const SAFETY: f64 = 0.75;

/// The largest stable step \[s\]; infinite where nothing moves.
///
/// Speeds add up (Na |Uₐ| + |Uₒ|) whatever their directions: the vector sum can vanish for opposed
/// wind and current, where the bound of the source would then ask for a step of zero.
pub fn stable_step(drag: &DragSettings, inputs: &StabilityInputs) -> f64 {
    let StabilityInputs {
        min_areal_density,
        max_wind,
        max_current,
        max_initial_speed,
    } = *inputs;
    if let Some(factor) = drag.linear_factor() {
        return min_areal_density / factor;
    }
    let ocean_factor = drag.ocean_factor();
    let air_factor = drag.air_density * drag.air_drag_coefficient;
    let wind_drift = drag.nansen_number() * max_wind;
    let contraction = min_areal_density / (2.0 * max_wind * (air_factor * ocean_factor).sqrt());
    let speed = (2.0 * (wind_drift + max_current)).max(max_initial_speed);
    let deceleration = ocean_factor / min_areal_density
        * (wind_drift * wind_drift + (max_current + speed) * (max_current + speed));
    let overshoot = if speed > 0.0 {
        SAFETY * 2.0 * speed / deceleration
    } else {
        f64::INFINITY
    };
    contraction.min(overshoot)
}

/// The step beyond which explicit drag on a floe that moves through the water at `slip` [m/s] overshoots by more than it
/// corrects \[s\]: 2 m / (ρₒ Cₒ A |u|), or 2 m / (ρₒ κ A) with linear drag.
pub(crate) fn drag_limit(drag: &DragSettings, bodies: &Bodies, row: usize, slip: f64) -> f64 {
    if let Some(factor) = drag.linear_factor() {
        return 2.0 * bodies.masses()[row] / (factor * bodies.areas[row]);
    }
    let factor = drag.ocean_factor_of(&bodies.materials()[row]);
    2.0 * bodies.masses()[row] / (factor * bodies.areas[row] * slip)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bound(thickness: f64, max_wind: f64, max_current: f64) -> f64 {
        let inputs = StabilityInputs {
            min_areal_density: 917.0 * thickness,
            max_wind,
            max_current,
            max_initial_speed: 0.0,
        };
        stable_step(&DragSettings::default(), &inputs)
    }

    #[test]
    fn the_printed_bound_comes_out() {
        // Rabatel 2015 prints 28.8 s for 10 m/s of wind and 2 m/s of current.
        assert!((bound(1.0, 10.0, 2.0) - 28.8).abs() < 0.05);
    }

    #[test]
    fn a_quarter_of_the_thickness_is_a_quarter_of_the_step() {
        assert!((bound(0.25, 10.0, 2.0) - 0.25 * bound(1.0, 10.0, 2.0)).abs() < 1e-12);
    }

    #[test]
    fn wind_alone_is_bounded_by_the_contraction() {
        // Rabatel 2015, eq. 2.1.3: 424.4 s at 10 m/s.
        assert!((bound(1.0, 10.0, 0.0) - 424.38).abs() < 0.01);
    }

    #[test]
    fn linear_drag_is_bounded_by_its_relaxation_time() {
        let drag = DragSettings {
            linear_drag_velocity: Some(5e-4),
            ..DragSettings::default()
        };
        let inputs = StabilityInputs {
            min_areal_density: 917.0,
            max_wind: 30.0,
            max_current: 1.0,
            max_initial_speed: 2.0,
        };
        // 917 / (1024.071 · 5e-4), whatever the speeds.
        assert!((stable_step(&drag, &inputs) - 1790.89).abs() < 0.01);
    }

    #[test]
    fn without_motion_there_is_no_bound() {
        assert_eq!(bound(1.0, 0.0, 0.0), f64::INFINITY);
    }
}
