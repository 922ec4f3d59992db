//! Tidal currents as ellipses, one for each harmonic constituent.
//!
//! U(t) = e^(iθ) (a cos(ωt − g) + i b sin(ωt − g)) as a complex number: the tip goes round an ellipse with the semi-axes a and b, whose major axis has
//! the inclination θ; b > 0 is counter-clockwise (Foreman 1978, Manual for tidal currents analysis).

use std::f64::consts::TAU;

use banquise_geometry::{DVec2, math};

/// One constituent of a tidal current, the same everywhere.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TidalConstituent {
    /// Period 2π/ω \[s\].
    pub period: f64,
    /// Semi-major axis a [m/s].
    pub major: f64,
    /// Semi-minor axis b [m/s]; negative where the current turns clockwise.
    pub minor: f64,
    /// Inclination of the major axis θ, counter-clockwise from east \[rad\].
    pub inclination: f64,
    /// Phase g: the current is largest along the major axis when ωt = g \[rad\].
    pub phase: f64,
}

impl TidalConstituent {
    /// Names and periods \[h\] of common constituents (Pugh 1987, Tides, Surges and Mean Sea-Level, table 4.1).
    pub const KNOWN: [(&'static str, f64); 10] = [
        ("M2", 12.420_601),
        ("S2", 12.0),
        ("N2", 12.658_348),
        ("K2", 11.967_234),
        ("K1", 23.934_470),
        ("O1", 25.819_342),
        ("P1", 24.065_890),
        ("Q1", 26.868_357),
        ("M4", 6.210_301),
        ("Mf", 327.858_98),
    ];

    /// The amplitudes C and S of U = C cos ωt + S sin ωt [m/s].
    pub fn amplitudes(&self) -> [DVec2; 2] {
        let (sin, cos) = math::sin_cos(self.phase);
        let (tilt_sin, tilt_cos) = math::sin_cos(self.inclination);
        let along = DVec2::new(tilt_cos, tilt_sin);
        let part = |along_major, along_minor| along.rotate(DVec2::new(along_major, along_minor));
        [
            part(self.major * cos, -self.minor * sin),
            part(self.major * sin, self.minor * cos),
        ]
    }

    /// The current at a time \[s\] [m/s].
    pub fn at(&self, time: f64) -> DVec2 {
        let (sin, cos) = math::sin_cos(TAU * (time / self.period).fract() - self.phase);
        let (tilt_sin, tilt_cos) = math::sin_cos(self.inclination);
        DVec2::new(tilt_cos, tilt_sin).rotate(DVec2::new(self.major * cos, self.minor * sin))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tip_goes_round_the_ellipse_in_its_sense() {
        let tide = TidalConstituent {
            period: 100.0,
            major: 0.3,
            minor: -0.1,
            inclination: 0.5 * std::f64::consts::PI,
            phase: 0.25 * TAU,
        };
        // Largest northward a quarter of a period after time zero, then clockwise: eastward.
        for (time, x, y) in [(25.0, 0.0, 0.3), (50.0, 0.1, 0.0), (175.0, 0.0, -0.3)] {
            let off = (tide.at(time) - DVec2::new(x, y)).length();
            assert!(off < 1e-15, "at {time}: {}", tide.at(time));
        }
    }

    #[test]
    fn amplitudes_of_cosine_and_sine_give_the_same_current() {
        let tide = TidalConstituent {
            period: 100.0,
            major: 0.3,
            minor: -0.1,
            inclination: 0.7,
            phase: 2.0,
        };
        let [cosine, sine] = tide.amplitudes();
        for time in [0.0, 13.0, 77.0] {
            let (sin, cos) = math::sin_cos(TAU * time / tide.period);
            let off = (cos * cosine + sin * sine - tide.at(time)).length();
            assert!(off < 1e-15, "at {time}: {off}");
        }
    }
}
