//! Writing a store, record by record.

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
};

use serde_json::{Map, Value, json};

use super::{
    ArrayInfo, ArraySpec, SpecProblem, Values, ZarrError,
    buffer::ChunkBuffer,
    codec::ChunkCodec,
    files::{self, METADATA_FILE, StagedFile},
    table::Table,
};

/// A growing array of one [`ZarrWriter`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ArrayHandle(pub(super) usize);

/// A table of one [`ZarrWriter`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TableHandle(usize);

/// Writes a Zarr directory that stays readable whenever the run is killed.
///
/// What a call wrote is in the store when it returns, except records, changes of tables and root attributes: these
/// wait for the next [`flush`](Self::flush). A writer dropped without
/// [`finish`](Self::finish) loses what waits, as a killed run does.
#[derive(Debug)]
#[must_use = "records wait in memory until `flush` or `finish`"]
pub struct ZarrWriter {
    pub(super) folder: PathBuf,
    pub(super) attributes: Map<String, Value>,
    pub(super) arrays: Vec<ArrayInfo>,
    pub(super) growing: Vec<ChunkBuffer>,
    pub(super) tables: Vec<Table>,
    /// Length of every dimension met so far; `None` for the growing one.
    pub(super) dimensions: BTreeMap<String, Option<usize>>,
    pub(super) row_count: usize,
    pub(super) flushed_row_count: usize,
    /// Whether the root waits for the next flush.
    pub(super) is_root_deferred: bool,
    /// Whether growing arrays that are declared are compressed.
    pub(super) is_compressed: bool,
    /// Chunks in a file of growing arrays that are declared.
    pub(super) shard_chunks: usize,
}

impl ZarrWriter {
    /// Starts a store in a folder that does not exist or is empty.
    ///
    /// # Errors
    /// [`ZarrError::NotEmpty`] for a folder that holds anything; it is left as it was.
    /// [`ZarrError::Io`] when the system refuses.
    pub fn create(
        folder: impl Into<PathBuf>,
        attributes: Map<String, Value>,
    ) -> Result<Self, ZarrError> {
        let folder = folder.into();
        files::make_empty_folder(&folder)?;
        let writer = Self {
            folder,
            attributes,
            arrays: Vec::new(),
            growing: Vec::new(),
            tables: Vec::new(),
            dimensions: BTreeMap::new(),
            row_count: 0,
            flushed_row_count: 0,
            is_root_deferred: false,
            is_compressed: false,
            shard_chunks: 1,
        };
        writer.commit(&[])?;
        Ok(writer)
    }

    /// Lets the metadata of the root wait for the next [`flush`](Self::flush). The root tells of all arrays, so that
    /// declaring many of them, in a store that is not read yet, would write it again for each.
    pub fn defer_root(&mut self) {
        self.is_root_deferred = true;
    }

    /// Compresses the chunks of growing arrays that are declared from now on.
    pub fn compress(&mut self) {
        self.is_compressed = true;
    }

    /// Puts so many chunks of growing arrays that are declared from now on into one file. A flush writes the last file again, so that it should be rare.
    ///
    /// # Panics
    /// For none.
    pub fn shard(&mut self, chunks: usize) {
        assert!(chunks > 0, "a file holds a chunk at least");
        self.shard_chunks = chunks;
    }

    /// Writes a whole array that will not change, as one chunk.
    ///
    /// # Errors
    /// [`ZarrError::Spec`], [`ZarrError::WrongType`] or [`ZarrError::WrongLength`], with nothing
    /// written; [`ZarrError::Io`] when the system refuses.
    pub fn write_static(&mut self, spec: &ArraySpec, values: Values<'_>) -> Result<(), ZarrError> {
        let info = spec.to_static_info()?;
        self.check_new(spec, None)?;
        check_values(&info, values, info.row_count() * info.row_len())?;
        let array_folder = self.folder.join(&info.name);
        files::make_folder(&array_folder)?;
        if !values.is_empty() {
            let mut bytes = Vec::new();
            values.append_bytes_to(&mut bytes);
            files::write_chunk(&array_folder, info.codec, &info.chunk_key(0, 0), &bytes)?;
        }
        self.add_array(info, None)
    }

    /// Writes an array of one dimension that may be lengthened, and whose values may change, as chunks of `chunk_len`.
    ///
    /// # Errors
    /// As [`write_static`](Self::write_static).
    pub fn write_table(
        &mut self,
        spec: &ArraySpec,
        chunk_len: usize,
        values: Values<'_>,
    ) -> Result<TableHandle, ZarrError> {
        let info = spec.to_table_info(chunk_len)?;
        self.check_new(spec, None)?;
        check_values(&info, values, info.row_count())?;
        let array_folder = self.folder.join(&info.name);
        files::make_folder(&array_folder)?;
        let mut table = Table::new(self.arrays.len(), &info, values);
        table.write(&array_folder, &info)?;
        table.settle();
        self.add_array(info, None)?;
        self.tables.push(table);
        Ok(TableHandle(self.tables.len() - 1))
    }

    /// The table of that name.
    pub fn table(&self, name: &str) -> Option<TableHandle> {
        let is_it = |table: &Table| self.arrays[table.array_index].name == name;
        self.tables.iter().position(is_it).map(TableHandle)
    }

    /// The growing array of that name.
    pub fn growing(&self, name: &str) -> Option<ArrayHandle> {
        let is_it = |buffer: &ChunkBuffer| self.arrays[buffer.array_index].name == name;
        self.growing.iter().position(is_it).map(ArrayHandle)
    }

    /// An attribute of the root.
    pub fn attribute(&self, key: &str) -> Option<&Value> {
        self.attributes.get(key)
    }

    /// Takes an attribute of the root away; it is gone with the next flush.
    pub fn remove_attribute(&mut self, key: &str) {
        self.attributes.remove(key);
    }

    /// Changes values of a table from a row on; they wait for the next [`flush`](Self::flush).
    ///
    /// # Errors
    /// [`ZarrError::WrongType`] or [`ZarrError::RowRange`], with nothing changed.
    pub fn set(
        &mut self,
        handle: TableHandle,
        row: usize,
        values: Values<'_>,
    ) -> Result<(), ZarrError> {
        let table = self
            .tables
            .get_mut(handle.0)
            .ok_or(ZarrError::UnknownHandle)?;
        let info = &self.arrays[table.array_index];
        check_values(info, values, values.len())?;
        let (to, rows) = (row.saturating_add(values.len()), info.row_count());
        if to > rows {
            return Err(ZarrError::RowRange {
                name: info.name.clone(),
                from: row,
                to,
                rows,
            });
        }
        table.set(info, row, values);
        Ok(())
    }

    /// Lengthens a dimension of tables and of arrays from [`declare_widening`](Self::declare_widening). New values of
    /// tables, and those of the records so far, are the fill value. It waits for the next [`flush`](Self::flush).
    ///
    /// # Errors
    /// [`ZarrError::FixedDimension`] where it is longer already, or an array on it cannot grow; nothing changes then.
    pub fn lengthen(&mut self, dimension: &str, length: usize) -> Result<(), ZarrError> {
        let refuse = |reason: String| {
            Err(ZarrError::FixedDimension {
                dimension: dimension.to_owned(),
                length,
                reason,
            })
        };
        match self.dimensions.get(dimension) {
            Some(&Some(known)) if known == length => return Ok(()),
            Some(&Some(known)) if known < length => {}
            Some(&Some(known)) => return refuse(format!("it is {known} long already")),
            _ => return refuse("there is no such dimension".into()),
        }
        let tables = self.tables.iter().map(|table| table.array_index);
        let widening = self.growing.iter().filter(|buffer| buffer.is_widening());
        let free: Vec<usize> = tables
            .chain(widening.map(|buffer| buffer.array_index))
            .collect();
        let on_it = |info: &ArrayInfo| info.dimensions.iter().any(|name| name == dimension);
        let fixed = |&(index, info): &(usize, &ArrayInfo)| on_it(info) && !free.contains(&index);
        if let Some((_, info)) = self.arrays.iter().enumerate().find(fixed) {
            return refuse(format!("array `{}` is fixed", info.name));
        }
        for table in &mut self.tables {
            let info = &mut self.arrays[table.array_index];
            if on_it(info) {
                table.lengthen(info, length);
                info.shape[0] = length;
            }
        }
        for buffer in self.growing.iter().filter(|buffer| buffer.is_widening()) {
            let info = &mut self.arrays[buffer.array_index];
            if on_it(info) {
                info.shape[1] = length;
            }
        }
        self.dimensions.insert(dimension.to_owned(), Some(length));
        Ok(())
    }

    /// Declares an array that every record will lengthen along its first dimension.
    ///
    /// `chunk_len` records make one chunk file. A flush writes the last chunk again entirely, so
    /// a chunk of many records flushed after each of them costs much writing.
    ///
    /// # Errors
    /// [`ZarrError::Spec`], with nothing written; [`ZarrError::Io`] when the system refuses.
    pub fn declare_growing(
        &mut self,
        spec: &ArraySpec,
        chunk_len: usize,
    ) -> Result<ArrayHandle, ZarrError> {
        let columns = spec.shape.first().map_or(1, |&length| length.max(1));
        self.declare(spec, [chunk_len, columns], false)
    }

    /// Declares an array that every record will lengthen, and whose second and last dimension may be lengthened too:
    /// a chunk holds `chunk_len` records of `chunk_columns` values.
    ///
    /// # Errors
    /// As [`declare_growing`](Self::declare_growing).
    pub fn declare_widening(
        &mut self,
        spec: &ArraySpec,
        chunk_len: usize,
        chunk_columns: usize,
    ) -> Result<ArrayHandle, ZarrError> {
        if spec.shape.len() != 1 {
            return Err(spec.error(SpecProblem::NotTwoDimensions));
        }
        self.declare(spec, [chunk_len, chunk_columns], true)
    }

    fn declare(
        &mut self,
        spec: &ArraySpec,
        [chunk_len, chunk_columns]: [usize; 2],
        is_widening: bool,
    ) -> Result<ArrayHandle, ZarrError> {
        let info = ArrayInfo {
            codec: if self.is_compressed {
                ChunkCodec::Gzip
            } else {
                ChunkCodec::Crc32c
            },
            shard_chunks: self.shard_chunks,
            ..spec.to_growing_info(chunk_len, chunk_columns)?
        };
        self.check_new(spec, spec.dimensions.first())?;
        if self.row_count > 0 {
            return Err(spec.error(SpecProblem::DeclaredTooLate));
        }
        files::make_folder(&self.folder.join(&info.name))?;
        let array_index = self.arrays.len();
        self.add_array(info, spec.dimensions.first())?;
        self.growing
            .push(ChunkBuffer::new(array_index, is_widening));
        Ok(ArrayHandle(self.growing.len() - 1))
    }

    /// Appends one record: the next row of every growing array, in any order.
    ///
    /// It waits in memory until [`flush`](Self::flush), which is called here as soon as the chunk
    /// of one array is full.
    ///
    /// # Errors
    /// The record must hold each growing array once, with the right type and number of values;
    /// otherwise nothing is appended. On [`ZarrError::Io`] no record is lost: the flush failed,
    /// and [`flush`](Self::flush) tries again.
    pub fn append(&mut self, record: &[(ArrayHandle, Values<'_>)]) -> Result<(), ZarrError> {
        self.check_record(record)?;
        if self.has_full_chunk() {
            self.flush()?;
        }
        for &(handle, values) in record {
            self.growing[handle.0].push(values);
        }
        self.row_count += 1;
        if self.has_full_chunk() {
            self.flush()?;
        }
        Ok(())
    }

    /// Sets an attribute of the root; it is written by the next flush.
    pub fn set_attribute(&mut self, key: impl Into<String>, value: impl Into<Value>) {
        self.attributes.insert(key.into(), value.into());
    }

    /// Moves the store to a folder that does not exist yet, at one stroke, and goes on there.
    ///
    /// # Errors
    /// [`ZarrError::Io`] when the system refuses: the store stays where it is.
    pub fn move_to(&mut self, folder: impl Into<PathBuf>) -> Result<(), ZarrError> {
        let folder = folder.into();
        std::fs::rename(&self.folder, &folder).map_err(|source| ZarrError::Io {
            action: "move the store to",
            path: folder.clone(),
            source,
        })?;
        self.folder = folder;
        Ok(())
    }

    /// The folder of the store.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Number of records appended.
    pub fn row_count(&self) -> usize {
        self.row_count
    }

    /// Number of records that would survive a kill now.
    pub fn flushed_row_count(&self) -> usize {
        self.flushed_row_count
    }

    /// Commits all records and attributes.
    ///
    /// # Errors
    /// [`ZarrError::Io`] when the system refuses: the store is as after the previous flush, and
    /// this call may be tried again.
    pub fn flush(&mut self) -> Result<(), ZarrError> {
        self.is_root_deferred = false;
        // An unchanged chunk is not written again, for flushes that only carry attributes.
        if self.flushed_row_count < self.row_count {
            for buffer in &self.growing {
                let info = &self.arrays[buffer.array_index];
                buffer.write(&self.folder.join(&info.name), info)?;
            }
        }
        for table in &self.tables {
            let info = &self.arrays[table.array_index];
            table.write(&self.folder.join(&info.name), info)?;
        }
        for buffer in &self.growing {
            self.arrays[buffer.array_index].shape[0] = self.row_count;
        }
        let growing = self.growing.iter().map(|buffer| buffer.array_index);
        let longer = self.tables.iter().filter(|table| table.is_longer);
        let changed: Vec<usize> = growing
            .chain(longer.map(|table| table.array_index))
            .collect();
        self.commit(&changed)?;
        self.flushed_row_count = self.row_count;
        self.tables.iter_mut().for_each(Table::settle);
        for buffer in &mut self.growing {
            buffer.advance_if_full(&self.arrays[buffer.array_index]);
        }
        Ok(())
    }

    /// Commits everything and ends.
    ///
    /// # Errors
    /// As [`flush`](Self::flush).
    pub fn finish(mut self) -> Result<(), ZarrError> {
        self.flush()
    }

    fn check_new(&self, spec: &ArraySpec, growing: Option<&String>) -> Result<(), ZarrError> {
        if self.arrays.iter().any(|info| info.name == spec.name) {
            return Err(spec.error(SpecProblem::NameTaken));
        }
        for (dimension, length) in lengths_by_dimension(spec, growing) {
            if self
                .dimensions
                .get(dimension)
                .is_some_and(|&known| known != length)
            {
                let dimension = dimension.clone();
                return Err(spec.error(SpecProblem::DimensionConflict { dimension }));
            }
        }
        let known = self.dimensions.iter().find(|(_, length)| length.is_none());
        match (growing, known) {
            (Some(dimension), Some((known, _))) if dimension != known => {
                let (dimension, known) = (dimension.clone(), known.clone());
                Err(spec.error(SpecProblem::SecondGrowingDimension { dimension, known }))
            }
            _ => Ok(()),
        }
    }

    /// Commits a new array whose folder exists.
    fn add_array(&mut self, info: ArrayInfo, growing: Option<&String>) -> Result<(), ZarrError> {
        let dimensions = info.dimensions.clone();
        let shape = info.shape.clone();
        self.arrays.push(info);
        if let Err(error) = self.commit(&[self.arrays.len() - 1]) {
            self.arrays.pop();
            return Err(error);
        }
        for (dimension, length) in dimensions.into_iter().zip(shape) {
            let length = if Some(&dimension) == growing {
                None
            } else {
                Some(length)
            };
            self.dimensions.insert(dimension, length);
        }
        Ok(())
    }

    fn check_record(&self, record: &[(ArrayHandle, Values<'_>)]) -> Result<(), ZarrError> {
        let mut is_present = vec![false; self.growing.len()];
        for &(handle, values) in record {
            let buffer = self.growing.get(handle.0).ok_or(ZarrError::UnknownHandle)?;
            let info = &self.arrays[buffer.array_index];
            if std::mem::replace(&mut is_present[handle.0], true) {
                return Err(ZarrError::RepeatedArray {
                    name: info.name.clone(),
                });
            }
            check_values(info, values, info.row_len())?;
        }
        match is_present.iter().position(|present| !present) {
            None => Ok(()),
            Some(index) => {
                let info = &self.arrays[self.growing[index].array_index];
                Err(ZarrError::MissingArray {
                    name: info.name.clone(),
                })
            }
        }
    }

    fn has_full_chunk(&self) -> bool {
        self.growing
            .iter()
            .any(|buffer| buffer.is_full(&self.arrays[buffer.array_index]))
    }

    /// Publishes the metadata of the `changed` arrays, then those of the root: the commit point.
    pub(super) fn commit(&self, changed: &[usize]) -> Result<(), ZarrError> {
        let mut staged = Vec::with_capacity(changed.len() + 1);
        for &index in changed {
            let info = &self.arrays[index];
            let target = self.folder.join(&info.name).join(METADATA_FILE);
            staged.push(StagedFile::beside(target, &pretty_bytes(&info.to_json()))?);
        }
        if !self.is_root_deferred {
            staged.push(self.stage_root()?);
        }
        // All is written: only renames remain, so that a kill between two of them is unlikely.
        staged.into_iter().try_for_each(StagedFile::publish)
    }

    /// zarr-python warns about unknown files in the folder of a group, not in that of an array:
    /// the root's partial file is kept in the latter as soon as there is one.
    fn stage_root(&self) -> Result<StagedFile, ZarrError> {
        let target = self.folder.join(METADATA_FILE);
        let bytes = pretty_bytes(&self.root_json());
        match self.arrays.first() {
            None => StagedFile::beside(target, &bytes),
            Some(info) => StagedFile::inside(&self.folder.join(&info.name), target, &bytes),
        }
    }

    fn root_json(&self) -> Value {
        let arrays: Map<String, Value> = self
            .arrays
            .iter()
            .map(|info| (info.name.clone(), info.to_json()))
            .collect();
        json!({
            "zarr_format": 3,
            "node_type": "group",
            "attributes": self.attributes,
            "consolidated_metadata": {
                "kind": "inline",
                "must_understand": false,
                "metadata": arrays,
            },
        })
    }
}

/// The dimensions of a new array with their lengths, `None` for the growing one.
fn lengths_by_dimension<'a>(
    spec: &'a ArraySpec,
    growing: Option<&String>,
) -> impl Iterator<Item = (&'a String, Option<usize>)> {
    let first = growing.map(|_| None);
    let lengths = first
        .into_iter()
        .chain(spec.shape.iter().copied().map(Some));
    spec.dimensions.iter().zip(lengths)
}

fn check_values(info: &ArrayInfo, values: Values<'_>, expected: usize) -> Result<(), ZarrError> {
    let name = || info.name.clone();
    if values.element_type() != info.element_type() {
        let (expected, found) = (info.element_type(), values.element_type());
        return Err(ZarrError::WrongType {
            name: name(),
            expected,
            found,
        });
    }
    if values.len() != expected {
        return Err(ZarrError::WrongLength {
            name: name(),
            expected,
            found: values.len(),
        });
    }
    Ok(())
}

/// The metadata files are meant to be read by people too.
fn pretty_bytes(metadata: &Value) -> Vec<u8> {
    format!("{metadata:#}\n").into_bytes()
}
