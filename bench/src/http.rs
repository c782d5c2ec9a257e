//! A minimal HTTP/1.1 client.

use std::error::Error;
use std::fmt;
use std::io::{self, Read as _, Write as _};
use std::net::{TcpStream, ToSocketAddrs as _};
use std::time::Duration;

const TIMEOUT: Duration = Duration::from_secs(30);
const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);

#[derive(Debug, PartialEq, Eq)]
pub struct Response {
    pub status: u16,
    pub headers: Vec<(String, String)>,
    pub body: Vec<u8>,
}

impl Response {
    /// The first string with this name in the JSON body.
    pub fn text(&self, name: &str) -> Option<&str> {
        let body = std::str::from_utf8(&self.body).ok()?;
        let (_, rest) = body.split_once(&format!("\"{name}\":\""))?;
        rest.split('"').next()
    }

    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(known, _)| known.eq_ignore_ascii_case(name)).map(|(_, value)| value.as_str())
    }
}

/// Why there is no response.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cause {
    /// The connection was not accepted.
    Refused,
    TimedOut,
    /// The connection ended before the response was complete.
    Broken,
}

#[derive(Debug)]
pub struct HttpError {
    pub cause: Cause,
    message: String,
}

impl HttpError {
    fn new(cause: Cause, url: &str, path: &str, message: impl fmt::Display) -> Self {
        Self { cause, message: format!("{url}{path}: {message}") }
    }
}

impl fmt::Display for HttpError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.message)
    }
}

impl Error for HttpError {}

/// Sends a GET request to the server at `url` (`http://HOST:PORT`).
///
/// # Errors
/// If there is no complete response.
pub fn get(url: &str, path: &str, headers: &[&str]) -> Result<Response, HttpError> {
    exchange(url, "GET", path, headers, "")
}

/// Sends a POST request. The headers include the content type.
///
/// # Errors
/// If there is no complete response.
pub fn post(url: &str, path: &str, headers: &[&str], body: &str) -> Result<Response, HttpError> {
    let length = format!("Content-Length: {}", body.len());
    exchange(url, "POST", path, &[headers, &[&length]].concat(), body)
}

fn exchange(url: &str, method: &str, path: &str, headers: &[&str], body: &str) -> Result<Response, HttpError> {
    let host = url.trim_start_matches("http://");
    let extra: String = headers.iter().map(|header| format!("{header}\r\n")).collect();
    let request = format!("{method} {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n{extra}\r\n{body}");
    let stream = connect(host).map_err(|error| HttpError::new(Cause::Refused, url, path, error))?;
    let bytes = read_all(stream, &request).map_err(|error| HttpError::new(cause(&error), url, path, error))?;
    read(&bytes).ok_or_else(|| HttpError::new(Cause::Broken, url, path, "not a complete response"))
}

fn connect(host: &str) -> io::Result<TcpStream> {
    let address = host.to_socket_addrs()?.next().ok_or(io::ErrorKind::AddrNotAvailable)?;
    TcpStream::connect_timeout(&address, CONNECT_TIMEOUT)
}

fn read_all(mut stream: TcpStream, request: &str) -> io::Result<Vec<u8>> {
    stream.set_read_timeout(Some(TIMEOUT))?;
    stream.write_all(request.as_bytes())?;
    let mut bytes = Vec::new();
    stream.read_to_end(&mut bytes).map(|_| bytes)
}

fn cause(error: &io::Error) -> Cause {
    match error.kind() {
        io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut => Cause::TimedOut,
        _ => Cause::Broken,
    }
}

/// Parses a response with `Content-Length`, or one of HTTP/1.0 that ends with its connection. Chunked responses are not
/// supported.
fn read(bytes: &[u8]) -> Option<Response> {
    let end = bytes.windows(4).position(|four| four == b"\r\n\r\n")?;
    let (head, body) = (std::str::from_utf8(bytes.get(..end)?).ok()?, bytes.get(end + 4..)?);
    let mut lines = head.split("\r\n");
    let (version, rest) = lines.next()?.split_once(' ')?;
    let status = rest.split(' ').next()?.parse().ok()?;
    let headers: Vec<(String, String)> = lines
        .filter_map(|line| line.split_once(':'))
        .map(|(name, value)| (name.to_owned(), value.trim().to_owned()))
        .collect();
    let response = Response { status, headers, body: body.to_vec() };
    if version == "HTTP/1.0" && response.header("content-length").is_none() {
        return Some(response);
    }
    let length: usize = response.header("content-length")?.parse().ok()?;
    (response.body.len() == length).then_some(response)
}

#[cfg(test)]
mod tests {
    use super::read;

    #[test]
    fn a_whole_answer_is_read_and_half_of_one_is_not() {
        let response = read(b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\nETag: \"a\"\r\n\r\nhi").unwrap();
        assert_eq!(
            (response.status, response.header("etag"), response.body.as_slice()),
            (200, Some("\"a\""), &b"hi"[..])
        );
        assert_eq!(read(b"HTTP/1.1 200 OK\r\ncontent-length: 3\r\n\r\nhi"), None);
        assert_eq!(read(b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n2\r\nhi\r\n0\r\n\r\n"), None);
    }
}
