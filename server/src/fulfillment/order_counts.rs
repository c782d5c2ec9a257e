//! The numbers of orders on the tabs of the order list.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use serde::Serialize;
use utoipa::ToSchema;

use super::store::{self, OpenOrders};
use crate::accounts::Admin;
use crate::error::Error;
use crate::error::responses::error_responses;
use crate::fulfillment::Fulfillment;
use crate::orders::alerts::store as alerts;

/// Numbers of orders.
#[derive(Serialize, ToSchema)]
#[schema(examples(json!({ "all": 1500, "pending": 12, "processing": 3, "held": 2, "open_alerts": 1 })))]
pub struct OrderCounts {
    pub all: i64,
    /// Without those on hold.
    pub pending: i64,
    /// Without those on hold.
    pub processing: i64,
    /// Orders on hold.
    pub held: i64,
    /// Orders with an open alert.
    pub open_alerts: i64,
}

error_responses!(CountErrors: [ADMIN]);

/// Count the orders
///
/// Returns the numbers of all orders, of those to pack and to ship, of those on hold, and of those with an open alert.
#[utoipa::path(
    get,
    path = "/api/admin/order-counts",
    tag = "Administration",
    security(("accessToken" = [])),
    responses((status = 200, description = "The numbers of orders.", body = OrderCounts), CountErrors),
)]
pub async fn get_order_counts(
    State(state): State<Arc<Fulfillment>>,
    Admin(_): Admin,
) -> Result<Json<OrderCounts>, Error> {
    let counts = store::count_by_status(state.db.read()).await?;
    let open = OpenOrders::of(&counts, &store::count_held(state.db.read()).await?);
    Ok(Json(OrderCounts {
        all: counts.values().sum(),
        pending: open.pending,
        processing: open.processing,
        held: open.held,
        open_alerts: alerts::count_orders(state.db.read()).await?,
    }))
}
