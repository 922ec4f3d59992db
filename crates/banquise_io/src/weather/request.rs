//! Requests of wind or current from a file.

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
