//! Purchases in tests: products, payment intents and orders.

use serde::Deserialize;
use serde_json::{Value, json};

use super::{ApiResponse, Person, Stripe, TestShop, product};

/// A product from the catalog API, with the fields that tests use.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct Light {
    pub id: String,
    pub name: String,
    pub slug: String,
    pub stock: i64,
    pub available: i64,
    pub version: i64,
    pub active: bool,
}

/// An unpaid payment intent with its quote.
#[derive(Clone, Debug)]
pub struct Intent {
    pub id: String,
    pub client_secret: String,
    pub quote: Value,
}

impl Intent {
    pub fn of(quote: Value) -> Self {
        let text = |name: &str| quote["paymentIntent"][name].as_str().unwrap().to_owned();
        Self { id: text("id"), client_secret: text("client_secret"), quote }
    }
}

impl TestShop {
    pub async fn light(&self, name: &str) -> Light {
        let response = self.visitor().get(&format!("/api/products/{}", name.replace(' ', "%20"))).await;
        serde_json::from_value(response.gives(200)).unwrap()
    }

    /// Adds a product with this stock, at $10.00 and 0.5 lb.
    pub async fn adds_light(&self, name: &str, stock: i64) -> Light {
        self.admin().await.adds(product().name(name).price(10.00).stock(stock).weight_pounds(0.5)).await
    }

    pub async fn sets_stock(&self, light: &Light, stock: i64) {
        let path = format!("/api/products/{}/stock", light.id);
        self.admin().await.patch(&path, &json!({ "stock": stock })).await.gives(200);
    }

    /// Pays, but does not request the order, like a browser that crashed after the payment.
    pub async fn paid_but_gone(&self, buyer: &Person, light: &Light, quantity: i64) -> Intent {
        let intent = buyer.starts_payment(&[(light, quantity)]).await;
        self.stripe().await.takes(&intent, "pm_card_visa").await;
        intent
    }
}

impl Person {
    /// Request body of create-intent for these items, shipped to California.
    pub fn cart(lines: &[(&Light, i64)]) -> Value {
        let items: Vec<Value> =
            lines.iter().map(|(light, quantity)| json!({ "product_id": light.id, "quantity": quantity })).collect();
        json!({ "currency": "usd", "shippingAddress": california(), "items": items })
    }

    pub async fn asks_to_pay(&self, body: &Value) -> ApiResponse {
        self.post("/api/payments/create-intent", body).await
    }

    pub async fn starts_payment(&self, lines: &[(&Light, i64)]) -> Intent {
        Intent::of(self.asks_to_pay(&Self::cart(lines)).await.gives(200))
    }

    pub async fn asks_for_order(&self, intent_id: &str) -> ApiResponse {
        self.post("/api/orders", &json!({ "paymentIntentId": intent_id })).await
    }

    /// A complete purchase: quote, payment, order. Returns the order's id.
    pub async fn buys(&self, stripe: &Stripe, light: &Light, quantity: i64) -> String {
        let intent = self.starts_payment(&[(light, quantity)]).await;
        stripe.takes(&intent, "pm_card_visa").await;
        // The webhook may create the order first; this request then returns the existing one.
        let response = self.asks_for_order(&intent.id).await;
        assert!(matches!(response.status, 200 | 201), "{response}");
        order_id(&response.json())
    }
}

fn order_id(body: &Value) -> String {
    body["orderId"].as_str().unwrap().to_owned()
}

pub fn california() -> Value {
    address("US", "CA", "94110")
}

pub fn montreal() -> Value {
    address("CA", "QC", "H2X 1Y4")
}

pub fn address(country: &str, state: &str, postal_code: &str) -> Value {
    json!({
        "name": "Ada Lovelace",
        "address": {
            "line1": "12 Lamp Street", "city": "Brightwater",
            "state": state, "postal_code": postal_code, "country": country,
        },
    })
}
