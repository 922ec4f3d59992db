//! `banquise view`: what it prints, how it ends, and what it refuses.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::process::{Command, Stdio};

use insta::assert_snapshot;

use crate::bad_input::refusal;
use crate::workbench::{GOOD, Workbench};

#[test]
fn a_page_is_served_until_the_user_ends_it() {
    let bench = Workbench::with_scenario(GOOD);
    assert_eq!(bench.run(&["run", "s.toml", "--out", "out"]).code, Some(0));
    for target in ["out", "s.toml"] {
        let mut child = bench
            .command(&["view", target])
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut line = String::new();
        let mut stdout = BufReader::new(child.stdout.take().unwrap());
        stdout.read_line(&mut line).unwrap();
        let host = line.trim().strip_prefix("http://").unwrap();
        let host = host.strip_suffix('/').unwrap();
        let mut stream = TcpStream::connect(host).unwrap();
        write!(stream, "GET / HTTP/1.1\r\nHost: {host}\r\n\r\n").unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        assert!(answer.starts_with("HTTP/1.1 200 OK"), "{answer}");
        assert!(answer.contains("<title>Banquise</title>"), "{answer}");
        let id = child.id().to_string();
        let sent = Command::new("kill").args(["-INT", &id]).status().unwrap();
        assert!(sent.success());
        assert_eq!(child.wait().unwrap().code(), Some(0), "{target}");
    }
}

#[test]
fn what_cannot_be_shown_is_refused() {
    let bench = Workbench::with_scenario(GOOD);
    fs::create_dir(bench.path("empty")).unwrap();
    let nothing = refusal(&bench, &["view", "empty"]);
    assert!(
        nothing.contains("hint: name the directory of a run"),
        "{nothing}"
    );
    assert_eq!(bench.run(&["run", "s.toml", "--out", "out"]).code, Some(0));
    assert_snapshot!(
        "view_recording_changed",
        refusal(&bench, &["view", "out", "--set", "seed=2"])
    );
    let unknown = refusal(&bench, &["view", "nothing-like-it"]);
    assert!(
        unknown.contains("hint: the built-in scenarios are"),
        "{unknown}"
    );
    let taken = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
    let port = taken.local_addr().unwrap().port().to_string();
    let refused = refusal(&bench, &["view", "out", "--port", &port]);
    assert!(
        refused.contains("hint: name another one with --port"),
        "{refused}"
    );
}
