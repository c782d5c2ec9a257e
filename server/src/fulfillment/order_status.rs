//! Changes the status of many orders: a dry run, then batches with the versions that it returned.

use std::collections::HashSet;
use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use serde::{Deserialize, Serialize};
use sqlx::AnyConnection;
use utoipa::{IntoParams, ToSchema};
use wasm_core::orders::OrderStatus;
use wasm_core::validation::FieldErrors;
use wasm_core::wire::whole_number;

use super::bulk::{self, Change, Context, MAX_BATCH};
use super::orders::ShipmentEmail;
use crate::accounts::Admin;
use crate::error::Error;
use crate::error::responses::error_responses;
use crate::fulfillment::Fulfillment;
use crate::http::extract::{Body, Params};
use crate::orders::StoredOrder;
use crate::orders::bulk::store;
use crate::orders::listing;
use crate::orders::query::FilterQuery;
use crate::time_zone;

/// Largest number of orders of a dry run.
const MAX_ORDERS: usize = 10_000;
const NEVER_REFUNDED: &str = "Orders are refunded one at a time.";

#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct NewStatusQuery {
    /// The new status, except `refunded`.
    #[param(example = "processing")]
    to: OrderStatus,
}

/// What a change of status would do.
#[derive(Serialize, ToSchema)]
#[schema(examples(json!({
    "orders": [{ "number": 1001, "version": 1, "status": "pending" }],
    "unchanged": 3,
    "refunded": 2,
})))]
pub struct StatusPreview {
    /// The orders that would change, with their versions and present status.
    orders: Vec<PreviewedOrder>,
    /// Number of orders that have the status already.
    unchanged: i64,
    /// Number of refunded orders, which stay as they are.
    refunded: i64,
}

#[derive(Serialize, ToSchema)]
pub struct PreviewedOrder {
    number: i64,
    version: i64,
    status: OrderStatus,
}

error_responses!(PreviewErrors: [QUERY, ADMIN]);

/// Preview a change of many orders' status
///
/// Returns the filtered orders that would get the status `to`, with their versions. Refunded orders never change. Changes
/// nothing. More than 10,000 orders, and the status `refunded`, are a 400.
#[utoipa::path(
    get,
    path = "/api/admin/order-status/preview",
    tag = "Administration",
    params(FilterQuery, NewStatusQuery),
    security(("accessToken" = [])),
    responses((status = 200, description = "What would change.", body = StatusPreview), PreviewErrors),
)]
pub async fn preview_order_status(
    State(state): State<Arc<Fulfillment>>,
    Admin(_): Admin,
    Params(filter): Params<FilterQuery>,
    Params(NewStatusQuery { to }): Params<NewStatusQuery>,
) -> Result<Json<StatusPreview>, Error> {
    let filter = filter.validated(time_zone::store::load(state.db.read()).await?)?;
    if to == OrderStatus::Refunded {
        return Err(Error::invalid_field("to", NEVER_REFUNDED));
    }
    let limit = i64::try_from(MAX_ORDERS + 1).map_err(Error::internal)?;
    let found = listing::list_versions(&state.db, &filter, limit).await?;
    if found.len() > MAX_ORDERS {
        let message = format!("At most {MAX_ORDERS} orders change at once. Narrow the filter.");
        return Err(Error::invalid_field("to", message));
    }
    let mut preview = StatusPreview { orders: Vec::new(), unchanged: 0, refunded: 0 };
    for listing::OrderVersion { number, version, status } in found {
        match status {
            OrderStatus::Refunded => preview.refunded += 1,
            status if status == to => preview.unchanged += 1,
            status => preview.orders.push(PreviewedOrder { number, version, status }),
        }
    }
    Ok(Json(preview))
}

/// New statuses of orders.
#[derive(Deserialize, ToSchema)]
#[schema(examples(json!({
    "orders": [{ "number": 1001, "version": 1, "status": "processing" }],
    "notify_customer": true,
})))]
pub struct StatusBatch {
    /// At most 200.
    #[schema(min_items = 1, max_items = 200)]
    orders: Vec<NewStatus>,
    /// Whether a change to `shipped` emails the customer; `true` if absent.
    #[serde(default = "notifies")]
    #[schema(default = true)]
    notify_customer: bool,
}

fn notifies() -> bool {
    true
}

#[derive(Clone, Debug, Deserialize, ToSchema)]
pub struct NewStatus {
    #[serde(deserialize_with = "whole_number")]
    number: i64,
    /// Version of the order that was previewed. An order that has changed since stays as it is.
    #[serde(deserialize_with = "whole_number")]
    version: i64,
    /// The new status, except `refunded`.
    status: OrderStatus,
}

/// The orders that were changed, and those that were not.
#[derive(Serialize, ToSchema)]
#[schema(examples(json!({ "changed": [{ "number": 1001, "version": 2 }], "conflicts": [1002] })))]
pub struct StatusResults {
    changed: Vec<ChangedOrder>,
    /// Numbers of orders that are unknown, refunded, or changed since the preview.
    conflicts: Vec<i64>,
}

#[derive(Serialize, ToSchema)]
pub struct ChangedOrder {
    number: i64,
    /// The new version.
    version: i64,
}

error_responses!(UpdateErrors: [BODY, ADMIN]);

/// Change many orders' status
///
/// Changes the status of up to 200 orders in one transaction, with the history and emails of single edits. An order that
/// is refunded, or whose version is outdated, stays as it is. The status `refunded` and an order that occurs twice are a 400.
#[utoipa::path(
    patch,
    path = "/api/admin/order-status",
    tag = "Administration",
    request_body = StatusBatch,
    security(("accessToken" = [])),
    responses((status = 200, description = "What changed.", body = StatusResults), UpdateErrors),
)]
pub async fn update_order_status(
    State(state): State<Arc<Fulfillment>>,
    Admin(caller): Admin,
    Body(batch): Body<StatusBatch>,
) -> Result<Json<StatusResults>, Error> {
    check(&batch.orders)?;
    let context = Context {
        actor: caller.email,
        shipment_email: ShipmentEmail::of(Some(batch.notify_customer)),
        mail_shop: state.settings.mail_shop(),
        now: state.clock.now_ms(),
    };
    let args = (batch.orders, context);
    let results = state.db.write(args, |tx, (orders, context)| Box::pin(update(tx, orders, context))).await?;
    state.mail_enqueued.notify_one();
    Ok(Json(results))
}

fn check(orders: &[NewStatus]) -> Result<(), Error> {
    if !(1..=MAX_BATCH).contains(&orders.len()) {
        return Err(Error::invalid_field("orders", format!("Send 1 to {MAX_BATCH} orders.")));
    }
    let (mut errors, mut seen) = (FieldErrors::default(), HashSet::new());
    for (index, order) in orders.iter().enumerate() {
        if order.status == OrderStatus::Refunded {
            errors.insert(format!("orders[{index}].status"), NEVER_REFUNDED);
        }
        if !seen.insert(order.number) {
            errors.insert(format!("orders[{index}].number"), "This order occurs twice.");
        }
    }
    if errors.is_empty() { Ok(()) } else { Err(Error::invalid(errors)) }
}

async fn update(tx: &mut AnyConnection, orders: &[NewStatus], context: &Context) -> Result<StatusResults, Error> {
    let numbers: Vec<i64> = orders.iter().map(|order| order.number).collect();
    let mut locked = store::lock_orders(tx, &numbers).await?;
    let mut results = StatusResults { changed: Vec::new(), conflicts: Vec::new() };
    let mut changes = Vec::new();
    for new in orders {
        match locked.remove(&new.number).filter(|before| can_change(before, new)) {
            Some(before) => {
                results.changed.push(ChangedOrder { number: new.number, version: new.version + 1 });
                let tracking_number = before.tracking_number.clone();
                changes.push(Change { before, status: new.status, tracking_number });
            }
            None => results.conflicts.push(new.number),
        }
    }
    bulk::apply(tx, changes, context).await?;
    Ok(results)
}

fn can_change(before: &StoredOrder, new: &NewStatus) -> bool {
    before.status != OrderStatus::Refunded && before.version == new.version
}
