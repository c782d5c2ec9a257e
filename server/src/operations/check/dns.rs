//! TXT lookups with the system's DNS servers or `SHOP_DNS_SERVERS`.

use std::net::SocketAddr;
use std::time::Duration;

use hickory_resolver::TokioResolver;
use hickory_resolver::config::{ConnectionConfig, NameServerConfig, ResolverConfig};
use hickory_resolver::net::runtime::TokioRuntimeProvider;
use hickory_resolver::proto::rr::{RData, RecordType};

/// Two attempts of two seconds: a person waits for the result.
const TIMEOUT: Duration = Duration::from_secs(2);
const ATTEMPTS: usize = 2;

pub struct Dns(TokioResolver);

/// The TXT records of a name.
#[derive(Debug, PartialEq, Eq)]
pub enum Records {
    /// NXDOMAIN: neither this name nor any name below it exists.
    NoSuchName,
    /// The name exists but has no TXT record.
    Texts(Vec<String>),
}

impl Dns {
    /// # Errors
    /// If the system has no DNS servers configured.
    pub fn new(servers: &[SocketAddr]) -> Result<Self, String> {
        let built = if servers.is_empty() {
            TokioResolver::builder_tokio()
        } else {
            let servers = servers.iter().map(name_server).collect();
            let config = ResolverConfig::from_name_servers(servers);
            Ok(TokioResolver::builder_with_config(config, TokioRuntimeProvider::default()))
        };
        let resolver = built.and_then(|mut builder| {
            let options = builder.options_mut();
            options.timeout = TIMEOUT;
            options.attempts = ATTEMPTS;
            builder.build()
        });
        resolver.map(Self).map_err(|error| {
            format!("this machine's DNS servers are unknown ({error}); SHOP_DNS_SERVERS can name them")
        })
    }

    /// # Errors
    /// If no server responds, or one responds with an error.
    pub async fn texts(&self, name: &str) -> Result<Records, String> {
        // The trailing dot disables the machine's search domains.
        match self.0.lookup(format!("{name}."), RecordType::TXT).await {
            Ok(lookup) => {
                let texts = lookup.answers().iter().filter_map(|record| match &record.data {
                    RData::TXT(text) => {
                        let bytes: Vec<u8> = text.txt_data.iter().flat_map(|part| part.iter().copied()).collect();
                        Some(String::from_utf8_lossy(&bytes).into_owned())
                    }
                    _ => None,
                });
                Ok(Records::Texts(texts.collect()))
            }
            Err(error) if error.is_nx_domain() => Ok(Records::NoSuchName),
            Err(error) if error.is_no_records_found() => Ok(Records::Texts(Vec::new())),
            Err(error) => Err(format!("{name} cannot be looked up in the DNS: {error}")),
        }
    }
}

fn name_server(address: &SocketAddr) -> NameServerConfig {
    let connections = [ConnectionConfig::udp(), ConnectionConfig::tcp()].into_iter().map(|mut connection| {
        connection.port = address.port();
        connection
    });
    NameServerConfig::new(address.ip(), true, connections.collect())
}
