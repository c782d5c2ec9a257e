//! Verification of a proof, which is valid once.

use std::net::IpAddr;

use serde_json::Value;
use sqlx::AnyConnection;

use super::error::BotCheckError;
use super::service::ServiceResult;
use super::store::{self, Proof, Redemption};
use super::{Action, BotCheck, CheckResult, pow};
use crate::accounts::Accounts;
use crate::error::Error;

/// Verifies a proof of work in memory, before anything is counted or written. [`verify`] redeems it.
///
/// # Errors
/// 400 `BotCheckFailed` with a message for the user.
pub fn verify_in_memory(state: &Accounts, action: Action, token: &Value) -> Result<(), Error> {
    let now_ms = state.clock.now_ms();
    if state.bot_check.difficulty(action, now_ms).is_some() {
        pow::verify(&pow::secrets(&state.keys), action, token, now_ms)?;
    }
    Ok(())
}

/// Verifies a proof and redeems it: a proof is valid once, for its own action.
///
/// # Errors
/// 400 `BotCheckFailed` with a message for the user.
pub async fn verify(state: &Accounts, action: Action, token: &Value, client: IpAddr) -> Result<CheckResult, Error> {
    let now_ms = state.clock.now_ms();
    let proof = match &state.bot_check {
        BotCheck::Off => return Ok(CheckResult::Passed),
        BotCheck::Service(service) if action != Action::BackInStock => {
            match service.verify(action, token, client, now_ms).await {
                ServiceResult::Passed(proof) => proof,
                ServiceResult::Rejected(error) => return Err(error.into()),
                ServiceResult::Unavailable => return Ok(CheckResult::Unavailable),
            }
        }
        BotCheck::Pow(_) | BotCheck::Service(_) => pow::verify(&pow::secrets(&state.keys), action, token, now_ms)?,
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
