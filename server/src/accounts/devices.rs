//! Device tokens: recognize a browser that has logged in to the account before.
//!
//! A login returns a device token, and the browser sends it with the next login. The token grants no access. It gives
//! the browser rate limits of its own, so that attempts by strangers do not lock the owner out. It is valid for one
//! account and its current password; a new password or a rotation of the signing key invalidates it.

use subtle::ConstantTimeEq as _;

use super::keys::{Keys, keyed_hash};
use super::store::{self, User};
use crate::accounts::Accounts;
use crate::error::Error;
use crate::http::client_address::ClientAddress;
use crate::infra::encoding::base64url;
use crate::infra::random;
use crate::limits::{self, Rule};

const PURPOSE: &str = "device";
/// Longer than any token.
const MAX_LENGTH: usize = 100;

/// The party whose attempts a rate limit counts.
pub enum Requester<'a> {
    Client(&'a ClientAddress),
    /// A browser that has logged in to this account before, by its random id.
    KnownDevice(String),
}

impl<'a> Requester<'a> {
    /// The device that owns the token, or else the client address.
    ///
    /// # Errors
    /// 400 when the token is empty or too long.
    pub async fn identify(
        state: &Accounts,
        client: &'a ClientAddress,
        email_key: &str,
        token: Option<&str>,
    ) -> Result<Self, Error> {
        let Some(token) = token else {
            return Ok(Self::Client(client));
        };
        if token.is_empty() || token.len() > MAX_LENGTH {
            let message = "Send the device token of your last login, or omit it.";
            return Err(Error::invalid_field("device_token", message));
        }
        let user = store::find_user_by_email(state.db.read(), email_key).await?;
        Ok(recognize(&state.keys, user.as_ref(), token).map_or(Self::Client(client), Self::KnownDevice))
    }

    /// Usages of a rule about a client, whatever the account. A known device has a limit of its own instead.
    pub fn usages(&self, rule: Rule, email_key: &str) -> Vec<(Rule, String)> {
        match self {
            Self::Client(client) => client.usages(rule),
            Self::KnownDevice(_) => vec![(limits::KNOWN_DEVICES, email_key.to_owned())],
        }
    }

    /// Usages of a rule about this account, or another subject.
    pub fn usages_on(&self, rule: Rule, subject: &str) -> Vec<(Rule, String)> {
        match self {
            Self::Client(client) => client.usages_on(rule, subject),
            Self::KnownDevice(id) => vec![(rule, format!("device {id} {subject}"))],
        }
    }
}

/// A token for the browser that has just logged in.
pub fn issue(keys: &Keys, user: &User) -> String {
    let id = base64url(random::random_bytes::<16>());
    let signature = sign(&keys.derive(PURPOSE), Some(user), &id);
    format!("{id}.{signature}")
}

fn recognize(keys: &Keys, user: Option<&User>, token: &str) -> Option<String> {
    let (id, signature) = token.split_once('.')?;
    // Constant-time: the comparison also runs without an account.
    let mut signatures = keys.derive_all(PURPOSE).into_iter().map(|secret| sign(&secret, user, id));
    let is_valid = signatures.any(|expected| expected.as_bytes().ct_eq(signature.as_bytes()).into());
    (is_valid && user.is_some()).then(|| id.to_owned())
}

fn sign(secret: &[u8; 32], user: Option<&User>, device_id: &str) -> String {
    let (user_id, password_hash) = user.map_or(("", ""), |user| (&user.id, &user.password_hash));
    base64url(keyed_hash(secret, &[user_id, password_hash, device_id]))
}

#[cfg(test)]
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
