//! The members of a JSON object, for a patch that is merged into what is stored.

use std::collections::BTreeMap;

use axum::extract::{FromRequest, Request};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::value::RawValue;

use crate::db::json::{from_json, to_json};
use crate::error::Error;
use crate::http::extract::{parse_json, read_members};

/// The members with their text as it was sent, so that an amount keeps its decimals.
#[derive(Clone)]
pub struct Members(BTreeMap<String, Box<RawValue>>);

impl<S: Send + Sync> FromRequest<S> for Members {
    type Rejection = Error;

    async fn from_request(request: Request, _: &S) -> Result<Self, Error> {
        read_members(request).await.map(Self)
    }
}

impl Members {
    /// # Errors
    /// 400 that names the member of the wrong type.
    pub fn decoded<T: DeserializeOwned>(&self) -> Result<T, Error> {
        parse_json(to_json(&self.0)?.as_bytes())
    }

    /// The value with these members in place of its own.
    ///
    /// # Errors
    /// 400 that names the member of the wrong type.
    pub fn merged_into<T: Serialize + DeserializeOwned>(&self, before: &T) -> Result<T, Error> {
        let mut members: BTreeMap<String, Box<RawValue>> = from_json(&to_json(before)?)?;
        members.extend(self.0.clone());
        parse_json(to_json(&members)?.as_bytes())
    }
}
