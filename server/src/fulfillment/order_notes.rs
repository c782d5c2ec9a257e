//! Internal notes on an order.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use serde::Deserialize;
use sqlx::AnyConnection;
use utoipa::ToSchema;
use wasm_core::orders::AdminOrder;
use wasm_core::validation::{MAX_NOTE, validate_note};

use crate::accounts::Admin;
use crate::error::Error;
use crate::error::responses::error_responses;
use crate::fulfillment::Fulfillment;
use crate::http::extract::{Body, Path};
use crate::orders::history::{HistoryEvent, store as history};
use crate::orders::store;

#[derive(Deserialize, ToSchema)]
#[schema(examples(json!({ "note": "Called: deliver after 5 p.m." })))]
pub struct NewNote {
    /// 1–2,000 characters, line breaks allowed.
    #[schema(min_length = 1, max_length = 2000)]
    note: String,
}

const _: () = assert!(MAX_NOTE == 2_000, "the limit in the OpenAPI document");

error_responses!(NoteErrors: [BODY, ADMIN] NotFound);

/// Add a note to an order
///
/// Adds an internal note to the order's history and returns the order. Only administrators see notes. A note can't be
/// changed or deleted. It leaves the order's version unchanged.
#[utoipa::path(
    post,
    path = "/api/admin/order/{id}/notes",
    tag = "Administration",
    params(("id" = String, Path, description = "The order's id.", example = "0193f5c6-2f4e-7c1a-9b64-3d5f0a8e7c21")),
    request_body = NewNote,
    security(("accessToken" = [])),
    responses((status = 201, description = "The order with the note.", body = AdminOrder), NoteErrors),
)]
pub async fn add_order_note(
    State(state): State<Arc<Fulfillment>>,
    Path(id): Path,
    Admin(caller): Admin,
    Body(body): Body<NewNote>,
) -> Result<(StatusCode, Json<AdminOrder>), Error> {
    let note = validate_note(&body.note).map_err(|message| Error::invalid_field("note", message))?;
    let args = (id, caller.email, note, state.clock.now_ms());
    let order =
        state.db.write(args, |tx, (id, actor, note, now)| Box::pin(add_note(tx, id, actor, note, *now))).await?;
    Ok((StatusCode::CREATED, Json(order)))
}

async fn add_note(tx: &mut AnyConnection, id: &str, actor: &str, note: &str, now: i64) -> Result<AdminOrder, Error> {
    // An unknown order is a 404, before its foreign key is violated.
    let order = store::load_order(tx, id).await?;
    history::insert(tx, id, actor, HistoryEvent::Note { text: note.to_owned() }, now).await?;
    store::with_history(tx, order).await
}
