//! Connections from this machine, and the checks of their origin.

use std::io::{self, Read, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use crate::http::{Refusal, Request, Response, read_request};
use crate::routes::answer;
use crate::source::Source;

/// Connections answered at a time; a browser opens six.
const MAX_CONNECTIONS: usize = 32;
/// A request must be whole after so long, however many pieces it comes in; a connection that takes nothing for so long is closed.
const TIMEOUT: Duration = Duration::from_secs(10);

/// A server that answers until it is dropped.
pub struct Server {
    address: SocketAddr,
    stop: Arc<AtomicBool>,
    listening: Option<JoinHandle<()>>,
}

impl Server {
    /// Answers on 127.0.0.1, on a port of the system's choice for port 0.
    ///
    /// # Errors
    /// When the port is taken.
    pub fn start(source: Source, port: u16) -> io::Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port))?;
        let address = listener.local_addr()?;
        let stop = Arc::new(AtomicBool::new(false));
        let flag = Arc::clone(&stop);
        let listening = std::thread::spawn(move || listen(&listener, &Arc::new(source), &flag));
        Ok(Self {
            address,
            stop,
            listening: Some(listening),
        })
    }

    /// Address of the page.
    pub fn url(&self) -> String {
        format!("http://{}/", self.address)
    }

    /// Socket address of the server.
    pub fn address(&self) -> SocketAddr {
        self.address
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::SeqCst);
        // A connection wakes the listener up; if none can be made, it is gone already.
        drop(TcpStream::connect(self.address));
        if let Some(listening) = self.listening.take() {
            // A listener that panicked has nothing left to end.
            drop(listening.join());
        }
    }
}

fn listen(listener: &TcpListener, source: &Arc<Source>, stop: &AtomicBool) {
    let open = Arc::new(AtomicUsize::new(0));
    let port = listener.local_addr().map_or(0, |address| address.port());
    for stream in listener.incoming() {
        if stop.load(Ordering::SeqCst) {
            return;
        }
        let Ok(mut stream) = stream else {
            // Out of files, perhaps: others will be closed.
            std::thread::sleep(Duration::from_millis(20));
            continue;
        };
        if open.load(Ordering::SeqCst) >= MAX_CONNECTIONS {
            let busy = Response::refusal(Refusal::new(503, "too many connections"));
            // A client that has closed the connection does not get the answer.
            drop(busy.write(&mut stream, true));
            continue;
        }
        open.fetch_add(1, Ordering::SeqCst);
        let place = Place(Arc::clone(&open));
        let source = Arc::clone(source);
        std::thread::spawn(move || {
            let _place = place;
            // A connection that breaks concerns the other side alone.
            drop(converse(stream, &source, port));
        });
    }
}

/// One of the connections; free again when dropped, also by a panic.
struct Place(Arc<AtomicUsize>);

impl Drop for Place {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::SeqCst);
    }
}

fn converse(mut stream: TcpStream, source: &Source, port: u16) -> io::Result<()> {
    stream.set_write_timeout(Some(TIMEOUT))?;
    stream.set_nodelay(true)?;
    let mut timed = Timed {
        stream: &mut stream,
        deadline: Instant::now() + TIMEOUT,
    };
    if exchange(&mut timed, source, port)? != 200 {
        drain(&mut stream)?;
    }
    Ok(())
}

/// A connection whose request must be there at a moment.
struct Timed<'a> {
    stream: &'a mut TcpStream,
    deadline: Instant,
}

impl Read for Timed<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let left = self.deadline.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Err(io::ErrorKind::WouldBlock.into());
        }
        self.stream.set_read_timeout(Some(left))?;
        self.stream.read(buffer)
    }
}

impl Write for Timed<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.stream.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.stream.flush()
    }
}

/// Reads one request and answers it, as a server on this port does. Says the status of the answer.
///
/// # Errors
/// When the other side breaks off.
pub fn exchange(stream: &mut (impl Read + Write), source: &Source, port: u16) -> io::Result<u16> {
    let request = match read_request(stream) {
        Ok(request) => request,
        Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
            Err(Refusal::new(408, "the request never ended"))
        }
        Err(error) => return Err(error),
    };
    let with_body = request
        .as_ref()
        .is_ok_and(|request| request.method != "HEAD");
    let response = request
        .and_then(|request| {
            check_sender(&request, port)?;
            answer(&request, source)
        })
        .unwrap_or_else(Response::refusal);
    let is_refusal = response.status != 200;
    response.write(stream, with_body || is_refusal)?;
    Ok(response.status)
}

/// Reads what a refused request still sends: closing before would take the answer away from it.
fn drain(stream: &mut TcpStream) -> io::Result<()> {
    stream.shutdown(std::net::Shutdown::Write)?;
    stream.set_read_timeout(Some(Duration::from_millis(200)))?;
    let mut buffer = [0; 4096];
    for _ in 0..64 {
        if stream.read(&mut buffer)? == 0 {
            break;
        }
    }
    Ok(())
}

const FOREIGN: Refusal = Refusal::new(403, "pages of other origins are not answered");

/// Refuses requests to another host name (a page of another site whose name was made to point here), and pages
/// of other origins. Commands must say their origin.
fn check_sender(request: &Request, port: u16) -> Result<(), Refusal> {
    let hosts = [format!("127.0.0.1:{port}"), format!("localhost:{port}")];
    let host = request.header("host")?.unwrap_or_default();
    if !hosts.iter().any(|own| own == host) {
        return Err(Refusal::new(
            421,
            "this server answers to 127.0.0.1 and localhost only",
        ));
    }
    match request.header("origin")? {
        Some(origin) if origin.strip_prefix("http://") == Some(host) => {}
        None if request.method != "POST" => {}
        _ => return Err(FOREIGN),
    }
    match request.header("sec-fetch-site")? {
        None | Some("same-origin" | "none") => Ok(()),
        // Following a link to the page is fine, fetching from it is not.
        Some(_) if request.header("sec-fetch-mode")? == Some("navigate") && request.path == "/" => {
            Ok(())
        }
        Some(_) => Err(FOREIGN),
    }
}
