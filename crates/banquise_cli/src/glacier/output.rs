//! Files of a run or a study: a page, its figures, tables.

use std::path::PathBuf;

use banquise_io::figure::{Axis, Details, Figure, LineChart, Page, Section, Series, Unit};
use banquise_io::report::PAGE;

use super::Found;
use crate::VERSION;
use crate::arguments::glacier::StudyArguments;
use crate::directories::output_directory;
use crate::failure::Failure;
use banquise_io::whole_file::write_whole;

/// The folder of a study.
pub(super) struct Output {
    pub(super) directory: PathBuf,
}

impl Output {
    /// Creates the output folder; `name` is its default name.
    pub(super) fn create(arguments: &StudyArguments, name: &str) -> Result<Self, Failure> {
        let directory = output_directory(arguments.out.as_deref(), name)?;
        Ok(Self { directory })
    }

    /// Writes a file.
    pub(super) fn write(&self, name: &str, text: &str) -> Result<(), Failure> {
        let path = self.directory.join(name);
        write_whole(&path, text).map_err(|error| Failure::file(&path, &error))
    }

    /// Writes the page and its figures, and says where they are.
    pub(super) fn finish(&self, page: &Page, figures: &[Drawn]) -> Result<PathBuf, Failure> {
        for figure in figures {
            self.write(&format!("{}.svg", figure.name), &figure.svg)?;
        }
        self.write(PAGE, &page.to_html())?;
        let path = self.directory.join(PAGE);
        eprintln!("report: {}", path.display());
        Ok(path)
    }
}

/// A figure with the name of its file and its caption.
pub(super) struct Drawn {
    pub(super) name: &'static str,
    pub(super) svg: String,
    pub(super) caption: String,
}

impl Drawn {
    pub(super) fn new(name: &'static str, svg: String, caption: impl Into<String>) -> Self {
        Self {
            name,
            svg,
            caption: caption.into(),
        }
    }
}

/// The figures of these names, for a section of the page.
pub(super) fn shown(figures: &[Drawn], names: &[&str]) -> Vec<Figure> {
    let named = |name: &&str| figures.iter().find(|figure| figure.name == *name);
    let figure = |figure: &Drawn| Figure::new(figure.svg.clone(), &figure.caption);
    names.iter().filter_map(named).map(figure).collect()
}

/// Curves in time or along the glacier.
pub(super) fn chart(title: &str, x_axis: Axis, y_axis: Axis, series: Vec<Series>) -> LineChart {
    LineChart {
        title: title.into(),
        x_axis,
        y_axis,
        series,
        ..LineChart::default()
    }
}

/// An axis of time in seconds, at any length.
pub(super) fn seconds() -> Axis {
    Axis::new("Time", Unit::Fixed("s".into()))
}

/// The last section of every page: the scenario, and what was changed in it.
pub(super) fn how_it_was_made(found: &Found, arguments: &StudyArguments) -> Section {
    let text = if arguments.set.is_empty() {
        String::new()
    } else {
        format!(
            "With these values in place of the file's: {}.",
            arguments.set.join(", ")
        )
    };
    Section {
        heading: "How it was made".into(),
        text,
        details: vec![Details {
            summary: "Scenario".into(),
            text: found.text.clone(),
        }],
        ..Section::default()
    }
}

/// Small print of every page.
pub(super) fn footer() -> String {
    format!(
        "banquise {VERSION}. The model is that of P. Beguin, Étude de stabilité numérique (2020), completed and corrected."
    )
}

/// A table as CSV; every number reads back exactly.
pub(super) fn csv(header: &[String], rows: &[Vec<f64>]) -> String {
    let mut text = header.join(",") + "\n";
    for row in rows {
        let cells: Vec<String> = row.iter().map(|value| format!("{value:?}")).collect();
        text += &cells.join(",");
        text.push('\n');
    }
    text
}

/// Three or four digits, with an exponent where it is needed.
pub(super) fn digits(value: f64) -> String {
    let magnitude = value.abs();
    if value == 0.0 || (1e-2..1e4).contains(&magnitude) {
        let places = (3 - magnitude.max(1e-2).log10().floor() as i32).clamp(0, 5) as usize;
        let text = format!("{value:.places$}");
        if text.contains('.') {
            text.trim_end_matches('0').trim_end_matches('.').to_owned()
        } else {
            text
        }
    } else {
        format!("{value:.3e}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short() {
        let pairs = [
            (0.0, "0"),
            (1.0, "1"),
            (35.862, "35.86"),
            (0.6, "0.6"),
            (3.943e-4, "3.943e-4"),
            (1234.56, "1235"),
            (-0.0123, "-0.0123"),
            (310.76e9, "3.108e11"),
        ];
        for (value, text) in pairs {
            assert_eq!(digits(value), text);
        }
    }

    #[test]
    fn a_table_reads_back() {
        let text = csv(
            &["a".into(), "b".into()],
            &[vec![1e-300, 0.1], vec![f64::NAN, -3.0]],
        );
        assert_eq!(text, "a,b\n1e-300,0.1\nNaN,-3.0\n");
    }
}
