//! What the writer refuses, and that it then writes nothing.

use std::fs;

use banquise_io::zarr::{ArraySpec, FillValue, SpecProblem, Values, ZarrError, ZarrWriter};
use serde_json::Map;
use tempfile::tempdir;

use super::{FLOE_COUNT, Track, check_track, spec, x_spec};

#[test]
fn a_folder_that_holds_anything_is_refused_untouched() {
    let folder = tempdir().unwrap();
    fs::write(folder.path().join("thesis.tex"), "precious").unwrap();
    let error = ZarrWriter::create(folder.path(), Map::new()).unwrap_err();
    assert!(matches!(error, ZarrError::NotEmpty { .. }));
    let names: Vec<_> = fs::read_dir(folder.path())
        .unwrap()
        .map(|e| e.unwrap().file_name())
        .collect();
    assert_eq!(names, ["thesis.tex"]);
    let file = folder.path().join("thesis.tex");
    assert!(matches!(
        ZarrWriter::create(&file, Map::new()),
        Err(ZarrError::Io { .. })
    ));
    assert_eq!(fs::read_to_string(file).unwrap(), "precious");
}

#[test]
fn impossible_arrays_are_refused() {
    let folder = tempdir().unwrap();
    let mut track = Track::create(folder.path());
    let fill = FillValue::F64(0.0);
    let mut problem = |spec: &ArraySpec, chunk_len| match track
        .writer
        .declare_growing(spec, chunk_len)
        .unwrap_err()
    {
        ZarrError::Spec { problem, .. } => problem,
        other => panic!("unexpected: {other}"),
    };
    for name in ["", "..", "../y", "a/b", "/y", ".y", "__y", "zarr.json", "é"] {
        assert_eq!(
            problem(&spec(name, &["time"], &[], fill), 1),
            SpecProblem::BadName
        );
    }
    assert_eq!(problem(&x_spec(), 1), SpecProblem::NameTaken);
    assert_eq!(
        problem(&spec("y", &["time"], &[], fill), 0),
        SpecProblem::EmptyChunk
    );
    assert!(matches!(
        problem(&spec("y", &[], &[], fill), 1),
        SpecProblem::DimensionCount { .. }
    ));
    let wrong = problem(&spec("y", &["time", "floe"], &[FLOE_COUNT + 1], fill), 1);
    assert_eq!(
        wrong,
        SpecProblem::DimensionConflict {
            dimension: "floe".into()
        }
    );
    let wrong = problem(&spec("y", &["time", "a", "a"], &[1, 1], fill), 1);
    assert_eq!(
        wrong,
        SpecProblem::RepeatedDimension {
            dimension: "a".into()
        }
    );
    let wrong = problem(&spec("y", &["step"], &[], fill), 1);
    assert!(matches!(wrong, SpecProblem::SecondGrowingDimension { .. }));
    let wrong = problem(&spec("y", &["time", "a", "b"], &[usize::MAX, 2], fill), 1);
    assert_eq!(wrong, SpecProblem::TooLarge);
    track.append_next().unwrap();
    let late = track
        .writer
        .declare_growing(&spec("y", &["time"], &[], fill), 1)
        .unwrap_err();
    assert!(matches!(
        late,
        ZarrError::Spec {
            problem: SpecProblem::DeclaredTooLate,
            ..
        }
    ));
    let fixed_time = spec("y", &["time"], &[1], fill);
    assert!(
        track
            .writer
            .write_static(&fixed_time, Values::F64(&[0.0]))
            .is_err()
    );
}

#[test]
fn a_wrong_record_appends_nothing() {
    let folder = tempdir().unwrap();
    let mut track = Track::create(folder.path());
    let (time, x) = (track.time, track.x);
    let (one, row) = (Values::F64(&[0.0]), Values::F64(&[0.0; FLOE_COUNT]));
    let mut refuse = |record: &[_]| track.writer.append(record).unwrap_err();
    assert!(matches!(
        refuse(&[(time, one)]),
        ZarrError::MissingArray { .. }
    ));
    assert!(matches!(
        refuse(&[(time, one), (time, one)]),
        ZarrError::RepeatedArray { .. }
    ));
    assert!(matches!(
        refuse(&[(time, one), (x, one)]),
        ZarrError::WrongLength { .. }
    ));
    let whole = Values::I64(&[0]);
    assert!(matches!(
        refuse(&[(time, whole), (x, row)]),
        ZarrError::WrongType { .. }
    ));
    track.writer.finish().unwrap();
    assert_eq!(check_track(folder.path()), 0);
}
