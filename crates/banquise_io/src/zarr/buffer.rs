//! The records of a growing array that do not fill a chunk yet.

use std::{borrow::Cow, cmp::Ordering, path::Path};

use super::{ArrayInfo, Values, ZarrError, shard};

/// The last chunk of a growing array, while it fills.
#[derive(Debug)]
pub(super) struct ChunkBuffer {
    /// Place of the array in the writer's list.
    pub(super) array_index: usize,
    /// Whether rows may become longer later.
    is_widening: bool,
    chunk_index: usize,
    /// Where each row ends in `bytes`. Earlier rows may be shorter than later ones.
    row_ends: Vec<usize>,
    bytes: Vec<u8>,
}

impl ChunkBuffer {
    pub(super) fn new(array_index: usize, is_widening: bool) -> Self {
        Self {
            array_index,
            is_widening,
            chunk_index: 0,
            row_ends: Vec::new(),
            bytes: Vec::new(),
        }
    }

    /// The last chunk of an array that was written before: the rows in it that count, all of the same length.
    pub(super) fn resumed(
        array_index: usize,
        is_widening: bool,
        chunk_index: usize,
        rows: &[Vec<u8>],
    ) -> Self {
        let ends = rows.iter().scan(0, |end, row| {
            *end += row.len();
            Some(*end)
        });
        Self {
            array_index,
            is_widening,
            chunk_index,
            row_ends: ends.collect(),
            bytes: rows.concat(),
        }
    }

    /// Whether the file of a chunk holds something of the rows that count. Other files of the array lie beyond them.
    pub(super) fn covers(&self, info: &ArrayInfo, row_chunk: usize, column_chunk: usize) -> bool {
        let is_column = column_chunk < info.column_chunk_count();
        match row_chunk.cmp(&self.chunk_index) {
            Ordering::Less => is_column,
            Ordering::Greater => false,
            Ordering::Equal => {
                let has_rows = is_column && !self.row_ends.is_empty();
                has_rows && (column_chunk == 0 || self.padded_bytes(info, column_chunk).1)
            }
        }
    }

    pub(super) fn push(&mut self, record: Values<'_>) {
        record.append_bytes_to(&mut self.bytes);
        self.row_ends.push(self.bytes.len());
    }

    pub(super) fn is_full(&self, info: &ArrayInfo) -> bool {
        self.row_ends.len() == info.chunk_rows
    }

    pub(super) fn is_widening(&self) -> bool {
        self.is_widening
    }

    /// Writes the chunks of these rows, padded with the fill value: chunk files all have the same size.
    ///
    /// Chunks after the first that hold nothing but the fill value are left out: columns of bodies that are gone, or
    /// not born yet, cost nothing.
    pub(super) fn write(&self, array_folder: &Path, info: &ArrayInfo) -> Result<(), ZarrError> {
        if self.row_ends.is_empty() || (self.bytes.is_empty() && !self.is_widening) {
            return Ok(());
        }
        for column_chunk in 0..info.column_chunk_count() {
            let (bytes, is_filled) = self.padded_bytes(info, column_chunk);
            let bytes = (is_filled || column_chunk == 0).then_some(&*bytes);
            shard::write_growing(array_folder, info, [self.chunk_index, column_chunk], bytes)?;
        }
        Ok(())
    }

    /// The bytes of one chunk, and whether any of them is not the fill value's.
    fn padded_bytes(&self, info: &ArrayInfo, column_chunk: usize) -> (Cow<'_, [u8]>, bool) {
        let row_bytes = info.chunk_row_bytes();
        let chunk_bytes = row_bytes * info.chunk_rows;
        if self.bytes.len() == chunk_bytes && info.column_chunk_count() == 1 {
            return (Cow::Borrowed(&self.bytes), true);
        }
        let fill = info.fill_value.to_bytes();
        let filled_row = fill.repeat(row_bytes / fill.len());
        let mut bytes = Vec::with_capacity(chunk_bytes);
        let mut is_filled = false;
        let mut row_start = 0;
        for &row_end in &self.row_ends {
            let row = &self.bytes[row_start..row_end];
            let part_start = (column_chunk * row_bytes).min(row.len());
            let part_end = (part_start + row_bytes).min(row.len());
            let part = &row[part_start..part_end];
            is_filled |= *part != filled_row[..part.len()];
            bytes.extend_from_slice(part);
            bytes.extend_from_slice(&filled_row[part.len()..]);
            row_start = row_end;
        }
        for _ in self.row_ends.len()..info.chunk_rows {
            bytes.extend_from_slice(&filled_row);
        }
        (Cow::Owned(bytes), is_filled)
    }

    /// Starts the next chunk if this one is full; to be called once the chunk is written.
    pub(super) fn advance_if_full(&mut self, info: &ArrayInfo) {
        if self.is_full(info) {
            self.chunk_index += 1;
            self.row_ends.clear();
            self.bytes.clear();
        }
    }
}
