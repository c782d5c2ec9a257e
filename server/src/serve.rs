//! The accept loop. Our own, because the framework's has no deadline for a request's first bytes: a client
//! that connects and stays silent would hold a socket for ever.

use std::net::SocketAddr;
use std::pin::pin;
use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::Router;
use axum::extract::{ConnectInfo, Request};
use axum::http::{Method, header};
use axum::response::Response;
use hyper::body::Incoming;
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use hyper_util::server::conn::auto::Builder;
use hyper_util::server::graceful::GracefulShutdown;
use tokio::net::{TcpListener, TcpStream};
use tokio_util::sync::CancellationToken;
use tower::ServiceExt as _;

use crate::shop::Shop;
use crate::{chance, readable, request_id, router};

const FIRST_BYTE: Duration = Duration::from_secs(10);
const HEADERS: Duration = Duration::from_secs(10);
const DRAIN: Duration = Duration::from_secs(25);
const HEADER_BYTES: usize = 16 * 1024;

/// Serves until `stopping`, then lets what has begun finish, for at most 25 s.
pub async fn serve(listener: TcpListener, shop: Arc<Shop>) {
    let (router, stopping) = (router::router(shop.clone()), shop.stopping.clone());
    let mut builder = Builder::new(TokioExecutor::new());
    builder.http1().timer(TokioTimer::new()).header_read_timeout(HEADERS).max_buf_size(HEADER_BYTES);
    builder.http2().timer(TokioTimer::new());
    let graceful = GracefulShutdown::new();
    loop {
        let (stream, peer) = tokio::select! {
            () = stopping.cancelled() => break,
            accepted = listener.accept() => match accepted {
                Ok(connection) => connection,
                Err(error) => {
                    // Out of sockets: wait for some to close instead of spinning.
                    tracing::warn!(%error, "a connection could not be accepted");
                    tokio::time::sleep(Duration::from_millis(50)).await;
                    continue;
                }
            },
        };
        let watcher = graceful.watcher();
        let (builder, router, shop) = (builder.clone(), router.clone(), shop.clone());
        tokio::spawn(async move {
            if !has_first_byte(&stream, &shop.stopping).await {
                return;
            }
            let _ = stream.set_nodelay(true);
            let service = hyper::service::service_fn(move |request: hyper::Request<Incoming>| {
                answer(shop.clone(), router.clone(), peer, request)
            });
            let connection = builder.serve_connection(TokioIo::new(stream), service);
            let connection = pin!(watcher.watch(connection.into_owned()));
            if let Err(error) = connection.await {
                tracing::debug!(error = %error, "a connection broke off");
            }
        });
    }
    drop(listener);
    if tokio::time::timeout(DRAIN, graceful.shutdown()).await.is_err() {
        tracing::warn!("some connections did not finish in time");
    }
}

/// Which protocol a client speaks is read from its first bytes, and that reading has no deadline of its own.
async fn has_first_byte(stream: &TcpStream, stopping: &CancellationToken) -> bool {
    let mut byte = [0; 1];
    tokio::select! {
        () = stopping.cancelled() => false,
        peeked = tokio::time::timeout(FIRST_BYTE, stream.peek(&mut byte)) => matches!(peeked, Ok(Ok(1))),
    }
}

async fn answer(
    shop: Arc<Shop>,
    router: Router,
    peer: SocketAddr,
    request: hyper::Request<Incoming>,
) -> Result<Response, std::convert::Infallible> {
    if let Some(response) = kept_answer(&shop, &request) {
        return Ok(response);
    }
    let mut request: Request = request.map(axum::body::Body::new);
    request.extensions_mut().insert(ConnectInfo(peer));
    router.oneshot(request).await
}

/// What is kept for everybody has every header already, cannot fail and takes no time: of what lies around the other
/// answers it needs its id and to be counted. It is most of what a shop is asked for, so the log has it at `debug`.
fn kept_answer(shop: &Arc<Shop>, request: &hyper::Request<Incoming>) -> Option<Response> {
    let (method, headers, path) = (request.method(), request.headers(), request.uri().path());
    let is_for_everybody = !headers.contains_key(header::AUTHORIZATION) && readable::refusal(request).is_none();
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
