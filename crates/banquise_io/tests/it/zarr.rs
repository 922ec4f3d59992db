//! Zarr stores: what is written is read back, whatever happens to the writer.

#![expect(
    clippy::unwrap_used,
    reason = "allowed in tests, and what follows is one"
)]

mod damage;
mod killed;
mod refused;
mod sample;
mod shards;
mod widening;

use std::{fs, path::Path};

use banquise_io::zarr::{
    ArrayHandle, ArraySpec, ElementType, FillValue, Values, ZarrError, ZarrReader, ZarrWriter,
};
use serde_json::{Map, Value, json};
use tempfile::tempdir;

const FLOE_COUNT: usize = 3;

fn spec(name: &str, dimensions: &[&str], shape: &[usize], fill_value: FillValue) -> ArraySpec {
    ArraySpec {
        name: name.to_owned(),
        dimensions: dimensions
            .iter()
            .map(|&dimension| dimension.to_owned())
            .collect(),
        shape: shape.to_vec(),
        fill_value,
        attributes: Map::new(),
    }
}

fn attributes(value: &Value) -> Map<String, Value> {
    value.as_object().unwrap().clone()
}

fn x_spec() -> ArraySpec {
    spec(
        "x",
        &["time", "floe"],
        &[FLOE_COUNT],
        FillValue::F64(f64::NAN),
    )
}

/// The row every test expects at `index`.
fn x_row(index: usize) -> [f64; FLOE_COUNT] {
    [index as f64, index as f64 + 0.25, -(index as f64)]
}

/// A writer of `time` (long chunks) and `x` (short ones).
struct Track {
    writer: ZarrWriter,
    time: ArrayHandle,
    x: ArrayHandle,
}

impl Track {
    fn create(folder: &Path) -> Self {
        let mut writer = ZarrWriter::create(folder, attributes(&json!({"title": "test"}))).unwrap();
        let time_spec = ArraySpec {
            attributes: attributes(&json!({"units": "s"})),
            ..spec("time", &["time"], &[], FillValue::F64(f64::NAN))
        };
        let time = writer.declare_growing(&time_spec, 10).unwrap();
        let x = writer.declare_growing(&x_spec(), 4).unwrap();
        Self { writer, time, x }
    }

    fn append_next(&mut self) -> Result<(), ZarrError> {
        let index = self.writer.row_count();
        let (time, row) = ([index as f64 * 0.5], x_row(index));
        self.writer
            .append(&[(self.x, Values::F64(&row)), (self.time, Values::F64(&time))])
    }
}

/// Checks every row of a track, and returns how many there are.
fn check_track(folder: &Path) -> usize {
    let reader = ZarrReader::open(folder).unwrap();
    let (time_shape, times) = reader.read_f64("time").unwrap();
    let (shape, values) = reader.read_f64("x").unwrap();
    assert_eq!(shape, [time_shape[0], FLOE_COUNT]);
    let expected: Vec<f64> = (0..shape[0]).map(|index| index as f64 * 0.5).collect();
    assert_eq!(times, expected);
    assert_eq!(values, (0..shape[0]).flat_map(x_row).collect::<Vec<_>>());
    shape[0]
}

#[test]
fn every_type_is_read_back() {
    let folder = tempdir().unwrap();
    let mut writer = ZarrWriter::create(folder.path(), Map::new()).unwrap();
    let reals = [
        1.5,
        f64::NAN,
        f64::NEG_INFINITY,
        -0.0,
        f64::MIN_POSITIVE,
        0.1,
    ];
    writer
        .write_static(
            &spec("f", &["a", "b"], &[2, 3], FillValue::F64(f64::INFINITY)),
            Values::F64(&reals),
        )
        .unwrap();
    let longs = [i64::MIN, i64::MAX];
    writer
        .write_static(
            &spec("l", &["a"], &[2], FillValue::I64(-1)),
            Values::I64(&longs),
        )
        .unwrap();
    let ints = [i32::MIN, 7];
    writer
        .write_static(
            &spec("i", &["a"], &[2], FillValue::I32(-1)),
            Values::I32(&ints),
        )
        .unwrap();
    writer
        .write_static(
            &spec("u", &["a"], &[2], FillValue::U8(0)),
            Values::U8(&[0, 255]),
        )
        .unwrap();
    let flags = [true, false];
    writer
        .write_static(
            &spec("t", &["a"], &[2], FillValue::Bool(false)),
            Values::Bool(&flags),
        )
        .unwrap();
    writer
        .write_static(
            &spec("s", &[], &[], FillValue::F64(0.0)),
            Values::F64(&[3.0]),
        )
        .unwrap();
    writer
        .write_static(
            &spec("e", &["none"], &[0], FillValue::I64(0)),
            Values::I64(&[]),
        )
        .unwrap();
    writer.finish().unwrap();

    let reader = ZarrReader::open(folder.path()).unwrap();
    let (shape, found) = reader.read_f64("f").unwrap();
    assert_eq!(shape, [2, 3]);
    assert_eq!(found.map_bits(), reals.to_vec().map_bits());
    assert_eq!(reader.read_f64_rows("f", 1..2).unwrap(), reals[3..]);
    assert_eq!(reader.read_i64("l").unwrap(), (vec![2], longs.to_vec()));
    assert_eq!(reader.read_i32("i").unwrap(), (vec![2], ints.to_vec()));
    assert_eq!(reader.read_u8("u").unwrap(), (vec![2], vec![0, 255]));
    assert_eq!(reader.read_bool("t").unwrap(), (vec![2], flags.to_vec()));
    assert_eq!(reader.read_f64("s").unwrap(), (vec![], vec![3.0]));
    assert_eq!(reader.read_i64("e").unwrap(), (vec![0], vec![]));
    assert_eq!(reader.array("f").unwrap().dimensions, ["a", "b"]);
    assert_eq!(
        reader.array("f").unwrap().fill_value,
        FillValue::F64(f64::INFINITY)
    );
}

/// NaN differs from itself; its bits do not.
trait MapBits {
    fn map_bits(self) -> Vec<u64>;
}

impl MapBits for Vec<f64> {
    fn map_bits(self) -> Vec<u64> {
        self.into_iter().map(f64::to_bits).collect()
    }
}

#[test]
fn records_are_read_back_after_any_number_of_them() {
    for count in 0..25 {
        let folder = tempdir().unwrap();
        let mut track = Track::create(folder.path());
        for _ in 0..count {
            track.append_next().unwrap();
        }
        track.writer.set_attribute("status", "complete");
        track.writer.finish().unwrap();
        assert_eq!(check_track(folder.path()), count);
        let reader = ZarrReader::open(folder.path()).unwrap();
        assert_eq!(reader.attributes()["status"], "complete");
        assert_eq!(reader.attributes()["title"], "test");
        assert_eq!(reader.array("time").unwrap().attributes["units"], "s");
    }
}

#[test]
fn flushes_inside_a_chunk_keep_what_came_before() {
    let folder = tempdir().unwrap();
    let mut track = Track::create(folder.path());
    for count in 1..=23 {
        track.append_next().unwrap();
        if count % 3 == 0 {
            track.writer.flush().unwrap();
        }
        let flushed = track.writer.flushed_row_count();
        assert_eq!(check_track(folder.path()), flushed);
        assert!(count - flushed < 3, "{flushed} of {count} records flushed");
    }
}

#[test]
fn a_partial_chunk_is_padded_with_the_fill_value() {
    let folder = tempdir().unwrap();
    let mut track = Track::create(folder.path());
    track.append_next().unwrap();
    track.writer.finish().unwrap();
    let bytes = fs::read(folder.path().join("x/c/0/0")).unwrap();
    let (values, checksum) = bytes.as_chunks();
    assert_eq!(checksum.len(), 4);
    assert_eq!(values.len(), 4 * FLOE_COUNT);
    assert!(
        values[FLOE_COUNT..]
            .iter()
            .all(|&value| f64::from_le_bytes(value).is_nan())
    );
}

#[test]
fn row_ranges_cross_chunks() {
    let folder = tempdir().unwrap();
    let mut track = Track::create(folder.path());
    (0..11).for_each(|_| track.append_next().unwrap());
    track.writer.finish().unwrap();
    let reader = ZarrReader::open(folder.path()).unwrap();
    for (from, to) in [(0, 0), (3, 5), (2, 11), (4, 8), (10, 11), (11, 11)] {
        let expected: Vec<f64> = (from..to).flat_map(x_row).collect();
        assert_eq!(reader.read_f64_rows("x", from..to).unwrap(), expected);
    }
    let error = reader.read_f64_rows("x", 4..12).unwrap_err();
    assert!(matches!(
        error,
        ZarrError::RowRange {
            from: 4,
            to: 12,
            rows: 11,
            ..
        }
    ));
    let error = reader.read_i64("x").unwrap_err();
    assert!(matches!(
        error,
        ZarrError::WrongType {
            expected: ElementType::F64,
            ..
        }
    ));
    assert!(matches!(
        reader.read_f64("../x").unwrap_err(),
        ZarrError::UnknownArray { .. }
    ));
}

#[test]
fn a_store_without_floes_has_records_but_no_chunk() {
    let folder = tempdir().unwrap();
    let mut writer = ZarrWriter::create(folder.path(), Map::new()).unwrap();
    let empty = spec("x", &["time", "floe"], &[0], FillValue::F64(f64::NAN));
    let x = writer.declare_growing(&empty, 2).unwrap();
    (0..3).for_each(|_| writer.append(&[(x, Values::F64(&[]))]).unwrap());
    writer.finish().unwrap();
    let reader = ZarrReader::open(folder.path()).unwrap();
    assert_eq!(reader.read_f64("x").unwrap(), (vec![3, 0], vec![]));
}

#[test]
fn a_failed_flush_loses_no_record() {
    let folder = tempdir().unwrap();
    let mut track = Track::create(folder.path());
    let obstacle = folder.path().join("x/c");
    fs::write(&obstacle, "in the way of the folder of chunks").unwrap();
    (0..3).for_each(|_| track.append_next().unwrap());
    for _ in 0..3 {
        assert!(matches!(
            track.append_next().unwrap_err(),
            ZarrError::Io { .. }
        ));
        // The fourth record is kept, the others are refused: its chunk must go first.
        assert_eq!(track.writer.row_count(), 4);
    }
    assert_eq!(check_track(folder.path()), 0);
    fs::remove_file(&obstacle).unwrap();
    track.append_next().unwrap();
    track.writer.finish().unwrap();
    assert_eq!(check_track(folder.path()), 5);
}
