//! What a person has to look at, and that they have.

use std::sync::Arc;

use axum::extract::State;
use axum::http::StatusCode;

use super::store;
use crate::auth::Admin;
use crate::http::error::Error;
use crate::http::error_responses::error_responses;
use crate::http::extract::Path;
use crate::orders::store as orders;
use crate::shop::Shop;

error_responses!(SettleErrors: [ADMIN] NotFound);

/// It has been dealt with, and leaves the overview. An order's history says by whom.
///
/// What is about an order has the order's id. Said twice it is still dealt with.
#[utoipa::path(
    delete,
    path = "/api/admin/attention/{id}",
    tag = "Administration",
    params(("id" = String, Path)),
    security(("accessToken" = [])),
    responses((status = 204, description = "Nobody need look at it any more."), SettleErrors),
)]
pub async fn settle_attention(
    State(shop): State<Arc<Shop>>,
    Path(id): Path,
    Admin(caller): Admin,
) -> Result<StatusCode, Error> {
    let now = shop.clock.now_ms();
    shop.db
        .write_closure(move |tx| {
            let (id, who) = (id.clone(), caller.email.clone());
            Box::pin(async move {
                if store::settle_attention(tx, &id, &who, now).await? {
                    return Ok(());
                }
                orders::take_order(tx, &id).await?;
                let order = orders::find_order(tx, &id).await?.ok_or_else(|| Error::not_found("Notice"))?;
                let Some(why) = order.attention else {
                    return Ok(());
                };
                store::clear_order_attention(tx, &id).await?;
                orders::insert_history(tx, &id, &who, &format!("Dealt with: {why}"), now).await
            })
        })
        .await?;
    Ok(StatusCode::NO_CONTENT)
}
