//! The units people may write, and what each is in SI.

use std::f64::consts::PI;

/// Physical dimension of a quantity.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Dimension {
    /// A length \[m\].
    Length,
    /// An area \[m²\].
    Area,
    /// A duration \[s\].
    Time,
    /// A speed \[m s⁻¹\].
    Speed,
    /// An acceleration \[m s⁻²\].
    Acceleration,
    /// An angle, counter-clockwise \[rad\].
    Angle,
    /// A latitude, north positive, at most a quarter turn \[rad\].
    Latitude,
    /// A longitude, east positive, at most a full turn \[rad\].
    Longitude,
    /// An angular velocity \[rad s⁻¹\].
    AngularVelocity,
    /// A rate, such as the Coriolis parameter \[s⁻¹\].
    Rate,
    /// A mass \[kg\].
    Mass,
    /// A density \[kg m⁻³\].
    Density,
    /// A force \[N\].
    Force,
    /// A stress or a pressure \[Pa\].
    Stress,
    /// A force for each metre of width \[N m⁻¹\].
    LineForce,
    /// An energy for each unit of surface \[J m⁻²\].
    SurfaceEnergy,
    /// A kinematic viscosity \[m² s⁻¹\].
    Viscosity,
    /// A dynamic viscosity \[Pa s\].
    DynamicViscosity,
    /// An impulse \[N s\].
    Impulse,
    /// A damping, force for each unit of speed \[N s m⁻¹\].
    Damping,
    /// A rate along a way \[m⁻¹\].
    PerLength,
    /// A gradient of an acceleration \[s⁻²\].
    SquaredRate,
}

impl Dimension {
    /// The name with its article, as used in messages.
    pub fn name(self) -> &'static str {
        match self {
            Self::Length => "a length",
            Self::Area => "an area",
            Self::Time => "a duration",
            Self::Speed => "a speed",
            Self::Acceleration => "an acceleration",
            Self::Angle => "an angle",
            Self::Latitude => "a latitude",
            Self::Longitude => "a longitude",
            Self::AngularVelocity => "an angular velocity",
            Self::Rate => "a rate",
            Self::Mass => "a mass",
            Self::Density => "a density",
            Self::Force => "a force",
            Self::Stress => "a stress",
            Self::LineForce => "a force per width",
            Self::SurfaceEnergy => "an energy per area",
            Self::Viscosity => "a viscosity",
            Self::DynamicViscosity => "a dynamic viscosity",
            Self::Impulse => "an impulse",
            Self::Damping => "a damping",
            Self::PerLength => "a rate per length",
            Self::SquaredRate => "an acceleration per length",
        }
    }

    /// The units accepted for this dimension, the usual one first.
    pub fn units(self) -> impl Iterator<Item = &'static str> {
        UNITS
            .iter()
            .filter(move |unit| unit.dimension == self)
            .map(|unit| unit.name)
    }
}

/// A unit: one of it is `times / over` SI units.
///
/// The factor is kept as a fraction because `35 / 100` is the `f64` nearest to 0.35 and `35 * 0.01`
/// is not: `"35 cm"` must give the same bits as `"0.35 m"`.
#[derive(Debug, Clone, Copy)]
pub(super) struct Unit {
    pub(super) name: &'static str,
    pub(super) dimension: Dimension,
    times: f64,
    over: f64,
}

impl Unit {
    /// The value in SI of that many of this unit.
    pub(super) fn to_si(self, value: f64) -> f64 {
        value * self.times / self.over
    }
}

/// The unit of that exact name.
pub(super) fn find_unit(name: &str) -> Option<Unit> {
    UNITS.iter().copied().find(|unit| unit.name == name)
}

const fn unit(name: &'static str, dimension: Dimension, times: f64, over: f64) -> Unit {
    Unit {
        name,
        dimension,
        times,
        over,
    }
}

/// The nautical mile is 1852 m and the knot one of it per hour (BIPM, SI brochure, 8th edition, table 8).
const NAUTICAL_MILE: f64 = 1852.0;
const HOUR: f64 = 3600.0;
const DAY: f64 = 86_400.0;

const UNITS: &[Unit] = &[
    unit("m", Dimension::Length, 1.0, 1.0),
    unit("km", Dimension::Length, 1000.0, 1.0),
    unit("cm", Dimension::Length, 1.0, 100.0),
    unit("mm", Dimension::Length, 1.0, 1000.0),
    unit("nmi", Dimension::Length, NAUTICAL_MILE, 1.0),
    unit("m^2", Dimension::Area, 1.0, 1.0),
    unit("km^2", Dimension::Area, 1e6, 1.0),
    unit("ha", Dimension::Area, 1e4, 1.0),
    unit("m2", Dimension::Area, 1.0, 1.0),
    unit("km2", Dimension::Area, 1e6, 1.0),
    unit("s", Dimension::Time, 1.0, 1.0),
    unit("min", Dimension::Time, 60.0, 1.0),
    unit("h", Dimension::Time, HOUR, 1.0),
    unit("d", Dimension::Time, DAY, 1.0),
    unit("day", Dimension::Time, DAY, 1.0),
    unit("days", Dimension::Time, DAY, 1.0),
    unit("week", Dimension::Time, 7.0 * DAY, 1.0),
    unit("weeks", Dimension::Time, 7.0 * DAY, 1.0),
    unit("m/s", Dimension::Speed, 1.0, 1.0),
    unit("km/h", Dimension::Speed, 1000.0, HOUR),
    unit("cm/s", Dimension::Speed, 1.0, 100.0),
    unit("kn", Dimension::Speed, NAUTICAL_MILE, HOUR),
    unit("m/s^2", Dimension::Acceleration, 1.0, 1.0),
    unit("m/s2", Dimension::Acceleration, 1.0, 1.0),
    unit("deg", Dimension::Angle, PI, 180.0),
    unit("rad", Dimension::Angle, 1.0, 1.0),
    unit("degN", Dimension::Latitude, PI, 180.0),
    unit("degS", Dimension::Latitude, -PI, 180.0),
    unit("degE", Dimension::Longitude, PI, 180.0),
    unit("degW", Dimension::Longitude, -PI, 180.0),
    unit("rad/s", Dimension::AngularVelocity, 1.0, 1.0),
    unit("deg/s", Dimension::AngularVelocity, PI, 180.0),
    unit("deg/h", Dimension::AngularVelocity, PI, 180.0 * HOUR),
    unit("1/s", Dimension::Rate, 1.0, 1.0),
    unit("/s", Dimension::Rate, 1.0, 1.0),
    unit("s^-1", Dimension::Rate, 1.0, 1.0),
    unit("kg", Dimension::Mass, 1.0, 1.0),
    unit("t", Dimension::Mass, 1000.0, 1.0),
    unit("g", Dimension::Mass, 1.0, 1000.0),
    unit("kg/m^3", Dimension::Density, 1.0, 1.0),
    unit("kg/m3", Dimension::Density, 1.0, 1.0),
    unit("N", Dimension::Force, 1.0, 1.0),
    unit("kN", Dimension::Force, 1e3, 1.0),
    unit("MN", Dimension::Force, 1e6, 1.0),
    unit("Pa", Dimension::Stress, 1.0, 1.0),
    unit("kPa", Dimension::Stress, 1e3, 1.0),
    unit("MPa", Dimension::Stress, 1e6, 1.0),
    unit("GPa", Dimension::Stress, 1e9, 1.0),
    unit("MN/m", Dimension::LineForce, 1e6, 1.0),
    unit("kN/m", Dimension::LineForce, 1e3, 1.0),
    unit("N/m", Dimension::LineForce, 1.0, 1.0),
    unit("J/m^2", Dimension::SurfaceEnergy, 1.0, 1.0),
    unit("J/m2", Dimension::SurfaceEnergy, 1.0, 1.0),
    unit("m^2/s", Dimension::Viscosity, 1.0, 1.0),
    unit("m2/s", Dimension::Viscosity, 1.0, 1.0),
    unit("Pa s", Dimension::DynamicViscosity, 1.0, 1.0),
    unit("mPa s", Dimension::DynamicViscosity, 1.0, 1e3),
    unit("N s", Dimension::Impulse, 1.0, 1.0),
    unit("kN s", Dimension::Impulse, 1e3, 1.0),
    unit("kN s/m", Dimension::Damping, 1e3, 1.0),
    unit("N s/m", Dimension::Damping, 1.0, 1.0),
    unit("kg/s", Dimension::Damping, 1.0, 1.0),
    unit("/m", Dimension::PerLength, 1.0, 1.0),
    unit("1/m", Dimension::PerLength, 1.0, 1.0),
    unit("/km", Dimension::PerLength, 1.0, 1e3),
    unit("/s2", Dimension::SquaredRate, 1.0, 1.0),
    unit("1/s2", Dimension::SquaredRate, 1.0, 1.0),
    unit("/s^2", Dimension::SquaredRate, 1.0, 1.0),
];
