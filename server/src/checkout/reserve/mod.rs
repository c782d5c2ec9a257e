//! Quoting and reserving: what the lines cost by the database's prices, and their stock held for one checkout.

mod share;
pub mod store;

use std::collections::BTreeMap;
use std::sync::Arc;

use sqlx::AnyConnection;
use wasm_core::money::Cents;
use wasm_core::orders::OrderItem;
use wasm_core::pricing::{PricedLine, ShippingRates, quote};

use self::share::{Account, Share};
use super::create_intent::Request;
use super::store::{self as checkouts, Checkout, CloseReason, State};
use crate::auth::Caller;
use crate::http::error::{Code, Error};
use crate::http::error_details::{Details, Shortage};
use crate::infra::clock::SECOND;
use crate::shop::Shop;

/// How many unpaid intents one account may hold at a time.
const MAX_OPEN: i64 = 20;

/// Prices, weighs and reserves in one transaction; the stock of `replaced` counts as free for it.
pub async fn reserve(
    shop: &Arc<Shop>,
    caller: &Caller,
    request: &Request,
    replaced: Option<&Checkout>,
) -> Result<(Checkout, Vec<OrderItem>), Error> {
    let now = shop.clock.now_ms();
    let reservation = shop.config.reservation_seconds * SECOND;
    let (user_id, email, address) = (caller.user_id.clone(), caller.email.clone(), request.address.clone());
    let mut checkout = Checkout {
        fingerprint: request.fingerprint()?,
        ..Checkout::begin(user_id, email, address, now, now + reservation)
    };
    let old_id = replaced.map(|old| old.id.clone());
    if let Some(old) = replaced {
        checkout.chain_began_at = old.chain_began_at;
        checkout.expires_at = checkout.expires_at.min(share::end_of_chain(old.chain_began_at, reservation));
        if checkout.expires_at <= now {
            // Everybody's again, and whoever held it asks like everybody.
            give_back(shop, old.id.clone(), CloseReason::Replaced).await?;
            return Err(expired());
        }
    }
    let (quantities, rates) = (request.quantities.clone(), shop.rates);
    let to_free = old_id.clone();
    let reserved = shop
        .db
        .write_closure(move |tx| {
            let (checkout, quantities) = (checkout.clone(), quantities.clone());
            let to_free = to_free.clone();
            Box::pin(async move { hold(tx, checkout, quantities, to_free, reservation, &rates).await })
        })
        .await;
    if reserved.is_err()
        && let Some(old_id) = old_id
    {
        // Its intent is cancelled already; what it held goes back although the new one could not be made.
        give_back(shop, old_id, CloseReason::Replaced).await?;
    }
    reserved
}

/// Frees what `to_free` held, takes the goods out of what is available, and writes the checkout with what they cost.
///
/// # Errors
/// 409 where there is not enough of something, or where `to_free` has become an order.
pub async fn hold(
    tx: &mut AnyConnection,
    mut checkout: Checkout,
    quantities: BTreeMap<String, i64>,
    to_free: Option<String>,
    reservation: i64,
    rates: &ShippingRates,
) -> Result<(Checkout, Vec<OrderItem>), Error> {
    checkouts::wait_for_turn(tx, &checkout.user_id).await?;
    if let Some(old_id) = &to_free {
        match checkouts::take_checkout(tx, old_id).await? {
            State::Open => _ = checkouts::close(tx, old_id, CloseReason::Replaced, checkout.created_at).await?,
            // The provider's word of the cancellation came first: what it held is free already.
            State::Closed => {}
            State::Ordered | State::Refunded => return Err(expired()),
        }
    }
    let open = checkouts::count_open(tx, &checkout.user_id).await?;
    // What takes the place of the first checkout is the first one.
    let is_first = match &to_free {
        Some(old_id) => checkouts::count_open_before(tx, &checkout.user_id, old_id).await? == 0,
        None => open == 0,
    };
    if open >= MAX_OPEN {
        return Err(Error::new(
            Code::TooManyRequests,
            "You have too many unpaid checkouts open. Please try again in a few minutes.",
        )
        .retry_after(60));
    }
    let (user_id, now) = (checkout.user_id.clone(), checkout.created_at);
    let account = Account { user_id: &user_id, has_open: !is_first, now, reservation };
    let mut lines = Vec::new();
    let mut priced = Vec::new();
    for (product_id, quantity) in quantities {
        let (share, held_since) = account.share_of(tx, &product_id).await?;
        checkout.held_since = checkout.held_since.min(held_since);
        let Some(offer) = store::reserve(tx, &product_id, quantity, share.needed(quantity)).await? else {
            return Err(why_not(tx, &product_id, quantity, share).await);
        };
        priced.push(PricedLine { price: offer.price, weight: offer.weight, quantity });
        lines.push(OrderItem { product_id, product_name: offer.name, quantity, price: offer.price });
    }
    let country = checkout
        .address
        .address
        .destination()
        .ok_or_else(|| Error::internal("a checked address has no known country"))?;
    let quote = quote(&priced, country, rates, Cents::ZERO)?;
    checkout.subtotal = quote.subtotal;
    checkout.shipping = quote.shipping;
    checkouts::insert_checkout(tx, &checkout, &lines).await?;
    Ok((checkout, lines))
}

/// Closes a checkout that nobody can pay and frees its stock.
pub async fn give_back(shop: &Shop, checkout_id: String, reason: CloseReason) -> Result<(), Error> {
    let now = shop.clock.now_ms();
    shop.db
        .write_closure(move |tx| {
            let checkout_id = checkout_id.clone();
            Box::pin(async move {
                checkouts::close(tx, &checkout_id, reason, now).await?;
                Ok(())
            })
        })
        .await
}

pub fn expired() -> Error {
    Error::new(
        Code::IntentExpired,
        "The time for this payment has run out. Nothing was charged; please start the payment again.",
    )
}

/// Why nothing could be held.
async fn why_not(tx: &mut AnyConnection, product_id: &str, quantity: i64, share: Share) -> Error {
    match store::find_offer(tx, product_id).await {
        Ok(Some(offer)) => insufficient(&offer.name, share.most(offer.available), quantity),
        Ok(None) => no_longer_sold(),
        Err(error) => error,
    }
}

fn no_longer_sold() -> Error {
    Error::invalid_field("items", "A product in your cart is no longer sold. Please remove it.")
}

fn insufficient(product: &str, available: i64, requested: i64) -> Error {
    let sentence = format!("Insufficient stock for {product}. Available: {available}, Requested: {requested}");
    let shortage = Shortage { product: product.to_owned(), available, requested };
    Error::with_details(Details::InsufficientStock(shortage), sentence)
}
