//! Changing an account's email address.
//!
//! Both addresses confirm the change with a code of their own: the current one, because a stolen session must not take
//! the account away, and the new one, because an account's address is always confirmed. The previous address gets a link
//! that undoes the change for seven days.

mod address;
mod confirm;
mod request;
pub mod store;
mod undo;

use std::sync::Arc;

use sqlx::AnyConnection;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::codes;
use crate::accounts::Accounts;

/// For the shop's own pages, like everything that creates and recovers accounts.
pub fn router() -> OpenApiRouter<Arc<Accounts>> {
    OpenApiRouter::new()
        .routes(routes!(request::request_email_change))
        .routes(routes!(confirm::confirm_email_change))
        .routes(routes!(undo::undo_email_change))
}

/// Deletes expired codes and links.
pub async fn sweep(tx: &mut AnyConnection, now_ms: i64) -> Result<(), sqlx::Error> {
    store::delete_expired(tx, now_ms - codes::RETENTION_MS, now_ms).await
}
