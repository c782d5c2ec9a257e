//! Usages of a client: of its address, and of its network.

use super::Rule;
use crate::http::client_address::ClientAddress;

/// The limit of an IPv6 /48 network, as a multiple of the limit of one client.
const NETWORK_FACTOR: i64 = 4;
/// The same for limits on one account. It is low, so that one network stays far below the account's own limit.
const NETWORK_FACTOR_PER_ACCOUNT: i64 = 2;

impl ClientAddress {
    /// Usages of a rule by this client. An IPv6 client also counts for its /48 network, because one attacker may own
    /// a whole /48, which is 65,536 clients.
    pub fn usages(&self, rule: Rule) -> Vec<(Rule, String)> {
        let mut usages = vec![(rule, self.subject())];
        usages.extend(self.network().map(|network| (rule.times(NETWORK_FACTOR), network)));
        usages
    }

    /// Usages of a rule about an account, or another subject.
    pub fn usages_on(&self, rule: Rule, subject: &str) -> Vec<(Rule, String)> {
        let mut usages = vec![(rule, format!("{} {subject}", self.subject()))];
        let network = self.network().map(|network| format!("{network} {subject}"));
        usages.extend(network.map(|subject| (rule.times(NETWORK_FACTOR_PER_ACCOUNT), subject)));
        usages
    }
}

#[cfg(test)]
mod tests {
    use std::net::IpAddr;

    use super::super::SIGN_UP_PER_ADDRESS;
    use super::*;

    fn client(text: &str) -> ClientAddress {
        text.parse::<IpAddr>().unwrap().into()
    }

    #[test]
    fn a_network_of_many_ipv6_clients_is_counted_as_well_and_may_more() {
        let usages = |text: &str| client(text).usages(SIGN_UP_PER_ADDRESS);
        let subjects = |text: &str| usages(text).into_iter().map(|(_, subject)| subject).collect::<Vec<_>>();
        assert_eq!(subjects("2001:db8:1:2:3:4:5:6"), ["2001:db8:1:2::/64", "2001:db8:1::/48"]);
        assert_eq!(subjects("2001:db8:1:ffff::1")[1], subjects("2001:db8:1:2::1")[1]);
        assert_ne!(subjects("2001:db8:2:2::1")[1], subjects("2001:db8:1:2::1")[1]);
        assert_eq!(subjects("198.51.100.1"), ["198.51.100.1"]);
        let on = client("2001:db8:1:2::1").usages_on(SIGN_UP_PER_ADDRESS, "ada");
        assert_eq!(on[1].1, "2001:db8:1::/48 ada");
    }
}
