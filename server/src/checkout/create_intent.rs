//! `POST /api/payments/create-intent`: a quote on the database's prices, its stock reserved, ready to be paid.

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

use super::finalize::finalize;
use super::intent::{self, Prepared};
use super::provider::{Budget, CURRENCY, Cancellation, NewIntent};
use super::reserve::{self, reserve};
use super::store::{self, Checkout, CloseReason};
use super::unknown_payment;
use super::webhook::Note;
use crate::auth::SignedIn;
use crate::http::error::Error;
use crate::http::error_details::{Details, PlacedOrder};
use crate::http::error_responses::error_responses;
use crate::http::extract::Body;
use crate::infra::clock::rfc3339;
use crate::limits;
use crate::limits::address::ClientAddress;
use crate::shop::Shop;

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
    #[schema(min_length = 1)]
    product_id: String,
    #[serde(deserialize_with = "whole_number")]
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

impl CreatedIntent {
    fn of(Prepared { intent, tax, total, checkout }: Prepared) -> Self {
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

/// What was asked for, checked, with the lines of one product added up.
#[derive(Clone, Serialize)]
pub struct Request {
    pub address: Address,
    pub quantities: BTreeMap<String, i64>,
}

impl Request {
    /// Equal for equal requests: an unchanged one gets its open intent again.
    pub fn fingerprint(&self) -> Result<String, Error> {
        serde_json::to_string(self).map_err(Error::internal)
    }
}

error_responses!(IntentErrors: [BODY, SIGNED_IN] NotFound InsufficientStockError IntentExpired TooManyRequests PaymentProviderUnavailable TaxUnavailable);

/// The intent to pay and what it comes to, line by line.
#[utoipa::path(
    post,
    path = "/api/payments/create-intent",
    tag = "Checkout",
    request_body = CreateIntent,
    security(("accessToken" = [])),
    responses((status = 200, description = "Quoted, reserved and ready to be paid.", body = CreatedIntent), IntentErrors),
)]
pub async fn create_intent(
    State(shop): State<Arc<Shop>>,
    SignedIn(caller): SignedIn,
    client: ClientAddress,
    Body(body): Body<CreateIntent>,
) -> Result<Json<CreatedIntent>, Error> {
    let replaces = body.replaces.clone();
    let request = check(body)?;
    let mut uses = client.usages(limits::QUOTES_PER_ADDRESS);
    uses.extend([limits::QUOTES_PER_MINUTE, limits::QUOTES_PER_DAY].map(|rule| (rule, caller.user_id.clone())));
    limits::check_each(&shop, &uses).await?;
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
    let checkout_id = checkout.id.clone();
    match intent::prepare(&shop, budget, checkout, lines).await {
        Ok(prepared) => Ok(Json(CreatedIntent::of(prepared))),
        Err(error) => {
            reserve::give_back(&shop, checkout_id, CloseReason::NotPrepared).await?;
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
    if !is_fresh || old.fingerprint != request.fingerprint()? {
        return Ok(None);
    }
    let mut connection = shop.db.read().acquire().await?;
    for line in store::list_lines(&mut connection, &old.id).await? {
        match reserve::store::find_offer(&mut connection, &line.product_id).await? {
            Some(offer) if offer.price == line.price => {}
            _ => return Ok(None),
        }
    }
    let intent = NewIntent { id: intent_id.clone(), client_secret: secret.clone() };
    Ok(Some(CreatedIntent::of(Prepared { intent, tax: tax.clone(), total, checkout: old.clone() })))
}

/// The old intent can no longer be paid once this returns; its stock is still reserved.
async fn cancel_replaced(shop: &Arc<Shop>, budget: Budget, old: &Checkout) -> Result<(), Error> {
    let Some(intent_id) = &old.payment_intent_id else {
        return Ok(());
    };
    match shop.provider.cancel_intent(budget, intent_id).await? {
        Cancellation::Canceled => Ok(()),
        Cancellation::Unknown => unknown_payment::close(shop, old, &Note::none()).await,
        Cancellation::AlreadyPaid => {
            let order = finalize(shop, intent_id, &Note::none()).await?;
            Err(Error::with_details(
                Details::IntentExpired(PlacedOrder { order_id: order.id }),
                "Your payment has already gone through. You will find the order in your account.",
            ))
        }
    }
}
