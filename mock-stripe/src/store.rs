//! Settings, objects and stored responses of the mock. Events and injected faults have their own tables, in
//! `queue.rs` and `fault_injection.rs`.

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use sqlx::{AnyConnection, Error, Row as _};

use crate::ids;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    PaymentIntent,
    Charge,
    PaymentMethod,
    Refund,
    Dispute,
    EarlyFraudWarning,
    BalanceTransaction,
    Payout,
    TaxCalculation,
    TaxTransaction,
}

impl Kind {
    /// Stripe's name of the type.
    pub fn word(self) -> &'static str {
        match self {
            Self::PaymentIntent => "payment_intent",
            Self::Charge => "charge",
            Self::PaymentMethod => "payment_method",
            Self::Refund => "refund",
            Self::Dispute => "dispute",
            Self::EarlyFraudWarning => "early_fraud_warning",
            Self::BalanceTransaction => "balance_transaction",
            Self::Payout => "payout",
            Self::TaxCalculation => "tax_calculation",
            Self::TaxTransaction => "tax_transaction",
        }
    }
}

/// An object that is stored as a JSON document.
pub trait Document: Serialize + DeserializeOwned {
    const KIND: Kind;

    fn id(&self) -> &str;

    /// Id of its parent object.
    fn parent(&self) -> Option<&str> {
        None
    }

    /// A unique text.
    fn reference(&self) -> Option<&str> {
        None
    }
}

/// An object that the API lists and retrieves.
pub trait Resource: Document {
    /// Path of its list.
    const PATH: &'static str;

    /// The object as the API shows it.
    fn to_json(&self) -> Value;
}

pub async fn insert<D: Document>(connection: &mut AnyConnection, document: &D, created_ms: i64) -> Result<(), Error> {
    sqlx::query(
        "INSERT INTO mock_stripe_objects (id, kind, parent, reference, created_at, document)
         VALUES ($1, $2, $3, $4, $5, $6)",
    )
    .bind(document.id())
    .bind(D::KIND.word())
    .bind(document.parent())
    .bind(document.reference())
    .bind(created_ms)
    .bind(&*encode(document)?)
    .execute(connection)
    .await?;
    Ok(())
}

pub async fn save<D: Document>(connection: &mut AnyConnection, document: &D) -> Result<(), Error> {
    sqlx::query("UPDATE mock_stripe_objects SET document = $1 WHERE id = $2 AND kind = $3")
        .bind(&*encode(document)?)
        .bind(document.id())
        .bind(D::KIND.word())
        .execute(connection)
        .await?;
    Ok(())
}

pub async fn find<D: Document>(connection: &mut AnyConnection, id: &str) -> Result<Option<D>, Error> {
    if !ids::is_plausible(id) {
        return Ok(None);
    }
    let text: Option<String> =
        sqlx::query_scalar("SELECT document FROM mock_stripe_objects WHERE id = $1 AND kind = $2")
            .bind(id)
            .bind(D::KIND.word())
            .fetch_optional(connection)
            .await?;
    text.map(|text| decode(&text)).transpose()
}

/// Locks the object until the transaction ends.
pub async fn lock<D: Document>(connection: &mut AnyConnection, id: &str) -> Result<Option<D>, Error> {
    if !ids::is_plausible(id) {
        return Ok(None);
    }
    let text: Option<String> = sqlx::query_scalar(
        "UPDATE mock_stripe_objects SET version = version + 1 WHERE id = $1 AND kind = $2 RETURNING document",
    )
    .bind(id)
    .bind(D::KIND.word())
    .fetch_optional(connection)
    .await?;
    text.map(|text| decode(&text)).transpose()
}

pub async fn has_reference(connection: &mut AnyConnection, reference: &str) -> Result<bool, Error> {
    let found: Option<i64> = sqlx::query_scalar("SELECT version FROM mock_stripe_objects WHERE reference = $1")
        .bind(reference)
        .fetch_optional(connection)
        .await?;
    Ok(found.is_some())
}

/// Children of `parent`, newest first.
pub async fn list_children<D: Document>(connection: &mut AnyConnection, parent: &str) -> Result<Vec<D>, Error> {
    let texts: Vec<String> = sqlx::query_scalar(
        "SELECT document FROM mock_stripe_objects WHERE parent = $1 AND kind = $2
         ORDER BY created_at DESC, id DESC",
    )
    .bind(parent)
    .bind(D::KIND.word())
    .fetch_all(connection)
    .await?;
    texts.iter().map(|text| decode(text)).collect()
}

/// Makes `parent` the parent of all objects of this type that have none, and returns them.
pub async fn assign_parent<D: Document>(connection: &mut AnyConnection, parent: &str) -> Result<Vec<D>, Error> {
    let texts: Vec<String> = sqlx::query_scalar(
        "UPDATE mock_stripe_objects SET parent = $1 WHERE parent IS NULL AND kind = $2 RETURNING document",
    )
    .bind(parent)
    .bind(D::KIND.word())
    .fetch_all(connection)
    .await?;
    texts.iter().map(|text| decode(text)).collect()
}

pub async fn clear_parent(connection: &mut AnyConnection, parent: &str) -> Result<(), Error> {
    sqlx::query("UPDATE mock_stripe_objects SET parent = NULL WHERE parent = $1")
        .bind(parent)
        .execute(connection)
        .await?;
    Ok(())
}

/// A range of a list, newest first; times are in milliseconds, inclusive.
#[derive(Clone, Debug)]
pub struct Range {
    pub from: i64,
    pub until: i64,
    pub cursor: Cursor,
    /// Only children of this object.
    pub parent: Option<String>,
    pub limit: i64,
}

/// Start or end of a range.
#[derive(Clone, Debug)]
pub enum Cursor {
    Newest,
    /// After this object.
    After(String),
    /// Before this object.
    Before(String),
}

pub async fn list<D: Document>(connection: &mut AnyConnection, range: &Range) -> Result<Vec<D>, Error> {
    let texts = match &range.cursor {
        Cursor::Newest => select_older::<D>(connection, range, i64::MAX, "").await?,
        Cursor::After(id) => {
            let at = find_created_at(connection, id).await?.unwrap_or(i64::MIN);
            select_older::<D>(connection, range, at, id).await?
        }
        Cursor::Before(id) => {
            let at = find_created_at(connection, id).await?.unwrap_or(i64::MAX);
            let mut texts = select_newer::<D>(connection, range, at, id).await?;
            texts.reverse();
            texts
        }
    };
    texts.iter().map(|text| decode(text)).collect()
}

async fn select_older<D: Document>(
    connection: &mut AnyConnection,
    range: &Range,
    before_time: i64,
    before_id: &str,
) -> Result<Vec<String>, Error> {
    let texts = sqlx::query_scalar(
        "SELECT document FROM mock_stripe_objects
         WHERE kind = $1 AND created_at >= $2 AND created_at <= $3
           AND (created_at < $4 OR (created_at = $4 AND id < $5))
           AND ($7 = '' OR parent = $7)
         ORDER BY created_at DESC, id DESC LIMIT $6",
    )
    .bind(D::KIND.word())
    .bind(range.from)
    .bind(range.until)
    .bind(before_time)
    .bind(before_id)
    .bind(range.limit)
    .bind(range.parent.as_deref().unwrap_or_default())
    .fetch_all(connection)
    .await?;
    Ok(texts)
}

/// Oldest first, starting at the cursor.
async fn select_newer<D: Document>(
    connection: &mut AnyConnection,
    range: &Range,
    after_time: i64,
    after_id: &str,
) -> Result<Vec<String>, Error> {
    let texts = sqlx::query_scalar(
        "SELECT document FROM mock_stripe_objects
         WHERE kind = $1 AND created_at >= $2 AND created_at <= $3
           AND (created_at > $4 OR (created_at = $4 AND id > $5))
           AND ($7 = '' OR parent = $7)
         ORDER BY created_at, id LIMIT $6",
    )
    .bind(D::KIND.word())
    .bind(range.from)
    .bind(range.until)
    .bind(after_time)
    .bind(after_id)
    .bind(range.limit)
    .bind(range.parent.as_deref().unwrap_or_default())
    .fetch_all(connection)
    .await?;
    Ok(texts)
}

async fn find_created_at(connection: &mut AnyConnection, id: &str) -> Result<Option<i64>, Error> {
    if !ids::is_plausible(id) {
        return Ok(None);
    }
    let at = sqlx::query_scalar("SELECT created_at FROM mock_stripe_objects WHERE id = $1")
        .bind(id)
        .fetch_optional(connection)
        .await?;
    Ok(at)
}

/// Schedules a later change of this object at `due_at`, in milliseconds.
pub async fn schedule(connection: &mut AnyConnection, id: &str, due_at: i64) -> Result<(), Error> {
    sqlx::query("INSERT INTO mock_stripe_scheduled (object_id, due_at) VALUES ($1, $2)")
        .bind(id)
        .bind(due_at)
        .execute(connection)
        .await?;
    Ok(())
}

/// Objects with a due change, oldest first.
pub async fn list_due(connection: &mut AnyConnection, now_ms: i64) -> Result<Vec<String>, Error> {
    let ids =
        sqlx::query_scalar("SELECT object_id FROM mock_stripe_scheduled WHERE due_at <= $1 ORDER BY due_at, object_id")
            .bind(now_ms)
            .fetch_all(connection)
            .await?;
    Ok(ids)
}

/// True for the only caller that may apply the change.
pub async fn claim_scheduled(connection: &mut AnyConnection, id: &str) -> Result<bool, Error> {
    let taken =
        sqlx::query("DELETE FROM mock_stripe_scheduled WHERE object_id = $1").bind(id).execute(connection).await?;
    Ok(taken.rows_affected() == 1)
}

pub async fn find_setting(connection: &mut AnyConnection, name: &str) -> Result<Option<String>, Error> {
    let value = sqlx::query_scalar("SELECT value FROM mock_stripe_settings WHERE name = $1")
        .bind(name)
        .fetch_optional(connection)
        .await?;
    Ok(value)
}

/// Keeps an existing value.
pub async fn insert_setting_once(connection: &mut AnyConnection, name: &str, value: &str) -> Result<(), Error> {
    sqlx::query("INSERT INTO mock_stripe_settings (name, value) VALUES ($1, $2) ON CONFLICT (name) DO NOTHING")
        .bind(name)
        .bind(value)
        .execute(connection)
        .await?;
    Ok(())
}

pub async fn set_setting(connection: &mut AnyConnection, name: &str, value: &str) -> Result<(), Error> {
    sqlx::query(
        "INSERT INTO mock_stripe_settings (name, value) VALUES ($1, $2)
         ON CONFLICT (name) DO UPDATE SET value = excluded.value",
    )
    .bind(name)
    .bind(value)
    .execute(connection)
    .await?;
    Ok(())
}

pub async fn delete_setting(connection: &mut AnyConnection, name: &str) -> Result<(), Error> {
    sqlx::query("DELETE FROM mock_stripe_settings WHERE name = $1").bind(name).execute(connection).await?;
    Ok(())
}

/// The first response to an idempotency key.
#[derive(Clone, Debug)]
pub struct StoredResponse {
    pub endpoint: String,
    pub fingerprint: String,
    pub status: i64,
    pub body: String,
}

/// Locks the key until the transaction ends; None for a new key.
///
/// On PostgreSQL a second transaction with the same key waits at the insert until the first has ended.
pub async fn lock_key(connection: &mut AnyConnection, key: &str, now_ms: i64) -> Result<Option<StoredResponse>, Error> {
    let inserted = sqlx::query(
        "INSERT INTO mock_stripe_responses (idempotency_key, endpoint, fingerprint, status, body, created_at)
         VALUES ($1, '', '', 0, '', $2) ON CONFLICT (idempotency_key) DO NOTHING",
    )
    .bind(key)
    .bind(now_ms)
    .execute(&mut *connection)
    .await?;
    if inserted.rows_affected() == 1 {
        return Ok(None);
    }
    let row =
        sqlx::query("SELECT endpoint, fingerprint, status, body FROM mock_stripe_responses WHERE idempotency_key = $1")
            .bind(key)
            .fetch_one(connection)
            .await?;
    Ok(Some(StoredResponse {
        endpoint: row.try_get("endpoint")?,
        fingerprint: row.try_get("fingerprint")?,
        status: row.try_get("status")?,
        body: row.try_get("body")?,
    }))
}

pub async fn store_response(connection: &mut AnyConnection, key: &str, response: &StoredResponse) -> Result<(), Error> {
    sqlx::query(
        "UPDATE mock_stripe_responses SET endpoint = $1, fingerprint = $2, status = $3, body = $4
         WHERE idempotency_key = $5",
    )
    .bind(&*response.endpoint)
    .bind(&*response.fingerprint)
    .bind(response.status)
    .bind(&*response.body)
    .bind(key)
    .execute(connection)
    .await?;
    Ok(())
}

/// Responses may be deleted after a day at the earliest.
pub async fn delete_responses_before(connection: &mut AnyConnection, at_ms: i64) -> Result<(), Error> {
    sqlx::query("DELETE FROM mock_stripe_responses WHERE created_at < $1").bind(at_ms).execute(connection).await?;
    Ok(())
}

/// The stored text of a value.
pub fn encode(value: &impl Serialize) -> Result<String, Error> {
    serde_json::to_string(value).map_err(|error| Error::Encode(error.into()))
}

pub fn decode<T: DeserializeOwned>(text: &str) -> Result<T, Error> {
    serde_json::from_str(text).map_err(|error| Error::Decode(error.into()))
}
