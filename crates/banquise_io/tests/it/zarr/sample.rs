//! A store with a bit of everything, for the tests in Python.

use std::env;

use banquise_io::zarr::{ArraySpec, FillValue, Values, ZarrReader, ZarrWriter};
use serde_json::{Value, json};
use tempfile::tempdir;

use super::{FLOE_COUNT, attributes, spec, x_row, x_spec};

/// Names the folder in which `sample_for_python` leaves its store.
const SAMPLE_FOLDER: &str = "BANQUISE_ZARR_SAMPLE";

/// Writes the store that `tests/python/test_zarr_store.py` opens with xarray.
#[test]
fn sample_for_python() {
    let own_folder = tempdir().unwrap();
    let folder = env::var_os(SAMPLE_FOLDER).map_or(own_folder.path().join("s"), Into::into);
    let title = attributes(&json!({"title": "sample", "seed": 7}));
    let mut writer = ZarrWriter::create(&folder, title).unwrap();
    let declare = |writer: &mut ZarrWriter, spec: ArraySpec, attrs: Value, chunk_len: usize| {
        let spec = ArraySpec {
            attributes: attributes(&attrs),
            ..spec
        };
        writer.declare_growing(&spec, chunk_len).unwrap()
    };
    let real = FillValue::F64(f64::NAN);
    let calendar =
        json!({"units": "seconds since 2008-02-01 00:00:00", "calendar": "proleptic_gregorian"});
    let time = declare(
        &mut writer,
        spec("time", &["time"], &[], real),
        calendar,
        16,
    );
    let elapsed = spec("elapsed", &["time"], &[], real);
    let elapsed = declare(&mut writer, elapsed, json!({"units": "s"}), 16);
    let x = declare(&mut writer, x_spec(), json!({"units": "m"}), 4);
    let contacts = spec("contacts", &["time"], &[], FillValue::I64(0));
    let contacts = declare(&mut writer, contacts, json!({}), 4);
    let ids = spec("floe", &["floe"], &[FLOE_COUNT], FillValue::I64(-1));
    writer
        .write_static(&ids, Values::I64(&[10, 20, 30]))
        .unwrap();
    let stuck = spec("stuck", &["floe"], &[FLOE_COUNT], FillValue::Bool(false));
    writer
        .write_static(&stuck, Values::Bool(&[true, false, true]))
        .unwrap();
    let kind = spec("kind", &["floe"], &[FLOE_COUNT], FillValue::U8(0));
    writer
        .write_static(&kind, Values::U8(&[0, 128, 255]))
        .unwrap();
    let level = spec("level", &["floe"], &[FLOE_COUNT], FillValue::I32(0));
    writer
        .write_static(&level, Values::I32(&[-1, 0, 1]))
        .unwrap();
    writer
        .write_static(&spec("dt", &[], &[], real), Values::F64(&[3600.0]))
        .unwrap();
    for index in 0..10 {
        let seconds = [index as f64 * 3600.0];
        let count = i64::try_from(index).unwrap();
        let mut row = x_row(index);
        row[2] = if index == 9 { f64::NAN } else { row[2] };
        let record = [
            (time, Values::F64(&seconds)),
            (elapsed, Values::F64(&seconds)),
            (x, Values::F64(&row)),
            (contacts, Values::I64(&[count])),
        ];
        writer.append(&record).unwrap();
    }
    writer.set_attribute("status", "complete");
    writer.finish().unwrap();
    assert_eq!(ZarrReader::open(&folder).unwrap().arrays().len(), 9);
}
