//! Limits of request bodies in transit: slow uploads from many addresses leave room for everyone else.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio_util::sync::CancellationToken;

use crate::http::client_address::{network, site};

/// Request bodies in transit, in units of the largest JSON body: 128 MiB in total.
const MAX: usize = 2_048;
/// The part of [`MAX`] that only requests with priority may use.
const RESERVED: usize = 256;
/// The same for one client.
const MAX_PER_CLIENT: usize = 64;
/// The same for an IPv6 /48, which has 65,536 networks of clients.
const MAX_PER_SITE: usize = 128;

/// Bodies in transit, the oldest first.
#[derive(Default)]
pub struct Bodies(Mutex<Vec<Arc<Entry>>>);

struct Entry {
    /// `None` for a trusted proxy that does not name the client.
    client: Option<IpAddr>,
    size: usize,
    evicted: CancellationToken,
}

impl Entry {
    fn site(&self) -> Option<IpAddr> {
        self.client.map(site)
    }
}

/// Counts a body in transit until dropped.
pub struct Body {
    entry: Arc<Entry>,
    bodies: Arc<Bodies>,
}

impl Bodies {
    /// Counts a body of this size. At the limit, the oldest body of the site with the most is evicted. `None` if the client
    /// or its site has too many.
    pub fn acquire(self: &Arc<Self>, client: Option<IpAddr>, size: usize, has_priority: bool) -> Option<Body> {
        let entry = Arc::new(Entry { client, size, evicted: CancellationToken::new() });
        let mut all = self.lock();
        if let Some(client) = client {
            let of_site = || all.iter().filter(|other| other.site() == entry.site());
            let of_client = of_site().filter(|other| other.client.map(network) == Some(network(client)));
            if total(of_client) + size > MAX_PER_CLIENT || total(of_site()) + size > MAX_PER_SITE {
                return None;
            }
        }
        let max = if has_priority { MAX } else { MAX - RESERVED };
        while total(all.iter()) + size > max {
            let largest = largest_site(&all)?;
            let oldest = all.iter().position(|other| other.site() == largest)?;
            all.remove(oldest).evicted.cancel();
        }
        all.push(entry.clone());
        drop(all);
        Some(Body { entry, bodies: self.clone() })
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Arc<Entry>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn total<'a>(entries: impl Iterator<Item = &'a Arc<Entry>>) -> usize {
    entries.map(|entry| entry.size).sum()
}

fn largest_site(all: &[Arc<Entry>]) -> Option<Option<IpAddr>> {
    let mut by_site = HashMap::new();
    for entry in all {
        *by_site.entry(entry.site()).or_insert(0) += entry.size;
    }
    by_site.into_iter().max_by_key(|(_, size)| *size).map(|(site, _)| site)
}

impl Body {
    /// Is cancelled when this body is evicted.
    pub fn evicted(&self) -> CancellationToken {
        self.entry.evicted.clone()
    }
}

impl Drop for Body {
    fn drop(&mut self) {
        self.bodies.lock().retain(|other| !Arc::ptr_eq(other, &self.entry));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn acquire(bodies: &Arc<Bodies>, client: &str, size: usize) -> Option<Body> {
        bodies.acquire(Some(client.parse().unwrap()), size, false)
    }

    fn fill(bodies: &Arc<Bodies>, mut client: impl FnMut(usize) -> String, size: usize) -> Vec<Body> {
        (0..size).map(|number| acquire(bodies, &client(number), 1).unwrap()).collect()
    }

    fn evicted(bodies: &[Body]) -> Vec<usize> {
        (0..bodies.len()).filter(|number| bodies[*number].evicted().is_cancelled()).collect()
    }

    #[test]
    fn a_client_has_a_limit_by_size() {
        let bodies = Arc::<Bodies>::default();
        let small = fill(&bodies, |_| "192.0.2.1".into(), MAX_PER_CLIENT);
        assert!(acquire(&bodies, "192.0.2.1", 1).is_none());
        let large: Vec<Body> = (0..MAX_PER_CLIENT / 8).map(|_| acquire(&bodies, "192.0.2.2", 8).unwrap()).collect();
        assert!(acquire(&bodies, "192.0.2.2", 1).is_none() && acquire(&bodies, "192.0.2.3", 8).is_some());
        drop((small, large));
        assert!(bodies.lock().is_empty());
    }

    #[test]
    fn an_ipv6_site_has_the_limit_of_two_clients() {
        let bodies = Arc::<Bodies>::default();
        let _of_site = fill(&bodies, |number| format!("2001:db8:1:{number:x}::1"), MAX_PER_SITE);
        assert!(acquire(&bodies, "2001:db8:1:ffff::1", 1).is_none());
        assert!(acquire(&bodies, "2001:db8:2::1", 1).is_some());
    }

    #[test]
    fn at_the_limit_the_oldest_body_of_the_fullest_client_is_evicted() {
        let bodies = Arc::<Bodies>::default();
        let customer = fill(&bodies, |_| "198.51.100.1".into(), 2);
        let flood = fill(&bodies, |number| format!("192.0.2.{}", number / MAX_PER_CLIENT), MAX - RESERVED - 2);
        assert!(evicted(&flood).is_empty());
        let _another_customer = acquire(&bodies, "198.51.100.2", 3).unwrap();
        assert_eq!((evicted(&customer).len(), evicted(&flood).len()), (0, 3));
        // One more of the flood evicts one of the flood.
        let _one_more = acquire(&bodies, "192.0.2.99", 1).unwrap();
        assert_eq!((evicted(&customer).len(), evicted(&flood).len()), (0, 4));
    }

    #[test]
    fn priority_requests_have_room_of_their_own() {
        let bodies = Arc::<Bodies>::default();
        let flood = fill(&bodies, |number| format!("192.0.2.{}", number / MAX_PER_CLIENT), MAX - RESERVED);
        let provider = Some(IpAddr::from([203, 0, 113, 1]));
        let webhooks: Vec<Body> = (0..8).map(|_| bodies.acquire(provider, 8, true).unwrap()).collect();
        assert!(evicted(&flood).is_empty() && evicted(&webhooks).is_empty());
    }

    #[test]
    fn a_proxy_that_names_no_client_is_bound_by_the_total_alone() {
        let bodies = Arc::<Bodies>::default();
        let proxied: Vec<Body> = (0..MAX - RESERVED).map(|_| bodies.acquire(None, 1, false).unwrap()).collect();
        let _one_more = bodies.acquire(None, 1, false).unwrap();
        assert_eq!(evicted(&proxied), [0]);
    }
}
