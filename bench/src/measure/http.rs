//! A minimal HTTP/1.1 client.

use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::time::Duration;

use xtask::process::Failure;

const TIMEOUT: Duration = Duration::from_secs(30);

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

/// Sends a GET request to the server at `url` (`http://HOST:PORT`).
pub fn get(url: &str, path: &str, headers: &[&str]) -> Result<Response, Failure> {
    exchange(url, "GET", path, headers, "")
}

/// Sends a POST request. The headers include the content type.
pub fn post(url: &str, path: &str, headers: &[&str], body: &str) -> Result<Response, Failure> {
    let length = format!("Content-Length: {}", body.len());
    exchange(url, "POST", path, &[headers, &[&length]].concat(), body)
}

fn exchange(url: &str, method: &str, path: &str, headers: &[&str], body: &str) -> Result<Response, Failure> {
    let host = url.trim_start_matches("http://");
    let extra: String = headers.iter().map(|header| format!("{header}\r\n")).collect();
    let request = format!("{method} {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n{extra}\r\n{body}");
    let exchanged = TcpStream::connect(host).and_then(|mut stream| {
        stream.set_read_timeout(Some(TIMEOUT))?;
        stream.write_all(request.as_bytes())?;
        let mut bytes = Vec::new();
        stream.read_to_end(&mut bytes).map(|_| bytes)
    });
    let bytes = exchanged.map_err(|error| Failure::new(format!("{url}{path}: {error}")))?;
    read(&bytes).ok_or_else(|| Failure::new(format!("{url}{path}: not a complete response")))
}

/// Parses a response with `Content-Length`. Chunked responses are not supported.
fn read(bytes: &[u8]) -> Option<Response> {
    let end = bytes.windows(4).position(|four| four == b"\r\n\r\n")?;
    let (head, body) = (std::str::from_utf8(bytes.get(..end)?).ok()?, bytes.get(end + 4..)?);
    let mut lines = head.split("\r\n");
    let status = lines.next()?.split(' ').nth(1)?.parse().ok()?;
    let headers: Vec<(String, String)> = lines
        .filter_map(|line| line.split_once(':'))
        .map(|(name, value)| (name.to_owned(), value.trim().to_owned()))
        .collect();
    let response = Response { status, headers, body: body.to_vec() };
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
