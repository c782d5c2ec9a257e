//! `POST /api/payments/create-intent`: quotes a cart, reserves its stock and creates the payment intent.

use std::collections::BTreeMap;
use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa::openapi::Object;
use utoipa::openapi::schema::{ObjectBuilder, Type};
use wasm_core::money::Cents;
use wasm_core::pricing::TaxCalculation;
use wasm_core::validation::{Address, FieldErrors, MAX_LINES, MAX_QUANTITY, parse_quantity};
use wasm_core::wire::whole_number;

use super::checkout_state::{CheckoutState, CloseReason};
use super::errors::already_paid;
use super::finalize::finalize;
use super::intent::{self, PreparedCheckout};
use super::provider::{CURRENCY, Cancellation, Deadline, IntentState, NewIntent};
use super::reserve::{self, CheckoutRequest, reserve};
use super::store::{self, StoredCheckout};
use super::unknown_payment;
use super::webhook_events::ProcessedEvent;
use crate::accounts::SignedIn;
use crate::catalog::products::stock::store as stock;
use crate::checkout::Checkout;
use crate::checkout::metrics::OrderSource;
use crate::error::Error;
use crate::error::responses::error_responses;
use crate::http::client_address::ClientAddress;
use crate::http::extract::Body;
use crate::infra::clock::rfc3339;
use crate::infra::request_id;
use crate::limits;
use crate::orders::store as orders;

#[derive(Deserialize, ToSchema)]
#[schema(examples(json!({
    "currency": "usd",
    "shippingAddress": {
        "name": "Ada Lovelace",
        "address": { "line1": "12 Lamp Street", "city": "Brightwater", "state": "CA", "postal_code": "94110", "country": "US" },
    },
    "items": [{ "product_id": "0193a1b2-6c3d-7e4f-8a5b-1c2d3e4f5a6b", "quantity": 2 }],
})))]
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
    /// Id of an open intent of the same customer, which the new one replaces.
    replaces: Option<String>,
}

#[derive(Deserialize, ToSchema)]
#[schema(as = IntentItem)]
struct Item {
    #[schema(min_length = 1)]
    product_id: String,
    #[serde(deserialize_with = "whole_number")]
    #[schema(schema_with = quantity_schema)]
    quantity: i64,
}

fn currency_schema() -> Object {
    ObjectBuilder::new().schema_type(Type::String).enum_values(Some([CURRENCY])).build()
}

fn quantity_schema() -> Object {
    ObjectBuilder::new().schema_type(Type::Integer).minimum(Some(1)).maximum(Some(MAX_QUANTITY)).build()
}

#[derive(Serialize, ToSchema)]
#[schema(examples(json!({
    "paymentIntent": { "id": "pi_3PqLkX2eZvKYlo2C1f9Nd0aB", "client_secret": "pi_3PqLkX2eZvKYlo2C1f9Nd0aB_secret_Yx4b" },
    "taxCalculation": {
        "id": "taxcalc_1PqLkX2eZvKYlo2C",
        "tax_amount_exclusive": 362,
        "tax_breakdown": [{
            "amount": 362,
            "tax_rate_details": { "percentage_decimal": "7.25", "country": "US", "state": "CA", "tax_type": "sales_tax" },
        }],
    },
    "shippingCost": 6.2,
    "subtotal": 49.98,
    "total": 59.8,
    "expires_at": "2026-12-24T18:30:00Z",
})))]
pub struct CreatedIntent {
    #[serde(rename = "paymentIntent")]
    payment_intent: PaymentIntent,
    #[serde(rename = "taxCalculation")]
    tax_calculation: TaxCalculation,
    #[serde(rename = "shippingCost")]
    shipping_cost: Cents,
    subtotal: Cents,
    total: Cents,
    /// End of the reservation, RFC 3339 in UTC.
    #[schema(examples("2026-12-24T18:30:00Z"))]
    expires_at: String,
}

#[derive(Serialize, ToSchema)]
struct PaymentIntent {
    id: String,
    client_secret: String,
}

impl CreatedIntent {
    fn of(PreparedCheckout { intent, tax, total, checkout }: PreparedCheckout) -> Self {
        Self {
            payment_intent: PaymentIntent { id: intent.id, client_secret: intent.client_secret },
            tax_calculation: tax,
            shipping_cost: checkout.shipping,
            subtotal: checkout.subtotal,
            total,
            expires_at: rfc3339(checkout.expires_at),
        }
    }
}

error_responses!(IntentErrors: [BODY, SIGNED_IN] NotFound InsufficientStockError IntentExpired TooManyRequests PaymentProviderUnavailable TaxUnavailable);

/// Create a payment intent
///
/// Returns the payment intent to confirm with Stripe.js, and the quote: subtotal, shipping, tax and total. The stock is
/// reserved until `expires_at`. With `replaces`, the earlier intent is canceled first; an unchanged request returns the
/// same intent again. An intent that was paid is not replaced: its order is made, and an `IntentExpired` names it. An
/// invalid address or cart is a 400, too little stock an `InsufficientStockError`, too many open checkouts are a 429.
#[utoipa::path(
    post,
    path = "/api/payments/create-intent",
    tag = "Checkout",
    operation_id = "create_payment_intent",
    request_body = CreateIntent,
    security(("accessToken" = [])),
    responses((status = 200, description = "The payment intent and its quote.", body = CreatedIntent), IntentErrors),
)]
pub async fn create_intent(
    State(state): State<Arc<Checkout>>,
    SignedIn(caller): SignedIn,
    client: ClientAddress,
    Body(body): Body<CreateIntent>,
) -> Result<Json<CreatedIntent>, Error> {
    let replaces = body.replaces.clone();
    let request = validate(body)?;
    let mut usages = client.usages(limits::QUOTES_PER_ADDRESS);
    usages.extend([limits::QUOTES_PER_MINUTE, limits::QUOTES_PER_DAY].map(|rule| (rule, caller.user_id.clone())));
    limits::check_each(&state.limits, &usages).await?;
    let replaced = match replaces {
        Some(intent_id) => find_replaced(&state, &caller.user_id, &intent_id).await?,
        None => None,
    };
    let deadline = Deadline::start();
    if let Some(old) = &replaced {
        if let Some(unchanged) = find_unchanged(&state, deadline, old, &request).await? {
            return Ok(Json(unchanged));
        }
        cancel_replaced(&state, deadline, old).await?;
    }
    let (checkout, items) = reserve(&state, &caller, &request, replaced.as_ref()).await?;
    let checkout_id = checkout.id.clone();
    match intent::prepare(&state, deadline, checkout, items).await {
        Ok(prepared) => {
            request_id::record_payment(&prepared.intent.id);
            Ok(Json(CreatedIntent::of(prepared)))
        }
        Err(error) => {
            reserve::release(&state, checkout_id, CloseReason::NotPrepared).await?;
            Err(error)
        }
    }
}

fn validate(body: CreateIntent) -> Result<CheckoutRequest, Error> {
    let mut fields = FieldErrors::default();
    if body.currency != CURRENCY {
        fields.insert("currency", "The currency must be usd.");
    }
    let quantities = sum_quantities(&body.items, &mut fields);
    let address = match body.shipping_address.validated() {
        Ok(address) => Some(address),
        Err(errors) => {
            fields.merge_nested("shippingAddress", errors);
            None
        }
    };
    match address {
        Some(address) if fields.is_empty() => Ok(CheckoutRequest { address, quantities }),
        _ => Err(Error::invalid(fields)),
    }
}

/// One quantity for each product: the sum of its items.
fn sum_quantities(items: &[Item], fields: &mut FieldErrors) -> BTreeMap<String, i64> {
    if items.is_empty() {
        fields.insert("items", "Your cart is empty.");
    }
    if items.len() > MAX_LINES {
        fields.insert("items", format!("An order can have at most {MAX_LINES} different products."));
    }
    let mut quantities: BTreeMap<String, i64> = BTreeMap::new();
    for (index, item) in items.iter().enumerate() {
        let sum = quantities.entry(item.product_id.clone()).or_default();
        *sum = sum.saturating_add(item.quantity);
        if let Err(message) = parse_quantity(item.quantity).and_then(|_| parse_quantity(*sum)) {
            fields.insert(format!("items[{index}].quantity"), message);
        }
    }
    quantities
}

/// The customer's open checkout of this intent. None for any other intent, and for one that can't be paid anymore.
///
/// # Errors
/// 409 with the order's id if the checkout has become an order.
async fn find_replaced(state: &Checkout, user_id: &str, intent_id: &str) -> Result<Option<StoredCheckout>, Error> {
    let found = store::find_by_intent(state.db.read(), intent_id).await?;
    let Some(checkout) = found.filter(|checkout| checkout.user_id == user_id) else {
        return Ok(None);
    };
    match checkout.state {
        CheckoutState::Open => Ok(Some(checkout)),
        CheckoutState::Ordered => {
            let order_id = orders::load_id_by_checkout(state.db.read(), &checkout.id).await?;
            Err(already_paid(order_id))
        }
        CheckoutState::Closed | CheckoutState::Refunded | CheckoutState::ChargedBack => Ok(None),
    }
}

/// The open intent, if the request and the prices are unchanged.
///
/// # Errors
/// 409 with the order's id if it is paid.
async fn find_unchanged(
    state: &Arc<Checkout>,
    deadline: Deadline,
    old: &StoredCheckout,
    request: &CheckoutRequest,
) -> Result<Option<CreatedIntent>, Error> {
    let is_open = old.expires_at > state.clock.now_ms();
    let (Some(intent_id), Some(secret), Some(tax), Some(total)) =
        (&old.payment_intent_id, &old.client_secret, &old.tax_calculation, old.total)
    else {
        return Ok(None);
    };
    if !is_open || old.fingerprint != request.fingerprint()? {
        return Ok(None);
    }
    let mut connection = state.db.read().acquire().await?;
    for item in store::list_lines(&mut connection, &old.id).await? {
        match stock::find_offer(&mut connection, &item.product_id).await? {
            Some(offer) if offer.price == item.price => {}
            _ => return Ok(None),
        }
    }
    drop(connection);
    match state.provider.find_intent(deadline, intent_id).await?.map(|intent| intent.state) {
        Some(IntentState::Unpaid) => {}
        Some(IntentState::Succeeded) => return Err(finalize_paid(state, intent_id).await?),
        Some(IntentState::Canceled) | None => return Ok(None),
    }
    let intent = NewIntent { id: intent_id.clone(), client_secret: secret.clone() };
    Ok(Some(CreatedIntent::of(PreparedCheckout { intent, tax: tax.clone(), total, checkout: old.clone() })))
}

/// Cancels the old intent at the provider. Its stock is still reserved.
async fn cancel_replaced(state: &Arc<Checkout>, deadline: Deadline, old: &StoredCheckout) -> Result<(), Error> {
    let Some(intent_id) = &old.payment_intent_id else {
        return Ok(());
    };
    match state.provider.cancel_intent(deadline, intent_id).await? {
        Cancellation::Canceled => Ok(()),
        Cancellation::Unknown => unknown_payment::close(state, old, &ProcessedEvent::none()).await,
        Cancellation::AlreadyPaid => Err(finalize_paid(state, intent_id).await?),
    }
}

/// Makes the order of a paid intent, and returns the error that names it.
async fn finalize_paid(state: &Arc<Checkout>, intent_id: &str) -> Result<Error, Error> {
    let order = finalize(state, intent_id, &ProcessedEvent::none(), OrderSource::Browser).await?;
    Ok(already_paid(order.id))
}
