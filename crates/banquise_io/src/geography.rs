//! Where the plane of a run lies on the Earth: longitude and latitude to metres and back.
//!
//! The plane touches the ellipsoid WGS 84 at the origin of the scenario; x runs to the east there,
//! y to the north. The map is the oblique stereographic projection (Snyder 1987, *Map projections:
//! a working manual*, p. 157–161, scale 1 at the origin): angles are true everywhere, lengths at
//! the origin, and 100 km from it they are 6 parts in 100,000 too long.

use std::f64::consts::{FRAC_PI_2, FRAC_PI_4, PI, TAU};

use banquise_geometry::{DVec2, math};

/// Equatorial radius of WGS 84 \[m\].
const EQUATORIAL_RADIUS: f64 = 6_378_137.0;
/// Flattening of WGS 84.
const FLATTENING: f64 = 1.0 / 298.257_223_563;
/// Rounds to find a latitude from a conformal one; each gains two to three digits.
const LATITUDE_ROUNDS: usize = 8;

/// A place on the Earth.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LonLat {
    /// East positive \[rad\].
    pub longitude: f64,
    /// Geodetic, north positive \[rad\].
    pub latitude: f64,
}

impl LonLat {
    /// From degrees east and north.
    pub fn from_degrees(longitude: f64, latitude: f64) -> Self {
        Self {
            longitude: longitude.to_radians(),
            latitude: latitude.to_radians(),
        }
    }

    /// Degrees east, from −180 to 180, and north.
    pub fn to_degrees(self) -> [f64; 2] {
        let turns = ((self.longitude + PI) / TAU).floor();
        let longitude = self.longitude - turns * TAU;
        [longitude.to_degrees(), self.latitude.to_degrees()]
    }

    /// Whether both are numbers.
    pub fn is_finite(self) -> bool {
        self.longitude.is_finite() && self.latitude.is_finite()
    }

    /// The place half-way to another one, and the displacement \[m\], eastward and northward there.
    pub fn displacement_to(self, other: Self) -> (Self, DVec2) {
        let here = LocalFrame::new(self);
        let middle = here.to_earth(0.5 * here.to_plane(other));
        let frame = LocalFrame::new(middle);
        (middle, frame.to_plane(other) - frame.to_plane(self))
    }
}

/// The plane of a run and where it touches the Earth.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LocalFrame {
    origin: LonLat,
    /// Sine and cosine of the conformal latitude of the origin.
    sin: f64,
    cos: f64,
    /// Radius of the sphere on which angles are kept \[m\].
    radius: f64,
}

impl LocalFrame {
    /// The plane that touches the Earth at `origin`.
    pub fn new(origin: LonLat) -> Self {
        let (sin, cos) = conformal(origin.latitude);
        Self {
            origin,
            sin,
            cos,
            radius: EQUATORIAL_RADIUS * parallel_ratio(origin.latitude, cos),
        }
    }

    /// The origin of the plane.
    pub fn origin(&self) -> LonLat {
        self.origin
    }

    /// The point of the plane \[m\] at a place; meant for places on the same side of the Earth.
    pub fn to_plane(&self, place: LonLat) -> DVec2 {
        let ray = self.ray(place);
        let scale = 2.0 * self.radius / (1.0 + ray.up);
        DVec2::new(scale * ray.east, scale * ray.north)
    }

    /// The place at a point of the plane \[m\].
    pub fn to_earth(&self, point: DVec2) -> LonLat {
        let (u, v) = (point.x / (2.0 * self.radius), point.y / (2.0 * self.radius));
        let square = u * u + v * v;
        // The unit vector from the centre of the sphere, along east, north and up of the origin.
        let norm = 1.0 / (1.0 + square);
        let (east, north, up) = (2.0 * u * norm, 2.0 * v * norm, (1.0 - square) * norm);
        let polar = self.sin * up + self.cos * north;
        let outward = self.cos * up - self.sin * north;
        LonLat {
            longitude: self.origin.longitude + math::atan2(east, outward),
            latitude: geodetic(math::atan2(polar, math::hypot(east, outward))),
        }
    }

    /// The unit vector of the plane that points east at a place; north is a quarter turn to its left.
    pub fn east_at(&self, place: LonLat) -> DVec2 {
        let ray = self.ray(place);
        let (sin, cos) = math::sin_cos(place.longitude - self.origin.longitude);
        // The derivative of the map by longitude.
        let share = self.cos * sin / (1.0 + ray.up);
        DVec2::new(cos + share * ray.east, self.sin * sin + share * ray.north).normalize()
    }

    /// A vector of the plane, eastward and northward at a place.
    pub fn east_north_at(&self, place: LonLat, vector: DVec2) -> DVec2 {
        let east = self.east_at(place);
        DVec2::new(east.dot(vector), east.perp_dot(vector))
    }

    /// A vector that is eastward and northward at a place, in the plane.
    pub fn in_plane_at(&self, place: LonLat, vector: DVec2) -> DVec2 {
        let east = self.east_at(place);
        vector.x * east + vector.y * east.perp()
    }

    /// The direction of a place from the centre of the sphere.
    fn ray(&self, place: LonLat) -> Ray {
        let (sin, cos) = conformal(place.latitude);
        let (sin_turn, cos_turn) = math::sin_cos(place.longitude - self.origin.longitude);
        Ray {
            east: cos * sin_turn,
            north: self.cos * sin - self.sin * cos * cos_turn,
            up: self.sin * sin + self.cos * cos * cos_turn,
        }
    }
}

/// A unit vector along east, north and up at the origin.
struct Ray {
    east: f64,
    north: f64,
    up: f64,
}

fn eccentricity() -> f64 {
    (FLATTENING * (2.0 - FLATTENING)).sqrt()
}

/// By what the tangent of half the co-latitude grows from the ellipsoid to the sphere.
fn conformal_factor(latitude: f64) -> f64 {
    let e = eccentricity();
    let s = e * math::sin(latitude);
    math::pow((1.0 + s) / (1.0 - s), 0.5 * e)
}

/// Sine and cosine of the conformal latitude (Snyder 3-1).
fn conformal(latitude: f64) -> (f64, f64) {
    // In terms of the nearer pole, so that a pole is a pole to the last digit.
    let sign = if latitude < 0.0 { -1.0 } else { 1.0 };
    let distance = FRAC_PI_2 - latitude.abs();
    let tangent = math::tan(0.5 * distance) * conformal_factor(latitude.abs());
    let norm = 1.0 / (1.0 + tangent * tangent);
    (
        sign * (1.0 - tangent * tangent) * norm,
        2.0 * tangent * norm,
    )
}

/// The latitude of a conformal latitude, by fixed-point rounds (Snyder 3-4).
fn geodetic(conformal: f64) -> f64 {
    let tangent = math::tan(FRAC_PI_4 + 0.5 * conformal.abs());
    let mut latitude = conformal.abs();
    for _ in 0..LATITUDE_ROUNDS {
        let inverse = 1.0 / (tangent * conformal_factor(latitude));
        latitude = FRAC_PI_2 - 2.0 * math::atan2(inverse, 1.0);
    }
    latitude.copysign(conformal)
}

/// Radius of the parallel over that of the same parallel on the unit sphere, m / cos χ (Snyder
/// 14-15); its limit at the poles.
fn parallel_ratio(latitude: f64, cos_conformal: f64) -> f64 {
    let e = eccentricity();
    let s = e * math::sin(latitude);
    let root = (1.0 - s * s).sqrt();
    if cos_conformal < 1e-9 {
        return 1.0 / (conformal_factor(latitude.abs()) * root);
    }
    math::cos(latitude) / (root * cos_conformal)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Origin and place \[degrees\], then point \[m\] and direction of east \[degrees\], by PROJ 9.
    #[rustfmt::skip]
    const KNOWN: [[f64; 7]; 9] = [
        [-61.9, 81.925, -60.0, 82.2, 28_794.746_557_036, 31_182.896_167_491, 1.881_563_131_97],
        [-61.9, 81.925, -75.0, 80.0, -251_991.160_391_864, -186_400.242_298_407, -12.938_457_341_17],
        [-61.9, 81.925, 100.0, 85.0, 175_537.805_557_378, 1_438_718.552_343_719, 161.788_482_712_96],
        [0.0, 90.0, 30.0, 88.0, 111_704.863_646_287, -193_478.499_287_923, 30.0],
        [0.0, 90.0, -120.0, 85.0, -483_943.874_906_675, 279_405.126_450_039, -120.0],
        [10.0, -70.0, 12.0, -69.0, 80_010.302_149_251, 110_249.229_194_837, -1.871_889_986_14],
        [10.0, -70.0, -30.0, -75.0, -1_077_984.901_050_619, -932_691.926_788_943, 38.298_880_255_68],
        [0.0, 0.0, 1.0, 1.0, 111_313.951_068_425, 110_585.616_158_286, 0.008_668_675_69],
        [36.84, 80.21, 40.0, 81.0, 55_186.086_661_344, 89_718.107_737_681, 3.117_148_416_15],
    ];

    #[test]
    fn points_are_those_of_proj() {
        for [lon_0, lat_0, longitude, latitude, x, y, angle] in KNOWN {
            let frame = LocalFrame::new(LonLat::from_degrees(lon_0, lat_0));
            let place = LonLat::from_degrees(longitude, latitude);
            let found = frame.to_plane(place);
            // A micrometre in a thousand kilometres.
            assert!((found - DVec2::new(x, y)).length() < 1e-6, "{found}");
            let east = frame.east_at(place);
            // PROJ differentiates numerically.
            assert!((math::atan2(east.y, east.x).to_degrees() - angle).abs() < 1e-8);
        }
    }

    #[test]
    fn there_and_back_is_nowhere_else() {
        for [lon_0, lat_0, longitude, latitude, ..] in KNOWN {
            let frame = LocalFrame::new(LonLat::from_degrees(lon_0, lat_0));
            let there = frame.to_plane(LonLat::from_degrees(longitude, latitude));
            let back = frame.to_earth(there).to_degrees();
            // 1e-11 degrees are a micrometre.
            assert!((back[0] - longitude).abs() < 1e-11, "{back:?}");
            assert!((back[1] - latitude).abs() < 1e-11, "{back:?}");
        }
        let frame = LocalFrame::new(LonLat::from_degrees(10.0, 80.0));
        assert_eq!(frame.to_plane(frame.origin()), DVec2::ZERO);
        assert_eq!(frame.east_at(frame.origin()), DVec2::X);
    }

    #[test]
    fn longitudes_are_told_within_half_a_turn() {
        let [longitude, latitude] = LonLat::from_degrees(190.0, -5.0).to_degrees();
        assert!((longitude + 170.0).abs() < 1e-12);
        assert!((latitude + 5.0).abs() < 1e-12);
    }
}
