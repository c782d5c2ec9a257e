//! Requests for a change: a code for each of the two addresses.

use std::sync::Arc;

use app::mail::{Mail, ShopInfo};
use axum::Json;
use axum::extract::State;
use serde::Deserialize;
use sqlx::AnyConnection;
use utoipa::ToSchema;
use wasm_core::validation::{Email, schema};

use super::store::{self, NewChange};
use crate::accounts::Accounts;
use crate::accounts::caller::SignedIn;
use crate::accounts::codes::{self, CodeKeys, Purpose};
use crate::accounts::constant_time;
use crate::accounts::devices::Requester;
use crate::accounts::message::Message;
use crate::accounts::requested_code::{self, CodeRequest};
use crate::accounts::second_factor::{self, Verified};
use crate::accounts::store::{self as users, User};
use crate::error::Error;
use crate::error::responses::error_responses;
use crate::http::client_address::ClientAddress;
use crate::http::extract::Body;
use crate::http::load_shedding::Permit;
use crate::infra::random;
use crate::limits::{self, Rule};
use crate::mail::EmailKind;
use crate::mail::outbox::{self, OutgoingMail};

#[derive(Deserialize, ToSchema)]
#[schema(examples(json!({ "email": "ada.bell@example.com" })))]
pub struct EmailChangeRequest {
    /// The new email address.
    #[schema(schema_with = schema::email)]
    email: String,
    /// The code of an administrator's authenticator app, or a recovery code.
    #[schema(pattern = "^(([0-9]\\s*){6}|([0-9A-Za-z]{4}[- ]?){4})$", examples("123456"))]
    totp: Option<String>,
}

error_responses!(RequestErrors: [BODY, SIGNED_IN] TotpRequired TooManyRequests);

/// Request a change of the email address
///
/// Emails a code to the current address and another one to the new address; the change needs both. An address that has an
/// account gets a notice instead, with the same response. Administrators with a second factor need `totp`. An invalid
/// address, or the current one, is a 400, too many requests are a 429.
#[utoipa::path(
    post,
    path = "/api/auth/email-change",
    tag = "Accounts",
    request_body = EmailChangeRequest,
    security(("accessToken" = [])),
    responses((status = 200, description = "The same response whether or not the new address has an account.", body = Message), RequestErrors),
)]
pub async fn request_email_change(
    State(state): State<Arc<Accounts>>,
    client: ClientAddress,
    SignedIn(caller): SignedIn,
    permit: Permit,
    Body(request): Body<EmailChangeRequest>,
) -> Result<Json<Message>, Error> {
    constant_time::respond(permit, async {
        let email = Email::parse(&request.email).map_err(|message| Error::invalid_field("email", message))?;
        if request.totp.as_deref().is_some_and(|totp| !second_factor::is_code(totp)) {
            return Err(Error::invalid_field("totp", "Enter the six digits from your app or a recovery code."));
        }
        let user = users::load_user(state.db.read(), &caller.user_id).await?;
        let current = Email::parse(&user.email).map_err(Error::internal)?;
        if email.key() == current.key() {
            return Err(Error::invalid_field("email", "This is already your email address."));
        }
        let attempts = attempts_of(&state, &client, &user, request.totp.is_some());
        limits::check_each(&state.limits, &attempts).await?;
        let second_factor = second_factor::verify(&state, &user, request.totp.as_deref())?;
        let requests = [limits::EMAIL_CHANGES, limits::EMAIL_CHANGES_PER_DAY].map(|rule| (rule, &*user.id));
        limits::check(&state.limits, &requests).await?;
        let may_send =
            requested_code::may_send(&state, &Requester::Client(&client), CodeRequest::ChangeEmail, &email).await?;
        let start = Start {
            user,
            email,
            second_factor,
            may_send,
            current_code: random::six_digit_code(),
            new_code: random::six_digit_code(),
            code_keys: CodeKeys::of(&state.keys),
            occasion: random::new_id(),
            shop: state.letterhead.shop(),
            now_ms: state.clock.now_ms(),
        };
        state.db.write(start, |tx, start| Box::pin(start.apply(tx))).await?;
        limits::forget_cached(&state.limits, (limits::SECOND_FACTOR_PER_ACCOUNT, &caller.user_id));
        state.mail_enqueued.notify_one();
        Ok(Json(Message { message: "We emailed a 6-digit code to each of the two addresses." }))
    })
    .await
}

/// A stolen access token must not help to guess the code of an administrator's app.
fn attempts_of(state: &Accounts, client: &ClientAddress, user: &User, has_code: bool) -> Vec<(Rule, String)> {
    let mut usages = client.usages(limits::CODE_PER_ADDRESS);
    if has_code && second_factor::is_needed(state, user) {
        usages.push((limits::SECOND_FACTOR_PER_ACCOUNT, user.id.clone()));
    }
    usages
}

struct Start {
    user: User,
    email: Email,
    second_factor: Option<Verified>,
    /// False above a limit of the new address, which the response must not reveal.
    may_send: bool,
    current_code: String,
    new_code: String,
    code_keys: CodeKeys,
    /// Makes the emails unique.
    occasion: String,
    shop: ShopInfo,
    now_ms: i64,
}

impl Start {
    async fn apply(&self, tx: &mut AnyConnection) -> Result<(), Error> {
        if let Some(verified) = &self.second_factor {
            if !second_factor::mark_used(tx, &self.user, verified, &self.shop, self.now_ms).await? {
                return Err(second_factor::invalid_code(&self.user));
            }
            limits::clear(tx, limits::SECOND_FACTOR_PER_ACCOUNT, &self.user.id).await?;
        }
        if !self.may_send {
            return Ok(());
        }
        // A change that was undone meanwhile must not leave a code at an address that the account no longer has.
        users::lock_user(tx, &self.user.id).await?;
        let user = users::load_user(&mut *tx, &self.user.id).await?;
        let is_taken = self.is_taken(tx).await?;
        let hash = |purpose, code| self.code_keys.hash(&self.user.id, purpose, code);
        let new_code_hash = if is_taken { String::new() } else { hash(Purpose::TakeAddress, &self.new_code) };
        let change = NewChange {
            user_id: &self.user.id,
            email: self.email.as_str(),
            email_key: &self.email.key(),
            current_code_hash: &hash(Purpose::LeaveAddress, &self.current_code),
            new_code_hash: &new_code_hash,
            attempts: codes::MAX_ATTEMPTS,
            expires_at: self.expires_at(),
        };
        store::replace(tx, change).await?;
        let to_current = app::mail::change_email_from(&self.shop, self.email.as_str(), &self.current_code);
        self.enqueue(tx, EmailKind::Code, &user.email, to_current).await?;
        let (kind, to_new) = if is_taken {
            (EmailKind::AddressInUse, app::mail::address_in_use_by_you(&self.shop))
        } else {
            (EmailKind::Code, app::mail::change_email_to(&self.shop, &self.new_code))
        };
        self.enqueue(tx, kind, self.email.as_str(), to_new).await
    }

    /// Whether another account has the address, or may get it back.
    async fn is_taken(&self, tx: &mut AnyConnection) -> Result<bool, Error> {
        let email_key = self.email.key();
        let has_account = users::find_user_by_email(&mut *tx, &email_key).await?.is_some();
        let owner = store::find_previous_owner(tx, &email_key, self.now_ms).await?;
        Ok(has_account || owner.is_some_and(|owner| owner != self.user.id))
    }

    fn expires_at(&self) -> i64 {
        self.now_ms + codes::LIFETIME_MS
    }

    async fn enqueue(&self, tx: &mut AnyConnection, kind: EmailKind, to: &str, mail: Mail) -> Result<(), Error> {
        let dedupe_key = format!("email-change:{}:{to}", self.occasion);
        let outgoing = OutgoingMail { kind, order_id: None, dedupe_key, to: to.to_owned(), mail };
        outbox::enqueue_until(tx, self.now_ms, self.expires_at(), outgoing).await
    }
}
