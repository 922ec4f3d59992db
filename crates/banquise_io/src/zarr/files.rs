//! Files that appear whole or not at all.

use std::{
    fs,
    path::{Path, PathBuf},
};

use super::{ZarrError, codec::ChunkCodec};

/// Name of the metadata files of Zarr version 3.
pub(super) const METADATA_FILE: &str = "zarr.json";

/// A file written under its `.partial` name, waiting for its rename.
///
/// A leftover of a killed run is never read, and a failed attempt is overwritten by the next.
#[must_use = "the file appears when it is published"]
pub(super) struct StagedFile {
    partial: PathBuf,
    target: PathBuf,
}

impl StagedFile {
    /// Writes `bytes` beside `target`.
    pub(super) fn beside(target: PathBuf, bytes: &[u8]) -> Result<Self, ZarrError> {
        let mut partial = target.clone().into_os_string();
        partial.push(".partial");
        Self::write(partial.into(), target, bytes)
    }

    /// Writes `bytes` in `folder`, which must be on the file system of `target`.
    pub(super) fn inside(folder: &Path, target: PathBuf, bytes: &[u8]) -> Result<Self, ZarrError> {
        Self::write(folder.join("root.partial"), target, bytes)
    }

    fn write(partial: PathBuf, target: PathBuf, bytes: &[u8]) -> Result<Self, ZarrError> {
        fs::write(&partial, bytes).map_err(|source| ZarrError::Io {
            action: "write",
            path: partial.clone(),
            source,
        })?;
        Ok(Self { partial, target })
    }

    /// Gives the file its name, in one atomic step.
    pub(super) fn publish(self) -> Result<(), ZarrError> {
        fs::rename(&self.partial, &self.target).map_err(|source| ZarrError::Io {
            action: "replace",
            path: self.target,
            source,
        })
    }
}

/// Makes a folder and those above it, if they are not there.
pub(super) fn make_folder(path: &Path) -> Result<(), ZarrError> {
    fs::create_dir_all(path).map_err(|source| ZarrError::Io {
        action: "create",
        path: path.to_owned(),
        source,
    })
}

/// Makes the folder of a new store; one that exists must be empty.
pub(super) fn make_empty_folder(path: &Path) -> Result<(), ZarrError> {
    make_folder(path)?;
    let mut entries = fs::read_dir(path).map_err(|source| ZarrError::Io {
        action: "list",
        path: path.to_owned(),
        source,
    })?;
    match entries.next() {
        None => Ok(()),
        Some(_) => Err(ZarrError::NotEmpty {
            path: path.to_owned(),
        }),
    }
}

/// Writes one chunk file of the array in `array_folder`.
pub(super) fn write_chunk(
    array_folder: &Path,
    codec: ChunkCodec,
    key: &str,
    bytes: &[u8],
) -> Result<(), ZarrError> {
    let target = array_folder.join(key);
    let bytes = &*codec.encoded(bytes).map_err(|source| ZarrError::Io {
        action: "encode",
        path: target.clone(),
        source,
    })?;
    if let Some(folder) = target.parent() {
        make_folder(folder)?;
    }
    StagedFile::beside(target, bytes)?.publish()
}
