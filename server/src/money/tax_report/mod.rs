//! Tax report: the taxes of each month by state or province and kind, net of refunds.
//!
//! A sale counts in the month of its order, a refund in its own month. A refund that failed is subtracted in the month
//! of its failure, so that months that were filed stay. The report adds up what orders and refunds store; it computes
//! no tax.

mod months;
mod store;

use std::collections::BTreeMap;
use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use serde::{Deserialize, Serialize};
use sqlx::AnyConnection;
use utoipa::{IntoParams, ToSchema};
use wasm_core::money::{Cents, Overflow};

use self::months::Month;
use self::store::{Source, Taxed};
use crate::accounts::Admin;
use crate::checkout::refunds::balance::complete_breakdown;
use crate::error::Error;
use crate::error::responses::error_responses;
use crate::http::attachment::{self, Attachment};
use crate::http::extract::Params;
use crate::infra::csv::{escape_formula, record};
use crate::money::Money;
use crate::time_zone::{self, ShopZone};

/// Longest period of a report.
const MAX_MONTHS: i64 = 36;
/// Kind of a tax that the provider does not name.
const UNKNOWN_TAX: &str = "tax";

/// Months of the report.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(default)]
pub struct PeriodQuery {
    /// First month, in the shop's time zone; January of this year if absent. For example: `2026-01`.
    #[param(value_type = String, required = false, pattern = "^[0-9]{4}-(0[1-9]|1[0-2])$")]
    from: Option<String>,
    /// Last month, in the shop's time zone, inclusive; this month if absent. For example: `2026-12`.
    #[param(value_type = String, required = false, pattern = "^[0-9]{4}-(0[1-9]|1[0-2])$")]
    to: Option<String>,
}

struct Period {
    zone: ShopZone,
    current: Month,
    from: Month,
    to: Month,
}

/// Taxes by month, state or province, and kind.
#[derive(Debug, Serialize, ToSchema)]
#[schema(examples(json!({
    "from": "2026-12", "to": "2026-12",
    "rows": [{
        "month": "2026-12", "country": "US", "region": "CA", "tax_type": "sales_tax", "sales": 1123.6,
        "collected": 72.4, "refunded": 3.62, "net": 68.78,
    }],
    "months": [{ "month": "2026-12", "collected": 72.4, "refunded": 3.62, "net": 68.78 }],
    "collected": 72.4, "refunded": 3.62, "net": 68.78, "this_month": "2026-12",
})))]
pub struct TaxReport {
    /// First month, as in `2026-01`.
    from: String,
    /// Last month.
    to: String,
    rows: Vec<TaxReportRow>,
    /// Sums of each month with rows.
    months: Vec<TaxReportMonth>,
    /// Sum of all rows.
    collected: Cents,
    /// Sum of all rows.
    refunded: Cents,
    /// Sum of all rows.
    net: Cents,
    /// The present month in the shop's time zone.
    this_month: String,
}

/// The sums of a month. Sales have none, because an order with two taxes is in two rows.
#[derive(Debug, Serialize, ToSchema)]
#[schema(examples(json!({ "month": "2026-12", "collected": 72.4, "refunded": 3.62, "net": 68.78 })))]
pub struct TaxReportMonth {
    /// As in `2026-12`.
    month: String,
    collected: Cents,
    refunded: Cents,
    net: Cents,
}

/// One tax of a state or province in one month.
#[derive(Debug, Serialize, ToSchema)]
#[schema(examples(json!({
    "month": "2026-12",
    "country": "US",
    "region": "CA",
    "tax_type": "sales_tax",
    "sales": 1123.6,
    "collected": 72.4,
    "refunded": 3.62,
    "net": 68.78,
})))]
pub struct TaxReportRow {
    /// As in `2026-12`.
    month: String,
    /// ISO 3166-1 code.
    country: String,
    /// State or province of the shipping address at the time of the order.
    region: String,
    /// `sales_tax`, `gst`, `hst`, `pst`, `qst`, `rst` and others.
    tax_type: String,
    /// Items and shipping of the orders with this tax, without tax, less refunds. An order with two taxes counts for
    /// both.
    sales: Cents,
    /// Tax of the month's orders.
    collected: Cents,
    /// Tax of the month's refunds, less those that failed in the month; negative if more failed than were made.
    refunded: Cents,
    /// `collected` less `refunded`.
    net: Cents,
}

error_responses!(ReportErrors: [QUERY, ADMIN]);

/// Get the tax report
///
/// Returns the taxes of each month by state or province and kind, net of refunds, and their sums. A sale counts in the
/// month of its order, a refund in the month in which it was made. A refund that failed at the customer's bank is subtracted
/// in the month of its failure. An invalid month and more than 36 months are a 400.
#[utoipa::path(
    get,
    path = "/api/admin/tax-report",
    tag = "Administration",
    params(PeriodQuery),
    security(("accessToken" = [])),
    responses((status = 200, description = "The report.", body = TaxReport), ReportErrors),
)]
pub async fn get_tax_report(
    State(state): State<Arc<Money>>,
    Admin(_): Admin,
    Params(query): Params<PeriodQuery>,
) -> Result<Json<TaxReport>, Error> {
    let period = query.validated(state.clock.now_ms(), time_zone::store::load(state.db.read()).await?)?;
    Ok(Json(report(&state, period).await?))
}

/// Export the tax report as CSV
///
/// Returns the rows of the tax report as CSV (RFC 4180) with a header row. Amounts are in US dollars.
#[utoipa::path(
    get,
    path = "/api/admin/tax-report.csv",
    tag = "Administration",
    params(PeriodQuery),
    security(("accessToken" = [])),
    responses((status = 200, description = "The CSV file.", body = String, content_type = "text/csv"), ReportErrors),
)]
pub async fn export_tax_report(
    State(state): State<Arc<Money>>,
    Admin(_): Admin,
    Params(query): Params<PeriodQuery>,
) -> Result<Attachment, Error> {
    let period = query.validated(state.clock.now_ms(), time_zone::store::load(state.db.read()).await?)?;
    let name = format!("taxes-{}-{}.csv", period.from, period.to);
    let report = report(&state, period).await?;
    let columns = ["month", "country", "region", "tax_type", "sales", "collected", "refunded", "net"];
    let rows = report.rows.iter().map(TaxReportRow::to_csv);
    let file: String = std::iter::once(record(columns.map(Into::into))).chain(rows).collect();
    Ok(Attachment::new(attachment::CSV, name, file))
}

impl PeriodQuery {
    fn validated(&self, now: i64, zone: ShopZone) -> Result<Period, Error> {
        let current = Month::of(now, zone).ok_or_else(|| Error::internal("a time without a month"))?;
        let to = parse("to", self.to.as_deref())?.unwrap_or(current);
        let from = parse("from", self.from.as_deref())?.unwrap_or_else(|| to.january());
        let months = from.count_to(to);
        if months < 1 {
            return Err(Error::invalid_field("to", "The last month must not be before the first one."));
        }
        if months > MAX_MONTHS {
            return Err(Error::invalid_field("from", format!("Choose at most {MAX_MONTHS} months.")));
        }
        Ok(Period { zone, current, from, to })
    }
}

/// An empty text counts as absent.
fn parse(field: &str, text: Option<&str>) -> Result<Option<Month>, Error> {
    let Some(text) = text.filter(|text| !text.is_empty()) else { return Ok(None) };
    let month = Month::parse(text);
    month.map(Some).ok_or_else(|| Error::invalid_field(field, "Enter a month like 2026-12."))
}

/// Month, region and kind of tax.
type Key = (Month, String, String);

#[derive(Clone, Copy, Default)]
struct Sums {
    sales: Cents,
    collected: Cents,
    refunded: Cents,
}

async fn report(state: &Money, period: Period) -> Result<TaxReport, Error> {
    let Period { zone, current, from, to } = period;
    let sums = state.db.snapshot(move |tx| Box::pin(add_up(tx, zone, from, to))).await?;
    let rows = sums.into_iter().map(row).collect::<Result<Vec<_>, Error>>()?;
    Ok(TaxReport {
        from: from.to_string(),
        to: to.to_string(),
        months: rows.chunk_by(|a, b| a.month == b.month).map(month_of).collect::<Result<_, Overflow>>()?,
        collected: total(&rows, |row| row.collected)?,
        refunded: total(&rows, |row| row.refunded)?,
        net: total(&rows, |row| row.net)?,
        rows,
        this_month: current.to_string(),
    })
}

fn total(rows: &[TaxReportRow], of: fn(&TaxReportRow) -> Cents) -> Result<Cents, Overflow> {
    rows.iter().try_fold(Cents::ZERO, |sum, row| sum.checked_add(of(row)))
}

/// The sums of a month's rows.
fn month_of(rows: &[TaxReportRow]) -> Result<TaxReportMonth, Overflow> {
    Ok(TaxReportMonth {
        month: rows.first().map(|row| row.month.clone()).unwrap_or_default(),
        collected: total(rows, |row| row.collected)?,
        refunded: total(rows, |row| row.refunded)?,
        net: total(rows, |row| row.net)?,
    })
}

async fn add_up(tx: &mut AnyConnection, zone: ShopZone, from: Month, to: Month) -> Result<BTreeMap<Key, Sums>, Error> {
    let mut sums = BTreeMap::new();
    let mut month = from;
    while month <= to {
        let time = (month.start(zone), month.next().start(zone));
        for source in [Source::Orders, Source::Refunds, Source::FailedRefunds] {
            store::for_each(tx, source, time, |taxed| add(&mut sums, month, source, taxed)).await?;
        }
        month = month.next();
    }
    Ok(sums)
}

fn add(sums: &mut BTreeMap<Key, Sums>, month: Month, source: Source, taxed: Taxed) -> Result<(), Error> {
    let mut kinds: BTreeMap<String, Cents> = BTreeMap::new();
    for tax in complete_breakdown(taxed.tax, taxed.breakdown) {
        let kind = tax.tax_rate_details.tax_type.unwrap_or_else(|| UNKNOWN_TAX.to_owned());
        let amount = kinds.entry(kind).or_default();
        *amount = amount.checked_add(Cents::from_cents(tax.amount))?;
    }
    for (kind, amount) in kinds {
        let sum = sums.entry((month, taxed.region.clone(), kind)).or_default();
        match source {
            Source::Orders => {
                sum.collected = sum.collected.checked_add(amount)?;
                sum.sales = sum.sales.checked_add(taxed.sales)?;
            }
            Source::Refunds => {
                sum.refunded = sum.refunded.checked_add(amount)?;
                sum.sales = sum.sales.checked_sub(taxed.sales)?;
            }
            Source::FailedRefunds => {
                sum.refunded = sum.refunded.checked_sub(amount)?;
                sum.sales = sum.sales.checked_add(taxed.sales)?;
            }
        }
    }
    Ok(())
}

fn row(((month, code, tax_type), sums): (Key, Sums)) -> Result<TaxReportRow, Error> {
    let (country, region) = code.split_once('-').unwrap_or((&code, ""));
    Ok(TaxReportRow {
        month: month.to_string(),
        country: country.to_owned(),
        region: region.to_owned(),
        tax_type,
        sales: sums.sales,
        collected: sums.collected,
        refunded: sums.refunded,
        net: sums.collected.checked_sub(sums.refunded)?,
    })
}

impl TaxReportRow {
    fn to_csv(&self) -> String {
        record([
            self.month.as_str().into(),
            escape_formula(&self.country),
            escape_formula(&self.region),
            escape_formula(&self.tax_type),
            self.sales.decimal().into(),
            self.collected.decimal().into(),
            self.refunded.decimal().into(),
            self.net.decimal().into(),
        ])
    }
}
