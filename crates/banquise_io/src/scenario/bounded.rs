//! Files that are read whole, up to a size.

use std::fs::File;
use std::io::Read;
use std::path::Path;

/// Larger files are refused: outlines of a hundred thousand floes take less.
pub const MAX_FILE_BYTES: u64 = 64 << 20;

/// The bytes of a file, or none if it is larger than [`MAX_FILE_BYTES`].
pub(crate) fn read_bounded(path: &Path) -> std::io::Result<Option<Vec<u8>>> {
    let mut bytes = Vec::new();
    // One byte more than allowed tells a large file (or an endless device) from a full one.
    let count = File::open(path)?
        .take(MAX_FILE_BYTES + 1)
        .read_to_end(&mut bytes)?;
    Ok((count as u64 <= MAX_FILE_BYTES).then_some(bytes))
}
