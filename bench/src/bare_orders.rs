//! Reference server for purchases: bare axum routes that run the shop's own statements with fixed responses of the
//! provider. It has no layers, verifies no tokens and calls no provider.
//!
//! `bare_orders DATABASE_URL` serves the endpoints of a purchase on the database of a stopped shop.

use std::collections::BTreeMap;
use std::env;
use std::sync::Arc;
use std::time::Duration;

use app::mail::ShopInfo;
use axum::body::Bytes;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode};
use axum::routing::post;
use axum::{Json, Router};
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde::Deserialize;
use serde_json::{Value, json};
use server::accounts::{LiveSession, find_live};
use server::checkout::alerts::Shopkeeper;
use server::checkout::reserve::{Reservation, reserve_items};
use server::checkout::sale::{Sale, SaleResult};
use server::checkout::store::{self as checkouts, StoredCheckout};
use server::checkout::tax_records::store::{self as tax_records, RecordResult};
use server::checkout::webhook_events::{ProcessedEvent, store as events};
use server::db::Db;
use server::error::Error;
use server::infra::clock::{Clock, MINUTE};
use server::mail::outbox;
use tokio::sync::Notify;
use wasm_core::money::Cents;
use wasm_core::pricing::{ShippingRates, TaxCalculation};
use wasm_core::validation::Address;

const RESERVATION_MS: i64 = 15 * MINUTE;

type Failed = (StatusCode, String);

struct Bare {
    db: Db,
    clock: Clock,
    mail_enqueued: Notify,
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let url = env::args().nth(1).ok_or("usage: bare_orders DATABASE_URL")?;
    server::storefront::pages::start_renderer();
    let bare = Arc::new(Bare { db: Db::open(&url).await?, clock: Clock::default(), mail_enqueued: Notify::new() });
    tokio::spawn(send_emails(bare.clone()));
    tokio::spawn(record_taxes(bare.clone()));
    let router = Router::new()
        .route("/api/payments/create-intent", post(create_intent))
        .route("/test-stripe/v1/payment_intents/{id}/confirm", post(confirm))
        .route("/api/orders", post(create_order))
        .with_state(bare);
    bench::serve(router).await
}

#[derive(Deserialize)]
struct Cart {
    #[serde(rename = "shippingAddress")]
    address: Address,
    items: Vec<Item>,
}

#[derive(Deserialize)]
struct Item {
    product_id: String,
    quantity: i64,
}

async fn create_intent(
    State(bare): State<Arc<Bare>>,
    headers: HeaderMap,
    Json(cart): Json<Cart>,
) -> Result<Json<Value>, Failed> {
    let session = bare.session(&headers).await?;
    let checkout = bare.new_checkout(session, cart.address);
    let quantities: BTreeMap<String, i64> =
        cart.items.into_iter().map(|item| (item.product_id, item.quantity)).collect();
    let rates = ShippingRates::default();
    let reservation = Reservation { checkout, quantities, replaces: None, duration_ms: RESERVATION_MS, rates };
    let reserved = bare.db.write(reservation, |tx, reservation| Box::pin(reserve_items(tx, reservation)));
    let (checkout, _) = reserved.await.map_err(failed)?;
    bare.store_intent(checkout).await
}

/// The provider's response to the browser. Its webhook event follows.
async fn confirm(State(bare): State<Arc<Bare>>, Path(id): Path<String>, _card: Bytes) -> Json<Value> {
    let answer = json!({ "id": id, "status": "succeeded" });
    tokio::spawn(async move {
        if let Err(error) = bare.receive_event(&id).await {
            eprintln!("event failed: {error}");
        }
    });
    Json(answer)
}

#[derive(Deserialize)]
struct Paid {
    #[serde(rename = "paymentIntentId")]
    intent_id: String,
}

async fn create_order(
    State(bare): State<Arc<Bare>>,
    headers: HeaderMap,
    Json(paid): Json<Paid>,
) -> Result<(StatusCode, Json<Value>), Failed> {
    bare.session(&headers).await?;
    let checkout = checkouts::find_by_intent(bare.db.read(), &paid.intent_id).await.map_err(failed)?;
    let checkout = checkout.ok_or((StatusCode::NOT_FOUND, "unknown payment".to_owned()))?;
    let sale = Sale {
        billing: checkout.address.clone(),
        card: None,
        checkout,
        live_intent: None,
        shopkeeper: Shopkeeper { mail_shop: mail_shop(), email: None },
        event: ProcessedEvent::none(),
        now: bare.clock.now_ms(),
    };
    let sold = bare.db.write(sale, |tx, sale| Box::pin(sale.write(tx)));
    let SaleResult::Ordered(id) = sold.await.map_err(failed)? else {
        return Err((StatusCode::CONFLICT, "no order".to_owned()));
    };
    bare.mail_enqueued.notify_one();
    Ok((StatusCode::CREATED, Json(json!({ "orderId": id }))))
}

impl Bare {
    /// The session in the token, without verification.
    async fn session(&self, headers: &HeaderMap) -> Result<LiveSession, Failed> {
        let unauthorized = || (StatusCode::UNAUTHORIZED, "invalid token".to_owned());
        let token = headers.get("authorization").and_then(|value| value.to_str().ok()).ok_or_else(unauthorized)?;
        let claims = URL_SAFE_NO_PAD.decode(token.split('.').nth(1).unwrap_or_default()).map_err(|_| unauthorized())?;
        let claims: Value = serde_json::from_slice(&claims).map_err(|_| unauthorized())?;
        let id = claims["sid"].as_str().unwrap_or_default();
        let live = find_live(self.db.read(), id, self.clock.now_ms()).await.map_err(|error| failed(error.into()))?;
        live.ok_or_else(unauthorized)
    }

    fn new_checkout(&self, session: LiveSession, address: Address) -> StoredCheckout {
        let (now, fingerprint) = (self.clock.now_ms(), serde_json::to_string(&address).unwrap_or_default());
        let begun = StoredCheckout::begin(session.user_id, session.email, address, now, now + RESERVATION_MS);
        StoredCheckout { fingerprint, ..begun }
    }

    /// Stores the provider's ready response on the checkout.
    async fn store_intent(&self, checkout: StoredCheckout) -> Result<Json<Value>, Failed> {
        let (intent_id, secret) = (format!("pi_{}", checkout.id), format!("pi_{}_secret", checkout.id));
        let answer = json!({ "paymentIntent": { "id": intent_id, "client_secret": secret } });
        let tax = TaxCalculation { id: format!("taxcalc_{}", checkout.id), ..fixed_tax() };
        let total = checkout
            .subtotal
            .checked_add(checkout.shipping)
            .and_then(|sum| sum.checked_add(Cents::from_cents(tax.tax_amount_exclusive)));
        let total = total.map_err(|error| (StatusCode::BAD_REQUEST, error.to_string()))?;
        let stored =
            self.db.write((checkout.id, intent_id, secret, tax, total), |tx, (id, intent_id, secret, tax, total)| {
                Box::pin(checkouts::set_intent(tx, id, intent_id, secret, tax, *total))
            });
        stored.await.map_err(failed)?;
        Ok(Json(answer))
    }

    /// Marks the previous email as sent and claims the next one, in one transaction.
    async fn send_next_email(&self, sent: Option<String>) -> Result<Option<String>, Error> {
        let claim = self.db.write((sent, self.clock.now_ms()), |tx, (sent, now)| {
            Box::pin(async move {
                if let Some(id) = sent {
                    outbox::mark_sent(tx, id, *now).await?;
                }
                let claimed = outbox::claim(tx, *now).await?;
                if let Some(mail) = &claimed {
                    outbox::save_rendered(tx, &mail.id, &mail.mail.html).await?;
                }
                Ok(claimed.map(|mail| mail.id))
            })
        });
        claim.await
    }

    /// Stores the event and marks it as processed.
    async fn receive_event(&self, intent_id: &str) -> Result<(), Error> {
        let (id, now) = (format!("evt_{intent_id}"), self.clock.now_ms());
        let object = json!({ "id": intent_id, "object": "payment_intent", "status": "succeeded" });
        let body = json!({ "id": id, "type": PAID, "data": { "object": object } }).to_string();
        let event = ProcessedEvent::new(&id, now);
        let stored = self.db.write((id, body, now), |tx, (id, body, now)| {
            Box::pin(events::insert_event(tx, id, PAID, Some(body), *now))
        });
        stored.await?;
        checkouts::find_by_intent(self.db.read(), intent_id).await?;
        event.mark_alone(&self.db).await
    }
}

const PAID: &str = "payment_intent.succeeded";

async fn send_emails(bare: Arc<Bare>) {
    loop {
        bare.mail_enqueued.notified().await;
        let mut sent = None;
        loop {
            match bare.send_next_email(sent.take()).await {
                Ok(Some(id)) => sent = Some(id),
                Ok(None) => break,
                Err(error) => eprintln!("email failed: {error}"),
            }
        }
    }
}

async fn record_taxes(bare: Arc<Bare>) {
    let mut tick = tokio::time::interval(Duration::from_secs(5));
    loop {
        tick.tick().await;
        let now = bare.clock.now_ms();
        while let Ok(due) = bare.db.write(now, |tx, now| Box::pin(tax_records::claim(tx, *now))).await {
            if due.is_empty() {
                break;
            }
            let references: Vec<String> = due.into_iter().map(|record| record.reference).collect();
            if let Err(error) = complete_taxes(&bare.db, references).await {
                eprintln!("tax records failed: {error}");
            }
        }
    }
}

async fn complete_taxes(db: &Db, references: Vec<String>) -> Result<(), Error> {
    let completed = db.write(references, |tx, references| {
        Box::pin(async move {
            for reference in references {
                let id = format!("tax_{reference}");
                tax_records::complete(tx, reference, RecordResult::Done(&id)).await?;
            }
            Ok(())
        })
    });
    completed.await
}

fn fixed_tax() -> TaxCalculation {
    TaxCalculation { id: String::new(), tax_amount_exclusive: 73, tax_breakdown: Vec::new() }
}

fn mail_shop() -> ShopInfo {
    ShopInfo {
        name: "Nudgelight".to_owned(),
        public_url: "http://127.0.0.1".to_owned(),
        support_email: "support@nudgelight.example".to_owned(),
        seller: None,
        return_terms: Some(wasm_core::delivery::ReturnShipping::Customer.terms(30)),
        delivery: wasm_core::delivery::DeliveryTimes::default(),
    }
}

fn failed(error: Error) -> Failed {
    (StatusCode::INTERNAL_SERVER_ERROR, error.to_string())
}
