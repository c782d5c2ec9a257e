//! Audit of the accounting invariants over a snapshot of the whole database: reservations, stock, orders, payments.
//!
//! Invariants that the schema enforces (no negative stock, one order per payment, totals that add up) need no check here.
//! The payment provider is not called: comparing with it is the reconciler's job.

mod store;

use sqlx::AnyConnection;
use wasm_core::pricing::TaxBreakdown;

use crate::db::Db;
use crate::error::Error;

/// Rows listed per invariant; further ones are only counted.
const MAX_LISTED: usize = 50;
/// Orders whose taxes are read per query.
const PAGE: i64 = 5_000;

/// A violated invariant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The invariant, `I1` to `I9`.
    pub rule: &'static str,
    /// Message that names the row.
    pub message: String,
}

impl std::fmt::Display for Finding {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "{}: {}", self.rule, self.message)
    }
}

/// Result of an audit.
#[derive(Clone, Debug)]
pub struct Audit {
    pub products: i64,
    pub orders: i64,
    pub findings: Vec<Finding>,
}

/// Audits a snapshot of the database. The shop may keep running.
///
/// # Errors
/// If the database cannot be read.
pub async fn audit(db: &Db) -> Result<Audit, Error> {
    db.snapshot(|tx| Box::pin(look(tx))).await
}

/// Audits inside an open transaction.
///
/// # Errors
/// If the database cannot be read.
pub async fn look(tx: &mut AnyConnection) -> Result<Audit, Error> {
    let (products, orders) = store::count(tx).await?;
    let mut findings = Vec::new();
    for check in store::CHECKS {
        let messages = store::list_violations(tx, check.sql).await?;
        add_findings(&mut findings, check.rule, messages);
    }
    let messages = store::list_total_mismatches(tx).await?;
    add_findings(&mut findings, "I9", messages);
    let messages = list_tax_mismatches(tx).await?;
    add_findings(&mut findings, "I4", messages);
    let refunded = store::list_refunded_taxes(tx).await?;
    add_findings(
        &mut findings,
        "I5",
        refunded.iter().filter_map(|taxes| tax_mismatch("refund of order", taxes)).collect(),
    );
    Ok(Audit { products, orders, findings })
}

fn add_findings(findings: &mut Vec<Finding>, rule: &'static str, mut messages: Vec<String>) {
    let rest = messages.len().saturating_sub(MAX_LISTED);
    messages.truncate(MAX_LISTED);
    if rest > 0 {
        messages.push(format!("… and {rest} more of this kind."));
    }
    findings.extend(messages.into_iter().map(|message| Finding { rule, message }));
}

/// Checks the tax lines of each order here: they are stored as JSON, which the two databases query differently.
async fn list_tax_mismatches(tx: &mut AnyConnection) -> Result<Vec<String>, Error> {
    let mut messages = Vec::new();
    let mut after = 0;
    loop {
        let page = store::list_taxes(tx, after, PAGE).await?;
        let Some(last) = page.last() else {
            return Ok(messages);
        };
        after = last.number;
        messages.extend(page.iter().filter_map(|taxes| tax_mismatch("order", taxes)));
    }
}

/// `subject` comes before the order's number.
fn tax_mismatch(subject: &str, taxes: &store::Taxes) -> Option<String> {
    let number = taxes.number;
    let Ok(parts) = serde_json::from_str::<Vec<TaxBreakdown>>(&taxes.breakdown) else {
        return Some(format!("The taxes of {subject} {number} cannot be read."));
    };
    let Some(sum) = parts.iter().try_fold(0_i64, |sum, part| sum.checked_add(part.amount)) else {
        return Some(format!("The tax lines of {subject} {number} overflow."));
    };
    let tax = taxes.tax;
    (sum != tax).then(|| match subject {
        "order" => format!("Order {number} has a tax of {tax} cents, but its tax lines add up to {sum} cents."),
        _ => format!("A {subject} {number} has a tax of {tax} cents, but its tax lines add up to {sum} cents."),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_rows_of_one_kind_are_named_up_to_fifty_and_then_counted() {
        let mut findings = Vec::new();
        add_findings(&mut findings, "I1", (0..50).map(|row| row.to_string()).collect());
        assert_eq!(findings.len(), 50);
        add_findings(&mut findings, "I2", (0..60).map(|row| row.to_string()).collect());
        assert_eq!(findings.len(), 101);
        let last = findings.last().map(ToString::to_string);
        assert_eq!(last.as_deref(), Some("I2: … and 10 more of this kind."));
    }
}
