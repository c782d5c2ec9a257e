//! The payment provider: whether it can be reached, and whether it takes our key.

use std::time::Duration;

use miniserde::json::Value;
use stripe::{ClientBuilder, StripeError, StripeRequest as _};
use stripe_core::payment_intent::ListPaymentIntent;

use super::Verdict;
use crate::config::{Config, Payments, StripeKeys};

const PATIENCE: Duration = Duration::from_secs(10);

pub async fn verdict(config: &Config) -> Verdict {
    match &config.payments {
        Payments::Test => {
            Verdict::Works("test mode, by the test-mode Stripe inside the server; no money moves".to_owned())
        }
        Payments::Stripe(keys) => ask(keys).await.into(),
    }
}

/// Asks for one payment intent, which every key that the shop can use must be allowed to. That it is a list is all
/// that is read: the client's own types would reject a provider that the shop sells with (ADR 15).
async fn ask(keys: &StripeKeys) -> Result<String, String> {
    let client = ClientBuilder::new(&keys.secret_key)
        .url(format!("{}/", keys.api_base))
        .build()
        .map_err(|error| format!("STRIPE_SECRET_KEY or STRIPE_API_BASE: {error}"))?;
    let request = ListPaymentIntent::new().limit(1).build().customize();
    let answer = tokio::time::timeout(PATIENCE, request.send(&client)).await;
    match answer {
        Ok(Ok(answer)) if is_list(&answer) => Ok(accepted(keys)),
        Ok(Ok(_)) => Err(format!("{} answers, but not as Stripe does", keys.api_base)),
        Ok(Err(StripeError::Stripe(_, 401))) => Err(format!("{} does not accept STRIPE_SECRET_KEY", keys.api_base)),
        Ok(Err(StripeError::Stripe(_, 403))) => {
            Err("STRIPE_SECRET_KEY is a restricted key without access to payment intents".to_owned())
        }
        Ok(Err(StripeError::Stripe(_, status))) => Err(format!("{} answers with status {status}", keys.api_base)),
        Ok(Err(error)) => Err(format!("{} cannot be asked: {error}", keys.api_base)),
        Err(_) => Err(format!("{} does not answer", keys.api_base)),
    }
}

fn is_list(answer: &Value) -> bool {
    matches!(answer, Value::Object(members) if matches!(members.get("data"), Some(Value::Array(_))))
}

fn accepted(keys: &StripeKeys) -> String {
    let mode = if keys.is_live() { "live mode, real money" } else { "test mode, no money moves" };
    format!(
        "{} accepts the key: {mode}. Whether its events arrive shows in Stripe's own list of webhooks",
        keys.api_base
    )
}
