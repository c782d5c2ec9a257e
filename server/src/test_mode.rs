//! Test mode: the mock Stripe in place of Stripe, on the shop's database.

use mock_stripe::{Keys, MockStripe};

use crate::checkout::webhook::SUBSCRIBED;
use crate::db::Db;
use crate::infra::clock::Clock;
use crate::platform::Platform;

/// Where the mock Stripe is mounted.
pub const PATH: &str = "/test-stripe";

/// Opens the mock Stripe; creates its tables on first use.
///
/// # Errors
/// A message for the operator.
pub async fn open(db: &Db, clock: &Clock, public_url: &str) -> Result<MockStripe, String> {
    db.apply(&mock_stripe::migrator()).await?;
    let (readers, writers) = db.pools();
    let clock = clock.clone();
    Ok(MockStripe::new(
        mock_stripe::Db::new(readers, writers),
        mock_stripe::Clock::new(move || clock.now_ms()),
        format!("{public_url}{PATH}"),
        &SUBSCRIBED,
    ))
}

/// Spawns the mock Stripe's background tasks: webhooks to this server, and the bank's decisions on refunds.
pub fn spawn(platform: &Platform, stripe: &MockStripe, keys: &Keys, own_url: &str) {
    let endpoint = format!("{own_url}/api/webhooks/stripe");
    let secret = keys.webhook_secret.clone();
    platform.tasks.spawn(stripe.clone().deliver_webhooks(endpoint, secret, platform.stopping.clone()));
    platform.tasks.spawn(stripe.clone().settle_refunds(platform.stopping.clone()));
}
