//! The endpoint of the proof of work.

use std::sync::Arc;

use altcha_lib_rs::Challenge;
use axum::Json;
use axum::extract::State;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::{Action, BotCheck, pow};
use crate::accounts::Accounts;
use crate::error::responses::error_responses;
use crate::error::{Code, Error};
use crate::http::extract::Params;

/// For pages of listed origins, too: a login may need a bot check.
pub fn cross_origin_router() -> OpenApiRouter<Arc<Accounts>> {
    OpenApiRouter::new().routes(routes!(challenge))
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
/// difficulty grows with the rate of accepted proofs. A shop with an external CAPTCHA service has a challenge for
/// `back_in_stock` only, and returns a 404 for the other actions.
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
    if let Some(difficulty) = state.bot_check.difficulty(query.action, now_ms) {
        let challenge = pow::challenge(&pow::secret(&state.keys), query.action, difficulty, now_ms)?;
        return Ok(Json(challenge.into()));
    }
    let message = match &state.bot_check {
        BotCheck::Pow(_) | BotCheck::Service(_) => "This shop uses an external CAPTCHA service. See /api/config.",
        BotCheck::Off => "The bot check is off. Omit recaptchaToken.",
    };
    Err(Error::new(Code::NotFound, message))
}
