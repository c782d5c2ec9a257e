//! Browsers that have logged in before.
//!
//! A log-in gives a token that a browser keeps and sends along with the next one. It opens nothing by itself: it shows
//! that the tries of strangers are none of this browser's, so that their limits do not stand in its way. It holds for
//! one account and its password of that time; a new password, or a rotation of the signing key, makes it unknown.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use subtle::ConstantTimeEq as _;

use super::keys::{Keys, keyed_hash};
use super::store::{self, User};
use crate::http::error::Error;
use crate::infra::random;
use crate::limits::address::ClientAddress;
use crate::limits::{self, Rule};
use crate::shop::Shop;

const PURPOSE: &str = "device";
/// More than a token has.
const MAX_LENGTH: usize = 100;

/// Whose tries are counted.
pub enum Who<'a> {
    Client(&'a ClientAddress),
    /// A browser that has logged in to this account before, by its name.
    Device(String),
}

impl<'a> Who<'a> {
    /// The browser whose token this is, or else whoever has the address.
    ///
    /// # Errors
    /// 400 when it has no length that a token may have.
    pub async fn of(
        shop: &Shop,
        client: &'a ClientAddress,
        email_key: &str,
        token: Option<&str>,
    ) -> Result<Self, Error> {
        let Some(token) = token else {
            return Ok(Self::Client(client));
        };
        if token.is_empty() || token.len() > MAX_LENGTH {
            return Err(Error::invalid_field("deviceToken", "Send what the last log-in gave, or leave it out."));
        }
        let user = store::find_user_by_email(shop.db.read(), email_key).await?;
        Ok(recognize(&shop.keys, user.as_ref(), token).map_or(Self::Client(client), Self::Device))
    }

    /// Uses of a rule about a client whatever the account; a known browser has a limit of its own.
    pub fn uses(&self, rule: Rule, email_key: &str) -> Vec<(Rule, String)> {
        match self {
            Self::Client(client) => client.uses(rule),
            Self::Device(_) => vec![(limits::KNOWN_BROWSERS, email_key.to_owned())],
        }
    }

    /// Uses of a rule about this account, or whatever else is named.
    pub fn uses_on(&self, rule: Rule, subject: &str) -> Vec<(Rule, String)> {
        match self {
            Self::Client(client) => client.uses_on(rule, subject),
            Self::Device(name) => vec![(rule, format!("device {name} {subject}"))],
        }
    }
}

/// A token for the browser that has just logged in.
pub fn issue(keys: &Keys, user: &User) -> String {
    let name = URL_SAFE_NO_PAD.encode(random::random_bytes::<16>());
    let signature = sign(&keys.derive(PURPOSE), Some(user), &name);
    format!("{name}.{signature}")
}

fn recognize(keys: &Keys, user: Option<&User>, token: &str) -> Option<String> {
    let (name, signature) = token.split_once('.')?;
    // Compared also where there is no account, and then for nothing.
    let mut signatures = keys.derive_all(PURPOSE).into_iter().map(|secret| sign(&secret, user, name));
    let is_ours = signatures.any(|ours| ours.as_bytes().ct_eq(signature.as_bytes()).into());
    (is_ours && user.is_some()).then(|| name.to_owned())
}

fn sign(secret: &[u8; 32], user: Option<&User>, name: &str) -> String {
    let (id, password_hash) = user.map_or(("", ""), |user| (&user.id, &user.password_hash));
    URL_SAFE_NO_PAD.encode(keyed_hash(secret, &[id, password_hash, name]))
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::super::store::Role;
    use super::*;

    fn user(id: &str, password_hash: &str) -> User {
        User {
            id: id.to_owned(),
            email: "ada@example.com".to_owned(),
            password_hash: password_hash.to_owned(),
            role: Role::Customer,
            totp_secret: None,
        }
    }

    #[test]
    fn a_token_is_known_for_its_account_and_password_alone_and_not_when_touched() {
        let keys = Keys::for_test([7; 32]);
        let ada = user("ada", "a hash");
        let token = issue(&keys, &ada);
        assert!(token.len() <= MAX_LENGTH);
        assert_eq!(recognize(&keys, Some(&ada), &token).as_deref(), token.split_once('.').map(|(name, _)| name));
        assert_ne!(token, issue(&keys, &ada));

        let known = |user: Option<&User>, token: &str| recognize(&keys, user, token).is_some();
        assert!(!known(Some(&user("bob", "a hash")), &token));
        assert!(!known(Some(&user("ada", "another hash")), &token));
        assert!(!known(None, &token));
        assert!(!known(None, &issue(&keys, &user("", ""))));
        assert!(recognize(&Keys::for_test([8; 32]), Some(&ada), &token).is_none());
        for touched in [format!("x{token}"), format!("{token}x"), token.replace('.', ""), ".".to_owned()] {
            assert!(!known(Some(&ada), &touched), "{touched}");
        }
    }
}
