//! The one error type of the crate.

use thiserror::Error;

use crate::DVec2;

/// Error of a shape, or of a number that belongs to a shape.
///
/// Indices are those of the list the caller gave, before any repair or reversal. Edge `i` goes
/// from vertex `i` to the next one.
#[derive(Clone, Copy, Debug, Error, PartialEq)]
pub enum GeometryError {
    /// An outline needs at least three vertices.
    #[error("an outline needs at least 3 vertices, got {count}")]
    TooFewVertices {
        /// Number of distinct vertices.
        count: usize,
    },
    /// A coordinate is NaN or infinite.
    #[error("vertex {index} {point} is not finite")]
    NonFiniteVertex {
        /// Index of the vertex.
        index: usize,
        /// The vertex \[m\].
        point: DVec2,
    },
    /// A coordinate is beyond the range in which the geometry is exact.
    #[error("vertex {index} {point} lies more than {limit:e} m from an axis")]
    CoordinateTooLarge {
        /// Index of the vertex.
        index: usize,
        /// The vertex \[m\].
        point: DVec2,
        /// Largest magnitude allowed \[m\].
        limit: f64,
    },
    /// The last vertex repeats the first.
    #[error("the last vertex {index} {point} repeats vertex 0")]
    ClosingVertexRepeated {
        /// Index of the last vertex.
        index: usize,
        /// The vertex \[m\].
        point: DVec2,
    },
    /// Two vertices coincide.
    #[error("vertices {first} and {second} are the same point {point}")]
    RepeatedVertex {
        /// Index of the first of the two.
        first: usize,
        /// Index of the second.
        second: usize,
        /// The vertex \[m\].
        point: DVec2,
    },
    /// An edge is too short for its direction to mean anything.
    #[error("edge {index} from {start} is {length:e} m long, less than {limit:e} m")]
    EdgeTooShort {
        /// Index of the edge.
        index: usize,
        /// Where the edge starts \[m\].
        start: DVec2,
        /// Its length \[m\].
        length: f64,
        /// Smallest length allowed \[m\].
        limit: f64,
    },
    /// A vertex lies on the straight line between its neighbours.
    #[error("vertex {index} {point} lies on the straight line between its neighbours")]
    StraightVertex {
        /// Index of the vertex.
        index: usize,
        /// The vertex \[m\].
        point: DVec2,
    },
    /// The boundary folds back on itself at a vertex.
    #[error("the outline folds back on itself at vertex {index} {point}")]
    SpikeVertex {
        /// Index of the vertex.
        index: usize,
        /// The vertex \[m\].
        point: DVec2,
    },
    /// Two edges cross or touch.
    #[error("edges {first} (from {first_start}) and {second} (from {second_start}) cross or touch")]
    EdgesCross {
        /// Index of the first edge.
        first: usize,
        /// Index of the second edge.
        second: usize,
        /// Where the first edge starts \[m\].
        first_start: DVec2,
        /// Where the second edge starts \[m\].
        second_start: DVec2,
    },
    /// The outline encloses almost nothing for its perimeter.
    #[error("area {area:e} m² is too small for a perimeter of {perimeter:e} m")]
    AreaTooSmall {
        /// Area enclosed \[m²\].
        area: f64,
        /// Length of the boundary \[m\].
        perimeter: f64,
    },
    /// A radius is not a length a floe can have.
    #[error("radius {radius} m is not between {min:e} m and {max:e} m")]
    InvalidRadius {
        /// The radius given \[m\].
        radius: f64,
        /// Smallest allowed \[m\].
        min: f64,
        /// Largest allowed \[m\].
        max: f64,
    },
    /// A regular polygon has an impossible number of sides.
    #[error("a regular polygon of {sides} sides: between {min} and {max} are possible")]
    InvalidSides {
        /// The number given.
        sides: usize,
        /// Smallest allowed.
        min: usize,
        /// Largest allowed.
        max: usize,
    },
    /// A scale factor is zero, negative or not finite.
    #[error("scale factor {factor} is not a positive number")]
    InvalidScale {
        /// The factor given.
        factor: f64,
    },
    /// There is not one density for each element.
    #[error("{given} densities given for a mesh of {elements} elements")]
    DensityCountMismatch {
        /// Elements of the mesh.
        elements: usize,
        /// Densities given.
        given: usize,
    },
    /// An areal density is zero, negative or not finite.
    #[error("areal density {value} kg m⁻² of element {index} is not a positive number")]
    InvalidDensity {
        /// Index of the element.
        index: usize,
        /// The density given \[kg m⁻²\].
        value: f64,
    },
}

impl GeometryError {
    /// Hint to the user: how to avoid the error.
    pub fn hint(&self) -> &'static str {
        match self {
            Self::TooFewVertices { .. } => "give three distinct vertices or more",
            Self::NonFiniteVertex { .. } => {
                "look for a missing value in the file or a division by zero"
            }
            Self::CoordinateTooLarge { .. } => "give metres from an origin near the domain",
            Self::ClosingVertexRepeated { .. } => {
                "leave the last vertex out: the outline closes itself"
            }
            Self::RepeatedVertex { .. } => {
                "remove one of the two vertices, or cut the outline in two where it pinches"
            }
            Self::EdgeTooShort { .. } => {
                "merge the two ends of the edge, or check the unit of length"
            }
            Self::StraightVertex { .. } => "remove the vertex",
            Self::SpikeVertex { .. } => "remove the tip of the spike",
            Self::EdgesCross { .. } => {
                "list the vertices in their order along the boundary; one floe has one simple outline"
            }
            Self::AreaTooSmall { .. } => "check the unit of length; a floe cannot be a sliver",
            Self::InvalidRadius { .. } => "check the unit of the radius",
            Self::InvalidSides { .. } => "use a disc for a smooth round floe",
            Self::InvalidScale { .. } => "give a factor greater than zero",
            Self::DensityCountMismatch { .. } => {
                "give one density for each element, in their order"
            }
            Self::InvalidDensity { .. } => "density times thickness must be greater than zero",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_message_names_the_vertex_and_its_coordinates() {
        let error = GeometryError::SpikeVertex {
            index: 4,
            point: DVec2::new(1.5, -2.0),
        };
        assert_eq!(
            error.to_string(),
            "the outline folds back on itself at vertex 4 [1.5, -2]"
        );
        assert_eq!(error.hint(), "remove the tip of the spike");
    }
}
