//! CSV export of orders.

use std::collections::VecDeque;
use std::io;
use std::sync::Arc;

use axum::body::Body;
use axum::extract::State;
use axum::http::{HeaderMap, HeaderName};
use axum::response::{IntoResponse as _, Response};
use futures_util::stream;
use serde::Deserialize;
use utoipa::{IntoParams, ToSchema};
use wasm_core::money::Cents;

use super::label_csv::{LabelSoftware, Products};
use crate::accounts::Admin;
use crate::catalog::products::Contents;
use crate::error::Error;
use crate::error::responses::error_responses;
use crate::fulfillment::Fulfillment;
use crate::http::attachment::{self, Attachment};
use crate::http::extract::Params;
use crate::infra::csv::{escape_formula, record};
use crate::orders::listing::{self, OrderLine};
use crate::orders::query::{Filter, FilterQuery};
use crate::orders::shipments;
use crate::time_zone::{self, ShopZone};

/// Orders per query.
const BATCH_SIZE: i64 = 1_000;
/// Orders per query of a search, which reads all of its matches for each batch.
const SEARCH_BATCH_SIZE: i64 = 10_000;

const COLUMNS: [&str; 13] = [
    "number",
    "order_date",
    "status",
    "payment",
    "name",
    "email",
    "tracking_number",
    "subtotal",
    "shipping",
    "tax",
    "total",
    "refunded",
    "id",
];

/// Columns of the file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum CsvColumns {
    #[default]
    Orders,
    PirateShip,
    ShipStation,
    CanadaPost,
}

impl CsvColumns {
    fn label_software(self) -> Option<LabelSoftware> {
        match self {
            Self::Orders => None,
            Self::PirateShip => Some(LabelSoftware::PirateShip),
            Self::ShipStation => Some(LabelSoftware::ShipStation),
            Self::CanadaPost => Some(LabelSoftware::CanadaPost),
        }
    }

    /// Start of the file's name.
    fn file_stem(self) -> &'static str {
        match self {
            Self::Orders => "orders",
            Self::PirateShip => "pirate-ship",
            Self::ShipStation => "shipstation",
            Self::CanadaPost => "canada-post",
        }
    }
}

/// Format of the file.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(default)]
pub struct FormatQuery {
    /// Amounts and status of each order (`orders`), or addresses and items for label software. For example:
    /// `pirate_ship`.
    #[param(inline, required = false)]
    columns: CsvColumns,
    /// Whether the file starts with a byte-order mark, by which some spreadsheets recognize UTF-8.
    #[param(required = false, default = false, example = false)]
    bom: bool,
}

error_responses!(ExportErrors: [QUERY, ADMIN]);

/// Export orders as CSV
///
/// Returns the filtered orders as CSV (RFC 4180) with a header row, in the order of the list. Amounts are in US
/// dollars, and times in the shop's time zone. Text that starts like a formula has a leading apostrophe. `columns`
/// chooses the columns: those for label software have addresses, weights and items, with one row per item for
/// ShipStation and Canada Post. They have what is still owed: items that were bought and not refunded. Orders that owe
/// nothing, and those on hold, are left out. Headers have their numbers, and that of the orders in the file that have already
/// shipped. An invalid filter or format is a 400.
#[utoipa::path(
    get,
    path = "/api/admin/orders.csv",
    tag = "Administration",
    params(FilterQuery, FormatQuery),
    security(("accessToken" = [])),
    responses(
        (status = 200, description = "The CSV file.", body = String, content_type = "text/csv", headers(
            ("X-Left-Out-Refunded" = i64, description = "Number of orders left out because all of their items are refunded. Only with columns for label software."),
            ("X-Left-Out-On-Hold" = i64, description = "Number of orders left out because they are on hold. Only with columns for label software."),
            ("X-Already-Shipped" = i64, description = "Number of orders in the file that have already shipped. Only with columns for label software."),
        )),
        ExportErrors,
    ),
)]
pub async fn export_orders(
    State(state): State<Arc<Fulfillment>>,
    Admin(_): Admin,
    Params(filter): Params<FilterQuery>,
    Params(format): Params<FormatQuery>,
) -> Result<Response, Error> {
    let zone = time_zone::store::load(state.db.read()).await?;
    let (filter, labels) = (filter.validated(zone)?, format.columns.label_software());
    let catalog = state.catalog.snapshot.current().await?;
    let mut export = Export { filter, labels, catalog, last: None, state };
    let order_counts = export.order_counts().await?;
    // An error before the first batch becomes an error response instead of a truncated file.
    let first = export.next().await?;
    let day = zone.day_text_of(export.state.clock.now_ms());
    let name = format!("{}-{day}.csv", format.columns.file_stem());
    let header_row = labels.map_or_else(|| record(COLUMNS.map(Into::into)), LabelSoftware::header);
    let mark = if format.bom { "\u{feff}" } else { "" };
    let start = format!("{mark}{header_row}");
    let file = Attachment::new(attachment::CSV, name, Body::from_stream(export.into_stream([Some(start), first])));
    Ok((order_counts, file).into_response())
}

/// Holds no connection between two batches, so a slow reader blocks no other request.
struct Export {
    state: Arc<Fulfillment>,
    filter: Filter,
    labels: Option<LabelSoftware>,
    catalog: Arc<Contents>,
    last: Option<OrderLine>,
}

impl Export {
    /// Headers with the numbers of orders that a file for label software leaves out, and of those that have shipped. A file
    /// has no place for them.
    async fn order_counts(&self) -> Result<HeaderMap, Error> {
        let mut headers = HeaderMap::new();
        if self.labels.is_some() {
            let counts = shipments::count_left_out(&self.state.db, &self.filter, self.batch_size()).await?;
            headers.insert(HeaderName::from_static("x-left-out-refunded"), counts.refunded.into());
            headers.insert(HeaderName::from_static("x-left-out-on-hold"), counts.on_hold.into());
            let shipped = listing::count_shipped(&self.state.db, &self.filter).await?;
            headers.insert(HeaderName::from_static("x-already-shipped"), (shipped - counts.shipped).into());
        }
        Ok(headers)
    }

    fn batch_size(&self) -> i64 {
        if self.filter.search.is_some() { SEARCH_BATCH_SIZE } else { BATCH_SIZE }
    }

    /// The records of the next batch. None at the end.
    async fn next(&mut self) -> Result<Option<String>, Error> {
        let limit = self.batch_size();
        let (text, last) = match self.labels {
            None => self.next_lines(limit).await?,
            Some(software) => self.next_labels(software, limit).await?,
        };
        self.last = last;
        Ok(self.last.is_some().then_some(text))
    }

    async fn next_lines(&self, limit: i64) -> Result<(String, Option<OrderLine>), Error> {
        let lines = listing::list_lines(&self.state.db, &self.filter, self.last.as_ref(), limit).await?;
        Ok((lines.iter().map(|line| record_of(line, self.filter.zone)).collect(), lines.into_iter().next_back()))
    }

    async fn next_labels(&self, software: LabelSoftware, limit: i64) -> Result<(String, Option<OrderLine>), Error> {
        let shipments = shipments::list_shipments(&self.state.db, &self.filter, self.last.as_ref(), limit).await?;
        let products: Products<'_> = self.catalog.all.iter().map(|product| (product.id.as_str(), product)).collect();
        let packed = shipments.iter().filter(|shipment| shipment.left_out.is_none());
        let text = packed.map(|shipment| software.records(shipment, &products, self.filter.zone)).collect();
        Ok((text, shipments.into_iter().next_back().map(|shipment| shipment.line)))
    }

    /// Streams the first records, then the remaining batches. An error aborts the response, so that a truncated file is
    /// never taken for a complete one.
    fn into_stream(
        self,
        first: [Option<String>; 2],
    ) -> impl futures_util::Stream<Item = Result<String, io::Error>> + Send + 'static {
        let first: VecDeque<String> = first.into_iter().flatten().collect();
        stream::try_unfold((self, first), |(mut export, mut first)| async move {
            let next = match first.pop_front() {
                Some(text) => Some(text),
                None => export.next().await.map_err(|error| aborted(&error))?,
            };
            Ok(next.map(|text| (text, (export, first))))
        })
    }
}

fn aborted(error: &Error) -> io::Error {
    tracing::error!(?error, "the export of orders was aborted");
    io::Error::other("the export of orders was aborted")
}

fn record_of(line: &OrderLine, zone: ShopZone) -> String {
    let money = |amount: Cents| amount.decimal().into();
    record([
        line.number.to_string().into(),
        zone.local(line.created_at).into(),
        line.status.as_str().into(),
        line.payment.as_str().into(),
        escape_formula(&line.name),
        escape_formula(&line.user_email),
        escape_formula(line.tracking_number.as_deref().unwrap_or_default()),
        money(line.subtotal),
        money(line.shipping),
        money(line.tax),
        money(line.total),
        money(line.refunded),
        line.id.as_str().into(),
    ])
}
