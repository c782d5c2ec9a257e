//! The check that keeps robots from signing up and guessing passwords. `recaptchaToken` carries whatever
//! proof the configured kind asks for.

mod pow;
mod store;

use std::sync::Arc;

use altcha_lib_rs::Challenge;
use axum::Json;
use axum::extract::State;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::config::BotCheck;
use crate::db::Db;
use crate::error::{Code, Error};
use crate::extract::Params;
use crate::refusals::refusals;
use crate::shop::Shop;

pub fn router() -> OpenApiRouter<Arc<Shop>> {
    OpenApiRouter::new().routes(routes!(challenge))
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

refusals!(ChallengeRefusals: [QUERY] NotFound);

/// A fresh proof-of-work challenge for the action.
#[utoipa::path(
    get,
    path = "/api/bot-check",
    tag = "Accounts",
    operation_id = "get_bot_check",
    params(ChallengeQuery),
    responses((status = 200, description = "To be solved within two minutes, and sent back once as `recaptchaToken`.", body = ProofOfWork), ChallengeRefusals),
)]
async fn challenge(
    State(shop): State<Arc<Shop>>,
    Params(query): Params<ChallengeQuery>,
) -> Result<Json<ProofOfWork>, Error> {
    match shop.config.bot_check {
        BotCheck::Pow => {
            let secret = pow::secret(&shop.keys);
            pow::challenge(&secret, query.action, shop.clock.now_ms()).map(|challenge| Json(challenge.into()))
        }
        BotCheck::Off => Err(Error::new(Code::NotFound, "This shop asks for no bot check; leave recaptchaToken out.")),
    }
}

/// Accepts a proof once, for the action it was made for.
///
/// # Errors
/// 400 `BotCheckFailed` with a sentence that says what to do.
pub async fn verify(shop: &Shop, action: Action, token: &Value) -> Result<(), Error> {
    match shop.config.bot_check {
        BotCheck::Off => Ok(()),
        BotCheck::Pow => {
            let now_ms = shop.clock.now_ms();
            let proof = pow::verify(&pow::secret(&shop.keys), action, token, now_ms)
                .map_err(|fault| failed(fault.sentence()))?;
            let fresh = shop
                .db
                .write(move |tx| {
                    let proof = proof.clone();
                    Box::pin(async move { Ok(store::use_challenge(tx, &proof.challenge, proof.expires_at).await?) })
                })
                .await?;
            match fresh {
                store::Challenge::Fresh => Ok(()),
                store::Challenge::Used => Err(failed(pow::Fault::Used.sentence())),
            }
        }
    }
}

/// Forgets used challenges that have expired.
pub async fn sweep(db: &Db, now_ms: i64) -> Result<(), Error> {
    db.write(move |tx| Box::pin(async move { Ok(store::delete_expired(tx, now_ms).await?) })).await
}

fn failed(sentence: &str) -> Error {
    Error::new(Code::BotCheckFailed, sentence)
}
