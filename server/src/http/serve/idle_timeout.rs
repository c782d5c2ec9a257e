//! Idle-connection timeout: closes a connection that neither completes a request nor transfers a response.

use std::io;
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, LazyLock, Mutex, PoisonError};
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio_util::sync::CancellationToken;

use super::head_scanner::{Head, HeadScanner};

/// A connection is closed after one to two of these intervals without a complete request or progress of a response.
const INTERVAL: Duration = Duration::from_secs(6);

/// Origin of all times in this module.
static START: LazyLock<Instant> = LazyLock::new(Instant::now);

/// Activity of one connection. Received bytes do not count: a client could send one now and then forever.
pub struct Activity {
    /// Time of the last complete request or sent part of a response, in nanoseconds; initially the start.
    last_step: AtomicU64,
    /// Requests without a response yet.
    in_flight: AtomicUsize,
    had_request: AtomicBool,
    scanner: Mutex<HeadScanner>,
}

/// Counts a request as in flight until dropped.
pub struct InFlight(Arc<Activity>);

impl Activity {
    pub fn new() -> Self {
        Self {
            last_step: AtomicU64::new(now()),
            in_flight: AtomicUsize::new(0),
            had_request: AtomicBool::new(false),
            scanner: Mutex::default(),
        }
    }

    /// Whether no request is in flight.
    pub fn is_idle(&self) -> bool {
        self.in_flight.load(Ordering::Relaxed) == 0
    }

    pub fn awaits_first_request(&self) -> bool {
        !self.had_request.load(Ordering::Relaxed)
    }

    pub fn last_step(&self) -> u64 {
        self.last_step.load(Ordering::Relaxed)
    }

    pub fn begin_request(self: &Arc<Self>) -> InFlight {
        self.step();
        self.had_request.store(true, Ordering::Relaxed);
        self.in_flight.fetch_add(1, Ordering::Relaxed);
        InFlight(self.clone())
    }

    /// Result of the head scanner for the request that was just read, with a body of this length.
    pub fn head(&self, length: Option<u64>) -> Head {
        self.scanner.lock().unwrap_or_else(PoisonError::into_inner).finish_head(length)
    }

    /// Resolves when the connection has been idle for too long; after `stopping`, `last_interval` is the interval.
    pub async fn times_out(&self, stopping: &CancellationToken, last_interval: Duration) {
        loop {
            let before = self.last_step();
            if stopping.is_cancelled() {
                tokio::time::sleep(last_interval).await;
            } else {
                tokio::select! {
                    () = stopping.cancelled() => continue,
                    () = tokio::time::sleep(INTERVAL) => {}
                }
            }
            if self.is_idle() && self.last_step() == before {
                return;
            }
        }
    }

    fn step(&self) {
        self.last_step.store(now(), Ordering::Relaxed);
    }
}

fn now() -> u64 {
    u64::try_from(START.elapsed().as_nanos()).unwrap_or(u64::MAX)
}

impl Drop for InFlight {
    fn drop(&mut self) {
        self.0.in_flight.fetch_sub(1, Ordering::Relaxed);
    }
}

/// Stream that records sent bytes as activity and passes received bytes to the head scanner.
pub struct Watched {
    pub stream: TcpStream,
    pub activity: Arc<Activity>,
}

impl Watched {
    fn counted(&self, written: Poll<io::Result<usize>>) -> Poll<io::Result<usize>> {
        if matches!(written, Poll::Ready(Ok(1..))) {
            self.activity.step();
        }
        written
    }
}

impl AsyncRead for Watched {
    fn poll_read(mut self: Pin<&mut Self>, cx: &mut Context<'_>, into: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        let before = into.filled().len();
        let read = Pin::new(&mut self.stream).poll_read(cx, into);
        if let Some(bytes) = into.filled().get(before..) {
            self.activity.scanner.lock().unwrap_or_else(PoisonError::into_inner).read(bytes);
        }
        read
    }
}

impl AsyncWrite for Watched {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write(cx, bytes);
        self.counted(written)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        parts: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write_vectored(cx, parts);
        self.counted(written)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(cx)
    }
}
