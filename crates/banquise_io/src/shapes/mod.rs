//! Outlines of floes to draw from: libraries of shapes.

mod library;

pub use library::{LibraryError, ShapeLibrary};
