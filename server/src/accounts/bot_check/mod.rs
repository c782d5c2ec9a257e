//! Bot check (CAPTCHA): protects sign-up and login from bots with a built-in proof of work or an external service. The
//! request member `recaptchaToken` carries the proof of either kind.

mod difficulty;
mod error;
mod pow;
mod service;
mod siteverify;
mod store;

use std::net::IpAddr;
use std::sync::Arc;

use altcha_lib_rs::Challenge;
use axum::Json;
use axum::extract::State;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sqlx::AnyConnection;
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use self::difficulty::Difficulty;
use self::error::BotCheckError;
use self::service::{Service, ServiceResult};
use self::store::{Proof, Redemption};
use crate::accounts::Accounts;
use crate::config::{BotCheckMode, Config};
use crate::db::Db;
use crate::error::responses::error_responses;
use crate::error::{Code, Error};
use crate::http::extract::Params;

/// `Retry-After` of sign-ups while the CAPTCHA service is down.
const RETRY_SECONDS: u64 = 60;

/// For pages of listed origins, too: a login may need a bot check.
pub fn cross_origin_router() -> OpenApiRouter<Arc<Accounts>> {
    OpenApiRouter::new().routes(routes!(challenge))
}

/// The configured bot check.
pub enum BotCheck {
    Pow(Difficulty),
    Service(Box<Service>),
    Off,
}

impl BotCheck {
    /// # Errors
    /// A message that names the invalid variable.
    pub fn new(config: &Config, public_url: &str) -> Result<Self, String> {
        Ok(match &config.bot_check {
            BotCheckMode::Pow => Self::Pow(Difficulty::default()),
            BotCheckMode::Service(service) => Self::Service(Box::new(Service::new(service, public_url)?)),
            BotCheckMode::Off => Self::Off,
        })
    }

    /// Counts an accepted proof, which may raise the difficulty.
    pub fn count(&self, now_ms: i64) {
        if let Self::Pow(difficulty) = self {
            difficulty.count(now_ms);
        }
    }

    /// Tests whether the bot check works, and describes it.
    ///
    /// # Errors
    /// The reason why it does not work.
    pub async fn probe(&self, now_ms: i64) -> Result<String, String> {
        match self {
            Self::Pow(_) => Ok("built-in proof of work; no external service needed".to_owned()),
            Self::Service(service) => service.probe(now_ms).await,
            Self::Off => Ok("off; allowed in demo mode only".to_owned()),
        }
    }
}

/// The result of a bot check that did not fail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use]
pub enum CheckResult {
    Passed,
    /// The CAPTCHA service is down. The caller decides between fail-open and fail-closed.
    Unavailable,
}

/// The form that a proof is bound to: a proof for signing up is invalid for logging in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Action {
    Signup,
    Login,
}

impl Action {
    fn as_str(self) -> &'static str {
        match self {
            Self::Signup => "signup",
            Self::Login => "login",
        }
    }
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
struct ChallengeQuery {
    /// The form that the proof is for.
    #[param(inline, example = "login")]
    action: Action,
}

/// An ALTCHA challenge: find the number up to `maxnumber` whose SHA-256 hash with the salt equals `challenge`.
#[derive(Serialize, ToSchema)]
#[schema(examples(json!({
    "algorithm": "SHA-256",
    "challenge": "3f8a1c5e7b9d2046a8c1e3f5071928374655647382910abbccddeeff00112233",
    "maxnumber": 50_000,
    "salt": "4c1d9e7a2b5f?expires=1798135320",
    "signature": "9b1d5f3e7a8c2046d1e3b5f7092837465564738291a0bbccddeeff0011223344",
})))]
struct ProofOfWork {
    algorithm: String,
    challenge: String,
    maxnumber: u64,
    salt: String,
    signature: String,
}

impl From<Challenge> for ProofOfWork {
    fn from(challenge: Challenge) -> Self {
        Self {
            algorithm: challenge.algorithm.to_string(),
            challenge: challenge.challenge,
            maxnumber: challenge.maxnumber,
            salt: challenge.salt,
            signature: challenge.signature,
        }
    }
}

error_responses!(ChallengeErrors: [QUERY] NotFound);

/// Get a proof-of-work challenge
///
/// Returns a challenge for the action. Solve it within two minutes and send the solution once, as `recaptchaToken`. The
/// difficulty grows with the rate of sign-ups and logins. A shop with another bot check returns a 404.
#[utoipa::path(
    get,
    path = "/api/bot-check",
    tag = "Accounts",
    operation_id = "get_bot_check_challenge",
    params(ChallengeQuery),
    responses((status = 200, description = "The challenge.", body = ProofOfWork), ChallengeErrors),
)]
async fn challenge(
    State(state): State<Arc<Accounts>>,
    Params(query): Params<ChallengeQuery>,
) -> Result<Json<ProofOfWork>, Error> {
    let now_ms = state.clock.now_ms();
    let message = match &state.bot_check {
        BotCheck::Pow(difficulty) => {
            let secret = pow::secret(&state.keys);
            let challenge = pow::challenge(&secret, query.action, difficulty.factor(now_ms), now_ms)?;
            return Ok(Json(challenge.into()));
        }
        BotCheck::Service(_) => "This shop uses an external CAPTCHA service. See /api/config.",
        BotCheck::Off => "The bot check is off. Omit recaptchaToken.",
    };
    Err(Error::new(Code::NotFound, message))
}

/// Verifies a proof and redeems it: a proof is valid once, for its own action.
///
/// # Errors
/// 400 `BotCheckFailed` with a message for the user.
pub async fn verify(state: &Accounts, action: Action, token: &Value, client: IpAddr) -> Result<CheckResult, Error> {
    let now_ms = state.clock.now_ms();
    let proof = match &state.bot_check {
        BotCheck::Off => return Ok(CheckResult::Passed),
        BotCheck::Pow(_) => pow::verify(&pow::secrets(&state.keys), action, token, now_ms)?,
        BotCheck::Service(service) => match service.verify(action, token, client, now_ms).await {
            ServiceResult::Passed(proof) => proof,
            ServiceResult::Rejected(error) => return Err(error.into()),
            ServiceResult::Unavailable => return Ok(CheckResult::Unavailable),
        },
    };
    match state.db.write(proof, |tx, proof| Box::pin(redeem(tx, proof))).await? {
        Redemption::First => {
            state.bot_check.count(now_ms);
            Ok(CheckResult::Passed)
        }
        Redemption::Replay => Err(BotCheckError::AlreadyUsed.into()),
    }
}

async fn redeem(tx: &mut AnyConnection, proof: &Proof) -> Result<Redemption, Error> {
    Ok(store::redeem(tx, proof).await?)
}

/// The error of an action that requires the bot check while the CAPTCHA service is down.
pub fn unavailable() -> Error {
    let message = "The security check is unavailable right now. Please try again in a minute.";
    Error::new(Code::BotCheckUnavailable, message).retry_after(RETRY_SECONDS)
}

/// Deletes used proofs that have expired.
pub async fn sweep(db: &Db, now_ms: i64) -> Result<(), Error> {
    db.write(now_ms, |tx, now_ms| Box::pin(delete_expired(tx, *now_ms))).await
}

async fn delete_expired(tx: &mut AnyConnection, now_ms: i64) -> Result<(), Error> {
    Ok(store::delete_expired(tx, now_ms).await?)
}
