//! The change itself, with the codes of both addresses.

use std::sync::Arc;

use app::mail::ShopInfo;
use axum::Json;
use axum::extract::State;
use serde::Deserialize;
use sqlx::AnyConnection;
use utoipa::ToSchema;
use wasm_core::validation::Email;

use super::address::{address_taken, void_requests_of};
use super::store::{self, PendingChange, PreviousEmail};
use crate::accounts::Accounts;
use crate::accounts::caller::{Caller, SignedIn, unauthenticated};
use crate::accounts::codes::{self, CodeKeys, Purpose, Verification};
use crate::accounts::devices::Requester;
use crate::accounts::message::Message;
use crate::accounts::sessions::store as sessions;
use crate::accounts::sessions::token_hash;
use crate::accounts::store as users;
use crate::accounts::{brute_force, constant_time};
use crate::config::RateLimits;
use crate::error::responses::error_responses;
use crate::error::{Code, Error};
use crate::http::client_address::ClientAddress;
use crate::http::extract::Body;
use crate::http::load_shedding::Permit;
use crate::infra::clock::DAY;
use crate::infra::encoding::base64url;
use crate::infra::random;
use crate::limits::{self, Rule};
use crate::mail::EmailKind;
use crate::mail::outbox::{self, OutgoingMail};

/// How long the previous address can undo a change.
const UNDO_LIFETIME_MS: i64 = 7 * DAY;

#[derive(Deserialize, ToSchema)]
#[schema(examples(json!({ "current_code": "123456", "new_code": "654321" })))]
pub struct EmailChangeConfirmation {
    /// The code that was emailed to the current address.
    #[schema(pattern = "^[0-9]{6}$", examples("123456"))]
    current_code: String,
    /// The code that was emailed to the new address.
    #[schema(pattern = "^[0-9]{6}$", examples("654321"))]
    new_code: String,
}

error_responses!(ConfirmErrors: [BODY, SIGNED_IN] CodeExpired EmailTaken TooManyRequests);

/// Change the email address
///
/// Changes the address of the logged-in user if both codes are valid, and emails the previous address a link that undoes it
/// for seven days. Sessions continue. A wrong code is a 400 that names its field, old codes are `CodeExpired`, an address that
/// another account got in the meantime is a 409, too many attempts are a 429.
#[utoipa::path(
    post,
    path = "/api/auth/confirm-email-change",
    tag = "Accounts",
    request_body = EmailChangeConfirmation,
    security(("accessToken" = [])),
    responses((status = 200, description = "The address was changed.", body = Message), ConfirmErrors),
)]
pub async fn confirm_email_change(
    State(state): State<Arc<Accounts>>,
    client: ClientAddress,
    SignedIn(caller): SignedIn,
    permit: Permit,
    Body(request): Body<EmailChangeConfirmation>,
) -> Result<Json<Message>, Error> {
    constant_time::respond(permit, async {
        let requester = Requester::Client(&client);
        // Not the account's own subject: attempts of a stolen session must not use up those of the owner's login codes.
        let subject = format!("email-change {}", caller.user_id);
        brute_force::check_limits(&state, &requester, &subject).await?;
        let (code_hash, new_email_key) = store::find_codes(state.db.read(), &caller.user_id).await?.unwrap_or_default();
        let mut usages = brute_force::attempt_usages(&requester, &subject, &code_hash);
        // Many accounts together guess the code for one address no faster.
        usages.push((limits::ATTEMPTS_PER_ACCOUNT, format!("email-change-to {new_email_key}")));
        let user_id = caller.user_id.clone();
        let confirmation = Confirmation {
            caller,
            usages,
            code_hash,
            current_code: request.current_code,
            new_code: request.new_code,
            rate_limits: state.config.rate_limits,
            code_keys: CodeKeys::of(&state.keys),
            undo_token: base64url(random::random_bytes::<32>()),
            shop: state.letterhead.shop(),
            now_ms: state.clock.now_ms(),
        };
        let verified = state.db.write(confirmation, |tx, confirmation| Box::pin(confirmation.apply(tx))).await?;
        conclude(&state, &requester, &verified).await?;
        state.mail_enqueued.notify_one();
        tracing::info!(user = user_id, "email address changed");
        Ok(Json(Message { message: "Your email address was changed." }))
    })
    .await
}

/// The results of the two codes.
struct Verified {
    current: Verification,
    new: Verification,
}

/// Counts a wrong code, and says which one it is.
async fn conclude(state: &Accounts, requester: &Requester<'_>, verified: &Verified) -> Result<(), Error> {
    let (field, decisive) = match verified {
        Verified { current: Verification::Valid, new } => ("new_code", *new),
        Verified { current, .. } => ("current_code", *current),
    };
    brute_force::conclude(state, requester, decisive).await.map_err(|error| match error.code() {
        Code::CodeInvalid => Error::invalid_field(field, error.message()),
        _ => error,
    })
}

struct Confirmation {
    caller: Caller,
    /// Of the code for the current address. Empty if there is none, which matches no code.
    code_hash: String,
    current_code: String,
    new_code: String,
    usages: Vec<(Rule, String)>,
    rate_limits: RateLimits,
    code_keys: CodeKeys,
    undo_token: String,
    shop: ShopInfo,
    now_ms: i64,
}

impl Confirmation {
    /// The transaction must commit when a code is wrong, or the rollback would restore the attempt.
    async fn apply(&self, tx: &mut AnyConnection) -> Result<Verified, Error> {
        let invalid = Verified { current: Verification::Invalid, new: Verification::Invalid };
        if !limits::check_within(tx, self.rate_limits, &self.usages, self.now_ms).await? {
            return Ok(invalid);
        }
        let user_id = &self.caller.user_id;
        let Some(pending) = store::take_attempt(tx, user_id, &self.code_hash).await? else {
            return Ok(invalid);
        };
        let verify = |purpose, code: &str, hash: &str| {
            self.code_keys.verify(user_id, purpose, code, hash, self.now_ms < pending.expires_at)
        };
        let verified = Verified {
            current: verify(Purpose::LeaveAddress, &self.current_code, &self.code_hash),
            new: verify(Purpose::TakeAddress, &self.new_code, &pending.new_code_hash),
        };
        if let Verified { current: Verification::Valid, new: Verification::Valid } = verified {
            self.change(tx, &pending).await?;
        }
        Ok(verified)
    }

    async fn change(&self, tx: &mut AnyConnection, pending: &PendingChange) -> Result<(), Error> {
        let user_id = &self.caller.user_id;
        users::lock_user(tx, user_id).await?;
        // An undone change or a new password may have ended the session while the request's body was on its way.
        if sessions::find_live(&mut *tx, &self.caller.session_id, self.now_ms).await?.is_none() {
            return Err(unauthenticated());
        }
        let user = users::load_user(&mut *tx, user_id).await?;
        let previous = PreviousEmail {
            user_id: user.id.clone(),
            email_key: Email::parse(&user.email).map_err(Error::internal)?.key(),
            email: user.email.clone(),
            changed_at: self.now_ms,
        };
        if !users::change_email(tx, &user, &pending.email, &pending.email_key).await? {
            return Err(address_taken());
        }
        store::delete_of_user(tx, user_id).await?;
        store::insert_previous(tx, &token_hash(&self.undo_token), &previous, self.now_ms + UNDO_LIFETIME_MS).await?;
        for email_key in [&previous.email_key, &pending.email_key] {
            void_requests_of(tx, email_key).await?;
        }
        // A code that was emailed to the previous address must not set a password.
        codes::delete(tx, user_id).await?;
        let mail = app::mail::email_changed(&self.shop, &pending.email, &self.undo_token);
        let dedupe_key = format!("email-changed:{}", token_hash(&self.undo_token));
        let outgoing =
            OutgoingMail { kind: EmailKind::EmailChanged, order_id: None, dedupe_key, to: previous.email, mail };
        outbox::enqueue(tx, self.now_ms, outgoing).await
    }
}
