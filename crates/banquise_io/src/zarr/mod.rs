//! Zarr version 3 directories: written record by record, opened by xarray, read back here.
//!
//! Only a small part of the format is used, on purpose: regular chunks, keys like `c/3/0`, the
//! `bytes` codec (little endian), and after it `crc32c`, or `gzip` where a writer is told to. Where it is told so, several
//! chunks of a growing array share a file (`sharding_indexed`). A chunk
//! spans every dimension but the first, so that one record is one contiguous run of bytes; where the second dimension
//! was lengthened in the run, chunks stand side by side along it too.
//! The format: <https://zarr-specs.readthedocs.io/en/latest/v3/core/index.html>.
//!
//! # What a killed run leaves behind
//!
//! ```text
//! run.zarr/zarr.json            root: attributes and the metadata of every array (consolidated)
//! run.zarr/time/zarr.json       the same metadata again, for readers that ignore the root's copy
//! run.zarr/time/c/0             first chunk
//! run.zarr/time/c/1.partial     being written when the run was killed; it is not read
//! ```
//!
//! No file is ever modified in place: each is written under a `.partial` name and renamed. A flush
//! renames first the chunks, then the metadata of the arrays, and last the root `zarr.json`. That
//! last rename is the commit: before it a reader sees the previous lengths, after it the new ones,
//! and the rows of the previous lengths are the same bytes in both; a value of a table that was changed is the new one
//! in both. So a run killed at any instant
//! leaves a directory that opens, with growing arrays of equal length, up to the last flush.
//!
//! Two limits. A reader told to ignore the consolidated metadata may find arrays of different
//! lengths if the kill fell between the renames of their `zarr.json`; these renames are done in a
//! row, with all the files already written, to keep that window short. And nothing is forced to
//! the disk (`fsync`): what a process has written survives its death, but not necessarily a power
//! cut.
//!
//! # Example
//!
//! ```
//! use banquise_io::zarr::{ArraySpec, FillValue, Values, ZarrReader, ZarrWriter};
//!
//! # let folder = tempfile::tempdir()?;
//! # let path = folder.path().join("run.zarr");
//! let mut writer = ZarrWriter::create(&path, serde_json::Map::new())?;
//! let x = writer.declare_growing(&ArraySpec {
//!     name: "x".into(),
//!     dimensions: vec!["time".into(), "floe".into()],
//!     shape: vec![2], // of the fixed dimensions: `time` grows
//!     fill_value: FillValue::F64(f64::NAN),
//!     attributes: serde_json::Map::new(),
//! }, 64)?;
//! writer.append(&[(x, Values::F64(&[1.0, 2.0]))])?;
//! writer.set_attribute("status", "complete");
//! writer.finish()?;
//!
//! let reader = ZarrReader::open(&path)?;
//! assert_eq!(reader.read_f64("x")?, (vec![1, 2], vec![1.0, 2.0]));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod array;
mod background;
mod buffer;
mod cache;
mod codec;
mod element;
mod error;
mod files;
mod parse;
mod reader;
mod reopen;
mod shard;
mod table;
mod writer;

pub use array::{ArrayInfo, ArraySpec};
pub use background::{BackgroundWriter, FLUSH_EVERY};
pub use codec::{ChunkCodec, crc32c};
pub use element::{ElementType, FillValue, Values};
pub use error::{SpecProblem, ZarrError};
pub use reader::ZarrReader;
pub use reopen::StoreLengths;
pub use writer::{ArrayHandle, TableHandle, ZarrWriter};
