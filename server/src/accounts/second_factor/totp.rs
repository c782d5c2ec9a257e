//! TOTP (RFC 6238): codes of an authenticator app.
//!
//! The secret is stored encrypted. Each code is valid once: a login stores the code's time step, and later logins
//! reject that step and older ones.

use sqlx::AnyConnection;
use totp_rs::{Builder, Totp};

use super::store::{self, VerifiedCode};
use crate::accounts::Accounts;
use crate::accounts::keys::Keys;
use crate::db::Db;
use crate::error::Error;
use crate::infra::clock::SECOND;
use crate::infra::random;

const PURPOSE: &str = "totp";
/// The length that RFC 4226 recommends.
const SECRET_BYTES: usize = 20;

/// The data that sets up an authenticator app.
#[derive(Clone, Debug)]
pub struct Setup {
    pub url: String,
    pub secret: String,
}

/// A TOTP secret in plain text.
pub struct Secret(Vec<u8>);

impl Secret {
    pub fn new() -> Self {
        Self(random::random_bytes::<SECRET_BYTES>().to_vec())
    }

    pub fn encrypt(&self, keys: &Keys, user_id: &str) -> Result<String, Error> {
        keys.encrypt(PURPOSE, user_id, &self.0)
    }

    pub fn decrypt(keys: &Keys, user_id: &str, encrypted: &str) -> Result<Self, Error> {
        keys.decrypt(PURPOSE, user_id, encrypted).map(Self)
    }

    pub fn setup(&self, shop_name: &str, email: &str) -> Result<Setup, Error> {
        // A colon separates the parts of the label.
        let label = |text: &str| text.replace(':', " ");
        let totp = Builder::new()
            .with_secret(self.0.clone())
            .with_issuer(Some(label(shop_name)))
            .with_account_name(label(email))
            .build()
            .map_err(Error::internal)?;
        Ok(Setup { url: totp.to_url().map_err(Error::internal)?, secret: totp.secret().to_base32() })
    }

    pub fn as_bytes(&self) -> &[u8] {
        &self.0
    }

    /// The time step of the code: the current one, the previous one or the next one.
    pub fn step_of(&self, code: &str, now_ms: i64) -> Result<Option<i64>, Error> {
        let totp: Totp = Builder::new().with_secret(self.0.clone()).build().map_err(Error::internal)?;
        let digits: String = code.chars().filter(|character| !character.is_whitespace()).collect();
        let now = u64::try_from(now_ms / SECOND).map_err(Error::internal)?;
        totp.check(&digits, now).map(i64::try_from).transpose().map_err(Error::internal)
    }
}

/// The code, if it is valid now.
pub fn verify(
    state: &Accounts,
    user_id: &str,
    encrypted_secret: String,
    code: &str,
) -> Result<Option<VerifiedCode>, Error> {
    let secret = Secret::decrypt(&state.keys, user_id, &encrypted_secret)?;
    let step = secret.step_of(code, state.clock.now_ms())?;
    Ok(step.map(|step| VerifiedCode { encrypted_secret, step }))
}

/// Encrypts all TOTP secrets with the current key, so that older keys can be removed.
pub async fn reencrypt(keys: &Keys, db: &Db) -> Result<(), Error> {
    for (user_id, old) in store::list(db.read()).await? {
        if keys.is_encrypted_with_current_key(&old) {
            continue;
        }
        let new = Secret::decrypt(keys, &user_id, &old)?.encrypt(keys, &user_id)?;
        let secret = store::ReencryptedSecret { user_id, old, new };
        db.write(secret, |tx, secret| Box::pin(replace(tx, secret))).await?;
    }
    Ok(())
}

async fn replace(tx: &mut AnyConnection, secret: &store::ReencryptedSecret) -> Result<(), Error> {
    Ok(store::replace(tx, secret).await?)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The secret and some of the codes of RFC 6238, appendix B, cut to six digits.
    #[test]
    fn codes_are_those_of_the_standard_and_good_one_step_around() {
        let secret = Secret(b"12345678901234567890".to_vec());
        let step = |code: &str, seconds: i64| secret.step_of(code, seconds * SECOND).unwrap();
        for (seconds, code) in [(59, "287082"), (1_111_111_109, "081804"), (2_000_000_000, "279037")] {
            assert_eq!(step(code, seconds), Some(seconds / 30), "{code}");
            assert_eq!(step(code, seconds + 30), Some(seconds / 30), "{code}");
            assert_eq!(step(code, seconds - 30), Some(seconds / 30), "{code}");
            assert_eq!(step(code, seconds + 60), None, "{code}");
        }
        assert_eq!(step("287 082", 59), Some(1));
        for nonsense in ["", "28708", "2870820", "abcdef", "٢٨٧٠٨٢"] {
            assert_eq!(step(nonsense, 59), None, "{nonsense}");
        }
    }

    #[test]
    fn the_set_up_names_the_shop_and_the_account() {
        let setup = Secret(b"12345678901234567890".to_vec()).setup("Lamps: all", "ada@example.com").unwrap();
        assert_eq!(setup.secret, "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ");
        assert!(setup.url.starts_with("otpauth://totp/Lamps"), "{}", setup.url);
        assert!(setup.url.contains("ada%40example.com") && setup.url.contains(&setup.secret), "{}", setup.url);
    }
}
