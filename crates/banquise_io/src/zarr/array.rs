//! Arrays: what is asked for, and what the metadata say.

use serde_json::{Map, Value, json};

use super::{ElementType, FillValue, SpecProblem, ZarrError, codec::ChunkCodec};

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
    pub chunk_rows: usize,
    /// Number of columns (indices of the second dimension) in one chunk; 1 where there is no second dimension.
    ///
    /// The shape of chunks is fixed at creation. Where the second dimension grows later (bodies that are born), the
    /// longer rows add chunks `c/i/1`, `c/i/2`... beside `c/i/0`, without touching what is written. Dimensions after
    /// the second are never split.
    pub chunk_columns: usize,
    /// Value where nothing was written.
    pub fill_value: FillValue,
    /// What is done to the numbers of chunks.
    pub codec: ChunkCodec,
    /// Chunks in a file, one after another along the first dimension; files of more than one are shards.
    pub shard_chunks: usize,
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

    /// Number of values in a row. It cannot overflow: `row_bytes` was checked at creation.
    pub(super) fn row_len(&self) -> usize {
        self.shape.iter().skip(1).product()
    }

    /// Size of a row in bytes, or `None` if no memory could hold it.
    pub(super) fn row_bytes(&self) -> Option<usize> {
        let lengths = self.shape.iter().skip(1);
        product_in_memory(self.element_type().size(), lengths.copied())
    }

    /// Size in bytes of what a chunk holds of one row.
    pub(super) fn chunk_row_bytes(&self) -> usize {
        let inner = self.chunk_shape().into_iter().skip(1);
        self.element_type().size() * inner.product::<usize>()
    }

    /// How many chunks stand side by side along the second dimension; one at least.
    pub(super) fn column_chunk_count(&self) -> usize {
        let columns = self.shape.get(1).copied().unwrap_or(1);
        columns.div_ceil(self.chunk_columns).max(1)
    }

    /// Zarr refuses chunks of length zero, even along a dimension of length zero.
    pub(super) fn chunk_shape(&self) -> Vec<usize> {
        let split = [self.chunk_rows, self.chunk_columns];
        let fixed = self.shape.iter().skip(2).map(|&length| length.max(1));
        let split = split.into_iter().take(self.shape.len());
        split.chain(fixed).collect()
    }

    /// Size of a chunk file in bytes, or `None` if no memory could hold it.
    pub(super) fn chunk_bytes(&self) -> Option<usize> {
        product_in_memory(self.element_type().size(), self.chunk_shape())
    }

    /// Whether a chunk and a row could be held in memory.
    pub(super) fn fits_in_memory(&self) -> bool {
        self.chunk_bytes().is_some() && self.row_bytes().is_some()
    }

    /// Where the file of a chunk lies below the folder of the array, given the chunk's index along the first and second dimension.
    pub(super) fn chunk_key(&self, row_chunk: usize, column_chunk: usize) -> String {
        let index = |axis| match axis {
            0 => row_chunk / self.shard_chunks,
            1 => column_chunk,
            _ => 0,
        };
        let steps = (0..self.shape.len()).map(|axis| index(axis).to_string());
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
        let mut codecs = vec![bytes_codec];
        codecs.extend(self.codec.to_json());
        let mut file_shape = self.chunk_shape();
        if self.shard_chunks > 1 {
            codecs = vec![json!({
                "name": "sharding_indexed",
                "configuration": {
                    "chunk_shape": self.chunk_shape(),
                    "codecs": codecs,
                    "index_codecs": index_codecs(),
                    "index_location": "end",
                },
            })];
            file_shape[0] *= self.shard_chunks;
        }
        json!({
            "zarr_format": 3,
            "node_type": "array",
            "shape": self.shape,
            "data_type": self.element_type().name(),
            "chunk_grid": {
                "name": "regular",
                "configuration": { "chunk_shape": file_shape },
            },
            "chunk_key_encoding": { "name": "default", "configuration": { "separator": "/" } },
            "fill_value": self.fill_value.to_json(),
            "codecs": codecs,
            "attributes": self.attributes,
            "dimension_names": self.dimensions,
        })
    }
}

impl ArraySpec {
    /// The static array this spec describes: one chunk holds it whole.
    pub(super) fn to_static_info(&self) -> Result<ArrayInfo, ZarrError> {
        let length = |axis: usize| self.shape.get(axis).map_or(1, |&length| length.max(1));
        self.to_info(self.shape.clone(), length(0), length(1))
    }

    /// The table this spec describes: an array of one dimension that may be lengthened.
    pub(super) fn to_table_info(&self, chunk_rows: usize) -> Result<ArrayInfo, ZarrError> {
        if chunk_rows == 0 {
            return Err(self.error(SpecProblem::EmptyChunk));
        }
        if self.shape.len() != 1 {
            return Err(self.error(SpecProblem::NotTable));
        }
        self.to_info(self.shape.clone(), chunk_rows, 1)
    }

    /// The growing array this spec describes, still without a record.
    pub(super) fn to_growing_info(
        &self,
        chunk_rows: usize,
        chunk_columns: usize,
    ) -> Result<ArrayInfo, ZarrError> {
        if chunk_rows == 0 || chunk_columns == 0 {
            return Err(self.error(SpecProblem::EmptyChunk));
        }
        let shape = std::iter::once(0).chain(self.shape.iter().copied());
        self.to_info(shape.collect(), chunk_rows, chunk_columns)
    }

    fn to_info(
        &self,
        shape: Vec<usize>,
        chunk_rows: usize,
        chunk_columns: usize,
    ) -> Result<ArrayInfo, ZarrError> {
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
            chunk_columns,
            fill_value: self.fill_value,
            codec: ChunkCodec::Crc32c,
            shard_chunks: 1,
            attributes: self.attributes.clone(),
        };
        if info.fits_in_memory() {
            Ok(info)
        } else {
            Err(self.error(SpecProblem::TooLarge))
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

/// How the index of a shard is stored.
pub(super) fn index_codecs() -> Value {
    json!([{ "name": "bytes", "configuration": { "endian": "little" } }, { "name": "crc32c" }])
}

/// The product of a size and lengths, or `None` if no memory could hold so many bytes.
fn product_in_memory(size: usize, lengths: impl IntoIterator<Item = usize>) -> Option<usize> {
    lengths
        .into_iter()
        .try_fold(size, usize::checked_mul)
        .filter(|&bytes| isize::try_from(bytes).is_ok())
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
