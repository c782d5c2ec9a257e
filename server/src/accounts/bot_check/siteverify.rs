//! The siteverify protocol of reCAPTCHA and Turnstile: parsing and validating the response for a token.

use jiff::Timestamp;
use serde::Deserialize;

use super::Action;
use super::error::BotCheckError;
use crate::config::ServiceKind;
use crate::infra::clock::{MAX_CLOCK_SKEW, MINUTE, SECOND};

/// The maximum age of a token. Turnstile itself would allow five minutes.
const LIFETIME_MS: i64 = 2 * MINUTE;
/// The minimum score of reCAPTCHA v3, where 0 is a bot and 1 a human.
const MIN_SCORE: f64 = 0.5;

/// The response, in the format that both services share.
#[derive(Debug, Deserialize)]
pub struct SiteverifyResponse {
    success: bool,
    hostname: Option<String>,
    action: Option<String>,
    /// Only from reCAPTCHA v3.
    score: Option<f64>,
    challenge_ts: Option<String>,
    #[serde(default, rename = "error-codes")]
    error_codes: Vec<String>,
}

/// The expected properties of a token.
pub struct Expected<'a> {
    pub kind: ServiceKind,
    pub action: Action,
    /// The host name of the shop.
    pub host: &'a str,
}

/// The result of validating a token.
#[derive(Debug, PartialEq, Eq)]
pub enum TokenStatus {
    Valid {
        expires_at: i64,
    },
    Rejected(BotCheckError),
    /// The response is about the shop's configuration or the service, not about the token.
    Unavailable(ServiceError),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ServiceError {
    /// The service does not accept `BOT_CHECK_SECRET`.
    WrongSecret,
    InternalError,
}

impl ServiceError {
    pub fn message(self) -> &'static str {
        match self {
            Self::WrongSecret => "it rejects the secret: BOT_CHECK_SECRET is wrong",
            Self::InternalError => "it reports an internal error",
        }
    }
}

impl SiteverifyResponse {
    pub fn validate(&self, expected: &Expected<'_>, now_ms: i64) -> TokenStatus {
        if !self.success {
            return self.failure();
        }
        let is_same_host = self.hostname.as_deref().is_some_and(|host| host.eq_ignore_ascii_case(expected.host));
        if !is_same_host {
            tracing::warn!(
                hostname = self.hostname,
                expected = expected.host,
                "bot check rejected: token of another host"
            );
            return TokenStatus::Rejected(BotCheckError::Invalid);
        }
        if !self.has_action(expected) {
            return TokenStatus::Rejected(BotCheckError::WrongAction);
        }
        if self.score.is_some_and(|score| score < MIN_SCORE) {
            return TokenStatus::Rejected(BotCheckError::LowScore);
        }
        let created = self.challenge_ts.as_deref().and_then(|text| text.parse::<Timestamp>().ok());
        let Some(created_ms) = created.map(Timestamp::as_millisecond) else {
            return TokenStatus::Rejected(BotCheckError::Invalid);
        };
        if (created_ms - MAX_CLOCK_SKEW..=created_ms + LIFETIME_MS).contains(&now_ms) {
            return TokenStatus::Valid { expires_at: created_ms + LIFETIME_MS + SECOND };
        }
        TokenStatus::Rejected(BotCheckError::Expired)
    }

    fn failure(&self) -> TokenStatus {
        let has = |code: &str| self.error_codes.iter().any(|listed| listed == code);
        if has("invalid-input-secret") || has("missing-input-secret") {
            return TokenStatus::Unavailable(ServiceError::WrongSecret);
        }
        if has("internal-error") {
            return TokenStatus::Unavailable(ServiceError::InternalError);
        }
        TokenStatus::Rejected(match () {
            () if has("missing-input-response") => BotCheckError::Missing,
            () if has("timeout-or-duplicate") => BotCheckError::Expired,
            () => BotCheckError::Invalid,
        })
    }

    /// reCAPTCHA v2 has no actions. Turnstile and reCAPTCHA v3, which has a score, always include one.
    fn has_action(&self, expected: &Expected<'_>) -> bool {
        match &self.action {
            Some(action) => action == expected.action.as_str(),
            None => expected.kind == ServiceKind::Recaptcha && self.score.is_none(),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    /// 2026-11-21T12:00:00Z.
    const SOLVED_AT: i64 = 1_795_262_400_000;

    fn validated(kind: ServiceKind, response: &Value, age_ms: i64) -> TokenStatus {
        let response: SiteverifyResponse = serde_json::from_value(response.clone()).unwrap();
        response.validate(&Expected { kind, action: Action::Login, host: "shop.example" }, SOLVED_AT + age_ms)
    }

    fn v3() -> Value {
        json!({
            "success": true,
            "challenge_ts": "2026-11-21T12:00:00Z",
            "hostname": "shop.example",
            "score": 0.5,
            "action": "login",
        })
    }

    #[test]
    fn a_token_is_good_for_two_minutes_and_a_clock_that_is_a_little_ahead() {
        let ages = [-MAX_CLOCK_SKEW - 1, -MAX_CLOCK_SKEW, 0, 2 * MINUTE, 2 * MINUTE + 1, 121 * SECOND];
        let good = ages.map(|age_ms| validated(ServiceKind::Recaptcha, &v3(), age_ms));
        let passed = || TokenStatus::Valid { expires_at: SOLVED_AT + 121 * SECOND };
        let expired = || TokenStatus::Rejected(BotCheckError::Expired);
        assert_eq!(good, [expired(), passed(), passed(), passed(), expired(), expired()]);
    }

    #[test]
    fn what_an_answer_lacks_is_not_taken_for_granted() {
        for (member, error) in [
            ("hostname", BotCheckError::Invalid),
            ("challenge_ts", BotCheckError::Invalid),
            ("action", BotCheckError::WrongAction),
        ] {
            let mut response = v3();
            response.as_object_mut().unwrap().remove(member);
            assert_eq!(validated(ServiceKind::Recaptcha, &response, 0), TokenStatus::Rejected(error), "{member}");
        }
    }

    #[test]
    fn only_a_service_without_actions_may_leave_its_action_out() {
        let v2 = json!({ "success": true, "challenge_ts": "2026-11-21T12:00:00Z", "hostname": "shop.example" });
        assert!(matches!(validated(ServiceKind::Recaptcha, &v2, 0), TokenStatus::Valid { .. }));
        assert_eq!(validated(ServiceKind::Turnstile, &v2, 0), TokenStatus::Rejected(BotCheckError::WrongAction));
    }

    #[test]
    fn a_token_cannot_make_the_service_look_broken() {
        for code in ["bad-request", "invalid-input-response", "timeout-or-duplicate", "unheard-of"] {
            let response = json!({ "success": false, "error-codes": [code] });
            assert!(matches!(validated(ServiceKind::Turnstile, &response, 0), TokenStatus::Rejected(_)), "{code}");
        }
    }

    #[test]
    fn a_fault_that_is_not_the_visitors_is_told_apart() {
        let reported =
            |code: &str| validated(ServiceKind::Recaptcha, &json!({ "success": false, "error-codes": [code] }), 0);
        assert_eq!(reported("invalid-input-secret"), TokenStatus::Unavailable(ServiceError::WrongSecret));
        assert_eq!(reported("missing-input-secret"), TokenStatus::Unavailable(ServiceError::WrongSecret));
        assert_eq!(reported("internal-error"), TokenStatus::Unavailable(ServiceError::InternalError));
    }
}
