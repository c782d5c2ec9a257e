use std::collections::HashMap;

use sqlx::{AnyConnection, AnyPool};

use crate::error::Error;

pub async fn add_views(tx: &mut AnyConnection, day: &str, path: &str, views: i64) -> Result<(), Error> {
    sqlx::query(
        "INSERT INTO page_views (day, path, views) VALUES ($1, $2, $3) \
         ON CONFLICT (day, path) DO UPDATE SET views = page_views.views + excluded.views",
    )
    .bind(day)
    .bind(path)
    .bind(views)
    .execute(tx)
    .await?;
    Ok(())
}

/// The number of page views on each day since `since`.
pub async fn list_views_by_day(pool: &AnyPool, since: &str) -> Result<HashMap<String, i64>, Error> {
    let days: Vec<(String, i64)> =
        sqlx::query_as("SELECT day, CAST(SUM(views) AS BIGINT) FROM page_views WHERE day >= $1 GROUP BY day")
            .bind(since)
            .fetch_all(pool)
            .await?;
    Ok(days.into_iter().collect())
}

/// Paths and their number of views since `since`, most viewed first.
pub async fn list_most_viewed(pool: &AnyPool, since: &str, limit: i64) -> Result<Vec<(String, i64)>, Error> {
    Ok(sqlx::query_as(
        "SELECT path, CAST(SUM(views) AS BIGINT) AS seen FROM page_views WHERE day >= $1 \
         GROUP BY path ORDER BY seen DESC, path LIMIT $2",
    )
    .bind(since)
    .bind(limit)
    .fetch_all(pool)
    .await?)
}
