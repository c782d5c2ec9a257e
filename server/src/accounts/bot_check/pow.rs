//! Proof of work, compatible with version 1 of ALTCHA: the browser searches for the number whose hash with the salt
//! equals the challenge. Challenges are signed, so the server stores only used ones.

use altcha_lib_rs::algorithm::AltchaAlgorithm;
use altcha_lib_rs::{Challenge, ChallengeOptions, Payload, create_challenge, verify_solution};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::Deserialize;
use serde_json::Value;

use super::Action;
use super::error::BotCheckError;
use super::store::Proof;
use crate::accounts::Keys;
use crate::error::Error;
use crate::infra::clock::{MINUTE, SECOND};
use crate::infra::random;

/// The base difficulty: about a second on a slow phone.
const MAX_NUMBER: u64 = 50_000;
const LIFETIME_MS: i64 = 2 * MINUTE;

const PURPOSE: &str = "bot-check";

/// The members of a solution that are verified. Widgets send more, such as the time they took.
#[derive(Deserialize)]
struct Solution {
    algorithm: String,
    challenge: String,
    number: u64,
    salt: String,
    signature: String,
}

/// The key that signs challenges.
pub fn secret(keys: &Keys) -> String {
    hex::encode(keys.derive(PURPOSE))
}

/// All keys that may have signed a challenge that is still valid.
pub fn secrets(keys: &Keys) -> Vec<String> {
    keys.derive_all(PURPOSE).iter().map(hex::encode).collect()
}

/// A challenge for the action that expires in two minutes, with `factor` times the base difficulty.
pub fn challenge(secret: &str, action: Action, factor: u64, now_ms: i64) -> Result<Challenge, Error> {
    // The library returns parameters in any order, and the order changes the hash. So there is a single parameter, and the
    // action is part of the salt itself.
    let expires = (now_ms + LIFETIME_MS) / SECOND;
    let salt = format!("{}.{}?expires={expires}&", hex::encode(random::random_bytes::<12>()), action.as_str());
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

pub fn verify(secrets: &[String], action: Action, token: &Value, now_ms: i64) -> Result<Proof, BotCheckError> {
    let solution = decode(token)?;
    let payload = Payload {
        algorithm: AltchaAlgorithm::Sha256,
        challenge: solution.challenge,
        number: solution.number,
        salt: solution.salt,
        signature: solution.signature,
        took: None,
    };
    // `false`: the expiry is checked below with the shop's clock instead of the library's.
    if !secrets.iter().any(|secret| verify_solution(&payload, secret, false).is_ok()) {
        return Err(BotCheckError::Invalid);
    }
    let (issued_for, expires_at) = read_salt(&payload.salt).ok_or(BotCheckError::Invalid)?;
    if issued_for != action.as_str() {
        return Err(BotCheckError::WrongAction);
    }
    if now_ms >= expires_at {
        return Err(BotCheckError::Expired);
    }
    Ok(Proof { id: payload.challenge, expires_at })
}

fn decode(token: &Value) -> Result<Solution, BotCheckError> {
    let text = match token {
        Value::Null => return Err(BotCheckError::Missing),
        Value::String(text) => text.trim(),
        _ => return Err(BotCheckError::Malformed),
    };
    if text.is_empty() {
        return Err(BotCheckError::Missing);
    }
    let json = STANDARD.decode(text).map_err(|_| BotCheckError::Malformed)?;
    let solution: Solution = serde_json::from_slice(&json).map_err(|_| BotCheckError::Malformed)?;
    // Algorithm confusion: the solution must not choose its algorithm.
    if solution.algorithm != "SHA-256" {
        return Err(BotCheckError::Malformed);
    }
    Ok(solution)
}

/// Parses `{random}.{action}?expires={seconds}&` into the action and the expiry in milliseconds.
fn read_salt(salt: &str) -> Option<(&str, i64)> {
    let (before, parameters) = salt.split_once('?')?;
    let (_, action) = before.split_once('.')?;
    let seconds = parameters.strip_prefix("expires=")?.strip_suffix('&')?;
    Some((action, seconds.parse::<i64>().ok()?.checked_mul(SECOND)?))
}

#[cfg(test)]
mod tests {
    use altcha_lib_rs::solve_challenge;
    use serde_json::json;

    use super::*;

    const SECRET: &str = "a secret for the test";
    const NOW: i64 = 1_700_000_000_000;

    /// The keys after a rotation: challenges from before it are still valid.
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

    fn validated(solution: &Value) -> Option<BotCheckError> {
        verify(&after_rotation(), Action::Login, &token(solution), NOW).err()
    }

    #[test]
    fn a_solution_holds_for_its_action_for_two_minutes() {
        // Repeated, because the library returns parameters in any order.
        for _ in 0..20 {
            let token = token(&solved(Action::Login));
            let last = NOW + LIFETIME_MS - 1;
            assert!(verify(&after_rotation(), Action::Login, &token, last).is_ok());
            let late = verify(&after_rotation(), Action::Login, &token, NOW + LIFETIME_MS).err();
            assert_eq!(late, Some(BotCheckError::Expired));
            let elsewhere = verify(&after_rotation(), Action::Signup, &token, NOW).err();
            assert_eq!(elsewhere, Some(BotCheckError::WrongAction));
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
            assert_eq!(validated(&changed), Some(BotCheckError::Invalid), "{member}");
        }
        assert_eq!(validated(&good), None);
        assert!(verify(&["another secret".to_owned()], Action::Login, &token(&good), NOW).is_err());
    }

    #[test]
    fn what_is_no_solution_is_refused() {
        let mut other_algorithm = solved(Action::Login);
        other_algorithm["algorithm"] = json!("SHA-512");
        assert_eq!(validated(&other_algorithm), Some(BotCheckError::Malformed));
        assert_eq!(validated(&json!({"number": -1})), Some(BotCheckError::Malformed));
        let raw = |value: Value| verify(&after_rotation(), Action::Login, &value, NOW).err();
        assert_eq!(raw(Value::Null), Some(BotCheckError::Missing));
        assert_eq!(raw(json!(" ")), Some(BotCheckError::Missing));
        assert_eq!(raw(json!(7)), Some(BotCheckError::Malformed));
        assert_eq!(raw(json!("not base64")), Some(BotCheckError::Malformed));
    }
}
