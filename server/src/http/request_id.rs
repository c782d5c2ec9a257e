//! Request IDs: one per request, in the log, in every error and in the `x-request-id` header. Also the access log.
//!
//! A trusted proxy may choose the ID, so that its log and the shop's name a request alike. Clients may not.

use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;

use axum::extract::{ConnectInfo, MatchedPath, Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue};
use axum::middleware::Next;
use axum::response::Response;
use ipnet::IpNet;
use tracing::Instrument;
use tracing::field::Empty;

use crate::error::LimitExceeded;
use crate::http::Http;
use crate::http::client_address::is_trusted;
use crate::infra::{random, request_id as current};

const HEADER: HeaderName = HeaderName::from_static("x-request-id");
/// W3C Trace Context: `{version}-{trace ID}-{parent ID}-{flags}`.
const TRACE_PARENT: &str = "traceparent";
const MAX_LENGTH: usize = 64;

/// Routes whose requests are logged at `debug`: there are many of them, and none is about a customer.
const QUIET_ROUTES: [&str; 3] = ["/healthz", "/readyz", "/api/pageviews"];

/// Middleware: gives the request its ID and a tracing span, and logs one line per response. Requests rejected by a limit
/// are counted in the overload log instead.
pub async fn layer(State(http): State<Arc<Http>>, request: Request, next: Next) -> Response {
    let route = request.extensions().get::<MatchedPath>().cloned();
    let peer = request.extensions().get::<ConnectInfo<SocketAddr>>().map(|ConnectInfo(peer)| peer.ip());
    let id = choose(peer, request.headers(), &http.config.trusted_proxies);
    let span = tracing::info_span!(
        "request",
        id,
        method = %request.method(),
        path = request.uri().path(),
        payment = Empty,
        order = Empty,
    );
    let started = std::time::Instant::now();
    let handled = async {
        let response = next.run(request).await;
        let (status, ms) = (response.status().as_u16(), started.elapsed().as_millis());
        match response.extensions().get::<LimitExceeded>() {
            None if route.as_ref().is_some_and(|route| QUIET_ROUTES.contains(&route.as_str())) => {
                tracing::debug!(status, ms, "response");
            }
            None => tracing::info!(status, ms, "response"),
            Some(exceeded) => {
                let route = route.as_ref().map_or("unknown route", MatchedPath::as_str);
                http.overload_log.count(route, exceeded);
                tracing::debug!(status, ms, "response");
            }
        }
        response
    };
    let mut response = current::with(id.clone(), handled.instrument(span)).await;
    set_header(&mut response, &id);
    response
}

/// The `x-request-id` or the trace ID of a trusted proxy; otherwise a new ID.
pub fn choose(peer: Option<IpAddr>, headers: &HeaderMap, trusted: &[IpNet]) -> String {
    let chosen = match peer {
        Some(peer) if is_trusted(peer, trusted) => request_id(headers).or_else(|| trace_id(headers)),
        _ => None,
    };
    chosen.map_or_else(random::new_id, str::to_owned)
}

fn request_id(headers: &HeaderMap) -> Option<&str> {
    let id = headers.get(HEADER)?.to_str().ok()?;
    let is_valid = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.');
    ((1..=MAX_LENGTH).contains(&id.len()) && id.bytes().all(is_valid)).then_some(id)
}

fn trace_id(headers: &HeaderMap) -> Option<&str> {
    let id = headers.get(TRACE_PARENT)?.to_str().ok()?.split('-').nth(1)?;
    let is_hex = id.len() == 32 && id.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
    (is_hex && id.bytes().any(|byte| byte != b'0')).then_some(id)
}

/// Sets the `x-request-id` header.
pub fn set_header(response: &mut Response, id: &str) {
    if let Ok(value) = HeaderValue::from_str(id) {
        response.headers_mut().insert(HEADER, value);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chosen(peer: &str, name: &'static str, value: &str) -> Option<String> {
        let headers = HeaderMap::from_iter([(HeaderName::from_static(name), HeaderValue::from_str(value).unwrap())]);
        let id = choose(Some(peer.parse().unwrap()), &headers, &["10.0.0.0/8".parse().unwrap()]);
        value.contains(&id).then_some(id)
    }

    #[test]
    fn a_trusted_proxy_chooses_the_id_and_no_one_else() {
        assert_eq!(chosen("10.0.0.1", "x-request-id", "abc-1.2_3").as_deref(), Some("abc-1.2_3"));
        assert_eq!(chosen("192.0.2.1", "x-request-id", "abc-1.2_3"), None);
        for invalid in ["", "a b", "a\"b", &"a".repeat(65)] {
            assert_eq!(chosen("10.0.0.1", "x-request-id", invalid).filter(|id| !id.is_empty()), None, "{invalid}");
        }
    }

    #[test]
    fn the_id_of_a_trace_is_the_request_id() {
        let trace = "0af7651916cd43dd8448eb211c80319c";
        let parent = |trace: &str| format!("00-{trace}-b7ad6b7169203331-01");
        assert_eq!(chosen("10.0.0.1", TRACE_PARENT, &parent(trace)).as_deref(), Some(trace));
        for invalid in ["0".repeat(32), trace.to_uppercase(), trace.replace('0', ""), String::new()] {
            assert_eq!(chosen("10.0.0.1", TRACE_PARENT, &parent(&invalid)), None, "{invalid}");
        }
    }
}
