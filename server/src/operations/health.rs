//! Liveness and readiness probes.

use std::fmt::Display;
use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::extract::State;
use tokio::sync::Mutex;

use crate::db::shop_metadata;
use crate::error::responses::error_responses;
use crate::error::{Code, Error};
use crate::operations::Operations;

error_responses!(AliveErrors: [NONE]);

/// Check liveness
///
/// Returns `ok` and the version as long as the process is running.
#[utoipa::path(
    get,
    path = "/healthz",
    tag = "Operations",
    operation_id = "check_liveness",
    responses((status = 200, description = "The process is running.", body = String, content_type = "text/plain"), AliveErrors),
)]
pub async fn alive() -> &'static str {
    concat!("ok ", env!("CARGO_PKG_VERSION"))
}

/// Readiness is cached for this time: frequent probes share one check.
const MAX_AGE: Duration = Duration::from_secs(1);

/// Time and result of the last check. Single flight: the lock is held during a check.
#[derive(Clone, Default)]
pub struct Readiness(Arc<Mutex<Option<Checked>>>);

type Checked = (Instant, Result<(), String>);

impl Readiness {
    async fn of(state: &Arc<Operations>) -> Result<(), String> {
        let mut latest = state.readiness.0.clone().lock_owned().await;
        if let Some((checked_at, result)) = latest.as_ref()
            && checked_at.elapsed() < MAX_AGE
        {
            return result.clone();
        }
        // In its own task: if the client disconnects, the check still finishes for the requests that wait for it.
        let state = state.clone();
        let check = async move {
            let result = check(&state).await.map_err(|error| error.to_string());
            *latest = Some((Instant::now(), result.clone()));
            result
        };
        tokio::spawn(check).await.unwrap_or_else(|failure| Err(failure.to_string()))
    }
}

error_responses!(ReadyErrors: [NONE]);

/// Check readiness
///
/// Returns `ready` if the database can be read and written and the shop is not shutting down, otherwise a 503.
#[utoipa::path(
    get,
    path = "/readyz",
    tag = "Operations",
    operation_id = "check_readiness",
    responses((status = 200, description = "Ready to serve.", body = String, content_type = "text/plain"), ReadyErrors),
)]
pub async fn ready(State(state): State<Arc<Operations>>) -> Result<&'static str, Error> {
    if state.stopping.is_cancelled() {
        return Err(not_ready("stopping"));
    }
    match Readiness::of(&state).await {
        Ok(()) => Ok("ready"),
        Err(cause) => Err(not_ready(cause)),
    }
}

async fn check(state: &Operations) -> Result<(), Error> {
    let now = state.clock.now_ms().to_string();
    state.db.write(now, |tx, now| Box::pin(shop_metadata::set(tx, shop_metadata::LAST_READY, now))).await
}

fn not_ready(cause: impl Display) -> Error {
    Error::new(Code::Overloaded, "The shop is not ready.").with_cause(cause)
}
