//! Requests of wind, current or tides from a file.

use super::astronomy::Equilibrium;
use super::calendar::DateTime;
use crate::geography::LocalFrame;

/// Kind of a field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FieldKind {
    /// Air, 10 m above the ice.
    Wind,
    /// Water, at the surface.
    Current,
}

/// Directions of the components of a vector.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Directions {
    /// East and north.
    Geographic,
    /// The axes of the grid.
    Grid,
}

/// Request of a field from a file.
#[derive(Debug, Clone)]
pub struct FieldRequest<'a> {
    /// Wind or current.
    pub kind: FieldKind,
    /// The variables of the two components; by their standard names where not given.
    pub variables: Option<[&'a str; 2]>,
    /// Directions of the components; by their standard names where not given.
    pub directions: Option<Directions>,
    /// Metres per second in the unit of the file, where its own is not to be used.
    pub unit: Option<f64>,
    /// Index in a third dimension, such as depth.
    pub level: Option<usize>,
    /// Treatment of gaps in the data.
    pub gaps: Gaps,
    /// The longest time between two data \[s\]; twice the usual one where not given.
    pub max_gap: Option<f64>,
    /// Date of time zero of the field.
    pub start: DateTime,
    /// How much time is needed from there \[s\].
    pub duration: f64,
    /// Where the plane lies.
    pub frame: LocalFrame,
}

/// Treatment of gaps in the data.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Gaps {
    /// A floe there stops the run.
    #[default]
    Refuse,
    /// The mean of the nearest nodes that have data holds there.
    Nearest,
}

/// Request of one constituent of the tide from a file.
#[derive(Debug, Clone)]
pub struct TideRequest<'a> {
    /// Period of the constituent \[s\].
    pub period: f64,
    /// The variables of its ellipses.
    pub variables: TideVariables<'a>,
    /// What the components are along, or inclinations are counted from.
    pub directions: Directions,
    /// Metres per second in the unit of the file, where its own is not to be used.
    pub speed_unit: Option<f64>,
    /// Radians in the unit of its angles, where its own is not to be used.
    pub angle_unit: Option<f64>,
    /// Index in a third dimension, such as that of the constituents.
    pub level: Option<usize>,
    /// Number of constituents that the third dimension must have, where they are listed.
    pub listed: Option<usize>,
    /// Treatment of gaps in the data.
    pub gaps: Gaps,
    /// Astronomical argument at time zero, behind which phases of the file lag, and the nodal factor of its amplitudes.
    pub equilibrium: Equilibrium,
    /// Where the plane lies.
    pub frame: LocalFrame,
}

/// Names of the four variables of a constituent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TideVariables<'a> {
    /// Semi-major axis, semi-minor axis (negative where the current turns clockwise), inclination, phase.
    Ellipse([&'a str; 4]),
    /// Amplitude and phase of the first component, amplitude and phase of the second.
    Components([&'a str; 4]),
}
