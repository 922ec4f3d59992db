//! Longitude and latitude from the coordinates of a projected grid (CF conventions, appendix F).
//!
//! Stereographic about a pole and Lambert's conic are one formula: ρ = a F tⁿ, θ = n (λ − λ₀), with t the
//! tangent of half the conformal co-latitude (Snyder 1987, p. 104–110 and 160–162).

use std::f64::consts::{FRAC_PI_2, FRAC_PI_4};

use banquise_geometry::{DVec2, math};
use netcdf_reader::NcVariable;

use super::WeatherError;
use crate::geography::LonLat;

/// Radius of the Earth where a file does not tell \[m\]; what most weather models take.
const SPHERE: f64 = 6.371e6;
/// Rounds to find a latitude from its conformal one.
const ROUNDS: usize = 10;

/// A projection, to be undone.
#[derive(Debug, Clone, Copy)]
pub(super) enum Projection {
    /// A cone or a plane about a pole.
    Conic {
        /// Sine of the cone: 1 for the plane. Negative about the south pole.
        cone: f64,
        /// ρ where t = 1 \[m\].
        radius: f64,
        /// ρ of the origin of the coordinates \[m\].
        offset: f64,
        /// Longitude of the y axis \[rad\].
        meridian: f64,
        /// False easting and northing, subtracted from the coordinates \[m\].
        shift: DVec2,
        /// Eccentricity of the ellipsoid.
        eccentricity: f64,
    },
    /// Longitude and latitude about another pole.
    RotatedPole {
        /// That pole.
        pole: LonLat,
        /// Longitude of the true pole in the rotated frame \[rad\].
        north_pole_longitude: f64,
    },
}

impl Projection {
    /// The projection that a grid mapping variable describes.
    pub(super) fn read(mapping: &NcVariable) -> Result<Self, WeatherError> {
        let text = |name| {
            let attribute = mapping.attribute(name);
            attribute.and_then(|attribute| attribute.value.as_string())
        };
        let list = |name| {
            let attribute = mapping.attribute(name);
            attribute.and_then(|attribute| attribute.value.as_f64_vec())
        };
        let number = |name: &'static str| list(name).and_then(|values| values.first().copied());
        let need =
            |name: &'static str| number(name).ok_or(WeatherError::MappingLacks { attribute: name });
        let name = text("grid_mapping_name").unwrap_or_default();
        let ellipsoid = Ellipsoid::read(&number);
        let shift = DVec2::new(
            number("false_easting").unwrap_or(0.0),
            number("false_northing").unwrap_or(0.0),
        );
        match name.as_str() {
            "polar_stereographic" => {
                let pole = need("latitude_of_projection_origin")?;
                let meridian = match number("straight_vertical_longitude_from_pole") {
                    Some(meridian) => meridian,
                    None => need("longitude_of_projection_origin")?,
                };
                let scale = match number("standard_parallel") {
                    Some(parallel) => Scale::Parallel(parallel.to_radians()),
                    None => Scale::AtPole(need("scale_factor_at_projection_origin")?),
                };
                Ok(polar(
                    ellipsoid,
                    pole.signum(),
                    meridian.to_radians(),
                    scale,
                    shift,
                ))
            }
            "lambert_conformal_conic" => {
                let parallels = list("standard_parallel").unwrap_or_default();
                let (Some(&first), Some(&second)) = (parallels.first(), parallels.last()) else {
                    let attribute = "standard_parallel";
                    return Err(WeatherError::MappingLacks { attribute });
                };
                let origin = need("latitude_of_projection_origin")?.to_radians();
                let meridian = need("longitude_of_central_meridian")?.to_radians();
                let parallels = [first.to_radians(), second.to_radians()];
                Ok(lambert(ellipsoid, parallels, origin, meridian, shift))
            }
            "rotated_latitude_longitude" => Ok(Self::RotatedPole {
                pole: LonLat::from_degrees(
                    need("grid_north_pole_longitude")?,
                    need("grid_north_pole_latitude")?,
                ),
                north_pole_longitude: number("north_pole_grid_longitude")
                    .unwrap_or(0.0)
                    .to_radians(),
            }),
            _ => Err(WeatherError::Mapping { name }),
        }
    }

    /// The place at a point \[m\], or at rotated longitude and latitude \[rad\].
    pub(super) fn to_earth(self, point: DVec2) -> LonLat {
        match self {
            Self::Conic {
                cone,
                radius,
                offset,
                meridian,
                shift,
                eccentricity,
            } => {
                let sign = cone.signum();
                let point = point - shift;
                let arm = sign * DVec2::new(point.x, offset - point.y);
                let tangent = math::pow(arm.length() / radius.abs(), 1.0 / cone.abs());
                LonLat {
                    longitude: meridian + math::atan2(arm.x, arm.y) / cone,
                    latitude: sign * latitude_of(tangent, eccentricity),
                }
            }
            Self::RotatedPole {
                pole,
                north_pole_longitude,
            } => {
                let (sin, cos) = math::sin_cos(point.y);
                let (sin_turn, cos_turn) = math::sin_cos(point.x - north_pole_longitude);
                let (sin_pole, cos_pole) = math::sin_cos(pole.latitude);
                let up = sin_pole * sin + cos_pole * cos * cos_turn;
                let toward = cos_pole * sin - sin_pole * cos * cos_turn;
                LonLat {
                    longitude: pole.longitude + math::atan2(-cos * sin_turn, toward),
                    latitude: math::asin(up.clamp(-1.0, 1.0)),
                }
            }
        }
    }
}

/// The figure of the Earth.
#[derive(Clone, Copy)]
struct Ellipsoid {
    axis: f64,
    eccentricity: f64,
}

impl Ellipsoid {
    fn read(number: &dyn Fn(&'static str) -> Option<f64>) -> Self {
        let axis = number("semi_major_axis")
            .or_else(|| number("earth_radius"))
            .unwrap_or(SPHERE);
        let flattening = match (number("inverse_flattening"), number("semi_minor_axis")) {
            (Some(inverse), _) if inverse > 0.0 => 1.0 / inverse,
            (_, Some(minor)) => 1.0 - minor / axis,
            _ => 0.0,
        };
        Self {
            axis,
            eccentricity: (flattening * (2.0 - flattening)).max(0.0).sqrt(),
        }
    }

    /// Radius of a parallel over the equatorial axis (Snyder 14-15).
    fn parallel(self, latitude: f64) -> f64 {
        let s = self.eccentricity * math::sin(latitude);
        math::cos(latitude) / (1.0 - s * s).sqrt()
    }

    /// Tangent of half the conformal co-latitude (Snyder 15-9).
    fn tangent(self, latitude: f64) -> f64 {
        math::tan(FRAC_PI_4 - 0.5 * latitude) * factor(latitude, self.eccentricity)
    }
}

fn factor(latitude: f64, eccentricity: f64) -> f64 {
    let s = eccentricity * math::sin(latitude);
    math::pow((1.0 + s) / (1.0 - s), 0.5 * eccentricity)
}

/// The latitude of a tangent, by fixed-point rounds (Snyder 7-9).
fn latitude_of(tangent: f64, eccentricity: f64) -> f64 {
    let mut latitude = FRAC_PI_2 - 2.0 * math::atan2(tangent, 1.0);
    for _ in 0..ROUNDS {
        let shrunk = tangent / factor(latitude, eccentricity);
        latitude = FRAC_PI_2 - 2.0 * math::atan2(shrunk, 1.0);
    }
    latitude
}

/// Where a polar projection is true to scale.
#[derive(Clone, Copy)]
enum Scale {
    Parallel(f64),
    AtPole(f64),
}

fn polar(ellipsoid: Ellipsoid, sign: f64, meridian: f64, scale: Scale, shift: DVec2) -> Projection {
    let e = ellipsoid.eccentricity;
    let growth = match scale {
        Scale::Parallel(parallel) if parallel.abs() < FRAC_PI_2 - 1e-9 => {
            ellipsoid.parallel(parallel) / ellipsoid.tangent(sign * parallel)
        }
        Scale::Parallel(_) => at_pole(e),
        Scale::AtPole(scale) => scale * at_pole(e),
    };
    Projection::Conic {
        cone: sign,
        radius: sign * ellipsoid.axis * growth,
        offset: 0.0,
        meridian,
        shift,
        eccentricity: e,
    }
}

/// ρ / (a t) of a polar projection true to scale at the pole (Snyder 21-33).
fn at_pole(e: f64) -> f64 {
    2.0 / (math::pow(1.0 + e, 1.0 + e) * math::pow(1.0 - e, 1.0 - e)).sqrt()
}

fn lambert(
    ellipsoid: Ellipsoid,
    [first, second]: [f64; 2],
    origin: f64,
    meridian: f64,
    shift: DVec2,
) -> Projection {
    let (m, t) = (ellipsoid.parallel(first), ellipsoid.tangent(first));
    let cone = if (first - second).abs() < 1e-10 {
        math::sin(first)
    } else {
        let (m_2, t_2) = (ellipsoid.parallel(second), ellipsoid.tangent(second));
        math::ln(m / m_2) / math::ln(t / t_2)
    };
    // In terms of the tangent from the cone's own pole, so that its power is positive.
    let near = |latitude: f64| ellipsoid.tangent(cone.signum() * latitude);
    let radius = ellipsoid.axis * m / (cone * math::pow(near(first), cone.abs()));
    Projection::Conic {
        cone,
        radius,
        offset: radius * math::pow(near(origin), cone.abs()),
        meridian,
        shift,
        eccentricity: ellipsoid.eccentricity,
    }
}

#[cfg(test)]
mod tests;
