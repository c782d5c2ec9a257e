//! Order administration: list, view and update orders.

use std::sync::Arc;

use app::mail::ShopInfo;
use axum::Json;
use axum::extract::State;
use sqlx::AnyConnection;
use wasm_core::orders::{AdminOrder, AdminOrderPage, OrderItem, OrderPatch, OrderStatus, RefundLine};

use crate::accounts::Admin;
use crate::checkout::refunds::restock::restock;
use crate::checkout::refunds::{self, Wanted};
use crate::error::Error;
use crate::error::responses::error_responses;
use crate::fulfillment::{Fulfillment, tracking_check};
use crate::http::extract::{Body, Params, Path};
use crate::http::page::PageQuery;
use crate::mail::EmailKind;
use crate::orders::customer_mail::{self, OrderMail};
use crate::orders::history::{HistoryEvent, store as history};
use crate::orders::owed::{Owed, store as owed};
use crate::orders::query::FilterQuery;
use crate::orders::{StoredOrder, listing, store};
use crate::time_zone::{self, ShopZone};

error_responses!(ListErrors: [QUERY, ADMIN]);

/// List all orders
///
/// Returns one page of all customers' orders, newest or oldest first, with the total number of matches. An invalid
/// page, date, status or sort is a 400.
#[utoipa::path(
    get,
    path = "/api/admin/orders",
    tag = "Administration",
    params(PageQuery, FilterQuery),
    security(("accessToken" = [])),
    responses((status = 200, description = "One page of orders.", body = AdminOrderPage), ListErrors),
)]
pub async fn list_orders(
    State(state): State<Arc<Fulfillment>>,
    Admin(_): Admin,
    Params(page): Params<PageQuery>,
    Params(filter): Params<FilterQuery>,
) -> Result<Json<AdminOrderPage>, Error> {
    let list = async |zone| {
        let (filter, page) = filter.validated_with(&page, zone)?;
        listing::list_orders(&state.db, &filter, page).await
    };
    Ok(Json(time_zone::store::read_in_one_zone(state.db.read(), list).await?))
}

error_responses!(GetErrors: [ADMIN] NotFound);

/// Get an order as an administrator
///
/// Returns the order with its customer, version, history and open alert. An unknown id is a 404.
#[utoipa::path(
    get,
    path = "/api/admin/order/{id}",
    tag = "Administration",
    params(("id" = String, Path, description = "The order's id.", example = "0193f5c6-2f4e-7c1a-9b64-3d5f0a8e7c21")),
    security(("accessToken" = [])),
    responses((status = 200, description = "The order.", body = AdminOrder), GetErrors),
)]
pub async fn get_order(
    State(state): State<Arc<Fulfillment>>,
    Path(id): Path,
    Admin(_): Admin,
) -> Result<Json<AdminOrder>, Error> {
    Ok(Json(load_admin_order(&state, &id).await?))
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum ShipmentEmail {
    Send,
    Skip,
}

impl ShipmentEmail {
    pub(super) fn of(notify_customer: Option<bool>) -> Self {
        if notify_customer == Some(false) { Self::Skip } else { Self::Send }
    }
}

error_responses!(UpdateErrors: [BODY, ADMIN] NotFound EditConflict RefundRejected PaymentProviderUnavailable);

/// Update an order
///
/// Changes status, address and tracking number, all or none, and returns the order. A change to `refunded` first
/// refunds the remaining amount at the provider, and changes nothing if that fails; a refund that can never be made is a
/// `RefundRejected` with the reason. Invalid values and status changes are a 400. A change to `shipped` emails the
/// customer, and so does the tracking number of a shipped order that had none, unless `notify_customer` is false. With
/// `check_tracking_number`, a new tracking number that looks wrong is a 400. With `version`, an edit of an outdated order is
/// an `EditConflict` (optimistic concurrency). If the order changes while the provider makes the refund, only the refund
/// and the status are saved, and the response is an `EditConflict`.
#[utoipa::path(
    patch,
    path = "/api/admin/order/{id}",
    tag = "Administration",
    params(("id" = String, Path, description = "The order's id.", example = "0193f5c6-2f4e-7c1a-9b64-3d5f0a8e7c21")),
    request_body = OrderPatch,
    security(("accessToken" = [])),
    responses((status = 200, description = "The updated order.", body = AdminOrder), UpdateErrors),
)]
pub async fn update_order(
    State(state): State<Arc<Fulfillment>>,
    Path(id): Path,
    Admin(caller): Admin,
    Body(patch): Body<OrderPatch>,
) -> Result<Json<AdminOrder>, Error> {
    let patch = patch.validated().map_err(Error::invalid)?;
    let is_refunded =
        patch.status == Some(OrderStatus::Refunded) && refund_remaining(&state, &id, &patch, &caller.email).await?;
    // The refund has changed the status, which increased the version.
    let expected = patch.version.map(|version| version + i64::from(is_refunded));
    let update = OrderUpdate {
        id,
        patch: OrderPatch { version: expected, ..patch },
        actor: caller.email,
        is_refunded,
        mail_shop: state.settings.mail_shop(),
        now: state.clock.now_ms(),
    };
    let result = state.db.write(update, |tx, update| Box::pin(write(tx, update))).await?;
    state.mail_enqueued.notify_one();
    match result {
        UpdateResult::Complete(order) => Ok(Json(order)),
        UpdateResult::RefundOnly(order) => Err(conflict(&order)),
    }
}

async fn load_admin_order(state: &Fulfillment, id: &str) -> Result<AdminOrder, Error> {
    let mut connection = state.db.read().acquire().await?;
    store::load_admin_order(&mut connection, id).await
}

/// Refunds what is left before the status changes, unless the edit is outdated. False if nothing is left. The edit
/// restocks all items, also those of earlier refunds.
async fn refund_remaining(state: &Fulfillment, id: &str, patch: &OrderPatch, actor: &str) -> Result<bool, Error> {
    let current = load_admin_order(state, id).await?;
    if patch.version.is_some_and(|version| version != current.version) {
        return Err(conflict(&current));
    }
    if current.order.status == OrderStatus::Refunded {
        return Ok(false);
    }
    Ok(refunds::make(&state.checkout, id, Wanted::Remaining, actor).await?.is_some())
}

/// The arguments of [`write`].
struct OrderUpdate {
    id: String,
    patch: OrderPatch,
    actor: String,
    /// Whether the update has refunded the order.
    is_refunded: bool,
    mail_shop: ShopInfo,
    now: i64,
}

enum UpdateResult {
    Complete(AdminOrder),
    /// The order changed while the provider made the refund. The refund and its status are recorded; the rest of the edit
    /// would overwrite the other change.
    RefundOnly(AdminOrder),
}

/// Applies the patch to `before`, the locked order. Missing fields stay unchanged.
fn apply_patch(patch: &OrderPatch, before: &StoredOrder) -> StoredOrder {
    let before = before.clone();
    StoredOrder {
        status: patch.status.unwrap_or(before.status),
        address: patch.address.clone().unwrap_or(before.address),
        tracking_number: match &patch.tracking_number {
            None => before.tracking_number,
            Some(cleared) if cleared.is_empty() => None,
            Some(number) => Some(number.clone()),
        },
        ..before
    }
}

fn is_stale(patch: &OrderPatch, current: &StoredOrder) -> bool {
    patch.version.is_some_and(|version| version != current.version)
}

pub(super) fn conflict(current: &AdminOrder) -> Error {
    Error::edit_conflict(current, "This order was changed by someone else.")
}

async fn write(tx: &mut AnyConnection, update: &OrderUpdate) -> Result<UpdateResult, Error> {
    let OrderUpdate { id, patch, actor, is_refunded, mail_shop, now } = update;
    let before = store::lock_order(tx, id).await?;
    if is_stale(patch, &before) {
        let current = store::with_history(tx, before).await?;
        return if *is_refunded { Ok(UpdateResult::RefundOnly(current)) } else { Err(conflict(&current)) };
    }
    let mut after = apply_patch(patch, &before);
    // A refund that the provider has made is recorded in any case.
    if patch.check_tracking_number && !is_refunded {
        tracking_check::check_new_number(tx, &before, &after).await?;
    }
    store::update_order(tx, &mut after).await?;
    for event in events_of(&before, &after) {
        history::insert(tx, id, actor, event, *now).await?;
    }
    if patch.restock && after.status == OrderStatus::Refunded {
        restock(tx, &after, &all_lines(&after), actor, *now).await?;
    }
    if ShipmentEmail::of(patch.notify_customer) == ShipmentEmail::Send && is_shipment(&before, &after) {
        let zone = time_zone::store::load(&mut *tx).await?;
        let owed = if ships(&before, &after) { Some(owed::load(tx, &after).await?) } else { None };
        customer_mail::send(tx, shipment_mail(mail_shop, &after, owed.as_ref(), zone), *now).await?;
    }
    Ok(UpdateResult::Complete(store::with_history(tx, after).await?))
}

fn all_lines(order: &StoredOrder) -> Vec<RefundLine> {
    let line = |item: &OrderItem| RefundLine { product_id: item.product_id.clone(), quantity: item.quantity };
    order.items.iter().map(line).collect()
}

/// The changes of an edit.
fn events_of(before: &StoredOrder, after: &StoredOrder) -> Vec<HistoryEvent> {
    let status_change = status_change(before, after.status);
    let was_on_hold = status_change.as_ref().and(before.hold()).map(|reason| HistoryEvent::WasOnHold { reason });
    let mut events: Vec<_> = was_on_hold.into_iter().chain(status_change).collect();
    if before.address != after.address {
        events.push(HistoryEvent::AddressChanged);
    }
    events.extend(tracking_change(before, after.tracking_number.as_deref()));
    events
}

pub(super) fn status_change(before: &StoredOrder, to: OrderStatus) -> Option<HistoryEvent> {
    (before.status != to).then_some(HistoryEvent::StatusChanged { from: before.status, to })
}

pub(super) fn tracking_change(before: &StoredOrder, tracking_number: Option<&str>) -> Option<HistoryEvent> {
    match (before.tracking_number.as_deref(), tracking_number) {
        (old, new) if old == new => None,
        (_, Some(number)) => Some(HistoryEvent::TrackingNumberSet { number: number.to_owned() }),
        (_, None) => Some(HistoryEvent::TrackingNumberRemoved),
    }
}

/// Whether the order ships, or is shipped and gets its tracking number: then the customer gets an email.
pub(super) fn is_shipment(before: &StoredOrder, after: &StoredOrder) -> bool {
    let gets_number = before.tracking_number.is_none() && after.tracking_number.is_some();
    ships(before, after) || (after.status == OrderStatus::Shipped && gets_number)
}

pub(super) fn ships(before: &StoredOrder, after: &StoredOrder) -> bool {
    before.status != OrderStatus::Shipped && after.status == OrderStatus::Shipped
}

/// The email about a shipment, once for each tracking number. `owed` is what the order owes while it ships; later refunds
/// say nothing about the package.
pub(super) fn shipment_mail<'a>(
    shop: &ShopInfo,
    order: &'a StoredOrder,
    owed: Option<&Owed>,
    zone: ShopZone,
) -> OrderMail<'a> {
    let dedupe_key = format!("shipped:{}:{}", order.id, order.tracking_number.as_deref().unwrap_or_default());
    let packed = owed.and_then(Owed::items);
    let mail = app::mail::shipped(shop, &order.for_customer(zone), packed);
    OrderMail { order, kind: EmailKind::Shipment, dedupe_key, mail }
}
