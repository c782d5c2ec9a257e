//! Whether the process lives, and whether it can do its work.

use std::sync::Arc;

use axum::extract::State;
use axum::http::StatusCode;

use crate::facts;
use crate::shop::Shop;

/// The process answers.
pub async fn alive() -> &'static str {
    "ok"
}

/// The database can be read and written, and the shop is not about to stop.
pub async fn ready(State(shop): State<Arc<Shop>>) -> Result<&'static str, StatusCode> {
    if shop.stopping.is_cancelled() {
        return Err(StatusCode::SERVICE_UNAVAILABLE);
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
        Err(error) => {
            tracing::error!(%error, "not ready");
            Err(StatusCode::SERVICE_UNAVAILABLE)
        }
    }
}
