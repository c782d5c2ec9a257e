//! The accept loop. Our own, because the framework's has no deadline for a request's first bytes: a client
//! that connects and stays silent would hold a socket for ever.

use std::net::SocketAddr;
use std::pin::pin;
use std::time::Duration;

use axum::Router;
use axum::extract::{ConnectInfo, Request};
use hyper::body::Incoming;
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use hyper_util::server::conn::auto::Builder;
use hyper_util::server::graceful::GracefulShutdown;
use tokio::net::{TcpListener, TcpStream};
use tokio_util::sync::CancellationToken;
use tower::ServiceExt as _;

const FIRST_BYTE: Duration = Duration::from_secs(10);
const HEADERS: Duration = Duration::from_secs(10);
const DRAIN: Duration = Duration::from_secs(25);
const HEADER_BYTES: usize = 16 * 1024;

/// Serves until `stopping`, then lets what has begun finish, for at most 25 s.
pub async fn serve(listener: TcpListener, router: Router, stopping: CancellationToken) {
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
        let (builder, router, stopping) = (builder.clone(), router.clone(), stopping.clone());
        tokio::spawn(async move {
            if !has_first_byte(&stream, &stopping).await {
                return;
            }
            let _ = stream.set_nodelay(true);
            let service = hyper::service::service_fn(move |request: hyper::Request<Incoming>| {
                answer(router.clone(), peer, request)
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
    router: Router,
    peer: SocketAddr,
    request: hyper::Request<Incoming>,
) -> Result<axum::response::Response, std::convert::Infallible> {
    let mut request: Request = request.map(axum::body::Body::new);
    request.extensions_mut().insert(ConnectInfo(peer));
    router.oneshot(request).await
}
