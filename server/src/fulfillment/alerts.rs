//! Alerts: orders and payments that need review are resolved here.

use std::sync::Arc;

use axum::extract::State;
use axum::http::StatusCode;
use sqlx::AnyConnection;

use super::store;
use crate::accounts::Admin;
use crate::error::Error;
use crate::error::responses::error_responses;
use crate::fulfillment::Fulfillment;
use crate::http::extract::Path;
use crate::orders::history::{HistoryEvent, store as history};
use crate::orders::store as orders;

error_responses!(ResolveErrors: [ADMIN] NotFound);

/// Resolve an alert
///
/// Removes the alert from the overview and records the administrator in the order's history. The alert of an order has
/// the order's id. Returns no content, also if the alert was already resolved; an unknown id is a 404.
#[utoipa::path(
    delete,
    path = "/api/admin/attention/{id}",
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
    if store::resolve_alert(tx, id, actor, now).await? {
        return Ok(());
    }
    orders::lock_order(tx, id).await?;
    let order = orders::find_order(tx, id).await?.ok_or_else(|| Error::not_found("Alert"))?;
    let Some(message) = order.attention else {
        return Ok(());
    };
    store::clear_order_alert(tx, id).await?;
    history::insert(tx, id, actor, HistoryEvent::AlertResolved { message }, now).await
}
