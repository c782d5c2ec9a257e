//! Disputes and early fraud warnings of an order, and the disputes that are open.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use serde::Serialize;
use sqlx::AnyPool;
use utoipa::ToSchema;
use wasm_core::money::Cents;
use wasm_core::orders::DisputeStatus;

use crate::accounts::Admin;
use crate::checkout::disputes::days_left;
use crate::checkout::disputes::store::{self as disputes, StoredDispute};
use crate::checkout::fraud_warnings::store::{self as fraud_warnings, StoredWarning};
use crate::error::Error;
use crate::error::responses::error_responses;
use crate::http::extract::Path;
use crate::infra::clock::rfc3339;
use crate::money::Money;
use crate::orders::store as orders;
use crate::time_zone::{self, ShopZone};

/// Open disputes in the overview.
const MAX_OPEN: i64 = 50;

/// A dispute (chargeback) or an inquiry of the customer's bank.
#[derive(Serialize, ToSchema)]
#[schema(as = Dispute, examples(json!({
    "id": "du_1QmZ8k2eZvKYlo2C", "status": "open", "needs_response": true,
    "response": { "due_on": "2026-12-31", "days_left": 7 }, "reason": "fraudulent", "amount": 59.8,
    "withdrawn": 59.8, "reinstated": 0, "created_at": "2026-12-24T18:00:00.000Z",
    "created_at_local": "2026-12-24T13:00:00.000-05:00",
})))]
pub struct DisputeFacts {
    /// The provider's id.
    id: String,
    status: DisputeStatus,
    /// Whether the bank waits for evidence.
    needs_response: bool,
    /// Missing if no response is expected, or without a due date.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    response: Option<ResponseDue>,
    /// The provider's code, such as `fraudulent` or `product_not_received`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    reason: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    amount: Option<Cents>,
    /// Sum of what the bank withdrew, without fees.
    withdrawn: Cents,
    /// Sum of what the bank returned, without fees.
    reinstated: Cents,
    /// When the shop learned of it, RFC 3339 in UTC.
    #[schema(format = DateTime)]
    created_at: String,
    /// The same time in the shop's time zone, with its offset.
    #[schema(format = DateTime)]
    created_at_local: String,
}

/// Until when the bank accepts evidence.
#[derive(Serialize, ToSchema)]
#[schema(examples(json!({ "due_on": "2026-12-31", "days_left": 7 })))]
pub struct ResponseDue {
    #[schema(format = Date)]
    due_on: String,
    /// 0 today, negative once it is overdue.
    days_left: i64,
}

impl DisputeFacts {
    pub(super) fn of(dispute: StoredDispute, zone: ShopZone, now: i64) -> Self {
        let due_at = dispute.due_at.filter(|_| dispute.needs_response);
        let response =
            |due_at| ResponseDue { due_on: zone.day_text_of(due_at), days_left: days_left(zone, due_at, now) };
        Self {
            id: dispute.id,
            status: dispute.status,
            needs_response: dispute.needs_response,
            response: due_at.map(response),
            reason: dispute.reason,
            amount: dispute.amount,
            withdrawn: dispute.withdrawn,
            reinstated: dispute.reinstated,
            created_at: rfc3339(dispute.created_at),
            created_at_local: zone.local(dispute.created_at),
        }
    }
}

/// A report of the card's issuer that the payment may be fraudulent.
#[derive(Serialize, ToSchema)]
#[schema(examples(json!({
    "id": "issfr_1QmZ8k2eZvKYlo2C", "fraud_type": "made_with_stolen_card", "actionable": true,
    "created_at": "2026-12-24T18:00:00.000Z",
    "created_at_local": "2026-12-24T13:00:00.000-05:00",
})))]
pub struct FraudWarning {
    /// The provider's id.
    id: String,
    /// The provider's code.
    fraud_type: String,
    /// Whether the payment is neither disputed nor refunded in full.
    actionable: bool,
    /// When the shop learned of it, RFC 3339 in UTC.
    #[schema(format = DateTime)]
    created_at: String,
    /// The same time in the shop's time zone, with its offset.
    #[schema(format = DateTime)]
    created_at_local: String,
}

impl FraudWarning {
    fn of(warning: StoredWarning, zone: ShopZone) -> Self {
        Self {
            id: warning.id,
            fraud_type: warning.fraud_type,
            actionable: warning.is_actionable,
            created_at: rfc3339(warning.created_at),
            created_at_local: zone.local(warning.created_at),
        }
    }
}

#[derive(Serialize, ToSchema)]
#[schema(examples(json!({
    "disputes": [],
    "fraud_warnings": [{
        "id": "issfr_1QmZ8k2eZvKYlo2C", "fraud_type": "made_with_stolen_card", "actionable": true,
        "created_at": "2026-12-24T18:00:00.000Z", "created_at_local": "2026-12-24T13:00:00.000-05:00",
    }],
})))]
pub struct OrderDisputes {
    /// Oldest first.
    disputes: Vec<DisputeFacts>,
    /// Oldest first.
    fraud_warnings: Vec<FraudWarning>,
}

error_responses!(ListErrors: [ADMIN] NotFound);

/// List an order's disputes
///
/// Returns the disputes of the order's payment with their due dates and funds, and its early fraud warnings. An unknown
/// id is a 404.
#[utoipa::path(
    get,
    path = "/api/admin/order/{id}/disputes",
    tag = "Administration",
    params(("id" = String, Path, description = "The order's id.", example = "0193f5c6-2f4e-7c1a-9b64-3d5f0a8e7c21")),
    security(("accessToken" = [])),
    responses((status = 200, description = "Disputes and early fraud warnings.", body = OrderDisputes), ListErrors),
)]
pub async fn list_order_disputes(
    State(state): State<Arc<Money>>,
    Path(id): Path,
    Admin(_): Admin,
) -> Result<Json<OrderDisputes>, Error> {
    orders::find_created_at(state.db.read(), &id).await?.ok_or_else(|| Error::not_found("Order"))?;
    let now = state.clock.now_ms();
    let mut connection = state.db.read().acquire().await?;
    let zone = time_zone::store::load(&mut *connection).await?;
    let disputes = disputes::list_of_order(&mut connection, &id).await?;
    let warnings = fraud_warnings::list_of_order(&mut connection, &id).await?;
    Ok(Json(OrderDisputes {
        disputes: disputes.into_iter().map(|dispute| DisputeFacts::of(dispute, zone, now)).collect(),
        fraud_warnings: warnings.into_iter().map(|warning| FraudWarning::of(warning, zone)).collect(),
    }))
}

/// A dispute that is not decided, with its order.
#[derive(Serialize, ToSchema)]
#[schema(examples(json!({
    "order_id": "0193f5c6-2f4e-7c1a-9b64-3d5f0a8e7c21", "order_number": 1001,
    "dispute": {
        "id": "du_1QmZ8k2eZvKYlo2C", "status": "open", "needs_response": true,
        "response": { "due_on": "2026-12-31", "days_left": 7 }, "withdrawn": 59.8, "reinstated": 0,
        "created_at": "2026-12-24T18:00:00.000Z", "created_at_local": "2026-12-24T13:00:00.000-05:00",
    },
})))]
pub struct OpenDispute {
    order_id: String,
    order_number: i64,
    dispute: DisputeFacts,
}

/// The open disputes: those that need a response first, by due date.
pub async fn list_open(pool: &AnyPool, zone: ShopZone, now: i64) -> Result<Vec<OpenDispute>, Error> {
    let open = disputes::list_open(pool, MAX_OPEN).await?;
    let facts = |open: disputes::OpenDispute| OpenDispute {
        order_id: open.order_id,
        order_number: open.order_number,
        dispute: DisputeFacts::of(open.dispute, zone, now),
    };
    Ok(open.into_iter().map(facts).collect())
}
