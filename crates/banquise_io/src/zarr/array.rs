//! Arrays: what is asked for, and what the metadata say.

use serde_json::{Map, Value, json};

use super::{ElementType, FillValue, SpecProblem, ZarrError};

/// An array to create.
#[derive(Debug, Clone, PartialEq)]
pub struct ArraySpec {
    /// Name of the array and of its folder: ASCII letters, digits, `_`, `-`, `.`.
    pub name: String,
    /// Names of all the dimensions, slowest first; a growing array grows along the first.
    pub dimensions: Vec<String>,
    /// Lengths of the fixed dimensions: all of them, or all but the first for a growing array.
    pub shape: Vec<usize>,
    /// Value where nothing was written; it decides the type of the array.
    pub fill_value: FillValue,
    /// Attributes that xarray shows: `units`, `long_name`...
    pub attributes: Map<String, Value>,
}

/// An array of a store, as its metadata describe it.
#[derive(Debug, Clone, PartialEq)]
pub struct ArrayInfo {
    /// Name of the array.
    pub name: String,
    /// Names of the dimensions, slowest first.
    pub dimensions: Vec<String>,
    /// Length of every dimension.
    pub shape: Vec<usize>,
    /// Number of rows (indices of the first dimension) in one chunk.
    ///
    /// A chunk spans the other dimensions entirely. Their length is thus fixed at creation, and so
    /// is the shape of chunks. A later version may let the second dimension grow (floes that
    /// break): the chunk length along it would stay the one chosen at creation, and longer rows
    /// would add chunks `c/i/1`, `c/i/2`... beside `c/i/0`, without touching what is written.
    pub chunk_rows: usize,
    /// Value where nothing was written.
    pub fill_value: FillValue,
    /// Attributes of the array.
    pub attributes: Map<String, Value>,
}

impl ArrayInfo {
    /// Type of the values.
    pub fn element_type(&self) -> ElementType {
        self.fill_value.element_type()
    }

    /// Number of rows: the first length, or 1 for an array without dimension.
    pub fn row_count(&self) -> usize {
        self.shape.first().copied().unwrap_or(1)
    }

    /// Number of values in a row. It cannot overflow: `chunk_bytes` was checked at creation.
    pub(super) fn row_len(&self) -> usize {
        self.shape.iter().skip(1).product()
    }

    /// Zarr refuses chunks of length zero, even along a dimension of length zero.
    pub(super) fn chunk_shape(&self) -> Vec<usize> {
        let fixed = self.shape.iter().skip(1).map(|&length| length.max(1));
        let first = self.shape.first().map(|_| self.chunk_rows);
        first.into_iter().chain(fixed).collect()
    }

    /// Size of a chunk file in bytes, or `None` if no memory could hold it.
    pub(super) fn chunk_bytes(&self) -> Option<usize> {
        let size = self.element_type().size();
        self.chunk_shape()
            .into_iter()
            .try_fold(size, usize::checked_mul)
            .filter(|&bytes| isize::try_from(bytes).is_ok())
    }

    /// Where a chunk lies below the folder of the array.
    pub(super) fn chunk_key(&self, chunk_index: usize) -> String {
        let indices = (0..self.shape.len()).map(|axis| if axis == 0 { chunk_index } else { 0 });
        let steps = indices.map(|index| index.to_string());
        std::iter::once("c".to_owned())
            .chain(steps)
            .collect::<Vec<_>>()
            .join("/")
    }

    pub(super) fn to_json(&self) -> Value {
        // Byte order means nothing for single bytes, and zarr-python leaves it out too.
        let bytes_codec = if self.element_type().size() == 1 {
            json!({ "name": "bytes" })
        } else {
            json!({ "name": "bytes", "configuration": { "endian": "little" } })
        };
        json!({
            "zarr_format": 3,
            "node_type": "array",
            "shape": self.shape,
            "data_type": self.element_type().name(),
            "chunk_grid": {
                "name": "regular",
                "configuration": { "chunk_shape": self.chunk_shape() },
            },
            "chunk_key_encoding": { "name": "default", "configuration": { "separator": "/" } },
            "fill_value": self.fill_value.to_json(),
            "codecs": [bytes_codec],
            "attributes": self.attributes,
            "dimension_names": self.dimensions,
        })
    }
}

impl ArraySpec {
    /// The static array this spec describes: one chunk holds it whole.
    pub(super) fn to_static_info(&self) -> Result<ArrayInfo, ZarrError> {
        let chunk_rows = self.shape.first().map_or(1, |&length| length.max(1));
        self.to_info(self.shape.clone(), chunk_rows)
    }

    /// The growing array this spec describes, still without a record.
    pub(super) fn to_growing_info(&self, chunk_rows: usize) -> Result<ArrayInfo, ZarrError> {
        if chunk_rows == 0 {
            return Err(self.error(SpecProblem::EmptyChunk));
        }
        let shape = std::iter::once(0).chain(self.shape.iter().copied());
        self.to_info(shape.collect(), chunk_rows)
    }

    fn to_info(&self, shape: Vec<usize>, chunk_rows: usize) -> Result<ArrayInfo, ZarrError> {
        self.check_names()?;
        if self.dimensions.len() != shape.len() {
            return Err(self.error(SpecProblem::DimensionCount {
                names: self.dimensions.len(),
                lengths: self.shape.len(),
            }));
        }
        let info = ArrayInfo {
            name: self.name.clone(),
            dimensions: self.dimensions.clone(),
            shape,
            chunk_rows,
            fill_value: self.fill_value,
            attributes: self.attributes.clone(),
        };
        match info.chunk_bytes() {
            Some(_) => Ok(info),
            None => Err(self.error(SpecProblem::TooLarge)),
        }
    }

    fn check_names(&self) -> Result<(), ZarrError> {
        if !is_valid_name(&self.name) {
            return Err(self.error(SpecProblem::BadName));
        }
        for (axis, dimension) in self.dimensions.iter().enumerate() {
            if self.dimensions[..axis].contains(dimension) {
                return Err(self.error(SpecProblem::RepeatedDimension {
                    dimension: dimension.clone(),
                }));
            }
        }
        Ok(())
    }

    pub(super) fn error(&self, problem: SpecProblem) -> ZarrError {
        ZarrError::Spec {
            name: self.name.clone(),
            problem,
        }
    }
}

/// Can this be the name of an array? The rule keeps every path inside the store.
pub(super) fn is_valid_name(name: &str) -> bool {
    let is_allowed = |byte: u8| byte.is_ascii_alphanumeric() || b"_-.".contains(&byte);
    name.bytes()
        .next()
        .is_some_and(|byte| byte.is_ascii_alphabetic())
        && name.bytes().all(is_allowed)
        && name != super::files::METADATA_FILE
}
