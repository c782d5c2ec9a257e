//! The accept loop. Our own, because the framework's has no deadline for a request's first bytes: a client
//! that connects and stays silent would hold a socket for ever.

mod watched;

use std::net::SocketAddr;
use std::pin::pin;
use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::Router;
use axum::extract::{ConnectInfo, Request};
use axum::http::{HeaderValue, Method, Version, header};
use axum::response::Response;
use hyper::body::Incoming;
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use hyper_util::server::conn::auto::Builder;
use hyper_util::server::graceful::{GracefulShutdown, Watcher};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tower::ServiceExt as _;

use self::watched::{Activity, Watched};
use crate::shop::Shop;
use crate::{chance, request_id, router, strict_http};

const DRAIN: Duration = Duration::from_secs(25);
/// What is on its way when the shop is told to stop is still read.
const LINGER: Duration = Duration::from_millis(20);
const HEADER_BYTES: usize = 16 * 1024;
/// Whoever comes when there are so many waits in the system's queue until one of them leaves.
const CONNECTIONS: usize = 4_096;

/// Serves until `stopping`, then lets what has begun finish, for at most 25 s.
pub async fn serve(listener: TcpListener, shop: Arc<Shop>) {
    let server = Server::new(shop.clone());
    let graceful = GracefulShutdown::new();
    let places = Arc::new(Semaphore::new(CONNECTIONS));
    while let Some(place) = unless_stopping(&shop, places.clone().acquire_owned()).await.and_then(Result::ok) {
        match unless_stopping(&shop, listener.accept()).await {
            None => break,
            Some(Ok((stream, peer))) => server.clone().speak(stream, peer, graceful.watcher(), place),
            Some(Err(error)) => {
                // Out of sockets: wait for some to close instead of spinning.
                tracing::warn!(%error, "a connection could not be accepted");
                tokio::time::sleep(Duration::from_millis(50)).await;
            }
        }
    }
    // Whoever is in the system's queue already is served.
    for (stream, peer) in queued(listener) {
        let Ok(place) = places.clone().try_acquire_owned() else { break };
        server.clone().speak(stream, peer, graceful.watcher(), place);
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
    builder: Builder<TokioExecutor>,
    router: Router,
    shop: Arc<Shop>,
}

impl Server {
    fn new(shop: Arc<Shop>) -> Self {
        let mut builder = Builder::new(TokioExecutor::new());
        builder.http1().timer(TokioTimer::new()).max_buf_size(HEADER_BYTES);
        builder.http2().timer(TokioTimer::new());
        Self { builder, router: router::router(shop.clone()), shop }
    }

    /// Answers what comes on this connection until either side ends it, or nothing happens on it any more.
    fn speak(self, stream: TcpStream, peer: SocketAddr, watcher: Watcher, place: OwnedSemaphorePermit) {
        let _ = stream.set_nodelay(true);
        tokio::spawn(async move {
            let activity = Arc::new(Activity::default());
            let service = hyper::service::service_fn(|request: hyper::Request<Incoming>| {
                let (shop, router, in_hand) = (self.shop.clone(), self.router.clone(), activity.takes());
                async move {
                    let answered = answer(shop, router, peer, request).await;
                    drop(in_hand);
                    answered
                }
            });
            let io = TokioIo::new(Watched { stream, activity: activity.clone() });
            let connection = watcher.watch(self.builder.serve_connection(io, service).into_owned());
            let connection = pin!(connection);
            tokio::select! {
                ended = connection => {
                    if let Err(error) = ended {
                        tracing::debug!(error = %error, "a connection broke off");
                    }
                }
                () = activity.rests(&self.shop.stopping) => {}
            }
            drop(place);
        });
    }
}

async fn answer(
    shop: Arc<Shop>,
    router: Router,
    peer: SocketAddr,
    request: hyper::Request<Incoming>,
) -> Result<Response, std::convert::Infallible> {
    let version = request.version();
    let mut response = match kept_answer(&shop, &request) {
        Some(response) => response,
        None => {
            let mut request: Request = request.map(axum::body::Body::new);
            request.extensions_mut().insert(ConnectInfo(peer));
            router.oneshot(request).await?
        }
    };
    // A client that hears of the end sends nothing more into a connection that is being closed.
    if shop.stopping.is_cancelled() && version <= Version::HTTP_11 {
        response.headers_mut().insert(header::CONNECTION, HeaderValue::from_static("close"));
    }
    Ok(response)
}

/// What is kept for everybody has every header already, cannot fail and takes no time: of what lies around the other
/// answers it needs its id and to be counted. It is most of what a shop is asked for, so the log has it at `debug`.
fn kept_answer(shop: &Arc<Shop>, request: &hyper::Request<Incoming>) -> Option<Response> {
    let (method, headers, path) = (request.method(), request.headers(), request.uri().path());
    let is_for_everybody = !headers.contains_key(header::AUTHORIZATION) && strict_http::refusal(request).is_none();
    if !is_for_everybody || !matches!(*method, Method::GET | Method::HEAD) {
        return None;
    }
    let started = Instant::now();
    let kept = shop.catalogue.at_hand()?.shelf.find(path)?;
    let (mut response, id) = (kept.answer(headers), chance::new_id());
    request_id::mark(&mut response, &id);
    let status = response.status();
    shop.metrics.count_request(method, kept.route, status, started.elapsed());
    tracing::debug!(id, %method, path, status = status.as_u16(), "answered");
    Some(response)
}
