//! How a simulation was made: what its state does not say.

use std::path::{Path, PathBuf};

use pyo3::prelude::*;
use serde::{Deserialize, Serialize};

/// Where forcing and settings of a simulation come from: steps change neither, so that a state has none of them.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) enum Recipe {
    /// The scenario in the manifest, with its name and where the files are that it names.
    Scenario { name: String, folder: PathBuf },
    /// A world from arrays.
    Arrays(Scene),
}

/// What is the same for all bodies.
#[derive(FromPyObject, Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Scene {
    pub(crate) title: String,
    pub(crate) density: f64,
    pub(crate) friction: f64,
    pub(crate) restitution: f64,
    pub(crate) simultaneous: bool,
    /// `free`, `walls` or `periodic`.
    pub(crate) edges: String,
    /// Corner and size of the domain \[m\].
    pub(crate) corner: [f64; 2],
    pub(crate) size: [f64; 2],
    pub(crate) drag: bool,
    pub(crate) wind: [f64; 2],
    pub(crate) current: [f64; 2],
    /// In degrees north; not finite without rotation.
    #[serde(with = "maybe_finite")]
    pub(crate) latitude: f64,
    pub(crate) max_step: f64,
    pub(crate) seed: u64,
}

/// JSON has no word for a number that is none.
mod maybe_finite {
    use serde::{Deserialize as _, Deserializer, Serialize as _, Serializer};

    #[expect(clippy::trivially_copy_pass_by_ref, reason = "as serde calls it")]
    pub(super) fn serialize<S: Serializer>(value: &f64, serializer: S) -> Result<S::Ok, S::Error> {
        value.is_finite().then_some(*value).serialize(serializer)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(source: D) -> Result<f64, D::Error> {
        Ok(Option::<f64>::deserialize(source)?.unwrap_or(f64::NAN))
    }
}

/// The folder of a scenario, so that it is found from elsewhere.
pub(crate) fn absolute(folder: &Path) -> PathBuf {
    std::path::absolute(Path::new(".").join(folder)).unwrap_or_else(|_| folder.to_owned())
}
