//! Test mode: the mock Stripe in place of Stripe, on the shop's database.

use std::sync::Arc;

use mock_stripe::{Keys, MIGRATIONS_TABLE, MockStripe};

use crate::checkout::webhook::SUBSCRIBED;
use crate::db::{self, Db};
use crate::error::Error;
use crate::infra::clock::Clock;
use crate::shop::Shop;

/// Where the mock Stripe is mounted.
pub const PATH: &str = "/test-stripe";

/// Opens the mock Stripe; creates its tables on first use.
///
/// # Errors
/// A message for the operator.
pub async fn open(db: &Db, clock: &Clock, public_url: &str) -> Result<MockStripe, String> {
    migrate(db).await?;
    let (readers, writers) = db.pools();
    let clock = clock.clone();
    Ok(MockStripe::new(
        mock_stripe::Db::new(readers, writers),
        mock_stripe::Clock::new(move || clock.now_ms()),
        format!("{public_url}{PATH}"),
        &SUBSCRIBED,
    ))
}

/// Creates the mock Stripe's tables, or updates their schema.
///
/// # Errors
/// A message for the operator.
pub async fn migrate(db: &Db) -> Result<(), String> {
    db.apply(&mock_stripe::migrator()).await
}

/// Whether this database has ever been used in test mode.
///
/// # Errors
/// The database's error.
pub async fn has_tables(db: &Db) -> Result<bool, Error> {
    let mut connection = db.read().acquire().await?;
    Ok(db::find_newest_migration(&mut connection, MIGRATIONS_TABLE).await?.is_some())
}

/// Spawns the mock Stripe's background tasks: webhooks to this server, and the bank's decisions on refunds.
pub fn spawn(shop: &Arc<Shop>, stripe: &MockStripe, keys: &Keys, own_url: &str) {
    let endpoint = format!("{own_url}/api/webhooks/stripe");
    let secret = keys.webhook_secret.clone();
    shop.tasks.spawn(stripe.clone().deliver_webhooks(endpoint, secret, shop.stopping.clone()));
    shop.tasks.spawn(stripe.clone().settle_refunds(shop.stopping.clone()));
}
