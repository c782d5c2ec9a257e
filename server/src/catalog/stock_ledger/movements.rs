//! Movements that an administrator adds: received units, and corrections after a count.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use serde::Deserialize;
use sqlx::AnyConnection;
use utoipa::ToSchema;
use wasm_core::catalog::{MAX_STOCK, Product, STOCK_RANGE, check_stock};
use wasm_core::validation::{FieldErrors, MAX_STOCK_NOTE, validate_stock_note, validate_stock_reason};
use wasm_core::wire::{optional_whole_number, whole_number};

use crate::accounts::Admin;
use crate::catalog::Catalog;
use crate::catalog::products::store::{StockReason, change_stock, find_product, lock_product};
use crate::error::Error;
use crate::error::responses::error_responses;
use crate::http::extract::{Body, Path};

const _: () = assert!(MAX_STOCK == 1_000_000 && MAX_STOCK_NOTE == 200, "the limits in the OpenAPI document");

#[derive(Deserialize, ToSchema)]
#[schema(examples(json!({ "quantity": 50, "note": "Delivery 17" })))]
pub struct ReceivedStock {
    /// Received units, 1–1,000,000.
    #[serde(deserialize_with = "whole_number")]
    #[schema(minimum = 1, maximum = 1000000)]
    quantity: i64,
    /// At most 200 characters in one line.
    #[serde(default)]
    #[schema(max_length = 200)]
    note: Option<String>,
}

#[derive(Deserialize, ToSchema)]
#[schema(examples(json!({ "counted": 97, "was": 99, "reason": "Two broken in the warehouse" })))]
pub struct CountedStock {
    /// Counted units, 0–1,000,000, without those of orders that are still to be packed.
    #[serde(deserialize_with = "whole_number")]
    #[schema(minimum = 0, maximum = 1000000)]
    counted: i64,
    /// The stock that the administrator saw. If given, the difference is applied, so sales since then are kept.
    #[serde(default, deserialize_with = "optional_whole_number")]
    #[schema(nullable = true)]
    was: Option<i64>,
    /// 1–200 characters in one line.
    #[schema(min_length = 1, max_length = 200)]
    reason: String,
}

error_responses!(ReceiveErrors: [BODY, ADMIN] NotFound);

/// Receive stock
///
/// Adds received units to the stock of a product, with an entry in its ledger, and returns the product. A result above
/// 1,000,000 is a 400, an unknown id a 404.
#[utoipa::path(
    post,
    path = "/api/admin/products/{id}/stock/receive",
    tag = "Administration",
    params(("id" = String, Path, description = "The product's id.", example = "0193a1b2-6c3d-7e4f-8a5b-1c2d3e4f5a6b")),
    request_body = ReceivedStock,
    security(("accessToken" = [])),
    responses((status = 200, description = "The updated product.", body = Product), ReceiveErrors),
)]
pub async fn receive_stock(
    State(state): State<Arc<Catalog>>,
    Path(id): Path,
    Admin(caller): Admin,
    Body(body): Body<ReceivedStock>,
) -> Result<Json<Product>, Error> {
    let mut fields = FieldErrors::default();
    if !(1..=MAX_STOCK).contains(&body.quantity) {
        fields.insert("quantity", "Enter a number from 1 to 1,000,000.");
    }
    let note = fields.check("note", validate_stock_note(body.note.as_deref().unwrap_or_default())).flatten();
    if !fields.is_empty() {
        return Err(Error::invalid(fields));
    }
    let args = (id, body.quantity, note, caller.email, state.clock.now_ms());
    let receive = state.db.write(args, |tx, (id, quantity, note, actor, now)| {
        Box::pin(async move {
            lock_product(tx, id).await?;
            let change =
                Movement { field: "quantity", change: *quantity, reason: StockReason::Received(note.as_deref()) };
            change.apply(tx, id, actor, *now).await
        })
    });
    Ok(Json(receive.await?))
}

error_responses!(CorrectErrors: [BODY, ADMIN] NotFound);

/// Correct the stock
///
/// Sets the stock of a product to the counted number, or with `was` applies the difference to the current stock, with an
/// entry in its ledger, even if there is no difference. Returns the product. A result below zero is a 400, an unknown id
/// a 404.
#[utoipa::path(
    post,
    path = "/api/admin/products/{id}/stock/correct",
    tag = "Administration",
    params(("id" = String, Path, description = "The product's id.", example = "0193a1b2-6c3d-7e4f-8a5b-1c2d3e4f5a6b")),
    request_body = CountedStock,
    security(("accessToken" = [])),
    responses((status = 200, description = "The updated product.", body = Product), CorrectErrors),
)]
pub async fn correct_stock(
    State(state): State<Arc<Catalog>>,
    Path(id): Path,
    Admin(caller): Admin,
    Body(body): Body<CountedStock>,
) -> Result<Json<Product>, Error> {
    let reason = body.validated()?;
    let args = (id, body, reason, caller.email, state.clock.now_ms());
    let correct = state.db.write(args, |tx, (id, body, reason, actor, now)| {
        Box::pin(async move {
            lock_product(tx, id).await?;
            let before = load_product(tx, id).await?.stock;
            let change = body.counted - body.was.unwrap_or(before);
            let movement = Movement { field: "counted", change, reason: StockReason::Corrected(reason) };
            movement.apply(tx, id, actor, *now).await
        })
    });
    Ok(Json(correct.await?))
}

impl CountedStock {
    /// The trimmed reason.
    fn validated(&self) -> Result<String, Error> {
        let mut fields = FieldErrors::default();
        fields.check("counted", check_stock(self.counted));
        if self.was.is_some_and(|was| check_stock(was).is_err()) {
            fields.insert("was", format!("This must be a whole number from {STOCK_RANGE}."));
        }
        let reason = fields.check("reason", validate_stock_reason(&self.reason)).unwrap_or_default();
        if fields.is_empty() { Ok(reason) } else { Err(Error::invalid(fields)) }
    }
}

struct Movement<'a> {
    /// The field of the request, for the error.
    field: &'static str,
    change: i64,
    reason: StockReason<'a>,
}

impl Movement<'_> {
    /// The product must be locked.
    async fn apply(&self, tx: &mut AnyConnection, id: &str, actor: &str, now: i64) -> Result<Product, Error> {
        let before = load_product(tx, id).await?;
        if !change_stock(tx, id, self.change, self.reason, None, actor, now).await? {
            let message = format!("Only {} left in stock.", before.stock);
            return Err(Error::invalid_field(self.field, message));
        }
        load_product(tx, id).await
    }
}

async fn load_product(tx: &mut AnyConnection, id: &str) -> Result<Product, Error> {
    find_product(tx, id).await?.ok_or_else(|| Error::not_found("Product"))
}
