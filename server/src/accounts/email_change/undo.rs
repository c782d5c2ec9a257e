//! Undoing a change, with the link that was sent to the previous address.

use std::sync::Arc;

use app::mail::{Mail, ShopInfo};
use axum::Json;
use axum::extract::State;
use serde::{Deserialize, Serialize};
use sqlx::AnyConnection;
use utoipa::ToSchema;
use wasm_core::validation::schema;

use super::address::{address_taken, void_requests_of};
use super::store::{self, PreviousEmail};
use crate::accounts::Accounts;
use crate::accounts::sessions::store as sessions;
use crate::accounts::sessions::{is_well_formed, token_hash};
use crate::accounts::store as users;
use crate::accounts::{code_login, codes, passkeys};
use crate::error::responses::error_responses;
use crate::error::{Code, Error};
use crate::http::client_address::ClientAddress;
use crate::http::extract::Body;
use crate::infra::clock::MINUTE;
use crate::infra::random;
use crate::limits;
use crate::mail::EmailKind;
use crate::mail::outbox::{self, OutgoingMail};

#[derive(Deserialize, ToSchema)]
#[schema(examples(json!({ "undo_token": "k3Zb0n8uYtq5vJx2mWc7RrL1dGhT4sPfAeQ9oViNyXM" })))]
pub struct UndoRequest {
    /// The token of the link.
    #[schema(min_length = 43, max_length = 43)]
    undo_token: String,
}

#[derive(Serialize, ToSchema)]
#[schema(examples(json!({ "email": "ada@example.com" })))]
pub struct EmailRestored {
    /// The account's email address, as it was before the change.
    #[schema(schema_with = schema::email)]
    email: String,
}

error_responses!(UndoErrors: [BODY] CodeExpired EmailTaken TooManyRequests);

/// Undo a change of the email address
///
/// Gives the account its previous address back, for the link that was sent there. Because someone else may have made the
/// change, it also ends all sessions, removes the password and the passkeys that were added since, and voids the links of
/// later changes. A link that is wrong, old, or was used already is `CodeExpired`, an address that another account has by
/// now is a 409, too many requests are a 429.
#[utoipa::path(
    post,
    path = "/api/auth/undo-email-change",
    tag = "Accounts",
    request_body = UndoRequest,
    responses((status = 200, description = "The change was undone.", body = EmailRestored), UndoErrors),
)]
pub async fn undo_email_change(
    State(state): State<Arc<Accounts>>,
    client: ClientAddress,
    Body(request): Body<UndoRequest>,
) -> Result<Json<EmailRestored>, Error> {
    limits::check_each(&state.limits, &client.usages(limits::CODE_PER_ADDRESS)).await?;
    if !is_well_formed(&request.undo_token) {
        return Err(expired());
    }
    let undo = Undo {
        token_hash: token_hash(&request.undo_token),
        password_hash: state.passwords.unknown_hash()?,
        occasion: random::new_id(),
        shop: state.letterhead.shop(),
        now_ms: state.clock.now_ms(),
    };
    let previous = state.db.write(undo, |tx, undo| Box::pin(undo.apply(tx))).await?;
    state.mail_enqueued.notify_one();
    tracing::warn!(user = previous.user_id, "change of the email address undone");
    Ok(Json(EmailRestored { email: previous.email }))
}

fn expired() -> Error {
    let message = "This link has expired or was already used. If you can’t log in, reset your password or contact us.";
    Error::new(Code::CodeExpired, message)
}

struct Undo {
    token_hash: String,
    /// Matches no password.
    password_hash: String,
    /// Makes the email unique.
    occasion: String,
    shop: ShopInfo,
    now_ms: i64,
}

impl Undo {
    async fn apply(&self, tx: &mut AnyConnection) -> Result<PreviousEmail, Error> {
        let Some(previous) = store::take_previous(tx, &self.token_hash, self.now_ms).await? else {
            return Err(expired());
        };
        let user_id = &previous.user_id;
        // Clocks of several processes may differ.
        let since_ms = previous.changed_at - MINUTE;
        users::lock_user(tx, user_id).await?;
        let user = users::load_user(&mut *tx, user_id).await?;
        code_login::store::delete_of_user(tx, user_id).await?;
        if !users::change_email(tx, &user, &previous.email, &previous.email_key).await? {
            return Err(address_taken());
        }
        void_requests_of(tx, &previous.email_key).await?;
        store::delete_of_user(tx, user_id).await?;
        store::delete_previous_since(tx, user_id, since_ms).await?;
        codes::delete(tx, user_id).await?;
        users::set_password(tx, user_id, &self.password_hash).await?;
        passkeys::store::delete_since(tx, user_id, since_ms).await?;
        sessions::end_all(tx, user_id, self.now_ms).await?;
        self.notify(tx, &previous.email, app::mail::email_change_undone(&self.shop)).await?;
        self.notify(tx, &user.email, app::mail::email_changed_back(&self.shop)).await?;
        Ok(previous)
    }

    async fn notify(&self, tx: &mut AnyConnection, to: &str, mail: Mail) -> Result<(), Error> {
        let dedupe_key = format!("email-change-undone:{}:{to}", self.occasion);
        let (kind, to) = (EmailKind::EmailChanged, to.to_owned());
        outbox::enqueue(tx, self.now_ms, OutgoingMail { kind, order_id: None, dedupe_key, to, mail }).await
    }
}
