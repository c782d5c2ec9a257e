//! Order administration: list, view and update orders.

use std::sync::Arc;

use app::mail::ShopInfo;
use axum::Json;
use axum::extract::State;
use sqlx::AnyConnection;
use wasm_core::money::Cents;
use wasm_core::orders::{Order, OrderPage, OrderPatch, OrderStatus};
use wasm_core::validation::Address;

use crate::auth::Admin;
use crate::catalogue::store::{StockReason, change_stock, was_restocked};
use crate::checkout::refund;
use crate::http::error::Error;
use crate::http::error_details::Details;
use crate::http::error_responses::error_responses;
use crate::http::extract::{Body, Params, Path};
use crate::orders::customer_mail::{self, OrderMail};
use crate::orders::query::{FilterQuery, PageQuery};
use crate::orders::{listing, store};
use crate::shop::Shop;

error_responses!(ListErrors: [QUERY, ADMIN]);

/// List all orders
///
/// Returns one page of all customers' orders, newest first, with the total number of matches. An invalid page, date or
/// status is a 400.
#[utoipa::path(
    get,
    path = "/api/admin/orders",
    tag = "Administration",
    params(PageQuery, FilterQuery),
    security(("accessToken" = [])),
    responses((status = 200, description = "One page of orders.", body = OrderPage), ListErrors),
)]
pub async fn list_orders(
    State(shop): State<Arc<Shop>>,
    Admin(_): Admin,
    Params(page): Params<PageQuery>,
    Params(filter): Params<FilterQuery>,
) -> Result<Json<OrderPage>, Error> {
    let (filter, page) = filter.validated_with(&page)?;
    Ok(Json(listing::list_orders(&shop.db, &filter, page).await?))
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
    responses((status = 200, description = "The order.", body = Order), GetErrors),
)]
pub async fn get_order(State(shop): State<Arc<Shop>>, Path(id): Path, Admin(_): Admin) -> Result<Json<Order>, Error> {
    let mut connection = shop.db.read().acquire().await?;
    Ok(Json(store::load_order(&mut connection, &id).await?))
}

/// The new values of an order.
struct Edit {
    status: OrderStatus,
    address: Address,
    tracking_number: Option<String>,
    restock: Restock,
    shipment_email: ShipmentEmail,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Restock {
    No,
    Yes,
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

error_responses!(UpdateErrors: [BODY, ADMIN] NotFound EditConflict PaymentProviderUnavailable);

/// Update an order
///
/// Changes status, address and tracking number, all or none, and returns the order. A change to `refunded` first
/// refunds the remaining amount at the provider, and changes nothing if that fails. Invalid values and status changes
/// are a 400. A change to `shipped` emails the customer, and so does the tracking number of a shipped order that had
/// none, unless `notify_customer` is false. With `version`, an edit of an outdated order is an `EditConflict` (optimistic
/// concurrency). If the order changes while the provider makes the refund, only the refund and the status are saved, and
/// the response is an `EditConflict`.
#[utoipa::path(
    patch,
    path = "/api/admin/order/{id}",
    tag = "Administration",
    params(("id" = String, Path, description = "The order's id.", example = "0193f5c6-2f4e-7c1a-9b64-3d5f0a8e7c21")),
    request_body = OrderPatch,
    security(("accessToken" = [])),
    responses((status = 200, description = "The updated order.", body = Order), UpdateErrors),
)]
pub async fn update_order(
    State(shop): State<Arc<Shop>>,
    Path(id): Path,
    Admin(caller): Admin,
    Body(patch): Body<OrderPatch>,
) -> Result<Json<Order>, Error> {
    let before = {
        let mut connection = shop.db.read().acquire().await?;
        store::load_order(&mut connection, &id).await?
    };
    let patch = patch.validated().map_err(Error::invalid)?;
    check_version(&patch, &before)?;
    let refunded = match (before.status, patch.status) {
        (OrderStatus::Refunded, _) => None,
        (_, Some(OrderStatus::Refunded)) => {
            let intent_id = store::load_intent_id(shop.db.read(), &id).await?;
            Some(refund::refund_remaining(&shop, &before, &intent_id).await?)
        }
        _ => None,
    };
    let update =
        OrderUpdate { id, patch, actor: caller.email, refunded, mail_shop: shop.mail_shop(), now: shop.clock.now_ms() };
    let result = shop.db.write(update, |tx, update| Box::pin(write(tx, update))).await?;
    shop.mail_enqueued.notify_one();
    match result {
        UpdateResult::Complete(order) => Ok(Json(order)),
        UpdateResult::RefundOnly(order) => Err(conflict(order)),
    }
}

/// The arguments of [`write`].
struct OrderUpdate {
    id: String,
    patch: OrderPatch,
    actor: String,
    /// Total refunded amount, if the update refunds the order.
    refunded: Option<Cents>,
    mail_shop: ShopInfo,
    now: i64,
}

enum UpdateResult {
    Complete(Order),
    /// The order changed while the provider made the refund. The refund and the status are saved; the rest of the edit
    /// would overwrite the other change.
    RefundOnly(Order),
}

/// Applies the patch to `before`, the locked order. Missing fields stay unchanged.
fn apply_patch(patch: &OrderPatch, before: &Order) -> Edit {
    Edit {
        status: patch.status.unwrap_or(before.status),
        address: patch.address.clone().unwrap_or_else(|| before.address.clone()),
        tracking_number: match &patch.tracking_number {
            None => before.tracking_number.clone(),
            Some(cleared) if cleared.is_empty() => None,
            Some(number) => Some(number.clone()),
        },
        restock: if patch.restock { Restock::Yes } else { Restock::No },
        shipment_email: ShipmentEmail::of(patch.notify_customer),
    }
}

/// The part of a patch that is already done at the provider.
fn refund_only(patch: &OrderPatch) -> OrderPatch {
    OrderPatch { address: None, tracking_number: None, restock: false, ..patch.clone() }
}

fn is_stale(patch: &OrderPatch, current: &Order) -> bool {
    patch.version.is_some() && patch.version != current.version
}

fn check_version(patch: &OrderPatch, current: &Order) -> Result<(), Error> {
    if is_stale(patch, current) { Err(conflict(current.clone())) } else { Ok(()) }
}

fn conflict(current: Order) -> Error {
    Error::with_details(Details::of_conflict(current), "This order was changed by someone else.")
}

async fn write(tx: &mut AnyConnection, update: &OrderUpdate) -> Result<UpdateResult, Error> {
    let OrderUpdate { id, patch, actor, refunded, mail_shop, now } = update;
    store::lock_order(tx, id).await?;
    let before = store::load_order(tx, id).await?;
    let is_stale = is_stale(patch, &before);
    if is_stale && refunded.is_none() {
        return Err(conflict(before));
    }
    let edit = if is_stale { apply_patch(&refund_only(patch), &before) } else { apply_patch(patch, &before) };
    store::update_order(tx, id, edit.status, &edit.address, edit.tracking_number.as_deref()).await?;
    if let Some(refunded) = refunded {
        refund::record_refund(tx, &before, *refunded, *now).await?;
    }
    for message in history_messages(&before, &edit, *refunded) {
        store::insert_history(tx, id, actor, &message, *now).await?;
    }
    if edit.restock == Restock::Yes && edit.status == OrderStatus::Refunded {
        restock(tx, &before, actor, *now).await?;
    }
    let after = store::load_order(tx, id).await?;
    if edit.shipment_email == ShipmentEmail::Send {
        email_shipment(tx, mail_shop, &before, &after, *now).await?;
    }
    email_refund(tx, mail_shop, &before, &after, *now).await?;
    // Loaded again: the emails are in its history now.
    let order = store::load_order(tx, id).await?;
    Ok(if is_stale { UpdateResult::RefundOnly(order) } else { UpdateResult::Complete(order) })
}

/// Restocks the items of an order, at most once in its life. Items beyond the stock limit are not restocked, and the
/// history says so.
async fn restock(tx: &mut AnyConnection, order: &Order, actor: &str, now: i64) -> Result<(), Error> {
    if was_restocked(tx, &order.id).await? {
        return Ok(());
    }
    let mut skipped: Vec<&str> = Vec::new();
    for item in &order.items {
        let reason = StockReason::Restocked;
        if !change_stock(tx, &item.product_id, item.quantity, reason, Some(&order.id), actor, now).await? {
            skipped.push(&item.product_name);
        }
    }
    if skipped.len() < order.items.len() {
        store::insert_history(tx, &order.id, actor, "Items restocked", now).await?;
    }
    if !skipped.is_empty() {
        let message = format!("Not restocked (stock limit reached): {}", skipped.join(", "));
        store::insert_history(tx, &order.id, actor, &message, now).await?;
    }
    Ok(())
}

/// History messages of an edit, one for each change.
fn history_messages(before: &Order, edit: &Edit, refunded: Option<Cents>) -> Vec<String> {
    let mut messages = Vec::from_iter(status_message(before, edit.status));
    if let Some(refunded) = refunded
        && let Ok(amount) = refunded.checked_sub(before.payment.refunded)
        && amount > Cents::ZERO
    {
        messages.push(format!("{amount} refunded"));
    }
    if before.address != edit.address {
        messages.push("Shipping address changed".to_owned());
    }
    messages.extend(tracking_message(before, edit.tracking_number.as_deref()));
    messages
}

pub(super) fn status_message(before: &Order, status: OrderStatus) -> Option<String> {
    let message = || format!("Status changed from {} to {}", before.status.as_str(), status.as_str());
    (before.status != status).then(message)
}

pub(super) fn tracking_message(before: &Order, tracking_number: Option<&str>) -> Option<String> {
    match (before.tracking_number.as_deref(), tracking_number) {
        (old, new) if old == new => None,
        (_, Some(number)) => Some(format!("Tracking number set to {number}")),
        (_, None) => Some("Tracking number removed".to_owned()),
    }
}

/// Emails the customer when the order ships, and when a shipped order gets its tracking number; once for each number.
async fn email_shipment(
    tx: &mut AnyConnection,
    shop: &ShopInfo,
    before: &Order,
    after: &Order,
    now: i64,
) -> Result<(), Error> {
    match shipment_mail(shop, before, after) {
        Some(OrderMail { order, dedupe_key, mail }) => customer_mail::send(tx, order, dedupe_key, mail, now).await,
        None => Ok(()),
    }
}

/// The email about a shipment, if the change is one.
pub(super) fn shipment_mail<'a>(shop: &ShopInfo, before: &Order, after: &'a Order) -> Option<OrderMail<'a>> {
    let ships = before.status != OrderStatus::Shipped;
    let gets_number = before.tracking_number.is_none() && after.tracking_number.is_some();
    if after.status != OrderStatus::Shipped || !(ships || gets_number) {
        return None;
    }
    let dedupe_key = format!("shipped:{}:{}", after.id, after.tracking_number.as_deref().unwrap_or_default());
    Some(OrderMail { order: after, dedupe_key, mail: app::mail::shipped(shop, after) })
}

/// Emails the customer about a refund, once for each refunded amount.
async fn email_refund(
    tx: &mut AnyConnection,
    shop: &ShopInfo,
    before: &Order,
    after: &Order,
    now: i64,
) -> Result<(), Error> {
    let amount = after.payment.refunded.checked_sub(before.payment.refunded)?;
    if amount <= Cents::ZERO {
        return Ok(());
    }
    let key = format!("refunded:{}:{}", after.id, after.payment.refunded.cents());
    customer_mail::send(tx, after, key, app::mail::refunded(shop, after, amount), now).await
}
