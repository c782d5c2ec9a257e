use sqlx::AnyConnection;

use crate::error::Error;

pub async fn add_view(tx: &mut AnyConnection, day: &str, path: &str) -> Result<(), Error> {
    sqlx::query(
        "INSERT INTO page_views (day, path, views) VALUES ($1, $2, 1) \
         ON CONFLICT (day, path) DO UPDATE SET views = page_views.views + 1",
    )
    .bind(day)
    .bind(path)
    .execute(tx)
    .await?;
    Ok(())
}
