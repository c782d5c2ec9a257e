//! The signing key of access tokens.

use sqlx::AnyConnection;

use super::Status;
use crate::accounts::Keys;
use crate::config::Config;

pub async fn status(config: &Config, known_to: Option<&mut AnyConnection>) -> Status {
    let is_known = known_to.is_some();
    match Keys::examine(config, known_to).await {
        Ok(None) => Status::Works("not created yet; the first start creates it".to_owned()),
        Ok(Some(kid)) if is_known => Status::Works(format!("{kid}, registered in the database")),
        Ok(Some(kid)) => Status::Works(format!("{kid} can be used")),
        Err(message) => Status::Fails(message),
    }
}
