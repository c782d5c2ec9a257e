//! Fault injection for requests: rules in the database, so that every process applies them, each for a number of requests.

use std::time::Duration;

use axum::http::Method;
use serde::{Deserialize, Serialize};
use sqlx::{AnyConnection, Error, Row as _};

use crate::MockStripe;
use crate::{ids, store};

/// The fault of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Action {
    /// Responds with this status without doing anything.
    Fail { status: u16 },
    /// Processes the request after this time.
    Hang { ms: u64 },
    /// Processes the request, waits, and drops the connection without a response.
    LoseAnswer { ms: u64 },
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rule {
    /// `POST`, `GET`; any without it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub method: Option<String>,
    /// Path prefix, starting with `/v1`.
    pub path: String,
    /// Number of affected requests.
    pub times: i64,
    pub action: Action,
}

impl Rule {
    fn matches(&self, method: &Method, path: &str) -> bool {
        let matches_method = self.method.as_deref().is_none_or(|wanted| wanted == method.as_str());
        matches_method && path.starts_with(&self.path)
    }
}

/// The first rule that matches this request; its remaining count is decremented.
pub async fn take(stripe: &MockStripe, method: &Method, path: &str) -> Result<Option<Action>, Error> {
    if stripe.cache.has_no_rules() {
        return Ok(None);
    }
    let generation = stripe.cache.generation();
    let rules = list(&mut *stripe.db.read().acquire().await?).await?;
    if rules.is_empty() {
        stripe.cache.reset(generation);
    }
    for (id, rule) in rules {
        if !rule.matches(method, path) {
            continue;
        }
        if stripe.db.write(id, |tx, id| Box::pin(use_once(tx, id))).await? {
            return Ok(Some(rule.action));
        }
    }
    Ok(None)
}

pub async fn pause(ms: u64) {
    tokio::time::sleep(Duration::from_millis(ms)).await;
}

/// Rules with remaining requests, oldest first.
pub async fn list(connection: &mut AnyConnection) -> Result<Vec<(String, Rule)>, Error> {
    let rows = sqlx::query(
        "SELECT id, method, path_prefix, action, remaining FROM mock_stripe_faults
         WHERE remaining > 0 ORDER BY id",
    )
    .fetch_all(connection)
    .await?;
    rows.iter()
        .map(|row| {
            let method: String = row.try_get("method")?;
            let action: String = row.try_get("action")?;
            let rule = Rule {
                method: Some(method).filter(|method| !method.is_empty()),
                path: row.try_get("path_prefix")?,
                times: row.try_get("remaining")?,
                action: store::decode(&action)?,
            };
            Ok((row.try_get("id")?, rule))
        })
        .collect()
}

pub async fn insert(tx: &mut AnyConnection, rule: &Rule) -> Result<(), Error> {
    sqlx::query(
        "INSERT INTO mock_stripe_faults (id, method, path_prefix, action, remaining)
         VALUES ($1, $2, $3, $4, $5)",
    )
    .bind(&*ids::sortable_id())
    .bind(rule.method.as_deref().unwrap_or_default())
    .bind(&*rule.path)
    .bind(&*store::encode(&rule.action)?)
    .bind(rule.times)
    .execute(tx)
    .await?;
    Ok(())
}

pub async fn delete_all(tx: &mut AnyConnection) -> Result<(), Error> {
    sqlx::query("DELETE FROM mock_stripe_faults").execute(tx).await?;
    Ok(())
}

async fn use_once(tx: &mut AnyConnection, id: &str) -> Result<bool, Error> {
    let used = sqlx::query("UPDATE mock_stripe_faults SET remaining = remaining - 1 WHERE id = $1 AND remaining > 0")
        .bind(id)
        .execute(tx)
        .await?;
    Ok(used.rows_affected() == 1)
}
