use sqlx::{Any, AnyConnection, Executor};

/// What a ceremony is for. Each purpose takes its own ceremonies only.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    Register,
    LogIn,
}

impl Purpose {
    fn as_str(self) -> &'static str {
        match self {
            Self::Register => "register",
            Self::LogIn => "log_in",
        }
    }
}

pub struct NewCeremony<'a> {
    pub token_hash: &'a str,
    pub purpose: Purpose,
    pub user_id: Option<&'a str>,
    pub state: &'a str,
    pub expires_at: i64,
}

/// A ceremony that was taken.
#[derive(Clone, Debug)]
pub struct Ceremony {
    pub user_id: Option<String>,
    pub state: String,
    pub expires_at: i64,
}

/// A passkey in its owner's list.
#[derive(Clone, Debug)]
pub struct Passkey {
    pub id: String,
    pub name: String,
    pub created_at: i64,
    pub last_used_at: Option<i64>,
}

pub struct NewPasskey<'a> {
    pub id: &'a str,
    pub user_id: &'a str,
    pub credential_id: &'a str,
    pub public_key: &'a str,
    pub state: &'a str,
    pub name: &'a str,
    pub second_factor_hash: Option<&'a str>,
    pub created_at: i64,
}

/// What verifies a login.
#[derive(Clone, Debug)]
pub struct LoginPasskey {
    pub id: String,
    pub user_id: String,
    pub public_key: String,
    pub state: String,
    pub second_factor_hash: Option<String>,
}

pub async fn insert_ceremony(tx: &mut AnyConnection, ceremony: NewCeremony<'_>) -> Result<(), sqlx::Error> {
    sqlx::query(
        "INSERT INTO passkey_ceremonies (token_hash, purpose, user_id, state, expires_at) VALUES ($1, $2, $3, $4, $5)",
    )
    .bind(ceremony.token_hash)
    .bind(ceremony.purpose.as_str())
    .bind(ceremony.user_id)
    .bind(ceremony.state)
    .bind(ceremony.expires_at)
    .execute(tx)
    .await?;
    Ok(())
}

pub async fn exists_ceremony<'e>(
    db: impl Executor<'e, Database = Any>,
    token_hash: &str,
    purpose: Purpose,
) -> Result<bool, sqlx::Error> {
    let sql = "SELECT COUNT(*) FROM passkey_ceremonies WHERE token_hash = $1 AND purpose = $2";
    let count: i64 = sqlx::query_scalar(sql).bind(token_hash).bind(purpose.as_str()).fetch_one(db).await?;
    Ok(count == 1)
}

/// Deletes the ceremony and returns it. Of several requests at once, one gets it.
pub async fn take_ceremony(
    tx: &mut AnyConnection,
    token_hash: &str,
    purpose: Purpose,
) -> Result<Option<Ceremony>, sqlx::Error> {
    let row: Option<(Option<String>, String, i64)> = sqlx::query_as(
        "DELETE FROM passkey_ceremonies WHERE token_hash = $1 AND purpose = $2 RETURNING user_id, state, expires_at",
    )
    .bind(token_hash)
    .bind(purpose.as_str())
    .fetch_optional(tx)
    .await?;
    Ok(row.map(|(user_id, state, expires_at)| Ceremony { user_id, state, expires_at }))
}

pub async fn delete_expired_ceremonies(tx: &mut AnyConnection, now_ms: i64) -> Result<(), sqlx::Error> {
    sqlx::query("DELETE FROM passkey_ceremonies WHERE expires_at <= $1").bind(now_ms).execute(tx).await?;
    Ok(())
}

/// Inserts a passkey. Returns false when its credential belongs to a passkey already, of any account.
pub async fn insert(tx: &mut AnyConnection, passkey: NewPasskey<'_>) -> Result<bool, sqlx::Error> {
    let inserted = sqlx::query(
        "INSERT INTO passkeys (id, user_id, credential_id, public_key, state, name, second_factor_hash, created_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
         ON CONFLICT (credential_id) DO NOTHING",
    )
    .bind(passkey.id)
    .bind(passkey.user_id)
    .bind(passkey.credential_id)
    .bind(passkey.public_key)
    .bind(passkey.state)
    .bind(passkey.name)
    .bind(passkey.second_factor_hash)
    .bind(passkey.created_at)
    .execute(tx)
    .await?;
    Ok(inserted.rows_affected() == 1)
}

/// The account's passkeys, oldest first.
pub async fn list_of_user<'e>(
    db: impl Executor<'e, Database = Any>,
    user_id: &str,
) -> Result<Vec<Passkey>, sqlx::Error> {
    let rows = sqlx::query_as::<_, (String, String, i64, Option<i64>)>(
        "SELECT id, name, created_at, last_used_at FROM passkeys WHERE user_id = $1 ORDER BY created_at, id",
    )
    .bind(user_id)
    .fetch_all(db)
    .await?;
    Ok(rows
        .into_iter()
        .map(|(id, name, created_at, last_used_at)| Passkey { id, name, created_at, last_used_at })
        .collect())
}

/// The authenticators' names for the account's credentials.
pub async fn list_credential_ids<'e>(
    db: impl Executor<'e, Database = Any>,
    user_id: &str,
) -> Result<Vec<String>, sqlx::Error> {
    sqlx::query_scalar("SELECT credential_id FROM passkeys WHERE user_id = $1 ORDER BY created_at, id")
        .bind(user_id)
        .fetch_all(db)
        .await
}

pub async fn find_by_credential<'e>(
    db: impl Executor<'e, Database = Any>,
    credential_id: &str,
) -> Result<Option<LoginPasskey>, sqlx::Error> {
    let row = sqlx::query_as::<_, (String, String, String, String, Option<String>)>(
        "SELECT id, user_id, public_key, state, second_factor_hash FROM passkeys WHERE credential_id = $1",
    )
    .bind(credential_id)
    .fetch_optional(db)
    .await?;
    Ok(row.map(|(id, user_id, public_key, state, second_factor_hash)| LoginPasskey {
        id,
        user_id,
        public_key,
        state,
        second_factor_hash,
    }))
}

/// Records a login with optimistic concurrency. Returns false when the passkey is gone, or when another login has changed
/// its signature counter since it was read.
pub async fn record_use(
    tx: &mut AnyConnection,
    id: &str,
    old_state: &str,
    new_state: &str,
    now_ms: i64,
) -> Result<bool, sqlx::Error> {
    let recorded = sqlx::query("UPDATE passkeys SET state = $3, last_used_at = $4 WHERE id = $1 AND state = $2")
        .bind(id)
        .bind(old_state)
        .bind(new_state)
        .bind(now_ms)
        .execute(tx)
        .await?;
    Ok(recorded.rows_affected() == 1)
}

/// Renames a passkey, if it belongs to the account.
pub async fn rename(
    tx: &mut AnyConnection,
    user_id: &str,
    id: &str,
    name: &str,
) -> Result<Option<Passkey>, sqlx::Error> {
    let row: Option<(String, i64, Option<i64>)> = sqlx::query_as(
        "UPDATE passkeys SET name = $3 WHERE id = $2 AND user_id = $1 RETURNING name, created_at, last_used_at",
    )
    .bind(user_id)
    .bind(id)
    .bind(name)
    .fetch_optional(tx)
    .await?;
    Ok(row.map(|(name, created_at, last_used_at)| Passkey { id: id.to_owned(), name, created_at, last_used_at }))
}

/// Deletes a passkey, if it belongs to the account, and returns its name.
pub async fn delete(tx: &mut AnyConnection, user_id: &str, id: &str) -> Result<Option<String>, sqlx::Error> {
    sqlx::query_scalar("DELETE FROM passkeys WHERE id = $2 AND user_id = $1 RETURNING name")
        .bind(user_id)
        .bind(id)
        .fetch_optional(tx)
        .await
}

/// Deletes the passkeys that the account got at this time or later, and the registrations that have begun.
pub async fn delete_since(tx: &mut AnyConnection, user_id: &str, since_ms: i64) -> Result<(), sqlx::Error> {
    sqlx::query("DELETE FROM passkey_ceremonies WHERE user_id = $1").bind(user_id).execute(&mut *tx).await?;
    sqlx::query("DELETE FROM passkeys WHERE user_id = $1 AND created_at >= $2")
        .bind(user_id)
        .bind(since_ms)
        .execute(tx)
        .await?;
    Ok(())
}

/// Deletes the account's passkeys, and the registrations that have begun.
pub async fn delete_of_user(tx: &mut AnyConnection, user_id: &str) -> Result<(), sqlx::Error> {
    sqlx::query("DELETE FROM passkey_ceremonies WHERE user_id = $1").bind(user_id).execute(&mut *tx).await?;
    sqlx::query("DELETE FROM passkeys WHERE user_id = $1").bind(user_id).execute(tx).await?;
    Ok(())
}
