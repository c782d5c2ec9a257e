//! Releases an order from its hold.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use serde::Deserialize;
use sqlx::AnyConnection;
use utoipa::ToSchema;
use wasm_core::orders::{AdminOrder, HoldReason};

use super::orders::conflict;
use crate::accounts::Admin;
use crate::checkout::holds;
use crate::error::Error;
use crate::error::responses::error_responses;
use crate::fulfillment::Fulfillment;
use crate::http::extract::{Body, Path};
use crate::orders::store;

/// The hold that the administrator has seen.
#[derive(Deserialize, ToSchema)]
#[schema(examples(json!({ "hold": "fraud_warning" })))]
pub struct ShipAnyway {
    /// The order's `hold`. If another reason has taken its place, the order stays on hold.
    hold: HoldReason,
}

error_responses!(ShipErrors: [BODY, ADMIN] NotFound EditConflict);

/// Ship an order that is on hold
///
/// Releases the order from its hold until a new cause arrives, records it in the order's history, and returns the order. Its
/// status stays as it is. An order that isn't on hold stays unchanged, another reason than `hold` is an `EditConflict`, and
/// an unknown id is a 404.
#[utoipa::path(
    post,
    path = "/api/admin/order/{id}/ship-anyway",
    tag = "Administration",
    params(("id" = String, Path, description = "The order's id.", example = "0193f5c6-2f4e-7c1a-9b64-3d5f0a8e7c21")),
    request_body = ShipAnyway,
    security(("accessToken" = [])),
    responses((status = 200, description = "The order.", body = AdminOrder), ShipErrors),
)]
pub async fn ship_anyway(
    State(state): State<Arc<Fulfillment>>,
    Path(id): Path,
    Admin(caller): Admin,
    Body(ShipAnyway { hold }): Body<ShipAnyway>,
) -> Result<Json<AdminOrder>, Error> {
    let args = (id, hold, caller.email, state.clock.now_ms());
    let released =
        state.db.write(args, |tx, (id, hold, actor, now)| Box::pin(release(tx, id, *hold, actor, *now))).await?;
    Ok(Json(released))
}

async fn release(
    tx: &mut AnyConnection,
    id: &str,
    seen: HoldReason,
    actor: &str,
    now: i64,
) -> Result<AdminOrder, Error> {
    let order = store::lock_order(tx, id).await?;
    if order.hold().is_some_and(|hold| hold != seen) {
        return Err(conflict(&store::with_history(tx, order).await?));
    }
    let order = holds::release(tx, order, actor, now).await?;
    store::with_history(tx, order).await
}
