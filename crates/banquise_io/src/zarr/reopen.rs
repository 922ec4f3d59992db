//! Going on with a store that was written before, cut back to given lengths.

use std::{
    collections::BTreeMap,
    fs, io,
    path::{Path, PathBuf},
};

use super::{
    ArrayInfo, ZarrError, ZarrReader, ZarrWriter, buffer::ChunkBuffer, shard, table::Table,
};

/// Lengths to which a store is cut.
#[derive(Debug, Clone, Copy)]
pub struct StoreLengths<'a> {
    /// The dimension along which records are added, and how many records stay.
    pub growing: (&'a str, usize),
    /// Dimensions of tables, and their lengths.
    pub tables: &'a [(&'a str, usize)],
    /// Dimensions whose arrays go.
    pub dropped: &'a [&'a str],
}

impl StoreLengths<'_> {
    /// The length that a dimension of tables is to have: `None` where it is not one of them.
    fn of(&self, dimension: &str) -> Option<usize> {
        let found = self.tables.iter().find(|(name, _)| *name == dimension);
        found.map(|&(_, length)| length)
    }
}

impl ZarrWriter {
    /// Opens a store to go on with it, with only what was in it when it had these lengths. What lies beyond is dropped, the
    /// metadata first: whenever this is cut short, the store opens.
    ///
    /// # Errors
    /// When the store is damaged, shorter than these lengths, or cannot be written.
    pub fn reopen(
        folder: impl Into<PathBuf>,
        lengths: StoreLengths<'_>,
    ) -> Result<Self, ZarrError> {
        let folder = folder.into();
        let reader = ZarrReader::open(&folder)?;
        let (growing, row_count) = lengths.growing;
        let mut writer = Self {
            attributes: reader.attributes().clone(),
            folder,
            arrays: Vec::new(),
            growing: Vec::new(),
            tables: Vec::new(),
            dimensions: BTreeMap::new(),
            row_count,
            flushed_row_count: row_count,
            is_root_deferred: false,
            is_compressed: false,
            shard_chunks: 1,
        };
        let mut dropped = Vec::new();
        for info in reader.arrays() {
            let limits = info.dimensions.iter().map(|name| lengths.of(name));
            if info
                .dimensions
                .iter()
                .any(|name| lengths.dropped.contains(&name.as_str()))
            {
                dropped.push(writer.folder.join(&info.name));
                continue;
            }
            let first = info.dimensions.first();
            let shape: Vec<usize> = (info.dimensions.iter().zip(&info.shape).zip(limits))
                .map(|((name, &length), limit)| match limit {
                    Some(limit) => limit,
                    None if name == growing => row_count,
                    None => length,
                })
                .collect();
            check_lengths(info, &shape)?;
            let cut = ArrayInfo {
                shape,
                ..info.clone()
            };
            if first.is_some_and(|name| name == growing) {
                let rows = last_rows(&reader, info, &cut)?;
                let is_widening = cut.dimensions.get(1).and_then(|name| lengths.of(name));
                let (index, chunk) = (writer.arrays.len(), row_count / cut.chunk_rows);
                let buffer = ChunkBuffer::resumed(index, is_widening.is_some(), chunk, &rows);
                writer.growing.push(buffer);
            } else if first.is_some_and(|name| lengths.of(name).is_some()) {
                let bytes = reader.read_bytes(&cut.name, 0..cut.row_count())?;
                let table = Table::resumed(writer.arrays.len(), &cut, bytes);
                writer.tables.push(table);
            }
            for (name, &length) in cut.dimensions.iter().zip(&cut.shape) {
                let length = (name != growing).then_some(length);
                writer.dimensions.insert(name.clone(), length);
            }
            writer.arrays.push(cut);
        }
        writer.commit(&(0..writer.arrays.len()).collect::<Vec<_>>())?;
        writer.remove_beyond(&dropped)?;
        Ok(writer)
    }

    /// Removes arrays that went, and chunks that hold nothing of what stays: a chunk that is left out counts as one of fill
    /// values, and an old file in its place would be read.
    fn remove_beyond(&self, dropped: &[PathBuf]) -> Result<(), ZarrError> {
        for folder in dropped {
            removed(folder, fs::remove_dir_all(folder))?;
        }
        for buffer in &self.growing {
            let info = &self.arrays[buffer.array_index];
            let first = |index: &[usize]| index[0].saturating_mul(info.shard_chunks);
            let column = |index: &[usize]| index.get(1).copied().unwrap_or(0);
            self.visit_chunks(info, |path, index| {
                let stays = |slot| buffer.covers(info, first(index) + slot, column(index));
                if !(0..info.shard_chunks).any(stays) {
                    removed(path, fs::remove_file(path))
                } else if info.shard_chunks > 1 {
                    shard::retain(path, info.shard_chunks, stays)
                } else {
                    Ok(())
                }
            })?;
        }
        for table in &self.tables {
            let info = &self.arrays[table.array_index];
            self.visit_chunks(info, |path, index| {
                if index[0].saturating_mul(info.chunk_rows) < info.row_count() {
                    return Ok(());
                }
                removed(path, fs::remove_file(path))
            })?;
        }
        Ok(())
    }

    /// Visits the files of chunks, with their indices.
    fn visit_chunks(
        &self,
        info: &ArrayInfo,
        visit: impl Fn(&Path, &[usize]) -> Result<(), ZarrError>,
    ) -> Result<(), ZarrError> {
        let root = self.folder.join(&info.name).join("c");
        let mut folders = vec![(root, Vec::new())];
        while let Some((folder, index)) = folders.pop() {
            let entries = match fs::read_dir(&folder) {
                Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
                entries => entries.map_err(|source| ZarrError::Io {
                    action: "list",
                    path: folder.clone(),
                    source,
                })?,
            };
            for entry in entries.flatten() {
                let name = entry.file_name();
                let Some(number) = name.to_str().and_then(|name| name.parse().ok()) else {
                    continue;
                };
                let index: Vec<usize> = index.iter().copied().chain([number]).collect();
                if index.len() < info.shape.len() {
                    folders.push((entry.path(), index));
                } else {
                    visit(&entry.path(), &index)?;
                }
            }
        }
        Ok(())
    }
}

/// What is gone already needs no removal.
fn removed(path: &Path, outcome: io::Result<()>) -> Result<(), ZarrError> {
    match outcome {
        Err(source) if source.kind() != io::ErrorKind::NotFound => Err(ZarrError::Io {
            action: "remove",
            path: path.to_owned(),
            source,
        }),
        _ => Ok(()),
    }
}

fn check_lengths(info: &ArrayInfo, shape: &[usize]) -> Result<(), ZarrError> {
    let short = info
        .shape
        .iter()
        .zip(shape)
        .find(|(found, asked)| found < asked);
    match short {
        Some((&rows, &to)) => Err(ZarrError::RowRange {
            name: info.name.clone(),
            from: 0,
            to,
            rows,
        }),
        None => Ok(()),
    }
}

/// The rows in the last chunk, which is not full, each cut to its new length.
fn last_rows(
    reader: &ZarrReader,
    info: &ArrayInfo,
    cut: &ArrayInfo,
) -> Result<Vec<Vec<u8>>, ZarrError> {
    let count = cut.row_count();
    let first = count / cut.chunk_rows * cut.chunk_rows;
    let size = info.element_type().size();
    let (width, cut_width) = (info.row_len() * size, cut.row_len() * size);
    if width == 0 {
        return Ok(vec![Vec::new(); count - first]);
    }
    let bytes = reader.read_bytes(&info.name, first..count)?;
    let rows = bytes.chunks_exact(width);
    Ok(rows.map(|row| row[..cut_width].to_vec()).collect())
}
