//! Sparse matrices as FCLIB stores them.

use hdf5_reader::Hdf5File;

use super::arrays::{expect_length, integer, integers, numbers};
use super::error::FclibError;
use crate::hdf5::{Hdf5, Link};

/// `nz` of compressed columns and compressed rows; triplets have their number there.
const COLUMNS: i64 = -1;
const ROWS: i64 = -2;

/// A sparse matrix: entries of one place are added.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Sparse {
    pub(super) rows: usize,
    pub(super) columns: usize,
    /// Row, column and value.
    pub(super) entries: Vec<(usize, usize, f64)>,
}

impl Sparse {
    pub(super) fn read(file: &Hdf5File, path: &str) -> Result<Self, FclibError> {
        let size = |name: &str| {
            let path = format!("{path}/{name}");
            let found = integer(file, &path)?;
            usize::try_from(found).ok().ok_or(FclibError::Value {
                path,
                found,
                expected: "a number of rows or columns".to_owned(),
            })
        };
        let (rows, columns) = (size("m")?, size("n")?);
        let nz = integer(file, &format!("{path}/nz"))?;
        let pointers = integers(file, &format!("{path}/p"))?;
        let indices = integers(file, &format!("{path}/i"))?;
        let values = numbers(file, &format!("{path}/x"))?;
        let places = match nz {
            COLUMNS => compressed(path, &pointers, &indices, [columns, rows])?
                .into_iter()
                .map(|(column, row)| (row, column))
                .collect(),
            ROWS => compressed(path, &pointers, &indices, [rows, columns])?,
            0.. => triplets(path, nz as usize, &indices, &pointers, [rows, columns])?,
            _ => {
                return Err(FclibError::Value {
                    path: format!("{path}/nz"),
                    found: nz,
                    expected: "-1, -2 or a number of entries".to_owned(),
                });
            }
        };
        expect_length(&format!("{path}/x"), values.len(), places.len())?;
        let entries = places.into_iter().zip(values);
        Ok(Self {
            rows,
            columns,
            entries: entries
                .map(|((row, column), value)| (row, column, value))
                .collect(),
        })
    }

    /// Writes the matrix in compressed columns, the one form that all readers of FCLIB files know.
    pub(super) fn write(mut self, file: &mut Hdf5) -> u64 {
        self.entries
            .sort_unstable_by_key(|&(row, column, _)| (column, row));
        let mut starts = vec![0_i32; self.columns + 1];
        let (mut indices, mut values) = (Vec::new(), Vec::<f64>::new());
        let mut last = None;
        for (row, column, value) in self.entries {
            if last == Some((row, column)) {
                *values.last_mut().expect("there is a last entry") += value;
                continue;
            }
            last = Some((row, column));
            starts[column + 1] += 1;
            indices.push(row as i32);
            values.push(value);
        }
        for column in 0..self.columns {
            starts[column + 1] += starts[column];
        }
        let mut members: Vec<Link> = [
            ("m", self.rows as i32),
            ("n", self.columns as i32),
            ("nz", COLUMNS as i32),
            ("nzmax", values.len() as i32),
        ]
        .map(|(name, value)| (name.to_owned(), file.integers(&[value])))
        .into();
        members.push(("p".to_owned(), file.integers(&starts)));
        members.push(("i".to_owned(), file.integers(&indices)));
        members.push(("x".to_owned(), file.dataset(&[values.len()], &values, &[])));
        file.group(members)
    }
}

/// Places of compressed storage: the compressed index first.
fn compressed(
    path: &str,
    pointers: &[i64],
    indices: &[i64],
    [lines, length]: [usize; 2],
) -> Result<Vec<(usize, usize)>, FclibError> {
    expect_length(&format!("{path}/p"), pointers.len(), lines + 1)?;
    let entries = indices.len() as i64;
    let mut places = Vec::with_capacity(indices.len());
    for line in 0..lines {
        let (start, end) = (pointers[line], pointers[line + 1]);
        let first = if line == 0 { 0 } else { start };
        if start != first || end < start || end > entries {
            return Err(FclibError::Value {
                path: format!("{path}/p[{}]", if start == first { line + 1 } else { line }),
                found: if start == first { end } else { start },
                expected: format!("a pointer from {first} to {entries}"),
            });
        }
        for (position, &index) in indices
            .iter()
            .enumerate()
            .take(end as usize)
            .skip(start as usize)
        {
            let place =
                within(index, length).ok_or_else(|| beyond(path, "i", position, index, length))?;
            places.push((line, place));
        }
    }
    expect_length(&format!("{path}/i"), indices.len(), places.len())?;
    Ok(places)
}

/// Places of triplets. Where these only fit the other way round, as a description of the format has them, they are read so.
fn triplets(
    path: &str,
    count: usize,
    i: &[i64],
    p: &[i64],
    [rows, columns]: [usize; 2],
) -> Result<Vec<(usize, usize)>, FclibError> {
    expect_length(&format!("{path}/i"), i.len(), count)?;
    expect_length(&format!("{path}/p"), p.len(), count)?;
    let fits = |list: &[i64], length| list.iter().all(|&index| within(index, length).is_some());
    let is_swapped = !(fits(i, rows) && fits(p, columns)) && fits(p, rows) && fits(i, columns);
    let (of_rows, of_columns) = if is_swapped { (p, i) } else { (i, p) };
    let pairs = of_rows.iter().zip(of_columns).enumerate();
    pairs
        .map(|(position, (&row, &column))| {
            let own_row =
                within(row, rows).ok_or_else(|| beyond(path, "i", position, row, rows))?;
            let own_column = within(column, columns)
                .ok_or_else(|| beyond(path, "p", position, column, columns))?;
            Ok((own_row, own_column))
        })
        .collect()
}

fn within(index: i64, length: usize) -> Option<usize> {
    usize::try_from(index).ok().filter(|&index| index < length)
}

fn beyond(path: &str, list: &str, position: usize, found: i64, length: usize) -> FclibError {
    FclibError::Value {
        path: format!("{path}/{list}[{position}]"),
        found,
        expected: format!("an index below {length}"),
    }
}
