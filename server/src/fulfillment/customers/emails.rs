//! The emails that a customer was sent. Their texts and subjects are not shown: they may contain codes and links.

use std::collections::HashMap;
use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use serde::Serialize;
use utoipa::ToSchema;

use super::store::{self, EmailRow};
use crate::accounts::Admin;
use crate::catalog::stock_ledger::OrderReference;
use crate::error::Error;
use crate::error::responses::error_responses;
use crate::fulfillment::Fulfillment;
use crate::http::extract::{Params, Path};
use crate::http::page::PageQuery;
use crate::infra::clock::rfc3339;
use crate::mail::EmailKind;
use crate::time_zone::{self, ShopZone};

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(examples(json!({ "emails": [], "page": 1, "totalPages": 1, "total": 0 })))]
pub struct EmailPage {
    emails: Vec<CustomerEmail>,
    /// Page number, starting at 1.
    page: i64,
    total_pages: i64,
    /// Number of all emails to this address that the shop still lists.
    total: i64,
}

#[derive(Serialize, ToSchema)]
#[schema(examples(json!({
    "id": "0193f5c6-2f4e-7c1a-9b64-3d5f0a8e7c23",
    "kind": "receipt",
    "created_at": "2026-12-24T18:00:00.000Z",
    "created_at_local": "2026-12-24T13:00:00.000-05:00",
    "state": "sent",
    "order": { "id": "0193f5c6-2f4e-7c1a-9b64-3d5f0a8e7c21", "number": 1001 },
})))]
pub struct CustomerEmail {
    id: String,
    kind: EmailKind,
    /// When it was enqueued, RFC 3339 in UTC.
    #[schema(format = DateTime)]
    created_at: String,
    /// The same time in the shop's time zone, with its offset.
    #[schema(format = DateTime)]
    created_at_local: String,
    state: EmailState,
    /// The order that it is about.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    order: Option<OrderReference>,
}

#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum EmailState {
    Pending,
    Sent,
    Failed,
}

error_responses!(EmailsErrors: [QUERY, ADMIN] NotFound);

/// List the emails to a customer
///
/// Returns one page of the emails to the customer's address, latest first, without their texts. Emails about the account
/// are listed for 90 days. An unknown id is a 404.
#[utoipa::path(
    get,
    path = "/api/admin/customers/{id}/emails",
    tag = "Administration",
    params(
        ("id" = String, Path, description = "The customer's id.", example = "0193a1b2-6c3d-7e4f-8a5b-1c2d3e4f5a6b"),
        PageQuery
    ),
    security(("accessToken" = [])),
    responses((status = 200, description = "One page of emails.", body = EmailPage), EmailsErrors),
)]
pub async fn list_customer_emails(
    State(state): State<Arc<Fulfillment>>,
    Path(id): Path,
    Admin(_): Admin,
    Params(page): Params<PageQuery>,
) -> Result<Json<EmailPage>, Error> {
    let page = page.validated()?;
    let customer = super::load_customer(&state, id).await?;
    let pool = state.db.read();
    let total = store::count_emails(pool, &customer.email).await?;
    let rows = store::list_emails(pool, &customer.email, page).await?;
    let orders: Vec<&str> = rows.iter().filter_map(|row| row.order_id.as_deref()).collect();
    let numbers = store::list_numbers(pool, &orders).await?.into_iter().collect();
    let zone = time_zone::store::load(pool).await?;
    let emails = rows.iter().map(|row| email_of(row, &numbers, zone)).collect();
    Ok(Json(EmailPage { emails, page: page.number, total_pages: page.total_pages(total), total }))
}

fn email_of(row: &EmailRow, numbers: &HashMap<String, i64>, zone: ShopZone) -> CustomerEmail {
    let order = row.order_id.as_deref().and_then(|id| numbers.get_key_value(id));
    CustomerEmail {
        id: row.id.clone(),
        kind: row.kind,
        created_at: rfc3339(row.created_at),
        created_at_local: zone.local(row.created_at),
        state: match (row.sent_at, row.failed_at) {
            (Some(_), _) => EmailState::Sent,
            (None, Some(_)) => EmailState::Failed,
            (None, None) => EmailState::Pending,
        },
        order: order.map(|(id, number)| OrderReference { id: id.clone(), number: *number }),
    }
}
