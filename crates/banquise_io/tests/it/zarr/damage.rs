//! Stores damaged or made elsewhere: an explanation, never a panic.

use std::{fs, path::Path};

use banquise_io::zarr::{ZarrError, ZarrReader};
use proptest::prelude::*;
use serde_json::{Value, json};
use tempfile::tempdir;

use super::Track;

#[test]
fn damage_is_told_with_its_path() {
    let folder = tempdir().unwrap();
    let mut track = Track::create(folder.path());
    (0..6).for_each(|_| track.append_next().unwrap());
    track.writer.finish().unwrap();
    let chunk = folder.path().join("x/c/1/0");
    fs::write(&chunk, "short").unwrap();
    let reader = ZarrReader::open(folder.path()).unwrap();
    let error = reader.read_f64("x").unwrap_err();
    assert!(matches!(&error, ZarrError::ChunkLength { found: 5, .. }));
    assert!(error.to_string().contains(chunk.to_str().unwrap()));
    fs::remove_file(&chunk).unwrap();
    assert!(matches!(
        reader.read_f64("x").unwrap_err(),
        ZarrError::Io { .. }
    ));
    assert!(reader.read_f64_rows("x", 0..4).is_ok());
    let nothing = folder.path().join("nothing");
    assert!(matches!(
        ZarrReader::open(nothing).unwrap_err(),
        ZarrError::Io { .. }
    ));
}

/// The root metadata of a small store, and its folder.
fn small_store() -> (tempfile::TempDir, Value) {
    let folder = tempdir().unwrap();
    let mut track = Track::create(folder.path());
    (0..6).for_each(|_| track.append_next().unwrap());
    track.writer.finish().unwrap();
    let text = fs::read(folder.path().join("zarr.json")).unwrap();
    (folder, serde_json::from_slice(&text).unwrap())
}

#[test]
fn foreign_metadata_are_refused_with_a_reason() {
    let (folder, root) = small_store();
    let x = "/consolidated_metadata/metadata/x";
    let cases = [
        ("/zarr_format".to_owned(), json!(2)),
        ("/node_type".to_owned(), json!("array")),
        ("/attributes".to_owned(), json!([])),
        ("/consolidated_metadata".to_owned(), Value::Null),
        (
            "/consolidated_metadata/metadata".to_owned(),
            json!({ "../x": root.pointer(x) }),
        ),
        (format!("{x}/node_type"), json!("group")),
        (format!("{x}/shape"), json!([-1, 3])),
        (format!("{x}/shape"), json!([6])),
        (format!("{x}/data_type"), json!("complex128")),
        (format!("{x}/fill_value"), json!("none")),
        (format!("{x}/dimension_names"), json!([null, null])),
        (
            format!("{x}/codecs"),
            json!([{"name": "bytes", "configuration": {"endian": "big"}}]),
        ),
        (
            format!("{x}/codecs"),
            json!([{"name": "bytes"}, {"name": "zstd"}]),
        ),
        (
            format!("{x}/chunk_key_encoding/configuration/separator"),
            json!("."),
        ),
        (format!("{x}/chunk_grid/name"), json!("rectilinear")),
        (
            format!("{x}/chunk_grid/configuration/chunk_shape"),
            json!([4, 2]),
        ),
        (
            format!("{x}/chunk_grid/configuration/chunk_shape"),
            json!([0, 3]),
        ),
        (
            format!("{x}/chunk_grid/configuration/chunk_shape"),
            json!([u64::MAX, 3]),
        ),
    ];
    let file_shape = root.pointer(&format!("{x}/chunk_grid/configuration/chunk_shape"));
    let file_rows = file_shape.unwrap()[0].as_u64().unwrap();
    let index =
        json!([{"name": "bytes", "configuration": {"endian": "little"}}, {"name": "crc32c"}]);
    let shards = |chunk_shape: Value, index_codecs: &Value, place: &str| {
        let configuration = json!({"chunk_shape": chunk_shape, "codecs": index, "index_codecs": index_codecs, "index_location": place});
        let codecs = json!([{"name": "sharding_indexed", "configuration": configuration}]);
        (format!("{x}/codecs"), codecs)
    };
    let shards = [
        shards(json!([0, 3]), &index, "end"),
        shards(json!([file_rows, 3]), &index, "end"),
        shards(json!([file_rows + 1, 3]), &index, "end"),
        shards(json!([1, 1]), &index, "end"),
        shards(json!([1]), &index, "end"),
        shards(json!("all"), &index, "end"),
        shards(json!([1, 3]), &index, "start"),
        shards(json!([1, 3]), &json!([]), "end"),
    ];
    for (pointer, value) in cases.into_iter().chain(shards) {
        let mut damaged = root.clone();
        *damaged.pointer_mut(&pointer).unwrap() = value;
        fs::write(folder.path().join("zarr.json"), damaged.to_string()).unwrap();
        let error = ZarrReader::open(folder.path()).expect_err(&pointer);
        let is_explained = matches!(
            error,
            ZarrError::BadMetadata { .. } | ZarrError::Unsupported { .. }
        );
        assert!(is_explained, "{pointer}: {error}");
    }
}

#[test]
fn a_shape_larger_than_the_chunks_is_an_error_and_not_an_allocation() {
    let (folder, mut root) = small_store();
    let shape = "/consolidated_metadata/metadata/x/shape";
    *root.pointer_mut(shape).unwrap() = json!([u64::MAX, 3]);
    fs::write(folder.path().join("zarr.json"), root.to_string()).unwrap();
    let reader = ZarrReader::open(folder.path()).unwrap();
    assert!(matches!(
        reader.read_f64("x").unwrap_err(),
        ZarrError::Io { .. }
    ));
    let last = usize::MAX - 1..usize::MAX;
    assert!(matches!(
        reader.read_f64_rows("x", last).unwrap_err(),
        ZarrError::Io { .. }
    ));
}

/// Opens a store and reads all it claims to hold, whatever comes out.
fn read_everything(folder: &Path) {
    let Ok(reader) = ZarrReader::open(folder) else {
        return;
    };
    for info in reader.arrays() {
        reader.read_f64(&info.name).ok();
        reader.read_i64(&info.name).ok();
        reader.read_i32(&info.name).ok();
        reader.read_u8(&info.name).ok();
        reader.read_bool(&info.name).ok();
    }
}

proptest! {
    #![proptest_config(crate::config(256))]

    #[test]
    fn arbitrary_metadata_never_panic(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let folder = tempdir().unwrap();
        fs::write(folder.path().join("zarr.json"), bytes).unwrap();
        read_everything(folder.path());
    }

    #[test]
    fn altered_metadata_never_panic(
        place in any::<prop::sample::Index>(),
        removed in 0..30_usize,
        added in "[0-9]{0,20}|[\\x20-\\x7e]{0,6}|(null|true|\\[\\]|\\{\\})",
    ) {
        let (folder, root) = small_store();
        let mut text = root.to_string().into_bytes();
        let start = place.index(text.len());
        let end = text.len().min(start + removed);
        text.splice(start..end, added.into_bytes());
        fs::write(folder.path().join("zarr.json"), text).unwrap();
        read_everything(folder.path());
    }
}
