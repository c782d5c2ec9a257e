//! The orders before and after an order in a filtered list.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use serde::Serialize;
use utoipa::ToSchema;

use crate::accounts::Admin;
use crate::error::Error;
use crate::error::responses::error_responses;
use crate::fulfillment::Fulfillment;
use crate::http::extract::{Params, Path};
use crate::orders::listing::{self, Neighbor};
use crate::orders::query::FilterQuery;
use crate::orders::store;
use crate::time_zone;

/// Ids of the orders beside an order.
#[derive(Serialize, ToSchema)]
#[schema(examples(json!({ "next": "0193f5c6-2f4e-7c1a-9b64-3d5f0a8e7c21" })))]
pub struct OrderNeighbors {
    /// The order before it in the list; absent for the first.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub previous: Option<String>,
    /// The order after it in the list; absent for the last.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub next: Option<String>,
}

error_responses!(NeighborErrors: [QUERY, ADMIN] NotFound);

/// Find the orders beside an order
///
/// Returns the ids of the orders before and after this one in the filtered list. The order itself need not
/// match the filter. An unknown id is a 404, an invalid filter a 400.
#[utoipa::path(
    get,
    path = "/api/admin/order/{id}/neighbors",
    tag = "Administration",
    params(
        ("id" = String, Path, description = "The order's id.", example = "0193f5c6-2f4e-7c1a-9b64-3d5f0a8e7c21"),
        FilterQuery,
    ),
    security(("accessToken" = [])),
    responses((status = 200, description = "The ids.", body = OrderNeighbors), NeighborErrors),
)]
pub async fn find_order_neighbors(
    State(state): State<Arc<Fulfillment>>,
    Path(id): Path,
    Admin(_): Admin,
    Params(filter): Params<FilterQuery>,
) -> Result<Json<OrderNeighbors>, Error> {
    let filter = filter.validated(time_zone::store::load(state.db.read()).await?)?;
    let created_at = store::find_created_at(state.db.read(), &id).await?.ok_or_else(|| Error::not_found("Order"))?;
    let find = |neighbor| listing::find_neighbor(&state.db, &filter, (created_at, &id), neighbor);
    Ok(Json(OrderNeighbors { previous: find(Neighbor::Previous).await?, next: find(Neighbor::Next).await? }))
}
