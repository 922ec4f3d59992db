//! What the page of a bar or a plate is made of.

use banquise_io::figure::{Table, Tile};
use serde_json::Value;

/// What a run of a specimen tells.
pub(super) struct Told {
    /// What happened, in sentences.
    pub(super) happened: String,
    /// How far to trust it.
    pub(super) trust: String,
    pub(super) tiles: Vec<Tile>,
    pub(super) figures: Vec<Drawn>,
    pub(super) table: Table,
    /// A table of numbers: name of the file, header, rows.
    pub(super) csv: (&'static str, &'static str, Vec<Vec<f64>>),
    pub(super) json: Value,
}

/// A figure with the name of its file.
pub(super) struct Drawn {
    pub(super) file: &'static str,
    pub(super) svg: String,
    pub(super) caption: String,
}
