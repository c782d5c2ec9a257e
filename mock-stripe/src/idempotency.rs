//! Idempotency keys: the first response is stored in the transaction of its request, and returned for every request
//! with the same key and parameters.
//!
//! A request that is rejected before it starts (invalid parameters, or a request with the same key in progress) stores
//! nothing. After that any response is stored: a declined card stays declined for its key.

use std::collections::HashSet;
use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};

use axum::http::{HeaderMap, StatusCode};
use serde_json::Value;
use sha2::{Digest as _, Sha256};
use sqlx::{AnyConnection, Error};

use crate::api_error::{ApiError, CallError};
use crate::api_response::{ApiResponse, Source};
use crate::form::Form;
use crate::store::{self, StoredResponse};

const MAX_KEY_LENGTH: usize = 255;

/// The work of a request inside its transaction.
pub type Work<'c> = Pin<Box<dyn Future<Output = Result<Value, CallError>> + Send + 'c>>;

/// A request that changes something, done once for each idempotency key.
pub struct Attempt<A, F> {
    pub key: Option<String>,
    pub endpoint: String,
    pub fingerprint: String,
    pub now_ms: i64,
    pub args: A,
    pub work: F,
}

impl<A, F> Attempt<A, F>
where
    F: for<'c> Fn(&'c mut AnyConnection, &'c A) -> Work<'c>,
{
    /// The inner error is an error response that is not stored.
    pub async fn run(&self, tx: &mut AnyConnection) -> Result<Result<ApiResponse, ApiError>, Error> {
        let Some(key) = &self.key else {
            return response_of((self.work)(tx, &self.args).await).map(Ok);
        };
        if let Some(stored) = store::lock_key(tx, key, self.now_ms).await? {
            return Ok(self.replay(key, stored));
        }
        let response = response_of((self.work)(&mut *tx, &self.args).await)?;
        let stored = StoredResponse {
            endpoint: self.endpoint.clone(),
            fingerprint: self.fingerprint.clone(),
            status: i64::from(response.status.as_u16()),
            body: response.body.clone(),
        };
        store::store_response(tx, key, &stored).await?;
        Ok(Ok(response))
    }

    fn replay(&self, key: &str, stored: StoredResponse) -> Result<ApiResponse, ApiError> {
        if stored.endpoint != self.endpoint {
            return Err(ApiError::idempotency_mismatch(format!(
                "Keys for idempotent requests can only be used for the same endpoint they were first used for \
                 ('{}' vs '{}'). Try using a key other than '{key}' if you meant to execute a different request.",
                self.endpoint, stored.endpoint
            )));
        }
        if stored.fingerprint != self.fingerprint {
            return Err(ApiError::idempotency_mismatch(format!(
                "Keys for idempotent requests can only be used with the same parameters they were first used \
                 with. Try using a key other than '{key}' if you meant to execute a different request."
            )));
        }
        let status = u16::try_from(stored.status).ok().and_then(|code| StatusCode::from_u16(code).ok());
        Ok(ApiResponse {
            status: status.unwrap_or(StatusCode::INTERNAL_SERVER_ERROR),
            body: stored.body,
            source: Source::Replayed,
        })
    }
}

fn response_of(result: Result<Value, CallError>) -> Result<ApiResponse, Error> {
    match result {
        Ok(value) => Ok(ApiResponse::ok(&value)),
        Err(CallError::Api(error)) => Ok(ApiResponse::from_error(&error)),
        Err(CallError::Internal(error)) => Err(error),
    }
}

/// The `Idempotency-Key` header, if present.
pub fn key_in(headers: &HeaderMap) -> Result<Option<String>, ApiError> {
    let Some(value) = headers.get("idempotency-key") else {
        return Ok(None);
    };
    match value.to_str() {
        Ok(key) if !key.is_empty() && key.len() <= MAX_KEY_LENGTH => Ok(Some(key.to_owned())),
        _ => Err(ApiError::idempotency_mismatch(format!(
            "Idempotency keys must be plain text of 1 to {MAX_KEY_LENGTH} characters."
        ))),
    }
}

pub fn fingerprint(form: &Form) -> String {
    hex::encode(Sha256::digest(form.canonical()))
}

/// Keys of requests in progress in this process. Between processes the key's row decides: the second request waits for
/// the first and returns its response.
#[derive(Clone, Debug, Default)]
pub struct InProgress {
    keys: Arc<Mutex<HashSet<String>>>,
}

impl InProgress {
    /// # Errors
    /// 409 while another request holds the key.
    pub fn enter(&self, key: &str) -> Result<Entered, ApiError> {
        let mut keys = self.keys.lock().unwrap_or_else(PoisonError::into_inner);
        if !keys.insert(key.to_owned()) {
            return Err(ApiError::idempotency_in_use(key));
        }
        Ok(Entered { all: self.clone(), key: key.to_owned() })
    }
}

/// Releases the key when dropped.
#[derive(Debug)]
pub struct Entered {
    all: InProgress,
    key: String,
}

impl Drop for Entered {
    fn drop(&mut self) {
        self.all.keys.lock().unwrap_or_else(PoisonError::into_inner).remove(&self.key);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_free_again_when_its_call_is_over() {
        let all = InProgress::default();
        let first = all.enter("k").unwrap();
        assert_eq!(all.enter("k").unwrap_err().status(), StatusCode::CONFLICT);
        assert!(all.enter("other").is_ok());
        drop(first);
        assert!(all.enter("k").is_ok());
    }

    #[test]
    fn a_key_is_at_most_255_characters() {
        let with = |key: &str| {
            let mut headers = HeaderMap::new();
            headers.insert("idempotency-key", key.parse().unwrap());
            key_in(&headers)
        };
        assert_eq!(with("k"), Ok(Some("k".to_owned())));
        assert!(with(&"k".repeat(255)).is_ok());
        assert!(with(&"k".repeat(256)).is_err());
        assert!(with("").is_err());
        assert_eq!(key_in(&HeaderMap::new()), Ok(None));
    }
}
