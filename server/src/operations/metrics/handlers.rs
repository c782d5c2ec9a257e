use std::sync::Arc;

use axum::extract::State;
use axum::http::{HeaderMap, header};
use axum::response::{IntoResponse as _, Response};
use subtle::ConstantTimeEq as _;

use crate::error::responses::error_responses;
use crate::error::{Code, Error};
use crate::operations::Operations;

error_responses!(MetricsErrors: [NONE] Unauthenticated NotFound);

/// Get metrics
///
/// Returns metrics in the Prometheus text format. Requires `SHOP_METRICS_TOKEN` as bearer token; if that is not
/// configured, this is a 404.
#[utoipa::path(
    get,
    path = "/metrics",
    tag = "Operations",
    operation_id = "get_metrics",
    security(("metricsToken" = [])),
    responses((status = 200, description = "The metrics.", body = String, content_type = "text/plain"), MetricsErrors),
)]
pub async fn show_metrics(State(state): State<Arc<Operations>>, headers: HeaderMap) -> Result<Response, Error> {
    let token = state.config.metrics_token.as_deref();
    let token = token.ok_or_else(|| Error::new(Code::NotFound, "Metrics are disabled."))?;
    let given = headers.get(header::AUTHORIZATION).and_then(|value| value.as_bytes().strip_prefix(b"Bearer "));
    let is_bearer = given.is_some_and(|given| bool::from(given.ct_eq(token.as_bytes())));
    if !is_bearer {
        return Err(Error::new(Code::Unauthenticated, "The metrics require the token."));
    }
    let text = state.metrics.text(&state.db, &state.config.data_dir, state.clock.now_ms()).await?;
    let headers =
        [(header::CONTENT_TYPE, "text/plain; version=0.0.4; charset=utf-8"), (header::CACHE_CONTROL, "no-store")];
    Ok((headers, text).into_response())
}
