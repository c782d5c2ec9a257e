//! What must be 0 after a fault.

use std::collections::BTreeSet;
use std::time::Duration;

use xtask::process::Failure;

use crate::journal::Journal;
use crate::load::Lights;
use crate::setup::Setup;
use crate::wait;

/// The reconciler looks at payments once they are a minute old.
const TIMEOUT: Duration = Duration::from_secs(120);

#[derive(Clone, Default)]
pub struct Counts {
    pub orders: usize,
    /// Acknowledged orders that are missing.
    pub lost: BTreeSet<String>,
    /// Payments with neither order nor refund nor alert.
    pub unsettled: BTreeSet<String>,
    pub oversold: u64,
    /// What the audit found.
    pub audit: Option<String>,
}

impl Counts {
    /// Counts in the database and at the payment provider. The load must be paused.
    pub fn take(setup: &Setup, journal: &Journal, lights: &Lights) -> Result<Self, Failure> {
        let unsettled = unsettled_in_the_end(setup)?;
        let orders = column(setup, "SELECT payment_intent_id FROM orders")?;
        let lost = journal.acknowledged().difference(&orders).cloned().collect();
        let audit = setup.shops.run("audit").err().map(|failure| format!("{failure}: {}", failure.output.join(" ")));
        Ok(Self { orders: orders.len(), lost, unsettled, oversold: oversold(setup, lights)?, audit })
    }

    pub fn are_good(&self) -> bool {
        self.lost.is_empty() && self.unsettled.is_empty() && self.oversold == 0 && self.audit.is_none()
    }
}

/// The payments that are not settled after two minutes.
fn unsettled_in_the_end(setup: &Setup) -> Result<BTreeSet<String>, Failure> {
    let mut last = Ok(BTreeSet::new());
    let settled = wait::until_true("all payments settled", TIMEOUT, || {
        last = unsettled(setup);
        matches!(&last, Ok(none) if none.is_empty())
    });
    if settled.is_ok() { Ok(BTreeSet::new()) } else { last }
}

fn unsettled(setup: &Setup) -> Result<BTreeSet<String>, Failure> {
    let payments = setup.provider.payments()?.into_iter().filter(|payment| !payment.is_refunded);
    let known = column(
        setup,
        "SELECT payment_intent_id FROM orders UNION SELECT payment_intent_id FROM alerts WHERE payment_intent_id IS NOT NULL",
    )?;
    Ok(payments.map(|payment| payment.id).filter(|id| !known.contains(id)).collect())
}

fn oversold(setup: &Setup, lights: &Lights) -> Result<u64, Failure> {
    let sold = format!("SELECT COALESCE(SUM(quantity), 0) FROM order_lines WHERE product_id = '{}'", lights.limited);
    let sold = column(setup, &sold)?.into_iter().find_map(|sold| sold.parse::<u64>().ok());
    Ok(sold.ok_or_else(|| Failure::new("the units sold are unknown"))?.saturating_sub(lights.units))
}

fn column(setup: &Setup, statement: &str) -> Result<BTreeSet<String>, Failure> {
    Ok(setup.sql(statement)?.into_iter().collect())
}
