//! API keys of the test account, generated once and shared by every process on this database.

use serde::{Deserialize, Serialize};
use sqlx::{AnyConnection, Error};
use subtle::ConstantTimeEq as _;

use crate::db::Db;
use crate::{ids, store};

const SETTING: &str = "keys";

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Keys {
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

impl Keys {
    pub fn kind_of(&self, key: &str) -> Option<KeyKind> {
        let is = |ours: &str| bool::from(ours.as_bytes().ct_eq(key.as_bytes()));
        if is(&self.secret_key) {
            return Some(KeyKind::Secret);
        }
        is(&self.publishable_key).then_some(KeyKind::Publishable)
    }

    fn generate() -> Self {
        Self {
            secret_key: format!("sk_test_{}", ids::letters(48)),
            publishable_key: format!("pk_test_{}", ids::letters(48)),
            webhook_secret: format!("whsec_{}", ids::letters(40)),
        }
    }
}

/// Loads the keys, or generates them on first use.
pub async fn load(db: &Db) -> Result<Keys, Error> {
    match find(&mut *db.read().acquire().await?).await? {
        Some(keys) => Ok(keys),
        None => db.write((), |tx, ()| Box::pin(insert(tx))).await,
    }
}

async fn insert(tx: &mut AnyConnection) -> Result<Keys, Error> {
    let keys = store::encode(&Keys::generate())?;
    store::insert_setting_once(tx, SETTING, &keys).await?;
    find(tx).await?.ok_or(Error::RowNotFound)
}

async fn find(connection: &mut AnyConnection) -> Result<Option<Keys>, Error> {
    let setting = store::find_setting(connection, SETTING).await?;
    setting.map(|text| store::decode(&text)).transpose()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_test_keys_and_told_apart() {
        let keys = Keys::generate();
        assert!(keys.secret_key.starts_with("sk_test_") && keys.publishable_key.starts_with("pk_test_"));
        assert!(keys.webhook_secret.starts_with("whsec_"));
        assert_eq!(keys.kind_of(&keys.secret_key), Some(KeyKind::Secret));
        assert_eq!(keys.kind_of(&keys.publishable_key), Some(KeyKind::Publishable));
        assert_eq!(keys.kind_of("sk_test_"), None);
        assert_eq!(keys.kind_of(""), None);
    }
}
