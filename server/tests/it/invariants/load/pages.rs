//! Large catalog: a shop with thousands of products.

use std::time::Duration;

use serde_json::json;

use super::super::run::Stretch;
use super::figure::time;
use super::load_generator::{Timed, closed_loop, open_loop, p99, timed};
use super::restore::insert_sample_data;
use super::server_process::ServerProcess;
use crate::harness::{ApiResponse, BareStripe, Client, Intent, Light, Person};

/// The full product list, with Brotli compression.
async fn lists(client: Client) -> ApiResponse {
    client.send(client.request("GET", "/api/products").header("accept-encoding", "br")).await
}

/// A complete purchase with a provider that responds instantly: quote and order, with their durations.
async fn buys(buyer: Client, stripe: BareStripe, light: Light) -> (Timed<ApiResponse>, Timed<ApiResponse>) {
    let cart = Person::cart(&[(&light, 1)]);
    let quote = timed(buyer.post("/api/payments/create-intent", &cart)).await;
    let intent = Intent::of(quote.result.gives(200));
    // The expanded charge. Without it, the shop sends additional requests for the charge and its refunds.
    let charge = json!({ "id": "ch_1", "amount_refunded": 0 });
    stripe.shows(&intent.id, &json!({ "status": "succeeded", "latest_charge": charge }));
    let body = json!({ "paymentIntentId": intent.id });
    let order = timed(buyer.post("/api/orders", &body)).await;
    order.result.gives(201);
    (quote, order)
}

// invariant: response-times
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_shop_with_thousands_of_products_lists_and_sells_them() {
    let mut stretch = Stretch::of("requests to a shop with thousands of products", 3);
    let stripe = BareStripe::open().await;
    let mut shop = stripe.opens_shop().await;
    let light = shop.adds_light("One Of Many", 1_000_000).await;
    let buyer = shop.customer().await;
    shop.close().await;
    let products = stretch.form.pick("300", "10000");
    insert_sample_data(&shop, &["--orders", "10", "--products", products]);
    let server_process = ServerProcess::spawn(&mut shop).await;
    let lasts = (stretch.lasts / 3).min(Duration::from_secs(30));

    let visitor = server_process.client.clone();
    lists(visitor.clone()).await;
    let saturated = closed_loop(8, lasts, move |_| lists(visitor.clone())).await;
    let rate = saturated.len() * 700 / usize::try_from(lasts.as_millis()).unwrap();
    let listed = open_loop(rate, lasts, |_| lists(server_process.client.clone())).await;
    assert!(saturated.iter().chain(&listed).all(|call| call.result.status == 200));

    let (person, stripe) = (server_process.client.with_token(buyer.access_token()), stripe.clone());
    let bought = closed_loop(2, lasts, move |_| buys(person.clone(), stripe.clone(), light.clone())).await;
    stretch.done = saturated.len() + listed.len() + 2 * bought.len();
    drop(server_process);
    shop.restart().await;
    assert_eq!(usize::try_from(shop.count_orders().await).unwrap(), bought.len() + 10);
    shop.audit().await;
    time(&format!("latency of a list of {products} products at 70 % of saturation, p99"), p99(&listed), 50);
    time("quote latency without the provider, p99", p99(bought.iter().map(|both| &both.result.0)), 100);
    time("order latency without the provider, p99", p99(bought.iter().map(|both| &both.result.1)), 150);
}
