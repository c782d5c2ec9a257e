//! Request validation against smuggling and endless input: an address without end, and a request in which a server in
//! front could see another end or another host than we do, are not looked at any further. The HTTP library refuses what
//! is plainly wrong, but takes an encoding on top of `chunked`, any number of hosts, anything for a host, and any
//! expectation.

use axum::extract::Request;
use axum::http::Version;
use axum::http::uri::Authority;
use axum::http::{HeaderMap, HeaderValue, Request as Head, header};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};

use crate::http::error::{Code, Error};

/// Of a path and its query together, in bytes.
const LONGEST_ADDRESS: usize = 8 * 1024;

/// Said of a request with a line of its head that a bare line feed ends.
#[derive(Clone, Copy)]
pub struct BareLineFeed;

pub async fn layer(request: Request, next: Next) -> Response {
    let Some(error) = refusal(&request) else {
        return next.run(request).await;
    };
    // Whatever follows on the same connection is not read.
    ([(header::CONNECTION, "close")], error).into_response()
}

/// Why this request is not read.
pub fn refusal<B>(request: &Head<B>) -> Option<Error> {
    let length = request.uri().path_and_query().map_or(0, |address| address.as_str().len());
    if length > LONGEST_ADDRESS {
        let sentence = format!("An address may have at most {LONGEST_ADDRESS} characters.");
        return Some(Error::new(Code::AddressTooLong, sentence));
    }
    let has_bare_line_feed = request.extensions().get::<BareLineFeed>().is_some();
    if has_bare_line_feed || !has_one_end(request.headers()) || !has_one_host(request) {
        return Some(Error::new(Code::InvalidRequest, "This request can be read in more than one way."));
    }
    if !request.headers().get_all(header::EXPECT).iter().all(is_continue) {
        return Some(Error::new(Code::InvalidRequest, "Nothing but 100-continue can be expected."));
    }
    None
}

fn has_one_end(headers: &HeaderMap) -> bool {
    let encodings: Vec<&HeaderValue> = headers.get_all(header::TRANSFER_ENCODING).iter().collect();
    match encodings.as_slice() {
        [] => true,
        [encoding] => encoding.as_bytes().eq_ignore_ascii_case(b"chunked"),
        _ => false,
    }
}

fn has_one_host<B>(request: &Head<B>) -> bool {
    let mut hosts = request.headers().get_all(header::HOST).iter();
    match (hosts.next(), hosts.next()) {
        // Older requests may have none.
        (None, _) => request.version() != Version::HTTP_11,
        // Where the address names a host as well, it is the same.
        (Some(host), None) => {
            authority(host).is_some_and(|host| request.uri().authority().is_none_or(|named| *named == host))
        }
        (Some(_), Some(_)) => false,
    }
}

/// A name or an address, and maybe a port. The grammar of URIs has room for a list and for a user before it.
fn authority(host: &HeaderValue) -> Option<Authority> {
    host.to_str().ok().filter(|host| !host.contains([',', '@']))?.parse().ok()
}

fn is_continue(expected: &HeaderValue) -> bool {
    expected.as_bytes().eq_ignore_ascii_case(b"100-continue")
}
