//! SQL of a rebuild.

use sqlx::{AnyConnection, AnyPool, AssertSqlSafe};

use crate::error::Error;
use crate::time_zone::ShopZone;
use crate::time_zone::store::{COMPLETE, list, load, lock};

/// Whether the zone is not in force.
pub async fn is_pending(pool: &AnyPool, zone: ShopZone) -> Result<bool, Error> {
    Ok(load(pool).await? != zone)
}

/// Counts the orders of the next batch and the sales of their time, and marks them as counted. After the last batch the
/// zone is in force.
pub async fn count_batch(tx: &mut AnyConnection, zone: ShopZone, limit: i64, now: i64) -> Result<(), Error> {
    lock(tx).await?;
    let from = start(tx, zone).await?;
    if from < COMPLETE {
        let before = find_end(tx, from, limit).await?;
        count(tx, zone, from, before).await?;
        set_counted(tx, zone, before).await?;
        if before < COMPLETE {
            return Ok(());
        }
    }
    bring_into_force(tx, zone, now).await
}

/// The time before which everything is counted.
async fn start(tx: &mut AnyConnection, zone: ShopZone) -> Result<i64, Error> {
    let sql = "INSERT INTO daily_totals_zones (rule, counted_before) VALUES ($1, 0) \
               ON CONFLICT (rule) DO UPDATE SET counted_before = daily_totals_zones.counted_before \
               RETURNING counted_before";
    Ok(sqlx::query_scalar(sql).bind(zone.rule()).fetch_one(tx).await?)
}

/// The time of the first order after the batch.
async fn find_end(tx: &mut AnyConnection, from: i64, limit: i64) -> Result<i64, Error> {
    let sql = "SELECT created_at FROM orders WHERE created_at >= $1 ORDER BY created_at, id LIMIT 1 OFFSET $2";
    let end: Option<i64> = sqlx::query_scalar(sql).bind(from).bind(limit).fetch_optional(tx).await?;
    // Orders of the same millisecond are in one batch.
    Ok(end.map_or(COMPLETE, |end| end.max(from + 1)))
}

async fn count(tx: &mut AnyConnection, zone: ShopZone, from: i64, before: i64) -> Result<(), Error> {
    let orders = day_of_range(tx, zone, "orders WHERE", from, before).await?;
    let orders = format!(
        "INSERT INTO daily_order_totals (zone, day, status, orders, sales) \
         SELECT '{}', {orders}, status, COUNT(*), CAST(SUM(total - refunded) AS BIGINT) FROM orders \
         WHERE created_at >= $1 AND created_at < $2 GROUP BY {orders}, status \
         ON CONFLICT (zone, day, status) DO UPDATE SET orders = daily_order_totals.orders + excluded.orders, \
         sales = daily_order_totals.sales + excluded.sales",
        zone.rule()
    );
    sqlx::query(AssertSqlSafe(orders)).bind(from).bind(before).execute(&mut *tx).await?;
    // `CROSS JOIN` makes SQLite use the ledger's index, which begins with the product.
    let sold = "(SELECT id AS known FROM products) product CROSS JOIN stock_ledger \
                WHERE product_id = known AND reason IN ('sold', 'restocked') AND";
    let day = day_of_range(tx, zone, sold, from, before).await?;
    let products = format!(
        "INSERT INTO daily_product_totals (zone, day, product_id, sold) \
         SELECT '{}', {day}, product_id, CAST(-SUM(change) AS BIGINT) FROM {sold} \
         created_at >= $1 AND created_at < $2 GROUP BY {day}, product_id \
         ON CONFLICT (zone, day, product_id) DO UPDATE SET sold = daily_product_totals.sold + excluded.sold",
        zone.rule()
    );
    sqlx::query(AssertSqlSafe(products)).bind(from).bind(before).execute(tx).await?;
    Ok(())
}

/// SQL for the day of these rows.
async fn day_of_range(
    tx: &mut AnyConnection,
    zone: ShopZone,
    rows: &str,
    from: i64,
    before: i64,
) -> Result<String, Error> {
    let select = format!(
        "SELECT COALESCE(MIN(created_at), 0), COALESCE(MAX(created_at), 0) FROM {rows} \
         created_at >= $1 AND created_at < $2"
    );
    let range = sqlx::query_as(AssertSqlSafe(select)).bind(from).bind(before).fetch_one(tx).await?;
    Ok(zone.day_sql("created_at", range))
}

async fn set_counted(tx: &mut AnyConnection, zone: ShopZone, before: i64) -> Result<(), Error> {
    sqlx::query("UPDATE daily_totals_zones SET counted_before = $2 WHERE rule = $1")
        .bind(zone.rule())
        .bind(before)
        .execute(tx)
        .await?;
    Ok(())
}

/// Later than every other zone, also if the clock was set back.
async fn bring_into_force(tx: &mut AnyConnection, zone: ShopZone, now: i64) -> Result<(), Error> {
    sqlx::query(
        "UPDATE daily_totals_zones SET in_force_since = \
         (SELECT CASE WHEN MAX(in_force_since) >= $2 THEN MAX(in_force_since) + 1 ELSE $2 END \
          FROM daily_totals_zones AS others) WHERE rule = $1",
    )
    .bind(zone.rule())
    .bind(now)
    .execute(tx)
    .await?;
    Ok(())
}

/// Whether there are totals of other zones, and this zone came into force before this time.
pub async fn has_unneeded(pool: &AnyPool, zone: ShopZone, in_force_before: i64) -> Result<bool, Error> {
    let sql = "SELECT COUNT(*) FROM daily_totals_zones other JOIN daily_totals_zones current ON current.rule = $1 \
               WHERE other.rule <> $1 AND current.in_force_since < $2";
    let others: i64 = sqlx::query_scalar(sql).bind(zone.rule()).bind(in_force_before).fetch_one(pool).await?;
    Ok(others > 0)
}

/// Deletes the totals of all other zones, if this one is in force.
pub async fn drop_others(tx: &mut AnyConnection, zone: ShopZone) -> Result<(), Error> {
    lock(tx).await?;
    if load(&mut *tx).await? != zone {
        return Ok(());
    }
    for table in ["daily_totals_zones WHERE rule", "daily_order_totals WHERE zone", "daily_product_totals WHERE zone"] {
        sqlx::query(AssertSqlSafe(format!("DELETE FROM {table} <> $1"))).bind(zone.rule()).execute(&mut *tx).await?;
    }
    Ok(())
}

/// Recounts all orders, in every zone: after sample data was inserted without totals.
///
/// # Errors
/// The database's error.
pub async fn recount(tx: &mut AnyConnection) -> Result<(), Error> {
    lock(tx).await?;
    for table in ["daily_order_totals", "daily_product_totals"] {
        sqlx::query(AssertSqlSafe(format!("DELETE FROM {table}"))).execute(&mut *tx).await?;
    }
    for counted in list(tx).await? {
        count(tx, counted.zone, 0, counted.counted_before).await?;
    }
    Ok(())
}
