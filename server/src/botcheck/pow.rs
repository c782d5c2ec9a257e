//! Proof of work by ALTCHA's first protocol: the browser looks for the number whose hash with the salt is
//! the challenge. Nothing is stored until a solution comes back.

use altcha_lib_rs::algorithm::AltchaAlgorithm;
use altcha_lib_rs::{Challenge, ChallengeOptions, Payload, create_challenge, verify_solution};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::Deserialize;
use serde_json::Value;

use super::error::Fault;
use super::store::Proof;
use super::{Action, hex};
use crate::auth::Keys;
use crate::http::error::Error;
use crate::infra::clock::{MINUTE, SECOND};
use crate::infra::random;

/// About a second on a slow telephone, a fraction of one elsewhere; up to four times as much in a rush.
const MAX_NUMBER: u64 = 50_000;
const LIFETIME_MS: i64 = 2 * MINUTE;
/// What the secret is derived for.
const PURPOSE: &str = "bot-check";

/// Only what is checked: what else a widget sends along (how long it took) is its own affair.
#[derive(Deserialize)]
struct Solution {
    algorithm: String,
    challenge: String,
    number: u64,
    salt: String,
    signature: String,
}

/// What challenges are signed with now.
pub fn secret(keys: &Keys) -> String {
    hex(&keys.derive(PURPOSE))
}

/// What they may have been signed with in the last two minutes.
pub fn secrets(keys: &Keys) -> Vec<String> {
    keys.derive_all(PURPOSE).iter().map(|secret| hex(secret)).collect()
}

/// A challenge bound to the action and to the next two minutes, so many times as much work as usual.
pub fn challenge(secret: &str, action: Action, factor: u64, now_ms: i64) -> Result<Challenge, Error> {
    // The library writes parameters back in any order, and the order is part of what is hashed: so there
    // is one parameter, and the action is part of the salt proper.
    let expires = (now_ms + LIFETIME_MS) / SECOND;
    let salt = format!("{}.{}?expires={expires}&", hex(&random::random_bytes::<12>()), action.word());
    let max_number = MAX_NUMBER * factor;
    create_challenge(ChallengeOptions {
        algorithm: Some(AltchaAlgorithm::Sha256),
        max_number: Some(max_number),
        salt_length: None,
        hmac_key: secret,
        salt: Some(salt),
        number: Some(random::below(max_number + 1)),
        expires: None,
        params: None,
    })
    .map_err(Error::internal)
}

pub fn verify(secrets: &[String], action: Action, token: &Value, now_ms: i64) -> Result<Proof, Fault> {
    let solution = decode(token)?;
    let payload = Payload {
        algorithm: AltchaAlgorithm::Sha256,
        challenge: solution.challenge,
        number: solution.number,
        salt: solution.salt,
        signature: solution.signature,
        took: None,
    };
    // The library would look at its own clock; the expiry is judged below by the shop's.
    if !secrets.iter().any(|secret| verify_solution(&payload, secret, false).is_ok()) {
        return Err(Fault::Wrong);
    }
    let (issued_for, expires_at) = read_salt(&payload.salt).ok_or(Fault::Wrong)?;
    if issued_for != action.word() {
        return Err(Fault::OtherAction);
    }
    if now_ms >= expires_at {
        return Err(Fault::Expired);
    }
    Ok(Proof { id: payload.challenge, expires_at })
}

fn decode(token: &Value) -> Result<Solution, Fault> {
    let text = match token {
        Value::Null => return Err(Fault::Missing),
        Value::String(text) => text.trim(),
        _ => return Err(Fault::Unreadable),
    };
    if text.is_empty() {
        return Err(Fault::Missing);
    }
    let json = STANDARD.decode(text).map_err(|_| Fault::Unreadable)?;
    let solution: Solution = serde_json::from_slice(&json).map_err(|_| Fault::Unreadable)?;
    // The answer may not choose the algorithm it is judged by.
    if solution.algorithm != "SHA-256" {
        return Err(Fault::Unreadable);
    }
    Ok(solution)
}

/// `{random}.{action}?expires={seconds}&` → the action and the expiry in milliseconds.
fn read_salt(salt: &str) -> Option<(&str, i64)> {
    let (before, parameters) = salt.split_once('?')?;
    let (_, action) = before.split_once('.')?;
    let seconds = parameters.strip_prefix("expires=")?.strip_suffix('&')?;
    Some((action, seconds.parse::<i64>().ok()?.checked_mul(SECOND)?))
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use altcha_lib_rs::solve_challenge;
    use serde_json::json;

    use super::*;

    const SECRET: &str = "a secret for the test";
    const NOW: i64 = 1_700_000_000_000;

    /// As after a rotation: what was signed before it still counts.
    fn after_rotation() -> [String; 2] {
        ["a newer secret".to_owned(), SECRET.to_owned()]
    }

    fn solved(action: Action) -> Value {
        let challenge = challenge(SECRET, action, 1, NOW).unwrap();
        let number =
            solve_challenge(&challenge.challenge, &challenge.salt, None, Some(challenge.maxnumber), 0).unwrap();
        json!({
            "algorithm": "SHA-256",
            "challenge": challenge.challenge,
            "number": number,
            "salt": challenge.salt,
            "signature": challenge.signature,
            "took": 12.5,
        })
    }

    fn token(solution: &Value) -> Value {
        Value::String(STANDARD.encode(solution.to_string()))
    }

    fn judged(solution: &Value) -> Option<Fault> {
        verify(&after_rotation(), Action::Login, &token(solution), NOW).err()
    }

    #[test]
    fn a_solution_holds_for_its_action_for_two_minutes() {
        // Many times, because the library's parameters come back in any order.
        for _ in 0..20 {
            let token = token(&solved(Action::Login));
            let last = NOW + LIFETIME_MS - 1;
            assert!(verify(&after_rotation(), Action::Login, &token, last).is_ok());
            let late = verify(&after_rotation(), Action::Login, &token, NOW + LIFETIME_MS).err();
            assert_eq!(late, Some(Fault::Expired));
            let elsewhere = verify(&after_rotation(), Action::Signup, &token, NOW).err();
            assert_eq!(elsewhere, Some(Fault::OtherAction));
        }
    }

    #[test]
    fn whatever_is_changed_in_a_solution_makes_it_wrong() {
        let good = solved(Action::Login);
        let salt = good["salt"].as_str().unwrap();
        let later = salt.replace("expires=1", "expires=9");
        let shifted = format!("{salt}1");
        let changes = [
            ("number", json!(good["number"].as_u64().unwrap() + 1)),
            ("salt", json!(later)),
            ("salt", json!(shifted)),
            ("signature", json!("0".repeat(64))),
            ("challenge", json!("0".repeat(64))),
        ];
        for (member, value) in changes {
            let mut changed = good.clone();
            changed[member] = value;
            assert_eq!(judged(&changed), Some(Fault::Wrong), "{member}");
        }
        assert_eq!(judged(&good), None);
        assert!(verify(&["another secret".to_owned()], Action::Login, &token(&good), NOW).is_err());
    }

    #[test]
    fn what_is_no_solution_is_refused() {
        let mut other_algorithm = solved(Action::Login);
        other_algorithm["algorithm"] = json!("SHA-512");
        assert_eq!(judged(&other_algorithm), Some(Fault::Unreadable));
        assert_eq!(judged(&json!({"number": -1})), Some(Fault::Unreadable));
        let raw = |value: Value| verify(&after_rotation(), Action::Login, &value, NOW).err();
        assert_eq!(raw(Value::Null), Some(Fault::Missing));
        assert_eq!(raw(json!(" ")), Some(Fault::Missing));
        assert_eq!(raw(json!(7)), Some(Fault::Unreadable));
        assert_eq!(raw(json!("not base64")), Some(Fault::Unreadable));
    }
}
