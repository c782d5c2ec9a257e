//! Connection limits per client address. When a limit is reached, the longest idle connection is evicted.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::Notify;

use super::idle_timeout::Activity;
use crate::http::client_address::network;

const MAX_TOTAL: usize = 4_096;
const MAX_PER_ADDRESS: usize = 256;
/// An IPv6 client has all addresses of its /64.
const MAX_PER_NETWORK: usize = 512;
/// More than a browser needs.
const FEW: usize = 16;

/// Open connections by the client's network, which is the address for IPv4.
#[derive(Default)]
pub struct Connections(Mutex<HashMap<IpAddr, Vec<Arc<Open>>>>);

struct Open {
    address: IpAddr,
    /// A trusted proxy has the connections of all its clients.
    is_trusted: bool,
    activity: Arc<Activity>,
    evicted: Notify,
}

/// Counts a connection until dropped.
pub struct Slot {
    open: Arc<Open>,
    connections: Arc<Connections>,
}

impl Connections {
    /// A slot for a new connection. At the limit the longest idle connection is evicted: one of the same client, of the
    /// client with the most, or of all. `None` if all of them are busy.
    pub fn acquire(self: &Arc<Self>, peer: IpAddr, is_trusted: bool, activity: Arc<Activity>) -> Option<Slot> {
        let address = peer.to_canonical();
        let open = Arc::new(Open { address, is_trusted, activity, evicted: Notify::new() });
        let mut all = self.lock();
        if !is_trusted {
            let own = all.get(&network(address)).map_or(&[][..], Vec::as_slice);
            let of_address = || own.iter().filter(|other| other.address == address);
            if of_address().count() >= MAX_PER_ADDRESS {
                let idle = longest_idle(of_address())?;
                remove(&mut all, &idle);
            } else if own.len() >= MAX_PER_NETWORK {
                let idle = longest_idle(own.iter())?;
                remove(&mut all, &idle);
            }
        }
        if all.values().map(Vec::len).sum::<usize>() >= MAX_TOTAL {
            let idle = evictable(&all)?;
            remove(&mut all, &idle);
        }
        all.entry(network(address)).or_default().push(open.clone());
        drop(all);
        Some(Slot { open, connections: self.clone() })
    }

    pub fn any_awaits_first_request(&self) -> bool {
        self.lock().values().flatten().any(|open| open.activity.awaits_first_request())
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<IpAddr, Vec<Arc<Open>>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The longest idle connection of the client with the most, unless that has few: among very many clients it may be the
/// browser that is in use. Then the longest idle one of all; those of trusted proxies come last.
fn evictable(all: &HashMap<IpAddr, Vec<Arc<Open>>>) -> Option<Arc<Open>> {
    let untrusted = || all.values().filter(|own| own.first().is_some_and(|one| !one.is_trusted));
    let largest = untrusted().max_by_key(|own| own.len()).filter(|own| own.len() > FEW);
    longest_idle(largest.into_iter().flatten())
        .or_else(|| longest_idle(untrusted().flatten()))
        .or_else(|| longest_idle(all.values().flatten()))
}

fn longest_idle<'a>(among: impl Iterator<Item = &'a Arc<Open>>) -> Option<Arc<Open>> {
    among.filter(|open| open.activity.is_idle()).min_by_key(|open| open.activity.last_step()).cloned()
}

/// Removes a connection and notifies it, in case it was evicted.
fn remove(all: &mut HashMap<IpAddr, Vec<Arc<Open>>>, gone: &Arc<Open>) {
    let key = network(gone.address);
    if let Some(own) = all.get_mut(&key) {
        own.retain(|open| !Arc::ptr_eq(open, gone));
        if own.is_empty() {
            all.remove(&key);
        }
    }
    gone.evicted.notify_one();
}

impl Slot {
    /// Resolves when this connection is evicted.
    pub async fn is_evicted(&self) {
        self.open.evicted.notified().await;
    }
}

impl Drop for Slot {
    fn drop(&mut self) {
        remove(&mut self.connections.lock(), &self.open);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Its slot, and what happens on it.
    type Client = (Slot, Arc<Activity>);

    fn try_connect(all: &Arc<Connections>, address: &str) -> Option<Client> {
        let activity = Arc::new(Activity::new());
        Some((all.acquire(address.parse().unwrap(), address.ends_with(".99"), activity.clone())?, activity))
    }

    fn connect(all: &Arc<Connections>, address: &str) -> Client {
        try_connect(all, address).unwrap()
    }

    fn is_open(all: &Connections, (slot, _): &Client) -> bool {
        all.lock().values().flatten().any(|open| Arc::ptr_eq(open, &slot.open))
    }

    fn count(all: &Connections) -> usize {
        all.lock().values().map(Vec::len).sum()
    }

    #[test]
    fn one_too_many_of_an_address_closes_the_longest_idle_of_that_address() {
        let all = Arc::new(Connections::default());
        let other = connect(&all, "192.0.2.2");
        let mut clients: Vec<Client> = (0..MAX_PER_ADDRESS).map(|_| connect(&all, "192.0.2.1")).collect();
        // The first is busy, and the second was until now.
        let busy = clients[0].1.begin_request();
        drop(clients[1].1.begin_request());
        clients.push(connect(&all, "192.0.2.1"));
        let closed: Vec<usize> = (0..clients.len()).filter(|number| !is_open(&all, &clients[*number])).collect();
        assert_eq!(closed, [2]);
        assert!(is_open(&all, &other));
        drop(busy);
        drop(clients);
        assert_eq!(count(&all), 1);
    }

    #[test]
    fn a_connection_awaits_its_first_request_until_it_begins() {
        let all = Arc::new(Connections::default());
        let (_slot, activity) = connect(&all, "192.0.2.1");
        assert!(all.any_awaits_first_request());
        drop(activity.begin_request());
        assert!(!all.any_awaits_first_request());
    }

    #[test]
    fn where_all_are_at_work_there_is_no_room() {
        let all = Arc::new(Connections::default());
        let clients: Vec<Client> = (0..MAX_PER_ADDRESS).map(|_| connect(&all, "192.0.2.1")).collect();
        let busy: Vec<_> = clients.iter().map(|(_, activity)| activity.begin_request()).collect();
        assert!(try_connect(&all, "192.0.2.1").is_none());
        // The IPv4-mapped form is the same client.
        assert!(try_connect(&all, "::ffff:192.0.2.1").is_none());
        drop(busy);
        assert!(try_connect(&all, "192.0.2.1").is_some());
    }

    #[test]
    fn a_network_of_ipv6_has_twice_as_many_as_one_address() {
        let all = Arc::new(Connections::default());
        let clients: Vec<Client> =
            (0..MAX_PER_NETWORK).map(|number| connect(&all, &format!("2001:db8::{:x}", number % 4))).collect();
        let one_more = connect(&all, "2001:db8::ffff");
        assert!(!is_open(&all, &clients[0]) && is_open(&all, &clients[1]) && is_open(&all, &one_more));
        let elsewhere = connect(&all, "2001:db8:0:1::1");
        assert!(is_open(&all, &clients[1]) && is_open(&all, &elsewhere));

        let of_one: Vec<Client> = (0..MAX_PER_ADDRESS).map(|_| connect(&all, "2001:db8:0:2::1")).collect();
        let _one_more = connect(&all, "2001:db8:0:2::1");
        assert!(!is_open(&all, &of_one[0]) && is_open(&all, &of_one[1]));
    }

    #[test]
    fn when_there_are_too_many_in_all_the_client_with_the_most_gives_way() {
        let all = Arc::new(Connections::default());
        // A trusted proxy may have any number, and is the last to lose one.
        let proxied: Vec<Client> = (0..MAX_TOTAL - 30).map(|_| connect(&all, "192.0.2.99")).collect();
        let few: Vec<Client> = (0..10).map(|_| connect(&all, "192.0.2.1")).collect();
        let most: Vec<Client> = (0..20).map(|_| connect(&all, "192.0.2.2")).collect();
        let newcomer = connect(&all, "192.0.2.3");
        assert!(!is_open(&all, &most[0]) && is_open(&all, &newcomer) && count(&all) == MAX_TOTAL);
        assert!(few.iter().chain(&proxied).chain(&most[1..]).all(|client| is_open(&all, client)));

        // If all of the clients' are busy, an idle one of the proxy is evicted.
        let clients = most.iter().chain(&few).chain([&newcomer]);
        let busy: Vec<_> = clients.map(|(_, activity)| activity.begin_request()).collect();
        let another = connect(&all, "192.0.2.4");
        assert!(!is_open(&all, &proxied[0]) && is_open(&all, &another));
        drop(busy);
    }

    #[test]
    fn among_very_many_clients_a_browser_in_use_keeps_its_connections() {
        let all = Arc::new(Connections::default());
        let many: Vec<Client> =
            (6..MAX_TOTAL).map(|number| connect(&all, &format!("10.{}.{}.1", number / 256, number % 256))).collect();
        let browser: Vec<Client> = (0..6).map(|_| connect(&all, "192.0.2.1")).collect();
        let newcomers: Vec<Client> = (0..100).map(|number| connect(&all, &format!("192.0.3.{number}"))).collect();
        assert!(browser.iter().chain(&newcomers).all(|client| is_open(&all, client)));
        assert!(!many[..100].iter().any(|client| is_open(&all, client)));
    }
}
