use std::sync::Arc;

use app::mail::ShopInfo;
use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sha2::{Digest as _, Sha256};
use sqlx::AnyConnection;
use utoipa::ToSchema;
use wasm_core::catalog::Product;
use wasm_core::validation::{Email, schema};

use super::{CONFIRMATION_TIME, limit_of_shop, store};
use crate::accounts::bot_check::{self, Action};
use crate::catalog::Catalog;
use crate::catalog::products::store::{Visible, find_product_by_name};
use crate::config::RateLimits;
use crate::error::responses::error_responses;
use crate::error::{Code, Error};
use crate::http::client_address::ClientAddress;
use crate::http::extract::{Body, Path};
use crate::infra::random;
use crate::limits::{self, BACK_IN_STOCK_PER_ADDRESS, BACK_IN_STOCK_PER_EMAIL};
use crate::mail::EmailKind;
use crate::mail::outbox::{self, OutgoingMail};

#[derive(Deserialize, ToSchema)]
#[schema(examples(json!({ "email": "ada@example.com", "recaptchaToken": "eyJhbGdvcml0aG0iOiJTSEEtMjU2In0=" })))]
pub struct BackInStockRequest {
    /// The email address.
    #[schema(schema_with = schema::email)]
    email: String,
    /// Proof of the bot check for `back_in_stock`.
    #[serde(default, rename = "recaptchaToken")]
    #[schema(value_type = Option<String>)]
    bot_check: Value,
}

#[derive(Serialize, ToSchema)]
pub struct BackInStockRequested {
    #[schema(examples("Almost there: tap the link we just emailed you."))]
    message: &'static str,
}

error_responses!(RequestErrors: [BODY] NotFound BotCheckFailed TooManyRequests);

/// Request a back-in-stock email
///
/// Emails a link that confirms the address. Unconfirmed requests are deleted after 48 hours. The response is the same
/// whether or not the address has asked before. A failed bot check is `BotCheckFailed`; too many requests, of one client
/// or of all, are a 429.
#[utoipa::path(
    post,
    path = "/api/products/{id}/back-in-stock",
    tag = "Catalog",
    params(("id" = String, Path, description = "The product's id or slug.", example = "nudgelight-halo")),
    request_body = BackInStockRequest,
    responses((status = 200, description = "The link was sent.", body = BackInStockRequested), RequestErrors),
)]
pub async fn request_back_in_stock_email(
    State(state): State<Arc<Catalog>>,
    Path(id): Path,
    client: ClientAddress,
    Body(request): Body<BackInStockRequest>,
) -> Result<Json<BackInStockRequested>, Error> {
    let email = Email::parse(&request.email).map_err(|message| Error::invalid_field("email", message))?;
    bot_check::verify_in_memory(&state.accounts, Action::BackInStock, &request.bot_check)?;
    limits::check_each(&state.limits, &client.usages(BACK_IN_STOCK_PER_ADDRESS)).await?;
    let product = find_product_by_name(state.db.read(), &id, Visible::Active).await?;
    let product = product.ok_or_else(|| Error::new(Code::NotFound, "Product not found"))?;
    let _proof = bot_check::verify(&state.accounts, Action::BackInStock, &request.bot_check, client.ip()).await?;
    limit_of_shop::check(&state).await?;
    let request = NewRequest {
        product,
        email,
        token: hex::encode(random::random_bytes::<32>()),
        limits: state.config.rate_limits,
        mail_shop: state.settings.mail_shop(),
        now_ms: state.clock.now_ms(),
    };
    state.db.write(request, |tx, request| Box::pin(insert(tx, request))).await?;
    state.mail_enqueued.notify_one();
    let message = "Almost there: tap the link we just emailed you.";
    Ok(Json(BackInStockRequested { message }))
}

struct NewRequest {
    product: Product,
    email: Email,
    token: String,
    limits: RateLimits,
    mail_shop: ShopInfo,
    now_ms: i64,
}

/// Above the limit of one address nothing is sent, so that no visitor can flood the mailbox of another.
async fn insert(tx: &mut AnyConnection, new: &NewRequest) -> Result<(), Error> {
    let usages = [(BACK_IN_STOCK_PER_EMAIL, new.email.key())];
    if !limits::check_within(tx, new.limits, &usages, new.now_ms).await? {
        return Ok(());
    }
    store::upsert(tx, &new.product.id, &new.email, &token_hash(&new.token), new.now_ms).await?;
    let mail = app::mail::confirm_back_in_stock(&new.mail_shop, &new.product.name, &new.token);
    let dedupe_key = format!("back-in-stock-confirm:{}", random::new_id());
    let (kind, to) = (EmailKind::BackInStock, new.email.as_str().to_owned());
    let outgoing = OutgoingMail { kind, order_id: None, dedupe_key, to, mail };
    outbox::enqueue_until(tx, new.now_ms, new.now_ms + CONFIRMATION_TIME, outgoing).await
}

#[derive(Deserialize, ToSchema)]
#[schema(examples(json!({ "token": "4f1c…" })))]
pub struct BackInStockToken {
    /// The token from the link in the email.
    #[schema(min_length = 1, max_length = 200)]
    token: String,
}

/// The confirmed request, without its address.
#[derive(Serialize, ToSchema)]
#[schema(examples(json!({ "product_name": "Nudgelight Halo", "product_slug": "nudgelight-halo" })))]
pub struct BackInStockConfirmed {
    product_name: String,
    product_slug: String,
}

error_responses!(ConfirmErrors: [BODY] CodeInvalid);

/// Confirm a back-in-stock email
///
/// Confirms the address to which the token was sent and returns the product. An unknown or expired token is `CodeInvalid`.
#[utoipa::path(
    post,
    path = "/api/back-in-stock/confirm",
    tag = "Catalog",
    request_body = BackInStockToken,
    responses((status = 200, description = "The address is confirmed.", body = BackInStockConfirmed), ConfirmErrors),
)]
pub async fn confirm_back_in_stock_email(
    State(state): State<Arc<Catalog>>,
    Body(BackInStockToken { token }): Body<BackInStockToken>,
) -> Result<Json<BackInStockConfirmed>, Error> {
    let args = (token_hash(&token), state.clock.now_ms());
    let confirm = state.db.write(args, |tx, (hash, now)| Box::pin(store::confirm(tx, hash, *now)));
    let (product_name, product_slug) = confirm.await?.ok_or_else(|| {
        Error::new(Code::CodeInvalid, "This link is invalid or has expired. Ask again on the product’s page.")
    })?;
    Ok(Json(BackInStockConfirmed { product_name, product_slug }))
}

error_responses!(CancelErrors: [BODY]);

/// Cancel a back-in-stock email
///
/// Deletes the request and its address. Succeeds for an unknown token, too.
#[utoipa::path(
    post,
    path = "/api/back-in-stock/cancel",
    tag = "Catalog",
    request_body = BackInStockToken,
    responses((status = 204, description = "The request is deleted."), CancelErrors),
)]
pub async fn cancel_back_in_stock_email(
    State(state): State<Arc<Catalog>>,
    Body(BackInStockToken { token }): Body<BackInStockToken>,
) -> Result<StatusCode, Error> {
    state.db.write(token_hash(&token), |tx, hash| Box::pin(store::delete(tx, hash))).await?;
    Ok(StatusCode::NO_CONTENT)
}

fn token_hash(token: &str) -> String {
    hex::encode(Sha256::digest(token.as_bytes()))
}
