//! Requests within bounds, and responses. One request a connection: loopback is quick, and nothing is left over for
//! the next one to stumble on.

use std::io::{self, Read, Write};

/// Bytes of a request line with its headers.
const MAX_HEAD: usize = 16 * 1024;
/// Bytes of a body: commands are short.
pub(crate) const MAX_BODY: usize = 4 * 1024;
/// Header lines.
const MAX_HEADERS: usize = 64;

/// An HTTP request.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Request {
    pub(crate) method: String,
    /// The path, as sent: nothing is decoded.
    pub(crate) path: String,
    /// Query string.
    pub(crate) query: String,
    headers: Vec<(String, String)>,
    pub(crate) body: Vec<u8>,
}

impl Request {
    /// A header, if it is there once; `Err` if it is there more often.
    pub(crate) fn header(&self, name: &str) -> Result<Option<&str>, Refusal> {
        let mut values = self.headers.iter().filter(|(key, _)| key == name);
        let value = values.next().map(|(_, value)| value.as_str());
        match values.next() {
            Some(_) => Err(Refusal::new(400, "a header is given twice")),
            None => Ok(value),
        }
    }

    /// A whole number of the query.
    pub(crate) fn number(&self, key: &str) -> Result<usize, Refusal> {
        self.optional_number(key)?.ok_or(NO_NUMBER)
    }

    /// A whole number of the query; `None` where the key is absent.
    pub(crate) fn optional_number(&self, key: &str) -> Result<Option<usize>, Refusal> {
        let mut pairs = self
            .query
            .split('&')
            .filter_map(|pair| pair.split_once('='));
        let Some((_, value)) = pairs.find(|(name, _)| *name == key) else {
            return Ok(None);
        };
        let is_digits = !value.is_empty() && value.bytes().all(|b| b.is_ascii_digit());
        let number = is_digits.then(|| value.parse().ok()).flatten();
        number.map(Some).ok_or(NO_NUMBER)
    }
}

const NO_NUMBER: Refusal = Refusal::new(400, "the query lacks a whole number");

/// Refusal of a request: status and reason.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Refusal {
    pub(crate) status: u16,
    pub(crate) reason: &'static str,
}

impl Refusal {
    pub(crate) const fn new(status: u16, reason: &'static str) -> Self {
        Self { status, reason }
    }
}

/// Reads one request; `Ok(None)` where the other side hung up before it was whole.
pub(crate) fn read_request(stream: &mut impl Read) -> io::Result<Result<Request, Refusal>> {
    let mut bytes = Vec::new();
    let head_len = loop {
        if let Some(end) = find_end(&bytes) {
            break end;
        }
        if bytes.len() > MAX_HEAD {
            return Ok(Err(Refusal::new(
                431,
                "the head of the request is too long",
            )));
        }
        if !read_some(stream, &mut bytes)? {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
    };
    let mut request = match parse_head(&bytes[..head_len]) {
        Ok(request) => request,
        Err(refusal) => return Ok(Err(refusal)),
    };
    let wanted = match body_len(&request) {
        Ok(wanted) => wanted,
        Err(refusal) => return Ok(Err(refusal)),
    };
    let mut body = bytes.split_off(head_len + 4);
    while body.len() < wanted {
        if !read_some(stream, &mut body)? {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
    }
    body.truncate(wanted);
    request.body = body;
    Ok(Ok(request))
}

fn read_some(stream: &mut impl Read, bytes: &mut Vec<u8>) -> io::Result<bool> {
    let mut buffer = [0; 2048];
    let count = stream.read(&mut buffer)?;
    bytes.extend_from_slice(&buffer[..count]);
    Ok(count > 0)
}

fn find_end(bytes: &[u8]) -> Option<usize> {
    bytes.windows(4).position(|four| four == b"\r\n\r\n")
}

fn parse_head(head: &[u8]) -> Result<Request, Refusal> {
    const MALFORMED: Refusal = Refusal::new(400, "this is not a request");
    if head.len() > MAX_HEAD {
        return Err(Refusal::new(431, "the head of the request is too long"));
    }
    let text = std::str::from_utf8(head).ok().ok_or(MALFORMED)?;
    let mut lines = text.split("\r\n");
    let mut words = lines.next().unwrap_or_default().split(' ');
    let (Some(method), Some(target), Some(version), None) =
        (words.next(), words.next(), words.next(), words.next())
    else {
        return Err(MALFORMED);
    };
    let is_word = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_uppercase());
    if !is_word(method) || !matches!(version, "HTTP/1.1" | "HTTP/1.0") {
        return Err(MALFORMED);
    }
    // Other forms of a target, such as a whole address, are for proxies.
    if !target.starts_with('/') || target.bytes().any(|b| !b.is_ascii_graphic()) {
        return Err(MALFORMED);
    }
    let (path, query) = target.split_once('?').unwrap_or((target, ""));
    let mut headers = Vec::new();
    for line in lines {
        let (name, value) = line.split_once(':').ok_or(MALFORMED)?;
        if name.is_empty() || name.bytes().any(|b| !b.is_ascii_graphic()) {
            return Err(MALFORMED);
        }
        if headers.len() == MAX_HEADERS {
            return Err(Refusal::new(431, "there are too many headers"));
        }
        headers.push((name.to_ascii_lowercase(), value.trim().to_owned()));
    }
    Ok(Request {
        method: method.to_owned(),
        path: path.to_owned(),
        query: query.to_owned(),
        headers,
        body: Vec::new(),
    })
}

fn body_len(request: &Request) -> Result<usize, Refusal> {
    if request.header("transfer-encoding")?.is_some() {
        return Err(Refusal::new(411, "say the length of the body"));
    }
    let Some(text) = request.header("content-length")? else {
        return Ok(0);
    };
    let is_number = !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    match text.parse::<usize>() {
        Ok(length) if is_number && length <= MAX_BODY => Ok(length),
        // Too many digits for a number are too many bytes as well.
        _ if is_number => Err(Refusal::new(413, "the body is too long")),
        _ => Err(Refusal::new(400, "the length of the body is no number")),
    }
}

/// An answer.
pub(crate) struct Response {
    pub(crate) status: u16,
    pub(crate) kind: &'static str,
    pub(crate) policy: &'static str,
    pub(crate) body: Vec<u8>,
}

/// Content security policy of the page: it may fetch from its own server, and nothing else.
pub(crate) const PAGE_POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; \
     connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

impl Response {
    pub(crate) fn new(kind: &'static str, body: impl Into<Vec<u8>>) -> Self {
        Self {
            status: 200,
            kind,
            policy: PAGE_POLICY,
            body: body.into(),
        }
    }

    pub(crate) fn json(value: &serde_json::Value) -> Self {
        Self::new("application/json", value.to_string())
    }

    pub(crate) fn bytes(body: Vec<u8>) -> Self {
        Self::new("application/octet-stream", body)
    }

    pub(crate) fn refusal(refusal: Refusal) -> Self {
        Self {
            status: refusal.status,
            ..Self::new("text/plain; charset=utf-8", format!("{}\n", refusal.reason))
        }
    }

    /// Sends it; without its body where only the head was asked for.
    pub(crate) fn write(&self, stream: &mut impl Write, with_body: bool) -> io::Result<()> {
        let head = format!(
            "HTTP/1.1 {} {}\r\nContent-Type: {}\r\nContent-Length: {}\r\nConnection: close\r\n\
             Cache-Control: no-store\r\nContent-Security-Policy: {}\r\nX-Content-Type-Options: nosniff\r\n\
             Referrer-Policy: no-referrer\r\nCross-Origin-Resource-Policy: same-origin\r\n\r\n",
            self.status,
            reason_phrase(self.status),
            self.kind,
            self.body.len(),
            self.policy,
        );
        stream.write_all(head.as_bytes())?;
        if with_body {
            stream.write_all(&self.body)?;
        }
        stream.flush()
    }
}

fn reason_phrase(status: u16) -> &'static str {
    match status {
        200 => "OK",
        400 => "Bad Request",
        403 => "Forbidden",
        404 => "Not Found",
        405 => "Method Not Allowed",
        408 => "Request Timeout",
        409 => "Conflict",
        411 => "Length Required",
        413 => "Content Too Large",
        421 => "Misdirected Request",
        431 => "Request Header Fields Too Large",
        503 => "Service Unavailable",
        _ => "Internal Server Error",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> io::Result<Result<Request, Refusal>> {
        read_request(&mut text.as_bytes())
    }

    fn status(text: &str) -> u16 {
        read(text).unwrap().unwrap_err().status
    }

    #[test]
    fn a_request_is_read_with_its_body() {
        let text = "POST /api/control?a=1&record=12 HTTP/1.1\r\nHost: x\r\ncontent-LENGTH: 2\r\n\r\nhi and more";
        let request = read(text).unwrap().unwrap();
        assert_eq!(
            (request.method.as_str(), request.path.as_str()),
            ("POST", "/api/control")
        );
        assert_eq!(request.header("host"), Ok(Some("x")));
        assert_eq!(request.body, b"hi");
        assert_eq!(request.number("record"), Ok(12));
        assert!(request.number("a b").is_err() && request.number("c").is_err());
    }

    #[test]
    fn what_is_not_a_request_is_refused() {
        for bad in [
            "\r\n\r\n",
            "GET /\r\n\r\n",
            "GET / HTTP/2\r\n\r\n",
            "get / HTTP/1.1\r\n\r\n",
            "GET http://other/ HTTP/1.1\r\n\r\n",
            "GET / HTTP/1.1\r\nno colon\r\n\r\n",
            "GET / HTTP/1.1\r\nContent-Length: -1\r\n\r\n",
            "GET / HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n",
            "GET /\u{e9} HTTP/1.1\r\n\r\n",
        ] {
            assert_eq!(status(bad), 400, "{bad:?}");
        }
        assert_eq!(
            status("POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n"),
            411
        );
        assert_eq!(
            status("POST / HTTP/1.1\r\nContent-Length: 5000\r\n\r\n"),
            413
        );
        assert_eq!(
            status("POST / HTTP/1.1\r\nContent-Length: 99999999999999999999999\r\n\r\n"),
            413
        );
        assert_eq!(
            status(&format!("GET /{} HTTP/1.1\r\n\r\n", "a".repeat(MAX_HEAD))),
            431
        );
        assert_eq!(status(&"GET / HTTP/1.1\r\n".repeat(2000)), 431);
        let many = "a: b\r\n".repeat(MAX_HEADERS + 1);
        assert_eq!(status(&format!("GET / HTTP/1.1\r\n{many}\r\n")), 431);
        assert!(read("GET / HTT").is_err(), "hung up");
        assert!(
            read("POST / HTTP/1.1\r\nContent-Length: 9\r\n\r\nshort").is_err(),
            "hung up"
        );
    }

    proptest::proptest! {
        #[test]
        fn whatever_comes_is_answered(bytes: Vec<u8>, words in "(GET|POST) [ -~]{0,40} HTTP/1.1\r\n([ -~]{0,30}\r\n){0,4}\r\n.{0,20}") {
            for text in [&bytes[..], words.as_bytes()] {
                if let Ok(Ok(request)) = read_request(&mut &text[..]) {
                    proptest::prop_assert!(request.path.starts_with('/') && request.body.len() <= MAX_BODY);
                }
            }
        }
    }
}
