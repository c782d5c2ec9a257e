//! Idempotency keys: the first answer is kept with the work it speaks of and given again to whoever asks with
//! the same key and the same parameters.
//!
//! A call that is refused before it begins (a parameter is wrong, another call with its key is running) keeps
//! nothing. Once it begins its answer is kept, whatever it is: a declined card stays declined for that key.

use std::collections::HashSet;
use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};

use axum::http::{HeaderMap, StatusCode};
use serde_json::Value;
use sha2::{Digest as _, Sha256};
use sqlx::AnyConnection;

use super::call::{Answer, Call, Source};
use super::fault::{Fault, Halt};
use super::form::Form;
use super::store::{self, KeptAnswer};
use crate::http::error::Error;

const LONGEST_KEY: usize = 255;

/// A call's work inside its transaction.
pub type Work<'c> = Pin<Box<dyn Future<Output = Result<Value, Halt>> + Send + 'c>>;

impl Call {
    /// Does `work` in one transaction, once for each idempotency key. A refusal is an answer: what was written
    /// before it stays.
    pub async fn perform<F>(&self, work: F) -> Result<Answer, Halt>
    where
        F: for<'c> Fn(&'c mut AnyConnection) -> Work<'c> + Send + Sync + 'static,
    {
        let attempt = Arc::new(Attempt {
            key: self.origin.idempotency_key.clone(),
            endpoint: format!("{} {}", self.method, self.path),
            fingerprint: self.fingerprint.clone(),
            now_ms: self.origin.now_ms,
            work,
        });
        let done = self
            .stripe
            .db
            .write_closure(move |tx| {
                let attempt = Arc::clone(&attempt);
                Box::pin(async move { attempt.run(tx).await })
            })
            .await?;
        self.origin.wake_courier();
        Ok(done?)
    }
}

struct Attempt<F> {
    key: Option<String>,
    endpoint: String,
    fingerprint: String,
    now_ms: i64,
    work: F,
}

impl<F> Attempt<F>
where
    F: for<'c> Fn(&'c mut AnyConnection) -> Work<'c>,
{
    /// The inner error is a refusal that is not kept.
    async fn run(&self, tx: &mut AnyConnection) -> Result<Result<Answer, Fault>, Error> {
        let Some(key) = &self.key else {
            return answer_of((self.work)(tx).await).map(Ok);
        };
        if let Some(kept) = store::take_key(tx, key, self.now_ms).await? {
            return Ok(self.replay(key, kept));
        }
        let answer = answer_of((self.work)(&mut *tx).await)?;
        let kept = KeptAnswer {
            endpoint: self.endpoint.clone(),
            fingerprint: self.fingerprint.clone(),
            status: i64::from(answer.status.as_u16()),
            body: answer.body.clone(),
        };
        store::keep_answer(tx, key, &kept).await?;
        Ok(Ok(answer))
    }

    fn replay(&self, key: &str, kept: KeptAnswer) -> Result<Answer, Fault> {
        if kept.endpoint != self.endpoint {
            return Err(Fault::idempotency_mismatch(format!(
                "Keys for idempotent requests can only be used for the same endpoint they were first used for \
                 ('{}' vs '{}'). Try using a key other than '{key}' if you meant to execute a different request.",
                self.endpoint, kept.endpoint
            )));
        }
        if kept.fingerprint != self.fingerprint {
            return Err(Fault::idempotency_mismatch(format!(
                "Keys for idempotent requests can only be used with the same parameters they were first used \
                 with. Try using a key other than '{key}' if you meant to execute a different request."
            )));
        }
        let status = u16::try_from(kept.status).ok().and_then(|code| StatusCode::from_u16(code).ok());
        Ok(Answer {
            status: status.unwrap_or(StatusCode::INTERNAL_SERVER_ERROR),
            body: kept.body,
            source: Source::Replayed,
        })
    }
}

fn answer_of(result: Result<Value, Halt>) -> Result<Answer, Error> {
    match result {
        Ok(value) => Ok(Answer::ok(&value)),
        Err(Halt::Refused(fault)) => Ok(Answer::refused(&fault)),
        Err(Halt::Failed(error)) => Err(error),
    }
}

/// The `Idempotency-Key` header, if there is one.
pub fn key_in(headers: &HeaderMap) -> Result<Option<String>, Fault> {
    let Some(value) = headers.get("idempotency-key") else {
        return Ok(None);
    };
    match value.to_str() {
        Ok(key) if !key.is_empty() && key.len() <= LONGEST_KEY => Ok(Some(key.to_owned())),
        _ => Err(Fault::idempotency_mismatch(format!(
            "Idempotency keys must be plain text of 1 to {LONGEST_KEY} characters."
        ))),
    }
}

pub fn fingerprint(form: &Form) -> String {
    let hash = Sha256::digest(form.canonical().as_bytes());
    hash.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The keys whose calls this process is working on. Between processes the key's row decides: the second call
/// waits for the first there, and is then given its answer.
#[derive(Clone, Debug, Default)]
pub struct InProgress {
    keys: Arc<Mutex<HashSet<String>>>,
}

impl InProgress {
    /// # Errors
    /// 409 while another call holds the key.
    pub fn enter(&self, key: &str) -> Result<Entered, Fault> {
        let mut keys = self.keys.lock().unwrap_or_else(PoisonError::into_inner);
        if !keys.insert(key.to_owned()) {
            return Err(Fault::idempotency_in_use(key));
        }
        Ok(Entered { all: self.clone(), key: key.to_owned() })
    }
}

/// Holds a key until it is dropped.
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
