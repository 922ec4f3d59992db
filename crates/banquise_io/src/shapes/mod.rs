//! Outlines of floes to draw from: libraries of shapes, and what other programs and pictures hold.

mod import;
mod library;

pub use import::{Coordinates, ImportError, ImportSettings, Imported, import, import_bytes};
pub use library::{LibraryError, ShapeLibrary};
