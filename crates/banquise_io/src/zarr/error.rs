//! Errors of Zarr directories.

use std::{io, path::PathBuf};

use thiserror::Error;

use super::ElementType;

/// Error of a Zarr directory that could not be written or read.
#[derive(Debug, Error)]
pub enum ZarrError {
    /// The file system refused.
    #[error("cannot {action} {}: {source}", path.display())]
    Io {
        /// The failed action, as a verb: `"read"`, `"write"`.
        action: &'static str,
        /// The file or folder concerned.
        path: PathBuf,
        /// The system's answer.
        source: io::Error,
    },
    /// A new store was asked for in a folder that already holds something; nothing was touched.
    #[error("{} already exists and is not empty", path.display())]
    NotEmpty {
        /// The folder.
        path: PathBuf,
    },
    /// An array cannot be declared as asked; nothing was written.
    #[error("array `{name}`: {problem}")]
    Spec {
        /// Name of the array.
        name: String,
        /// The cause.
        problem: SpecProblem,
    },
    /// A record names an array this writer never declared as growing.
    #[error("the record holds an array handle that this writer did not give out")]
    UnknownHandle,
    /// A record names an array twice; nothing was appended.
    #[error("the record holds array `{name}` twice")]
    RepeatedArray {
        /// Name of the array.
        name: String,
    },
    /// A record leaves an array out; nothing was appended.
    #[error("the record lacks array `{name}`")]
    MissingArray {
        /// Name of the array.
        name: String,
    },
    /// The values given or asked for are not of the array's type.
    #[error("array `{name}` holds {expected} values, not {found}")]
    WrongType {
        /// Name of the array.
        name: String,
        /// Type of the array.
        expected: ElementType,
        /// Type given or asked for.
        found: ElementType,
    },
    /// The number of values given does not fit the array.
    #[error("array `{name}` takes {expected} values at once, got {found}")]
    WrongLength {
        /// Name of the array.
        name: String,
        /// Number of values of the array or of one record of it.
        expected: usize,
        /// Number given.
        found: usize,
    },
    /// A dimension cannot be made longer: it is not there, it is longer already, or an array on it is fixed.
    #[error("dimension `{dimension}` cannot be {length} long: {reason}")]
    FixedDimension {
        /// The dimension.
        dimension: String,
        /// The length asked for.
        length: usize,
        /// The reason.
        reason: String,
    },
    /// A metadata file is not JSON.
    #[error("{} is not valid JSON: {source}", path.display())]
    Json {
        /// The file.
        path: PathBuf,
        /// Where and why the parser stopped.
        source: serde_json::Error,
    },
    /// A metadata file lacks something, or says something that makes no sense.
    #[error("{}: `{field}` should be {expected}", path.display())]
    BadMetadata {
        /// The file.
        path: PathBuf,
        /// The entry, with the array's name before it.
        field: String,
        /// Value expected there.
        expected: &'static str,
    },
    /// A metadata file uses a part of the Zarr format that is not read here.
    #[error("{}: `{field}` uses a part of Zarr not read here: only {expected}", path.display())]
    Unsupported {
        /// The file.
        path: PathBuf,
        /// The entry, with the array's name before it.
        field: String,
        /// The only thing read there.
        expected: &'static str,
    },
    /// A chunk file does not have the size its array's metadata implies.
    #[error("{} has {found} bytes, expected {expected}: damaged", path.display())]
    ChunkLength {
        /// The chunk file.
        path: PathBuf,
        /// Size it must have, in bytes.
        expected: u64,
        /// Size it has, in bytes.
        found: u64,
    },
    /// A `bool` chunk holds a byte that is neither 0 nor 1.
    #[error("array `{name}` holds the byte {byte}, which is not a bool: damaged")]
    NotBool {
        /// Name of the array.
        name: String,
        /// The byte.
        byte: u8,
    },
    /// The store holds no array of that name.
    #[error("{} holds no array `{name}`", path.display())]
    UnknownArray {
        /// The store.
        path: PathBuf,
        /// Name asked for.
        name: String,
    },
    /// The rows asked for are not all there.
    #[error("array `{name}` has {rows} rows, asked for {from}..{to}")]
    RowRange {
        /// Name of the array.
        name: String,
        /// First row asked for.
        from: usize,
        /// One past the last row asked for.
        to: usize,
        /// Number of rows of the array.
        rows: usize,
    },
}

/// Error of the declaration of an array.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum SpecProblem {
    /// The name could not be a folder's on every system, or would leave the store.
    #[error("a name is made of ASCII letters, digits, `_`, `-` and `.`, and starts with a letter")]
    BadName,
    /// Another array has this name.
    #[error("this name is taken")]
    NameTaken,
    /// Names and lengths of dimensions do not match in number.
    #[error("{names} dimension names for {lengths} lengths (a growing dimension has no length)")]
    DimensionCount {
        /// Number of names.
        names: usize,
        /// Number of lengths.
        lengths: usize,
    },
    /// A dimension appears twice, which xarray refuses.
    #[error("dimension `{dimension}` appears twice")]
    RepeatedDimension {
        /// The dimension.
        dimension: String,
    },
    /// Another array gives this dimension another length, which xarray refuses.
    #[error("dimension `{dimension}` has another length, or grows, in another array")]
    DimensionConflict {
        /// The dimension.
        dimension: String,
    },
    /// The store already grows along another dimension.
    #[error("it grows along `{dimension}`, the others along `{known}`")]
    SecondGrowingDimension {
        /// First dimension of this array.
        dimension: String,
        /// Growing dimension of the arrays declared before.
        known: String,
    },
    /// Growing arrays are declared before the first record, so that all have the same length.
    #[error("a growing array cannot be declared after the first record")]
    DeclaredTooLate,
    /// A chunk must hold at least one record.
    #[error("the chunk length is zero")]
    EmptyChunk,
    /// One chunk or row would not fit in memory.
    #[error("one chunk or row is larger than the address space")]
    TooLarge,
    /// An array that widens has two dimensions.
    #[error("an array whose second dimension may be lengthened has two dimensions")]
    NotTwoDimensions,
    /// A table has one dimension.
    #[error("a table has one dimension")]
    NotTable,
}
