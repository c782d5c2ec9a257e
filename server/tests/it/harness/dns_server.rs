//! Local DNS server with TXT records, over UDP and TCP.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use hickory_resolver::proto::op::{Message, ResponseCode};
use hickory_resolver::proto::rr::rdata::TXT;
use hickory_resolver::proto::rr::{RData, Record};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, UdpSocket};

/// Largest UDP response: 1232 bytes avoid IP fragmentation on all common networks (DNS Flag Day 2020).
const DATAGRAM: usize = 1232;

#[derive(Clone)]
enum Zone {
    Records(Vec<(String, String)>),
    Failing,
    Silent,
}

pub struct DnsServer {
    address: String,
    by_tcp: Arc<AtomicUsize>,
}

impl DnsServer {
    /// Serves these records: names without the trailing dot, and their texts.
    pub async fn start(records: &[(&str, &str)]) -> Self {
        let owned = records.iter().map(|(name, text)| ((*name).to_owned(), (*text).to_owned()));
        Self::serve(Zone::Records(owned.collect())).await
    }

    /// Responds to every query with SERVFAIL.
    pub async fn failing() -> Self {
        Self::serve(Zone::Failing).await
    }

    /// Receives queries and never responds.
    pub async fn silent() -> Self {
        Self::serve(Zone::Silent).await
    }

    /// Configuration of a shop that uses this DNS server, plus `more`.
    pub fn vars<'a>(&'a self, more: &[(&'a str, &'a str)]) -> Vec<(&'a str, &'a str)> {
        [&[("SHOP_DNS_SERVERS", self.address.as_str())], more].concat()
    }

    pub fn served_by_tcp(&self) -> usize {
        self.by_tcp.load(Ordering::Relaxed)
    }

    async fn serve(zone: Zone) -> Self {
        let (socket, listener) = same_port().await;
        let address: SocketAddr = socket.local_addr().unwrap();
        let by_tcp = Arc::new(AtomicUsize::new(0));
        let (counted, for_tcp) = (by_tcp.clone(), zone.clone());
        tokio::spawn(async move {
            let mut bytes = [0; 4096];
            while let Ok((length, client)) = socket.recv_from(&mut bytes).await {
                let Some(response) = response(&zone, &bytes[..length]) else { continue };
                let whole = response.to_vec().unwrap();
                let sent = if whole.len() > DATAGRAM { response.truncate().to_vec().unwrap() } else { whole };
                socket.send_to(&sent, client).await.unwrap();
            }
        });
        tokio::spawn(async move {
            while let Ok((mut stream, _)) = listener.accept().await {
                let (zone, counted) = (for_tcp.clone(), counted.clone());
                tokio::spawn(async move {
                    while let Ok(length) = stream.read_u16().await {
                        let mut bytes = vec![0; usize::from(length)];
                        stream.read_exact(&mut bytes).await.unwrap();
                        let Some(response) = response(&zone, &bytes) else { continue };
                        let whole = response.to_vec().unwrap();
                        stream.write_u16(u16::try_from(whole.len()).unwrap()).await.unwrap();
                        stream.write_all(&whole).await.unwrap();
                        counted.fetch_add(1, Ordering::Relaxed);
                    }
                });
            }
        });
        Self { address: address.to_string(), by_tcp }
    }
}

async fn same_port() -> (UdpSocket, TcpListener) {
    loop {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        if let Ok(socket) = UdpSocket::bind(listener.local_addr().unwrap()).await {
            return (socket, listener);
        }
    }
}

/// The response to a query. None if the zone is silent.
fn response(zone: &Zone, question: &[u8]) -> Option<Message> {
    let mut response = Message::from_vec(question).unwrap().into_response();
    let records = match zone {
        Zone::Silent => return None,
        Zone::Failing => {
            response.metadata.response_code = ResponseCode::ServFail;
            return Some(response);
        }
        Zone::Records(records) => records,
    };
    let asked = response.queries[0].name().clone();
    let name = asked.to_ascii().trim_end_matches('.').to_lowercase();
    for (_, text) in records.iter().filter(|(owner, _)| *owner == name) {
        let parts = text.as_bytes().chunks(255).map(|part| String::from_utf8_lossy(part).into_owned());
        response.add_answer(Record::from_rdata(asked.clone(), 60, RData::TXT(TXT::new(parts.collect()))));
    }
    // A name exists if it has a record or if a name below it has one (RFC 8020).
    let exists = records.iter().any(|(owner, _)| *owner == name || owner.ends_with(&format!(".{name}")));
    if !exists {
        response.metadata.response_code = ResponseCode::NXDomain;
    }
    Some(response)
}
