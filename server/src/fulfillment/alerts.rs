//! Alerts are resolved here, one by one.

use std::sync::Arc;

use axum::extract::State;
use axum::http::StatusCode;
use sqlx::AnyConnection;

use crate::accounts::Admin;
use crate::error::Error;
use crate::error::responses::error_responses;
use crate::fulfillment::Fulfillment;
use crate::http::extract::Path;
use crate::orders::alerts::store::{self, Resolved};
use crate::orders::history::{HistoryEvent, store as history};

error_responses!(ResolveErrors: [ADMIN] NotFound);

/// Resolve an alert
///
/// Records the administrator and the time, also in the order's history, and returns 204, even if the alert is already
/// resolved. An unknown id is a 404.
#[utoipa::path(
    post,
    path = "/api/admin/alerts/{id}/resolve",
    tag = "Administration",
    params(("id" = String, Path, description = "The alert's id.", example = "0193f5c6-2f4e-7c1a-9b64-3d5f0a8e7c21")),
    security(("accessToken" = [])),
    responses((status = 204, description = "The alert is resolved."), ResolveErrors),
)]
pub async fn resolve_alert(
    State(state): State<Arc<Fulfillment>>,
    Path(id): Path,
    Admin(caller): Admin,
) -> Result<StatusCode, Error> {
    let args = (id, caller.email, state.clock.now_ms());
    state.db.write(args, |tx, (id, actor, now)| Box::pin(resolve(tx, id, actor, *now))).await?;
    Ok(StatusCode::NO_CONTENT)
}

async fn resolve(tx: &mut AnyConnection, id: &str, actor: &str, now: i64) -> Result<(), Error> {
    match store::resolve(tx, id, actor, now).await? {
        Some(Resolved { alert, order_id: Some(order_id) }) => {
            history::insert(tx, &order_id, actor, HistoryEvent::AlertResolved(alert), now).await
        }
        Some(Resolved { order_id: None, .. }) | None => Ok(()),
    }
}
