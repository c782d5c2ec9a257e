//! Dry run of an import: the verdict of each row. Changes nothing.

use std::sync::Arc;
use std::time::Duration;

use axum::Json;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, header};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::columns::Columns;
use super::file::{self, CsvFile, Row};
use super::verdict::{Shipment, Verdict, parse_order_number, parse_tracking_number, verdicts};
use crate::accounts::Admin;
use crate::error::responses::error_responses;
use crate::error::{Code, Error};
use crate::fulfillment::Fulfillment;
use crate::http::body_limits::BodyLimits;
use crate::http::extract::{Params, read_body};
use crate::orders::bulk::store;

/// 5 MB, in a minute.
const LIMITS: BodyLimits = BodyLimits { bytes: 5 * 1024 * 1024, time: Duration::from_secs(60) };

/// Positions of the columns, from 1. Columns that are not given are recognized by their names.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct ColumnsQuery {
    /// Position of the column with the order number, from 1.
    #[param(minimum = 1, maximum = 200, example = 1)]
    order_column: Option<i64>,
    /// Position of the column with the tracking number, from 1.
    #[param(minimum = 1, maximum = 200, example = 2)]
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
        "tracking_number": "9400111899223817253419",
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
    /// Row in the file; the header is row 1.
    pub row: i64,
    /// The order number as in the file.
    pub order: String,
    /// The order number, if it is valid.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub order_number: Option<i64>,
    pub tracking_number: String,
    pub verdict: Verdict,
    /// The verdict as a sentence.
    pub message: &'static str,
}

error_responses!(PreviewErrors: [QUERY, ADMIN] BodyTooLarge UnsupportedMediaType);

/// Preview an import of tracking numbers
///
/// Takes a carrier's CSV file (UTF-8, at most 5 MB and 10,000 rows) and returns each row with what an import would do with
/// it. Changes nothing. The columns are recognized by the names of Pirate Ship, ShipStation and Canada Post, or chosen by
/// their positions. A file that can't be read is a 400 with the reason in `fields.file`.
#[utoipa::path(
    post,
    path = "/api/admin/tracking-import/preview",
    tag = "Administration",
    params(ColumnsQuery),
    request_body(
        description = "The CSV file.",
        content((String = "text/csv"), (Vec<u8> = "application/octet-stream")),
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
    let file = file::parse(&read_body(request, LIMITS).await?).map_err(invalid_file)?;
    let columns = choose_columns(&file, &query)?;
    let rows = match columns {
        Columns { order: Some(order), tracking: Some(tracking) } => preview(&state, &file, order, tracking).await?,
        _ => Vec::new(),
    };
    let position = |index: Option<usize>| index.and_then(|index| i64::try_from(index + 1).ok());
    let (order_column, tracking_column) = (position(columns.order), position(columns.tracking));
    Ok(Json(TrackingImport { columns: file.columns, order_column, tracking_column, rows }))
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
    let recognized = Columns::of(file);
    let order = chosen(file, "order_column", query.order_column)?.or(recognized.order);
    let tracking = chosen(file, "tracking_column", query.tracking_column)?.or(recognized.tracking);
    if order.is_some() && order == tracking {
        let message = "Choose two different columns for the order number and the tracking number.";
        return Err(Error::invalid_field("tracking_column", message));
    }
    Ok(Columns { order, tracking })
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
    order: usize,
    tracking: usize,
) -> Result<Vec<TrackingRow>, Error> {
    for column in [order, tracking] {
        reject_formulas(file, column)?;
    }
    let mut rows: Vec<TrackingRow> = file.rows.iter().map(|row| read_row(row, order, tracking)).collect();
    let shipments: Vec<Shipment> = rows.iter().filter_map(shipment_of).collect();
    let numbers: Vec<i64> = shipments.iter().map(|shipment| shipment.order_number).collect();
    let orders = store::list_states(state.db.read(), &numbers).await?;
    let valid = rows.iter_mut().filter(|row| row.verdict == Verdict::Ship);
    for (row, verdict) in valid.zip(verdicts(&shipments, &orders)) {
        (row.verdict, row.message) = (verdict, verdict.message());
    }
    Ok(rows)
}

fn reject_formulas(file: &CsvFile, column: usize) -> Result<(), Error> {
    let is_formula = |row: &&Row| row.fields.get(column).is_some_and(|field| field.starts_with(['=', '@', '+']));
    let Some(row) = file.rows.iter().find(is_formula) else { return Ok(()) };
    let name = file.columns.get(column).map(String::as_str).unwrap_or_default();
    let message = format!("Row {} has a formula in the column “{name}”. Save the file with values only.", row.number);
    Err(invalid_file(message))
}

/// With the verdict that follows from the row alone.
fn read_row(row: &Row, order: usize, tracking: usize) -> TrackingRow {
    let field = |index: usize| row.fields.get(index).unwrap_or_default().to_owned();
    let (order, tracking_number) = (field(order), field(tracking));
    let order_number = parse_order_number(&order);
    let verdict = match (order_number, parse_tracking_number(&tracking_number)) {
        (None, _) => Verdict::InvalidOrder,
        (_, None) => Verdict::InvalidNumber,
        _ => Verdict::Ship,
    };
    TrackingRow { row: row.number, order, order_number, tracking_number, verdict, message: verdict.message() }
}

fn shipment_of(row: &TrackingRow) -> Option<Shipment> {
    let order_number = row.order_number.filter(|_| row.verdict == Verdict::Ship)?;
    Some(Shipment { order_number, tracking_number: row.tracking_number.clone() })
}
