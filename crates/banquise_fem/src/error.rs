//! What can be wrong with the input of a model.

use banquise_geometry::GeometryError;

/// Why a plate or floe cannot be meshed.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum MeshError {
    /// The boundary is not a simple polygon.
    #[error("the boundary cannot be meshed: {0}")]
    Boundary(#[from] GeometryError),
    /// A setting is outside its range.
    #[error("{name} is {value}: it must be {expected}\nhint: {hint}")]
    Setting {
        /// Which one.
        name: &'static str,
        /// Its value.
        value: f64,
        /// What it may be.
        expected: &'static str,
        /// The way out.
        hint: &'static str,
    },
    /// The triangulation refused a point.
    #[error(
        "the point {point:?} cannot be triangulated: {reason}\nhint: keep coordinates in metres, near the origin"
    )]
    Triangulation {
        /// Coordinates \[m\].
        point: [f64; 2],
        /// What the triangulation said.
        reason: String,
    },
}

impl MeshError {
    /// Refuses a value that is not finite and positive.
    pub(crate) fn check_positive(
        name: &'static str,
        value: f64,
        hint: &'static str,
    ) -> Result<(), Self> {
        if value.is_finite() && value > 0.0 {
            return Ok(());
        }
        Err(Self::Setting {
            name,
            value,
            expected: "finite and positive",
            hint,
        })
    }
}
