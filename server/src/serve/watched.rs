//! A connection that somebody watches: whether anything happens on it that is not the client's to draw out.

use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::task::{Context, Poll};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio_util::sync::CancellationToken;

/// A connection is closed after one to two of these without a whole request and without an answer on its way.
const LOOK: Duration = Duration::from_secs(6);
/// The same, once the shop is to stop.
const LAST_LOOK: Duration = Duration::from_millis(500);

/// What happens on one connection. Bytes that come are nothing: a client can send one now and then for ever.
#[derive(Default)]
pub struct Activity {
    /// Requests that came whole, and pieces of answers that went out.
    steps: AtomicU64,
    /// Requests whose answer has not begun.
    in_hand: AtomicUsize,
}

/// A request that is being answered, as long as this lives.
pub struct InHand(Arc<Activity>);

impl Activity {
    pub fn takes(self: &Arc<Self>) -> InHand {
        self.step();
        self.in_hand.fetch_add(1, Ordering::Relaxed);
        InHand(self.clone())
    }

    /// Waits until nothing has happened for a while.
    pub async fn rests(&self, stopping: &CancellationToken) {
        loop {
            let before = self.steps.load(Ordering::Relaxed);
            if stopping.is_cancelled() {
                tokio::time::sleep(LAST_LOOK).await;
            } else {
                tokio::select! {
                    () = stopping.cancelled() => continue,
                    () = tokio::time::sleep(LOOK) => {}
                }
            }
            if self.in_hand.load(Ordering::Relaxed) == 0 && self.steps.load(Ordering::Relaxed) == before {
                return;
            }
        }
    }

    fn step(&self) {
        self.steps.fetch_add(1, Ordering::Relaxed);
    }
}

impl Drop for InHand {
    fn drop(&mut self) {
        self.0.in_hand.fetch_sub(1, Ordering::Relaxed);
    }
}

/// Counts what goes out.
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
        Pin::new(&mut self.stream).poll_read(cx, into)
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
