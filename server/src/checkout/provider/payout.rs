//! Balance transactions and payouts: list them.

use stripe_core::balance_transaction::ListBalanceTransaction;
use stripe_core::payout::ListPayout;
use stripe_types::{RangeBoundsTs, RangeQueryTs};
use wasm_core::money::Cents;

use super::client::{CURRENCY, Provider};
use super::pages::{Filter, PAGE_SIZE, created_since, is_since};
use super::responses;
use crate::error::Error;
use crate::infra::clock::SECOND;

/// A balance transaction, reduced to the members that the shop uses.
#[derive(Clone, Debug)]
pub struct BalanceTransaction {
    pub id: String,
    /// The provider's type, such as `charge`.
    pub kind: String,
    /// A finer word than `kind`, if the provider has one.
    pub reporting_category: Option<String>,
    pub amount: Cents,
    pub fee: Cents,
    pub net: Cents,
    pub is_in_shop_currency: bool,
    pub description: Option<String>,
    /// Id of the charge, refund, dispute or payout.
    pub source: Option<String>,
    pub intent_id: Option<String>,
    pub created_at: i64,
}

/// A payout to the shop's bank account.
#[derive(Clone, Debug)]
pub struct Payout {
    pub id: String,
    pub amount: Cents,
    pub status: String,
    pub arrival_at: i64,
    pub created_at: i64,
    /// Whether the provider lists all of its balance transactions.
    pub is_reconcilable: bool,
}

impl Provider {
    /// Balance transactions of a period, both ends included. None for a provider that does not list them.
    pub async fn list_balance_transactions(
        &self,
        from_ms: i64,
        until_ms: i64,
    ) -> Result<Option<Vec<BalanceTransaction>>, Error> {
        let (from, until) = (from_ms / SECOND, until_ms / SECOND);
        let period = RangeQueryTs::Bounds(RangeBoundsTs { gt: None, gte: Some(from), lt: None, lte: Some(until) });
        let request = |filter| match filter {
            Filter::On => ListBalanceTransaction::new().created(period),
            Filter::Off => ListBalanceTransaction::new(),
        };
        self.list_transactions(request, |transaction| (from..=until).contains(&transaction.created)).await
    }

    /// Balance transactions of a payout. None for a provider that does not list them.
    pub async fn list_payout_transactions(&self, payout_id: &str) -> Result<Option<Vec<BalanceTransaction>>, Error> {
        // Only the filter tells which transactions belong to the payout.
        self.list_transactions(|_| ListBalanceTransaction::new().payout(payout_id), |_| true).await
    }

    async fn list_transactions(
        &self,
        request: impl Fn(Filter) -> ListBalanceTransaction,
        is_wanted: impl Fn(&responses::BalanceTransaction) -> bool,
    ) -> Result<Option<Vec<BalanceTransaction>>, Error> {
        let request = |filter, after: Option<&str>| {
            // The source names the payment.
            let request = request(filter).expand(vec!["data.source".to_owned()]).limit(PAGE_SIZE);
            match after {
                Some(id) => request.starting_after(id),
                None => request,
            }
        };
        let list: Option<Vec<responses::BalanceTransaction>> = self.list(None, request, is_wanted).await?;
        Ok(list.map(|list| list.into_iter().map(BalanceTransaction::from).collect()))
    }

    /// Payouts that were created at this time or later; empty for a provider without payouts.
    pub async fn list_payouts_since(&self, since_ms: i64) -> Result<Vec<Payout>, Error> {
        let request = |filter, after: Option<&str>| {
            let request = match filter {
                Filter::On => ListPayout::new().created(created_since(since_ms)),
                Filter::Off => ListPayout::new(),
            };
            match after {
                Some(id) => request.limit(PAGE_SIZE).starting_after(id),
                None => request.limit(PAGE_SIZE),
            }
        };
        let is_wanted = |payout: &responses::Payout| is_since(Some(payout.created), since_ms);
        let list: Option<Vec<responses::Payout>> = self.list(None, request, is_wanted).await?;
        Ok(list.into_iter().flatten().map(Payout::from).collect())
    }
}

impl From<responses::BalanceTransaction> for BalanceTransaction {
    fn from(transaction: responses::BalanceTransaction) -> Self {
        let source = transaction.source.as_ref();
        Self {
            source: source.and_then(|source| source.id()).map(str::to_owned),
            intent_id: source.and_then(|source| source.intent_id()).map(str::to_owned),
            id: transaction.id,
            kind: transaction.kind,
            reporting_category: transaction.reporting_category,
            amount: Cents::from_cents(transaction.amount),
            fee: Cents::from_cents(transaction.fee),
            net: Cents::from_cents(transaction.net),
            is_in_shop_currency: transaction.currency == CURRENCY,
            description: transaction.description,
            created_at: transaction.created.saturating_mul(SECOND),
        }
    }
}

impl From<responses::Payout> for Payout {
    fn from(payout: responses::Payout) -> Self {
        Self {
            id: payout.id,
            amount: Cents::from_cents(payout.amount),
            status: payout.status,
            arrival_at: payout.arrival_date.saturating_mul(SECOND),
            created_at: payout.created.saturating_mul(SECOND),
            is_reconcilable: payout.reconciliation_status.is_none_or(|status| status == "completed"),
        }
    }
}
