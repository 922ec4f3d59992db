//! Kinetic energy, and what it would be in free drift.

use banquise_geometry::DVec2;

use crate::motion::Velocity;

/// ½ Σ (m |v|² + I ω²) \[J\] (Rabatel 2015, eq. 1.1.3), of masses \[kg\] and moments of inertia [kg m²].
pub fn kinetic_energy(masses: &[f64], inertias: &[f64], velocities: &[Velocity]) -> f64 {
    let bodies = masses.iter().zip(inertias).zip(velocities);
    bodies
        .map(|((mass, inertia), velocity)| {
            let spin = velocity.angular * velocity.angular;
            0.5 * (mass * velocity.linear.length_squared() + inertia * spin)
        })
        .sum()
}

/// The velocity Na Uₐ + Uₒ at which wind and water balance on a floe, without Coriolis [m/s]
/// (Rabatel 2015, eq. 1.2.2), with Na the Nansen number.
pub fn free_drift(nansen_number: f64, wind: DVec2, water: DVec2) -> DVec2 {
    nansen_number * wind + water
}

/// ½ Σ m |v|² \[J\] if all these masses \[kg\] went at one velocity: the upper limit of the energy of a pack in
/// free drift; and the lower one of a jam, for the masses of the floes that are not held.
pub fn common_energy(masses: impl Iterator<Item = f64>, velocity: DVec2) -> f64 {
    0.5 * masses.sum::<f64>() * velocity.length_squared()
}

/// Whether a floe is held: slower than `share` of free drift.
pub fn is_held(velocity: DVec2, free_drift: DVec2, share: f64) -> bool {
    velocity.length() < share * free_drift.length()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_channel_of_ice_has_the_published_limit() {
        // Rabatel 2015, section 3.2.1: 10 m/s of wind, 7.79e5 m² of ice 1 m thick, 1.59e7 J.
        let drift = free_drift(0.0211, DVec2::new(0.0, -10.0), DVec2::ZERO);
        let energy = common_energy([917.0 * 7.79e5].into_iter(), drift);
        assert!((energy / 1.59e7 - 1.0).abs() < 1e-3, "{energy}");
    }

    #[test]
    fn spin_counts() {
        let velocity = Velocity {
            linear: DVec2::new(3.0, 4.0),
            angular: 2.0,
        };
        assert_eq!(kinetic_energy(&[2.0], &[10.0], &[velocity]), 25.0 + 20.0);
        let drift = DVec2::new(10.0, 0.0);
        assert!(is_held(velocity.linear, drift, 0.6) && !is_held(velocity.linear, drift, 0.4));
    }
}
