//! A connection as a program has it that says what it likes.

use std::net::SocketAddr;
use std::time::Duration;

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpSocket, TcpStream};
use tokio::time::timeout;

use super::TestShop;

/// Longer than anything takes that comes at all.
const PATIENCE: Duration = Duration::from_secs(15);

pub struct Socket(TcpStream);

impl TestShop {
    /// A connection from this address of the loopback network: somebody on another machine.
    pub async fn socket_from(&self, own: &str) -> Socket {
        let shop: SocketAddr = self.url().replace("http://", "").parse().unwrap();
        let socket = TcpSocket::new_v4().unwrap();
        socket.bind(format!("{own}:0").parse().unwrap()).unwrap();
        Socket(socket.connect(shop).await.unwrap())
    }
}

impl Socket {
    /// Whoever is shown out may find the door closed before all is said.
    pub async fn says(&mut self, text: &str) {
        let _ = self.0.write_all(text.as_bytes()).await;
    }

    /// The status of the next answer; none if the shop closes instead.
    pub async fn hears(&mut self) -> Option<u16> {
        let mut said = vec![0; 64 * 1024];
        let length = timeout(PATIENCE, self.0.read(&mut said)).await.expect("an answer or an end").unwrap_or(0);
        let said = String::from_utf8_lossy(&said[..length]).into_owned();
        said.split(' ').nth(1).map(|status| status.parse().unwrap())
    }

    /// All that the shop says until it closes.
    pub async fn hears_all(&mut self) -> String {
        let mut said = Vec::new();
        let _ = timeout(PATIENCE, self.0.read_to_end(&mut said)).await.expect("an end");
        String::from_utf8_lossy(&said).into_owned()
    }

    pub async fn asks(&mut self, path: &str) -> Option<u16> {
        self.says(&format!("GET {path} HTTP/1.1\r\nHost: shop\r\n\r\n")).await;
        self.hears().await
    }
}
