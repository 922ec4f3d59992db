//! Arrays whose second dimension becomes longer in the run, with the tables along it.

use std::fs;

use banquise_io::zarr::{FillValue, Values, ZarrError, ZarrReader, ZarrWriter};
use serde_json::Map;
use tempfile::tempdir;

use super::spec;

const CHUNK_ROWS: usize = 3;
const CHUNK_COLUMNS: usize = 2;

/// The value of a floe in a record: NaN outside of its life, which begins with the record of its number.
fn value(record: usize, floe: usize) -> f64 {
    if (floe..floe + 4).contains(&record) {
        (100 * record + floe) as f64
    } else {
        f64::NAN
    }
}

/// Values as bits: a missing value is equal to itself.
fn bits(values: &[f64]) -> Vec<u64> {
    values.iter().map(|value| value.to_bits()).collect()
}

#[test]
fn rows_that_become_longer_are_read_back() {
    let folder = tempdir().unwrap();
    let path = folder.path().join("run.zarr");
    let mut writer = ZarrWriter::create(&path, Map::new()).unwrap();
    let real = FillValue::F64(f64::NAN);
    let ids = spec("id", &["floe"], &[1], FillValue::I64(-1));
    let ids = writer
        .write_table(&ids, CHUNK_COLUMNS, Values::I64(&[0]))
        .unwrap();
    let ends = spec("end", &["floe"], &[1], real);
    let ends = writer
        .write_table(&ends, CHUNK_COLUMNS, Values::F64(&[f64::NAN]))
        .unwrap();
    let x = spec("x", &["time", "floe"], &[1], real);
    let x = writer
        .declare_widening(&x, CHUNK_ROWS, CHUNK_COLUMNS)
        .unwrap();
    for record in 0..11 {
        let floes = record + 1;
        writer.lengthen("floe", floes).unwrap();
        writer
            .set(ids, record, Values::I64(&[record as i64]))
            .unwrap();
        if record >= 4 {
            let gone = record - 4;
            writer
                .set(ends, gone, Values::F64(&[record as f64]))
                .unwrap();
        }
        let row: Vec<f64> = (0..floes).map(|floe| value(record, floe)).collect();
        writer.append(&[(x, Values::F64(&row))]).unwrap();
        if record % 2 == 0 {
            writer.flush().unwrap();
            // A reader that opens the store now sees all of it.
            let reader = ZarrReader::open(&path).unwrap();
            let (shape, values) = reader.read_f64("x").unwrap();
            assert_eq!(shape, [floes, floes]);
            let expected = (0..floes).flat_map(|r| (0..floes).map(move |floe| value(r, floe)));
            assert_eq!(bits(&values), bits(&expected.collect::<Vec<_>>()));
            let known: Vec<i64> = (0..floes as i64).collect();
            assert_eq!(reader.read_i64("id").unwrap().1, known);
        }
    }
    writer.finish().unwrap();
    let reader = ZarrReader::open(&path).unwrap();
    let row = reader.read_f64_rows("x", 7..8).unwrap();
    let expected: Vec<f64> = (0..11).map(|floe| value(7, floe)).collect();
    assert_eq!(bits(&row), bits(&expected));
    assert_eq!(reader.read_f64("end").unwrap().1[..3], [4.0, 5.0, 6.0]);
    // Columns of floes that are not there in any row of a chunk cost nothing; the first chunk is always there.
    assert!(path.join("x/c/3/0").is_file() && path.join("x/c/3/4").is_file());
    assert!(!path.join("x/c/3/1").exists() && !path.join("x/c/0/3").exists());
    fs::remove_file(path.join("x/c/1/0")).unwrap();
    let error = reader.read_f64_rows("x", 4..5).unwrap_err();
    assert!(matches!(error, ZarrError::Io { .. }), "{error}");
}

#[test]
fn only_what_may_grow_is_lengthened() {
    let folder = tempdir().unwrap();
    let mut writer = ZarrWriter::create(folder.path().join("run.zarr"), Map::new()).unwrap();
    let table = spec("mass", &["floe"], &[2], FillValue::F64(f64::NAN));
    let table = writer
        .write_table(&table, 2, Values::F64(&[1.0, 2.0]))
        .unwrap();
    let error = writer.lengthen("floe", 1).unwrap_err();
    assert!(error.to_string().contains("2 long already"), "{error}");
    let error = writer.lengthen("sheet", 3).unwrap_err();
    assert!(error.to_string().contains("no such dimension"), "{error}");
    let error = writer.set(table, 1, Values::F64(&[1.0, 2.0])).unwrap_err();
    assert!(matches!(error, ZarrError::RowRange { .. }), "{error}");
    let error = writer.set(table, 0, Values::I64(&[1])).unwrap_err();
    assert!(matches!(error, ZarrError::WrongType { .. }), "{error}");
    let fixed = spec("kind", &["floe"], &[2], FillValue::I64(0));
    writer.write_static(&fixed, Values::I64(&[0, 1])).unwrap();
    let error = writer.lengthen("floe", 3).unwrap_err();
    assert!(error.to_string().contains("`kind` is fixed"), "{error}");
}
