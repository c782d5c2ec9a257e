use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use sqlx::AnyConnection;
use wasm_core::money::Cents;
use wasm_core::orders::{Order, OrderPage, OrderPatch, OrderStatus};
use wasm_core::validation::Address;

use crate::auth::Admin;
use crate::catalogue::store::{Cause, change_stock, was_restocked};
use crate::checkout::refund;
use crate::http::error::Error;
use crate::http::error_details::Details;
use crate::http::error_responses::error_responses;
use crate::http::extract::{Body, Params, Path};
use crate::orders::query::{FilterQuery, PageQuery};
use crate::orders::{customer_mail, listing, store};
use crate::shop::Shop;

error_responses!(ListErrors: [QUERY, ADMIN]);

/// Everybody's orders, newest first.
#[utoipa::path(
    get,
    path = "/api/admin/orders",
    tag = "Administration",
    params(PageQuery, FilterQuery),
    security(("accessToken" = [])),
    responses((status = 200, description = "One page.", body = OrderPage), ListErrors),
)]
pub async fn list_orders(
    State(shop): State<Arc<Shop>>,
    Admin(_): Admin,
    Params(page): Params<PageQuery>,
    Params(filter): Params<FilterQuery>,
) -> Result<Json<OrderPage>, Error> {
    let (filter, page) = filter.checked_with(&page)?;
    Ok(Json(listing::list_orders(&shop.db, &filter, page).await?))
}

error_responses!(GetErrors: [ADMIN] NotFound);

/// One order with its customer, version and history.
#[utoipa::path(
    get,
    path = "/api/admin/order/{id}",
    tag = "Administration",
    params(("id" = String, Path)),
    security(("accessToken" = [])),
    responses((status = 200, description = "The order.", body = Order), GetErrors),
)]
pub async fn get_order(State(shop): State<Arc<Shop>>, Path(id): Path, Admin(_): Admin) -> Result<Json<Order>, Error> {
    let mut connection = shop.db.read().acquire().await?;
    Ok(Json(store::load_order(&mut connection, &id).await?))
}

/// What the order will be.
struct Edit {
    status: OrderStatus,
    address: Address,
    tracking_number: Option<String>,
    restock: Restock,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Restock {
    Leave,
    PutBack,
}

error_responses!(UpdateErrors: [BODY, ADMIN] NotFound EditConflict PaymentProviderUnavailable);

/// Status, address and tracking number: all of the edit or nothing of it. A move to `refunded` refunds what is
/// left at the provider first, and changes nothing if that fails. If somebody else changes the order while the provider
/// makes the refund, the refund and the status are saved, nothing else of the edit is, and the answer is `EditConflict`.
#[utoipa::path(
    patch,
    path = "/api/admin/order/{id}",
    tag = "Administration",
    params(("id" = String, Path)),
    request_body = OrderPatch,
    security(("accessToken" = [])),
    responses((status = 200, description = "The order as it is now.", body = Order), UpdateErrors),
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
    refuse_stale(&patch, &before)?;
    let refunded = match (before.status, patch.status) {
        (OrderStatus::Refunded, _) => None,
        (_, Some(OrderStatus::Refunded)) => {
            let intent_id = store::load_intent_id(shop.db.read(), &id).await?;
            Some(refund::refund_rest(&shop, &before, &intent_id).await?)
        }
        _ => None,
    };
    let written = write(&shop, id, patch, caller.email, refunded).await?;
    shop.mail_enqueued.notify_one();
    match written {
        Written::Whole(order) => Ok(Json(order)),
        Written::RefundAlone(order) => Err(conflict(order)),
    }
}

/// What became of an edit.
enum Written {
    Whole(Order),
    /// The order had changed while the provider made the refund. The money has gone back, so it is booked with the
    /// status; the rest of the edit would undo what somebody else did.
    RefundAlone(Order),
}

/// What the patch does not mention stays as it is in `before`: the order as it was taken, not as somebody saw it.
fn applied(patch: &OrderPatch, before: &Order) -> Edit {
    Edit {
        status: patch.status.unwrap_or(before.status),
        address: patch.address.clone().unwrap_or_else(|| before.address.clone()),
        tracking_number: match &patch.tracking_number {
            None => before.tracking_number.clone(),
            Some(cleared) if cleared.is_empty() => None,
            Some(number) => Some(number.clone()),
        },
        restock: if patch.restock { Restock::PutBack } else { Restock::Leave },
    }
}

/// The part of a patch that the provider has carried out already.
fn refund_alone(patch: &OrderPatch) -> OrderPatch {
    OrderPatch { address: None, tracking_number: None, restock: false, ..patch.clone() }
}

fn is_stale(patch: &OrderPatch, current: &Order) -> bool {
    patch.version.is_some() && patch.version != current.version
}

fn refuse_stale(patch: &OrderPatch, current: &Order) -> Result<(), Error> {
    if is_stale(patch, current) { Err(conflict(current.clone())) } else { Ok(()) }
}

fn conflict(current: Order) -> Error {
    Error::with_details(Details::of_conflict(current), "Somebody else has changed this order since you opened it.")
}

async fn write(
    shop: &Arc<Shop>,
    id: String,
    patch: OrderPatch,
    who: String,
    refunded: Option<Cents>,
) -> Result<Written, Error> {
    let (now, mail_shop) = (shop.clock.now_ms(), shop.mail_shop());
    shop.db
        .write_closure(move |tx| {
            let (id, mut patch, who) = (id.clone(), patch.clone(), who.clone());
            let mail_shop = mail_shop.clone();
            Box::pin(async move {
                store::take_order(tx, &id).await?;
                let before = store::load_order(tx, &id).await?;
                let is_stale = is_stale(&patch, &before);
                if is_stale && refunded.is_none() {
                    return Err(conflict(before));
                }
                if is_stale {
                    patch = refund_alone(&patch);
                }
                let edit = applied(&patch, &before);
                store::update_order(tx, &id, edit.status, &edit.address, edit.tracking_number.as_deref()).await?;
                if let Some(refunded) = refunded {
                    refund::book(tx, &before, refunded, now).await?;
                }
                for what in changes(&before, &edit, refunded) {
                    store::insert_history(tx, &id, &who, &what, now).await?;
                }
                if edit.restock == Restock::PutBack && edit.status == OrderStatus::Refunded {
                    restock(tx, &before, &who, now).await?;
                }
                let after = store::load_order(tx, &id).await?;
                tell_customer(tx, &mail_shop, &before, &after, now).await?;
                // Read again: the mails stand in its history by now.
                let order = store::load_order(tx, &id).await?;
                Ok(if is_stale { Written::RefundAlone(order) } else { Written::Whole(order) })
            })
        })
        .await
}

/// Once in an order's life, however often it leaves `refunded` and comes back. What a full stock has no room for
/// stays outside, and the history says of what.
async fn restock(tx: &mut AnyConnection, order: &Order, who: &str, now: i64) -> Result<(), Error> {
    if was_restocked(tx, &order.id).await? {
        return Ok(());
    }
    let mut left: Vec<&str> = Vec::new();
    for item in &order.items {
        if !change_stock(tx, &item.product_id, item.quantity, Cause::Restocked, Some(&order.id), who, now).await? {
            left.push(&item.product_name);
        }
    }
    if left.len() < order.items.len() {
        store::insert_history(tx, &order.id, who, "Items put back into stock", now).await?;
    }
    if !left.is_empty() {
        let what = format!("Not put back, because the stock is full: {}", left.join(", "));
        store::insert_history(tx, &order.id, who, &what, now).await?;
    }
    Ok(())
}

/// What the history will say, a line for each thing that changed.
fn changes(before: &Order, edit: &Edit, refunded: Option<Cents>) -> Vec<String> {
    let mut lines = Vec::new();
    if before.status != edit.status {
        lines.push(format!("Status changed from {} to {}", before.status.as_str(), edit.status.as_str()));
    }
    if let Some(refunded) = refunded
        && let Ok(amount) = refunded.checked_sub(before.payment.refunded)
        && amount > Cents::ZERO
    {
        lines.push(format!("{amount} refunded"));
    }
    if before.address != edit.address {
        lines.push("Shipping address changed".to_owned());
    }
    match (&before.tracking_number, &edit.tracking_number) {
        (old, new) if old == new => {}
        (_, Some(number)) => lines.push(format!("Tracking number set to {number}")),
        (_, None) => lines.push("Tracking number removed".to_owned()),
    }
    lines
}

/// A mail when the parcel leaves and when the money comes back; each at most once.
async fn tell_customer(
    tx: &mut AnyConnection,
    shop: &app::mail::ShopInfo,
    before: &Order,
    after: &Order,
    now: i64,
) -> Result<(), Error> {
    if before.status != OrderStatus::Shipped && after.status == OrderStatus::Shipped {
        let key = format!("shipped:{}:{}", after.id, after.tracking_number.as_deref().unwrap_or_default());
        customer_mail::send(tx, after, key, app::mail::shipped(shop, after), now).await?;
    }
    let back = after.payment.refunded.checked_sub(before.payment.refunded)?;
    if back > Cents::ZERO {
        let key = format!("refunded:{}:{}", after.id, after.payment.refunded.cents());
        customer_mail::send(tx, after, key, app::mail::refunded(shop, after, back), now).await?;
    }
    Ok(())
}
