//! Files with a checksum of which the one before is kept: the outer form of all checkpoints.
//!
//! ```text
//! magic       a line of text that says what the file is
//! version     u32, little-endian as all numbers
//! parts       each a length, u64, and as many bytes
//! checksum    u64: XXH3 of all bytes before it
//! ```

use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use thiserror::Error;
use xxhash_rust::xxh3::xxh3_64;

use crate::zarr::ZarrError;

/// The last checkpoint in a directory.
pub const FILE: &str = "checkpoint.bin";
/// The checkpoint before the last: it is used where the last is damaged.
pub const PREVIOUS: &str = "checkpoint-previous.bin";

/// Error of a checkpoint that cannot be used.
#[derive(Debug, Error)]
pub enum CheckpointError {
    /// The file cannot be read.
    #[error("cannot read {}: {source}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// The system's answer.
        source: io::Error,
    },
    /// The file is something else.
    #[error("it is not a checkpoint")]
    Foreign,
    /// Another version of the format.
    #[error("it has version {found} of the format, and this program reads version {known}")]
    Version {
        /// The version of the file.
        found: u32,
        /// The version that is read.
        known: u32,
    },
    /// The checksum is wrong, or the file ends too early.
    #[error("it is damaged: {what}")]
    Damaged {
        /// What shows it.
        what: String,
    },
}

impl CheckpointError {
    pub(crate) fn damaged(what: impl Into<String>) -> Self {
        Self::Damaged { what: what.into() }
    }
}

/// A kind of sealed file.
#[derive(Debug, Clone, Copy)]
pub struct SealedFormat {
    /// Its first bytes.
    pub magic: &'static [u8],
    /// Version of the format. It changes with the order or meaning of what is stored.
    pub version: u32,
}

impl SealedFormat {
    /// The bytes of a file.
    pub fn seal(&self, parts: &[&[u8]]) -> Vec<u8> {
        let length: usize = parts.iter().map(|part| part.len() + 8).sum();
        let mut bytes = Vec::with_capacity(length + self.magic.len() + 12);
        bytes.extend_from_slice(self.magic);
        bytes.extend_from_slice(&self.version.to_le_bytes());
        for part in parts {
            bytes.extend_from_slice(&(part.len() as u64).to_le_bytes());
            bytes.extend_from_slice(part);
        }
        let checksum = xxh3_64(&bytes);
        bytes.extend_from_slice(&checksum.to_le_bytes());
        bytes
    }

    /// The parts of a file. Nothing of it is believed before the checksum is right.
    ///
    /// # Errors
    /// When the bytes are not those of such a file with `N` parts, or damaged.
    pub fn open<'a, const N: usize>(
        &self,
        bytes: &'a [u8],
    ) -> Result<[&'a [u8]; N], CheckpointError> {
        let rest = bytes.strip_prefix(self.magic);
        let rest = rest.ok_or(CheckpointError::Foreign)?;
        let short = || CheckpointError::damaged("it ends too early");
        let (version, rest) = rest.split_first_chunk().ok_or_else(short)?;
        let found = u32::from_le_bytes(*version);
        if found != self.version {
            let known = self.version;
            return Err(CheckpointError::Version { found, known });
        }
        let (body, checksum) = bytes.split_last_chunk().ok_or_else(short)?;
        if xxh3_64(body) != u64::from_le_bytes(*checksum) {
            return Err(CheckpointError::damaged(
                "its checksum is not that of its content",
            ));
        }
        let mut rest = &rest[..rest.len().saturating_sub(8)];
        let mut parts: [&[u8]; N] = [&[]; N];
        for part in &mut parts {
            (*part, rest) = split_part(rest).ok_or_else(short)?;
        }
        if rest.is_empty() {
            Ok(parts)
        } else {
            Err(CheckpointError::damaged("it goes on after its end"))
        }
    }
}

/// A part that begins with its length, and what comes after it.
fn split_part(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    let (length, rest) = bytes.split_first_chunk()?;
    let length = usize::try_from(u64::from_le_bytes(*length)).ok()?;
    rest.split_at_checked(length)
}

/// Writes a sealed file into a directory. The last one is dropped only once this one is safe on the disk.
///
/// # Errors
/// When the system refuses: the last checkpoint is then as it was.
pub fn write_sealed(folder: &Path, bytes: &[u8]) -> Result<(), ZarrError> {
    let path = folder.join(FILE);
    let partial = folder.join(format!("{FILE}.partial"));
    let failed = |action: &'static str| {
        let path = path.clone();
        move |source| ZarrError::Io {
            action,
            path,
            source,
        }
    };
    let written = File::create(&partial).and_then(|mut file| {
        file.write_all(bytes)?;
        file.sync_data()
    });
    if written.is_err() {
        // Half a checkpoint only takes room on a disk that has none.
        drop(fs::remove_file(&partial));
    }
    written.map_err(failed("write"))?;
    match fs::rename(&path, folder.join(PREVIOUS)) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => fs::rename(&partial, &path),
    }
    .map_err(failed("replace"))
}

/// Reads the last sealed file of a directory, or the one before where that is missing or damaged; then with the reason.
///
/// # Errors
/// When there is none that can be used; the error is that of the last.
pub fn read_sealed<T>(
    folder: &Path,
    parse: impl Fn(&[u8]) -> Result<T, CheckpointError>,
) -> Result<(T, Option<CheckpointError>), CheckpointError> {
    let read = |name: &str| {
        let path = folder.join(name);
        let bytes = fs::read(&path).map_err(|source| CheckpointError::Read { path, source })?;
        parse(&bytes)
    };
    match read(FILE) {
        Ok(last) => Ok((last, None)),
        Err(error) => match read(PREVIOUS) {
            Ok(previous) => Ok((previous, Some(error))),
            Err(_) => Err(error),
        },
    }
}

/// Numbers by their bits, little-endian.
pub fn bytes_of_numbers(numbers: &[f64]) -> Vec<u8> {
    numbers.iter().flat_map(|x| x.to_le_bytes()).collect()
}

/// Numbers from their bits; `None` where a part of one is left over.
pub fn numbers_of_bytes(bytes: &[u8]) -> Option<Vec<f64>> {
    let (numbers, rest) = bytes.as_chunks();
    let numbers = numbers.iter().map(|bytes| f64::from_le_bytes(*bytes));
    rest.is_empty().then(|| numbers.collect())
}

/// Hash of the bits of numbers.
pub fn hash_of_numbers(numbers: &[f64]) -> String {
    format!("{:016x}", xxh3_64(&bytes_of_numbers(numbers)))
}

#[cfg(test)]
mod tests {
    use super::*;

    const FORMAT: SealedFormat = SealedFormat {
        magic: b"A FORMAT\n",
        version: 4,
    };

    #[test]
    fn parts_come_back_and_any_damage_shows() {
        let bytes = FORMAT.seal(&[b"first", b"", b"third"]);
        let parts: [&[u8]; 3] = FORMAT.open(&bytes).unwrap();
        assert_eq!(parts, [&b"first"[..], b"", b"third"]);
        for place in 0..bytes.len() {
            let mut damaged = bytes.clone();
            damaged[place] ^= 1;
            assert!(FORMAT.open::<3>(&damaged).is_err(), "byte {place}");
            assert!(FORMAT.open::<3>(&bytes[..place]).is_err(), "cut at {place}");
        }
        assert!(FORMAT.open::<2>(&bytes).is_err());
        assert!(FORMAT.open::<4>(&bytes).is_err());
    }
}
