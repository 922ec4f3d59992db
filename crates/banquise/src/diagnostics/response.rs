//! Response of ice drift to the wind: wind factor and turning angle.

use banquise_geometry::{DVec2, math};

/// Speed and direction of a drift against the wind.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Response {
    /// Speed of the ice over that of the wind [–].
    pub factor: f64,
    /// Angle from the wind to the drift, to the right \[rad\], in ]−π, π].
    pub angle: f64,
}

/// The drift at one moment; `None` in a calm.
pub fn response(ice: DVec2, wind: DVec2) -> Option<Response> {
    let speed = wind.length();
    (speed > 0.0).then(|| Response {
        factor: ice.length() / speed,
        angle: math::atan2(-wind.perp_dot(ice), wind.dot(ice)),
    })
}

/// The response c that fits a whole drift best, u = c Uₐ with complex c, by least squares, and the share of
/// Σ|u|² it accounts for (Thorndike & Colony 1982, J. Geophys. Res. 87, 5845–5852, doi:10.1029/JC087iC08p05845). `None` where it
/// was calm all the time or nothing moved.
pub fn fit_response(ice: &[DVec2], wind: &[DVec2]) -> Option<(Response, f64)> {
    let (mut along, mut across, mut winds, mut drifts) = (0.0, 0.0, 0.0, 0.0);
    for (ice, wind) in ice.iter().zip(wind) {
        along += wind.dot(*ice);
        across += wind.perp_dot(*ice);
        winds += wind.length_squared();
        drifts += ice.length_squared();
    }
    if winds == 0.0 || drifts == 0.0 {
        return None;
    }
    let fitted = math::hypot(along, across);
    let response = Response {
        factor: fitted / winds,
        angle: math::atan2(-across, along),
    };
    Some((response, fitted * fitted / (winds * drifts)))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Turned to the right by an angle.
    fn right(vector: DVec2, angle: f64) -> DVec2 {
        DVec2::from_angle(-angle).rotate(vector)
    }

    #[test]
    fn a_turned_wind_is_found_again() {
        let winds: Vec<DVec2> = (0..50)
            .map(|k| DVec2::from_angle(0.3 * f64::from(k)) * (5.0 + f64::from(k % 7)))
            .collect();
        for angle in [-2.0, 0.0, 0.4, 3.0] {
            let drifts: Vec<DVec2> = winds.iter().map(|&w| 0.02 * right(w, angle)).collect();
            let one = response(drifts[3], winds[3]).unwrap();
            let (all, share) = fit_response(&drifts, &winds).unwrap();
            for found in [one, all] {
                assert!((found.factor - 0.02).abs() < 1e-15, "{}", found.factor);
                assert!((found.angle - angle).abs() < 1e-12, "{}", found.angle);
            }
            assert!((share - 1.0).abs() < 1e-12);
        }
    }

    #[test]
    fn a_drift_with_no_wind_in_it_is_not_accounted_for() {
        let winds = [DVec2::X, DVec2::Y, DVec2::NEG_X, DVec2::NEG_Y];
        let (_, share) = fit_response(&[DVec2::X; 4], &winds).unwrap();
        assert!(share < 1e-30, "{share}");
        assert_eq!(fit_response(&[DVec2::X], &[DVec2::ZERO]), None);
        assert_eq!(response(DVec2::X, DVec2::ZERO), None);
    }
}
