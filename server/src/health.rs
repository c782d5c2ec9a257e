//! Whether the process lives, and whether it can do its work.

use std::fmt::Display;
use std::sync::Arc;

use axum::extract::State;

use crate::error::{Code, Error};
use crate::facts;
use crate::refusals::refusals;
use crate::shop::Shop;

refusals!(AliveRefusals: [NONE]);

/// The process answers, and says which version it is.
#[utoipa::path(
    get,
    path = "/healthz",
    tag = "Operation",
    responses((status = 200, description = "It does.", body = String, content_type = "text/plain"), AliveRefusals),
)]
pub async fn alive() -> &'static str {
    concat!("ok ", env!("CARGO_PKG_VERSION"))
}

refusals!(ReadyRefusals: [NONE]);

/// The database can be read and written, and the shop is not about to stop.
#[utoipa::path(
    get,
    path = "/readyz",
    tag = "Operation",
    responses((status = 200, description = "It can.", body = String, content_type = "text/plain"), ReadyRefusals),
)]
pub async fn ready(State(shop): State<Arc<Shop>>) -> Result<&'static str, Error> {
    if shop.stopping.is_cancelled() {
        return Err(not_ready("stopping"));
    }
    let now = shop.clock.now_ms().to_string();
    let written = shop
        .db
        .write(move |tx| {
            let now = now.clone();
            Box::pin(async move { facts::set(tx, facts::LAST_READY, &now).await })
        })
        .await;
    match written {
        Ok(()) => Ok("ready"),
        Err(error) => Err(not_ready(error)),
    }
}

fn not_ready(cause: impl Display) -> Error {
    Error::new(Code::Overloaded, "The shop is not ready.").with_cause(cause)
}
