//! Load shedding: rejects requests above the concurrency limit with 503 and `Retry-After`, so that accepted requests
//! finish in time and memory stays bounded.
//!
//! A request waits for its body under a separate, larger limit, so that slow uploads do not use up the concurrency limit.

use std::collections::HashMap;
use std::net::{IpAddr, SocketAddr};
use std::sync::{Arc, Mutex, PoisonError};

use axum::body::HttpBody as _;
use axum::extract::{ConnectInfo, MatchedPath, Request, State};
use axum::http::Method;
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::config::Config;
use crate::db::{Db, TOO_MANY_WRITES};
use crate::error::Error;
use crate::http::body_limits::JSON_LIMIT;
use crate::http::client_address::{client_address, is_trusted, network};
use crate::http::response_cache::CachedResponses;
use crate::http::response_cache::cached_path;

/// Concurrent requests, not counting responses from the cache.
const MAX_CONCURRENT: usize = 512;
/// Request bodies in transit, in units of the largest JSON body: 128 MiB in total.
const BODIES: usize = 2_048;
/// The same for one client.
const BODIES_OF_A_CLIENT: usize = 64;
/// Units of the largest body, a webhook event. A body of unknown length counts as much.
const LARGEST: usize = 8;
/// Liveness does not depend on load.
const LIVENESS: &str = "/healthz";
/// Pending writes: a new one behind them would wait for about as long as a database statement may take.
const PENDING_BEFORE_PRIORITY: usize = 200;
/// A quarter of that: no flood of other writes can crowd out priority writes.
const PENDING_BEFORE_OTHERS: usize = 50;
/// Routes whose writes have priority, besides those of [`ADMINISTRATION`]: payments and sessions. Those that need no access
/// token have limits of their own, or verify a signature.
const PRIORITY: [(Method, &str); 6] = [
    (Method::POST, "/api/payments/create-intent"),
    (Method::POST, "/api/orders"),
    (Method::POST, "/api/webhooks/stripe"),
    (Method::POST, "/api/auth/login"),
    (Method::POST, "/api/auth/refresh-token"),
    (Method::DELETE, "/api/auth/sessions/{id}"),
];
/// Starts of routes that only administrators write to.
const ADMINISTRATION: [&str; 2] = ["/api/admin/", "/api/products"];
/// Visitors write to this one, too.
const BACK_IN_STOCK: &str = "/api/products/{id}/back-in-stock";

pub struct LoadShedding {
    config: Arc<Config>,
    db: Db,
    cached: Arc<dyn CachedResponses>,
    permits: Arc<Semaphore>,
    bodies: Arc<Bodies>,
}

impl LoadShedding {
    pub fn new(config: Arc<Config>, db: Db, cached: Arc<dyn CachedResponses>) -> Self {
        Self { config, db, cached, permits: Arc::new(Semaphore::new(MAX_CONCURRENT)), bodies: Arc::default() }
    }
}

impl LoadShedding {
    fn enter(&self, request: &Request) -> Result<Permit, Error> {
        let (permits, body) = (self.permits.clone(), request.body());
        let held = if body.is_end_stream() {
            Held::Processing(acquire(&permits)?)
        } else {
            let announced = body.size_hint().upper().and_then(|bytes| usize::try_from(bytes).ok());
            let size = announced.map_or(LARGEST, |bytes| bytes.div_ceil(JSON_LIMIT).min(LARGEST));
            let body = self.bodies.take(client(&self.config, request), size);
            Held::Body(body.ok_or_else(|| Error::overloaded("too many request bodies in transit"))?)
        };
        Ok(Permit { permits, held: Arc::new(Mutex::new(held)) })
    }
}

fn acquire(permits: &Arc<Semaphore>) -> Result<OwnedSemaphorePermit, Error> {
    permits.clone().try_acquire_owned().map_err(|_| Error::overloaded("too many concurrent requests"))
}

/// The client that sends the body; `None` for a trusted proxy that does not name it.
fn client(config: &Config, request: &Request) -> Option<IpAddr> {
    let trusted = &config.trusted_proxies;
    let ConnectInfo(peer) = request.extensions().get::<ConnectInfo<SocketAddr>>()?;
    let address = client_address(peer.ip(), request.headers(), trusted);
    (!is_trusted(address, trusted)).then(|| network(address))
}

/// A request's permit: for its body until that has arrived, then for its processing.
#[derive(Clone)]
pub struct Permit {
    permits: Arc<Semaphore>,
    held: Arc<Mutex<Held>>,
}

enum Held {
    Body(#[expect(dead_code, reason = "held until dropped")] Body),
    Processing(#[expect(dead_code, reason = "held until dropped")] OwnedSemaphorePermit),
}

impl Permit {
    /// Call when the body has arrived: from here on the request counts toward the concurrency limit.
    ///
    /// # Errors
    /// 503 if the limit is reached.
    pub fn body_arrived(&self) -> Result<(), Error> {
        let mut held = self.held.lock().unwrap_or_else(PoisonError::into_inner);
        if matches!(*held, Held::Body(_)) {
            *held = Held::Processing(acquire(&self.permits)?);
        }
        Ok(())
    }
}

#[derive(Default)]
struct Bodies(Mutex<Counts>);

#[derive(Default)]
struct Counts {
    total: usize,
    by_client: HashMap<IpAddr, usize>,
}

/// Counts a body in transit until dropped.
struct Body {
    client: Option<IpAddr>,
    size: usize,
    bodies: Arc<Bodies>,
}

impl Bodies {
    fn take(self: &Arc<Self>, client: Option<IpAddr>, size: usize) -> Option<Body> {
        let mut counts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let of_client = client.and_then(|client| counts.by_client.get(&client)).copied().unwrap_or(0);
        if counts.total + size > BODIES || of_client + size > BODIES_OF_A_CLIENT {
            return None;
        }
        counts.total += size;
        if let Some(client) = client {
            counts.by_client.insert(client, of_client + size);
        }
        Some(Body { client, size, bodies: self.clone() })
    }
}

impl Drop for Body {
    fn drop(&mut self) {
        let mut counts = self.bodies.0.lock().unwrap_or_else(PoisonError::into_inner);
        counts.total -= self.size;
        let Some(client) = self.client else { return };
        if let Some(of_client) = counts.by_client.get_mut(&client) {
            *of_client -= self.size;
            if *of_client == 0 {
                counts.by_client.remove(&client);
            }
        }
    }
}

/// Middleware: accepts or rejects a request.
pub async fn layer(State(shedding): State<Arc<LoadShedding>>, mut request: Request, next: Next) -> Response {
    if request.uri().path() == LIVENESS {
        return next.run(request).await;
    }
    let permit = match shedding.enter(&request) {
        Ok(permit) => permit,
        Err(error) => return cached_response(&shedding, &request).unwrap_or_else(|| error.into_response()),
    };
    let goes_first = has_priority(&request);
    let most_in_front = if goes_first { PENDING_BEFORE_PRIORITY } else { PENDING_BEFORE_OTHERS };
    if !request.method().is_safe() && shedding.db.pending_writes() > most_in_front {
        return Error::overloaded(TOO_MANY_WRITES).into_response();
    }
    request.extensions_mut().insert(permit.clone());
    let response = match goes_first {
        true => next.run(request).await,
        // Many requests may arrive at the same moment, and a request that reads may write as well.
        false => Db::shedding_writes(most_in_front, next.run(request)).await,
    };
    drop(permit);
    response
}

fn has_priority(request: &Request) -> bool {
    let Some(route) = request.extensions().get::<MatchedPath>().map(MatchedPath::as_str) else { return false };
    let is_administration = ADMINISTRATION.iter().any(|start| route.starts_with(start)) && route != BACK_IN_STOCK;
    is_administration || PRIORITY.iter().any(|(method, path)| request.method() == method && route == *path)
}

/// A cached public response, possibly stale, if there is one.
fn cached_response(shedding: &LoadShedding, request: &Request) -> Option<Response> {
    let (method, headers) = (request.method(), request.headers());
    if !matches!(*method, Method::GET | Method::HEAD) || shedding.cached.is_privileged(headers) {
        return None;
    }
    let path = cached_path(request.uri())?;
    Some(shedding.cached.find_stale(path)?.respond(headers))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bodies_are_bounded_by_their_size_for_a_client_and_in_all() {
        let (bodies, client) = (Arc::<Bodies>::default(), |last: u8| Some(IpAddr::from([192, 0, 2, last])));
        let taken: Vec<Body> = (0..BODIES_OF_A_CLIENT).map(|_| bodies.take(client(1), 1).unwrap()).collect();
        assert!(bodies.take(client(1), 1).is_none());
        let large: Vec<Body> =
            (0..BODIES_OF_A_CLIENT / LARGEST).map(|_| bodies.take(client(2), LARGEST).unwrap()).collect();
        assert!(bodies.take(client(2), 1).is_none());
        // A proxy that names no client is bound by the total alone.
        let proxied: Vec<Body> = (0..BODIES - 2 * BODIES_OF_A_CLIENT).map(|_| bodies.take(None, 1).unwrap()).collect();
        assert!(bodies.take(None, 1).is_none() && bodies.take(client(3), 1).is_none());
        drop((taken, large, proxied));
        let counts = bodies.0.lock().unwrap();
        assert!(counts.total == 0 && counts.by_client.is_empty());
    }
}
