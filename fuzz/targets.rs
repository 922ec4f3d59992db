//! The fuzz targets as plain functions: the fuzzer calls them with what it makes up, and a test of `banquise_cli` with the committed corpus and
//! mutations of it, by the stable compiler.

use std::fs;
use std::io::{self, Read, Write};
use std::path::Path;
use std::sync::LazyLock;

use banquise::RunState;
use banquise_geometry::{DVec2, Mesh, Outline, Shape};
use banquise_io::checkpoint::Checkpoint;
use banquise_io::floedyn::read_floedyn;
use banquise_io::geography::{LocalFrame, LonLat};
use banquise_io::glacier::GlacierPlan;
use banquise_io::image::SegmentSettings;
use banquise_io::pack_file::PackFile;
use banquise_io::plan::Plan;
use banquise_io::scenario::{ScenarioInput, SeriesColumns, read_path, read_series};
use banquise_io::shapes::{Coordinates, ImportSettings, ShapeLibrary, import_bytes};
use banquise_io::sweep::{Study, parse_csv};
use banquise_io::weather::calendar::DateTime;
use banquise_io::weather::{FieldKind, FieldRequest, Gaps, read_field_from};
use banquise_io::zarr::ZarrReader;
use banquise_solver::lcp::{self, LcpStatus};
use banquise_solver::{Problem, solve_impact, solve_local};
use banquise_viewer::{LiveRun, Source, exchange};

/// A target: its name, and what it does with bytes.
pub(crate) type Target = (&'static str, fn(&[u8]));

/// All targets.
pub(crate) const TARGETS: &[Target] = &[
    ("checkpoint", checkpoint),
    ("chunk", chunk),
    ("csv", csv),
    ("floedyn", floedyn),
    ("import", import),
    ("outline", outline),
    ("pack_file", pack_file),
    ("problem", problem),
    ("request", request),
    ("scenario", scenario),
    ("shapes", shapes),
    ("state", state),
    ("study", study),
    ("weather", weather),
    ("zarr_metadata", zarr_metadata),
];

/// Bytes as text, where they are.
fn text(bytes: &[u8]) -> &str {
    str::from_utf8(bytes).unwrap_or_default()
}

/// Any bytes are a checkpoint that is written as it was read, or are refused with a reason. Capsules of steps have this format.
pub(crate) fn checkpoint(bytes: &[u8]) {
    match Checkpoint::from_bytes(bytes) {
        Ok(checkpoint) => {
            let again = Checkpoint::from_bytes(&checkpoint.to_bytes());
            assert_eq!(again.expect("what we write can be read"), checkpoint);
        }
        Err(error) => assert!(!error.to_string().is_empty()),
    }
}

/// Any bytes are the state of a run, or are refused: the checksum of a checkpoint keeps errors out, but not enemies.
pub(crate) fn state(bytes: &[u8]) {
    match RunState::from_bytes(bytes) {
        Ok(state) => {
            state.world.state_hash();
        }
        Err(error) => assert!(!error.to_string().is_empty()),
    }
}

/// Any bytes are a chunk of a recording, whatever its compression, or a shard of two chunks, or are refused.
pub(crate) fn chunk(bytes: &[u8]) {
    let endian = "{\"name\": \"bytes\", \"configuration\": {\"endian\": \"little\"}}";
    let plain = endian.to_owned();
    let crc = format!("{endian}, {{\"name\": \"crc32c\"}}");
    let gzip = format!("{endian}, {{\"name\": \"gzip\", \"configuration\": {{\"level\": 5}}}}");
    let shard = |codecs: &str| {
        format!(
            "{{\"name\": \"sharding_indexed\", \"configuration\": {{\"chunk_shape\": [2], \"codecs\": [{codecs}], \"index_codecs\": [{crc}], \
             \"index_location\": \"end\"}}}}"
        )
    };
    let folder = tempfile::tempdir().expect("a folder for the store");
    let chunks = folder.path().join("x/c");
    fs::create_dir_all(&chunks).expect("a folder for the chunks");
    for name in ["0", "1"] {
        fs::write(chunks.join(name), bytes).expect("room for the chunk");
    }
    for codecs in [&plain, &crc, &gzip, &shard(&plain), &shard(&gzip)] {
        let array = format!(
            "{{\"zarr_format\": 3, \"node_type\": \"array\", \"shape\": [7], \"data_type\": \"float64\", \"chunk_grid\": {{\"name\": \"regular\", \
             \"configuration\": {{\"chunk_shape\": [4]}}}}, \"chunk_key_encoding\": {{\"name\": \"default\", \"configuration\": {{\"separator\": \"/\"}}}}, \
             \"fill_value\": \"NaN\", \"codecs\": [{codecs}], \
             \"attributes\": {{}}, \"dimension_names\": [\"time\"]}}"
        );
        let root = format!(
            "{{\"zarr_format\": 3, \"node_type\": \"group\", \"attributes\": {{}}, \"consolidated_metadata\": {{\"kind\": \"inline\", \
             \"must_understand\": false, \"metadata\": {{\"x\": {array}}}}}}}"
        );
        fs::write(folder.path().join("zarr.json"), root).expect("room for the metadata");
        let reader = ZarrReader::open(folder.path()).expect("the metadata are good");
        match reader.read_f64("x") {
            Ok((shape, values)) => assert_eq!((shape, values.len()), (vec![7], 7)),
            Err(error) => assert!(!error.to_string().is_empty()),
        }
    }
}

/// Any text is a study with members, or is refused with a text; and a table of parameters.
pub(crate) fn study(bytes: &[u8]) {
    let input = ScenarioInput::of_text("x", &String::from_utf8_lossy(bytes), Path::new(""));
    match Study::of(&input, &[]) {
        Ok(study) => assert!(
            study
                .members
                .iter()
                .all(|m| m.values.len() == study.parameters.len())
        ),
        Err(error) => assert!(error.render(false).starts_with("error: ")),
    }
    if let Ok(table) = parse_csv(text(bytes)) {
        assert!(table.rows.iter().all(|row| row.len() == table.header.len()));
    }
}

/// Any text is a series or a path that increases, or is refused.
pub(crate) fn csv(bytes: &[u8]) {
    let text = text(bytes);
    match read_series(text, &SeriesColumns::default()) {
        Ok(samples) => {
            assert!(samples.is_sorted_by(|a, b| a.time < b.time));
            assert!(samples.iter().all(|s| s.x.is_finite() && s.y.is_finite()));
        }
        Err(error) => assert!(!error.to_string().is_empty() && !error.hint().is_empty()),
    }
    if let Ok(waypoints) = read_path(text, 0.0) {
        assert!(waypoints.is_sorted_by(|a, b| a.time < b.time));
        let finite = |w: &banquise::Waypoint| w.position.is_finite() && w.heading.is_finite();
        assert!(waypoints.iter().all(finite));
    }
}

/// Bytes as an input file of FloeDyn.
pub(crate) fn floedyn(bytes: &[u8]) {
    for record in [0, -1] {
        if let Ok(floes) = read_floedyn(bytes.to_vec(), record) {
            assert!(floes.iter().all(|floe| floe.outline.area() > 0.0));
        }
    }
}

/// Any bytes are outlines, which stay valid when simplified, or are refused with a reason.
pub(crate) fn import(bytes: &[u8]) {
    let coordinates = [
        None,
        Some(Coordinates::Metres),
        Some(Coordinates::Degrees(None)),
    ];
    for (coordinates, is_labels) in coordinates.into_iter().zip([false, true, true]) {
        let settings = ImportSettings {
            unit: Some(10.0),
            coordinates,
            is_labels,
            segment: SegmentSettings {
                min_pixels: 4,
                ..SegmentSettings::default()
            },
            only_whole: false,
        };
        match import_bytes(bytes, &settings) {
            Ok(imported) => {
                let simple = imported.simplified(12);
                assert_eq!(simple.len(), imported.outlines.len());
            }
            Err(error) => assert!(!error.to_string().is_empty() && !error.hint().is_empty()),
        }
    }
}

/// Any points are an outline whose measures make sense, or are refused. Bytes are pairs of numbers.
pub(crate) fn outline(bytes: &[u8]) {
    let number = |bytes: &[u8]| f64::from_le_bytes(bytes.try_into().expect("eight bytes"));
    let pairs = bytes.chunks_exact(16);
    let vertices: Vec<DVec2> = pairs
        .map(|pair| DVec2::new(number(&pair[..8]), number(&pair[8..])))
        .collect();
    for outline in [
        Outline::try_new(vertices.clone()),
        Outline::from_ring(&vertices),
    ] {
        let Ok(outline) = outline else {
            continue;
        };
        assert!(outline.area() > 0.0);
        assert!(outline.perimeter() > 0.0);
        assert!(outline.centroid().is_finite());
        let again = Outline::try_new(outline.vertices().to_vec());
        assert!(again.is_ok(), "{again:?}");
        let mesh = Mesh::of(&Shape::Outline(outline));
        assert!(!mesh.elements().is_empty());
    }
}

/// Any text is a pack that reads back the same, or is refused.
pub(crate) fn pack_file(bytes: &[u8]) {
    match PackFile::from_json(text(bytes)) {
        Ok(pack) => {
            let again = PackFile::from_json(&pack.to_json(&().into()));
            assert_eq!(again.expect("what we write can be read"), pack);
        }
        Err(error) => assert!(!error.to_string().is_empty() && !error.hint().is_empty()),
    }
}

/// Any text is a problem or is refused with a reason; small problems are solved without a panic. Capsules of impacts are problems.
pub(crate) fn problem(bytes: &[u8]) {
    match Problem::from_json(text(bytes)) {
        Ok(Problem::Lcp(problem)) if problem.size() <= 8 => {
            let outcome = lcp::solve(&problem);
            if outcome.status == LcpStatus::Solved {
                assert!(problem.residual(&outcome.z) <= 1e-9);
            }
        }
        Ok(Problem::Local(problem)) if problem.contact_count() <= 8 => {
            solve_local(&problem);
        }
        Ok(Problem::Contacts(mut problem, settings)) if problem.contacts.len() <= 8 => {
            let text = problem.to_json(&settings);
            assert!(
                matches!(Problem::from_json(&text), Ok(Problem::Contacts(..))),
                "{text}"
            );
            let report = solve_impact(&mut problem, &settings);
            assert_eq!(report.impulses.len(), problem.contacts.len());
        }
        Ok(_) => {}
        Err(error) => assert!(!error.to_string().is_empty() && !error.hint().is_empty()),
    }
}

/// Any bytes are a plan, of floes or of a glacier, or are refused with a text.
pub(crate) fn scenario(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    if let Err(error) = Plan::parse("x", &text, &[], Path::new("")).and_then(Plan::build) {
        assert!(error.render(false).starts_with("error: "));
    }
    if let Err(error) = GlacierPlan::parse("x", &text, &[], Path::new("")) {
        assert!(error.render(false).starts_with("error: "));
    }
}

/// Any text is a shape library that reads back the same, or is refused.
pub(crate) fn shapes(bytes: &[u8]) {
    match ShapeLibrary::from_json(text(bytes)) {
        Ok(library) => {
            let again = ShapeLibrary::from_json(&library.to_json());
            assert_eq!(again.expect("what we write can be read"), library);
        }
        Err(error) => assert!(!error.to_string().is_empty() && !error.hint().is_empty()),
    }
}

/// Any bytes are a file of wind, or are refused with a reason.
pub(crate) fn weather(bytes: &[u8]) {
    let request = FieldRequest {
        kind: FieldKind::Wind,
        variables: None,
        directions: None,
        unit: None,
        level: Some(0),
        gaps: Gaps::Nearest,
        max_gap: None,
        start: DateTime {
            year: 2016,
            month: 2,
            day: 1,
            seconds: 0.0,
        },
        duration: 3600.0,
        frame: LocalFrame::new(LonLat::from_degrees(5.0, 60.0)),
    };
    if let Err(error) = read_field_from(bytes, &request) {
        assert!(!error.to_string().is_empty() && !error.hint().is_empty());
    }
}

/// Any bytes are the metadata of a dataset, or are refused.
pub(crate) fn zarr_metadata(bytes: &[u8]) {
    let folder = tempfile::tempdir().expect("a folder for the store");
    fs::write(folder.path().join("zarr.json"), bytes).expect("room for the metadata");
    let Ok(reader) = ZarrReader::open(folder.path()) else {
        return;
    };
    for info in reader.arrays() {
        reader.read_f64(&info.name).ok();
        reader.read_i64(&info.name).ok();
        reader.read_bool(&info.name).ok();
    }
}

const PORT: u16 = 8000;
const HEADERS: &str =
    "Host: 127.0.0.1:8000\r\nOrigin: http://127.0.0.1:8000\r\nContent-Type: application/json\r\n";
const SCENARIO: &str = "[time]\nduration = \"2 s\"\nstep = \"1 s\"\n[wind]\nvelocity = [\"5 m/s\", \"0 m/s\"]\n\
    [[floe]]\ndisc = { radius = \"10 m\" }\nthickness = \"1 m\"\n";

/// A run that has ended: no client waits for its news.
static RUN: LazyLock<Source> = LazyLock::new(|| {
    let plan = Plan::parse("fuzz", SCENARIO, &[], Path::new(""))
        .and_then(Plan::build)
        .expect("the scenario is good");
    let source = Source::Live(LiveRun::start(plan));
    let state = format!("GET /api/state?version=0&generation=0&known=0 HTTP/1.1\r\n{HEADERS}\r\n");
    while !String::from_utf8_lossy(&ask(&source, state.as_bytes())).contains("complete") {}
    source
});

/// A connection in memory.
struct Line<'a> {
    heard: &'a [u8],
    said: Vec<u8>,
}

impl Read for Line<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.heard.read(buffer)
    }
}

impl Write for Line<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.said.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// What is answered; nothing to a request that breaks off.
fn ask(source: &Source, request: &[u8]) -> Vec<u8> {
    let mut line = Line {
        heard: request,
        said: Vec::new(),
    };
    if let Ok(status) = exchange(&mut line, source, PORT) {
        assert!(
            line.said
                .starts_with(format!("HTTP/1.1 {status} ").as_bytes())
        );
        assert_ne!(status, 500);
    }
    line.said
}

/// Any bytes get an answer from the server of the page: as a whole request, as the path of one, as a command to a live run.
pub(crate) fn request(bytes: &[u8]) {
    ask(&RUN, bytes);
    let path = [
        b"GET /",
        bytes,
        b" HTTP/1.1\r\n",
        HEADERS.as_bytes(),
        b"\r\n",
    ]
    .concat();
    ask(&RUN, &path);
    let length = format!("Content-Length: {}\r\n\r\n", bytes.len());
    let command = [
        b"POST /api/control HTTP/1.1\r\n",
        HEADERS.as_bytes(),
        length.as_bytes(),
        bytes,
    ]
    .concat();
    let answer = ask(&RUN, &command);
    assert!(!answer.is_empty());
}
