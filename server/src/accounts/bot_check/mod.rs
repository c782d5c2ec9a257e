//! Bot check (CAPTCHA): protects sign-up, login and back-in-stock requests from bots with a built-in proof of work, or the
//! first two with an external service. The request member `recaptchaToken` carries the proof of either kind.

mod action;
mod challenge;
mod difficulty;
mod error;
mod pow;
mod service;
mod siteverify;
mod store;
mod verify;

use sqlx::AnyConnection;

pub use self::action::Action;
pub use self::challenge::cross_origin_router;
use self::difficulty::Difficulty;
use self::service::Service;
pub use self::verify::{verify, verify_in_memory};
use crate::config::{BotCheckMode, Config};
use crate::db::Db;
use crate::error::{Code, Error};

/// `Retry-After` of sign-ups while the CAPTCHA service is down.
const RETRY_SECONDS: u64 = 60;

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

    /// The difficulty of the proof of work for this action, as a multiple of the base; `None` if the action has no proof of
    /// work. Only the pages of the sign-up and login forms load a third-party service.
    fn difficulty(&self, action: Action, now_ms: i64) -> Option<u64> {
        match self {
            Self::Pow(difficulty) => Some(difficulty.factor(now_ms)),
            Self::Service(_) => (action == Action::BackInStock).then_some(1),
            Self::Off => None,
        }
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
