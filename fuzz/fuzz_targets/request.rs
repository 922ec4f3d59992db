//! Any bytes get an answer from the server of the page: as a whole request, as the path of one, as a command to a live run.

#![no_main]

use std::io::{self, Read, Write};
use std::path::Path;
use std::sync::LazyLock;

use banquise_io::plan::Plan;
use banquise_viewer::{LiveRun, Source, exchange};
use libfuzzer_sys::fuzz_target;

const PORT: u16 = 8000;
const HEADERS: &str = "Host: 127.0.0.1:8000\r\nOrigin: http://127.0.0.1:8000\r\nContent-Type: application/json\r\n";
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
        assert!(line.said.starts_with(format!("HTTP/1.1 {status} ").as_bytes()));
        assert_ne!(status, 500);
    }
    line.said
}

fuzz_target!(|bytes: &[u8]| {
    ask(&RUN, bytes);
    let path = [b"GET /", bytes, b" HTTP/1.1\r\n", HEADERS.as_bytes(), b"\r\n"].concat();
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
});
