//! Payouts, their transactions, and the fees of an order.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use serde::Serialize;
use utoipa::ToSchema;
use wasm_core::money::{Cents, Overflow};

use crate::accounts::Admin;
use crate::db::shop_metadata;
use crate::error::Error;
use crate::error::responses::error_responses;
use crate::http::attachment::{self, Attachment};
use crate::http::extract::{Params, Path};
use crate::http::page::{Page, PageQuery};
use crate::infra::clock::{DAY, MINUTE, rfc3339, utc_day};
use crate::infra::csv::{escape_formula, record};
use crate::money::Money;
use crate::money::payouts::Category;
use crate::money::payouts::store::{self, PayoutSums};
use crate::orders::store as orders;
use crate::time_zone::{self, ShopZone};

/// Unexplained transactions in the list of payouts.
const MAX_UNEXPLAINED: i64 = 100;
/// Age of the oldest orders that are compared with the transactions: a longer period takes longer to read.
const UNMATCHED_PERIOD: i64 = 90 * DAY;
/// A provider may list a payment this much later.
const UNMATCHED_GRACE: i64 = 15 * MINUTE;
/// Limits the size of the file.
const MAX_CSV_ROWS: i64 = 100_000;

/// A payout of the provider. Amounts are negative for withdrawals, so that they add up to `amount`.
#[derive(Serialize, ToSchema)]
#[schema(examples(json!({
    "id": "po_1QmZ8k2eZvKYlo2C", "status": "paid", "arrival_date": "2026-12-24", "payments": 1024.5, "refunds": -24.99,
    "disputes": 0, "adjustments": 0, "fees": -33.2, "amount": 966.31, "difference": 0,
})))]
pub struct Payout {
    id: String,
    /// The provider's status: `pending`, `in_transit`, `paid`, `failed` or `canceled`.
    status: String,
    #[schema(format = Date)]
    arrival_date: String,
    payments: Cents,
    refunds: Cents,
    disputes: Cents,
    adjustments: Cents,
    fees: Cents,
    amount: Cents,
    /// `amount` less all transactions. Missing until the provider lists the transactions.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    difference: Option<Cents>,
}

impl TryFrom<PayoutSums> for Payout {
    type Error = Error;

    fn try_from(sums: PayoutSums) -> Result<Self, Error> {
        let difference = sums.amount.checked_sub(sums.net)?;
        Ok(Self {
            id: sums.id,
            status: sums.status,
            arrival_date: utc_day(sums.arrival_at),
            payments: sums.payments,
            refunds: sums.refunds,
            disputes: sums.disputes,
            adjustments: sums.adjustments,
            fees: Cents::ZERO.checked_sub(sums.fees)?,
            amount: sums.amount,
            difference: sums.is_complete.then_some(difference),
        })
    }
}

/// A movement of money on the balance at the provider.
#[derive(Serialize, ToSchema)]
#[schema(examples(json!({
    "id": "txn_1QmZ8k2eZvKYlo2C", "category": "payment", "type": "charge", "amount": 29.9, "fee": 1.17, "net": 28.73,
    "created_at": "2026-12-24T18:00:00.000Z", "created_at_local": "2026-12-24T13:00:00.000-05:00",
    "order_id": "0193f5c6-2f4e-7c1a-9b64-3d5f0a8e7c21", "order_number": 1001,
})))]
pub struct BalanceTransaction {
    id: String,
    category: Category,
    /// The provider's type of transaction, such as `charge`.
    #[serde(rename = "type")]
    kind: String,
    /// Negative for a withdrawal.
    amount: Cents,
    fee: Cents,
    /// `amount` less `fee`.
    net: Cents,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    description: Option<String>,
    created_at: String,
    /// The same time in the shop's time zone, with its offset.
    #[schema(format = DateTime)]
    created_at_local: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    order_id: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    order_number: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    payout_id: Option<String>,
    /// Why the shop's records don't explain it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    problem: Option<String>,
}

impl BalanceTransaction {
    fn of(transaction: store::Transaction, zone: ShopZone) -> Self {
        Self {
            id: transaction.id,
            category: transaction.category,
            kind: transaction.kind,
            amount: transaction.amount,
            fee: transaction.fee,
            net: transaction.net,
            description: transaction.description,
            created_at: rfc3339(transaction.created_at),
            created_at_local: zone.local(transaction.created_at),
            order_id: transaction.order_id,
            order_number: transaction.order_number,
            payout_id: transaction.payout_id,
            problem: transaction.problem,
        }
    }
}

fn shown(transactions: Vec<store::Transaction>, zone: ShopZone) -> Vec<BalanceTransaction> {
    transactions.into_iter().map(|transaction| BalanceTransaction::of(transaction, zone)).collect()
}

/// One page of payouts, and the transactions that need an explanation.
#[derive(Serialize, ToSchema)]
#[schema(examples(json!({
    "payouts": [{
        "id": "po_1QmZ8k2eZvKYlo2C", "status": "paid", "arrival_date": "2026-12-24", "payments": 1024.5,
        "refunds": -24.99, "disputes": 0, "adjustments": 0, "fees": -33.2, "amount": 966.31, "difference": 0,
    }],
    "page": 1, "totalPages": 1, "total": 1, "unexplained": [], "total_unexplained": 0, "unmatched_orders": [],
    "total_unmatched_orders": 0,
})))]
pub struct PayoutPage {
    payouts: Vec<Payout>,
    page: i64,
    #[serde(rename = "totalPages")]
    total_pages: i64,
    total: i64,
    /// Unexplained transactions of all payouts and of none, oldest first, at most 100.
    unexplained: Vec<BalanceTransaction>,
    total_unexplained: i64,
    /// Orders of the last 90 days whose payment is not among the provider's transactions, oldest first, at most 100.
    unmatched_orders: Vec<UnmatchedOrder>,
    total_unmatched_orders: i64,
}

/// A paid order without a balance transaction of its payment.
#[derive(Serialize, ToSchema)]
#[schema(examples(json!({
    "id": "0193f5c6-2f4e-7c1a-9b64-3d5f0a8e7c21", "number": 1001, "order_date": "2026-12-24T18:00:00.000Z",
    "order_date_local": "2026-12-24T13:00:00.000-05:00", "total": 29.9,
})))]
pub struct UnmatchedOrder {
    id: String,
    number: i64,
    order_date: String,
    /// The same time in the shop's time zone, with its offset.
    #[schema(format = DateTime)]
    order_date_local: String,
    total: Cents,
}

impl UnmatchedOrder {
    fn of(order: store::UnmatchedOrder, zone: ShopZone) -> Self {
        Self {
            id: order.id,
            number: order.number,
            order_date: rfc3339(order.created_at),
            order_date_local: zone.local(order.created_at),
            total: order.total,
        }
    }
}

error_responses!(ListErrors: [QUERY, ADMIN]);

/// List payouts
///
/// Returns one page of payouts, newest first, with their sums, the transactions that the shop's records don't explain,
/// and the paid orders whose payment is not among the transactions. An invalid page is a 400.
#[utoipa::path(
    get,
    path = "/api/admin/payouts",
    tag = "Administration",
    params(PageQuery),
    security(("accessToken" = [])),
    responses((status = 200, description = "One page of payouts.", body = PayoutPage), ListErrors),
)]
pub async fn list_payouts(
    State(state): State<Arc<Money>>,
    Admin(_): Admin,
    Params(query): Params<PageQuery>,
) -> Result<Json<PayoutPage>, Error> {
    let page = query.validated()?;
    let pool = state.db.read();
    let zone = time_zone::store::load(pool).await?;
    let total = store::count_payouts(pool).await?;
    let payouts = store::list_payouts(pool, page).await?;
    let (unmatched, total_unmatched_orders) = list_unmatched(&state).await?;
    Ok(Json(PayoutPage {
        payouts: payouts.into_iter().map(Payout::try_from).collect::<Result<_, _>>()?,
        page: page.number,
        total_pages: page.total_pages(total),
        total,
        unexplained: shown(store::list_unexplained(pool, MAX_UNEXPLAINED).await?, zone),
        total_unexplained: store::count_unexplained(pool).await?,
        unmatched_orders: unmatched.into_iter().map(|order| UnmatchedOrder::of(order, zone)).collect(),
        total_unmatched_orders,
    }))
}

/// Orders that are old enough for their payment to be among the synchronized transactions.
async fn list_unmatched(state: &Money) -> Result<(Vec<store::UnmatchedOrder>, i64), Error> {
    let synced = shop_metadata::find(state.db.read(), shop_metadata::BALANCE_SYNCED).await?;
    let Some(synced) = synced.and_then(|time| time.parse::<i64>().ok()) else {
        return Ok((Vec::new(), 0));
    };
    let period = state.clock.now_ms() - UNMATCHED_PERIOD..synced - UNMATCHED_GRACE;
    store::list_unmatched_orders(state.db.read(), period, MAX_UNEXPLAINED).await
}

/// A payout with one page of its transactions.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PayoutDetails {
    payout: Payout,
    /// Unexplained ones first, then newest first.
    transactions: Vec<BalanceTransaction>,
    /// Page number, starting at 1.
    #[schema(examples(1))]
    page: i64,
    #[schema(examples(1))]
    total_pages: i64,
    /// Number of all transactions.
    #[schema(examples(1))]
    total: i64,
}

error_responses!(GetErrors: [QUERY, ADMIN] NotFound);

/// Get a payout
///
/// Returns the payout with one page of its transactions, unexplained ones first. An unknown id is a 404.
#[utoipa::path(
    get,
    path = "/api/admin/payouts/{id}",
    tag = "Administration",
    params(("id" = String, Path, description = "The payout's id.", example = "po_1QmZ8k2eZvKYlo2C"), PageQuery),
    security(("accessToken" = [])),
    responses((status = 200, description = "The payout.", body = PayoutDetails), GetErrors),
)]
pub async fn get_payout(
    State(state): State<Arc<Money>>,
    Path(id): Path,
    Admin(_): Admin,
    Params(query): Params<PageQuery>,
) -> Result<Json<PayoutDetails>, Error> {
    let page = query.validated()?;
    let pool = state.db.read();
    let payout = store::find_payout(pool, &id).await?.ok_or_else(|| Error::not_found("Payout"))?;
    let zone = time_zone::store::load(pool).await?;
    let total = store::count_transactions_of_payout(pool, &id).await?;
    Ok(Json(PayoutDetails {
        payout: payout.try_into()?,
        transactions: shown(store::list_transactions_of_payout(pool, &id, page).await?, zone),
        page: page.number,
        total_pages: page.total_pages(total),
        total,
    }))
}

const COLUMNS: [&str; 10] =
    ["id", "created_at", "category", "type", "order", "amount", "fee", "net", "description", "problem"];

error_responses!(ExportErrors: [ADMIN] NotFound);

/// Export a payout's transactions as CSV
///
/// Returns all transactions of the payout as CSV (RFC 4180) with a header row, unexplained ones first. Amounts are in US
/// dollars. Text that starts like a formula has a leading apostrophe. An unknown id is a 404.
#[utoipa::path(
    get,
    path = "/api/admin/payouts/{id}/transactions.csv",
    tag = "Administration",
    params(("id" = String, Path, description = "The payout's id.", example = "po_1QmZ8k2eZvKYlo2C")),
    security(("accessToken" = [])),
    responses((status = 200, description = "The CSV file.", body = String, content_type = "text/csv"), ExportErrors),
)]
pub async fn export_payout(
    State(state): State<Arc<Money>>,
    Path(id): Path,
    Admin(_): Admin,
) -> Result<Attachment, Error> {
    let pool = state.db.read();
    let payout = store::find_payout(pool, &id).await?.ok_or_else(|| Error::not_found("Payout"))?;
    let all = Page { number: 1, limit: MAX_CSV_ROWS };
    let transactions = store::list_transactions_of_payout(pool, &id, all).await?;
    let zone = time_zone::store::load(pool).await?;
    let rows: String = transactions.iter().map(|transaction| record_of(transaction, zone)).collect();
    let name = format!("payout-{}.csv", utc_day(payout.arrival_at));
    Ok(Attachment::new(attachment::CSV, name, record(COLUMNS.map(Into::into)) + &rows))
}

fn record_of(transaction: &store::Transaction, zone: ShopZone) -> String {
    record([
        escape_formula(&transaction.id),
        zone.local(transaction.created_at).into(),
        transaction.category.as_str().into(),
        escape_formula(&transaction.kind),
        transaction.order_number.map(|number| number.to_string()).unwrap_or_default().into(),
        transaction.amount.decimal().into(),
        transaction.fee.decimal().into(),
        transaction.net.decimal().into(),
        escape_formula(transaction.description.as_deref().unwrap_or_default()),
        escape_formula(transaction.problem.as_deref().unwrap_or_default()),
    ])
}

/// An order's net revenue: payment less refunds, disputes and fees.
#[derive(Serialize, ToSchema)]
pub struct OrderBalance {
    fee: Cents,
    /// What disputes withdrew; negative while they withhold the payment.
    disputed: Cents,
    /// Includes refunds that the provider has not listed yet.
    net: Cents,
    /// In their order of time; empty until the provider lists them.
    transactions: Vec<BalanceTransaction>,
}

error_responses!(BalanceErrors: [ADMIN] NotFound);

/// Get an order's fee and net amount
///
/// Returns the balance transactions of the order's payment with the sums of their fees and net amounts. The shop lists
/// them every ten minutes. An unknown id is a 404.
#[utoipa::path(
    get,
    path = "/api/admin/order/{id}/balance",
    tag = "Administration",
    params(("id" = String, Path, description = "The order's id.", example = "0193f5c6-2f4e-7c1a-9b64-3d5f0a8e7c21")),
    security(("accessToken" = [])),
    responses((status = 200, description = "Fee, net amount and transactions.", body = OrderBalance), BalanceErrors),
)]
pub async fn get_order_balance(
    State(state): State<Arc<Money>>,
    Path(id): Path,
    Admin(_): Admin,
) -> Result<Json<OrderBalance>, Error> {
    let mut connection = state.db.read().acquire().await?;
    let order = orders::load_order(&mut connection, &id).await?;
    let transactions = store::list_transactions_of_order(&mut connection, &order.id).await?;
    let fee = sum(transactions.iter().map(|transaction| transaction.fee))?;
    let disputed = sum(amounts_of(&transactions, Category::Dispute))?;
    let listed_refunds = sum(amounts_of(&transactions, Category::Refund))?;
    let listed_net = sum(transactions.iter().map(|transaction| transaction.net))?;
    let net = listed_net.checked_sub(order.payment.refunded.checked_add(listed_refunds)?)?;
    let zone = time_zone::store::load(&mut *connection).await?;
    Ok(Json(OrderBalance { fee, disputed, net, transactions: shown(transactions, zone) }))
}

fn amounts_of(transactions: &[store::Transaction], category: Category) -> impl Iterator<Item = Cents> {
    transactions
        .iter()
        .filter(move |transaction| transaction.category == category)
        .map(|transaction| transaction.amount)
}

fn sum(mut amounts: impl Iterator<Item = Cents>) -> Result<Cents, Overflow> {
    amounts.try_fold(Cents::ZERO, Cents::checked_add)
}
