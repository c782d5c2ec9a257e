//! How much the shop takes in hand at once. What comes above that is told at once to come back, so that what was taken
//! in is answered in time and needs no more memory than there is.

use std::sync::Arc;

use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use tokio::sync::Semaphore;

use crate::db::{Db, TOO_MANY_WRITES};
use crate::error::Error;
use crate::shop::Shop;

/// Requests of every kind, but for what is answered from memory.
const AT_ONCE: usize = 512;
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
    places: Semaphore,
}

impl Default for Admission {
    fn default() -> Self {
        Self { places: Semaphore::new(AT_ONCE) }
    }
}

/// Lets a request in, or sends it back.
pub async fn layer(State(shop): State<Arc<Shop>>, request: Request, next: Next) -> Response {
    let Ok(_place) = shop.admission.places.try_acquire() else {
        return Error::overloaded("too many requests at once").into_response();
    };
    let goes_first = FIRST.iter().any(|path| request.uri().path().starts_with(path));
    let most_in_front = if goes_first { IN_FRONT_OF_FIRST } else { IN_FRONT_OF_OTHERS };
    if !request.method().is_safe() && shop.db.waiting_writes() > most_in_front {
        return Error::overloaded(TOO_MANY_WRITES).into_response();
    }
    if goes_first {
        return next.run(request).await;
    }
    // Many may have come in at the same moment, and what reads may write as well.
    Db::giving_way(most_in_front, next.run(request)).await
}
