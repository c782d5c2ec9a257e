//! Orders as a file for a spreadsheet.

use std::collections::VecDeque;
use std::io;
use std::sync::Arc;

use axum::body::Body;
use axum::extract::State;
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Response};
use futures_util::stream;
use wasm_core::money::Cents;

use super::csv::{record, typed};
use crate::auth::Admin;
use crate::http::error::Error;
use crate::http::error_responses::error_responses;
use crate::http::extract::Params;
use crate::infra::clock::{rfc3339, utc_day};
use crate::orders::listing::{self, OrderLine};
use crate::orders::query::{Filter, FilterQuery};
use crate::shop::Shop;

/// Orders read at once: few enough to hold, many enough that their number does not matter.
const BATCH: i64 = 1_000;

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

error_responses!(ExportErrors: [QUERY, ADMIN]);

/// The orders of the same filter as CSV (RFC 4180) with a header row, newest first.
///
/// Amounts are US dollars. A text that begins like a formula has an apostrophe in front of it.
#[utoipa::path(
    get,
    path = "/api/admin/orders.csv",
    tag = "Administration",
    params(FilterQuery),
    security(("accessToken" = [])),
    responses((status = 200, description = "A file.", body = String, content_type = "text/csv"), ExportErrors),
)]
pub async fn export_orders(
    State(shop): State<Arc<Shop>>,
    Admin(_): Admin,
    Params(filter): Params<FilterQuery>,
) -> Result<Response, Error> {
    let mut export = Export { filter: filter.checked()?, last: None, shop };
    // What cannot be read at all is a refusal, not half a file.
    let first = export.next().await?;
    let name = format!("attachment; filename=\"orders-{}.csv\"", utc_day(export.shop.clock.now_ms()));
    let headers = [
        (header::CONTENT_TYPE, HeaderValue::from_static("text/csv; charset=utf-8; header=present")),
        (header::CONTENT_DISPOSITION, HeaderValue::from_str(&name).map_err(Error::internal)?),
    ];
    let header_row = record(COLUMNS.map(Into::into));
    Ok((headers, Body::from_stream(export.into_stream([Some(header_row), first]))).into_response())
}

/// No connection is held between two batches: whoever reads slowly keeps nobody waiting.
struct Export {
    shop: Arc<Shop>,
    filter: Filter,
    last: Option<OrderLine>,
}

impl Export {
    /// The next records; `None` at the end.
    async fn next(&mut self) -> Result<Option<String>, Error> {
        let lines = listing::list_lines(&self.shop.db, &self.filter, self.last.as_ref(), BATCH).await?;
        let text = lines.iter().map(record_of).collect();
        self.last = lines.into_iter().next_back();
        Ok(self.last.is_some().then_some(text))
    }

    /// What has been read already, then the rest. A failure breaks the answer off, so that no short file looks whole.
    fn into_stream(
        self,
        begun: [Option<String>; 2],
    ) -> impl futures_util::Stream<Item = Result<String, io::Error>> + Send + 'static {
        let begun: VecDeque<String> = begun.into_iter().flatten().collect();
        stream::try_unfold((self, begun), |(mut export, mut begun)| async move {
            let next = match begun.pop_front() {
                Some(text) => Some(text),
                None => export.next().await.map_err(|error| broken_off(&error))?,
            };
            Ok(next.map(|text| (text, (export, begun))))
        })
    }
}

fn broken_off(error: &Error) -> io::Error {
    tracing::error!(?error, "an export of orders broke off");
    io::Error::other("an export of orders broke off")
}

fn record_of(line: &OrderLine) -> String {
    let money = |amount: Cents| amount.decimal().into();
    record([
        line.number.to_string().into(),
        rfc3339(line.created_at).into(),
        line.status.as_str().into(),
        line.payment.as_str().into(),
        typed(&line.name),
        typed(&line.user_email),
        typed(line.tracking_number.as_deref().unwrap_or_default()),
        money(line.subtotal),
        money(line.shipping),
        money(line.tax),
        money(line.total),
        money(line.refunded),
        line.id.as_str().into(),
    ])
}
