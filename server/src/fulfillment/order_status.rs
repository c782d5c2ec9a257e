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
use crate::orders::listing::{self, OrderVersion};
use crate::orders::owed::{Bought, Owed, store as owed};
use crate::orders::query::FilterQuery;
use crate::time_zone;

/// Largest number of orders of a dry run.
const MAX_ORDERS: usize = 10_000;
const TOO_MANY: &str = "At most 10,000 orders change at once. Choose fewer, for example by date.";
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
    "held": 1,
})))]
pub struct StatusPreview {
    /// The orders that would change, with their versions and present status.
    orders: Vec<PreviewedOrder>,
    /// Number of orders that have the status already.
    unchanged: i64,
    /// Number of refunded orders, which stay as they are. For `shipped` and `delivered`, also of orders whose items are all
    /// refunded.
    refunded: i64,
    /// Number of orders on hold, which stay as they are.
    held: i64,
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
/// Returns the filtered orders that would get the status `to`, with their versions. Refunded orders and orders on hold
/// never change, and orders whose items are all refunded don't become `shipped` or `delivered`. Changes nothing. More than 10,000
/// orders, and the status `refunded`, are a 400.
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
        return Err(Error::invalid_field("to", TOO_MANY));
    }
    Ok(Json(preview_of(&found, to, &list_settled(&state, &found, to).await?)))
}

/// The numbers of the orders that would ship although they owe nothing.
async fn list_settled(state: &Fulfillment, found: &[OrderVersion], to: OrderStatus) -> Result<HashSet<i64>, Error> {
    let ships = found.iter().filter(|order| ships(order.status, to)).map(|order| order.number);
    store::list_settled(state.db.read(), &ships.collect::<Vec<_>>()).await
}

fn ships(from: OrderStatus, to: OrderStatus) -> bool {
    from.is_to_ship() && to.has_shipped()
}

fn preview_of(found: &[OrderVersion], to: OrderStatus, settled: &HashSet<i64>) -> StatusPreview {
    let mut preview = StatusPreview { orders: Vec::new(), unchanged: 0, refunded: 0, held: 0 };
    for &OrderVersion { number, version, status, hold } in found {
        if status == OrderStatus::Refunded || settled.contains(&number) {
            preview.refunded += 1;
        } else if status == to {
            preview.unchanged += 1;
        } else if hold.is_some() {
            preview.held += 1;
        } else {
            preview.orders.push(PreviewedOrder { number, version, status });
        }
    }
    preview
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
    /// Numbers of orders that are unknown, refunded, on hold, or changed since the preview.
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
/// Changes the status of up to 200 orders in one transaction, with the history and emails of single edits. An order
/// that is refunded or on hold, or whose version is outdated, stays as it is; so does one that would become `shipped`
/// or `delivered` although all of its items are refunded. The status `refunded` and an order that occurs twice are a 400.
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
    let owed = owed::list(tx, &locked.values().map(Bought::of).collect::<Vec<_>>()).await?;
    let mut results = StatusResults { changed: Vec::new(), conflicts: Vec::new() };
    let mut changes = Vec::new();
    for new in orders {
        match locked.remove(&new.number).filter(|before| can_change(before, new, owed.get(&before.id))) {
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

fn can_change(before: &StoredOrder, new: &NewStatus, owed: Option<&Owed>) -> bool {
    let is_settled = ships(before.status, new.status) && owed == Some(&Owed::Nothing);
    let is_free = before.status != OrderStatus::Refunded && before.hold().is_none() && !is_settled;
    is_free && before.version == new.version
}
