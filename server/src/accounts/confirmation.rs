use std::sync::Arc;

use app::mail::ShopInfo;
use axum::Json;
use axum::extract::State;
use axum::http::HeaderMap;
use serde::{Deserialize, Serialize};
use sqlx::AnyConnection;
use utoipa::ToSchema;
use wasm_core::validation::{Email, schema};

use super::codes::{self, CodeKeys, Purpose};
use super::devices::Requester;
use super::logged_in::{LoggedIn, device_of};
use super::login_token::LoginToken;
use super::message::Message;
use super::requested_code::{self, CodeRequest, UsernameRequest, parse_username};
use super::sessions::NewSession;
use super::signups::Browser;
use super::{brute_force, constant_time, signups};
use crate::accounts::Accounts;
use crate::error::Error;
use crate::error::responses::error_responses;
use crate::http::client_address::ClientAddress;
use crate::http::extract::Body;
use crate::http::load_shedding::Permit;
use crate::infra::random;
use crate::mail::EmailKind;
use crate::mail::outbox::{self, OutgoingMail};
use crate::time_zone::ShopZone;

#[derive(Deserialize, ToSchema)]
#[schema(examples(json!({
    "username": "ada@example.com",
    "code": "123456",
})))]
pub struct ConfirmRequest {
    /// The email address.
    #[schema(schema_with = schema::email)]
    username: String,
    /// The code from the email.
    #[schema(pattern = "^[0-9]{6}$", examples("123456"))]
    code: String,
    /// The token of the response to the sign-up. With it, the response has a session.
    #[schema(min_length = 43, max_length = 43)]
    login_token: Option<String>,
}

/// The account is created.
#[derive(Serialize, ToSchema)]
#[schema(examples(json!({
    "message": "Your email address is confirmed. You can log in now.",
})))]
pub struct EmailConfirmed {
    message: &'static str,
    /// A new session, for the browser that signed up.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    session: Option<LoggedIn>,
}

error_responses!(ConfirmErrors: [BODY] CodeInvalid CodeExpired TooManyRequests);

/// Confirm an email address
///
/// Creates the account with the password of the sign-up that the emailed code belongs to, and returns a message. The
/// browser that signed up and sends its `login_token` is logged in. A wrong code is `CodeInvalid`, an old one `CodeExpired`;
/// too many attempts are a 429.
#[utoipa::path(
    post,
    path = "/api/auth/confirm-email",
    tag = "Accounts",
    request_body = ConfirmRequest,
    responses((status = 200, description = "The account is created.", body = EmailConfirmed), ConfirmErrors),
)]
pub async fn confirm_email(
    State(state): State<Arc<Accounts>>,
    client: ClientAddress,
    headers: HeaderMap,
    permit: Permit,
    Body(request): Body<ConfirmRequest>,
) -> Result<Json<EmailConfirmed>, Error> {
    constant_time::respond(permit, async {
        let email = parse_username(&request.username)?;
        let requester = Requester::Client(&client);
        brute_force::check_limits(&state, &requester, &email.key()).await?;
        let token = request.login_token.map(LoginToken::parse).transpose()?;
        let (browser, new) = (Browser { token, device: device_of(&headers) }, NewSession::new());
        let refresh_token = new.refresh_token.clone();
        let (verification, begun) =
            signups::confirm(&state, &client, &email.key(), &request.code, browser, new).await?;
        brute_force::conclude(&state, &requester, verification).await?;
        let session = begun.map(|(user, session)| LoggedIn::of(&state, &user, &session, refresh_token)).transpose()?;
        let message = match session {
            Some(_) => "Your email address is confirmed, and you’re logged in.",
            None => "Your email address is confirmed. You can log in now.",
        };
        Ok(Json(EmailConfirmed { message, session }))
    })
    .await
}

error_responses!(ResendErrors: [BODY] TooManyRequests);

/// Resend a confirmation code
///
/// Emails a new code for this client's newest pending sign-up, which replaces the earlier code. Returns the same
/// message whether or not a sign-up is pending; too many requests are a 429.
#[utoipa::path(
    post,
    path = "/api/auth/resend-code",
    tag = "Accounts",
    operation_id = "resend_confirmation_code",
    request_body = UsernameRequest,
    responses((status = 200, description = "The same response whether or not a sign-up is pending.", body = Message), ResendErrors),
)]
pub async fn resend_code(
    State(state): State<Arc<Accounts>>,
    client: ClientAddress,
    permit: Permit,
    Body(request): Body<UsernameRequest>,
) -> Result<Json<Message>, Error> {
    constant_time::respond(permit, async {
        let email = parse_username(&request.username)?;
        if requested_code::check_limits(&state, &Requester::Client(&client), CodeRequest::Resend, &email).await? {
            resend(&state, &client, &email).await?;
        }
        let message = "If this email address is waiting for confirmation, we’ve sent a new code.";
        Ok(Json(Message { message }))
    })
    .await
}

async fn resend(state: &Accounts, client: &ClientAddress, email: &Email) -> Result<(), Error> {
    let renewal = Renewal {
        email_key: email.key(),
        client: signups::client_fingerprint(&state.keys, client),
        code: random::six_digit_code(),
        code_keys: CodeKeys::of(&state.keys),
        dedupe_key: format!("code:{}", random::new_id()),
        mail_shop: state.letterhead.shop(),
        zone: state.letterhead.zone(),
        now_ms: state.clock.now_ms(),
    };
    state.db.write(renewal, |tx, renewal| Box::pin(renew(tx, renewal))).await?;
    state.mail_enqueued.notify_one();
    Ok(())
}

/// A new code for a pending sign-up.
struct Renewal {
    email_key: String,
    client: String,
    code: String,
    code_keys: CodeKeys,
    dedupe_key: String,
    mail_shop: ShopInfo,
    zone: ShopZone,
    now_ms: i64,
}

async fn renew(tx: &mut AnyConnection, renewal: &Renewal) -> Result<(), Error> {
    let pending = signups::store::list(&mut *tx, &renewal.email_key).await?;
    let Some(signup) = signups::find_renewable(&pending, &renewal.client) else {
        return Ok(());
    };
    let code_hash = renewal.code_keys.hash(&signup.id, Purpose::ConfirmEmail, &renewal.code);
    let expires_at = renewal.now_ms + codes::LIFETIME_MS;
    signups::store::renew_code(tx, &signup.id, &code_hash, codes::MAX_ATTEMPTS, expires_at).await?;
    let signed_up_at = renewal.zone.minute(signup.created_at);
    let outgoing = OutgoingMail {
        kind: EmailKind::Code,
        order_id: None,
        dedupe_key: renewal.dedupe_key.clone(),
        to: signup.email.clone(),
        mail: app::mail::confirm_email(&renewal.mail_shop, &signup.email, &renewal.code, &signed_up_at),
    };
    outbox::enqueue_until(tx, renewal.now_ms, expires_at, outgoing).await
}
