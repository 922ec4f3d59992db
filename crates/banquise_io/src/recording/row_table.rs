//! Tables whose rows are added as things happen: one dimension for each, and one array for each column. They are made with their first row.

use super::arrays::{attributes_of, spec};
use crate::zarr::{FillValue, Values, ZarrError, ZarrWriter};

/// Rows in a chunk of the tables: 128 kB.
const CHUNK: usize = 16_384;

/// Name, unit and meaning of a column, and how to read it off a row.
pub(super) type Column<T, V> = ([&'static str; 3], fn(&T) -> V);

/// The columns of a table.
pub(super) struct Columns<T: 'static> {
    pub(super) dimension: &'static str,
    pub(super) floats: &'static [Column<T, f64>],
    pub(super) integers: &'static [Column<T, i64>],
}

impl<T> Columns<T> {
    /// Adds rows from the row `first` on.
    pub(super) fn write(
        &self,
        store: &mut ZarrWriter,
        first: usize,
        rows: &[T],
    ) -> Result<(), ZarrError> {
        if rows.is_empty() {
            return Ok(());
        }
        if first > 0 {
            store.lengthen(self.dimension, first + rows.len())?;
        } else {
            // The root must not tell of tables before all of them are there.
            store.defer_root();
        }
        for (names, read) in self.floats {
            let values: Vec<f64> = rows.iter().map(read).collect();
            let fill = FillValue::F64(f64::NAN);
            self.put(store, first, names, fill, Values::F64(&values))?;
        }
        for (names, read) in self.integers {
            let values: Vec<i64> = rows.iter().map(read).collect();
            let fill = FillValue::I64(-1);
            self.put(store, first, names, fill, Values::I64(&values))?;
        }
        Ok(())
    }

    fn put(
        &self,
        store: &mut ZarrWriter,
        first: usize,
        [name, unit, meaning]: &[&str; 3],
        fill_value: FillValue,
        values: Values<'_>,
    ) -> Result<(), ZarrError> {
        if let Some(handle) = store.table(name) {
            return store.set(handle, first, values);
        }
        let attributes = attributes_of(unit, meaning);
        let mut spec = spec(name, &[self.dimension], &[values.len()], attributes);
        spec.fill_value = fill_value;
        store.write_table(&spec, CHUNK, values).map(drop)
    }
}
