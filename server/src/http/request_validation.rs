//! Request validation against request smuggling: rejects a request in which a proxy could see another end or another host
//! than we do, and overlong URLs. The HTTP library rejects what is plainly invalid, but accepts an encoding on top of
//! `chunked`, several `Host` headers, any text as host, and any expectation.

use axum::extract::Request;
use axum::http::Version;
use axum::http::uri::Authority;
use axum::http::{HeaderMap, HeaderValue, Request as Head, header};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};

use crate::error::{Code, Error};

/// Path and query together, in bytes.
const MAX_URL_BYTES: usize = 8 * 1024;

/// Request extension: a line of the head ends with a bare line feed.
#[derive(Clone, Copy)]
pub struct BareLineFeed;

pub async fn layer(request: Request, next: Next) -> Response {
    let Some(error) = find_error(&request) else {
        return next.run(request).await;
    };
    // Anything further on this connection is not read.
    ([(header::CONNECTION, "close")], error).into_response()
}

/// Why the request is rejected; `None` if it is valid.
pub fn find_error<B>(request: &Head<B>) -> Option<Error> {
    let length = request.uri().path_and_query().map_or(0, |address| address.as_str().len());
    if length > MAX_URL_BYTES {
        let message = format!("URLs are limited to {MAX_URL_BYTES} characters.");
        return Some(Error::new(Code::AddressTooLong, message));
    }
    let has_bare_line_feed = request.extensions().get::<BareLineFeed>().is_some();
    if has_bare_line_feed || !has_unambiguous_framing(request.headers()) || !has_one_host(request) {
        return Some(Error::new(Code::InvalidRequest, "The request is ambiguous."));
    }
    if !request.headers().get_all(header::EXPECT).iter().all(is_continue) {
        return Some(Error::new(Code::InvalidRequest, "The only supported expectation is 100-continue."));
    }
    None
}

fn has_unambiguous_framing(headers: &HeaderMap) -> bool {
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
        // HTTP/1.0 requires none.
        (None, _) => request.version() != Version::HTTP_11,
        // A host in the request target must be the same.
        (Some(host), None) => {
            authority(host).is_some_and(|host| request.uri().authority().is_none_or(|named| *named == host))
        }
        (Some(_), Some(_)) => false,
    }
}

/// A host name or IP address and an optional port. The URI grammar would also accept a list or user information.
fn authority(host: &HeaderValue) -> Option<Authority> {
    host.to_str().ok().filter(|host| !host.contains([',', '@']))?.parse().ok()
}

fn is_continue(expected: &HeaderValue) -> bool {
    expected.as_bytes().eq_ignore_ascii_case(b"100-continue")
}
