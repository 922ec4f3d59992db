//! Reading a store back.

use std::{
    fs::{self, File},
    io::{self, Read, Seek, SeekFrom},
    ops::Range,
    path::{Path, PathBuf},
};

use serde_json::{Map, Value};

use super::{
    ArrayInfo, ElementType, ZarrError, cache::ChunkCache, codec::ChunkCodec, files::METADATA_FILE,
    parse::parse_root, shard,
};

/// A store as it was when opened; what is written to it later is not seen.
///
/// Only what [`ZarrWriter`](super::ZarrWriter) writes is read. A chunk that is not there is an
/// error, not a chunk of fill values as elsewhere in Zarr: the writer leaves none out, but chunks after the first along
/// the second dimension.
#[derive(Debug)]
pub struct ZarrReader {
    folder: PathBuf,
    attributes: Map<String, Value>,
    arrays: Vec<ArrayInfo>,
    cache: ChunkCache,
}

impl ZarrReader {
    /// Opens a store and checks all its metadata.
    ///
    /// # Errors
    /// [`ZarrError::Io`], [`ZarrError::Json`], [`ZarrError::BadMetadata`] or
    /// [`ZarrError::Unsupported`], with the file and the reason.
    pub fn open(folder: impl Into<PathBuf>) -> Result<Self, ZarrError> {
        let folder = folder.into();
        let path = folder.join(METADATA_FILE);
        let text = fs::read(&path).map_err(|source| read_error(&path, source))?;
        let root: Value = serde_json::from_slice(&text).map_err(|source| ZarrError::Json {
            path: path.clone(),
            source,
        })?;
        let (attributes, arrays) = parse_root(&path, &root)?;
        Ok(Self {
            folder,
            attributes,
            arrays,
            cache: ChunkCache::default(),
        })
    }

    /// Attributes of the root.
    pub fn attributes(&self) -> &Map<String, Value> {
        &self.attributes
    }

    /// The arrays, by name.
    pub fn arrays(&self) -> &[ArrayInfo] {
        &self.arrays
    }

    /// The array of that name.
    ///
    /// # Errors
    /// [`ZarrError::UnknownArray`] if there is none.
    pub fn array(&self, name: &str) -> Result<&ArrayInfo, ZarrError> {
        self.arrays
            .iter()
            .find(|info| info.name == name)
            .ok_or_else(|| ZarrError::UnknownArray {
                path: self.folder.clone(),
                name: name.to_owned(),
            })
    }

    /// Shape and values of an array of [`ElementType::F64`].
    ///
    /// # Errors
    /// As [`read_f64_rows`](Self::read_f64_rows).
    pub fn read_f64(&self, name: &str) -> Result<(Vec<usize>, Vec<f64>), ZarrError> {
        let info = self.array(name)?;
        Ok((
            info.shape.clone(),
            self.read_f64_rows(name, 0..info.row_count())?,
        ))
    }

    /// Values of some rows (indices of the first dimension) of an array of [`ElementType::F64`].
    ///
    /// # Errors
    /// [`ZarrError::UnknownArray`], [`ZarrError::WrongType`] or [`ZarrError::RowRange`] for what
    /// is not in the store; [`ZarrError::Io`] or [`ZarrError::ChunkLength`] for a damaged store.
    pub fn read_f64_rows(&self, name: &str, rows: Range<usize>) -> Result<Vec<f64>, ZarrError> {
        let bytes = self.read_rows(name, ElementType::F64, rows)?;
        Ok(bytes
            .as_chunks()
            .0
            .iter()
            .map(|&value| f64::from_le_bytes(value))
            .collect())
    }

    /// Shape and values of an array of [`ElementType::I64`].
    ///
    /// # Errors
    /// As [`read_f64_rows`](Self::read_f64_rows).
    pub fn read_i64(&self, name: &str) -> Result<(Vec<usize>, Vec<i64>), ZarrError> {
        let info = self.array(name)?;
        Ok((
            info.shape.clone(),
            self.read_i64_rows(name, 0..info.row_count())?,
        ))
    }

    /// Values of some rows of an array of [`ElementType::I64`].
    ///
    /// # Errors
    /// As [`read_f64_rows`](Self::read_f64_rows).
    pub fn read_i64_rows(&self, name: &str, rows: Range<usize>) -> Result<Vec<i64>, ZarrError> {
        let bytes = self.read_rows(name, ElementType::I64, rows)?;
        Ok(bytes
            .as_chunks()
            .0
            .iter()
            .map(|&value| i64::from_le_bytes(value))
            .collect())
    }

    /// Shape and values of an array of [`ElementType::I32`].
    ///
    /// # Errors
    /// As [`read_f64_rows`](Self::read_f64_rows).
    pub fn read_i32(&self, name: &str) -> Result<(Vec<usize>, Vec<i32>), ZarrError> {
        let info = self.array(name)?;
        Ok((
            info.shape.clone(),
            self.read_i32_rows(name, 0..info.row_count())?,
        ))
    }

    /// Values of some rows of an array of [`ElementType::I32`].
    ///
    /// # Errors
    /// As [`read_f64_rows`](Self::read_f64_rows).
    pub fn read_i32_rows(&self, name: &str, rows: Range<usize>) -> Result<Vec<i32>, ZarrError> {
        let bytes = self.read_rows(name, ElementType::I32, rows)?;
        Ok(bytes
            .as_chunks()
            .0
            .iter()
            .map(|&value| i32::from_le_bytes(value))
            .collect())
    }

    /// Shape and values of an array of [`ElementType::U8`].
    ///
    /// # Errors
    /// As [`read_f64_rows`](Self::read_f64_rows).
    pub fn read_u8(&self, name: &str) -> Result<(Vec<usize>, Vec<u8>), ZarrError> {
        let info = self.array(name)?;
        Ok((
            info.shape.clone(),
            self.read_u8_rows(name, 0..info.row_count())?,
        ))
    }

    /// Values of some rows of an array of [`ElementType::U8`].
    ///
    /// # Errors
    /// As [`read_f64_rows`](Self::read_f64_rows).
    pub fn read_u8_rows(&self, name: &str, rows: Range<usize>) -> Result<Vec<u8>, ZarrError> {
        self.read_rows(name, ElementType::U8, rows)
    }

    /// Shape and values of an array of [`ElementType::Bool`].
    ///
    /// # Errors
    /// As [`read_bool_rows`](Self::read_bool_rows).
    pub fn read_bool(&self, name: &str) -> Result<(Vec<usize>, Vec<bool>), ZarrError> {
        let info = self.array(name)?;
        Ok((
            info.shape.clone(),
            self.read_bool_rows(name, 0..info.row_count())?,
        ))
    }

    /// Values of some rows of an array of [`ElementType::Bool`].
    ///
    /// # Errors
    /// As [`read_f64_rows`](Self::read_f64_rows), and [`ZarrError::NotBool`].
    pub fn read_bool_rows(&self, name: &str, rows: Range<usize>) -> Result<Vec<bool>, ZarrError> {
        let bytes = self.read_rows(name, ElementType::Bool, rows)?;
        let to_bool = |byte: u8| match byte {
            0 => Ok(false),
            1 => Ok(true),
            byte => Err(ZarrError::NotBool {
                name: name.to_owned(),
                byte,
            }),
        };
        bytes.into_iter().map(to_bool).collect()
    }

    /// The bytes of some rows of an array of any type.
    pub(super) fn read_bytes(&self, name: &str, rows: Range<usize>) -> Result<Vec<u8>, ZarrError> {
        let element = self.array(name)?.element_type();
        self.read_rows(name, element, rows)
    }

    fn read_rows(
        &self,
        name: &str,
        element: ElementType,
        rows: Range<usize>,
    ) -> Result<Vec<u8>, ZarrError> {
        let info = self.array(name)?;
        let expected = info.element_type();
        if expected != element {
            return Err(ZarrError::WrongType {
                name: name.to_owned(),
                expected,
                found: element,
            });
        }
        if rows.start > rows.end || rows.end > info.row_count() {
            let (from, to, rows) = (rows.start, rows.end, info.row_count());
            return Err(ZarrError::RowRange {
                name: name.to_owned(),
                from,
                to,
                rows,
            });
        }
        if info.column_chunk_count() > 1 {
            self.check_columns(info)?;
        }
        // The memory grows with the files found, never with what the metadata promise alone.
        let mut bytes = Vec::new();
        let mut row = rows.start;
        while row < rows.end && info.row_len() > 0 {
            let chunk_index = row / info.chunk_rows;
            let first = row % info.chunk_rows;
            let count = (info.chunk_rows - first).min(rows.end - row);
            self.read_chunks(info, chunk_index, first..first + count, &mut bytes)?;
            row += count;
        }
        Ok(bytes)
    }

    /// Chunks along the second dimension may be left out, so that nothing but a table on the same dimension, whose
    /// chunks are all there, tells how long it is.
    fn check_columns(&self, info: &ArrayInfo) -> Result<(), ZarrError> {
        let is_table = |other: &&ArrayInfo| {
            other.dimensions.as_slice() == &info.dimensions[1..2] && other.shape[0] == info.shape[1]
        };
        let has_last_chunk = |table: &ArrayInfo| {
            let last = (table.shape[0] - 1) / table.chunk_rows;
            let path = self.folder.join(&table.name).join(table.chunk_key(last, 0));
            path.is_file()
        };
        if self
            .arrays
            .iter()
            .find(is_table)
            .is_some_and(has_last_chunk)
        {
            return Ok(());
        }
        Err(ZarrError::BadMetadata {
            path: self.folder.join(METADATA_FILE),
            field: format!("{}.shape", info.name),
            expected: "as long as a table on its second dimension",
        })
    }

    /// Appends some rows of the chunks that stand side by side to `bytes`.
    fn read_chunks(
        &self,
        info: &ArrayInfo,
        row_chunk: usize,
        rows: Range<usize>,
        bytes: &mut Vec<u8>,
    ) -> Result<(), ZarrError> {
        let folder = self.folder.join(&info.name);
        let slot = row_chunk % info.shard_chunks;
        let path = |column_chunk| (folder.join(info.chunk_key(row_chunk, column_chunk)), slot);
        let row_bytes = info.row_len() * info.element_type().size();
        let part_bytes = info.chunk_row_bytes();
        if row_bytes == part_bytes {
            return self.read_chunk_rows(path(0), info, rows, bytes);
        }
        let mut parts = Vec::new();
        for column_chunk in 0..info.column_chunk_count() {
            let mut part = Vec::new();
            match self.read_chunk_rows(path(column_chunk), info, rows.clone(), &mut part) {
                Err(ZarrError::Io { source, .. })
                    if column_chunk > 0 && source.kind() == io::ErrorKind::NotFound => {}
                other => other?,
            }
            parts.push(part);
        }
        bytes
            .try_reserve(rows.len().saturating_mul(row_bytes))
            .map_err(|source| read_error(&folder, source.into()))?;
        let fill = info.fill_value.to_bytes();
        for row in 0..rows.len() {
            let end = bytes.len() + row_bytes;
            for part in &parts {
                let count = part_bytes.min(end - bytes.len());
                match part.get(row * part_bytes..row * part_bytes + count) {
                    Some(values) => bytes.extend_from_slice(values),
                    None => bytes.extend(fill.iter().copied().cycle().take(count)),
                }
            }
        }
        Ok(())
    }

    /// Appends some rows of a chunk, in a slot of a file, to `bytes`.
    fn read_chunk_rows(
        &self,
        (path, slot): (PathBuf, usize),
        info: &ArrayInfo,
        rows: Range<usize>,
        bytes: &mut Vec<u8>,
    ) -> Result<(), ZarrError> {
        if info.codec == ChunkCodec::Plain && info.shard_chunks == 1 {
            return read_plain_rows(&path, info, rows, bytes);
        }
        let row_bytes = info.chunk_row_bytes();
        let part = rows.start * row_bytes..rows.end * row_bytes;
        if rows.len() == info.chunk_rows {
            bytes.extend_from_slice(&read_whole(&path, info, slot)?[part]);
        } else {
            let key = path.join(slot.to_string());
            let chunk = self.cache.get(&key, || read_whole(&path, info, slot))?;
            bytes.extend_from_slice(&chunk[part]);
        }
        Ok(())
    }
}

/// Opens a chunk file, whose length must be that of its array; gives the length of its numbers too.
fn open_chunk(path: &Path, info: &ArrayInfo) -> Result<(File, u64), ZarrError> {
    let to_error = |source| read_error(path, source);
    let length = (info.chunk_rows * info.chunk_row_bytes()) as u64;
    let file = File::open(path).map_err(to_error)?;
    let found = file.metadata().map_err(to_error)?.len();
    match info.codec.file_length(length) {
        Some(expected) if found != expected => Err(ZarrError::ChunkLength {
            path: path.to_owned(),
            expected,
            found,
        }),
        _ => Ok((file, length)),
    }
}

/// Bytes that a chunk of `length` bytes takes in a file, at most: deflate makes nothing longer by more than this.
fn most_encoded(length: u64) -> u64 {
    length + length / 100 + 1024
}

/// The numbers of a chunk in a slot of a file, checked.
fn read_whole(path: &Path, info: &ArrayInfo, slot: usize) -> Result<Vec<u8>, ZarrError> {
    let to_error = |source| read_error(path, source);
    if info.shard_chunks > 1 {
        let length = (info.chunk_rows * info.chunk_row_bytes()) as u64;
        let encoded = shard::read_slot(path, info.shard_chunks, slot, most_encoded(length));
        let decoded = encoded.and_then(|encoded| info.codec.decoded(encoded, length));
        return decoded.map_err(to_error);
    }
    let (file, length) = open_chunk(path, info)?;
    let mut encoded = Vec::new();
    file.take(most_encoded(length))
        .read_to_end(&mut encoded)
        .map_err(to_error)?;
    info.codec.decoded(encoded, length).map_err(to_error)
}

/// Appends some rows of a chunk file without a checksum to `bytes`.
fn read_plain_rows(
    path: &Path,
    info: &ArrayInfo,
    rows: Range<usize>,
    bytes: &mut Vec<u8>,
) -> Result<(), ZarrError> {
    let to_error = |source| read_error(path, source);
    let row_bytes = info.chunk_row_bytes();
    let (mut file, _) = open_chunk(path, info)?;
    let start = bytes.len();
    let added = rows.len() * row_bytes;
    bytes
        .try_reserve(added)
        .map_err(|source| to_error(source.into()))?;
    bytes.resize(start + added, 0);
    file.seek(SeekFrom::Start((rows.start * row_bytes) as u64))
        .map_err(to_error)?;
    file.read_exact(&mut bytes[start..]).map_err(to_error)
}

fn read_error(path: &Path, source: io::Error) -> ZarrError {
    ZarrError::Io {
        action: "read",
        path: path.to_owned(),
        source,
    }
}
