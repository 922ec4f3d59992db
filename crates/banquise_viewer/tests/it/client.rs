//! A recording, a live run, and a client that sends requests.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::ops::ControlFlow;
use std::path::Path;
use std::time::Duration;

use banquise::{NoTimer, World};
use banquise_io::plan::{Plan, PreparedRun};
use banquise_io::recording::{Manifest, RecordingWriter, RunStatus};
use banquise_viewer::{LiveRun, RecordedRun, Server, Source};
use serde_json::Value;

/// A disc that meets a square one, driven by wind, before a rock.
pub(crate) const SCENARIO: &str = r#"
title = "Two floes"
[time]
duration = "20 min"
step = "1 s"
record_every = "1 min"
[wind]
velocity = ["10 m/s", "0 m/s"]
[drag]
air_drag_coefficient = 1.7e-3
[contact]
restitution = 0.0
[[floe]]
name = "disc"
disc = { radius = "10 m" }
velocity = ["0.5 m/s", "0 m/s"]
thickness = "1 m"
[[floe]]
name = "square"
outline = { unit = "m", points = [[-10, -10], [10, -10], [10, 10], [-10, 10]] }
position = ["30 m", "0 m"]
thickness = "2 m"
[[obstacle]]
name = "rock"
outline = { unit = "m", points = [[100, -20], [120, -20], [120, 20], [100, 20]] }
"#;

pub(crate) fn plan(scenario: &str) -> PreparedRun {
    Plan::parse("two", scenario, &[], Path::new(""))
        .unwrap()
        .build()
        .unwrap()
}

/// Records the scenario into a folder.
pub(crate) fn record(folder: &Path) {
    record_scenario(folder, SCENARIO);
}

/// Records a scenario of twenty minutes into a folder.
pub(crate) fn record_scenario(folder: &Path, scenario: &str) {
    record_and(folder, scenario, |_, _| {});
}

/// Records a scenario of twenty minutes into a folder, and does something before each minute is recorded.
pub(crate) fn record_and(folder: &Path, scenario: &str, mut act: impl FnMut(u32, &mut World)) {
    let plan = plan(scenario);
    let mut simulation = plan.simulation;
    let manifest = Manifest {
        title: plan.title,
        version: "0".into(),
        scenario: scenario.into(),
        overrides: vec![],
        start: None,
        origin: None,
        duration: plan.duration,
        report: plan.report,
    };
    let mut writer = RecordingWriter::create(folder, &manifest, &simulation).unwrap();
    for minute in 0..=20 {
        let time = 60.0 * f64::from(minute);
        let flow = simulation.advance_to(time, &mut NoTimer, &mut |_, _| ControlFlow::Continue(()));
        assert!(flow.unwrap().is_continue());
        act(minute, &mut simulation.world);
        writer.record(&simulation).unwrap();
    }
    writer.finish(&simulation, RunStatus::Complete).unwrap();
}

pub(crate) fn serve(folder: &Path) -> Server {
    let run = RecordedRun::open(folder).unwrap();
    Server::start(Source::Recorded(run), 0).unwrap()
}

pub(crate) fn serve_live() -> Server {
    serve_live_scenario(SCENARIO)
}

pub(crate) fn serve_live_scenario(scenario: &str) -> Server {
    let run = LiveRun::start(plan(scenario));
    Server::start(Source::Live(run), 0).unwrap()
}

/// What came back.
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) head: String,
    pub(crate) body: Vec<u8>,
}

impl Answer {
    pub(crate) fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    pub(crate) fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap()
    }
}

/// Sends bytes and reads all that comes back; status 0 for nothing.
pub(crate) fn send(address: SocketAddr, bytes: &[u8]) -> Answer {
    let mut stream = TcpStream::connect(address).unwrap();
    stream
        .set_read_timeout(Some(Duration::from_secs(20)))
        .unwrap();
    // A server that refuses early may close while we still talk.
    let sent = stream.write_all(bytes).is_ok();
    let mut answer = Vec::new();
    let read = stream.read_to_end(&mut answer);
    assert!(read.is_ok() || !sent || !answer.is_empty(), "{read:?}");
    let end = answer.windows(4).position(|four| four == b"\r\n\r\n");
    let Some(end) = end else {
        return Answer {
            status: 0,
            head: String::new(),
            body: answer,
        };
    };
    let head = String::from_utf8(answer[..end].to_vec()).unwrap();
    let status = head.split(' ').nth(1).unwrap().parse().unwrap();
    let body = answer[end + 4..].to_vec();
    Answer { status, head, body }
}

/// Asks as the page itself does.
pub(crate) fn get(server: &Server, target: &str) -> Answer {
    let address = server.address();
    let request = format!("GET {target} HTTP/1.1\r\nHost: {address}\r\n\r\n");
    send(address, request.as_bytes())
}

/// Commands as the page itself does.
pub(crate) fn post(server: &Server, body: &str) -> Answer {
    let address = server.address();
    let request = format!(
        "POST /api/control HTTP/1.1\r\nHost: {address}\r\nOrigin: http://{address}\r\n\
         Content-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
        body.len()
    );
    send(address, request.as_bytes())
}

/// Numbers of four bytes.
pub(crate) fn floats(bytes: &[u8]) -> Vec<f32> {
    let numbers = bytes.as_chunks().0.iter();
    numbers.map(|&number| f32::from_le_bytes(number)).collect()
}

pub(crate) fn integers(bytes: &[u8]) -> Vec<u32> {
    let numbers = bytes.as_chunks().0.iter();
    numbers.map(|&number| u32::from_le_bytes(number)).collect()
}
