//! TCP proxy that can go silent: it stops forwarding bytes, but keeps connections open and rejects nothing.

use std::net::SocketAddr;
use std::sync::{Arc, Mutex};

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::tcp::{OwnedReadHalf, OwnedWriteHalf};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

/// TCP proxy to one server. A silenced connection stays open and forwards nothing, like one to a machine that lost
/// power. It closes when the proxy is dropped.
pub struct Link {
    address: SocketAddr,
    end: CancellationToken,
    /// Silences the connections that are open now: requests first, then responses.
    next_silence: Arc<Mutex<[CancellationToken; 2]>>,
    listening: JoinHandle<()>,
}

impl Link {
    pub async fn to(server: String) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let next_silence = Arc::<Mutex<[CancellationToken; 2]>>::default();
        let (silence, end) = (next_silence.clone(), CancellationToken::new());
        let ends = end.clone();
        let listening = tokio::spawn(async move {
            loop {
                let (near, _) = listener.accept().await.unwrap();
                let far = TcpStream::connect(&server).await.unwrap();
                let ((near_in, near_out), (far_in, far_out)) = (near.into_split(), far.into_split());
                let [there, back] = silence.lock().unwrap().clone();
                tokio::spawn(forward(near_in, far_out, there, ends.clone()));
                tokio::spawn(forward(far_in, near_out, back, ends.clone()));
            }
        });
        Self { address, end, next_silence, listening }
    }

    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Silences open connections. New ones work normally.
    pub fn silences_what_is_open(&self) {
        for silence in std::mem::take(&mut *self.next_silence.lock().unwrap()) {
            silence.cancel();
        }
    }

    /// Withholds responses from now on. Requests still arrive.
    pub fn withholds_responses(&self) {
        self.next_silence.lock().unwrap()[1].cancel();
    }
}

impl Drop for Link {
    fn drop(&mut self) {
        self.end.cancel();
        self.listening.abort();
    }
}

async fn forward(mut from: OwnedReadHalf, mut to: OwnedWriteHalf, silence: CancellationToken, end: CancellationToken) {
    let mut buffer = vec![0; 16 * 1024];
    loop {
        let read = tokio::select! {
            biased;
            // Both halves stay open, so that neither side detects the failure.
            () = silence.cancelled() => return end.cancelled().await,
            read = from.read(&mut buffer) => read.unwrap_or(0),
        };
        if read == 0 || to.write_all(&buffer[..read]).await.is_err() {
            return;
        }
    }
}
