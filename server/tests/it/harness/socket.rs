//! Raw TCP connection, for requests that an HTTP client would not send.

use std::net::SocketAddr;
use std::time::Duration;

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpSocket, TcpStream};
use tokio::time::timeout;

use super::TestShop;

/// Longer than any response takes.
const TIMEOUT: Duration = Duration::from_secs(15);

pub struct Socket(TcpStream);

impl TestShop {
    /// Connects from this loopback address, which counts as another machine.
    pub async fn socket_from(&self, own: &str) -> Socket {
        let shop: SocketAddr = self.url().replace("http://", "").parse().unwrap();
        let socket = TcpSocket::new_v4().unwrap();
        socket.bind(format!("{own}:0").parse().unwrap()).unwrap();
        Socket(socket.connect(shop).await.unwrap())
    }
}

impl Socket {
    /// Sends text. Write errors are ignored, because the server may close the connection early.
    pub async fn says(&mut self, text: &str) {
        let _ = self.0.write_all(text.as_bytes()).await;
    }

    /// The status of the next response. None if the server closes the connection instead.
    pub async fn hears(&mut self) -> Option<u16> {
        let mut said = vec![0; 64 * 1024];
        let length = timeout(TIMEOUT, self.0.read(&mut said))
            .await
            .expect("neither a response nor a disconnect before the timeout")
            .unwrap_or(0);
        let said = String::from_utf8_lossy(&said[..length]).into_owned();
        said.split(' ').nth(1).map(|status| status.parse().unwrap())
    }

    /// Everything that the server sends before it closes the connection.
    pub async fn hears_all(&mut self) -> String {
        let mut said = Vec::new();
        let _ = timeout(TIMEOUT, self.0.read_to_end(&mut said)).await.expect("no disconnect before the timeout");
        String::from_utf8_lossy(&said).into_owned()
    }

    pub async fn asks(&mut self, path: &str) -> Option<u16> {
        self.says(&format!("GET {path} HTTP/1.1\r\nHost: shop\r\n\r\n")).await;
        self.hears().await
    }
}
