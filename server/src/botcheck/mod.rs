//! The check that keeps robots from signing up and guessing passwords. `recaptchaToken` carries whatever
//! proof the configured kind asks for.

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
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use self::difficulty::Rush;
use self::error::Fault;
use self::service::{Service, Verdict};
use crate::config::{BotCheck, Config};
use crate::db::Db;
use crate::http::error::{Code, Error};
use crate::http::error_responses::error_responses;
use crate::http::extract::Params;
use crate::shop::Shop;

/// After which a sign-up may be tried again.
const RETRY_SECONDS: u64 = 60;

pub fn router() -> OpenApiRouter<Arc<Shop>> {
    OpenApiRouter::new().routes(routes!(challenge))
}

/// How this shop keeps robots out.
pub enum Gate {
    Pow(Rush),
    Service(Box<Service>),
    Off,
}

impl Gate {
    /// # Errors
    /// One sentence that names the variable at fault.
    pub fn new(config: &Config, public_url: &str) -> Result<Self, String> {
        Ok(match &config.bot_check {
            BotCheck::Pow => Self::Pow(Rush::default()),
            BotCheck::Service(service) => Self::Service(Box::new(Service::new(service, public_url)?)),
            BotCheck::Off => Self::Off,
        })
    }

    /// Counts a proof that was accepted: very many make the next ones dearer.
    pub fn count(&self, now_ms: i64) {
        if let Self::Pow(rush) = self {
            rush.count(now_ms);
        }
    }

    /// Whether it could check somebody now.
    ///
    /// # Errors
    /// Why it could not.
    pub async fn try_out(&self, now_ms: i64) -> Result<String, String> {
        match self {
            Self::Pow(_) => Ok("the built-in proof of work, which needs no service".to_owned()),
            Self::Service(service) => service.try_out(now_ms).await,
            Self::Off => Ok("off, as only a demo may have it".to_owned()),
        }
    }
}

/// Whether a visitor was checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use]
pub enum Check {
    Passed,
    /// The service that would have checked is of no use at the moment; what that means is for the caller to say.
    Impossible,
}

/// What a proof is for: one made for signing up is worthless for logging in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Action {
    Signup,
    Login,
}

impl Action {
    fn word(self) -> &'static str {
        match self {
            Self::Signup => "signup",
            Self::Login => "login",
        }
    }
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
struct ChallengeQuery {
    #[param(inline)]
    action: Action,
}

/// The challenge as the widget reads it: find the number up to `maxnumber` whose hash with the salt is the challenge.
#[derive(Serialize, ToSchema)]
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

/// A fresh proof-of-work challenge for the action. It is harder while very many sign up and log in.
#[utoipa::path(
    get,
    path = "/api/bot-check",
    tag = "Accounts",
    operation_id = "get_bot_check",
    params(ChallengeQuery),
    responses((status = 200, description = "To be solved within two minutes, and sent back once as `recaptchaToken`.", body = ProofOfWork), ChallengeErrors),
)]
async fn challenge(
    State(shop): State<Arc<Shop>>,
    Params(query): Params<ChallengeQuery>,
) -> Result<Json<ProofOfWork>, Error> {
    let now_ms = shop.clock.now_ms();
    let sentence = match &shop.bot_check {
        Gate::Pow(rush) => {
            let secret = pow::secret(&shop.keys);
            let challenge = pow::challenge(&secret, query.action, rush.factor(now_ms), now_ms)?;
            return Ok(Json(challenge.into()));
        }
        Gate::Service(_) => "The bot check of this shop is done by another service; /api/config says by which.",
        Gate::Off => "This shop asks for no bot check; leave recaptchaToken out.",
    };
    Err(Error::new(Code::NotFound, sentence))
}

/// Accepts a proof once, for the action it was made for.
///
/// # Errors
/// 400 `BotCheckFailed` with a sentence that says what to do.
pub async fn verify(shop: &Shop, action: Action, token: &Value, client: IpAddr) -> Result<Check, Error> {
    let now_ms = shop.clock.now_ms();
    let proof = match &shop.bot_check {
        Gate::Off => return Ok(Check::Passed),
        Gate::Pow(_) => pow::verify(&pow::secrets(&shop.keys), action, token, now_ms)?,
        Gate::Service(service) => match service.verify(action, token, client, now_ms).await {
            Verdict::Passed(proof) => proof,
            Verdict::Refused(fault) => return Err(fault.into()),
            Verdict::Unanswered => return Ok(Check::Impossible),
        },
    };
    let used = shop
        .db
        .write_closure(move |tx| {
            let proof = proof.clone();
            Box::pin(async move { Ok(store::use_proof(tx, &proof).await?) })
        })
        .await?;
    match used {
        store::Use::First => {
            shop.bot_check.count(now_ms);
            Ok(Check::Passed)
        }
        store::Use::Repeated => Err(Fault::Used.into()),
    }
}

/// The refusal of whoever must not go on unchecked.
pub fn unavailable() -> Error {
    let sentence = "The bot check is not available at the moment. Please try again in a minute.";
    Error::new(Code::BotCheckUnavailable, sentence).retry_after(RETRY_SECONDS)
}

/// Forgets used proofs that have expired.
pub async fn sweep(db: &Db, now_ms: i64) -> Result<(), Error> {
    db.write_closure(move |tx| Box::pin(async move { Ok(store::delete_expired(tx, now_ms).await?) })).await
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
