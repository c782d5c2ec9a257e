//! What reCAPTCHA and Turnstile say about a token, and what that is worth here.

use jiff::Timestamp;
use serde::Deserialize;

use super::Action;
use super::error::Fault;
use crate::config::ServiceKind;
use crate::infra::clock::{MINUTE, SECOND};

/// How old a token may be; the services themselves would take a Turnstile token for five minutes.
const LIFETIME_MS: i64 = 2 * MINUTE;
/// How far the service's clock may be ahead of ours.
const AHEAD_MS: i64 = 30 * SECOND;
/// reCAPTCHA v3 calls 0 a robot and 1 a person.
const LEAST_SCORE: f64 = 0.5;

/// The answer, in the form that both services have in common.
#[derive(Debug, Deserialize)]
pub struct Answer {
    success: bool,
    hostname: Option<String>,
    action: Option<String>,
    /// Of reCAPTCHA v3 alone.
    score: Option<f64>,
    challenge_ts: Option<String>,
    #[serde(default, rename = "error-codes")]
    error_codes: Vec<String>,
}

/// What a token must have been made for.
pub struct Expected<'a> {
    pub kind: ServiceKind,
    pub action: Action,
    /// Of the shop's public address.
    pub host: &'a str,
}

/// What an answer comes to.
#[derive(Debug, PartialEq, Eq)]
pub enum Judgement {
    /// Good until then.
    Passed {
        expires_at: i64,
    },
    Refused(Fault),
    /// The service said nothing about the token, but about us or itself.
    Unanswered(Cause),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cause {
    /// `BOT_CHECK_SECRET` is not what the service knows.
    WrongSecret,
    ServiceFault,
}

impl Cause {
    pub fn sentence(self) -> &'static str {
        match self {
            Self::WrongSecret => "it does not know the secret: BOT_CHECK_SECRET is wrong",
            Self::ServiceFault => "it reports a fault of its own",
        }
    }
}

impl Answer {
    pub fn judge(&self, expected: &Expected<'_>, now_ms: i64) -> Judgement {
        if !self.success {
            return self.refusal();
        }
        let is_here = self.hostname.as_deref().is_some_and(|host| host.eq_ignore_ascii_case(expected.host));
        if !is_here {
            tracing::warn!(hostname = self.hostname, expected = expected.host, "a bot check was done for another host");
            return Judgement::Refused(Fault::Wrong);
        }
        if !self.is_for(expected) {
            return Judgement::Refused(Fault::OtherAction);
        }
        if self.score.is_some_and(|score| score < LEAST_SCORE) {
            return Judgement::Refused(Fault::LowScore);
        }
        let made = self.challenge_ts.as_deref().and_then(|text| text.parse::<Timestamp>().ok());
        let Some(made_ms) = made.map(Timestamp::as_millisecond) else {
            return Judgement::Refused(Fault::Wrong);
        };
        if (made_ms - AHEAD_MS..=made_ms + LIFETIME_MS).contains(&now_ms) {
            return Judgement::Passed { expires_at: made_ms + LIFETIME_MS + SECOND };
        }
        Judgement::Refused(Fault::Expired)
    }

    fn refusal(&self) -> Judgement {
        let says = |code: &str| self.error_codes.iter().any(|said| said == code);
        if says("invalid-input-secret") || says("missing-input-secret") {
            return Judgement::Unanswered(Cause::WrongSecret);
        }
        if says("internal-error") {
            return Judgement::Unanswered(Cause::ServiceFault);
        }
        Judgement::Refused(match () {
            () if says("missing-input-response") => Fault::Missing,
            () if says("timeout-or-duplicate") => Fault::Expired,
            () => Fault::Wrong,
        })
    }

    /// reCAPTCHA v2 knows no actions; v3, which gives a score, and Turnstile always name theirs.
    fn is_for(&self, expected: &Expected<'_>) -> bool {
        match &self.action {
            Some(action) => action == expected.action.word(),
            None => expected.kind == ServiceKind::Recaptcha && self.score.is_none(),
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    /// 2026-11-21T12:00:00Z.
    const MADE: i64 = 1_795_262_400_000;

    fn judged(kind: ServiceKind, answer: &Value, age_ms: i64) -> Judgement {
        let answer: Answer = serde_json::from_value(answer.clone()).unwrap();
        answer.judge(&Expected { kind, action: Action::Login, host: "shop.example" }, MADE + age_ms)
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
        let ages = [-AHEAD_MS - 1, -AHEAD_MS, 0, 2 * MINUTE, 2 * MINUTE + 1, 121 * SECOND];
        let good = ages.map(|age_ms| judged(ServiceKind::Recaptcha, &v3(), age_ms));
        let passed = || Judgement::Passed { expires_at: MADE + 121 * SECOND };
        let expired = || Judgement::Refused(Fault::Expired);
        assert_eq!(good, [expired(), passed(), passed(), passed(), expired(), expired()]);
    }

    #[test]
    fn what_an_answer_lacks_is_not_taken_for_granted() {
        for (member, fault) in
            [("hostname", Fault::Wrong), ("challenge_ts", Fault::Wrong), ("action", Fault::OtherAction)]
        {
            let mut answer = v3();
            answer.as_object_mut().unwrap().remove(member);
            assert_eq!(judged(ServiceKind::Recaptcha, &answer, 0), Judgement::Refused(fault), "{member}");
        }
    }

    #[test]
    fn only_a_service_without_actions_may_leave_its_action_out() {
        let v2 = json!({ "success": true, "challenge_ts": "2026-11-21T12:00:00Z", "hostname": "shop.example" });
        assert!(matches!(judged(ServiceKind::Recaptcha, &v2, 0), Judgement::Passed { .. }));
        assert_eq!(judged(ServiceKind::Turnstile, &v2, 0), Judgement::Refused(Fault::OtherAction));
    }

    #[test]
    fn a_token_cannot_make_the_service_look_broken() {
        for code in ["bad-request", "invalid-input-response", "timeout-or-duplicate", "unheard-of"] {
            let answer = json!({ "success": false, "error-codes": [code] });
            assert!(matches!(judged(ServiceKind::Turnstile, &answer, 0), Judgement::Refused(_)), "{code}");
        }
    }

    #[test]
    fn a_fault_that_is_not_the_visitors_is_told_apart() {
        let said = |code: &str| judged(ServiceKind::Recaptcha, &json!({ "success": false, "error-codes": [code] }), 0);
        assert_eq!(said("invalid-input-secret"), Judgement::Unanswered(Cause::WrongSecret));
        assert_eq!(said("missing-input-secret"), Judgement::Unanswered(Cause::WrongSecret));
        assert_eq!(said("internal-error"), Judgement::Unanswered(Cause::ServiceFault));
    }
}
