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
/// Returns `ready` while the process takes requests, and a 503 from the beginning of its shutdown. It doesn't depend on the
/// database: without one, the shop still serves what it has in memory.
#[utoipa::path(
    get,
    path = "/readyz",
    tag = "Operations",
    operation_id = "check_readiness",
    responses((status = 200, description = "Takes requests.", body = String, content_type = "text/plain"), ReadyErrors),
)]
pub async fn ready(State(state): State<Arc<Operations>>) -> Result<&'static str, Error> {
    if state.draining.is_cancelled() { Err(not_ready("stopping")) } else { Ok("ready") }
}

error_responses!(DatabaseErrors: [NONE]);

/// Check the database
///
/// Returns `ready` if the database can be read and written, otherwise a 503.
#[utoipa::path(
    get,
    path = "/readyz/database",
    tag = "Operations",
    responses((status = 200, description = "It can be read and written.", body = String, content_type = "text/plain"), DatabaseErrors),
)]
pub async fn check_database(State(state): State<Arc<Operations>>) -> Result<&'static str, Error> {
    match state.database_check.run(&state.db, &state.clock).await {
        Ok(()) => Ok("ready"),
        Err(cause) => Err(not_ready(cause)),
    }
}

fn not_ready(cause: impl Display) -> Error {
    Error::new(Code::Overloaded, "The shop is not ready.").with_cause(cause)
}
