//! Sends an email about an order to its customer again.

use std::sync::Arc;

use app::mail::ShopInfo;
use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use serde::Deserialize;
use sqlx::AnyConnection;
use utoipa::ToSchema;
use wasm_core::orders::AdminOrder;

use crate::accounts::Admin;
use crate::error::Error;
use crate::error::responses::error_responses;
use crate::fulfillment::Fulfillment;
use crate::http::extract::{Body, Path};
use crate::infra::random;
use crate::limits;
use crate::mail::EmailKind;
use crate::orders::customer_mail::{self, OrderMail};
use crate::orders::{StoredOrder, store};
use crate::time_zone;

#[derive(Deserialize, ToSchema)]
#[schema(examples(json!({ "kind": "receipt" })))]
pub struct ResentEmail {
    kind: ResendKind,
}

#[derive(Clone, Copy, Debug, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum ResendKind {
    /// Order confirmation.
    Receipt,
    /// Shipping confirmation of a shipped or delivered order.
    Shipment,
}

error_responses!(ResendErrors: [BODY, ADMIN] NotFound TooManyRequests);

/// Send an email to the customer again
///
/// Writes the order or shipping confirmation again from the order's current state, sends it to the customer, and returns
/// the order, whose history records who sent it. At most five an hour for each order. The shipping confirmation of an
/// order that is neither shipped nor delivered is a 400, an unknown id a 404.
#[utoipa::path(
    post,
    path = "/api/admin/order/{id}/emails",
    tag = "Administration",
    params(("id" = String, Path, description = "The order's id.", example = "0193f5c6-2f4e-7c1a-9b64-3d5f0a8e7c21")),
    request_body = ResentEmail,
    security(("accessToken" = [])),
    responses((status = 201, description = "The order. The email is in the outbox.", body = AdminOrder), ResendErrors),
)]
pub async fn resend_order_email(
    State(state): State<Arc<Fulfillment>>,
    Path(id): Path,
    Admin(caller): Admin,
    Body(ResentEmail { kind }): Body<ResentEmail>,
) -> Result<(StatusCode, Json<AdminOrder>), Error> {
    let order = {
        let mut connection = state.db.read().acquire().await?;
        store::load_order(&mut connection, &id).await?
    };
    check_shipped(&order, kind)?;
    limits::check(&state.limits, &[(limits::RESENT_EMAILS_PER_ORDER, id.as_str())]).await?;
    let resend =
        Resend { id, kind, actor: caller.email, mail_shop: state.settings.mail_shop(), now: state.clock.now_ms() };
    let order = state.db.write(resend, |tx, resend| Box::pin(resend.enqueue(tx))).await?;
    state.mail_enqueued.notify_one();
    Ok((StatusCode::CREATED, Json(order)))
}

fn check_shipped(order: &StoredOrder, kind: ResendKind) -> Result<(), Error> {
    let is_shipped = order.status.has_shipped();
    match kind {
        ResendKind::Shipment if !is_shipped => {
            Err(Error::invalid_field("kind", "Only a shipped or delivered order has a shipping confirmation."))
        }
        ResendKind::Receipt | ResendKind::Shipment => Ok(()),
    }
}

struct Resend {
    id: String,
    kind: ResendKind,
    actor: String,
    mail_shop: ShopInfo,
    now: i64,
}

impl Resend {
    async fn enqueue(&self, tx: &mut AnyConnection) -> Result<AdminOrder, Error> {
        let order = store::lock_order(tx, &self.id).await?;
        check_shipped(&order, self.kind)?;
        let shown = order.for_customer(time_zone::store::load(&mut *tx).await?);
        let (kind, mail) = match self.kind {
            ResendKind::Receipt => (EmailKind::Receipt, app::mail::receipt(&self.mail_shop, &shown)),
            ResendKind::Shipment => (EmailKind::Shipment, app::mail::shipped(&self.mail_shop, &shown, None)),
        };
        let dedupe_key = format!("resent:{}", random::new_id());
        let mail = OrderMail { order: &order, kind, dedupe_key, mail };
        customer_mail::send_again(tx, mail, &self.actor, self.now).await?;
        store::with_history(tx, order).await
    }
}
