//! The parts of a page, each with its figures.

use crate::figure::{Figure, Section, Table};

/// A figure with the name of its file.
pub(super) struct Drawing {
    pub(super) file: &'static str,
    pub(super) svg: String,
    pub(super) caption: String,
    pub(super) is_wide: bool,
}

impl Drawing {
    /// A figure of ordinary width.
    pub(super) fn new(file: &'static str, svg: String, caption: String) -> Self {
        Self {
            file,
            svg,
            caption,
            is_wide: false,
        }
    }

    /// A figure over the whole width of the page.
    pub(super) fn wide(file: &'static str, svg: String, caption: String) -> Self {
        Self {
            is_wide: true,
            ..Self::new(file, svg, caption)
        }
    }
}

/// A part of the page.
#[derive(Default)]
pub(super) struct Chapter {
    pub(super) heading: &'static str,
    pub(super) text: String,
    pub(super) drawings: Vec<Drawing>,
    pub(super) tables: Vec<Table>,
}

impl Chapter {
    /// The part as it stands in the page.
    pub(super) fn section(&self) -> Section {
        let figure = |drawing: &Drawing| Figure {
            svg: drawing.svg.clone(),
            caption: drawing.caption.clone(),
            is_wide: drawing.is_wide,
        };
        Section {
            heading: self.heading.into(),
            text: self.text.clone(),
            figures: self.drawings.iter().map(figure).collect(),
            tables: self.tables.clone(),
            ..Section::default()
        }
    }
}
