use sqlx::{Any, AnyConnection, Executor};

/// A pending sign-up.
#[derive(Clone, Debug)]
pub struct SignUp {
    pub id: String,
    pub email: String,
    pub slot: i64,
    pub password_hash: String,
    pub client: String,
    pub code_hash: String,
    pub expires_at: i64,
    pub created_at: i64,
    /// Hash of the token of the browser that signed up.
    pub token_hash: Option<String>,
}

/// The data of a sign-up that a valid code needs.
pub struct AttemptedSignUp {
    pub email: String,
    pub password_hash: String,
    pub expires_at: i64,
    pub token_hash: Option<String>,
}

type Row = (String, String, i64, String, String, String, i64, i64, Option<String>);

impl From<Row> for SignUp {
    fn from(row: Row) -> Self {
        let (id, email, slot, password_hash, client, code_hash, expires_at, created_at, token_hash) = row;
        Self { id, email, slot, password_hash, client, code_hash, expires_at, created_at, token_hash }
    }
}

/// The pending sign-ups of an address, newest first.
pub async fn list<'e>(db: impl Executor<'e, Database = Any>, email_key: &str) -> Result<Vec<SignUp>, sqlx::Error> {
    let rows = sqlx::query_as::<_, Row>(
        "SELECT id, email, slot, password_hash, client, code_hash, expires_at, created_at, token_hash
         FROM signups WHERE email_key = $1 ORDER BY created_at DESC, id DESC",
    )
    .bind(email_key)
    .fetch_all(db)
    .await?;
    Ok(rows.into_iter().map(SignUp::from).collect())
}

/// Inserts a sign-up. Returns false when a concurrent transaction has taken the slot.
pub async fn insert(
    tx: &mut AnyConnection,
    signup: &SignUp,
    slot: i64,
    email_key: &str,
    attempts: i64,
) -> Result<bool, sqlx::Error> {
    let inserted = sqlx::query(
        "INSERT INTO signups
             (id, email, email_key, slot, password_hash, client, code_hash, attempts_left, expires_at, created_at,
              token_hash)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
         ON CONFLICT (email_key, slot) DO NOTHING",
    )
    .bind(&signup.id)
    .bind(&signup.email)
    .bind(email_key)
    .bind(slot)
    .bind(&signup.password_hash)
    .bind(&signup.client)
    .bind(&signup.code_hash)
    .bind(attempts)
    .bind(signup.expires_at)
    .bind(signup.created_at)
    .bind(&signup.token_hash)
    .execute(tx)
    .await?;
    Ok(inserted.rows_affected() == 1)
}

pub async fn renew_code(
    tx: &mut AnyConnection,
    id: &str,
    code_hash: &str,
    attempts: i64,
    expires_at: i64,
) -> Result<(), sqlx::Error> {
    sqlx::query("UPDATE signups SET code_hash = $2, attempts_left = $3, expires_at = $4 WHERE id = $1")
        .bind(id)
        .bind(code_hash)
        .bind(attempts)
        .bind(expires_at)
        .execute(tx)
        .await?;
    Ok(())
}

/// Uses up one attempt. `None` when the code has no attempts left or has changed.
pub async fn take_attempt(
    tx: &mut AnyConnection,
    id: &str,
    code_hash: &str,
) -> Result<Option<AttemptedSignUp>, sqlx::Error> {
    let row = sqlx::query_as::<_, (String, String, i64, Option<String>)>(
        "UPDATE signups SET attempts_left = attempts_left - 1
         WHERE id = $1 AND code_hash = $2 AND attempts_left > 0
         RETURNING email, password_hash, expires_at, token_hash",
    )
    .bind(id)
    .bind(code_hash)
    .fetch_optional(tx)
    .await?;
    Ok(row.map(|(email, password_hash, expires_at, token_hash)| AttemptedSignUp {
        email,
        password_hash,
        expires_at,
        token_hash,
    }))
}

pub async fn delete(tx: &mut AnyConnection, id: &str) -> Result<(), sqlx::Error> {
    sqlx::query("DELETE FROM signups WHERE id = $1").bind(id).execute(tx).await?;
    Ok(())
}

pub async fn delete_of_address(tx: &mut AnyConnection, email_key: &str) -> Result<(), sqlx::Error> {
    sqlx::query("DELETE FROM signups WHERE email_key = $1").bind(email_key).execute(tx).await?;
    Ok(())
}

/// Deletes at most `limit` sign-ups from before `since_ms` with an expired code. Returns how many it deleted.
pub async fn delete_old(tx: &mut AnyConnection, since_ms: i64, now_ms: i64, limit: i64) -> Result<u64, sqlx::Error> {
    let deleted = sqlx::query(
        "DELETE FROM signups WHERE id IN
             (SELECT id FROM signups WHERE created_at < $1 AND expires_at <= $2 ORDER BY created_at LIMIT $3)
         AND expires_at <= $2",
    )
    .bind(since_ms)
    .bind(now_ms)
    .bind(limit)
    .execute(tx)
    .await?;
    Ok(deleted.rows_affected())
}
