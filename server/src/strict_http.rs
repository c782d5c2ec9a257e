//! What nobody looks at any further: an address without end, and a request in which a server in front could see
//! another end or another host than we do. The HTTP library refuses what is plainly wrong, but takes an encoding on
//! top of `chunked`, and any number of hosts.

use axum::extract::Request;
use axum::http::{HeaderMap, HeaderValue, Version, header};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};

use crate::error::{Code, Error};

/// Of a path and its query together, in bytes.
const LONGEST_ADDRESS: usize = 8 * 1024;

pub async fn layer(request: Request, next: Next) -> Response {
    let Some(error) = refusal(&request) else {
        return next.run(request).await;
    };
    // Whatever follows on the same connection is not read.
    ([(header::CONNECTION, "close")], error).into_response()
}

/// Why this request is not read.
pub fn refusal<B>(request: &axum::http::Request<B>) -> Option<Error> {
    let length = request.uri().path_and_query().map_or(0, |address| address.as_str().len());
    if length > LONGEST_ADDRESS {
        let sentence = format!("An address may have at most {LONGEST_ADDRESS} characters.");
        return Some(Error::new(Code::AddressTooLong, sentence));
    }
    if has_one_end(request.headers()) && has_one_host(request.version(), request.headers()) {
        return None;
    }
    Some(Error::new(Code::InvalidRequest, "This request can be read in more than one way."))
}

fn has_one_end(headers: &HeaderMap) -> bool {
    let encodings: Vec<&HeaderValue> = headers.get_all(header::TRANSFER_ENCODING).iter().collect();
    match encodings.as_slice() {
        [] => true,
        [encoding] => encoding.as_bytes().eq_ignore_ascii_case(b"chunked"),
        _ => false,
    }
}

fn has_one_host(version: Version, headers: &HeaderMap) -> bool {
    match headers.get_all(header::HOST).iter().count() {
        // Older requests may have none, and newer ones have it in their address.
        0 => version != Version::HTTP_11,
        hosts => hosts == 1,
    }
}
