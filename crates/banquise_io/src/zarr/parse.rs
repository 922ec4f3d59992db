//! Metadata from JSON, believing nothing.

use std::path::Path;

use serde_json::{Map, Value, json};

use super::{
    ArrayInfo, ElementType, FillValue, ZarrError,
    array::{index_codecs, is_valid_name},
    codec::ChunkCodec,
};

/// Most chunks in a file: their index is read with each of them.
const MAX_SHARD_CHUNKS: usize = 65_536;

/// The root attributes and the arrays that the root metadata file at `path` describes.
pub(super) fn parse_root(
    path: &Path,
    root: &Value,
) -> Result<(Map<String, Value>, Vec<ArrayInfo>), ZarrError> {
    let root = Node {
        path,
        name: "",
        json: root,
    };
    root.require("zarr_format", &json!(3), "3, the version of the format")?;
    root.require("node_type", &json!("group"), "`group`")?;
    // The only source that is always consistent: see the module's documentation.
    let consolidated = root.json.pointer("/consolidated_metadata/metadata");
    let Some(arrays) = consolidated.and_then(Value::as_object) else {
        return Err(root.unsupported("consolidated_metadata", "groups with inline metadata"));
    };
    let arrays: Result<Vec<ArrayInfo>, ZarrError> = arrays
        .iter()
        .map(|(name, json)| parse_array(Node { path, name, json }))
        .collect();
    let arrays = arrays?;
    // Only a dimension that was lengthened in the run is split, and a table along it tells how long it became.
    if let Some(split) = arrays.iter().find(|info| !is_whole(info, &arrays)) {
        let field = format!("{}.chunk_grid", split.name);
        return Err(root.unsupported(&field, "chunks that split the first dimension"));
    }
    Ok((root.attributes()?, arrays))
}

/// Whether a chunk spans the second dimension, or there is a table along it.
fn is_whole(info: &ArrayInfo, arrays: &[ArrayInfo]) -> bool {
    let [_, columns, ..] = info.shape[..] else {
        return true;
    };
    let is_table = |other: &ArrayInfo| {
        other.dimensions.as_slice() == &info.dimensions[1..2] && other.shape[0] == columns
    };
    info.chunk_columns == columns.max(1) || arrays.iter().any(is_table)
}

/// One JSON object of a metadata file, with what an error message needs.
#[derive(Clone, Copy)]
struct Node<'a> {
    path: &'a Path,
    /// Name of the array; empty for the root.
    name: &'a str,
    json: &'a Value,
}

fn parse_array(node: Node<'_>) -> Result<ArrayInfo, ZarrError> {
    if !is_valid_name(node.name) {
        return Err(node.bad("name", "the plain name of an array"));
    }
    node.require("zarr_format", &json!(3), "3, the version of the format")?;
    if node.json.get("node_type") != Some(&json!("array")) {
        return Err(node.unsupported("node_type", "arrays, no groups inside the root"));
    }
    let (codec, inner) = node.check_storage()?;
    let shape = node.lengths("shape", node.json.get("shape"))?;
    let fill_value = node.fill_value()?;
    let file_shape = node.file_shape(&shape)?;
    let shard_chunks = node.chunks_of(&file_shape, inner.as_deref())?;
    let length = |axis: usize| file_shape.get(axis).copied().unwrap_or(1);
    let [chunk_rows, chunk_columns] = [length(0) / shard_chunks, length(1)];
    let info = ArrayInfo {
        name: node.name.to_owned(),
        dimensions: node.dimensions(shape.len())?,
        chunk_rows,
        chunk_columns,
        shape,
        fill_value,
        codec,
        shard_chunks,
        attributes: node.attributes()?,
    };
    if info.fits_in_memory() {
        Ok(info)
    } else {
        Err(node.bad("chunk_grid", "a chunk that fits in memory"))
    }
}

impl Node<'_> {
    fn bad(&self, field: &str, expected: &'static str) -> ZarrError {
        let (path, field) = (self.path.to_owned(), self.qualified(field));
        ZarrError::BadMetadata {
            path,
            field,
            expected,
        }
    }

    fn unsupported(&self, field: &str, expected: &'static str) -> ZarrError {
        let (path, field) = (self.path.to_owned(), self.qualified(field));
        ZarrError::Unsupported {
            path,
            field,
            expected,
        }
    }

    fn qualified(&self, field: &str) -> String {
        if self.name.is_empty() {
            field.to_owned()
        } else {
            format!("{}.{field}", self.name)
        }
    }

    fn require(&self, field: &str, value: &Value, meaning: &'static str) -> Result<(), ZarrError> {
        if self.json.get(field) != Some(value) {
            return Err(self.bad(field, meaning));
        }
        Ok(())
    }

    fn attributes(&self) -> Result<Map<String, Value>, ZarrError> {
        match self.json.get("attributes") {
            None => Ok(Map::new()),
            Some(Value::Object(attributes)) => Ok(attributes.clone()),
            Some(_) => Err(self.bad("attributes", "an object")),
        }
    }

    /// Refuses what would make the chunk files something else than little-endian numbers, plain, with a checksum or compressed, or shards of them; says which,
    /// with the shape of the chunks in shards.
    fn check_storage(&self) -> Result<(ChunkCodec, Option<Vec<usize>>), ZarrError> {
        let separator = self
            .json
            .pointer("/chunk_key_encoding/configuration/separator");
        if self.json.pointer("/chunk_key_encoding/name") != Some(&json!("default"))
            || separator.is_some_and(|separator| separator != "/")
        {
            return Err(self.unsupported("chunk_key_encoding", "`default` with `/`"));
        }
        if self
            .json
            .get("storage_transformers")
            .is_some_and(|list| list != &json!([]))
        {
            return Err(self.unsupported("storage_transformers", "an empty list"));
        }
        let codecs = self.json.get("codecs");
        let shard = codecs.and_then(|codecs| match codecs.as_array()?.as_slice() {
            [one] if one.get("name")? == "sharding_indexed" => one.get("configuration"),
            _ => None,
        });
        let Some(shard) = shard else {
            return Ok((self.chunk_codec(codecs)?, None));
        };
        let location = shard.get("index_location");
        if location.is_some_and(|place| place != "end")
            || shard.get("index_codecs") != Some(&index_codecs())
        {
            let expected = "shards with an index at their end, with a checksum";
            return Err(self.unsupported("codecs", expected));
        }
        let inner = self.lengths("codecs.chunk_shape", shard.get("chunk_shape"))?;
        Ok((self.chunk_codec(shard.get("codecs"))?, Some(inner)))
    }

    /// The codec of chunks.
    fn chunk_codec(&self, codecs: Option<&Value>) -> Result<ChunkCodec, ZarrError> {
        let expected = "the `bytes` codec, little endian, alone or before `crc32c` or `gzip`";
        let codecs = codecs.and_then(Value::as_array);
        let (numbers, codec) = match codecs.map(Vec::as_slice) {
            Some([numbers]) => (numbers, Some(ChunkCodec::Plain)),
            Some([numbers, second]) => (numbers, ChunkCodec::from_json(second)),
            _ => return Err(self.unsupported("codecs", expected)),
        };
        let endian = numbers.pointer("/configuration/endian");
        let is_single_byte = self.element_type()?.size() == 1;
        let is_little = endian == Some(&json!("little")) || (endian.is_none() && is_single_byte);
        if numbers.get("name") != Some(&json!("bytes")) || !is_little {
            return Err(self.unsupported("codecs", expected));
        }
        codec.ok_or_else(|| self.unsupported("codecs", expected))
    }

    fn element_type(&self) -> Result<ElementType, ZarrError> {
        let name = self.json.get("data_type").and_then(Value::as_str);
        name.and_then(ElementType::from_name)
            .ok_or_else(|| self.unsupported("data_type", "float64, int64, int32, uint8 and bool"))
    }

    fn fill_value(&self) -> Result<FillValue, ZarrError> {
        let element = self.element_type()?;
        self.json
            .get("fill_value")
            .and_then(|value| FillValue::from_json(element, value))
            .ok_or_else(|| self.bad("fill_value", "a value of the type of the array"))
    }

    fn lengths(&self, field: &str, list: Option<&Value>) -> Result<Vec<usize>, ZarrError> {
        let to_length = |value: &Value| value.as_u64().and_then(|length| length.try_into().ok());
        list.and_then(Value::as_array)
            .and_then(|list| list.iter().map(to_length).collect())
            .ok_or_else(|| self.bad(field, "a list of lengths"))
    }

    fn dimensions(&self, count: usize) -> Result<Vec<String>, ZarrError> {
        let to_name = |value: &Value| value.as_str().map(str::to_owned);
        self.json
            .get("dimension_names")
            .and_then(Value::as_array)
            .filter(|names| names.len() == count)
            .and_then(|names| names.iter().map(to_name).collect())
            .ok_or_else(|| self.bad("dimension_names", "a name for each dimension"))
    }

    /// Chunks in a file, given the shapes of both: they lie along the first dimension alone.
    fn chunks_of(&self, file_shape: &[usize], inner: Option<&[usize]>) -> Result<usize, ZarrError> {
        let Some(inner) = inner else {
            return Ok(1);
        };
        match (file_shape, inner) {
            // A file of one chunk is a shard for others; we write a plain chunk then.
            ([rows, others @ ..], [chunk_rows, inner @ ..])
                if others == inner
                    && *chunk_rows > 0
                    && rows.is_multiple_of(*chunk_rows)
                    && (2..=MAX_SHARD_CHUNKS).contains(&(rows / chunk_rows)) =>
            {
                Ok(rows / chunk_rows)
            }
            _ => Err(self.unsupported("codecs", "shards that split the first dimension")),
        }
    }

    /// Numbers of rows and columns of a file, once sure that it splits no other dimension.
    fn file_shape(&self, shape: &[usize]) -> Result<Vec<usize>, ZarrError> {
        if self.json.pointer("/chunk_grid/name") != Some(&json!("regular")) {
            return Err(self.unsupported("chunk_grid", "`regular`"));
        }
        let list = self.json.pointer("/chunk_grid/configuration/chunk_shape");
        let chunk_shape = self.lengths("chunk_grid.configuration.chunk_shape", list)?;
        if chunk_shape.len() != shape.len() || chunk_shape.contains(&0) {
            return Err(self.bad("chunk_grid", "a length, not zero, for each dimension"));
        }
        let mut fixed = chunk_shape.iter().zip(shape).skip(2);
        if fixed.any(|(&chunk_length, &length)| chunk_length != length.max(1)) {
            let expected = "chunks that split the first two dimensions";
            return Err(self.unsupported("chunk_grid", expected));
        }
        Ok(chunk_shape)
    }
}
