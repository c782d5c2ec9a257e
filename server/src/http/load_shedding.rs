//! Load shedding: how much the shop takes in hand at once. What comes above that is told at once to come back, so that
//! what was taken in is answered in time and needs no more memory than there is.
//!
//! A request with a body waits for it in a larger room of its own, so that a slow one takes no place from anybody.

use std::collections::HashMap;
use std::net::{IpAddr, SocketAddr};
use std::sync::{Arc, Mutex, PoisonError};

use axum::body::HttpBody as _;
use axum::extract::{ConnectInfo, Request, State};
use axum::http::Method;
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::auth;
use crate::db::{Db, TOO_MANY_WRITES};
use crate::http::error::Error;
use crate::http::extract::JSON_LIMIT;
use crate::limits::address::{client_address, is_trusted, network};
use crate::shop::Shop;

/// Requests of every kind, but for what is answered from memory.
const AT_ONCE: usize = 512;
/// Bodies that are on their way, in pieces of the largest JSON body: 128 MiB at most.
const BODIES: usize = 2_048;
/// The same, of one client.
const BODIES_OF_A_CLIENT: usize = 64;
/// As many pieces as the largest body of all has, an event of the payment provider. One whose length is not announced
/// counts as one of those.
const LARGEST: usize = 8;
/// Whether the process lives does not depend on how much it has to do.
const ALIVE: &str = "/healthz";
/// With so many writes in front of it a new one would wait for about as long as a request to the database may.
const IN_FRONT_OF_FIRST: usize = 200;
/// A quarter of that: whatever strangers have the shop write, what goes first finds a place and waits but a moment.
const IN_FRONT_OF_OTHERS: usize = 50;
/// Money, sessions, and the shopkeeper. Each is limited by itself where a stranger may call it.
const FIRST: [&str; 9] = [
    "/api/payments/",
    "/api/orders",
    "/api/webhooks/",
    "/api/auth/login",
    "/api/auth/refresh-token",
    "/api/auth/logout",
    "/api/auth/sessions",
    "/api/admin/",
    "/api/products",
];

pub struct Admission {
    places: Arc<Semaphore>,
    bodies: Arc<Bodies>,
}

impl Default for Admission {
    fn default() -> Self {
        Self { places: Arc::new(Semaphore::new(AT_ONCE)), bodies: Arc::default() }
    }
}

impl Admission {
    fn enter(&self, shop: &Shop, request: &Request) -> Result<Turn, Error> {
        let (places, body) = (self.places.clone(), request.body());
        let held = if body.is_end_stream() {
            Held::Place(place(&places)?)
        } else {
            let announced = body.size_hint().upper().and_then(|bytes| usize::try_from(bytes).ok());
            let size = announced.map_or(LARGEST, |bytes| bytes.div_ceil(JSON_LIMIT).min(LARGEST));
            let body = self.bodies.take(client(shop, request), size);
            Held::Body(body.ok_or_else(|| Error::overloaded("too many requests are still being sent"))?)
        };
        Ok(Turn { places, held: Arc::new(Mutex::new(held)) })
    }
}

fn place(places: &Arc<Semaphore>) -> Result<OwnedSemaphorePermit, Error> {
    places.clone().try_acquire_owned().map_err(|_| Error::overloaded("too many requests at once"))
}

/// Who sends the body; none for a proxy of our own that does not say for whom.
fn client(shop: &Shop, request: &Request) -> Option<IpAddr> {
    let trusted = &shop.config.trusted_proxies;
    let ConnectInfo(peer) = request.extensions().get::<ConnectInfo<SocketAddr>>()?;
    let address = client_address(peer.ip(), request.headers(), trusted);
    (!is_trusted(address, trusted)).then(|| network(address))
}

/// A request's place, or what it has until its body is there.
#[derive(Clone)]
pub struct Turn {
    places: Arc<Semaphore>,
    held: Arc<Mutex<Held>>,
}

enum Held {
    Body(#[allow(dead_code)] Body),
    Place(#[allow(dead_code)] OwnedSemaphorePermit),
}

impl Turn {
    /// The body is there: from here on the request needs a place.
    ///
    /// # Errors
    /// When there is none.
    pub fn comes(&self) -> Result<(), Error> {
        let mut held = self.held.lock().unwrap_or_else(PoisonError::into_inner);
        if matches!(*held, Held::Body(_)) {
            *held = Held::Place(place(&self.places)?);
        }
        Ok(())
    }
}

#[derive(Default)]
struct Bodies(Mutex<Counts>);

#[derive(Default)]
struct Counts {
    in_all: usize,
    by_client: HashMap<IpAddr, usize>,
}

/// A body that is on its way, as long as this lives.
struct Body {
    client: Option<IpAddr>,
    size: usize,
    bodies: Arc<Bodies>,
}

impl Bodies {
    fn take(self: &Arc<Self>, client: Option<IpAddr>, size: usize) -> Option<Body> {
        let mut counts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let own = client.and_then(|client| counts.by_client.get(&client)).copied().unwrap_or(0);
        if counts.in_all + size > BODIES || own + size > BODIES_OF_A_CLIENT {
            return None;
        }
        counts.in_all += size;
        if let Some(client) = client {
            counts.by_client.insert(client, own + size);
        }
        Some(Body { client, size, bodies: self.clone() })
    }
}

impl Drop for Body {
    fn drop(&mut self) {
        let mut counts = self.bodies.0.lock().unwrap_or_else(PoisonError::into_inner);
        counts.in_all -= self.size;
        let Some(client) = self.client else { return };
        if let Some(own) = counts.by_client.get_mut(&client) {
            *own -= self.size;
            if *own == 0 {
                counts.by_client.remove(&client);
            }
        }
    }
}

/// Lets a request in, or sends it back.
pub async fn layer(State(shop): State<Arc<Shop>>, mut request: Request, next: Next) -> Response {
    if request.uri().path() == ALIVE {
        return next.run(request).await;
    }
    let turn = match shop.admission.enter(&shop, &request) {
        Ok(turn) => turn,
        Err(error) => return last_answer(&shop, &request).unwrap_or_else(|| error.into_response()),
    };
    let goes_first = FIRST.iter().any(|path| request.uri().path().starts_with(path));
    let most_in_front = if goes_first { IN_FRONT_OF_FIRST } else { IN_FRONT_OF_OTHERS };
    if !request.method().is_safe() && shop.db.pending_writes() > most_in_front {
        return Error::overloaded(TOO_MANY_WRITES).into_response();
    }
    request.extensions_mut().insert(turn.clone());
    let response = match goes_first {
        true => next.run(request).await,
        // Many may have come in at the same moment, and what reads may write as well.
        false => Db::giving_way(most_in_front, next.run(request)).await,
    };
    drop(turn);
    response
}

/// A public answer as it was a moment ago, where one was made.
fn last_answer(shop: &Shop, request: &Request) -> Option<Response> {
    let (method, headers) = (request.method(), request.headers());
    if !matches!(*method, Method::GET | Method::HEAD) || auth::claims_admin(headers, shop) {
        return None;
    }
    Some(shop.catalogue.latest_available()?.shelf.find(request.uri().path())?.answer(headers))
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
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
        // A proxy that does not say for whom is bound by what there is in all.
        let proxied: Vec<Body> = (0..BODIES - 2 * BODIES_OF_A_CLIENT).map(|_| bodies.take(None, 1).unwrap()).collect();
        assert!(bodies.take(None, 1).is_none() && bodies.take(client(3), 1).is_none());
        drop((taken, large, proxied));
        let counts = bodies.0.lock().unwrap();
        assert!(counts.in_all == 0 && counts.by_client.is_empty());
    }
}
