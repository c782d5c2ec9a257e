//! Ships a batch of orders with their tracking numbers. Each verdict is decided again under the orders' locks, so a batch
//! that is repeated changes nothing.

use std::collections::HashMap;
use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use serde::{Deserialize, Serialize};
use sqlx::AnyConnection;
use utoipa::ToSchema;
use wasm_core::orders::OrderStatus;
use wasm_core::validation::FieldErrors;

use super::verdict::{Known, Shipment, Verdict, parse_tracking_number, verdicts};
use crate::accounts::Admin;
use crate::error::Error;
use crate::error::responses::error_responses;
use crate::fulfillment::Fulfillment;
use crate::fulfillment::bulk::{self, Change, Context, MAX_BATCH};
use crate::fulfillment::orders::ShipmentEmail;
use crate::http::extract::Body;
use crate::orders::StoredOrder;
use crate::orders::bulk::store::{self, OrderState};
use crate::orders::owed::{Bought, store as owed};
use crate::orders::search::store as search;

/// A batch of shipments.
#[derive(Deserialize, ToSchema)]
#[schema(examples(json!({
    "shipments": [{ "order_number": 1001, "tracking_number": "9400111899223817253416" }],
    "notify_customer": true,
})))]
pub struct TrackingBatch {
    /// At most 200.
    #[schema(min_items = 1, max_items = 200)]
    shipments: Vec<Shipment>,
    /// Whether the customers get an email; `true` if absent.
    #[serde(default = "notifies")]
    #[schema(default = true)]
    notify_customer: bool,
}

fn notifies() -> bool {
    true
}

/// What was done with each shipment, in their order.
#[derive(Serialize, ToSchema)]
#[schema(examples(json!({
    "results": [{ "order_number": 1001, "verdict": "ship", "message": "Will be shipped." }],
})))]
pub struct TrackingResults {
    results: Vec<TrackingResult>,
}

#[derive(Serialize, ToSchema)]
pub struct TrackingResult {
    order_number: i64,
    /// `ship` if the order is shipped now.
    verdict: Verdict,
    /// The verdict as a sentence.
    message: &'static str,
}

error_responses!(ApplyErrors: [BODY, ADMIN]);

/// Import tracking numbers
///
/// Ships up to 200 orders with their tracking numbers, in one transaction, and returns what it did with each. Orders
/// that are refunded, that owe nothing, that are on hold, or that are delivered or shipped with this or another number
/// stay unchanged, and so do those whose tracking number another order has, so a repeated batch has no effect. Customers
/// get one email per shipment unless `notify_customer` is false. Invalid shipments are a 400.
#[utoipa::path(
    post,
    path = "/api/admin/tracking-import",
    tag = "Administration",
    request_body = TrackingBatch,
    security(("accessToken" = [])),
    responses((status = 200, description = "The verdict of each shipment.", body = TrackingResults), ApplyErrors),
)]
pub async fn apply_tracking_import(
    State(state): State<Arc<Fulfillment>>,
    Admin(caller): Admin,
    Body(batch): Body<TrackingBatch>,
) -> Result<Json<TrackingResults>, Error> {
    let shipments = validated(batch.shipments)?;
    let context = Context {
        actor: caller.email,
        shipment_email: ShipmentEmail::of(Some(batch.notify_customer)),
        mail_shop: state.settings.mail_shop(),
        now: state.clock.now_ms(),
    };
    let results =
        state.db.write((shipments, context), |tx, (shipments, context)| Box::pin(ship(tx, shipments, context)));
    let results = results.await?;
    state.mail_enqueued.notify_one();
    Ok(Json(TrackingResults { results }))
}

fn validated(shipments: Vec<Shipment>) -> Result<Vec<Shipment>, Error> {
    if !(1..=MAX_BATCH).contains(&shipments.len()) {
        return Err(Error::invalid_field("shipments", format!("Send 1 to {MAX_BATCH} shipments.")));
    }
    let mut errors = FieldErrors::default();
    let mut valid = Vec::new();
    for (index, shipment) in shipments.into_iter().enumerate() {
        if shipment.order_number < 1 {
            errors.insert(format!("shipments[{index}].order_number"), Verdict::InvalidOrder.message());
        }
        match parse_tracking_number(&shipment.tracking_number) {
            Ok(tracking_number) => valid.push(Shipment { tracking_number, ..shipment }),
            Err(verdict) => {
                errors.insert(format!("shipments[{index}].tracking_number"), verdict.message());
            }
        }
    }
    if errors.is_empty() { Ok(valid) } else { Err(Error::invalid(errors)) }
}

async fn ship(tx: &mut AnyConnection, shipments: &[Shipment], context: &Context) -> Result<Vec<TrackingResult>, Error> {
    let numbers: Vec<i64> = shipments.iter().map(|shipment| shipment.order_number).collect();
    let mut orders = store::lock_orders(tx, &numbers).await?;
    let known = load_known(tx, shipments, &orders).await?;
    let (mut results, mut changes) = (Vec::new(), Vec::new());
    for (shipment, verdict) in shipments.iter().zip(verdicts(shipments, &known)) {
        results.push(TrackingResult { order_number: shipment.order_number, verdict, message: verdict.message() });
        if verdict == Verdict::Ship
            && let Some(before) = orders.remove(&shipment.order_number)
        {
            let tracking_number = Some(shipment.tracking_number.clone());
            changes.push(Change { before, status: OrderStatus::Shipped, tracking_number });
        }
    }
    bulk::apply(tx, changes, context).await?;
    Ok(results)
}

async fn load_known(
    tx: &mut AnyConnection,
    shipments: &[Shipment],
    orders: &HashMap<i64, StoredOrder>,
) -> Result<Known, Error> {
    let owed = owed::list(tx, &orders.values().map(Bought::of).collect::<Vec<_>>()).await?;
    let orders = orders.iter().map(|(number, order)| (*number, OrderState::of(order, &owed))).collect();
    let numbers: Vec<&str> = shipments.iter().map(|shipment| shipment.tracking_number.as_str()).collect();
    Ok(Known { orders, tracked: search::list_tracked(tx, &numbers).await? })
}
