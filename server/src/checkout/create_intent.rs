//! `POST /api/payments/create-intent`: a quote on the database's prices, its stock reserved, ready to be paid.

use std::collections::BTreeMap;
use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use serde::{Deserialize, Serialize};
use serde_json::json;
use utoipa::ToSchema;
use utoipa::openapi::Object;
use utoipa::openapi::schema::{ObjectBuilder, Type};
use wasm_core::cart::MAX_LINES;
use wasm_core::money::Cents;
use wasm_core::orders::OrderItem;
use wasm_core::pricing::{PricedLine, TaxCalculation, quote, table_tax};
use wasm_core::validation::{Address, FieldErrors, MAX_QUANTITY, parse_quantity};

use super::provider::{Budget, CURRENCY, Cancellation, TaxLine};
use super::store::{self, Checkout};
use crate::auth::{Caller, SignedIn};
use crate::clock::{SECOND, rfc3339};
use crate::config::TaxSource;
use crate::error::{Code, Error};
use crate::extract::Body;
use crate::refusals::refusals;
use crate::shop::Shop;
use crate::{chance, checkout::finalize};

/// How many unpaid intents one account may hold at a time.
const MAX_OPEN: i64 = 20;

#[derive(Deserialize, ToSchema)]
pub struct CreateIntent {
    #[serde(default)]
    #[schema(schema_with = currency_schema, required)]
    currency: String,
    #[serde(rename = "shippingAddress", default)]
    #[schema(required)]
    shipping_address: Address,
    #[serde(default)]
    #[schema(required, min_items = 1)]
    items: Vec<Item>,
    /// An open intent of the same person that this one takes the place of.
    replaces: Option<String>,
}

#[derive(Deserialize, ToSchema)]
#[schema(as = IntentItem)]
struct Item {
    product_id: String,
    #[schema(schema_with = quantity_schema)]
    quantity: i64,
}

/// The one currency there is.
fn currency_schema() -> Object {
    ObjectBuilder::new().schema_type(Type::String).enum_values(Some([CURRENCY])).build()
}

fn quantity_schema() -> Object {
    ObjectBuilder::new().schema_type(Type::Integer).minimum(Some(1)).maximum(Some(MAX_QUANTITY)).build()
}

#[derive(Serialize, ToSchema)]
pub struct CreatedIntent {
    #[serde(rename = "paymentIntent")]
    payment_intent: PaymentIntent,
    #[serde(rename = "taxCalculation")]
    tax_calculation: TaxCalculation,
    #[serde(rename = "shippingCost")]
    shipping_cost: Cents,
    subtotal: Cents,
    total: Cents,
    #[serde(rename = "expiresAt")]
    expires_at: String,
}

#[derive(Serialize, ToSchema)]
struct PaymentIntent {
    id: String,
    client_secret: String,
}

/// What was asked for, checked, with the lines of one product added up.
#[derive(Clone, Serialize)]
struct Request {
    address: Address,
    quantities: BTreeMap<String, i64>,
}

refusals!(IntentRefusals: [BODY, SIGNED_IN] NotFound InsufficientStockError IntentExpired TooManyRequests PaymentProviderUnavailable TaxUnavailable);

/// The intent to pay and what it comes to, line by line.
#[utoipa::path(
    post,
    path = "/api/payments/create-intent",
    tag = "Checkout",
    request_body = CreateIntent,
    security(("accessToken" = [])),
    responses((status = 200, description = "Quoted, reserved and ready to be paid.", body = CreatedIntent), IntentRefusals),
)]
pub async fn create_intent(
    State(shop): State<Arc<Shop>>,
    SignedIn(caller): SignedIn,
    Body(body): Body<CreateIntent>,
) -> Result<Json<CreatedIntent>, Error> {
    let replaces = body.replaces.clone();
    let request = check(body)?;
    let replaced = match replaces {
        Some(intent_id) => store::find_open_of(shop.db.read(), &caller.user_id, &intent_id).await?,
        None => None,
    };
    let budget = Budget::start();
    if let Some(old) = &replaced {
        if let Some(same) = unchanged(&shop, old, &request).await? {
            return Ok(Json(same));
        }
        cancel_replaced(&shop, budget, old).await?;
    }
    let (checkout, lines) = reserve(&shop, &caller, &request, replaced.as_ref()).await?;
    match ask_provider(&shop, budget, checkout, lines).await {
        Ok(created) => Ok(Json(created)),
        Err((checkout_id, error)) => {
            give_back(&shop, checkout_id).await?;
            Err(error)
        }
    }
}

fn check(body: CreateIntent) -> Result<Request, Error> {
    let mut fields = FieldErrors::default();
    if body.currency != CURRENCY {
        fields.insert("currency", "The currency must be usd.");
    }
    if body.items.is_empty() {
        fields.insert("items", "Your cart is empty.");
    }
    if body.items.len() > MAX_LINES {
        fields.insert("items", format!("An order holds at most {MAX_LINES} different products."));
    }
    let mut quantities: BTreeMap<String, i64> = BTreeMap::new();
    for (index, item) in body.items.iter().enumerate() {
        if let Err(sentence) = parse_quantity(item.quantity) {
            fields.insert(format!("items[{index}].quantity"), sentence);
        }
        let sum = quantities.entry(item.product_id.clone()).or_default();
        *sum = sum.saturating_add(item.quantity);
        if parse_quantity(item.quantity).is_ok()
            && let Err(sentence) = parse_quantity(*sum)
        {
            fields.insert(format!("items[{index}].quantity"), sentence);
        }
    }
    let address = match body.shipping_address.validated() {
        Ok(address) => Some(address),
        Err(errors) => {
            fields.merge_under("shippingAddress", errors);
            None
        }
    };
    match address {
        Some(address) if fields.is_empty() => Ok(Request { address, quantities }),
        _ => Err(Error::invalid(fields)),
    }
}

/// The open intent itself, when it already is what is asked for and prices have not moved.
async fn unchanged(shop: &Shop, old: &Checkout, request: &Request) -> Result<Option<CreatedIntent>, Error> {
    let is_fresh = old.expires_at > shop.clock.now_ms();
    let (Some(intent_id), Some(secret), Some(tax), Some(total)) =
        (&old.payment_intent_id, &old.client_secret, &old.tax_calculation, old.total)
    else {
        return Ok(None);
    };
    if !is_fresh || old.fingerprint != fingerprint(request)? {
        return Ok(None);
    }
    let mut connection = shop.db.read().acquire().await?;
    for line in store::list_lines(&mut connection, &old.id).await? {
        match store::find_offer(&mut connection, &line.product_id).await? {
            Some(offer) if offer.price == line.price => {}
            _ => return Ok(None),
        }
    }
    Ok(Some(CreatedIntent {
        payment_intent: PaymentIntent { id: intent_id.clone(), client_secret: secret.clone() },
        tax_calculation: tax.clone(),
        shipping_cost: old.shipping,
        subtotal: old.subtotal,
        total,
        expires_at: rfc3339(old.expires_at),
    }))
}

/// The old intent can no longer be paid once this returns; its stock is still reserved.
async fn cancel_replaced(shop: &Arc<Shop>, budget: Budget, old: &Checkout) -> Result<(), Error> {
    let Some(intent_id) = &old.payment_intent_id else {
        return Ok(());
    };
    match shop.provider.cancel_intent(budget, intent_id).await? {
        Cancellation::Canceled => Ok(()),
        Cancellation::AlreadyPaid => {
            let order = finalize::finalize(shop, intent_id).await?;
            Err(Error::new(
                Code::IntentExpired,
                "Your payment has already gone through. You will find the order in your account.",
            )
            .with_details(json!({ "orderId": order.id })))
        }
    }
}

/// Prices, weighs and reserves in one transaction; the stock of `replaced` counts as free for it.
async fn reserve(
    shop: &Arc<Shop>,
    caller: &Caller,
    request: &Request,
    replaced: Option<&Checkout>,
) -> Result<(Checkout, Vec<OrderItem>), Error> {
    let now = shop.clock.now_ms();
    let checkout = Checkout {
        id: chance::new_id(),
        user_id: caller.user_id.clone(),
        user_email: caller.email.clone(),
        payment_intent_id: None,
        client_secret: None,
        state: store::State::Open,
        fingerprint: fingerprint(request)?,
        address: request.address.clone(),
        subtotal: Cents::ZERO,
        shipping: Cents::ZERO,
        tax: None,
        total: None,
        tax_calculation: None,
        created_at: now,
        expires_at: now + shop.config.reservation_seconds * SECOND,
    };
    let old_id = replaced.map(|old| old.id.clone());
    let (quantities, rates) = (request.quantities.clone(), shop.rates);
    let to_free = old_id.clone();
    let reserved = shop
        .db
        .write(move |tx| {
            let (mut checkout, quantities) = (checkout.clone(), quantities.clone());
            let to_free = to_free.clone();
            Box::pin(async move {
                if let Some(old_id) = to_free
                    && !store::release(tx, &old_id, store::State::Closed).await?
                {
                    // Another call has replaced it in the meantime, or it has run out.
                    return Err(expired());
                }
                if store::count_open(tx, &checkout.user_id).await? >= MAX_OPEN {
                    return Err(Error::new(
                        Code::TooManyRequests,
                        "You have too many unpaid checkouts open. Please try again in a few minutes.",
                    )
                    .retry_after(60));
                }
                let mut lines = Vec::new();
                let mut priced = Vec::new();
                for (product_id, quantity) in quantities {
                    let Some(offer) = store::find_offer(tx, &product_id).await? else {
                        return Err(no_longer_sold());
                    };
                    if !store::reserve(tx, &product_id, quantity).await? {
                        return Err(insufficient(&offer.name, offer.available, quantity));
                    }
                    priced.push(PricedLine { price: offer.price, weight: offer.weight, quantity });
                    lines.push(OrderItem { product_id, product_name: offer.name, quantity, price: offer.price });
                }
                let country = checkout
                    .address
                    .address
                    .destination()
                    .ok_or_else(|| Error::internal("a checked address has no known country"))?;
                let quote = quote(&priced, country, &rates, Cents::ZERO)?;
                checkout.subtotal = quote.subtotal;
                checkout.shipping = quote.shipping;
                store::insert_checkout(tx, &checkout, &lines).await?;
                Ok((checkout, lines))
            })
        })
        .await;
    if reserved.is_err()
        && let Some(old_id) = old_id
    {
        // Its intent is cancelled already; what it held goes back although the new one could not be made.
        give_back(shop, old_id).await?;
    }
    reserved
}

/// Tax and payment intent for a reserved checkout; on failure the checkout's id comes back with the error.
async fn ask_provider(
    shop: &Arc<Shop>,
    budget: Budget,
    checkout: Checkout,
    lines: Vec<OrderItem>,
) -> Result<CreatedIntent, (String, Error)> {
    let checkout_id = checkout.id.clone();
    pay_later(shop, budget, checkout, lines).await.map_err(|error| (checkout_id, error))
}

async fn pay_later(
    shop: &Arc<Shop>,
    budget: Budget,
    checkout: Checkout,
    lines: Vec<OrderItem>,
) -> Result<CreatedIntent, Error> {
    let tax = tax_for(shop, budget, &checkout, &lines).await?;
    let total =
        checkout.subtotal.checked_add(checkout.shipping)?.checked_add(Cents::from_cents(tax.tax_amount_exclusive))?;
    let intent = shop.provider.create_intent(budget, &checkout.id, &checkout.user_id, total).await?;
    let created = CreatedIntent {
        payment_intent: PaymentIntent { id: intent.id.clone(), client_secret: intent.client_secret.clone() },
        tax_calculation: tax.clone(),
        shipping_cost: checkout.shipping,
        subtotal: checkout.subtotal,
        total,
        expires_at: rfc3339(checkout.expires_at),
    };
    let stored = shop
        .db
        .write(move |tx| {
            let (checkout_id, intent_id) = (checkout.id.clone(), intent.id.clone());
            let (secret, tax) = (intent.client_secret.clone(), tax.clone());
            Box::pin(async move { store::set_intent(tx, &checkout_id, &intent_id, &secret, &tax, total).await })
        })
        .await?;
    if stored { Ok(created) } else { Err(expired()) }
}

async fn tax_for(
    shop: &Shop,
    budget: Budget,
    checkout: &Checkout,
    lines: &[OrderItem],
) -> Result<TaxCalculation, Error> {
    let address = &checkout.address.address;
    match shop.config.tax {
        TaxSource::Table => {
            let country = checkout
                .address
                .address
                .destination()
                .ok_or_else(|| Error::internal("a checked address has no known country"))?;
            let tax_breakdown = table_tax(country, &address.state, checkout.subtotal, checkout.shipping)?;
            Ok(TaxCalculation {
                id: format!("table-{}", checkout.id),
                tax_amount_exclusive: tax_breakdown.iter().map(|entry| entry.amount).sum(),
                tax_breakdown,
            })
        }
        TaxSource::Stripe => {
            let lines = lines
                .iter()
                .map(|line| {
                    Ok(TaxLine {
                        reference: line.product_id.clone(),
                        amount: line.price.times(line.quantity)?,
                        quantity: line.quantity,
                    })
                })
                .collect::<Result<Vec<_>, Error>>()?;
            shop.provider.calculate_tax(budget, &checkout.id, lines, checkout.shipping, address).await
        }
    }
}

/// Closes a checkout that nobody can pay and frees its stock.
async fn give_back(shop: &Shop, checkout_id: String) -> Result<(), Error> {
    shop.db
        .write(move |tx| {
            let checkout_id = checkout_id.clone();
            Box::pin(async move {
                store::release(tx, &checkout_id, store::State::Closed).await?;
                Ok(())
            })
        })
        .await
}

fn fingerprint(request: &Request) -> Result<String, Error> {
    serde_json::to_string(request).map_err(Error::internal)
}

pub fn expired() -> Error {
    Error::new(
        Code::IntentExpired,
        "The time for this payment has run out. Nothing was charged; please start the payment again.",
    )
}

fn no_longer_sold() -> Error {
    Error::invalid_field("items", "A product in your cart is no longer sold. Please remove it.")
}

fn insufficient(product: &str, available: i64, requested: i64) -> Error {
    Error::new(
        Code::InsufficientStockError,
        format!("Insufficient stock for {product}. Available: {available}, Requested: {requested}"),
    )
    .with_details(json!({ "product": product, "available": available, "requested": requested }))
}
