//! Dispersion of the floes of a pack about its centre.

use banquise_geometry::DVec2;

/// Centre of mass of a pack \[m\].
pub fn mass_center(masses: &[f64], positions: &[DVec2]) -> DVec2 {
    let weighted: DVec2 = masses.iter().zip(positions).map(|(&m, &x)| m * x).sum();
    weighted / masses.iter().sum::<f64>()
}

/// Dispersion σ = √(Σ |Gᵢ − 𝔊|² / n) \[m\]: floes count one by one, about the centre of mass 𝔊 of the pack
/// (Rabatel 2015, section 3.2.2; specification E-36). Positions are unwrapped.
pub fn dispersion(masses: &[f64], positions: &[DVec2]) -> f64 {
    let center = mass_center(masses, positions);
    let squares = positions.iter().map(|x| (*x - center).length_squared());
    (squares.sum::<f64>() / positions.len() as f64).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ring_is_dispersed_by_its_radius_whatever_the_masses_allow() {
        let ring: Vec<DVec2> = (0..12)
            .map(|k| {
                let angle = f64::from(k) * std::f64::consts::TAU / 12.0;
                DVec2::new(100.0, -50.0) + 7.0 * DVec2::from_angle(angle)
            })
            .collect();
        assert!((dispersion(&[3.0; 12], &ring) - 7.0).abs() < 1e-12);
    }

    #[test]
    fn the_centre_is_that_of_the_mass_and_the_mean_that_of_the_floes() {
        let ends = [DVec2::ZERO, DVec2::new(4.0, 0.0)];
        assert_eq!(mass_center(&[3.0, 1.0], &ends), DVec2::new(1.0, 0.0));
        assert_eq!(dispersion(&[3.0, 1.0], &ends), 5.0_f64.sqrt());
    }
}
