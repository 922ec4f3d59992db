//! Growing arrays whose chunks share files.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use banquise_io::zarr::{FillValue, StoreLengths, Values, ZarrReader, ZarrWriter};
use serde_json::Map;
use tempfile::tempdir;

use super::spec;

/// A floe is there for four records from that of its number on.
fn value(record: usize, floe: usize) -> f64 {
    if (floe..floe + 4).contains(&record) {
        (100 * record + floe) as f64
    } else {
        f64::NAN
    }
}

fn create(path: &Path, is_compressed: bool) -> ZarrWriter {
    let mut writer = ZarrWriter::create(path, Map::new()).unwrap();
    if is_compressed {
        writer.compress();
    }
    writer.shard(3);
    let ids = spec("id", &["floe"], &[1], FillValue::I64(-1));
    writer.write_table(&ids, 2, Values::I64(&[0])).unwrap();
    let x = spec("x", &["time", "floe"], &[1], FillValue::F64(f64::NAN));
    writer.declare_widening(&x, 2, 2).unwrap();
    let time = spec("time", &["time"], &[], FillValue::F64(f64::NAN));
    writer.declare_growing(&time, 2).unwrap();
    writer
}

/// Appends records; one of another run has other values.
fn append(writer: &mut ZarrWriter, records: std::ops::Range<usize>, other: f64) {
    let handles = ["x", "time"].map(|name| writer.growing(name).unwrap());
    let ids = writer.table("id").unwrap();
    for record in records {
        writer.lengthen("floe", record + 1).unwrap();
        writer
            .set(ids, record, Values::I64(&[record as i64]))
            .unwrap();
        let row: Vec<f64> = (0..=record)
            .map(|floe| value(record, floe) + other)
            .collect();
        let values = [Values::F64(&row), Values::F64(&[record as f64])];
        writer
            .append(&[(handles[0], values[0]), (handles[1], values[1])])
            .unwrap();
        if record.is_multiple_of(3) {
            writer.flush().unwrap();
        }
    }
}

fn files(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut found = BTreeMap::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(files(&path));
        } else {
            found.insert(path.clone(), fs::read(path).unwrap());
        }
    }
    found
}

fn files_below(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let below =
        |(path, bytes): (PathBuf, Vec<u8>)| (path.strip_prefix(folder).unwrap().to_owned(), bytes);
    files(folder).into_iter().map(below).collect()
}

#[test]
fn shards_are_read_back_and_a_store_that_was_cut_back_ends_with_the_same_bytes() {
    for is_compressed in [false, true] {
        let folder = tempdir().unwrap();
        let path = folder.path().join("whole.zarr");
        let mut writer = create(&path, is_compressed);
        append(&mut writer, 0..17, 0.0);
        writer.finish().unwrap();
        let reader = ZarrReader::open(&path).unwrap();
        let (shape, found) = reader.read_f64("x").unwrap();
        assert_eq!(shape, [17, 17]);
        let expected = (0..17).flat_map(|record| (0..17).map(move |floe| value(record, floe)));
        assert!(
            found
                .iter()
                .map(|x| x.to_bits())
                .eq(expected.map(f64::to_bits))
        );
        // Nine chunks of two records are three files, and those of floes that are not there are left out.
        assert!(path.join("x/c/2/8").is_file() && !path.join("x/c/3").exists());
        assert!(!path.join("x/c/0/7").exists());
        assert_eq!(reader.read_f64_rows("time", 6..9).unwrap(), [6.0, 7.0, 8.0]);
        for cut in [0, 3, 4, 5, 6, 11, 12] {
            let path = folder.path().join(format!("{cut}.zarr"));
            let mut writer = create(&path, is_compressed);
            append(&mut writer, 0..cut, 0.0);
            let floes = cut.max(1);
            // These records come to nothing: the run goes on from the cut.
            append(&mut writer, cut..15, 0.5);
            writer.finish().unwrap();
            let lengths = StoreLengths {
                growing: ("time", cut),
                tables: &[("floe", floes)],
                dropped: &[],
            };
            let mut writer = ZarrWriter::reopen(&path, lengths).unwrap();
            let times = ZarrReader::open(&path).unwrap().read_f64("time").unwrap().1;
            assert_eq!(times.len(), cut);
            append(&mut writer, cut..17, 0.0);
            writer.finish().unwrap();
            let whole = files_below(&folder.path().join("whole.zarr"));
            assert!(files_below(&path) == whole, "cut at {cut}");
        }
    }
}

#[test]
fn damage_of_a_shard_is_told_with_its_path() {
    let folder = tempdir().unwrap();
    let path = folder.path().join("run.zarr");
    let mut writer = create(&path, false);
    append(&mut writer, 0..9, 0.0);
    writer.finish().unwrap();
    let shard = path.join("time/c/0");
    let bytes = fs::read(&shard).unwrap();
    for place in 0..bytes.len() {
        let mut damaged = bytes.clone();
        damaged[place] ^= 8;
        fs::write(&shard, &damaged).unwrap();
        let reader = ZarrReader::open(&path).unwrap();
        let error = reader.read_f64("time").unwrap_err().to_string();
        assert!(error.contains("time/c/0"), "{error}");
        fs::write(&shard, &bytes[..place]).unwrap();
        assert!(reader.read_f64("time").is_err(), "cut at {place}");
    }
}
