//! Reading a scenario: TOML text with human units, `--set` overrides, and messages that point at the text.
//!
//! The road of a file: [`Document::read`] parses it and lays the overrides over it; a [`TableReader`]
//! walks the tree, turns `"250 km"` into metres and collects every [`Problem`] in [`Problems`];
//! [`Document::conclude`] gives the decoded value, or a [`ScenarioError`] that shows all problems.
//!
//! ```
//! use banquise_io::scenario::{Dimension, Document, Problems, TableReader};
//!
//! let document = Document::parse("drift.toml", "[time]\nduration = \"2 d\"\n", &[])?;
//! let problems = Problems::default();
//! let root = TableReader::root(&document, &problems);
//! let mut duration = 0.0;
//! if let Some(time) = root.required("time").table() {
//!     duration = time.required("duration").quantity(Dimension::Time).positive().or(0.0);
//!     time.finish();
//! }
//! root.finish();
//! assert_eq!(document.conclude(duration, problems)?, 172_800.0);
//! # Ok::<(), banquise_io::scenario::ScenarioError>(())
//! ```

mod bounded;
mod document;
mod field;
mod input;
mod override_error;
mod overrides;
mod problem;
mod problems;
mod quantity;
mod reader;
mod render;
mod series_csv;
mod source;
mod suggest;
mod text;
mod trace;
mod tree;
mod units;
mod value;

pub use bounded::MAX_FILE_BYTES;
pub(crate) use bounded::read_bounded;
pub use document::Document;
pub use field::{Field, Reading};
pub use input::ScenarioInput;
pub use override_error::OverrideError;
pub use problem::{Problem, ProblemKind, Related};
pub use problems::Problems;
pub use quantity::{QuantityError, QuantityErrorKind, parse_quantity};
pub use reader::TableReader;
pub use render::ScenarioError;
pub use series_csv::{
    BuoyTrack, CsvError, SeriesColumns, SeriesSample, TrackRow, check_gaps, choose_track,
    read_path, read_places, read_scalar_series, read_series, read_tracks,
};
pub use source::{Source, Sources, Span, Spanned};
pub(crate) use suggest::nearest;
pub use suggest::suggest;
pub use toml::value::Datetime;
pub(crate) use trace::{Asked, Expected, Note};
pub use units::Dimension;
pub use value::{Entry, Node, Table, Value, ValueKind};
