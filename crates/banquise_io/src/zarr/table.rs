//! Arrays of one dimension that become longer, and whose values may change: what is known of each body.

use std::path::Path;

use super::{ArrayInfo, Values, ZarrError, files};

/// A table, held in memory whole.
#[derive(Debug)]
pub(super) struct Table {
    /// Place of the array in the writer's list.
    pub(super) array_index: usize,
    bytes: Vec<u8>,
    /// Whether each chunk differs from its file.
    is_changed: Vec<bool>,
    /// Whether the array is longer than its metadata say.
    pub(super) is_longer: bool,
}

impl Table {
    /// A table none of whose chunks is written.
    pub(super) fn new(array_index: usize, info: &ArrayInfo, values: Values<'_>) -> Self {
        let mut bytes = Vec::new();
        values.append_bytes_to(&mut bytes);
        Self {
            array_index,
            bytes,
            is_changed: vec![true; values.len().div_ceil(info.chunk_rows)],
            is_longer: false,
        }
    }

    /// A table that was written before, cut to these bytes. Its last chunk is written again, without what was cut off.
    pub(super) fn resumed(array_index: usize, info: &ArrayInfo, bytes: Vec<u8>) -> Self {
        let rows = bytes.len() / info.element_type().size();
        let mut is_changed = vec![false; rows.div_ceil(info.chunk_rows)];
        if let Some(last) = is_changed.last_mut() {
            *last = true;
        }
        Self {
            array_index,
            bytes,
            is_changed,
            is_longer: false,
        }
    }

    /// Puts values from a row on.
    pub(super) fn set(&mut self, info: &ArrayInfo, row: usize, values: Values<'_>) {
        let size = info.element_type().size();
        let mut bytes = Vec::with_capacity(values.len() * size);
        values.append_bytes_to(&mut bytes);
        let place = &mut self.bytes[row * size..][..bytes.len()];
        if *place == bytes[..] {
            return;
        }
        place.copy_from_slice(&bytes);
        self.mark(info, row, row + values.len());
    }

    /// Fills up to a length.
    pub(super) fn lengthen(&mut self, info: &ArrayInfo, length: usize) {
        let fill = info.fill_value.to_bytes();
        let row = self.bytes.len() / fill.len();
        let added = fill.repeat(length - row);
        self.bytes.extend_from_slice(&added);
        self.is_changed
            .resize(length.div_ceil(info.chunk_rows), true);
        self.mark(info, row, length);
        self.is_longer = true;
    }

    fn mark(&mut self, info: &ArrayInfo, from: usize, to: usize) {
        if from < to {
            let chunks = from / info.chunk_rows..(to - 1) / info.chunk_rows + 1;
            self.is_changed[chunks].fill(true);
        }
    }

    /// Writes the chunks that changed, each padded with the fill value.
    pub(super) fn write(&self, array_folder: &Path, info: &ArrayInfo) -> Result<(), ZarrError> {
        let fill = info.fill_value.to_bytes();
        let chunks = self.bytes.chunks(info.chunk_rows * fill.len());
        let chunks = chunks.zip(&self.is_changed).enumerate();
        for (index, (chunk, _)) in chunks.filter(|(_, (_, is_changed))| **is_changed) {
            let mut chunk = chunk.to_vec();
            let missing = info.chunk_rows - chunk.len() / fill.len();
            chunk.extend_from_slice(&fill.repeat(missing));
            files::write_chunk(array_folder, info.codec, &info.chunk_key(index, 0), &chunk)?;
        }
        Ok(())
    }

    /// Notes that everything is written.
    pub(super) fn settle(&mut self) {
        self.is_changed.fill(false);
        self.is_longer = false;
    }
}
