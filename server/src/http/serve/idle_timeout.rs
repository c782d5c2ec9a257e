//! A connection that somebody watches: whether anything happens on it that is not the client's to draw out.

use std::io;
use std::pin::Pin;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, LazyLock, Mutex, PoisonError};
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio_util::sync::CancellationToken;

use super::head_scanner::{Head, Heads};

/// A connection is closed after one to two of these without a whole request and without an answer on its way.
const LOOK: Duration = Duration::from_secs(6);
/// The same, once the shop is to stop.
const LAST_LOOK: Duration = Duration::from_millis(500);

/// What the times of all connections are counted from.
static START: LazyLock<Instant> = LazyLock::new(Instant::now);

/// What happens on one connection. Bytes that come are nothing: a client can send one now and then for ever.
pub struct Activity {
    /// When a request last came whole or a piece of an answer went out, in nanoseconds; at first, when it began.
    last_step: AtomicU64,
    /// Requests whose answer has not begun.
    in_hand: AtomicUsize,
    heads: Mutex<Heads>,
}

/// A request that is being answered, as long as this lives.
pub struct InHand(Arc<Activity>);

impl Activity {
    pub fn new() -> Self {
        Self { last_step: AtomicU64::new(now()), in_hand: AtomicUsize::new(0), heads: Mutex::default() }
    }

    /// Whether no request is being answered.
    pub fn is_idle(&self) -> bool {
        self.in_hand.load(Ordering::Relaxed) == 0
    }

    pub fn last_step(&self) -> u64 {
        self.last_step.load(Ordering::Relaxed)
    }

    pub fn takes(self: &Arc<Self>) -> InHand {
        self.step();
        self.in_hand.fetch_add(1, Ordering::Relaxed);
        InHand(self.clone())
    }

    /// How the request may be answered that was read just now, with a body of this length.
    pub fn head(&self, length: Option<u64>) -> Head {
        self.heads.lock().unwrap_or_else(PoisonError::into_inner).take(length)
    }

    /// Whether another request came in one piece with the end of the one that is being answered.
    pub fn is_followed(&self) -> bool {
        self.heads.lock().unwrap_or_else(PoisonError::into_inner).is_followed()
    }

    /// Waits until nothing has happened for a while.
    pub async fn rests(&self, stopping: &CancellationToken) {
        loop {
            let before = self.last_step();
            if stopping.is_cancelled() {
                tokio::time::sleep(LAST_LOOK).await;
            } else {
                tokio::select! {
                    () = stopping.cancelled() => continue,
                    () = tokio::time::sleep(LOOK) => {}
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

impl Drop for InHand {
    fn drop(&mut self) {
        self.0.in_hand.fetch_sub(1, Ordering::Relaxed);
    }
}

/// Counts what goes out, and looks at what comes in.
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
            self.activity.heads.lock().unwrap_or_else(PoisonError::into_inner).read(bytes);
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
