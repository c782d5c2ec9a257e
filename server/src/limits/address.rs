//! Which client a request comes from, as far as the shop may believe it.

use std::convert::Infallible;
use std::net::{IpAddr, Ipv6Addr, SocketAddr};
use std::sync::Arc;

use axum::extract::{ConnectInfo, FromRequestParts};
use axum::http::HeaderMap;
use axum::http::request::Parts;
use ipnet::IpNet;

use super::Rule;
use crate::shop::Shop;

/// What all clients of an IPv6 /48 may together, as a multiple of what one of them may.
const OF_A_NETWORK: i64 = 4;
/// The same for what is about one account: so little that one network is still far from what the account stands.
const OF_A_NETWORK_ON_ONE_ACCOUNT: i64 = 2;

/// The address a request is counted under.
pub struct ClientAddress(IpAddr);

impl ClientAddress {
    pub fn ip(&self) -> IpAddr {
        self.0
    }

    /// One client holds a whole /64 of IPv6, so that is what is counted.
    pub fn subject(&self) -> String {
        match self.0 {
            IpAddr::V4(address) => address.to_string(),
            IpAddr::V6(address) => format!("{}/64", prefix(address, 64)),
        }
    }

    /// Uses of a rule by this client. Somebody may hold a whole /48 of IPv6, which is 65,536 clients: those are
    /// counted together as well.
    pub fn uses(&self, rule: Rule) -> Vec<(Rule, String)> {
        let mut uses = vec![(rule, self.subject())];
        uses.extend(self.network().map(|network| (rule.times(OF_A_NETWORK), network)));
        uses
    }

    /// The same for uses that are about an account, or whatever else is named.
    pub fn uses_on(&self, rule: Rule, subject: &str) -> Vec<(Rule, String)> {
        let mut uses = vec![(rule, format!("{} {subject}", self.subject()))];
        let network = self.network().map(|network| format!("{network} {subject}"));
        uses.extend(network.map(|subject| (rule.times(OF_A_NETWORK_ON_ONE_ACCOUNT), subject)));
        uses
    }

    /// Whoever may be behind it: an address of IPv4, or the /48 of IPv6 that one site has.
    pub fn site(&self) -> String {
        self.network().unwrap_or_else(|| self.subject())
    }

    fn network(&self) -> Option<String> {
        match self.0 {
            IpAddr::V4(_) => None,
            IpAddr::V6(address) => Some(format!("{}/48", prefix(address, 48))),
        }
    }
}

/// The first address of the network that this one is in.
fn prefix(address: Ipv6Addr, bits: u32) -> Ipv6Addr {
    Ipv6Addr::from_bits(address.to_bits() & (u128::MAX << (128 - bits)))
}

impl FromRequestParts<Arc<Shop>> for ClientAddress {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, shop: &Arc<Shop>) -> Result<Self, Infallible> {
        let peer = parts.extensions.get::<ConnectInfo<SocketAddr>>();
        // A request that came over no socket was made in this process.
        let peer = peer.map_or(IpAddr::V6(Ipv6Addr::LOCALHOST), |info| info.0.ip());
        Ok(Self(client_address(peer, &parts.headers, &shop.config.trusted_proxies)))
    }
}

/// The socket's peer; when that is one of ours, the right-most hop of `X-Forwarded-For` that is not.
/// What stands left of it was written by the client and is worth nothing.
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

/// Some proxies write the port as well.
fn parse_hop(hop: &str) -> Option<IpAddr> {
    let address = hop.parse::<IpAddr>().or_else(|_| hop.parse::<SocketAddr>().map(|socket| socket.ip()));
    address.ok().map(|address| address.to_canonical())
}

/// What one client holds: an address of IPv4, and a whole /64 of IPv6.
pub fn network(address: IpAddr) -> IpAddr {
    match address {
        IpAddr::V4(_) => address,
        IpAddr::V6(address) => prefix(address, 64).into(),
    }
}

/// Whether this is a proxy of the shop's own.
pub fn is_trusted(address: IpAddr, trusted: &[IpNet]) -> bool {
    trusted.iter().any(|network| network.contains(&address.to_canonical()))
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use axum::http::HeaderValue;

    use super::super::SIGN_UP_PER_ADDRESS;

    use super::*;

    fn seen(peer: &str, forwarded: &[&str], trusted: &[&str]) -> String {
        let mut headers = HeaderMap::new();
        for line in forwarded {
            headers.append("x-forwarded-for", HeaderValue::from_str(line).unwrap());
        }
        let trusted: Vec<IpNet> = trusted.iter().map(|net| net.parse().unwrap()).collect();
        client_address(peer.parse().unwrap(), &headers, &trusted).to_string()
    }

    // rule 25
    #[test]
    fn without_a_trusted_proxy_the_header_is_only_noise() {
        assert_eq!(seen("203.0.113.9", &["198.51.100.1"], &[]), "203.0.113.9");
        assert_eq!(seen("203.0.113.9", &["198.51.100.1"], &["10.0.0.0/8"]), "203.0.113.9");
    }

    // rule 25
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

    #[test]
    fn a_network_of_many_ipv6_clients_is_counted_as_well_and_may_more() {
        let uses = |text: &str| ClientAddress(text.parse().unwrap()).uses(SIGN_UP_PER_ADDRESS);
        let subjects = |text: &str| uses(text).into_iter().map(|(_, subject)| subject).collect::<Vec<_>>();
        assert_eq!(subjects("2001:db8:1:2:3:4:5:6"), ["2001:db8:1:2::/64", "2001:db8:1::/48"]);
        assert_eq!(subjects("2001:db8:1:ffff::1")[1], subjects("2001:db8:1:2::1")[1]);
        assert_ne!(subjects("2001:db8:2:2::1")[1], subjects("2001:db8:1:2::1")[1]);
        assert_eq!(subjects("198.51.100.1"), ["198.51.100.1"]);
        let on = ClientAddress("2001:db8:1:2::1".parse().unwrap()).uses_on(SIGN_UP_PER_ADDRESS, "ada");
        assert_eq!(on[1].1, "2001:db8:1::/48 ada");
    }
}
