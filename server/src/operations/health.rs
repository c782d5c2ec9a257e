//! Liveness and readiness probes.

use std::fmt::Display;
use std::sync::Arc;

use axum::extract::State;

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
    match state.readiness.check(&state.db, &state.clock).await {
        Ok(()) => Ok("ready"),
        Err(cause) => Err(not_ready(cause)),
    }
}

fn not_ready(cause: impl Display) -> Error {
    Error::new(Code::Overloaded, "The shop is not ready.").with_cause(cause)
}
