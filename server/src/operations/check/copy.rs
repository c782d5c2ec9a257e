//! Whether the database and the public address are the shop's, or those of a copy.

use sqlx::AnyConnection;

use super::Status;
use crate::checkout::confirmation;
use crate::config::Config;

pub async fn status(config: &Config, connection: &mut AnyConnection) -> Status {
    match confirmation::find(connection, config).await {
        Ok(found) => match found.problem(config) {
            None => Status::Works("the database and SHOP_PUBLIC_URL are the shop's".to_owned()),
            Some(problem) => Status::Fails(problem),
        },
        Err(error) => Status::Fails(error.to_string()),
    }
}
