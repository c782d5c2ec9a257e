//! The accept loop. Our own, because the framework's has no deadline for a request's first bytes: a client
//! that connects and stays silent would hold a socket for ever.

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
use crate::auth;
use crate::http::request_id;
use crate::http::request_validation;
use crate::infra::random;
use crate::limits::address::is_trusted;
use crate::router;
use crate::shop::Shop;

const DRAIN: Duration = Duration::from_secs(25);
/// What is on its way when the shop is told to stop is still read.
const LINGER: Duration = Duration::from_millis(20);
const HEADER_BYTES: usize = 16 * 1024;

/// Serves until `stopping`, then lets what has begun finish, for at most 25 s.
pub async fn serve(listener: TcpListener, shop: Arc<Shop>) {
    let server = Server::new(shop.clone());
    let graceful = GracefulShutdown::new();
    while let Some(accepted) = unless_stopping(&shop, listener.accept()).await {
        match accepted {
            Ok((stream, peer)) => server.clone().speak(stream, peer, graceful.watcher()),
            Err(error) => {
                // Out of sockets: wait for some to close instead of spinning.
                tracing::warn!(%error, "a connection could not be accepted");
                tokio::time::sleep(Duration::from_millis(50)).await;
            }
        }
    }
    // Whoever is in the system's queue already is served.
    for (stream, peer) in queued(listener) {
        server.clone().speak(stream, peer, graceful.watcher());
    }
    tokio::time::sleep(LINGER).await;
    if tokio::time::timeout(DRAIN, graceful.shutdown()).await.is_err() {
        tracing::warn!("some connections did not finish in time");
    }
}

/// The connections that the system has taken for us. It is asked itself: the runtime may not have heard of them yet.
fn queued(listener: TcpListener) -> impl Iterator<Item = (TcpStream, SocketAddr)> {
    let listener = listener.into_std().ok();
    std::iter::from_fn(move || {
        let (stream, peer) = listener.as_ref()?.accept().ok()?;
        stream.set_nonblocking(true).ok()?;
        Some((TcpStream::from_std(stream).ok()?, peer))
    })
}

async fn unless_stopping<T>(shop: &Shop, work: impl Future<Output = T>) -> Option<T> {
    tokio::select! {
        () = shop.stopping.cancelled() => None,
        done = work => Some(done),
    }
}

#[derive(Clone)]
struct Server {
    builder: Builder,
    router: Router,
    connections: Arc<Connections>,
    shop: Arc<Shop>,
}

impl Server {
    fn new(shop: Arc<Shop>) -> Self {
        // HTTP/1.1 alone: in HTTP/2 one small request can ask for any number of answers and leave them unread.
        let mut builder = Builder::new();
        builder.timer(TokioTimer::new()).max_buf_size(HEADER_BYTES);
        Self { builder, router: router::router(shop.clone()), connections: Arc::default(), shop }
    }

    /// Answers what comes on this connection until either side ends it, nothing happens on it any more, or another one
    /// needs its room.
    fn speak(self, stream: TcpStream, peer: SocketAddr, watcher: Watcher) {
        let activity = Arc::new(Activity::new());
        let is_trusted = is_trusted(peer.ip(), &self.shop.config.trusted_proxies);
        let Some(seat) = self.connections.admit(peer.ip(), is_trusted, activity.clone()) else {
            tracing::debug!(%peer, "a connection was closed: there is no room");
            return;
        };
        let _ = stream.set_nodelay(true);
        tokio::spawn(async move {
            let service = hyper::service::service_fn(|request: hyper::Request<Incoming>| {
                let (shop, router, in_hand) = (self.shop.clone(), self.router.clone(), activity.takes());
                let (activity, head) = (activity.clone(), activity.head(request.body().size_hint().exact()));
                let is_long = drain::is_too_long(request.body());
                async move {
                    let mut response = answer(&shop, router, peer, head, request).await?;
                    // A client that hears of the end sends nothing more into a connection that is being closed.
                    if shop.stopping.is_cancelled() || head != Head::Clean || is_long || activity.is_followed() {
                        response.headers_mut().insert(header::CONNECTION, HeaderValue::from_static("close"));
                    }
                    drop(in_hand);
                    Ok::<_, Infallible>(response)
                }
            });
            let io = TokioIo::new(Watched { stream, activity: activity.clone() });
            let connection = watcher.watch(self.builder.serve_connection(io, service));
            let connection = pin!(connection);
            tokio::select! {
                ended = connection => {
                    if let Err(error) = ended {
                        tracing::debug!(error = %error, "a connection broke off");
                    }
                }
                () = activity.rests(&self.shop.stopping) => {}
                () = seat.gives_way() => {}
            }
        });
    }
}

async fn answer(
    shop: &Arc<Shop>,
    router: Router,
    peer: SocketAddr,
    head: Head,
    mut request: hyper::Request<Incoming>,
) -> Result<Response, Infallible> {
    if head == Head::Refused {
        request.extensions_mut().insert(request_validation::BareLineFeed);
    }
    if let Some(response) = kept_answer(shop, &request) {
        return Ok(response);
    }
    let mut request: Request = DrainedBody::wrap(request).map(axum::body::Body::new);
    request.extensions_mut().insert(ConnectInfo(peer));
    router.oneshot(request).await
}

/// What is kept for everybody has every header already, cannot fail and takes no time: of what lies around the other
/// answers it needs its id and to be counted. It is most of what a shop is asked for, so the log has it at `debug`.
fn kept_answer(shop: &Arc<Shop>, request: &hyper::Request<Incoming>) -> Option<Response> {
    let (method, headers, path) = (request.method(), request.headers(), request.uri().path());
    if !matches!(*method, Method::GET | Method::HEAD) || request_validation::refusal(request).is_some() {
        return None;
    }
    let started = Instant::now();
    let of_the_catalogue = shop.catalogue.current_if_cached().and_then(|contents| contents.shelf.find(path));
    let kept = of_the_catalogue.or_else(|| shop.documents.find(path))?;
    // Looked at last: it takes a signature to tell an administrator, who sees more than everybody.
    if headers.contains_key(header::AUTHORIZATION) && auth::claims_admin(headers, shop) {
        return None;
    }
    let (mut response, id) = (kept.answer(headers), random::new_id());
    request_id::mark(&mut response, &id);
    let status = response.status();
    shop.metrics.count_request(method, kept.route, status, started.elapsed());
    tracing::debug!(id, %method, path, status = status.as_u16(), "answered");
    Some(response)
}
