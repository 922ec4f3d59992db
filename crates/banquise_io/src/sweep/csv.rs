//! A table of parameters: a header of keys, and a row for each member.

use thiserror::Error;

/// A table of texts.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct CsvTable {
    /// Names of the columns.
    pub header: Vec<String>,
    /// Rows, each as long as the header.
    pub rows: Vec<Vec<String>>,
}

/// Error of a table that cannot be read.
#[derive(Debug, Error, PartialEq, Eq)]
pub enum CsvTableError {
    /// Nothing is in it.
    #[error("it has no header")]
    Empty,
    /// A row of another length.
    #[error("line {line} has {found} cells, and the header {expected}")]
    Ragged {
        /// From 1.
        line: usize,
        /// Cells of the row.
        found: usize,
        /// Cells of the header.
        expected: usize,
    },
    /// A quote that does not end.
    #[error("line {line} has a quote that does not end")]
    OpenQuote {
        /// From 1.
        line: usize,
    },
    /// A name of a column that is missing or there twice.
    #[error("column {column} has {problem}")]
    Name {
        /// From 1.
        column: usize,
        /// What is wrong with it.
        problem: &'static str,
    },
}

/// Reads comma-separated values (RFC 4180, without line breaks in cells); empty lines and those that begin with `#` are skipped.
///
/// # Errors
/// When it is no table.
pub fn parse_csv(text: &str) -> Result<CsvTable, CsvTableError> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let lines = text.lines().enumerate();
    let lines = lines.filter(|(_, line)| !line.trim().is_empty() && !line.starts_with('#'));
    let mut table = CsvTable::default();
    for (index, line) in lines {
        let line_number = index + 1;
        let cells = cells(line).ok_or(CsvTableError::OpenQuote { line: line_number })?;
        if table.header.is_empty() {
            check_names(&cells)?;
            table.header = cells;
            continue;
        }
        if cells.len() != table.header.len() {
            return Err(CsvTableError::Ragged {
                line: line_number,
                found: cells.len(),
                expected: table.header.len(),
            });
        }
        table.rows.push(cells);
    }
    if table.header.is_empty() {
        return Err(CsvTableError::Empty);
    }
    Ok(table)
}

fn check_names(names: &[String]) -> Result<(), CsvTableError> {
    for (index, name) in names.iter().enumerate() {
        let problem = if name.is_empty() {
            "no name"
        } else if names[..index].contains(name) {
            "the name of another column"
        } else {
            continue;
        };
        let column = index + 1;
        return Err(CsvTableError::Name { column, problem });
    }
    Ok(())
}

/// The cells of a line; `None` where a quote does not end.
fn cells(line: &str) -> Option<Vec<String>> {
    let mut cells = vec![String::new()];
    let mut characters = line.chars().peekable();
    let mut is_quoted = false;
    while let Some(character) = characters.next() {
        let cell = cells.last_mut().expect("a line has a cell");
        match character {
            '"' if is_quoted && characters.peek() == Some(&'"') => {
                characters.next();
                cell.push('"');
            }
            '"' if is_quoted => is_quoted = false,
            '"' if cell.trim().is_empty() => is_quoted = true,
            ',' if !is_quoted => cells.push(String::new()),
            other => cell.push(other),
        }
    }
    let trimmed = cells.iter().map(|cell| cell.trim().to_owned());
    (!is_quoted).then(|| trimmed.collect())
}

/// A cell as it is written: quoted where it must be.
pub(super) fn quoted(cell: &str) -> String {
    if cell.contains(['"', ',', '\n', '\r', '#']) {
        format!(
            "\"{}\"",
            cell.replace('"', "\"\"").replace(['\n', '\r'], " ")
        )
    } else {
        cell.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_quoted_where_they_have_commas() {
        let text =
            "seed,pack.thickness\n# note\n1,\"{from=\"\"25 cm\"\", to=\"\"38 cm\"\"}\"\n\n2, 1 m\n";
        let table = parse_csv(text).unwrap();
        assert_eq!(table.header, ["seed", "pack.thickness"]);
        assert_eq!(table.rows[0][1], "{from=\"25 cm\", to=\"38 cm\"}");
        assert_eq!(table.rows[1], ["2", "1 m"]);
        assert_eq!(quoted("a,\"b\""), "\"a,\"\"b\"\"\"");
    }

    #[test]
    fn what_is_no_table_is_refused() {
        assert_eq!(parse_csv("\n").unwrap_err(), CsvTableError::Empty);
        assert!(matches!(
            parse_csv("a,a"),
            Err(CsvTableError::Name { column: 2, .. })
        ));
        assert!(matches!(
            parse_csv("a\n1,2"),
            Err(CsvTableError::Ragged { line: 2, .. })
        ));
        assert!(matches!(
            parse_csv("a\n\"1"),
            Err(CsvTableError::OpenQuote { line: 2 })
        ));
    }
}
