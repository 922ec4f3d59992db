//! Requests that are refused: pages of other sites, host names that point here, paths that lead elsewhere, and malformed requests.

use std::fs;
use std::io::Write;
use std::net::TcpStream;
use std::time::Duration;

use banquise_viewer::{RecordedRun, Server};
use tempfile::tempdir;

use crate::client::{get, record, send, serve, serve_live};

fn ask(server: &Server, head: &str) -> u16 {
    send(server.address(), format!("{head}\r\n\r\n").as_bytes()).status
}

#[test]
fn it_listens_on_this_machine_alone() {
    let server = serve_live();
    assert!(server.address().ip().is_loopback());
}

#[test]
fn other_hosts_and_origins_are_refused() {
    let server = serve_live();
    let own = server.address();
    let port = own.port();
    let get = |headers: &str| ask(&server, &format!("GET /api/scene HTTP/1.1\r\n{headers}"));
    assert_eq!(get(&format!("Host: {own}")), 200);
    assert_eq!(get(&format!("Host: localhost:{port}")), 200);
    assert_eq!(get(&format!("Host: {own}\r\nOrigin: http://{own}")), 200);
    for host in [
        "evil.example".to_owned(),
        format!("evil.example:{port}"),
        format!("127.0.0.1.evil.example:{port}"),
        "127.0.0.1".to_owned(),
        format!("127.0.0.1:{}", port.wrapping_add(1)),
        format!("[::1]:{port}"),
        String::new(),
    ] {
        assert_eq!(get(&format!("Host: {host}")), 421, "{host}");
    }
    assert_eq!(ask(&server, "GET /api/scene HTTP/1.1"), 421, "no host");
    assert_eq!(
        get(&format!("Host: {own}\r\nHost: {own}")),
        400,
        "two hosts"
    );
    for origin in [
        "http://evil.example".to_owned(),
        "null".to_owned(),
        format!("https://{own}"),
        format!("http://localhost:{port}"),
        "http://127.0.0.1".to_owned(),
        format!("http://{own}.evil.example"),
    ] {
        let headers = format!("Host: {own}\r\nOrigin: {origin}");
        assert_eq!(get(&headers), 403, "{origin}");
    }
    assert_eq!(
        get(&format!("Host: {own}\r\nSec-Fetch-Site: cross-site")),
        403
    );
    let link = "Sec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: navigate";
    assert_eq!(
        ask(&server, &format!("GET / HTTP/1.1\r\nHost: {own}\r\n{link}")),
        200
    );
    assert_eq!(
        ask(
            &server,
            &format!("GET /api/scene HTTP/1.1\r\nHost: {own}\r\n{link}")
        ),
        403
    );
}

#[test]
fn commands_come_from_the_page_alone() {
    let server = serve_live();
    let own = server.address();
    let body = r#"{"action":"pause"}"#;
    let post = |headers: &str| {
        let length = body.len();
        let text = format!(
            "POST /api/control HTTP/1.1\r\nHost: {own}\r\n{headers}Content-Length: {length}\r\n\r\n{body}"
        );
        send(own, text.as_bytes()).status
    };
    let kind = "Content-Type: application/json\r\n";
    assert_eq!(post(kind), 403, "no origin");
    assert_eq!(post(&format!("Origin: http://evil.example\r\n{kind}")), 403);
    // What a form of another page can send without asking.
    assert_eq!(
        post(&format!(
            "Origin: http://{own}\r\nContent-Type: text/plain\r\n"
        )),
        400
    );
    assert_eq!(
        ask(
            &server,
            &format!("OPTIONS /api/control HTTP/1.1\r\nHost: {own}")
        ),
        405
    );
    assert_eq!(
        ask(&server, &format!("DELETE / HTTP/1.1\r\nHost: {own}")),
        405
    );
    let state = get(&server, "/api/state?version=0&generation=0&known=0").json();
    assert_eq!(state["paused"], false);
    assert_eq!(post(&format!("Origin: http://{own}\r\n{kind}")), 200);
}

#[test]
fn nothing_outside_the_folder_is_read() {
    let outside = tempdir().unwrap();
    fs::write(outside.path().join("secret.txt"), "secret").unwrap();
    let run = outside.path().join("run");
    fs::create_dir(&run).unwrap();
    record(&run);
    fs::write(run.join("report.html"), "<p>report").unwrap();
    fs::create_dir(run.join("figures")).unwrap();
    fs::write(run.join("figures/a.svg"), "<svg/>").unwrap();
    let server = serve(&run);
    let report = get(&server, "/files/report.html");
    assert_eq!((report.status, report.text().as_str()), (200, "<p>report"));
    assert!(
        report.head.contains("Content-Security-Policy: sandbox;"),
        "{}",
        report.head
    );
    assert_eq!(get(&server, "/files/figures/a.svg").status, 200);
    #[cfg(unix)]
    {
        use std::os::unix::fs::symlink;
        symlink(outside.path().join("secret.txt"), run.join("link.txt")).unwrap();
        symlink(outside.path(), run.join("folder")).unwrap();
        symlink("report.html", run.join("inside.html")).unwrap();
        assert_eq!(
            get(&server, "/files/inside.html").status,
            200,
            "a link that stays inside"
        );
    }
    let absolute = outside.path().join("secret.txt").display().to_string();
    for path in [
        "../secret.txt",
        "figures/../../secret.txt",
        "./report.html/../../secret.txt",
        "%2e%2e/secret.txt",
        "..%2fsecret.txt",
        "..\\secret.txt",
        "link.txt",
        "folder/secret.txt",
        "figures",
        "",
        "/",
        ".",
        "..",
        "recording.zarr/zarr",
        "/etc/passwd",
        &absolute,
        &format!("/{absolute}"),
        "file:///etc/passwd",
        "report.html\u{0}.txt",
    ] {
        let answer = get(&server, &format!("/files/{path}"));
        assert!(
            matches!(answer.status, 400 | 404),
            "{path}: {}",
            answer.status
        );
        assert!(!answer.text().contains("secret"), "{path}");
    }
    for target in ["/../secret.txt", "/etc/passwd", "//etc/passwd", &absolute] {
        assert_eq!(get(&server, target).status, 404, "{target}");
    }
    assert_eq!(get(&server, "/").status, 200, "the server is alive");
}

#[test]
#[cfg(unix)]
fn a_recording_with_a_link_out_of_it_is_not_opened() {
    let outside = tempdir().unwrap();
    let run = tempdir().unwrap();
    record(run.path());
    let chunk = run.path().join("recording.zarr/x/c/0/0");
    let moved = outside.path().join("chunk");
    fs::copy(&chunk, &moved).unwrap();
    fs::remove_file(&chunk).unwrap();
    std::os::unix::fs::symlink(&moved, &chunk).unwrap();
    let refused = RecordedRun::open(run.path()).err().unwrap();
    assert!(refused.to_string().contains("link"), "{refused}");
}

#[test]
fn nonsense_is_refused_and_the_server_lives() {
    let server = serve_live();
    let own = server.address();
    let long = "a".repeat(100_000);
    let head = format!("Host: {own}\r\n");
    let bodies = format!("{head}Origin: http://{own}\r\nContent-Type: application/json\r\n");
    for (nonsense, status) in [
        ("\r\n\r\n".to_owned(), 400),
        ("\u{0}\u{1}\u{2}\r\n\r\n".to_owned(), 400),
        (format!("GET /{long} HTTP/1.1\r\n{head}\r\n"), 431),
        (format!("GET / HTTP/1.1\r\n{head}X: {long}\r\n\r\n"), 431),
        (
            format!("GET / HTTP/1.1\r\n{}\r\n", "X: y\r\n".repeat(500)),
            431,
        ),
        (format!("GET http://{own}/ HTTP/1.1\r\n{head}\r\n"), 400),
        (format!("GET / HTTP/9\r\n{head}\r\n"), 400),
        (
            format!("POST /api/control HTTP/1.1\r\n{bodies}Content-Length: 1000000\r\n\r\n{long}"),
            413,
        ),
        (
            format!("POST /api/control HTTP/1.1\r\n{bodies}Content-Length: x\r\n\r\n"),
            400,
        ),
        (
            format!(
                "POST /api/control HTTP/1.1\r\n{bodies}Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n"
            ),
            411,
        ),
        (
            format!("POST /api/control HTTP/1.1\r\n{bodies}Content-Length: 3\r\n\r\n\u{fe}\u{ff}"),
            400,
        ),
        (
            format!("POST /api/scene HTTP/1.1\r\n{bodies}Content-Length: 2\r\n\r\n{{}}"),
            405,
        ),
    ] {
        let answer = send(own, nonsense.as_bytes());
        let start: String = nonsense.chars().take(60).collect();
        assert_eq!(answer.status, status, "{start:?}");
        assert_eq!(
            get(&server, "/api/scene").status,
            200,
            "dead after {start:?}"
        );
    }
}

#[test]
fn those_who_only_connect_do_not_stop_others() {
    let server = serve_live();
    let mut silent: Vec<TcpStream> = (0..20)
        .map(|_| TcpStream::connect(server.address()).unwrap())
        .collect();
    for stream in &mut silent[..10] {
        stream.write_all(b"GET / HTTP/1.1\r\nHost:").unwrap();
    }
    std::thread::sleep(Duration::from_millis(100));
    assert_eq!(get(&server, "/").status, 200);
    drop(silent);
    // More than it takes at a time: some are told so, and the server goes on.
    let crowd: Vec<TcpStream> = (0..60)
        .filter_map(|_| TcpStream::connect(server.address()).ok())
        .collect();
    drop(crowd);
    let begun = std::time::Instant::now();
    while get(&server, "/").status != 200 {
        assert!(begun.elapsed() < Duration::from_secs(20), "never again");
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn a_request_in_drops_has_ten_seconds_in_all() {
    let server = serve_live();
    let mut stream = TcpStream::connect(server.address()).unwrap();
    let begun = std::time::Instant::now();
    stream.write_all(b"GET / HTTP/1.1\r\nX: ").unwrap();
    let mut answer = [0; 12];
    stream
        .set_read_timeout(Some(Duration::from_millis(500)))
        .unwrap();
    // A drop each half second, which never lets a single read run out.
    let answered = loop {
        if std::io::Read::read_exact(&mut stream, &mut answer).is_ok() {
            break begun.elapsed();
        }
        assert!(begun.elapsed() < Duration::from_secs(30), "never refused");
        stream.write_all(b"x").ok();
    };
    assert_eq!(&answer, b"HTTP/1.1 408");
    assert!(answered < Duration::from_secs(15), "{answered:?}");
}

#[cfg(unix)]
#[test]
fn a_pipe_in_the_folder_is_not_opened() {
    let folder = tempdir().unwrap();
    record(folder.path());
    let pipe = folder.path().join("pipe.txt");
    let made = std::process::Command::new("mkfifo").arg(&pipe).status();
    assert!(made.unwrap().success());
    let server = serve(folder.path());
    assert_eq!(get(&server, "/files/pipe.txt").status, 404);
}
