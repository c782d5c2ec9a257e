//! Refunds of an order, in full or in parts: list, preview and make them, and settle those that failed.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use wasm_core::money::Cents;
use wasm_core::orders::{DisputeStatus, OrderItem, display_date};
use wasm_core::pricing::Parts;
use wasm_core::validation::{MAX_NOTE, validate_note};

use crate::accounts::Admin;
use crate::checkout::refunds::balance::{Balance, FULLY_REFUNDED};
use crate::checkout::refunds::store::{Outside, Refund, State as RefundState};
use crate::checkout::refunds::{self, RefundRequest, Wanted, store};
use crate::error::Error;
use crate::error::responses::error_responses;
use crate::http::extract::{Body, Path};
use crate::infra::clock::{day_text, parse_day, rfc3339};
use crate::money::Money;
use crate::orders::{StoredOrder, store as orders};
use crate::time_zone::{self, ShopZone};

/// A refund that was made. The customer's bank may have returned it later.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Refund, examples(json!({
    "id": "0193f5c6-2f4e-7c1a-9b64-3d5f0a8e7c24",
    "state": "done",
    "created_at": "2026-12-28T09:30:00.000Z",
    "created_at_local": "2026-12-28T04:30:00.000-05:00",
    "actor": "admin@nudgelight.example",
    "parts": { "amount": 10, "subtotal": 9.32, "shipping": 0, "tax": 0.68, "tax_breakdown": [] },
    "lines": [],
})))]
pub struct RefundResponse {
    id: String,
    /// `done`, or `failed` if the customer's bank returned it: it doesn't count as refunded.
    state: RefundState,
    /// RFC 3339 in UTC.
    created_at: String,
    /// The same time in the shop's time zone, with its offset.
    #[schema(format = DateTime)]
    created_at_local: String,
    /// Email address of the administrator, or `shop` for a refund made at the payment provider.
    actor: String,
    parts: Parts,
    /// Refunded items, with the number of refunded units; empty for a refund by amount.
    lines: Vec<OrderItem>,
    /// When it failed, in the shop's time zone.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(format = DateTime, nullable = false)]
    failed_at_local: Option<String>,
    /// Why it failed: the payment provider's word, such as `expired_or_canceled_card`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    failure_reason: Option<String>,
    /// Id of the refund that settles this failed one.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    replaced_by: Option<String>,
    /// Day on which it was paid outside the payment provider.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(format = Date, nullable = false)]
    paid_on: Option<String>,
    /// How it was paid outside the payment provider.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    note: Option<String>,
}

/// The refunds of an order, and what is left to refund.
#[derive(Debug, Serialize, ToSchema)]
pub struct OrderRefunds {
    /// Oldest first.
    refunds: Vec<RefundResponse>,
    left: RefundableParts,
    /// The present day in the shop's time zone.
    #[schema(format = Date, examples("2026-12-28"))]
    today: String,
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
    lines: Vec<OrderItem>,
    /// Why nothing can be refunded although something is left.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    blocked: Option<RefundBlock>,
}

/// Why the payment provider rejects every refund of a payment.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum RefundBlock {
    /// The bank holds the money until it decides the dispute.
    Dispute,
    /// The customer got the money back.
    LostDispute,
}

impl RefundBlock {
    fn of(dispute: DisputeStatus) -> Option<Self> {
        match dispute {
            DisputeStatus::Open => Some(Self::Dispute),
            DisputeStatus::Lost => Some(Self::LostDispute),
            DisputeStatus::None | DisputeStatus::Warning | DisputeStatus::Won => None,
        }
    }
}

error_responses!(ListErrors: [ADMIN] NotFound);

/// List the refunds of an order
///
/// Returns the refunds with their parts, also those that failed, and what is left to refund. While a dispute is open, and
/// after a lost one, `left.blocked` says why nothing can be refunded. An unknown order is a 404.
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
            Box::pin(async move { Ok((orders::load_order(tx, &id).await?, store::list_made(tx, &id).await?)) })
        })
        .await?;
    let left = left_of(&order, &refunds)?;
    let zone = time_zone::store::load(state.db.read()).await?;
    let refunds = refunds.into_iter().map(|refund| response(&order, refund, zone)).collect();
    Ok(Json(OrderRefunds { refunds, left, today: zone.day_text_of(state.clock.now_ms()) }))
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

error_responses!(CreateErrors: [BODY, ADMIN] NotFound EditConflict RefundRejected PaymentProviderUnavailable);

/// Refund an order in parts
///
/// Refunds items, shipping or an amount at the provider and returns the refund. The tax goes back in proportion; all
/// refunds of an order add up to what was paid. The customer gets an email. A refund of everything that is left changes
/// the status to `refunded`. More than what is left is a 400; `refunded` that is outdated, and another refund in progress,
/// are an `EditConflict`. A refund that the provider will never make, such as that of a disputed payment, is a
/// `RefundRejected` with the reason. The same request can be sent again after a 503: it refunds once.
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
    let wanted = Wanted::Request(request.validated()?);
    let made = refunds::make(&state.checkout, &id, wanted, &caller.email).await?;
    let Some((order, refund)) = made else {
        return Err(Error::invalid_field("lines", FULLY_REFUNDED));
    };
    let zone = time_zone::store::load(state.db.read()).await?;
    Ok((StatusCode::CREATED, Json(response(&order, refund, zone))))
}

/// How a failed refund is settled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum SettlementMethod {
    /// By a new refund at the payment provider.
    Refund,
    /// Paid outside the payment provider, such as by check.
    Outside,
}

#[derive(Debug, Deserialize, ToSchema)]
#[schema(examples(json!({ "method": "outside", "paid_on": "2026-12-28", "note": "Check 1234" })))]
pub struct Settlement {
    method: SettlementMethod,
    /// Day of a payment outside the payment provider, in the shop's time zone, from the day of the refund until today.
    #[serde(default)]
    #[schema(format = Date, nullable = false)]
    paid_on: Option<String>,
    /// Note about a payment outside the payment provider: up to 2,000 characters.
    #[serde(default)]
    #[schema(max_length = 2000, nullable = false)]
    note: Option<String>,
}

const _: () = assert!(MAX_NOTE == 2_000, "the limit in the OpenAPI document");

impl Settlement {
    /// How the refund was paid outside. None for a new refund.
    fn outside(self, made_on: i64, today: i64) -> Result<Option<Outside>, Error> {
        let note = self.note.as_deref().map(str::trim).filter(|note| !note.is_empty());
        if self.method == SettlementMethod::Refund {
            return match (self.paid_on, note) {
                (Some(_), _) => Err(Error::invalid_field("paid_on", ONLY_OUTSIDE)),
                (None, Some(_)) => Err(Error::invalid_field("note", ONLY_OUTSIDE)),
                (None, None) => Ok(None),
            };
        }
        let Some(paid_on) = parse_day(self.paid_on.unwrap_or_default().trim()) else {
            return Err(Error::invalid_field("paid_on", "This must be a date like 2026-12-24."));
        };
        if !(made_on..=today).contains(&paid_on) {
            let [first, last] = [made_on, today].map(|day| display_date(&day_text(day)));
            let message = format!("Enter a day from {first} to {last}.");
            return Err(Error::invalid_field("paid_on", message));
        }
        let note = note.map(validate_note).transpose().map_err(|message| Error::invalid_field("note", message))?;
        Ok(Some(Outside { paid_on, note }))
    }
}

const ONLY_OUTSIDE: &str = "Only a payment outside the payment provider has this.";

error_responses!(SettleErrors: [BODY, ADMIN] NotFound EditConflict RefundRejected PaymentProviderUnavailable);

/// Settle a failed refund
///
/// Refunds what the customer's bank returned again at the payment provider, or records that it was paid another way, and
/// returns the new refund: the failed one is replaced by it, and its alert is resolved. Nothing is restocked. The same
/// request again returns the same refund. A refund that didn't fail, one whose replacement failed, and an order with less
/// left to refund are an `EditConflict`. A refund that the provider will never make is a `RefundRejected`.
#[utoipa::path(
    post,
    path = "/api/admin/refunds/{id}/settle",
    tag = "Administration",
    params(("id" = String, Path, description = "The refund's id.", example = "0193f5c6-2f4e-7c1a-9b64-3d5f0a8e7c24")),
    request_body = Settlement,
    security(("accessToken" = [])),
    responses((status = 201, description = "The new refund.", body = RefundResponse), SettleErrors),
)]
pub async fn settle_refund(
    State(state): State<Arc<Money>>,
    Path(failed_id): Path,
    Admin(caller): Admin,
    Body(settlement): Body<Settlement>,
) -> Result<(StatusCode, Json<RefundResponse>), Error> {
    let zone = time_zone::store::load(state.db.read()).await?;
    let (order_id, made_at) =
        store::find_order(state.db.read(), &failed_id).await?.ok_or_else(|| Error::not_found("Refund"))?;
    let outside = settlement.outside(zone.day_of(made_at), zone.day_of(state.clock.now_ms()))?;
    let wanted = Wanted::Again { failed_id, outside };
    let Some((order, refund)) = refunds::make(&state.checkout, &order_id, wanted, &caller.email).await? else {
        return Err(Error::internal("a failed refund of nothing"));
    };
    Ok((StatusCode::CREATED, Json(response(&order, refund, zone))))
}

fn left_of(order: &StoredOrder, refunds: &[Refund]) -> Result<RefundableParts, Error> {
    let balance = Balance::of(order, refunds)?;
    let left = balance.left()?;
    let lines = balance.items_left().map(|(item, quantity)| OrderItem { quantity, ..item.clone() });
    let blocked = RefundBlock::of(order.payment.dispute).filter(|_| left.amount > Cents::ZERO);
    Ok(RefundableParts { amount: left.amount, shipping: left.shipping, lines: lines.collect(), blocked })
}

fn response(order: &StoredOrder, refund: Refund, zone: ShopZone) -> RefundResponse {
    let lines = refund.lines.iter().filter_map(|line| {
        let item = order.items.iter().find(|item| item.product_id == line.product_id)?;
        Some(OrderItem { quantity: line.quantity, ..item.clone() })
    });
    let lines = lines.collect();
    let (failure, outside) = (refund.failure, refund.outside);
    RefundResponse {
        id: refund.id,
        state: refund.state,
        created_at: rfc3339(refund.created_at),
        created_at_local: zone.local(refund.created_at),
        actor: refund.actor,
        parts: refund.parts,
        lines,
        failed_at_local: failure.as_ref().map(|failure| zone.local(failure.failed_at)),
        replaced_by: failure.as_ref().and_then(|failure| failure.replaced_by.clone()),
        failure_reason: failure.and_then(|failure| failure.reason),
        paid_on: outside.as_ref().map(|outside| day_text(outside.paid_on)),
        note: outside.and_then(|outside| outside.note),
    }
}
