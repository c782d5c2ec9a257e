//! The one way to an order. The browser's return, the webhook and the reconciler all come here, in any order
//! and any number of times; a unique key decides, and everybody gets the same order.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use serde::{Deserialize, Serialize};
use sqlx::AnyConnection;
use utoipa::ToSchema;
use wasm_core::money::Cents;
use wasm_core::orders::{Order, OrderItem};
use wasm_core::validation::Address;

use super::attention::Shopkeeper;
use super::intent::TABLE_CALCULATION;
use super::provider::{Budget, CURRENCY, Intent, IntentState};
use super::reserve::{self, expired};
use super::return_payment::{give_money_back, returned};
use super::store::{self, Checkout};
use super::tax_records;
use super::webhook::SHOP;
use crate::auth::SignedIn;
use crate::catalogue::store::{Cause, insert_stock_change};
use crate::error::{Code, Error};
use crate::extract::Body;
use crate::facts;
use crate::orders::customer_mail;
use crate::orders::store::{self as orders, NewOrder};
use crate::refusals::refusals;
use crate::shop::Shop;

#[derive(Deserialize, ToSchema)]
pub struct CreateOrder {
    #[serde(rename = "paymentIntentId", default)]
    #[schema(required)]
    payment_intent_id: String,
}

#[derive(Serialize, ToSchema)]
pub struct CreatedOrder {
    #[serde(rename = "orderId")]
    order_id: String,
}

/// An order and whether this very call made it.
#[derive(Clone, Debug)]
pub struct Finalized {
    pub id: String,
    pub made_now: Made,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Made {
    Now,
    Before,
}

refusals!(OrderRefusals: [BODY, SIGNED_IN] PaymentNotCompleted NotFound InsufficientStockError IntentExpired PaymentProviderUnavailable);

/// The order of one's own paid intent: 201 for the call that made it, 200 for every other.
#[utoipa::path(
    post,
    path = "/api/orders",
    tag = "Checkout",
    request_body = CreateOrder,
    security(("accessToken" = [])),
    responses((status = 201, description = "The order, made now.", body = CreatedOrder), (status = 200, description = "The order, made before.", body = CreatedOrder), OrderRefusals),
)]
pub async fn create_order(
    State(shop): State<Arc<Shop>>,
    SignedIn(caller): SignedIn,
    Body(body): Body<CreateOrder>,
) -> Result<(StatusCode, Json<CreatedOrder>), Error> {
    let intent_id = body.payment_intent_id.trim();
    if intent_id.is_empty() {
        return Err(Error::invalid_field("paymentIntentId", "This is required."));
    }
    let owner = store::find_by_intent(shop.db.read(), intent_id).await?.map(|checkout| checkout.user_id);
    if owner.as_deref() != Some(caller.user_id.as_str()) {
        return Err(Error::not_found("Payment"));
    }
    let order = finalize(&shop, intent_id).await?;
    let status = match order.made_now {
        Made::Now => StatusCode::CREATED,
        Made::Before => StatusCode::OK,
    };
    Ok((status, Json(CreatedOrder { order_id: order.id })))
}

/// Makes the order of a paid intent, or finds the one it has.
///
/// # Errors
/// 402 while it is not paid, 409 `IntentExpired` once it cannot be, 404 for an intent that is not ours. A
/// payment that does not match its quote, or whose goods are gone, is refunded in full and is a 409.
pub async fn finalize(shop: &Arc<Shop>, intent_id: &str) -> Result<Finalized, Error> {
    let checkout =
        store::find_by_intent(shop.db.read(), intent_id).await?.ok_or_else(|| Error::not_found("Payment"))?;
    match checkout.state {
        store::State::Ordered => return existing(shop, &checkout).await,
        store::State::Returned => return Err(returned()),
        store::State::Open | store::State::Closed => {}
    }
    let budget = Budget::start();
    let intent = shop.provider.retrieve_intent(budget, intent_id).await?;
    match intent.state {
        IntentState::Succeeded => {}
        IntentState::Canceled => return Err(expired()),
        IntentState::Unpaid => {
            return Err(Error::new(Code::PaymentNotCompleted, "This payment is not complete yet."));
        }
    }
    if let Some(mismatch) = mismatch(shop, &checkout, &intent) {
        return give_money_back(shop, budget, &checkout, &intent, mismatch).await;
    }
    match make_order(shop, &checkout, &intent).await? {
        Outcome::Made(id) => {
            shop.mail_waiting.notify_one();
            Ok(Finalized { id, made_now: Made::Now })
        }
        Outcome::MadeBefore => existing(shop, &checkout).await,
        Outcome::Returned => Err(returned()),
        Outcome::GoodsGone(product) => {
            let reason = format!("{product} sold out before your payment arrived.");
            give_money_back(shop, budget, &checkout, &intent, reason).await
        }
    }
}

enum Outcome {
    Made(String),
    MadeBefore,
    Returned,
    GoodsGone(String),
}

/// What differs between the payment and what was quoted; each is refused, whatever the others say.
fn mismatch(shop: &Shop, checkout: &Checkout, intent: &Intent) -> Option<String> {
    if Some(intent.amount_received) != checkout.total {
        return Some(format!("You paid {}, which is not the sum we had asked for.", intent.amount_received));
    }
    if intent.currency != CURRENCY {
        return Some(format!("You paid in {}, not in US dollars.", intent.currency));
    }
    if let Some(refunded) = intent.refunded.filter(|refunded| *refunded > Cents::ZERO) {
        return Some(format!("{refunded} of it had already been given back."));
    }
    if !shop.provider.same_mode(intent) {
        return Some("A test and a live payment were mixed up.".to_owned());
    }
    // The checkout was found by the id that the provider gave its intent; metadata can only contradict that.
    if intent.checkout_id.as_ref().is_some_and(|id| *id != checkout.id) {
        return Some("The payment belongs to another checkout.".to_owned());
    }
    None
}

async fn make_order(shop: &Arc<Shop>, checkout: &Checkout, intent: &Intent) -> Result<Outcome, Error> {
    let now = shop.clock.now_ms();
    let shopkeeper = Shopkeeper::of(shop);
    let checkout = checkout.clone();
    let billing = intent.billing.clone().unwrap_or_else(|| checkout.address.clone());
    let live_intent = shop.provider.is_live().then(|| intent.id.clone());
    let written = shop
        .db
        .write(move |tx| {
            let (checkout, billing) = (checkout.clone(), billing.clone());
            let (shopkeeper, live_intent) = (shopkeeper.clone(), live_intent.clone());
            Box::pin(async move {
                let state = store::take_checkout(tx, &checkout.id).await?;
                match state {
                    store::State::Ordered => return Ok(Outcome::MadeBefore),
                    store::State::Returned => return Ok(Outcome::Returned),
                    store::State::Open | store::State::Closed => {}
                }
                if !store::change_state(tx, &checkout.id, state, store::State::Ordered).await? {
                    return Ok(Outcome::MadeBefore);
                }
                let lines = store::list_lines(tx, &checkout.id).await?;
                for line in &lines {
                    let sold = match state {
                        store::State::Open => {
                            reserve::store::sell_reserved(tx, &line.product_id, line.quantity).await?
                        }
                        _ => reserve::store::sell_unreserved(tx, &line.product_id, line.quantity).await?,
                    };
                    if !sold {
                        // Everything above is rolled back by the marker error.
                        return Err(goods_gone(&line.product_name));
                    }
                }
                let order = orders::insert_order(tx, new_order(&checkout, &billing, &lines, now)?).await?;
                for line in &lines {
                    insert_stock_change(tx, &line.product_id, -line.quantity, Cause::Sold, Some(&order.id), SHOP, now)
                        .await?;
                }
                if !taxed_by_table(&checkout) {
                    tax_records::store::insert_sale(tx, &order.id, now).await?;
                }
                if let Some(intent_id) = live_intent {
                    facts::set(tx, facts::LIVE_PAYMENT, &intent_id).await?;
                }
                tell(tx, &shopkeeper, &order, now).await?;
                Ok(Outcome::Made(order.id))
            })
        })
        .await;
    match written {
        Err(error) if error.code() == Code::InsufficientStockError => {
            Ok(Outcome::GoodsGone(error.message().to_owned()))
        }
        other => other,
    }
}

/// Only what the provider calculated can be recorded there.
fn taxed_by_table(checkout: &Checkout) -> bool {
    checkout.tax_calculation.as_ref().is_some_and(|tax| tax.id.starts_with(TABLE_CALCULATION))
}

fn new_order<'a>(
    checkout: &'a Checkout,
    billing_address: &'a Address,
    items: &'a [OrderItem],
    now: i64,
) -> Result<NewOrder<'a>, Error> {
    let (Some(tax), Some(total), Some(payment_intent_id)) =
        (&checkout.tax_calculation, checkout.total, &checkout.payment_intent_id)
    else {
        return Err(Error::internal("a paid checkout without its quote"));
    };
    Ok(NewOrder {
        user_id: &checkout.user_id,
        user_email: &checkout.user_email,
        checkout_id: &checkout.id,
        payment_intent_id,
        address: &checkout.address,
        billing_address,
        items,
        subtotal: checkout.subtotal,
        shipping: checkout.shipping,
        tax,
        total,
        now,
    })
}

/// The receipt for the customer and the news for the shopkeeper.
async fn tell(tx: &mut AnyConnection, shopkeeper: &Shopkeeper, order: &Order, now: i64) -> Result<(), Error> {
    let shop = &shopkeeper.mail_shop;
    let key = format!("receipt:{}", order.id);
    customer_mail::send(tx, order, key, app::mail::receipt(shop, order), now).await?;
    shopkeeper.tell(tx, format!("new-order:{}", order.id), app::mail::new_order(shop, order), now).await
}

async fn existing(shop: &Shop, checkout: &Checkout) -> Result<Finalized, Error> {
    let id = orders::load_id_by_checkout(shop.db.read(), &checkout.id).await?;
    Ok(Finalized { id, made_now: Made::Before })
}

fn goods_gone(product: &str) -> Error {
    Error::new(Code::InsufficientStockError, product)
}
