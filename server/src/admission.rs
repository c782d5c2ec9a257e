//! How much the shop takes in hand at once. What comes above that is told at once to come back, so that what was taken
//! in is answered in time and needs no more memory than there is.

use std::sync::Arc;

use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use tokio::sync::Semaphore;

use crate::error::Error;
use crate::shop::Shop;

/// Requests of every kind, but for what is answered from memory.
const AT_ONCE: usize = 512;
/// With so many writes in front of it a new one would wait for about as long as a request to the database may.
const WRITES_IN_FRONT: usize = 200;

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
    if !request.method().is_safe() && shop.db.waiting_writes() > WRITES_IN_FRONT {
        return Error::overloaded("too many writes wait").into_response();
    }
    next.run(request).await
}
