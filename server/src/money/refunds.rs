//! Refunds of an order, in full or in parts: list, preview and make them.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use serde::Serialize;
use utoipa::ToSchema;
use wasm_core::money::Cents;
use wasm_core::pricing::Parts;

use crate::accounts::Admin;
use crate::checkout::refunds::balance::{Balance, FULLY_REFUNDED};
use crate::checkout::refunds::store::Refund;
use crate::checkout::refunds::{self, RefundRequest, store};
use crate::error::Error;
use crate::error::responses::error_responses;
use crate::http::extract::{Body, Path};
use crate::infra::clock::rfc3339;
use crate::money::Money;
use crate::orders::{StoredOrder, store as orders};
use crate::time_zone::{self, ShopZone};

/// A refund that was made.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Refund, examples(json!({
    "id": "0193f5c6-2f4e-7c1a-9b64-3d5f0a8e7c24",
    "created_at": "2026-12-28T09:30:00.000Z",
    "created_at_local": "2026-12-28T04:30:00.000-05:00",
    "actor": "admin@nudgelight.example",
    "parts": { "amount": 10, "subtotal": 9.32, "shipping": 0, "tax": 0.68, "tax_breakdown": [] },
    "lines": [],
})))]
pub struct RefundResponse {
    id: String,
    /// RFC 3339 in UTC.
    created_at: String,
    /// The same time in the shop's time zone, with its offset.
    #[schema(format = DateTime)]
    created_at_local: String,
    /// Email address of the administrator, or `shop` for a refund made at the payment provider.
    actor: String,
    parts: Parts,
    /// Refunded items; empty for a refund by amount.
    lines: Vec<RefundedLine>,
}

#[derive(Debug, Serialize, ToSchema)]
#[schema(examples(json!({
    "product_id": "0193a1b2-6c3d-7e4f-8a5b-1c2d3e4f5a6b", "product_name": "Nudgelight One", "quantity": 1,
})))]
pub struct RefundedLine {
    product_id: String,
    product_name: String,
    /// Number of units.
    quantity: i64,
}

/// The refunds of an order, and what is left to refund.
#[derive(Debug, Serialize, ToSchema)]
pub struct OrderRefunds {
    /// Oldest first.
    refunds: Vec<RefundResponse>,
    left: RefundableParts,
}

/// What is left to refund.
#[derive(Debug, Serialize, ToSchema)]
pub struct RefundableParts {
    /// Tax included.
    #[schema(examples(49.8))]
    amount: Cents,
    /// Without tax.
    #[schema(examples(6.2))]
    shipping: Cents,
    /// Every item of the order, with the number of units left to refund.
    lines: Vec<RefundedLine>,
}

error_responses!(ListErrors: [ADMIN] NotFound);

/// List the refunds of an order
///
/// Returns the refunds with their parts, and what is left to refund. An unknown order is a 404.
#[utoipa::path(
    get,
    path = "/api/admin/order/{id}/refunds",
    tag = "Administration",
    params(("id" = String, Path, description = "The order's id.", example = "0193f5c6-2f4e-7c1a-9b64-3d5f0a8e7c21")),
    security(("accessToken" = [])),
    responses((status = 200, description = "The refunds.", body = OrderRefunds), ListErrors),
)]
pub async fn list_refunds(
    State(state): State<Arc<Money>>,
    Path(id): Path,
    Admin(_): Admin,
) -> Result<Json<OrderRefunds>, Error> {
    let (order, refunds) = state
        .db
        .snapshot(move |tx| {
            Box::pin(async move { Ok((orders::load_order(tx, &id).await?, store::list_done(tx, &id).await?)) })
        })
        .await?;
    let left = left_of(&order, &refunds)?;
    let zone = time_zone::store::load(state.db.read()).await?;
    let refunds = refunds.into_iter().map(|refund| response(&order, refund, zone)).collect();
    Ok(Json(OrderRefunds { refunds, left }))
}

error_responses!(PreviewErrors: [BODY, ADMIN] NotFound EditConflict);

/// Preview a refund
///
/// Returns the parts that a refund would have, and makes none. More than what is left is a 400.
#[utoipa::path(
    post,
    path = "/api/admin/order/{id}/refunds/preview",
    tag = "Administration",
    params(("id" = String, Path, description = "The order's id.", example = "0193f5c6-2f4e-7c1a-9b64-3d5f0a8e7c21")),
    request_body = RefundRequest,
    security(("accessToken" = [])),
    responses((status = 200, description = "The parts.", body = Parts), PreviewErrors),
)]
pub async fn preview_refund(
    State(state): State<Arc<Money>>,
    Path(id): Path,
    Admin(_): Admin,
    Body(request): Body<RefundRequest>,
) -> Result<Json<Parts>, Error> {
    let request = request.validated()?;
    let refund =
        state.db.snapshot(move |tx| Box::pin(async move { refunds::preview(tx, &id, &request).await })).await?;
    Ok(Json(refund.parts))
}

error_responses!(CreateErrors: [BODY, ADMIN] NotFound EditConflict PaymentProviderUnavailable);

/// Refund an order in parts
///
/// Refunds items, shipping or an amount at the provider and returns the refund. The tax goes back in proportion; all
/// refunds of an order add up to what was paid. The customer gets an email. A refund of everything that is left changes
/// the status to `refunded`. More than what is left is a 400; `refunded` that is outdated, and another refund in progress,
/// are an `EditConflict`. The same request can be sent again after a 503: it refunds once.
#[utoipa::path(
    post,
    path = "/api/admin/order/{id}/refunds",
    tag = "Administration",
    params(("id" = String, Path, description = "The order's id.", example = "0193f5c6-2f4e-7c1a-9b64-3d5f0a8e7c21")),
    request_body = RefundRequest,
    security(("accessToken" = [])),
    responses((status = 201, description = "The refund.", body = RefundResponse), CreateErrors),
)]
pub async fn create_refund(
    State(state): State<Arc<Money>>,
    Path(id): Path,
    Admin(caller): Admin,
    Body(request): Body<RefundRequest>,
) -> Result<(StatusCode, Json<RefundResponse>), Error> {
    let made = refunds::make(&state.checkout, &id, Some(request.validated()?), &caller.email).await?;
    let Some((order, refund)) = made else {
        return Err(Error::invalid_field("lines", FULLY_REFUNDED));
    };
    let zone = time_zone::store::load(state.db.read()).await?;
    Ok((StatusCode::CREATED, Json(response(&order, refund, zone))))
}

fn left_of(order: &StoredOrder, refunds: &[Refund]) -> Result<RefundableParts, Error> {
    let balance = Balance::of(order, refunds)?;
    let left = balance.left()?;
    let lines = balance.items_left().map(|(item, quantity)| RefundedLine {
        product_id: item.product_id.clone(),
        product_name: item.product_name.clone(),
        quantity,
    });
    Ok(RefundableParts { amount: left.amount, shipping: left.shipping, lines: lines.collect() })
}

fn response(order: &StoredOrder, refund: Refund, zone: ShopZone) -> RefundResponse {
    let name_of =
        |id: &str| order.items.iter().find(|item| item.product_id == id).map(|item| item.product_name.clone());
    let lines = refund.lines.into_iter().map(|line| RefundedLine {
        product_name: name_of(&line.product_id).unwrap_or_default(),
        product_id: line.product_id,
        quantity: line.quantity,
    });
    RefundResponse {
        id: refund.id,
        created_at: rfc3339(refund.created_at),
        created_at_local: zone.local(refund.created_at),
        actor: refund.actor,
        parts: refund.parts,
        lines: lines.collect(),
    }
}
