//! A way to a server that can fall silent: nothing is refused or closed, nothing arrives any more.

use std::net::SocketAddr;
use std::sync::{Arc, Mutex};

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::tcp::{OwnedReadHalf, OwnedWriteHalf};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

/// Connections made before a silence carry nothing from then on, like those to a machine that lost its power. In the
/// end somebody notices, and they are closed.
pub struct Link {
    address: SocketAddr,
    end: CancellationToken,
    /// Ends what is open now, there and back.
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
                tokio::spawn(carry(near_in, far_out, there, ends.clone()));
                tokio::spawn(carry(far_in, near_out, back, ends.clone()));
            }
        });
        Self { address, end, next_silence, listening }
    }

    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// New connections are as good as ever.
    pub fn silences_what_is_open(&self) {
        for silence in std::mem::take(&mut *self.next_silence.lock().unwrap()) {
            silence.cancel();
        }
    }

    /// From now on whatever is asked arrives, and no answer comes back.
    pub fn keeps_answers(&self) {
        self.next_silence.lock().unwrap()[1].cancel();
    }
}

impl Drop for Link {
    fn drop(&mut self) {
        self.end.cancel();
        self.listening.abort();
    }
}

async fn carry(mut from: OwnedReadHalf, mut to: OwnedWriteHalf, silence: CancellationToken, end: CancellationToken) {
    let mut buffer = vec![0; 16 * 1024];
    loop {
        let read = tokio::select! {
            biased;
            // Held, so that neither side learns that the other is out of reach.
            () = silence.cancelled() => return end.cancelled().await,
            read = from.read(&mut buffer) => read.unwrap_or(0),
        };
        if read == 0 || to.write_all(&buffer[..read]).await.is_err() {
            return;
        }
    }
}
