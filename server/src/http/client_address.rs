//! The client address of a request, from the socket or from `X-Forwarded-For` of a trusted proxy.

use std::convert::Infallible;
use std::net::{IpAddr, Ipv6Addr, SocketAddr};
use std::sync::Arc;

use axum::extract::{ConnectInfo, FromRequestParts};
use axum::http::HeaderMap;
use axum::http::request::Parts;
use ipnet::IpNet;

use crate::config::Config;

/// The address that rate limits count.
pub struct ClientAddress(IpAddr);

impl From<IpAddr> for ClientAddress {
    fn from(address: IpAddr) -> Self {
        Self(address)
    }
}

impl ClientAddress {
    pub fn ip(&self) -> IpAddr {
        self.0
    }

    /// The subject of rate limits: an IPv4 address, or an IPv6 /64, which one client usually owns.
    pub fn subject(&self) -> String {
        match self.0 {
            IpAddr::V4(address) => address.to_string(),
            IpAddr::V6(address) => format!("{}/64", prefix(address, 64)),
        }
    }

    /// The network of one site: an IPv4 address, or an IPv6 /48.
    pub fn site(&self) -> String {
        self.network().unwrap_or_else(|| self.subject())
    }

    /// The /48 network of an IPv6 client.
    pub fn network(&self) -> Option<String> {
        match self.0 {
            IpAddr::V4(_) => None,
            IpAddr::V6(address) => Some(format!("{}/48", prefix(address, 48))),
        }
    }
}

/// The first address of the network with this prefix length.
fn prefix(address: Ipv6Addr, bits: u32) -> Ipv6Addr {
    Ipv6Addr::from_bits(address.to_bits() & (u128::MAX << (128 - bits)))
}

impl<S: AsRef<Config> + Send + Sync> FromRequestParts<Arc<S>> for ClientAddress {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, state: &Arc<S>) -> Result<Self, Infallible> {
        let peer = parts.extensions.get::<ConnectInfo<SocketAddr>>();
        // A request without a socket comes from this process.
        let peer = peer.map_or(IpAddr::V6(Ipv6Addr::LOCALHOST), |info| info.0.ip());
        Ok(Self(client_address(peer, &parts.headers, &state.as_ref().as_ref().trusted_proxies)))
    }
}

/// The socket's peer, or, when the peer is a trusted proxy, the right-most hop of `X-Forwarded-For` that is not trusted.
/// The client may have forged everything left of it.
pub fn client_address(peer: IpAddr, headers: &HeaderMap, trusted: &[IpNet]) -> IpAddr {
    let is_ours = |address: &IpAddr| trusted.iter().any(|network| network.contains(address));
    let mut nearest = peer.to_canonical();
    if !is_ours(&nearest) {
        return nearest;
    }
    let lines: Vec<&str> =
        headers.get_all("x-forwarded-for").iter().map(|line| line.to_str().unwrap_or_default()).collect();
    for hop in lines.join(",").rsplit(',') {
        let Some(address) = parse_hop(hop.trim()) else {
            return nearest;
        };
        nearest = address;
        if !is_ours(&nearest) {
            return nearest;
        }
    }
    nearest
}

/// Parses a hop. Some proxies append the port.
fn parse_hop(hop: &str) -> Option<IpAddr> {
    let address = hop.parse::<IpAddr>().or_else(|_| hop.parse::<SocketAddr>().map(|socket| socket.ip()));
    address.ok().map(|address| address.to_canonical())
}

/// The network of one site: an IPv4 address, or an IPv6 /48.
pub fn site(address: IpAddr) -> IpAddr {
    match address {
        IpAddr::V4(_) => address,
        IpAddr::V6(address) => prefix(address, 48).into(),
    }
}

/// The network of one client: an IPv4 address, or an IPv6 /64.
pub fn network(address: IpAddr) -> IpAddr {
    match address {
        IpAddr::V4(_) => address,
        IpAddr::V6(address) => prefix(address, 64).into(),
    }
}

/// Whether the address belongs to a trusted proxy.
pub fn is_trusted(address: IpAddr, trusted: &[IpNet]) -> bool {
    trusted.iter().any(|network| network.contains(&address.to_canonical()))
}

#[cfg(test)]
mod tests {
    use axum::http::HeaderValue;

    use super::*;

    fn seen(peer: &str, forwarded: &[&str], trusted: &[&str]) -> String {
        let mut headers = HeaderMap::new();
        for line in forwarded {
            headers.append("x-forwarded-for", HeaderValue::from_str(line).unwrap());
        }
        let trusted: Vec<IpNet> = trusted.iter().map(|net| net.parse().unwrap()).collect();
        client_address(peer.parse().unwrap(), &headers, &trusted).to_string()
    }

    // invariant: trusted-proxies
    #[test]
    fn without_a_trusted_proxy_the_header_is_only_noise() {
        assert_eq!(seen("203.0.113.9", &["198.51.100.1"], &[]), "203.0.113.9");
        assert_eq!(seen("203.0.113.9", &["198.51.100.1"], &["10.0.0.0/8"]), "203.0.113.9");
    }

    // invariant: trusted-proxies
    #[test]
    fn behind_a_trusted_proxy_the_last_hop_it_saw_counts_and_not_what_the_client_wrote() {
        let ours = ["10.0.0.0/8"];
        assert_eq!(seen("10.0.0.1", &["198.51.100.1"], &ours), "198.51.100.1");
        assert_eq!(seen("10.0.0.1", &["1.1.1.1, 198.51.100.1"], &ours), "198.51.100.1");
        assert_eq!(seen("10.0.0.1", &["1.1.1.1", "198.51.100.1, 10.0.0.2"], &ours), "198.51.100.1");
        assert_eq!(seen("10.0.0.1", &["198.51.100.1:4711"], &ours), "198.51.100.1");
        assert_eq!(seen("::ffff:10.0.0.1", &["[2001:db8::1]:80"], &ours), "2001:db8::1");
    }

    #[test]
    fn a_hop_that_is_no_address_ends_the_search() {
        let ours = ["10.0.0.0/8"];
        assert_eq!(seen("10.0.0.1", &["198.51.100.1, unknown"], &ours), "10.0.0.1");
        assert_eq!(seen("10.0.0.1", &["198.51.100.1, unknown, 10.0.0.2"], &ours), "10.0.0.2");
        assert_eq!(seen("10.0.0.1", &[""], &ours), "10.0.0.1");
        assert_eq!(seen("10.0.0.1", &[], &ours), "10.0.0.1");
    }

    #[test]
    fn an_ipv6_client_is_counted_by_its_network() {
        let subject = |text: &str| ClientAddress(text.parse().unwrap()).subject();
        assert_eq!(subject("2001:db8:1:2:3:4:5:6"), "2001:db8:1:2::/64");
        assert_eq!(subject("2001:db8:1:2::ffff"), subject("2001:db8:1:2::1"));
        assert_ne!(subject("2001:db8:1:3::1"), subject("2001:db8:1:2::1"));
        assert_eq!(subject("198.51.100.1"), "198.51.100.1");
    }
}
