//! Dry run of an import: the verdict of each row. Changes nothing.

use std::sync::Arc;
use std::time::Duration;

use axum::Json;
use axum::body::Bytes;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, header};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::columns::Columns;
use super::file::{self, CsvFile, Row};
use super::verdict::{Known, Shipment, Verdict, Warning, parse_order_number, parse_tracking_number, verdicts};
use crate::accounts::Admin;
use crate::error::responses::error_responses;
use crate::error::{Code, Error};
use crate::fulfillment::Fulfillment;
use crate::http::body_limits::{BinaryBody, BodyLimits};
use crate::http::extract::{Params, read_body};
use crate::orders::bulk::store;
use crate::orders::search::store as search;

/// 5 MB, in a minute.
const LIMITS: BodyLimits = BodyLimits { bytes: 5 * 1024 * 1024, time: Duration::from_secs(60) };

/// Rows whose values propose a column.
const PROPOSING_ROWS: usize = 200;

/// Positions of the columns, from 1. Columns that are not given are recognized by their names.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct ColumnsQuery {
    /// Position of the column with the order number, from 1. For example: `1`.
    #[param(minimum = 1, maximum = 200)]
    order_column: Option<i64>,
    /// Position of the column with the tracking number, from 1. For example: `2`.
    #[param(minimum = 1, maximum = 200)]
    tracking_column: Option<i64>,
}

/// The rows of a carrier's file with their verdicts.
#[derive(Serialize, ToSchema)]
#[schema(examples(json!({
    "columns": ["Order ID", "Tracking Number"],
    "order_column": 1,
    "tracking_column": 2,
    "rows": [{
        "row": 2,
        "order": "NL-1001",
        "order_number": 1001,
        "name": "Ada Lovelace",
        "tracking_number": "9400111899223817253416",
        "verdict": "ship",
        "message": "Will be shipped.",
    }],
})))]
pub struct TrackingImport {
    /// Names of the file's columns.
    pub columns: Vec<String>,
    /// Position of the column with the order number, if it is recognized or given.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub order_column: Option<i64>,
    /// Position of the column with the tracking number, if it is recognized or given.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub tracking_column: Option<i64>,
    /// Empty while a column is unknown.
    pub rows: Vec<TrackingRow>,
}

#[derive(Serialize, ToSchema)]
pub struct TrackingRow {
    /// Row in the file, as a spreadsheet counts them.
    pub row: i64,
    /// The order number as in the file.
    pub order: String,
    /// The order number, if it is valid.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub order_number: Option<i64>,
    /// Recipient of the order, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub name: Option<String>,
    pub tracking_number: String,
    pub verdict: Verdict,
    /// A doubt about a row that would be shipped.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub warning: Option<Warning>,
    /// The verdict, or its warning, as a sentence.
    pub message: &'static str,
}

error_responses!(PreviewErrors: [QUERY, ADMIN] BodyTooLarge UnsupportedMediaType);

/// Preview an import of tracking numbers
///
/// Takes a carrier's CSV file (UTF-8 or Windows-1252, at most 5 MB and 10,000 rows) and returns each row with what an import
/// would do with it. Changes nothing. The columns are recognized by the names of Pirate Ship, ShipStation, UPS, USPS,
/// EasyPost and Canada Post, or chosen by their positions. If no column with order numbers is known, the one with the most
/// numbers of open orders is used. A file that can't be read is a 400 with the reason in `fields.file`.
#[utoipa::path(
    post,
    path = "/api/admin/tracking-import/preview",
    tag = "Administration",
    params(ColumnsQuery),
    request_body(
        description = "The CSV file.",
        content((String = "text/csv"), (BinaryBody = "application/octet-stream")),
    ),
    security(("accessToken" = [])),
    responses((status = 200, description = "The rows with their verdicts.", body = TrackingImport), PreviewErrors),
)]
pub async fn preview_tracking_import(
    State(state): State<Arc<Fulfillment>>,
    Admin(_): Admin,
    Params(query): Params<ColumnsQuery>,
    request: Request,
) -> Result<Json<TrackingImport>, Error> {
    require_csv(request.headers())?;
    let file = read_file(&state, read_body(request, LIMITS).await?).await?;
    let mut columns = choose_columns(&file, &query)?;
    if columns.order.is_empty() {
        columns.order.extend(find_order_column(&state, &file, columns.tracking).await?);
    }
    let rows = match columns.tracking.filter(|_| columns.are_known()) {
        Some(tracking) => preview(&state, &file, &columns.order, tracking).await?,
        None => Vec::new(),
    };
    let position = |index: Option<usize>| index.and_then(|index| i64::try_from(index + 1).ok());
    let (order_column, tracking_column) = (position(columns.order.first().copied()), position(columns.tracking));
    Ok(Json(TrackingImport { columns: file.columns, order_column, tracking_column, rows }))
}

/// One file at a time, and on a thread that may block: reading one takes some tens of megabytes, and up to a second.
async fn read_file(state: &Fulfillment, body: Bytes) -> Result<CsvFile, Error> {
    let _turn = state.tracking_files.lock().await;
    let file = tokio::task::spawn_blocking(move || file::parse(&body)).await.map_err(Error::internal)?;
    file.map_err(invalid_file)
}

/// Browsers guess the type of a file by its name, so only what is certainly something else is rejected.
fn require_csv(headers: &HeaderMap) -> Result<(), Error> {
    let media_type = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let media_type = media_type.trim().to_ascii_lowercase();
    if media_type.starts_with("text/csv") || media_type.starts_with("application/octet-stream") {
        return Ok(());
    }
    Err(Error::new(
        Code::UnsupportedMediaType,
        "Send the CSV file itself as the body, as text/csv or application/octet-stream.",
    ))
}

fn invalid_file(message: String) -> Error {
    Error::invalid_field("file", message)
}

fn choose_columns(file: &CsvFile, query: &ColumnsQuery) -> Result<Columns, Error> {
    let recognized = Columns::of(file.columns.iter().map(String::as_str));
    let tracking = chosen(file, "tracking_column", query.tracking_column)?.or(recognized.tracking);
    let order = match chosen(file, "order_column", query.order_column)? {
        Some(order) => vec![order],
        None => recognized.order,
    };
    if order.first().is_some_and(|order| tracking == Some(*order)) {
        let message = "Choose two different columns for the order number and the tracking number.";
        return Err(Error::invalid_field("tracking_column", message));
    }
    Ok(Columns { order, tracking })
}

/// The column with the most numbers of open orders among the first rows, if they are at least half of its values.
async fn find_order_column(
    state: &Fulfillment,
    file: &CsvFile,
    tracking: Option<usize>,
) -> Result<Option<usize>, Error> {
    let values = |column: usize| {
        let fields = file.rows.iter().take(PROPOSING_ROWS).filter_map(move |row| row.fields.get(column));
        fields.filter(|field| !field.is_empty()).map(parse_order_number)
    };
    let columns: Vec<usize> = (0..file.columns.len()).filter(|column| Some(*column) != tracking).collect();
    let mut numbers: Vec<i64> = columns.iter().flat_map(|column| values(*column).flatten()).collect();
    numbers.sort_unstable();
    numbers.dedup();
    let states = store::list_states(state.db.read(), &numbers).await?;
    let is_open = |number: &i64| states.get(number).is_some_and(|order| order.status.is_to_ship());
    let count = |column: &usize| values(*column).flatten().filter(is_open).count();
    let has_enough = |column: &usize| count(column) > 0 && count(column) * 2 >= values(*column).count();
    Ok(columns.into_iter().filter(has_enough).max_by_key(count))
}

fn chosen(file: &CsvFile, field: &str, position: Option<i64>) -> Result<Option<usize>, Error> {
    let Some(position) = position else { return Ok(None) };
    let index = usize::try_from(position).ok().and_then(|position| position.checked_sub(1));
    match index.filter(|index| *index < file.columns.len()) {
        Some(index) => Ok(Some(index)),
        None => Err(Error::invalid_field(field, format!("This must be from 1 to {}.", file.columns.len()))),
    }
}

async fn preview(
    state: &Fulfillment,
    file: &CsvFile,
    order: &[usize],
    tracking: usize,
) -> Result<Vec<TrackingRow>, Error> {
    for column in order.iter().chain([&tracking]) {
        reject_formulas(file, *column)?;
    }
    let mut rows: Vec<TrackingRow> = file.rows.iter().map(|row| read_row(row, order, tracking)).collect();
    let shipments: Vec<Shipment> = rows.iter().filter_map(shipment_of).collect();
    let known = load_known(state, &rows, &shipments).await?;
    let valid = rows.iter_mut().filter(|row| row.verdict == Verdict::Ship);
    for (row, verdict) in valid.zip(verdicts(&shipments, &known)) {
        (row.verdict, row.message) = (verdict, verdict.message());
    }
    for row in &mut rows {
        row.name = row.order_number.and_then(|number| known.orders.get(&number)).map(|order| order.name.clone());
        row.warning = Warning::of(&row.tracking_number).filter(|_| row.verdict == Verdict::Ship);
        row.message = row.warning.map_or(row.message, Warning::message);
    }
    Ok(rows)
}

async fn load_known(state: &Fulfillment, rows: &[TrackingRow], shipments: &[Shipment]) -> Result<Known, Error> {
    let numbers: Vec<i64> = rows.iter().filter_map(|row| row.order_number).collect();
    let orders = store::list_states(state.db.read(), &numbers).await?;
    let numbers: Vec<&str> = shipments.iter().map(|shipment| shipment.tracking_number.as_str()).collect();
    let mut connection = state.db.read().acquire().await?;
    Ok(Known { orders, tracked: search::list_tracked(&mut connection, &numbers).await? })
}

fn reject_formulas(file: &CsvFile, column: usize) -> Result<(), Error> {
    let is_formula = |row: &&Row| row.fields.get(column).is_some_and(|field| field.starts_with(['=', '@', '+']));
    let Some(row) = file.rows.iter().find(is_formula) else { return Ok(()) };
    let name = file.columns.get(column).map(String::as_str).unwrap_or_default();
    let message = format!("Row {} has a formula in the column “{name}”. Save the file with values only.", row.number);
    Err(invalid_file(message))
}

/// With the verdict that follows from the row alone.
fn read_row(row: &Row, order: &[usize], tracking: usize) -> TrackingRow {
    let field = |index: usize| row.fields.get(index).unwrap_or_default().to_owned();
    let order = order.iter().map(|index| field(*index)).find(|field| !field.is_empty()).unwrap_or_default();
    let tracking_number = field(tracking);
    let order_number = parse_order_number(&order);
    let verdict = match (order_number, parse_tracking_number(&tracking_number)) {
        (None, _) => Verdict::InvalidOrder,
        (_, Err(verdict)) => verdict,
        _ => Verdict::Ship,
    };
    TrackingRow {
        row: row.number,
        order,
        order_number,
        name: None,
        tracking_number,
        verdict,
        warning: None,
        message: verdict.message(),
    }
}

fn shipment_of(row: &TrackingRow) -> Option<Shipment> {
    let order_number = row.order_number.filter(|_| row.verdict == Verdict::Ship)?;
    Some(Shipment { order_number, tracking_number: row.tracking_number.clone() })
}
