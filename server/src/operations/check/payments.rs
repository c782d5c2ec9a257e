//! The payment provider: reachable, and accepts the key.

use super::Status;
use crate::checkout::provider::{ProbeError, Provider};
use crate::config::{Config, Payments, StripeKeys};
use crate::infra::clock::Clock;

pub async fn status(config: &Config, clock: &Clock) -> Status {
    match &config.payments {
        Payments::Test => Status::Works("test mode with the built-in mock Stripe; no money moves".to_owned()),
        Payments::Stripe(keys) => probe(keys, clock).await.into(),
    }
}

async fn probe(keys: &StripeKeys, clock: &Clock) -> Result<String, String> {
    let provider = Provider::new(&keys.api_base, &keys.secret_key, String::new(), clock.clone())?;
    let base = &keys.api_base;
    match provider.probe().await {
        Ok(()) => Ok(accepted(keys)),
        Err(ProbeError::NotStripe) => Err(format!("{base} responds, but not like Stripe")),
        Err(ProbeError::Status(401)) => Err(format!("{base} does not accept STRIPE_SECRET_KEY")),
        Err(ProbeError::Status(403)) => {
            Err("STRIPE_SECRET_KEY is a restricted key without access to payment intents".to_owned())
        }
        Err(ProbeError::Status(status)) => Err(format!("{base} responds with status {status}")),
        Err(ProbeError::Unreachable(cause)) => Err(format!("{base} is unreachable: {cause}")),
        Err(ProbeError::NoResponse) => Err(format!("{base} does not respond")),
    }
}

fn accepted(keys: &StripeKeys) -> String {
    let mode = if keys.is_live() { "live mode, real money" } else { "test mode, no money moves" };
    format!("{} accepts the key: {mode}. See Stripe's dashboard for webhook deliveries", keys.api_base)
}
