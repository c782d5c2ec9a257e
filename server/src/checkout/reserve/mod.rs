//! Stock reservation: quotes a cart with the database's prices and reserves its stock for one checkout.

mod stock_hold_limits;
pub mod store;

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

use serde::Serialize;
use sha2::{Digest as _, Sha256};
use sqlx::AnyConnection;
use wasm_core::money::Cents;
use wasm_core::orders::OrderItem;
use wasm_core::pricing::{PricedLine, ShippingRates, quote};
use wasm_core::validation::Address;

use self::stock_hold_limits::{Account, Share};
use super::checkout_state::{CheckoutState, CloseReason};
use super::errors::{already_paid, payment_expired};
use super::store::{self as checkouts, StoredCheckout};
use crate::accounts::{Caller, lock_user};
use crate::catalog::products::stock::store::{self as stock, Offer, Reserve};
use crate::checkout::Checkout;
use crate::db::json::to_json;
use crate::error::details::{Details, Shortage};
use crate::error::{Code, Error};
use crate::infra::clock::SECOND;
use crate::orders::store as orders;

/// Open checkouts per account.
const MAX_OPEN: i64 = 20;

/// A validated request for a checkout: one quantity for each product.
#[derive(Clone, Serialize)]
pub struct CheckoutRequest {
    pub address: Address,
    pub quantities: BTreeMap<String, i64>,
}

impl CheckoutRequest {
    /// Equal for equal requests: an unchanged request gets its open payment intent again.
    pub fn fingerprint(&self) -> Result<String, Error> {
        Ok(hex::encode(Sha256::digest(to_json(self)?)))
    }
}

/// The arguments of [`reserve_items`].
pub struct Reservation {
    /// The new checkout, not yet priced.
    pub checkout: StoredCheckout,
    pub quantities: BTreeMap<String, i64>,
    /// Id of the checkout that the new one replaces.
    pub replaces: Option<String>,
    pub duration_ms: i64,
    pub rates: ShippingRates,
}

/// The units of a product that are to be reserved.
#[derive(Clone, Copy, Default)]
struct Wanted {
    quantity: i64,
    share: Share,
}

/// Prices and reserves a cart in one transaction. The stock of `replaced` counts as available.
pub async fn reserve(
    state: &Arc<Checkout>,
    caller: &Caller,
    request: &CheckoutRequest,
    replaced: Option<&StoredCheckout>,
) -> Result<(StoredCheckout, Vec<OrderItem>), Error> {
    let now = state.clock.now_ms();
    let duration_ms = state.config.reservation_seconds * SECOND;
    let (user_id, email, address) = (caller.user_id.clone(), caller.email.clone(), request.address.clone());
    let mut checkout = StoredCheckout {
        fingerprint: request.fingerprint()?,
        ..StoredCheckout::begin(user_id, email, address, now, now + duration_ms)
    };
    if let Some(old) = replaced {
        checkout.chain_began_at = old.chain_began_at;
        checkout.expires_at = checkout.expires_at.min(stock_hold_limits::end_of_chain(old.chain_began_at, duration_ms));
        if checkout.expires_at <= now {
            // The stock becomes available to all accounts before this one may reserve it again.
            release(state, old.id.clone(), CloseReason::Replaced).await?;
            return Err(payment_expired());
        }
    }
    let replaces = replaced.map(|old| old.id.clone());
    let (quantities, rates) = (request.quantities.clone(), state.settings.get().shipping_rates);
    let reservation = Reservation { checkout, quantities, replaces: replaces.clone(), duration_ms, rates };
    let reserved = state.db.write(reservation, |tx, reservation| Box::pin(reserve_items(tx, reservation))).await;
    if reserved.is_err()
        && let Some(old_id) = replaces
    {
        // Its payment intent is canceled already, so its stock is released even without a new checkout.
        release(state, old_id, CloseReason::Replaced).await?;
    }
    reserved
}

/// Closes the replaced checkout, reserves the items, and inserts the priced checkout.
///
/// # Errors
/// 409 if an item is out of stock, or if the replaced checkout has become an order.
pub async fn reserve_items(
    tx: &mut AnyConnection,
    reservation: &Reservation,
) -> Result<(StoredCheckout, Vec<OrderItem>), Error> {
    let mut checkout = reservation.checkout.clone();
    let (now, replaced) = (checkout.created_at, reservation.replaces.as_deref());
    lock_user(tx, &checkout.user_id).await?;
    let released = match replaced {
        Some(old_id) => close_replaced(tx, old_id, now).await?,
        None => Vec::new(),
    };
    let has_open = check_open_checkouts(tx, &checkout.user_id, replaced).await?;
    let user_id = &reservation.checkout.user_id;
    let account = Account { user_id, has_open, now, reservation_ms: reservation.duration_ms };
    let mut wanted = BTreeMap::new();
    for (product_id, &quantity) in &reservation.quantities {
        let (share, held_since) = account.share_of(tx, product_id).await?;
        checkout.held_since = checkout.held_since.min(held_since);
        wanted.insert(product_id.as_str(), Wanted { quantity, share });
    }
    // From here on, others who buy these products wait.
    let mut offers = change_reserved(tx, &wanted, &released).await?;
    let mut items = Vec::new();
    let mut priced = Vec::new();
    for (product_id, &quantity) in &reservation.quantities {
        let Offer { name, price, weight, warranty_months, .. } = offers.remove(product_id).ok_or_else(unavailable)?;
        priced.push(PricedLine { price, weight, quantity });
        items.push(OrderItem { product_id: product_id.clone(), product_name: name, quantity, price, warranty_months });
    }
    let quote = quote(&priced, checkout.destination()?, &reservation.rates, Cents::ZERO)?;
    checkout.subtotal = quote.subtotal;
    checkout.shipping = quote.shipping;
    checkouts::insert_checkout(tx, &checkout, &items).await?;
    Ok((checkout, items))
}

/// Closes the replaced checkout and returns the lines whose stock is to be released.
async fn close_replaced(tx: &mut AnyConnection, old_id: &str, now: i64) -> Result<Vec<OrderItem>, Error> {
    if checkouts::mark_closed(tx, old_id, CloseReason::Replaced, now).await? {
        return checkouts::list_lines(tx, old_id).await;
    }
    match checkouts::lock_checkout(tx, old_id).await? {
        // The provider's event of the cancellation came first and released the stock.
        CheckoutState::Closed => Ok(Vec::new()),
        CheckoutState::Open => Err(Error::internal("an open checkout was not closed")),
        CheckoutState::Ordered => Err(already_paid(orders::load_id_by_checkout(&mut *tx, old_id).await?)),
        CheckoutState::Refunded | CheckoutState::ChargedBack => Err(payment_expired()),
    }
}

/// Whether the account has another open checkout. One that replaces the first counts as the first.
///
/// # Errors
/// 429 for too many open checkouts.
async fn check_open_checkouts(tx: &mut AnyConnection, user_id: &str, replaced: Option<&str>) -> Result<bool, Error> {
    let open = store::count_open(tx, user_id).await?;
    if open >= MAX_OPEN {
        return Err(Error::new(
            Code::TooManyRequests,
            "You have too many checkouts in progress. Please try again in a few minutes.",
        )
        .retry_after(60));
    }
    match replaced {
        Some(old_id) => Ok(store::count_open_before(tx, user_id, old_id).await? > 0),
        None => Ok(open > 0),
    }
}

/// Releases and reserves in one statement. Returns the products that are reserved.
async fn change_reserved(
    tx: &mut AnyConnection,
    wanted: &BTreeMap<&str, Wanted>,
    released: &[OrderItem],
) -> Result<HashMap<String, Offer>, Error> {
    let released: BTreeMap<&str, i64> = released.iter().map(|line| (line.product_id.as_str(), line.quantity)).collect();
    let products: BTreeSet<&str> = wanted.keys().chain(released.keys()).copied().collect();
    let changes = products.into_iter().map(|product_id| {
        let Wanted { quantity, share } = wanted.get(product_id).copied().unwrap_or_default();
        Reserve {
            product_id: product_id.to_owned(),
            released: released.get(product_id).copied().unwrap_or_default(),
            quantity,
            needed: share.needed(quantity),
        }
    });
    let changes: Vec<_> = changes.collect();
    let offers = stock::reserve(tx, &changes).await?;
    match changes.iter().find(|change| change.quantity > 0 && !offers.contains_key(&change.product_id)) {
        None => Ok(offers),
        Some(Reserve { product_id, released, quantity, .. }) => {
            let Some(offer) = stock::find_offer(tx, product_id).await? else { return Err(unavailable()) };
            let share = wanted.get(product_id.as_str()).copied().unwrap_or_default().share;
            Err(insufficient_stock(&offer.name, share.limit(offer.available + released), *quantity))
        }
    }
}

/// Closes a checkout that cannot be paid and releases its stock.
pub async fn release(state: &Checkout, checkout_id: String, reason: CloseReason) -> Result<(), Error> {
    state
        .db
        .write((checkout_id, reason, state.clock.now_ms()), |tx, (checkout_id, reason, now)| {
            Box::pin(async move { checkouts::close(tx, checkout_id, *reason, *now).await.map(drop) })
        })
        .await
}

fn unavailable() -> Error {
    Error::invalid_field("items", "A product in your cart is no longer available. Please remove it.")
}

fn insufficient_stock(product: &str, available: i64, requested: i64) -> Error {
    let message = format!("Insufficient stock for {product}. Available: {available}, Requested: {requested}");
    let shortage = Shortage { product: product.to_owned(), available, requested };
    Error::with_details(Details::InsufficientStock(shortage), message)
}
