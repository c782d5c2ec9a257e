//! The payment provider: reachable, and accepts the key.

use std::time::Duration;

use miniserde::json::Value;
use stripe::{ClientBuilder, StripeError, StripeRequest as _};
use stripe_core::payment_intent::ListPaymentIntent;

use super::Status;
use crate::config::{Config, Payments, StripeKeys};

const TIMEOUT: Duration = Duration::from_secs(10);

pub async fn status(config: &Config) -> Status {
    match &config.payments {
        Payments::Test => Status::Works("test mode with the built-in mock Stripe; no money moves".to_owned()),
        Payments::Stripe(keys) => probe(keys).await.into(),
    }
}

/// Requests one payment intent, which every usable key must be allowed to. Only checks that the response is a list: the
/// client's types would reject providers that work with the shop (ADR 15).
async fn probe(keys: &StripeKeys) -> Result<String, String> {
    let client = ClientBuilder::new(&keys.secret_key)
        .url(format!("{}/", keys.api_base))
        .build()
        .map_err(|error| format!("STRIPE_SECRET_KEY or STRIPE_API_BASE: {error}"))?;
    let request = ListPaymentIntent::new().limit(1).build().customize();
    let response = tokio::time::timeout(TIMEOUT, request.send(&client)).await;
    match response {
        Ok(Ok(response)) if is_list(&response) => Ok(accepted(keys)),
        Ok(Ok(_)) => Err(format!("{} responds, but not like Stripe", keys.api_base)),
        Ok(Err(StripeError::Stripe(_, 401))) => Err(format!("{} does not accept STRIPE_SECRET_KEY", keys.api_base)),
        Ok(Err(StripeError::Stripe(_, 403))) => {
            Err("STRIPE_SECRET_KEY is a restricted key without access to payment intents".to_owned())
        }
        Ok(Err(StripeError::Stripe(_, status))) => Err(format!("{} responds with status {status}", keys.api_base)),
        Ok(Err(error)) => Err(format!("{} is unreachable: {error}", keys.api_base)),
        Err(_) => Err(format!("{} does not respond", keys.api_base)),
    }
}

fn is_list(response: &Value) -> bool {
    matches!(response, Value::Object(members) if matches!(members.get("data"), Some(Value::Array(_))))
}

fn accepted(keys: &StripeKeys) -> String {
    let mode = if keys.is_live() { "live mode, real money" } else { "test mode, no money moves" };
    format!("{} accepts the key: {mode}. See Stripe's dashboard for webhook deliveries", keys.api_base)
}
