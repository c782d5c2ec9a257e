//! API keys of the test account, generated once and shared by every process on this database.

use sqlx::AnyConnection;
use subtle::ConstantTimeEq as _;

use super::{ids, store};
use crate::db::Db;
use crate::http::error::Error;
use crate::infra::clock::Clock;

const NAME: &str = "keys";

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MockStripeKeys {
    pub secret_key: String,
    pub publishable_key: String,
    pub webhook_secret: String,
}

/// The type of an API key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeyKind {
    Secret,
    Publishable,
}

impl MockStripeKeys {
    pub fn kind_of(&self, key: &str) -> Option<KeyKind> {
        let is = |ours: &str| bool::from(ours.as_bytes().ct_eq(key.as_bytes()));
        if is(&self.secret_key) {
            return Some(KeyKind::Secret);
        }
        is(&self.publishable_key).then_some(KeyKind::Publishable)
    }

    fn generate(now_ms: i64) -> String {
        serde_json::json!({
            "secret_key": format!("sk_test_{}", ids::letters(48)),
            "publishable_key": format!("pk_test_{}", ids::letters(48)),
            "webhook_secret": format!("whsec_{}", ids::letters(40)),
            "made_at": now_ms,
        })
        .to_string()
    }

    fn from_setting(text: &str) -> Result<Self, Error> {
        let setting: serde_json::Value = serde_json::from_str(text).map_err(Error::internal)?;
        let key = |name: &str| {
            let text = setting.get(name).and_then(serde_json::Value::as_str);
            text.map(str::to_owned)
                .ok_or_else(|| Error::internal(format!("the API keys of the mock Stripe lack {name}")))
        };
        Ok(Self {
            secret_key: key("secret_key")?,
            publishable_key: key("publishable_key")?,
            webhook_secret: key("webhook_secret")?,
        })
    }
}

/// Loads the keys, or generates them on first use.
///
/// # Errors
/// When the database cannot be read or written.
pub async fn keys(db: &Db, clock: &Clock) -> Result<MockStripeKeys, Error> {
    if let Some(keys) = find_keys(&mut *db.read().acquire().await?).await? {
        return Ok(keys);
    }
    db.write(clock.now_ms(), |tx, now_ms| Box::pin(insert_keys(tx, *now_ms))).await
}

async fn insert_keys(tx: &mut AnyConnection, now_ms: i64) -> Result<MockStripeKeys, Error> {
    store::insert_setting_once(tx, NAME, &MockStripeKeys::generate(now_ms)).await?;
    find_keys(tx).await?.ok_or_else(|| Error::internal("the API keys of the mock Stripe were not stored"))
}

async fn find_keys(connection: &mut AnyConnection) -> Result<Option<MockStripeKeys>, Error> {
    match store::find_setting(connection, NAME).await? {
        Some(text) => MockStripeKeys::from_setting(&text).map(Some),
        None => Ok(None),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_test_keys_and_told_apart() {
        let keys = MockStripeKeys::from_setting(&MockStripeKeys::generate(1)).unwrap();
        assert!(keys.secret_key.starts_with("sk_test_") && keys.publishable_key.starts_with("pk_test_"));
        assert!(keys.webhook_secret.starts_with("whsec_"));
        assert_eq!(keys.kind_of(&keys.secret_key), Some(KeyKind::Secret));
        assert_eq!(keys.kind_of(&keys.publishable_key), Some(KeyKind::Publishable));
        assert_eq!(keys.kind_of("sk_test_"), None);
        assert_eq!(keys.kind_of(""), None);
    }
}
