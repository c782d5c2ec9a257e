//! The second factor of administrators: the codes of RFC 6238 that an authenticator app shows. Asked for outside
//! demo mode, after the password.
//!
//! The secret is kept sealed. Each code counts once: the step it belongs to is noted with the log-in, and no older
//! one counts from then on.

pub mod store;

use totp_rs::{Builder, Totp};

use super::keys::Keys;
use super::store::{Role, User};
use crate::db::Db;
use crate::http::error::{Code, Error};
use crate::infra::clock::SECOND;
use crate::infra::random;
use crate::shop::Shop;

const PURPOSE: &str = "totp";
/// What RFC 4226 recommends.
const SECRET_BYTES: usize = 20;

/// What is typed or scanned into an authenticator app, once.
#[derive(Clone, Debug)]
pub struct Setup {
    pub url: String,
    pub secret: String,
}

impl std::fmt::Display for Setup {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            formatter,
            "From now on each log-in asks for the code of an authenticator app. Set it up with this address:\n\
             {}\n\
             or by typing this secret:\n\
             {}\n\
             Neither is shown again; granting again makes new ones.\n\
             An administrator's password has at least 15 characters: a shorter one is to be changed.",
            self.url, self.secret
        )
    }
}

/// A secret before it is sealed.
pub struct Secret(Vec<u8>);

impl Secret {
    pub fn new() -> Self {
        Self(random::random_bytes::<SECRET_BYTES>().to_vec())
    }

    pub fn seal(&self, keys: &Keys, user_id: &str) -> Result<String, Error> {
        keys.seal(PURPOSE, user_id, &self.0)
    }

    fn open(keys: &Keys, user_id: &str, sealed: &str) -> Result<Self, Error> {
        keys.open(PURPOSE, user_id, sealed).map(Self)
    }

    pub fn setup(&self, shop_name: &str, email: &str) -> Result<Setup, Error> {
        // A colon would end the label.
        let label = |text: &str| text.replace(':', " ");
        let totp = Builder::new()
            .with_secret(self.0.clone())
            .with_issuer(Some(label(shop_name)))
            .with_account_name(label(email))
            .build()
            .map_err(Error::internal)?;
        Ok(Setup { url: totp.to_url().map_err(Error::internal)?, secret: totp.secret().to_base32() })
    }

    /// The step of the clock that the code belongs to: this one, the one before or the one after.
    fn step_of(&self, code: &str, now_ms: i64) -> Result<Option<i64>, Error> {
        let totp: Totp = Builder::new().with_secret(self.0.clone()).build().map_err(Error::internal)?;
        let digits: String = code.chars().filter(|sign| !sign.is_whitespace()).collect();
        let now = u64::try_from(now_ms / SECOND).map_err(Error::internal)?;
        totp.check(&digits, now).map(i64::try_from).transpose().map_err(Error::internal)
    }
}

/// A code that was right, to be used up by the log-in it is for.
#[derive(Clone, Debug)]
pub struct Proof {
    pub sealed: String,
    pub step: i64,
}

/// The second factor of whoever needs one; the password was right.
///
/// # Errors
/// 401 `TotpRequired` with a sentence that says what to do.
pub fn demand(shop: &Shop, user: &User, typed: Option<&str>) -> Result<Option<Proof>, Error> {
    if shop.config.demo || user.role != Role::Admin {
        return Ok(None);
    }
    let Some(sealed) = user.totp_secret.clone() else {
        tracing::warn!(user = user.id, "an administrator without a second factor was refused");
        return Err(required("This administrator has no authenticator yet. Grant the right again to set one up."));
    };
    let Some(typed) = typed.filter(|typed| !typed.trim().is_empty()) else {
        return Err(required("Enter the code that your authenticator app shows."));
    };
    let secret = Secret::open(&shop.keys, &user.id, &sealed)?;
    match secret.step_of(typed, shop.clock.now_ms())? {
        Some(step) => Ok(Some(Proof { sealed, step })),
        None => Err(not_right(user)),
    }
}

pub fn not_right(user: &User) -> Error {
    tracing::info!(user = user.id, "a log-in was refused: wrong or used second factor");
    required("This code is not right, or was used before. Enter the next one that your app shows.")
}

fn required(sentence: &str) -> Error {
    Error::new(Code::TotpRequired, sentence)
}

/// Seals under the current key what its predecessors have sealed, so that they can be forgotten.
pub async fn reseal(keys: &Keys, db: &Db) -> Result<(), Error> {
    for (user_id, old) in store::list(db.read()).await? {
        if keys.sealed_now(&old) {
            continue;
        }
        let new = Secret::open(keys, &user_id, &old)?.seal(keys, &user_id)?;
        db.write_closure(move |tx| {
            let (user_id, old, new) = (user_id.clone(), old.clone(), new.clone());
            Box::pin(async move { Ok(store::replace(tx, &user_id, &old, &new).await?) })
        })
        .await?;
    }
    Ok(())
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
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
