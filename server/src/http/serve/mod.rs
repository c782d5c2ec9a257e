//! The accept loop. The framework's has no deadline for the first bytes of a request: a client that connects and stays
//! silent would hold its socket forever.

mod connections;
mod drain;
mod head_scanner;
mod idle_timeout;

use std::convert::Infallible;
use std::net::SocketAddr;
use std::pin::pin;
use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::Router;
use axum::extract::{ConnectInfo, Request};
use axum::http::{HeaderValue, Method, header};
use axum::response::Response;
use hyper::body::{Body as _, Incoming};
use hyper::server::conn::http1::Builder;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::{GracefulShutdown, Watcher};
use tokio::net::{TcpListener, TcpStream};
use tower::ServiceExt as _;

use self::connections::Connections;
use self::drain::DrainedBody;
use self::head_scanner::Head;
use self::idle_timeout::{Activity, Watched};
use crate::http::Http;
use crate::http::client_address::is_trusted;
use crate::http::request_id;
use crate::http::request_validation;
use crate::http::response_cache::cached_path;

/// Maximum time of a graceful shutdown.
const SHUTDOWN: Duration = Duration::from_secs(25);
/// Requests in transit when the shutdown begins are still read for at least this long.
const LINGER: Duration = Duration::from_millis(20);
/// Maximum wait for the first request of an accepted connection when the shutdown begins. Browsers open connections in
/// advance, so it is short; a load balancer sends a request on each, unless one of the machines is very busy.
const FIRST_REQUEST: Duration = Duration::from_millis(500);
const FIRST_REQUEST_OF_BALANCER: Duration = Duration::from_secs(5);
const HEADER_BYTES: usize = 16 * 1024;

/// Serves until `stopping`, then shuts down gracefully: running requests have 25 s to finish.
pub async fn serve(listener: TcpListener, router: Router, http: Arc<Http>) {
    let server = Server::new(router, http.clone());
    let graceful = GracefulShutdown::new();
    while let Some(accepted) = until_stopping(&http, listener.accept()).await {
        match accepted {
            Ok((stream, peer)) => server.clone().serve_connection(stream, peer, graceful.watcher()),
            Err(error) => {
                // Out of sockets: wait for some to close instead of spinning.
                tracing::warn!(%error, "accepting a connection failed");
                tokio::time::sleep(Duration::from_millis(50)).await;
            }
        }
    }
    // Connections in the accept queue are served as well.
    for (stream, peer) in queued(listener) {
        server.clone().serve_connection(stream, peer, graceful.watcher());
    }
    server.wait_for_first_requests().await;
    if tokio::time::timeout(SHUTDOWN, graceful.shutdown()).await.is_err() {
        tracing::warn!("shutdown timed out with open connections");
    }
}

/// Connections in the system's accept queue, which the runtime may not know of yet.
fn queued(listener: TcpListener) -> impl Iterator<Item = (TcpStream, SocketAddr)> {
    let listener = listener.into_std().ok();
    std::iter::from_fn(move || {
        let (stream, peer) = listener.as_ref()?.accept().ok()?;
        stream.set_nonblocking(true).ok()?;
        Some((TcpStream::from_std(stream).ok()?, peer))
    })
}

async fn until_stopping<T>(http: &Http, work: impl Future<Output = T>) -> Option<T> {
    tokio::select! {
        () = http.stopping.cancelled() => None,
        done = work => Some(done),
    }
}

#[derive(Clone)]
struct Server {
    builder: Builder,
    router: Router,
    connections: Arc<Connections>,
    http: Arc<Http>,
}

impl Server {
    fn new(router: Router, http: Arc<Http>) -> Self {
        // HTTP/1.1 only: in HTTP/2 one small request can ask for any number of responses and leave them unread.
        let mut builder = Builder::new();
        builder.timer(TokioTimer::new()).max_buf_size(HEADER_BYTES);
        Self { builder, router, connections: Arc::default(), http }
    }

    /// A client has no way to tell whether the shop has read a request on a connection that closes without a response.
    async fn wait_for_first_requests(&self) {
        let began = Instant::now();
        tokio::time::sleep(LINGER).await;
        while self.connections.any_awaits_first_request() && began.elapsed() < first_request(&self.http) {
            tokio::time::sleep(LINGER).await;
        }
    }

    /// Serves this connection until either side closes it, it is idle for too long, or another connection needs its slot.
    fn serve_connection(self, stream: TcpStream, peer: SocketAddr, watcher: Watcher) {
        let activity = Arc::new(Activity::new());
        let is_trusted = is_trusted(peer.ip(), &self.http.config.trusted_proxies);
        let Some(slot) = self.connections.acquire(peer.ip(), is_trusted, activity.clone()) else {
            tracing::debug!(%peer, "connection closed: too many connections");
            return;
        };
        let _ = stream.set_nodelay(true);
        tokio::spawn(async move {
            let service = hyper::service::service_fn(|request: hyper::Request<Incoming>| {
                let (http, router, in_flight) = (self.http.clone(), self.router.clone(), activity.begin_request());
                let head = activity.head(request.body().size_hint().exact());
                let is_long = drain::is_too_long(request.body());
                async move {
                    let mut response = respond(&http, router, peer, head, request).await?;
                    // The client sends no further request on a connection that it knows will close.
                    if http.draining.is_cancelled() || head != Head::Clean || is_long {
                        response.headers_mut().insert(header::CONNECTION, HeaderValue::from_static("close"));
                    }
                    drop(in_flight);
                    Ok::<_, Infallible>(response)
                }
            });
            let io = TokioIo::new(Watched { stream, activity: activity.clone() });
            let connection = watcher.watch(self.builder.serve_connection(io, service));
            let connection = pin!(connection);
            tokio::select! {
                ended = connection => {
                    if let Err(error) = ended {
                        tracing::debug!(error = %error, "connection failed");
                    }
                }
                () = activity.times_out(&self.http.stopping, first_request(&self.http)) => {}
                () = slot.is_evicted() => {}
            }
        });
    }
}

/// Maximum wait for the first request of a connection during shutdown. Only a shop behind a load balancer drains.
fn first_request(http: &Http) -> Duration {
    if http.config.drain.is_zero() { FIRST_REQUEST } else { FIRST_REQUEST_OF_BALANCER }
}

async fn respond(
    http: &Http,
    router: Router,
    peer: SocketAddr,
    head: Head,
    mut request: hyper::Request<Incoming>,
) -> Result<Response, Infallible> {
    if head == Head::Invalid {
        request.extensions_mut().insert(request_validation::BareLineFeed);
    }
    if let Some(response) = cached_response(http, peer, &request) {
        return Ok(response);
    }
    let mut request: Request = DrainedBody::wrap(request).map(axum::body::Body::new);
    request.extensions_mut().insert(ConnectInfo(peer));
    router.oneshot(request).await
}

/// A response from the response cache has all its headers and cannot fail, so it bypasses the middleware: only the CORS headers,
/// the request ID and the metrics are added. Most requests end here, so they are logged at `debug`.
fn cached_response(http: &Http, peer: SocketAddr, request: &hyper::Request<Incoming>) -> Option<Response> {
    let (method, headers) = (request.method(), request.headers());
    if !matches!(*method, Method::GET | Method::HEAD) || request_validation::find_error(request).is_some() {
        return None;
    }
    let (started, path) = (Instant::now(), cached_path(request.uri())?);
    let cached = http.cached.find(path)?;
    // Checked last, because it verifies a signature: administrators see hidden products.
    if headers.contains_key(header::AUTHORIZATION) && http.cached.is_privileged(headers) {
        return None;
    }
    let (mut response, id) =
        (cached.respond(headers), request_id::choose(Some(peer.ip()), headers, &http.config.trusted_proxies));
    http.cors.add_to_cached(cached.route, headers, response.headers_mut());
    request_id::set_header(&mut response, &id);
    let status = response.status();
    http.requests.count(method, cached.route, status, started.elapsed());
    tracing::debug!(id, %method, path, status = status.as_u16(), "response");
    Some(response)
}
