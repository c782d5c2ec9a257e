//! Access tokens: JWTs signed with EdDSA, valid for 15 minutes.
//!
//! `jsonwebtoken` verifies the signature only, because it would read the system clock and accepts claims of the wrong
//! type. Here every claim is required and typed, and times are compared with the shop's clock.

use jsonwebtoken::{Algorithm, Header, Validation, decode, decode_header, encode};
use serde::{Deserialize, Serialize};

use super::keys::{Keys, TOKEN_LIFETIME_MS};
use crate::error::Error;
use crate::infra::clock::{MAX_CLOCK_SKEW, SECOND};
use crate::infra::random;

/// The maximum clock skew between processes. It does not extend the life of a token.
const LEEWAY_SECONDS: i64 = MAX_CLOCK_SKEW / SECOND;
const AUDIENCE: &str = "nudgelight";
const TOKEN_USE: &str = "access";
pub const ADMIN_GROUP: &str = "Admin";

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Claims {
    iss: String,
    aud: String,
    pub sub: String,
    pub sid: String,
    exp: i64,
    nbf: i64,
    iat: i64,
    jti: String,
    token_use: String,
    email: String,
    groups: Vec<String>,
}

impl Claims {
    /// Whether the token claims the administrator role, which may have been revoked since.
    pub fn claims_admin(&self) -> bool {
        self.groups.iter().any(|group| group == ADMIN_GROUP)
    }
}

/// The user and session of a token.
#[derive(Clone, Copy, Debug)]
pub struct Subject<'a> {
    pub user_id: &'a str,
    pub session_id: &'a str,
    pub email: &'a str,
    pub groups: &'a [String],
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TokenError {
    Invalid,
    Expired,
}

pub fn issue(keys: &Keys, issuer: &str, subject: Subject<'_>, now_ms: i64) -> Result<String, Error> {
    let now = now_ms / SECOND;
    let claims = Claims {
        iss: issuer.to_owned(),
        aud: AUDIENCE.to_owned(),
        sub: subject.user_id.to_owned(),
        sid: subject.session_id.to_owned(),
        exp: now + TOKEN_LIFETIME_MS / SECOND,
        nbf: now,
        iat: now,
        jti: random::new_id(),
        token_use: TOKEN_USE.to_owned(),
        email: subject.email.to_owned(),
        groups: subject.groups.to_vec(),
    };
    let (kid, signing) = keys.signer()?;
    let mut header = Header::new(Algorithm::EdDSA);
    header.kid = Some(kid);
    encode(&header, &claims, &signing).map_err(Error::internal)
}

/// Verifies a token and returns its claims.
pub fn verify(keys: &Keys, issuer: &str, token: &str, now_ms: i64) -> Result<Claims, TokenError> {
    let header = decode_header(token).map_err(|_| TokenError::Invalid)?;
    // Algorithm confusion: the token must not choose how it is verified.
    if header.alg != Algorithm::EdDSA || header.crit.is_some() {
        return Err(TokenError::Invalid);
    }
    let kid = header.kid.ok_or(TokenError::Invalid)?;
    let key = keys.decoding_key(&kid).ok_or(TokenError::Invalid)?;
    let claims = decode::<Claims>(token, &key, &signature_only()).map_err(|_| TokenError::Invalid)?.claims;
    let now = now_ms / SECOND;
    let is_ours = claims.iss == issuer && claims.aud == AUDIENCE && claims.token_use == TOKEN_USE;
    let has_begun = claims.nbf <= now + LEEWAY_SECONDS && claims.iat <= now + LEEWAY_SECONDS;
    if !is_ours || !has_begun {
        return Err(TokenError::Invalid);
    }
    if now >= claims.exp {
        return Err(TokenError::Expired);
    }
    Ok(claims)
}

fn signature_only() -> Validation {
    let mut validation = Validation::new(Algorithm::EdDSA);
    validation.required_spec_claims.clear();
    validation.validate_exp = false;
    validation.validate_nbf = false;
    validation.validate_aud = false;
    validation
}

#[cfg(test)]
mod tests {
    use base64::Engine as _;
    use base64::engine::general_purpose::URL_SAFE_NO_PAD;
    use hmac::{Hmac, KeyInit as _, Mac as _};
    use serde_json::{Value, json};
    use sha2::Sha256;

    use super::*;

    const NOW: i64 = 1_700_000_000;
    const ISSUER: &str = "nudgelight";

    fn keys() -> Keys {
        Keys::for_test([7; 32])
    }

    fn good() -> Value {
        json!({
            "iss": ISSUER, "aud": "nudgelight", "sub": "user", "sid": "session", "exp": NOW + 900,
            "nbf": NOW, "iat": NOW, "jti": "one", "token_use": "access", "email": "ada@example.com",
            "groups": ["Admin"],
        })
    }

    fn header(keys: &Keys) -> Header {
        let mut header = Header::new(Algorithm::EdDSA);
        header.kid = Some(kid(keys));
        header
    }

    fn kid(keys: &Keys) -> String {
        keys.signer().unwrap().0
    }

    fn signed(header: &Header, claims: &Value, keys: &Keys) -> String {
        encode(header, claims, &keys.signer().unwrap().1).unwrap()
    }

    fn validated(claims: &Value) -> Result<Claims, TokenError> {
        let keys = keys();
        let token = signed(&header(&keys), claims, &keys);
        verify(&keys, ISSUER, &token, NOW * SECOND)
    }

    fn changed(claim: &str, value: Value) -> Result<Claims, TokenError> {
        let mut claims = good();
        claims[claim] = value;
        validated(&claims)
    }

    #[test]
    fn a_token_says_whom_it_is_for_until_it_expires() {
        let keys = keys();
        let groups = [ADMIN_GROUP.to_owned()];
        let subject = Subject { user_id: "user", session_id: "session", email: "ada@example.com", groups: &groups };
        let token = issue(&keys, ISSUER, subject, NOW * SECOND).unwrap();
        let claims = verify(&keys, ISSUER, &token, NOW * SECOND + TOKEN_LIFETIME_MS - 1).unwrap();
        assert_eq!((claims.sub.as_str(), claims.sid.as_str()), ("user", "session"));
        assert_eq!(claims.groups, groups);
        let late = verify(&keys, ISSUER, &token, NOW * SECOND + TOKEN_LIFETIME_MS);
        assert_eq!(late, Err(TokenError::Expired));
    }

    // invariant: token-validation
    #[test]
    fn every_claim_is_required_and_typed() {
        assert!(validated(&good()).is_ok());
        for claim in good().as_object().unwrap().keys() {
            let mut without = good();
            without.as_object_mut().unwrap().remove(claim);
            assert_eq!(validated(&without), Err(TokenError::Invalid), "without {claim}");
            assert_eq!(changed(claim, Value::Null), Err(TokenError::Invalid), "null {claim}");
            assert_eq!(changed(claim, json!({})), Err(TokenError::Invalid), "object {claim}");
        }
        for claim in ["exp", "nbf", "iat"] {
            for value in [json!("never"), json!((NOW + 900).to_string()), json!(1.5e12), json!([NOW])] {
                assert_eq!(changed(claim, value.clone()), Err(TokenError::Invalid), "{claim} {value}");
            }
        }
    }

    #[test]
    fn a_token_of_another_kind_or_from_elsewhere_is_refused() {
        let foreign = [
            ("iss", json!("https://elsewhere.example")),
            ("aud", json!("somebody")),
            ("aud", json!(["nudgelight", "somebody"])),
            ("token_use", json!("refresh")),
            ("token_use", json!("id")),
        ];
        for (claim, value) in foreign {
            assert_eq!(changed(claim, value.clone()), Err(TokenError::Invalid), "{claim} {value}");
        }
    }

    // invariant: token-validation
    #[test]
    fn the_clock_decides_with_half_a_minute_for_clocks_that_run_ahead() {
        assert!(changed("nbf", json!(NOW + 30)).is_ok());
        assert_eq!(changed("nbf", json!(NOW + 31)), Err(TokenError::Invalid));
        assert_eq!(changed("iat", json!(NOW + 31)), Err(TokenError::Invalid));
        assert_eq!(changed("exp", json!(NOW)), Err(TokenError::Expired));
        assert_eq!(changed("exp", json!(-1)), Err(TokenError::Expired));
    }

    // invariant: token-validation
    #[test]
    fn a_token_without_our_signature_is_refused_whatever_its_header_says() {
        let keys = keys();
        let part = |json: &Value| URL_SAFE_NO_PAD.encode(json.to_string());
        let rejected = |token: &str| verify(&keys, ISSUER, token, NOW * SECOND) == Err(TokenError::Invalid);
        let body = part(&good());

        for alg in ["none", "None", "NONE", "EdDSA", "HS256", "ES256", "RS256"] {
            let head = part(&json!({"alg": alg, "typ": "JWT", "kid": kid(&keys)}));
            assert!(rejected(&format!("{head}.{body}.")), "{alg}");
        }
        // The public key used as a shared secret.
        let public = serde_json::json!(keys.jwks())["keys"][0]["x"].as_str().unwrap().to_owned();
        for secret in [public.as_bytes().to_vec(), URL_SAFE_NO_PAD.decode(&public).unwrap()] {
            let message = format!("{}.{body}", part(&json!({"alg": "HS256", "typ": "JWT", "kid": kid(&keys)})));
            let mut mac = Hmac::<Sha256>::new_from_slice(&secret).unwrap();
            mac.update(message.as_bytes());
            let signature = URL_SAFE_NO_PAD.encode(mac.finalize().into_bytes());
            assert!(rejected(&format!("{message}.{signature}")));
        }
        // An unknown key: under its own `kid`, under ours, and embedded in the header.
        let stranger = Keys::for_test([8; 32]);
        assert!(rejected(&signed(&header(&stranger), &good(), &stranger)));
        assert!(rejected(&signed(&header(&keys), &good(), &stranger)));
        let mut brought = header(&stranger);
        brought.jwk = serde_json::from_value(serde_json::json!(stranger.jwks())["keys"][0].clone()).unwrap();
        brought.jku = Some("https://elsewhere.example/jwks.json".to_owned());
        assert!(rejected(&signed(&brought, &good(), &stranger)));
    }

    #[test]
    fn a_header_without_a_key_or_with_critical_extensions_is_refused() {
        let keys = keys();
        let mut nameless = header(&keys);
        nameless.kid = None;
        let mut critical = header(&keys);
        critical.crit = Some(vec!["b64".to_owned()]);
        for header in [nameless, critical] {
            let token = signed(&header, &good(), &keys);
            assert_eq!(verify(&keys, ISSUER, &token, NOW * SECOND), Err(TokenError::Invalid));
        }
    }

    #[test]
    fn a_token_that_was_touched_or_is_none_is_refused() {
        let keys = keys();
        let token = signed(&header(&keys), &good(), &keys);
        let mut parts: Vec<String> = token.split('.').map(str::to_owned).collect();
        let mut other = good();
        other["sub"] = json!("somebody else");
        parts[1] = URL_SAFE_NO_PAD.encode(other.to_string());
        let swapped = parts.join(".");
        let signed_short = &token[..token.len() - 4];
        for text in [&swapped, signed_short, "", ".", "..", "a.b.c", "a.b", "é.é.é", &"x".repeat(9_000)] {
            assert_eq!(verify(&keys, ISSUER, text, NOW * SECOND), Err(TokenError::Invalid), "{text:.20}");
        }
    }
}
