//! Load shedding: rejects requests above the concurrency limit with 503 and `Retry-After`, so that accepted requests
//! finish in time and memory stays bounded.
//!
//! A request waits for its body under a separate, larger limit, so that slow uploads do not use up the concurrency limit.

use std::net::{IpAddr, SocketAddr};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use axum::body::HttpBody as _;
use axum::extract::{ConnectInfo, FromRequestParts, MatchedPath, Request, State};
use axum::http::Method;
use axum::http::request::Parts;
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio_util::sync::CancellationToken;

use crate::config::Config;
use crate::db::{Db, TOO_MANY_WRITES};
use crate::error::Error;
use crate::http::bodies::{Bodies, Body};
use crate::http::body_limits::JSON_LIMIT;
use crate::http::client_address::{client_address, is_trusted};
use crate::http::response_cache::CachedResponses;
use crate::http::response_cache::cached_path;

/// Concurrent requests, not counting responses from the cache.
const MAX_CONCURRENT: usize = 512;
/// Size of the largest body, a webhook event, in units of the largest JSON body. A body of unknown length counts as much.
const LARGEST: usize = 8;
/// Liveness does not depend on load.
const LIVENESS: &str = "/healthz";
/// Pending writes: a new one behind them would wait for about as long as a database statement may take.
const PENDING_BEFORE_PRIORITY: usize = 200;
/// A quarter of that: no flood of other writes can crowd out priority writes.
const PENDING_BEFORE_OTHERS: usize = 50;
/// Routes whose writes have priority, besides those of [`ADMINISTRATION`]: payments and sessions. Those that need no access
/// token have limits of their own, or verify a signature.
const PRIORITY: [(Method, &str); 9] = [
    (Method::POST, "/api/payments/create-intent"),
    (Method::POST, "/api/orders"),
    (Method::POST, "/api/webhooks/stripe"),
    (Method::POST, "/api/auth/login"),
    (Method::POST, "/api/auth/login-with-code"),
    (Method::POST, "/api/auth/login-with-passkey"),
    (Method::POST, "/api/auth/confirm-email"),
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
    fn enter(&self, request: &Request, has_priority: bool) -> Result<Permit, Error> {
        let (permits, body) = (self.permits.clone(), request.body());
        let held = if body.is_end_stream() {
            Held::Processing(acquire(&permits)?)
        } else {
            let announced = body.size_hint().upper().and_then(|bytes| usize::try_from(bytes).ok());
            let size = announced.map_or(LARGEST, |bytes| bytes.div_ceil(JSON_LIMIT).min(LARGEST));
            let body = self.bodies.acquire(client(&self.config, request), size, has_priority);
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
    (!is_trusted(address, trusted)).then_some(address)
}

/// A request's permit: for its body until that has arrived, then for its processing.
#[derive(Clone)]
pub struct Permit {
    permits: Arc<Semaphore>,
    held: Arc<Mutex<Held>>,
}

enum Held {
    Body(Body),
    Processing(#[expect(dead_code, reason = "held until dropped")] OwnedSemaphorePermit),
    Nothing,
}

impl Permit {
    /// Call when the body has arrived: from here on the request counts toward the concurrency limit.
    ///
    /// # Errors
    /// 503 if the limit is reached.
    pub fn body_arrived(&self) -> Result<(), Error> {
        let mut held = self.held();
        if matches!(*held, Held::Body(_)) {
            *held = Held::Processing(acquire(&self.permits)?);
        }
        Ok(())
    }

    /// Is cancelled when the body has to make room for those of other clients.
    pub fn body_evicted(&self) -> CancellationToken {
        match &*self.held() {
            Held::Body(body) => body.evicted(),
            _ => CancellationToken::new(),
        }
    }

    /// Call when the request only waits: it no longer counts toward the concurrency limit.
    pub fn release(&self) {
        *self.held() = Held::Nothing;
    }

    fn held(&self) -> MutexGuard<'_, Held> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<S: Send + Sync> FromRequestParts<S> for Permit {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Error> {
        parts.extensions.get().cloned().ok_or_else(|| Error::internal("a request without a permit"))
    }
}

/// Middleware: accepts or rejects a request.
pub async fn layer(State(shedding): State<Arc<LoadShedding>>, mut request: Request, next: Next) -> Response {
    if request.uri().path() == LIVENESS {
        return next.run(request).await;
    }
    let goes_first = has_priority(&request);
    let permit = match shedding.enter(&request, goes_first) {
        Ok(permit) => permit,
        Err(error) => return cached_response(&shedding, &request).unwrap_or_else(|| error.into_response()),
    };
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
