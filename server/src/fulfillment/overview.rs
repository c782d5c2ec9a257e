//! Overview for administrators: sales, page views, open orders, low stock, alerts and open disputes.

use std::collections::HashMap;
use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use serde::Serialize;
use sqlx::AnyPool;
use utoipa::ToSchema;
use wasm_core::catalog::Product;
use wasm_core::money::Cents;
use wasm_core::orders::OrderAlert;

use super::store::{self, OpenOrders, SoldProduct};
use crate::accounts::Admin;
use crate::catalog::low_stock::store::list_low_ids;
use crate::catalog::products::store::list_products_by_id;
use crate::catalog::stock_ledger::OrderReference;
use crate::error::Error;
use crate::error::responses::error_responses;
use crate::fulfillment::Fulfillment;
use crate::infra::clock::day_text;
use crate::money::disputes::{self, OpenDispute};
use crate::orders::alerts::store::{self as alerts, ListedAlert};
use crate::storefront::analytics::{flush, store as page_views};
use crate::time_zone::{self, ShopZone};

/// Days of the statistics, including today.
const DAYS: i64 = 30;
const WEEK: usize = 7;
/// Entries of a top list.
const TOP: i64 = 5;
/// Listed alerts.
const MAX_ALERTS: i64 = 50;
/// Listed products with low stock.
const MAX_LOW_STOCK: i64 = 20;

/// Statistics by day of the order in the shop's time zone. Sales are order totals minus refunds; fully refunded orders are excluded from
/// both figures.
#[derive(Serialize, ToSchema)]
pub struct Overview {
    today: Sales,
    last_7_days: Sales,
    last_30_days: Sales,
    /// The last 30 days, oldest first.
    days: Vec<Day>,
    open_orders: OpenOrders,
    /// Best-selling products of the last 30 days, net of restocked items.
    top_products: Vec<SoldProduct>,
    /// Most viewed pages of the last 30 days.
    top_pages: Vec<ViewedPage>,
    /// Active products at or below their low-stock threshold, lowest first, at most 20.
    low_stock: Vec<Product>,
    /// Open alerts, oldest first, at most 50.
    alerts: Vec<Alert>,
    /// Disputes that are not decided, at most 50: those that need a response first, by due date.
    disputes: Vec<OpenDispute>,
}

#[derive(Clone, Copy, Serialize, ToSchema)]
#[schema(examples(json!({
    "orders": 4,
    "sales": 239.2,
})))]
pub struct Sales {
    orders: i64,
    sales: Cents,
}

#[derive(Serialize, ToSchema)]
#[schema(examples(json!({
    "day": "2026-12-24",
    "orders": 4,
    "sales": 239.2,
    "page_views": 312,
})))]
pub struct Day {
    /// As in `2026-12-24`.
    #[schema(format = Date)]
    day: String,
    orders: i64,
    sales: Cents,
    page_views: i64,
}

#[derive(Serialize, ToSchema)]
#[schema(examples(json!({
    "path": "/products/nudgelight-one",
    "views": 140,
})))]
pub struct ViewedPage {
    path: String,
    views: i64,
}

/// An open alert about an order, or about a payment without an order.
#[derive(Serialize, ToSchema)]
#[schema(examples(json!({
    "id": "0193f5c6-2f4e-7c1a-9b64-3d5f0a8e7c23",
    "kind": "dispute_opened",
    "message": "Visa ending in 4242 disputes $59.80 as fraudulent. Respond by 12/02/2026.",
    "created_at": "2026-12-24T18:00:00Z",
    "created_at_local": "2026-12-24T13:00:00-05:00",
    "order": { "id": "0193f5c6-2f4e-7c1a-9b64-3d5f0a8e7c21", "number": 1001 },
})))]
pub struct Alert {
    #[serde(flatten)]
    alert: OrderAlert,
    /// Of an alert about an order.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    order: Option<OrderReference>,
}

async fn list_alerts(pool: &AnyPool, zone: ShopZone) -> Result<Vec<Alert>, Error> {
    let listed = alerts::list_open(pool, MAX_ALERTS).await?;
    let alert = |ListedAlert { open, order }: ListedAlert| Alert {
        alert: open.view(zone),
        order: order.map(|(id, number)| OrderReference { id, number }),
    };
    Ok(listed.into_iter().map(alert).collect())
}

error_responses!(OverviewErrors: [ADMIN]);

/// Get the overview
///
/// Returns sales and page views of the last 30 days, open orders, top lists, low stock, open alerts and open
/// disputes. Customers get a 403.
#[utoipa::path(
    get,
    path = "/api/admin/overview",
    tag = "Administration",
    security(("accessToken" = [])),
    responses((status = 200, description = "The overview.", body = Overview), OverviewErrors),
)]
pub async fn get_overview(State(state): State<Arc<Fulfillment>>, Admin(_): Admin) -> Result<Json<Overview>, Error> {
    // Includes the page views that this process has not written yet. An error only delays them.
    if let Err(error) = flush(&state.storefront).await {
        tracing::warn!(%error, "the overview lacks the last page views");
    }
    let overview = time_zone::store::read_in_one_zone(state.db.read(), |zone| load(&state, zone)).await?;
    Ok(Json(overview))
}

async fn load(state: &Fulfillment, zone: ShopZone) -> Result<Overview, Error> {
    let pool = state.db.read();
    let today = zone.day_of(state.clock.now_ms());
    let since = today - (DAYS - 1);
    let sales = store::list_sales(pool, zone, (since, today)).await?;
    let views = page_views::list_views_by_day(pool, &day_text(since)).await?;
    let days = days(since, &sales, &views);
    let top_pages = page_views::list_most_viewed(pool, &day_text(since), TOP).await?;
    Ok(Overview {
        today: sum(days.iter().rev().take(1))?,
        last_7_days: sum(days.iter().rev().take(WEEK))?,
        last_30_days: sum(days.iter())?,
        days,
        open_orders: store::count_open_orders(pool).await?,
        top_products: store::list_most_sold(pool, since, TOP).await?,
        top_pages: top_pages.into_iter().map(|(path, views)| ViewedPage { path, views }).collect(),
        low_stock: list_products_by_id(pool, &list_low_ids(pool, MAX_LOW_STOCK).await?).await?,
        alerts: list_alerts(pool, zone).await?,
        disputes: disputes::list_open(pool, zone, state.clock.now_ms()).await?,
    })
}

/// Every day of the period, including days without orders and views.
fn days(since: i64, sales: &[store::DaySales], views: &HashMap<String, i64>) -> Vec<Day> {
    (since..since + DAYS)
        .map(|number| {
            let sold = sales.iter().find(|sold| sold.day == number);
            let day = day_text(number);
            Day {
                orders: sold.map_or(0, |sold| sold.orders),
                sales: sold.map_or(Cents::ZERO, |sold| sold.sales),
                page_views: views.get(&day).copied().unwrap_or_default(),
                day,
            }
        })
        .collect()
}

fn sum<'a>(days: impl Iterator<Item = &'a Day>) -> Result<Sales, Error> {
    let mut sum = Sales { orders: 0, sales: Cents::ZERO };
    for day in days {
        sum = Sales { orders: sum.orders + day.orders, sales: sum.sales.checked_add(day.sales)? };
    }
    Ok(sum)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_day_without_anything_is_a_day_too() {
        let sold = store::DaySales { day: 2, orders: 3, sales: Cents::from_cents(5_980) };
        let views = HashMap::from([("1970-01-02".to_owned(), 7)]);
        let days = days(1, &[sold], &views);
        assert_eq!(days.len(), 30);
        let seen: Vec<_> = days.iter().take(3).map(|day| (day.day.as_str(), day.orders, day.page_views)).collect();
        assert_eq!(seen, [("1970-01-02", 0, 7), ("1970-01-03", 3, 0), ("1970-01-04", 0, 0)]);
        assert_eq!(sum(days.iter()).unwrap().sales, Cents::from_cents(5_980));
    }
}
