//! Whether the process lives, and whether it can do its work.

use std::fmt::Display;
use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::extract::State;
use tokio::sync::Mutex;

use crate::http::error::{Code, Error};
use crate::http::error_responses::error_responses;
use crate::shop::Shop;
use crate::shop_metadata;

error_responses!(AliveErrors: [NONE]);

/// The process answers, and says which version it is.
#[utoipa::path(
    get,
    path = "/healthz",
    tag = "Operation",
    responses((status = 200, description = "It does.", body = String, content_type = "text/plain"), AliveErrors),
)]
pub async fn alive() -> &'static str {
    concat!("ok ", env!("CARGO_PKG_VERSION"))
}

/// How long an answer is kept. A load balancer asks seldom; whoever asks more often hears of the same check.
const KEPT: Duration = Duration::from_secs(1);

/// What the last check came to: when it ended, and why the shop was not ready. Whoever checks holds it, so that one
/// check is on its way at a time.
#[derive(Clone, Default)]
pub struct Readiness(Arc<Mutex<Option<Checked>>>);

type Checked = (Instant, Result<(), String>);

impl Readiness {
    async fn of(shop: &Arc<Shop>) -> Result<(), String> {
        let mut latest = shop.readiness.0.clone().lock_owned().await;
        if let Some((checked_at, result)) = latest.as_ref()
            && checked_at.elapsed() < KEPT
        {
            return result.clone();
        }
        // In a task of its own: a client that hangs up leaves the check, and its turn, to those who come after it.
        let shop = shop.clone();
        let check = async move {
            let result = check(&shop).await.map_err(|error| error.to_string());
            *latest = Some((Instant::now(), result.clone()));
            result
        };
        tokio::spawn(check).await.unwrap_or_else(|failure| Err(failure.to_string()))
    }
}

error_responses!(ReadyErrors: [NONE]);

/// The database can be read and written, and the shop is not about to stop.
#[utoipa::path(
    get,
    path = "/readyz",
    tag = "Operation",
    responses((status = 200, description = "It can.", body = String, content_type = "text/plain"), ReadyErrors),
)]
pub async fn ready(State(shop): State<Arc<Shop>>) -> Result<&'static str, Error> {
    if shop.stopping.is_cancelled() {
        return Err(not_ready("stopping"));
    }
    match Readiness::of(&shop).await {
        Ok(()) => Ok("ready"),
        Err(cause) => Err(not_ready(cause)),
    }
}

async fn check(shop: &Shop) -> Result<(), Error> {
    let now = shop.clock.now_ms().to_string();
    shop.db
        .write_closure(move |tx| {
            let now = now.clone();
            Box::pin(async move { shop_metadata::set(tx, shop_metadata::LAST_READY, &now).await })
        })
        .await
}

fn not_ready(cause: impl Display) -> Error {
    Error::new(Code::Overloaded, "The shop is not ready.").with_cause(cause)
}
