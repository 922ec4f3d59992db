//! The records of a growing array that do not fill a chunk yet.

use std::{borrow::Cow, path::Path};

use super::{ArrayInfo, Values, ZarrError, files};

/// The last chunk of a growing array, while it fills.
#[derive(Debug)]
pub(super) struct ChunkBuffer {
    /// Place of the array in the writer's list.
    pub(super) array_index: usize,
    chunk_index: usize,
    row_count: usize,
    bytes: Vec<u8>,
}

impl ChunkBuffer {
    pub(super) fn new(array_index: usize) -> Self {
        Self {
            array_index,
            chunk_index: 0,
            row_count: 0,
            bytes: Vec::new(),
        }
    }

    pub(super) fn push(&mut self, record: Values<'_>) {
        record.append_bytes_to(&mut self.bytes);
        self.row_count += 1;
    }

    pub(super) fn is_full(&self, info: &ArrayInfo) -> bool {
        self.row_count == info.chunk_rows
    }

    /// Writes the chunk, padded with the fill value: chunk files all have the same size.
    pub(super) fn write(&self, array_folder: &Path, info: &ArrayInfo) -> Result<(), ZarrError> {
        if self.bytes.is_empty() {
            return Ok(());
        }
        let key = info.chunk_key(self.chunk_index);
        files::write_chunk(array_folder, &key, &self.padded_bytes(info))
    }

    fn padded_bytes(&self, info: &ArrayInfo) -> Cow<'_, [u8]> {
        let missing_count = (info.chunk_rows - self.row_count) * info.row_len();
        if missing_count == 0 {
            return Cow::Borrowed(&self.bytes);
        }
        let padding = info.fill_value.to_bytes().repeat(missing_count);
        Cow::Owned([self.bytes.as_slice(), &padding].concat())
    }

    /// Starts the next chunk if this one is full; to be called once the chunk is written.
    pub(super) fn advance_if_full(&mut self, info: &ArrayInfo) {
        if self.is_full(info) {
            self.chunk_index += 1;
            self.row_count = 0;
            self.bytes.clear();
        }
    }
}
